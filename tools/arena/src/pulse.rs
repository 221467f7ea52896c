//! How late the arena itself is woken up: on a busy machine a loss on time may be its own.
//!
//! A thread sleeps for a fixed time over and over. By how much it oversleeps is by how much any other thread of the arena,
//! such as the one that stamps a move, may have been late too.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two looks at the clock.
const SLEEP: Duration = Duration::from_millis(5);
/// Delays under this are those of an idle machine.
const NOTABLE: Duration = Duration::from_millis(1);
/// Delays remembered.
const MOST: usize = 4096;

/// A delay and when it ended.
type Delay = (Instant, Duration);

/// The measurement; it ends when this is dropped.
pub struct Pulse {
    delays: Arc<Mutex<VecDeque<Delay>>>,
    stop: Arc<AtomicBool>,
}

impl Pulse {
    /// Starts to measure.
    ///
    /// # Errors
    /// If the thread can not be had.
    pub fn start() -> std::io::Result<Self> {
        let pulse = Pulse {
            delays: Arc::default(),
            stop: Arc::default(),
        };
        let (delays, stop) = (Arc::clone(&pulse.delays), Arc::clone(&pulse.stop));
        let beat = move || {
            let mut before = Instant::now();
            while !stop.load(Relaxed) {
                std::thread::sleep(SLEEP);
                let now = Instant::now();
                let late = now.duration_since(before).saturating_sub(SLEEP);
                if late >= NOTABLE {
                    note(&delays, (now, late));
                }
                before = now;
            }
        };
        let thread = std::thread::Builder::new().name("pulse".into());
        thread.stack_size(64 << 10).spawn(beat)?;
        Ok(pulse)
    }

    /// The longest delay that touches the time from `start` to `end`.
    pub fn longest(&self, start: Instant, end: Instant) -> Duration {
        let delays = self.delays.lock().unwrap_or_else(PoisonError::into_inner);
        longest(&delays, start, end)
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

fn note(delays: &Mutex<VecDeque<Delay>>, delay: Delay) {
    let mut delays = delays.lock().unwrap_or_else(PoisonError::into_inner);
    if delays.len() == MOST {
        delays.pop_front();
    }
    delays.push_back(delay);
}

fn longest(delays: &VecDeque<Delay>, start: Instant, end: Instant) -> Duration {
    let touches = |&&(at, late): &&Delay| {
        at >= start && at.checked_sub(late).is_none_or(|begun| begun <= end)
    };
    let touching = delays.iter().filter(touches);
    touching.map(|&(_, late)| late).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_count_when_they_touch() {
        let ms = Duration::from_millis;
        let zero = Instant::now() + Duration::from_secs(100);
        let delays = VecDeque::from([(zero + ms(10), ms(5)), (zero + ms(50), ms(20))]);
        let between = |from, to| longest(&delays, zero + ms(from), zero + ms(to));
        assert_eq!(between(0, 4), ms(0));
        assert_eq!(between(0, 6), ms(5));
        assert_eq!(between(9, 31), ms(20));
        assert_eq!(between(11, 29), ms(0));
        assert_eq!(between(40, 45), ms(20));
    }
}
