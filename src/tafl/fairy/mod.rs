//! Games of the family with more than men and one king: commanders, knights, mercenaries and guards, jumps, several
//! kings, and turns in which a piece that captured moves on.
//!
//! Pieces are moved one by one here, which costs speed; games with men and one king only are `Tafl`.

mod captures;
mod moves;
mod position;

pub use position::Position;

use super::Rules;
use super::spec::{Berserk, Ends, Jump, KING, LETTERS, Spec, kind_of};
use crate::bits::Bits;
use crate::game::{Game, Limits, Move, Moves, Outcome, Reason, SetOf, Side};
use crate::grid::{self, Grid};

/// A tafl game with any pieces on a board `G`.
#[derive(Clone, Debug)]
pub struct Fairy<G: Grid> {
    /// The rules as sets of squares.
    pub rules: Rules<G, true>,
    /// Whether a side began the game with a commander or a knight, which makes kings harder to take.
    has_officers: [bool; 2],
}

impl<G: Grid> Fairy<G> {
    /// Whether a game needs this.
    pub fn is_needed(spec: &Spec) -> bool {
        let plain = ['t', 'T', 'K'];
        let other = |c: char| c.is_ascii_alphabetic() && !plain.contains(&c);
        spec.start.chars().any(other)
            || spec.start.matches('K').count() != 1
            || spec.jumps[KING] != Jump::Never
            || spec.berserk != Berserk::None
    }

    /// The game, whose size must be that of the grid.
    pub fn new(spec: Spec) -> Self {
        let has_officers = [['c', 'n'], ['C', 'N']].map(|letters| spec.start.contains(letters));
        Fairy {
            rules: Rules::new(spec),
            has_officers,
        }
    }

    /// The position as far as a game of men and one king can say it, for the evaluation.
    pub fn plain(&self, position: &Position<G::Bits>) -> super::Position<G::Bits> {
        let kings = position.kings();
        let king = kings.iter().next().map_or(G::Bits::EMPTY, G::Bits::bit);
        let men = Side::BOTH.map(|side| position.all_of(side) & !king);
        super::Position::new(men, king, position.side)
    }
}

impl<G: Grid> Game for Fairy<G> {
    type Grid = G;
    type Position = Position<G::Bits>;
    type Sight = ();

    const ALTERNATES: bool = false;

    fn start_rows(&self) -> &str {
        &self.rules.spec.start
    }

    fn first(&self) -> Side {
        self.rules.spec.first
    }

    fn side_letters(&self) -> [char; 2] {
        super::SIDE_LETTERS
    }

    fn side_names(&self) -> [&'static str; 2] {
        super::SIDE_NAMES
    }

    fn limits(&self) -> Limits {
        self.rules.spec.limits
    }

    fn parse(&self, rows: &str, side: Side) -> Result<Self::Position, String> {
        let sets = grid::parse_rows::<G>(rows, &LETTERS)?;
        let mut kinds = [G::Bits::EMPTY; LETTERS.len()];
        kinds.copy_from_slice(&sets);
        if self.rules.spec.ends == Ends::House {
            for (kind, set) in kinds.into_iter().enumerate() {
                let misplaced = set & !self.rules.rights[kind].stop[0];
                // A king may stand where he has begun.
                if misplaced.any() && kind % 6 != KING {
                    let square = misplaced.first();
                    return Err(format!(
                        "row {}: {} on {}, where it may not stand",
                        G::rank(square) + 1,
                        LETTERS[kind],
                        G::name(square)
                    ));
                }
            }
        }
        let mut position = Position::new(kinds, side);
        // The host looks for the other ends only after a move, whatever position it is given.
        position.end = match self.rules.spec.ends {
            Ends::House => self.judged(&position),
            Ends::Host => self.end_of_kings(&position),
        };
        Ok(position)
    }

    fn piece(&self, position: &Self::Position, square: u16) -> Option<char> {
        position.kind_at(square).map(|kind| LETTERS[kind])
    }

    fn special(&self, square: u16) -> Option<(char, &'static str)> {
        self.rules.special(square)
    }

    fn side(&self, position: &Self::Position) -> Side {
        position.side
    }

    fn running(&self, position: &Self::Position) -> Option<u16> {
        position.running
    }

    fn with_running(
        &self,
        position: &Self::Position,
        square: u16,
    ) -> Result<Self::Position, String> {
        if self.rules.spec.berserk == Berserk::None {
            return Err("a turn has one move in this game".into());
        }
        if !position.all_of(position.side).has(square) {
            return Err(format!(
                "no piece of the side to move on {}",
                G::name(square)
            ));
        }
        Ok(position.with_running(Some(square)))
    }

    fn key(&self, position: &Self::Position) -> u64 {
        position.key
    }

    fn is_same(&self, one: &Self::Position, other: &Self::Position) -> bool {
        one.side == other.side
            && if self.rules.spec.ends == Ends::Host {
                one.as_men() == other.as_men()
            } else {
                one.kinds == other.kinds
            }
    }

    fn computed_key(&self, position: &Self::Position) -> u64 {
        position.computed_key()
    }

    fn decided(&self, position: &Self::Position) -> Option<Outcome> {
        let (winner, reason) = position.end?;
        Some(Outcome::plain(Some(winner), reason))
    }

    fn stuck(&self, position: &Self::Position) -> Outcome {
        let winner = self.rules.winner_over_stuck(position.side);
        Outcome::plain(winner, Reason::NoMoves)
    }

    fn called_off(&self, position: &Self::Position, reason: Reason) -> Outcome {
        self.rules.called_off(position.side, reason)
    }

    fn pieces(&self, position: &Self::Position, side: Side) -> SetOf<Self> {
        position.all_of(side)
    }

    fn generate(&self, position: &Self::Position, which: Moves, list: &mut Vec<Move>) {
        let start = list.len();
        if which == Moves::Lesser {
            return;
        }
        self.list(position, list);
        if which == Moves::All {
            return;
        }
        let mut kept = start;
        for index in start..list.len() {
            if self.is_capture(position, list[index]) == (which == Moves::Captures) {
                list[kept] = list[index];
                kept += 1;
            }
        }
        list.truncate(kept);
    }

    fn count(&self, position: &Self::Position) -> u64 {
        let mut list = Vec::new();
        self.list(position, &mut list);
        list.len() as u64
    }

    fn is_legal(&self, position: &Self::Position, mv: Move) -> bool {
        let on_board = |square: u16| u32::from(square) < G::Bits::WIDTH && G::BOARD.has(square);
        mv.mask() == 0
            && position.end.is_none()
            && on_board(mv.from())
            && on_board(mv.to())
            && position.running.is_none_or(|square| square == mv.from())
            && position.kind_at(mv.from()).is_some_and(|kind| {
                position.all_of(position.side).has(mv.from())
                    && self.destinations(position, kind, mv.from()).has(mv.to())
            })
    }

    fn make(&self, position: &Self::Position, mv: Move) -> Self::Position {
        self.make_move(position, mv)
    }

    fn pass(&self, position: &Self::Position) -> Self::Position {
        let mut passed = position.with_running(None);
        passed.turn();
        passed
    }

    fn captured(&self, position: &Self::Position, mv: Move) -> SetOf<Self> {
        self.capture(position, mv).captured
    }

    fn winning_move(&self, position: &Self::Position) -> Option<Move> {
        if position.side == Side::First || position.end.is_some() {
            return None;
        }
        position.kings().iter().find_map(|from| {
            let movable = position.running.is_none_or(|square| square == from);
            let home =
                self.destinations(position, kind_of(Side::Second, KING), from) & self.rules.goal;
            (movable && home.any()).then(|| Move::new(from, home.first(), 0))
        })
    }

    fn sight(&self, _: &Self::Position) {}

    fn in_danger(&self, position: &Self::Position, (): &()) -> bool {
        position.side == Side::First && self.winning_move(&self.pass(position)).is_some()
    }
}
