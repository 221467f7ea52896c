//! The threads of the search: made once, parked between searches, and sound against faults inside them.

use super::iterate;
use super::thread::Mind;
use super::{Best, Job, Shared};
use crate::eval::Evaluate;
use crate::game::Moves;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

/// Stack of a search thread: [`crate::score::MAX_PLY`] nodes and as many of quiescence with room to spare.
const STACK: usize = 8 << 20;

enum Order<G: Evaluate> {
    Search(Arc<Job<G>>),
    Clear,
}

/// What a thread answers when it has ended: its number, and why it failed if it did.
type Answer = (usize, Result<(), String>);

struct Seat<G: Evaluate> {
    orders: Sender<Order<G>>,
    thread: Option<JoinHandle<()>>,
}

/// Any number of search threads for one game.
pub struct Pool<G: Evaluate> {
    seats: Vec<Seat<G>>,
    answers: Receiver<Answer>,
}

impl<G: Evaluate> Pool<G> {
    /// Starts `threads` threads, at least one.
    ///
    /// # Errors
    /// If the system gives no more threads; those that were started have ended again.
    pub fn new(threads: usize) -> Result<Self, String> {
        let (sender, answers) = unbounded();
        let mut pool = Pool {
            seats: Vec::new(),
            answers,
        };
        for index in 0..threads.max(1) {
            let (orders, inbox) = bounded(1);
            let sender = sender.clone();
            let thread = std::thread::Builder::new()
                .name(format!("search-{index}"))
                .stack_size(STACK)
                .spawn(move || work::<G>(index, &inbox, &sender))
                .map_err(|error| format!("search thread {index} can not be started: {error}"))?;
            pool.seats.push(Seat {
                orders,
                thread: Some(thread),
            });
        }
        Ok(pool)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.seats.len()
    }

    /// Makes every thread forget what it has learned.
    pub fn clear(&self) {
        for seat in &self.seats {
            // A thread that is gone has nothing to forget.
            let _ = seat.orders.send(Order::Clear);
        }
    }

    /// Searches, and waits for the answer. A fault in a thread ends the search; what is known by then is the answer.
    pub fn search(&self, mut job: Job<G>) -> Best {
        job.shared = Shared::new(self.seats.len());
        job.table.next_generation();
        let job = Arc::new(job);
        let mut running = 0;
        let mut fault = None;
        for seat in &self.seats {
            match seat.orders.send(Order::Search(Arc::clone(&job))) {
                Ok(()) => running += 1,
                Err(_) => fault = Some("a search thread is gone".to_string()),
            }
        }
        while running > 0 {
            match self.answers.recv() {
                Ok((_, Ok(()))) => {}
                Ok((index, Err(reason))) => {
                    job.halt();
                    fault = Some(format!("fault in search thread {index}: {reason}"));
                }
                Err(_) => break,
            }
            running -= 1;
        }
        answer(&job, fault)
    }
}

/// What has been found; without it, any legal move.
fn answer<G: Evaluate>(job: &Job<G>, fault: Option<String>) -> Best {
    let mut deepening = job.shared.deepening.lock();
    let found = deepening
        .as_mut()
        .map_or_else(Default::default, |deepening| deepening.conclude(job));
    let fallback = || {
        let mut list = Vec::new();
        job.game.generate(&job.root.position, Moves::All, &mut list);
        list.first().copied()
    };
    Best {
        mv: found.pv.first().copied().or_else(fallback),
        ponder: found.pv.get(1).copied(),
        score: found.score,
        depth: found.depth,
        nodes: job.nodes(),
        fault,
    }
}

impl<G: Evaluate> Drop for Pool<G> {
    fn drop(&mut self) {
        for seat in &mut self.seats {
            // Closing the channel ends the thread's loop.
            seat.orders = bounded(0).0;
        }
        for seat in &mut self.seats {
            if let Some(thread) = seat.thread.take() {
                let _ = thread.join();
            }
        }
    }
}

fn work<G: Evaluate>(index: usize, orders: &Receiver<Order<G>>, answers: &Sender<Answer>) {
    let mut mind = Mind::<G>::new();
    while let Ok(order) = orders.recv() {
        match order {
            Order::Clear => mind.clear(),
            Order::Search(job) => {
                let result =
                    catch_unwind(AssertUnwindSafe(|| iterate::run(&job, &mut mind, index)));
                let answer = result.map_err(|panic| {
                    // Whatever the fault left behind is not to be trusted.
                    mind = Mind::new();
                    text_of(&*panic)
                });
                drop(job);
                if answers.send((index, answer)).is_err() {
                    return;
                }
            }
        }
    }
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".to_string())
        .replace(['\n', '\r'], " ")
}
