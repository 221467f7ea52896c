//! Iterative deepening: what is searched next, by all threads together, and what has been found. It owns the root moves
//! and their order, aspiration windows, reports, and when to stop.
//!
//! All threads search the same [`Task`]. The first that has done with it says so, and what comes next follows from that;
//! the others leave it as it is and turn to the next. What one has found meanwhile the others find in the table.

use super::table::Bound;
use super::thread::Thread;
use super::tuning::Parameter::Window;
use super::{HALTED, Job, Report};
use crate::eval::Evaluate;
use crate::game::{Move, Moves};
use crate::score::{self, INFINITE, MAX_PLY, Score};
use std::collections::HashSet;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Of the present iteration, `-INFINITE` until it has one.
    pub score: Score,
    /// Of the iteration before.
    pub previous: Score,
    pub pv: Vec<Move>,
    /// Nodes spent below it in this search, by the threads that were first to finish a task.
    pub nodes: u64,
    /// The last iteration that finished with it.
    pub seen: i32,
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

/// What a search has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub pv: Vec<Move>,
    pub score: Score,
    /// Last whole iteration, in plies.
    pub depth: u32,
}

/// One search of the root with one window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// Counts the tasks of a search.
    pub serial: u64,
    pub depth: i32,
    /// The best moves that are not searched, because they have been found already.
    pub rank: usize,
    pub alpha: Score,
    pub beta: Score,
    width: Score,
}

/// Depth from which an aspiration window is worth its failures.
const WINDOW_DEPTH: i32 = 4;

/// The state of a search.
pub(super) struct Deepening {
    pub task: Task,
    /// Best first, as of the last task that was done. A thread alone has them while it searches.
    pub moves: Vec<RootMove>,
    /// What threads that were broken off in the present task leave of it, each with the best score that it had found.
    broken: Vec<(Score, Vec<RootMove>)>,
    /// Number of best variations that are looked for.
    variations: usize,
    /// Last iteration, in plies.
    deepest: i32,
    /// Whether the position has one legal move, whatever the search was restricted to.
    single_reply: bool,
    found: Found,
    /// Iterations since the best move changed last.
    steady: u32,
    best_before: Move,
    score_before: Option<Score>,
    /// Static evaluation of the root.
    standing: Score,
    /// Not reported yet.
    reports: Vec<Report>,
    /// First move of the variation reported last as the best.
    told: Option<Move>,
    /// Longest line in this iteration of a thread that finished or was broken off, in plies.
    seldepth: usize,
    /// Whether there is nothing more to do.
    over: bool,
}

impl Deepening {
    /// Before anything has been searched.
    pub fn new<G: Evaluate>(thread: &Thread<'_, G>) -> Self {
        let job = thread.job;
        let mut moves = Vec::new();
        job.game
            .generate(&job.root.position, Moves::All, &mut moves);
        let single_reply = moves.len() == 1;
        let moves: Vec<RootMove> = candidates(job, moves)
            .into_iter()
            .map(RootMove::new)
            .collect();
        let deepest = MAX_PLY as u32 - 1;
        let of_level = job.level.map_or(deepest, |level| level.depth);
        let variations = job.multipv.min(moves.len());
        let over = variations == 0;
        let wanted = job.limits.depth.unwrap_or(deepest).min(of_level);
        Deepening {
            task: Task {
                serial: 0,
                depth: 1,
                rank: 0,
                alpha: -INFINITE,
                beta: INFINITE,
                width: 0,
            },
            broken: Vec::new(),
            variations,
            deepest: wanted.clamp(1, deepest) as i32,
            moves,
            single_reply,
            found: Found::default(),
            steady: 0,
            best_before: Move::NONE,
            score_before: None,
            standing: if over { 0 } else { thread.evaluate_root() },
            reports: Vec::new(),
            told: None,
            seldepth: 0,
            over,
        }
    }

    /// The number of the present task, or [`HALTED`].
    pub fn serial(&self) -> u64 {
        if self.over { HALTED } else { self.task.serial }
    }

    /// What to search, and the moves in their order; `None` when there is nothing more to do. A thread alone takes the
    /// moves away, and brings them back in [`Deepening::finish`] or [`Deepening::break_off`]: there are hundreds to copy.
    pub fn next(&mut self, alone: bool) -> Option<(Task, Vec<RootMove>)> {
        let moves = |this: &mut Self| {
            if alone {
                std::mem::take(&mut this.moves)
            } else {
                this.moves.clone()
            }
        };
        (!self.over).then(|| (self.task, moves(self)))
    }

    /// What is to be reported, in order.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// A thread has done with the present task: these are its moves, the best of them first, and that is its score.
    pub fn finish<G: Evaluate>(
        &mut self,
        thread: &Thread<'_, G>,
        moves: Vec<RootMove>,
        best: Score,
    ) {
        let job = thread.job;
        self.moves = moves;
        self.broken.clear();
        self.seldepth = self.seldepth.max(thread.seldepth);
        self.task.serial += 1;
        let Task { depth, rank, .. } = self.task;
        self.found.pv.clone_from(&self.moves[0].pv);
        self.found.score = self.moves[0].score;
        if let Some(bound) = self.widen(best) {
            if job.multipv == 1 {
                self.report(job, rank, bound);
            }
            return;
        }
        if rank + 1 < self.variations {
            return self.aim::<G>(depth, rank + 1);
        }
        self.found.depth = depth as u32;
        for rank in 0..self.variations {
            self.report(job, rank, Bound::Exact);
        }
        if self.is_enough(thread) || depth >= self.deepest {
            self.over = true;
            return;
        }
        for root_move in &mut self.moves {
            root_move.previous = root_move.score;
            root_move.score = -INFINITE;
        }
        self.seldepth = 0;
        self.aim::<G>(depth + 1, 0);
    }

    /// Begins with a window around the last score.
    fn aim<G: Evaluate>(&mut self, depth: i32, rank: usize) {
        let guess = self.moves[rank].previous;
        let width = Window.get::<G>();
        let (alpha, beta) = if depth >= WINDOW_DEPTH && score::plies_to_end(guess).is_none() {
            (guess - width, guess + width)
        } else {
            (-INFINITE, INFINITE)
        };
        self.task = Task {
            serial: self.task.serial,
            depth,
            rank,
            alpha,
            beta,
            width,
        };
    }

    /// Makes the window wider if the score is not inside, and says what the score is then.
    fn widen(&mut self, best: Score) -> Option<Bound> {
        let task = &mut self.task;
        task.width *= 3;
        let width = task.width;
        if best <= task.alpha && task.alpha > -INFINITE {
            task.alpha = if width > 1000 {
                -INFINITE
            } else {
                best - width
            };
            Some(Bound::Upper)
        } else if best >= task.beta && task.beta < INFINITE {
            task.beta = if width > 1000 { INFINITE } else { best + width };
            Some(Bound::Lower)
        } else {
            None
        }
    }

    /// A thread was broken off in the present task: these are its moves, and that is the best score it had found, if any.
    pub fn break_off(&mut self, seldepth: usize, moves: Vec<RootMove>, best: Score) {
        self.seldepth = self.seldepth.max(seldepth);
        self.broken.push((best, moves));
    }

    /// The answer, once all threads have ended. What was found since the last report is told, so that the last report
    /// names the answer.
    pub fn conclude<G: Evaluate>(&mut self, job: &Job<G>) -> Found {
        let mut bound = Bound::Exact;
        if !self.over {
            // An iteration broken off still counts as far as it got: its first move was the best so far.
            self.take_best_of_broken();
            if self.turn_to_unseen() {
                bound = Bound::Upper;
            }
        }
        // A fault may have taken the moves along: then what was found before it stands.
        if let Some(best) = self.moves.first()
            && best.score > -INFINITE
        {
            self.found.pv.clone_from(&best.pv);
            self.found.score = best.score;
        }
        let variations = match self.told {
            None => self.variations,
            Some(told) if self.found.pv.first() != Some(&told) => 1,
            Some(_) => 0,
        };
        for rank in 0..variations.min(self.moves.len()) {
            if self.moves[rank].score > -INFINITE {
                let bound = if rank == 0 { bound } else { Bound::Exact };
                self.report(job, rank, bound);
            }
        }
        self.take_reports().iter().for_each(&job.report);
        self.found.clone()
    }

    /// Goes on from what the thread leaves that has found the best score in the task that was broken off.
    fn take_best_of_broken(&mut self) {
        // Of equals `max_by_key` takes the last.
        let best = (0..self.broken.len())
            .rev()
            .max_by_key(|&index| self.broken[index].0);
        if let Some(index) = best {
            self.moves.clone_from(&self.broken[index].1);
        }
    }

    /// The moves that any thread has done with in the iteration that was broken off.
    fn seen(&self) -> HashSet<Move> {
        let all = self.broken.iter().flat_map(|(_, moves)| moves);
        all.filter(|root_move| root_move.seen >= self.task.depth)
            .map(|root_move| root_move.mv)
            .collect()
    }

    /// If an iteration was broken off when every move it had looked at was found lost, the best of the others is the
    /// answer: what is known of it is that it was no better than the best of the iteration before. Says whether it is so.
    fn turn_to_unseen(&mut self) -> bool {
        let is_lost = |score| score::plies_to_end(score).is_some_and(|plies| plies <= 0);
        let before = self.score_before.unwrap_or(self.standing);
        let depth = self.task.depth;
        let Some(first) = self.moves.first_mut() else {
            return false;
        };
        if depth == 1 && first.score == -INFINITE {
            // Ended before anything was searched.
            first.score = before;
        }
        // If the iteration before found every move lost, the others are no better than this one.
        if !is_lost(first.score) || is_lost(before) {
            return false;
        }
        let seen = self.seen();
        let unseen = |root_move: &RootMove| !seen.contains(&root_move.mv);
        let Some(index) = self.moves.iter().position(unseen) else {
            return false;
        };
        self.moves[..=index].rotate_right(1);
        self.moves[0].score = before;
        true
    }

    fn report<G: Evaluate>(&mut self, job: &Job<G>, rank: usize, bound: Bound) {
        let root_move = &self.moves[rank];
        if rank == 0 {
            self.told = Some(root_move.mv);
        }
        self.reports.push(Report {
            depth: self.task.depth as u32,
            seldepth: self.seldepth as u32,
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
    fn is_enough<G: Evaluate>(&mut self, thread: &Thread<'_, G>) -> bool {
        let limits = &thread.job.limits;
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
        if limits.infinite {
            return false;
        }
        let (Some(budget), Some(used)) = (thread.budget, thread.time_used()) else {
            return false;
        };
        if used >= budget.hard {
            return true;
        }
        // A single reply needs no thought, and a win that has been searched to its end no more of it.
        let decided =
            score::plies_to_end(score).is_some_and(|distance| distance.abs() <= self.task.depth);
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
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        let effort = self.moves[0].nodes as f64 / all.max(1) as f64;
        let by_effort = if effort > 0.9 && self.steady >= 2 {
            0.5
        } else {
            1.0
        };
        by_steadiness * by_score * by_effort
    }
}

/// The root moves that are searched, in their first order.
fn candidates<G: Evaluate>(job: &Job<G>, mut moves: Vec<Move>) -> Vec<Move> {
    let root = &job.root;
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
    moves
}

#[cfg(test)]
mod tests;
