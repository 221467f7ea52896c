//! What a search may spend, and the signals that end it from outside.

use crate::game::Move;
use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left: main time, or what is left of the running overtime period once main time is over.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until time is added; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// What comes after the main time; `None` if its end loses the game.
    pub overtime: Option<Overtime>,
}

/// Overtime: a move within a period costs nothing, the end of a period costs the period, the end of the last one the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overtime {
    /// Length of a period.
    pub period: Duration,
    /// Periods left, the running one included.
    pub periods: u32,
    /// Whether main time is over.
    pub running: bool,
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

/// As [`LARGEST_SHARE`] and [`EXPECTED_MOVES`], where overtime follows: main time need not last to the end of the game.
const SHARE_BEFORE_OVERTIME: f64 = 0.4;
/// See [`SHARE_BEFORE_OVERTIME`].
const MOVES_BEFORE_OVERTIME: f64 = 25.0;
/// Main time below this part of a period is as good as over: a period gives more time than any plan for such a rest.
const NEARLY_GONE: f64 = 0.2;
/// Part of what a period has to spare that a move in overtime takes.
const SHARE_OF_PERIOD: f64 = 0.85;
/// And in the last period, the end of which loses the game.
const SHARE_OF_LAST_PERIOD: f64 = 0.7;

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
        let (left, overhead) = (clock.left.as_secs_f64(), self.overhead.as_secs_f64());
        // What can be spent at all, and what of it may be without living on the edge.
        let usable = |left: f64| (left - overhead).max(0.0);
        let spare = |left: f64| (usable(left) - (RESERVE * overhead).min(LARGEST_RESERVE)).max(0.0);
        let (mut largest, mut expected) = (LARGEST_SHARE, EXPECTED_MOVES);
        if let Some(overtime) = clock.overtime.filter(|overtime| overtime.periods > 0) {
            let share = match overtime.periods {
                1 => SHARE_OF_LAST_PERIOD,
                _ => SHARE_OF_PERIOD,
            };
            let period = overtime.period.as_secs_f64();
            let move_time = if overtime.running {
                Some((spare(left) * share).max(usable(left) * 0.25))
            } else {
                // The rest of the main time is used with the first period: it would buy hasty moves only.
                let gone = left < period * NEARLY_GONE || spare(left) == 0.0;
                gone.then(|| (left + spare(period) * share).max(usable(left) * 0.25))
            };
            if let Some(time) = move_time {
                let time = Duration::from_secs_f64(time);
                return Budget {
                    soft: time,
                    hard: time,
                    flexible: true,
                };
            }
            (largest, expected) = (SHARE_BEFORE_OVERTIME, MOVES_BEFORE_OVERTIME);
        }
        let increment = clock.increment.as_secs_f64();
        let (usable, spare) = (usable(left), spare(left));
        let moves = clock
            .moves_to_go
            .map_or(expected, |moves| f64::from(moves).clamp(1.0, expected));
        // With one move to go the clock is there to be used.
        let share = if moves <= 1.0 { 0.8 } else { largest };
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
    unwanted: bool,
    hit: Option<Instant>,
}

impl Signals {
    /// Ends the search.
    pub fn stop(&self) {
        self.state.lock().stopped = true;
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Ends the search, whose answer nobody waits for any more.
    pub fn discard(&self) {
        self.state.lock().unwanted = true;
        self.stop();
    }

    /// Gives the answer with `give` unless the search has been discarded; that can not happen in between.
    pub fn deliver(&self, give: impl FnOnce()) {
        let state = self.state.lock();
        if !state.unwanted {
            give();
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// The plan with `left` ms on the clock and `periods` of `period` ms behind it or, if they run, in it.
    fn plan(left: u64, period: u64, periods: u32, running: bool) -> Budget {
        let clock = Clock {
            left: ms(left),
            overtime: Some(Overtime {
                period: ms(period),
                periods,
                running,
            }),
            ..Clock::default()
        };
        let limits = Limits {
            clock: Some(clock),
            overhead: OVERHEAD,
            ..Limits::default()
        };
        limits.budget().expect("a clock limits the time")
    }

    #[test]
    fn main_time_is_not_left_by_accident() {
        for period in [500, 2000, 10_000, 60_000] {
            for left in [period / 4, period / 2, period, 3 * period, 100 * period] {
                let budget = plan(left, period, 3, false);
                assert!(budget.soft <= budget.hard);
                assert!(
                    budget.hard + 3 * OVERHEAD < ms(left),
                    "{left} ms before periods of {period} ms: {budget:?}"
                );
            }
        }
    }

    #[test]
    fn a_rest_of_main_time_is_used_with_the_first_period() {
        for left in [0, 1, 20, 50, 300] {
            let budget = plan(left, 2000, 2, false);
            assert!(
                budget.hard > ms(left + 1000),
                "{left} ms: most of a period follows: {budget:?}"
            );
            assert!(
                budget.hard + 3 * OVERHEAD < ms(left + 2000),
                "{left} ms: the period does not end: {budget:?}"
            );
        }
    }

    #[test]
    fn most_of_a_period_is_used_and_its_end_is_not_reached() {
        for period in [500, 1000, 2000, 60_000] {
            for periods in [1, 2, 5] {
                let budget = plan(period, period, periods, true);
                assert!(
                    2 * budget.soft > ms(period),
                    "{period} ms, {periods} left: {budget:?}"
                );
                assert!(
                    budget.hard + 5 * OVERHEAD < ms(period),
                    "{period} ms, {periods} left: {budget:?}"
                );
            }
            let (last, other) = (plan(period, period, 1, true), plan(period, period, 2, true));
            assert!(last.hard < other.hard, "the last period is not risked");
        }
    }

    #[test]
    fn what_is_left_of_a_running_period_counts() {
        assert!(plan(300, 2000, 2, true).hard < ms(300) - OVERHEAD);
        assert!(plan(30, 2000, 2, true).hard < ms(30) - OVERHEAD);
        assert_eq!(plan(0, 2000, 1, true).hard, Duration::ZERO);
    }

    #[test]
    fn without_periods_the_main_time_is_all() {
        let plain = Limits {
            clock: Some(Clock {
                left: ms(3000),
                ..Clock::default()
            }),
            overhead: OVERHEAD,
            ..Limits::default()
        };
        assert_eq!(Some(plan(3000, 2000, 0, false)), plain.budget());
    }

    #[test]
    fn a_discarded_answer_is_not_given() {
        let signals = Signals::default();
        let mut given = 0;
        signals.deliver(|| given += 1);
        signals.discard();
        signals.deliver(|| given += 1);
        assert!(signals.stopped());
        assert_eq!(given, 1);
    }
}
