//! Weaker play: what a level below the highest takes away from the search.
//!
//! A weak player looks less far, misjudges positions, overlooks some quiet moves and, now and then at the lowest
//! levels, that the opponent can win at once or take something. All of it is drawn from the position, so the same game is played twice.

use crate::game::Move;
use crate::score::Score;

/// The highest level, at which nothing is taken away.
pub const FULL: u32 = 20;

/// What a level takes away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Iterations at most, in plies.
    pub depth: u32,
    /// Evaluations are off by up to so many centipoints.
    noise: u32,
    /// Of a thousand quiet moves, so many are overlooked; at the root of captures too.
    blind: u32,
    /// Whether this time it sees neither a win at once, its own or the opponent's, nor any capture beyond the horizon, and
    /// shuns repetition. Drawn once for all moves, or among many there would always be one whose refutation is overlooked,
    /// and that one would be chosen.
    pub(super) careless: bool,
    /// Makes the errors of one move differ from those of the next.
    seed: u64,
}

/// Levels for which the values are given, and depth, noise, blindness and carelessness there; in between they are interpolated.
/// Found by playing neighbours against each other and the lowest against the yardstick, see the README.
const LADDER: [(f64, [f64; 4]); 6] = [
    (0.0, [1.0, 3000.0, 880.0, 1000.0]),
    (4.0, [1.0, 400.0, 450.0, 100.0]),
    (8.0, [2.0, 200.0, 250.0, 60.0]),
    (12.0, [3.0, 120.0, 150.0, 0.0]),
    (16.0, [5.0, 70.0, 80.0, 0.0]),
    (20.0, [20.0, 10.0, 0.0, 0.0]),
];

impl Level {
    /// A level from 0 to [`FULL`], fractions included; `None` for full strength. `seed` belongs to the position.
    pub fn new(level: f64, seed: u64) -> Option<Self> {
        if level >= f64::from(FULL) {
            return None;
        }
        let level = level.max(0.0);
        let above = LADDER.iter().position(|(at, _)| *at > level)?;
        let (low, from) = LADDER[above - 1];
        let (high, to) = LADDER[above];
        let part = (level - low) / (high - low);
        let [depth, noise, blind, careless]: [u32; 4] =
            std::array::from_fn(|i| (from[i] + (to[i] - from[i]) * part).round() as u32);
        Some(Level {
            depth,
            noise,
            blind,
            careless: mix(seed) % 1000 < u64::from(careless),
            seed,
        })
    }

    /// Keeps what a level finds apart from what others find in the same table.
    pub(super) fn salt(&self) -> u64 {
        mix(self.seed ^ u64::from(self.noise))
    }

    /// By how much the evaluation of the position with this key is off.
    #[inline]
    pub(super) fn error(&self, key: u64) -> Score {
        let range = 2 * self.noise + 1;
        (mix(key ^ self.seed) % u64::from(range)) as Score - self.noise as Score
    }

    /// Whether a move is overlooked.
    #[inline]
    pub(super) fn overlooks(&self, key: u64, mv: Move) -> bool {
        mix(key ^ self.seed ^ u64::from(mv.bits()) << 32) % 1000 < u64::from(self.blind)
    }
}

/// A number that looks random; the finisher of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_levels_lose_more() {
        assert_eq!(Level::new(20.0, 1), None);
        let mut before = Level::new(-1.0, 1).expect("the lowest");
        assert_eq!(Some(before), Level::new(0.0, 1));
        for level in 1..20 {
            let next = Level::new(f64::from(level), 1).expect("below full");
            assert!(next.depth >= before.depth && next.noise < before.noise);
            assert!(next.blind < before.blind);
            before = next;
        }
    }

    #[test]
    fn errors_stay_in_range_and_depend_on_the_seed() {
        let level = Level::new(4.0, 1).expect("below full");
        let other = Level::new(4.0, 2).expect("below full");
        let errors = |level: &Level| (0..1000).map(|key| level.error(key)).collect::<Vec<_>>();
        assert!(errors(&level).iter().all(|error| error.abs() <= 400));
        assert!(errors(&level).iter().any(|&error| error > 150));
        assert_ne!(errors(&level), errors(&other));
        let overlooked = (0..1000)
            .filter(|&key| level.overlooks(key, Move::new(1, 2, 0)))
            .count();
        assert!((350..550).contains(&overlooked));
    }
}
