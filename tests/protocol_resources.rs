//! The options of the search: table and threads, `MultiPV`, `UCI_ShowWDL`, strength.

mod driver;

use driver::*;
use std::collections::HashMap;

/// "a `Hash` that can't be had": an error line, the old table stays, no abort.
#[cfg(unix)]
#[test]
fn a_hash_that_cannot_be_had() {
    let mut engine = Engine::with_memory(2_000_000);
    engine.accept("setoption name Hash value 16");
    for v in &VARIANTS {
        engine.play(v.name);
        for mib in [1_048_576, 100_000, 4_000] {
            let error = engine.refuse(&format!("setoption name Hash value {mib}"));
            assert!(
                error.contains("Hash") || error.contains(&mib.to_string()),
                "{error}"
            );
            engine.go("nodes 500").sound();
        }
        engine.accept("setoption name Hash value 8");
        engine.go("nodes 500").sound();
    }
}

/// A table of another size, an emptied one, and an own table for each variant all work.
#[test]
fn hash_sizes() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for mib in [1, 2, 3, 100, 1] {
            engine.accept(&format!("setoption name Hash value {mib}"));
            engine.go("nodes 500").sound();
            engine.accept("setoption name Clear Hash");
            engine.go("nodes 500").sound();
        }
    }
}

/// Memory is what `Hash` says and less than 20 MB: no table but the present one is kept.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_the_table_and_little_else() {
    let mut engine = Engine::new();
    for v in &VARIANTS {
        engine.play(v.name);
        // Freed memory of up to 32 MiB may stay with the allocator, so the larger sizes are above that.
        for mib in [1, 64, 40] {
            engine.accept(&format!("setoption name Hash value {mib}"));
            engine.go("nodes 20000").sound();
            let used = engine.resident_kib() / 1024;
            assert!(used < mib + 20, "{}: {used} MiB with Hash {mib}", v.name);
        }
    }
}

/// More threads than cores, and back.
#[test]
fn threads() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for threads in [2, 16, 1, 3] {
            engine.accept(&format!("setoption name Threads value {threads}"));
            engine.go("nodes 3000").sound();
            engine.go("depth 1").sound();
            engine.send("go infinite\nstop");
            engine.answer().sound();
        }
    }
}

/// Any number of threads reports like one: each iteration once and in order, every variation of it, and figures that
/// never fall.
#[test]
fn threads_report_in_order() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for (threads, multipv) in [(1, 1), (2, 1), (5, 1), (2, 3), (5, 3)] {
            engine.accept(&format!("setoption name Threads value {threads}"));
            engine.accept(&format!("setoption name MultiPV value {multipv}"));
            engine.accept("ucinewgame");
            let search = engine.go("depth 4");
            search.sound();
            let what = format!("{} {threads} {multipv}: {search:?}", v.name);
            let lines: Vec<&Info> = search.infos.iter().filter(|i| i.depth.is_some()).collect();
            let figures: [fn(&Info) -> Option<i64>; 3] = [|i| i.depth, |i| i.nodes, |i| i.time];
            for figure in figures {
                let told: Vec<i64> = lines.iter().filter_map(|i| figure(i)).collect();
                assert_eq!(told.len(), lines.len(), "{what}");
                assert!(told.is_sorted(), "{what}");
            }
            let whole = lines.iter().filter(|i| !i.bound);
            let whole: Vec<_> = whole.map(|i| (i.depth, i.multipv)).collect();
            let expected: Vec<_> = (1..=4)
                .flat_map(|depth| (1..=multipv).map(move |rank| (Some(depth), Some(rank))))
                .collect();
            assert_eq!(whole, expected, "{what}");
        }
    }
}

/// "`MultiPV` above the number of legal moves": capped.
#[test]
fn multipv_is_capped() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let legal = engine.moves().len() as i64;
        engine.accept("setoption name MultiPV value 1000");
        assert_eq!(engine.variations(), legal, "{}", v.name);
        engine.accept("setoption name MultiPV value 1");
        assert_eq!(engine.variations(), 1, "{}", v.name);
    }
    for (name, fen, best) in SINGLE {
        let mut engine = Engine::playing(name);
        engine.accept("setoption name MultiPV value 5");
        engine.position(fen);
        assert_eq!(engine.variations(), 1);
        assert_eq!(engine.go("nodes 1000").sound(), best);
    }
}

/// Several variations: numbered, different, ordered by score, the first of them played; `searchmoves` caps them.
#[test]
fn multipv() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.accept("setoption name MultiPV value 4");
        for player in 0..2 {
            engine.position(&v.fen(player, 0));
            for depth in 1..=2 {
                let search = engine.go(&format!("depth {depth}"));
                search.sound();
                let mut last: HashMap<i64, &Info> = HashMap::new();
                for info in search
                    .infos
                    .iter()
                    .filter(|i| i.depth == Some(depth) && i.score.is_some())
                {
                    last.insert(info.multipv.expect("multipv is named"), info);
                }
                let lines: Vec<&Info> = (1..=4)
                    .map(|n| {
                        *last
                            .get(&n)
                            .unwrap_or_else(|| panic!("line {n}: {search:?}"))
                    })
                    .collect();
                assert_eq!(last.len(), 4);
                assert_eq!(lines[0].pv[0], search.mv());
                for (i, one) in lines.iter().enumerate() {
                    assert!(
                        lines[..i].iter().all(|other| other.pv[0] != one.pv[0]),
                        "different moves: {search:?}"
                    );
                }
                let value = |i: &Info| match i.score.unwrap() {
                    Score::Cp(n) => n,
                    Score::Mate(n) => 1_000_000 * n.signum() - n,
                };
                assert!(
                    lines.windows(2).all(|w| value(w[0]) >= value(w[1])),
                    "ordered: {search:?}"
                );
            }
        }
        let legal = engine.moves();
        let search = engine.go(&format!("depth 1 searchmoves {} {}", legal[0], legal[1]));
        assert_eq!(search.infos.iter().filter_map(|i| i.multipv).max(), Some(2));
    }
}

/// `UCI_ShowWDL` adds three parts of a thousand to each score, and only while it is on.
#[test]
fn wdl() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        assert!(engine.go("depth 2").infos.iter().all(|i| i.wdl.is_none()));
        engine.accept("setoption name UCI_ShowWDL value true");
        for info in engine
            .go("depth 2")
            .infos
            .iter()
            .filter(|i| i.score.is_some())
        {
            let wdl = info.wdl.expect("wdl beside the score");
            assert!(
                wdl.iter().sum::<i64>() == 1000 && wdl.iter().all(|n| *n >= 0),
                "{info:?}"
            );
        }
        engine.accept("setoption name UCI_ShowWDL value false");
        assert!(engine.go("depth 2").infos.iter().all(|i| i.wdl.is_none()));
    }
}

/// The options of strength are taken, and a legal move is played.
#[test]
fn strength() {
    let mut engine = Engine::new();
    engine.send("uci");
    let line = engine.expect("option name UCI_Elo ");
    let told = words(&line);
    let number = |key: &str| told[told.iter().position(|w| *w == key).unwrap() + 1];
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let legal = engine.moves();
        for level in [0, 1, 10, 20] {
            engine.accept(&format!("setoption name Skill Level value {level}"));
            assert!(legal.contains(&engine.go("nodes 1000").mv().to_string()));
        }
        engine.accept("setoption name UCI_LimitStrength value true");
        for value in [number("min"), number("max")] {
            engine.accept(&format!("setoption name UCI_Elo value {value}"));
            assert!(legal.contains(&engine.go("nodes 1000").mv().to_string()));
        }
    }
}
