//! Strength against opponents that do not change, and of one build of the engine against another.

use crate::driver::own_engine;
use crate::games::{MakePlayers, pairs};
use crate::players::{self, Library, Player, Process};
use crate::reference::{RandomMover, Yardstick};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Against {
    /// Who to play against
    #[arg(value_enum)]
    opponent: Opponent,
    /// Nodes a move of the engine
    #[arg(long)]
    nodes: Option<u64>,
    /// Games of each variant
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
    /// First seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Options of the engine, which is then started as a process
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Print the results without judging them
    #[arg(long)]
    unjudged: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Opponent {
    /// Moves at random
    Random,
    /// A plain 2-ply material search
    Yardstick,
}

const WORKERS: usize = 2;

/// Plays the fixed opponents and judges the result by what is expected of the engine.
pub fn against(options: &Against) -> Result<(), String> {
    let mut failed = Vec::new();
    for variant in players::chosen(options.variant.as_deref())? {
        let is_thud = variant.starts_with("thud");
        let nodes = options.nodes.unwrap_or(match options.opponent {
            Opponent::Random => 2_000,
            Opponent::Yardstick if is_thud => 50_000,
            Opponent::Yardstick => 5_000,
        });
        let make: &MakePlayers<'_> = &|| {
            let engine: Box<dyn Player> = if options.option.is_empty() {
                Box::new(Library::new(variant, nodes)?)
            } else {
                let go = format!("nodes {nodes}");
                Box::new(Process::new(&own_engine()?, variant, &go, &options.option)?)
            };
            let opponent: Box<dyn Player> = match options.opponent {
                Opponent::Random => Box::new(RandomMover::new(0)),
                Opponent::Yardstick => Box::new(Yardstick::new(0)),
            };
            Ok((engine, opponent))
        };
        let tally = pairs(variant, options.games / 2, options.seed, WORKERS, make)?;
        println!("{variant} at {nodes} nodes: {}", tally.line());
        let kept = match options.opponent {
            Opponent::Random if variant == "hnefatafl7" => {
                let [draws, losses] = [1, 2].map(|n| tally.roles[0][n] + tally.roles[1][n]);
                losses == 0 && draws <= 1
            }
            Opponent::Random => tally.role(0) >= 0.99 && tally.role(1) >= 0.99,
            Opponent::Yardstick => tally.score().0 >= 0.9,
        };
        if !kept {
            failed.push(variant);
        }
    }
    if failed.is_empty() || options.unjudged {
        Ok(())
    } else {
        Err(format!("not strong enough: {}", failed.join(" ")))
    }
}

#[derive(clap::Args)]
pub struct Duel {
    /// Another build of the engine
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// What follows `go`
    #[arg(long, default_value = "nodes 5000")]
    go: String,
    /// The same for the other build, if it is to differ
    #[arg(long)]
    go_against: Option<String>,
    /// Games of each variant
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
    /// First seed
    #[arg(long, default_value_t = 1000)]
    seed: u64,
    /// Options of this build
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Options of the other build
    #[arg(long, value_name = "NAME=VALUE")]
    option_against: Vec<String>,
}

/// Plays this build of the engine against another, or against itself under other conditions.
pub fn duel(options: &Duel) -> Result<(), String> {
    let own = own_engine()?;
    let other = options.against.as_ref().unwrap_or(&own);
    let go_against = options.go_against.as_ref().unwrap_or(&options.go);
    for variant in players::chosen(options.variant.as_deref())? {
        let make: &MakePlayers<'_> = &|| {
            let a = Process::new(&own, variant, &options.go, &options.option)?;
            let b = Process::new(other, variant, go_against, &options.option_against)?;
            Ok((Box::new(a), Box::new(b)))
        };
        let tally = pairs(variant, options.games / 2, options.seed, WORKERS, make)?;
        println!("{variant}: {}", tally.line());
    }
    Ok(())
}
