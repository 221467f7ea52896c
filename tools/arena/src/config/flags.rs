//! The flags: those of [`Settings`], and those that take several words `KEY=VALUE`.

use super::{Settings, overlay, words_to_table};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;
use toml::{Table, Value};

/// A flag with words `KEY=VALUE`, which are a table of the file.
struct Group {
    name: &'static str,
    words: &'static str,
    help: &'static str,
    /// May be given more than once, for a list of tables.
    many: bool,
}

const GROUPS: [Group; 5] = [
    Group {
        name: "engine",
        words: "cmd=PROGRAM",
        help: "An engine: cmd= [arg= name= proto=uci|ugi|otep dir= option.NAME= tc= st= movetime= nodes= depth=]",
        many: true,
    },
    Group {
        name: "each",
        words: "KEY=VALUE",
        help: "The same words, for every engine that does not say otherwise",
        many: false,
    },
    Group {
        name: "openings",
        words: "file=FILE",
        help: "Openings from a file: file= [order=random|sequential start=N]",
        many: false,
    },
    Group {
        name: "sprt",
        words: "elo0=N",
        help: "Stops when a hypothesis is taken: elo0= elo1= [alpha=0.05 beta=0.05 model=logistic|normalized]",
        many: false,
    },
    Group {
        name: "adjudicate",
        words: "resign=SCORE:MOVES",
        help: "Ends decided games: resign=SCORE:MOVES draw=SCORE:MOVES:FROMPLY, in centipoints",
        many: false,
    },
];

/// Limits that may be flags of their own, for every engine.
const LIMITS: [(&str, &str, &str); 4] = [
    ("tc", "[MOVES/]SECONDS[+INC]", "Clock of every engine"),
    ("st", "SECONDS", "Time for each move of every engine"),
    ("nodes", "N", "Positions for each move of every engine"),
    ("depth", "PLIES", "Depth of each move of every engine"),
];

/// The flags of a run.
#[derive(Clone, Debug)]
pub struct Flags {
    /// A run to be gone on with.
    pub resume: Option<PathBuf>,
    /// What holds if nothing else is said.
    defaults: Table,
    /// What was said.
    given: Table,
}

impl Flags {
    /// The settings: `file` over the defaults, the flags that were given over both.
    ///
    /// # Errors
    /// Names the key and what is expected of it.
    pub fn over(&self, file: Table) -> Result<Settings, String> {
        let mut table = self.defaults.clone();
        overlay(&mut table, file);
        overlay(&mut table, self.given.clone());
        Settings::from_table(table)
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let mut command = command;
        for group in &GROUPS {
            command = command.arg(
                Arg::new(group.name)
                    .long(group.name)
                    .value_name(group.words)
                    .help(group.help)
                    .num_args(1..)
                    .action(ArgAction::Append),
            );
        }
        for (name, value, help) in LIMITS {
            command = command.arg(Arg::new(name).long(name).value_name(value).help(help));
        }
        let resume = Arg::new("resume")
            .long("resume")
            .value_name("DIR")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Goes on with a run that was broken off, under its settings");
        Settings::augment_args(command.arg(resume))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let fault = |message: String| {
            clap::Error::raw(clap::error::ErrorKind::ValueValidation, message + "\n")
        };
        let settings = Settings::from_arg_matches(matches)?;
        let defaults = settings.to_table().map_err(fault)?;
        let mut given = Table::new();
        for arg in Settings::augment_args(Command::new("")).get_arguments() {
            let id = arg.get_id().as_str();
            let key = id.replace('_', "-");
            if matches.value_source(id) == Some(ValueSource::CommandLine)
                && let Some(value) = defaults.get(&key)
            {
                given.insert(key, value.clone());
            }
        }
        for group in &GROUPS {
            let Some(groups) = matches.get_occurrences::<String>(group.name) else {
                continue;
            };
            let tables: Result<Vec<Table>, String> = groups
                .map(|words| words_to_table(words.map(String::as_str)))
                .collect();
            let tables = tables.map_err(|error| fault(format!("--{}: {error}", group.name)))?;
            let value = if group.many {
                Value::Array(tables.into_iter().map(Value::Table).collect())
            } else {
                let mut all = Table::new();
                tables
                    .into_iter()
                    .for_each(|table| overlay(&mut all, table));
                Value::Table(all)
            };
            given.insert(group.name.to_string(), value);
        }
        for (name, _, _) in LIMITS {
            if let Some(text) = matches.get_one::<String>(name) {
                let each = given.entry("each").or_insert(Value::Table(Table::new()));
                if let Value::Table(each) = each {
                    each.insert(name.to_string(), Value::from(text.as_str()));
                }
            }
        }
        Ok(Flags {
            resume: matches.get_one("resume").cloned(),
            defaults,
            given,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
