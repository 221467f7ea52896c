//! Counting legal moves without listing them.

use super::CaptureRule;
use super::position::{Position, next_to};
use super::sets::{Each, hurls, shoves};
use crate::bits::{Bits, Wide};
use crate::game::Side;
use crate::grid::{Grid, Grid15};

/// The number of legal moves.
pub(super) fn count(rule: CaptureRule, position: &Position) -> u64 {
    match position.side() {
        Side::First => dwarf_moves(position),
        Side::Second => troll_moves(rule, position),
    }
}

/// A sum of set sizes, word by word: the words are added up only once.
#[derive(Default)]
struct Tally([u64; 4]);

impl Tally {
    #[inline(always)]
    fn add(&mut self, set: Wide) {
        for (sum, word) in self.0.iter_mut().zip(set.0) {
            *sum += u64::from(word.count_ones());
        }
    }

    #[inline(always)]
    fn total(self) -> u64 {
        self.0.iter().sum()
    }
}

fn dwarf_moves(position: &Position) -> u64 {
    struct Count {
        dwarfs: Wide,
        trolls: Wide,
        empty: Wide,
        tally: Tally,
    }
    impl Each for Count {
        #[inline(always)]
        fn each<const D: i32>(&mut self) {
            let mut moved = self.dwarfs.shift(D) & self.empty;
            while moved.any() {
                self.tally.add(moved);
                moved = moved.shift(D) & self.empty;
            }
            hurls::<D>(self.dwarfs, self.trolls, self.empty, |_, hurlers| {
                self.tally.add(hurlers);
            });
        }
    }
    let mut count = Count {
        dwarfs: position.dwarfs(),
        trolls: position.trolls(),
        empty: position.empty(),
        tally: Tally::default(),
    };
    count.all();
    count.tally.total()
}

fn troll_moves(rule: CaptureRule, position: &Position) -> u64 {
    struct Count {
        rule: CaptureRule,
        dwarfs: Wide,
        trolls: Wide,
        empty: Wide,
        near: Wide,
        /// Moves without captures.
        tally: Tally,
        /// Moves with captures.
        captures: u64,
    }
    impl Each for Count {
        #[inline(always)]
        fn each<const D: i32>(&mut self) {
            let moved = self.trolls.shift(D);
            let landing = moved & self.empty;
            let pairs = moved & self.trolls;
            self.tally.add(landing);
            let contact = landing & self.near;
            if contact.any() {
                let free = match self.rule {
                    CaptureRule::One => pairs.shift(D),
                    CaptureRule::AnySubset => contact,
                };
                self.captures += subsets(self.dwarfs, contact & free);
                for square in (contact & !free).iter() {
                    self.captures += u64::from(next_to(self.dwarfs, square).count_ones());
                }
            }
            if pairs.any() {
                shoves::<D>(self.trolls, self.empty, self.near, pairs, |_, landing| {
                    self.captures += subsets(self.dwarfs, landing);
                });
            }
        }
    }
    let mut count = Count {
        rule,
        dwarfs: position.dwarfs(),
        trolls: position.trolls(),
        empty: position.empty(),
        near: Grid15::around(position.dwarfs()),
        tally: Tally::default(),
        captures: 0,
    };
    count.all();
    count.tally.total() + count.captures
}

/// The number of ways to land on one of these squares and to capture a non-empty subset of the dwarfs next to it.
#[inline(always)]
fn subsets(dwarfs: Wide, landing: Wide) -> u64 {
    landing
        .iter()
        .map(|square| (1 << next_to(dwarfs, square).count_ones()) - 1)
        .sum()
}
