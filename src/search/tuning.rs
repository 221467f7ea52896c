//! The numbers of the search that games can tune, each with its range and a value for each kind of game, all in one
//! table.
//!
//! In a usual build they are constants. With the cargo feature `tune` they are read anew each time, and the protocol
//! shows each as an option and sets it.

use crate::eval::{Evaluate, KINDS};
#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// What is known of a number beside its meaning.
pub struct Number {
    /// The option that sets it.
    pub name: &'static str,
    /// In force unless it is set.
    pub value: i32,
    /// Below this the search would be wrong or senseless.
    pub least: i32,
    /// Above this likewise.
    pub most: i32,
    /// By how much a tuner changes it at first: enough that games can tell.
    pub step: i32,
    #[cfg(feature = "tune")]
    tuned: AtomicI32,
}

macro_rules! numbers {
    ($($(#[$what:meta])+ $name:ident = $values:expr, $least:literal..=$most:literal, $step:literal;)+) => {
        /// Names a number of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Parameter {
            $($(#[$what])+ $name,)+
        }

        /// All numbers in the order of their declaration, each for every kind of game.
        pub static TABLE: [[Number; KINDS]; [$(stringify!($name)),+].len()] = [$({
            const VALUES: [i32; KINDS] = $values;
            [
                number(concat!("TuneSmall", stringify!($name)), VALUES[0], $least, $most, $step),
                number(concat!("TuneLarge", stringify!($name)), VALUES[1], $least, $most, $step),
                number(concat!("TuneThud", stringify!($name)), VALUES[2], $least, $most, $step),
            ]
        },)+];

        /// Their values where they are constants.
        #[cfg(not(feature = "tune"))]
        const VALUES: &[[i32; KINDS]] = &[$($values,)+];
    };
}

const fn number(name: &'static str, value: i32, least: i32, most: i32, step: i32) -> Number {
    assert!(least <= value && value <= most);
    Number {
        name,
        value,
        least,
        most,
        step,
        #[cfg(feature = "tune")]
        tuned: AtomicI32::new(value),
    }
}

// Name, values for small and large boards of tafl and for Thud, range, and step of a tuner.
numbers! {
    /// Reverse futility: deepest node, in plies.
    ReverseDepth = [5, 6, 6], 1..=12, 1;
    /// Reverse futility: margin a ply, in centipoints.
    ReverseMargin = [77, 90, 90], 20..=300, 12;
    /// Null move: least depth, in plies.
    NullDepth = [5, 3, 3], 1..=8, 1;
    /// Null move: least reduction, in plies.
    NullReduction = [3, 3, 3], 1..=6, 1;
    /// Null move: plies of depth for another ply of reduction.
    NullDivisor = [4, 4, 4], 2..=12, 1;
    /// Null move: margin above beta for another ply of reduction, in centipoints.
    NullMargin = [90, 200, 200], 40..=800, 30;
    /// Late move pruning: deepest node, in plies.
    LateDepth = [8, 6, 6], 1..=12, 1;
    /// Late move pruning: quiet moves at depth 0.
    LateBase = [5, 6, 6], 1..=40, 2;
    /// Late move pruning: growth of that number by the square of the depth.
    LateGrowth = [4, 4, 4], 1..=20, 1;
    /// Futility: deepest node, in plies.
    FutilityDepth = [8, 6, 6], 1..=12, 1;
    /// Futility: margin at depth 0, in centipoints.
    FutilityBase = [189, 100, 100], 0..=400, 20;
    /// Futility: margin a ply, in centipoints.
    FutilityMargin = [80, 90, 90], 10..=300, 12;
    /// Quiet moves that history speaks against: deepest node, in plies.
    DoomedDepth = [6, 4, 4], 1..=10, 1;
    /// Quiet moves that history speaks against: how much of it a ply.
    DoomedHistory = [4096, 4096, 4096], 512..=16384, 512;
    /// Internal iterative reduction: least depth, in plies.
    IterativeDepth = [5, 4, 4], 2..=12, 1;
    /// Late move reduction: base, in hundredths of a ply.
    ReductionBase = [86, 40, 40], 0..=200, 15;
    /// Late move reduction: factor of the logarithms, in hundredths.
    ReductionFactor = [45, 45, 45], 10..=120, 5;
    /// Late move reduction: history worth a ply.
    ReductionHistory = [5000, 8000, 8000], 1000..=32000, 1000;
    /// Late move reduction: more where the node is expected to fail high, in plies.
    CutReduction = [0, 1, 0], 0..=3, 1;
    /// Delta pruning: what a capture may bring beside the captured men, in centipoints.
    DeltaMargin = [200, 200, 200], 0..=800, 30;
    /// Correction history: how much of it is added to the evaluation, in hundredths.
    CorrectionWeight = [77, 40, 40], 0..=200, 10;
    /// Half width of the first aspiration window, in centipoints.
    Window = [9, 24, 24], 4..=200, 5;
    /// History: bonus by the square of the depth.
    BonusSquare = [10, 16, 16], 0..=64, 3;
    /// History: bonus by the depth.
    BonusLinear = [47, 32, 32], 0..=256, 10;
    /// History: largest bonus.
    BonusMost = [2575, 2048, 2048], 256..=8192, 256;
}

/// All numbers in one list.
pub fn numbers() -> &'static [Number] {
    TABLE.as_flattened()
}

impl Parameter {
    /// The value in force for a game.
    #[inline(always)]
    pub fn get<G: Evaluate>(self) -> i32 {
        self.of(G::KIND as usize)
    }

    /// The value in force for a kind of game.
    #[inline(always)]
    pub fn of(self, kind: usize) -> i32 {
        #[cfg(feature = "tune")]
        return TABLE[self as usize][kind].tuned.load(Relaxed);
        #[cfg(not(feature = "tune"))]
        VALUES[self as usize][kind]
    }
}

#[cfg(feature = "tune")]
impl Number {
    /// Puts a value in force, for all searches that begin after it.
    pub fn set(&self, value: i32) {
        self.tuned.store(value, Relaxed);
        super::prune::remake_reductions();
    }
}
