//! Which games there are: names, and what opens a session for each.
//!
//! `built_in` has the games that are always there; `file` reads others from a file. [`Registry`] knows both; the
//! functions of this module know the first.

mod built_in;
mod file;
mod keys;
#[cfg(test)]
mod tests;

use crate::eval::Evaluate;
use crate::game::Game;
use crate::grid::{Grid7, Grid9, Grid11, Grid13, Grid15, Grid19};
use crate::session::{Config, GameSession, Session};
use crate::tafl::{Fairy, Spec, Tafl};
use crate::thud::Thud;
use built_in::{BUILT_IN, Told};
use std::sync::Arc;

/// The variant that an engine starts with.
pub const DEFAULT: &str = "thud";

/// The names of the variants that are built in.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|&(name, _)| name)
}

/// The name of a built-in variant as the engine writes it, whatever the case it is asked for in.
///
/// # Errors
/// Names what is known.
pub fn find(name: &str) -> Result<&'static str, String> {
    built_in(name)
        .map(|(name, _)| name)
        .ok_or_else(|| unknown(name, names()))
}

/// The rules record of a built-in variant, if it is a game of the tafl family.
pub fn record(name: &str) -> Option<&'static str> {
    match built_in(name)?.1 {
        Told::Record(record) => Some(record),
        Told::Thud(_) => None,
    }
}

/// Calls the visitor with the game of the built-in variant of this name.
///
/// # Errors
/// If there is no such variant.
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, String> {
    Registry::default().visit(name, visitor)
}

/// Opens a session of a built-in variant at its start position.
///
/// # Errors
/// If there is no such variant, or the threads can not be had.
pub fn open(name: &str, config: Config) -> Result<Box<dyn Session>, String> {
    Registry::default().open(name, config)
}

fn built_in(name: &str) -> Option<(&'static str, Told)> {
    let known = BUILT_IN.iter();
    known
        .copied()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
}

fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = names.collect();
    format!(
        "unknown variant '{name}', one of {} expected",
        known.join(" ")
    )
}

/// The variants that an engine knows: those built in, and those of a file. A copy costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    path: Option<String>,
    loaded: Arc<[(String, Spec)]>,
}

impl Registry {
    /// The built-in variants and those of the file at this path.
    ///
    /// # Errors
    /// Names file, line and key, what is wrong with it and what is expected.
    pub fn load(path: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|why| format!("{path}: {why}"))?;
        let loaded = file::read(&text).map_err(|why| format!("{path}: {why}"))?;
        Ok(Registry {
            path: Some(path.to_string()),
            loaded: loaded.into(),
        })
    }

    /// Where the file is, if there is one.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The names of all variants.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let built_in = BUILT_IN.iter().map(|(name, _)| *name);
        built_in.chain(self.loaded.iter().map(|(name, _)| name.as_str()))
    }

    /// The name as the engine writes it, whatever the case it is asked for in.
    ///
    /// # Errors
    /// Names what is known.
    pub fn find(&self, name: &str) -> Result<&str, String> {
        find(name)
            .ok()
            .or_else(|| Some(self.loaded(name)?.0.as_str()))
            .ok_or_else(|| unknown(name, self.names()))
    }

    /// Calls the visitor with the game of this name.
    ///
    /// # Errors
    /// If there is no such variant, or no board of its size.
    pub fn visit<V: Visitor>(&self, name: &str, visitor: V) -> Result<V::Output, String> {
        let name = self.find(name)?;
        match (built_in(name), self.loaded(name)) {
            (Some((_, Told::Record(record))), _) => {
                visit_spec(&Spec::from_record(record)?, visitor)
            }
            (Some((_, Told::Thud(rule))), _) => Ok(visitor.visit(Thud::new(rule))),
            (None, Some((_, spec))) => visit_spec(spec, visitor),
            (None, None) => Err(unknown(name, self.names())),
        }
    }

    /// The rules of a variant; none if it is no game of the tafl family.
    ///
    /// # Errors
    /// If there is no such variant.
    pub fn spec(&self, name: &str) -> Result<Option<Spec>, String> {
        let name = self.find(name)?;
        match (built_in(name), self.loaded(name)) {
            (Some((_, Told::Record(record))), _) => Spec::from_record(record).map(Some),
            (None, Some((_, spec))) => Ok(Some(spec.clone())),
            _ => Ok(None),
        }
    }

    /// Opens a session of a variant at its start position.
    ///
    /// # Errors
    /// If there is no such variant, or the threads can not be had.
    pub fn open(&self, name: &str, config: Config) -> Result<Box<dyn Session>, String> {
        self.visit(name, Open(config))?
    }

    fn loaded(&self, name: &str) -> Option<&(String, Spec)> {
        let mut known = self.loaded.iter();
        known.find(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

/// Something to be done with the game of a variant, whatever its type.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<G: Evaluate>(self, game: G) -> Self::Output;
}

struct Open(Config);

impl Visitor for Open {
    type Output = Result<Box<dyn Session>, String>;

    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        Ok(Box::new(GameSession::new(game, self.0)?))
    }
}

/// Looks whether the start position can be read.
struct Check;

impl Visitor for Check {
    type Output = Result<(), String>;

    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        Game::start(&game).map(|_| ())
    }
}

/// Opens a session of the game that `spec` describes, at its start position.
///
/// # Errors
/// If the start can not be read, there is no board of this size, or the threads can not be had.
pub fn open_spec(spec: &Spec, config: Config) -> Result<Box<dyn Session>, String> {
    visit_spec(spec, Open(config))?
}

/// Calls the visitor with the game that `spec` describes.
///
/// # Errors
/// If there is no board of its size.
pub fn visit_spec<V: Visitor>(spec: &Spec, visitor: V) -> Result<V::Output, String> {
    let spec = spec.clone();
    let fairy = Fairy::<Grid7>::is_needed(&spec);
    // Plain games on the boards of the first three have code of their own, for speed.
    Ok(match spec.size {
        7 if fairy => visitor.visit(Fairy::<Grid7>::new(spec)),
        9 if fairy => visitor.visit(Fairy::<Grid9>::new(spec)),
        11 if fairy => visitor.visit(Fairy::<Grid11>::new(spec)),
        13 if fairy => visitor.visit(Fairy::<Grid13>::new(spec)),
        15 if fairy => visitor.visit(Fairy::<Grid15>::new(spec)),
        19 if fairy => visitor.visit(Fairy::<Grid19>::new(spec)),
        7 => match Tafl::<Grid7, true>::new(spec) {
            game if game.rules.is_plain() => {
                visitor.visit(Tafl::<Grid7, false>::new(game.rules.spec))
            }
            game => visitor.visit(game),
        },
        9 => visitor.visit(Tafl::<Grid9, true>::new(spec)),
        11 => match Tafl::<Grid11, true>::new(spec) {
            game if game.rules.is_plain() => {
                visitor.visit(Tafl::<Grid11, false>::new(game.rules.spec))
            }
            game => visitor.visit(game),
        },
        13 => visitor.visit(Tafl::<Grid13, true>::new(spec)),
        15 => visitor.visit(Tafl::<Grid15, true>::new(spec)),
        19 => visitor.visit(Tafl::<Grid19, true>::new(spec)),
        size => return Err(format!("no board of size {size}")),
    })
}
