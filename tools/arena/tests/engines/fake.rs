//! An engine for tests that plays by the rules until it misbehaves in the way that its first argument names.
//!
//! `fake-engine FAULT [MOVES]`: the fault comes with the move after so many good ones (0 if left out). It plays the first
//! legal move in the order of their texts that does not end the game, so its games can be foretold; with `nodes N` it takes
//! the Nth of them. With the fault `greedy` moves that capture come first. With `tunable` it has options whose names begin
//! with `Tune`, of which `TuneChoice` stands in for `nodes`.
//!
//! A first line of `rules` makes it speak OpenTafl's dialect. Then it holds the host to its word: what is told of positions
//! must be so, or it ends with code 9.

use arena::notation;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::tafl::Spec;
use huscarl::variants;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

fn config() -> Result<Config, String> {
    Ok(Config {
        table: Arc::new(Table::new(1)?),
        threads: 1,
        repetition: None,
        quiet: None,
    })
}

fn session(variant: &str) -> Result<Box<dyn Session>, String> {
    variants::open(variant, config()?)
}

fn write(bytes: &[u8]) {
    let mut out = std::io::stdout();
    // A driver that is gone ends this process by itself.
    let _ = out.write_all(bytes);
    let _ = out.flush();
}

fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

struct Fake {
    fault: String,
    /// Good moves before the fault.
    good: usize,
    moves: usize,
    /// `TuneChoice`, once it is set.
    choice: Option<usize>,
    session: Box<dyn Session>,
    /// What only a host needs.
    guest: Guest,
}

#[derive(Default)]
struct Guest {
    is_one: bool,
    /// Its move that the host has not spoken about.
    offered: Option<String>,
    /// What it has asked to be told again.
    asked: Vec<&'static str>,
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let fault = arguments.next().unwrap_or_default();
    let good = arguments
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(0);
    let mut fake = Fake {
        fault,
        good,
        moves: 0,
        choice: None,
        session: session("thud")?,
        guest: Guest::default(),
    };
    match fake.fault.as_str() {
        "no-hello" => sleep_for_ever(),
        "ends-at-once" => std::process::exit(7),
        "fills-stderr" => {
            for number in 0..200_000 {
                eprintln!("something is not quite as it should be, number {number}");
            }
        }
        "child" => {
            let me = std::env::current_exe().map_err(|error| error.to_string())?;
            let child = std::process::Command::new(me)
                .arg("no-hello")
                .args(std::env::args().skip(2))
                .spawn();
            let child = child.map_err(|error| error.to_string())?;
            eprintln!("child {}", child.id());
        }
        _ => {}
    }
    let mut line = String::new();
    while std::io::stdin()
        .read_line(&mut line)
        .is_ok_and(|count| count > 0)
    {
        if !fake.obey(line.trim())? {
            break;
        }
        line.clear();
    }
    if fake.fault == "ignores-the-end" {
        sleep_for_ever();
    }
    Ok(())
}

impl Fake {
    fn obey(&mut self, line: &str) -> Result<bool, String> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some(word) if self.guest.is_one && word != "goodbye" => {
                self.obey_host(word, rest(line))?
            }
            Some("uci") => {
                say("id name Fake 1");
                // All but one, so that there is one to refuse.
                let known = variants::names().filter(|name| *name != "tawlbwrdd-bell");
                let known: Vec<String> = known.map(|name| format!(" var {name}")).collect();
                say(&format!(
                    "option name UCI_Variant type combo default thud{}",
                    known.concat()
                ));
                say("option name Hash type spin default 1 min 1 max 16");
                say("option name Ponder type check default false");
                if self.fault.starts_with("offer") {
                    say("option name Offers type check default false");
                }
                if self.fault == "tunable" {
                    say("option name TuneChoice type spin default 9 min 1 max 20");
                    say("tune name TuneChoice step 3");
                    say("option name Tune Nothing type spin default 50 min 0 max 100");
                }
                say("uciok");
            }
            Some("isready") if self.fault == "never-ready" => sleep_for_ever(),
            Some("isready") => say("readyok"),
            Some("ucinewgame") => self.moves = 0,
            Some("setoption") => {
                if let Some(variant) = line.strip_prefix("setoption name UCI_Variant value ") {
                    self.session = session(variant)?;
                }
                if let Some(choice) = line.strip_prefix("setoption name TuneChoice value ") {
                    self.choice = choice.parse().ok();
                }
            }
            Some("position") => {
                let (place, moves) = line.split_once(" moves").unwrap_or((line, ""));
                self.session
                    .set_position(place.strip_prefix("position fen "))?;
                let moves: Vec<&str> = moves.split_whitespace().collect();
                self.session
                    .play(&moves)
                    .map_err(|refusal| refusal.message)?;
            }
            Some("go") => self.go(&words.collect::<Vec<_>>()),
            Some("quit" | "goodbye") => return Ok(self.fault == "ignores-quit"),
            Some(word) => {
                self.obey_host(word, line.split_once(' ').map_or("", |(_, rest)| rest))?
            }
            None => {}
        }
        Ok(true)
    }

    /// Holds the host to what it has said.
    fn expect(&self, is_so: bool, line: &str) {
        if !is_so {
            let here = self.session.position_text().unwrap_or_default();
            eprintln!("told '{line}' in {here}");
            std::process::exit(9);
        }
    }

    fn stands(&self, position: &str) -> bool {
        let here = self.session.position_text().unwrap_or_default();
        notation::write_position(&here) == position
    }

    fn obey_host(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if let Some(at) = self.guest.asked.iter().position(|asked| *asked == word) {
            self.guest.asked.remove(at);
            if word == "position" {
                self.expect(self.stands(rest), rest);
            }
            if self.guest.asked.is_empty() {
                self.go(&[]);
            }
            return Ok(());
        }
        match word {
            "rules" => {
                self.session = variants::open_spec(&Spec::from_record(rest)?, config()?)?;
                self.moves = 0;
                if !std::mem::replace(&mut self.guest.is_one, true) {
                    if self.fault == "whole-records" {
                        say("simple-moves off");
                    }
                    say("hello");
                }
                self.guest.offered = None;
            }
            "opponent-move" => {
                let (moves, position) = rest.split_once(' ').unwrap_or((rest, ""));
                for told in moves.split('|') {
                    let mv = notation::read_move(told).unwrap_or_default();
                    let is_legal = { self.session.captures(&mv) };
                    let captures = is_legal.and_then(Result::ok).map(|squares| squares.len());
                    let is_whole = captures == Some(mv.matches('x').count());
                    let wants_whole = self.fault == "whole-records" && captures > Some(0);
                    self.expect(!wants_whole || is_whole, rest);
                    let is_played = self.session.play(&[&mv]).is_ok();
                    self.expect(is_played, rest);
                }
                self.expect(self.stands(position), rest);
            }
            "move" => {
                let offered = self.guest.offered.take().unwrap_or_default();
                let is_played = self.session.play(&[&offered]).is_ok();
                self.expect(is_played, rest);
                self.expect(self.stands(rest), rest);
            }
            "play" => {
                let side = self.session.side().map_or(0, |side| side.index());
                self.expect(self.session.side_names()[side] == rest, rest);
                if self.fault == "asks" {
                    self.guest.asked = vec!["rules", "position", "side", "clock"];
                    say("rules\nposition\nside\nclock");
                } else {
                    self.go(&[]);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The line with a move.
    fn answer(&mut self, mv: &str) -> String {
        if !self.guest.is_one {
            return format!("bestmove {mv}");
        }
        self.guest.offered = Some(mv.to_string());
        // The second square begins with the second letter.
        let to = mv[1..].find(|c: char| c.is_ascii_lowercase());
        let (from, to) = mv.split_at(to.map_or(0, |at| at + 1));
        format!("move {from}-{to}")
    }

    fn choose(&mut self, go: &[&str]) -> String {
        let mut moves = self.session.moves().unwrap_or_default();
        moves.sort();
        if self.fault == "greedy" {
            let captures = |mv: &String| self.session.captures(mv).and_then(Result::ok);
            moves.sort_by_key(|mv| captures(mv).is_none_or(|captured| captured.is_empty()));
        }
        let nodes = go.iter().position(|&word| word == "nodes");
        let number = nodes.and_then(|at| go.get(at + 1)?.parse::<usize>().ok());
        let number = self.choice.or(number);
        let count = moves.len().max(1);
        moves
            .into_iter()
            .nth((number.unwrap_or(1).max(1) - 1) % count)
            .unwrap_or("(none)".into())
    }

    fn go(&mut self, words: &[&str]) {
        let mv = self.choose(words);
        self.moves += 1;
        let fault = self.fault.clone();
        let fault = match self.moves > self.good {
            true => fault.as_str(),
            false => "",
        };
        break_down(fault, &mv);
        let answer = match fault {
            "garbage" => {
                let word = if self.guest.is_one {
                    "move"
                } else {
                    "bestmove"
                };
                write(b"\xff\xfe\x00\x1b[2J garbage\n");
                write(&[word.as_bytes(), b" \xff\xff\n"].concat());
                return;
            }
            "noise" => {
                write(b"\xff\xfe\x00 noise\n\n\r\nbestmoves are many\ninfo\ninfo score pv\n");
                format!("  bestmove   {}  \r", mv.to_uppercase())
            }
            "illegal" => self.answer("a1a1"),
            "wrong-notation" => format!("move {mv}"),
            "gives-up" => "error 0 all is well\nerror -1 out of ideas".into(),
            "chats" => format!(
                "status thinking\nanalysis 0\nnonsense\n{}",
                self.answer(&mv)
            ),
            "none" => "bestmove (none)".into(),
            "empty" => "bestmove".into(),
            "offer" => format!("bestmove {mv} offer"),
            // Two answers for one question: the second must not be taken for that of a later one.
            "answers-twice" => format!("bestmove {mv}\nbestmove a1a1"),
            "ponder" => self.ponder(words, &mv),
            _ => self.answer(&mv),
        };
        match fault {
            _ if self.guest.is_one => {}
            "no-score" => {}
            "wrong-pv" => score("a1a1"),
            "illegal-pv" => score(&format!("{mv} a1a1")),
            _ => score(&mv),
        }
        if fault == "late" {
            std::thread::sleep(Duration::from_millis(400));
        }
        say(&answer);
    }

    /// Answers a search on the opponent's time only when it is told to; tells which reply it expects.
    fn ponder(&mut self, words: &[&str], mv: &str) -> String {
        if words.contains(&"ponder") {
            let mut line = String::new();
            // The end of the input ends it, too.
            while std::io::stdin()
                .read_line(&mut line)
                .is_ok_and(|count| count > 0)
            {
                match line.trim() {
                    "isready" => say("readyok"),
                    "stop" | "ponderhit" => break,
                    _ => {}
                }
                line.clear();
            }
        }
        let _ = self.session.play(&[mv]);
        let reply = self.choose(words);
        format!("bestmove {mv} ponder {reply}")
    }
}

/// What follows the first word.
fn rest(line: &str) -> &str {
    line.split_once(' ').map_or("", |(_, rest)| rest)
}

fn score(pv: &str) {
    say(&format!("info depth 1 score cp 0 nodes 1 pv {pv}"));
}

/// The faults after which nothing more comes.
fn break_down(fault: &str, mv: &str) {
    match fault {
        "crash" => {
            eprintln!("assertion failed: everything");
            std::process::exit(3);
        }
        "abort" => std::process::abort(),
        "hang" | "ignores-stop" => {
            score(mv);
            sleep_for_ever();
        }
        "half-line" => {
            write(b"bestm");
            sleep_for_ever();
        }
        "half-line-and-end" => {
            write(b"bestm");
            std::process::exit(0);
        }
        "flood" => loop {
            say("info string still thinking, still thinking, still thinking, still thinking");
        },
        "flood-answers" => loop {
            say("readyok");
        },
        "long-line" => {
            let chunk = [b'x'; 1 << 16];
            while std::io::stdout().write_all(&chunk).is_ok() {}
            sleep_for_ever();
        }
        "close-output" => {
            close(1);
            sleep_for_ever();
        }
        "close-input" => {
            close(0);
            score(mv);
            say(&format!("bestmove {mv}"));
            sleep_for_ever();
        }
        _ => {}
    }
}

#[cfg(unix)]
fn close(pipe: i32) {
    let _ = nix::unistd::close(pipe);
}

#[cfg(not(unix))]
fn close(_: i32) {}
