//! Games as text: PGN-like records, ThudBoard text, OpenTafl records, and `games.jsonl`, of which the others are derived.
//!
//! Every form is read into a [`Transcript`] and written from one. What a text says of moves, captures and results counts
//! for nothing until [`replay`] has played it again with the library.

mod check;
mod convert;
mod jsonl;
mod opentafl;
mod pgn;
pub mod replay;
pub mod rows;
mod thudboard;

pub use check::{CheckOptions, check};
pub use convert::{ConvertOptions, convert};
pub use jsonl::{PGN_FILE, write_pgn};

use crate::notation;
use crate::variant::Variant;
use replay::{Broken, Conditions};
use std::path::Path;

/// A move and what stands beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotated {
    /// The move in the notation of the protocol; captures may be written out where they need not be.
    pub mv: String,
    /// Without its brackets.
    pub comment: Option<String>,
    /// The move as the text has it, where that is another notation.
    pub written: Option<String>,
}

impl Annotated {
    /// The move as its reader knows it.
    fn as_written(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.mv)
    }
}

/// A written game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// Where it stands in its file, for messages.
    pub place: String,
    /// What is said of it, in the names of the PGN-like form and in their order.
    pub tags: Vec<(String, String)>,
    /// The moves.
    pub moves: Vec<Annotated>,
    /// The position text at the end, in forms that tell it.
    pub end: Option<String>,
}

/// Names of tags that mean something here.
pub mod tags {
    /// The variant.
    pub const VARIANT: &str = "Variant";
    /// The rules record of a variant that is not built in.
    pub const RULES: &str = "Rules";
    /// The position text of the start, if it is not that of the variant.
    pub const FEN: &str = "FEN";
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, player 1 first.
    pub const RESULT: &str = "Result";
    /// A reason word.
    pub const TERMINATION: &str = "Termination";
    /// What more there is to say of the end.
    pub const DETAIL: &str = "Detail";
    /// Both sides' points at the end, `12-16`, player 1 first.
    pub const POINTS: &str = "Points";
    /// The limits in force, if they are not the variant's own; 0 is off.
    pub const QUIET_LIMIT: &str = "QuietLimit";
    /// See [`QUIET_LIMIT`].
    pub const REPETITION_LIMIT: &str = "RepetitionLimit";
}

impl Transcript {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Sets a tag, at the end if it is new.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_string(), value)),
        }
    }

    /// Sets what is played.
    fn set_variant(&mut self, variant: &Variant) {
        self.tags.retain(|(name, _)| name != tags::RULES);
        self.set_tag(tags::VARIANT, variant.name());
        if let Some(rules) = variant.rules() {
            self.set_tag(tags::RULES, rules);
        }
    }

    /// What is played.
    ///
    /// # Errors
    /// If the variant is missing or unknown, or its rules can not be read.
    fn variant(&self) -> Result<Variant, String> {
        let name = self
            .tag(tags::VARIANT)
            .ok_or("the variant is not told; --variant sets it")?;
        Variant::recorded(name, self.tag(tags::RULES))
    }

    /// Where a rule is broken and why, in words.
    fn fault(&self, broken: &Broken) -> String {
        let mv = self.moves.get(broken.ply - 1);
        let mv = mv.map_or(broken.mv.as_str(), Annotated::as_written);
        format!("ply {}, move {mv}: {}", broken.ply, broken.why)
    }

    /// The conditions that the tags tell.
    ///
    /// # Errors
    /// If the variant is missing or unknown, or a limit is no number.
    pub fn conditions(&self) -> Result<Conditions, String> {
        let limit = |name| match self.tag(name) {
            None => Ok(None),
            Some(text) => text
                .parse()
                .map(Some)
                .map_err(|_| format!("{name} '{text}', a number from 0 expected")),
        };
        Ok(Conditions {
            variant: self.variant()?,
            start: self.tag(tags::FEN).map(str::to_string),
            repetition: limit(tags::REPETITION_LIMIT)?,
            quiet: limit(tags::QUIET_LIMIT)?,
        })
    }
}

/// The word for a result, by the index of the winning player.
fn result_word(winner: Option<usize>) -> &'static str {
    match winner {
        Some(0) => "1-0",
        Some(_) => "0-1",
        None => "1/2-1/2",
    }
}

/// A form of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// The PGN-like form
    Pgn,
    /// `games.jsonl` of a tournament
    Jsonl,
    /// What ThudBoard saves
    Thudboard,
    /// What OpenTafl saves
    Opentafl,
}

/// Endings of file names.
const ENDINGS: [(&str, Form); 4] = [
    ("pgn", Form::Pgn),
    ("jsonl", Form::Jsonl),
    ("thud", Form::Thudboard),
    ("otg", Form::Opentafl),
];

impl Form {
    /// The form that the ending of a file name tells.
    fn of_name(path: &Path) -> Option<Form> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        ENDINGS
            .iter()
            .find(|(known, _)| *known == ending)
            .map(|(_, form)| *form)
    }

    /// The form that the first words of a text tell.
    fn of_content(text: &str) -> Option<Form> {
        let first = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with(['#', '%', ';']))?;
        if first.starts_with('{') {
            return Some(Form::Jsonl);
        }
        if let Some(tag) = first.strip_prefix('[') {
            let name = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?;
            return Some(match tag.as_bytes().get(name) {
                Some(b':') => Form::Opentafl,
                _ => Form::Pgn,
            });
        }
        if thudboard::is_line(first) {
            return Some(Form::Thudboard);
        }
        let is_record = |word: &str| notation::read_move(word).is_some();
        Some(match first.split_ascii_whitespace().any(is_record) {
            true => Form::Opentafl,
            false => Form::Pgn,
        })
    }

    /// Reads all games of a text. A game whose variant the text does not tell has that of `variant`.
    ///
    /// # Errors
    /// Names the line or game and what is wrong.
    fn read(self, text: &str, variant: Option<&Variant>) -> Result<Vec<Transcript>, String> {
        let mut games = match self {
            Form::Pgn => pgn::read(text)?,
            Form::Jsonl => jsonl::read(text)?,
            Form::Thudboard => thudboard::read(text, variant)?,
            Form::Opentafl => opentafl::read(text, variant)?,
        };
        if let Some(variant) = variant {
            for game in &mut games {
                game.set_variant(variant);
            }
        }
        Ok(games)
    }
}

/// The variant that a command line names, if it names one.
///
/// # Errors
/// Names what is known, or what is wrong with the file of variants.
fn named(variant: Option<&str>, file: Option<&Path>) -> Result<Option<Variant>, String> {
    variant.map(|name| Variant::find(name, file)).transpose()
}

/// Reads a file, and finds its form if it is not told: by the ending of its name, else by its content.
///
/// # Errors
/// Names the file and what is wrong with it.
fn load(path: &Path, form: Option<Form>) -> Result<(Form, String), String> {
    let named = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(error.to_string()))?;
    let mut text = String::from_utf8(bytes).map_err(|_| named("not text in UTF-8".into()))?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    let form = form
        .or_else(|| Form::of_name(path))
        .or_else(|| Form::of_content(&text))
        .ok_or_else(|| named("nothing in it tells its form; --from names it".into()))?;
    Ok((form, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_known_by_their_content() {
        let cases = [
            ("[Event \"x\"]\n", Some(Form::Pgn)),
            ("\n1. d1c1 d3c3 *\n", Some(Form::Pgn)),
            ("{\"kind\":\"run\"}", Some(Form::Jsonl)),
            ("dA6-A7\nTF7-E7\n", Some(Form::Thudboard)),
            ("dF1,dG1,TG7,RH8\n", Some(Form::Thudboard)),
            ("[date:2015.01.07]\n", Some(Form::Opentafl)),
            ("1. d1-c1 d3-c3xc2/c4\n", Some(Form::Opentafl)),
            ("\n \n", None),
        ];
        for (text, form) in cases {
            assert_eq!(Form::of_content(text), form, "{text:?}");
        }
        assert_eq!(Form::of_name(Path::new("a/b.PGN")), Some(Form::Pgn));
        assert_eq!(Form::of_name(Path::new("a.txt")), None);
    }
}
