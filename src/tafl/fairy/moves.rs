//! Where a piece of any kind can go.

use super::{Fairy, Position};
use crate::bits::Bits;
use crate::game::{Move, Side};
use crate::grid::{Direction, Grid};
use crate::tafl::spec::{COMMANDER, GUARD, Jump, KINDS_OF_SIDE, KING, KNIGHT, MAN};

impl<G: Grid> Fairy<G> {
    /// Appends every legal move.
    pub(super) fn list(&self, position: &Position<G::Bits>, list: &mut Vec<Move>) {
        if position.end.is_some() {
            return;
        }
        let ours = position.all_of(position.side);
        let movers = position
            .running
            .map_or(ours, |square| ours & G::Bits::bit(square));
        for from in movers.iter() {
            let Some(kind) = position.kind_at(from) else {
                continue;
            };
            let reached = self.destinations(position, kind, from);
            list.extend(reached.iter().map(|to| Move::new(from, to, 0)));
        }
    }

    /// The squares that a piece slides or jumps to.
    pub(super) fn destinations(
        &self,
        position: &Position<G::Bits>,
        kind: usize,
        from: u16,
    ) -> G::Bits {
        self.rules.slides_from(kind, from, position.occupied())
            | self.jumps_from(position, kind, from)
    }

    /// How a kind jumps.
    pub(super) fn jump_of(&self, kind: usize) -> Jump {
        match kind % KINDS_OF_SIDE {
            MAN | GUARD => Jump::Never,
            number => self.rules.spec.jumps[number],
        }
    }

    fn jumps_from(&self, position: &Position<G::Bits>, kind: usize, from: u16) -> G::Bits {
        let jump = self.jump_of(kind);
        if jump == Jump::Never {
            return G::Bits::EMPTY;
        }
        let side = if kind < KINDS_OF_SIDE {
            Side::First
        } else {
            Side::Second
        };
        let too_high = [KING, KNIGHT, COMMANDER]
            .into_iter()
            .fold(G::Bits::EMPTY, |set, number| set | position.both(number));
        let over = position.all_of(!side) & !too_high;
        let zone = self.rules.zone_of(from);
        let mut landing = self.rules.rights[kind].stop[zone] & !position.occupied();
        if jump == Jump::Restricted && zone == 0 {
            landing = self
                .rules
                .zones
                .iter()
                .fold(G::Bits::EMPTY, |set, &special| set | special)
                & landing;
        }
        let start = G::Bits::bit(from);
        Direction::ORTHOGONAL
            .into_iter()
            .fold(G::Bits::EMPTY, |reached, direction| {
                let jumped = G::step(start, direction) & over;
                reached | G::step(jumped, direction) & landing
            })
    }
}
