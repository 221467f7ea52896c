//! The terminal: lines in, lines out, and whether it has colours.
//!
//! Output goes out line by line. A reader that has gone away is noticed, so that a game nobody sees does not go on.

use crossbeam_channel::{Receiver, bounded};
use std::cell::Cell;
use std::io::{self, BufRead, IsTerminal, Write};

/// Where a person reads and types.
pub(super) struct Terminal {
    lines: Receiver<String>,
    /// Whether somebody types, so that the typed line is on the screen already.
    typed: bool,
    /// Whether to draw with colours.
    pub colour: bool,
    gone: Cell<bool>,
}

impl Terminal {
    /// Begins to read.
    ///
    /// # Errors
    /// If the system gives no thread for it.
    pub(super) fn open() -> Result<Self, String> {
        // Lines wait where they come from: an endless input is not to fill the memory.
        let (sender, lines) = bounded(0);
        std::thread::Builder::new()
            .name("input".into())
            .spawn(move || {
                let mut input = io::stdin().lock();
                while let Some(line) = read_line(&mut input) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            })
            .map_err(|error| error.to_string())?;
        Ok(Terminal {
            lines,
            typed: io::stdin().is_terminal(),
            colour: wants_colour(),
            gone: Cell::new(false),
        })
    }

    /// Whether nobody can see what is written any more.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.get()
    }

    /// Whether somebody sits there and types.
    pub(super) fn is_typed(&self) -> bool {
        self.typed
    }

    /// Writes a line.
    pub(super) fn say(&self, line: impl AsRef<str>) {
        self.write(&format!("{}\n", line.as_ref()));
    }

    /// Asks for a line; `None` at the end of the input.
    pub(super) fn ask(&self, prompt: &str) -> Option<String> {
        self.write(&format!("{prompt}> "));
        let line = (!self.is_gone()).then(|| self.lines.recv().ok()).flatten();
        match &line {
            // Piped input is written out, so that what comes out reads like a session.
            Some(line) if !self.typed => self.say(line.trim()),
            Some(_) => {}
            None => self.say(""),
        }
        line
    }

    /// A line that was typed while nobody asked for one; piped lines wait until they are asked for.
    pub(super) fn interruption(&self) -> Option<String> {
        self.typed.then(|| self.lines.try_recv().ok()).flatten()
    }

    fn write(&self, text: &str) {
        let mut out = io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if written.is_err() {
            self.gone.set(true);
        }
    }
}

fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) if bytes.is_empty() => return None,
            Ok(_) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                log::error!("input can not be read: {error}");
                return None;
            }
        }
    }
}

/// `NO_COLOR` wins over `CLICOLOR_FORCE`, which wins over what the terminal is.
fn wants_colour() -> bool {
    let is_set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if is_set("NO_COLOR").is_some() {
        return false;
    }
    if is_set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    let is_off = is_set("CLICOLOR").is_some_and(|value| value == "0");
    let is_able = is_set("TERM").is_some_and(|term| term != "dumb");
    !is_off && is_able && io::stdout().is_terminal()
}
