//! The words that end a search: `stop` and `ponderhit`, which searches they belong to, and that `infinite` and `ponder` hold
//! until them in every case.

mod driver;

use driver::*;

/// "`stop` or `ponderhit` when idle": nothing at all is printed.
#[test]
fn stop_and_ponderhit_when_idle() {
    let mut engine = Engine::new();
    engine.accept("stop");
    engine.accept("ponderhit");
    engine.accept("stop\nponderhit\nstop\nponderhit");
    for dialect in DIALECTS {
        for v in &VARIANTS {
            let mut engine = Engine::greeted(dialect);
            engine.play(v.name);
            engine.accept("stop\nponderhit");
            engine.go("depth 1").sound();
            engine.accept("stop");
            engine.accept("ponderhit");
            engine.perft(1);
            engine.accept("ponderhit\nstop");
        }
    }
}

/// Every position in which a search could think that it has nothing to wait for: variant and `position` line.
fn tempting() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let won = WON.iter().map(|w| (w.0, w.1));
    let single = SINGLE.iter().map(|s| (s.0, s.1));
    let over = FINISHED.iter().map(|f| (f.0, f.1));
    for (name, fen) in won
        .chain(single)
        .chain(over)
        .chain([("hnefatafl7", LOST), ("hnefatafl7", MATE_IN_TWO)])
    {
        all.push((name.to_string(), format!("position fen {fen}")));
    }
    for v in &VARIANTS {
        all.push((v.name.to_string(), "position startpos".to_string()));
        all.push((
            v.name.to_string(),
            format!("position startpos moves {}", v.shuffled(12)),
        ));
        all.push((
            v.name.to_string(),
            "position startpos moves a1a1".to_string(),
        ));
        all.push((v.name.to_string(), "position fen nonsense".to_string()));
    }
    all
}

/// "`go infinite` / `go ponder` reach the depth limit, a forced win, or a single reply" (and a finished game, and none at all):
/// no `bestmove` before `stop` / `ponderhit`.
#[test]
fn infinite_and_ponder_hold() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        let step = if dialect == "uci" { 1 } else { 3 };
        for (name, position) in tempting().into_iter().step_by(step) {
            engine.play(&name);
            let holds: &[(&str, &str)] = &[
                ("infinite", "stop"),
                ("ponder depth 1", "ponderhit"),
                ("ponder", "stop"),
            ];
            for (words, end) in holds {
                engine.send(&position);
                engine.sync();
                engine.send(&format!("go {words}"));
                engine.still_searching();
                engine.send(end);
                let none = engine.answer().mv() == "(none)";
                let over = position.contains("a1a1")
                    || position.contains("nonsense")
                    || FINISHED.iter().any(|f| position.ends_with(f.1));
                engine.check(none == over, &format!("`{words}` in `{position}`"));
                assert_eq!(
                    engine.sync(),
                    [""; 0],
                    "one bestmove: `{words}` in `{position}`"
                );
            }
        }
    }
}

/// Limits beside `ponder` count only after the `ponderhit`; limits beside `infinite` do not end it.
#[test]
fn limits_do_not_end_what_holds() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for limit in [
            "depth 1",
            "nodes 1",
            "movetime 1",
            "wtime 1 btime 1",
            "depth 0",
            "movetime -5",
            "p1time -1 p2time -1",
        ] {
            for words in [format!("ponder {limit}"), format!("{limit} ponder")] {
                engine.send(&format!("go {words}"));
                engine.still_searching();
                engine.send("ponderhit");
                engine.answer().sound();
                assert_eq!(engine.sync(), [""; 0], "{} `{words}`", v.name);
            }
        }
        engine.send("go infinite depth 1");
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
    }
}

/// A `go` without any limit is `infinite`.
#[test]
fn no_limit_is_infinite() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.send("go");
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
    }
}

/// "`stop` arrives in the same write as its `go`, fifty times over": fifty `bestmove` lines, each after a score.
#[test]
fn fifty_times_go_and_stop_in_one_write() {
    for dialect in DIALECTS {
        for v in &VARIANTS {
            for words in ["infinite", "ponder", "depth 3", "movetime 100000"] {
                let mut engine = Engine::greeted(dialect);
                engine.play(v.name);
                let both = format!("go {words}\nstop\n");
                engine.raw(both.repeat(50).as_bytes());
                for _ in 0..50 {
                    engine.answer().sound();
                }
                assert_eq!(engine.sync(), [""; 0], "no more than fifty");
                for _ in 0..10 {
                    engine.raw(both.as_bytes());
                    engine.answer().sound();
                }
            }
        }
    }
}

/// "an earlier `stop` ends the next `go infinite`": it must not.
#[test]
fn an_earlier_stop_ends_nothing_later() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for before in ["stop", "stop\nstop\nstop", "ponderhit", "stop\nponderhit"] {
            for words in ["infinite", "ponder"] {
                engine.send(&format!("{before}\ngo {words}"));
                engine.still_searching();
                engine.send("stop");
                engine.answer().sound();
            }
        }
        engine.send("go infinite\nstop\ngo infinite");
        engine.answer().sound();
        engine.still_searching();
        engine.send("stop\nstop\ngo infinite");
        engine.answer().sound();
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
        assert_eq!(engine.sync(), [""; 0]);
    }
}

/// "`stop`, `position`, `go` in one burst": in order, one `bestmove` for each `go`, the second on the new position.
#[test]
fn stop_position_go_in_one_burst() {
    for (name, fen, best) in SINGLE.iter().chain(&WON[..1]).chain(&WON[2..3]) {
        let mut engine = Engine::playing(name);
        let start = engine.moves();
        for first in ["go infinite", "go ponder", "go movetime 100000"] {
            engine.accept("position startpos");
            engine.send(first);
            engine.no_bestmove_for(A_WHILE / 4);
            engine.send(&format!("stop\nposition fen {fen}\ngo depth 3"));
            assert!(
                start.contains(&engine.answer().sound().to_string()),
                "the first on the old position"
            );
            assert_eq!(
                engine.answer().sound(),
                *best,
                "the second on the new position"
            );
            engine.send(&format!(
                "position startpos\n{first}\nstop\nposition fen {fen}\ngo depth 3"
            ));
            assert!(start.contains(&engine.answer().sound().to_string()));
            assert_eq!(engine.answer().sound(), *best);
            assert_eq!(engine.sync(), [""; 0], "no third");
        }
    }
}

/// "`go infinite` then `go depth 2` without `stop`": the second waits its turn; `stop` ends both.
#[test]
fn a_second_go_waits_its_turn() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.send("go infinite\ngo depth 2");
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
        engine.answer().sound();
        assert_eq!(engine.sync(), [""; 0]);
        // A stop also ends what waits and would never end by itself.
        engine.send("go infinite\ngo infinite\ngo ponder\ngo infinite");
        engine.still_searching();
        engine.send("stop");
        for _ in 0..4 {
            engine.answer().sound();
        }
        engine.send("go depth 1\ngo depth 2\ngo nodes 100");
        for _ in 0..3 {
            engine.answer().sound();
        }
        assert_eq!(engine.sync(), [""; 0]);
    }
}

/// A `stop` ends perft and bench too, running or waiting, and what follows is done.
#[test]
fn stop_ends_perft_and_bench() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for long in [
            "go perft 12",
            "bench 60",
            "go perft 12\nbench 60\ngo perft 12",
        ] {
            engine.send(&format!("{long}\nstop\nquery fen"));
            let lines = engine.lines_until("response");
            assert!(
                !lines.iter().any(|l| l.starts_with("bestmove")),
                "{} `{long}`",
                v.name
            );
            engine.sync();
            engine.send(long);
            engine.no_bestmove_for(A_WHILE);
            engine.send("stop\nquery fen");
            engine.expect("response");
            engine.sync();
        }
        engine.send("stop\ngo perft 1");
        engine.expect(&format!("Nodes searched: {}", v.perft[0]));
    }
}

/// A `ponderhit` belongs to the last `go ponder` before it, also to one that still waits.
#[test]
fn a_ponderhit_belongs_to_the_last_go_ponder() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        // Waiting behind a search that ends by itself.
        engine.send("go movetime 100\ngo ponder depth 1\nponderhit");
        engine.answer().sound();
        engine.answer().sound();
        // In one write.
        engine.send("go ponder depth 1\nponderhit");
        engine.answer().sound();
        // The search that follows is not touched.
        engine.send("go ponder depth 1\ngo infinite\nponderhit");
        engine.answer().sound();
        engine.still_searching();
        engine.send("ponderhit");
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
        // Of two, the last.
        engine.send("go ponder depth 1\ngo ponder depth 1\nponderhit");
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
        engine.answer().sound();
        // An earlier one is no help to a later search.
        engine.send("ponderhit\ngo ponder depth 1");
        engine.still_searching();
        engine.send("ponderhit");
        engine.answer().sound();
        assert_eq!(engine.sync(), [""; 0]);
    }
}

/// After `ponderhit` the clock runs: a search under a clock ends by itself.
#[test]
fn ponderhit_starts_the_clock() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for words in [
            "ponder wtime 100 btime 100",
            "ponder movetime 50",
            "wtime 100 btime 100 ponder winc 1 binc 1",
        ] {
            engine.send(&format!("go {words}"));
            engine.still_searching();
            engine.send("ponderhit");
            engine.answer().sound();
        }
    }
}
