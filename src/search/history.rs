//! What the search has learned of moves: killers of a ply, and success of from–to pairs.

use crate::bits::Bits;
use crate::game::{Game, Move, Side};
use crate::grid::Grid;
use crate::score::MAX_PLY;
use std::marker::PhantomData;

/// Bound of a history value, in both directions.
pub const HISTORY_LIMIT: i32 = 16_384;

/// Killers and history of one thread.
pub struct History<G: Game> {
    killers: [[Move; 2]; MAX_PLY + 1],
    /// Indexed by side, from and to.
    quiets: Box<[i16]>,
    game: PhantomData<G>,
}

impl<G: Game> Default for History<G> {
    /// Knows nothing yet.
    fn default() -> Self {
        History {
            killers: [[Move::NONE; 2]; MAX_PLY + 1],
            quiets: vec![0; 2 * Self::WIDTH * Self::WIDTH].into(),
            game: PhantomData,
        }
    }
}

impl<G: Game> History<G> {
    const WIDTH: usize = <<G::Grid as Grid>::Bits as Bits>::WIDTH as usize;

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.killers = [[Move::NONE; 2]; MAX_PLY + 1];
        self.quiets.fill(0);
    }

    /// Begins a new search: killers belong to plies of the old one.
    pub fn age(&mut self) {
        self.killers = [[Move::NONE; 2]; MAX_PLY + 1];
        for value in &mut self.quiets {
            *value /= 2;
        }
    }

    #[inline(always)]
    fn index(side: Side, mv: Move) -> usize {
        (side.index() * Self::WIDTH + usize::from(mv.from())) * Self::WIDTH + usize::from(mv.to())
    }

    /// Success of a quiet move, within [`HISTORY_LIMIT`].
    #[inline(always)]
    pub fn quiet(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.quiets[Self::index(side, mv)])
    }

    /// The quiet moves that refuted the ply last.
    #[inline(always)]
    pub fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers[ply]
    }

    /// Learns from a cutoff by a quiet move, after others had failed.
    pub fn cutoff(&mut self, side: Side, ply: usize, depth: i32, mv: Move, failed: &[Move]) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let bonus = (depth * depth * 16 + depth * 32).min(2048);
        self.learn(side, mv, bonus);
        for &other in failed {
            self.learn(side, other, -bonus);
        }
    }

    /// Moves a value towards its bound in proportion to what is left (the gravity of modern engines' histories).
    fn learn(&mut self, side: Side, mv: Move, bonus: i32) {
        let value = &mut self.quiets[Self::index(side, mv)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
