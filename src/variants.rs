//! Which games there are: names, and what opens a session for each.

use crate::eval::Evaluate;
use crate::game::Limits;
use crate::grid::{Grid7, Grid11};
use crate::session::{Config, GameSession, Session};
use crate::tafl::{Centre, Goal, Spec, Stuck, Surround, Tafl};
use crate::thud::{CaptureRule, Thud};

/// The variant that an engine starts with.
pub const DEFAULT: &str = "thud";

/// A game by name.
struct Variant {
    name: &'static str,
    rules: Rules,
}

enum Rules {
    Thud(CaptureRule),
    Tafl(Spec),
}

const TAWLBWRDD: Spec = Spec {
    size: 11,
    start: "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3",
    goal: Goal::Edge,
    centre: Centre::Castle,
    surround: Surround::NearCentre,
    stuck: Stuck::Draws,
    limits: Limits {
        repetition: 2,
        quiet: 0,
    },
};

static VARIANTS: [Variant; 5] = [
    Variant {
        name: "thud",
        rules: Rules::Thud(CaptureRule::One),
    },
    Variant {
        name: "thud-rulebook",
        rules: Rules::Thud(CaptureRule::AnySubset),
    },
    Variant {
        name: "tawlbwrdd",
        rules: Rules::Tafl(TAWLBWRDD),
    },
    Variant {
        name: "tawlbwrdd-bell",
        rules: Rules::Tafl(Spec {
            start: "4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4",
            ..TAWLBWRDD
        }),
    },
    Variant {
        name: "hnefatafl7",
        rules: Rules::Tafl(Spec {
            size: 7,
            start: "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3",
            goal: Goal::Corners,
            centre: Centre::Throne,
            surround: Surround::OnCentre,
            stuck: Stuck::Loses,
            limits: Limits {
                repetition: 3,
                quiet: 0,
            },
        }),
    },
];

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
    Ok(match &variant.rules {
        Rules::Thud(rule) => visitor.visit(Thud::new(*rule)),
        Rules::Tafl(spec) => match spec.size {
            7 => visitor.visit(Tafl::<Grid7>::new(spec.clone())),
            11 => visitor.visit(Tafl::<Grid11>::new(spec.clone())),
            size => return Err(format!("no board of size {size}")),
        },
    })
}

/// Opens a session of the game that `spec` describes, at its start position.
///
/// # Errors
/// If the start can not be read, there is no board of this size, or the threads can not be had.
pub fn open_spec(
    spec: &crate::tafl::spec::Spec,
    config: Config,
) -> Result<Box<dyn Session>, String> {
    use crate::tafl::spec;
    let man = spec::kind_of(crate::game::Side::First, spec::MAN);
    let old = Spec {
        size: spec.size,
        start: spec.start.clone().leak(),
        goal: match spec.goal {
            spec::Goal::Edge => Goal::Edge,
            spec::Goal::Corners => Goal::Corners,
        },
        centre: if spec.zones[spec::CENTRE].pass.has(man) {
            Centre::Castle
        } else {
            Centre::Throne
        },
        surround: Surround::OnCentre,
        stuck: Stuck::Loses,
        limits: spec.limits,
    };
    Ok(match spec.size {
        7 => Box::new(GameSession::new(Tafl::<Grid7>::new(old), config)?),
        11 => Box::new(GameSession::new(Tafl::<Grid11>::new(old), config)?),
        size => return Err(format!("no board of size {size}")),
    })
}

/// Opens a session of a variant at its start position.
///
/// # Errors
/// If there is no such variant, or the threads can not be had.
pub fn open(name: &str, config: Config) -> Result<Box<dyn Session>, String> {
    struct Open(Config);
    impl Visitor for Open {
        type Output = Result<Box<dyn Session>, String>;
        fn visit<G: Evaluate>(self, game: G) -> Self::Output {
            Ok(Box::new(GameSession::new(game, self.0)?))
        }
    }
    visit(name, Open(config))?
}
