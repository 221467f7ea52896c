//! `games.jsonl` of a tournament: read into transcripts, looked over for contradictions, and turned into `games.pgn`.

use super::replay::{Facts, facts};
use super::{Annotated, Transcript, pgn, result_word, tags};
use crate::record::{self, Game, Pair, Played, Recorded, Run, Said};
use crate::variant::Variant;
use std::path::Path;

/// Reads all games, in the order of the schedule.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    let Recorded { run, pairs, .. } = record::read(text.as_bytes())?;
    transcripts(&run, &pairs)
}

/// All games, in the order of the schedule.
fn transcripts(run: &Run, pairs: &[Pair]) -> Result<Vec<Transcript>, String> {
    let variant = run.game()?;
    let facts = facts(&variant)?;
    let mut pairs: Vec<&Pair> = pairs.iter().collect();
    pairs.sort_by_key(|pair| pair.index);
    let games = pairs.into_iter().flat_map(|pair| {
        let games = pair.games.iter().enumerate();
        games.map(|(index, game)| transcript(run, &variant, &facts, pair, index, game))
    });
    Ok(games.collect())
}

fn transcript(
    run: &Run,
    variant: &Variant,
    facts: &Facts,
    pair: &Pair,
    index: usize,
    game: &Game,
) -> Transcript {
    let mut text = Transcript {
        place: format!("pair {} game {}", pair.index, index + 1),
        end: Some(game.end.clone()),
        ..Transcript::default()
    };
    let setting = |name: &str| run.settings.get(name).filter(|value| !value.is_null());
    let event = setting("event").and_then(|event| event.as_str());
    text.set_tag("Event", event.unwrap_or("arena"));
    text.set_tag(
        "Date",
        run.started
            .get(..10)
            .unwrap_or("????-??-??")
            .replace('-', "."),
    );
    let round = format!("{}.{}.{}", pair.round + 1, pair.index + 1, index + 1);
    text.set_tag("Round", round);
    for (side, player) in facts.sides.iter().zip(game.players) {
        let name = run.engines.get(player).map_or("?", |engine| &engine.name);
        text.set_tag(&capitalised(side), name);
    }
    text.set_variant(variant);
    if let Some(fen) = &pair.fen {
        text.set_tag(tags::FEN, fen);
    }
    for (tag, names) in [
        (tags::QUIET_LIMIT, ["quiet_limit", "quiet-limit"]),
        (
            tags::REPETITION_LIMIT,
            ["repetition_limit", "repetition-limit"],
        ),
    ] {
        // Anything below 0 stands for the variant's own limit.
        let limit = names.iter().find_map(|name| setting(name)?.as_u64());
        if let Some(limit) = limit {
            text.set_tag(tag, limit.to_string());
        }
    }
    text.set_tag(tags::RESULT, result_word(game.winner));
    text.set_tag(tags::TERMINATION, &game.reason);
    if let Some([one, two]) = game.points {
        text.set_tag(tags::POINTS, format!("{one}-{two}"));
    }
    if !game.detail.is_empty() {
        text.set_tag(tags::DETAIL, &game.detail);
    }
    text.moves = pair
        .opening
        .iter()
        .map(|mv| Annotated {
            mv: mv.clone(),
            comment: Some("book".into()),
            written: None,
        })
        .chain(game.moves.iter().map(|played| Annotated {
            mv: played.mv.clone(),
            comment: Some(comment(played)),
            written: None,
        }))
        .collect();
    text
}

/// `score/depth time`, as far as it is known: points and seconds.
fn comment(played: &Played) -> String {
    let score = played.score.map(|score| match score {
        Said::Cp(score) => format!("{:+.2}", f64::from(score) / 100.0),
        Said::Mate(moves) if moves < 0 => format!("-M{}", moves.unsigned_abs()),
        Said::Mate(moves) => format!("+M{moves}"),
    });
    let score = match (score, played.depth) {
        (Some(score), Some(depth)) => format!("{score}/{depth} "),
        (Some(score), None) => score + " ",
        (None, _) => String::new(),
    };
    format!("{score}{:.3}s", played.time / 1000.0)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// What a file says against itself, whatever the rules of the game.
///
/// # Errors
/// As [`read`].
pub(super) fn contradictions(text: &str) -> Result<Vec<String>, String> {
    let Recorded { run, pairs, .. } = record::read(text.as_bytes())?;
    let mut found = Vec::new();
    let sides = facts(&run.game()?)?.sides;
    if run.sides != sides {
        found.push(format!(
            "line 1: the sides {} and {}, {} and {} expected",
            run.sides[0], run.sides[1], sides[0], sides[1]
        ));
    }
    let mut indexes = std::collections::HashMap::new();
    for (place, pair) in pairs.iter().enumerate() {
        let number = record::line_of(place);
        let mut say =
            |what: String| found.push(format!("line {number}: pair {}{what}", pair.index));
        if let Some(before) = indexes.insert(pair.index, number) {
            say(format!(" is in line {before} too"));
        }
        let [one, two] = pair.engines;
        if one.max(two) >= run.engines.len() {
            let count = run.engines.len();
            say(format!(
                ": engines {one} and {two}, numbers below {count} expected"
            ));
        }
        for (index, players) in [[one, two], [two, one]].into_iter().enumerate() {
            let told = pair.games[index].players;
            if told != players {
                say(format!(
                    " game {}: the players {told:?}, {players:?} expected",
                    index + 1
                ));
            }
        }
    }
    Ok(found)
}

/// The name of the games in the PGN-like form in the directory of a run.
pub const PGN_FILE: &str = "games.pgn";

/// Writes the games of a run in the PGN-like form.
///
/// # Errors
/// Names the file, or the variant if it is unknown.
pub fn write_pgn(run: &Run, pairs: &[Pair], path: &Path) -> Result<(), String> {
    let games = transcripts(run, pairs)?;
    let texts: Result<Vec<String>, String> = games.iter().map(pgn::write).collect();
    record::replace(path, &texts?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(score: Option<Said>, depth: Option<u32>) -> Played {
        Played {
            mv: "d1c1".into(),
            side: None,
            score,
            depth,
            nodes: None,
            time: 12.3456,
            left: None,
        }
    }

    #[test]
    fn comments() {
        for (score, depth, text) in [
            (Some(Said::Cp(-7)), Some(9), "-0.07/9 0.012s"),
            (Some(Said::Cp(1234)), None, "+12.34 0.012s"),
            (Some(Said::Mate(3)), Some(5), "+M3/5 0.012s"),
            (Some(Said::Mate(-1)), Some(5), "-M1/5 0.012s"),
            (None, Some(5), "0.012s"),
        ] {
            assert_eq!(comment(&played(score, depth)), text);
        }
    }

    #[test]
    fn a_file_without_a_run_is_none() {
        assert!(read("").is_err());
        assert!(read("{\"kind\":\"run\"").is_err());
        assert!(read("nonsense\n").is_err_and(|why| why.contains("line 1")));
    }
}
