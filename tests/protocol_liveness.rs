//! Order and liveness: what is answered at once while a search runs, what waits for it, whole and flushed lines, the end of
//! input and `quit`. The stop words themselves are in `protocol_stop.rs`.

mod driver;

use driver::*;

/// "`isready` while searching": answered at once, the search goes on undisturbed.
#[test]
fn isready_while_searching() {
    for dialect in DIALECTS {
        let mut engine = Engine::greeted(dialect);
        for v in &VARIANTS {
            engine.play(v.name);
            for player in 0..2 {
                engine.position(&v.fen(player, 0));
                engine.send("go infinite");
                engine.still_searching();
                engine.still_searching();
                engine.send("stop");
                engine.answer().sound();
                assert_eq!(engine.sync(), [""; 0], "one bestmove");
            }
        }
    }
}

/// "`isready` stopped the search": it must not. The same search with and without them comes to the same end.
#[test]
fn isready_does_not_stop_the_search() {
    for v in &VARIANTS {
        let mut plain = Engine::playing(v.name);
        let calm = plain.go("nodes 20000");
        let mut asked = Engine::playing(v.name);
        asked.send(&format!("go nodes 20000{}", "\nisready".repeat(20)));
        let mut lines = Vec::new();
        let (mut ready, mut best) = (0, None);
        while ready < 20 || best.is_none() {
            let line = asked.expect("");
            match words(&line)[0] {
                "readyok" => ready += 1,
                "bestmove" => best = Some(line),
                _ => lines.push(line),
            }
        }
        assert_eq!(best.unwrap(), calm.best, "{}", v.name);
        assert_eq!(lines.len(), calm.lines.len(), "{}", v.name);
    }
}

/// "two threads print at once (`0readyok`)": every line is whole.
#[test]
fn every_line_is_written_whole() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        engine.accept("setoption name Threads value 4\nsetoption name MultiPV value 5");
        engine.send("go infinite");
        for _ in 0..50 {
            engine.send("isready\nisready\nisready\nisready\nuci");
        }
        engine.send("stop");
        let mut lines = engine.lines_until("bestmove");
        lines.extend(engine.sync());
        assert_eq!(
            lines.iter().filter(|l| *l == "readyok").count(),
            200,
            "{}",
            v.name
        );
        assert_eq!(
            lines.iter().filter(|l| *l == "uciok").count(),
            50,
            "{}",
            v.name
        );
        for line in &lines {
            match words(line)[0] {
                "readyok" | "uciok" => assert!(!line.contains(' ')),
                "id" | "option" | "bestmove" => assert!(!line.ends_with(' '), "{line}"),
                "info" if line.starts_with("info string") => {}
                "info" => drop(Info::read(line)),
                _ => engine.fail(&format!("not a whole line: `{line}`")),
            }
        }
    }
}

/// "output not flushed on a pipe": lines come though the process goes on and nothing more is asked.
#[test]
fn each_line_is_flushed() {
    let mut engine = Engine::new();
    for (asked, answer) in [
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("query fen", "response"),
        ("go infinite", "info depth"),
    ] {
        engine.send(asked);
        engine.expect(answer);
    }
    engine.send("stop");
    engine.expect("bestmove");
    engine.send("go perft 1");
    engine.expect("Nodes searched: 656");
    engine.send("nonsense");
    engine.expect(ERROR);
}

/// Commands that need an idle engine wait, in order, until the search has answered; `isready` does not wait for them.
#[test]
fn commands_wait_for_the_search_in_order() {
    for v in &VARIANTS {
        let mut engine = Engine::playing(v.name);
        let first = engine.moves();
        let moved = format!("position startpos moves {}", v.shuffle[0]);
        engine.send("go infinite");
        engine.send(&moved);
        engine.send(&format!(
            "query fen\nd\neval\nmoves {}\nquery p1turn\nucinewgame\nquery fen",
            v.shuffle[1]
        ));
        engine.send("setoption name No Such Option value 1\nquery variant\nbench 1\nisready");
        let mut lines = engine.lines_until("readyok");
        lines.pop();
        assert!(
            lines
                .iter()
                .all(|l| l.starts_with("info ") && !l.starts_with(ERROR)),
            "{lines:?}"
        );
        engine.no_bestmove_for(A_WHILE);
        engine.send("stop");
        let answer = engine.answer();
        assert!(answer.errors.is_empty());
        assert!(
            first.contains(&answer.sound().to_string()),
            "the answer is for the first position"
        );
        let fen = engine.expect("response ");
        assert_ne!(fen, format!("response {}", v.start));
        assert_eq!(engine.expect("response "), "response true");
        assert_eq!(engine.expect("response "), format!("response {}", v.start));
        assert!(engine.expect(ERROR).contains("No Such Option"));
        assert_eq!(engine.expect("response "), format!("response {}", v.name));
    }
}

/// `isready` to an idle engine is the last of what was asked before it, errors included.
#[test]
fn readyok_comes_after_everything_before_it() {
    let mut engine = Engine::new();
    engine.send("position fen nonsense\nsetoption name Nonsense\nquery fen\nnonsense\nisready");
    let lines = engine.lines_until("readyok");
    assert_eq!(
        lines.iter().filter(|l| l.starts_with("response")).count(),
        1
    );
    assert!(
        lines.iter().filter(|l| l.starts_with(ERROR)).count() >= 3,
        "{lines:?}"
    );
    assert_eq!(engine.sync(), [""; 0], "nothing after it");
}

/// `uci`, `ugi`, `help` and `debug` act at once in a search, and leave it alone.
#[test]
fn some_words_act_at_once_in_a_search() {
    let mut engine = Engine::new();
    engine.send("go infinite\nposition startpos\nuci\nisready");
    let lines = engine.lines_until("uciok");
    assert!(!lines.iter().any(|l| l.starts_with("bestmove")));
    engine.expect("readyok");
    engine.send("help\nisready");
    let lines = engine.lines_until("readyok");
    assert!(
        lines
            .iter()
            .any(|l| !l.starts_with("info depth") && l != "readyok"),
        "help says something"
    );
    assert!(
        !lines.iter().any(|l| l.starts_with(ERROR)),
        "help is no error"
    );
    engine.send("debug on\ndebug off");
    engine.still_searching();
    engine.send("ugi");
    let lines = engine.lines_until("ugiok");
    assert!(!lines.iter().any(|l| l.starts_with("bestmove")));
    engine.send("stop");
    engine.answer().sound();
}

/// "stdin closed, idle or in search": each `go` has its `bestmove`, then exit code 0.
#[test]
fn end_of_input() {
    let cases: [(&str, usize); 14] = [
        ("", 0),
        ("uci", 0),
        ("isready", 0),
        ("go depth 2", 1),
        ("go infinite", 1),
        ("go ponder", 1),
        ("go ponder movetime 100000", 1),
        ("go movetime 100000", 1),
        ("go wtime 1000000 btime 1000000", 1),
        ("go infinite\ngo infinite\ngo ponder\ngo depth 2", 4),
        ("position fen nonsense\ngo infinite", 1),
        ("go perft 9", 0),
        ("bench 60", 0),
        ("go infinite\nposition startpos\ngo infinite\nquery fen", 2),
    ];
    for v in &VARIANTS {
        for (lines, answers) in cases {
            let mut engine = Engine::playing(v.name);
            engine.raw(lines.as_bytes());
            let said = engine.finish();
            let best: Vec<&String> = said.iter().filter(|l| l.starts_with("bestmove")).collect();
            assert_eq!(best.len(), answers, "{} `{lines}`: {said:?}", v.name);
            let none = lines.contains("nonsense");
            assert!(
                best.iter().all(|b| (*b == "bestmove (none)") == none),
                "{} `{lines}`: {best:?}",
                v.name
            );
            let responses = said.iter().filter(|l| l.starts_with("response")).count();
            assert_eq!(
                responses,
                lines.matches("query").count(),
                "what waits is still answered"
            );
        }
    }
}

/// End of input while the search is known to run, with one thread and with several.
#[test]
fn end_of_input_in_a_running_search() {
    for threads in [1, 4] {
        for v in &VARIANTS {
            let mut engine = Engine::playing(v.name);
            engine.accept(&format!("setoption name Threads value {threads}"));
            engine.send("go infinite");
            engine.expect("info depth");
            let said = engine.finish();
            assert_eq!(
                said.iter().filter(|l| l.starts_with("bestmove")).count(),
                1,
                "{}",
                v.name
            );
        }
    }
}

/// `quit` does the same although stdin stays open.
#[test]
fn quit() {
    let cases: [(&str, usize); 7] = [
        ("quit", 0),
        ("uci\nquit", 0),
        ("go depth 2\nquit", 1),
        ("go infinite\nquit", 1),
        ("go infinite\ngo depth 3\ngo ponder\nquit", 3),
        ("go perft 9\nquit", 0),
        ("bench 60\nquit", 0),
    ];
    for v in &VARIANTS {
        for (lines, answers) in cases {
            let mut engine = Engine::playing(v.name);
            engine.send(lines);
            let (said, code) = engine.end();
            assert_eq!(code, Some(0), "{} `{lines}`", v.name);
            let best = said
                .iter()
                .filter(|l| l.starts_with("bestmove") && *l != "bestmove (none)")
                .count();
            assert_eq!(best, answers, "{} `{lines}`: {said:?}", v.name);
        }
    }
}

/// A piped one-liner: several questions, no newline at the end, everything answered in order.
#[test]
fn piped_one_liner() {
    for v in &VARIANTS {
        let mut engine = Engine::new();
        engine.raw(format!("setoption name UCI_Variant value {}\nposition startpos moves {}\ngo depth 1\nquery p1turn", v.name, v.shuffle[0]).as_bytes());
        let said = engine.finish();
        let order: Vec<&str> = said
            .iter()
            .map(|l| words(l)[0])
            .filter(|w| *w != "info")
            .collect();
        assert_eq!(order, ["bestmove", "response"], "{said:?}");
        assert!(said.iter().any(|l| l.contains(" score ")), "{said:?}");
        assert_eq!(said.last().unwrap(), "response false");
    }
}

/// Nothing goes to stderr by default.
#[test]
fn stderr_is_silent() {
    let mut engine = Engine::new();
    engine.send(
        "uci\nnonsense\nposition fen nonsense\ngo depth 1\nposition startpos\ngo depth 1\nd\neval",
    );
    engine.sync();
    engine.finish();
    assert_eq!(engine.stderr(), "");
}
