//! Iterative deepening of one thread: the root moves, aspiration windows, reports, and when to stop.

use super::picker::Picked;
use super::table::Bound;
use super::thread::{Mind, Thread};
use super::tuning::Parameter::Window;
use super::{Job, Report};
use crate::eval::Evaluate;
use crate::game::{Move, Moves};
use crate::score::{self, INFINITE, MAX_PLY, Score};
use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// Of the present iteration, `-INFINITE` until it has one.
    score: Score,
    /// Of the iteration before.
    previous: Score,
    pv: Vec<Move>,
    /// Nodes spent below it in this search.
    nodes: u64,
    /// The last iteration that finished with it.
    seen: i32,
}

/// What a thread has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub pv: Vec<Move>,
    pub score: Score,
    /// Last whole iteration, in plies.
    pub depth: u32,
}

/// Depth from which an aspiration window is worth its failures.
const WINDOW_DEPTH: i32 = 4;

/// Searches a job on one thread, number `index`.
pub(super) fn run<G: Evaluate>(job: &Job<G>, mind: &mut Mind<G>, index: usize) -> Found {
    let root = &job.root;
    mind.path.reset(&root.keys, root.quiet, root.limits);
    mind.line.clear();
    mind.history.age();
    mind.truncate(0);
    let mut moves = Vec::new();
    job.game.generate(&root.position, Moves::All, &mut moves);
    let single_reply = moves.len() == 1;
    // The first move is the answer until something is searched: a winning one, or the largest capture.
    let winning = job.game.winning_move(&root.position);
    moves.sort_by_cached_key(|&mv| (Some(mv) != winning, -job.game.gain(&root.position, mv)));
    let wanted = &job.limits.searchmoves;
    if !wanted.is_empty() {
        moves.retain(|mv| wanted.contains(mv));
    }
    if let Some(level) = &job.level {
        // What is left of the list when the overlooked moves are gone, unless that is nothing.
        let overlooked = |mv: &Move| {
            let takes_back =
                || root.is_taken_back_by(job.game.key(&job.game.make(&root.position, *mv)));
            level.overlooks(job.game.key(&root.position), *mv) || level.careless && takes_back()
        };
        if !moves.iter().all(overlooked) {
            moves.retain(|mv| !overlooked(mv));
        }
    }
    let mut deepening = Deepening {
        moves: moves.into_iter().map(RootMove::new).collect(),
        thread: Thread {
            job,
            mind,
            index,
            nodes: 0,
            seldepth: 0,
            salt: job.salt(),
            root_depth: 0,
            budget: job.limits.budget(),
            ended: false,
        },
        single_reply,
        steady: 0,
        best_before: Move::NONE,
        score_before: None,
        told: Cell::new(None),
    };
    let found = deepening.run();
    if index == 0 {
        job.halt();
    }
    let nodes = deepening.thread.nodes;
    job.shared.nodes[index].0.store(nodes, Relaxed);
    found
}

impl RootMove {
    fn new(mv: Move) -> Self {
        RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            pv: vec![mv],
            nodes: 0,
            seen: 0,
        }
    }
}

struct Deepening<'a, G: Evaluate> {
    thread: Thread<'a, G>,
    /// Whether the position has one legal move, whatever the search was restricted to.
    single_reply: bool,
    /// Best first, as of the last iteration.
    moves: Vec<RootMove>,
    /// Iterations since the best move changed last.
    steady: u32,
    best_before: Move,
    score_before: Option<Score>,
    /// First move of the variation reported last as the best.
    told: Cell<Option<Move>>,
}

impl<G: Evaluate> Deepening<'_, G> {
    fn run(&mut self) -> Found {
        let mut found = Found::default();
        let job = self.thread.job;
        let variations = job.multipv.min(self.moves.len());
        let deepest = MAX_PLY as u32 - 1;
        let of_level = job.level.map_or(deepest, |level| level.depth);
        let deepest = job
            .limits
            .depth
            .unwrap_or(deepest)
            .min(of_level)
            .clamp(1, deepest) as i32;
        if variations == 0 {
            return found;
        }
        // Helpers start at different depths, so that they do not all search the same tree at the same time.
        let first = 1 + (self.thread.index % 2) as i32;
        for depth in first.min(deepest)..=deepest {
            self.thread.root_depth = depth;
            self.thread.seldepth = 0;
            for root_move in &mut self.moves {
                root_move.previous = root_move.score;
                root_move.score = -INFINITE;
            }
            for rank in 0..variations {
                self.aspirate(depth, rank);
                if self.thread.ended {
                    break;
                }
            }
            let whole = !self.thread.ended;
            let mut bound = Bound::Exact;
            if depth == 1 && self.moves[0].score == -INFINITE {
                // Ended before anything was searched.
                self.moves[0].score = self.evaluate_root();
            }
            if !whole && self.turn_to_unseen(depth) {
                bound = Bound::Upper;
            }
            // An iteration broken off still counts as far as it got: its first move was the best so far.
            if whole || self.moves[0].score > -INFINITE {
                let best = &self.moves[0];
                found = Found {
                    pv: best.pv.clone(),
                    score: best.score,
                    depth: if whole { depth as u32 } else { found.depth },
                };
            }
            if self.thread.index == 0 && (whole || depth == 1) {
                for rank in 0..variations {
                    if self.moves[rank].score > -INFINITE {
                        let bound = if rank == 0 { bound } else { Bound::Exact };
                        self.report(depth, rank, bound);
                    }
                }
            }
            if !whole || self.is_enough(depth) {
                // What was found since the last report is told, so that the last report names the answer.
                if self.thread.index == 0 && found.pv.first() != self.told.get().as_ref() {
                    self.report(depth, 0, bound);
                }
                break;
            }
        }
        found
    }

    fn evaluate_root(&self) -> Score {
        let root = &self.thread.job.root.position;
        self.thread.evaluate(root, &self.thread.game().sight(root))
    }

    /// If an iteration was broken off when every move it had looked at was found lost, the best of the others is the
    /// answer: what is known of it is that it was no better than the best of the iteration before. Says whether it is so.
    fn turn_to_unseen(&mut self, depth: i32) -> bool {
        let is_lost = |score| score::plies_to_end(score).is_some_and(|plies| plies <= 0);
        let before = self.score_before.unwrap_or_else(|| self.evaluate_root());
        // If the iteration before found every move lost, the others are no better than this one.
        if !is_lost(self.moves[0].score) || is_lost(before) {
            return false;
        }
        let Some(index) = self
            .moves
            .iter()
            .position(|root_move| root_move.seen < depth)
        else {
            return false;
        };
        self.moves[..=index].rotate_right(1);
        self.moves[0].score = before;
        true
    }

    /// Searches the moves from `rank` on with a window around the last score, wider until the score is inside.
    fn aspirate(&mut self, depth: i32, rank: usize) {
        let guess = self.moves[rank].previous;
        let mut width = Window.get::<G>();
        let (mut alpha, mut beta) = if depth >= WINDOW_DEPTH && score::plies_to_end(guess).is_none()
        {
            (guess - width, guess + width)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            let best = self.search_root(depth, rank, alpha, beta);
            self.moves[rank..].sort_by_key(|root_move| (-root_move.score, -root_move.previous));
            if self.thread.ended {
                return;
            }
            width *= 3;
            let bound = if best <= alpha && alpha > -INFINITE {
                alpha = if width > 1000 {
                    -INFINITE
                } else {
                    best - width
                };
                Bound::Upper
            } else if best >= beta && beta < INFINITE {
                beta = if width > 1000 { INFINITE } else { best + width };
                Bound::Lower
            } else {
                return;
            };
            if self.thread.index == 0 && self.thread.job.multipv == 1 {
                self.report(depth, rank, bound);
            }
        }
    }

    fn search_root(&mut self, depth: i32, rank: usize, alpha: Score, beta: Score) -> Score {
        let thread = &mut self.thread;
        let position = &thread.job.root.position;
        let (mut alpha, mut best) = (alpha, -INFINITE);
        let sight = &thread.game().sight(position);
        let threatened = thread.must_reach(position, sight).is_some()
            || thread.game().in_danger(position, sight);
        let node = thread.stand(position, sight, depth, 0, threatened);
        for index in rank..self.moves.len() {
            let mv = self.moves[index].mv;
            let before = thread.nodes;
            let picked = Picked::new(thread, position, mv);
            let child = thread.make(position, picked.mv, picked.capture);
            let count = (index - rank + 1) as u32;
            let turns = thread.turns(position, &child);
            let score = thread.child::<true>(&child, turns, &node, picked, alpha..beta, count);
            thread.unmake();
            let root_move = &mut self.moves[index];
            root_move.nodes += thread.nodes - before;
            if thread.ended {
                return best;
            }
            root_move.seen = depth;
            best = best.max(score);
            if score > alpha || index == rank {
                root_move.score = score;
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(&thread.mind.pv[1]);
            } else {
                // Only known to be no better: it keeps its place behind those with a score.
                root_move.score = -INFINITE;
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn report(&self, depth: i32, rank: usize, bound: Bound) {
        let job = self.thread.job;
        let root_move = &self.moves[rank];
        if rank == 0 {
            self.told.set(Some(root_move.mv));
        }
        job.shared.nodes[self.thread.index]
            .0
            .store(self.thread.nodes, Relaxed);
        (job.report)(&Report {
            depth: depth as u32,
            seldepth: self.thread.seldepth as u32,
            multipv: rank + 1,
            score: root_move.score,
            bound,
            nodes: job.nodes(),
            time: job.started.elapsed(),
            hashfull: job.table.hashfull(),
            pv: root_move.pv.clone(),
        });
    }

    /// Whether a whole iteration was the last one.
    fn is_enough(&mut self, depth: i32) -> bool {
        let limits = &self.thread.job.limits;
        let best = &self.moves[0];
        let score = best.score;
        if let Some(plies) = limits.mate
            && score::plies_to_end(score)
                .is_some_and(|distance| distance > 0 && distance as u32 <= plies)
        {
            return true;
        }
        let changed = best.mv != self.best_before;
        self.steady = if changed { 0 } else { self.steady + 1 };
        self.best_before = best.mv;
        let fall = self.score_before.map_or(0, |before| before - score);
        self.score_before = Some(score);
        if self.thread.index > 0 || limits.infinite {
            return false;
        }
        let (Some(budget), Some(used)) = (self.thread.budget, self.thread.time_used()) else {
            return false;
        };
        if used >= budget.hard {
            return true;
        }
        // A single reply needs no thought, and a win that has been searched to its end no more of it.
        let decided = score::plies_to_end(score).is_some_and(|distance| distance.abs() <= depth);
        if self.single_reply || decided && budget.flexible {
            return true;
        }
        budget.flexible && used >= budget.soft.mul_f64(self.stretch(fall)).min(budget.hard)
    }

    /// How much of the planned time this move deserves.
    fn stretch(&self, fall: Score) -> f64 {
        let by_steadiness = match self.steady {
            0 => 1.6,
            1 => 1.2,
            2 => 1.0,
            3..=5 => 0.8,
            _ => 0.65,
        };
        let by_score = 1.0 + f64::from(fall.clamp(-20, 120)) / 150.0;
        // Nearly all nodes went into one move: the others are refuted at once, as with an obvious recapture.
        let effort = self.moves[0].nodes as f64 / self.thread.nodes.max(1) as f64;
        let by_effort = if effort > 0.9 && self.steady >= 2 {
            0.5
        } else {
            1.0
        };
        by_steadiness * by_score * by_effort
    }
}
