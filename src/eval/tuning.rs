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
    use crate::eval::{Evaluate, TermValue, seen_by};
    use crate::variants::{self, Visitor};

    /// Sets weights of the table with this name, and compares the evaluation of the start with the sum of the terms.
    struct Start(&'static str);

    impl Visitor for Start {
        type Output = Result<[Score; 2], String>;

        fn visit<G: Evaluate>(self, game: G) -> Self::Output {
            let start = game.start()?;
            let told = || {
                let terms = game.terms(&start);
                let values = terms.iter().map(TermValue::values);
                let sum: Score = values.map(|[first, second]| first - second).sum();
                let value = game.evaluate(&start, &game.sight(&start));
                assert_eq!(value, seen_by(game.side(&start), sum), "{}", self.0);
                value
            };
            let before = told();
            let ours = || {
                WEIGHTS
                    .iter()
                    .filter(|weight| weight.name.starts_with(self.0))
            };
            for (index, weight) in ours().enumerate() {
                weight.set(weight.value() + 1 + index as Score % 5);
                told();
            }
            ours().for_each(|weight| weight.set(weight.value()));
            let men = ours().filter(|weight| weight.name.contains("1Men1"));
            men.for_each(|weight| weight.set(weight.value() + 7));
            let after = told();
            ours().for_each(|weight| weight.set(weight.value()));
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
    fn tuning_a_weight_changes_the_evaluation_and_its_terms_alike() {
        // 24 attackers in Tawlbwrdd, 8 in Hnefatafl 7×7.
        for (name, table, men) in [
            ("tawlbwrdd", "Eleven", 24),
            ("hnefatafl7", "Seven", 8),
            ("thud", "Thud", 0),
        ] {
            let [before, after] = variants::visit(name, Start(table))
                .and_then(|values| values)
                .unwrap();
            assert_eq!(after - before, 7 * men, "{name}");
        }
        assert!(WEIGHTS.iter().any(|weight| weight.name == "Thud0Points1"));
    }
}
