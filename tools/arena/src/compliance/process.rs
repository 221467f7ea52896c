//! An engine process, the threads at its pipes, and what was said.
//!
//! It is started and ended as for a match; but here every byte counts that an engine prints, and every line, while a match
//! needs the few that answer something, stamped. Reading never waits longer than asked, whatever the engine does, and keeps
//! a bounded amount of what it prints.

use crate::engine::{Ending, Program, Running};
use crate::lifeline::Lifeline;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Lines that may wait to be read; an engine that prints more has to wait.
const WAITING: usize = 1 << 12;
/// Bytes of a line; what is longer is cut there.
const LONGEST: usize = 1 << 20;
/// Lines of the dialogue that are kept.
const REMEMBERED: usize = 40;
/// Letters of a remembered line.
const SHOWN: usize = 160;
/// Bytes of standard error that are kept.
const DIAGNOSTICS: usize = 1 << 14;

/// A running engine; killed when it is dropped.
pub(super) struct Process {
    running: Running,
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Vec<u8>>,
    diagnostics: Arc<Mutex<Vec<u8>>>,
    said: VecDeque<String>,
}

impl Process {
    /// Starts an engine.
    ///
    /// # Errors
    /// Names the program and why it can not be started.
    pub(super) fn start(
        program: &Program<'_>,
        lifeline: &Arc<Lifeline>,
    ) -> Result<Process, String> {
        let (running, pipes) = Running::start(program, None, Arc::clone(lifeline))?;
        let (mut input, output, errors) = (pipes.input, pipes.output, pipes.errors);
        let (to, messages) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // Ends when the channel or the pipe is closed; the pipe closes with it.
            for bytes in messages {
                if input
                    .write_all(&bytes)
                    .and_then(|()| input.flush())
                    .is_err()
                {
                    return;
                }
            }
        });
        let (lines, from) = sync_channel(WAITING);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(line) = read_line(&mut output) {
                if lines.send(line).is_err() {
                    return;
                }
            }
        });
        let diagnostics = Arc::default();
        let copy = Arc::clone(&diagnostics);
        thread::spawn(move || keep(errors, &copy));
        Ok(Process {
            running,
            to: Some(to),
            from,
            diagnostics,
            said: VecDeque::new(),
        })
    }

    fn remember(&mut self, line: String) {
        if self.said.len() == REMEMBERED {
            self.said.pop_front();
        }
        self.said.push_back(line);
    }

    /// Writes bytes as they are, in one write.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]).into_owned();
        for line in text.split_inclusive('\n') {
            // What is odd about a line is to be seen; a plain end of line is not.
            let shown = match line.strip_suffix('\n') {
                Some(line) if !line.contains(|c: char| c.is_control()) => shorten(line),
                _ => shorten(&format!("{line:?}")),
            };
            self.remember(format!("> {shown}"));
        }
        if let Some(to) = &self.to {
            // An engine that does not listen any more shows in what it fails to answer.
            let _ = to.send(bytes.to_vec());
        }
    }

    /// Ends the input.
    pub(super) fn close(&mut self) {
        self.remember("> (end of input)".into());
        self.to = None;
    }

    /// The next line as it was printed, without its LF.
    ///
    /// # Errors
    /// If there is none in time, or the output has ended.
    pub(super) fn line(&mut self, patience: Duration) -> Result<Vec<u8>, Silence> {
        match self.from.recv_timeout(patience) {
            Ok(line) => {
                let text = String::from_utf8_lossy(&line);
                let shown = shorten(&text);
                self.remember(format!("< {shown}"));
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
        }
    }

    /// Waits for the end of the process.
    ///
    /// # Errors
    /// If it goes on for longer than `patience`.
    pub(super) fn wait(&mut self, patience: Duration) -> Result<Ending, String> {
        let ending = self.running.ending(patience);
        ending.ok_or_else(|| "the process goes on".into())
    }

    /// The last lines of the dialogue.
    pub(super) fn said(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.said.iter().map(String::as_str)
    }

    /// What it wrote to standard error so far.
    pub(super) fn diagnostics(&self) -> String {
        let bytes = self.diagnostics.lock();
        bytes.map_or(String::new(), |bytes| {
            String::from_utf8_lossy(&bytes).into()
        })
    }
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// None came in time.
    Late,
    /// The output has ended.
    Ended,
}

/// Reads up to LF; nothing at the end of the output.
fn read_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let mut limited = input.take(LONGEST as u64);
    match limited.read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => {
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            Some(line)
        }
    }
}

/// Reads to the end and keeps the beginning.
fn keep(mut input: impl Read, into: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = input.read(&mut buffer) {
        if let Ok(mut kept) = into.lock() {
            let room = DIAGNOSTICS.saturating_sub(kept.len());
            kept.extend_from_slice(&buffer[..count.min(room)]);
        }
    }
}

/// The beginning of a long line.
pub(super) fn shorten(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{} … ({} bytes)", &line[..at], line.len()),
        None => line.to_string(),
    }
}
