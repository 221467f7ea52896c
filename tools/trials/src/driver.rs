//! A small driver of one engine process.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine process and the two ends of its pipes. The process is killed when this is dropped.
pub struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// The engine beside this program, where cargo puts it.
pub fn own_engine() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let path = here.with_file_name(format!("huscarl{}", std::env::consts::EXE_SUFFIX));
    if path.exists() {
        Ok(path)
    } else {
        Err(format!(
            "{} is missing: cargo build --release",
            path.display()
        ))
    }
}

impl Engine {
    /// Starts a process.
    pub fn start(path: &Path) -> Result<Self, String> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".into());
        };
        Ok(Engine {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Sends one line, or several in one write.
    pub fn send(&mut self, line: &str) -> Result<(), String> {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| format!("the engine does not listen: {error}"))
    }

    /// The next line.
    pub fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(0) => Err("the engine has ended".into()),
            Ok(_) => Ok(line.trim_end().to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Reads up to the line that begins with this word.
    pub fn wait_for(&mut self, word: &str) -> Result<String, String> {
        loop {
            let line = self.line()?;
            if line.split_ascii_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }

    /// Waits until everything sent has been carried out.
    pub fn ready(&mut self) -> Result<(), String> {
        self.send("isready")?;
        self.wait_for("readyok").map(drop)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
