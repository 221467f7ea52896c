//! What decides a game of the family on the board besides the king taken or home, and captures other than between two:
//! the rules that few games have.

use super::position::Position;
use super::rules::{KING_INDEX, PLAIN_KINDS, Rules};
use super::spec::{Ends, ShieldWall};
use crate::bits::Bits;
use crate::game::{Move, Reason, Side};
use crate::grid::{Direction, Grid};

/// The pieces on a board, as far as walls, forts and encirclement tell them apart.
#[derive(Clone, Copy)]
pub(super) struct Sides<B> {
    /// All pieces of the attackers and of the defenders.
    pub all: [B; 2],
    /// The kings of the defenders among them.
    pub kings: B,
}

impl<B: Bits> Sides<B> {
    pub fn occupied(&self) -> B {
        self.all[0] | self.all[1]
    }
}

impl<G: Grid, const FULL: bool> Rules<G, FULL> {
    fn sides(position: &Position<G::Bits>) -> Sides<G::Bits> {
        Sides {
            all: Side::BOTH.map(|side| position.all_of(side)),
            kings: position.king,
        }
    }

    /// Who has won on this board, in games that look at more than the king.
    #[inline(never)]
    pub(super) fn judge(&self, position: &Position<G::Bits>) -> Option<(Side, Reason)> {
        let sides = Self::sides(position);
        self.judge_sides(&sides, |sides| {
            let Some(king) = sides.kings.iter().next() else {
                return G::Bits::EMPTY;
            };
            self.slides_from(PLAIN_KINDS[KING_INDEX], king, sides.occupied())
        })
    }

    /// As `judge`, for any kinds of piece; `moves` gives the squares to which the first of the kings can move.
    pub(super) fn judge_sides(
        &self,
        sides: &Sides<G::Bits>,
        moves: impl Fn(&Sides<G::Bits>) -> G::Bits,
    ) -> Option<(Side, Reason)> {
        let [attackers, defenders] = sides.all;
        let home = || sides.kings.meets(self.goal);
        // The order of the house and of the host agree where both can hold, but for who has lost all his men.
        if self.spec.ends == Ends::Host {
            if attackers.is_empty() {
                return Some((Side::Second, Reason::NoAttackers));
            }
            if defenders.is_empty() {
                return Some((Side::First, Reason::NoDefenders));
            }
            if !home()
                && sides.kings.any()
                && !G::beside(defenders).meets(!sides.occupied() & G::BOARD)
            {
                return Some((Side::First, Reason::NoRoom));
            }
        }
        if home() || sides.kings.is_empty() {
            return None;
        }
        if self.spec.edge_fort && self.is_edge_fort(sides, moves(sides)) {
            return Some((Side::Second, Reason::EdgeFort));
        }
        if self.spec.encirclement && self.is_encircled(sides) {
            return Some((Side::First, Reason::Encircled));
        }
        None
    }

    /// Whether no defender is connected with the edge through empty squares.
    fn is_encircled(&self, sides: &Sides<G::Bits>) -> bool {
        let empty = G::BOARD & !sides.occupied();
        let mut region = sides.all[1];
        loop {
            if region.meets(self.edge) {
                return false;
            }
            let grown = region | G::beside(region) & empty;
            if grown == region {
                return true;
            }
            region = grown;
        }
    }

    /// Whether the first of the kings sits in a fort at the edge: in a closed row with men behind, or in a region that
    /// no attacker touches and whose defenders can not be taken.
    fn is_edge_fort(&self, sides: &Sides<G::Bits>, moves: G::Bits) -> bool {
        let Some(king) = sides.kings.iter().next() else {
            return false;
        };
        let king = G::Bits::bit(king);
        let at_edge = king.meets(self.edge);
        if at_edge && moves.any() && self.is_in_closed_row(sides, king) {
            return true;
        }
        let Some(region) = self.region_of_king(sides, king, moves) else {
            return false;
        };
        if !(if at_edge {
            moves.any()
        } else {
            region.meets(self.edge)
        }) {
            return false;
        }
        let defenders = sides.all[1];
        let open = G::BOARD & !region & !defenders;
        (G::beside(region) & defenders & !region)
            .iter()
            .all(|man| (G::beside(G::Bits::bit(man)) & open).count() <= 2)
    }

    /// The king's square and all that he can come to, others standing still; `None` if an attacker touches it.
    fn region_of_king(
        &self,
        sides: &Sides<G::Bits>,
        king: G::Bits,
        moves: G::Bits,
    ) -> Option<G::Bits> {
        let kind = PLAIN_KINDS[KING_INDEX];
        // He is judged by where he stands now.
        let zone = self.zone_of(king.first());
        let rights = &self.rights[kind];
        let occupied = sides.occupied() & !king;
        let free = rights.pass[zone] & !occupied;
        let mut region = king;
        let mut border = king;
        loop {
            if G::beside(region).meets(sides.all[0]) {
                return None;
            }
            let mut next = G::Bits::EMPTY;
            for direction in Direction::ORTHOGONAL {
                let mut arrivals = border;
                for _ in 0..rights.speed.min(G::SIDE) {
                    arrivals = G::step(arrivals, direction) & free;
                    next |= arrivals & rights.stop[zone];
                }
            }
            border = next & !region;
            if border.is_empty() {
                debug_assert!((moves & !region).is_empty() || moves.any());
                return Some(region);
            }
            region |= border;
        }
    }

    /// Whether the king stands in a row of edge squares without defenders, each with a defender behind, that is closed
    /// at both ends.
    fn is_in_closed_row(&self, sides: &Sides<G::Bits>, king: G::Bits) -> bool {
        let defenders = sides.all[1];
        let men = defenders & !sides.kings;
        self.edges().any(|(along, inward, edge)| {
            let backed = edge & G::step(defenders, inward.opposite()) & !men & !self.closing;
            let closers = edge & (men | self.closing);
            king.meets(backed)
                && backed_run::<G>(king, backed, closers, along).is_some_and(|run| run.rest().any())
        })
    }

    /// The four edges: a direction along, the direction inward, and the squares.
    fn edges(&self) -> impl Iterator<Item = (Direction, Direction, G::Bits)> {
        let [east, north, west, south] = Direction::ORTHOGONAL;
        [(east, north), (north, west), (east, south), (north, east)]
            .into_iter()
            .map(|(along, inward)| {
                // The squares from which a step outward leaves the board.
                let edge = G::BOARD & !G::step(G::BOARD, inward);
                (along, inward, edge)
            })
    }

    /// Whether a capture other than between two is possible for the side to move; a quick look that may say yes in vain.
    pub(super) fn may_take_otherwise(&self, position: &Position<G::Bits>) -> bool {
        self.spec.linnaean && position.side == Side::First && position.king.meets(self.middle)
            || self.may_take_wall(
                position.all_of(position.side),
                position.all_of(!position.side),
            )
    }

    /// Whether two enemies stand side by side at an edge with a man of ours behind one of them.
    fn may_take_wall(&self, ours: G::Bits, theirs: G::Bits) -> bool {
        self.spec.shield_wall != ShieldWall::None
            && self.edges().any(|(along, inward, edge)| {
                let row = theirs & edge;
                let backed = row & G::step(ours, inward.opposite());
                (G::step(backed, along) | G::step(backed, along.opposite())).meets(row)
            })
    }

    /// The men that a legal move takes otherwise than between two; `taken` are those it takes so.
    #[inline(never)]
    pub(super) fn taken_otherwise(
        &self,
        position: &Position<G::Bits>,
        mv: Move,
        taken: G::Bits,
    ) -> G::Bits {
        let us = position.side;
        let moved = G::Bits::bit(mv.from()) | G::Bits::bit(mv.to());
        let ours = position.all_of(us) ^ moved;
        let theirs = position.all_of(!us) & !taken;
        let mut more = self.taken_walls(ours, theirs, mv.to()) & !position.king;
        if self.spec.linnaean && us == Side::First {
            more |= self.taken_by_linnaeus(position, mv.to(), position.king);
        }
        more
    }

    /// The pieces of `theirs` in rows at the edge that the piece of ours which has come to `to` closes; kings and guards
    /// among them.
    pub(super) fn taken_walls(&self, ours: G::Bits, theirs: G::Bits, to: u16) -> G::Bits {
        let to = G::Bits::bit(to);
        let mut taken = G::Bits::EMPTY;
        if !self.may_take_wall(ours, theirs) || self.spec.wall_needs_mover && !to.meets(self.edge) {
            return taken;
        }
        for (along, inward, edge) in self.edges() {
            let backed = theirs & edge & G::step(ours, inward.opposite()) & !self.closing;
            let closers = edge & (ours | self.closing);
            let mut left = backed;
            while left.any() {
                let first = G::Bits::bit(left.first());
                let run = backed_run::<G>(first, backed, closers, along);
                let all = run.unwrap_or(first);
                left = left & !all;
                if run.is_none() || !all.rest().any() {
                    continue;
                }
                let ends = (G::step(all, along) | G::step(all, along.opposite())) & !all;
                let wall = ends | G::step(all, inward);
                if !self.spec.wall_needs_mover || wall.meets(to) {
                    taken |= all;
                }
            }
        }
        taken
    }

    /// The defender between a king on the middle, held on three sides, and the attacker who comes to a square two
    /// steps from the middle. The board is that before the move.
    pub(super) fn taken_by_linnaeus(
        &self,
        position: &Position<G::Bits>,
        to: u16,
        kings: G::Bits,
    ) -> G::Bits {
        let [attackers, defenders] = Side::BOTH.map(|side| position.men_of(side));
        let around = G::beside(self.middle);
        if !kings.meets(self.middle) || (around & attackers).count() < 3 {
            return G::Bits::EMPTY;
        }
        Direction::ORTHOGONAL
            .into_iter()
            .map(|direction| G::step(self.middle, direction))
            .zip(Direction::ORTHOGONAL)
            .find(|&(between, direction)| G::step(between, direction).has(to))
            .map_or(G::Bits::EMPTY, |(between, _)| between & defenders)
    }
}

/// The members of `row` in one unbroken line with `start`, if the squares at both ends are closers.
fn backed_run<G: Grid>(
    start: G::Bits,
    row: G::Bits,
    closers: G::Bits,
    along: Direction,
) -> Option<G::Bits> {
    let mut run = start;
    for direction in [along, along.opposite()] {
        let mut square = G::step(start, direction);
        while square.meets(row) {
            run |= square;
            square = G::step(square, direction);
        }
        if !square.meets(closers) {
            return None;
        }
    }
    Some(run)
}
