//! What the search has learned of moves: killers of a ply, success of from–to pairs, and success as an answer to the
//! move before.

use super::tuning::Parameter::{BonusLinear, BonusMost, BonusSquare};
use crate::bits::Bits;
use crate::eval::Evaluate;
use crate::game::{Move, Side};
use crate::grid::Grid;
use crate::score::MAX_PLY;
use std::marker::PhantomData;

/// Bound of a history value, in both directions.
pub const HISTORY_LIMIT: i32 = 16_384;

/// Killers and history of one thread.
pub struct History<G: Evaluate> {
    killers: [[Move; 2]; MAX_PLY + 1],
    /// Indexed by side, from and to.
    quiets: Box<[i16]>,
    /// Indexed by side, to of the move before, and to.
    answers: Box<[i16]>,
    game: PhantomData<G>,
}

impl<G: Evaluate> Default for History<G> {
    /// Knows nothing yet.
    fn default() -> Self {
        History {
            killers: [[Move::NONE; 2]; MAX_PLY + 1],
            quiets: vec![0; 2 * Self::WIDTH * Self::WIDTH].into(),
            answers: vec![0; 2 * Self::WIDTH * Self::WIDTH].into(),
            game: PhantomData,
        }
    }
}

impl<G: Evaluate> History<G> {
    const WIDTH: usize = <<G::Grid as Grid>::Bits as Bits>::WIDTH as usize;

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.killers = [[Move::NONE; 2]; MAX_PLY + 1];
        self.quiets.fill(0);
        self.answers.fill(0);
    }

    /// Begins a new search: killers belong to plies of the old one.
    pub fn age(&mut self) {
        self.killers = [[Move::NONE; 2]; MAX_PLY + 1];
        for value in self.quiets.iter_mut().chain(&mut self.answers) {
            *value /= 2;
        }
    }

    #[inline(always)]
    fn index(side: Side, square: u16, mv: Move) -> usize {
        (side.index() * Self::WIDTH + usize::from(square)) * Self::WIDTH + usize::from(mv.to())
    }

    /// Success of a move wherever it was made, within [`HISTORY_LIMIT`].
    #[inline(always)]
    pub fn anywhere(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.quiets[Self::index(side, mv.from(), mv)])
    }

    /// Success of a quiet move after the one before it, within twice [`HISTORY_LIMIT`].
    #[inline(always)]
    pub fn quiet(&self, side: Side, before: Move, mv: Move) -> i32 {
        self.anywhere(side, mv) + i32::from(self.answers[Self::index(side, before.to(), mv)])
    }

    /// The quiet moves that refuted the ply last.
    #[inline(always)]
    pub fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers[ply]
    }

    /// Learns from a cutoff by a quiet move, after others had failed.
    pub fn cutoff(&mut self, side: Side, line: &[Move], depth: i32, mv: Move, failed: &[Move]) {
        let (ply, before) = (line.len(), line.last().copied().unwrap_or_default());
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let growth = depth * BonusSquare.get::<G>() + BonusLinear.get::<G>();
        let bonus = (depth * growth).min(BonusMost.get::<G>());
        self.learn(side, before, mv, bonus);
        for &other in failed {
            self.learn(side, before, other, -bonus);
        }
    }

    /// Moves values towards their bound in proportion to what is left (the gravity of modern engines' histories).
    fn learn(&mut self, side: Side, before: Move, mv: Move, bonus: i32) {
        let values = [
            &mut self.quiets[Self::index(side, mv.from(), mv)],
            &mut self.answers[Self::index(side, before.to(), mv)],
        ];
        for value in values {
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
        }
    }
}
