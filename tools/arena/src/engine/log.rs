//! The log of all that an engine and the arena say to each other.

use super::reader::lock;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A log, or none; clones write to the same file.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Mutex<Sink>>>);

struct Sink {
    file: BufWriter<File>,
    started: Instant,
}

impl Log {
    /// Appends to a file, which is made if need be.
    ///
    /// # Errors
    /// Names the file.
    pub fn append(path: &Path) -> Result<Self, String> {
        let fault = |error| format!("'{}' can not be written: {error}", path.display());
        let file = File::options().create(true).append(true).open(path);
        let sink = Sink {
            file: BufWriter::new(file.map_err(fault)?),
            started: Instant::now(),
        };
        Ok(Log(Some(Arc::new(Mutex::new(sink)))))
    }

    /// Notes a line with the seconds since the log was opened: `>` to the engine, `<` from it, `!` its standard error.
    pub fn note(&self, direction: char, line: &[u8]) {
        let Some(sink) = &self.0 else { return };
        let mut sink = lock(sink);
        let seconds = sink.started.elapsed().as_secs_f64();
        // A log that can not be written, for want of space say, must not end a match.
        let _ = write!(sink.file, "{seconds:.6} {direction} ");
        let _ = sink.file.write_all(line);
        let _ = sink.file.write_all(b"\n");
    }

    /// Writes out what was noted.
    pub fn flush(&self) {
        if let Some(sink) = &self.0 {
            // As above.
            let _ = lock(sink).file.flush();
        }
    }
}
