//! `go`: its words in any order, clocks and limits, good and bad values, `searchmoves`, perft.

mod driver;

use driver::*;

/// Runs `go` for both sides of all variants in both dialects, and calls `check` on each answer.
fn everywhere(words: &[&str], mut check: impl FnMut(&str, Search)) {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            for player in 0..2 {
                engine.position(&v.fen(player, 0));
                let legal = engine.moves();
                for words in words {
                    let search = engine.go_with_errors(words);
                    let best = search.sound().to_string();
                    engine.check(
                        legal.contains(&best),
                        &format!("`{words}` gives a legal move"),
                    );
                    assert_eq!(
                        engine.sync(),
                        [""; 0],
                        "{} `{words}`: one bestmove and no more",
                        v.name
                    );
                    check(words, search);
                }
            }
        }
    }
}

/// "negative clock (`wtime -170`), own or the opponent's": a move at once, no crash.
#[test]
fn negative_clocks() {
    everywhere(
        &[
            "wtime -170 btime 50",
            "wtime 50 btime -170",
            "wtime -170 btime -170 winc 5 binc 5",
            "p1time -170 p2time 50",
            "p1time 50 p2time -99999999999999999999",
            "wtime 50 btime 50 winc -100 binc -100",
            "wtime 0 btime 0",
        ],
        |_, _| {},
    );
}

/// "`movestogo 0`, negative": ignored.
#[test]
fn bad_moves_to_go() {
    everywhere(
        &[
            "wtime 40 btime 40 movestogo 0",
            "movestogo -3 wtime 40 btime 40",
            "p1time 40 p2time 40 p1inc 1 p2inc 1 movestogo 99999999999999999999",
            "wtime 40 btime 40 movestogo 1",
        ],
        |_, _| {},
    );
}

/// "only one side's clock given, or none of the own side": never unlimited by accident when a clock was given.
#[test]
fn one_clock_alone() {
    everywhere(
        &[
            "wtime 60",
            "btime 60",
            "p1time 60",
            "p2time 60",
            "btime 60 winc 1",
            "p1time 60 p2inc 1",
            "wtime 1",
            "p2time 1",
        ],
        |_, _| {},
    );
}

/// "`movetime` used up to the last millisecond": the overhead is taken off `movetime` as well. The engine that has to leave all
/// of its five seconds answers before the one that need not leave any.
#[test]
fn overhead_is_taken_off_movetime() {
    let mut patient = Engine::playing("hnefatafl7");
    patient.accept("setoption name Move Overhead value 0");
    let mut hasty = Engine::playing("hnefatafl7");
    hasty.accept("setoption name Move Overhead value 5000");
    patient.send("go movetime 5000");
    hasty.go("movetime 5000").sound();
    patient.no_bestmove_for(A_WHILE);
}

/// "huge `depth`, `depth 0`, `nodes 0`, `movetime 0`, `movetime -5`": the quickest possible answer with a score.
#[test]
fn zero_and_less() {
    everywhere(
        &[
            "depth 0",
            "nodes 0",
            "movetime 0",
            "movetime -5",
            "depth -3",
            "nodes -1",
            "wtime 0 btime 0",
            "p1time 0 p2time 0 p1inc 0",
            "depth 0 nodes 0 movetime 0",
        ],
        |words, search| {
            let quick = search.infos.iter().all(|i| i.depth.unwrap() <= 1);
            assert!(
                quick || words.contains("time"),
                "`{words}` is quick: {search:?}"
            );
        },
    );
    for name in ["tawlbwrdd", "tawlbwrdd-bell", "hnefatafl7"] {
        for words in ["mate 0", "mate -2"] {
            Engine::playing(name).go_with_errors(words).sound();
        }
    }
}

/// The huge side of the same line: clamped, so that the other limit is reached.
#[test]
fn huge_values() {
    everywhere(
        &[
            "depth 999999 nodes 500",
            "depth 99999999999999999999999 nodes 500",
            "nodes 99999999999999999999999 depth 1",
            "movetime 99999999999999999999999 depth 1",
            "wtime 99999999999999999999999 btime 99999999999999999999999 depth 1",
            "p1time 9223372036854775807 p1inc 9223372036854775807 p2time 18446744073709551615 depth 1",
            "wtime 30 btime 30 movestogo 4294967296 winc 0",
        ],
        |_, _| {},
    );
    let mut engine = Engine::playing("hnefatafl7");
    for words in [
        "depth 999999",
        "depth 99999999999999999999999",
        "nodes 99999999999999999999999",
        "movetime 99999999999999999999999",
    ] {
        engine.send(&format!("go {words}"));
        engine.still_searching();
        engine.send("stop");
        engine.answer().sound();
    }
}

/// "a tiny limit": at least one `info` line with a score before `bestmove`.
#[test]
fn tiny_limits() {
    everywhere(
        &[
            "nodes 1",
            "nodes 2",
            "movetime 1",
            "depth 1",
            "wtime 1 btime 1",
            "p1time 1 p2time 1 p1inc 1 p2inc 1",
            "wtime 2 btime 2 movestogo 1",
        ],
        |_, search| assert!(search.infos.iter().any(|i| i.score.is_some())),
    );
}

/// Several limits: the first that is reached.
#[test]
fn the_first_limit_reached() {
    everywhere(
        &[
            "depth 50 nodes 1000",
            "nodes 100000000 depth 1",
            "movetime 600000 depth 1",
            "depth 1 wtime 6000000 btime 6000000",
            "nodes 1000 wtime 60000000 movetime 600000",
            "depth 90 movetime 30",
        ],
        |words, search| {
            if words.contains("depth 1") {
                assert!(
                    search.infos.iter().all(|i| i.depth == Some(1)),
                    "`{words}`: {search:?}"
                );
            }
            if words.contains("nodes 1000 ") {
                assert!(
                    search.last().nodes.unwrap() < 20_000,
                    "`{words}`: {search:?}"
                );
            }
        },
    );
}

/// A search to depth N reports every depth up to N and none beyond.
#[test]
fn depth_is_what_was_asked() {
    for (name, depth) in [
        ("thud", 2),
        ("thud-rulebook", 2),
        ("tawlbwrdd", 3),
        ("tawlbwrdd-bell", 3),
        ("hnefatafl7", 4),
    ] {
        let search = Engine::playing(name).go(&format!("depth {depth}"));
        search.sound();
        for d in 1..=depth {
            assert!(
                search.infos.iter().any(|i| i.depth == Some(d)),
                "{name}: depth {d}"
            );
        }
        assert!(
            search.infos.iter().all(|i| i.depth.unwrap() <= depth),
            "{name}"
        );
    }
}

/// The words of `go` in any order, `searchmoves` up to the next keyword.
#[test]
fn words_in_any_order() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let legal = engine.moves();
        let two = [legal[0].clone(), legal[legal.len() / 2].clone()];
        let list = two.join(" ");
        for words in [
            format!("depth 1 searchmoves {list}"),
            format!("searchmoves {list} depth 1"),
            format!("wtime 50 searchmoves {list} btime 50 depth 1"),
            format!("binc 1 movestogo 5 btime 50 searchmoves {list} wtime 50 winc 1"),
            format!("nodes 300 searchmoves {list} p1time 5000 p2time 5000"),
            format!("searchmoves {list} offer depth 1"),
            format!("offer searchmoves {list} movetime 20"),
        ] {
            let search = engine.go(&words);
            assert!(
                two.contains(&search.sound().to_string()),
                "{} `{words}`: {}",
                v.name,
                search.best
            );
        }
        for one in [&legal[legal.len() - 1], &legal[legal.len() / 3]] {
            assert_eq!(
                engine.go(&format!("searchmoves {one} depth 1")).sound(),
                one
            );
            engine.send(&format!("go searchmoves {one} infinite"));
            engine.still_searching();
            engine.send("stop");
            assert_eq!(engine.answer().sound(), one);
        }
        // The restriction is for one search.
        engine.accept("setoption name MultiPV value 3");
        assert_eq!(
            engine
                .go("depth 1")
                .infos
                .iter()
                .filter(|i| i.depth == Some(1))
                .filter_map(|i| i.multipv)
                .max(),
            Some(3)
        );
    }
}

/// "illegal or partly illegal `searchmoves`": the illegal ones are reported and left out; none left means no restriction.
#[test]
fn illegal_searchmoves() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let legal = engine.moves();
        let good = legal[legal.len() / 2].clone();
        for words in [
            format!("searchmoves a1a1 {good} zz9 depth 1"),
            format!("depth 1 searchmoves {good} a1a1 zz9"),
        ] {
            let search = engine.go_with_errors(&words);
            assert_eq!(search.sound(), good, "{} `{words}`", v.name);
            let errors = search.errors.join("\n");
            assert!(
                errors.contains("a1a1") && errors.contains("zz9"),
                "{errors}"
            );
        }
        let search = engine.go_with_errors("searchmoves a1a1 h8h8 depth 1");
        assert!(legal.contains(&search.sound().to_string()));
        assert!(search.errors.join("\n").contains("a1a1"));
        // None at all.
        assert!(
            legal.contains(
                &engine
                    .go_with_errors("searchmoves depth 1")
                    .sound()
                    .to_string()
            )
        );
    }
}

/// A bad word or value gets an error line and is ignored; the rest of the line counts, and there is one `bestmove`.
#[test]
fn bad_words_and_values() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            for (words, named) in [
                ("banana depth 1", "banana"),
                ("depth 1 banana", "banana"),
                ("wtime 50 btime 50 wtim 5", "wtim"),
                ("depth abc nodes 300", "abc"),
                ("nodes 1.5 depth 1", "1.5"),
                ("movetime 0x10 depth 1", "0x10"),
                ("wtime soon btime 50", "soon"),
                ("p2inc 1e3 p1time 50 p2time 50", "1e3"),
                ("mate x depth 1", "x"),
                ("movestogo many wtime 50 btime 50", "many"),
            ] {
                let search = engine.go_with_errors(words);
                search.sound();
                assert!(
                    search.errors.iter().any(|e| e.contains(named)),
                    "{} `{words}`: {:?}",
                    v.name,
                    search.errors
                );
                assert_eq!(engine.sync(), [""; 0]);
            }
            for words in [
                "depth",
                "depth 1 nodes",
                "depth nodes 100",
                "abc",
                "movetime -",
                "wtime btime",
                "searchmoves",
            ] {
                engine.send(&format!("go {words}\nstop"));
                let search = engine.answer();
                search.sound();
                assert!(
                    !search.errors.is_empty() || words == "searchmoves",
                    "{} `{words}`",
                    v.name
                );
                assert_eq!(engine.sync(), [""; 0]);
            }
        }
    }
}

/// `go perft N` prints each root move and the sum, and no `bestmove`.
#[test]
fn perft() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let legal = engine.moves();
        let deepest = if v.tafl { 3 } else { 2 };
        for depth in 1..=deepest {
            let (rows, total) = engine.perft(depth);
            assert_eq!(
                total,
                v.perft[depth as usize - 1],
                "{} depth {depth}",
                v.name
            );
            let mut moves: Vec<String> = rows.iter().map(|r| r.0.clone()).collect();
            assert_eq!(moves.len(), legal.len());
            moves.sort();
            let mut sorted = legal.clone();
            sorted.sort();
            assert_eq!(moves, sorted, "each root move once");
            assert!(depth > 1 || rows.iter().all(|r| r.1 == 1));
            assert_eq!(engine.sync(), [""; 0], "no bestmove");
        }
        // It is about the current position and leaves it alone.
        engine.accept(&format!("position startpos moves {}", v.shuffle[0]));
        let before = engine.ask("fen");
        let count = engine.perft(1).1;
        assert_eq!(count, engine.moves().len() as u64);
        assert_eq!(engine.ask("fen"), before);
        // Repetition and limits play no part.
        engine.accept("setoption name QuietLimit value 4\nsetoption name RepetitionLimit value 2");
        engine.accept(&format!("position startpos moves {}", v.shuffled(8)));
        assert_eq!(engine.ask("gameover"), "true");
        assert_eq!(engine.perft(2).1, v.perft[1], "{}", v.name);
    }
    for (name, fen, _, _) in FINISHED {
        let mut engine = Engine::playing(name);
        engine.position(fen);
        assert_eq!(engine.perft(1), (Vec::new(), 0), "{fen}");
        assert_eq!(engine.perft(3), (Vec::new(), 0), "{fen}");
    }
}

/// A bad `go perft` is an error without a `bestmove`, and the engine lives on.
#[test]
fn bad_perft() {
    let mut engine = Engine::playing("hnefatafl7");
    for line in [
        "go perft",
        "go perft x",
        "position fen nonsense\ngo perft 2",
    ] {
        // Not by `isready`, which a perft may answer at once.
        engine.send(&format!("{line}\nquery variant"));
        let lines = engine.lines_until("response");
        assert!(
            lines.iter().any(|l| l.starts_with(ERROR)),
            "`{line}`: {lines:?}"
        );
        assert!(
            !lines.iter().any(|l| l.starts_with("bestmove")),
            "`{line}`: {lines:?}"
        );
    }
}
