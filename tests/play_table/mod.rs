//! The other end of `huscarl play`: types lines into the real program and reads what it shows up to its next question.
//!
//! Time-outs only turn a hang into a failure; nothing here measures speed.

#![allow(dead_code)]

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long an answer may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

/// An empty board of Thud but for two dwarfs and a troll that can come to stand next to both.
pub const TWO_DWARFS: &str = "*****5*****/****7****/***9***/**11**/*5d1d5*/15/6T8/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** t 0 1";

/// A running program.
pub struct Table {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    /// What it has shown before its first question.
    pub greeting: String,
}

/// The program with its arguments, and no settings for colours from outside.
pub fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huscarl"));
    command.arg("play").args(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

impl Table {
    /// Starts the program and waits for its first question.
    pub fn open(args: &[&str]) -> Self {
        let mut child = program(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take();
        let mut stdout = child.stdout.take().expect("stdout is a pipe");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = stdout.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut table = Table {
            child,
            stdin,
            output,
            greeting: String::new(),
        };
        table.greeting = table.read();
        table
    }

    /// What is shown up to the next question, the question included, or up to the end.
    fn read(&mut self) -> String {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"> ") {
            match self.output.recv_timeout(PATIENCE) {
                Ok(more) => bytes.extend(more),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("no answer after {}", String::from_utf8_lossy(&bytes))
                }
            }
        }
        String::from_utf8(bytes).expect("text is shown")
    }

    /// Types a line and reads what comes of it; the line itself, which is shown first, is left out.
    pub fn ask(&mut self, line: &str) -> String {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin
            .write_all(format!("{line}\n").as_bytes())
            .expect("it reads");
        let shown = self.read();
        let echo = format!("{}\n", line.trim());
        shown
            .strip_prefix(&echo)
            .unwrap_or_else(|| panic!("'{line}' is shown: {shown}"))
            .to_string()
    }

    /// Types a line of which all of these words must come.
    pub fn expect(&mut self, line: &str, words: &[&str]) -> String {
        let shown = self.ask(line);
        for word in words {
            assert!(shown.contains(word), "{line}: '{word}' in\n{shown}");
        }
        shown
    }

    /// Ends the input; returns what is still shown, and the exit code.
    pub fn end(mut self) -> (String, Option<i32>) {
        self.stdin = None;
        let shown = self.read();
        let status = self.child.wait().expect("it ends");
        (shown, status.code())
    }

    /// Types a line that ends the program.
    pub fn quit(mut self, line: &str) {
        self.ask(line);
        let status = self.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0));
    }

    /// The legal moves, as `moves` tells them.
    pub fn moves(&mut self) -> Vec<String> {
        let shown = self.ask("moves");
        let mut moves = Vec::new();
        for line in shown.lines() {
            if let Some((from, rest)) = line.split_once(": ") {
                moves.extend(rest.split(' ').map(|rest| format!("{from}{rest}")));
            }
        }
        assert!(!moves.is_empty(), "{shown}");
        moves
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program on a whole input; what it shows, its messages, and its exit code.
pub fn run(mut command: Command, input: &str) -> (String, String, Option<i32>) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_string();
    // A program that ends early does not read it all.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("it ends");
    let _ = writer.join();
    (
        String::from_utf8(output.stdout).expect("text"),
        String::from_utf8(output.stderr).expect("text"),
        output.status.code(),
    )
}

/// What comes out of a whole input; the program must end well.
pub fn played(args: &[&str], input: &str) -> String {
    let (shown, stderr, code) = run(program(args), input);
    assert_eq!(code, Some(0), "{shown}{stderr}");
    assert_eq!(stderr, "");
    shown
}

/// Numbers that are random enough, the same each time.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % count
    }
}

/// A file name that no other test uses; the file does not exist.
pub fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}
