//! Threads that read what an engine prints, stamp it, and keep of it what is needed: bounded, whatever comes.
//!
//! Answers are handed on; of `info` lines only the last one with a score is kept, unread until a move asks for it; and the
//! last lines of all are remembered for the case that something goes wrong.

use super::log::Log;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Bytes of the longest line that an engine may print.
pub const LONGEST_LINE: usize = 1 << 20;
/// Lines remembered, of each stream.
const LAST_LINES: usize = 6;
/// Bytes remembered of each of these.
const LAST_BYTES: usize = 200;
/// Stack of a reader.
const STACK: usize = 256 << 10;

/// What a reader hands on.
#[derive(Debug)]
pub enum Event {
    /// A line that answers something, without blanks at its ends.
    Line(Instant, String),
    /// The engine prints no more: it has ended or closed its output.
    Closed,
    /// A line longer than [`LONGEST_LINE`]; nothing is read any more.
    TooLong,
}

/// What readers keep.
#[derive(Default)]
pub struct Kept {
    /// The last `info` line with a score of the main line since [`Kept::forget`].
    info: String,
    output: Last,
    errors: Last,
}

#[derive(Default)]
struct Last(VecDeque<String>);

impl Last {
    fn push(&mut self, line: &[u8]) {
        // The oldest text is written over, so that remembering costs no allocation.
        let mut text = match self.0.len() {
            LAST_LINES => self.0.pop_front().unwrap_or_default(),
            _ => String::new(),
        };
        text.clear();
        text += &printable(&line[..line.len().min(LAST_BYTES)]);
        self.0.push_back(text);
    }
}

impl Kept {
    /// Forgets the `info` line, before a new search.
    pub fn forget(&mut self) {
        self.info.clear();
    }

    /// The last `info` line with a score, if there was one.
    pub fn info(&self) -> Option<String> {
        (!self.info.is_empty()).then(|| self.info.clone())
    }

    /// The last lines of both streams, in one line.
    pub fn last_lines(&self) -> String {
        let lines = self.output.0.iter().map(|line| format!("< {line}"));
        let errors = self.errors.0.iter().map(|line| format!("! {line}"));
        let all: Vec<String> = lines.chain(errors).collect();
        all.join(" | ")
    }

    fn hear(&mut self, line: &[u8]) {
        self.output.push(line);
        if is_main_line(line) {
            self.info.clear();
            self.info += &printable(line);
        }
    }
}

/// The text of a line, with a tab as the blank that it is, and with what a terminal would obey or can not show replaced.
fn printable(line: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line);
    if !text.contains(char::is_control) {
        return text;
    }
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

fn contains(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len()).any(|window| window == word)
}

/// Whether this tells the score of the best line; the text of `info string` tells nothing.
fn is_main_line(line: &[u8]) -> bool {
    line.starts_with(b"info ")
        && !line.starts_with(b"info string")
        && contains(line, b" score ")
        && (contains(line, b" multipv 1 ") || !contains(line, b" multipv "))
}

/// Takes the lock; what is kept is whole after every line, so a reader that failed leaves it sound.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the reader of standard output, which hands on the lines that begin with one of the words `answers`.
pub fn read_output(
    source: impl Read + Send + 'static,
    kept: Arc<Mutex<Kept>>,
    log: Log,
    answers: &'static [&'static str],
    events: SyncSender<Event>,
) -> std::io::Result<()> {
    let read = move || {
        let end = each_line(source, |at, line| {
            log.note('<', line);
            lock(&kept).hear(line);
            let first = line.split(|byte| matches!(byte, b' ' | b'\t')).next();
            let is_answer = |word: &[u8]| answers.iter().any(|known| known.as_bytes() == word);
            if first.is_some_and(is_answer) {
                let text = printable(line).into_owned();
                // Nobody listens any more once the engine is given up.
                if events.send(Event::Line(at, text)).is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        let _ = events.send(end);
    };
    let thread = std::thread::Builder::new()
        .name("output".into())
        .stack_size(STACK);
    thread.spawn(read).map(drop)
}

/// Starts the reader of standard error. What is returned is disconnected at its end, when all lines are kept.
pub fn read_errors(
    source: impl Read + Send + 'static,
    kept: Arc<Mutex<Kept>>,
    log: Log,
) -> std::io::Result<Receiver<()>> {
    let (reading, end) = sync_channel(1);
    let read = move || {
        let _reading: SyncSender<()> = reading;
        each_line(source, |_, line| {
            log.note('!', line);
            lock(&kept).errors.push(line);
            ControlFlow::Continue(())
        });
    };
    let thread = std::thread::Builder::new()
        .name("errors".into())
        .stack_size(STACK);
    thread.spawn(read).map(|_| end)
}

/// Calls `each` with every line that is not empty, the end of an unended last line included, and the moment at which it
/// was read.
fn each_line(
    mut source: impl Read,
    mut each: impl FnMut(Instant, &[u8]) -> ControlFlow<()>,
) -> Event {
    let mut buffer = vec![0; 16 << 10];
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = Instant::now();
        let mut chunk = &buffer[..count];
        while let Some(end) = chunk.iter().position(|&byte| byte == b'\n') {
            let mut line = &chunk[..end];
            if !rest.is_empty() {
                rest.extend_from_slice(line);
                line = &rest;
            }
            let line = line.trim_ascii();
            if line.len() > LONGEST_LINE {
                return Event::TooLong;
            }
            if !line.is_empty() && each(at, line).is_break() {
                return Event::Closed;
            }
            rest.clear();
            chunk = &chunk[end + 1..];
        }
        rest.extend_from_slice(chunk);
        if rest.len() > LONGEST_LINE {
            return Event::TooLong;
        }
    }
    let line = rest.trim_ascii();
    if !line.is_empty() {
        let _ = each(Instant::now(), line);
    }
    Event::Closed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> (Vec<String>, Event) {
        let mut lines = Vec::new();
        let end = each_line(text, |_, line| {
            lines.push(String::from_utf8_lossy(line).into_owned());
            ControlFlow::Continue(())
        });
        (lines, end)
    }

    #[test]
    fn lines_are_cut_and_trimmed() {
        let (found, end) = lines(b"\r\n a\tb \r\n\n\xff\nlast");
        assert_eq!(found, ["a\tb", "\u{fffd}", "last"]);
        assert!(matches!(end, Event::Closed));
    }

    #[test]
    fn lines_over_the_buffer_are_whole_and_those_over_the_bound_end_it() {
        let long = vec![b'x'; LONGEST_LINE];
        let (found, end) = lines(&[&long[..], b"\nnext\n"].concat());
        assert_eq!((found[0].len(), found[1].as_str()), (LONGEST_LINE, "next"));
        assert!(matches!(end, Event::Closed));
        let (found, end) = lines(&[&long[..], b"xx"].concat());
        assert!(found.is_empty() && matches!(end, Event::TooLong));
    }

    #[test]
    fn the_last_main_line_is_kept() {
        let mut kept = Kept::default();
        for line in [
            "info depth 3 multipv 1 score cp 10 pv a1a2",
            "info depth 3 multipv 2 score cp 9 pv a1a3",
            "info depth 4 score cp 50 lowerbound nodes 7 pv a1a4",
            "info string no score cp 3",
            "info depth 5 nodes 7",
        ] {
            kept.hear(line.as_bytes());
        }
        assert_eq!(
            kept.info().unwrap(),
            "info depth 4 score cp 50 lowerbound nodes 7 pv a1a4"
        );
        kept.forget();
        assert_eq!(kept.info(), None);
        assert!(kept.last_lines().contains("< info depth 5 nodes 7"));
    }

    #[test]
    fn few_and_short_lines_are_remembered() {
        let mut kept = Kept::default();
        for _ in 0..100 {
            kept.hear(&[b'\x1b'; 1000]);
        }
        assert!(kept.last_lines().chars().count() < LAST_LINES * (LAST_BYTES + 10));
        assert!(!kept.last_lines().contains('\x1b'));
    }
}
