//! The value of a position, from hand-made terms.
//!
//! A game counts features of each side; a table gives each feature a name and its weight for either side. The value is
//! the difference of the two sums, so neither side has code of its own.

mod places;
mod tafl;
mod thud;
#[cfg(feature = "tune")]
pub mod tuning;

use crate::game::{Game, Move, Side};
use crate::score::Score;

/// A term of an evaluation: what a feature is called and what it is worth to player 1 and player 2, in centipoints.
pub struct Term {
    /// As `eval` prints it.
    pub name: &'static str,
    /// What one of it is worth to player 1 and to player 2.
    pub weight: [Score; 2],
    /// The same as a tuner wants it.
    #[cfg(feature = "tune")]
    tuned: [std::sync::atomic::AtomicI32; 2],
}

impl Term {
    /// What one of it is worth to a side, in centipoints: as a tuner wants it, in a build for that.
    #[inline(always)]
    fn worth(&self, side: usize) -> Score {
        #[cfg(feature = "tune")]
        return self.tuned[side].load(std::sync::atomic::Ordering::Relaxed);
        #[cfg(not(feature = "tune"))]
        self.weight[side]
    }
}

/// A row of a table of terms.
const fn term(name: &'static str, weight: [Score; 2]) -> Term {
    Term {
        name,
        weight,
        #[cfg(feature = "tune")]
        tuned: [
            std::sync::atomic::AtomicI32::new(weight[0]),
            std::sync::atomic::AtomicI32::new(weight[1]),
        ],
    }
}

/// A term and how often player 1 and player 2 have its feature.
#[derive(Clone, Copy)]
pub struct TermValue {
    /// Name and weights.
    pub term: &'static Term,
    /// Of player 1 and player 2.
    pub count: [i32; 2],
}

impl TermValue {
    /// What player 1 and player 2 get for it, in centipoints.
    pub fn values(&self) -> [Score; 2] {
        [0, 1].map(|side| self.term.worth(side) * self.count[side])
    }
}

/// How often each side has each feature, in the order of the game's terms.
pub type Features<const N: usize> = [[i32; 2]; N];

/// Kinds of game whose evaluations are alike in scale and in how much one move changes them. Tables by kind are in this
/// order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tafl on boards up to 9×9.
    SmallTafl,
    /// Tafl on larger boards.
    LargeTafl,
    /// Thud, whose score is a sum of points.
    Thud,
}

/// How many kinds there are.
pub const KINDS: usize = Kind::Thud as usize + 1;

/// A game with an evaluation.
pub trait Evaluate: Game {
    /// What the search has numbers for.
    const KIND: Kind;
    /// Whether a capture usually allows another, so that following them to their end takes many nodes.
    const CAPTURES_CHAIN: bool = false;

    /// The value for the side to move, in centipoints.
    fn evaluate(&self, position: &Self::Position, sight: &Self::Sight) -> Score;

    /// Each term with its feature and its value, each for player 1 and player 2 from its own view.
    fn terms(&self, position: &Self::Position) -> Vec<TermValue>;

    /// What a legal move captures, in centipoints.
    fn gain(&self, position: &Self::Position, mv: Move) -> Score;

    /// What a capture that gains `gain` is worth once the piece that made it is recaptured, in centipoints; an estimate.
    #[inline(always)]
    fn exchange(&self, _: &Self::Position, _: Move, gain: Score) -> Score {
        gain
    }
}

/// What a feature of player 1 and one of player 2 add to the value for player 1. Beside each other, for a sum of products.
type Weights<const N: usize> = [[Score; 2]; N];

/// The weights of a table of terms.
#[cfg(not(feature = "tune"))]
const fn weights<const N: usize>(terms: &[Term; N]) -> Weights<N> {
    let mut weights = [[0; 2]; N];
    let mut index = 0;
    while index < N {
        let [first, second] = terms[index].weight;
        weights[index] = [first, -second];
        index += 1;
    }
    weights
}

/// The weights that a tuner has put in force.
#[cfg(feature = "tune")]
fn in_force<const N: usize>(terms: &[Term; N]) -> Weights<N> {
    std::array::from_fn(|index| [terms[index].worth(0), -terms[index].worth(1)])
}

/// The weighted sum of the features, for player 1.
#[inline(always)]
fn weigh<const N: usize>(weights: &Weights<N>, features: &Features<N>) -> Score {
    let mut value = 0;
    for (weight, feature) in weights.iter().zip(features) {
        for side in 0..2 {
            value += weight[side] * feature[side];
        }
    }
    value
}

/// A value for player 1 from the view of `side`.
#[inline(always)]
fn seen_by(side: Side, value: Score) -> Score {
    match side {
        Side::First => value,
        Side::Second => -value,
    }
}

/// The terms one by one, for people.
fn list<const N: usize>(terms: &'static [Term; N], features: &Features<N>) -> Vec<TermValue> {
    terms
        .iter()
        .zip(features)
        .map(|(term, &count)| TermValue { term, count })
        .collect()
}
