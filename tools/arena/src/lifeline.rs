//! The end of the arena, wanted or not, and that no process outlives it.
//!
//! A second process, the guard, knows the process groups of all engines. When the arena ends, even by a signal that nothing
//! can catch, the guard's input ends, and it kills those that are left: engines and whatever they have started.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the arena is to end, and who looks after the engines then.
#[derive(Default)]
pub struct Lifeline {
    interrupted: AtomicBool,
    guard: Mutex<Option<Guard>>,
}

struct Guard {
    process: Child,
    input: ChildStdin,
}

/// The word that makes this program the guard of [`Lifeline::guarded`].
pub const GUARD: &str = "guard";

impl Lifeline {
    /// With a guard, which is this program with the one argument [`GUARD`]; it must call [`guard`] then.
    ///
    /// # Errors
    /// If it can not be started.
    pub fn guarded() -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| format!("own program: {error}"))?;
        let mut command = Command::new(&program);
        command
            .arg(GUARD)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // A Ctrl-C at the terminal must not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command
            .spawn()
            .map_err(|error| format!("'{}' can not be started: {error}", program.display()))?;
        let input = process.stdin.take().ok_or("the guard has no pipe")?;
        Ok(Lifeline {
            guard: Mutex::new(Some(Guard { process, input })),
            interrupted: AtomicBool::new(false),
        })
    }

    /// A guarded one for a run: a Ctrl-C or a request to end interrupts it; the second one ends the arena at once, and with it
    /// its engines.
    ///
    /// # Errors
    /// If signals can not be handled or the guard can not be started.
    pub fn of_a_run() -> Result<Arc<Self>, String> {
        let lifeline = Arc::new(Self::guarded()?);
        let signalled = Arc::clone(&lifeline);
        ctrlc::set_handler(move || {
            if signalled.interrupt() {
                std::process::exit(130);
            }
        })
        .map_err(|error| format!("signals can not be handled: {error}"))?;
        Ok(lifeline)
    }

    /// Says that the arena is to end; returns whether that was said before.
    pub fn interrupt(&self) -> bool {
        self.interrupted.swap(true, Relaxed)
    }

    /// Whether the arena is to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// A process was started that leads a group.
    pub fn began(&self, process: u32) {
        self.tell('+', process);
    }

    /// A process and its group were killed. Must be said before it is waited for: afterwards its number may be another's.
    pub fn ended(&self, process: u32) {
        self.tell('-', process);
    }

    fn tell(&self, sign: char, process: u32) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(guard) = &mut *guard {
            // Without its guard the arena still ends its engines itself, as long as it is not killed.
            let _ = guard
                .input
                .write_all(format!("{sign}{process}\n").as_bytes());
        }
    }
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        let guard = self.guard.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(Guard { mut process, input }) = guard.take() {
            drop(input);
            // It ends with its input; there is nobody left to be told if not.
            let _ = process.wait();
        }
    }
}

/// The life of a guard: reads who has begun and ended, up to the end of the arena, and kills who is left.
pub fn guard(input: impl BufRead) {
    for process in left_over(input) {
        kill_group(process);
    }
}

/// Processes that have begun and not ended.
fn left_over(input: impl BufRead) -> BTreeSet<i32> {
    let mut running = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        // A torn last line has no number, or a wrong one of a process that is not there.
        let sign = line.chars().next();
        match (sign, line.get(1..).and_then(|number| number.parse().ok())) {
            (Some('+'), Some(process)) => {
                running.insert(process);
            }
            (Some('-'), Some(process)) => {
                running.remove(&process);
            }
            _ => {}
        }
    }
    running
}

#[cfg(unix)]
fn kill_group(process: i32) {
    use nix::sys::signal::{Signal, killpg};
    // 0 and 1 would be the guard's own group and everybody. It fails only if nobody is left.
    if process > 1 {
        let _ = killpg(nix::unistd::Pid::from_raw(process), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: i32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_ended_is_not_left() {
        let text = "+10\n+11\nnoise\n\n-10\n+12\n-99\n+";
        assert_eq!(left_over(text.as_bytes()), BTreeSet::from([11, 12]));
    }
}
