//! Runs that are broken off: nothing is lost, nothing is different, and nothing is left running.

#![cfg(unix)]

mod common;

use common::{Scratch, command, engine, read, run, text, timeless};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const TWO: &str = "--rounds 12 --concurrency 2 --seed 7";

fn engines() -> [Vec<String>; 2] {
    [
        engine("one", "", 0, "nodes=1"),
        engine("three", "", 0, "nodes=3"),
    ]
}

fn resume(dir: &Path) -> Command {
    let mut command = Command::new(common::ARENA);
    command.arg("match").arg("--resume").arg(dir);
    command
}

#[test]
fn kills_change_no_game() {
    let scratch = Scratch::new("kills");
    let undisturbed = scratch.path("undisturbed");
    let output = run(&undisturbed, &engines(), TWO);
    assert!(output.status.success(), "{}", text(&output));
    let expected = timeless(&read(&undisturbed).1);
    let broken = scratch.path("broken");
    let mut random = fastrand::Rng::new();
    let mut kills = 0;
    while kills < 10 {
        let mut arena = match broken.join("games.jsonl").exists() {
            true => resume(&broken),
            false => command(&broken, &engines(), TWO),
        };
        arena.stdout(Stdio::null()).stderr(Stdio::null());
        let mut arena = arena.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.u64(1..400)));
        arena.kill().unwrap();
        arena.wait().unwrap();
        kills += 1;
    }
    if broken.join("games.jsonl").exists() {
        let output = resume(&broken).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
    } else {
        assert!(run(&broken, &engines(), TWO).status.success());
    }
    assert_eq!(timeless(&read(&broken).1), expected);
}

#[test]
fn a_torn_pair_is_played_again() {
    let scratch = Scratch::new("torn");
    let out = scratch.path("out");
    let output = run(&out, &engines(), TWO);
    assert!(output.status.success(), "{}", text(&output));
    let expected = timeless(&read(&out).1);
    let file = out.join("games.jsonl");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() * 2 / 3]).unwrap();
    let output = resume(&out).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(timeless(&read(&out).1), expected);
    // A finished run has nothing left to do.
    let before = std::fs::read(&file).unwrap();
    let output = resume(&out).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn stages_that_depend_on_results_are_the_same() {
    let scratch = Scratch::new("stages");
    let engines: Vec<Vec<String>> = (1..=5)
        .map(|nodes| engine(&format!("e{nodes}"), "", 0, &format!("nodes={nodes}")))
        .collect();
    for format in ["knockout", "swiss"] {
        let out = scratch.path(format);
        let flags = format!("--tournament {format} --rounds 2 --concurrency 2 --max-plies 60");
        let output = run(&out, &engines, &flags);
        assert!(output.status.success(), "{}", text(&output));
        let expected = timeless(&read(&out).1);
        let file = out.join("games.jsonl");
        let whole = std::fs::read(&file).unwrap();
        for part in 2..5 {
            std::fs::write(&file, &whole[..whole.len() * part / 5]).unwrap();
            let output = resume(&out).output().unwrap();
            assert!(output.status.success(), "{}", text(&output));
            assert_eq!(timeless(&read(&out).1), expected, "{format}");
        }
    }
}

#[test]
fn another_program_or_other_settings_are_refused() {
    let scratch = Scratch::new("refused");
    let program = scratch.path("engine");
    std::fs::copy(common::FAKE, &program).unwrap();
    let mut engines = engines();
    engines[1][1] = format!("cmd={}", program.display());
    let out = scratch.path("out");
    let output = run(&out, &engines, "--rounds 2");
    assert!(output.status.success(), "{}", text(&output));
    let output = resume(&out).args(["--seed", "8"]).output().unwrap();
    assert!(!output.status.success());
    assert!(
        text(&output).contains("other settings: seed"),
        "{}",
        text(&output)
    );
    let output = resume(&out).args(["--concurrency", "2"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let output = run(&out, &engines, "--rounds 2");
    assert!(
        text(&output).contains("holds a run already"),
        "{}",
        text(&output)
    );
    // Bytes after its end make another program that runs as before.
    let mut bytes = std::fs::read(&program).unwrap();
    bytes.push(0);
    std::fs::remove_file(&program).unwrap();
    std::fs::write(&program, bytes).unwrap();
    Command::new("chmod")
        .arg("+x")
        .arg(&program)
        .status()
        .unwrap();
    let output = resume(&out).output().unwrap();
    assert!(!output.status.success());
    assert!(
        text(&output).contains("engine 'three' is another program"),
        "{}",
        text(&output)
    );
    let output = resume(&scratch.path("nowhere")).output().unwrap();
    assert!(
        text(&output).contains("can not be read"),
        "{}",
        text(&output)
    );
}

/// A match that lasts, of engines that have children, all with a word of their own on their command lines.
#[cfg(target_os = "linux")]
fn lasting(dir: &Path, word: &str) -> std::process::Child {
    let more = format!("arg={word} nodes=1");
    let engines = [
        engine("a", "child", 0, &more),
        engine("b", "ignores-the-end", 0, &more),
    ];
    let mut command = command(
        dir,
        &engines,
        "--rounds 1000000 --concurrency 2 --max-plies 400",
    );
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[cfg(target_os = "linux")]
fn wait_for_a_pair(arena: &mut std::process::Child, dir: &Path) {
    let file = dir.join("games.jsonl");
    let lines = || std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    while lines() < 2 {
        assert_eq!(arena.try_wait().unwrap(), None, "the arena ended too soon");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_outlives_a_kill() {
    let scratch = Scratch::new("orphans");
    for round in 0..3 {
        let word = format!("orphan-{}-{round}", std::process::id());
        let out = scratch.path(&word);
        let mut arena = lasting(&out, &word);
        wait_for_a_pair(&mut arena, &out);
        arena.kill().unwrap();
        arena.wait().unwrap();
        common::assert_no_process_left(&word);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_outlives_an_interrupt_and_the_run_can_be_gone_on_with() {
    use nix::sys::signal::{Signal, kill};
    let scratch = Scratch::new("interrupt");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let word = format!("interrupted-{}-{signal}", std::process::id());
        let out = scratch.path(&word);
        let mut arena = lasting(&out, &word);
        wait_for_a_pair(&mut arena, &out);
        kill(nix::unistd::Pid::from_raw(arena.id() as i32), signal).unwrap();
        let status = arena.wait().unwrap();
        assert_eq!(status.code(), Some(1));
        common::assert_no_process_left(&word);
        let (_, pairs) = read(&out);
        let faultless =
            |pair: &arena::record::Pair| pair.games.iter().all(|game| game.reason != "crash");
        assert!(
            pairs.iter().all(faultless),
            "ending the run is no engine's fault"
        );
    }
}
