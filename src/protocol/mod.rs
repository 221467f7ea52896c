//! Text in, text out: the line protocol over stdin and stdout.
//!
//! [`serve`] reads lines at all times and hands them to a second thread, which carries them out in order; the few that
//! act at once are carried out where they are read. `protocol.md` is the normative page.
//!
//! A [`Protocol`] has two halves: a function that takes the lines as they are read, and a `Worker` that carries out
//! those that wait for their turn.

mod engine;
mod go;
mod htp;
pub mod options;
mod otep;
mod output;
mod queue;
mod uci;

use crate::search::table::Table;
use crate::variants::Registry;
use engine::Engine;
use options::Settings;
pub use otep::engine_file;
use output::Output;
use parking_lot::Mutex;
use queue::{Queue, Task};
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use uci::Dialect;

/// Name and version, as told to drivers.
pub const NAME: &str = concat!("Huscarl ", env!("CARGO_PKG_VERSION"));

/// The protocols that drivers speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// That of `protocol.md`, in the dialects `uci` and `ugi`.
    Huscarl,
    /// OpenTafl's protocol for external engines.
    OpenTafl,
    /// That of the servers of hnefatafl.org.
    Hnefatafl,
}

/// What the protocols are called on the command line.
const PROTOCOLS: [(&str, Protocol); 3] = [
    ("uci", Protocol::Huscarl),
    ("otep", Protocol::OpenTafl),
    ("htp", Protocol::Hnefatafl),
];

impl Protocol {
    /// The protocol of this name.
    ///
    /// # Errors
    /// Names what is known.
    pub fn find(name: &str) -> Result<Self, String> {
        PROTOCOLS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, protocol)| protocol)
            .ok_or_else(|| {
                let known = PROTOCOLS.map(|(known, _)| known).join(" ");
                format!("unknown protocol '{name}', one of {known} expected")
            })
    }

    /// The protocol of a driver whose first line this is.
    fn of_first_line(line: &str) -> Self {
        match split_word(line).0 {
            "rules" => Protocol::OpenTafl,
            _ if htp::is_request(line) => Protocol::Hnefatafl,
            _ => Protocol::Huscarl,
        }
    }

    /// What is said before anything has been asked for.
    fn begin(self, shared: &Shared) {
        match self {
            Protocol::OpenTafl => otep::begin(shared),
            Protocol::Huscarl | Protocol::Hnefatafl => {}
        }
    }

    /// Acts on a line at once or hands it on; says whether to go on reading.
    fn take(self, line: &str, shared: &Shared) -> bool {
        match self {
            Protocol::Huscarl => take(line, shared),
            Protocol::OpenTafl => otep::take(line, shared),
            Protocol::Hnefatafl => htp::take(line, shared),
        }
    }
}

/// The half of a protocol that works.
trait Worker {
    /// Carries out one line.
    fn carry_out(&mut self, task: &Task);
    /// Answers what a line asked for after a fault in carrying it out.
    fn answer_fault(&mut self, task: &Task);
}

/// What the reading and the working thread share.
struct Shared {
    /// What the driver speaks, once it is known.
    protocol: OnceLock<Protocol>,
    output: Output,
    queue: Queue,
    dialect: Mutex<Dialect>,
    debug: AtomicBool,
    /// What the command line set.
    settings: Settings,
    /// The variants that there are now.
    variants: Mutex<Registry>,
}

/// How long the end waits for work that does not end, and for a driver that does not read. A second is promised;
/// these are for machines in distress.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves a driver until its input ends or it says `quit`.
///
/// # Errors
/// If the output or the log can not be written to. Without the memory or the threads that are asked for the process ends.
pub fn serve(input: impl BufRead, settings: Settings) -> Result<(), String> {
    let output = Output::new(std::io::stdout()).map_err(|error| error.to_string())?;
    output.set_log(settings.log.as_deref())?;
    let shared = Arc::new(Shared {
        protocol: OnceLock::new(),
        queue: Queue::new(output.clone()),
        output,
        dialect: Mutex::default(),
        debug: AtomicBool::new(false),
        variants: Mutex::new(settings.variants.clone()),
        settings,
    });
    if let Some(protocol) = shared.settings.protocol {
        shared.choose(protocol);
    }
    let (done, wait) = crossbeam_channel::bounded(1);
    let working = Arc::clone(&shared);
    // The table is made on the working thread too: a hello does not wait for it.
    std::thread::Builder::new()
        .name("engine".into())
        .spawn(move || {
            work(working);
            done.send(())
        })
        .map_err(|error| error.to_string())?;
    read(input, &shared);
    if shared.protocol.get() == Some(&Protocol::OpenTafl) {
        // Who has gone wants no answer.
        shared.queue.discard();
    }
    shared.queue.close();
    // Work that does not end is left to the end of the process.
    let _ = wait.recv_timeout(PATIENCE);
    shared.output.flush(PATIENCE / 10);
    Ok(())
}

impl Shared {
    /// Settles what the driver speaks, unless that is known, and says it.
    fn choose(&self, protocol: Protocol) -> Protocol {
        *self.protocol.get_or_init(|| {
            protocol.begin(self);
            protocol
        })
    }
}

/// Carries out what is in the queue until it is closed.
fn work(shared: Arc<Shared>) {
    let table = match Table::new(shared.settings.hash) {
        Ok(table) => Arc::new(table),
        Err(message) => refuse(&shared, &message),
    };
    // With the first line it is known which protocol's worker is needed. Only that one is made, for each keeps a table.
    let Some(mut task) = shared.queue.next() else {
        return;
    };
    let mut worker: Box<dyn Worker> = match shared.protocol.get() {
        Some(Protocol::OpenTafl) => Box::new(otep::Guest::new(Arc::clone(&shared), table)),
        Some(Protocol::Hnefatafl) => Box::new(htp::Htp::new(Arc::clone(&shared), table)),
        _ => match Engine::new(Arc::clone(&shared), table) {
            Ok(engine) => Box::new(engine),
            Err(message) => refuse(&shared, &message),
        },
    };
    loop {
        if catch_unwind(AssertUnwindSafe(|| worker.carry_out(&task))).is_err() {
            worker.answer_fault(&task);
        }
        task = match shared.queue.next() {
            Some(task) => task,
            None => return,
        };
    }
}

/// Ends the process with a message: nothing can be served, and the thread that reads may wait for input for ever.
fn refuse(shared: &Shared, message: &str) -> ! {
    if shared.protocol.get() == Some(&Protocol::OpenTafl) {
        shared.output.say(otep::fatal(message));
    } else {
        shared.output.error(message);
        eprintln!("error: {message}");
    }
    shared.output.flush(PATIENCE / 10);
    std::process::exit(1);
}

fn read(mut input: impl BufRead, shared: &Shared) {
    let mut bytes = Vec::new();
    let mut first = true;
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                log::error!("input can not be read: {error}");
                return;
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = if std::mem::take(&mut first) {
            text.strip_prefix('\u{feff}').unwrap_or(&text)
        } else {
            &text
        };
        let line = text.trim();
        shared.output.heard(line);
        if line.is_empty() {
            continue;
        }
        let known = shared.protocol.get().copied();
        let protocol = known.unwrap_or_else(|| shared.choose(Protocol::of_first_line(line)));
        if !protocol.take(line, shared) {
            return;
        }
    }
}

/// Acts on a line at once or hands it on; says whether to go on reading.
fn take(line: &str, shared: &Shared) -> bool {
    let (word, arguments) = split_word(line);
    let Shared { output, queue, .. } = shared;
    match word {
        "uci" | "ugi" => {
            if let Some(dialect) = Dialect::of_hello(word) {
                *shared.dialect.lock() = dialect;
                let variants = shared.variants.lock().clone();
                for line in dialect.hello(&shared.settings, &variants) {
                    output.say(line);
                }
            }
        }
        "isready" => queue.ready(),
        "stop" => queue.stop(),
        "ponderhit" => queue.ponderhit(),
        "quit" => return false,
        "debug" => match arguments {
            "on" => shared.debug.store(true, Relaxed),
            "off" => shared.debug.store(false, Relaxed),
            other => output.error(format!("debug '{other}', on or off expected")),
        },
        "help" => {
            for line in HELP {
                output.say(*line);
            }
        }
        "go" | "bench" => {
            let ponders = arguments
                .split_ascii_whitespace()
                .any(|word| word == "ponder");
            queue.push_search(line, word == "go" && ponders);
        }
        _ if WAITING.contains(&word) => queue.push(line),
        _ => output.error(format!("unknown command '{word}', see help")),
    }
    true
}

/// The first word of a line, and the rest without the blanks around it.
fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(|c: char| c.is_ascii_whitespace())
        .map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Commands that wait for their turn.
const WAITING: [&str; 8] = [
    "position",
    "moves",
    "setoption",
    "ucinewgame",
    "uginewgame",
    "query",
    "d",
    "eval",
];

/// What `help` says.
const HELP: &[&str] = &[
    "uci | ugi                       say hello; lists the options",
    "isready                         answered by readyok",
    "setoption name N [value V]      change an option",
    "ucinewgame | uginewgame         forget earlier games, set the start position",
    "position startpos|fen F [moves M ...]",
    "moves M ...                     play on from the position",
    "go [p1time MS] [p2time MS] [p1inc MS] [p2inc MS] [movestogo N] [movetime MS]",
    "   [depth N] [nodes N] [mate N] [infinite] [ponder] [searchmoves M ...] [offer]",
    "go perft N                      count move sequences",
    "stop | ponderhit                end a search; turn pondering into thinking",
    "query p1turn | gameover | result | reason | moves | islegal M | captures M | fen | score | variant",
    "d | eval                        show the position; its evaluation",
    "bench [DEPTH]                   search a fixed set of positions",
    "debug on|off                    say more",
    "quit                            end; so does the end of input",
    "The whole of it is in protocol.md.",
];
