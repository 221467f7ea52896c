//! `arena check`: whether a record keeps the rules, and whether what it says of results is what the referee says.

use super::replay::{Replay, replay};
use super::{Form, Transcript, jsonl, load, named, result_word, tags};
use huscarl::game::{Outcome, Side};
use std::path::PathBuf;

/// What `arena check` is asked for.
#[derive(clap::Args, Debug)]
pub struct CheckOptions {
    /// Files to look over
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Form of the files; else name or content tells
    #[arg(long, value_name = "FORM")]
    from: Option<Form>,
    /// Variant of games that do not tell it, and instead of what they tell
    #[arg(long)]
    variant: Option<String>,
    /// A file of further variants
    #[arg(long, value_name = "FILE", requires = "variant")]
    variants: Option<PathBuf>,
    /// Plies without a capture that end a game, 0 for off; else the record's, else the variant's own
    #[arg(long, value_name = "N")]
    quiet_limit: Option<u32>,
    /// Occurrences of a position that end a game, 0 for off; else the record's, else the variant's own
    #[arg(long, value_name = "N")]
    repetition_limit: Option<u32>,
}

/// Looks over files and prints each fault with its file, game, ply, move and reason.
///
/// # Errors
/// If a file can not be read, or there are faults.
pub fn check(options: &CheckOptions) -> Result<(), String> {
    let variant = named(options.variant.as_deref(), options.variants.as_deref())?;
    let mut faults = 0;
    for path in &options.files {
        let (form, text) = load(path, options.from)?;
        let read = || -> Result<_, String> {
            let mut found = match form {
                Form::Jsonl => jsonl::contradictions(&text)?,
                _ => Vec::new(),
            };
            let games = form.read(&text, variant.as_ref())?;
            let plies: usize = games.iter().map(|game| game.moves.len()).sum();
            for game in &games {
                let own = look(game, options.quiet_limit, options.repetition_limit);
                found.extend(own.iter().map(|fault| format!("{}, {fault}", game.place)));
            }
            Ok((games.len(), plies, found))
        };
        let (games, plies, found) = read().map_err(|why| format!("{}: {why}", path.display()))?;
        for fault in &found {
            println!("{}: {fault}", path.display());
        }
        println!(
            "{}: {games} games, {plies} moves, {} faults",
            path.display(),
            found.len()
        );
        faults += found.len();
    }
    match faults {
        0 => Ok(()),
        1 => Err("a fault was found".into()),
        faults => Err(format!("{faults} faults were found")),
    }
}

/// Reasons that the moves alone must give.
const OF_THE_GAME: [&str; 10] = [
    "king-escaped",
    "king-captured",
    "no-moves",
    "repetition",
    "quiet-limit",
    "no-attackers",
    "no-defenders",
    "no-room",
    "edge-fort",
    "encircled",
];
/// Reasons for which the side to move has lost.
const OF_THE_MOVER: [&str; 2] = ["time", "illegal-move"];
/// Reasons for which somebody has lost.
const OF_A_PLAYER: [&str; 2] = ["crash", "stall"];

/// The faults of one game.
pub(super) fn look(game: &Transcript, quiet: Option<u32>, repetition: Option<u32>) -> Vec<String> {
    let played = game.conditions().and_then(|mut conditions| {
        conditions.quiet = quiet.or(conditions.quiet);
        conditions.repetition = repetition.or(conditions.repetition);
        replay(&conditions, game.moves.iter().map(|mv| mv.mv.as_str()))
    });
    let replay = match played {
        Ok(replay) => replay,
        Err(why) => return vec![why],
    };
    if let Some(broken) = &replay.broken {
        // What the rest of the record says is about another position.
        return vec![game.fault(broken)];
    }
    let mut faults = Vec::new();
    if let Some((plies, outcome)) = replay.over
        && let Some(mv) = game.moves.get(plies)
    {
        faults.push(format!(
            "ply {}, move {}: the game was over after ply {plies} ({})",
            plies + 1,
            mv.as_written(),
            outcome.reason
        ));
    }
    if let Some(end) = game.end.as_ref().filter(|end| **end != replay.end) {
        faults.push(format!(
            "at the end: position '{end}', '{}' expected",
            replay.end
        ));
    }
    faults.extend(ending(game, &replay));
    faults
}

/// What a record says of its end, against the referee.
fn ending(game: &Transcript, replay: &Replay) -> Vec<String> {
    let mut faults = Vec::new();
    let mut say = |what: String| faults.push(format!("at the end: {what}"));
    let result = game.tag(tags::RESULT).unwrap_or("*");
    let reason = game.tag(tags::TERMINATION);
    let word = |outcome: Outcome| result_word(outcome.winner.map(Side::index));
    let lost = result_word(Some((!replay.side).index()));
    match (replay.over, reason) {
        (Some((_, outcome)), reason) => {
            if result != word(outcome) {
                say(format!(
                    "result {result}, {} expected ({})",
                    word(outcome),
                    outcome.reason
                ));
            }
            let known = reason.filter(|reason| is_reason(reason));
            if let Some(reason) = known.filter(|reason| *reason != outcome.reason.to_string()) {
                say(format!("reason {reason}, {} expected", outcome.reason));
            }
        }
        (None, Some(reason)) if OF_THE_GAME.contains(&reason) => {
            say(format!("reason {reason}, but the game is not over"));
        }
        (None, Some(reason @ ("agreed" | "length"))) => {
            let expected = word(replay.as_it_stands);
            if result != expected {
                say(format!("result {result}, {expected} expected ({reason})"));
            }
        }
        (None, Some(reason)) if OF_THE_MOVER.contains(&reason) => {
            if result != lost {
                say(format!(
                    "result {result}, {lost} expected ({reason}): the side to move has lost"
                ));
            }
        }
        (None, Some(reason)) if OF_A_PLAYER.contains(&reason) => {
            if !["1-0", "0-1"].contains(&result) {
                say(format!("result {result}, a winner expected ({reason})"));
            }
        }
        // Adjudicated, not finished, or ended by people for reasons of their own.
        (None, _) => {}
    }
    let stands = replay.as_it_stands.points;
    match (game.tag(tags::POINTS), stands) {
        (Some(told), None) => say(format!("points {told} in a game that has none")),
        (Some(told), Some(points)) => {
            let text = |[one, two]: [u32; 2]| format!("{one}-{two}");
            // Who loses for a fault may be scored with all his men off the board.
            let fault = reason.is_some_and(|reason| {
                OF_THE_MOVER.contains(&reason) || OF_A_PLAYER.contains(&reason)
            });
            let without = match result {
                "1-0" if fault => [points[0], 0],
                "0-1" if fault => [0, points[1]],
                _ => points,
            };
            if told != text(points) && told != text(without) {
                say(format!("points {told}, {} expected", text(points)));
            }
        }
        (None, _) => {}
    }
    faults
}

fn is_reason(word: &str) -> bool {
    let others = ["agreed", "length", "adjudicated"];
    [&OF_THE_GAME[..], &OF_THE_MOVER, &OF_A_PLAYER, &others]
        .iter()
        .any(|list| list.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::super::Annotated;
    use super::*;

    fn faults(tags: &[(&str, &str)], moves: &str, end: Option<&str>) -> Vec<String> {
        let game = Transcript {
            place: "game 1".into(),
            tags: tags
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
            moves: moves
                .split_whitespace()
                .map(|mv| Annotated {
                    mv: mv.into(),
                    ..Annotated::default()
                })
                .collect(),
            end: end.map(str::to_string),
        };
        look(&game, None, None)
    }

    const ESCAPE: [(&str, &str); 2] = [
        ("Variant", "hnefatafl7"),
        ("FEN", "7/7/7/K6/7/6t/1tT4 d 0 1"),
    ];

    fn of_escape(more: &[(&str, &str)], moves: &str, end: Option<&str>) -> Vec<String> {
        faults(&[&ESCAPE[..], more].concat(), moves, end)
    }

    /// There is one fault, and it says these words.
    fn one(faults: &[String], words: &[&str]) {
        assert_eq!(faults.len(), 1, "{faults:?}");
        for word in words {
            assert!(faults[0].contains(word), "{word}: {faults:?}");
        }
    }

    #[test]
    fn what_is_right_has_no_fault() {
        let end = Some("7/7/7/7/7/6t/K1T4 a 0 2");
        let right = [("Result", "0-1"), ("Termination", "king-escaped")];
        assert_eq!(of_escape(&right, "a4a1", end), [""; 0]);
        assert_eq!(of_escape(&right, "A4A1xb1", end), [""; 0]);
        assert_eq!(of_escape(&[("Result", "*")], "", None), [""; 0]);
        let resigned = [("Result", "1-0"), ("Termination", "Black resigns")];
        assert_eq!(of_escape(&resigned, "", None), [""; 0]);
        for (reason, result) in [
            ("time", "1-0"),
            ("illegal-move", "1-0"),
            ("crash", "0-1"),
            ("stall", "1-0"),
            ("adjudicated", "0-1"),
            ("agreed", "1/2-1/2"),
            ("length", "1/2-1/2"),
        ] {
            let told = [("Result", result), ("Termination", reason)];
            assert_eq!(of_escape(&told, "", None), [""; 0], "{reason}");
        }
    }

    #[test]
    fn moves_that_break_a_rule() {
        one(&of_escape(&[], "a4a2 a1a2", None), &["ply 2", "a1a2"]);
        one(&of_escape(&[], "a4a1xc1", None), &["ply 1", "a4a1xc1"]);
        let after = [("Result", "0-1")];
        one(&of_escape(&after, "a4a1 g2g3", None), &["ply 2", "over"]);
        let repeated = "d1c1 d3c3 c1d1 c3d3 d1c1 d3c3 c1d1 c3d3";
        let tags = [("Variant", "hnefatafl7"), ("Result", "1/2-1/2")];
        assert_eq!(faults(&tags, repeated, None), [""; 0]);
        let longer = repeated.to_string() + " d1c1";
        one(
            &faults(&tags, &longer, None),
            &["ply 9", "after ply 8", "repetition"],
        );
        let off = [tags[0], ("RepetitionLimit", "0")];
        assert_eq!(faults(&off, &longer, None), [""; 0]);
        one(&faults(&[], "d1c1", None), &["--variant"]);
        one(&faults(&[("Variant", "chess")], "", None), &["chess"]);
    }

    #[test]
    fn ends_that_the_referee_does_not_see() {
        let told = |result, reason| [("Result", result), ("Termination", reason)];
        one(
            &of_escape(&told("1-0", "king-escaped"), "a4a1", None),
            &["1-0", "0-1 expected"],
        );
        one(
            &of_escape(&told("0-1", "no-moves"), "a4a1", None),
            &["reason no-moves"],
        );
        one(
            &of_escape(&told("0-1", "king-escaped"), "a4a2", None),
            &["not over"],
        );
        one(
            &of_escape(&told("0-1", "time"), "", None),
            &["1-0 expected"],
        );
        one(
            &of_escape(&told("0-1", "agreed"), "", None),
            &["1/2-1/2 expected"],
        );
        one(
            &of_escape(&told("1/2-1/2", "crash"), "", None),
            &["a winner"],
        );
        one(&of_escape(&[], "a4a1", None), &["result *", "0-1 expected"]);
        one(&of_escape(&[("Points", "1-2")], "", None), &["points 1-2"]);
        let end = Some("7/7/7/7/7/6t/K1T4 a 1 2");
        one(&of_escape(&[("Result", "0-1")], "a4a1", end), &["position"]);
        let thud = |points, reason| {
            let tags = [
                ("Variant", "thud"),
                ("Result", "0-1"),
                ("Points", points),
                ("Termination", reason),
            ];
            faults(&tags, "", None)
        };
        one(&thud("31-32", "adjudicated"), &["32-32 expected"]);
        // The dwarfs are to move, and lose.
        assert_eq!(thud("0-32", "time"), [""; 0]);
        one(&thud("32-0", "time"), &["points 32-0"]);
    }
}
