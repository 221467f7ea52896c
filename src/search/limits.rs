//! What a search may spend, and the signals that end it from outside.

use crate::game::Move;
use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until time is added; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Limits of one search; the first that is reached ends it. Without any it runs until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// A win found within so many plies.
    pub mate: Option<u32>,
    /// Wall-clock time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Taken off every time, for what passes between the driver and the engine.
    pub overhead: Duration,
    /// Moves to look at; empty for all.
    pub searchmoves: Vec<Move>,
    /// Search and hold the answer until told to stop.
    pub infinite: bool,
    /// Search in the opponent's time: the clock starts with `ponderhit`.
    pub ponder: bool,
}

/// The time plan of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration after this, give or take what the search has learned.
    pub soft: Duration,
    /// The answer must be out by then.
    pub hard: Duration,
    /// Whether `soft` may be stretched and shrunk; not for a fixed time a move.
    pub flexible: bool,
}

/// A move never takes more than this part of what the clock has to spare.
const LARGEST_SHARE: f64 = 0.2;
/// Times the overhead that is kept back: a machine that does other work too stalls an engine for some milliseconds now
/// and then, and a clock near zero would not survive it.
const RESERVE: f64 = 7.0;
/// And no more than this, in seconds.
const LARGEST_RESERVE: f64 = 0.1;
/// Moves that a game is taken to last still, when nothing tells.
const EXPECTED_MOVES: f64 = 35.0;

impl Limits {
    /// The time plan, if time is limited.
    pub fn budget(&self) -> Option<Budget> {
        let by_clock = self.clock.map(|clock| self.budget_by_clock(clock));
        let by_move = self.movetime.map(|time| {
            let time = time.saturating_sub(self.overhead);
            Budget {
                soft: time,
                hard: time,
                flexible: false,
            }
        });
        match (by_clock, by_move) {
            (Some(clock), Some(fixed)) if clock.hard < fixed.hard => Some(clock),
            (_, Some(fixed)) => Some(fixed),
            (clock, None) => clock,
        }
    }

    fn budget_by_clock(&self, clock: Clock) -> Budget {
        let seconds = |time: Duration| time.as_secs_f64();
        let (left, increment) = (seconds(clock.left), seconds(clock.increment));
        let overhead = seconds(self.overhead);
        let usable = (left - overhead).max(0.0);
        let spare = (usable - (RESERVE * overhead).min(LARGEST_RESERVE)).max(0.0);
        let moves = clock.moves_to_go.map_or(EXPECTED_MOVES, |moves| {
            f64::from(moves).clamp(1.0, EXPECTED_MOVES)
        });
        // With one move to go the clock is there to be used.
        let share = if moves <= 1.0 { 0.8 } else { LARGEST_SHARE };
        // Down to the reserve only a part of the increment is spent, so that the clock recovers.
        let least = (increment * 0.5).min(usable * 0.25).max(usable * 0.02);
        let hard = (spare * share).max(least);
        let soft = (spare / moves + increment * 0.7).max(least).min(hard);
        Budget {
            soft: Duration::from_secs_f64(soft * 0.7),
            hard: Duration::from_secs_f64(hard.min(soft * 4.0)),
            flexible: true,
        }
    }
}

/// What a driver can tell a search at any time, made when the search is asked for: a signal never reaches another
/// search than those that it was meant for.
#[derive(Default)]
pub struct Signals {
    stop: AtomicBool,
    state: Mutex<SignalState>,
    changed: Condvar,
}

#[derive(Default)]
struct SignalState {
    stopped: bool,
    hit: Option<Instant>,
}

impl Signals {
    /// Ends the search.
    pub fn stop(&self) {
        self.state.lock().stopped = true;
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Tells a pondering search that its move was played.
    pub fn ponderhit(&self) {
        self.state.lock().hit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Whether the driver has ended the search.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// When `ponderhit` came.
    pub fn hit(&self) -> Option<Instant> {
        self.state.lock().hit
    }

    /// Waits until the answer of a search with these limits may be given.
    pub fn hold(&self, limits: &Limits) {
        let mut state = self.state.lock();
        while !state.stopped
            && if limits.ponder {
                // A hit turns the search into a normal one, or into an endless one if that was asked for.
                state.hit.is_none() || limits.infinite
            } else {
                limits.infinite
            }
        {
            self.changed.wait(&mut state);
        }
    }
}
