//! `arena tune`: numbers of an engine's search, tuned by games of the engine against itself.
//!
//! The numbers are options of type `spin`. [`spsa`] has the mathematics, `choice` says which options are tuned; the games are
//! those of any run ([`crate::run::Batches`]), and in Thud the result of a pair is that of the match. A tuning is kept in
//! `tune.jsonl`: the conditions in the first line, then every finished iteration. All values follow from the scores of the
//! iterations, so a tuning that is gone on with comes to the same ones.

mod choice;
pub mod spsa;

use crate::config::{EngineSpec, Flags, Settings};
use crate::lifeline::Lifeline;
use crate::record::Run;
use crate::run::{self, Batches, Store};
use crate::schedule::{Format, Task};
use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};
use spsa::{Parameter, Plan, Spsa};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The name of the file in the directory of a tuning.
pub const FILE: &str = "tune.jsonl";

/// What `arena tune` is asked for.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// What is played, as for a match; one engine is expected
    #[command(flatten)]
    flags: Flags,
    /// Tunes all options of type spin whose names begin so
    #[arg(long, default_value = "Tune", conflicts_with = "resume")]
    prefix: String,
    /// Tunes this option instead, perhaps with a first change other than its own; may be given more than once
    #[arg(long = "param", value_name = "NAME [step=N]", num_args = 1..=2, conflicts_with_all = ["prefix", "resume"])]
    params: Vec<String>,
    /// Times that the options are changed
    #[arg(
        long,
        value_name = "N",
        default_value_t = 500,
        conflicts_with = "resume"
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Pairs of games of each iteration
    #[arg(long, value_name = "N", default_value_t = 8, conflicts_with = "resume")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// How far chance alone may move a number over the whole run, in its steps
    #[arg(
        long,
        value_name = "STEPS",
        default_value_t = 1.0,
        conflicts_with = "resume"
    )]
    #[arg(value_parser = gain)]
    gain: f64,
}

fn gain(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let is_sound = |gain: &f64| *gain > 0.0 && gain.is_finite();
    number
        .filter(is_sound)
        .ok_or("a number above 0 expected".into())
}

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
// There is one of the large kind.
#[allow(clippy::large_enum_variant)]
enum Line {
    /// The first line.
    Tuning(Conditions),
    /// Every other line.
    Iteration(Iteration),
}

/// What does not change over a tuning.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Conditions {
    run: Run,
    plan: Plan,
    parameters: Vec<Parameter>,
}

/// A finished iteration.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Iteration {
    /// From 1.
    number: u32,
    /// Mean score of the pairs for the engine with the values `plus`, from 0 to 1.
    score: f64,
    /// The values after it, for those who read the file.
    values: BTreeMap<String, f64>,
}

/// Begins a tuning, or goes on with one, and prints the values that it has come to.
///
/// # Errors
/// What is wrong with the settings or the engine, or why the tuning has ended before its time.
pub fn run(options: &Options, lifeline: &Arc<Lifeline>) -> Result<(), String> {
    let resume = options.flags.resume.as_deref();
    let mut tuning = match resume {
        Some(dir) => Tuning::resume(dir, &options.flags, lifeline)?,
        None => Tuning::begin(options, lifeline)?,
    };
    let result = tuning.play();
    let dir = { tuning.dir }.display().to_string();
    result.map_err(|why| format!("{why}; to go on: arena tune --resume '{dir}'"))?;
    print!("{}", text(&tuning.spsa));
    println!("written: {dir}/{FILE}");
    Ok(())
}

/// A tuning that runs.
struct Tuning {
    dir: std::path::PathBuf,
    plan: Plan,
    spsa: Spsa,
    batches: Batches,
    store: Store,
    silent: bool,
}

impl Tuning {
    fn begin(options: &Options, lifeline: &Arc<Lifeline>) -> Result<Self, String> {
        let settings = twins(&options.flags)?;
        let dir = run::directory(&settings, None);
        let batches = Batches::new(&settings, &dir, lifeline)?;
        let spins = batches.spins(0)?;
        let conditions = Conditions {
            run: batches.run().clone(),
            plan: Plan {
                iterations: options.iterations,
                pairs: options.pairs,
                gain: options.gain,
                seed: settings.seed,
            },
            parameters: choice::choose(&spins, &options.prefix, &options.params)?,
        };
        let store = Store::create(&dir, FILE, &Line::Tuning(conditions.clone()))?;
        Ok(Self::new(dir, conditions, batches, store, settings.silent))
    }

    fn resume(dir: &Path, flags: &Flags, lifeline: &Arc<Lifeline>) -> Result<Self, String> {
        let (store, lines) = Store::open(dir, FILE)?;
        let mut lines = lines.into_iter();
        let Some(Line::Tuning(conditions)) = lines.next() else {
            return Err(format!("'{}': no tuning in its first line", dir.display()));
        };
        let settings = run::settings_of(&conditions.run, dir, flags)?;
        let batches = Batches::new(&settings, dir, lifeline)?;
        run::same(&conditions.run, batches.run())?;
        let dir = dir.to_path_buf();
        let mut tuning = Self::new(dir, conditions, batches, store, settings.silent);
        for line in lines {
            let expected = tuning.spsa.done() + 1;
            match line {
                Line::Iteration(iteration) if iteration.number == expected => {
                    tuning.spsa.learn(iteration.score);
                }
                _ => {
                    let (dir, line) = (tuning.dir.display(), expected + 1);
                    return Err(format!(
                        "'{dir}/{FILE}', line {line}: iteration {expected} expected"
                    ));
                }
            }
        }
        Ok(tuning)
    }

    fn new(
        dir: std::path::PathBuf,
        conditions: Conditions,
        batches: Batches,
        store: Store,
        silent: bool,
    ) -> Self {
        Tuning {
            dir,
            spsa: Spsa::new(conditions.plan.clone(), conditions.parameters),
            plan: conditions.plan,
            batches,
            store,
            silent,
        }
    }

    /// Plays what is left.
    fn play(&mut self) -> Result<(), String> {
        for warning in self.batches.warnings() {
            self.say(&format!("warning: {warning}"));
        }
        let Plan {
            iterations, pairs, ..
        } = self.plan;
        while let Some(trial) = self.spsa.trial() {
            let round = self.spsa.done();
            let first = u64::from(round) * u64::from(pairs);
            let tasks = (first..first + u64::from(pairs)).map(|index| Task {
                index,
                round,
                engines: [0, 1],
                opening: index,
            });
            let options = [trial.plus, trial.minus].map(|values| self.options(&values));
            let scores = self.batches.play(&options, tasks.collect())?;
            let won: f64 = scores.iter().sum();
            let score = won / f64::from(pairs);
            self.spsa.learn(score);
            let number = self.spsa.done();
            let names = self.spsa.parameters().iter().map(|one| one.name.clone());
            self.store.append(&Line::Iteration(Iteration {
                number,
                score,
                values: names.zip(self.spsa.values().iter().copied()).collect(),
            }))?;
            self.say(&format!(
                "iteration {number} of {iterations}: {won} of {pairs}; farthest {}",
                farthest(&self.spsa)
            ));
        }
        Ok(())
    }

    fn options(&self, values: &[i64]) -> BTreeMap<String, String> {
        let parameters = self.spsa.parameters().iter().zip(values);
        parameters
            .map(|(parameter, value)| (parameter.name.clone(), value.to_string()))
            .collect()
    }

    fn say(&self, line: &str) {
        if !self.silent {
            println!("{line}");
        }
    }
}

/// The settings with the one engine as both players.
fn twins(flags: &Flags) -> Result<Settings, String> {
    let mut settings = flags.over(toml::Table::new())?;
    let misplaced = [
        ("tournament", settings.tournament != Format::default()),
        ("rounds", settings.rounds != 1),
        ("sprt", settings.sprt.is_some()),
        ("pgn", settings.pgn),
        ("json", settings.json),
    ];
    if let Some((flag, _)) = misplaced.iter().find(|(_, given)| *given) {
        return Err(format!(
            "--{flag} is for matches; a tuning has --iterations and --pairs, and keeps no games"
        ));
    }
    let [engine] = &settings.engine[..] else {
        let count = settings.engine.len();
        return Err(format!("{count} engines, one expected: --engine cmd=…"));
    };
    let twin = |name: &str| EngineSpec {
        name: Some(name.into()),
        ..engine.clone()
    };
    settings.engine = vec![twin("plus"), twin("minus")];
    Ok(settings)
}

/// By how many steps a number has moved.
fn moved(parameter: &Parameter, value: f64) -> f64 {
    (value - parameter.start as f64) / parameter.step
}

/// The number that has moved most.
fn farthest(spsa: &Spsa) -> String {
    let numbers = spsa.parameters().iter().zip(spsa.values());
    let most = numbers
        .map(|(parameter, &value)| (parameter, value, moved(parameter, value)))
        .max_by(|(.., a), (.., b)| a.abs().total_cmp(&b.abs()));
    most.map_or(String::new(), |(parameter, value, steps)| {
        format!("{} {value:.1} ({steps:+.2} steps)", parameter.name)
    })
}

/// Old and new values, as a table and as words for `--engine`. The new ones are the means of the last third.
fn text(spsa: &Spsa) -> String {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    let heads = ["name", "old", "new", "mean", "last", "steps", "min", "max"];
    table.set_header(heads);
    let mut words = Vec::new();
    let values = { spsa.means().into_iter() }.zip(spsa.values());
    for (parameter, (mean, last)) in spsa.parameters().iter().zip(values) {
        let Parameter {
            name,
            start,
            least,
            most,
            ..
        } = parameter;
        let new = mean.round() as i64;
        table.add_row([
            name.clone(),
            start.to_string(),
            new.to_string(),
            format!("{mean:.2}"),
            format!("{last:.2}"),
            format!("{:+.2}", moved(parameter, mean)),
            least.to_string(),
            most.to_string(),
        ]);
        let word = format!("option.{name}={new}");
        words.push(match word.contains(' ') {
            true => format!("\"{word}\""),
            false => word,
        });
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n{}\n", words.join(" "))
}
