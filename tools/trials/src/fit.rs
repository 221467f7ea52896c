//! Fits the weights of the evaluation to the results of the engine's own quick games.
//!
//! A tafl game is won or lost, so its result is fitted by logistic regression; a battle of Thud ends with a margin in
//! points, which is fitted by least squares. Both are drawn to the present weights by a ridge, and judged by games that
//! were held out. `games` plays and keeps the positions, so that other terms can be fitted to the same games; `model` is
//! the arithmetic.

mod games;
mod model;

use crate::library;
use games::Known;
use huscarl::session::Session;
use model::{Model, Sample, calibrate};
use nalgebra::DVector;
use std::path::PathBuf;

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
    /// Openings of the games, one after the other; without, every game begins with 2 to 6 random plies
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random plies behind an opening of that file, at most
    #[arg(long, value_name = "N", default_value_t = 3, requires = "openings")]
    random_plies: usize,
    /// First seed of the random plies
    #[arg(long, default_value_t = 100_000)]
    seed: u64,
    /// Keeps the positions and results in a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Plays no games: learns from a file that was kept
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save", "openings", "games", "nodes", "seed", "horizon"])]
    from: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), String> {
    let known = match &options.from {
        Some(path) => games::read(path)?,
        None => games::play_all(options)?,
    };
    if let Some(path) = &options.save {
        let lines: String = known.iter().map(|known| format!("{known}\n")).collect();
        std::fs::write(path, lines).map_err(|why| format!("{}: {why}", path.display()))?;
    }
    let mut session = library::session(&options.variant, 1)?;
    let mut samples = Vec::with_capacity(known.len());
    for known in &known {
        samples.push(sample(&mut *session, known)?);
    }
    let (held_out, learned): (Vec<_>, Vec<_>) =
        samples.into_iter().partition(|sample| sample.held_out);

    session.set_position(None)?;
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

/// What the evaluation counts in a position.
fn sample(session: &mut dyn Session, known: &Known) -> Result<Sample, String> {
    session.set_position(Some(&known.position))?;
    let (_, terms) = session.evaluation().ok_or("no position")?;
    let of = |side: usize, sign: i32| {
        terms
            .iter()
            .map(move |entry| f64::from(sign * entry.count[side]))
    };
    Ok(Sample {
        features: DVector::from_iterator(
            2 * terms.len() + 1,
            of(0, 1).chain(of(1, -1)).chain([1.0]),
        ),
        result: known.result,
        held_out: known.is_held_out(),
    })
}
