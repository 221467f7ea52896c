//! What threads leave of a task, put together.

use super::super::job_at_start;
use super::super::limits::Limits;
use super::super::thread::Mind;
use super::*;
use crate::score::WIN;
use crate::variants::{self, Visitor};

/// Runs a script on a search of the start position that two threads have begun.
struct Script(fn(&mut Stage));

/// What a script has in hand, with games left out.
struct Stage<'a> {
    deepening: Deepening,
    finish: &'a dyn Fn(&mut Deepening, Vec<RootMove>, Score) -> usize,
    conclude: &'a dyn Fn(&mut Deepening) -> Found,
}

impl Visitor for Script {
    type Output = Result<(), String>;

    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        let job = job_at_start(game, Limits::default(), 2)?;
        let mut mind = Mind::new();
        let thread = Thread::new(&job, &mut mind, 0);
        (self.0)(&mut Stage {
            deepening: Deepening::new(&thread),
            finish: &|deepening, moves, best| {
                deepening.finish(&thread, moves, best);
                deepening.take_reports().len()
            },
            conclude: &|deepening| deepening.conclude(&job),
        });
        Ok(())
    }
}

/// The moves with these scores for the first ones, which have been searched to this depth, best first.
fn scored(mut moves: Vec<RootMove>, scores: &[(usize, Score)], depth: i32) -> Vec<RootMove> {
    for &(index, score) in scores {
        moves[index].score = score;
        moves[index].seen = depth;
    }
    moves.sort_by_key(|root_move| -root_move.score);
    moves
}

fn play(script: fn(&mut Stage)) {
    for name in variants::names() {
        variants::visit(name, Script(script))
            .and_then(|done| done)
            .expect("a game");
    }
}

#[test]
fn what_is_left_of_a_finished_task_is_forgotten() {
    play(|stage| {
        let deepening = &mut stage.deepening;
        let (_, moves) = deepening.next(false).expect("a task");
        let best = moves[1].mv;
        // One thread is stopped, the other finishes the same task and is stopped in the next.
        let first = scored(moves.clone(), &[(0, 5 - WIN)], 1);
        deepening.break_off(3, first, 5 - WIN);
        let all = scored(moves, &[(0, 5 - WIN), (1, 40)], 1);
        assert_eq!((stage.finish)(deepening, all, 40), 1, "one report");
        let (task, moves) = deepening.next(false).expect("a task");
        assert_eq!(task.depth, 2);
        deepening.break_off(3, moves, -INFINITE);
        let found = (stage.conclude)(deepening);
        assert_eq!((found.pv[0], found.score, found.depth), (best, 40, 1));
    });
}

#[test]
fn a_score_of_a_window_that_failed_does_not_stand_against_a_new_one() {
    play(|stage| {
        let deepening = &mut stage.deepening;
        deepening.task.depth = 6;
        (deepening.task.alpha, deepening.task.beta) = (20, 40);
        deepening.task.width = 10;
        let (_, moves) = deepening.next(false).expect("a task");
        let [first, second] = [moves[0].mv, moves[1].mv];
        let low = scored(moves, &[(0, 10)], 6);
        assert_eq!((stage.finish)(deepening, low, 10), 1, "told as a bound");
        let (task, moves) = deepening.next(false).expect("a task");
        assert!(task.alpha < 10 && task.depth == 6);
        assert_eq!(moves[0].mv, first);
        // One thread has refuted the move since, the other still looks at it.
        let refuted = scored(moves.clone(), &[(0, -70), (1, 8)], 6);
        deepening.break_off(9, moves, -INFINITE);
        deepening.break_off(9, refuted, 8);
        let found = (stage.conclude)(deepening);
        assert_eq!((found.pv[0], found.score), (second, 8));
    });
}

#[test]
fn a_move_that_no_thread_has_seen_is_better_than_a_lost_one() {
    play(|stage| {
        let deepening = &mut stage.deepening;
        let (_, moves) = deepening.next(false).expect("a task");
        let unseen = moves[3].mv;
        let lost = |score| score - WIN;
        let some = scored(moves.clone(), &[(0, lost(4)), (1, lost(6))], 1);
        let others = scored(moves, &[(0, lost(4)), (2, lost(2))], 1);
        deepening.break_off(9, some, lost(6));
        deepening.break_off(9, others, lost(4));
        let found = (stage.conclude)(deepening);
        assert_eq!(found.pv, [unseen], "the first that neither has looked at");
        assert_eq!(found.score, deepening.standing);
    });
}
