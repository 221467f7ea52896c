//! The levels: each step of four against the next, the lowest against the fixed opponents. And what threads bring.

use crate::driver::{Engine, own_engine};
use crate::games::{MakePlayers, Tally, elo, pairs};
use crate::players::{self, Player, Process};
use crate::reference::{RandomMover, Yardstick};
use huscarl::variants;
use std::path::Path;

const WORKERS: usize = 2;

#[derive(clap::Args)]
pub struct Options {
    /// Games of each comparison
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Nodes a move; the highest levels are below full strength at any number
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
}

fn player(engine: &Path, variant: &str, nodes: u64, level: u32) -> Result<Box<dyn Player>, String> {
    let options = [format!("Skill Level={level}")];
    let go = format!("nodes {nodes}");
    Ok(Box::new(Process::new(engine, variant, &go, &options)?))
}

/// Plays the ladder and says where a step is too small.
pub fn run(options: &Options) -> Result<(), String> {
    let engine = own_engine()?;
    let mut failed = Vec::new();
    for variant in players::chosen(options.variant.as_deref())? {
        let play = |make: &MakePlayers<'_>| -> Result<Tally, String> {
            pairs(variant, options.games / 2, 5000, WORKERS, make)
        };
        let mut climbed = 0.0;
        for level in (0..20).step_by(4) {
            let tally = play(&|| {
                let upper = player(&engine, variant, options.nodes, level + 4)?;
                Ok((upper, player(&engine, variant, options.nodes, level)?))
            })?;
            println!(
                "{variant} level {} against {level}: {}",
                level + 4,
                tally.line()
            );
            let step = elo(tally.score().0);
            climbed += step;
            if step < 50.0 {
                failed.push(format!("{variant} {level} to {}", level + 4));
            }
        }
        println!("{variant}: {climbed:.0} Elo from level 0 to 20");
        for (name, best, worst) in [("yardstick", 0.1, 0.0), ("random", 1.0, 0.6)] {
            let tally = play(&|| {
                let opponent: Box<dyn Player> = match name {
                    "random" => Box::new(RandomMover::new(0)),
                    _ => Box::new(Yardstick::new(0)),
                };
                Ok((player(&engine, variant, options.nodes, 0)?, opponent))
            })?;
            println!("{variant} level 0 against {name}: {}", tally.line());
            if !(worst..=best).contains(&tally.score().0) {
                failed.push(format!("{variant} level 0 against {name}"));
            }
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("not as it should be: {}", failed.join(", "))),
    }
}

#[derive(clap::Args)]
pub struct ThreadOptions {
    /// Length of each search, ms
    #[arg(long, default_value_t = 10_000)]
    movetime: u64,
    /// MiB
    #[arg(long, default_value_t = 256)]
    hash: u32,
}

/// Nodes of two threads against those of one, and the depth that each reaches.
pub fn threads(options: &ThreadOptions) -> Result<(), String> {
    let engine = own_engine()?;
    for variant in variants::names() {
        let mut nodes = [0.0; 2];
        for threads in [1, 2] {
            let mut engine = Engine::start(&engine)?;
            engine.send(&format!("setoption name Hash value {}", options.hash))?;
            engine.send(&format!("setoption name Threads value {threads}"))?;
            engine.send(&format!("setoption name UCI_Variant value {variant}"))?;
            engine.ready()?;
            engine.send(&format!("go movetime {}", options.movetime))?;
            let mut last = String::new();
            loop {
                let line = engine.line()?;
                if line.starts_with("bestmove") {
                    break;
                }
                if line.starts_with("info depth") {
                    last = line;
                }
            }
            let field = |name: &str| -> f64 {
                let mut words = last
                    .split_ascii_whitespace()
                    .skip_while(|word| *word != name);
                words
                    .nth(1)
                    .and_then(|word| word.parse().ok())
                    .unwrap_or(0.0)
            };
            // Per second, since an iteration's report comes some time before the end.
            nodes[threads - 1] = field("nodes") / field("time").max(1.0);
            println!(
                "{variant}, {threads} threads: depth {}, {:.0} knps",
                field("depth"),
                nodes[threads - 1]
            );
        }
        println!(
            "{variant}: two threads search {:.2} times the nodes of one",
            nodes[1] / nodes[0]
        );
    }
    Ok(())
}
