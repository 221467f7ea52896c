//! The weights of the evaluation as numbers that games can tune, in builds for that. They are read anew for each
//! position, which is slower and comes to the same.

use super::{Term, tafl, thud};
use crate::score::Score;
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;

/// A weight that a tuner may change.
pub struct Weight {
    /// The option that sets it: a table, a term, and for whom.
    pub name: &'static str,
    /// Its bound in both directions, in centipoints: what the table holds.
    pub most: Score,
    term: &'static Term,
    side: usize,
}

/// Terms that are tuned together.
pub(super) struct Table {
    /// Names of its weights begin so.
    pub name: &'static str,
    /// Bound of its weights in both directions, in centipoints.
    pub most: Score,
    pub terms: Vec<&'static Term>,
}

/// Bound of a weight that is no value of a square.
pub(super) const MOST: Score = 5000;

impl Weight {
    /// In force unless it is set, in centipoints.
    pub fn value(&self) -> Score {
        self.term.weight[self.side]
    }

    /// By how much a tuner changes it at first, in centipoints.
    pub fn step(&self) -> Score {
        (self.value().abs() / 5).max(3)
    }

    /// Puts a value in force, for all searches that begin after it.
    pub fn set(&self, value: Score) {
        self.term.tuned[self.side].store(value, Relaxed);
    }
}

/// All weights but those of 0: features that a side does not have, or that tell nothing.
pub static WEIGHTS: LazyLock<Vec<Weight>> = LazyLock::new(|| {
    let tables = tafl::tables().into_iter().chain(thud::tables());
    let mut all = Vec::new();
    for table in tables {
        for (row, &term) in table.terms.iter().enumerate() {
            for side in 0..2 {
                if term.weight[side] != 0 {
                    all.push(Weight {
                        name: format!("{}{row}{}{}", table.name, in_one_word(term.name), side + 1)
                            .leak(),
                        most: table.most,
                        term,
                        side,
                    });
                }
            }
        }
    }
    all
});

/// `men beside the king` as `MenBesideTheKing`.
fn in_one_word(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + &rest.replace('\'', "")
    };
    name.split(' ').map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::variants::{self, Visitor};

    struct Start;

    impl Visitor for Start {
        type Output = Result<[Score; 2], String>;

        fn visit<G: Evaluate>(self, game: G) -> Self::Output {
            let start = game.start()?;
            let before = game.evaluate(&start, &game.sight(&start));
            let weights = WEIGHTS.iter().filter(|weight| weight.name.contains("1Men"));
            for weight in weights.clone() {
                weight.set(weight.value() + 7);
            }
            let after = game.evaluate(&start, &game.sight(&start));
            weights.for_each(|weight| weight.set(weight.value()));
            Ok([before, after])
        }
    }

    #[test]
    fn every_weight_is_in_its_range() {
        for weight in WEIGHTS.iter() {
            let value = weight.value();
            assert!(value.abs() <= weight.most, "{} is {value}", weight.name);
        }
    }

    #[test]
    fn tuning_a_weight_changes_the_evaluation() {
        // 24 men and 12 in Tawlbwrdd, 8 and 4 in Hnefatafl 7×7; the attackers move first.
        for (name, difference) in [("tawlbwrdd", 24 - 12), ("hnefatafl7", 8 - 4)] {
            let [before, after] = variants::visit(name, Start)
                .and_then(|values| values)
                .unwrap();
            assert_eq!(after - before, 7 * difference, "{name}");
        }
        assert!(WEIGHTS.iter().any(|weight| weight.name == "Thud0Points1"));
    }
}
