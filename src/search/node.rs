//! One thread of a search, and the principal variation search of a node.

use super::Job;
use super::history::History;
use super::limits::Budget;
use super::path::Path;
use super::picker::{Picked, Picker, Scope};
use super::table::{Bound, Hit};
use crate::eval::Evaluate;
use crate::game::{Move, Reason, SetOf};
use crate::score::{self, EVAL_LIMIT, MAX_PLY, Score, WIN, WIN_FLOOR};
use std::sync::atomic::Ordering::Relaxed;

/// What a thread keeps from one search to the next.
pub struct Mind<G: Evaluate> {
    pub history: History<G>,
    pub path: Path,
    /// The move lists of the nodes of the current line, one above the other.
    pub arena: Vec<Move>,
    /// Scores of the moves in the arena.
    pub scores: Vec<i32>,
    /// The principal variation behind the node of each ply.
    pub pv: Vec<Vec<Move>>,
}

impl<G: Evaluate> Mind<G> {
    /// Knows nothing yet.
    pub fn new() -> Self {
        Mind {
            history: History::default(),
            path: Path::default(),
            arena: Vec::with_capacity(8192),
            scores: Vec::with_capacity(8192),
            pv: (0..=MAX_PLY + 1)
                .map(|ply| Vec::with_capacity(MAX_PLY + 2 - ply))
                .collect(),
        }
    }

    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.arena.truncate(len);
        self.scores.truncate(len);
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

/// One thread at work on a job.
pub struct Thread<'a, G: Evaluate> {
    pub(super) job: &'a Job<G>,
    pub(super) mind: &'a mut Mind<G>,
    /// 0 for the thread that reports and watches the clock.
    pub(super) index: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Depth of the present iteration.
    pub(super) root_depth: i32,
    pub(super) budget: Option<Budget>,
    /// Whether the first root move has been scored; nothing halts the search before that.
    pub(super) has_answer: bool,
    /// Set once the search is to end, so that no more is asked.
    pub(super) ended: bool,
}

/// Nodes between two looks at the clock. A power of two.
const CLOCK_INTERVAL: u64 = 512;

impl<'a, G: Evaluate> Thread<'a, G> {
    /// The rules.
    #[inline(always)]
    pub(super) fn game(&self) -> &'a G {
        &self.job.game
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
        if self.has_answer
            && (self.job.halted()
                || alone && self.job.limits.nodes.is_some_and(|n| self.nodes >= n))
        {
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
            self.job.signals.hit().map(|hit| hit.elapsed())
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

    /// Where a move must end so that the opponent does not win at once, if that is known.
    #[inline(always)]
    pub(super) fn must_reach(&self, position: &G::Position) -> Option<SetOf<G>> {
        if self.is_careless() {
            return None;
        }
        self.game().must_reach(position)
    }

    #[inline(always)]
    fn is_careless(&self) -> bool {
        self.job.level.is_some_and(|level| level.careless)
    }

    /// The static evaluation, kept below the scores of decided games.
    #[inline(always)]
    pub(super) fn evaluate(&self, position: &G::Position) -> Score {
        let mut value = self.game().evaluate(position);
        if let Some(level) = &self.job.level {
            value += level.error(self.game().key(position));
        }
        value.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Makes a move on the path; undo with `self.mind.path.pop()`.
    #[inline(always)]
    pub(super) fn make(&mut self, position: &G::Position, picked: Picked) -> G::Position {
        let child = self.game().make(position, picked.mv);
        let quiet = if picked.capture {
            0
        } else {
            self.mind.path.quiet() + 1
        };
        self.mind.path.push(self.game().key(&child), quiet);
        child
    }

    /// Principal variation search of a node: a score within `alpha..beta` is exact, one outside is a bound.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &G::Position,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply, 0);
        }
        if !self.enter(ply) {
            return 0;
        }
        if let Some(score) = self.ended_score(position, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluate(position);
        }
        let game = self.game();
        if let Some(score) = self.wins_now(position, ply) {
            return score;
        }

        let key = game.key(position);
        let hit = self.job.table.probe(key);
        if let Some(hit) = hit
            && !PV
            && hit.depth >= depth
            && let Some(score) = cut(hit, alpha, beta, ply)
        {
            return score;
        }

        let only_to = self.must_reach(position);
        let threatened = only_to.is_some() || game.in_danger(position);
        // A side under threat has few answers; looking one ply further keeps threats from pushing the end of
        // the matter over the horizon. Bounded, or mutual threats would never end.
        let depth = depth + i32::from(threatened && (ply as i32) < 2 * self.root_depth);
        let evaluation = self.evaluate(position);

        if !PV && !threatened && beta.abs() < WIN_FLOOR {
            // Reverse futility: so far above beta that a quiet reply will not change it.
            let margin = 90 * depth;
            if depth <= 6 && evaluation - margin >= beta {
                return evaluation - margin;
            }
        }

        let original_alpha = alpha;
        let table_move = hit.map_or(Move::NONE, |hit| hit.mv);
        let scope = if PV { Scope::All } else { Scope::Usual };
        let mut picker = Picker::new(self, position, ply, table_move, only_to, scope);
        let mut best = -WIN;
        let mut best_move = Move::NONE;
        let mut failed: [Move; 32] = [Move::NONE; 32];
        let mut quiets = 0;
        let mut count = 0;
        while let Some(picked) = picker.next(self, position) {
            count += 1;
            if let Some(level) = &self.job.level
                && count > 1
                && !picked.capture
                && !threatened
                && level.overlooks(key, picked.mv)
            {
                continue;
            }
            let child = self.make(position, picked);
            let score =
                self.child::<PV>(&child, picked, alpha, beta, depth, ply, count, threatened);
            self.mind.path.pop();
            if self.ended {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = picked.mv;
                    if PV {
                        self.mind.extend_pv(ply, picked.mv);
                    }
                    if score >= beta {
                        if !picked.capture {
                            let side = game.side(position);
                            let failed = &failed[..quiets.min(failed.len())];
                            self.mind
                                .history
                                .cutoff(side, ply, depth, picked.mv, failed);
                        }
                        break;
                    }
                }
            }
            if !picked.capture {
                if let Some(slot) = failed.get_mut(quiets) {
                    *slot = picked.mv;
                }
                quiets += 1;
            }
        }
        picker.close(self);
        if self.ended {
            return 0;
        }
        if count == 0 {
            return if only_to.is_some() && game.count(position) > 0 {
                // Every move leaves the opponent his winning one.
                ply as Score + 2 - WIN
            } else {
                score::of_outcome(game.stuck(position), game.side(position), ply)
            };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.job.table.store(
            key,
            Hit {
                mv: best_move,
                score: score::to_table(best, ply),
                depth,
                bound,
            },
        );
        best
    }

    /// Searches the child of a node: with a null window and perhaps less deep at first, again if that fails high.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn child<const PV: bool>(
        &mut self,
        child: &G::Position,
        picked: Picked,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        count: u32,
        threatened: bool,
    ) -> Score {
        let deeper = depth - 1;
        if PV && count == 1 {
            return -self.search::<true>(child, -beta, -alpha, deeper, ply + 1);
        }
        let mut reduction = 0;
        if depth >= 3 && count > 3 && !picked.capture && !threatened {
            reduction = reduction_of(depth, count) - picked.history / 6000 - i32::from(PV);
            reduction = reduction.clamp(0, deeper - 1);
        }
        let mut score =
            -self.search::<false>(child, -alpha - 1, -alpha, deeper - reduction, ply + 1);
        if score > alpha && reduction > 0 {
            score = -self.search::<false>(child, -alpha - 1, -alpha, deeper, ply + 1);
        }
        if PV && score > alpha && score < beta {
            score = -self.search::<true>(child, -beta, -alpha, deeper, ply + 1);
        }
        score
    }
}

/// Late move reduction in plies: grows with the logarithms of the depth and of the move's rank.
#[inline(always)]
fn reduction_of(depth: i32, count: u32) -> i32 {
    let log = |n: u32| f32::from(n.min(1024) as u16).ln();
    (0.4 + log(depth as u32) * log(count) * 0.45) as i32
}

/// The score of a table hit if it decides a node with this window.
#[inline(always)]
pub(super) fn cut(hit: Hit, alpha: Score, beta: Score, ply: usize) -> Option<Score> {
    let score = score::from_table(hit.score, ply);
    let decides = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    decides.then_some(score)
}
