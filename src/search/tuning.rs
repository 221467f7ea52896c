//! The numbers of the search that games can tune, each with its range, all in one table.
//!
//! In a usual build they are constants. With the cargo feature `tune` they are read anew each time, and the protocol
//! shows each as an option and sets it.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// What is known of a number beside its meaning.
pub struct Number {
    /// Which number.
    pub parameter: Parameter,
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
}

macro_rules! numbers {
    ($($(#[$what:meta])+ $name:ident = $value:literal, $least:literal..=$most:literal, $step:literal;)+) => {
        /// Names a number of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Parameter {
            $($(#[$what])+ $name,)+
        }

        /// All numbers, in the order of their names' declaration.
        pub const TABLE: &[Number] = &[$(Number {
            parameter: Parameter::$name,
            name: concat!("Tune", stringify!($name)),
            value: $value,
            least: $least,
            most: $most,
            step: $step,
        },)+];

        #[cfg(feature = "tune")]
        static VALUES: [AtomicI32; TABLE.len()] = [$(AtomicI32::new($value),)+];
    };
}

// Name, value, range, and step of a tuner.
numbers! {
    /// Reverse futility: deepest node, in plies.
    ReverseDepth = 6, 1..=12, 1;
    /// Reverse futility: margin a ply, in centipoints.
    ReverseMargin = 90, 20..=300, 12;
    /// Null move: least depth, in plies.
    NullDepth = 3, 1..=8, 1;
    /// Null move: least reduction, in plies.
    NullReduction = 3, 1..=6, 1;
    /// Null move: plies of depth for another ply of reduction.
    NullDivisor = 4, 2..=12, 1;
    /// Null move: margin above beta for another ply of reduction, in centipoints.
    NullMargin = 200, 40..=800, 30;
    /// Late move pruning: deepest node, in plies.
    LateDepth = 6, 1..=12, 1;
    /// Late move pruning: quiet moves at depth 0.
    LateBase = 6, 1..=40, 2;
    /// Late move pruning: growth of that number by the square of the depth.
    LateGrowth = 4, 1..=20, 1;
    /// Futility: deepest node, in plies.
    FutilityDepth = 6, 1..=12, 1;
    /// Futility: margin at depth 0, in centipoints.
    FutilityBase = 100, 0..=400, 20;
    /// Futility: margin a ply, in centipoints.
    FutilityMargin = 90, 10..=300, 12;
    /// Quiet moves that history speaks against: deepest node, in plies.
    DoomedDepth = 4, 1..=10, 1;
    /// Quiet moves that history speaks against: how much of it a ply.
    DoomedHistory = 4096, 512..=16384, 512;
    /// Internal iterative reduction: least depth, in plies.
    IterativeDepth = 4, 2..=12, 1;
    /// Late move reduction: base, in hundredths of a ply.
    ReductionBase = 40, 0..=200, 15;
    /// Late move reduction: factor of the logarithms, in hundredths.
    ReductionFactor = 45, 10..=120, 5;
    /// Late move reduction: history worth a ply.
    ReductionHistory = 8000, 1000..=32000, 1000;
    /// Delta pruning: what a capture may bring beside the captured men, in centipoints.
    DeltaMargin = 200, 0..=800, 30;
    /// Correction history: how much of it is added to the evaluation, in hundredths.
    CorrectionWeight = 40, 0..=200, 10;
    /// Half width of the first aspiration window, in centipoints.
    Window = 24, 4..=200, 5;
    /// History: bonus by the square of the depth.
    BonusSquare = 16, 0..=64, 3;
    /// History: bonus by the depth.
    BonusLinear = 32, 0..=256, 10;
    /// History: largest bonus.
    BonusMost = 2048, 256..=8192, 256;
}

const _: () = {
    let mut index = 0;
    while index < TABLE.len() {
        let Number {
            value, least, most, ..
        } = TABLE[index];
        assert!(least <= value && value <= most);
        index += 1;
    }
};

impl Parameter {
    /// Its row of the table.
    pub const fn number(self) -> &'static Number {
        &TABLE[self as usize]
    }

    /// The value in force.
    #[cfg(not(feature = "tune"))]
    #[inline(always)]
    pub const fn get(self) -> i32 {
        self.number().value
    }

    /// The value in force.
    #[cfg(feature = "tune")]
    #[inline(always)]
    pub fn get(self) -> i32 {
        VALUES[self as usize].load(Relaxed)
    }

    /// Puts a value in force, for all searches that begin after it.
    #[cfg(feature = "tune")]
    pub fn set(self, value: i32) {
        VALUES[self as usize].store(value, Relaxed);
        super::prune::remake_reductions();
    }
}
