//! Terms of Thud.

use super::places::Places;
use super::{Evaluate, Features, Term, TermValue, Weights, list, seen_by, term, weigh, weights};
use crate::bits::{Bits, Wide};
use crate::game::{Game, Move, Side};
use crate::grid::{Direction, Grid, Grid15, orbits};
use crate::score::Score;
use crate::thud::{Position, Thud};

/// The terms; a point is worth 100.
static TERMS: [Term; TERM_COUNT] = [
    term("points", [100, 400]),
    term("turn", [7, 6]),
    term("men under attack", [-12, -60]),
    term("men under attack from safe squares", [-15, 0]),
    term("neighbours in line", [8, 9]),
    term("men in lines of three", [-2, 0]),
    term("squares of four men", [7, 0]),
    term("men alone", [-1, -12]),
    term("squares in reach", [0, 0]),
    term("safe squares in reach", [0, 2]),
    term("men hemmed in", [0, -40]),
    term("men in contact", [-9, 9]),
    term("men two squares from the enemy", [10, 20]),
    term("men in the middle", [4, 12]),
];

const TERM_COUNT: usize = 14;
static WEIGHTS: Weights<TERM_COUNT> = weights(&TERMS);

/// What squares are worth to dwarfs and to trolls.
static PLACES: Places<{ orbits(Grid15::SIDE) }> = Places::new(
    Grid15::SIDE,
    Grid15::STRIDE,
    &[
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
        [-4, 3, 0],
        [-2, 0, 0],
        [0, 0, 0],
        [-2, -12, 0],
        [6, -6, 0],
        [8, 2, 0],
        [-2, 4, 0],
        [-2, -1, 0],
        [1, 0, 0],
        [4, 4, 0],
        [1, 1, 0],
        [0, 4, 0],
        [2, 0, 0],
        [-3, 3, 0],
        [8, 0, 0],
        [6, 4, 0],
        [0, 0, 0],
        [0, 6, 0],
        [7, 1, 0],
        [-2, -1, 0],
        [-2, -11, 0],
        [2, -9, 0],
        [2, 8, 0],
        [-4, 1, 0],
        [-4, 6, 0],
        [8, 1, 0],
        [12, 2, 0],
        [0, 0, 0],
    ],
);

/// The squares at most four steps from the stone.
const MIDDLE: Wide = middle();

const fn middle() -> Wide {
    let mut words = [0; 4];
    let mut rank = 3;
    while rank < 12 {
        let mut file = 3;
        while file < 12 {
            let square = rank * 16 + file;
            words[square / 64] |= 1 << (square % 64);
            file += 1;
        }
        rank += 1;
    }
    Wide(words)
}

#[inline]
fn features(position: &Position) -> Features<TERM_COUNT> {
    let men = [position.dwarfs(), position.trolls()];
    let count = |set: Wide| set.count() as i32;
    let around = men.map(Grid15::around);
    let empty = position.empty();
    let reach = position.troll_reach();
    let aimed = position.aimed_at();
    let safe = reach & !aimed;
    let (mut neighbours, mut threes) = ([0; 2], 0);
    for direction in &Direction::ALL[..4] {
        let pairs = men.map(|set| set & Grid15::step(set, *direction));
        neighbours[0] += count(pairs[0]);
        neighbours[1] += count(pairs[1]);
        threes += count(pairs[0] & Grid15::step(pairs[0], *direction));
    }
    let beside = men[0] & Grid15::step(men[0], Direction::ALL[0]);
    let squares_of_four = beside & Grid15::step(beside, Direction::ALL[2]);
    let both = |f: &dyn Fn(usize) -> i32| [f(0), f(1)];
    [
        both(&|side| count(men[side])),
        Side::BOTH.map(|side| i32::from(position.side() == side)),
        [count(men[0] & Grid15::around(reach)), count(men[1] & aimed)],
        [count(men[0] & Grid15::around(safe)), 0],
        neighbours,
        [threes, 0],
        [count(squares_of_four), 0],
        both(&|side| count(men[side] & !around[side])),
        [count(aimed & empty), count(reach)],
        [0, count(safe)],
        [0, count(men[1] & !Grid15::around(empty))],
        both(&|side| count(men[side] & around[1 - side])),
        both(&|side| count(men[side] & Grid15::around(around[1 - side]))),
        both(&|side| count(men[side] & MIDDLE)),
    ]
}

impl Evaluate for Thud {
    const CAPTURES_CHAIN: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let placed = PLACES.value([position.dwarfs(), position.trolls()], Wide::EMPTY);
        seen_by(
            position.side(),
            weigh(&WEIGHTS, &features(position)) + placed,
        )
    }

    fn terms(&self, position: &Position) -> Vec<TermValue> {
        let mut terms = list(&TERMS, &features(position));
        terms.extend(PLACES.terms::<Grid15>([position.dwarfs(), position.trolls()], Wide::EMPTY));
        terms
    }

    #[inline]
    fn gain(&self, position: &Position, mv: Move) -> Score {
        let victim = (!position.side()).index();
        let worth = TERMS[0].weight[victim];
        match mv.mask() {
            0 if position.trolls().has(mv.to()) => worth,
            mask => mask.count_ones() as Score * worth,
        }
    }

    /// A dwarf who has hurled himself is lost if a troll can come beside him; a troll who has captured is, if a dwarf
    /// can be hurled at him.
    #[inline]
    fn exchange(&self, position: &Position, mv: Move, gain: Score) -> Score {
        let next = self.make(position, mv);
        let at_risk = match position.side() {
            Side::First => Grid15::around(next.troll_reach()),
            Side::Second => next.hurl_targets(),
        };
        let risk = if at_risk.has(mv.to()) {
            TERMS[0].weight[position.side().index()]
        } else {
            0
        };
        gain - risk
    }
}
