//! Correction history: by how much searches have found the static evaluation wrong where the men of a side stand as they
//! do. One of the two formations is the same in all positions that a move of the other side leads to.
//!
//! The idea is Caissa's and Stockfish's (2023 and 2024), who use the formation of pawns first.

use super::tuning::Parameter::CorrectionWeight;
use crate::bits::Bits;
use crate::eval::Evaluate;
use crate::game::Side;
use crate::score::Score;

/// Formations that are told apart, a power of two.
const SIZE: usize = 1 << 14;
/// Bound of an entry in both directions.
const LIMIT: i32 = 8192;
/// What one search adds at most.
const MOST: i32 = LIMIT / 4;
/// An entry counts as its [`CorrectionWeight`]th part of one centipoint divided by this.
const UNIT: i32 = 6400;

/// What one thread has learned of the evaluation.
pub struct Corrections {
    /// Indexed by the side to move, the side whose formation it is, and the formation.
    entries: Box<[i16]>,
}

impl Default for Corrections {
    /// Knows nothing yet.
    fn default() -> Self {
        Corrections {
            entries: vec![0; 4 * SIZE].into(),
        }
    }
}

impl Corrections {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(0);
    }

    /// What to add to the static evaluation for the side to move, in centipoints.
    #[inline(always)]
    pub fn of<G: Evaluate>(&self, game: &G, position: &G::Position) -> Score {
        let entries = indices(game, position).map(|index| i32::from(self.entries[index]));
        (entries[0] + entries[1]) * CorrectionWeight.get::<G>() / UNIT
    }

    /// Learns that a search of this depth in plies differed by so much from the static evaluation.
    pub fn learn<G: Evaluate>(
        &mut self,
        game: &G,
        position: &G::Position,
        difference: Score,
        depth: i32,
    ) {
        let bonus = (difference * depth).clamp(-MOST, MOST);
        for index in indices(game, position) {
            let old = i32::from(self.entries[index]);
            self.entries[index] = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

/// Where the entries of both formations are. Not by `map`, which is not inlined here.
#[inline(always)]
fn indices<G: Evaluate>(game: &G, position: &G::Position) -> [usize; 2] {
    [
        index(game, position, Side::First),
        index(game, position, Side::Second),
    ]
}

#[inline(always)]
fn index<G: Evaluate>(game: &G, position: &G::Position, side: Side) -> usize {
    // Odd factors without a pattern; the high bits depend on all words.
    let hash = game
        .pieces(position, side)
        .words()
        .fold(0_u64, |hash, word| {
            (hash ^ word)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        })
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let formation = (hash >> (u64::BITS - SIZE.ilog2())) as usize;
    (game.side(position).index() * 2 + side.index()) * SIZE + formation
}

#[cfg(test)]
mod tests {
    use super::super::level::Level;
    use super::super::limits::Limits;
    use super::super::thread::Mind;
    use super::super::{iterate, job_at_start};
    use super::*;
    use crate::variants::{self, Visitor};

    /// Whether a search of the start position at this level learns anything.
    struct Learns(Option<Level>);

    impl Visitor for Learns {
        type Output = Result<bool, String>;

        fn visit<G: Evaluate>(self, game: G) -> Self::Output {
            let limits = Limits {
                depth: Some(4),
                ..Limits::default()
            };
            let mut job = job_at_start(game, limits, 1)?;
            job.level = self.0;
            let mut mind = Mind::new();
            iterate::run(&job, &mut mind, 0);
            Ok(mind.corrections.entries.iter().any(|&entry| entry != 0))
        }
    }

    #[test]
    fn only_full_strength_learns() {
        // What a level errs by is not to be learned, neither away nor for others.
        for name in variants::names() {
            let learns = |level| variants::visit(name, Learns(level)).and_then(|learns| learns);
            assert_eq!(learns(None), Ok(true), "{name}");
            for level in [0.0, 10.0, 19.0] {
                assert_eq!(learns(Level::new(level, 1)), Ok(false), "{name} {level}");
            }
        }
    }
}
