//! Elo differences: logistic and normalised, with their errors.

use super::likelihood::{Sample, root};
use super::{Counts, Z95};
use serde::Serialize;

/// A quantity in Elo with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The likeliest value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval, which is what stands behind "±".
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The same from the other player's view.
    pub fn reversed(&self) -> Self {
        Estimate {
            value: -self.value,
            low: -self.high,
            high: -self.low,
        }
    }
}

/// The expected score, from 0 to 1, of a player who is this much stronger: 1 / (1 + 10^(−elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The inverse of [`score_of_elo`]; infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The Elo difference by the logistic model; none without pairs.
///
/// The interval holds the expected scores s that a likelihood ratio test does not reject: 2 (log L(p̂) − log L(p_s)) ≤
/// 1.96², where p_s is the likeliest distribution of pair scores with the mean s. It tends to the usual score ± 1.96
/// standard errors, carried over to Elo, and is sensible where that is not: pairs that all came out the same have no
/// spread, and yet do not make a player known exactly. Where all were won or all lost, the estimate is kept finite by
/// taking half a pair for the next result.
pub fn elo(counts: &Counts) -> Option<Estimate> {
    let sample = Sample::corrected(counts)?;
    let score = sample.score;
    let best = sample.log_likelihood(&sample.observed);
    // Positive inside the interval.
    let slack = |score: f64| {
        let constrained = sample.likeliest_with_mean(score);
        Z95 * Z95 - 2.0 * (best - sample.log_likelihood(&constrained))
    };
    Some(Estimate {
        value: elo_of_score(score),
        low: elo_of_score(root((0.0, score), |s| -slack(s))),
        high: elo_of_score(root((score, 1.0), slack)),
    })
}

/// Normalised Elo, (μ − ½) / σ · 800 / ln 10, in which σ is the standard deviation of a game: of a pair times √2, so
/// that it measures how many games a test needs, whatever the game. For matches, σ is that of a match. None without
/// pairs.
///
/// The error is that of the sample's t = (μ − ½) / σ by its influence function, z − t (z² − 1) / 2 with
/// z = (a − μ) / σ for a score a; for small t it is 1.96 / √pairs.
pub fn normalized_elo(counts: &Counts) -> Option<Estimate> {
    let sample = Sample::corrected(counts)?;
    let deviation = sample.observed.variance().sqrt();
    let t = (sample.observed.mean() - 0.5) / deviation;
    let influence = |difference: f64| {
        let z = difference / deviation;
        z - t * (z * z - 1.0) / 2.0
    };
    let variance = sample
        .observed
        .expectation(|difference| influence(difference).powi(2));
    let unit = elo_a_t(counts);
    let error = Z95 * (variance / sample.pairs).sqrt();
    Some(Estimate {
        value: t * unit,
        low: (t - error) * unit,
        high: (t + error) * unit,
    })
}

/// Normalised Elo for each standard deviation of a pair.
pub(super) fn elo_a_t(counts: &Counts) -> f64 {
    800.0 / std::f64::consts::LN_10 / counts.games_a_pair().sqrt()
}

/// The likelihood of superiority, from 0 to 1: how sure it is that the player is the stronger one; none without pairs.
///
/// Φ of the signed root of the likelihood ratio against an expected score of ½, which tends to the usual
/// Φ((μ − ½) / standard error).
pub fn likelihood_of_superiority(counts: &Counts) -> Option<f64> {
    let sample = Sample::new(counts)?;
    let even = sample.likeliest_with_mean(0.5);
    let ratio = sample.log_likelihood(&sample.observed) - sample.log_likelihood(&even);
    let side = sample.observed.mean() - 0.5;
    let z = (2.0 * ratio.max(0.0)).sqrt().copysign(side);
    Some(libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0)
}
