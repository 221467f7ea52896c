//! Listing, counting and checking tafl moves, set by set.
//!
//! All pieces of a kind slide together: `t = step(t) & free`, and every member of step k is a move of k squares.

use super::position::Position;
use super::rules::{KING_INDEX, PLAIN_KINDS, Rules};
use crate::bits::Bits;
use crate::game::{Move, Side};
use crate::grid::{Direction, Grid};

impl<G: Grid, const FULL: bool> Rules<G, FULL> {
    /// The pieces of the side to move with the index of their rights: men, king.
    #[inline(always)]
    fn movers(position: &Position<G::Bits>) -> [(usize, G::Bits); 2] {
        [
            (position.side.index(), position.men_of(position.side)),
            (KING_INDEX, position.king_of(position.side)),
        ]
    }

    /// Whether the board has decided the game, so that nobody moves.
    #[inline(always)]
    pub(super) fn is_decided(&self, position: &Position<G::Bits>) -> bool {
        position.king.is_empty()
            || position.king.meets(self.goal)
            || self.judged() && position.end.is_some()
    }

    /// The number of legal moves. Inlined so that a position just made is counted from registers: read back from memory in
    /// other widths than it was written in, it waits for the writes. Counting on 7×7 is twice as fast for it.
    #[inline(always)]
    pub(super) fn count(&self, position: &Position<G::Bits>) -> u64 {
        if self.is_decided(position) {
            return 0;
        }
        if self.odd_moves() {
            return self.count_one_by_one(position);
        }
        let empty = !position.occupied();
        let count = |kind: usize, pieces| {
            let stop = self.stop[kind] & empty;
            let reached = G::slides(pieces, self.pass[kind] & empty);
            reached.map(|set| (set & stop).count()).iter().sum::<u32>()
        };
        let [(men_index, men), (king_index, king)] = Self::movers(position);
        let moves = match position.side {
            Side::First => count(men_index, men),
            Side::Second => count(men_index, men) + count(king_index, king),
        };
        u64::from(moves)
    }

    #[cold]
    fn count_one_by_one(&self, position: &Position<G::Bits>) -> u64 {
        let mut list = Vec::new();
        self.generate_one_by_one(position, [G::BOARD; 2], &mut list);
        list.len() as u64
    }

    /// Appends every legal move.
    #[inline]
    pub(super) fn generate(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        self.generate_to(position, G::BOARD, list);
    }

    /// Appends the legal moves that capture something.
    #[inline]
    pub(super) fn generate_captures(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        if self.more_captures() && self.may_take_otherwise(position) {
            self.generate_if(position, list, true);
            return;
        }
        let sites = self.capture_sites(position);
        if sites.any() {
            self.generate_by(position, [sites, self.sites_of_king(sites)], list);
        }
    }

    /// Appends the legal moves that capture nothing.
    #[inline]
    pub(super) fn generate_quiets(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        if self.more_captures() && self.may_take_otherwise(position) {
            self.generate_if(position, list, false);
            return;
        }
        let sites = self.capture_sites(position);
        self.generate_by(position, [!sites, !self.sites_of_king(sites)], list);
    }

    /// Where the king captures of the squares where a man does.
    #[inline(always)]
    fn sites_of_king(&self, sites: G::Bits) -> G::Bits {
        if self.king_hammer() {
            sites
        } else {
            G::Bits::EMPTY
        }
    }

    /// Appends the legal moves that capture something, or those that do not, asking each.
    #[cold]
    fn generate_if(&self, position: &Position<G::Bits>, list: &mut Vec<Move>, captures: bool) {
        let start = list.len();
        self.generate(position, list);
        let mut kept = start;
        for index in start..list.len() {
            if self.captured(position, list[index]).any() == captures {
                list[kept] = list[index];
                kept += 1;
            }
        }
        list.truncate(kept);
    }

    /// Appends the legal moves that end in `wanted`.
    #[inline(always)]
    pub(super) fn generate_to(
        &self,
        position: &Position<G::Bits>,
        wanted: G::Bits,
        list: &mut Vec<Move>,
    ) {
        self.generate_by(position, [wanted; 2], list);
    }

    /// Appends the legal moves of men that end in the first, and those of the king that end in the second of the sets.
    #[inline(always)]
    fn generate_by(
        &self,
        position: &Position<G::Bits>,
        wanted: [G::Bits; 2],
        list: &mut Vec<Move>,
    ) {
        if self.is_decided(position) {
            return;
        }
        if self.odd_moves() {
            return self.generate_one_by_one(position, wanted, list);
        }
        let empty = !position.occupied();
        for ((kind, pieces), wanted) in Self::movers(position).into_iter().zip(wanted) {
            if kind == KING_INDEX && position.side == Side::First {
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

    /// As [`Rules::generate_by`], for games whose pieces of a kind have not all the same rights.
    #[cold]
    fn generate_one_by_one(
        &self,
        position: &Position<G::Bits>,
        wanted: [G::Bits; 2],
        list: &mut Vec<Move>,
    ) {
        let occupied = position.occupied();
        for ((index, pieces), wanted) in Self::movers(position).into_iter().zip(wanted) {
            for from in pieces.iter() {
                let reached = self.slides_from(PLAIN_KINDS[index], from, occupied) & wanted;
                list.extend(reached.iter().map(|to| Move::new(from, to, 0)));
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
        let Some((kind, _)) = Self::movers(position)
            .into_iter()
            .find(|(_, pieces)| pieces.has(mv.from()))
        else {
            return false;
        };
        if self.odd_moves() {
            return self
                .slides_from(PLAIN_KINDS[kind], mv.from(), position.occupied())
                .has(mv.to());
        }
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
