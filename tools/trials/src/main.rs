//! Trials: measurements of the engine that take longer than a test may. Matches are the arena's concern.
//!
//! Each command prints what it measured, a line at a time, and fails if a promise is broken.

mod driver;
mod fit;
mod forced;
mod latency;
mod library;
#[path = "../../../tests/reference/mod.rs"]
mod reference;
mod silly;
mod solver;
mod speedup;
mod suite;
mod threads;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    trial: Trial,
}

#[derive(Subcommand)]
enum Trial {
    /// Compares the nodes of two threads with those of one
    Threads(threads::Options),
    /// Compares the time that several threads take to reach a depth with that of one
    Speedup(speedup::Options),
    /// Plays positions with known answers: forced wins in tafl, best margins over 3 plies in Thud; or makes them
    Forced(forced::Options),
    /// Asks an engine, any that speaks the protocol, for moves in positions of games that have one answer
    Suite(suite::Options),
    /// Makes such positions from the engine's own games
    SuiteMake(suite::make::Options),
    /// Looks over the engine's own games for silly moves: the king let go or lost in one, trolls left to hurls for nothing
    Silly(silly::Options),
    /// Fits the weights of the evaluation to the results of the engine's own quick games
    Fit(fit::Options),
    /// Measures how soon the engine answers: start, isready and stop in search, long position lines
    Latency(latency::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().trial {
        Trial::Threads(options) => threads::run(&options),
        Trial::Speedup(options) => speedup::run(&options),
        Trial::Forced(options) => forced::run(&options),
        Trial::Suite(options) => suite::run(&options),
        Trial::SuiteMake(options) => suite::make::run(&options),
        Trial::Silly(options) => silly::run(&options),
        Trial::Fit(options) => fit::run(&options),
        Trial::Latency(options) => latency::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
