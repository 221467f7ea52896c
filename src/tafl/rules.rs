//! The rules of a tafl game as data: [`Spec`] as people state them, [`Rules`] as sets of squares.
//!
//! A variant is a `Spec`; the move code reads only `Rules`, so that a question such as "may a man stop here" is one
//! mask whatever the game.

use crate::bits::Bits;
use crate::game::{Limits, Side};
use crate::grid::Grid;

/// Where the king wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any square at the edge.
    Edge,
    /// The four corners, which only he may enter and which are hostile to all.
    Corners,
}

/// What the centre square is while it stands empty. It is always hostile to men of both sides then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Centre {
    /// A castle: everyone slides across it, nobody stops on it again.
    Castle,
    /// A throne: only the king passes over it or returns to it, and it is hostile to him beside it.
    Throne,
}

/// On which squares attackers on all four sides are needed to take the king; elsewhere two suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surround {
    /// On the centre.
    OnCentre,
    /// On the centre, and next to it, where the empty centre stands in for the fourth attacker.
    NearCentre,
}

/// What becomes of a side that has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// It loses.
    Loses,
    /// The game is drawn.
    Draws,
}

/// A tafl game as a table entry.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Number of files and ranks.
    pub size: u8,
    /// `ROWS` of the start position, attackers to move.
    pub start: &'static str,
    /// Where the king wins.
    pub goal: Goal,
    /// What the empty centre is.
    pub centre: Centre,
    /// Where the king is strong.
    pub surround: Surround,
    /// What becomes of a side without a move.
    pub stuck: Stuck,
    /// Limits in force by default.
    pub limits: Limits,
}

/// Kinds of piece by their rights to move: index of `pass` and `stop`.
pub(super) const MAN: usize = 0;
pub(super) const KING: usize = 1;

/// A [`Spec`] worked out for a board.
#[derive(Clone, Debug)]
pub struct Rules<G: Grid> {
    /// What it was worked out from.
    pub spec: Spec,
    /// The centre square.
    pub centre: G::Bits,
    /// Squares on which the king wins.
    pub goal: G::Bits,
    /// Squares that a man, the king may slide over while they are empty.
    pub pass: [G::Bits; 2],
    /// Squares on which a man, the king may stop.
    pub stop: [G::Bits; 2],
    /// Squares that, while empty, stand in for an enemy of a side's men.
    pub hostile: [G::Bits; 2],
    /// Squares that, while empty, stand in for one of the two attackers who take the king.
    pub hostile_to_king: G::Bits,
    /// Squares on which the king is taken only from all four sides.
    pub strong: G::Bits,
    /// Squares that, while empty, stand in for one of the four.
    pub hostile_to_strong_king: G::Bits,
}

impl<G: Grid> Rules<G> {
    /// Works the masks out. `spec.size` must be the size of the grid.
    pub fn new(spec: Spec) -> Self {
        debug_assert_eq!(spec.size, G::SIDE);
        let (middle, last) = (G::SIDE / 2, G::SIDE - 1);
        let centre = G::Bits::bit(G::square(middle, middle));
        let corners = [(0, 0), (0, last), (last, 0), (last, last)]
            .into_iter()
            .fold(G::Bits::EMPTY, |set, (file, rank)| {
                set | G::Bits::bit(G::square(file, rank))
            });
        let edge = G::squares()
            .filter(|&square| {
                [G::file(square), G::rank(square)]
                    .into_iter()
                    .any(|n| n == 0 || n == last)
            })
            .fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square));
        let none = G::Bits::EMPTY;

        let (goal, barred) = match spec.goal {
            Goal::Edge => (edge, none),
            Goal::Corners => (corners, corners),
        };
        let throne = match spec.centre {
            Centre::Castle => none,
            Centre::Throne => centre,
        };
        let king_stop = match spec.centre {
            Centre::Castle => G::BOARD & !centre,
            Centre::Throne => G::BOARD,
        };
        let strong = match spec.surround {
            Surround::OnCentre => centre,
            Surround::NearCentre => centre | G::beside(centre),
        };
        Rules {
            centre,
            goal,
            pass: [G::BOARD & !barred & !throne, G::BOARD],
            stop: [G::BOARD & !barred & !centre, king_stop],
            hostile: [barred | centre; 2],
            hostile_to_king: barred | throne,
            strong,
            hostile_to_strong_king: centre,
            spec,
        }
    }

    /// The mark and the name of a square that means something while it is empty.
    pub(super) fn special(&self, square: u16) -> Option<(char, &'static str)> {
        if self.centre.has(square) {
            Some(match self.spec.centre {
                Centre::Castle => ('+', "castle"),
                Centre::Throne => ('+', "throne"),
            })
        } else {
            self.goal.has(square).then_some((':', "the king's goal"))
        }
    }

    /// The side that a stuck side to move loses to; `None` for a draw.
    pub(super) fn winner_over_stuck(&self, stuck: Side) -> Option<Side> {
        match self.spec.stuck {
            Stuck::Loses => Some(!stuck),
            Stuck::Draws => None,
        }
    }
}
