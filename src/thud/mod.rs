//! Thud, with both readings of what a troll may capture: [`Thud`] implements [`Game`] for them.
//!
//! `position` owns the pieces, the shape of the board, and what a move does; `sets` the set-wise questions (lines,
//! hurls, shoves, reach) and `planes` numbers on all squares at once, from which `moves` lists and `count` with
//! `count_trolls` counts; `legal` looks at one move alone.
//!
//! A move's mask names the captures of a troll: bit `i` is the neighbour of `to` in [`Direction::ALL`]`[i]`. Dwarfs
//! have no choice of captures, so their mask is 0.
//!
//! [`Direction::ALL`]: crate::grid::Direction::ALL

mod count;
mod count_trolls;
mod legal;
mod moves;
mod planes;
mod position;
mod sets;
#[cfg(test)]
mod tests;

pub use position::{PLAYING, Position};
pub use sets::{around, longer};

use crate::bits::{Bits, Wide};
use crate::game::{Game, Limits, Move, Moves, Outcome, Reason, Side};
use crate::grid::Grid15;

/// What a troll may capture after a move that is not a shove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureRule {
    /// None or one of the dwarfs next to it: `thud`.
    One,
    /// Any of the dwarfs next to it: `thud-rulebook`.
    AnySubset,
}

/// The rules of Thud.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thud {
    rule: CaptureRule,
}

impl Thud {
    /// Points for a dwarf and for a troll that is left at the end.
    pub const WORTH: [u32; 2] = [1, 4];

    /// Thud with this capture rule.
    pub const fn new(rule: CaptureRule) -> Self {
        Thud { rule }
    }

    /// The capture rule.
    pub const fn rule(&self) -> CaptureRule {
        self.rule
    }

    /// Both sides' points if the battle ended here.
    pub fn points(position: &Position) -> [u32; 2] {
        Side::BOTH.map(|side| position.men(side).count() * Thud::WORTH[side.index()])
    }
}

impl Game for Thud {
    type Grid = Grid15;
    type Position = Position;
    type Sight = ();

    fn start_rows(&self) -> &str {
        "*****dd1dd*****/****d5d****/***d7d***/**d9d**/*d11d*/d13d/d5TTT5d/6T*T6/d5TTT5d/d13d/\
         *d11d*/**d9d**/***d7d***/****d5d****/*****dd1dd*****"
    }

    fn side_letters(&self) -> [char; 2] {
        ['d', 't']
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["dwarfs", "trolls"]
    }

    fn limits(&self) -> Limits {
        Limits {
            repetition: 0,
            quiet: 200,
        }
    }

    fn parse(&self, rows: &str, side: Side) -> Result<Position, String> {
        Position::parse(rows, side)
    }

    fn piece(&self, position: &Position, square: u16) -> Option<char> {
        position.piece(square)
    }

    #[inline(always)]
    fn side(&self, position: &Position) -> Side {
        position.side()
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn computed_key(&self, position: &Position) -> u64 {
        position.computed_key()
    }

    fn decided(&self, _position: &Position) -> Option<Outcome> {
        None
    }

    fn stuck(&self, position: &Position) -> Outcome {
        self.called_off(position, Reason::NoMoves)
    }

    fn called_off(&self, position: &Position, reason: Reason) -> Outcome {
        Outcome::scored(Thud::points(position), reason)
    }

    #[inline(always)]
    fn pieces(&self, position: &Position, side: Side) -> Wide {
        position.men(side)
    }

    fn generate(&self, position: &Position, which: Moves, list: &mut Vec<Move>) {
        moves::generate(self.rule, position, which, list);
    }

    fn count(&self, position: &Position) -> u64 {
        count::count(self.rule, position)
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        legal::is_legal(self.rule, position, mv)
    }

    #[inline]
    fn make(&self, position: &Position, mv: Move) -> Position {
        position.make(mv)
    }

    #[inline]
    fn pass(&self, position: &Position) -> Position {
        position.pass()
    }

    fn sight(&self, _: &Self::Position) {}

    #[inline]
    fn captured(&self, position: &Position, mv: Move) -> Wide {
        position.captured(mv)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        (!position.can_move()).then(|| self.stuck(position))
    }
}
