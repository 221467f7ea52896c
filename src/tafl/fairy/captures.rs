//! What a move captures, step by step in the order of the host: the jumped piece, pieces held between two, rows at the
//! edge, and the man behind a king who is held on three sides.

use super::{Fairy, Position};
use crate::bits::Bits;
use crate::game::{Move, Reason, Side};
use crate::grid::{Direction, Grid};
use crate::tafl::ends::Sides;
use crate::tafl::spec::{
    Berserk, CENTRE, COMMANDER, CORNER, GUARD, Jump, KINDS_OF_SIDE, KING, KNIGHT, Surround, kind_of,
};

/// A move with its captures made, the turn not yet given on.
pub(super) struct Captured<B> {
    pub position: Position<B>,
    pub captured: B,
}

/// Left, right, below, above: the order in which neighbours are looked at.
const ORDER: [Direction; 4] = [
    Direction::new(-1, 0),
    Direction::new(1, 0),
    Direction::new(0, -1),
    Direction::new(0, 1),
];

impl<G: Grid> Fairy<G> {
    /// The position after a legal move.
    pub(super) fn make_move(&self, position: &Position<G::Bits>, mv: Move) -> Position<G::Bits> {
        let Captured {
            position: mut child,
            captured,
        } = self.capture(&position.with_running(None), mv);
        child.end = self.judged(&child);
        if captured.any() && child.end.is_none() && self.moves_on(&child, mv.to()) {
            return child.with_running(Some(mv.to()));
        }
        child.turn();
        child
    }

    /// Who has won on this board and why.
    pub(super) fn judged(&self, position: &Position<G::Bits>) -> Option<(Side, Reason)> {
        let kings = position.kings();
        let sides = Sides {
            all: Side::BOTH.map(|side| position.all_of(side)),
            kings,
        };
        let moves = |_: &Sides<G::Bits>| {
            kings.iter().next().map_or(G::Bits::EMPTY, |king| {
                self.destinations(position, kind_of(Side::Second, KING), king)
            })
        };
        self.rules.judge_sides(&sides, moves).or_else(|| {
            if kings.is_empty() {
                Some((Side::First, Reason::KingCaptured))
            } else {
                let home = kings.meets(self.rules.goal);
                home.then_some((Side::Second, Reason::KingEscaped))
            }
        })
    }

    /// Makes a legal move and takes what it captures.
    pub(super) fn capture(&self, before: &Position<G::Bits>, mv: Move) -> Captured<G::Bits> {
        let mut after = *before;
        let mut captured = G::Bits::EMPTY;
        let Some(kind) = before.kind_at(mv.from()) else {
            return Captured {
                position: after,
                captured,
            };
        };
        let us = before.side;
        after.toggle(kind, mv.from());
        after.toggle(kind, mv.to());
        let jumped = self.jumped(before, mv);
        if let Some(square) = jumped
            && self.jump_of(kind) == Jump::Captures
        {
            after.take(square);
            captured |= G::Bits::bit(square);
        }
        if self.opens_gate(before, kind, mv) && self.is_armed(kind) {
            for direction in ORDER {
                let Some(square) = self.enemy_beside(&after, us, mv.to(), direction) else {
                    continue;
                };
                if self.is_held(&after, kind, mv.to(), square, direction) {
                    after.take(square);
                    captured |= G::Bits::bit(square);
                }
            }
        }
        if kind % KINDS_OF_SIDE != GUARD {
            let theirs = after.all_of(!us);
            let spared = after.both(KING) | after.both(GUARD);
            let row = self.rules.taken_walls(after.all_of(us), theirs, mv.to()) & !spared;
            let linnaean = if self.rules.spec.linnaean && us == Side::First {
                self.rules
                    .taken_by_linnaeus(&self.plain(before), mv.to(), before.kings())
                    & theirs
                    & !spared
            } else {
                G::Bits::EMPTY
            };
            for square in (row | linnaean).iter() {
                after.take(square);
                captured |= G::Bits::bit(square);
            }
        }
        Captured {
            position: after,
            captured,
        }
    }

    /// The piece that a move jumps over.
    fn jumped(&self, before: &Position<G::Bits>, mv: Move) -> Option<u16> {
        let (from, to) = (mv.from(), mv.to());
        let step = |a: u8, b: u8| i16::from(b) - i16::from(a);
        let files = step(G::file(from), G::file(to));
        let ranks = step(G::rank(from), G::rank(to));
        if files.abs() + ranks.abs() != 2 || files * ranks != 0 {
            return None;
        }
        let direction = Direction::new(files.signum() as i8, ranks.signum() as i8);
        G::neighbour(from, direction).filter(|&middle| before.occupied().has(middle))
    }

    /// Whether the moving piece takes between two.
    fn is_armed(&self, kind: usize) -> bool {
        match kind % KINDS_OF_SIDE {
            GUARD => false,
            KING => self.rules.spec.king_hammer,
            _ => true,
        }
    }

    fn enemy_beside(
        &self,
        board: &Position<G::Bits>,
        us: Side,
        square: u16,
        direction: Direction,
    ) -> Option<u16> {
        G::neighbour(square, direction).filter(|&next| board.all_of(!us).has(next))
    }

    /// Whether captures are looked for at all: with the mover still on the old square, the move captures by jumping, or
    /// some enemy beside the new one would be held.
    pub(super) fn opens_gate(&self, before: &Position<G::Bits>, kind: usize, mv: Move) -> bool {
        let jumped = self.jumped(before, mv);
        if jumped.is_some() && self.jump_of(kind) == Jump::Captures {
            return true;
        }
        self.is_armed(kind)
            && ORDER.into_iter().any(|direction| {
                self.enemy_beside(before, before.side, mv.to(), direction)
                    .is_some_and(|square| {
                        // A jumped piece is not caught between the two squares of the jump, unless the old one is special.
                        let excepted = jumped == Some(square) && self.rules.zone_of(mv.from()) == 0;
                        !excepted && self.is_held(before, kind, mv.to(), square, direction)
                    })
            })
    }

    /// Whether the piece on `square`, in `direction` from the mover's square `to`, is taken.
    fn is_held(
        &self,
        board: &Position<G::Bits>,
        mover: usize,
        to: u16,
        square: u16,
        direction: Direction,
    ) -> bool {
        let Some(victim) = board.kind_at(square) else {
            return false;
        };
        let between = || {
            G::neighbour(square, direction)
                .is_some_and(|behind| self.is_hostile(board, behind, victim))
        };
        match victim % KINDS_OF_SIDE {
            GUARD => false,
            KING => self.takes_king(board, mover, to, square, direction, between),
            _ => between(),
        }
    }

    fn takes_king(
        &self,
        board: &Position<G::Bits>,
        mover: usize,
        to: u16,
        square: u16,
        direction: Direction,
        between: impl Fn() -> bool,
    ) -> bool {
        let king = G::Bits::bit(square);
        let around = G::beside(king);
        let closed = || {
            around.iter().all(|next| {
                next == to || self.is_hostile(board, next, board.kind_at(square).unwrap_or(KING))
            })
        };
        let us = usize::from(mover >= KINDS_OF_SIDE);
        if !self.has_officers[us] {
            return if king.meets(self.rules.strong) {
                !king.meets(self.rules.safe) && closed()
            } else {
                between()
            };
        }
        match self.rules.spec.surround {
            Surround::Two => between(),
            Surround::Existing => between() && closed(),
            Surround::Four | Surround::NearCentre | Surround::OnCentre => {
                between() && self.officers_hold(board, mover, to, square, direction)
            }
        }
    }

    /// Against officers a king is taken by two points: one for each of the two squares that is a hostile corner or has an
    /// officer, and one for an officer who moves. The centre protects.
    fn officers_hold(
        &self,
        board: &Position<G::Bits>,
        mover: usize,
        to: u16,
        square: u16,
        direction: Direction,
    ) -> bool {
        let Some(behind) = G::neighbour(square, direction) else {
            return false;
        };
        let centre = self.rules.zones[CENTRE];
        if [to, square, behind].into_iter().any(|s| centre.has(s)) {
            return false;
        }
        let them = usize::from(mover < KINDS_OF_SIDE);
        let corners = self.rules.zones[CORNER] & self.rules.hostile[them];
        let officers = board.both(COMMANDER) | board.both(KNIGHT);
        let by_squares = [to, behind]
            .into_iter()
            .map(|s| u32::from(corners.has(s)) + u32::from(officers.has(s)))
            .sum::<u32>();
        let moves = matches!(mover % KINDS_OF_SIDE, COMMANDER | KNIGHT);
        by_squares + u32::from(moves) >= 2
    }

    /// Whether a square stands for an enemy of a piece of kind `victim`.
    fn is_hostile(&self, board: &Position<G::Bits>, square: u16, victim: usize) -> bool {
        let side = if victim < KINDS_OF_SIDE {
            Side::First
        } else {
            Side::Second
        };
        let is_king = victim % KINDS_OF_SIDE == KING;
        let Some(kind) = board.kind_at(square) else {
            let throne_is_kind = is_king
                && !self.rules.spec.throne_takes_king
                && self.rules.zones[CENTRE].has(square);
            return self.rules.hostile[side.index()].has(square) && !throne_is_kind;
        };
        let held = self.rules.hostile_held[side.index()].has(square);
        if (kind < KINDS_OF_SIDE) == (side == Side::First) {
            return held;
        }
        match kind % KINDS_OF_SIDE {
            GUARD => false,
            KING => self.rules.spec.king_anvil || held,
            _ => true,
        }
    }

    /// Whether a piece that has captured and stands on `square` moves on; the turn is not given on yet.
    fn moves_on(&self, position: &Position<G::Bits>, square: u16) -> bool {
        let Some(kind) = position.kind_at(square) else {
            return false;
        };
        match self.rules.spec.berserk {
            Berserk::None => false,
            Berserk::WhileItMoves => {
                let free = self.rules.rights[kind].pass[self.rules.zone_of(square)];
                G::beside(G::Bits::bit(square)).meets(free & !position.occupied())
            }
            Berserk::WhileItCaptures => self
                .destinations(position, kind, square)
                .iter()
                .any(|to| self.opens_gate(position, kind, Move::new(square, to, 0))),
        }
    }
}
