//! Counting legal moves without listing them; the trolls' are in `count_trolls`.

use super::CaptureRule;
use super::count_trolls::troll_moves;
use super::position::Position;
use super::sets::{Each, hurls, step};
use crate::bits::{Bits, Wide};
use crate::game::Side;

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
            let mut moved = step::<D>(self.dwarfs) & self.empty;
            while moved.any() {
                self.tally.add(moved);
                moved = step::<D>(moved) & self.empty;
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
