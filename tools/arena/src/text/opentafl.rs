//! The records of OpenTafl: tags `[name:value]`, a rules record among them, then the moves `e5-e8xe9/f8` by number.
//!
//! Move records may end in `+`, `-`, `++`, `--` or `---` (resigned); comments stand between brackets in lines of their own.
//!
//! The rules record tells what is played: a built-in variant if it is called so to the letter or has the same rules, else a
//! game of its own. What is written says all of the rules, with keys of our own for what OpenTafl can not say.

use super::replay::Replay;
use super::{Annotated, Transcript, tags};
use crate::notation::{read_move, turn_over, write_move};
use crate::variant::Variant;
use huscarl::game::Side;
use huscarl::tafl::Spec;
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

/// A game while it is read.
#[derive(Default)]
struct Draft {
    game: Transcript,
    /// What the rules record says.
    rules: Option<Spec>,
    /// The position record to begin with, if it is not that of the rules.
    position: Option<String>,
    /// The name of a built-in variant.
    name: Option<String>,
    begun: bool,
}

/// The built-in variant with these rules, whatever it is called and begins with; one that begins alike before others.
fn built_in(rules: &Spec) -> Option<Variant> {
    let known = variants::names().filter_map(|name| name.parse::<Variant>().ok());
    let mut alike: Vec<Variant> = known
        .filter(|known| {
            known.spec().is_some_and(|spec| {
                let begun = Spec {
                    name: spec.name.clone(),
                    start: spec.start.clone(),
                    first: spec.first,
                    ..rules.clone()
                };
                begun == *spec
            })
        })
        .collect();
    alike.sort_by_key(|known| known.spec().is_some_and(|spec| spec.start != rules.start));
    alike.into_iter().next()
}

impl Draft {
    fn tag(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.begun = true;
        match name {
            "rules" => self.rules(value)?,
            "position" => self.position = Some(value.to_string()),
            "result" => {
                let known = RESULTS.iter().find(|(theirs, _)| *theirs == value);
                self.game
                    .set_tag(tags::RESULT, known.map_or("*", |(_, ours)| ours));
            }
            "variant" => self.called(value),
            _ => {
                if let Some((_, ours)) = TAGS.iter().find(|(theirs, _)| *theirs == name) {
                    self.game.set_tag(ours, value);
                }
            }
        }
        Ok(())
    }

    fn rules(&mut self, record: &str) -> Result<(), String> {
        self.begun = true;
        let rules = Spec::from_record(record).map_err(|why| format!("rules: {why}"))?;
        self.called(&rules.name);
        self.rules = Some(rules);
        Ok(())
    }

    /// Takes the name of a game if it is one of ours to the letter: OpenTafl's `Tawlbwrdd` is another.
    fn called(&mut self, name: &str) {
        if variants::names().any(|known| known == name) {
            self.name = Some(name.to_string());
        }
    }

    fn finish(mut self, index: usize, variant: Option<&Variant>) -> Result<Transcript, String> {
        self.game.place = format!("game {}", index + 1);
        let variant = match (variant, &self.name, &self.rules) {
            (Some(variant), ..) => variant.clone(),
            (None, Some(name), _) => name.parse()?,
            (None, None, Some(rules)) => match built_in(rules) {
                Some(variant) => variant,
                None => Variant::recorded(&rules.name, Some(&rules.to_record()))?,
            },
            (None, None, None) => {
                return Err(format!(
                    "{}: nothing tells its rules; --variant says by which to read it",
                    self.game.place
                ));
            }
        };
        self.game.set_variant(&variant);
        let own = { variant.spec() }.ok_or_else(|| {
            format!(
                "OpenTafl's records are of tafl games, not of {}",
                variant.name()
            )
        })?;
        let told = self.rules.as_ref().unwrap_or(own);
        let rows = self.position.as_deref().map(turn_over);
        let rows = rows.unwrap_or_else(|| told.start.clone());
        if (&rows, told.first) != (&own.start, own.first) {
            let side = match told.first {
                Side::First => 'a',
                Side::Second => 'd',
            };
            self.game.set_tag(tags::FEN, format!("{rows} {side} 0 1"));
        }
        Ok(self.game)
    }
}

/// Reads all games.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(text: &str, variant: Option<&Variant>) -> Result<Vec<Transcript>, String> {
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
                    { draft.tag(name, value.trim()) }
                        .map_err(|why| format!("line {number}: {why}"))?;
                }
                None => comment(&mut draft.game.moves, &content),
            }
        } else if line.starts_with("dim:") {
            { draft.rules(line) }.map_err(|why| format!("line {number}: {why}"))?;
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
/// If it is not a tafl game, or begins within a turn, which the form can not say.
pub(super) fn write(game: &Transcript, replay: &Replay) -> Result<String, String> {
    let variant = game.variant()?;
    let mut rules = { variant.spec().cloned() }.ok_or_else(|| {
        format!(
            "OpenTafl's records are of tafl games, not of {}",
            variant.name()
        )
    })?;
    rules.name = variant.name().to_string();
    let mut fields = replay.start.split(' ');
    rules.start = fields.next().unwrap_or_default().to_string();
    rules.first = match fields.next() {
        Some("a") => Side::First,
        Some("d") => Side::Second,
        _ => return Err("OpenTafl's records can not begin within a turn".into()),
    };
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
    let _ = writeln!(text, "[rules:{}]\n", rules.to_record());
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
    fn there_and_back() {
        let games = read(GAME, None).expect("reads");
        let game = &games[0];
        assert_eq!(game.tag("Variant"), Some("tawlbwrdd-opentafl"));
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
        let variant = "hnefatafl7".parse().unwrap();
        let why = read("1. d1-c1 nonsense", Some(&variant)).expect_err("nonsense");
        assert!(why.contains("line 1") && why.contains("nonsense"), "{why}");
        assert!(read("[no end", Some(&variant)).is_err());
        let why = read("1. d1-c1", None).expect_err("no rules");
        assert!(why.contains("--variant"), "{why}");
        let why = read("[date:x]\n[rules:dim:8 start:/8/]", None).expect_err("no such board");
        assert!(why.starts_with("line 2: rules: "), "{why}");
    }
}
