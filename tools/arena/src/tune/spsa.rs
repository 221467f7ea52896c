//! Simultaneous perturbation stochastic approximation: the mathematics alone, of numbers and scores.
//!
//! In iteration k = 1, 2, … all numbers are changed at once, each by ±c_k in a direction Δ = ±1 of its own, drawn anew;
//! the players with θ + c_k Δ and with θ − c_k Δ meet, and with the result y of the first, from −1 to 1,
//!
//! ```text
//! θ ← θ + a_k · y / (2 c_k) · Δ,    a_k = a / (A + k)^0.602,    c_k = 1 / k^0.101,    A = a tenth of the iterations,
//! ```
//!
//! where the unit of each number is its own step. What a run has come to is the mean over its last third (B. T. Polyak and
//! A. B. Juditsky, "Acceleration of stochastic approximation by averaging", SIAM Journal on Control and Optimization 30, 1992). So the cost of an iteration does not depend on how many numbers there
//! are. J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation",
//! IEEE Transactions on Automatic Control 37 (1992); the sequences: "Implementation of the simultaneous perturbation
//! algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34 (1998).

use serde::{Deserialize, Serialize};

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Variance of the result of one pair, from −1 to 1, between equals: between that of matches without draws, 1, and that
/// of games of which many are drawn. It only sets the scale of [`Plan::gain`].
const CHANCE: f64 = 0.5;

/// A number to be tuned. Players get whole numbers, between them it is any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The option that sets it.
    pub name: String,
    /// Where it begins.
    pub start: i64,
    /// It is never set below this.
    pub least: i64,
    /// It is never set above this.
    pub most: i64,
    /// By how much it is changed in the first iteration, and the unit in which it moves.
    pub step: f64,
}

/// How long, and how boldly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Iterations in all.
    pub iterations: u32,
    /// Pairs of games of each.
    pub pairs: u32,
    /// How far chance alone would move a number over the whole run if the numbers did not matter, as a standard deviation
    /// in steps. It is the scale a of the sequence a_k in a form that holds for short and for long runs.
    pub gain: f64,
    /// Of the directions.
    pub seed: u64,
}

/// The values of the two players of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// θ + c_k Δ.
    pub plus: Vec<i64>,
    /// θ − c_k Δ.
    pub minus: Vec<i64>,
}

/// A run of iterations.
#[derive(Clone, Debug)]
pub struct Spsa {
    plan: Plan,
    parameters: Vec<Parameter>,
    /// The numerator of a_k.
    scale: f64,
    values: Vec<f64>,
    /// Sums of the values over the iterations of the last third.
    sums: Vec<f64>,
    done: u32,
}

/// What an iteration does to one number.
struct Direction {
    /// 1 or −1.
    sign: f64,
    /// From 0 to 1: between two whole numbers the nearer one is the likelier.
    rounding: f64,
}

impl Spsa {
    /// A run that begins.
    pub fn new(plan: Plan, parameters: Vec<Parameter>) -> Self {
        let values: Vec<f64> = parameters.iter().map(|one| one.start as f64).collect();
        let mut spsa = Spsa {
            sums: vec![0.0; values.len()],
            plan,
            parameters,
            scale: 1.0,
            values,
            done: 0,
        };
        let moves = (1..=spsa.plan.iterations).map(|k| spsa.factor(k).powi(2));
        let variance = CHANCE / f64::from(spsa.plan.pairs) * moves.sum::<f64>();
        spsa.scale = spsa.plan.gain / variance.sqrt();
        spsa
    }

    /// The numbers.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Their values now.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Their means over the last third of the run, which chance moves less than the last values; these before it begins.
    pub fn means(&self) -> Vec<f64> {
        match self.done.saturating_sub(self.before_last_third()) {
            0 => self.values.clone(),
            count => self.sums.iter().map(|sum| sum / f64::from(count)).collect(),
        }
    }

    fn before_last_third(&self) -> u32 {
        self.plan.iterations / 3 * 2
    }

    /// Iterations that are over.
    pub fn done(&self) -> u32 {
        self.done
    }

    /// What the two players of the next iteration get; nothing after the last one.
    pub fn trial(&self) -> Option<Trial> {
        let k = self.done + 1;
        if k > self.plan.iterations {
            return None;
        }
        let directions = self.directions(k);
        let side = |side: f64| {
            let numbers = { self.parameters.iter().zip(&self.values) }.zip(&directions);
            let one = |((parameter, value), direction): ((&Parameter, &f64), &Direction)| {
                // Nearer to each other than by a whole number the players could be the same.
                let reach = (parameter.step * perturbation(k)).max(0.5);
                let wanted = value + side * direction.sign * reach;
                // A whole number is kept as it is: rounding up and down are then the same.
                let whole = (wanted + direction.rounding).floor() as i64;
                whole.clamp(parameter.least, parameter.most)
            };
            numbers.map(one).collect()
        };
        Some(Trial {
            plus: side(1.0),
            minus: side(-1.0),
        })
    }

    /// Moves the values by the mean score of the pairs of an iteration, from 0 to 1, for the player with `plus`.
    pub fn learn(&mut self, score: f64) {
        self.done += 1;
        let result = 2.0 * score - 1.0;
        let distance = self.scale * self.factor(self.done) * result;
        let directions = self.directions(self.done);
        for ((value, parameter), direction) in
            { self.values.iter_mut().zip(&self.parameters) }.zip(directions)
        {
            let moved = *value + distance * direction.sign * parameter.step;
            *value = moved.clamp(parameter.least as f64, parameter.most as f64);
        }
        if self.done > self.before_last_third() {
            for (sum, value) in self.sums.iter_mut().zip(&self.values) {
                *sum += value;
            }
        }
    }

    /// a_k / (2 c_k) with 1 for a.
    fn factor(&self, k: u32) -> f64 {
        let stability = f64::from(self.plan.iterations) / 10.0;
        1.0 / libm::pow(stability + f64::from(k), ALPHA) / (2.0 * perturbation(k))
    }

    /// They follow from the seed and the number of the iteration alone, so a run that is gone on with has the same.
    fn directions(&self, k: u32) -> Vec<Direction> {
        let base = fastrand::Rng::with_seed(self.plan.seed).u64(..);
        let own = base ^ u64::from(k).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut random = fastrand::Rng::with_seed(own);
        let direction = |_: &Parameter| Direction {
            sign: if random.bool() { 1.0 } else { -1.0 },
            rounding: random.f64(),
        };
        self.parameters.iter().map(direction).collect()
    }
}

/// c_k, in steps.
fn perturbation(k: u32) -> f64 {
    1.0 / libm::pow(f64::from(k), GAMMA)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(start: i64, step: f64) -> Parameter {
        Parameter {
            name: format!("from {start} by {step}"),
            start,
            least: 0,
            most: 1000,
            step,
        }
    }

    fn plan(iterations: u32, pairs: u32) -> Plan {
        Plan {
            iterations,
            pairs,
            gain: 1.0,
            seed: 5,
        }
    }

    /// The mean score of so many pairs that are won with this chance, else lost, but one half of them drawn.
    fn score(random: &mut fastrand::Rng, pairs: u32, chance: f64) -> f64 {
        let pair = |_| match (random.bool(), random.f64() < chance) {
            (true, _) => 0.5,
            (false, won) => f64::from(u8::from(won)),
        };
        (0..pairs).map(pair).sum::<f64>() / f64::from(pairs)
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        let start = [parameter(60, 5.0), parameter(300, 20.0), parameter(6, 1.0)];
        let best = [100.0, 180.0, 3.0];
        let steps = |values: &[f64]| -> Vec<f64> {
            let each = { values.iter().zip(best) }.zip(&start);
            each.map(|((value, best), one)| (value - best) / one.step)
                .collect()
        };
        // A hundredth of a won pair for the square of each step.
        let strength = |values: &[i64]| -> f64 {
            let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
            -0.01 * steps(&values).iter().map(|one| one * one).sum::<f64>()
        };
        for seed in 0..5 {
            let mut random = fastrand::Rng::with_seed(seed);
            let plan = Plan {
                seed,
                ..plan(1000, 8)
            };
            let mut spsa = Spsa::new(plan, start.to_vec());
            while let Some(trial) = spsa.trial() {
                let chance = 0.5 + strength(&trial.plus) - strength(&trial.minus);
                spsa.learn(score(&mut random, 8, chance));
            }
            let left = steps(spsa.values());
            assert!(left.iter().all(|one| one.abs() < 1.0), "{seed}: {left:?}");
        }
    }

    #[test]
    fn chance_alone_moves_numbers_by_the_gain() {
        for (iterations, pairs) in [(40, 2), (400, 8)] {
            let parameters = vec![parameter(500, 4.0); 2000];
            let mut spsa = Spsa::new(plan(iterations, pairs), parameters);
            let mut random = fastrand::Rng::with_seed(1);
            let mut squares = 0.0;
            while spsa.trial().is_some() {
                spsa.learn(score(&mut random, pairs, 0.5));
            }
            for value in spsa.values() {
                squares += ((value - 500.0) / 4.0).powi(2) / 2000.0;
            }
            // All numbers move by the same results, so there are as many independent ones as there are iterations.
            assert!((squares.sqrt() - 1.0).abs() < 0.35, "{squares}");
        }
    }

    #[test]
    fn means_are_those_of_the_last_third() {
        let mut spsa = Spsa::new(plan(9, 1), vec![parameter(500, 4.0)]);
        assert_eq!(spsa.means(), [500.0]);
        let mut last = Vec::new();
        while spsa.trial().is_some() {
            spsa.learn(1.0);
            if spsa.done() > 6 {
                last.push(spsa.values()[0]);
                let mean = last.iter().sum::<f64>() / last.len() as f64;
                assert!((spsa.means()[0] - mean).abs() < 1e-9);
            } else {
                assert_eq!(spsa.means(), spsa.values());
            }
        }
        assert_eq!(last.len(), 3);
    }

    #[test]
    fn players_differ_in_every_number_and_stay_in_range() {
        let mut low = parameter(3, 0.1);
        low.most = 3;
        let parameters = vec![parameter(500, 10.0), parameter(7, 0.2), low];
        let mut spsa = Spsa::new(plan(200, 1), parameters);
        let first = spsa.trial().unwrap();
        assert_eq!((first.plus[0] - first.minus[0]).abs(), 20);
        while let Some(trial) = spsa.trial() {
            assert!(
                trial.plus[..2]
                    .iter()
                    .zip(&trial.minus)
                    .all(|(a, b)| a != b)
            );
            assert!(
                { trial.plus.iter().chain(&trial.minus) }.all(|value| (0..=1000).contains(value))
            );
            assert!(trial.plus[2].max(trial.minus[2]) <= 3);
            spsa.learn(1.0);
            assert!(spsa.values()[2] <= 3.0);
        }
        assert_eq!(spsa.done(), 200);
    }
}
