//! `arena openings`: files of openings for matches, and how balanced such a file is.
//!
//! These games are unequal, so a match plays each opening twice with the sides exchanged. An opening in which one role
//! wins both games tells nothing of the players; `make` leaves out what a search finds lopsided, and `measure` counts
//! how often one role wins both games all the same.

mod make;
mod measure;
mod symmetry;

use crate::text::replay::facts;
use crate::variant::Variant;
use huscarl::search::table::Table;
use huscarl::session::{Config, Order, Session};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// What `arena openings` is asked for.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// Game
    #[arg(long)]
    variant: String,
    /// A file of further variants
    #[arg(long, value_name = "FILE")]
    variants: Option<PathBuf>,
    /// Openings to make
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Random plies, such as 6 or 4..8
    #[arg(long, default_value = "4..8", value_name = "N..M")]
    plies: Plies,
    /// Of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of the search that judges an opening, 50000 by default; with --measure, nodes a move, 20000 by default
    #[arg(long)]
    nodes: Option<u64>,
    /// How far from the centre the score may be, in centipoints
    #[arg(long, default_value_t = 150)]
    bound: u32,
    /// Score for player 1 around which openings are kept: centipoints, median (of the first --count candidates), or auto:
    /// 0, and in Thud the median
    #[arg(
        long,
        default_value = "auto",
        value_name = "X|median|auto",
        allow_negative_numbers = true
    )]
    centre: Centre,
    /// Quick games from each opening that the search leaves; it is kept if each role wins a quarter of them. Not in Thud
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: usize,
    /// Nodes a move in quick games
    #[arg(long, value_name = "N", default_value_t = 2000)]
    game_nodes: u64,
    /// File to write; stdout if it is left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Plays both games of pairs from this file instead, the library against itself
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    measure: Option<PathBuf>,
    /// With --measure, openings to play, spread over the file; all of them if it is left out
    #[arg(long, value_name = "N", requires = "measure")]
    sample: Option<usize>,
    /// Threads; as many as there are processors if it is left out
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
}

/// A range of numbers of plies, `6` or `4..8`, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plies(RangeInclusive<usize>);

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}', plies such as 6 or 4..8 expected");
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let range = match text.split_once("..") {
            Some((first, last)) => number(first)?..=number(last.trim_start_matches('='))?,
            None => number(text)?..=number(text)?,
        };
        if range.is_empty() {
            return Err(wrong());
        }
        Ok(Plies(range))
    }
}

/// Around which score openings are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Centre {
    /// 0, and the median in games that are scored.
    Auto,
    /// Where half of the candidates are above.
    Median,
    /// Centipoints for player 1.
    At(i32),
}

impl FromStr for Centre {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Centre::Auto),
            "median" => Ok(Centre::Median),
            _ => text
                .parse()
                .map(Centre::At)
                .map_err(|_| format!("'{text}', centipoints, median or auto expected")),
        }
    }
}

/// Nodes of the search that judges an opening.
const JUDGING: u64 = 50_000;
/// Nodes a move in the games of a measurement.
const PLAYING: u64 = 20_000;

/// Makes a file of openings, or measures one.
///
/// # Errors
/// If the options do not fit, a file can not be read or written, or too few openings are found.
pub fn run(options: &Options) -> Result<(), String> {
    let variant = Variant::find(&options.variant, options.variants.as_deref())?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = options.concurrency.unwrap_or(processors).max(1);
    if let Some(path) = &options.measure {
        let named = |why: String| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
        let task = measure::Task {
            variant: variant.clone(),
            nodes: options.nodes.unwrap_or(PLAYING),
            seed: options.seed,
            workers,
        };
        let openings = measure::read(&text).map_err(named)?;
        let report = measure::measure(&task, &measure::sample(&openings, options.sample))?;
        println!("{}", report.text(&facts(&variant)?.sides));
        return Ok(());
    }
    let task = make::Task {
        variant,
        count: options.count,
        plies: options.plies.0.clone(),
        seed: options.seed,
        nodes: options.nodes.unwrap_or(JUDGING),
        bound: options.bound,
        centre: options.centre,
        games: options.games,
        game_nodes: options.game_nodes,
        workers,
    };
    let text = make::make(&task)?.text(&task);
    match &options.out {
        Some(path) => {
            std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
        }
        None => std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| format!("stdout: {error}")),
    }
}

/// A session of the library with one thread and a small table: a search of some ten thousand nodes fills no larger one.
fn session(variant: &Variant) -> Result<Box<dyn Session>, String> {
    const TABLE: usize = 4;
    let config = Config {
        table: Arc::new(Table::new(TABLE)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    variant.open(config)
}

/// An order for a search of so many nodes.
fn nodes(nodes: u64) -> Order {
    let mut order = Order {
        multipv: 1,
        ..Order::default()
    };
    order.limits.nodes = Some(nodes);
    order
}

/// Progress on a terminal, and a line for each tenth elsewhere.
struct Progress {
    bar: ProgressBar,
    length: usize,
    what: &'static str,
    plain: Option<std::sync::atomic::AtomicUsize>,
}

impl Progress {
    fn new(length: usize, what: &'static str) -> Self {
        let bar = ProgressBar::new(length as u64);
        let style = "{msg} {wide_bar} {pos} of {len}, {elapsed}, {eta} left";
        // A template that is not understood leaves the bar as it is.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_message(what);
        let plain = (!std::io::stderr().is_terminal()).then(Default::default);
        Progress {
            bar,
            length,
            what,
            plain,
        }
    }

    /// Tells how much is done.
    fn at(&self, done: usize) {
        use std::sync::atomic::Ordering::Relaxed;
        let done = done.min(self.length);
        let Some(last) = &self.plain else {
            return self.bar.set_position(done as u64);
        };
        let tenth = done * 10 / self.length.max(1);
        if last.fetch_max(tenth, Relaxed) < tenth {
            eprintln!("{} {done} of {}", self.what, self.length);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Does the tasks 0 to `count` − 1 on some threads, and returns what came of them in their order. `setup` makes what a
/// thread keeps from task to task.
fn spread<S, T: Send>(
    count: usize,
    workers: usize,
    setup: impl Fn() -> Result<S, String> + Sync,
    each: impl Fn(&mut S, usize) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, T)>, String> {
        let mut state = setup()?;
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= count {
                return Ok(done);
            }
            done.push((index, each(&mut state, index)?));
        }
    };
    let mut all = Vec::with_capacity(count);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers.min(count)).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let done = thread.join().map_err(|_| "a worker failed".to_string())?;
            all.extend(done?);
        }
        Ok::<(), String>(())
    })?;
    all.sort_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, value)| value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_centres() {
        assert_eq!("6".parse(), Ok(Plies(6..=6)));
        assert_eq!("4..8".parse(), Ok(Plies(4..=8)));
        assert_eq!("4..=8".parse(), Ok(Plies(4..=8)));
        for text in ["", "8..4", "a..b", "4-8", "-1"] {
            assert!(text.parse::<Plies>().is_err(), "{text}");
        }
        assert_eq!("auto".parse(), Ok(Centre::Auto));
        assert_eq!("median".parse(), Ok(Centre::Median));
        assert_eq!("-120".parse(), Ok(Centre::At(-120)));
        assert!("equal".parse::<Centre>().is_err());
    }

    #[test]
    fn spread_keeps_the_order() {
        let squares = spread(100, 3, || Ok(()), |(), index| Ok(index * index)).expect("works");
        assert!(
            squares
                .iter()
                .enumerate()
                .all(|(index, square)| *square == index * index)
        );
        let failed = spread(
            10,
            2,
            || Ok(()),
            |(), index| match index {
                7 => Err("seven".to_string()),
                _ => Ok(()),
            },
        );
        assert_eq!(failed, Err("seven".into()));
    }
}
