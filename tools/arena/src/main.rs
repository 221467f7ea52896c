//! The command line of the arena.

use arena::config::{self, Flags};
use arena::lifeline::Lifeline;
use arena::run::{self, NoWatch};
use arena::{compliance, lifeline, openings, report, text, tune};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a tournament that flags describe
    Match {
        #[command(flatten)]
        flags: Flags,
    },
    /// Plays a tournament that a file describes; flags override it
    Run {
        /// The file, in TOML
        #[arg(value_name = "TOURNAMENT.toml")]
        file: PathBuf,
        #[command(flatten)]
        flags: Flags,
    },
    /// Writes a tournament file with comments
    Init {
        /// The file; it must not exist yet
        #[arg(default_value = "tournament.toml")]
        file: PathBuf,
    },
    /// Kills the engines of an arena that has been killed
    #[command(hide = true, name = lifeline::GUARD)]
    Guard,
    /// Writes a record in another form
    Convert(text::ConvertOptions),
    /// Replays records and says where they break a rule
    Check(text::CheckOptions),
    /// Makes a file of openings, or measures how balanced one is
    Openings(openings::Options),
    /// Checks whether an engine keeps the protocol
    Compliance(compliance::Options),
    /// Tunes options of an engine by games against itself
    Tune(tune::Options),
    /// Draws the page of a run anew
    Report(report::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Match { flags } => play(&flags, None),
        Command::Run { file, flags } => play(&flags, Some(file)),
        Command::Init { file } => init(&file),
        Command::Guard => {
            lifeline::guard(std::io::stdin().lock());
            Ok(())
        }
        Command::Convert(options) => text::convert(&options),
        Command::Check(options) => text::check(&options),
        Command::Openings(options) => openings::run(&options),
        Command::Compliance(options) => {
            Lifeline::guarded().and_then(|lifeline| compliance::run(&options, lifeline))
        }
        Command::Tune(options) => {
            Lifeline::of_a_run().and_then(|lifeline| tune::run(&options, &lifeline))
        }
        Command::Report(options) => report::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn play(flags: &Flags, file: Option<PathBuf>) -> Result<(), String> {
    let settings = match (&flags.resume, file) {
        (Some(dir), None) => run::resumed_settings(dir, flags)?,
        (Some(_), Some(_)) => {
            return Err(
                "a run is gone on with under its own settings: arena match --resume DIR".into(),
            );
        }
        (None, Some(file)) => flags.over(config::read_file(&file)?)?,
        (None, None) => flags.over(toml::Table::new())?,
    };
    let lifeline = Lifeline::of_a_run()?;
    run::start(&settings, flags.resume.as_deref(), &lifeline, &mut NoWatch)?;
    Ok(())
}

fn init(file: &std::path::Path) -> Result<(), String> {
    let name = file.display();
    let fault = |error| format!("'{name}' can not be written: {error}");
    let mut target = std::fs::File::create_new(file).map_err(fault)?;
    std::io::Write::write_all(&mut target, config::SAMPLE.as_bytes()).map_err(fault)?;
    println!("{name} written; arena run {name} plays it");
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Arguments::command().debug_assert();
    }
}
