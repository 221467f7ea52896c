//! The driver of the black-box tests: starts the engine as a process, writes bytes to it, reads its lines with the time of
//! their arrival, and knows what the games look like from outside. It shares no code with the engine.
//!
//! Time-outs only turn a hang into a failure; nothing here measures speed.

#![allow(dead_code, unused_imports)]

mod games;
mod reports;

pub use games::*;
pub use reports::*;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a line may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// What every error line begins with.
pub const ERROR: &str = "info string error: ";
/// How long a test looks on that something does not happen.
pub const A_WHILE: Duration = Duration::from_millis(60);

#[derive(Debug, Clone)]
pub struct Line {
    /// Since the start of the process.
    pub at: Duration,
    pub text: String,
}

pub struct Engine {
    child: Child,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Line>,
    stderr: Arc<Mutex<Vec<u8>>>,
    transcript: Vec<String>,
    /// The `info` lines since the last `bestmove` or the last `sync`.
    heard: Vec<String>,
    ended: bool,
}

impl Engine {
    /// The engine without arguments.
    pub fn new() -> Engine {
        Engine::start(&[])
    }

    pub fn start(args: &[&str]) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huscarl"));
        command.args(args);
        Engine::spawn(command)
    }

    /// The engine with its address space limited to so many KiB.
    pub fn with_memory(kib: u64) -> Engine {
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -v {kib} && exec \"$0\""));
        command.arg(env!("CARGO_BIN_EXE_huscarl"));
        Engine::spawn(command)
    }

    /// The engine after the hello of a dialect.
    pub fn greeted(dialect: &str) -> Engine {
        let mut engine = Engine::new();
        engine.send(dialect);
        engine.expect(&format!("{dialect}ok"));
        engine
    }

    /// The engine with a variant set.
    pub fn playing(variant: &str) -> Engine {
        let mut engine = Engine::new();
        engine.play(variant);
        engine
    }

    fn spawn(mut command: Command) -> Engine {
        command
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the engine starts");
        let started = Instant::now();
        let (to, messages) = channel::<Vec<u8>>();
        let mut stdin = child.stdin.take().unwrap();
        thread::spawn(move || {
            for bytes in messages {
                if stdin
                    .write_all(&bytes)
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        let (sender, from) = channel();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            let mut bytes = Vec::new();
            while stdout.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
                let text = String::from_utf8_lossy(&bytes)
                    .trim_end_matches('\n')
                    .to_string();
                bytes.clear();
                if sender
                    .send(Line {
                        at: started.elapsed(),
                        text,
                    })
                    .is_err()
                {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let copy = Arc::clone(&stderr);
        let mut errors = child.stderr.take().unwrap();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = errors.read(&mut buffer) {
                copy.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        Engine {
            child,
            to: Some(to),
            from,
            stderr,
            transcript: Vec::new(),
            heard: Vec::new(),
            ended: false,
        }
    }

    /// Fails with what was said so far.
    pub fn fail(&self, what: &str) -> ! {
        let tail = self.transcript.len().saturating_sub(60);
        let said = self.transcript[tail..].join("\n");
        panic!(
            "{what}\n--- said last ---\n{said}\n--- stderr ---\n{}",
            self.stderr()
        );
    }

    pub fn check(&self, holds: bool, what: &str) {
        if !holds {
            self.fail(what);
        }
    }

    // Writing.

    /// Writes the bytes in one go.
    pub fn raw(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
        self.transcript
            .push(format!("> {}", text.trim_end().replace('\n', "\n> ")));
        if let Some(to) = &self.to {
            let _ = to.send(bytes.to_vec());
        }
    }

    /// Writes a line, or several in one go.
    pub fn send(&mut self, line: &str) {
        self.raw(format!("{line}\n").as_bytes());
    }

    pub fn close_stdin(&mut self) {
        self.to = None;
    }

    // Reading.

    /// The next line; `None` after the time-out, an error at the end of the output.
    pub fn try_line(&mut self, timeout: Duration) -> Result<Option<Line>, ()> {
        match self.from.recv_timeout(timeout) {
            Ok(line) => {
                self.transcript.push(format!("< {}", line.text));
                if std::mem::replace(&mut self.ended, line.text.starts_with("bestmove")) {
                    self.heard.clear();
                }
                if line.text.starts_with("info ") {
                    self.heard.push(line.text.clone());
                }
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }

    /// All lines up to and including the first that begins with `pattern`.
    pub fn lines_until(&mut self, pattern: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let limit = Instant::now() + 3 * PATIENCE;
        while Instant::now() < limit {
            match self.try_line(PATIENCE) {
                Ok(Some(line)) => {
                    let done = line.text.starts_with(pattern);
                    lines.push(line.text);
                    if done {
                        return lines;
                    }
                }
                Ok(None) => break,
                Err(()) => self.fail(&format!("the output ended before `{pattern}`")),
            }
        }
        self.fail(&format!("no `{pattern}` in time"))
    }

    /// The first line that begins with `pattern`.
    pub fn expect(&mut self, pattern: &str) -> String {
        self.lines_until(pattern).pop().unwrap()
    }

    /// The lines of the time that follows, none of which may be a `bestmove`.
    pub fn no_bestmove_for(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            match self.try_line(left) {
                Ok(Some(line)) => {
                    self.check(
                        !line.text.starts_with("bestmove"),
                        "a bestmove before its time",
                    );
                    lines.push(line.text);
                }
                Ok(None) => break,
                Err(()) => self.fail("the output ended"),
            }
        }
        lines
    }

    /// `isready` in a running search: answered, and no `bestmove` before and for a while after.
    pub fn still_searching(&mut self) {
        self.send("isready");
        let lines = self.lines_until("readyok");
        self.check(
            !lines.iter().any(|l| l.starts_with("bestmove")),
            "the search ended by itself",
        );
        self.no_bestmove_for(A_WHILE);
    }

    // Talking to an idle engine.

    /// Memory of the process that is not swapped out, in KiB.
    pub fn resident_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("Linux tells");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.expect("resident memory").parse().expect("a number")
    }

    /// `isready` to an idle engine: everything it printed before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.lines_until("readyok");
        lines.pop();
        self.heard.clear();
        lines
    }

    /// A line that is carried out without a word.
    pub fn accept(&mut self, line: &str) {
        self.send(line);
        let lines = self.sync();
        let shown: String = line.chars().take(200).collect();
        self.check(
            lines.is_empty(),
            &format!("`{shown}` is carried out in silence"),
        );
    }

    /// A line that gets an error; returns the texts of its error lines in one.
    pub fn refuse(&mut self, line: &str) -> String {
        self.send(line);
        let lines = self.sync();
        let errors: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix(ERROR)).collect();
        let shown: String = line.chars().take(200).collect();
        self.check(!errors.is_empty(), &format!("`{shown}` gets an error line"));
        self.check(
            errors.len() == lines.len(),
            &format!("`{shown}` gets nothing but errors"),
        );
        errors.join("\n")
    }

    pub fn play(&mut self, variant: &str) {
        self.accept(&format!("setoption name UCI_Variant value {variant}"));
    }

    pub fn position(&mut self, fen: &str) {
        self.accept(&format!("position fen {fen}"));
    }

    /// The answer to `query WHAT`, which is one `response` line and no more.
    pub fn ask(&mut self, what: &str) -> String {
        let (answer, errors) = self.ask_both(what);
        self.check(errors.is_empty(), &format!("`query {what}` gives no error"));
        answer
    }

    /// The answer to a `query` that is also an error.
    pub fn ask_wrongly(&mut self, what: &str) -> String {
        let (answer, errors) = self.ask_both(what);
        self.check(
            !errors.is_empty(),
            &format!("`query {what}` gives an error"),
        );
        answer
    }

    /// The answer to a `query`, and its error lines.
    pub fn ask_both(&mut self, what: &str) -> (String, Vec<String>) {
        self.send(&format!("query {what}"));
        let lines = self.sync();
        let (answers, rest): (Vec<String>, Vec<String>) =
            lines.into_iter().partition(|l| l.starts_with("response"));
        self.check(
            answers.len() == 1,
            &format!("`query {what}` gets exactly one response"),
        );
        self.check(
            rest.iter().all(|l| l.starts_with(ERROR)),
            "nothing but responses and errors",
        );
        let answer = answers[0].strip_prefix("response ");
        (
            answer
                .unwrap_or_else(|| self.fail("a response says something"))
                .to_string(),
            rest,
        )
    }

    /// The legal moves, none of them for `none`.
    pub fn moves(&mut self) -> Vec<String> {
        let answer = self.ask("moves");
        if answer == "none" {
            Vec::new()
        } else {
            answer.split(' ').map(String::from).collect()
        }
    }

    /// A search that ends by itself, without errors.
    pub fn go(&mut self, words: &str) -> Search {
        let search = self.go_with_errors(words);
        self.check(
            search.errors.is_empty(),
            &format!("`go {words}` gives no error"),
        );
        search
    }

    pub fn go_with_errors(&mut self, words: &str) -> Search {
        self.send(&format!("go {words}"));
        self.answer()
    }

    /// The next `bestmove`, with all reports of its search, those included that were read before.
    pub fn answer(&mut self) -> Search {
        let best = self.expect("bestmove");
        Search::read(best, std::mem::take(&mut self.heard))
    }

    /// `go perft N`: the moves with their counts, and the sum.
    pub fn perft(&mut self, depth: u32) -> (Vec<(String, u64)>, u64) {
        self.send(&format!("go perft {depth}"));
        let lines = self.lines_until("Nodes searched: ");
        let total = lines.last().unwrap()["Nodes searched: ".len()..]
            .trim()
            .parse()
            .unwrap();
        let rows: Vec<(String, u64)> = lines.iter().filter_map(|l| divided(l)).collect();
        self.check(
            !lines.iter().any(|l| l.starts_with("bestmove")),
            "perft has no bestmove",
        );
        self.check(
            rows.iter().map(|r| r.1).sum::<u64>() == total,
            "the rows add up",
        );
        (rows, total)
    }

    /// How many variations a search of depth 1 reports.
    pub fn variations(&mut self) -> i64 {
        let search = self.go("depth 1");
        assert_ne!(search.mv(), "(none)");
        let scored = search.infos.iter().filter(|i| i.score.is_some());
        scored
            .map(|i| i.multipv.unwrap_or(1))
            .max()
            .unwrap_or_else(|| self.fail("no score"))
    }

    // The end.

    /// The lines up to the end of the output, and the exit code.
    pub fn end(&mut self) -> (Vec<String>, Option<i32>) {
        let mut lines = Vec::new();
        loop {
            match self.try_line(PATIENCE) {
                Ok(Some(line)) => lines.push(line.text),
                Ok(None) => self.fail("the process does not end"),
                Err(()) => break,
            }
        }
        let limit = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self
                .child
                .try_wait()
                .expect("the process can be waited for")
            {
                return (lines, status.code());
            }
            self.check(Instant::now() < limit, "the process does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Closes stdin; then as `end`, and the exit code must be 0.
    pub fn finish(&mut self) -> Vec<String> {
        self.close_stdin();
        let (lines, code) = self.end();
        self.check(code == Some(0), &format!("exit code 0, not {code:?}"));
        lines
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr.lock().unwrap()).into_owned()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
