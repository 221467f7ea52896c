//! Judging one move without listing any.

use super::CaptureRule;
use super::position::{Position, next_to};
use crate::bits::{Bits, Wide};
use crate::game::{Move, Side};
use crate::grid::{Grid, Grid15};

/// Whether the move is legal; takes any move whatever.
pub(super) fn is_legal(rule: CaptureRule, position: &Position, mv: Move) -> bool {
    let (from, to) = (mv.from(), mv.to());
    let (dwarfs, trolls, empty) = (position.dwarfs(), position.trolls(), position.empty());
    let free = empty.has(to);
    match position.side() {
        Side::First => {
            if mv.mask() != 0 || !dwarfs.has(from) || !(free || trolls.has(to)) {
                return false;
            }
            path(from, to, empty)
                .is_some_and(|path| free || path.distance <= path.line_behind(dwarfs))
        }
        Side::Second => {
            if !free || !trolls.has(from) || mv.mask() & !next_to(dwarfs, to) != 0 {
                return false;
            }
            let Some(path) = path(from, to, empty) else {
                return false;
            };
            let line = path.line_behind(trolls);
            let shove = line >= 2.max(path.distance) && mv.mask() != 0;
            shove
                || path.distance == 1
                    && (rule == CaptureRule::AnySubset || mv.mask().count_ones() <= 1)
        }
    }
}

/// The way from one square to another in one of the eight directions.
struct Path {
    from: u16,
    /// Bits of one step.
    delta: i32,
    distance: i32,
}

/// The path between two squares of play if there is one and nothing stands between them.
fn path(from: u16, to: u16, empty: Wide) -> Option<Path> {
    let files = i32::from(Grid15::file(to)) - i32::from(Grid15::file(from));
    let ranks = i32::from(Grid15::rank(to)) - i32::from(Grid15::rank(from));
    let distance = files.abs().max(ranks.abs());
    let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    if distance == 0 || !straight {
        return None;
    }
    let delta = files.signum() + ranks.signum() * i32::from(Grid15::STRIDE);
    (1..distance)
        .all(|k| empty.has((i32::from(from) + k * delta) as u16))
        .then_some(Path {
            from,
            delta,
            distance,
        })
}

impl Path {
    /// The number of men in the unbroken line that ends with the start of the path, which is one of them.
    fn line_behind(&self, men: Wide) -> i32 {
        let mut length = 1;
        let mut square = i32::from(self.from) - self.delta;
        // A square beside the board is in no set, and one outside the set is no number.
        while u16::try_from(square).is_ok_and(|square| men.has(square)) {
            length += 1;
            square -= self.delta;
        }
        length
    }
}
