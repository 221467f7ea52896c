//! The options: their names, types, ranges and defaults as one table, and the values in force.

use super::Protocol;
use crate::search::level;
use crate::variants::{self, Registry};
#[cfg(feature = "tune")]
use crate::{
    eval::tuning as weights,
    search::tuning::{self, Number},
};

/// What kind of value an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number in this range.
    Spin(i64, i64),
    /// `true` or `false`.
    Check,
    /// Any text.
    Text,
    /// The name of a variant.
    Variant,
    /// No value: it does something.
    Button,
}

/// The options by name, in the order in which they are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// Size of the table, MiB.
    Hash,
    /// Search threads.
    Threads,
    /// Number of variations.
    MultiPv,
    /// Whether `bestmove` may name the expected reply.
    Ponder,
    /// Empties the table.
    ClearHash,
    /// Time that passes outside the engine, ms.
    MoveOverhead,
    /// The game.
    Variant,
    /// A file of further variants.
    VariantPath,
    /// Strength, 20 is full.
    SkillLevel,
    /// Whether `UCI_Elo` counts.
    LimitStrength,
    /// Strength in Elo.
    Elo,
    /// Whether `info` names chances to win, draw and lose.
    ShowWdl,
    /// Plies without a capture that end the game; −1 for the variant's own.
    QuietLimit,
    /// Occurrence that ends the game; −1 for the variant's own.
    RepetitionLimit,
    /// Whether the engine accepts and makes offers to end the game.
    Offers,
    /// A file for all lines in both directions.
    DebugLogFile,
    /// There is none.
    OwnBook,
    /// A number of the search, by its place in the list of them.
    #[cfg(feature = "tune")]
    Tuned(usize),
    /// A weight of the evaluation, by its place in the list of them.
    #[cfg(feature = "tune")]
    Weight(usize),
}

/// One row of the table.
#[derive(Clone, Copy)]
pub struct Row {
    /// Which option.
    pub id: Id,
    /// As printed; found in any case.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// As printed.
    pub default: &'static str,
}

const fn row(id: Id, name: &'static str, kind: Kind, default: &'static str) -> Row {
    Row {
        id,
        name,
        kind,
        default,
    }
}

/// Lowest and highest `UCI_Elo`; relative to the engine's own levels, see the README.
pub const ELO_RANGE: (i64, i64) = (1320, 2320);

/// The options of every build.
pub static TABLE: [Row; 17] = [
    row(Id::Hash, "Hash", Kind::Spin(1, 1_048_576), "64"),
    row(Id::Threads, "Threads", Kind::Spin(1, 1024), "1"),
    row(Id::MultiPv, "MultiPV", Kind::Spin(1, 1000), "1"),
    row(Id::Ponder, "Ponder", Kind::Check, "false"),
    row(Id::ClearHash, "Clear Hash", Kind::Button, ""),
    row(Id::MoveOverhead, "Move Overhead", Kind::Spin(0, 5000), "10"),
    row(Id::Variant, "UCI_Variant", Kind::Variant, variants::DEFAULT),
    row(Id::VariantPath, "VariantPath", Kind::Text, "<empty>"),
    row(Id::SkillLevel, "Skill Level", Kind::Spin(0, 20), "20"),
    row(Id::LimitStrength, "UCI_LimitStrength", Kind::Check, "false"),
    row(
        Id::Elo,
        "UCI_Elo",
        Kind::Spin(ELO_RANGE.0, ELO_RANGE.1),
        "2320",
    ),
    row(Id::ShowWdl, "UCI_ShowWDL", Kind::Check, "false"),
    row(Id::QuietLimit, "QuietLimit", Kind::Spin(-1, 100_000), "-1"),
    row(
        Id::RepetitionLimit,
        "RepetitionLimit",
        Kind::Spin(-1, 100_000),
        "-1",
    ),
    row(Id::Offers, "Offers", Kind::Check, "false"),
    row(Id::DebugLogFile, "Debug Log File", Kind::Text, "<empty>"),
    row(Id::OwnBook, "OwnBook", Kind::Check, "false"),
];

/// The options of this build.
fn rows() -> impl Iterator<Item = Row> {
    let rows = TABLE.iter().copied();
    #[cfg(feature = "tune")]
    let rows = rows.chain(
        tuning::numbers()
            .iter()
            .enumerate()
            .map(|(index, number)| Row {
                id: Id::Tuned(index),
                name: number.name,
                kind: Kind::Spin(number.least.into(), number.most.into()),
                default: "",
            }),
    );
    #[cfg(feature = "tune")]
    let rows = rows.chain(
        weights::WEIGHTS
            .iter()
            .enumerate()
            .map(|(index, weight)| Row {
                id: Id::Weight(index),
                name: weight.name,
                kind: Kind::Spin((-weight.most).into(), weight.most.into()),
                default: "",
            }),
    );
    rows
}

/// A value of the right kind and in range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a spin.
    Number(i64),
    /// Of a check.
    Flag(bool),
    /// Of a text, empty for `<empty>`, or of a variant, as the engine writes it.
    Text(String),
    /// Of a button.
    None,
}

/// The values that are not kept elsewhere.
#[derive(Clone, Debug)]
pub struct Settings {
    /// MiB.
    pub hash: usize,
    /// At least 1.
    pub threads: usize,
    /// At least 1.
    pub multipv: usize,
    /// See [`Id::Ponder`].
    pub ponder: bool,
    /// Milliseconds.
    pub overhead: u64,
    /// As the engine writes it.
    pub variant: String,
    /// Those that there are.
    pub variants: Registry,
    /// 0 to 20.
    pub skill: u32,
    /// See [`Id::LimitStrength`].
    pub limit_strength: bool,
    /// Within [`ELO_RANGE`].
    pub elo: i64,
    /// See [`Id::ShowWdl`].
    pub show_wdl: bool,
    /// `None` for the variant's own.
    pub quiet: Option<u32>,
    /// `None` for the variant's own.
    pub repetition: Option<u32>,
    /// See [`Id::Offers`].
    pub offers: bool,
    /// See [`Id::DebugLogFile`]; looked at once, at the start.
    pub log: Option<String>,
    /// What the driver speaks; `None` if its first line will tell. Looked at once, at the start.
    pub protocol: Option<Protocol>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hash: 64,
            threads: 1,
            multipv: 1,
            ponder: false,
            overhead: 10,
            variant: variants::DEFAULT.to_string(),
            variants: Registry::default(),
            skill: 20,
            limit_strength: false,
            elo: ELO_RANGE.1,
            show_wdl: false,
            quiet: None,
            repetition: None,
            offers: false,
            log: None,
            protocol: None,
        }
    }
}

impl Settings {
    /// The level to play at, the lower of what `Skill Level` and `UCI_Elo` ask for; `None` for full strength.
    pub fn level(&self) -> Option<f64> {
        let by_skill = (self.skill < level::FULL).then(|| f64::from(self.skill));
        let (low, high) = ELO_RANGE;
        let part = (self.elo - low) as f64 / (high - low) as f64;
        let by_elo = self.limit_strength.then(|| part * f64::from(level::FULL));
        match (by_skill, by_elo) {
            (Some(skill), Some(elo)) => Some(skill.min(elo)),
            (skill, elo) => skill.or(elo),
        }
    }
}

/// The lines that tell a driver which options there are. `start` has what the command line set, `variants` is what the
/// driver may choose from now.
pub fn lines(start: &Settings, variants: &Registry) -> Vec<String> {
    let lines = rows().map(|row| {
        let name = row.name;
        let default = match row.id {
            Id::Hash => start.hash.to_string(),
            Id::Threads => start.threads.to_string(),
            Id::Variant => start.variant.clone(),
            Id::VariantPath => start.variants.path().unwrap_or(row.default).to_string(),
            #[cfg(feature = "tune")]
            Id::Tuned(index) => tuning::numbers()[index].value.to_string(),
            #[cfg(feature = "tune")]
            Id::Weight(index) => weights::WEIGHTS[index].value().to_string(),
            _ => row.default.to_string(),
        };
        match row.kind {
            Kind::Spin(min, max) => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Check => format!("option name {name} type check default {default}"),
            Kind::Text => format!("option name {name} type string default {default}"),
            Kind::Button => format!("option name {name} type button"),
            Kind::Variant => {
                let all: String = variants
                    .names()
                    .map(|name| format!(" var {name}"))
                    .collect();
                format!("option name {name} type combo default {default}{all}")
            }
        }
    });
    // For tuners; the form of an option line does not change, and drivers leave out lines that they do not know.
    #[cfg(feature = "tune")]
    let lines = lines.chain(
        tuning::numbers()
            .iter()
            .map(|Number { name, step, .. }| format!("tune name {name} step {step}")),
    );
    #[cfg(feature = "tune")]
    let lines = lines.chain(
        weights::WEIGHTS
            .iter()
            .map(|weight| format!("tune name {} step {}", weight.name, weight.step())),
    );
    lines.collect()
}

/// Reads what follows `setoption`: which option, and its value, which may be one of `variants`.
///
/// # Errors
/// Names the option or value and what is expected.
pub fn parse(arguments: &str, variants: &Registry) -> Result<(Id, Value), String> {
    let form = "setoption name NAME [value VALUE] expected";
    let words: Vec<&str> = arguments.split_ascii_whitespace().collect();
    if words.first() != Some(&"name") {
        return Err(form.into());
    }
    let divider = words.iter().position(|&word| word == "value");
    let name = words[1..divider.unwrap_or(words.len())].join(" ");
    let value = divider.map(|at| words[at + 1..].join(" "));
    if name.is_empty() {
        return Err(form.into());
    }
    let row = rows()
        .find(|row| row.name.eq_ignore_ascii_case(&name))
        .ok_or_else(|| format!("unknown option '{name}'"))?;
    let name = row.name;
    let value = match (row.kind, value.as_deref()) {
        (Kind::Button, _) => Value::None,
        (Kind::Text, None | Some("" | "<empty>")) => Value::Text(String::new()),
        (_, None | Some("")) => return Err(format!("option {name}: the value is missing")),
        (Kind::Text, Some(text)) => Value::Text(text.to_string()),
        (Kind::Variant, Some(text)) => match variants.find(text) {
            Ok(found) => Value::Text(found.to_string()),
            Err(why) => return Err(format!("option {name}: {why}")),
        },
        (Kind::Check, Some(text)) => match text.to_ascii_lowercase().as_str() {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            _ => return Err(format!("option {name}: '{text}', true or false expected")),
        },
        (Kind::Spin(min, max), Some(text)) => match text.parse::<i64>() {
            Ok(1) if row.id == Id::RepetitionLimit => {
                return Err(format!("option {name}: '1', -1, 0, or 2 and more expected"));
            }
            Ok(number) if (min..=max).contains(&number) => Value::Number(number),
            _ => {
                return Err(format!(
                    "option {name}: '{text}', a number from {min} to {max} expected"
                ));
            }
        },
    };
    Ok((row.id, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told() -> Vec<String> {
        lines(&Settings::default(), &Registry::default())
    }

    #[cfg(not(feature = "tune"))]
    #[test]
    fn a_usual_build_shows_no_number_of_the_search() {
        assert_eq!(told().len(), TABLE.len());
        assert!(parse("name TuneSmallWindow value 24", &Registry::default()).is_err());
    }

    #[cfg(feature = "tune")]
    #[test]
    fn a_build_for_tuning_shows_and_takes_the_numbers_of_the_search() {
        for line in [
            "option name TuneThudReductionFactor type spin default 45 min 10 max 120",
            "tune name TuneThudReductionFactor step 5",
        ] {
            assert!(told().iter().any(|told| told == line));
        }
        let numbers = tuning::numbers().len() + weights::WEIGHTS.len();
        assert_eq!(told().len(), TABLE.len() + 2 * numbers);
        let (id, value) = parse("name Thud0Points1 value 7", &Registry::default()).unwrap();
        assert!(matches!(id, Id::Weight(_)) && value == Value::Number(7));
        let set = |text: &str| parse(&format!("name {text}"), &Registry::default());
        for (index, number) in tuning::numbers().iter().enumerate() {
            let (most, beyond) = (number.most, number.most + 1);
            let (id, value) = set(&format!("{} value {most}", number.name)).unwrap();
            assert_eq!(value, Value::Number(most.into()));
            assert_eq!(id, Id::Tuned(index));
            assert!(set(&format!("{} value {beyond}", number.name)).is_err());
        }
    }
}
