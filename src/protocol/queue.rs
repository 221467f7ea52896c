//! The order of things: commands that wait, commands that act at once, and the signals of each search.
//!
//! The thread that reads puts commands in, the thread that works takes them out. A search's signals are made when its
//! command is read, so that `stop` ends every search asked for before it and none asked for after it, whether it runs
//! or still waits.

use super::output::Output;
use crate::search::limits::Signals;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Instant;

/// A line to be carried out in its turn.
pub struct Task {
    /// The line, without its end.
    pub line: String,
    /// When it was read.
    pub read: Instant,
    /// Of the search that it asks for, if it does.
    pub signals: Option<Arc<Signals>>,
}

impl Task {
    /// Whether the line is a `go` that one `bestmove` answers.
    pub fn wants_bestmove(&self) -> bool {
        let mut words = self.line.split_ascii_whitespace();
        words.next() == Some("go") && words.next() != Some("perft")
    }
}

enum Item {
    Task(Task),
    Ready,
}

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    /// Whether a search runs, during which `isready` is answered at once.
    searching: bool,
    /// No more will come.
    closed: bool,
    /// Of searches that have been asked for and may not have ended.
    asked: Vec<Weak<Signals>>,
    /// Of the last search that was to ponder.
    pondering: Weak<Signals>,
}

/// The queue between the two threads.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    output: Output,
}

/// Ends the state of searching, also where a fault ends the search.
struct Running<'a>(&'a Queue);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.state.lock().searching = false;
    }
}

const READY: &str = "readyok";

impl Queue {
    /// An empty queue.
    pub fn new(output: Output) -> Self {
        Queue {
            state: Mutex::default(),
            changed: Condvar::new(),
            output,
        }
    }

    /// Adds a command that waits for its turn.
    pub fn push(&self, line: &str) {
        self.add(line, None);
    }

    /// Adds a command that asks for a search.
    pub fn push_search(&self, line: &str, ponders: bool) {
        let signals = Arc::new(Signals::default());
        let mut state = self.state.lock();
        state.asked.retain(|asked| asked.strong_count() > 0);
        state.asked.push(Arc::downgrade(&signals));
        if ponders {
            state.pondering = Arc::downgrade(&signals);
        }
        drop(state);
        self.add(line, Some(signals));
    }

    fn add(&self, line: &str, signals: Option<Arc<Signals>>) {
        let task = Task {
            line: line.to_string(),
            read: Instant::now(),
            signals,
        };
        self.state.lock().items.push_back(Item::Task(task));
        self.changed.notify_one();
    }

    /// `isready`: answered at once while a search runs, in its turn otherwise.
    pub fn ready(&self) {
        let mut state = self.state.lock();
        if state.searching {
            self.output.say(READY);
        } else {
            state.items.push_back(Item::Ready);
            self.changed.notify_one();
        }
    }

    /// Ends every search asked for so far.
    pub fn stop(&self) {
        self.tell_all(Signals::stop);
    }

    /// Ends every search asked for so far, and nobody waits for their answers.
    pub fn discard(&self) {
        self.tell_all(Signals::discard);
    }

    fn tell_all(&self, tell: impl Fn(&Signals)) {
        for signals in &self.state.lock().asked {
            if let Some(signals) = signals.upgrade() {
                tell(&signals);
            }
        }
    }

    /// Tells the last search that was to ponder that its move was played.
    pub fn ponderhit(&self) {
        if let Some(signals) = self.state.lock().pondering.upgrade() {
            signals.ponderhit();
        }
    }

    /// Ends every search and takes no more commands; what waits is still carried out.
    pub fn close(&self) {
        self.stop();
        self.state.lock().closed = true;
        self.changed.notify_one();
    }

    /// The next command, `None` once the queue is closed and empty.
    pub fn next(&self) -> Option<Task> {
        let mut state = self.state.lock();
        loop {
            match state.items.pop_front() {
                Some(Item::Task(task)) => return Some(task),
                Some(Item::Ready) => self.output.say(READY),
                None if state.closed => return None,
                None => self.changed.wait(&mut state),
            }
        }
    }

    /// Runs a search, during which nobody waits for `readyok`.
    pub fn while_searching<T>(&self, search: impl FnOnce() -> T) -> T {
        let mut state = self.state.lock();
        state.searching = true;
        let output = &self.output;
        state.items.retain(|item| {
            let waits = matches!(item, Item::Ready);
            if waits {
                output.say(READY);
            }
            !waits
        });
        drop(state);
        let running = Running(self);
        let result = search();
        drop(running);
        result
    }
}
