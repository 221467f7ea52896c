//! What more threads bring in time: how long one thread takes to reach a depth, divided by what several take, over many
//! positions. Nodes a second say little of it, since threads may search the same.

use crate::driver::{Engine, own_engine};
use huscarl::variants;
use std::path::Path;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Options {
    /// The game
    #[arg(long, default_value = "hnefatafl7")]
    variant: String,
    /// Depth to reach, plies
    #[arg(long, default_value_t = 14)]
    depth: u32,
    /// Positions, from the arena's openings of the game
    #[arg(long, default_value_t = 200)]
    positions: usize,
    /// Search threads to compare with one
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// MiB
    #[arg(long, default_value_t = 64)]
    hash: u32,
}

/// Milliseconds and nodes of a search; `None` if it found an end of the game, which may come at any depth.
type Effort = Option<[f64; 2]>;

/// Searches that take less say more of the clock than of the search.
const LEAST_MILLIS: f64 = 5.0;

pub fn run(options: &Options) -> Result<(), String> {
    let variant = variants::find(&options.variant)?;
    let path = own_engine()?;
    let mut engines = Vec::new();
    for threads in [1, options.threads] {
        let mut engine = Engine::start(&path)?;
        engine.send(&format!("setoption name UCI_Variant value {variant}"))?;
        engine.send(&format!("setoption name Hash value {}", options.hash))?;
        engine.send(&format!("setoption name Threads value {threads}"))?;
        engines.push(engine);
    }
    let mut compared: Vec<[[f64; 2]; 2]> = Vec::new();
    for position in openings(variant)?.iter().take(options.positions) {
        let mut efforts = [None; 2];
        for (engine, effort) in engines.iter_mut().zip(&mut efforts) {
            *effort = search(engine, position, options.depth)?;
        }
        if let [Some(one), Some(several)] = efforts
            && one[0] >= LEAST_MILLIS
        {
            compared.push([one, several]);
        }
    }
    if compared.len() < 2 {
        return Err(format!(
            "fewer than 2 positions in which depth {} takes {LEAST_MILLIS} ms and no end of the game is found",
            options.depth
        ));
    }
    let sum = |who: usize, what: usize| -> f64 { compared.iter().map(|c| c[who][what]).sum() };
    let logs: Vec<f64> = compared.iter().map(|[a, b]| (a[0] / b[0]).ln()).collect();
    let (mean, bound) = mean_and_bound(&logs);
    println!(
        "{variant}, depth {}, {} threads against one, {} positions of {:.0} ms: {:.2} times as fast ({:.2} to {:.2}), \
         with {:.2} times the nodes; {:.2} times over all",
        options.depth,
        options.threads,
        compared.len(),
        sum(0, 0) / compared.len() as f64,
        mean.exp(),
        (mean - bound).exp(),
        (mean + bound).exp(),
        sum(1, 1) / sum(0, 1),
        sum(0, 0) / sum(1, 0),
    );
    Ok(())
}

/// The positions, as `position` takes them.
fn openings(variant: &str) -> Result<Vec<String>, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arena/openings");
    let path = directory.join(format!("{variant}.txt"));
    let text =
        std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(String::from).collect())
}

/// Searches a position with an empty table.
fn search(engine: &mut Engine, position: &str, depth: u32) -> Result<Effort, String> {
    engine.send("ucinewgame")?;
    engine.send(&format!("position {position}"))?;
    engine.ready()?;
    let started = Instant::now();
    engine.send(&format!("go depth {depth}"))?;
    let (mut nodes, mut ends) = (0.0, false);
    loop {
        let line = engine.line()?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let after = |word: &str| words.iter().skip_while(|w| **w != word).nth(1).copied();
        if words.first() == Some(&"bestmove") {
            break;
        }
        nodes = after("nodes")
            .and_then(|word| word.parse().ok())
            .unwrap_or(nodes);
        ends |= after("score") == Some("mate");
    }
    let millis = started.elapsed().as_secs_f64() * 1000.0;
    Ok((!ends).then_some([millis, nodes]))
}

/// Mean, and half the width of its 95 % interval.
fn mean_and_bound(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_that_of_the_mean() {
        let (mean, bound) = mean_and_bound(&[1.0, 2.0, 3.0, 6.0]);
        assert_eq!(mean, 3.0);
        // Variance (4 + 1 + 0 + 9) / 3, of the mean a quarter of it.
        assert!((bound - 1.96 * (14.0_f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn every_game_with_openings_has_positions_that_can_be_set() {
        for variant in ["hnefatafl7", "tawlbwrdd", "thud"] {
            let positions = openings(variant).expect("a file");
            assert!(positions.len() >= 200, "{variant}");
            assert!(
                positions
                    .iter()
                    .all(|line| line.starts_with("startpos moves "))
            );
        }
        assert!(openings("no such game").is_err());
    }
}
