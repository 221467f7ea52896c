//! `games.jsonl` of a tournament: read into transcripts, looked over for contradictions, and turned into `games.pgn`.

use super::replay::{Facts, facts};
use super::{Annotated, Transcript, pgn, result_word, tags};
use crate::record::{Game, Line, Pair, Played, Run, Said};
use std::io::Write as _;
use std::path::Path;

/// The lines of a file: the run, and its pairs with the numbers of their lines. A last line that was broken off is left
/// out, as it is when a run is resumed.
fn lines(text: &str) -> Result<(Run, Vec<(usize, Pair)>), String> {
    let mut run = None;
    let mut pairs = Vec::new();
    let mut lines = text.split_inclusive('\n').enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let number = index + 1;
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(Line::Run(_)) if run.is_some() => {
                return Err(format!(
                    "line {number}: a second line that describes the run"
                ));
            }
            Ok(Line::Run(first)) => run = Some(first),
            Ok(Line::Pair(pair)) => pairs.push((number, pair)),
            Err(_) if lines.peek().is_none() && !line.ends_with('\n') => {}
            Err(error) => return Err(format!("line {number}: {error}")),
        }
    }
    let run = run.ok_or("no line describes the run")?;
    Ok((run, pairs))
}

/// Reads all games, in the order of the schedule.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    let (run, mut pairs) = lines(text)?;
    let facts = facts(&run.variant)?;
    pairs.sort_by_key(|(_, pair)| pair.index);
    let games = pairs.iter().flat_map(|(_, pair)| {
        let games = pair.games.iter().enumerate();
        games.map(|(index, game)| transcript(&run, &facts, pair, index, game))
    });
    Ok(games.collect())
}

fn transcript(run: &Run, facts: &Facts, pair: &Pair, index: usize, game: &Game) -> Transcript {
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
    text.set_tag(tags::VARIANT, &run.variant);
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
    let (run, pairs) = lines(text)?;
    let mut found = Vec::new();
    let sides = facts(&run.variant)?.sides;
    if run.sides != sides {
        found.push(format!(
            "line 1: the sides {} and {}, {} and {} expected",
            run.sides[0], run.sides[1], sides[0], sides[1]
        ));
    }
    let mut indexes = std::collections::HashMap::new();
    for (number, pair) in &pairs {
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

/// Writes `games.pgn` from `games.jsonl`, both in the folder `dir`. The old file stays until the new one is whole.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn write_pgn(dir: &Path) -> Result<(), String> {
    let source = dir.join("games.jsonl");
    let named = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(&source).map_err(|error| named(&source, &error))?;
    let games = read(&text).map_err(|why| named(&source, &why))?;
    let (target, unfinished) = (dir.join("games.pgn"), dir.join("games.pgn.new"));
    let write = || -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(&unfinished)?);
        for game in &games {
            file.write_all(pgn::write(game).map_err(std::io::Error::other)?.as_bytes())?;
        }
        file.into_inner().map_err(|error| error.into_error())?;
        std::fs::rename(&unfinished, &target)
    };
    write().map_err(|error| named(&target, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(score: Option<Said>, depth: Option<u32>) -> Played {
        Played {
            mv: "d1c1".into(),
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
