//! Engines that misbehave: each loses its games for the right reason, the tournament goes on, and nothing is left behind.

mod common;

use common::{Scratch, engine, read, run, text, timeless};
use std::collections::BTreeMap;

/// A fault, the good moves before it, the words of its limit, the reason of its losses, and a part of their detail.
type Case = (&'static str, u32, &'static str, &'static str, &'static str);

const NODES: &str = "nodes=1";

/// Faults that are seen at once. Where the clock is short, no good move comes before the fault: on a busy machine it might
/// come too late.
const QUICK: [Case; 16] = [
    ("ends-at-once", 0, NODES, "crash", "exit code 7"),
    ("crash", 2, NODES, "crash", "exit code 3; last lines:"),
    ("abort", 1, NODES, "crash", "SIGABRT"),
    ("half-line-and-end", 1, NODES, "crash", "bestm"),
    ("long-line", 2, NODES, "crash", "1048576"),
    ("close-output", 1, NODES, "crash", "closed its pipe"),
    ("close-input", 1, NODES, "crash", "closed its pipe"),
    ("garbage", 0, NODES, "illegal-move", "bestmove"),
    ("illegal", 3, NODES, "illegal-move", "a1a1"),
    ("none", 1, NODES, "illegal-move", "(none)"),
    ("empty", 0, NODES, "illegal-move", "bestmove ''"),
    ("late", 0, "st=0.05", "time", "ms too long"),
    ("late", 0, "tc=0.1", "time", "ms used"),
    ("hang", 0, "st=0.05", "stall", "not even after stop"),
    ("crash", 1, "tc=600", "crash", "assertion failed"),
    ("illegal", 2, "tc=600+1", "illegal-move", "a1a1"),
];

/// Faults that use up the arena's patience.
const SLOW: [Case; 6] = [
    ("no-hello", 0, NODES, "stall", "no uciok"),
    ("ignores-stop", 1, NODES, "stall", "not even after stop"),
    ("half-line", 2, NODES, "stall", "not even after stop"),
    ("never-ready", 0, NODES, "stall", "no readyok"),
    ("flood", 0, NODES, "stall", "still thinking"),
    ("flood-answers", 1, NODES, "stall", "readyok"),
];

/// A gauntlet of a good engine against one of each kind, which it wins.
fn check(name: &str, cases: &[Case], flags: &str) {
    let scratch = Scratch::new(name);
    let out = scratch.path("out");
    let mut engines = vec![engine("good", "", 0, NODES)];
    for (index, (fault, good, limit, _, _)) in cases.iter().enumerate() {
        engines.push(engine(&format!("{index}-{fault}"), fault, *good, limit));
    }
    let output = run(
        &out,
        &engines,
        &format!("--tournament gauntlet --recover {flags}"),
    );
    assert!(output.status.success(), "{}", text(&output));
    let (_, pairs) = read(&out);
    assert_eq!(pairs.len(), cases.len());
    for (pair, case) in pairs.iter().zip(cases) {
        let (_, _, _, reason, detail) = case;
        for game in &pair.games {
            let found = format!("{case:?}: {} {}", game.reason, game.detail);
            assert_eq!(game.reason, *reason, "{found}");
            assert!(game.detail.contains(detail), "{found}");
            assert_eq!(
                game.winner.map(|winner| game.players[winner]),
                Some(0),
                "{found}"
            );
            assert!(game.detail.len() < 5000, "{found}");
        }
    }
}

#[test]
fn quick_faults_have_their_reasons() {
    check("quick", &QUICK, "--patience 30 --concurrency 4");
}

#[test]
fn slow_faults_have_their_reasons() {
    // Engines are started one after the other at first, so in one run each would wait for those before it to be given up.
    let halves = SLOW.chunks(SLOW.len().div_ceil(2));
    std::thread::scope(|scope| {
        for (name, cases) in ["slow", "slower"].into_iter().zip(halves) {
            scope.spawn(move || check(name, cases, "--patience 8 --concurrency 3"));
        }
    });
}

#[test]
fn an_engine_that_can_not_be_started_loses() {
    let scratch = Scratch::new("missing");
    let missing: Vec<String> = ["--engine", "cmd=/no/such/engine", "name=missing", "nodes=1"]
        .map(str::to_string)
        .to_vec();
    let engines = [engine("good", "", 0, NODES), missing];
    let out = scratch.path("out");
    let output = run(&out, &engines, "--recover");
    assert!(output.status.success(), "{}", text(&output));
    for game in &read(&out).1[0].games {
        assert_eq!(
            (game.reason.as_str(), game.winner),
            ("crash", game.players.iter().position(|&p| p == 0))
        );
        assert!(
            game.detail.contains("can not be started"),
            "{}",
            game.detail
        );
    }
    let output = run(&scratch.path("other"), &engines, "");
    assert!(!output.status.success());
    assert!(
        text(&output).contains("'/no/such/engine' can not be started"),
        "{}",
        text(&output)
    );
}

#[test]
fn without_recover_the_run_ends_with_the_pair() {
    let scratch = Scratch::new("ends");
    let out = scratch.path("out");
    let engines = [
        engine("good", "", 0, NODES),
        engine("bad", "crash", 1, NODES),
    ];
    let output = run(&out, &engines, "--rounds 5");
    assert!(!output.status.success());
    let said = text(&output);
    assert!(
        said.contains("engine 'bad' failed (crash)") && said.contains("--resume"),
        "{said}"
    );
    assert_eq!(read(&out).1.len(), 1, "the pair was finished and kept");
}

#[test]
fn what_is_no_fault_does_not_lose() {
    let scratch = Scratch::new("harmless");
    let faults = [
        "fills-stderr",
        "noise",
        "no-score",
        "wrong-pv",
        "illegal-pv",
        "ignores-quit",
    ];
    let mut engines = vec![engine("good", "", 0, NODES)];
    engines.extend(faults.map(|fault| engine(fault, fault, 0, NODES)));
    let out = scratch.path("out");
    let output = run(&out, &engines, "--tournament gauntlet --concurrency 3");
    assert!(output.status.success(), "{}", text(&output));
    let (_, pairs) = read(&out);
    let expected = pairs[0].games.each_ref().map(|game| &game.moves);
    for (pair, fault) in pairs.iter().zip(faults) {
        let warned: BTreeMap<usize, u32> = { pair.games.iter() }
            .flat_map(|game| game.players.into_iter().zip(game.notes.warnings))
            .fold(BTreeMap::new(), |mut sums, (player, count)| {
                *sums.entry(player).or_default() += count;
                sums
            });
        let bad = pair.engines[1];
        let moves = |game: &arena::record::Game| {
            game.moves
                .iter()
                .map(|played| played.mv.clone())
                .collect::<Vec<_>>()
        };
        for (game, expected) in pair.games.iter().zip(expected) {
            let expected: Vec<String> = expected.iter().map(|played| played.mv.clone()).collect();
            assert_eq!(game.reason, "length", "{fault}: {}", game.detail);
            assert_eq!(
                moves(game),
                expected,
                "{fault}: the same moves as any other"
            );
        }
        let moved: u32 = 10;
        let expected = match fault {
            "no-score" | "wrong-pv" | "illegal-pv" => moved,
            _ => 0,
        };
        assert_eq!(warned[&bad], expected, "{fault}: {:?}", pair.games[0].notes);
        assert_eq!(warned[&0], 0);
    }
}

#[test]
fn a_second_answer_never_gets_into_the_next_game() {
    let scratch = Scratch::new("twice");
    let out = scratch.path("out");
    let engines = [
        engine("good", "", 0, NODES),
        engine("twice", "answers-twice", 4, NODES),
    ];
    let output = run(&out, &engines, "--rounds 4");
    assert!(output.status.success(), "{}", text(&output));
    for game in read(&out).1.iter().flat_map(|pair| &pair.games) {
        // In its own game the second answer may come before the next question or after it; then it is taken for the
        // answer to that.
        let good = usize::from(game.players[0] != 0);
        match game.reason.as_str() {
            "length" => {}
            "illegal-move" => {
                assert_eq!(game.winner, Some(good), "{}", game.detail);
                assert!(game.moves.len() >= 9, "not before it misbehaves");
            }
            other => panic!("{other}: {}", game.detail),
        }
        assert_eq!(game.notes.warnings[good], 0);
    }
}

#[test]
fn two_that_offer_agree() {
    let scratch = Scratch::new("offers");
    let out = scratch.path("out");
    let engines = [
        engine("a", "offer", 0, NODES),
        engine("b", "offer", 2, NODES),
    ];
    let output = run(&out, &engines, "");
    assert!(output.status.success(), "{}", text(&output));
    for game in &read(&out).1[0].games {
        assert_eq!((game.reason.as_str(), game.winner), ("agreed", None));
    }
    // An opponent that knows no offers never gets one.
    let out = scratch.path("other");
    let engines = [engine("a", "offer", 0, NODES), engine("b", "", 0, NODES)];
    let output = run(&out, &engines, "");
    assert!(output.status.success(), "{}", text(&output));
    assert!(
        read(&out).1[0]
            .games
            .iter()
            .all(|game| game.reason == "length")
    );
}

#[test]
fn thinking_on_the_opponents_time_changes_no_move() {
    let scratch = Scratch::new("ponder");
    for limit in ["nodes=1", "nodes=2"] {
        let mut games = Vec::new();
        for flags in ["--rounds 3", "--rounds 3 --ponder"] {
            let out = scratch.path(&format!("{limit}{}", flags.len()));
            let engines = [
                engine("a", "ponder", 0, NODES),
                engine("b", "ponder", 0, limit),
            ];
            let output = run(&out, &engines, flags);
            assert!(output.status.success(), "{}", text(&output));
            games.push(timeless(&read(&out).1));
        }
        assert_eq!(games[0], games[1]);
    }
}
