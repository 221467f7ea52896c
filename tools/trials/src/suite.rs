//! A suite of tactical positions with known answers, to measure any engine on that speaks the protocol.
//!
//! The positions are from games, and a short search goes wrong in them. `make` says how they are found and why their
//! answers are right; here an engine is asked for a move in each of them.

mod dialogue;
pub mod make;
mod problem;
mod proof;
#[cfg(test)]
mod tests;

use crate::driver::{Engine, own_engine};
use dialogue::{Talk, Thought};
use huscarl::variants;
use problem::Problem;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Options {
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
    /// Program of the engine; the one beside this program if left out
    #[arg(long, value_name = "CMD")]
    engine: Option<PathBuf>,
    /// Time for each position, ms
    #[arg(long, default_value_t = 1000)]
    movetime: u64,
    /// Nodes for each position instead
    #[arg(long)]
    nodes: Option<u64>,
    /// Search threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print each position with the move given
    #[arg(long)]
    list: bool,
}

/// The games that have a suite.
const GAMES: [&str; 3] = ["hnefatafl7", "tawlbwrdd", "thud"];

/// The file of a game's suite.
fn path(variant: &str) -> PathBuf {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/suite");
    Path::new(suites).join(format!("{variant}.epd"))
}

/// The positions of a game's suite.
fn suite(variant: &str) -> Result<Vec<Problem>, String> {
    let path = path(variant);
    let text = std::fs::read_to_string(&path);
    text.map_err(|why| why.to_string())
        .and_then(|text| problem::read_all(&text))
        .map_err(|why| format!("{}: {why}", path.display()))
}

pub fn run(options: &Options) -> Result<(), String> {
    let chosen = match &options.variant {
        Some(only) => vec![variants::find(only)?],
        None => GAMES.to_vec(),
    };
    let engine = options.engine.clone().map_or_else(own_engine, Ok)?;
    let limits = match options.nodes {
        Some(nodes) => format!("nodes {nodes}"),
        None => format!("movetime {}", options.movetime),
    };
    for variant in chosen {
        let problems = suite(variant)?;
        let mut engine = Engine::start(&engine)?;
        let threads = ("Threads", options.threads.to_string());
        dialogue::set(&mut engine, &[("UCI_Variant", variant.into()), threads])?;
        let list = |problem: &Problem, thought: &Thought, is_right: bool| {
            if options.list {
                let verdict = if is_right { "right" } else { "wrong" };
                println!(
                    "{variant}: {verdict}: {} ; {}",
                    thought.best,
                    problem.line()
                );
            }
        };
        let tally = measure(&mut engine, &problems, &limits, list)?;
        println!("{variant}, {limits}: {}", tally.text());
    }
    Ok(())
}

/// What came of a suite.
#[derive(Default, Debug)]
struct Tally {
    /// Positions and those solved, by search and by proof.
    counts: [(usize, usize); 2],
    /// Milliseconds until the right move was best and stayed so, of the positions solved.
    times: Vec<u64>,
    /// Nodes until then.
    nodes: Vec<u64>,
}

/// Asks an engine for a move in each position; `each` is told the answer and whether it is right.
fn measure(
    talk: &mut impl Talk,
    problems: &[Problem],
    limits: &str,
    mut each: impl FnMut(&Problem, &Thought, bool),
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for problem in problems {
        let thought = dialogue::think(talk, &problem.position, limits)?;
        let is_right = problem.is_answer(&thought.best);
        let (count, solved) = &mut tally.counts[usize::from(problem.how.is_proof())];
        *count += 1;
        *solved += usize::from(is_right);
        if let Some(report) = thought.settled(|mv| problem.is_answer(mv)) {
            tally.times.extend(report.time);
            tally.nodes.extend(report.nodes);
        }
        each(problem, &thought, is_right);
    }
    Ok(tally)
}

impl Tally {
    fn text(&self) -> String {
        let [(searched, found), (proven, shown)] = self.counts;
        let (count, solved) = (searched + proven, found + shown);
        let share = 100.0 * solved as f64 / count.max(1) as f64;
        let median = |mut values: Vec<u64>, unit: &str| {
            values.sort_unstable();
            match values.get(values.len() / 2) {
                Some(value) => format!("{value} {unit}"),
                None => format!("{unit} unknown"),
            }
        };
        format!(
            "{solved} of {count} solved ({share:.1} %), by proof {shown} of {proven}, by search {found} of {searched}; \
             found for good after {}, {} (medians)",
            median(self.times.clone(), "ms"),
            median(self.nodes.clone(), "nodes"),
        )
    }
}
