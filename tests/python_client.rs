//! Runs the reference client `tools/client.py` as a user would: a whole game of every variant, and engines that fail it.

use std::process::{Command, Output};

const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/client.py");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md");
const ENGINE: &str = env!("CARGO_BIN_EXE_huscarl");

/// The client's output when run with an engine and further arguments.
fn client(engine: &str, arguments: &[&str]) -> Output {
    Command::new("python3")
        .arg(CLIENT)
        .args(["--engine", engine])
        .args(arguments)
        .output()
        .unwrap_or_else(|error| {
            panic!("could not start `python3` ({error}): this test needs Python 3 on the PATH")
        })
}

/// Plays a game and checks what the client tells of it.
fn play(variant: &str, side: &str) {
    let arguments = [
        "--variant",
        variant,
        "--side",
        side,
        "--seed",
        "7",
        "--nodes",
        "100",
    ];
    let output = client(ENGINE, &arguments);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{arguments:?}: {}\n{stdout}{stderr}",
        output.status
    );
    assert!(
        stderr.is_empty(),
        "{arguments:?}: errors on the way: {stderr}"
    );
    let last = stdout.lines().last().unwrap_or_default();
    let words: Vec<_> = last.split_whitespace().collect();
    let [
        "result",
        result,
        "reason",
        reason,
        "score",
        ..,
        "plies",
        plies,
    ] = words[..]
    else {
        panic!("{arguments:?}: the last line tells no result: {last}");
    };
    assert!(["p1win", "p2win", "draw"].contains(&result), "{last}");
    assert!(
        [
            "king-escaped",
            "king-captured",
            "no-moves",
            "repetition",
            "quiet-limit"
        ]
        .contains(&reason),
        "{last}"
    );
    assert_eq!(plies.parse(), Ok(stdout.lines().count() - 1), "{last}");
}

#[test]
fn plays_thud() {
    play("thud", "1");
    play("thud", "2");
}

#[test]
fn plays_thud_by_the_rulebook() {
    play("thud-rulebook", "1");
    play("thud-rulebook", "2");
}

#[test]
fn plays_tawlbwrdd() {
    play("tawlbwrdd", "1");
    play("tawlbwrdd", "2");
}

#[test]
fn plays_the_bell_start_of_tawlbwrdd() {
    play("tawlbwrdd-bell", "1");
    play("tawlbwrdd-bell", "2");
}

#[test]
fn plays_hnefatafl7() {
    play("hnefatafl7", "1");
    play("hnefatafl7", "2");
}

#[test]
fn reports_what_it_can_not_play() {
    for (engine, arguments) in [
        (ENGINE, &["--variant", "chess"][..]),
        ("/no/such/engine", &[]),
        // An engine that ends before it answers.
        ("true", &[]),
    ] {
        let output = client(engine, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{engine} {arguments:?}: {stderr}"
        );
        assert!(
            stderr.contains("client.py: "),
            "{engine} {arguments:?}: {stderr}"
        );
    }
}

#[test]
fn is_short() {
    let client = std::fs::read_to_string(CLIENT).expect("the client is there");
    assert!(
        client.lines().count() < 80,
        "{} lines",
        client.lines().count()
    );
}

/// The page shows parts of the client; they must be the client's.
#[test]
fn is_quoted_faithfully() {
    let client = std::fs::read_to_string(CLIENT).expect("the client is there");
    let page = std::fs::read_to_string(PAGE).expect("protocol.md is there");
    let quotes: Vec<_> = page
        .split("\n```python\n")
        .skip(1)
        .map(|rest| rest.split("\n```\n").next().unwrap_or_default())
        .collect();
    assert!(
        !quotes.is_empty(),
        "protocol.md quotes no part of the client"
    );
    for quote in quotes {
        assert!(client.contains(quote), "not in tools/client.py:\n{quote}");
    }
}
