//! The command line of the arena.

use arena::{compliance, openings, text};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes a record in another form
    Convert(text::ConvertOptions),
    /// Replays records and says where they break a rule
    Check(text::CheckOptions),
    /// Makes a file of openings, or measures how balanced one is
    Openings(openings::Options),
    /// Checks whether an engine keeps the protocol
    Compliance(compliance::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Convert(options) => text::convert(&options),
        Command::Check(options) => text::check(&options),
        Command::Openings(options) => openings::run(&options),
        Command::Compliance(options) => compliance::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
