//! The principal variation search of a node.

use super::picker::{Picked, Picker, Scope};
use super::prune::{Node, iterative_reduction};
use super::table::{Bound, Hit};
use super::thread::Thread;
use crate::eval::Evaluate;
use crate::game::{Move, SetOf};
use crate::score::{self, MAX_PLY, Score, WIN, WIN_FLOOR};
use std::ops::Range;

impl<G: Evaluate> Thread<'_, G> {
    /// Principal variation search of a node: a score within `alpha..beta` is exact, one outside is a bound. `cuts` says
    /// that it is expected to fail high.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &G::Position,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cuts: bool,
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
        let game = self.game();
        if ply >= MAX_PLY {
            return self.evaluate(position, &game.sight(position));
        }
        let key = self.table_key(position);
        self.job.table.prefetch(key);
        if let Some(score) = self.wins_now(position, ply) {
            return score;
        }

        let sight = &game.sight(position);
        let only_to = self.must_reach(position, sight);
        let threatened = only_to.is_some() || game.in_danger(position, sight);
        // A side under threat has few answers; looking one ply further keeps threats from pushing the end of
        // the matter over the horizon. Bounded, or mutual threats would never end.
        let extension = i32::from(threatened && (ply as i32) < 2 * self.root_depth);
        let mut node = self.stand(position, sight, depth + extension, ply, threatened);
        node.cuts = cuts;
        // The table is memory that has to be waited for: half of all nodes are decided without it.
        if !PV && let Some(score) = node.stands_far_above(beta) {
            return score;
        }
        if let Some(score) = self.wins_soon(position, sight, ply) {
            return score;
        }

        let hit = self.job.table.probe(key);
        if let Some(hit) = hit
            && !PV
            && hit.depth >= depth
            && let Some(score) = cut(hit, alpha, beta, ply)
        {
            return score;
        }
        let table_move = hit.map_or(Move::NONE, |hit| hit.mv);
        node.depth -= iterative_reduction::<G>(depth, table_move);
        if !PV && let Some(score) = self.null_move(position, &node, beta) {
            return score;
        }

        self.search_moves::<PV>(position, key, &node, alpha..beta, table_move, only_to)
    }

    /// Searches the moves of a node that has to be: table move first, as far as they are not left out.
    #[inline(always)]
    fn search_moves<const PV: bool>(
        &mut self,
        position: &G::Position,
        key: u64,
        node: &Node<'_, G>,
        window: Range<Score>,
        table_move: Move,
        only_to: Option<SetOf<G>>,
    ) -> Score {
        let game = self.game();
        let (ply, depth, threatened) = (node.ply, node.depth, node.threatened);
        let (mut alpha, beta) = (window.start, window.end);
        let scope = if PV { Scope::All } else { Scope::Usual };
        let mut picker = Picker::new(self, position, ply, table_move, only_to, scope);
        let mut best = -WIN;
        let mut best_move = Move::NONE;
        let mut failed: [Move; 32] = [Move::NONE; 32];
        let mut quiets = 0;
        let mut listed = 0;
        let busy = self.shares(depth);
        let first_put_off = self.mind.put_off.len();
        let mut put_off = first_put_off..first_put_off;
        loop {
            let with_quiets = PV || best <= -WIN_FLOOR || !node.leaves_out(quiets, alpha);
            let next = picker.next(self, position, node.sight, with_quiets);
            let again = next.is_none();
            let (picked, count) = match next {
                Some(picked) => {
                    listed += 1;
                    (picked, listed)
                }
                None => match put_off.next() {
                    Some(index) => self.mind.put_off[index],
                    None => break,
                },
            };
            if count > 1 && !picked.capture && !threatened && self.overlooks(position, picked.mv) {
                continue;
            }
            if !PV && !picked.capture && best > -WIN_FLOOR && node.is_doomed(picked.history) {
                continue;
            }
            if let Some(busy) = busy
                && count > 1
                && !again
                && busy.has(key, picked.mv)
            {
                self.mind.put_off.push((picked, count));
                put_off.end += 1;
                continue;
            }
            let claim = busy.map(|busy| busy.claim(key, picked.mv));
            let child = self.make(position, picked.mv, picked.capture);
            let turns = self.turns(position, &child);
            let score = self.child::<PV>(&child, turns, node, picked, alpha..beta, count);
            self.unmake();
            drop(claim);
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
                            let mind = &mut *self.mind;
                            mind.history
                                .cutoff(side, &mind.line, depth, picked.mv, failed);
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
        self.mind.put_off.truncate(first_put_off);
        if self.ended {
            return 0;
        }
        if listed == 0 {
            return if only_to.is_some() && game.count(position) > 0 {
                // Every move leaves the opponent his winning one.
                ply as Score + 2 - WIN
            } else {
                score::of_outcome(game.stuck(position), game.side(position), ply)
            };
        }
        self.correct(position, node, best_move, best, window.clone());
        self.remember(key, best_move, best, window, depth, ply);
        best
    }

    /// Learns how the static evaluation of a node was wrong, where its result says so and is not a matter of captures.
    #[inline(always)]
    fn correct(
        &mut self,
        position: &G::Position,
        node: &Node<'_, G>,
        best_move: Move,
        best: Score,
        window: Range<Score>,
    ) {
        if node.threatened || best.abs() >= WIN_FLOOR || self.job.level.is_some() {
            return;
        }
        let difference = best - node.standing;
        // A bound tells something only from beyond the evaluation.
        let told = if best >= window.end {
            difference > 0
        } else if best <= window.start {
            difference < 0
        } else {
            true
        };
        let game = self.game();
        if told && (best_move.is_none() || !game.is_capture(position, best_move)) {
            let corrections = &mut self.mind.corrections;
            corrections.learn(game, position, difference, node.depth);
        }
    }

    /// Searches the `count`th child of a node: with a null window and perhaps less deep at first, again if that fails high.
    #[inline(always)]
    pub(super) fn child<const PV: bool>(
        &mut self,
        child: &G::Position,
        turns: bool,
        node: &Node<'_, G>,
        picked: Picked,
        window: Range<Score>,
        count: u32,
    ) -> Score {
        let Range {
            start: alpha,
            end: beta,
        } = window;
        let (deeper, ply) = (node.depth - 1, node.ply + 1);
        if PV && count == 1 {
            return self.searched::<true>(child, turns, alpha..beta, deeper, ply, false);
        }
        let reduction = node.reduction::<PV>(picked, count);
        let null = alpha..alpha + 1;
        // Where a node is expected to cut its children are not, and the other way round; a move searched less deep is
        // expected to be refuted.
        let alternates = turns != node.cuts;
        let cuts = if reduction > 0 { turns } else { alternates };
        let shallow = deeper - reduction;
        let mut score = self.searched::<false>(child, turns, null.clone(), shallow, ply, cuts);
        if score > alpha && reduction > 0 {
            score = self.searched::<false>(child, turns, null, deeper, ply, alternates);
        }
        if PV && score > alpha && score < beta {
            score = self.searched::<true>(child, turns, alpha..beta, deeper, ply, false);
        }
        score
    }

    /// Whether a move has given the turn to the other side.
    #[inline(always)]
    pub(super) fn turns(&self, parent: &G::Position, child: &G::Position) -> bool {
        G::ALTERNATES || self.game().side(parent) != self.game().side(child)
    }

    /// The score of a child from the view of its parent, whose window this is.
    #[inline(always)]
    fn searched<const PV: bool>(
        &mut self,
        child: &G::Position,
        turns: bool,
        window: Range<Score>,
        depth: i32,
        ply: usize,
        cuts: bool,
    ) -> Score {
        let Range {
            start: alpha,
            end: beta,
        } = window;
        if turns {
            -self.search::<PV>(child, -beta, -alpha, depth, ply, cuts)
        } else {
            self.search::<PV>(child, alpha, beta, depth, ply, cuts)
        }
    }
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
