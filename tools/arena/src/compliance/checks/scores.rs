//! Sections 7 and 11: what an engine tells of its searches, and how it counts.

use super::super::report::Score;
use super::super::script::Setup;
use super::super::talk::{Dialect, Talk, Verdict, referee};
use super::Code;
use huscarl::session::Session;
use std::collections::HashSet;

pub(super) const CHECKS: &[Code] = &[
    Code {
        section: "7",
        name: "info lines have their fields in order, nodes and time never fall",
        setup: Setup::Every,
        options: &[],
        run: info_lines,
    },
    Code {
        section: "7",
        name: "MultiPV: so many lines of different moves, the first is the bestmove's",
        setup: Setup::Every,
        options: &["MultiPV"],
        run: |talk, variant| many_lines(talk, variant, 3),
    },
    Code {
        section: "7",
        name: "MultiPV is capped at the number of legal moves",
        setup: Setup::Every,
        options: &["MultiPV"],
        run: |talk, variant| many_lines(talk, variant, 1000),
    },
    Code {
        section: "7",
        name: "wdl comes only if UCI_ShowWDL is on, and sums to 1000",
        setup: Setup::Every,
        options: &["UCI_ShowWDL"],
        run: chances,
    },
    Code {
        section: "7",
        name: "bestmove has exactly two words while Ponder and Offers are off",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            let search = talk.go("depth 3", &mut *referee(variant)?)?;
            match (&search.ponder, search.offer) {
                (None, false) => Ok(()),
                _ => Err("'bestmove M' without further words expected".into()),
            }
        },
    },
    Code {
        section: "7",
        name: "with Ponder on, the move to ponder on is a legal reply",
        setup: Setup::Every,
        options: &["Ponder"],
        run: |talk, variant| {
            talk.accept("setoption name Ponder value true")?;
            let mut board = referee(variant)?;
            for words in ["depth 1", "depth 3", "nodes 2000"] {
                talk.go(words, &mut *board)?;
            }
            Ok(())
        },
    },
    Code {
        section: "7",
        name: "thud: a finished battle is worth 100 times its margin, and there are no mates",
        setup: Setup::Variant("thud"),
        options: &[],
        run: margins,
    },
    Code {
        section: "11",
        name: "uci: score mate counts own moves",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| mates(talk, variant, Dialect::Uci),
    },
    Code {
        section: "11",
        name: "ugi: score mate counts plies",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| mates(talk, variant, Dialect::Ugi),
    },
    Code {
        section: "11",
        name: "go mate ends when a win within N is proven",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| {
            let mut board = referee(variant)?;
            talk.position(MATES[1].0, &mut *board)?;
            for (dialect, words) in [(Dialect::Uci, "mate 2"), (Dialect::Ugi, "mate 3")] {
                talk.greet(dialect)?;
                talk.go(words, &mut *board)?;
            }
            Ok(())
        },
    },
    Code {
        section: "11",
        name: "the last hello counts, and without one the dialect is uci",
        setup: Setup::Bare,
        options: &[],
        run: |talk, _| {
            talk.play("hnefatafl7")?;
            let mut board = referee("hnefatafl7")?;
            let (fen, own, plies) = MATES[2];
            talk.position(fen, &mut *board)?;
            scores(talk, &mut *board, own)?;
            talk.greet(Dialect::Ugi)?;
            scores(talk, &mut *board, plies)?;
            talk.greet(Dialect::Uci)?;
            scores(talk, &mut *board, own)
        },
    },
];

/// Decided positions of 7×7, with their distance in own moves and in plies.
const MATES: [(&str, i64, i64); 3] = [
    ("7/7/7/K6/7/6t/1tT4 d 0 1", 1, 1),
    ("7/7/7/1K5/7/6t/3T3 d 0 1", 2, 3),
    ("7/7/7/K6/7/6t/1tT4 a 0 1", -1, -2),
];

fn info_lines(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let search = talk.go("depth 3", &mut *referee(variant)?)?;
    let (mut nodes, mut time) = (0, 0);
    for info in search.infos.iter().filter(|info| info.score.is_some()) {
        let (Some(_), Some(now), Some(at)) = (info.depth, info.nodes, info.time) else {
            return Err("depth, nodes and time in every info line with a score expected".into());
        };
        if now < nodes || at < time {
            return Err(format!(
                "nodes and time that do not fall expected, {now} after {nodes} and {at} after {time} came"
            ));
        }
        (nodes, time) = (now, at);
    }
    Ok(())
}

/// So many lines are reported at depth 1.
pub(super) fn lines_of(talk: &mut Talk<'_>, variant: &'static str, count: usize) -> Verdict {
    let search = talk.go("depth 1", &mut *referee(variant)?)?;
    let mut ranks = HashSet::new();
    let mut moves = HashSet::new();
    for info in search.infos.iter().filter(|info| info.depth == Some(1)) {
        // A line may be told again with a better bound; the last of each rank counts.
        if ranks.insert(info.multipv.unwrap_or(1)) {
            moves.extend(info.pv.first().cloned());
        }
    }
    let all = (1..=count as i64).all(|rank| ranks.contains(&rank));
    if ranks.len() != count || !all {
        return Err(format!("lines 1 to {count} expected, {} came", ranks.len()));
    }
    if moves.len() != count {
        return Err(format!(
            "{count} different moves expected, {} came",
            moves.len()
        ));
    }
    Ok(())
}

fn many_lines(talk: &mut Talk<'_>, variant: &'static str, count: usize) -> Verdict {
    let legal = referee(variant)?.moves().unwrap_or_default().len();
    talk.accept(&format!("setoption name MultiPV value {count}"))?;
    lines_of(talk, variant, count.min(legal))
}

fn chances(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut board = referee(variant)?;
    let before = talk.go("depth 2", &mut *board)?;
    if before.infos.iter().any(|info| info.wdl.is_some()) {
        return Err("no wdl expected while UCI_ShowWDL is off".into());
    }
    talk.accept("setoption name UCI_ShowWDL value true")?;
    let after = talk.go("depth 2", &mut *board)?;
    for info in after.infos.iter().filter(|info| info.score.is_some()) {
        match info.wdl {
            Some(chances) if chances.iter().sum::<i64>() == 1000 => {}
            Some(chances) => return Err(format!("a wdl of sum 1000 expected, {chances:?} came")),
            None => return Err("wdl expected while UCI_ShowWDL is on".into()),
        }
    }
    talk.accept("setoption name UCI_ShowWDL value false")
}

/// Positions of Thud in which a move ends the battle, with that move and the margin for the side that makes it.
const BATTLES: [(&str, &str, i64); 2] = [
    (
        "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/4ddd2T5/*13*/**11**/***9***/****7****/*****5***** d 0 1",
        "g6j6",
        3,
    ),
    (
        "*****5*****/****7****/***9***/**5d5**/*13*/6T8/15/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** t 0 1",
        "g10h11xh12",
        4,
    ),
];

fn margins(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut board = referee(variant)?;
    for (fen, mv, margin) in BATTLES {
        talk.position(fen, &mut *board)?;
        let search = talk.go(&format!("depth 2 searchmoves {mv}"), &mut *board)?;
        let expected = Score::Cp(100 * margin);
        if search.score()? != expected {
            return Err(format!("{expected:?} expected, {:?} came", search.score()?));
        }
    }
    Ok(())
}

/// The last score of a search is this distance.
fn scores(talk: &mut Talk<'_>, board: &mut dyn Session, mate: i64) -> Verdict {
    match talk.go("depth 5", board)?.score()? {
        Score::Mate(came) if came == mate => Ok(()),
        came => Err(format!("score mate {mate} expected, {came:?} came")),
    }
}

fn mates(talk: &mut Talk<'_>, variant: &'static str, dialect: Dialect) -> Verdict {
    let mut board = referee(variant)?;
    talk.greet(dialect)?;
    for (fen, own, plies) in MATES {
        talk.position(fen, &mut *board)?;
        let mate = if dialect == Dialect::Uci { own } else { plies };
        scores(talk, &mut *board, mate)?;
    }
    Ok(())
}
