//! What an engine's lines say.

use crate::record::Said;

/// The answer of a search: `bestmove M [ponder P] [offer]`, or what another dialect has for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move as it was written; empty if there was none.
    pub mv: String,
    /// The reply that is expected.
    pub ponder: Option<String>,
    /// Whether the game should end as it stands, or may.
    pub offer: bool,
    /// Why the move can not be read, whatever the rules say of it.
    pub fault: Option<&'static str>,
}

impl BestMove {
    /// Reads the line, of which the first word is known.
    pub fn parse(line: &str) -> Self {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut best = BestMove {
            mv: words.next().unwrap_or_default().to_string(),
            ..BestMove::default()
        };
        while let Some(word) = words.next() {
            match word {
                "ponder" => best.ponder = words.next().map(str::to_string),
                "offer" => best.offer = true,
                _ => {}
            }
        }
        best
    }
}

/// What an `info` line says of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// From the side to move.
    pub score: Option<Said>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The main variation.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads the line; what can not be read is left out.
    pub fn parse(line: &str) -> Self {
        let mut info = Info::default();
        let mut words = line.split_ascii_whitespace().skip(1);
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "score" => {
                    info.score = match words.next() {
                        Some("cp") => number(words.next()).map(Said::Cp),
                        Some("mate") => number(words.next()).map(Said::Mate),
                        _ => None,
                    }
                }
                // Always last.
                "pv" => info.pv = words.by_ref().map(str::to_string).collect(),
                _ => {}
            }
        }
        info
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// The name in an `option name N type T …` line.
pub fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option")?.trim_start();
    let rest = rest.strip_prefix("name")?.trim_start();
    let end = rest.find(" type ").unwrap_or(rest.len());
    Some(rest[..end].trim_end()).filter(|name| !name.is_empty())
}

/// The values that an option of type `combo` can have.
pub fn combo_values(line: &str) -> impl Iterator<Item = &str> {
    let mut words = line.split_ascii_whitespace();
    std::iter::from_fn(move || {
        words.find(|&word| word == "var")?;
        words.next()
    })
}

/// The name and the number in a `tune name N step S` line.
pub fn step(line: &str) -> Option<(&str, f64)> {
    let rest = line.strip_prefix("tune name ")?;
    let (name, step) = rest.rsplit_once(" step ")?;
    Some((name.trim(), number(Some(step.trim()))?))
}

/// An option with a range of whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Spin {
    /// As the engine writes it.
    pub name: String,
    /// In force unless it is set.
    pub default: i64,
    /// The lowest value.
    pub min: i64,
    /// The highest value.
    pub max: i64,
    /// By how much a tuner should change it at first, if the engine says so, in a line of its own.
    pub step: Option<f64>,
}

impl Spin {
    /// Reads the line of an option of type `spin` with both ends of its range.
    pub fn parse(line: &str) -> Option<Self> {
        let name = option_name(line)?;
        let mut words = line.split_once(" type spin ")?.1.split_ascii_whitespace();
        let (mut default, mut min, mut max) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                "default" => default = number(words.next()),
                "min" => min = number(words.next()),
                "max" => max = number(words.next()),
                _ => {}
            }
        }
        let spin = Spin {
            name: name.to_string(),
            default: default?,
            min: min?,
            max: max?,
            step: None,
        };
        (spin.min..=spin.max)
            .contains(&spin.default)
            .then_some(spin)
    }

    /// A value as it is written.
    ///
    /// # Errors
    /// If it is no number, or out of range.
    pub fn check(&self, value: &str) -> Result<i64, String> {
        let Spin { name, min, max, .. } = self;
        let number = value.parse().ok();
        number
            .filter(|number| (min..=max).contains(&number))
            .ok_or_else(|| format!("option.{name}={value}, a number from {min} to {max} expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_moves() {
        let best = BestMove::parse("bestmove d1c1 ponder d3c3 offer");
        assert_eq!((best.mv.as_str(), best.offer), ("d1c1", true));
        assert_eq!(best.ponder.as_deref(), Some("d3c3"));
        assert_eq!(BestMove::parse("bestmove"), BestMove::default());
        assert_eq!(BestMove::parse("bestmove a1a2 ponder").ponder, None);
    }

    #[test]
    fn infos() {
        let info = Info::parse(
            "info depth 4 multipv 1 score mate -2 wdl 0 0 1000 nodes 12 time 1 pv a1a2 b1b2",
        );
        assert_eq!(info.depth, Some(4));
        assert_eq!(info.score, Some(Said::Mate(-2)));
        assert_eq!(info.nodes, Some(12));
        assert_eq!(info.pv, ["a1a2", "b1b2"]);
        let info = Info::parse("info depth x score cp");
        assert_eq!(info, Info::default());
    }

    #[test]
    fn options() {
        let line = "option name UCI_Variant type combo default thud var thud var hnefatafl7";
        assert_eq!(option_name(line), Some("UCI_Variant"));
        assert_eq!(
            combo_values(line).collect::<Vec<_>>(),
            ["thud", "hnefatafl7"]
        );
        assert_eq!(
            option_name("option name Clear Hash type button"),
            Some("Clear Hash")
        );
        assert_eq!(option_name("option"), None);
        let line = "option name Late Base type spin default 6 min -1 max 40";
        let spin = Spin::parse(line).unwrap();
        assert_eq!((spin.name.as_str(), spin.default), ("Late Base", 6));
        assert_eq!((spin.min, spin.max, spin.step), (-1, 40, None));
        assert_eq!(spin.check("-1"), Ok(-1));
        assert!(
            spin.check("41")
                .is_err_and(|error| error.contains("from -1 to 40"))
        );
        assert_eq!(
            step("tune name Late Base step 2.5"),
            Some(("Late Base", 2.5))
        );
        assert_eq!(step("tune name Late Base step x"), None);
        assert_eq!(
            Spin::parse("option name A type spin default 6 min 7 max 9"),
            None
        );
        assert_eq!(Spin::parse("option name A type check default true"), None);
    }
}
