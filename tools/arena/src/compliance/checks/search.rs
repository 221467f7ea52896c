//! Sections 6 and 9: searches, with the library as the referee of moves and variations.

use super::super::process::shorten;
use super::super::report::{Info, Search};
use super::super::script::Setup;
use super::super::talk::{Talk, Verdict, referee};
use super::Code;
use crate::text::replay::facts;
use std::time::{Duration, Instant};

pub(super) const CHECKS: &[Code] = &[
    Code {
        section: "4",
        name: "fifty times go and stop in one write give fifty bestmoves",
        setup: Setup::Every,
        options: &[],
        run: |talk, _| {
            for words in ["infinite", "ponder", "depth 3"] {
                talk.send(format!("go {words}\nstop\n").repeat(50).trim_end());
                for _ in 0..50 {
                    talk.answer()?.last()?;
                }
                talk.sync()?;
            }
            Ok(())
        },
    },
    Code {
        section: "6",
        name: "go depth: a legal move after a score, for both players",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| limited(talk, variant, &["depth 1", "depth 2", "depth 3"]),
    },
    Code {
        section: "6",
        name: "go nodes: a legal move after a score, for both players",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| limited(talk, variant, &["nodes 1", "nodes 2", "nodes 3000"]),
    },
    Code {
        section: "6",
        name: "go movetime: a legal move after a score, for both players",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| limited(talk, variant, &["movetime 1", "movetime 40"]),
    },
    Code {
        section: "6",
        name: "go with a clock: a legal move after a score, for both players",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            let clocks = [
                "wtime 300 btime 300 winc 10 binc 10",
                "p1time 50 p2time 50 movestogo 2",
            ];
            limited(talk, variant, &clocks)
        },
    },
    Code {
        section: "6",
        name: "go with a limit of 0 gives the quickest answer, with a score",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            limited(
                talk,
                variant,
                &["depth 0", "nodes 0", "movetime 0", "wtime 0 btime 0"],
            )
        },
    },
    Code {
        section: "6",
        name: "go depth searches as deep as asked and no deeper",
        setup: Setup::Every,
        options: &[],
        run: deep_as_asked,
    },
    Code {
        section: "6",
        name: "go nodes searches about as many as asked",
        setup: Setup::Every,
        options: &[],
        run: |talk, variant| {
            const NODES: i64 = 2000;
            let search = talk.go(&format!("nodes {NODES}"), &mut *referee(variant)?)?;
            let nodes = search
                .last()?
                .nodes
                .ok_or("an info line with nodes expected")?;
            match nodes <= 10 * NODES {
                true => Ok(()),
                false => Err(format!(
                    "about {NODES} nodes expected, {nodes} were searched"
                )),
            }
        },
    },
    Code {
        section: "6",
        name: "variations are legal and stop where the game does, near the end of games",
        setup: Setup::Variant("hnefatafl7"),
        options: &[],
        run: |talk, variant| variations(talk, variant, &ENDS_7),
    },
    Code {
        section: "6",
        name: "variations are legal and stop where the game does, in tawlbwrdd",
        setup: Setup::Variant("tawlbwrdd"),
        options: &[],
        run: |talk, variant| variations(talk, variant, &ENDS_11),
    },
    Code {
        section: "6",
        name: "variations are legal and stop where the battle does, in thud",
        setup: Setup::Variant("thud"),
        options: &[],
        run: |talk, variant| variations(talk, variant, &ENDS_15),
    },
    Code {
        section: "6",
        name: "a search in a game drawn by a limit gives a legal move all the same",
        setup: Setup::Every,
        options: &["QuietLimit"],
        run: |talk, variant| {
            talk.accept("setoption name QuietLimit value 1")?;
            let fen = facts(&variant.parse()?)?.start.replace(" 0 1", " 1 1");
            let mut board = referee(variant)?;
            talk.position(&fen, &mut *board)?;
            talk.ask_for("reason", "quiet-limit")?;
            talk.go("depth 2", &mut *board).map(drop)
        },
    },
    Code {
        section: "6",
        name: "searchmoves restricts one search, and only that",
        setup: Setup::Every,
        options: &[],
        run: restricted,
    },
    Code {
        section: "6",
        name: "a search limited by nodes or depth can be repeated exactly after ucinewgame",
        setup: Setup::Every,
        options: &[],
        run: repeatable,
    },
    Code {
        section: "6",
        name: "isready in a search does not change what it finds",
        setup: Setup::Every,
        options: &[],
        run: undisturbed,
    },
    Code {
        section: "9",
        name: "movetime is used up",
        setup: Setup::Variant("thud"),
        options: &[],
        run: |talk, variant| {
            // A slow machine only makes it later.
            let began = Instant::now();
            talk.go("movetime 300", &mut *referee(variant)?)?;
            match began.elapsed() {
                time if time >= Duration::from_millis(200) => Ok(()),
                time => Err(format!(
                    "about 300 ms expected, {} were used",
                    time.as_millis()
                )),
            }
        },
    },
    Code {
        section: "9",
        name: "Move Overhead is taken off movetime",
        setup: Setup::Variant("thud"),
        options: &["Move Overhead"],
        run: |talk, variant| {
            // A second engine has begun before and need not leave any of its time: it answers later.
            let mut patient = Talk::bare(talk.subject)?;
            patient.begin(talk.subject.dialect)?;
            patient.play(variant)?;
            patient.accept("setoption name Move Overhead value 0")?;
            talk.accept("setoption name Move Overhead value 5000")?;
            patient.send("go movetime 5000");
            talk.go("movetime 5000", &mut *referee(variant)?)?;
            patient.holds().map_err(|_| {
                "an answer before that of an engine without an overhead expected".into()
            })
        },
    },
];

/// Positions near the end of games: won, lost, with a single move, quiet.
const ENDS_7: [&str; 8] = [
    "7/7/7/K6/7/6t/1tT4 a 0 1",
    "7/7/7/K6/7/6t/1tT4 d 0 1",
    "7/7/7/3K3/1T5/7/1tT4 a 0 1",
    "7/7/2tK2t/7/7/T6/7 a 0 1",
    "7/7/7/1K5/7/6t/3T3 d 0 1",
    "7/1K5/7/7/3T3/1tT1Tt1/3t3 a 0 1",
    "7/7/2tKt2/7/7/T6/3t3 d 0 1",
    "1t5/7/2K1t2/7/4T2/7/3t3 d 12 30",
];
const ENDS_11: [&str; 4] = [
    "11/11/11/11/11/11/11/2tK6t/11/11/T10 a 0 1",
    "11/11/11/11/11/11/1K9/11/11/11/t10 d 0 1",
    "11/11/7K3/11/11/11/11/11/T10/11/tT9 a 0 1",
    "3t7/11/11/11/11/11/11/2tKt6/11/11/T10 a 0 1",
];
const ENDS_15: [&str; 3] = [
    "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/4ddd2T5/*13*/**11**/***9***/****7****/*****5***** d 0 1",
    "*****5*****/****7****/***9***/**5d5**/*13*/6T8/15/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** t 0 1",
    "*****dd1d1*****/****7****/***8d***/**10d**/*2T10*/dd13/d6TT5d/1d5*T6/dd4TT6d/dd6d6/*d11d*/**d9d**/***d7d***/****d5d****/*****dd2d***** t 199 120",
];

/// Searches of both players under some limits.
fn limited(talk: &mut Talk<'_>, variant: &'static str, limits: &[&str]) -> Verdict {
    let facts = facts(&variant.parse()?)?;
    let rows = facts.start.split(' ').next().unwrap_or_default();
    let mut board = referee(variant)?;
    for fen in facts.letters.map(|letter| format!("{rows} {letter} 0 1")) {
        talk.position(&fen, &mut *board)?;
        for words in limits {
            talk.go(words, &mut *board)?;
        }
    }
    Ok(())
}

fn deep_as_asked(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    const DEPTH: i64 = 3;
    let search = talk.go(&format!("depth {DEPTH}"), &mut *referee(variant)?)?;
    let depths: Vec<i64> = search.infos.iter().filter_map(|info| info.depth).collect();
    match depths.iter().max() {
        Some(&DEPTH) => Ok(()),
        Some(depth) => Err(format!("depth {DEPTH} expected, {depth} was reached")),
        None => Err("an info line with a depth expected".into()),
    }
}

fn variations(talk: &mut Talk<'_>, variant: &'static str, fens: &[&str]) -> Verdict {
    let mut board = referee(variant)?;
    for fen in fens {
        talk.position(fen, &mut *board)?;
        for words in ["depth 1", "depth 5 nodes 20000", "nodes 5000"] {
            talk.go(words, &mut *board)?;
        }
    }
    Ok(())
}

fn restricted(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut board = referee(variant)?;
    let moves = board.moves().unwrap_or_default();
    for mv in moves.iter().step_by(moves.len().div_ceil(5).max(1)) {
        let search = talk.go(&format!("searchmoves {mv} depth 1"), &mut *board)?;
        if search.mv()? != mv {
            return Err(format!("bestmove {mv} expected, {} came", search.mv()?));
        }
    }
    // With all moves again, the best of three lines is not always the same move.
    let before = talk.go("depth 2", &mut *board)?;
    let only = moves.iter().find(|mv| Some(*mv) != before.best.as_ref());
    let Some(only) = only else { return Ok(()) };
    talk.go(&format!("depth 2 searchmoves {only}"), &mut *board)?;
    talk.accept("ucinewgame")?;
    let after = talk.go("depth 2", &mut *board)?;
    match after.best == before.best {
        true => Ok(()),
        false => Err(format!(
            "bestmove {} as without a restriction expected, {} came",
            before.mv()?,
            after.mv()?
        )),
    }
}

/// What must be the same in two runs of a search.
fn lasting(search: &Search) -> (Option<String>, Vec<Info>) {
    let infos = search.infos.iter().map(|info| Info {
        time: None,
        ..info.clone()
    });
    (search.best.clone(), infos.collect())
}

fn repeatable(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    let mut board = referee(variant)?;
    for words in ["nodes 3000", "depth 3"] {
        let mut runs = Vec::new();
        for _ in 0..2 {
            talk.accept("ucinewgame")?;
            runs.push(talk.go(words, &mut *board)?);
        }
        same(words, &runs[0], &runs[1])?;
    }
    Ok(())
}

fn same(words: &str, one: &Search, two: &Search) -> Verdict {
    let (one, two) = (lasting(one), lasting(two));
    if one.0 != two.0 {
        let text = |best: Option<String>| best.unwrap_or_else(|| "(none)".into());
        return Err(format!(
            "'go {words}': bestmove {} as before expected, {} came",
            text(one.0),
            text(two.0)
        ));
    }
    let differ = one.1.iter().zip(&two.1).find(|(one, two)| one != two);
    match differ {
        Some((one, two)) => Err(format!(
            "'go {words}': {} as before expected, {} came",
            shorten(&format!("{one:?}")),
            shorten(&format!("{two:?}"))
        )),
        None if one.1.len() != two.1.len() => Err(format!(
            "'go {words}': as many info lines as before expected"
        )),
        None => Ok(()),
    }
}

fn undisturbed(talk: &mut Talk<'_>, variant: &'static str) -> Verdict {
    const TIMES: usize = 10;
    let mut board = referee(variant)?;
    let words = "nodes 3000";
    talk.accept("ucinewgame")?;
    let calm = talk.go(words, &mut *board)?;
    talk.accept("ucinewgame")?;
    talk.send(&format!("go {words}{}", "\nisready".repeat(TIMES)));
    // The answers come before or after the move, as the search is long or short.
    let (mut ready, mut best) = (0, None);
    while ready < TIMES || best.is_none() {
        let line = talk.significant("readyok or bestmove …")?;
        if line == "readyok" {
            ready += 1;
        } else if best.is_none() && line.starts_with("bestmove ") {
            best = Some(talk.search_of(&line)?);
        } else {
            return Err(format!(
                "readyok or bestmove expected, '{}' came",
                shorten(&line)
            ));
        }
    }
    match best {
        Some(best) => same(words, &calm, &best),
        None => Ok(()),
    }
}
