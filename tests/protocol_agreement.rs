//! Agreement: `Offers`, `go … offer`, `bestmove M offer`, and the result `agreed`.

mod driver;

use driver::*;

/// A side that cannot gain: one quiet ply before the quiet limit every move ends the game as it stands, so that ending it now is
/// worth the same. `quiet` is the QUIET of the position.
fn level(engine: &mut Engine, v: &Variant, player: usize, quiet: u32) -> String {
    engine.accept(&format!("setoption name QuietLimit value {}", quiet + 1));
    let fen = v.fen(player, quiet);
    engine.position(&fen);
    fen
}

fn offering(engine: &mut Engine, on: bool) {
    engine.accept(&format!("setoption name Offers value {on}"));
}

/// With `Offers` off the word is ignored: two words, no error, no agreement. That is the default.
#[test]
fn off_the_word_is_ignored() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            for player in 0..2 {
                for set in [false, true] {
                    if set {
                        offering(&mut engine, true);
                        offering(&mut engine, false);
                    }
                    level(&mut engine, v, player, 40);
                    for words in [
                        "depth 2 offer",
                        "offer depth 1",
                        "depth 1",
                        "nodes 500 offer",
                    ] {
                        engine.go(words).sound();
                        assert_eq!(engine.ask("reason"), "none");
                        assert_eq!(engine.ask("gameover"), "false");
                    }
                }
            }
        }
    }
}

/// An offer is accepted when the search promises no more than ending now: `bestmove M offer`, and the engine reports `agreed`
/// for the position before M until the next `position`.
#[test]
fn an_offer_is_accepted() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        offering(&mut engine, true);
        for v in &VARIANTS {
            engine.play(v.name);
            for player in 0..2 {
                for quiet in [3, 40] {
                    let fen = level(&mut engine, v, player, quiet);
                    let legal = engine.moves();
                    let search = engine.go("depth 2 offer");
                    let told = words(&search.best);
                    assert_eq!(
                        (told.len(), told[2]),
                        (3, "offer"),
                        "{} {fen}: {}",
                        v.name,
                        search.best
                    );
                    assert!(legal.contains(&told[1].to_string()));
                    assert_eq!(search.last().pv[0], told[1]);
                    for _ in 0..2 {
                        assert_eq!(engine.ask("gameover"), "true");
                        assert_eq!(engine.ask("reason"), "agreed");
                        assert_eq!(engine.ask("result"), "draw");
                        assert_eq!(engine.ask("fen"), fen, "before the move is played");
                        assert_eq!(engine.moves(), legal, "the moves are still given");
                        let again = engine.go("depth 1");
                        assert!(
                            legal.contains(&again.mv().to_string()),
                            "a legal move all the same"
                        );
                    }
                    engine.accept(&format!("moves {}", legal[0]));
                    assert_eq!(
                        engine.ask("reason"),
                        "agreed",
                        "the result stays while a list goes on"
                    );
                    engine.position(&fen);
                    assert_eq!(engine.ask("reason"), "none", "until the next position");
                    assert_eq!(engine.ask("gameover"), "false");
                }
            }
        }
    }
}

/// A battle of Thud that ends by agreement is scored as it stands.
#[test]
fn an_agreed_battle_is_scored() {
    for name in ["thud", "thud-rulebook"] {
        let mut engine = Engine::playing(name);
        offering(&mut engine, true);
        for (dwarfs, result, score) in [
            ("ddddd", "p1win", "5 4"),
            ("dddd1", "draw", "4 4"),
            ("ddd2", "p2win", "3 4"),
        ] {
            for side in ["d", "t"] {
                engine.position(&format!("*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/T14/15/*13*/**11**/***9***/****7****/*****{dwarfs}***** {side} 199 120"));
                assert!(
                    engine.go("depth 2 offer").best.ends_with(" offer"),
                    "{dwarfs} {side}"
                );
                assert_eq!(engine.ask("reason"), "agreed");
                assert_eq!(engine.ask("result"), result);
                assert_eq!(engine.ask("score"), score);
            }
        }
    }
}

/// The side that is lost accepts, the side that wins does not.
#[test]
fn who_accepts() {
    let mut engine = Engine::playing("hnefatafl7");
    offering(&mut engine, true);
    engine.position(LOST);
    assert!(engine.go("depth 3 offer").best.ends_with(" offer"));
    assert_eq!(engine.ask("reason"), "agreed");
    for (name, fen, _) in WON {
        engine.play(name);
        engine.position(fen);
        engine.go("depth 2 offer").sound();
        assert_eq!(engine.ask("reason"), "none", "{fen}");
        assert_eq!(engine.ask("gameover"), "false");
    }
    engine.play("hnefatafl7");
    engine.position(MATE_IN_TWO);
    engine.go("depth 4 offer").sound();
    assert_eq!(engine.ask("reason"), "none");
}

/// The engine offers of its own accord under the same condition, and only when QUIET ≥ 30; that is no agreement yet.
#[test]
fn the_engine_offers() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        offering(&mut engine, true);
        for player in 0..2 {
            for quiet in [40, 100] {
                level(&mut engine, v, player, quiet);
                let search = engine.go("depth 2");
                assert!(
                    search.best.ends_with(" offer"),
                    "{} quiet {quiet}: {}",
                    v.name,
                    search.best
                );
                assert_eq!(words(&search.best).len(), 3);
                assert_eq!(engine.ask("reason"), "none", "an offer is no agreement");
                assert_eq!(engine.ask("gameover"), "false");
            }
            for quiet in [0, 10, 20] {
                level(&mut engine, v, player, quiet);
                engine.go("depth 2").sound();
            }
        }
    }
    let mut engine = Engine::playing("hnefatafl7");
    offering(&mut engine, true);
    engine.position(&LOST.replace(" 0 1", " 40 30"));
    assert!(engine.go("depth 3").best.ends_with(" offer"));
    for (_, fen, _) in WON.iter().filter(|w| w.0 == "hnefatafl7") {
        engine.position(&fen.replace(" 0 1", " 40 30"));
        engine.go("depth 3").sound();
    }
}

/// A finished game has nothing to offer; a new game, another variant and another position end the agreement.
#[test]
fn no_offer_at_the_end() {
    let mut engine = Engine::new();
    offering(&mut engine, true);
    for (name, fen, _, reason) in FINISHED {
        engine.play(name);
        engine.position(fen);
        engine.go("depth 2 offer").none();
        engine.go("depth 2").none();
        assert_eq!(engine.ask("reason"), reason);
    }
    for v in &VARIANTS {
        for next in ["ucinewgame", "uginewgame", "position startpos"] {
            engine.play(v.name);
            level(&mut engine, v, 0, 40);
            assert!(engine.go("depth 1 offer").best.ends_with(" offer"));
            assert_eq!(engine.ask("reason"), "agreed");
            engine.accept(next);
            assert_eq!(engine.ask("reason"), "none", "{} after {next}", v.name);
        }
    }
    engine.refuse("position fen nonsense");
    engine.go_with_errors("depth 1 offer").none();
}

/// `Ponder` and `Offers` together: `bestmove M [ponder P] [offer]`.
#[test]
fn ponder_and_offer() {
    let mut engine = Engine::playing("hnefatafl7");
    offering(&mut engine, true);
    engine.accept("setoption name Ponder value true");
    engine.position(LOST);
    let search = engine.go("depth 3 offer");
    let told = words(&search.best);
    match told.len() {
        3 => assert_eq!(told[2], "offer"),
        5 => assert_eq!((told[2], told[4]), ("ponder", "offer"), "{}", search.best),
        _ => panic!("{}", search.best),
    }
}
