//! Engines as they are asked for, in the words of a flag or as a table of the file, and what follows from them.

use super::scalar::{optional, text};
use crate::clock::{Limit, TimeControl};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;
use toml::{Table, Value};

/// An engine, or what is the same for each of them; every field may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSpec {
    /// The program.
    #[serde(deserialize_with = "optional")]
    pub cmd: Option<String>,
    /// Its arguments.
    pub arg: Vec<String>,
    /// What it is called; by default the name of the program.
    #[serde(deserialize_with = "optional")]
    pub name: Option<String>,
    /// The dialect; `uci` by default.
    pub proto: Option<Protocol>,
    /// Where it is started.
    #[serde(deserialize_with = "optional")]
    pub dir: Option<PathBuf>,
    /// Options to set.
    pub option: BTreeMap<String, Value>,
    /// Clock, `[MOVES/]SECONDS[+INCREMENT]`.
    #[serde(deserialize_with = "optional")]
    pub tc: Option<String>,
    /// Seconds for each move.
    #[serde(deserialize_with = "optional")]
    pub st: Option<f64>,
    /// Milliseconds for each move; another way to write `st`.
    #[serde(deserialize_with = "optional")]
    pub movetime: Option<u64>,
    /// Positions searched for each move.
    #[serde(deserialize_with = "optional")]
    pub nodes: Option<u64>,
    /// Plies searched for each move.
    #[serde(deserialize_with = "optional")]
    pub depth: Option<u32>,
}

/// A dialect of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// As chess engines speak it.
    #[default]
    Uci,
    /// Its relative for other games.
    Ugi,
    /// As OpenTafl, a host of tafl engines, speaks to them.
    Otep,
}

impl Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Uci => "uci",
            Protocol::Ugi => "ugi",
            Protocol::Otep => "otep",
        })
    }
}

/// An engine with everything that is needed to start it.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// What it is called in this run; no other has the same name.
    pub name: String,
    /// The program.
    pub cmd: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it is started.
    pub dir: Option<PathBuf>,
    /// The dialect.
    pub protocol: Protocol,
    /// Options to set, in the order in which they are sent.
    pub options: BTreeMap<String, String>,
    /// What it may spend on a move.
    pub limit: Limit,
}

impl Player {
    /// Program and arguments as one would type them.
    pub fn command_line(&self) -> String {
        let mut line = self.cmd.display().to_string();
        for arg in &self.args {
            line.push(' ');
            line += arg;
        }
        line
    }
}

/// Turns the words `KEY=VALUE` of a flag into a table; `option.NAME=VALUE` and `arg=WORD` may be repeated.
///
/// # Errors
/// Names the word that is not of this form.
pub fn words_to_table<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Table, String> {
    let mut table = Table::new();
    for word in words {
        let (key, value) = word
            .split_once('=')
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| format!("'{word}', KEY=VALUE expected"))?;
        let value = Value::from(value);
        if let Some(option) = key.strip_prefix("option.") {
            let options = table.entry("option").or_insert(Value::Table(Table::new()));
            if let Value::Table(options) = options {
                options.insert(option.to_string(), value);
            }
        } else if key == "arg" {
            let args = table.entry(key).or_insert(Value::Array(Vec::new()));
            if let Value::Array(args) = args {
                args.push(value);
            }
        } else if table.insert(key.to_string(), value).is_some() {
            return Err(format!("'{word}': {key} is given twice"));
        }
    }
    Ok(table)
}

impl EngineSpec {
    /// Reads the words of a flag.
    ///
    /// # Errors
    /// Names the word and what is wrong with it.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        Value::Table(words_to_table(words)?)
            .try_into()
            .map_err(|error: toml::de::Error| super::one_line(&error.to_string()))
    }

    /// The limit, if the engine has one of its own.
    fn limit(&self) -> Result<Option<Limit>, String> {
        let control = self.tc.as_deref().map(str::parse::<TimeControl>);
        let st = self.st.map(|seconds| {
            Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| format!("st={seconds}, seconds above 0 expected"))
        });
        let limit = Limit {
            control: control.transpose()?,
            movetime: st.transpose()?.or(self.movetime.map(Duration::from_millis)),
            nodes: self.nodes,
            depth: self.depth,
        };
        Ok((limit != Limit::default()).then_some(limit))
    }

    /// The engine alone, with what holds for each filled in; a limit of its own replaces all of the common one.
    ///
    /// # Errors
    /// Says what is missing or wrong.
    pub fn player(&self, each: &EngineSpec) -> Result<Player, String> {
        let cmd = self.cmd.as_ref().or(each.cmd.as_ref());
        let cmd = PathBuf::from(cmd.ok_or("no program, cmd=PROGRAM expected")?);
        let program = cmd.file_stem().map(|stem| stem.to_string_lossy().into());
        let limit = match self.limit()? {
            Some(limit) => limit,
            None => each
                .limit()?
                .ok_or("no limit, one of tc= st= nodes= depth= expected")?,
        };
        let mut options = BTreeMap::new();
        for (name, value) in each.option.iter().chain(&self.option) {
            let value = text(value)
                .filter(|value| !value.contains(['\n', '\r']))
                .ok_or_else(|| format!("option.{name}: a single value expected"))?;
            options.insert(name.clone(), value);
        }
        let protocol = self.proto.or(each.proto).unwrap_or_default();
        if protocol == Protocol::Otep && (limit.nodes.is_some() || limit.depth.is_some()) {
            return Err(format!(
                "{limit}: the dialect otep knows no nodes= and depth=, tc= or st= expected"
            ));
        }
        Ok(Player {
            name: self.name.clone().or(program).unwrap_or_default(),
            cmd,
            args: if self.arg.is_empty() {
                &each.arg
            } else {
                &self.arg
            }
            .clone(),
            dir: self.dir.clone().or_else(|| each.dir.clone()),
            protocol,
            options,
            limit,
        })
    }
}

/// All engines; those without a name of their own get a number where two would have the same.
pub(super) fn resolve(specs: &[EngineSpec], each: &EngineSpec) -> Result<Vec<Player>, String> {
    let mut players: Vec<Player> = Vec::with_capacity(specs.len());
    for (index, spec) in specs.iter().enumerate() {
        let mut player = spec
            .player(each)
            .map_err(|error| format!("engine {}: {error}", index + 1))?;
        let taken = |name: &str| players.iter().any(|other| other.name == name);
        if taken(&player.name) {
            if spec.name.is_some() {
                return Err(format!(
                    "engine {}: the name '{}' is taken, another expected",
                    index + 1,
                    player.name
                ));
            }
            let numbered = (2..).map(|number| format!("{}-{number}", player.name));
            player.name = { numbered }.find(|name| !taken(name)).unwrap_or_default();
        }
        players.push(player);
    }
    Ok(players)
}
