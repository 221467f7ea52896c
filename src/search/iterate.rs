//! One thread's part in iterative deepening: it takes a task, searches the root moves, and says what it has found.

use super::Job;
use super::deepening::{Deepening, RootMove, Task};
use super::picker::Picked;
use super::thread::{Mind, Thread};
use crate::eval::Evaluate;
use crate::score::{INFINITE, Score};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

/// Searches a job on one thread, number `index`, until all that is asked for has been done or the search is ended.
pub(super) fn run<G: Evaluate>(job: &Job<G>, mind: &mut Mind<G>, index: usize) {
    let root = &job.root;
    mind.path.reset(&root.keys, root.quiet, root.limits);
    mind.line.clear();
    mind.history.age();
    mind.truncate(0);
    let alone = job.shared.nodes.len() == 1;
    let mut thread = Thread::new(job, mind, index);
    while let Some((task, mut moves)) = next_task(&thread, alone) {
        thread.begin(&task);
        let best = thread.search_root(&task, &mut moves);
        job.shared.nodes[index].0.store(thread.nodes, Relaxed);
        let mut guard = job.shared.deepening();
        let Some(deepening) = guard.as_mut() else {
            break;
        };
        // Otherwise another thread was faster.
        let is_present = deepening.task.serial == task.serial;
        let stops = is_present && thread.ended;
        if stops {
            deepening.break_off(thread.seldepth, moves, best);
        } else if is_present {
            deepening.finish(&thread, moves, best);
            job.shared.turn_to(deepening.serial());
        }
        // One thread reports, whoever has found it, so that only its core is shared with those who write and read.
        let reports = if index == 0 {
            deepening.take_reports()
        } else {
            Vec::new()
        };
        drop(guard);
        reports.iter().for_each(&job.report);
        if stops {
            break;
        }
    }
}

/// What to search, and the root moves in their order.
fn next_task<G: Evaluate>(thread: &Thread<'_, G>, alone: bool) -> Option<(Task, Vec<RootMove>)> {
    let mut deepening = thread.job.shared.deepening();
    let deepening = deepening.get_or_insert_with(|| Deepening::new(thread));
    deepening.next(alone)
}

impl<G: Evaluate> Thread<'_, G> {
    pub(super) fn evaluate_root(&self) -> Score {
        let root = &self.job.root.position;
        self.evaluate(root, &self.game().sight(root))
    }

    fn begin(&mut self, task: &Task) {
        if self.root_depth != task.depth {
            self.root_depth = task.depth;
            self.seldepth = 0;
        }
        self.serial = task.serial;
        self.ended = false;
    }

    /// Searches the root moves of a task and puts them in order, best first. What it returns is their best score.
    fn search_root(&mut self, task: &Task, moves: &mut [RootMove]) -> Score {
        let best = self.search_root_moves(task, &mut moves[task.rank..]);
        moves[task.rank..].sort_by_key(|root_move| (-root_move.score, -root_move.previous));
        best
    }

    fn search_root_moves(&mut self, task: &Task, moves: &mut [RootMove]) -> Score {
        let position = &self.job.root.position;
        let (mut alpha, mut best) = (task.alpha, -INFINITE);
        let sight = &self.game().sight(position);
        let threatened =
            self.must_reach(position, sight).is_some() || self.game().in_danger(position, sight);
        let node = self.stand(position, sight, task.depth, 0, threatened);
        let busy = &self.job.shared.busy;
        let key = self.table_key(position);
        let mut left: VecDeque<(u32, bool)> = (0..moves.len() as u32).map(|n| (n, false)).collect();
        while let Some((index, again)) = left.pop_front() {
            let (root_move, count) = (&mut moves[index as usize], index + 1);
            if count > 1 && !again && busy.has(key, root_move.mv) {
                left.push_back((index, true));
                continue;
            }
            let claim = busy.claim(key, root_move.mv);
            let before = self.nodes;
            let picked = Picked::new(self, position, root_move.mv);
            let child = self.make(position, picked.mv, picked.capture);
            let turns = self.turns(position, &child);
            let score = self.child::<true>(&child, turns, &node, picked, alpha..task.beta, count);
            self.unmake();
            drop(claim);
            root_move.nodes += self.nodes - before;
            if self.ended {
                return best;
            }
            root_move.seen = task.depth;
            best = best.max(score);
            if score > alpha || count == 1 {
                root_move.score = score;
                root_move.pv.clear();
                root_move.pv.push(root_move.mv);
                root_move.pv.extend_from_slice(&self.mind.pv[1]);
            } else {
                // Only known to be no better: it keeps its place behind those with a score.
                root_move.score = -INFINITE;
            }
            alpha = alpha.max(score);
            if alpha >= task.beta {
                break;
            }
        }
        best
    }
}
