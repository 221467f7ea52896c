//! Playing a written game again with the engine's library: the referee of every conversion and check.

use crate::referee::Step;
use crate::variant::Variant;
use huscarl::game::{Game, Limits, Outcome, Reason, Side};
use huscarl::grid::Grid;
use huscarl::record::Record;
use huscarl::variants::Visitor;
use std::sync::Arc;

/// What is known of a variant before a move is played.
#[derive(Clone, Debug)]
pub struct Facts {
    /// What the sides are called, player 1 first, in the plural.
    pub sides: [&'static str; 2],
    /// Their letters in a position text.
    pub letters: [char; 2],
    /// The position text of the start.
    pub start: String,
    /// Files and ranks of the board.
    pub size: u8,
}

/// Looks a variant up.
///
/// # Errors
/// If there is no board of its size.
pub fn facts(variant: &Variant) -> Result<Facts, String> {
    struct Ask;
    impl Visitor for Ask {
        type Output = Facts;
        fn visit<G: huscarl::eval::Evaluate>(self, game: G) -> Facts {
            let letters = game.side_letters();
            let first = letters[game.first().index()];
            Facts {
                sides: game.side_names(),
                letters,
                start: format!("{} {first} 0 1", game.start_rows()),
                size: G::Grid::SIDE,
            }
        }
    }
    variant.visit(Ask)
}

/// The conditions of a game.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// What is played.
    pub variant: Variant,
    /// A position text, or the start of the variant.
    pub start: Option<String>,
    /// Occurrences that end the game, or the variant's own limit; 0 is off.
    pub repetition: Option<u32>,
    /// Plies without a capture that end the game, or the variant's own limit; 0 is off.
    pub quiet: Option<u32>,
}

impl Conditions {
    /// A game of a variant from its start, under its own limits.
    pub fn of(variant: Variant) -> Self {
        Conditions {
            variant,
            start: None,
            repetition: None,
            quiet: None,
        }
    }
}

/// Where a list of moves broke a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Number of the ply, from 1.
    pub ply: usize,
    /// The move as written.
    pub mv: String,
    /// What is wrong with it.
    pub why: String,
}

/// A game played again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The position text before the first move.
    pub start: String,
    /// The moves that could be played.
    pub steps: Vec<Step>,
    /// The move that could not be played, if there is one; the moves after it were not looked at.
    pub broken: Option<Broken>,
    /// What ended the game, and after how many plies.
    pub over: Option<(usize, Outcome)>,
    /// What would have come of it, had it been ended by agreement where it stands.
    pub as_it_stands: Outcome,
    /// Whose turn it is at the end.
    pub side: Side,
    /// The position text at the end.
    pub end: String,
}

/// Plays moves from a position up to the first that is illegal.
///
/// # Errors
/// If the position can not be read, or there is no board of its size.
pub fn replay<'a>(
    conditions: &Conditions,
    moves: impl Iterator<Item = &'a str>,
) -> Result<Replay, String> {
    struct Play<'c, I>(&'c Conditions, I);
    impl<'a, I: Iterator<Item = &'a str>> Visitor for Play<'_, I> {
        type Output = Result<Replay, String>;
        fn visit<G: huscarl::eval::Evaluate>(self, game: G) -> Self::Output {
            play(game, self.0, self.1)
        }
    }
    conditions.variant.visit(Play(conditions, moves))?
}

fn play<'a, G: Game>(
    game: G,
    conditions: &Conditions,
    moves: impl Iterator<Item = &'a str>,
) -> Result<Replay, String> {
    let game = Arc::new(game);
    let own = game.limits();
    let limits = Limits {
        repetition: conditions.repetition.unwrap_or(own.repetition),
        quiet: conditions.quiet.unwrap_or(own.quiet),
    };
    let mut record = match &conditions.start {
        Some(text) => Record::parse(Arc::clone(&game), text, limits)
            .map_err(|why| format!("the position can not be read: {why}"))?,
        None => Record::start(Arc::clone(&game), limits)?,
    };
    let start = record.text();
    let mut steps = Vec::new();
    let mut broken = None;
    let mut over = record.outcome().map(|outcome| (0, outcome));
    for text in moves {
        let position = *record.position();
        let found = match record.board_outcome() {
            Some(outcome) => Err(format!("the game is over ({})", outcome.reason)),
            None => game.parse_move(&position, text),
        };
        match found {
            Ok(mv) => {
                steps.push(Step::of(&*game, &position, mv));
                record.play(mv);
            }
            Err(why) => {
                broken = Some(Broken {
                    ply: steps.len() + 1,
                    mv: text.to_string(),
                    why,
                });
                break;
            }
        }
        if over.is_none() {
            over = record.outcome().map(|outcome| (steps.len(), outcome));
        }
    }
    Ok(Replay {
        start,
        steps,
        broken,
        over,
        as_it_stands: game.called_off(record.position(), Reason::Agreed),
        side: record.side(),
        end: record.text(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_tell_what_was_captured() {
        let conditions = Conditions {
            start: Some("7/1K5/7/7/3T3/1tT1Tt1/3t3 a 0 1".into()),
            ..Conditions::of("hnefatafl7".parse().unwrap())
        };
        let replay = replay(&conditions, ["D1D2xE2xC2xD3"].into_iter()).expect("reads");
        let step = &replay.steps[0];
        assert_eq!((step.text.as_str(), step.piece), ("d1d2", 't'));
        let captured: Vec<&str> = step.captured.iter().map(|(s, _)| s.as_str()).collect();
        assert_eq!(captured, ["c2", "d3", "e2"]);
        assert_eq!(replay.broken, None);
        assert!(replay.over.is_none());
    }

    #[test]
    fn the_first_illegal_move_ends_it() {
        let conditions = Conditions::of("hnefatafl7".parse().unwrap());
        let replay = replay(&conditions, ["d1c1", "d3d2", "c1d1"].into_iter()).expect("reads");
        assert_eq!(replay.steps.len(), 1);
        let broken = replay.broken.expect("illegal");
        assert_eq!((broken.ply, broken.mv.as_str()), (2, "d3d2"));
        assert_eq!(replay.side, Side::Second);
    }

    #[test]
    fn every_variant_has_facts() {
        for name in huscarl::variants::names() {
            let facts = facts(&name.parse().unwrap()).expect("known");
            let first = if name == "berserk" { " d 0 1" } else { " 0 1" };
            assert!(facts.start.ends_with(first), "{name}: {}", facts.start);
        }
    }
}
