//! The command line: `--version`, `--help`, what the engine starts with, the subcommands, and bad arguments.

mod driver;

use driver::*;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs a command that ends by itself; stdin stays open and silent.
fn run(args: &[&str]) -> (Vec<String>, Option<i32>, String) {
    let mut engine = Engine::start(args);
    let (lines, code) = engine.end();
    // The reader of stderr may be a moment behind the end of the process.
    std::thread::sleep(A_WHILE / 2);
    let stderr = engine.stderr();
    (lines, code, stderr)
}

fn good(args: &[&str]) -> Vec<String> {
    let (lines, code, stderr) = run(args);
    assert_eq!(code, Some(0), "{args:?}: {lines:?} {stderr}");
    assert_eq!(stderr, "", "{args:?}");
    lines
}

/// Bad arguments: a message on stderr, nothing on stdout, an exit code that is not 0.
fn bad(args: &[&str]) -> String {
    let (lines, code, stderr) = run(args);
    assert!(code.is_some_and(|c| c != 0), "{args:?}: {code:?}");
    assert!(!stderr.trim().is_empty(), "{args:?}: a message");
    assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    assert_eq!(lines, [""; 0], "{args:?}");
    stderr
}

#[test]
fn version() {
    let lines = good(&["--version"]);
    assert!(
        lines[0].starts_with(&format!("huscarl {VERSION}")),
        "{lines:?}"
    );
}

#[test]
fn help() {
    let text = good(&["--help"]).join("\n");
    for word in [
        "--variant",
        "--hash",
        "--threads",
        "--log",
        "bench",
        "perft",
        "--version",
    ] {
        assert!(text.contains(word), "help says {word}:\n{text}");
    }
    for args in [&["perft", "--help"][..], &["bench", "--help"]] {
        assert!(good(args).len() > 3);
    }
    let text = good(&["perft", "--help"]).join("\n");
    assert!(text.contains("--fen") && text.contains("--divide"));
}

/// An empty argument is ignored.
#[test]
fn empty_arguments() {
    for args in [
        &[""][..],
        &["", ""],
        &["", "--variant", "hnefatafl7"],
        &["--variant", "hnefatafl7", ""],
        &["--hash", "1", "", "--threads", "1"],
    ] {
        let mut engine = Engine::start(args);
        let named = if args.contains(&"hnefatafl7") {
            "hnefatafl7"
        } else {
            "thud"
        };
        assert_eq!(engine.ask("variant"), named, "{args:?}");
        engine.go("depth 1").sound();
        engine.finish();
    }
    assert!(total(&good(&["", "perft", "", "hnefatafl7", "2", ""]), 960));
}

/// Is the count among the words of the output?
fn total(lines: &[String], count: u64) -> bool {
    let count = count.to_string();
    lines
        .iter()
        .any(|l| l.split_whitespace().any(|w| w == count))
}

/// The lines `move: count`.
fn root_moves(lines: &[String]) -> Vec<(String, u64)> {
    let like_a_move = |m: &str| {
        m.as_bytes()[0].is_ascii_lowercase() && m.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
    };
    lines
        .iter()
        .filter_map(|l| divided(l))
        .filter(|r| like_a_move(&r.0))
        .collect()
}

#[test]
fn perft() {
    for v in &VARIANTS {
        for depth in 1..=2 {
            let count = v.perft[depth - 1];
            let lines = good(&["perft", v.name, &depth.to_string()]);
            assert!(total(&lines, count), "{} {depth}: {lines:?}", v.name);
            assert_eq!(root_moves(&lines), [], "no root moves unasked");
        }
        let count = v.perft[1];
        let lines = good(&["perft", v.name, "2", "--divide"]);
        assert!(total(&lines, count), "{}: {lines:?}", v.name);
        let rows = root_moves(&lines);
        assert_eq!(rows.len() as u64, v.perft[0], "{}", v.name);
        assert_eq!(rows.iter().map(|r| r.1).sum::<u64>(), count, "{}", v.name);
    }
}

#[test]
fn perft_of_a_position() {
    let crowded = "*****d4*****/****d6****/***d8***/**d10**/*d12*/5d7Td/d6T7/7*d4d1/7ddd3d1/1TTTTTT6d1/*9d2d*/**11**/***9***/****7****/*****1ddd1***** t 0 1";
    for (args, count) in [
        (&["perft", "thud", "2", "--fen", crowded][..], 33_088),
        (&["perft", "thud-rulebook", "2", "--fen", crowded], 33_791),
        (
            &[
                "perft",
                "--fen",
                "4T2/5t1/1t1t3/tt1KT2/7/t6/3t3 a 1 8",
                "hnefatafl7",
                "2",
            ],
            673,
        ),
        (
            &[
                "perft",
                "hnefatafl7",
                "1",
                "--divide",
                "--fen",
                "7/7/7/2K4/1T5/7/1tT4 a 0 1",
            ],
            1,
        ),
        (
            &[
                "perft",
                "hnefatafl7",
                "3",
                "--fen",
                "K6/7/7/7/7/5t1/7 d 3 9",
            ],
            0,
        ),
    ] {
        let lines = good(args);
        assert!(total(&lines, count), "{args:?}: {lines:?}");
    }
}

/// `bench` ends with `N nodes M nps` on stdout; two processes count the same nodes.
#[test]
fn bench() {
    let counts = [0; 2].map(|_| {
        let lines = good(&["bench", "1"]);
        let last = lines.last().unwrap();
        let words = words(last);
        assert!(
            words.len() == 4 && words[1] == "nodes" && words[3] == "nps",
            "`{last}`"
        );
        assert!(words[2].parse::<u64>().is_ok());
        for v in &VARIANTS {
            assert!(
                lines.iter().any(|l| l.contains(v.name)),
                "nodes of {}: {lines:?}",
                v.name
            );
        }
        words[0].parse::<u64>().unwrap()
    });
    assert!(counts[0] > 0);
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn bad_arguments() {
    for (args, named) in [
        (&["--nonsense"][..], "nonsense"),
        (&["nonsense"], "nonsense"),
        (&["--variant"], "variant"),
        (&["--variant", "chess"], "chess"),
        (&["--hash", "abc"], "abc"),
        (&["--hash", "0"], "0"),
        (&["--hash", "1048577"], "1048577"),
        (&["--threads", "0"], "0"),
        (&["--threads", "1025"], "1025"),
        (&["--threads", "-1"], "1"),
        (
            &["--log", "/no/such/folder/at all/log.txt"],
            "/no/such/folder",
        ),
        (&["perft"], ""),
        (&["perft", "hnefatafl7"], ""),
        (&["perft", "chess", "2"], "chess"),
        (&["perft", "hnefatafl7", "x"], "x"),
        (&["perft", "hnefatafl7", "-1"], "1"),
        (&["perft", "hnefatafl7", "1", "2"], "2"),
        (&["perft", "hnefatafl7", "1", "--fen"], "fen"),
        (&["perft", "hnefatafl7", "1", "--fen", "nonsense"], ""),
        (
            &["perft", "hnefatafl7", "1", "--fen", "t6/7/7/7/7/7/K6 a 0 1"],
            "",
        ),
        (&["bench", "x"], "x"),
        (&["bench", "1", "2"], "2"),
    ] {
        assert!(
            bad(args).contains(named),
            "{args:?}: the message names {named}"
        );
    }
}
