//! The search: iterative deepening alpha-beta on any number of threads. It knows no protocol and no game by name.
//!
//! [`pool`] owns the threads, `deepening` what they search together and what comes of it, `iterate` one thread's part in
//! that, `busy` what each is at work on, `thread` what it keeps, `node` and `quiesce` the recursion, `prune` what they leave
//! out, `picker` the order of moves, [`history`], `correction` and [`table`] what is remembered, [`path`] the line so far,
//! [`limits`] what may be spent, [`level`] what is taken away from a weaker player, [`tuning`] the numbers that games can
//! tune. A [`Job`] is all that a search is given, [`Report`] and [`Best`] all that it says.

mod busy;
mod correction;
mod deepening;
pub mod history;
mod iterate;
pub mod level;
pub mod limits;
mod node;
pub mod path;
mod picker;
pub mod pool;
mod prune;
mod quiesce;
pub mod table;
mod thread;
pub mod tuning;

use crate::eval::Evaluate;
use crate::game::{self, Move};
use crate::score::Score;
use busy::Busy;
use deepening::Deepening;
use level::Level;
use limits::{Limits, Signals};
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use table::{Bound, Table};

/// Called for each line of progress.
pub type Sink = Box<dyn Fn(&Report) + Send + Sync>;

/// One line of progress: a principal variation and how it came about.
#[derive(Clone, Debug)]
pub struct Report {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub seldepth: u32,
    /// Rank of the variation among those asked for, from 1.
    pub multipv: usize,
    /// From the side to move.
    pub score: Score,
    /// What the score says of the true one.
    pub bound: Bound,
    /// Of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Permille of the table written by this search.
    pub hashfull: u32,
    /// The variation; its first move is what would be played.
    pub pv: Vec<Move>,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Best {
    /// The move, if the position has one.
    pub mv: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The score of the last iteration.
    pub score: Score,
    /// Depth of the last whole iteration, in plies.
    pub depth: u32,
    /// Of all threads.
    pub nodes: u64,
    /// What went wrong inside a search thread, if anything did.
    pub fault: Option<String>,
}

/// Where a search starts: a position and what of the game before it matters.
#[derive(Clone)]
pub struct Root<P> {
    /// The position to search.
    pub position: P,
    /// Keys since the last capture, the position's own last.
    pub keys: Vec<u64>,
    /// Plies since the last capture.
    pub quiet: u32,
    /// The limits of the game.
    pub limits: game::Limits,
    /// Whether one of the positions up to this one can be repeated and has a winning move for the side to move.
    pub missed_win: bool,
}

impl<P> Root<P> {
    /// Whether the move that leads to the position with this key takes back what the side to move did at its turn
    /// before: the same keys of pieces on squares go in and out.
    fn is_taken_back_by(&self, key: u64) -> bool {
        match self.keys[..] {
            [.., before, between, now] => key == before ^ between ^ now,
            _ => false,
        }
    }
}

/// All that a search is given.
pub struct Job<G: Evaluate> {
    /// The rules.
    pub game: Arc<G>,
    /// Where to start.
    pub root: Root<G::Position>,
    /// What may be spent.
    pub limits: Limits,
    /// Number of best variations to report, at least 1.
    pub multipv: usize,
    /// What is taken away from the search, for weaker play.
    pub level: Option<Level>,
    /// The table that all threads share.
    pub table: Arc<Table>,
    /// What ends the search from outside.
    pub signals: Arc<Signals>,
    /// Called for each line of progress: by the first thread, and for the last ones by whoever asked for the search.
    pub report: Sink,
    /// When the clock began to run.
    pub started: Instant,
    shared: Shared,
}

/// What the threads of one search share.
#[derive(Default)]
struct Shared {
    /// Number of the task that is searched, or [`HALTED`].
    serial: AtomicU64,
    /// What is searched next, and what has been found; made by the first thread that asks.
    deepening: Mutex<Option<Deepening>>,
    /// Nodes of each thread, written by it now and then; each on a cache line of its own.
    nodes: Vec<Counter>,
    /// What each is at work on.
    busy: Busy,
}

/// In place of the number of a task: the search is over, for whatever reason.
const HALTED: u64 = u64::MAX;

impl Shared {
    /// The state of the search. It is held for so short that a thread tries again before it sleeps: one that is woken is not
    /// preempted as readily, and the thread that reads the input would wait for it. With two threads on two cores `isready`
    /// was answered within 4 ms at the 95th percentile without this, within 2 ms with it.
    fn deepening(&self) -> MutexGuard<'_, Option<Deepening>> {
        const TRIES: u32 = 10_000;
        for _ in 0..TRIES {
            if let Some(guard) = self.deepening.try_lock() {
                return guard;
            }
            std::hint::spin_loop();
        }
        self.deepening.lock()
    }

    fn new(threads: usize) -> Self {
        Shared {
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            busy: Busy::new(threads),
            ..Shared::default()
        }
    }

    /// Ends the present task on all threads, for the one with this number, unless the search is over.
    fn turn_to(&self, serial: u64) {
        self.serial.fetch_max(serial, Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicU64);

impl<G: Evaluate> Job<G> {
    /// A search of a position; all that is not given here has the value that changes nothing.
    pub fn new(
        game: Arc<G>,
        root: Root<G::Position>,
        limits: Limits,
        table: Arc<Table>,
        signals: Arc<Signals>,
    ) -> Self {
        Job {
            game,
            root,
            limits,
            multipv: 1,
            level: None,
            table,
            signals,
            report: Box::new(|_| {}),
            started: Instant::now(),
            shared: Shared::default(),
        }
    }

    /// What tells its entries in the table from those of other kinds of search: of a level, and of one for a mate, which
    /// must not rest on what was left out.
    fn salt(&self) -> u64 {
        const FOR_MATE: u64 = 0x9f3c_71d5_2ab8_4e61;
        let level = self.level.map_or(0, |level| level.salt());
        let mate = if self.limits.mate.is_some() {
            FOR_MATE
        } else {
            0
        };
        level ^ mate
    }

    /// Nodes of all threads.
    fn nodes(&self) -> u64 {
        self.shared
            .nodes
            .iter()
            .map(|counter| counter.0.load(Relaxed))
            .sum()
    }

    fn halt(&self) {
        self.shared.turn_to(HALTED);
    }
}

/// A search of the start position by so many threads, for tests of its parts.
#[cfg(test)]
fn job_at_start<G: Evaluate>(game: G, limits: Limits, threads: usize) -> Result<Job<G>, String> {
    let start = game.start()?;
    let root = Root {
        keys: vec![game.key(&start)],
        position: start,
        quiet: 0,
        limits: game.limits(),
        missed_win: false,
    };
    let table = Arc::new(Table::new(1)?);
    let mut job = Job::new(Arc::new(game), root, limits, table, Arc::default());
    job.shared = Shared::new(threads);
    Ok(job)
}
