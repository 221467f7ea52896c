//! The variant and its limits as options: `UCI_Variant`, `QuietLimit`, `RepetitionLimit`, new games, and what the command
//! line sets them to.

mod driver;

use driver::*;

/// Changing the variant sets that variant's start position, from wherever the game was.
#[test]
fn a_change_of_variant_sets_the_start() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        assert_eq!(engine.ask("variant"), "thud");
        assert_eq!(engine.ask("fen"), variant("thud").start);
        for from in &VARIANTS {
            for to in VARIANTS.iter().filter(|to| to.name != from.name) {
                for before in [
                    format!("position startpos moves {}", from.shuffled(3)),
                    "position startpos moves a1a1".into(),
                    "position fen nonsense".into(),
                ] {
                    engine.play(from.name);
                    engine.send(&before);
                    engine.sync();
                    engine.play(to.name);
                    assert_eq!(engine.ask("variant"), to.name);
                    assert_eq!(
                        engine.ask("fen"),
                        to.start,
                        "from {} to {}",
                        from.name,
                        to.name
                    );
                    assert_eq!(engine.ask("gameover"), "false");
                    assert_eq!(engine.ask("reason"), "none");
                    assert_eq!(engine.moves().len() as u64, to.perft[0]);
                }
            }
        }
    }
}

/// A position of another variant is an error, `startpos` always the variant's own.
#[test]
fn positions_belong_to_the_variant() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for other in &VARIANTS {
            let line = format!("position fen {}", other.start);
            if other.rows().split('/').count() == v.rows().split('/').count() {
                engine.accept(&line);
                assert_eq!(engine.ask("fen"), other.start);
                assert_eq!(engine.ask("variant"), v.name);
            } else {
                engine.refuse(&line);
                assert_eq!(engine.ask_wrongly("fen"), "none");
            }
            engine.accept("position startpos");
            assert_eq!(engine.ask("fen"), v.start);
        }
    }
}

/// `ucinewgame` and `uginewgame`, each in both dialects: the start position of the current variant, options stay.
#[test]
fn new_game() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        engine.accept("setoption name QuietLimit value 7");
        for v in &VARIANTS {
            engine.play(v.name);
            for word in ["ucinewgame", "uginewgame"] {
                for before in [
                    format!("position startpos moves {}", v.shuffled(9)),
                    "position startpos moves a1a1".into(),
                    "position fen nonsense".into(),
                ] {
                    engine.send(&before);
                    engine.go_with_errors("depth 1");
                    engine.accept(word);
                    assert_eq!(engine.ask("variant"), v.name);
                    assert_eq!(engine.ask("fen"), v.start);
                    assert_eq!(engine.ask("reason"), "none");
                    engine.go("depth 1").sound();
                }
            }
            engine.position(&v.fen(0, 7));
            assert_eq!(engine.ask("reason"), "quiet-limit", "the option stays");
        }
    }
}

/// The reason after QUIET has reached `quiet`, by reading and by a move.
fn quiet_reasons(engine: &mut Engine, v: &Variant, quiet: u32) -> (String, String) {
    engine.position(&v.fen(0, quiet));
    let read = engine.ask("reason");
    engine.accept(&format!(
        "position fen {} moves {}",
        v.fen(0, quiet - 1),
        v.shuffle[0]
    ));
    let moved = engine.ask("reason");
    let over = engine.ask("gameover") == "true";
    assert_eq!(over, moved != "none");
    assert_eq!(engine.ask("result") != "none", over);
    (read, moved)
}

fn limited(engine: &mut Engine, v: &Variant, quiet: u32) {
    let both = quiet_reasons(engine, v, quiet);
    assert_eq!(
        both,
        ("quiet-limit".into(), "quiet-limit".into()),
        "{} at {quiet}",
        v.name
    );
}

fn free(engine: &mut Engine, v: &Variant, quiet: u32) {
    assert_eq!(
        quiet_reasons(engine, v, quiet),
        ("none".into(), "none".into()),
        "{} at {quiet}",
        v.name
    );
}

/// By default the variant's own limit: 200 in Thud, none in tafl.
#[test]
fn own_quiet_limit() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for value in [
            "",
            "setoption name QuietLimit value 9\nsetoption name QuietLimit value -1",
        ] {
            if !value.is_empty() {
                engine.accept(value);
            }
            match v.quiet_limit {
                0 => free(&mut engine, v, 50_000),
                limit => {
                    free(&mut engine, v, limit - 1);
                    limited(&mut engine, v, limit);
                    limited(&mut engine, v, limit + 1);
                }
            }
        }
    }
}

/// An explicit limit counts in every variant and survives a change of variant; 0 is off; −1 brings back the own one.
#[test]
fn explicit_quiet_limit() {
    let mut engine = Engine::new();
    for limit in [1, 5, 300] {
        engine.accept(&format!("setoption name QuietLimit value {limit}"));
        for v in VARIANTS.iter().chain(VARIANTS.iter().rev()) {
            engine.play(v.name);
            limited(&mut engine, v, limit);
            if limit > 1 {
                free(&mut engine, v, limit - 1);
            }
        }
    }
    engine.accept("setoption name QuietLimit value 0");
    for v in VARIANTS.iter().chain(VARIANTS.iter().rev()) {
        engine.play(v.name);
        free(&mut engine, v, 5000);
    }
    engine.accept("setoption name QuietLimit value -1");
    for v in VARIANTS.iter().rev().chain(&VARIANTS) {
        engine.play(v.name);
        if v.quiet_limit == 0 {
            free(&mut engine, v, 5000);
        } else {
            limited(&mut engine, v, v.quiet_limit);
        }
    }
}

/// After `occurrences` of the start position a repetition with the given limit (0 = off).
fn repeats(engine: &mut Engine, v: &Variant, limit: u32) {
    let occurrences = if limit == 0 { 12 } else { limit as usize };
    let last = 4 * (occurrences - 1);
    engine.accept(&format!("position startpos moves {}", v.shuffled(last - 1)));
    assert_eq!(
        engine.ask("reason"),
        "none",
        "{} before occurrence {occurrences}",
        v.name
    );
    assert_eq!(engine.ask("gameover"), "false");
    engine.accept(&format!("moves {}", v.shuffle[3]));
    let (reason, result) = match limit {
        0 => ("none", "none"),
        _ => ("repetition", "draw"),
    };
    assert_eq!(
        engine.ask("reason"),
        reason,
        "{} at occurrence {occurrences}",
        v.name
    );
    assert_eq!(engine.ask("result"), result, "{}", v.name);
    assert_eq!(engine.ask("gameover"), (limit != 0).to_string());
    engine.accept(&format!(
        "position fen {} moves {}",
        v.start,
        v.shuffled(last)
    ));
    assert_eq!(
        engine.ask("reason"),
        reason,
        "a position read from text is occurrence 1 of itself"
    );
}

/// By default the variant's own: second occurrence in Tawlbwrdd, third in Hnefatafl, off in Thud.
#[test]
fn own_repetition_limit() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        repeats(&mut engine, v, v.repetition_limit);
        engine.accept(
            "setoption name RepetitionLimit value 5\nsetoption name RepetitionLimit value -1",
        );
        repeats(&mut engine, v, v.repetition_limit);
    }
}

/// An explicit limit counts in every variant and survives a change of variant; 0 is off; −1 brings back the own one.
#[test]
fn explicit_repetition_limit() {
    let mut engine = Engine::new();
    for limit in [2, 3, 6, 0] {
        engine.accept(&format!("setoption name RepetitionLimit value {limit}"));
        for v in VARIANTS.iter().chain(VARIANTS.iter().rev()) {
            engine.play(v.name);
            repeats(&mut engine, v, limit);
        }
    }
    engine.accept("setoption name RepetitionLimit value -1");
    for v in VARIANTS.iter().chain(VARIANTS.iter().rev()) {
        engine.play(v.name);
        repeats(&mut engine, v, v.repetition_limit);
    }
}

/// The same pieces with the other side to move are another position, and so is one with other pieces.
#[test]
fn what_is_no_repetition() {
    for (name, away) in [
        ("tawlbwrdd", ["f8e8", "e8d8", "d8f8"]),
        ("tawlbwrdd-bell", ["f8e8", "e8d8", "d8f8"]),
        ("hnefatafl7", ["d5c5", "c5b5", "b5d5"]),
    ] {
        let v = variant(name);
        let mut engine = Engine::playing(name);
        engine.accept("setoption name RepetitionLimit value 2");
        engine.accept(&format!("position startpos moves {}", v.shuffled(3)));
        assert_eq!(engine.ask("reason"), "none", "other pieces");
        // Player 2 goes away and back in three moves, player 1 in two: the pieces of the start, the other side to move.
        let moves = [away[0], v.shuffle[0], away[1], v.shuffle[2], away[2]].join(" ");
        engine.accept(&format!("position fen {} moves {moves}", v.fen(1, 0)));
        assert_eq!(
            engine.ask("fen"),
            format!("{} {} 5 4", v.rows(), v.sides[0])
        );
        assert_eq!(engine.ask("reason"), "none", "the other side to move");
    }
}

/// Limits in Thud score the battle as it stands: more dwarfs than four times the trolls is a win of player 1.
#[test]
fn limits_score_a_battle() {
    let far = "****7****/***9***/**11**/*13*/15/15/7*7/T14/15/*13*/**11**/***9***/****7****";
    for name in ["thud", "thud-rulebook"] {
        let mut engine = Engine::playing(name);
        for (dwarfs, result, score) in [
            ("ddddd", "p1win", "5 4"),
            ("dddd1", "draw", "4 4"),
            ("ddd2", "p2win", "3 4"),
        ] {
            for side in ["d", "t"] {
                engine.position(&format!(
                    "*****5*****/{far}/*****{dwarfs}***** {side} 200 150"
                ));
                assert_eq!(engine.ask("result"), result);
                assert_eq!(engine.ask("reason"), "quiet-limit");
                assert_eq!(engine.ask("score"), score);
            }
            engine.accept("setoption name RepetitionLimit value 2");
            engine.accept(&format!(
                "position fen *****5*****/{far}/*****{dwarfs}***** d 0 1 moves f1f2 a7a8 f2f1 a8a7"
            ));
            assert_eq!(engine.ask("result"), result);
            assert_eq!(engine.ask("reason"), "repetition");
            engine.accept("setoption name RepetitionLimit value -1");
        }
    }
}

/// `--variant`, `--hash`, `--threads` and `--log` set what the engine starts with.
#[test]
fn command_line_sets_what_it_starts_with() {
    for v in &VARIANTS {
        let mut engine = Engine::start(&["--variant", v.name, "--hash", "2", "--threads", "2"]);
        assert_eq!(engine.ask("variant"), v.name);
        assert_eq!(engine.ask("fen"), v.start);
        engine.go("nodes 1000").sound();
        engine.accept("ucinewgame");
        assert_eq!(engine.ask("variant"), v.name);
    }
    let path = std::env::temp_dir().join(format!("huscarl log {}.txt", std::process::id()));
    let mut engine = Engine::start(&["--log", &path.display().to_string()]);
    assert_eq!(engine.ask("variant"), "thud");
    engine.finish();
    let log = std::fs::read_to_string(&path).expect("the log file is there");
    let _ = std::fs::remove_file(&path);
    assert!(
        log.contains("query variant") && log.contains("response thud") && log.contains("readyok"),
        "{log}"
    );
}
