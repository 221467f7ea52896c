//! The records of OpenTafl: tags `[name:value]`, a rules record among them, then the moves `e5-e8xe9/f8` by number.
//!
//! Squares are named as in the protocol; positions are written from rank 1 up, without the side to move. Move records may
//! end in `+`, `-`, `++`, `--` or `---` (resigned); comments stand between brackets in lines of their own.
//!
//! A rules record of OpenTafl is not one of our games merely because it looks like one (Brandub's throne is hostile to
//! nobody, its Tawlbwrdd knows no castle), so the variant is that of the record's name if the name is one of ours, and has
//! to be told otherwise. The records written here come as near to our rules as the keys allow; repetition can not be said.

use super::replay::{Replay, Step, facts};
use super::{Annotated, Transcript, tags};
use huscarl::variants;
use std::fmt::Write as _;

/// Tags that have a name in the PGN-like form; others keep theirs.
const TAGS: [(&str, &str); 9] = [
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("attackers", "Attackers"),
    ("defenders", "Defenders"),
    ("result", tags::RESULT),
    ("termination", tags::TERMINATION),
    ("variant", tags::VARIANT),
];

/// Results: those of OpenTafl count for the attackers, who are player 1.
const RESULTS: [(&str, &str); 4] = [("1", "1-0"), ("-1", "0-1"), ("0", "1/2-1/2"), ("?", "*")];

/// The keys of a rules record that stand between its name and its start position.
const RULES: [(&str, &str); 3] = [
    ("tawlbwrdd", TAWLBWRDD),
    ("tawlbwrdd-bell", TAWLBWRDD),
    ("hnefatafl7", "surf:n atkf:y ks:t nj:n cj:n cenp:K cenh:"),
];
const TAWLBWRDD: &str = "esc:e surf:n atkf:y ks:c nj:n cj:n cor: cenp:tcnkmgTCNKMG cens: cenh:";

/// The move in the notation of the protocol, if the word is a move record of a man or a king who slides.
pub(super) fn read_move(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['+', '-']);
    let word = word.strip_prefix(['K', 'T']).unwrap_or(word);
    let (from, rest) = word.split_once('-')?;
    let (to, captured) = match rest.split_once('x') {
        Some((to, captured)) => (to, Some(captured)),
        None => (rest, None),
    };
    let is_square = |text: &str| {
        let digits = text.get(1..).unwrap_or_default();
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && !digits.is_empty()
            && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    let mut text = format!("{from}{to}");
    let mut squares = vec![from, to];
    for square in captured.into_iter().flat_map(|list| list.split('/')) {
        let square = square.strip_prefix(['K', 'T']).unwrap_or(square);
        squares.push(square);
        let _ = write!(text, "x{square}");
    }
    squares.into_iter().all(is_square).then_some(text)
}

fn write_move(step: &Step) -> String {
    let kind = |piece: char| if piece == 'K' { "K" } else { "" };
    let mut text = format!("{}{}-{}", kind(step.piece), step.from, step.to);
    for (index, (square, piece)) in step.captured.iter().enumerate() {
        let before = if index == 0 { 'x' } else { '/' };
        let _ = write!(text, "{before}{}{square}", kind(*piece));
    }
    text
}

/// Rows from rank 1 up become rows from the highest down, and the other way.
fn turn_over(rows: &str) -> String {
    let rows: Vec<&str> = rows.trim_matches('/').split('/').rev().collect();
    rows.join("/")
}

/// A game while it is read.
#[derive(Default)]
struct Draft {
    game: Transcript,
    /// The position record to begin with, of the rules or of its own.
    position: Option<String>,
    begun: bool,
}

impl Draft {
    fn tag(&mut self, name: &str, value: &str) {
        self.begun = true;
        match name {
            "rules" => self.rules(value),
            "position" => self.position = Some(value.to_string()),
            "result" => {
                let known = RESULTS.iter().find(|(theirs, _)| *theirs == value);
                self.game
                    .set_tag(tags::RESULT, known.map_or("*", |(_, ours)| ours));
            }
            "variant" => self.variant(value),
            _ => {
                if let Some((_, ours)) = TAGS.iter().find(|(theirs, _)| *theirs == name) {
                    self.game.set_tag(ours, value);
                }
            }
        }
    }

    fn rules(&mut self, record: &str) {
        self.begun = true;
        for word in record.split_ascii_whitespace() {
            match word.split_once(':') {
                Some(("start", rows)) if self.position.is_none() => {
                    self.position = Some(rows.to_string());
                }
                Some(("name", name)) => self.variant(name),
                _ => {}
            }
        }
    }

    /// Takes the name of a game if it is one of ours to the letter: OpenTafl's `Tawlbwrdd` is another.
    fn variant(&mut self, name: &str) {
        if variants::names().any(|known| known == name) {
            self.game.set_tag(tags::VARIANT, name);
        }
    }

    fn finish(mut self, index: usize, variant: Option<&str>) -> Result<Transcript, String> {
        self.game.place = format!("game {}", index + 1);
        if let Some(variant) = variant {
            self.game.set_tag(tags::VARIANT, variant);
        }
        let Some(variant) = self.game.tag(tags::VARIANT) else {
            let known: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "{}: its rules are not named after one of {}; --variant says by which to read it",
                self.game.place,
                known.join(" ")
            ));
        };
        let facts = facts(variant)?;
        let start = facts.start.split(' ').next().unwrap_or_default();
        if let Some(rows) = self.position.map(|rows| turn_over(&rows))
            && rows != start
        {
            // The record does not say whose turn it is; the attackers begin in our games.
            let fen = format!("{rows} {} 0 1", facts.letters[0]);
            self.game.set_tag(tags::FEN, fen);
        }
        Ok(self.game)
    }
}

/// Reads all games.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(text: &str, variant: Option<&str>) -> Result<Vec<Transcript>, String> {
    let mut games = Vec::new();
    let mut draft = Draft::default();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let mut content = rest.to_string();
            while !content.ends_with(']') {
                let Some((_, more)) = lines.next() else {
                    return Err(format!("line {number}: a '[' without its end"));
                };
                content = content + " " + more.trim();
            }
            content.pop();
            // A comment on moves has its two halves split by a bar; a tag begins with its name.
            let is_name = |name: &str| {
                let plain = |c: char| c.is_ascii_lowercase() || c == '-';
                !name.is_empty() && name.chars().all(plain)
            };
            match content.split_once(':').filter(|(name, _)| is_name(name)) {
                Some((name, value)) => {
                    if !draft.game.moves.is_empty() {
                        games.push(std::mem::take(&mut draft).finish(games.len(), variant)?);
                    }
                    draft.tag(name, value.trim());
                }
                None => comment(&mut draft.game.moves, &content),
            }
        } else if line.starts_with("dim:") {
            draft.rules(line);
        } else {
            for word in line.split_ascii_whitespace() {
                let is_number = |c: char| c.is_ascii_digit() || c == '.';
                if word.chars().all(is_number) || word == "---" {
                    continue;
                }
                draft.begun = true;
                // The number may be written together with the move.
                let word = match word.trim_start_matches(|c: char| c.is_ascii_digit()) {
                    rest if rest.starts_with('.') => rest.trim_start_matches('.'),
                    _ => word,
                };
                let mv = read_move(word).ok_or_else(|| {
                    format!("line {number}: '{word}', a move record such as e5-e8xe9/f8 expected")
                })?;
                draft.game.moves.push(Annotated {
                    mv,
                    written: Some(word.to_string()),
                    ..Annotated::default()
                });
            }
        }
    }
    if draft.begun {
        games.push(draft.finish(games.len(), variant)?);
    }
    Ok(games)
}

/// Puts the halves of a comment beside the last two moves, or the last one if that was the first half of its number.
fn comment(moves: &mut [Annotated], text: &str) {
    let (first, second) = text.split_once('|').unwrap_or((text, ""));
    let even = moves.len() - moves.len() % 2;
    let at = if even == moves.len() {
        even.saturating_sub(2)
    } else {
        even
    };
    for (mv, half) in moves[at..].iter_mut().zip([first, second]) {
        let words: Vec<&str> = half.split_whitespace().collect();
        if !words.is_empty() {
            mv.comment = Some(words.join(" "));
        }
    }
}

/// Writes a game that was played again, with an empty line after it.
///
/// # Errors
/// If it is not a tafl game, or the second player is to begin, which the form can not say.
pub(super) fn write(game: &Transcript, replay: &Replay) -> Result<String, String> {
    let variant = game.tag(tags::VARIANT).unwrap_or_default();
    let facts = facts(variant)?;
    let Some((_, rules)) = RULES.iter().find(|(name, _)| *name == facts.name) else {
        return Err(format!(
            "OpenTafl's records are of tafl games, not of {variant}"
        ));
    };
    let mut fields = replay.start.split(' ');
    let rows = fields.next().unwrap_or_default();
    if !fields
        .next()
        .is_some_and(|side| side.chars().eq([facts.letters[0]]))
    {
        return Err("OpenTafl's records can not say that the defenders begin".into());
    }
    let mut text = String::new();
    for (theirs, ours) in TAGS {
        let Some(value) = game.tag(ours) else {
            continue;
        };
        let value = match RESULTS
            .iter()
            .find(|(_, result)| ours == tags::RESULT && *result == value)
        {
            Some((result, _)) => result.to_string(),
            None => value.replace('\n', " ").replace(['[', ']'], "|"),
        };
        let _ = writeln!(text, "[{theirs}:{value}]");
    }
    let _ = writeln!(
        text,
        "[rules:dim:{} name:{} {rules} start:/{}/]\n",
        facts.size,
        facts.name,
        turn_over(rows)
    );
    for (index, pair) in replay.steps.chunks(2).enumerate() {
        let moves: Vec<String> = pair.iter().map(write_move).collect();
        let _ = writeln!(text, "{}. {}", index + 1, moves.join(" "));
        let notes = game.moves.iter().skip(index * 2).take(pair.len());
        let notes: Vec<&str> = notes
            .map(|mv| mv.comment.as_deref().unwrap_or_default())
            .collect();
        if notes.iter().any(|note| !note.is_empty()) {
            let halves = notes.join("|").replace(['[', ']'], " ");
            let _ = writeln!(text, "[{halves}]");
        }
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::replay::replay;
    use super::*;

    /// A game that OpenTafl's host refereed, up to the move before the clock of one side ran out.
    const GAME: &str = "\
[date:2024.01.01]
[attackers:one]
[defenders:two]
[result:?]
[rules:dim:11 name:Tawlbwrdd esc:e atkf:y ks:w nj:n cj:n cor: cen: start:/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/]

1. f1-f2 f4-i4
[a comment|and
one in two lines]
2. a6-b6 e5-c5 3. e1-d1 e7-c7xc6
4. d1-d5xc5 g5-g3
";

    #[test]
    fn move_records() {
        for (theirs, ours) in [
            ("e5-e8", Some("e5e8")),
            ("e5-e8xe9/f8", Some("e5e8xe9xf8")),
            ("Kf6-f10", Some("f6f10")),
            ("f4-e4xKd4++", Some("f4e4xd4")),
            ("Ke5-e1--", Some("e5e1")),
            ("a3-e3+", Some("a3e3")),
            ("e5e8", None),
            ("Ne6^e8", None),
            ("e5-e8x", None),
            ("e5-", None),
            ("1/2-1/2", None),
        ] {
            assert_eq!(read_move(theirs).as_deref(), ours, "{theirs}");
        }
    }

    #[test]
    fn there_and_back() {
        assert!(read(GAME, None).is_err_and(|why| why.contains("--variant")));
        let games = read(GAME, Some("tawlbwrdd-bell")).expect("reads");
        let game = &games[0];
        assert_eq!(game.tag("FEN"), None);
        assert_eq!(game.tag("Result"), Some("*"));
        assert_eq!(
            game.moves[1].comment.as_deref(),
            Some("and one in two lines")
        );
        let moves = game.moves.iter().map(|mv| mv.mv.as_str());
        let played = replay(&game.conditions().expect("known"), moves).expect("plays");
        assert_eq!(played.broken, None);
        let text = write(game, &played).expect("writes");
        assert!(
            text.contains("\n1. f1-f2 f4-i4\n[a comment|and one in two lines]\n"),
            "{text}"
        );
        assert!(text.contains("4. d1-d5xc5 g5-g3"), "{text}");
        assert_eq!(read(&text, None), Ok(games));
    }

    #[test]
    fn another_start() {
        let text =
            "[rules:dim:7 name:hnefatafl7 start:/3t3/1tT1Tt1/3T3/7/7/1K5/7/]\n1. d1-d2xc2/d3/e2\n";
        let game = &read(text, None).expect("reads")[0];
        assert_eq!(game.tag("FEN"), Some("7/1K5/7/7/3T3/1tT1Tt1/3t3 a 0 1"));
        let moves = game.moves.iter().map(|mv| mv.mv.as_str());
        let played = replay(&game.conditions().expect("known"), moves).expect("plays");
        assert_eq!(played.broken, None);
        assert!(write(game, &played).is_ok_and(|text| text.contains("1. d1-d2xc2/d3/e2\n")));
    }

    #[test]
    fn what_can_not_be_read_is_named() {
        let why = read("1. d1-c1 nonsense", Some("hnefatafl7")).expect_err("nonsense");
        assert!(why.contains("line 1") && why.contains("nonsense"), "{why}");
        assert!(read("[no end", Some("hnefatafl7")).is_err());
    }
}
