//! The questions: each `query` and its one `response` line, `d`, `eval`, `bench`, `help`, `debug`.

mod driver;

use driver::*;

/// Every question of every game at the start and after a move.
#[test]
fn every_question() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            let score = if v.tafl { "none" } else { "32 32" };
            let [one, two, three, four] = v.shuffle;
            for plies in 0..4 {
                engine.accept(
                    format!("position startpos moves {}", v.shuffled(plies))
                        .trim_end_matches(" moves "),
                );
                assert_eq!(engine.ask("p1turn"), (plies % 2 == 0).to_string());
                assert_eq!(engine.ask("gameover"), "false");
                assert_eq!(engine.ask("result"), "none");
                assert_eq!(engine.ask("reason"), "none");
                assert_eq!(engine.ask("score"), score);
                assert_eq!(engine.ask("variant"), v.name);
                let fen = engine.ask("fen");
                assert!(
                    fen.ends_with(&format!(
                        " {} {plies} {}",
                        v.sides[plies % 2],
                        plies / 2 + 1
                    )),
                    "{fen}"
                );
                let moves = engine.moves();
                let next = [one, two, three, four][plies];
                assert!(moves.contains(&next.to_string()), "{next}");
                assert_eq!(engine.ask(&format!("islegal {next}")), "true");
                assert_eq!(engine.ask(&format!("captures {next}")), "none");
                assert_eq!(engine.ask("fen"), fen, "questions change nothing");
            }
            engine.accept("position startpos");
            assert_eq!(engine.ask("fen"), v.start);
            assert_eq!(engine.moves().len() as u64, v.perft[0]);
        }
    }
}

/// `query moves` gives each move once, in the text that `position` reads and `query islegal` knows.
#[test]
fn moves_are_what_position_reads() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for player in 0..2 {
            let fen = v.fen(player, 0);
            engine.position(&fen);
            let moves = engine.moves();
            let mut once = moves.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), moves.len(), "each once");
            let step = moves.len().div_ceil(40);
            for mv in moves.iter().step_by(step) {
                engine.position(&fen);
                assert_eq!(engine.ask(&format!("islegal {mv}")), "true", "{mv}");
                engine.accept(&format!("position fen {fen} moves {mv}"));
                assert_eq!(engine.ask("p1turn"), (player == 1).to_string());
            }
        }
    }
}

/// Game, position, move, other texts of it, and texts that are not.
type Texts = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Reading takes upper case, and captures that are written out in full.
#[test]
fn other_texts_of_a_move() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.accept(&format!(
            "position startpos moves {}",
            v.shuffled(4).to_uppercase()
        ));
        assert_eq!(
            engine.ask("fen"),
            format!("{} {} 4 3", v.rows(), v.sides[0])
        );
        engine.accept("position startpos");
        assert_eq!(
            engine.ask(&format!("islegal {}", v.shuffle[0].to_uppercase())),
            "true"
        );
    }
    let rows: [Texts; 3] = [
        (
            "hnefatafl7",
            "7/1K5/7/7/3T3/1tT1Tt1/3t3 a 0 1",
            "d1d2",
            &["d1d2xc2xd3xe2", "d1d2xe2xc2xd3", "D1D2XD3XE2XC2"],
            &[
                "d1d2xc2",
                "d1d2xc2xd3",
                "d1d2xc2xc2xe2",
                "d1d2xc2xd3xe2xe2",
                "d1d2x",
                "d1d2xb2",
            ],
        ),
        (
            "thud",
            "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/4ddd2T5/*13*/**11**/***9***/****7****/*****5***** d 0 1",
            "g6j6",
            &["g6j6xj6", "G6J6XJ6"],
            &["g6j6xi6", "g6j6xj6xj6"],
        ),
        (
            "thud",
            "*****5*****/****7****/***9***/**11**/*13*/15/15/3d3*7/4d10/d14/*2T10*/**1T9**/***T8***/****7****/*****5***** t 0 1",
            "d5d7xd8xe7",
            &["d5d7xe7xd8", "D5D7xE7xD8"],
            &["d5d7", "d5d7xd8xd8", "d5d7xe7xd8xe7", "d5d7xd8xe8"],
        ),
    ];
    for (name, fen, mv, good, bad) in rows {
        let mut engine = Engine::playing(name);
        engine.accept(&format!("position fen {fen} moves {mv}"));
        let after = engine.ask("fen");
        for text in good {
            engine.position(fen);
            assert_eq!(engine.ask(&format!("islegal {text}")), "true", "{text}");
            engine.accept(&format!("position fen {fen} moves {text}"));
            assert_eq!(engine.ask("fen"), after, "{text}");
        }
        for text in bad {
            engine.position(fen);
            assert_eq!(
                engine.ask_both(&format!("islegal {text}")).0,
                "false",
                "{text}"
            );
            engine.refuse(&format!("position fen {fen} moves {text}"));
            assert_eq!(engine.ask("reason"), "illegal-move");
            assert_eq!(engine.ask("fen"), fen);
        }
    }
}

/// MOVE or both counters may be left out when a position is read; all four fields are written.
#[test]
fn position_texts() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for (player, side) in v.sides.iter().enumerate() {
            for (given, written) in [
                ("", " 0 1"),
                (" 7", " 7 1"),
                (" 7 9", " 7 9"),
                (" 0 2", " 0 2"),
            ] {
                let rows = v.rows();
                engine.position(&format!("{rows} {side}{given}"));
                assert_eq!(engine.ask("fen"), format!("{rows} {side}{written}"));
                engine.accept(&format!(
                    "position fen {rows} {side}{given} moves {}",
                    v.shuffle[player]
                ));
                assert_eq!(engine.ask("p1turn"), (player == 1).to_string());
            }
            // MOVE grows after player 2.
            let at =
                |p: usize, quiet, number| format!("{} {} {quiet} {number}", v.rows(), v.sides[p]);
            engine.accept(&format!(
                "position fen {} moves {}",
                at(player, 3, 8),
                v.shuffle[player]
            ));
            assert!(engine.ask("fen").ends_with(&format!(" 4 {}", 8 + player)));
        }
    }
}

/// Questions about moves that are illegal or no moves.
#[test]
fn questions_about_bad_moves() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for bad in ["a1a1", "zz9", "x", "🐎", v.shuffle[2], "d4", "99"] {
            assert_eq!(
                engine.ask_both(&format!("islegal {bad}")).0,
                "false",
                "{bad}"
            );
            let (answer, errors) = engine.ask_both(&format!("captures {bad}"));
            assert_eq!(answer, "none", "{bad}");
            assert!(errors.iter().all(|e| e.contains(bad)), "{errors:?}");
        }
        for what in ["captures", "islegal", "", "nonsense", "Moves?", "legal"] {
            assert_eq!(engine.ask_wrongly(what), "none", "`query {what}`");
        }
        assert_eq!(engine.ask("fen"), v.start);
        assert_eq!(engine.ask("gameover"), "false");
    }
}

/// `d` shows the board with its fen and result, in every state.
#[test]
fn display() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let keys: Vec<String> = [0, 1, 4]
            .map(|plies| {
                engine.accept(
                    format!("position startpos moves {}", v.shuffled(plies))
                        .trim_end_matches(" moves "),
                );
                let fen = engine.ask("fen");
                engine.send("d");
                let lines = engine.sync();
                assert!(lines.iter().any(|l| l.contains(&fen)), "{lines:?}");
                assert!(
                    lines.len() >= v.rows().split('/').count() + 2,
                    "a board: {lines:?}"
                );
                assert!(
                    !lines
                        .iter()
                        .any(|l| l.starts_with("bestmove") || l.starts_with("response"))
                );
                let key = lines.iter().find(|l| l.to_lowercase().contains("key"));
                key.unwrap_or_else(|| engine.fail("a key")).clone()
            })
            .to_vec();
        assert_ne!(keys[0], keys[1], "another position, another key");
        assert_eq!(keys[0], keys[2], "the same position, the same key");
    }
    for (name, fen, _, reason) in FINISHED {
        let mut engine = Engine::playing(name);
        engine.position(fen);
        engine.send("d");
        let lines = engine.sync();
        assert!(
            lines.iter().any(|l| l.contains(reason)),
            "the reason {reason}: {lines:?}"
        );
    }
}

/// `eval` says the terms of the static evaluation and changes nothing.
#[test]
fn evaluation() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.send("eval");
        let lines = engine.sync();
        assert!(
            lines.iter().any(|l| l.chars().any(|c| c.is_ascii_digit())),
            "{lines:?}"
        );
        assert!(
            !lines
                .iter()
                .any(|l| l.starts_with(ERROR) || l.starts_with("bestmove"))
        );
        assert_eq!(engine.ask("fen"), v.start);
    }
    for (name, fen, _, _) in FINISHED {
        let mut engine = Engine::playing(name);
        engine.position(fen);
        engine.send("eval\nd");
        engine.sync();
        assert_eq!(engine.ask("gameover"), "true");
    }
}

/// `help` and `debug` are no errors and change nothing.
#[test]
fn help_and_debug() {
    let mut engine = Engine::new();
    engine.send("help");
    let lines = engine.sync();
    let text = lines.join("\n");
    for word in [
        "position",
        "go",
        "query",
        "setoption",
        "stop",
        "perft",
        "quit",
    ] {
        assert!(text.contains(word), "help says `{word}`:\n{text}");
    }
    assert!(
        !lines
            .iter()
            .any(|l| l.starts_with(ERROR) || l.starts_with("bestmove"))
    );
    for line in ["debug on", "debug off"] {
        engine.send(line);
        assert!(engine.sync().iter().all(|l| !l.starts_with(ERROR)));
        engine.go("depth 1").sound();
    }
}

/// `N nodes M nps` at the end of a bench.
fn bench_nodes(engine: &mut Engine) -> u64 {
    // Not by `isready`, which a running bench may answer at once.
    let mut last = engine.expect("");
    while !last.ends_with(" nps") || words(&last).len() != 4 {
        last = engine.expect("");
    }
    let words = words(&last);
    assert!(words.len() == 4 && words[1] == "nodes", "`{last}`");
    assert!(words[2].parse::<u64>().is_ok(), "`{last}`");
    words[0]
        .parse()
        .unwrap_or_else(|_| panic!("plain digits: `{last}`"))
}

/// `bench N` searches positions of every game; two runs in one process agree, whatever came before, and the game is as it was.
#[test]
fn bench() {
    let mut engine = Engine::playing("tawlbwrdd");
    engine.accept("position startpos moves f10e10");
    let fen = engine.ask("fen");
    engine.send("bench 1");
    let first = bench_nodes(&mut engine);
    assert!(first > 0);
    assert_eq!(engine.ask("fen"), fen, "the game is as it was");
    assert_eq!(engine.ask("variant"), "tawlbwrdd");
    engine.go("depth 2").sound();
    engine.send("bench 1");
    assert_eq!(bench_nodes(&mut engine), first, "two runs agree");
    engine.send("bench 2");
    assert!(bench_nodes(&mut engine) > first, "deeper is more");
    engine.accept("setoption name Hash value 1");
    engine.send("bench 1");
    bench_nodes(&mut engine);
    engine.send("bench x");
    engine.expect(ERROR);
}
