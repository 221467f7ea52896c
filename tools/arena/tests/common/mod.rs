//! What the tests share: runs of the arena with the engines that misbehave, and a look at what they leave.

#![allow(dead_code)] // Each test program uses its part.

use arena::record::{self, Pair, Run};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The arena.
pub const ARENA: &str = env!("CARGO_BIN_EXE_arena");
/// The engines that misbehave.
pub const FAKE: &str = env!("CARGO_BIN_EXE_fake-engine");

/// A directory that is removed with this value.
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty directory of this name.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    /// A path inside it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An engine's words for `--engine`: name, fault, good moves before it, and more words.
pub fn engine(name: &str, fault: &str, good: u32, more: &str) -> Vec<String> {
    let mut words = vec![
        "--engine".to_string(),
        format!("cmd={FAKE}"),
        format!("arg={fault}"),
        format!("arg={good}"),
        format!("name={name}"),
    ];
    words.extend(more.split_whitespace().map(str::to_string));
    words
}

/// `arena match` in a directory, with flags that are the same for most tests.
pub fn command(dir: &Path, engines: &[Vec<String>], flags: &str) -> Command {
    let mut command = Command::new(ARENA);
    command.arg("match").args(engines.concat());
    for (flag, value) in [("--variant", "hnefatafl7"), ("--random-plies", "2")] {
        if !flags.split_whitespace().any(|word| word == flag) {
            command.args([flag, value]);
        }
    }
    if !flags.contains("--max-plies") {
        command.args(["--max-plies", "12"]);
    }
    command.arg("--out").arg(dir).args(flags.split_whitespace());
    command
}

/// Runs it to its end.
pub fn run(dir: &Path, engines: &[Vec<String>], flags: &str) -> Output {
    command(dir, engines, flags).output().unwrap()
}

/// The text of an output, for messages.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// What a run has left, pairs in the order of their numbers.
pub fn read(dir: &Path) -> (Run, Vec<Pair>) {
    let mut read = record::load(&dir.join(record::FILE)).unwrap();
    read.pairs.sort_by_key(|pair| pair.index);
    (read.run, read.pairs)
}

/// The pairs without what time does to them.
pub fn timeless(pairs: &[Pair]) -> String {
    let mut pairs = pairs.to_vec();
    for game in pairs.iter_mut().flat_map(|pair| &mut pair.games) {
        game.seconds = 0.0;
        game.notes.arena_late = None;
        for played in &mut game.moves {
            (played.time, played.left) = (0.0, None);
        }
    }
    serde_json::to_string(&pairs).unwrap()
}

/// Processes, apart from dead ones, with this word on their command line.
#[cfg(target_os = "linux")]
pub fn processes_with(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        // The command line of a dead process is empty.
        if line.contains(word) {
            found.push(line);
        }
    }
    found
}

/// Waits until no process has the word on its command line; how long that takes proves nothing, that it comes does.
#[cfg(target_os = "linux")]
pub fn assert_no_process_left(word: &str) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let left = processes_with(word);
        if left.is_empty() {
            return;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "left behind: {left:?}"
        );
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
