//! Scores of won and lost positions: mate distances in both dialects, `go mate`, and that Thud has neither.

mod driver;

use driver::*;

/// `mate N` counts own moves in `uci` (and without a hello) and plies in `ugi`, negative for the side that is mated.
#[test]
fn mate_distances() {
    for (hello, counts) in [("uci", [1, 2, -1]), ("ugi", [1, 3, -2]), ("", [1, 2, -1])] {
        let mut engine = if hello.is_empty() {
            Engine::new()
        } else {
            Engine::greeted(hello)
        };
        for (name, fen, best) in WON.iter().filter(|w| w.0 != "thud") {
            engine.play(name);
            engine.position(fen);
            for words in ["depth 4", "mate 1"] {
                let search = engine.go(words);
                assert_eq!(
                    search.score(),
                    Score::Mate(counts[0]),
                    "{hello} {fen} {words}"
                );
                assert_eq!(
                    search.last().pv.len(),
                    1,
                    "the variation ends with the game: {search:?}"
                );
                search.sound();
            }
            if fen.contains("/t6/") || fen.contains("tK2t") {
                assert_eq!(engine.go("depth 3").sound(), *best);
            }
        }
        engine.play("hnefatafl7");
        engine.position(MATE_IN_TWO);
        for words in ["depth 5", if hello == "ugi" { "mate 3" } else { "mate 2" }] {
            let search = engine.go(words);
            search.sound();
            assert_eq!(search.score(), Score::Mate(counts[1]), "{hello} {words}");
        }
        engine.position(LOST);
        let search = engine.go("depth 5");
        search.sound();
        assert_eq!(search.score(), Score::Mate(counts[2]), "{hello}");
    }
}

/// A king who reaches a square from which two ways are open has won, and is told so two plies before he is home: the men
/// beside him can neither close both nor take him. With the attackers to move it is they who are lost.
#[test]
fn a_fork_is_seen_at_once() {
    for (mover, score) in [("d", Score::Mate(2)), ("a", Score::Mate(-2))] {
        let mut engine = Engine::greeted("uci");
        engine.play("tawlbwrdd");
        engine.position(&format!(
            "11/11/4t6/11/2t1K2t3/11/4t6/11/11/11/11 {mover} 0 1"
        ));
        let search = engine.go("depth 1");
        assert_eq!(search.score(), score);
        let best = search.sound();
        assert!(mover == "a" || best == "e7f7", "{best}");
    }
}

/// A fork does not win if the answer to it ends the game.
#[test]
fn a_fork_at_the_quiet_limit_is_none() {
    // The attackers move, the king forks, the answer is the hundredth quiet ply or the one before.
    for (quiet, is_lost) in [(96, true), (97, false), (98, false)] {
        let mut engine = Engine::greeted("uci");
        engine.play("tawlbwrdd");
        engine.accept("setoption name QuietLimit value 100");
        engine.position(&format!(
            "11/11/4t6/11/2t1K2t3/11/4t6/11/11/11/11 a {quiet} 1"
        ));
        for depth in 1..=4 {
            let search = engine.go(&format!("depth {depth}"));
            search.sound();
            assert_eq!(
                search.score() == Score::Mate(-2),
                is_lost,
                "{quiet} {depth}"
            );
        }
    }
}

/// Thud has no mate scores: a finished battle is worth 100 times its margin, and `go mate` is an error and otherwise ignored.
#[test]
fn thud_has_no_mates() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for name in ["thud", "thud-rulebook"] {
            engine.play(name);
            for (fen, best, score) in [
                (WON[6].1, "g6j6", 300),
                (
                    "*****5*****/****7****/***9***/**5d5**/*13*/6T8/15/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** t 0 1",
                    "g10h11xh12",
                    400,
                ),
                (
                    "*****T3d*****/****ddd4****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** d 0 1",
                    "j15g15",
                    0,
                ),
                (
                    "*****T3d*****/****ddd4****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/****7****/*****2d2***** d 0 1",
                    "j15g15",
                    100,
                ),
            ] {
                engine.position(fen);
                let search = engine.go(&format!("depth 2 searchmoves {best}"));
                assert_eq!(search.sound(), best);
                assert_eq!(search.score(), Score::Cp(score), "{name} {fen}");
                assert_eq!(search.last().pv.len(), 1, "the battle is over: {search:?}");
                for words in ["mate 1 depth 1", "depth 2 mate 3", "mate 0 nodes 200"] {
                    let search = engine.go_with_errors(words);
                    search.sound();
                    assert!(
                        search.errors.iter().any(|e| e.contains("mate")),
                        "{:?}",
                        search.errors
                    );
                    assert!(
                        search
                            .infos
                            .iter()
                            .all(|i| !matches!(i.score, Some(Score::Mate(_))))
                    );
                }
            }
            engine.send("go mate 1");
            engine.still_searching();
            engine.send("stop");
            engine.answer().sound();
        }
    }
}

/// A search for a mate leaves no move out and takes nothing from a usual search, which overlooks this one: its first move
/// is quiet, and the defenders stand badly.
#[test]
fn a_mate_behind_a_quiet_move_is_found() {
    let mut engine = Engine::playing("hnefatafl7");
    engine.accept("position fen 5t1/2T1tT1/6T/t2K3/2t1T1t/3t1t1/3t3 a 0 1 moves f7d7");
    engine.go("nodes 100000").sound();
    let search = engine.go("mate 4 nodes 500000");
    search.sound();
    assert!(matches!(search.score(), Score::Mate(1..=4)), "{search:?}");
}

/// A search that is broken off in the middle of an iteration may have seen only moves that lose; it reports a loss only
/// where there is one.
#[test]
fn a_broken_iteration_claims_no_loss() {
    let mut engine = Engine::playing("hnefatafl7");
    let mut random = fastrand::Rng::with_seed(7);
    engine.accept("position startpos moves d1f1 d5g5 d6e6 d3e3 a4a6 d4d3 e6d6 g5c5");
    for game in 0..12 {
        for nodes in [30, 80, 200, 401, 500, 900, 1500] {
            engine.accept("setoption name Clear Hash");
            let fen = engine.ask("fen");
            if engine.ask("gameover") == "true" {
                break;
            }
            let search = engine.go(&format!("nodes {nodes}"));
            search.sound();
            if matches!(search.score(), Score::Mate(plies) if plies < 0) {
                let deep = engine.go("nodes 300000");
                assert!(
                    matches!(deep.score(), Score::Mate(plies) if plies < 0),
                    "{fen} at {nodes} nodes: {search:?}"
                );
            }
        }
        engine.accept("position startpos");
        for _ in 0..4 + game {
            let moves = engine.moves();
            let Some(mv) = random.choice(&moves) else {
                break;
            };
            engine.accept(&format!("moves {mv}"));
        }
    }
}
