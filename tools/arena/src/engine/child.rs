//! A child process with pipes, in a group of its own: its start, and its end with all that it has started.

use super::system::{self, Ending};
use crate::lifeline::Lifeline;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often an end is looked for.
const LOOK: Duration = Duration::from_millis(5);

/// What is to be started.
pub struct Program<'a> {
    /// The program.
    pub cmd: &'a Path,
    /// Its arguments.
    pub args: &'a [String],
    /// Where it is started.
    pub dir: Option<&'a Path>,
}

/// The pipes of a child, from the arena's side.
pub struct Pipes {
    /// Standard input.
    pub input: ChildStdin,
    /// Standard output.
    pub output: ChildStdout,
    /// Standard error.
    pub errors: ChildStderr,
}

/// A child. It is killed, with all that it started, when this is dropped.
pub struct Running {
    child: Child,
    lifeline: Arc<Lifeline>,
}

impl Running {
    /// Starts it, on a core if one is given.
    ///
    /// # Errors
    /// Names the program and what the system has against it.
    pub fn start(
        program: &Program<'_>,
        core: Option<usize>,
        lifeline: Arc<Lifeline>,
    ) -> Result<(Self, Pipes), String> {
        let name = program.cmd.display();
        let mut command = Command::new(program.cmd);
        command
            .args(program.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = program.dir {
            command.current_dir(dir);
        }
        system::prepare(&mut command, core)?;
        let mut child = command
            .spawn()
            .map_err(|error| format!("'{name}' can not be started: {error}"))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        lifeline.began(child.id());
        // From here on dropping it ends the process.
        let running = Running { child, lifeline };
        match pipes {
            (Some(input), Some(output), Some(errors)) => {
                let pipes = Pipes {
                    input,
                    output,
                    errors,
                };
                Ok((running, pipes))
            }
            _ => Err(format!("'{name}' has no pipes")),
        }
    }

    /// How it ended, if it does so within this time.
    pub fn ending(&mut self, patience: Duration) -> Option<Ending> {
        let deadline = Instant::now() + patience;
        loop {
            let ending = system::ending(&mut self.child);
            if ending.is_some() || Instant::now() >= deadline {
                return ending;
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        system::kill(&mut self.child);
        self.lifeline.ended(self.child.id());
        // It was killed, so this does not wait for long; it fails only if it was waited for before.
        let _ = self.child.wait();
    }
}
