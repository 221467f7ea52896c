//! One thread at work on a job: what it remembers, what every node of it asks, and when it ends.

use super::Job;
use super::busy::{self, Busy};
use super::correction::Corrections;
use super::history::History;
use super::limits::Budget;
use super::path::Path;
use super::picker::Picked;
use super::table::{Bound, Hit};
use crate::eval::Evaluate;
use crate::game::{Move, Reason, SetOf, Side};
use crate::score::{self, EVAL_LIMIT, INFINITE, MAX_PLY, Score, WIN};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// What a thread keeps from one search to the next.
pub struct Mind<G: Evaluate> {
    pub history: History<G>,
    pub corrections: Corrections,
    pub path: Path,
    /// The moves from the root to the node that is searched; [`Move::NONE`] for a null move.
    pub line: Vec<Move>,
    /// Static evaluations of the nodes of the current line, [`UNKNOWN`] where there is none.
    pub standing: [Score; MAX_PLY + 1],
    /// The move lists of the nodes of the current line, one above the other.
    pub arena: Vec<Move>,
    /// Scores of the moves in the arena.
    pub scores: Vec<i32>,
    /// Moves of the nodes of the current line that are put off because another thread searches them, each with its rank.
    pub put_off: Vec<(Picked, u32)>,
    /// The principal variation behind the node of each ply.
    pub pv: Vec<Vec<Move>>,
}

impl<G: Evaluate> Mind<G> {
    /// Knows nothing yet.
    pub fn new() -> Self {
        Mind {
            history: History::default(),
            corrections: Corrections::default(),
            path: Path::default(),
            line: Vec::with_capacity(MAX_PLY + 2),
            standing: [UNKNOWN; MAX_PLY + 1],
            arena: Vec::with_capacity(8192),
            scores: Vec::with_capacity(8192),
            put_off: Vec::new(),
            pv: (0..=MAX_PLY + 1)
                .map(|ply| Vec::with_capacity(MAX_PLY + 2 - ply))
                .collect(),
        }
    }

    /// Forgets what it has learned.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }

    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.arena.truncate(len);
        self.scores.truncate(len);
    }

    /// What history says of a quiet move in the node that is searched.
    #[inline(always)]
    pub(super) fn quiet(&self, side: Side, mv: Move) -> i32 {
        let before = self.line.last().copied().unwrap_or_default();
        self.history.quiet(side, before, mv)
    }

    /// Makes `mv` and the variation behind it the one of `ply`.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (here, behind) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&behind[0]);
    }
}

/// In place of a static evaluation that was not made; above every other, so that nothing improves on it.
pub(super) const UNKNOWN: Score = INFINITE;

/// One thread at work on a job.
pub struct Thread<'a, G: Evaluate> {
    pub(super) job: &'a Job<G>,
    pub(super) mind: &'a mut Mind<G>,
    /// 0 for the thread that watches the clock.
    pub(super) index: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Keeps what it stores apart from what other kinds of search store in the same table.
    pub(super) salt: u64,
    /// Depth of the present iteration.
    pub(super) root_depth: i32,
    pub(super) budget: Option<Budget>,
    /// The task that it works on.
    pub(super) serial: u64,
    /// Set once the task is to end, so that no more is asked.
    pub(super) ended: bool,
}

/// Nodes between two looks at the clock. A power of two.
const CLOCK_INTERVAL: u64 = 512;

impl<'a, G: Evaluate> Thread<'a, G> {
    /// Thread number `index` before its first task.
    pub(super) fn new(job: &'a Job<G>, mind: &'a mut Mind<G>, index: usize) -> Self {
        Thread {
            job,
            mind,
            index,
            nodes: 0,
            seldepth: 0,
            salt: job.salt(),
            root_depth: 0,
            budget: job.limits.budget(),
            serial: 0,
            ended: false,
        }
    }

    /// The rules.
    #[inline(always)]
    pub(super) fn game(&self) -> &'a G {
        &self.job.game
    }

    /// What other threads are at work on, if there are any and the node is deep enough to be shared with them.
    #[inline(always)]
    pub(super) fn shares(&self, depth: i32) -> Option<&'a Busy> {
        let busy = &self.job.shared.busy;
        (depth >= busy::LEAST_DEPTH && busy.is_shared()).then_some(busy)
    }

    /// Counts a node and says whether the search goes on.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.mind.pv[ply].clear();
        if self.ended {
            return false;
        }
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.look_at_the_clock();
        }
        let alone = self.job.shared.nodes.len() == 1;
        let halted =
            self.job.shared.serial.load(Relaxed) != self.serial || self.job.signals.stopped();
        if halted || alone && self.job.limits.nodes.is_some_and(|n| self.nodes >= n) {
            self.ended = true;
        }
        !self.ended
    }

    #[cold]
    fn look_at_the_clock(&mut self) {
        self.job.shared.nodes[self.index]
            .0
            .store(self.nodes, Relaxed);
        let limits = &self.job.limits;
        let too_many = limits.nodes.is_some_and(|limit| self.job.nodes() >= limit);
        let too_long = self.index == 0
            && self
                .budget
                .is_some_and(|budget| self.time_used().is_some_and(|used| used >= budget.hard));
        if too_many || too_long {
            self.job.halt();
        }
    }

    /// Time since the clock began to run; `None` while it does not.
    pub(super) fn time_used(&self) -> Option<std::time::Duration> {
        if self.job.limits.ponder {
            let hit = self.job.signals.hit();
            // A hit may come while the search still waits for another one to end.
            hit.map(|hit| hit.max(self.job.started).elapsed())
        } else {
            Some(self.job.started.elapsed())
        }
    }

    /// The score of a node at which the game is over, or is taken to be.
    #[inline(always)]
    pub(super) fn ended_score(&self, position: &G::Position, ply: usize) -> Option<Score> {
        let game = self.game();
        let side = game.side(position);
        if let Some(outcome) = game.decided(position) {
            return Some(score::of_outcome(outcome, side, ply));
        }
        if self.mind.path.repeats() {
            if self.is_careless() {
                // A beginner does not play for a draw by repetition.
                return Some(if ply % 2 == 1 {
                    EVAL_LIMIT
                } else {
                    -EVAL_LIMIT
                });
            }
            let outcome = game.called_off(position, Reason::Repetition);
            return Some(score::of_outcome(outcome, side, ply));
        }
        if self.mind.path.is_quiet_limit() {
            let outcome = game
                .outcome(position)
                .unwrap_or_else(|| game.called_off(position, Reason::QuietLimit));
            return Some(score::of_outcome(outcome, side, ply));
        }
        None
    }

    /// The score of a node whose side to move has a winning move.
    #[inline(always)]
    pub(super) fn wins_now(&mut self, position: &G::Position, ply: usize) -> Option<Score> {
        if self.is_careless() {
            return None;
        }
        let mv = self.game().winning_move(position)?;
        self.mind.pv[ply].push(mv);
        Some(WIN - ply as Score - 1)
    }

    /// The score of a node whose side to move wins with its next move but one, whatever the opponent does.
    #[inline(always)]
    pub(super) fn wins_soon(
        &mut self,
        position: &G::Position,
        sight: &G::Sight,
        ply: usize,
    ) -> Option<Score> {
        // As with [`Thread::must_reach`]: the answer must not end the game. A fork that has been on the board, or an answer
        // that has, is one behind which a win was missed.
        if self.is_careless() || self.job.root.missed_win || self.mind.path.is_quiet_limit_within(2)
        {
            return None;
        }
        let mv = self.game().fork(position, sight)?;
        if self.overlooks(position, mv) && !self.game().is_capture(position, mv) {
            return None;
        }
        self.mind.pv[ply].push(mv);
        Some(WIN - ply as Score - 3)
    }

    /// Whether a weaker level does not see a quiet move.
    #[inline(always)]
    pub(super) fn overlooks(&self, position: &G::Position, mv: Move) -> bool {
        match &self.job.level {
            Some(level) => level.overlooks(self.table_key(position), mv),
            None => false,
        }
    }

    /// Where a move must end so that the opponent does not win at once, if that is known.
    #[inline(always)]
    pub(super) fn must_reach(&self, position: &G::Position, sight: &G::Sight) -> Option<SetOf<G>> {
        // A move that reaches the quiet limit, or repeats a position in which a win was missed, ends the game before the
        // opponent can win it.
        let path = &self.mind.path;
        if self.is_careless() || self.job.root.missed_win || path.is_quiet_limit_within(1) {
            return None;
        }
        self.game().must_reach(position, sight)
    }

    #[inline(always)]
    pub(super) fn is_careless(&self) -> bool {
        // Not by `is_some_and`, which copies the level.
        matches!(&self.job.level, Some(level) if level.careless)
    }

    /// The static evaluation, corrected by what searches have found or wrong by as much as the level wants it, kept below
    /// the scores of decided games.
    #[inline(always)]
    pub(super) fn evaluate(&self, position: &G::Position, sight: &G::Sight) -> Score {
        let game = self.game();
        // A level's error is meant: corrections would learn it away, and keep what they learned for full strength.
        let beside = match &self.job.level {
            Some(level) => level.error(game.key(position)),
            None => self.mind.corrections.of(game, position),
        };
        (game.evaluate(position, sight) + beside).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The key under which a position is kept in the table.
    #[inline(always)]
    pub(super) fn table_key(&self, position: &G::Position) -> u64 {
        self.game().key(position) ^ self.salt
    }

    /// Makes a move on the path, until [`Thread::unmake`].
    #[inline(always)]
    pub(super) fn make(&mut self, position: &G::Position, mv: Move, capture: bool) -> G::Position {
        let child = self.game().make(position, mv);
        let quiet = if capture {
            0
        } else {
            self.mind.path.quiet().saturating_add(1)
        };
        self.enter_child(mv, &child, quiet);
        child
    }

    /// Leaves the turn to the opponent, until [`Thread::unmake`]. What is quiet is counted anew from here, so that
    /// nothing behind a null move is taken for a repetition of what was before it.
    #[inline]
    pub(super) fn make_null(&mut self, position: &G::Position) -> G::Position {
        let child = self.game().pass(position);
        self.enter_child(Move::NONE, &child, 0);
        child
    }

    #[inline(always)]
    fn enter_child(&mut self, mv: Move, child: &G::Position, quiet: u32) {
        self.mind.path.push(self.game().key(child), quiet);
        self.mind.line.push(mv);
    }

    /// Takes back what was made last.
    #[inline(always)]
    pub(super) fn unmake(&mut self) {
        self.mind.path.pop();
        self.mind.line.pop();
    }

    /// Stores the result of a node that was searched with this window.
    #[inline(always)]
    pub(super) fn remember(
        &self,
        key: u64,
        mv: Move,
        score: Score,
        window: Range<Score>,
        depth: i32,
        ply: usize,
    ) {
        let bound = if score >= window.end {
            Bound::Lower
        } else if score > window.start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = score::to_table(score, ply);
        self.job.table.store(
            key,
            Hit {
                mv,
                score,
                depth,
                bound,
            },
        );
    }
}
