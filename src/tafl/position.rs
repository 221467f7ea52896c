//! A tafl position, the making of moves, and what a move captures.

use super::rules::Rules;
use crate::bits::Bits;
use crate::game::{Move, Reason, Side};
use crate::grid::{Direction, Grid};
use crate::zobrist;

/// Index of the king in [`zobrist::PIECES`]; men have that of their side.
const KING_KEYS: usize = 2;

/// Pieces, side to move and key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<B> {
    /// Attackers; defenders without the king.
    pub men: [B; 2],
    /// The king; empty once he is captured.
    pub king: B,
    /// Zobrist key.
    pub key: u64,
    /// Whose turn it is.
    pub side: Side,
    /// Who has won and why, in games that the board decides in more ways than by the king; see `Rules::judge`.
    pub(super) end: Option<(Side, Reason)>,
}

impl<B: Bits> Position<B> {
    pub(super) fn new(men: [B; 2], king: B, side: Side) -> Self {
        let mut position = Position {
            men,
            king,
            key: 0,
            side,
            end: None,
        };
        position.key = position.computed_key();
        position
    }

    pub(super) fn computed_key(&self) -> u64 {
        let pieces = [self.men[0], self.men[1], self.king];
        let mut key = match self.side {
            Side::First => 0,
            Side::Second => zobrist::SIDE,
        };
        for (set, keys) in pieces.into_iter().zip(&zobrist::PIECES) {
            key = set
                .iter()
                .fold(key, |key, square| key ^ keys[usize::from(square)]);
        }
        key
    }

    /// The same pieces with the other side to move.
    pub(super) fn pass(&self) -> Self {
        Position {
            key: self.key ^ zobrist::SIDE,
            side: !self.side,
            ..*self
        }
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> B {
        self.men[0] | self.men[1] | self.king
    }

    /// The men of a side.
    #[inline(always)]
    pub fn men_of(&self, side: Side) -> B {
        match side {
            Side::First => self.men[0],
            Side::Second => self.men[1],
        }
    }

    /// The king if he is of this side.
    #[inline(always)]
    pub fn king_of(&self, side: Side) -> B {
        match side {
            Side::First => B::EMPTY,
            Side::Second => self.king,
        }
    }

    /// All pieces of a side.
    #[inline(always)]
    pub(super) fn all_of(&self, side: Side) -> B {
        self.men_of(side) | self.king_of(side)
    }
}

impl<G: Grid, const FULL: bool> Rules<G, FULL> {
    /// The position after a legal move.
    #[inline(always)]
    pub(super) fn make(&self, position: &Position<G::Bits>, mv: Move) -> Position<G::Bits> {
        let (us, them) = (position.side, !position.side);
        let (from, to) = (G::Bits::bit(mv.from()), G::Bits::bit(mv.to()));
        let moved = from | to;
        let king_moves = position.king_of(us).meets(from);
        let (king_moved, keys) = if king_moves {
            (moved, &zobrist::PIECES[KING_KEYS])
        } else {
            (G::Bits::EMPTY, &zobrist::PIECES[us.index()])
        };
        let mut king = position.king ^ king_moved;
        let ours = position.men_of(us) ^ moved ^ king_moved;
        let mut key = position.key
            ^ keys[usize::from(mv.from())]
            ^ keys[usize::from(mv.to())]
            ^ zobrist::SIDE;
        let mut taken = self.taken_men(position, us, to, king_moves);
        if self.more_captures() {
            taken |= self.taken_otherwise(position, mv, taken);
        }
        for square in taken.iter() {
            key ^= zobrist::PIECES[them.index()][usize::from(square)];
        }
        let theirs = position.men_of(them) & !taken;
        if us == Side::First && self.takes_king(position, to) {
            key ^= zobrist::PIECES[KING_KEYS][usize::from(king.first())];
            king = G::Bits::EMPTY;
        }
        let mut child = Position {
            men: match us {
                Side::First => [ours, theirs],
                Side::Second => [theirs, ours],
            },
            king,
            key,
            side: them,
            end: None,
        };
        if self.judged() {
            child.end = self.judge(&child);
        }
        child
    }

    /// The squares whose pieces a legal move captures.
    #[inline]
    pub(super) fn captured(&self, position: &Position<G::Bits>, mv: Move) -> G::Bits {
        let to = G::Bits::bit(mv.to());
        let king_moves = position.king_of(position.side).has(mv.from());
        let mut men = self.taken_men(position, position.side, to, king_moves);
        if self.more_captures() {
            men |= self.taken_otherwise(position, mv, men);
        }
        match position.side {
            Side::First if self.takes_king(position, to) => men | position.king,
            _ => men,
        }
    }

    /// Whether a legal move captures something.
    #[inline]
    pub(super) fn is_capture(&self, position: &Position<G::Bits>, mv: Move) -> bool {
        if self.more_captures() {
            return self.captured(position, mv).any();
        }
        let sites = self.capture_sites(position).has(mv.to());
        sites && (self.king_hammer() || !position.king.has(mv.from()))
    }

    /// The men taken between the piece of `us` that comes to `to` and another, or a hostile empty square. The board
    /// may be that before the move: no mover can be his own partner, the victim stands in his way. So all but a few
    /// steps are the same for every move of a position, and a loop over the moves does them once.
    #[inline(always)]
    fn taken_men(
        &self,
        board: &Position<G::Bits>,
        us: Side,
        to: G::Bits,
        by_king: bool,
    ) -> G::Bits {
        if by_king && !self.king_hammer() {
            return G::Bits::EMPTY;
        }
        custodial::<G>(to, board.men_of(!us), self.partners(board, us))
    }

    /// What holds a man of the other side for a piece of `us`: its own armed pieces, hostile empty squares, and squares
    /// that are hostile to those who stand on them.
    #[inline(always)]
    fn partners(&self, board: &Position<G::Bits>, us: Side) -> G::Bits {
        let them = !us;
        let king = board.king_of(us);
        let (armed, unarmed) = if self.king_anvil() {
            (king, G::Bits::EMPTY)
        } else {
            (G::Bits::EMPTY, king)
        };
        board.men_of(us)
            | armed
            | (self.hostile[them.index()] & !board.occupied())
            | (self.held_against(them) & (board.all_of(them) | unarmed))
    }

    /// What holds the king for an attacker.
    #[inline(always)]
    fn partners_against_king(&self, board: &Position<G::Bits>) -> G::Bits {
        let held = self.held_against(Side::Second) & board.men_of(Side::Second);
        board.men_of(Side::First) | (self.hostile_to_king & !board.occupied()) | held
    }

    /// The sides of a strong king on which nothing holds him.
    #[inline(always)]
    fn gaps_around_strong_king(&self, board: &Position<G::Bits>) -> G::Bits {
        G::beside(board.king) & !self.partners_against_king(board)
    }

    /// Whether the king is taken by the attacker that comes to `to`; the board is that before the move.
    #[inline(always)]
    fn takes_king(&self, board: &Position<G::Bits>, to: G::Bits) -> bool {
        if !G::beside(board.king).meets(to) {
            return false;
        }
        if board.king.meets(self.strong) {
            // An attacker may also come to a square that held the king while it was empty.
            (self.gaps_around_strong_king(board) & !to).is_empty() && !self.is_safe(board.king)
        } else {
            custodial::<G>(to, board.king, self.partners_against_king(board)).any()
        }
    }

    /// The squares on which an attacker who comes there takes the king.
    #[inline]
    pub fn king_capture_sites(&self, board: &Position<G::Bits>) -> G::Bits {
        let sites = if board.king.meets(self.strong) {
            let gaps = self.gaps_around_strong_king(board);
            if self.is_safe(board.king) || gaps.rest().any() {
                G::Bits::EMPTY
            } else if gaps.any() {
                gaps
            } else {
                G::beside(board.king)
            }
        } else {
            custodial_sites::<G>(board.king, self.partners_against_king(board))
        };
        sites & !board.occupied()
    }

    /// The squares next to an enemy man on which a piece of `us` that comes there captures him.
    #[inline(always)]
    pub fn sites_against_men(&self, board: &Position<G::Bits>, us: Side) -> G::Bits {
        custodial_sites::<G>(board.men_of(!us), self.partners(board, us))
    }

    /// The squares on which a piece of the side to move, if one can come there, captures something.
    #[inline]
    pub(super) fn capture_sites(&self, board: &Position<G::Bits>) -> G::Bits {
        let us = board.side;
        let men = self.sites_against_men(board, us);
        match us {
            Side::First => men | self.king_capture_sites(board),
            Side::Second => men,
        }
    }
}

/// The members of `victims` next to `to` that have a member of `partners` on the opposite side.
#[inline(always)]
pub(super) fn custodial<G: Grid>(to: G::Bits, victims: G::Bits, partners: G::Bits) -> G::Bits {
    Direction::ORTHOGONAL
        .into_iter()
        .fold(G::Bits::EMPTY, |taken, direction| {
            let held = victims & G::step(partners, direction.opposite());
            taken | (G::step(to, direction) & held)
        })
}

/// The squares next to a member of `victims` that has a member of `partners` on the opposite side. No mover can be
/// his own partner: the victim stands in his way.
#[inline(always)]
pub(super) fn custodial_sites<G: Grid>(victims: G::Bits, partners: G::Bits) -> G::Bits {
    Direction::ORTHOGONAL
        .into_iter()
        .fold(G::Bits::EMPTY, |sites, direction| {
            let back = direction.opposite();
            sites | G::step(victims & G::step(partners, back), back)
        })
}
