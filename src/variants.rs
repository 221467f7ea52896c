//! Which games there are: names, and what opens a session for each.

use crate::eval::Evaluate;
use crate::grid::{Grid7, Grid9, Grid11, Grid13, Grid15, Grid19};
use crate::session::{Config, GameSession, Session};
use crate::tafl::spec::{CENTRE, CORNER, Ends, Goal, Letters, Stuck, Surround};
use crate::tafl::{Fairy, Rules, Spec, Tafl};
use crate::thud::{CaptureRule, Thud};

/// The variant that an engine starts with.
pub const DEFAULT: &str = "thud";

/// A game by name.
struct Variant {
    name: &'static str,
    rules: Family,
}

enum Family {
    Thud(CaptureRule),
    Tafl(fn() -> Spec),
}

static VARIANTS: [Variant; 5] = [
    Variant {
        name: "thud",
        rules: Family::Thud(CaptureRule::One),
    },
    Variant {
        name: "thud-rulebook",
        rules: Family::Thud(CaptureRule::AnySubset),
    },
    Variant {
        name: "tawlbwrdd",
        rules: Family::Tafl(|| {
            tawlbwrdd("3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3")
        }),
    },
    Variant {
        name: "tawlbwrdd-bell",
        rules: Family::Tafl(|| {
            tawlbwrdd("4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4")
        }),
    },
    Variant {
        name: "hnefatafl7",
        rules: Family::Tafl(hnefatafl7),
    },
];

fn tawlbwrdd(start: &str) -> Spec {
    let mut spec = Spec::of_size(11, start.into());
    spec.goal = Goal::Edge;
    spec.zones[CORNER].squares.clear();
    let centre = &mut spec.zones[CENTRE];
    centre.stop = Letters::NONE;
    centre.hostile = Letters::NONE;
    centre.hostile_empty = Letters::ALL;
    spec.surround = Surround::NearCentre;
    spec.stuck = Stuck::Draws;
    spec.limits.repetition = 2;
    spec.encirclement = false;
    spec.ends = Ends::House;
    spec
}

fn hnefatafl7() -> Spec {
    let mut spec = Spec::of_size(7, "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3".into());
    let centre = &mut spec.zones[CENTRE];
    centre.pass = Letters::KING;
    centre.hostile = Letters::NONE;
    centre.hostile_empty = Letters::ALL;
    spec.surround = Surround::OnCentre;
    spec.encirclement = false;
    spec.ends = Ends::House;
    spec
}

/// The names of all variants.
pub fn names() -> impl Iterator<Item = &'static str> {
    VARIANTS.iter().map(|variant| variant.name)
}

/// The name as the engine writes it, whatever the case it is asked for in.
///
/// # Errors
/// Names what is known.
pub fn find(name: &str) -> Result<&'static str, String> {
    names()
        .find(|known| known.eq_ignore_ascii_case(name))
        .ok_or_else(|| {
            let known: Vec<&str> = names().collect();
            format!(
                "unknown variant '{name}', one of {} expected",
                known.join(" ")
            )
        })
}

/// Something to be done with the game of a variant, whatever its type.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<G: Evaluate>(self, game: G) -> Self::Output;
}

/// Calls the visitor with the game of this name.
///
/// # Errors
/// If there is no such variant.
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, String> {
    let name = find(name)?;
    let variant = VARIANTS
        .iter()
        .find(|variant| variant.name == name)
        .ok_or("no such variant")?;
    match &variant.rules {
        Family::Thud(rule) => Ok(visitor.visit(Thud::new(*rule))),
        Family::Tafl(spec) => visit_spec(&spec(), visitor),
    }
}

struct Open(Config);

impl Visitor for Open {
    type Output = Result<Box<dyn Session>, String>;
    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        Ok(Box::new(GameSession::new(game, self.0)?))
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
    // Plain games on the boards of the first three have code of their own, for speed.
    let plain = |size: u8| {
        spec.size == size
            && match size {
                7 => Rules::<Grid7, true>::new(spec.clone()).is_plain(),
                _ => Rules::<Grid11, true>::new(spec.clone()).is_plain(),
            }
    };
    let fairy = Fairy::<Grid7>::is_needed(&spec);
    Ok(match spec.size {
        7 if fairy => visitor.visit(Fairy::<Grid7>::new(spec)),
        9 if fairy => visitor.visit(Fairy::<Grid9>::new(spec)),
        11 if fairy => visitor.visit(Fairy::<Grid11>::new(spec)),
        13 if fairy => visitor.visit(Fairy::<Grid13>::new(spec)),
        15 if fairy => visitor.visit(Fairy::<Grid15>::new(spec)),
        19 if fairy => visitor.visit(Fairy::<Grid19>::new(spec)),
        7 if plain(7) => visitor.visit(Tafl::<Grid7, false>::new(spec)),
        11 if plain(11) => visitor.visit(Tafl::<Grid11, false>::new(spec)),
        7 => visitor.visit(Tafl::<Grid7, true>::new(spec)),
        9 => visitor.visit(Tafl::<Grid9, true>::new(spec)),
        11 => visitor.visit(Tafl::<Grid11, true>::new(spec)),
        13 => visitor.visit(Tafl::<Grid13, true>::new(spec)),
        15 => visitor.visit(Tafl::<Grid15, true>::new(spec)),
        19 => visitor.visit(Tafl::<Grid19, true>::new(spec)),
        size => return Err(format!("no board of size {size}")),
    })
}

/// Opens a session of a variant at its start position.
///
/// # Errors
/// If there is no such variant, or the threads can not be had.
pub fn open(name: &str, config: Config) -> Result<Box<dyn Session>, String> {
    visit(name, Open(config))?
}
