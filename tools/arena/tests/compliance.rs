//! The compliance checks against the engine, which passes them, and against engines with a fault, which do not.

mod built;
mod common;

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The engine and the faulty engine.
fn engines() -> &'static (PathBuf, PathBuf) {
    static ENGINES: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    ENGINES.get_or_init(|| {
        built::build(&["--package", "arena", "--example", "faulty"]);
        let faulty = format!("examples/faulty{}", std::env::consts::EXE_SUFFIX);
        (built::engine(), built::built().join(faulty))
    })
}

/// Runs checks; whether the arena was content, and what it printed.
fn run(command: &str, more: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["compliance", "--engine", &format!("cmd={command}")])
        .args(more)
        .output()
        .expect("the arena starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), text + &errors)
}

/// Patience for a machine that is busy otherwise.
const PATIENT: [&str; 2] = ["--timeout", "60000"];

#[test]
fn the_engine_passes() {
    let (engine, _) = engines();
    // In the other dialect only what has to do with dialects.
    for (words, only, least) in [("proto=uci", "", 150), ("proto=ugi", "mate", 3)] {
        let command = format!("{} {words}", engine.display());
        let (content, text) = run(&command, &[&["--only", only][..], &PATIENT].concat());
        assert!(content && !text.contains("FAIL "), "{text}");
        let passed = text
            .lines()
            .filter(|line| line.starts_with("pass "))
            .count();
        assert!(passed >= least, "{text}");
        assert!(!text.contains("\nskip "), "{text}");
    }
}

/// Faults of an engine, and a check that finds each.
const FOUND: [(&str, &str); 13] = [
    ("ignores-stop", "go infinite holds with a single reply"),
    ("ignores-limits", "RepetitionLimit 0 is off"),
    ("ignores-ponder", "go ponder holds in a won position"),
    ("plays-on", "without a position go answers"),
    ("plays-on", "without a position every query"),
    ("illegal-move", "go depth: a legal move"),
    ("long-pv", "go nodes: a legal move"),
    ("no-score", "go depth: a legal move"),
    ("twice", "every go has one bestmove"),
    ("more-words", "exactly two words"),
    ("wrong-mates", "uci: score mate"),
    ("hides-a-move", "begins at its start position"),
    ("dies", "an unknown word gets its error"),
];

#[test]
fn faults_are_found() {
    let (engine, faulty) = engines();
    for (fault, check) in FOUND {
        let sound = format!("{} none {}", faulty.display(), engine.display());
        let (passed, text) = run(&sound, &[&["--only", check][..], &PATIENT].concat());
        assert!(passed, "{check}: {text}");
        let broken = format!("{} {fault} {}", faulty.display(), engine.display());
        let (passed, text) = run(&broken, &["--only", check]);
        assert!(
            !passed && text.contains("FAIL "),
            "{fault}, {check}: {text}"
        );
    }
}

#[test]
fn without_a_hello_nothing_is_checked() {
    let (engine, faulty) = engines();
    let broken = format!("{} crlf {}", faulty.display(), engine.display());
    let (passed, text) = run(&broken, &[]);
    assert!(!passed && text.contains("says no hello"), "{text}");
    assert!(text.contains("ends with CR"), "{text}");
}

#[test]
fn what_is_no_engine_is_told() {
    let (passed, text) = run("/no/such/engine", &[]);
    assert!(!passed && text.contains("can not be started"), "{text}");
    let (passed, text) = run("/no/such/engine", &["--only", "nothing of the kind"]);
    assert!(!passed && text.contains("--list"), "{text}");
}

#[test]
fn checks_are_listed() {
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["compliance", "--list"])
        .output()
        .expect("the arena starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.lines().count() >= 100,
        "{text}"
    );
}

/// A process that the engine has started would sleep for ever.
#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_has_started_ends_with_it() {
    let word = format!("compliance-{}", std::process::id());
    let command = format!("{} child 0 {word}", common::FAKE);
    let only = ["--only", "stop and ponderhit with nothing to end"];
    let (content, text) = run(&command, &[&only[..], &PATIENT].concat());
    assert!(content && text.contains("1 passed"), "{text}");
    common::assert_no_process_left(&word);
}
