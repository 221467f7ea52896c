//! Quiescence: the search beyond the horizon, of threats and captures only.

use super::node::cut;
use super::picker::{Picker, Scope};
use super::thread::Thread;
use super::tuning::Parameter::DeltaMargin;
use crate::eval::Evaluate;
use crate::game::Move;
use crate::score::{self, MAX_PLY, Score, WIN};

/// Plies of captures at most; what is still open then is left to the evaluation.
const DEEPEST: i32 = 12;

/// Plies from the horizon at which threats to win at once are looked at, too.
const THREATS: i32 = 2;

/// Captures looked at in a node, the best first, by the plies from the horizon. Few nodes have as many; on a crowded board
/// of Thud, where each of a hundred captures allows a hundred others, a search without this bound never comes back. Threats
/// come after the captures, and are left out with them.
const WIDTH: [u32; DEEPEST as usize] = [64, 16, 8, 4, 4, 3, 2, 2, 1, 1, 1, 1];

impl<G: Evaluate> Thread<'_, G> {
    /// The value of a node when nothing but threats and captures is looked at. `level` counts plies from the horizon.
    pub(super) fn quiesce(
        &mut self,
        position: &G::Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        level: i32,
    ) -> Score {
        if !self.enter(ply) {
            return 0;
        }
        if let Some(score) = self.ended_score(position, ply) {
            return score;
        }
        let game = self.game();
        // The table is memory that has to be waited for, which few of these nodes are worth.
        let kept = G::CAPTURES_CHAIN && level == 0;
        let key = self.table_key(position);
        if kept {
            self.job.table.prefetch(key);
        }
        if let Some(score) = self.wins_now(position, ply) {
            return score;
        }
        let sight = &game.sight(position);
        // Who overlooks that the opponent can win at once does not see what he can take, either.
        if ply >= MAX_PLY || level >= DEEPEST || self.is_careless() {
            return self.evaluate(position, sight);
        }

        let hit = kept.then(|| self.job.table.probe(key)).flatten();
        if let Some(hit) = hit
            && let Some(score) = cut(hit, alpha, beta, ply)
            && beta - alpha == 1
        {
            return score;
        }

        // A threat that ends the game is answered before standing pat is thought of.
        let only_to = self.must_reach(position, sight);
        let original_alpha = alpha;
        let mut best = match only_to {
            Some(_) => ply as Score + 2 - WIN,
            None => self.evaluate(position, sight),
        };
        let standing = best;
        if best >= beta {
            return best;
        }
        if let Some(score) = self.wins_soon(position, sight, ply) {
            return score;
        }
        alpha = alpha.max(best);

        let mut best_move = Move::NONE;
        let mut tried = 0;
        let table_move = hit.map_or(Move::NONE, |hit| hit.mv);
        let scope = if level < THREATS {
            Scope::Forcing
        } else {
            Scope::Captures
        };
        let mut picker = Picker::new(self, position, ply, table_move, only_to, scope);
        while let Some(picked) = picker.next(self, position, sight, true) {
            tried += 1;
            if only_to.is_none() && !picked.capture && self.overlooks(position, picked.mv) {
                continue;
            }
            if only_to.is_none() && picked.capture {
                if tried > WIDTH[level as usize] {
                    break;
                }
                // Delta pruning: not even the capture brings the score near alpha.
                let hope = standing + picked.gain + DeltaMargin.get::<G>();
                if hope <= alpha {
                    best = best.max(hope);
                    continue;
                }
                // A capture that loses more than it takes is no better than standing pat.
                if game.exchange(position, picked.mv, picked.gain) < 0 {
                    continue;
                }
            }
            let child = self.make(position, picked.mv, picked.capture);
            let score = if self.turns(position, &child) {
                -self.quiesce(&child, -beta, -alpha, ply + 1, level + 1)
            } else {
                self.quiesce(&child, alpha, beta, ply + 1, level + 1)
            };
            self.unmake();
            if self.ended {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = picked.mv;
                    self.mind.extend_pv(ply, picked.mv);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.close(self);
        if self.ended {
            return 0;
        }
        if only_to.is_some() && tried == 0 && game.count(position) == 0 {
            return score::of_outcome(game.stuck(position), game.side(position), ply);
        }
        if kept {
            self.remember(key, best_move, best, original_alpha..beta, 0, ply);
        }
        best
    }
}
