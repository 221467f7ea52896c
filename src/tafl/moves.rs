//! Listing, counting and checking tafl moves, set by set.
//!
//! All pieces of a kind slide together: `t = step(t) & free`, and every member of step k is a move of k squares.

use super::position::Position;
use super::rules::{KING, MAN, Rules};
use crate::bits::Bits;
use crate::game::{Move, Side};
use crate::grid::{Direction, Grid};

impl<G: Grid> Rules<G> {
    /// The pieces of the side to move by their rights: men, king.
    #[inline(always)]
    fn movers(position: &Position<G::Bits>) -> [G::Bits; 2] {
        [
            position.men_of(position.side),
            position.king_of(position.side),
        ]
    }

    /// Whether the board has decided the game, so that nobody moves.
    #[inline(always)]
    pub(super) fn is_decided(&self, position: &Position<G::Bits>) -> bool {
        position.king.is_empty() || position.king.meets(self.goal)
    }

    /// The number of legal moves. Inlined so that a position just made is counted from registers: read back from memory in
    /// other widths than it was written in, it waits for the writes. Counting on 7×7 is twice as fast for it.
    #[inline(always)]
    pub(super) fn count(&self, position: &Position<G::Bits>) -> u64 {
        if self.is_decided(position) {
            return 0;
        }
        let empty = !position.occupied();
        let count = |kind: usize, pieces| {
            let stop = self.stop[kind] & empty;
            let reached = G::slides(pieces, self.pass[kind] & empty);
            reached.map(|set| (set & stop).count()).iter().sum::<u32>()
        };
        let [men, king] = Self::movers(position);
        let moves = match position.side {
            Side::First => count(MAN, men),
            Side::Second => count(MAN, men) + count(KING, king),
        };
        u64::from(moves)
    }

    /// Appends every legal move.
    #[inline]
    pub(super) fn generate(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        self.generate_to(position, G::BOARD, list);
    }

    /// Appends the legal moves that capture something.
    #[inline]
    pub(super) fn generate_captures(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        let sites = self.capture_sites(position);
        if sites.any() {
            self.generate_to(position, sites, list);
        }
    }

    /// Appends the legal moves that capture nothing.
    #[inline]
    pub(super) fn generate_quiets(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        self.generate_to(position, !self.capture_sites(position), list);
    }

    /// Appends the legal moves that end in `wanted`.
    #[inline(always)]
    pub(super) fn generate_to(
        &self,
        position: &Position<G::Bits>,
        wanted: G::Bits,
        list: &mut Vec<Move>,
    ) {
        if self.is_decided(position) {
            return;
        }
        let empty = !position.occupied();
        for (kind, pieces) in Self::movers(position).into_iter().enumerate() {
            if kind == KING && position.side == Side::First {
                continue;
            }
            let reached = G::slides(pieces, self.pass[kind] & empty);
            let stop = self.stop[kind] & empty & wanted;
            for (direction, set) in reached.into_iter().enumerate() {
                list.extend(
                    (set & stop)
                        .iter()
                        .map(|to| Move::new(G::origin(pieces, to, direction), to, 0)),
                );
            }
        }
    }

    /// Whether the move is legal; any move whatever may be asked about.
    pub(super) fn is_legal(&self, position: &Position<G::Bits>, mv: Move) -> bool {
        let on_board = |square: u16| u32::from(square) < G::Bits::WIDTH && G::BOARD.has(square);
        if mv.mask() != 0 || !on_board(mv.from()) || !on_board(mv.to()) || self.is_decided(position)
        {
            return false;
        }
        let Some(kind) = Self::movers(position)
            .into_iter()
            .position(|pieces| pieces.has(mv.from()))
        else {
            return false;
        };
        let files = G::file(mv.to()) as i8 - G::file(mv.from()) as i8;
        let ranks = G::rank(mv.to()) as i8 - G::rank(mv.from()) as i8;
        if (files == 0) == (ranks == 0) {
            return false;
        }
        let direction = Direction::new(files.signum(), ranks.signum());
        let free = self.pass[kind] & !position.occupied();
        let mut square = mv.from();
        while square != mv.to() {
            square = (i32::from(square) + G::delta(direction)) as u16;
            if !free.has(square) {
                return false;
            }
        }
        self.stop[kind].has(mv.to())
    }
}

// The two kinds of rights index the arrays that `movers` gives.
const _: () = assert!(MAN == 0 && KING == 1);
