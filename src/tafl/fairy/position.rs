//! A position of twelve kinds of piece.

use crate::bits::Bits;
use crate::game::{Reason, Side};
use crate::tafl::spec::{KINDS_OF_SIDE, KING, LETTERS, MERCENARY, kind_of};
use crate::zobrist;

/// Pieces, side to move, the piece that must move on, and key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<B> {
    /// The pieces of each kind.
    pub kinds: [B; LETTERS.len()],
    /// Zobrist key.
    pub key: u64,
    /// Whose turn it is.
    pub side: Side,
    /// The square of the piece that moves on in this turn.
    pub(super) running: Option<u16>,
    /// Who has won and why.
    pub(super) end: Option<(Side, Reason)>,
}

impl<B: Bits> Position<B> {
    pub(super) fn new(kinds: [B; LETTERS.len()], side: Side) -> Self {
        let mut position = Position {
            kinds,
            key: 0,
            side,
            running: None,
            end: None,
        };
        position.key = position.computed_key();
        position
    }

    pub(super) fn computed_key(&self) -> u64 {
        let mut key = running_key(self.running);
        if self.side == Side::Second {
            key ^= zobrist::SIDE;
        }
        for (set, keys) in self.kinds.into_iter().zip(&zobrist::PIECES) {
            for square in set.iter() {
                key ^= keys[usize::from(square)];
            }
        }
        key
    }

    /// All pieces of a side.
    pub fn all_of(&self, side: Side) -> B {
        self.kinds[side.index() * KINDS_OF_SIDE..][..KINDS_OF_SIDE]
            .iter()
            .fold(B::EMPTY, |all, &set| all | set)
    }

    /// All pieces.
    pub fn occupied(&self) -> B {
        self.all_of(Side::First) | self.all_of(Side::Second)
    }

    /// The defenders' kings.
    pub fn kings(&self) -> B {
        self.kinds[kind_of(Side::Second, KING)]
    }

    /// The pieces with this number of either side.
    pub(super) fn both(&self, number: usize) -> B {
        self.kinds[number] | self.kinds[KINDS_OF_SIDE + number]
    }

    /// What stands on a square.
    pub fn kind_at(&self, square: u16) -> Option<usize> {
        self.kinds.iter().position(|set| set.has(square))
    }

    /// Puts a piece of a kind on a square, or takes it away.
    pub(super) fn toggle(&mut self, kind: usize, square: u16) {
        self.kinds[kind] ^= B::bit(square);
        self.key ^= zobrist::PIECES[kind][usize::from(square)];
    }

    /// Captures what stands on a square: a mercenary changes sides, anyone else is gone.
    pub(super) fn take(&mut self, square: u16) {
        if let Some(kind) = self.kind_at(square) {
            self.toggle(kind, square);
            if kind % KINDS_OF_SIDE == MERCENARY {
                self.toggle((kind + KINDS_OF_SIDE) % LETTERS.len(), square);
            }
        }
    }

    /// Gives the turn to the other side.
    pub(super) fn turn(&mut self) {
        self.side = !self.side;
        self.key ^= zobrist::SIDE;
    }

    /// The same with another piece that must move on.
    pub(super) fn with_running(&self, running: Option<u16>) -> Self {
        Position {
            running,
            key: self.key ^ running_key(self.running) ^ running_key(running),
            ..*self
        }
    }
}

/// What a turn that goes on adds to the key.
fn running_key(running: Option<u16>) -> u64 {
    running.map_or(0, |square| {
        zobrist::PIECES[0][usize::from(square)].rotate_left(32)
    })
}
