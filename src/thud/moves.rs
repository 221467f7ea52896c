//! Listing moves: captures of dwarfs first, then directions in their order, then by distance and square.

use super::CaptureRule;
use super::position::{Position, next_to};
use super::sets::{Each, hurls, shoves, step};
use crate::bits::{Bits, Wide};
use crate::game::{Move, Moves, Side};
use crate::grid::{Grid, Grid15};

/// Appends legal moves.
pub(super) fn generate(rule: CaptureRule, position: &Position, which: Moves, list: &mut Vec<Move>) {
    match position.side() {
        Side::First => {
            if matches!(which, Moves::All | Moves::Captures) {
                Hurls { position, list }.all();
            }
            if matches!(which, Moves::All | Moves::Quiets) {
                Slides {
                    dwarfs: position.dwarfs(),
                    empty: position.empty(),
                    list,
                }
                .all();
            }
        }
        Side::Second => Trolls {
            rule,
            which,
            dwarfs: position.dwarfs(),
            trolls: position.trolls(),
            empty: position.empty(),
            near: Grid15::around(position.dwarfs()),
            list,
        }
        .all(),
    }
}

/// Where a piece stood that has come to `square` by `distance` steps of `D`.
#[inline(always)]
fn origin<const D: i32>(square: u16, distance: usize) -> u16 {
    square.wrapping_sub((D * distance as i32) as u16)
}

struct Hurls<'a> {
    position: &'a Position,
    list: &'a mut Vec<Move>,
}

impl Each for Hurls<'_> {
    fn each<const D: i32>(&mut self) {
        let at = self.position;
        hurls::<D>(at.dwarfs(), at.trolls(), at.empty(), |distance, hurlers| {
            for from in hurlers.iter() {
                let to = origin::<D>(from, distance);
                self.list.push(Move::new(from, to, 0));
            }
        });
    }
}

struct Slides<'a> {
    dwarfs: Wide,
    empty: Wide,
    list: &'a mut Vec<Move>,
}

impl Each for Slides<'_> {
    fn each<const D: i32>(&mut self) {
        let mut moved = step::<D>(self.dwarfs) & self.empty;
        let mut distance = 1;
        while moved.any() {
            // Word by word, which is faster than the iterator of the whole set where there are many members.
            for (index, mut word) in moved.0.into_iter().enumerate() {
                while word.any() {
                    let to = (index * 64) as u16 + word.first();
                    self.list.push(Move::new(origin::<D>(to, distance), to, 0));
                    word = word.rest();
                }
            }
            moved = step::<D>(moved) & self.empty;
            distance += 1;
        }
    }
}

struct Trolls<'a> {
    rule: CaptureRule,
    which: Moves,
    dwarfs: Wide,
    trolls: Wide,
    empty: Wide,
    near: Wide,
    list: &'a mut Vec<Move>,
}

impl Each for Trolls<'_> {
    fn each<const D: i32>(&mut self) {
        let moved = step::<D>(self.trolls);
        let landing = moved & self.empty;
        let pairs = moved & self.trolls;
        let contact = landing & self.near;
        let free = match self.rule {
            CaptureRule::One => contact & step::<D>(pairs),
            CaptureRule::AnySubset => contact,
        };
        let plain = match self.which {
            Moves::All => landing,
            Moves::Quiets => landing & !contact,
            Moves::Captures => Wide::EMPTY,
            Moves::Lesser => contact,
        };
        for to in plain.iter() {
            self.list.push(Move::new(origin::<D>(to, 1), to, 0));
        }
        if self.which == Moves::Quiets {
            return;
        }
        let single = if self.which == Moves::Lesser {
            Wide::EMPTY
        } else {
            contact & !free
        };
        for to in single.iter() {
            let beside = next_to(self.dwarfs, to);
            for i in u64::from(beside).iter() {
                let mv = Move::new(origin::<D>(to, 1), to, 1 << i);
                self.list.push(mv);
            }
        }
        self.subsets::<D>(1, free);
        if pairs.any() {
            let (trolls, empty, near) = (self.trolls, self.empty, self.near);
            shoves::<D>(2, trolls, empty, near, pairs, |distance, landing| {
                self.subsets::<D>(distance, landing);
            });
        }
    }
}

impl Trolls<'_> {
    /// Lists landings with the wanted ones of the non-empty subsets of the dwarfs next to them.
    #[inline]
    fn subsets<const D: i32>(&mut self, distance: usize, landing: Wide) {
        for to in landing.iter() {
            let from = origin::<D>(to, distance);
            let beside = next_to(self.dwarfs, to);
            let mut mask = beside;
            if self.which == Moves::Lesser {
                mask = (mask - 1) & beside;
            }
            while mask != 0 {
                self.list.push(Move::new(from, to, mask));
                if self.which == Moves::Captures {
                    break;
                }
                mask = (mask - 1) & beside;
            }
        }
    }
}
