//! The multinomial likelihood of results: an observed distribution, and the most likely one under a constraint.
//!
//! The cells of a distribution are its support, whether they were observed or not. An unobserved one gets the weight
//! [`EMPTY`], as the well-known testing frameworks do it, so that every logarithm is finite and the likeliest
//! distribution may put something on it.

use super::Counts;

/// What an empty cell counts instead of nothing.
const EMPTY: f64 = 1e-3;

/// Halvings that take an interval of floating point numbers below their precision.
const HALVINGS: usize = 64;

/// A distribution of the score of a pair.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    /// Scores from 0 to 1 and their probabilities.
    cells: Vec<(f64, f64)>,
}

/// What was observed.
pub(super) struct Sample {
    /// The observed frequencies.
    pub observed: Distribution,
    /// The mean score without what empty cells are given, from 0 to 1.
    pub score: f64,
    /// Number of pairs.
    pub pairs: f64,
}

impl Sample {
    /// The sample of these counts; none without pairs.
    pub fn new(counts: &Counts) -> Option<Self> {
        Self::weighted(counts, &counts.cells.map(|count| count as f64))
    }

    /// The sample of these counts for estimates that have no finite value where every pair was won or every pair lost:
    /// there, half a pair is taken for the next result towards the middle, the continuity correction that turns a
    /// proportion of 1 into 1 − 1/(2n).
    pub fn corrected(counts: &Counts) -> Option<Self> {
        let mut weights = counts.cells.map(|count| count as f64);
        let step = counts.step();
        for (cell, next) in [(0, step), (4, 4 - step)] {
            if counts.cells[cell] == counts.pairs() {
                weights[cell] -= 0.5;
                weights[next] += 0.5;
            }
        }
        Self::weighted(counts, &weights)
    }

    fn weighted(counts: &Counts, weights: &[f64; 5]) -> Option<Self> {
        if counts.pairs() == 0 {
            return None;
        }
        let cells = (0..5).step_by(counts.step());
        let cells: Vec<(f64, f64)> = cells
            .map(|cell| {
                let weight = weights[cell];
                (cell as f64 / 4.0, if weight > 0.0 { weight } else { EMPTY })
            })
            .collect();
        let pairs = cells.iter().map(|(_, weight)| weight).sum();
        let quarters: f64 = (0..)
            .zip(weights)
            .map(|(cell, weight)| f64::from(cell) * weight)
            .sum();
        Some(Sample {
            score: quarters / 4.0 / counts.pairs() as f64,
            observed: Distribution {
                cells: cells
                    .iter()
                    .map(|(score, weight)| (*score, weight / pairs))
                    .collect(),
            },
            pairs,
        })
    }

    /// Logarithm of the likelihood of the sample under a distribution on the same cells.
    pub fn log_likelihood(&self, of: &Distribution) -> f64 {
        let terms = self.observed.cells.iter().zip(&of.cells);
        self.pairs * terms.map(|((_, seen), (_, p))| seen * p.ln()).sum::<f64>()
    }

    /// The likeliest distribution whose mean is `mean`, which lies between 0 and 1.
    ///
    /// The multiplier rule gives p = p̂ / (1 + x (a − mean)) for a cell of score a with frequency p̂, and x from the
    /// constraint.
    pub fn likeliest_with_mean(&self, mean: f64) -> Distribution {
        self.tilted(|score| score - mean)
            .unwrap_or_else(|| self.observed.clone())
    }

    /// The likeliest distribution whose mean is `t` standard deviations above ½.
    ///
    /// The constraint is not linear in the probabilities; its derivative by the one of a cell of score a is, up to a
    /// constant, a − ½ − tσ (1 + ((a − μ) / σ)²) / 2, so that the linear case is solved again and again with the
    /// mean μ and deviation σ of the last solution.
    pub fn likeliest_with_t(&self, t: f64) -> Distribution {
        const ROUNDS: usize = 50;
        let cells = &self.observed.cells;
        let even = 1.0 / cells.len() as f64;
        let mut best = Distribution {
            cells: cells.iter().map(|&(score, _)| (score, even)).collect(),
        };
        for _ in 0..ROUNDS {
            let (mean, deviation) = (best.mean(), best.variance().sqrt());
            let next = self.tilted(|score| {
                let z = (score - mean) / deviation;
                score - 0.5 - t * deviation * (1.0 + z * z) / 2.0
            });
            let Some(next) = next else { break };
            let changes = next.cells.iter().zip(&best.cells);
            let change = changes.map(|(a, b)| (a.1 - b.1).abs()).fold(0.0, f64::max);
            best = next;
            if change < 1e-10 {
                break;
            }
        }
        best
    }

    /// The likeliest distribution p with Σ p g = 0 for a function g of the score: p = p̂ / (1 + x g), with the x that
    /// solves Σ p̂ g / (1 + x g) = 0. That sum falls in x from +∞ to −∞ between the poles. There is none if g does not
    /// take both signs.
    fn tilted(&self, g: impl Fn(f64) -> f64) -> Option<Distribution> {
        let cells: Vec<(f64, f64, f64)> = self
            .observed
            .cells
            .iter()
            .map(|&(score, p)| (score, p, g(score)))
            .collect();
        let least = cells
            .iter()
            .map(|cell| cell.2)
            .fold(f64::INFINITY, f64::min);
        let most = cells
            .iter()
            .map(|cell| cell.2)
            .fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return None;
        }
        let x = root((-1.0 / most, -1.0 / least), |x| {
            cells.iter().map(|(_, p, g)| p * g / (1.0 + x * g)).sum()
        });
        Some(Distribution {
            cells: cells
                .into_iter()
                .map(|(score, p, g)| (score, p / (1.0 + x * g)))
                .collect(),
        })
    }
}

impl Distribution {
    /// The expected score.
    pub fn mean(&self) -> f64 {
        self.cells.iter().map(|(score, p)| score * p).sum()
    }

    /// The variance of the score.
    pub fn variance(&self) -> f64 {
        self.expectation(|z| z * z)
    }

    /// The expectation of a function of the distance from the mean.
    pub fn expectation(&self, of: impl Fn(f64) -> f64) -> f64 {
        let mean = self.mean();
        self.cells
            .iter()
            .map(|(score, p)| p * of(score - mean))
            .sum()
    }
}

/// Where a falling function is zero, by bisection of an interval at whose ends it has, or tends to, opposite signs.
pub(super) fn root((mut low, mut high): (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}
