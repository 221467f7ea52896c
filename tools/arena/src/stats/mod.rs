//! What results say of strength: Elo with its error, the sequential test, ratings of many players.
//!
//! The unit of every estimate is the pair of games from one opening, because its two games are not independent of each
//! other. Nothing here knows of games, files or engines: results come in as [`Counts`].
//!
//! Sources:
//! - M. Van den Bergh, *Comments on normalized Elo* and *The generalized maximum likelihood ratio for the expectation
//!   value of a distribution*: the pentanomial model, normalised Elo, and the generalised SPRT.
//! - A. B. Owen, *Empirical likelihood ratio confidence intervals for a single functional*, Biometrika 75 (1988): the
//!   interval.
//! - A. Wald, *Sequential tests of statistical hypotheses*, Annals of Mathematical Statistics 16 (1945): the bounds.
//! - R. A. Bradley and M. E. Terry, Biometrika 39 (1952); L. R. Ford, American Mathematical Monthly 64 (1957): ratings,
//!   and when they exist.

mod bradley_terry;
mod elo;
mod likelihood;
mod sprt;

#[cfg(test)]
mod tests;

pub use bradley_terry::{Meeting, ratings};
pub use elo::{
    Estimate, elo, elo_of_score, likelihood_of_superiority, normalized_elo, score_of_elo,
};
pub use sprt::{Model, Sprt, Verdict};

use serde::Serialize;

/// Quantile of the standard normal distribution that leaves 2.5 % above it: half the width of a 95 % interval in
/// standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// What a pair can come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The sum of two games: 0, ½, 1, 1½ or 2 points.
    Pentanomial,
    /// A match of two battles: lost, drawn or won.
    Trinomial,
}

/// How often pairs came to each result, from the view of one of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Counts {
    /// What the cells mean.
    pub kind: Kind,
    /// Pairs with a score of 0, ¼, ½, ¾ and 1; a trinomial leaves the second and the fourth empty.
    pub cells: [u64; 5],
}

impl Counts {
    /// No results yet.
    pub fn new(kind: Kind) -> Self {
        Counts {
            kind,
            cells: [0; 5],
        }
    }

    /// Pentanomial counts, worst result first.
    pub fn pentanomial(cells: [u64; 5]) -> Self {
        Counts {
            kind: Kind::Pentanomial,
            cells,
        }
    }

    /// Trinomial counts: lost, drawn, won.
    pub fn trinomial([lost, drawn, won]: [u64; 3]) -> Self {
        Counts {
            kind: Kind::Trinomial,
            cells: [lost, 0, drawn, 0, won],
        }
    }

    /// Counts a pair by its score in quarters, from 0 to 4; more counts as 4.
    pub fn add(&mut self, quarters: usize) {
        self.cells[quarters.min(4)] += 1;
    }

    /// The same results from the other player's view.
    pub fn reversed(&self) -> Self {
        let mut cells = self.cells;
        cells.reverse();
        Counts { cells, ..*self }
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// Mean score of a pair, from 0 to 1; none without pairs.
    pub fn score(&self) -> Option<f64> {
        let quarters: u64 = (0..)
            .zip(self.cells)
            .map(|(score, count)| score * count)
            .sum();
        (self.pairs() > 0).then(|| quarters as f64 / (4 * self.pairs()) as f64)
    }

    /// Share of the pairs in which neither player was better; none without pairs.
    pub fn drawn(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.cells[2] as f64 / self.pairs() as f64)
    }

    /// The step from one cell that a pair can come to, to the next, in cells.
    fn step(&self) -> usize {
        match self.kind {
            Kind::Pentanomial => 1,
            Kind::Trinomial => 2,
        }
    }

    /// Games that a pair stands for where a quantity is told per game. A match is one result, so it stands for one.
    fn games_a_pair(&self) -> f64 {
        match self.kind {
            Kind::Pentanomial => 2.0,
            Kind::Trinomial => 1.0,
        }
    }
}
