//! What goes out, line by line: each is one write and flushed, in the order in which it was said.
//!
//! A thread of its own writes, so that nobody who has something to say ever waits for a driver that does not read.
//! The debug log, if there is one, gets every line in both directions.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::Mutex;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

enum Item {
    Line(String),
    /// Answered when everything said before has been written.
    Flush(Sender<()>),
}

/// A handle for saying lines; clones say them in one common order.
#[derive(Clone)]
pub struct Output {
    items: Sender<Item>,
    log: Arc<Mutex<Option<File>>>,
}

impl Output {
    /// Starts a writer on `sink`.
    ///
    /// # Errors
    /// If the thread can not be had.
    pub fn new(sink: impl Write + Send + 'static) -> std::io::Result<Self> {
        let (items, inbox) = unbounded();
        std::thread::Builder::new()
            .name("output".into())
            .spawn(move || write_all(&inbox, sink))?;
        Ok(Output {
            items,
            log: Arc::default(),
        })
    }

    /// Says a line. Line breaks inside it become blanks, so that it stays one line.
    pub fn say(&self, line: impl Into<String>) {
        let mut line: String = line.into();
        if line.contains(['\n', '\r']) {
            line = line.replace(['\n', '\r'], " ");
        }
        self.log('<', &line);
        line.push('\n');
        // The writer is gone only if the driver no longer listens.
        let _ = self.items.send(Item::Line(line));
    }

    /// Says that something was wrong, in one line.
    pub fn error(&self, message: impl AsRef<str>) {
        log::warn!("{}", message.as_ref());
        self.say(format!("info string error: {}", message.as_ref()));
    }

    /// Notes a line that came in.
    pub fn heard(&self, line: &str) {
        self.log('>', line);
    }

    /// Writes a log of both directions to a file from now on; with `None`, to none.
    ///
    /// # Errors
    /// If the file can not be written; the old log goes on.
    pub fn set_log(&self, path: Option<&str>) -> Result<(), String> {
        let file = match path {
            Some(path) => Some(
                File::options()
                    .create(true)
                    .append(true)
                    .open(path)
                    .map_err(|error| format!("log file '{path}' can not be written: {error}"))?,
            ),
            None => None,
        };
        *self.log.lock() = file;
        Ok(())
    }

    /// Waits until everything said has been written, or until `patience` ends.
    pub fn flush(&self, patience: Duration) {
        let (done, wait) = bounded(1);
        if self.items.send(Item::Flush(done)).is_ok() {
            let _ = wait.recv_timeout(patience);
        }
    }

    fn log(&self, mark: char, line: &str) {
        if let Some(file) = &mut *self.log.lock() {
            let now = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            let (seconds, millis) = (now.as_secs(), now.subsec_millis());
            // A log that can not be written any more must not stop the game.
            let _ = file.write_all(format!("{seconds}.{millis:03} {mark} {line}\n").as_bytes());
        }
    }
}

fn write_all(inbox: &Receiver<Item>, mut sink: impl Write) {
    while let Ok(item) = inbox.recv() {
        match item {
            Item::Line(line) => {
                if sink
                    .write_all(line.as_bytes())
                    .and_then(|()| sink.flush())
                    .is_err()
                {
                    // Nobody listens. What is said from here on is dropped with the channel.
                    return;
                }
            }
            Item::Flush(done) => {
                let _ = done.send(());
            }
        }
    }
}
