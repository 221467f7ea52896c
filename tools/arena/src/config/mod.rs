//! What a tournament is asked to be: flags, the file, and which of them counts.
//!
//! Settings come in layers of TOML tables, each laid over the one before: the defaults of the flags, the tournament file,
//! the flags that were given. So a key of the file is the name of a flag, and every default stands in one place.

mod flags;
mod player;
mod scalar;

pub use flags::Flags;
pub use player::{EngineSpec, Player, Protocol, words_to_table};

use crate::schedule::Format;
use crate::stats::Sprt;
use crate::variant::Variant;
use scalar::{optional, scalar};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use toml::{Table, Value};

/// The commented tournament file that `arena init` writes.
pub const SAMPLE: &str = include_str!("sample.toml");

/// Everything that can be asked for; the keys of a tournament file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The game: one of those that the engine has built in, or of --variants
    #[arg(long, default_value = huscarl::variants::DEFAULT)]
    pub variant: String,
    /// A file of further variants
    #[arg(long, value_name = "FILE")]
    pub variants: Option<PathBuf>,
    /// Plies without a capture that end a game; 0 for none, by default as the game has it
    #[arg(long, value_name = "PLIES")]
    #[serde(default, deserialize_with = "optional")]
    pub quiet_limit: Option<u32>,
    /// The occurrence of a position that ends a game; 0 for none, by default as the game has it
    #[arg(long, value_name = "N")]
    #[serde(default, deserialize_with = "optional")]
    pub repetition_limit: Option<u32>,
    /// Who meets whom: everybody; the first engine everybody; winners; engines of equal score
    #[arg(long, value_enum, default_value_t)]
    pub tournament: Format,
    /// Pairs of games that two engines play when they meet; in a swiss tournament the rounds of one pair each
    #[arg(long, value_name = "PAIRS", default_value_t = 1)]
    pub rounds: u32,
    /// Games at a time
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    pub concurrency: usize,
    /// Ties each game's engines to a core of their own (Linux)
    #[arg(long)]
    pub affinity: bool,
    /// Random moves that begin a pair, if there is no file of openings
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    pub random_plies: u32,
    /// Of openings and their order
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Milliseconds that a move may take too long without losing
    #[arg(long, value_name = "MS", default_value_t = 20)]
    pub timemargin: u64,
    /// Seconds that an engine without a clock may think, and that any may take to get ready
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub patience: f64,
    /// Lets engines think on the opponent's time
    #[arg(long)]
    pub ponder: bool,
    /// Starts the engines anew for every game
    #[arg(long)]
    pub restart: bool,
    /// Plays on after an engine has crashed or stalled; otherwise the run ends with the pair
    #[arg(long)]
    pub recover: bool,
    /// A game of so many plies is ended: a draw, or as the points stand
    #[arg(long, value_name = "PLIES", default_value_t = 600)]
    pub max_plies: u32,
    /// A new directory for the results; by default named after the time
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Writes games.pgn at the end
    #[arg(long)]
    pub pgn: bool,
    /// Writes standings.json at the end
    #[arg(long)]
    pub json: bool,
    /// Prints the result only
    #[arg(long)]
    pub silent: bool,
    /// Keeps every line between the arena and the engines, in DIR/io
    #[arg(long)]
    pub io_log: bool,
    /// Where games start, instead of random moves.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<BookSpec>,
    /// Which scores end a game early.
    #[arg(skip)]
    #[serde(default)]
    pub adjudicate: AdjudicateSpec,
    /// When the run may stop before all pairs are played.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    /// What holds for every engine that does not say otherwise.
    #[arg(skip)]
    #[serde(default)]
    pub each: EngineSpec,
    /// The engines.
    #[arg(skip)]
    #[serde(default)]
    pub engine: Vec<EngineSpec>,
}

/// A file of openings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookSpec {
    /// A position or `startpos` on each line, with `moves` if there are any.
    pub file: PathBuf,
    /// In which order they are played.
    #[serde(default)]
    pub order: Order,
    /// Number of the first one, from 1.
    #[serde(default, deserialize_with = "optional")]
    pub start: Option<usize>,
}

/// The order of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As in the file.
    Sequential,
    /// Shuffled by the seed; none twice before all were played.
    #[default]
    Random,
}

/// Rules for ending games that are decided; both engines' scores must agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjudicateSpec {
    /// `SCORE:MOVES`: a side loses when for so many moves of each side the scores said so, in centipoints.
    #[serde(default, deserialize_with = "optional")]
    pub resign: Option<String>,
    /// `SCORE:MOVES:FROMPLY`: a draw when from a ply on, for so many moves of each side, no score was larger.
    #[serde(default, deserialize_with = "optional")]
    pub draw: Option<String>,
}

/// A sequential test on pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSpec {
    /// Elo difference of the first hypothesis.
    #[serde(deserialize_with = "scalar")]
    pub elo0: f64,
    /// Elo difference of the second hypothesis.
    #[serde(deserialize_with = "scalar")]
    pub elo1: f64,
    /// Chance of taking the second for true when the first is; 0.05 by default.
    #[serde(default, deserialize_with = "optional")]
    pub alpha: Option<f64>,
    /// Chance of taking the first for true when the second is; 0.05 by default.
    #[serde(default, deserialize_with = "optional")]
    pub beta: Option<f64>,
    /// `logistic` or `normalized` Elo; the first by default.
    #[serde(default, deserialize_with = "optional")]
    pub model: Option<String>,
}

impl SprtSpec {
    /// The test.
    ///
    /// # Errors
    /// Names the value and what is expected of it.
    pub fn test(&self) -> Result<Sprt, String> {
        let number = |number: f64| number.to_string();
        let words = [
            ("elo0", Some(number(self.elo0))),
            ("elo1", Some(number(self.elo1))),
            ("alpha", self.alpha.map(number)),
            ("beta", self.beta.map(number)),
            ("model", self.model.clone()),
        ];
        let words = words
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key}={}", value?)));
        words.collect::<Vec<_>>().join(" ").parse()
    }
}

/// Settings that may differ when a run is resumed, since no result depends on them.
const FREE_ON_RESUME: [&str; 8] = [
    "concurrency",
    "affinity",
    "recover",
    "out",
    "pgn",
    "json",
    "silent",
    "io-log",
];

impl Settings {
    /// Reads settings from a table that has every key without a default.
    ///
    /// # Errors
    /// Names the key and what is expected of it.
    pub fn from_table(table: Table) -> Result<Self, String> {
        let mut settings: Settings = Value::Table(table)
            .try_into()
            .map_err(|error: toml::de::Error| one_line(&error.to_string()))?;
        settings.variant = settings.game()?.name().to_string();
        settings.check()?;
        Ok(settings)
    }

    /// As a table, for a layer below others.
    ///
    /// # Errors
    /// If a number does not fit into TOML.
    pub fn to_table(&self) -> Result<Table, String> {
        Table::try_from(self).map_err(|error| one_line(&error.to_string()))
    }

    fn check(&self) -> Result<(), String> {
        for (key, value) in [
            ("rounds", self.rounds as usize),
            ("concurrency", self.concurrency),
            ("max-plies", self.max_plies as usize),
        ] {
            if value == 0 {
                return Err(format!("{key} = 0, a number from 1 expected"));
            }
        }
        if self.repetition_limit == Some(1) {
            return Err("repetition-limit = 1, 0 or a number from 2 expected".into());
        }
        if !(self.patience > 0.0 && self.patience < 1e6) {
            return Err(format!(
                "patience = {}, seconds above 0 expected",
                self.patience
            ));
        }
        if let Some(sprt) = &self.sprt {
            sprt.test()?;
            if self.engine.len() != 2 {
                return Err(format!("sprt: {} engines, two expected", self.engine.len()));
            }
        }
        Ok(())
    }

    /// What is played.
    ///
    /// # Errors
    /// Names what is known, or what is wrong with the file of variants.
    pub fn game(&self) -> Result<Variant, String> {
        Variant::find(&self.variant, self.variants.as_deref())
    }

    /// The time that an engine without a clock may think.
    pub fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.patience)
    }

    /// The players, with what holds for each of them filled in.
    ///
    /// # Errors
    /// Names the engine and what is wrong with it, or that there are too few.
    pub fn players(&self) -> Result<Vec<Player>, String> {
        if self.engine.len() < 2 {
            return Err(format!(
                "{} engines, at least two expected: --engine cmd=…",
                self.engine.len()
            ));
        }
        player::resolve(&self.engine, &self.each)
    }

    /// Names the first setting that differs from `other` and on which results depend.
    ///
    /// # Errors
    /// If a number does not fit into TOML.
    pub fn difference(&self, other: &Settings) -> Result<Option<String>, String> {
        let (own, other) = (self.to_table()?, other.to_table()?);
        let keys = own.keys().chain(other.keys());
        let differs = |key: &&String| {
            !FREE_ON_RESUME.contains(&key.as_str()) && own.get(*key) != other.get(*key)
        };
        Ok({ keys }.find(differs).cloned())
    }
}

/// Lays the keys of `upper` over those of `lower`; tables are merged, anything else is replaced.
pub fn overlay(lower: &mut Table, upper: Table) {
    for (key, value) in upper {
        match (lower.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => {
                lower.insert(key, value);
            }
        }
    }
}

/// Reads a tournament file.
///
/// # Errors
/// Names the file, and the line if it is not TOML.
pub fn read_file(path: &std::path::Path) -> Result<Table, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("tournament file '{name}' can not be read: {error}"))?;
    text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..at]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
            + 1;
        format!(
            "tournament file '{name}', line {line}: {}",
            one_line(error.message())
        )
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
