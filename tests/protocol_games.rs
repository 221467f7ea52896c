//! Games and their ends: finished games, games that only limits have ended, illegal moves in lists, what the search knows of
//! them, and that each report of a search is sound.

mod driver;

use driver::*;

/// "`go` in a finished position": `bestmove (none)`, the process lives on; further moves are an error that changes nothing.
#[test]
fn finished_games() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for (name, fen, result, reason) in FINISHED {
            engine.play(name);
            engine.position(fen);
            for _ in 0..2 {
                assert_eq!(engine.ask("gameover"), "true", "{fen}");
                assert_eq!(engine.ask("result"), result, "{fen}");
                assert_eq!(engine.ask("reason"), reason, "{fen}");
                assert_eq!(engine.ask("moves"), "none");
                assert_eq!(engine.ask_both("islegal a1a2").0, "false");
                assert!(engine.ask("fen").starts_with(fen));
                for words in [
                    "depth 3",
                    "nodes 100",
                    "movetime 10",
                    "wtime 100 btime 100",
                    "depth 0",
                    "p1time 10 p2time 10",
                    "depth 1 offer",
                ] {
                    engine.go(words).none();
                    assert_eq!(engine.sync(), [""; 0]);
                }
                engine.refuse(&format!("position fen {fen} moves a1a2"));
                assert_eq!(
                    engine.ask("reason"),
                    reason,
                    "no illegal move in a finished game"
                );
                engine.refuse("moves a1a2 f1f2");
            }
            engine.accept("position startpos");
            engine.go("depth 1").sound();
        }
    }
}

/// A game that a move of the list finishes: the moves after it are an error that changes nothing.
#[test]
fn moves_after_the_end() {
    for (name, fen, best) in WON {
        let mut engine = Engine::playing(name);
        engine.accept(&format!("position fen {fen} moves {best}"));
        let state = ["fen", "result", "reason", "score", "gameover"].map(|what| engine.ask(what));
        assert_eq!(state[4], "true");
        assert_ne!(state[1], "none");
        engine.go("depth 2").none();
        for line in [
            format!("position fen {fen} moves {best} a1a2 a2a1"),
            "moves a1a2".into(),
            format!("moves {best}"),
        ] {
            engine.refuse(&line);
            assert_eq!(
                ["fen", "result", "reason", "score", "gameover"].map(|what| engine.ask(what)),
                state,
                "{name} `{line}`"
            );
            engine.go("depth 2").none();
        }
    }
}

/// "an illegal move in the list": error that names the move and its ply; the game is lost for the side that made it.
#[test]
fn illegal_moves_in_lists() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            let empty = v.shuffle[0];
            for bad in [
                "a1a1", "zz99", "x", "🐎", "h8h9", "d4", "--", "a1a2xa3", "99", "d1d2d3", empty,
            ] {
                for plies in 0..4 {
                    if bad == empty && plies == 0 {
                        continue; // legal there
                    }
                    let list = format!("{} {bad} {}", v.shuffled(plies), v.shuffle[0]);
                    engine.accept(
                        format!("position startpos moves {}", v.shuffled(plies))
                            .trim_end_matches(" moves "),
                    );
                    let fen = engine.ask("fen");
                    let error = engine.refuse(&format!("position startpos moves {}", list.trim()));
                    assert!(error.contains(bad), "`{error}` names `{bad}`");
                    let ply = (plies + 1).to_string();
                    let numbers: Vec<&str> =
                        error.split(|c: char| !c.is_ascii_alphanumeric()).collect();
                    assert!(numbers.contains(&ply.as_str()), "`{error}` names ply {ply}");
                    assert_eq!(error.lines().count(), 1, "the rest is dropped");
                    for _ in 0..2 {
                        assert_eq!(engine.ask("fen"), fen, "the position stays");
                        assert_eq!(engine.ask("gameover"), "true");
                        assert_eq!(engine.ask("result"), ["p2win", "p1win"][plies % 2]);
                        assert_eq!(engine.ask("reason"), "illegal-move");
                        assert_eq!(engine.ask("moves"), "none");
                        engine.go("depth 1").none();
                    }
                    engine.accept(
                        format!("position startpos moves {}", v.shuffled(plies))
                            .trim_end_matches(" moves "),
                    );
                    assert_ne!(
                        engine.ask("reason"),
                        "illegal-move",
                        "a good list is a good game again"
                    );
                    // The same by `moves`.
                    assert!(engine.refuse(&format!("moves {bad}")).contains(bad));
                    assert_eq!(engine.ask("reason"), "illegal-move");
                    assert_eq!(engine.ask("fen"), fen);
                    engine.go("movetime 10").none();
                }
            }
        }
    }
}

/// "`go` in a position drawn by repetition" (or ended by the quiet limit): a legal move all the same; the result stays.
#[test]
fn results_of_limits_stay() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        for (option, reason) in [
            ("RepetitionLimit value 2", "repetition"),
            ("QuietLimit value 4", "quiet-limit"),
        ] {
            engine.accept(
                "setoption name RepetitionLimit value 0\nsetoption name QuietLimit value 0",
            );
            engine.accept(&format!("setoption name {option}"));
            engine.accept(&format!("position startpos moves {}", v.shuffled(3)));
            assert_eq!(engine.ask("gameover"), "false");
            engine.accept(&format!("moves {}", v.shuffle[3]));
            let legal = engine.moves();
            assert_eq!(legal.len() as u64, v.perft[0], "the moves are still given");
            let other = legal.iter().find(|m| *m != v.shuffle[0]).unwrap().clone();
            for more in ["", v.shuffle[0], v.shuffle[1]] {
                if !more.is_empty() {
                    engine.accept(&format!("moves {more}"));
                }
                assert_eq!(engine.ask("gameover"), "true", "{} {reason}", v.name);
                assert_eq!(engine.ask("result"), "draw");
                assert_eq!(engine.ask("reason"), reason);
                let legal = engine.moves();
                for words in ["depth 1", "nodes 300", "movetime 10"] {
                    assert!(legal.contains(&engine.go(words).sound().to_string()));
                }
            }
            engine.accept(&format!(
                "position startpos moves {} {other}",
                v.shuffled(4)
            ));
            assert_eq!(
                engine.ask("reason"),
                reason,
                "also when a new position follows"
            );
            engine.accept("position startpos");
            assert_eq!(engine.ask("reason"), "none");
        }
    }
}

/// "repetition known only from the move list": the search knows it. The move that repeats is worth a draw, and the variation
/// ends there; without the history it goes on.
#[test]
fn repetition_known_from_the_list() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.accept("setoption name QuietLimit value 0");
        for limit in [2, 3, 4] {
            engine.accept(&format!("setoption name RepetitionLimit value {limit}"));
            let plies = 4 * (limit - 1) - 1;
            let back = v.shuffle[3];
            for list in [
                format!("startpos moves {}", v.shuffled(plies)),
                format!("fen {} moves {}", v.start, v.shuffled(plies)),
            ] {
                engine.accept(&format!("position {list}"));
                for depth in 1..=2 {
                    let search = engine.go(&format!("depth {depth} searchmoves {back}"));
                    assert_eq!(search.sound(), back);
                    assert_eq!(
                        search.score(),
                        Score::Cp(0),
                        "{} limit {limit} depth {depth}",
                        v.name
                    );
                    assert_eq!(search.last().pv, [back], "the game ends there");
                }
            }
            let fen = engine.ask("fen");
            engine.accept("ucinewgame");
            engine.position(&fen);
            let search = engine.go(&format!("depth 2 searchmoves {back}"));
            assert!(
                search.last().pv.len() > 1,
                "without the history the game goes on: {search:?}"
            );
        }
    }
}

/// The quiet limit, too: every quiet move of the last ply ends the game as it stands.
#[test]
fn quiet_limit_known_to_the_search() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.accept("setoption name QuietLimit value 60");
        for player in 0..2 {
            engine.position(&v.fen(player, 59));
            let search = engine.go("depth 2");
            search.sound();
            assert_eq!(search.score(), Score::Cp(0), "{} player {player}", v.name);
            assert_eq!(search.last().pv.len(), 1, "{} player {player}", v.name);
        }
    }
    for name in ["thud", "thud-rulebook"] {
        let mut engine = Engine::playing(name);
        for (side, score) in [("d", 100), ("t", -100)] {
            engine.position(&format!("*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/T14/15/*13*/**11**/***9***/****7****/*****ddddd***** {side} 199 120"));
            let search = engine.go("depth 2");
            assert_eq!(search.score(), Score::Cp(score));
            assert_eq!(search.last().pv.len(), 1);
        }
    }
}

/// Plays a variation on the board of an arbiter: every move legal, no move after the end.
fn replay(arbiter: &mut Engine, position: &str, pv: &[String]) {
    arbiter.accept(position);
    let over = arbiter.ask("gameover") == "true";
    for (ply, mv) in pv.iter().enumerate() {
        if !over && ply > 0 {
            let told = format!(
                "`{}` in `{position}` goes on after its end at ply {ply}",
                pv.join(" ")
            );
            assert_eq!(arbiter.ask("gameover"), "false", "{told}");
        }
        assert_eq!(
            arbiter.ask(&format!("islegal {mv}")),
            "true",
            "`{mv}` of `{}` in `{position}`",
            pv.join(" ")
        );
        arbiter.accept(&format!("moves {mv}"));
    }
}

/// Every field of every `info` line is there and in its range.
fn sound_infos(search: &Search) {
    let mut depth = 0;
    for info in &search.infos {
        if info.score.is_none() {
            continue;
        }
        let all = [
            info.depth,
            info.seldepth,
            info.nodes,
            info.nps,
            info.hashfull,
            info.time,
        ];
        assert!(
            all.iter().all(|n| n.is_some_and(|n| n >= 0)),
            "all fields: {info:?}"
        );
        assert!(!info.pv.is_empty(), "a variation: {info:?}");
        assert!(info.hashfull.unwrap() <= 1000, "{info:?}");
        assert!(info.depth.unwrap() >= depth, "depth grows: {search:?}");
        depth = info.depth.unwrap();
    }
}

/// "PV runs past the end of the game, or has an illegal tail": in games of every variant each report is sound: PV[0] of the
/// last is the `bestmove`, each PV is legal and stops where the game does.
#[test]
fn reports_of_whole_games() {
    for dialect in DIALECTS {
        for v in &VARIANTS {
            let mut engine = Engine::greeted(dialect);
            engine.play(v.name);
            engine.accept("setoption name MultiPV value 2");
            let mut arbiter = Engine::playing(v.name);
            let mut random = fastrand::Rng::with_seed(11);
            let mut position = "position startpos".to_string();
            for ply in 0..40 {
                engine.accept(&position);
                if engine.ask("gameover") == "true" {
                    break;
                }
                let legal = engine.moves();
                let search = engine.go(if v.tafl { "nodes 2500" } else { "nodes 1500" });
                let best = search.sound().to_string();
                sound_infos(&search);
                for info in search
                    .infos
                    .iter()
                    .filter(|i| i.depth >= search.last().depth.map(|d| d - 1))
                {
                    replay(&mut arbiter, &position, &info.pv);
                }
                if ply == 0 {
                    position.push_str(" moves");
                }
                // Some moves at random, so that games differ.
                let mv = if ply < 4 || ply % 7 == 3 {
                    &legal[random.usize(..legal.len())]
                } else {
                    &best
                };
                position = format!("{position} {mv}");
            }
        }
    }
}

/// The same where a game is about to end: wins, losses, single replies.
#[test]
fn reports_at_the_end_of_games() {
    let endings = WON
        .iter()
        .map(|w| (w.0, w.1))
        .chain(SINGLE.iter().map(|s| (s.0, s.1)));
    for (name, fen) in endings.chain([("hnefatafl7", LOST), ("hnefatafl7", MATE_IN_TWO)]) {
        let mut engine = Engine::playing(name);
        let mut arbiter = Engine::playing(name);
        engine.position(fen);
        for words in [
            "depth 1",
            "depth 3",
            "depth 5 nodes 20000",
            "nodes 3000",
            "movetime 20",
            "wtime 100 btime 100",
        ] {
            let search = engine.go(words);
            search.sound();
            sound_infos(&search);
            for info in &search.infos {
                replay(&mut arbiter, &format!("position fen {fen}"), &info.pv);
            }
        }
    }
}

/// "a single reply" is the answer under every limit.
#[test]
fn a_single_reply() {
    for (name, fen, best) in SINGLE {
        let mut engine = Engine::playing(name);
        engine.position(fen);
        assert_eq!(engine.ask("moves"), best);
        for words in [
            "depth 3",
            "nodes 1",
            "movetime 100000",
            "wtime 1000000 btime 1000000",
            "wtime -1 btime -1",
        ] {
            assert_eq!(engine.go_with_errors(words).sound(), best, "`{words}`");
        }
    }
}

/// With `Ponder` on `bestmove` may name the reply it expects, legal after the move; else it has exactly two words.
#[test]
fn ponder_moves() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let mut arbiter = Engine::playing(v.name);
        for option in [
            "",
            "setoption name Ponder value true",
            "setoption name Ponder value false",
        ] {
            engine.send(option);
            for plies in 0..4 {
                let position = format!("position startpos moves {}", v.shuffled(plies));
                let position = position.trim_end_matches(" moves ");
                engine.accept(position);
                let search = engine.go("depth 2");
                let told = words(&search.best);
                if option.contains("true") && told.len() != 2 {
                    assert_eq!((told.len(), told[2]), (4, "ponder"), "{}", search.best);
                    replay(&mut arbiter, position, &[told[1].into(), told[3].into()]);
                    assert_eq!(search.last().pv[..2], [told[1], told[3]]);
                } else {
                    search.sound();
                }
            }
        }
    }
    let mut engine = Engine::playing("hnefatafl7");
    engine.accept("setoption name Ponder value true");
    for (_, fen, _) in WON.iter().filter(|w| w.0 == "hnefatafl7") {
        engine.position(fen);
        assert_eq!(
            words(&engine.go("depth 3").best).len(),
            2,
            "no reply after the end"
        );
    }
}

/// A depth- or node-limited search on one thread is reproducible but for time and nps, in two processes and after `ucinewgame`.
#[test]
fn reproducible_searches() {
    fn run(engine: &mut Engine, v: &Variant) -> Vec<String> {
        let mut all = Vec::new();
        engine.accept("ucinewgame");
        for (position, words) in [
            (
                "position startpos".to_string(),
                if v.tafl { "depth 3" } else { "depth 2" },
            ),
            (
                format!("position startpos moves {}", v.shuffled(2)),
                "nodes 5000",
            ),
            (
                format!("position startpos moves {}", v.shuffled(3)),
                "nodes 20000",
            ),
        ] {
            engine.accept(&position);
            let search = engine.go(words);
            for line in search.lines.iter().chain([&search.best]) {
                let mut kept = words_without(line, &["time", "nps"]);
                kept.push('\n');
                all.push(kept);
            }
        }
        all
    }
    fn words_without(line: &str, keys: &[&str]) -> String {
        let words = words(line);
        let timed = |i: usize| keys.contains(&words[i]) || (i > 0 && keys.contains(&words[i - 1]));
        (0..words.len())
            .filter(|i| !timed(*i))
            .map(|i| words[i])
            .collect::<Vec<_>>()
            .join(" ")
    }
    for dialect in DIALECTS {
        for v in &VARIANTS {
            let (mut one, mut other) = (Engine::greeted(dialect), Engine::greeted(dialect));
            one.play(v.name);
            other.play(v.name);
            let first = run(&mut one, v);
            assert_eq!(first, run(&mut other, v), "{}: two processes", v.name);
            assert_eq!(first, run(&mut one, v), "{}: after ucinewgame", v.name);
        }
    }
}
