//! A file of lines, such as `games.jsonl`, each on the disk before it counts, which is read again to go on with a run.

use crate::record::{self, Lines};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// The file of a run.
pub struct Store {
    path: PathBuf,
    file: Locked,
}

#[cfg(unix)]
type Locked = nix::fcntl::Flock<File>;
#[cfg(not(unix))]
type Locked = File;

/// Makes sure that no other arena writes to the file. The lock ends with the process, however it ends.
#[cfg(unix)]
fn lock(mut file: File) -> Result<Locked, String> {
    use nix::fcntl::{Flock, FlockArg};
    let deadline = Instant::now() + RELEASE;
    loop {
        file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(locked) => return Ok(locked),
            Err(_) if Instant::now() > deadline => return Err("another arena writes to it".into()),
            Err((file, _)) => file,
        };
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(not(unix))]
fn lock(file: File) -> Result<Locked, String> {
    Ok(file)
}

/// How long the lock of an arena that was killed may outlive it: an engine that it was just starting holds it, too.
#[cfg(unix)]
const RELEASE: Duration = Duration::from_secs(5);

impl Store {
    /// Begins the file of this name, with its first line, in a directory that has none.
    ///
    /// # Errors
    /// Names the directory and what is wrong with it.
    pub fn create(dir: &Path, name: &str, first: &impl Serialize) -> Result<Self, String> {
        let fault = |error| format!("'{}' can not be written: {error}", dir.display());
        let path = dir.join(name);
        if path.exists() {
            return Err(format!(
                "'{}' holds a run already: go on with it by --resume, or choose another directory by --out",
                dir.display()
            ));
        }
        std::fs::create_dir_all(dir).map_err(fault)?;
        // The file gets its name when its first line is whole, so that one of this name can always be gone on with.
        let draft = path.with_extension("new");
        let file = lock(File::create(&draft).map_err(fault)?)?;
        let mut store = Store { path, file };
        store.append(first)?;
        std::fs::rename(&draft, &store.path).map_err(fault)?;
        Ok(store)
    }

    /// Reads the lines, in the order in which they were written. What was being written when the run broke off is dropped,
    /// also from the file.
    ///
    /// # Errors
    /// Names the file, and the line if one is wrong.
    pub fn open<T: DeserializeOwned>(dir: &Path, name: &str) -> Result<(Self, Vec<T>), String> {
        let path = dir.join(name);
        let name = path.display().to_string();
        let fault = |error| format!("'{name}' can not be read: {error}");
        let file = File::options().append(true).open(&path).map_err(fault)?;
        let file = lock(file).map_err(|error| format!("'{name}': {error}"))?;
        let Lines { lines, sound } = record::load_lines(&path)?;
        let sound = sound as u64;
        if sound < file.metadata().map_err(fault)?.len() {
            file.set_len(sound).map_err(fault)?;
            file.sync_data().map_err(fault)?;
        }
        Ok((Store { path, file }, lines))
    }

    /// Appends a line; when this returns, it is on the disk.
    ///
    /// # Errors
    /// Names the file.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), String> {
        let fault =
            |error: String| format!("'{}' can not be written: {error}", self.path.display());
        let mut text = serde_json::to_string(line).map_err(|error| fault(error.to_string()))?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|error| fault(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Line;
    use crate::record::tests::{pair, run};

    fn read(text: &str) -> Line {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_directory_holds_one_run() {
        let dir = std::env::temp_dir().join(format!("arena-store-{}", std::process::id()));
        let create = || Store::create(&dir, record::FILE, &read(&run()));
        let open = || Store::open::<Line>(&dir, record::FILE);
        let mut store = create().unwrap();
        store.append(&read(&pair(7))).unwrap();
        store.file.write_all(b"{\"kind\":\"pa").unwrap();
        assert!(create().is_err_and(|error| error.contains("--resume")));
        #[cfg(unix)]
        assert!(open().is_err_and(|error| error.contains("another arena")));
        drop(store);
        let (mut store, lines) = open().unwrap();
        assert_eq!(lines, [read(&run()), read(&pair(7))]);
        store.append(&read(&pair(8))).unwrap();
        drop(store);
        assert_eq!(open().unwrap().1.len(), 3);
        std::fs::remove_dir_all(dir).unwrap();
    }
}
