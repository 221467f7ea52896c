//! What operating systems do differently: groups of processes, cores, writing without waiting for ever.
//!
//! On Unix every engine leads a process group of its own, so that what it starts ends with it and a Ctrl-C at the
//! terminal reaches the arena alone. On Linux the kernel kills an engine whose arena has died.

use std::fmt::{self, Display};
use std::process::{Child, ChildStdin, Command};
use std::time::Instant;

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Code(i32),
    /// In another way, in the words of the system.
    Otherwise(String),
}

impl Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Code(code) => write!(f, "exit code {code}"),
            Ending::Otherwise(words) => f.write_str(words),
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl From<std::process::ExitStatus> for Ending {
    fn from(status: std::process::ExitStatus) -> Self {
        status
            .code()
            .map_or_else(|| Ending::Otherwise(status.to_string()), Ending::Code)
    }
}

/// Whether a write may be tried again.
pub enum Written {
    /// So many bytes were taken.
    Some(usize),
    /// Nothing was taken before the deadline.
    TimedOut,
}

#[cfg(unix)]
mod imp {
    use super::*;
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    use std::io::{ErrorKind, Write};
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;

    /// Makes the command a group of its own that dies with the arena, on this core if one is given.
    pub fn prepare(command: &mut Command, core: Option<usize>) -> Result<(), String> {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        {
            use nix::sched::{CpuSet, sched_setaffinity};
            use nix::sys::prctl::set_pdeathsig;
            let arena = nix::unistd::getpid();
            let mut cores = CpuSet::new();
            if let Some(core) = core {
                cores
                    .set(core)
                    .map_err(|_| format!("there is no core {core}"))?;
            }
            let dies_with_the_arena = move || {
                set_pdeathsig(Signal::SIGKILL)?;
                // If the arena died before this, nobody will send the signal.
                if nix::unistd::getppid() != arena {
                    return Err(std::io::ErrorKind::BrokenPipe.into());
                }
                if core.is_some() {
                    sched_setaffinity(Pid::from_raw(0), &cores)?;
                }
                Ok(())
            };
            #[allow(unsafe_code)]
            // SAFETY: between fork and exec the closure makes system calls only: it takes no lock, allocates nothing and
            // touches no memory but its own captured values.
            unsafe {
                command.pre_exec(dies_with_the_arena)
            };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = core;
        Ok(())
    }

    /// Makes writes return at once when the pipe is full.
    pub fn unblock(input: &ChildStdin) -> std::io::Result<()> {
        fcntl(input.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(())
    }

    /// Writes what the pipe takes, waiting for room up to the deadline.
    pub fn write(
        input: &mut ChildStdin,
        bytes: &[u8],
        deadline: Instant,
    ) -> std::io::Result<Written> {
        loop {
            match input.write(bytes) {
                Ok(count) => return Ok(Written::Some(count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Written::TimedOut);
            }
            let mut pipe = [PollFd::new(input.as_fd(), PollFlags::POLLOUT)];
            let wait = PollTimeout::try_from(left.as_millis().clamp(1, 60_000) as i32);
            match poll(&mut pipe, wait.unwrap_or(PollTimeout::MAX)) {
                Ok(_) | Err(nix::errno::Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Kills the process and all that it has started. Must come before the process is waited for: until then its number,
    /// which names the group, is not given to another.
    pub fn kill(child: &mut Child) {
        // It fails only if there is nothing left to kill.
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    }

    /// How the process ended, if it has. It is not waited for by that, so that [`kill`] still finds its group.
    #[cfg(target_os = "linux")]
    pub fn ending(child: &mut Child) -> Option<Ending> {
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(Pid::from_raw(child.id() as i32)), flags).ok()? {
            WaitStatus::Exited(_, code) => Some(Ending::Code(code)),
            WaitStatus::Signaled(_, signal, _) => {
                Some(Ending::Otherwise(format!("killed by {signal}")))
            }
            _ => None,
        }
    }

    /// How the process ended, if it has.
    #[cfg(not(target_os = "linux"))]
    pub fn ending(child: &mut Child) -> Option<Ending> {
        child.try_wait().ok()?.map(Ending::from)
    }
}

#[cfg(not(unix))]
mod imp {
    use super::*;
    use std::io::Write;

    pub fn prepare(_: &mut Command, _: Option<usize>) -> Result<(), String> {
        Ok(())
    }

    pub fn unblock(_: &ChildStdin) -> std::io::Result<()> {
        Ok(())
    }

    pub fn write(input: &mut ChildStdin, bytes: &[u8], _: Instant) -> std::io::Result<Written> {
        input.write(bytes).map(Written::Some)
    }

    pub fn kill(child: &mut Child) {
        // It fails only if the process has ended.
        let _ = child.kill();
    }

    pub fn ending(child: &mut Child) -> Option<Ending> {
        child.try_wait().ok()?.map(Ending::from)
    }
}

pub use imp::{ending, kill, prepare, unblock, write};

/// The cores that this process may use.
#[cfg(target_os = "linux")]
pub fn cores() -> Vec<usize> {
    use nix::sched::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(nix::unistd::Pid::from_raw(0)).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::count())
        .filter(|&core| set.is_set(core).unwrap_or(false))
        .collect()
}

/// The cores that this process may use, where they can not be told: none.
#[cfg(not(target_os = "linux"))]
pub fn cores() -> Vec<usize> {
    Vec::new()
}
