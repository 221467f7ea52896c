//! The command line: starts the engine, or one of its tools.

use clap::{Args, Parser, Subcommand};
use huscarl::bench;
use huscarl::play;
use huscarl::protocol::{self, Protocol, engine_file, options::Settings};
use huscarl::search::limits::Signals;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::variants::{self, Registry};
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An engine for board games between unequal armies: Thud, Tawlbwrdd and Hnefatafl.
///
/// Without a command it speaks the protocol of protocol.md on stdin and stdout. Messages for people go to stderr when
/// the environment variable RUST_LOG asks for them, such as RUST_LOG=info.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Game to start with
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    #[command(flatten)]
    variants: VariantsFile,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Number of search threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// What the driver speaks: uci (also ugi) or otep; by default its first line tells
    #[arg(long, value_name = "NAME", value_parser = Protocol::find)]
    protocol: Option<Protocol>,
    /// File for all lines in both directions
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Args)]
struct VariantsFile {
    /// File of further games, see "Your own variants" in protocol.md
    #[arg(long = "variants", value_name = "FILE")]
    path: Option<String>,
}

impl VariantsFile {
    /// The games that there are.
    fn read(&self) -> Result<Registry, String> {
        let path = self.path.as_deref();
        path.map_or(Ok(Registry::default()), Registry::load)
            .map_err(|why| format!("--variants: {why}"))
    }
}

#[derive(Subcommand)]
enum Command {
    /// Search a fixed set of positions; the last line is `N nodes M nps`
    Bench {
        /// Depth in plies, in place of each game's own
        #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: Option<u32>,
    },
    /// Play at the terminal, against the engine or another person, or watch
    ///
    /// Moves are typed as the protocol writes them, such as d1d3; `help` there tells the rest. Thud is played as a match
    /// of two battles with the sides exchanged. Colour is used where the terminal has it; NO_COLOR and CLICOLOR_FORCE
    /// are respected.
    Play {
        /// Game to play
        #[arg(long, value_name = "NAME", default_value = variants::DEFAULT)]
        variant: String,
        #[command(flatten)]
        variants: VariantsFile,
        /// Who plays: the side that you take (1 or 2 or its name, which may be cut short), `both` for two people at one
        /// terminal, or `none` to watch the engine play itself; in a match it is the side in the first battle
        #[arg(long, value_name = "SIDE", default_value = "1")]
        side: String,
        /// Strength of the engine
        #[arg(long, value_name = "0-20", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=20))]
        level: u32,
        /// Time that the engine takes for a move, in milliseconds
        #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
        movetime: u64,
        /// Position to start from, in place of the start position
        #[arg(long)]
        fen: Option<String>,
    },
    /// Write the file by which OpenTafl knows this engine; the last line is the path of the file
    OpentaflConfig {
        /// OpenTafl's folder `engines`
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Count legal move sequences
    Perft {
        /// Game
        variant: String,
        #[command(flatten)]
        variants: VariantsFile,
        /// Length of the sequences in plies
        #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
        depth: u32,
        /// Position to start from, in place of the start position
        #[arg(long)]
        fen: Option<String>,
        /// Print the count behind each move
        #[arg(long)]
        divide: bool,
        /// Make every leaf, key included, instead of counting the last ply by sets
        #[arg(long)]
        made: bool,
    },
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    // Some drivers pass one empty argument for "no arguments".
    let arguments = std::env::args_os()
        .enumerate()
        .filter(|(index, word)| *index == 0 || !word.is_empty());
    let arguments = Arguments::parse_from(arguments.map(|(_, word)| word));
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<(), String> {
    match arguments.command {
        None => {
            let mut settings = Settings {
                variants: arguments.variants.read()?,
                ..Settings::default()
            };
            if let Some(name) = arguments.variant {
                let found = settings.variants.find(&name);
                settings.variant = found
                    .map_err(|why| format!("--variant: {why}"))?
                    .to_string();
            }
            settings.hash = arguments.hash.map_or(settings.hash, |mib| mib as usize);
            settings.threads = arguments.threads.map_or(settings.threads, |n| n as usize);
            settings.log = arguments.log;
            settings.protocol = arguments.protocol;
            protocol::serve(BufReader::new(std::io::stdin()), settings)
        }
        Some(Command::Bench { depth }) => bench::run(depth, &Arc::default(), &mut print),
        Some(Command::Play {
            variant,
            variants,
            side,
            level,
            movetime,
            fen,
        }) => play::run(&play::Options {
            variant,
            variants: variants.read()?,
            side,
            level,
            movetime: Duration::from_millis(movetime),
            fen,
        }),
        Some(Command::OpentaflConfig { folder }) => {
            let path = engine_file::write(&folder)?;
            print(path.display().to_string());
            Ok(())
        }
        Some(Command::Perft {
            variant,
            variants,
            depth,
            fen,
            divide,
            made,
        }) => {
            let open = |config| variants.read()?.open(&variant, config);
            perft(open, depth, fen.as_deref(), divide, made)
        }
    }
}

/// Prints a line; a reader that has gone away is no error.
fn print(line: String) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn perft(
    open: impl FnOnce(Config) -> Result<Box<dyn Session>, String>,
    depth: u32,
    fen: Option<&str>,
    divide: bool,
    made: bool,
) -> Result<(), String> {
    let config = Config {
        table: Arc::new(Table::new(1)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    let mut session = open(config)?;
    session
        .set_position(fen)
        .map_err(|why| format!("--fen: {why}"))?;
    let started = Instant::now();
    let mut each = |mv: String, nodes: u64| {
        if divide {
            print(format!("{mv}: {nodes}"));
        }
    };
    let nodes = session
        .perft(depth, made, &Signals::default(), &mut each)
        .ok_or("stopped")?;
    let seconds = started.elapsed().as_secs_f64();
    print(format!("Nodes searched: {nodes}"));
    print(format!(
        "{:.3} s, {:.1} M/s",
        seconds,
        nodes as f64 / seconds.max(1e-9) / 1e6
    ));
    Ok(())
}
