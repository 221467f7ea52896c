//! The sequential probability ratio test, generalised to results of unknown distribution.
//!
//! The log-likelihood ratio is that of the likeliest distribution of pair scores with the expectation of H1 to the
//! likeliest one with that of H0, by maximum likelihood and not by the normal approximation (Van den Bergh). The bounds
//! are Wald's. Two things make the error rates differ a little from those asked for, and are left as they are: the last
//! step overshoots the bound, which makes errors rarer, and the distribution is itself estimated, which makes them more
//! frequent where a test ends after few pairs.

use super::Counts;
use super::elo::{elo_a_t, score_of_elo};
use super::likelihood::Sample;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};
use std::str::FromStr;

/// What `elo0` and `elo1` measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo differences.
    Logistic,
    /// Normalised Elo differences.
    Normalized,
}

/// A test of H0, the difference is `elo0`, against H1, it is `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under H0, in Elo of the model.
    pub elo0: f64,
    /// The difference under H1, in Elo of the model; above `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 where H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 where H1 holds.
    pub beta: f64,
    /// What the differences measure.
    pub model: Model,
}

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Verdict {
    /// No better than `elo0`.
    H0,
    /// As good as `elo1`.
    H1,
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
        })
    }
}

impl Sprt {
    /// The log-likelihood ratio of H1 to H0, its bounds ln(β / (1 − α)) and ln((1 − β) / α), and the verdict once one
    /// of them is reached.
    pub fn judge(&self, counts: &Counts) -> (f64, f64, f64, Option<Verdict>) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.log_likelihood_ratio(counts);
        let verdict = if llr >= upper {
            Some(Verdict::H1)
        } else if llr <= lower {
            Some(Verdict::H0)
        } else {
            None
        };
        (llr, lower, upper, verdict)
    }

    fn log_likelihood_ratio(&self, counts: &Counts) -> f64 {
        let Some(sample) = Sample::new(counts) else {
            return 0.0;
        };
        let likelihood = |elo: f64| {
            sample.log_likelihood(&match self.model {
                Model::Logistic => sample.likeliest_with_mean(score_of_elo(elo)),
                Model::Normalized => sample.likeliest_with_t(elo / elo_a_t(counts)),
            })
        };
        likelihood(self.elo1) - likelihood(self.elo0)
    }
}

impl Display for Sprt {
    /// The words that it is read from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        } = self;
        let model = match model {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        };
        write!(
            f,
            "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}"
        )
    }
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic`, in any order; the last three may be left out and
    /// are these by default.
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut elo0, mut elo1) = (None, None);
        let (mut alpha, mut beta) = (0.05, 0.05);
        let mut model = Model::Logistic;
        for word in text.split_whitespace() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("sprt: '{word}', KEY=VALUE expected"))?;
            match key {
                "elo0" => elo0 = Some(number(key, value, is_elo, ELO_RANGE)?),
                "elo1" => elo1 = Some(number(key, value, is_elo, ELO_RANGE)?),
                "alpha" => alpha = number(key, value, is_error_rate, RATE_RANGE)?,
                "beta" => beta = number(key, value, is_error_rate, RATE_RANGE)?,
                "model" => {
                    model = match value {
                        "logistic" => Model::Logistic,
                        "normalized" => Model::Normalized,
                        _ => {
                            return Err(format!(
                                "sprt: model '{value}', logistic or normalized expected"
                            ));
                        }
                    }
                }
                _ => {
                    return Err(format!(
                        "sprt: unknown word '{key}', elo0 elo1 alpha beta model expected"
                    ));
                }
            }
        }
        let elo0 = elo0.ok_or("sprt: elo0 is missing")?;
        let elo1 = elo1.ok_or("sprt: elo1 is missing")?;
        if elo0 >= elo1 {
            return Err(format!(
                "sprt: elo0={elo0} elo1={elo1}, elo0 below elo1 expected"
            ));
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }
}

/// The range of differences that can be tested for, in Elo; far beyond it a normalised difference can't be had with so
/// few different results of a pair.
const ELO_RANGE: &str = "a number from -200 to 200";

fn is_elo(elo: f64) -> bool {
    elo.abs() <= 200.0
}

const RATE_RANGE: &str = "a number above 0 and below 0.5";

fn is_error_rate(rate: f64) -> bool {
    rate > 0.0 && rate < 0.5
}

fn number(
    key: &str,
    value: &str,
    is_valid: impl Fn(f64) -> bool,
    expected: &str,
) -> Result<f64, String> {
    value
        .parse()
        .ok()
        .filter(|&number| is_valid(number))
        .ok_or_else(|| format!("sprt: {key} '{value}', {expected} expected"))
}
