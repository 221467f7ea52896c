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
use crate::game::{Game, Limits};
use crate::grid::{Grid7, Grid11};
use crate::session::{Config, GameSession, Session};
use crate::tafl::spec::{self, Spec};
use crate::tafl::{self, Tafl};
use crate::thud::Thud;
use built_in::{BUILT_IN, Told};
use std::sync::Arc;

/// The variant that an engine starts with.
pub const DEFAULT: &str = "thud";

/// How many of the built-in variants are listed, those that the rules code plays exactly; the others are found by
/// name.
const LISTED: usize = 5;

/// The names of the variants that are built in and listed.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN[..LISTED].iter().map(|&(name, _)| name)
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

    /// The names of all variants that are listed.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let built_in = BUILT_IN[..LISTED].iter().map(|(name, _)| *name);
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
            (Some((name, Told::Record(record))), _) => match present(name) {
                Some(spec) => visit_present(spec, visitor),
                None => visit_spec(&Spec::from_record(record)?, visitor),
            },
            (Some((_, Told::Thud(rule))), _) => Ok(visitor.visit(Thud::new(rule))),
            (None, Some((_, spec))) => visit_spec(spec, visitor),
            (None, None) => Err(unknown(name, self.names())),
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
    visit_present(present_part(spec), visitor)
}

/// What the present rules code understands of a game; to go when it takes a [`Spec`].
fn present_part(spec: &Spec) -> tafl::Spec {
    let man = spec::kind_of(crate::game::Side::First, spec::MAN);
    tafl::Spec {
        size: spec.size,
        start: spec.start.clone().leak(),
        goal: match spec.goal {
            spec::Goal::Edge => tafl::Goal::Edge,
            spec::Goal::Corners => tafl::Goal::Corners,
        },
        centre: if spec.zones[spec::CENTRE].pass.has(man) {
            tafl::Centre::Castle
        } else {
            tafl::Centre::Throne
        },
        surround: match spec.surround {
            spec::Surround::NearCentre => tafl::Surround::NearCentre,
            _ => tafl::Surround::OnCentre,
        },
        stuck: match spec.stuck {
            spec::Stuck::Loses => tafl::Stuck::Loses,
            spec::Stuck::Draws => tafl::Stuck::Draws,
        },
        limits: spec.limits,
    }
}

/// The one place that knows the boards and the type that plays a game of the family.
fn visit_present<V: Visitor>(spec: tafl::Spec, visitor: V) -> Result<V::Output, String> {
    Ok(match spec.size {
        7 => visitor.visit(Tafl::<Grid7>::new(spec)),
        11 => visitor.visit(Tafl::<Grid11>::new(spec)),
        size => return Err(format!("no board of size {size}")),
    })
}

const TAWLBWRDD: tafl::Spec = tafl::Spec {
    size: 11,
    start: "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3",
    goal: tafl::Goal::Edge,
    centre: tafl::Centre::Castle,
    surround: tafl::Surround::NearCentre,
    stuck: tafl::Stuck::Draws,
    limits: Limits {
        repetition: 2,
        quiet: 0,
    },
};

/// The variants that the present rules code plays exactly, as it wants them; to go when it takes a [`Spec`].
fn present(name: &str) -> Option<tafl::Spec> {
    match name {
        "tawlbwrdd" => Some(TAWLBWRDD),
        "tawlbwrdd-bell" => Some(tafl::Spec {
            start: "4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4",
            ..TAWLBWRDD
        }),
        "hnefatafl7" => Some(tafl::Spec {
            size: 7,
            start: "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3",
            goal: tafl::Goal::Corners,
            centre: tafl::Centre::Throne,
            surround: tafl::Surround::OnCentre,
            stuck: tafl::Stuck::Loses,
            limits: Limits {
                repetition: 3,
                quiet: 0,
            },
        }),
        _ => None,
    }
}
