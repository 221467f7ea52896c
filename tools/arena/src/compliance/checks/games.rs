//! Section 5: the games themselves, with the library as the referee.

use super::super::script::Setup;
use super::super::talk::{Talk, Verdict, referee};
use super::Code;
use crate::text::replay::facts;
use huscarl::game::Side;
use huscarl::session::Session;
use std::sync::Arc;

pub(super) const CHECKS: &[Code] = &[
    Code {
        section: "5",
        name: "every variant begins at its start position, with its legal moves",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            talk.ask_for("variant", variant)?;
            talk.ask_for("fen", &facts(&variant.parse()?)?.start)?;
            compare(talk, &mut *referee(variant)?)
        },
    },
    Code {
        section: "5",
        name: "counts of two plies agree with the rules",
        setup: Setup::Every,
        options: &[],
        run: counts,
    },
    Code {
        section: "5",
        name: "random games agree with the rules: positions, moves, captures, results",
        setup: Setup::Every,
        options: &[],
        run: random_games,
    },
    Code {
        section: "5",
        name: "positions of random games can be read again",
        setup: Setup::Every,
        options: &[],
        run: read_again,
    },
];

/// Everything that can be asked of a position is what the referee says.
pub(super) fn compare(talk: &mut Talk<'_>, board: &mut dyn Session) -> Verdict {
    let outcome = board.outcome();
    let result = match outcome.map(|outcome| outcome.winner) {
        None => "none",
        Some(Some(Side::First)) => "p1win",
        Some(Some(Side::Second)) => "p2win",
        Some(None) => "draw",
    };
    let reason = outcome.map_or("none".to_string(), |outcome| outcome.reason.to_string());
    let points = board.points();
    let score = points.map_or("none".to_string(), |[one, two]| format!("{one} {two}"));
    for (question, expected) in [
        ("fen", board.position_text().unwrap_or_default()),
        ("p1turn", (board.side() == Some(Side::First)).to_string()),
        ("gameover", outcome.is_some().to_string()),
        ("result", result.to_string()),
        ("reason", reason),
        ("score", score),
    ] {
        talk.ask_for(question, &expected)?;
    }
    let mut expected = board.moves().unwrap_or_default();
    expected.sort();
    let moves = talk.moves()?;
    if moves != expected {
        let only = |a: &[String], b: &[String]| {
            let rest: Vec<&str> = a
                .iter()
                .filter(|mv| !b.contains(mv))
                .map(String::as_str)
                .take(5)
                .collect();
            rest.join(" ")
        };
        return Err(format!(
            "the legal moves of {} expected; missing: '{}', too many: '{}'",
            board.position_text().unwrap_or_default(),
            only(&expected, &moves),
            only(&moves, &expected)
        ));
    }
    Ok(())
}

/// Two quiet moves from the start and two that take them back, in games in which men may go back where they began.
pub(super) fn shuffle(variant: &str) -> Verdict<Option<[String; 4]>> {
    let start = facts(&variant.parse()?)?.start;
    let rows = |text: &str| text.split(' ').next().unwrap_or_default().to_string();
    let mut board = referee(variant)?;
    let firsts = board.moves().unwrap_or_default();
    // A slide of one square is the likeliest to be free again.
    for first in &firsts {
        board.set_position(None)?;
        if board.play(&[first]).is_err() {
            continue;
        }
        for second in board.moves().unwrap_or_default() {
            let there = [first.as_str(), &second];
            let back = there.map(turned_back);
            let list = [there[0], there[1], &back[0], &back[1]];
            board.set_position(None)?;
            let played = board.play(&list).is_ok();
            let text = board.position_text().unwrap_or_default();
            if played && rows(&text) == rows(&start) && board.quiet() == Some(4) {
                return Ok(Some(list.map(str::to_string)));
            }
        }
    }
    Ok(None)
}

/// `d1c1` → `c1d1`; a move with captures gives no move.
fn turned_back(mv: &str) -> String {
    let middle = mv
        .char_indices()
        .skip(1)
        .find(|(_, letter)| letter.is_ascii_alphabetic())
        .map_or(mv.len(), |(at, _)| at);
    let (from, to) = mv.split_at(middle);
    format!("{to}{from}")
}

fn counts(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let board = referee(variant)?;
    let mut expected = Vec::new();
    let total = board.perft(2, false, &Arc::default(), &mut |mv, count| {
        expected.push(format!("{mv}: {count}"));
    });
    talk.send("go perft 2");
    let end = format!("Nodes searched: {}", total.unwrap_or_default());
    let mut rows = Vec::new();
    loop {
        let line = talk.significant(&end)?;
        if line.starts_with("Nodes searched:") {
            if line != end {
                return Err(format!("'{end}' expected, '{line}' came"));
            }
            break;
        }
        rows.push(line);
    }
    rows.sort();
    expected.sort();
    let wrong = expected.iter().find(|row| !rows.contains(row));
    match wrong {
        Some(row) => Err(format!("a row '{row}' expected, none came")),
        None if rows.len() != expected.len() => {
            let (got, want) = (rows.len(), expected.len());
            Err(format!("{want} rows expected, {got} came"))
        }
        None => Ok(()),
    }
}

/// Plays random legal moves on both sides, and calls `each` at every position.
fn wander(
    talk: &mut Talk<'_>,
    variant: &'static str,
    seed: u64,
    plies: usize,
    mut each: impl FnMut(&mut Talk<'_>, &mut dyn Session, &mut fastrand::Rng) -> Verdict,
) -> Verdict {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut board = referee(variant)?;
    talk.accept("position startpos")?;
    for _ in 0..plies {
        each(talk, &mut *board, &mut random)?;
        if board.outcome().is_some() {
            break;
        }
        let moves = board.moves().unwrap_or_default();
        // Captures are rare among random moves, and they are what can go wrong.
        let mut captures: Vec<&String> = Vec::new();
        for mv in &moves {
            if let Some(Ok(squares)) = board.captures(mv)
                && !squares.is_empty()
            {
                captures.push(mv);
            }
        }
        let mv = match random.choice(&captures) {
            Some(mv) if random.bool() => mv.to_string(),
            _ => random.choice(&moves).cloned().unwrap_or_default(),
        };
        board.play(&[&mv]).map_err(|refusal| refusal.message)?;
        talk.accept(&format!("moves {mv}"))?;
    }
    each(talk, &mut *board, &mut random)
}

fn random_games(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    for seed in 0..3 {
        wander(talk, variant, seed, 60, |talk, board, random| {
            compare(talk, board)?;
            for mv in random.choose_multiple(board.moves().unwrap_or_default(), 3) {
                let squares = board.captures(&mv).ok_or("no position")??;
                let expected = match squares.is_empty() {
                    true => "none".to_string(),
                    false => squares.join(" "),
                };
                talk.ask_for(&format!("captures {mv}"), &expected)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn read_again(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut fens = Vec::new();
    for seed in 10..12 {
        wander(talk, variant, seed, 40, |_, board, _| {
            fens.extend(board.position_text());
            Ok(())
        })?;
    }
    let mut board = referee(variant)?;
    for fen in fens.iter().step_by(4) {
        talk.position(fen, &mut *board)?;
        compare(talk, &mut *board)?;
    }
    Ok(())
}
