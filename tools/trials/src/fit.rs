//! Fits the weights of the evaluation to the results of the engine's own quick games.
//!
//! A tafl game is won or lost, so its result is fitted by logistic regression; a battle of Thud ends with a margin in
//! points, which is fitted by least squares. Both are drawn to the present weights by a ridge, and judged by games that
//! were held out. Only quiet positions count: those in which the engine's choice captures nothing.

use crate::library;
use huscarl::game::Side;
use huscarl::score;
use huscarl::session::{Order, Session};
use nalgebra::{DMatrix, DVector};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(clap::Args)]
pub struct Options {
    /// The game
    #[arg(long)]
    variant: String,
    /// Games to learn from, every fifth of them held out
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// How strongly the present weights hold, in positions
    #[arg(long, default_value_t = 200.0)]
    ridge: f64,
    /// In Thud, learn from the search's score so many plies later instead of the margin at the end
    #[arg(long)]
    horizon: Option<usize>,
    /// In tafl, centipoints that count as one of the logarithm of the odds; those with which the present weights foretell
    /// best, if it is left out
    #[arg(long)]
    unit: Option<f64>,
    /// First seed of the openings
    #[arg(long, default_value_t = 100_000)]
    seed: u64,
}

/// Plies between two positions of a game that are learned from.
const STRIDE: usize = 4;
/// Least mean square of a feature that the ridge counts with.
const LEAST_SIZE: f64 = 0.2;
/// One game in so many is held out.
const HELD_OUT: u64 = 5;
/// Longer games count as they stand.
const MAX_PLIES: usize = 600;
const WORKERS: usize = 2;

/// A position: how often player 1 and player 2 have each feature, the latter negative, and the game's result.
struct Sample {
    features: DVector<f64>,
    /// 0 to 1 for player 1 in tafl, his margin in points in Thud.
    result: f64,
    held_out: bool,
}

pub fn run(options: &Options) -> Result<(), String> {
    let next = AtomicU64::new(0);
    let samples: Mutex<Vec<(u64, Vec<Sample>)>> = Mutex::default();
    let work = || -> Result<(), String> {
        let mut session = library::session(&options.variant, 16)?;
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= options.games {
                return Ok(());
            }
            let of_game = play(options, &mut *session, index)?;
            if let Ok(mut samples) = samples.lock() {
                samples.push((index, of_game));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a game failed".to_string())?)
    })?;
    let mut samples = samples.into_inner().map_err(|_| "a game failed")?;
    samples.sort_by_key(|(index, _)| *index);
    let samples: Vec<Sample> = samples
        .into_iter()
        .flat_map(|(_, of_game)| of_game)
        .collect();
    let (held_out, learned): (Vec<_>, Vec<_>) =
        samples.into_iter().partition(|sample| sample.held_out);

    let session = library::session(&options.variant, 1)?;
    let scored = session.is_scored();
    let (_, terms) = session.evaluation().ok_or("no position")?;
    let weights = [0, 1].map(|side| {
        terms
            .iter()
            .map(move |entry| f64::from(entry.term.weight[side]))
    });
    let weights = weights.into_iter().flatten().chain([0.0]);
    let mut present = DVector::from_iterator(2 * terms.len() + 1, weights);
    let model = if scored {
        Model {
            unit: 100.0,
            scored,
        }
    } else {
        let (model, constant) = calibrate(&learned, &present)?;
        present[2 * terms.len()] = constant;
        // Another unit stretches the present weights to the same forecasts.
        let unit = options.unit.unwrap_or(model.unit);
        present *= unit / model.unit;
        Model { unit, ..model }
    };
    let fitted = model.fit(&learned, &present, options.ridge)?;
    println!(
        "{}: {} positions learned from, {} held out; unit {:.0}, constant {:+.0}; loss {:.4} with the present weights, {:.4} with these:",
        options.variant,
        learned.len(),
        held_out.len(),
        model.unit,
        fitted[2 * terms.len()],
        model.loss(&held_out, &present),
        model.loss(&held_out, &fitted),
    );
    for (index, entry) in terms.iter().enumerate() {
        let [first, second] = [0, 1].map(|side| fitted[side * terms.len() + index]);
        println!(
            "    term(\"{}\", [{first:.0}, {second:.0}]),",
            entry.term.name
        );
    }
    Ok(())
}

/// How an evaluation foretells a result.
#[derive(Clone, Copy)]
struct Model {
    /// Centipoints of evaluation that count as one: of the margin, or of the logarithm of the odds.
    unit: f64,
    scored: bool,
}

impl Model {
    fn forecast(&self, sample: &Sample, weights: &DVector<f64>) -> f64 {
        let value = sample.features.dot(weights) / self.unit;
        if self.scored {
            value
        } else {
            1.0 / (1.0 + (-value).exp())
        }
    }

    /// Mean square error of the margin, or mean logarithmic loss.
    fn loss(&self, samples: &[Sample], weights: &DVector<f64>) -> f64 {
        let total: f64 = samples
            .iter()
            .map(|sample| {
                let forecast = self.forecast(sample, weights);
                if self.scored {
                    (sample.result - forecast).powi(2)
                } else {
                    let forecast = forecast.clamp(1e-9, 1.0 - 1e-9);
                    -sample.result * forecast.ln() - (1.0 - sample.result) * (1.0 - forecast).ln()
                }
            })
            .sum();
        total / samples.len().max(1) as f64
    }

    /// Newton's method (iteratively reweighted least squares) with a ridge around `start`.
    fn fit(
        &self,
        samples: &[Sample],
        start: &DVector<f64>,
        ridge: f64,
    ) -> Result<DVector<f64>, String> {
        let size = start.len();
        // A ridge that weighs every feature alike, in units of the feature's own size; rare ones hold fast, since little
        // is known of them.
        let mut scale = DVector::zeros(size);
        for sample in samples {
            scale += sample.features.component_mul(&sample.features);
        }
        scale /= samples.len().max(1) as f64;
        scale.apply(|size| *size = ridge * size.max(LEAST_SIZE));
        // The constant is free, and a feature that never occurred stays as it is.
        scale.add_scalar_mut(1e-6);
        scale[size - 1] = 1e-6;
        let mut weights = start / self.unit;
        let rest = weights.clone();
        for _ in 0..if self.scored { 1 } else { 8 } {
            let mut hessian = DMatrix::from_diagonal(&scale);
            let mut gradient = hessian.clone() * (&rest - &weights);
            for sample in samples {
                let forecast = self.forecast(sample, &(&weights * self.unit));
                let slope = if self.scored {
                    1.0
                } else {
                    forecast * (1.0 - forecast)
                };
                hessian.ger(slope, &sample.features, &sample.features, 1.0);
                gradient.axpy(sample.result - forecast, &sample.features, 1.0);
            }
            let step = hessian
                .cholesky()
                .ok_or("the features are not independent")?;
            weights += step.solve(&gradient);
        }
        Ok(weights * self.unit)
    }
}

/// The unit and the constant with which the present weights foretell best.
fn calibrate(samples: &[Sample], weights: &DVector<f64>) -> Result<(Model, f64), String> {
    let values: Vec<Sample> = samples
        .iter()
        .map(|sample| Sample {
            features: DVector::from_vec(vec![sample.features.dot(weights) / 100.0, 1.0]),
            ..*sample
        })
        .collect();
    let model = Model {
        unit: 1.0,
        scored: false,
    };
    let line = model.fit(&values, &DVector::zeros(2), 0.0)?;
    let unit = 100.0 / line[0].max(0.05);
    Ok((Model { unit, ..model }, line[1] * unit))
}

/// Plays one game of the engine against itself and takes samples of it.
fn play(options: &Options, session: &mut dyn Session, index: u64) -> Result<Vec<Sample>, String> {
    let mut order = Order {
        multipv: 1,
        ..Order::default()
    };
    let opening = library::opening(&options.variant, options.seed + index);
    let opening: Vec<&str> = opening.iter().map(String::as_str).collect();
    session.new_game();
    session.play(&opening).map_err(|refusal| refusal.message)?;
    let mut samples = Vec::new();
    let (mut sampled, mut scores) = (Vec::new(), Vec::new());
    for ply in 0..MAX_PLIES {
        if session.outcome().is_some() {
            break;
        }
        order.limits.nodes = Some(options.nodes);
        let answer = library::search(session, &order)?;
        let mv = answer.best.ok_or("no move")?;
        let quiet = session
            .captures(&mv)
            .is_some_and(|squares| squares.is_ok_and(|set| set.is_empty()));
        let sign = if session.side() == Some(Side::First) {
            1.0
        } else {
            -1.0
        };
        scores.push(sign * f64::from(answer.score) / 100.0);
        let decided = score::plies_to_end(answer.score).is_some();
        if ply % STRIDE == 0 && quiet && !decided {
            let (_, terms) = session.evaluation().ok_or("no position")?;
            let of = |side: usize, sign: i32| {
                terms
                    .iter()
                    .map(move |entry| f64::from(sign * entry.count[side]))
            };
            sampled.push(ply);
            samples.push(Sample {
                features: DVector::from_iterator(
                    2 * terms.len() + 1,
                    of(0, 1).chain(of(1, -1)).chain([1.0]),
                ),
                result: 0.5,
                held_out: index.is_multiple_of(HELD_OUT),
            });
        }
        session.play(&[&mv]).map_err(|refusal| refusal.message)?;
    }
    let winner = session.outcome().and_then(|outcome| outcome.winner);
    let result = match (session.points(), winner) {
        (Some([one, two]), _) => f64::from(one) - f64::from(two),
        (None, Some(winner)) => {
            if winner == Side::First {
                1.0
            } else {
                0.0
            }
        }
        (None, None) => 0.5,
    };
    for (sample, ply) in samples.iter_mut().zip(sampled) {
        let later = options.horizon.and_then(|plies| scores.get(ply + plies));
        sample.result = match (session.is_scored(), later) {
            (true, Some(&score)) => score,
            _ => result,
        };
    }
    Ok(samples)
}
