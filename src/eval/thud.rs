//! Terms of Thud.

use super::{Evaluate, Features, Term, TermValue, list, weigh};
use crate::bits::Bits;
use crate::game::Move;
use crate::grid::{Grid, Grid15};
use crate::score::Score;
use crate::thud::{Position, Thud};

/// The terms. A point is worth 100.
static TERMS: [Term; 4] = [
    Term {
        name: "points",
        weight: [100, 400],
    },
    Term {
        name: "men under attack",
        weight: [-25, -90],
    },
    Term {
        name: "men with a neighbour",
        weight: [6, 8],
    },
    Term {
        name: "reach",
        weight: [0, 2],
    },
];

fn features(position: &Position) -> Features<4> {
    let (dwarfs, trolls) = (position.dwarfs(), position.trolls());
    let reach = position.troll_reach();
    let count = |set: crate::bits::Wide| set.count() as i32;
    [
        [count(dwarfs), count(trolls)],
        [
            count(dwarfs & Grid15::around(reach)),
            count(position.hurl_targets()),
        ],
        [
            count(dwarfs & Grid15::around(dwarfs)),
            count(trolls & Grid15::around(trolls)),
        ],
        [0, count(reach)],
    ]
}

impl Evaluate for Thud {
    fn evaluate(&self, position: &Position) -> Score {
        weigh(&TERMS, &features(position), position.side())
    }

    fn terms(&self, position: &Position) -> Vec<TermValue> {
        list(&TERMS, &features(position))
    }

    fn gain(&self, position: &Position, mv: Move) -> Score {
        let victim = (!position.side()).index();
        let worth = TERMS[0].weight[victim];
        match mv.mask() {
            0 if position.trolls().has(mv.to()) => worth,
            mask => mask.count_ones() as Score * worth,
        }
    }
}
