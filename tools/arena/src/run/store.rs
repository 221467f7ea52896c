//! `games.jsonl`: written a pair at a time, each on the disk before it counts, and read again to go on with a run.

use crate::record::{Line, Pair, Run};
use std::collections::BTreeMap;
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

/// Pairs by their number.
pub type Pairs = BTreeMap<u64, Pair>;

fn file_of(dir: &Path) -> PathBuf {
    dir.join("games.jsonl")
}

impl Store {
    /// Begins a run in a directory that holds none.
    ///
    /// # Errors
    /// Names the directory and what is wrong with it.
    pub fn create(dir: &Path, run: &Run) -> Result<Self, String> {
        let fault = |error| format!("'{}' can not be written: {error}", dir.display());
        let path = file_of(dir);
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
        store.append(&Line::Run(run.clone()))?;
        std::fs::rename(&draft, &store.path).map_err(fault)?;
        Ok(store)
    }

    /// Reads a run. What was being written when it broke off is dropped, also from the file.
    ///
    /// # Errors
    /// Names the file, and the line if one is wrong.
    pub fn open(dir: &Path) -> Result<(Self, Run, Pairs), String> {
        let path = file_of(dir);
        let name = path.display().to_string();
        let fault = |error| format!("'{name}' can not be read: {error}");
        let file = File::options().append(true).open(&path).map_err(fault)?;
        let file = lock(file).map_err(|error| format!("'{name}': {error}"))?;
        let bytes = std::fs::read(&path).map_err(fault)?;
        let (run, pairs, sound) = read(&bytes).map_err(|error| format!("'{name}', {error}"))?;
        if sound < bytes.len() {
            file.set_len(sound as u64).map_err(fault)?;
            file.sync_data().map_err(fault)?;
        }
        Ok((Store { path, file }, run, pairs))
    }

    /// Appends a line; when this returns, it is on the disk.
    ///
    /// # Errors
    /// Names the file.
    pub fn append(&mut self, line: &Line) -> Result<(), String> {
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

/// The run, its pairs, and how many bytes are sound.
fn read(bytes: &[u8]) -> Result<(Run, Pairs, usize), String> {
    let mut run = None;
    let mut pairs = Pairs::new();
    let mut sound = 0;
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    for (index, line) in lines.enumerate() {
        let number = index + 1;
        let last = sound + line.len() == bytes.len();
        match serde_json::from_slice::<Line>(line) {
            // A line without its end may be a number cut short.
            _ if last && !line.ends_with(b"\n") => break,
            Ok(Line::Run(first)) if index == 0 => run = Some(first),
            Ok(Line::Pair(pair)) if index > 0 => {
                pairs.insert(pair.index, pair);
            }
            Ok(_) => {
                return Err(format!(
                    "line {number}: one run and then its pairs expected"
                ));
            }
            Err(_) if last && index > 0 => break,
            Err(error) => return Err(format!("line {number}: {error}")),
        }
        sound += line.len();
    }
    let run = run.ok_or("line 1: the description of the run expected")?;
    Ok((run, pairs, sound))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> String {
        let run = Run {
            arena: "0".into(),
            variant: "thud".into(),
            sides: ["dwarfs".into(), "trolls".into()],
            started: String::new(),
            host: String::new(),
            engines: Vec::new(),
            seed: 1,
            settings: serde_json::Value::Null,
        };
        serde_json::to_string(&Line::Run(run)).unwrap() + "\n"
    }

    fn pair(index: u64) -> String {
        let game = r#"{"players":[0,1],"winner":1,"reason":"no-moves","detail":"","points":[3,4],
            "moves":[{"move":"a1a2","score":{"cp":3},"depth":1,"nodes":2,"time":0.5,"left":null}],
            "end":"x","seconds":1.5}"#;
        let text = format!(
            r#"{{"kind":"pair","index":{index},"round":0,"engines":[0,1],"fen":null,"opening":[],"games":[{game},{game}]}}"#
        );
        text.replace('\n', "") + "\n"
    }

    #[test]
    fn pairs_are_read_up_to_a_torn_line() {
        let whole = run() + &pair(0) + &pair(1);
        for cut in 0..whole.len() {
            let read = read(&whole.as_bytes()[..cut]);
            if cut < run().len() {
                assert!(read.is_err());
                continue;
            }
            let (_, pairs, sound) = read.unwrap();
            let complete = (cut - run().len()) / pair(0).len();
            assert_eq!(pairs.len(), complete);
            assert_eq!(sound, run().len() + complete * pair(0).len());
        }
    }

    #[test]
    fn damage_before_the_end_is_an_error() {
        let text = run() + "nonsense\n" + &pair(1);
        assert!(read(text.as_bytes()).unwrap_err().contains("line 2"));
        assert!(read((run() + &run()).as_bytes()).is_err());
        assert!(read(pair(0).as_bytes()).is_err());
        let (_, pairs, _) = read((run() + &pair(0) + "\0\0\0\n").as_bytes()).unwrap();
        assert_eq!(pairs.len(), 1, "the last line may be anything");
    }

    #[test]
    fn a_directory_holds_one_run() {
        let dir = std::env::temp_dir().join(format!("arena-store-{}", std::process::id()));
        let Line::Run(run) = serde_json::from_str(&run()).unwrap() else {
            panic!("no run")
        };
        let mut store = Store::create(&dir, &run).unwrap();
        store
            .append(&serde_json::from_str(&pair(7)).unwrap())
            .unwrap();
        store.file.write_all(b"{\"kind\":\"pa").unwrap();
        assert!(Store::create(&dir, &run).is_err_and(|error| error.contains("--resume")));
        #[cfg(unix)]
        assert!(Store::open(&dir).is_err_and(|error| error.contains("another arena")));
        drop(store);
        let (mut store, read, pairs) = Store::open(&dir).unwrap();
        assert_eq!((read, pairs.len()), (run, 1));
        store
            .append(&serde_json::from_str(&pair(8)).unwrap())
            .unwrap();
        drop(store);
        assert_eq!(Store::open(&dir).unwrap().2.len(), 2);
        std::fs::remove_dir_all(dir).unwrap();
    }
}
