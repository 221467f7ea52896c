//! What the threads of a search are at work on. A move that another thread is searching in the same position is put off
//! until the others have been searched: by then its result is likely to be in the table.
//!
//! That is ABDADA (Weill 1996) in the simplified form of Kerrigan (2000), which needs nothing but a shared table.

use crate::game::Move;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Nodes below this depth, in plies, are not shared: to ask what another thread is at costs as much as a node does. Two
/// threads came to depth 14 on 7x7 1.44 times as fast as one when it was 5, 1.47 times at 6, 1.50 at 7, 1.49 at 8 (400
/// positions, all +-0.06), and 1.38 times when nothing was shared but the table.
pub(super) const LEAST_DEPTH: i32 = 6;

/// Many more than the moves that a thread has open at once, one a ply, so that few share a slot.
const SLOTS_PER_THREAD: usize = 256;

/// The moves that are being searched. Each has one slot that it may take; if that is taken it goes unannounced, which
/// costs no more than some work done twice.
#[derive(Default)]
pub(super) struct Busy {
    /// A power of two, or none for a thread alone.
    slots: Box<[Slot]>,
}

/// On a cache line of its own: threads write to theirs all the time.
#[derive(Default)]
#[repr(align(64))]
struct Slot(AtomicU64);

/// The announcement of a move, until it is dropped.
pub(super) struct Claim<'a>(Option<&'a Slot>);

impl Busy {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        let slots = if threads > 1 {
            (threads * SLOTS_PER_THREAD).next_power_of_two()
        } else {
            0
        };
        Busy {
            slots: (0..slots).map(|_| Slot::default()).collect(),
        }
    }

    /// Whether there are other threads.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Whether a thread is searching the move in the position with this key.
    #[inline]
    pub fn has(&self, key: u64, mv: Move) -> bool {
        let sign = sign(key, mv);
        self.slot(sign)
            .is_some_and(|slot| slot.0.load(Relaxed) == sign)
    }

    /// Announces that this thread searches the move.
    #[inline]
    pub fn claim(&self, key: u64, mv: Move) -> Claim<'_> {
        let sign = sign(key, mv);
        let free = |slot: &&Slot| slot.0.load(Relaxed) == FREE;
        let slot = self.slot(sign).filter(free);
        if let Some(slot) = slot {
            slot.0.store(sign, Relaxed);
        }
        Claim(slot)
    }

    #[inline]
    fn slot(&self, sign: u64) -> Option<&Slot> {
        let mask = self.slots.len().wrapping_sub(1);
        self.slots.get((sign >> 32) as usize & mask)
    }
}

impl Drop for Claim<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(slot) = self.0 {
            slot.0.store(FREE, Relaxed);
        }
    }
}

/// In a slot that nobody uses; no move has this sign.
const FREE: u64 = 0;

/// Stands for a move in a position.
#[inline]
fn sign(key: u64, mv: Move) -> u64 {
    (key ^ u64::from(mv.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: u64 = 0x0123_4567_89ab_cdef;

    fn moves() -> impl Iterator<Item = Move> {
        (1..100).map(|to| Move::new(0, to, 0))
    }

    #[test]
    fn a_move_is_busy_while_it_is_claimed() {
        let busy = Busy::new(2);
        assert!(busy.is_shared());
        for mv in moves() {
            assert!(!busy.has(KEY, mv));
            let claim = busy.claim(KEY, mv);
            assert!(busy.has(KEY, mv));
            assert!(!busy.has(!KEY, mv), "another position");
            for other in moves().filter(|&other| other != mv) {
                assert!(!busy.has(KEY, other));
            }
            drop(claim);
            assert!(!busy.has(KEY, mv));
        }
    }

    #[test]
    fn a_second_claim_leaves_the_first_alone() {
        let busy = Busy::new(2);
        let mv = Move::new(1, 2, 3);
        let first = busy.claim(KEY, mv);
        drop(busy.claim(KEY, mv));
        assert!(busy.has(KEY, mv));
        drop(first);
        assert!(!busy.has(KEY, mv));
    }

    #[test]
    fn one_thread_has_nobody_to_tell() {
        for threads in [0, 1] {
            let busy = Busy::new(threads);
            assert!(!busy.is_shared());
            let mv = Move::new(1, 2, 0);
            let claim = busy.claim(KEY, mv);
            assert!(!busy.has(KEY, mv));
            drop(claim);
        }
    }

    #[test]
    fn threads_have_room_for_their_moves() {
        // Of what lines of 20 plies claim, one a thread, most must be told.
        for threads in [2_u64, 3, 8, 64] {
            let busy = Busy::new(threads as usize);
            let keys = (1..=threads * 20).map(|n| n.wrapping_mul(0xD6E8_FEB8_6659_FD93));
            let mv = Move::new(3, 4, 0);
            let claims: Vec<_> = keys.clone().map(|key| busy.claim(key, mv)).collect();
            let told = keys.filter(|&key| busy.has(key, mv)).count();
            assert!(told * 4 >= claims.len() * 3, "{told} of {}", claims.len());
        }
    }
}
