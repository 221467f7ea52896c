//! The principal variation search of a node.

use super::picker::{Picked, Picker, Scope};
use super::table::{Bound, Hit};
use super::thread::Thread;
use crate::eval::Evaluate;
use crate::game::Move;
use crate::score::{self, MAX_PLY, Score, WIN, WIN_FLOOR};
use std::sync::LazyLock;

impl<G: Evaluate> Thread<'_, G> {
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

        let key = self.table_key(position);
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

        if !PV && !threatened && depth <= 6 && beta.abs() < WIN_FLOOR {
            // Reverse futility: so far above beta that a quiet reply will not change it.
            let floor = self.evaluate(position) - 90 * depth;
            if floor >= beta {
                return floor;
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
            let child = self.make(position, picked.mv, picked.capture);
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
        self.remember(key, best_move, best, original_alpha..beta, depth, ply);
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
static REDUCTIONS: LazyLock<[[u8; 256]; 64]> = LazyLock::new(|| {
    let log = |n: usize| (n.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|count| (0.4 + log(depth) * log(count) * 0.45) as u8)
    })
});

#[inline(always)]
fn reduction_of(depth: i32, count: u32) -> i32 {
    i32::from(REDUCTIONS[(depth as usize).min(63)][(count as usize).min(255)])
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
