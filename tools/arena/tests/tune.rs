//! Tunings of an engine whose play hangs on an option.

mod common;

use common::{ARENA, FAKE, Scratch, text};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A tuning in a directory that does not exist yet.
fn begin(dir: &Path, fault: &str, more: &str) -> Command {
    let mut command = Command::new(ARENA);
    let flags = "--variant hnefatafl7 --random-plies 3 --max-plies 80 --iterations 12 --pairs 3 --seed 4 --nodes 1";
    command
        .args(["tune", "--engine", &format!("cmd={FAKE}")])
        .arg(format!("arg={fault}"))
        .args(flags.split_whitespace())
        .args(more.split_whitespace())
        .arg("--out")
        .arg(dir);
    command
}

fn resume(dir: &Path, more: &str) -> Command {
    let mut command = Command::new(ARENA);
    command.args(["tune", "--resume"]).arg(dir);
    command.args(more.split_whitespace());
    command
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    output
}

/// The iterations of a tuning as they are written.
fn iterations(dir: &Path) -> Vec<String> {
    let file = std::fs::read_to_string(dir.join("tune.jsonl")).unwrap_or_default();
    file.lines().skip(1).map(str::to_string).collect()
}

#[test]
fn a_tuning_plays_its_iterations_and_tells_the_new_values() {
    let scratch = Scratch::new("tune");
    let out = scratch.path("out");
    let output = text(&succeeds(&mut begin(&out, "tunable", "--io-log")));
    let lines = iterations(&out);
    assert_eq!(lines.len(), 12);
    let is_even = |line: &&String| line.contains(r#""score":0.5,"#);
    assert!(!lines.iter().all(|line| is_even(&line)), "{lines:#?}");
    let value = |line: &String| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["values"]["TuneChoice"].as_f64().unwrap()
    };
    assert_ne!(value(&lines[11]), 9.0, "{output}");
    let mean = lines[8..].iter().map(value).sum::<f64>() / 4.0;
    let words = format!("option.TuneChoice={} ", mean.round());
    assert!(output.contains(&words), "{output}");
    assert!(output.contains(r#""option.Tune Nothing="#), "{output}");
    // The first change is by the step, up and down.
    let set = |engine: usize| {
        let log = out.join(format!("io/worker-0-engine-{engine}.log"));
        let log = std::fs::read_to_string(log).unwrap();
        let mut set = log.lines().filter_map(|line| {
            let (_, value) = line.split_once("setoption name TuneChoice value ")?;
            value.parse::<i64>().ok()
        });
        set.next().unwrap()
    };
    let mut first = [set(0), set(1)];
    first.sort();
    assert_eq!(first, [6, 12]);
}

#[test]
fn kills_change_no_value() {
    let scratch = Scratch::new("tune-kills");
    let whole = scratch.path("whole");
    succeeds(&mut begin(&whole, "tunable", ""));
    let expected = iterations(&whole);
    let broken = scratch.path("broken");
    let go_on = || match broken.join("tune.jsonl").exists() {
        true => resume(&broken, "--concurrency 2"),
        false => begin(&broken, "tunable", "--concurrency 2"),
    };
    let mut random = fastrand::Rng::new();
    for _ in 0..6 {
        let mut command = go_on();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut arena = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.u64(1..300)));
        arena.kill().unwrap();
        arena.wait().unwrap();
    }
    succeeds(&mut go_on());
    assert_eq!(iterations(&broken), expected);
    // However short the file was cut, the end is the same.
    let file = broken.join("tune.jsonl");
    let bytes = std::fs::read(&file).unwrap();
    let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for part in 0..3 {
        std::fs::write(&file, &bytes[..first + (bytes.len() - first) * part / 3]).unwrap();
        let output = text(&succeeds(&mut resume(&broken, "")));
        assert_eq!(iterations(&broken), expected);
        assert!(output.contains("iteration 12 of 12"), "{output}");
    }
    // A finished one has nothing left to do but to tell its values.
    let output = text(&succeeds(&mut resume(&broken, "")));
    assert!(!output.contains("iteration"), "{output}");
    assert!(output.contains("option.TuneChoice="), "{output}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let scratch = Scratch::new("tune-refused");
    let out = scratch.path("out");
    succeeds(&mut begin(&out, "tunable", "--silent"));
    let fresh = scratch.path("fresh");
    let refused = |mut command: Command, expected: &str| {
        let output = command.output().unwrap();
        assert!(!output.status.success(), "{expected}");
        assert!(text(&output).contains(expected), "{}", text(&output));
        assert!(!fresh.exists(), "{expected}");
    };
    refused(begin(&out, "tunable", ""), "holds a run already");
    refused(resume(&out, "--seed 5"), "seed can not be changed");
    refused(resume(&out, "--pairs 5"), "cannot be used with");
    refused(resume(&fresh, ""), "can not be read");
    refused(begin(&fresh, "", ""), "whose name begins with 'Tune'");
    refused(
        begin(&fresh, "tunable", "--param Ponder"),
        "no option 'Ponder'",
    );
    refused(
        begin(&fresh, "tunable", "--engine cmd=x"),
        "2 engines, one expected",
    );
    refused(begin(&fresh, "tunable", "--sprt elo0=0 elo1=5"), "sprt");
    refused(
        begin(&fresh, "tunable", "--rounds 4"),
        "--rounds is for matches",
    );
    refused(begin(&fresh, "tunable", "--iterations 0"), "--iterations");
    let damaged = std::fs::read_to_string(out.join("tune.jsonl")).unwrap();
    let damaged = damaged.replace(r#""number":7,"#, r#""number":8,"#);
    std::fs::write(out.join("tune.jsonl"), damaged).unwrap();
    refused(resume(&out, ""), "line 8: iteration 7 expected");
}

#[test]
fn an_engine_that_fails_ends_the_tuning_and_no_value_is_lost() {
    let scratch = Scratch::new("tune-fails");
    let out = scratch.path("out");
    let output = begin(&out, "crash", "--param Hash step=4")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let output = text(&output);
    assert!(output.contains("failed (crash)"), "{output}");
    assert!(output.contains("to go on: arena tune --resume"), "{output}");
    assert_eq!(iterations(&out).len(), 0);
}
