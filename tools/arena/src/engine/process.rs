//! An engine's process: starting it, lines to it and from it, and its end, however it behaves.

use super::child::{Program, Running};
use super::log::Log;
use super::reader::{self, Event, Kept, lock};
use super::system::{self, Written};
use crate::config::Player;
use crate::lifeline::Lifeline;
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Answers of an engine that wait to be looked at; one that sends more has to wait.
const QUEUE: usize = 256;
/// How often who waits for an engine looks whether the arena is to end.
const LOOK: Duration = Duration::from_millis(200);
/// How long an engine may take to end after `quit`.
const QUIT: Duration = Duration::from_secs(1);
/// Pipes close a moment before the end of a process shows.
const LINGER: Duration = Duration::from_millis(500);

/// Why an engine can not go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// It ended, does not listen, or prints what no driver can read.
    Crash(String),
    /// It does not answer.
    Stall(String),
    /// The arena is to end; it is not the engine's fault.
    Interrupted,
}

/// A running process that is talked to.
pub struct Process {
    running: Running,
    input: ChildStdin,
    events: Receiver<Event>,
    /// Disconnected at the end of its standard error.
    errors_end: Receiver<()>,
    kept: Arc<Mutex<Kept>>,
    log: Log,
    lifeline: Arc<Lifeline>,
    /// A line that came after the deadline before which one was looked for.
    later: Option<(Instant, String)>,
    /// Whether the end of its output has been seen.
    closed: bool,
}

impl Process {
    /// Starts it, on a core if one is given. Lines are handed on that begin with one of the words `answers`.
    ///
    /// # Errors
    /// Says what the system has against it.
    pub fn spawn(
        player: &Player,
        answers: &'static [&'static str],
        core: Option<usize>,
        log: Log,
        lifeline: Arc<Lifeline>,
    ) -> Result<Self, String> {
        let program = Program {
            cmd: &player.cmd,
            args: &player.args,
            dir: player.dir.as_deref(),
        };
        let (running, pipes) = Running::start(&program, core, Arc::clone(&lifeline))?;
        let kept = Arc::default();
        let (sender, events) = sync_channel(QUEUE);
        let errors_end = system::unblock(&pipes.input)
            .and_then(|()| {
                reader::read_output(
                    pipes.output,
                    Arc::clone(&kept),
                    log.clone(),
                    answers,
                    sender,
                )
            })
            .and_then(|()| reader::read_errors(pipes.errors, Arc::clone(&kept), log.clone()))
            .map_err(|error| {
                format!("'{}' can not be listened to: {error}", player.cmd.display())
            })?;
        Ok(Process {
            running,
            input: pipes.input,
            events,
            errors_end,
            kept,
            log,
            lifeline,
            later: None,
            closed: false,
        })
    }

    /// Sends lines, each ended by LF, and returns the moment at which all was written.
    ///
    /// # Errors
    /// If it does not listen, or takes nothing before the deadline.
    pub fn send(&mut self, lines: &str, deadline: Instant) -> Result<Instant, Fault> {
        for line in lines.lines() {
            self.log.note('>', line.as_bytes());
        }
        let mut bytes = lines.as_bytes();
        while !bytes.is_empty() {
            match system::write(&mut self.input, bytes, deadline) {
                Ok(Written::Some(count)) => bytes = &bytes[count..],
                Ok(Written::TimedOut) => {
                    return Err(self.stalled("it does not read its input"));
                }
                Err(_) => return Err(self.crashed()),
            }
        }
        Ok(Instant::now())
    }

    /// The next line that answers something, with the moment at which it was read; none if there is none from before the
    /// deadline. A later one is kept for the next call, so that even an engine that never stops talking can not make the
    /// arena wait for ever.
    ///
    /// # Errors
    /// If no more lines can come, or the arena is to end.
    pub fn next(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let event = match self.later.take() {
                Some((at, line)) => Ok(Event::Line(at, line)),
                None => self.events.recv_timeout(left.min(LOOK)),
            };
            if self.lifeline.is_interrupted() {
                return Err(Fault::Interrupted);
            }
            match event {
                Ok(Event::Line(at, line)) if at <= deadline => return Ok(Some((at, line))),
                Ok(Event::Line(at, line)) => {
                    self.later = Some((at, line));
                    return Ok(None);
                }
                Ok(Event::TooLong) => {
                    return Err(Fault::Crash(format!(
                        "it printed a line of more than {} bytes",
                        reader::LONGEST_LINE
                    )));
                }
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => {
                    self.closed = true;
                    return Err(self.crashed());
                }
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that has come already.
    pub fn waiting(&mut self) -> Option<String> {
        if let Some((_, line)) = self.later.take() {
            return Some(line);
        }
        // The end of the output is not lost: the channel stays disconnected.
        match self.events.try_recv() {
            Ok(Event::Line(_, line)) => Some(line),
            _ => None,
        }
    }

    /// Writes out its log, so that little is lost if the arena is killed.
    pub fn flush_log(&self) {
        self.log.flush();
    }

    /// What its readers keep.
    pub fn kept(&self) -> Arc<Mutex<Kept>> {
        Arc::clone(&self.kept)
    }

    /// A stall, with the last lines.
    pub fn stalled(&self, what: &str) -> Fault {
        Fault::Stall(self.with_last_lines(what.to_string()))
    }

    /// What is known of a process that does not talk any more.
    fn crashed(&mut self) -> Fault {
        let what = match self.running.ending(LINGER) {
            Some(ending) => {
                // Its last words may still be on their way; a child of its own may keep the pipe open.
                let _ = self.errors_end.recv_timeout(LINGER);
                format!("the process ended: {ending}")
            }
            None => "the process runs, but has closed its pipe".to_string(),
        };
        Fault::Crash(self.with_last_lines(what))
    }

    fn with_last_lines(&self, what: String) -> String {
        match lock(&self.kept).last_lines() {
            lines if lines.is_empty() => what,
            lines => format!("{what}; last lines: {lines}"),
        }
    }

    /// What is known of a process that says itself that it can not go on.
    pub fn gave_up(&self, what: String) -> Fault {
        Fault::Crash(self.with_last_lines(what))
    }

    /// Asks it to end with this word and waits a little for it.
    pub fn quit(mut self, word: &str) {
        let deadline = Instant::now() + QUIT;
        if self.closed || self.send(&format!("{word}\n"), deadline).is_err() {
            return;
        }
        while let Ok(Some(_)) = self.next(deadline) {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.log.flush();
    }
}
