//! Saved games: text files of lines that each begin with a word for what they hold.
//!
//! ```text
//! huscarl-game 1
//! variant hnefatafl7
//! players person engine
//! start 3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1
//! game 1
//! moves d1c1 d3c3
//! result none
//! ```
//!
//! `players` names first who has side 1 in the first battle. `game`, `moves` and `result` come again for the second
//! battle of a match. There are as many lines of `moves` as are needed. A result is `none`, or who won, why, and the
//! points if there are any. Everything in a file is played again when it is read, so a file can not say anything that
//! the rules do not.

use super::contest::{Contest, Ending, Seat};
use crate::game::Side;
use crate::search::table::Table;
use crate::variants::Registry;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::sync::Arc;

/// The first line: what it is, and the version of the form.
const HEADER: &str = "huscarl-game 1";
/// Moves on a line.
const WIDTH: usize = 10;
/// Bytes; a game of ten thousand moves takes a twentieth of it.
const LARGEST: u64 = 4 << 20;

/// Writes a file; a file that is something else than a saved game is left alone.
///
/// # Errors
/// Names the file and what is wrong.
pub(super) fn save(contest: &Contest, path: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    match File::open(path) {
        Ok(file) => {
            let mut start = Vec::new();
            file.take(HEADER.len() as u64)
                .read_to_end(&mut start)
                .map_err(failed)?;
            if !start.is_empty() && start != HEADER.as_bytes() {
                return Err(format!(
                    "{path} is there and is no saved game; it is left alone"
                ));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    std::fs::write(path, write(contest)).map_err(failed)
}

/// Reads a file.
///
/// # Errors
/// Names the file, the line and what is wrong with it.
pub(super) fn load(path: &str, variants: &Registry, table: &Arc<Table>) -> Result<Contest, String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(failed)?
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("{path}: too large for a saved game"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{path}: not a text file"))?;
    read(&text, variants, table).map_err(|why| format!("{path}: {why}"))
}

fn write(contest: &Contest) -> String {
    let seats = contest.seats.map(|seat| match seat {
        Seat::Person => "person",
        Seat::Engine => "engine",
    });
    let mut text = format!(
        "{HEADER}\nvariant {}\nplayers {} {}\nstart {}\n",
        contest.variant, seats[0], seats[1], contest.start
    );
    let earlier = contest.earlier();
    let earlier = earlier.map(|battle| (&battle.moves[..], Some(battle.ending)));
    let now = (contest.moves(), contest.ending());
    for (index, (moves, ending)) in earlier.into_iter().chain([now]).enumerate() {
        text += &format!("game {}\n", index + 1);
        for line in moves.chunks(WIDTH) {
            text += &format!("moves {}\n", line.join(" "));
        }
        text += &format!("result {}\n", result_words(ending));
    }
    text
}

fn result_words(ending: Option<Ending>) -> String {
    let Some(ending) = ending else {
        return "none".into();
    };
    let winner = match ending.winner {
        Some(side) => format!("p{}win", side.player()),
        None => "draw".into(),
    };
    let points = ending
        .points
        .map_or(String::new(), |[one, two]| format!(" {one} {two}"));
    format!("{winner} {}{points}", ending.cause)
}

/// The lines of a file, one after the other.
struct Lines<'a> {
    lines: std::iter::Peekable<std::str::Lines<'a>>,
    number: usize,
}

impl<'a> Lines<'a> {
    /// What follows a word on the next line.
    fn take(&mut self, word: &str) -> Result<&'a str, String> {
        self.number += 1;
        let Some(line) = self.lines.next() else {
            return Err(format!(
                "the file ends where '{word}' is expected, in line {}",
                self.number
            ));
        };
        rest_after(line, word)
            .ok_or_else(|| self.wrong(format!("'{}', '{word} ...' expected", shorten(line))))
    }

    /// The same, if the next line begins with the word.
    fn take_if(&mut self, word: &str) -> Option<&'a str> {
        let rest = rest_after(self.lines.peek()?, word)?;
        self.lines.next();
        self.number += 1;
        Some(rest)
    }

    /// A message about the line taken last.
    fn wrong(&self, what: impl AsRef<str>) -> String {
        format!("line {}: {}", self.number, what.as_ref())
    }
}

fn rest_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.strip_prefix(word)?.strip_prefix(' ')
}

/// As much of a text as a message bears, without what a terminal would act on.
fn shorten(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    let mut short: String = text.chars().take(60).map(plain).collect();
    if text.chars().nth(60).is_some() {
        short += "...";
    }
    short
}

fn read(text: &str, variants: &Registry, table: &Arc<Table>) -> Result<Contest, String> {
    let mut lines = Lines {
        lines: text.lines().peekable(),
        number: 0,
    };
    let (name, version) = HEADER.split_once(' ').unwrap_or((HEADER, ""));
    let given = lines.take(name)?;
    if given != version {
        return Err(lines.wrong(format!("version '{}', {version} expected", shorten(given))));
    }
    let given = lines.take("variant")?;
    let variant = variants
        .find(&shorten(given))
        .map_err(|why| lines.wrong(why))?;
    if variant != given {
        return Err(lines.wrong(format!("variant '{given}', {variant} expected")));
    }
    let seats = read_seats(lines.take("players")?).map_err(|why| lines.wrong(why))?;
    let start = lines.take("start")?;
    let mut contest = Contest::open(variants, variant, Some(start), seats, table)
        .map_err(|why| lines.wrong(format!("start: {why}")))?;
    let number = lines.take("game")?;
    read_game(&mut contest, number, "1", &mut lines)?;
    if let Some(number) = lines.take_if("game") {
        contest.next().map_err(|why| lines.wrong(why))?;
        read_game(&mut contest, number, "2", &mut lines)?;
    }
    match lines.lines.next() {
        None => Ok(contest),
        Some(line) => {
            lines.number += 1;
            Err(lines.wrong(format!("'{}' after the end", shorten(line))))
        }
    }
}

fn read_seats(words: &str) -> Result<[Seat; 2], String> {
    let wrong = || {
        format!(
            "players '{}', person or engine expected, twice",
            shorten(words)
        )
    };
    let seat = |word: &str| match word {
        "person" => Ok(Seat::Person),
        "engine" => Ok(Seat::Engine),
        _ => Err(wrong()),
    };
    let (one, two) = words.split_once(' ').ok_or_else(wrong)?;
    Ok([seat(one)?, seat(two)?])
}

/// Plays the moves of one game and brings its result about; the line with its number was taken before.
fn read_game(
    contest: &mut Contest,
    number: &str,
    expected: &str,
    lines: &mut Lines,
) -> Result<(), String> {
    if number != expected {
        return Err(lines.wrong(format!("game '{}', {expected} expected", shorten(number))));
    }
    while let Some(moves) = lines.take_if("moves") {
        for text in moves.split(' ') {
            let ply = contest.moves().len() + 1;
            let is_plain = contest.legal().iter().any(|legal| legal == text);
            let played = match contest.play(text) {
                Ok(()) if !is_plain => Err("not written as the protocol writes it".into()),
                played => played,
            };
            played.map_err(|why| {
                lines.wrong(format!("move '{}' at ply {ply}: {why}", shorten(text)))
            })?;
        }
    }
    let given = lines.take("result")?;
    match given.split(' ').nth(1) {
        _ if contest.ending().is_some() => {}
        Some("p1-resigned") => contest.resign(Side::First),
        Some("p2-resigned") => contest.resign(Side::Second),
        Some("agreed") => contest.agree(),
        _ => {}
    }
    let found = result_words(contest.ending());
    match given == found {
        true => Ok(()),
        false => Err(lines.wrong(format!(
            "result '{}', but the moves lead to '{found}'",
            shorten(given)
        ))),
    }
}
