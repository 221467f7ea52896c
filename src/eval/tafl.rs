//! Terms of the tafl games.

use super::{Evaluate, Features, Term, TermValue, list, weigh};
use crate::bits::Bits;
use crate::game::{Game, Move};
use crate::grid::Grid;
use crate::score::Score;
use crate::tafl::{Position, Tafl};

/// The terms. A man is worth 100 on average; the defenders have half as many.
static TERMS: [Term; 4] = [
    Term {
        name: "men",
        weight: [80, 120],
    },
    Term {
        name: "king's moves",
        weight: [0, 6],
    },
    Term {
        name: "king's distance",
        weight: [0, 60],
    },
    Term {
        name: "attackers at the king",
        weight: [25, 0],
    },
];

/// Ways longer than this many king's moves count as none.
const FARTHEST: i32 = 4;

impl<G: Grid> Tafl<G> {
    fn features(&self, position: &Position<G::Bits>) -> Features<4> {
        let [attackers, defenders] = position.men;
        let empty = !position.occupied();
        let free = self.rules.pass[1] & empty;
        let stop = self.rules.stop[1];
        let first = G::reach(position.king, free) & stop;
        // How many king's moves, with everyone else standing still, to the goal: nearer counts more.
        let mut reached = first;
        let mut distance = 1;
        while distance < FARTHEST && !reached.meets(self.rules.goal) {
            reached |= G::reach(reached, free) & stop;
            distance += 1;
        }
        let nearness = if reached.meets(self.rules.goal) {
            FARTHEST + 1 - distance
        } else {
            0
        };
        let beside = G::beside(position.king);
        [
            [attackers.count() as i32, defenders.count() as i32],
            [0, first.count() as i32],
            [0, nearness],
            [(beside & attackers).count() as i32, 0],
        ]
    }
}

impl<G: Grid> Evaluate for Tafl<G> {
    fn evaluate(&self, position: &Self::Position) -> Score {
        weigh(&TERMS, &self.features(position), position.side)
    }

    fn terms(&self, position: &Self::Position) -> Vec<TermValue> {
        list(&TERMS, &self.features(position))
    }

    fn gain(&self, position: &Self::Position, mv: Move) -> Score {
        let victim = (!position.side).index();
        self.captured(position, mv).count() as Score * TERMS[0].weight[victim]
    }
}
