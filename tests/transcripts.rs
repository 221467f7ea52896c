//! Runs the transcripts of `protocol.md` against the engine.
//!
//! A transcript is a fenced block with the info string `transcript`. A line `> text` is sent, a line `< text` is what the
//! engine must print next; the block is complete, so a line too many fails it as well. Wildcards in expected lines:
//! `{n}` is a whole number, `{word}` a run of non-blanks, `{text}` the rest of the line, and `< ...` alone stands for any
//! number of lines. Each block has a fresh engine, and what it sends waits for what is expected above it.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The page has at least this many transcripts; with fewer, something is wrong with the page or with the reader.
const FEWEST_BLOCKS: usize = 30;

/// How long the engine may take to print a line. Generous: it guards against hanging, it measures nothing.
const PATIENCE: Duration = Duration::from_secs(20);

/// One line of a transcript.
#[derive(Debug, PartialEq)]
enum Step {
    Send(String),
    Expect(String),
}

/// A transcript: its steps, each with its line number in the page.
struct Block {
    line: usize,
    steps: Vec<(usize, Step)>,
}

/// Finds the transcripts of a page.
fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut in_other_block = false;
    for (number, line) in (1..).zip(page.lines()) {
        match &mut open {
            Some(_) if line == "```" => found.extend(open.take()),
            Some(block) => {
                let step = if let Some(text) = line.strip_prefix("> ") {
                    Step::Send(text.to_owned())
                } else if let Some(text) = line.strip_prefix("< ") {
                    Step::Expect(text.to_owned())
                } else {
                    return Err(format!(
                        "line {number}: neither `> ` nor `< ` in a transcript: {line}"
                    ));
                };
                block.steps.push((number, step));
            }
            None if line.starts_with("```") => {
                if line == "```transcript" && !in_other_block {
                    open = Some(Block {
                        line: number,
                        steps: Vec::new(),
                    });
                } else {
                    in_other_block = !in_other_block;
                }
            }
            None => {}
        }
    }
    if open.is_some() {
        return Err("the last transcript is not closed".to_owned());
    }
    Ok(found)
}

/// Whether `line` is what `pattern`, a line with wildcards, describes.
fn matches(pattern: &str, line: &str) -> bool {
    let Some(start) = ["{n}", "{word}", "{text}"]
        .iter()
        .filter_map(|name| pattern.find(name))
        .min()
    else {
        return pattern == line;
    };
    let (literal, rest) = pattern.split_at(start);
    let Some(line) = line.strip_prefix(literal) else {
        return false;
    };
    if let Some(rest) = rest.strip_prefix("{text}") {
        return rest.is_empty();
    }
    let (shortest, longest, rest) = if let Some(rest) = rest.strip_prefix("{n}") {
        let sign = usize::from(line.starts_with(['-', '+']));
        let digits = line[sign..].bytes().take_while(u8::is_ascii_digit).count();
        (sign + 1, sign + digits, rest)
    } else {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        (1, end, rest.strip_prefix("{word}").unwrap_or(rest))
    };
    (shortest..=longest)
        .rev()
        .any(|end| line.is_char_boundary(end) && matches(rest, &line[end..]))
}

/// How far a row of expected lines has been seen, `...` included: the set of places where the reader may stand.
struct Progress<'a> {
    patterns: Vec<&'a str>,
    reached: Vec<bool>,
}

impl<'a> Progress<'a> {
    fn new(patterns: Vec<&'a str>) -> Self {
        let mut reached = vec![false; patterns.len() + 1];
        reached[0] = true;
        let mut progress = Self { patterns, reached };
        progress.pass_dots();
        progress
    }

    /// `...` may stand for no line at all.
    fn pass_dots(&mut self) {
        for place in 0..self.patterns.len() {
            if self.reached[place] && self.patterns[place] == "..." {
                self.reached[place + 1] = true;
            }
        }
    }

    /// Takes one printed line; false if it fits nowhere.
    fn take(&mut self, line: &str) -> bool {
        let mut next = vec![false; self.reached.len()];
        for (place, pattern) in self.patterns.iter().enumerate() {
            if self.reached[place] {
                if *pattern == "..." {
                    next[place] = true;
                } else if matches(pattern, line) {
                    next[place + 1] = true;
                }
            }
        }
        self.reached = next;
        self.pass_dots();
        self.reached.contains(&true)
    }

    fn done(&self) -> bool {
        self.reached[self.patterns.len()]
    }

    /// The lines that may come next, for a message.
    fn expected(&self) -> String {
        let open: Vec<_> = self
            .patterns
            .iter()
            .zip(&self.reached)
            .filter(|(_, reached)| **reached)
            .map(|(pattern, _)| format!("`{pattern}`"))
            .collect();
        if open.is_empty() {
            "nothing more".to_owned()
        } else {
            open.join(" or ")
        }
    }
}

/// A running engine.
struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_huscarl"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            stdin,
            lines,
        }
    }

    fn send(&mut self, text: &str) -> Result<(), String> {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{text}")
            .and_then(|()| stdin.flush())
            .map_err(|error| format!("could not send `{text}`: {error}"))
    }

    /// The next line, or none at the end of the output.
    fn line(&mut self) -> Result<Option<String>, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(format!("no line for {PATIENCE:?}")),
        }
    }

    /// Waits for the end of the process; its exit code must be 0.
    fn finish(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("the engine ended with {status}")),
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(error) => return Err(error.to_string()),
            }
        }
        Err("the engine did not end at the end of its input".to_owned())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads lines until `progress` is done; `number` is the page's line for the message.
fn expect(engine: &mut Engine, progress: &mut Progress, number: usize) -> Result<(), String> {
    while !progress.done() {
        let line = engine.line().map_err(|error| {
            format!(
                "line {number}: expected {}, got {error}",
                progress.expected()
            )
        })?;
        let expected = progress.expected();
        let Some(line) = line else {
            return Err(format!(
                "line {number}: expected {expected}, got the end of the output"
            ));
        };
        if !progress.take(&line) {
            return Err(format!("line {number}: expected {expected}, got `{line}`"));
        }
    }
    Ok(())
}

/// Runs one transcript with an engine of its own.
fn run(block: &Block) -> Result<(), String> {
    let mut engine = Engine::start();
    let mut dots_before = false;
    let mut steps = block.steps.iter().peekable();
    while let Some((number, step)) = steps.next() {
        let Step::Expect(first) = step else {
            let Step::Send(text) = step else {
                unreachable!()
            };
            engine
                .send(text)
                .map_err(|error| format!("line {number}: {error}"))?;
            continue;
        };
        // A row of expected lines; dots at its end wait for the row after the next sent lines.
        let mut patterns = if dots_before { vec!["..."] } else { vec![] };
        patterns.push(first);
        while let Some((_, Step::Expect(text))) = steps.peek() {
            patterns.push(text);
            steps.next();
        }
        dots_before = false;
        while patterns.last() == Some(&"...") {
            patterns.pop();
            dots_before = true;
        }
        expect(&mut engine, &mut Progress::new(patterns), *number)?;
    }
    engine.stdin = None;
    while let Some(line) = engine.line()? {
        if !dots_before {
            return Err(format!(
                "after the last line: expected nothing more, got `{line}`"
            ));
        }
    }
    engine.finish()
}

#[test]
fn the_transcripts_of_the_protocol_page_hold() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md"))
        .expect("protocol.md is there");
    let blocks = blocks(&page).expect("the page can be read");
    assert!(
        blocks.len() >= FEWEST_BLOCKS,
        "protocol.md has {} transcripts, expected at least {FEWEST_BLOCKS}",
        blocks.len()
    );
    let mut failures = String::new();
    for block in &blocks {
        assert!(
            !block.steps.is_empty(),
            "the transcript at line {} is empty",
            block.line
        );
        if let Err(error) = run(block) {
            writeln!(failures, "transcript at line {}: {error}", block.line)
                .expect("a String takes all");
        }
    }
    assert!(
        failures.is_empty(),
        "protocol.md and the engine disagree:\n{failures}"
    );
}

#[test]
fn plain_lines_match_only_themselves() {
    assert!(matches("readyok", "readyok"));
    assert!(matches("", ""));
    assert!(!matches("readyok", "readyok "));
    assert!(!matches("readyok", "0readyok"));
    assert!(!matches("a {b} c", "a x c"));
}

#[test]
fn numbers_match_digits_with_a_sign() {
    for line in ["depth 3 end", "depth -12 end", "depth +0 end"] {
        assert!(matches("depth {n} end", line), "{line}");
    }
    for line in [
        "depth  end",
        "depth - end",
        "depth x end",
        "depth 1.5 end",
        "depth 3 ends",
    ] {
        assert!(!matches("depth {n} end", line), "{line}");
    }
    assert!(matches("{n} nodes {n} nps", "10 nodes 20 nps"));
    assert!(!matches("{n} nodes {n} nps", "10 nodes nps"));
}

#[test]
fn words_match_runs_without_blanks() {
    assert!(matches("bestmove {word}", "bestmove d1c1"));
    assert!(!matches("bestmove {word}", "bestmove d1c1 offer"));
    assert!(!matches("bestmove {word}", "bestmove "));
    assert!(matches("{word}: {n}", "d1d2: 24"));
    assert!(matches("Key: 0x{word}", "Key: 0x00ff"));
    assert!(matches("{word}x", "-x"));
    assert!(!matches("{word}{word}", "x"));
}

#[test]
fn text_matches_the_rest_even_if_empty() {
    assert!(matches(
        "info string error: {text}",
        "info string error: no such option: Foo"
    ));
    assert!(matches("bestmove{text}", "bestmove"));
    assert!(!matches("info string error: {text}", "info string note"));
    assert!(
        !matches("{text} end", "anything end"),
        "nothing may follow the rest"
    );
}

#[test]
fn dots_match_any_number_of_lines() {
    fn fits(patterns: &[&str], lines: &[&str]) -> bool {
        let mut progress = Progress::new(patterns.to_vec());
        lines.iter().all(|line| progress.take(line)) && progress.done()
    }
    assert!(fits(&[], &[]));
    assert!(!fits(&["a"], &[]));
    assert!(!fits(&["a"], &["a", "a"]));
    assert!(fits(&["...", "b"], &["b"]));
    assert!(fits(&["...", "b"], &["a", "a", "b"]));
    assert!(!fits(&["...", "b"], &["a"]));
    // The line before the last may fit both the dots and the pattern between them.
    let patterns = ["...", "info {text}", "bestmove x"];
    assert!(fits(&patterns, &["info 1", "info 2", "bestmove x"]));
    assert!(!fits(&patterns, &["info 1", "other", "bestmove x"]));
    assert!(!fits(&patterns, &["bestmove x"]));
}

#[test]
fn a_page_is_cut_into_its_transcripts() {
    let page =
        "text\n```transcript\n> uci\n< uciok\n```\n```sh\n> no\n```\n```transcript\n> quit\n```\n";
    let found = blocks(page).expect("a good page");
    assert_eq!(
        found.iter().map(|block| block.line).collect::<Vec<_>>(),
        [2, 9]
    );
    assert_eq!(found[0].steps[0], (3, Step::Send("uci".to_owned())));
    assert_eq!(found[0].steps[1], (4, Step::Expect("uciok".to_owned())));
    assert!(blocks("```transcript\nuci\n```\n").is_err());
    assert!(blocks("```transcript\n> uci\n").is_err());
}
