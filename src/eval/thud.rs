//! Terms of Thud.

use super::places::Places;
#[cfg(not(feature = "tune"))]
use super::weights;
use super::{Evaluate, Features, Kind, Term, TermValue, list, seen_by, term};
#[cfg(feature = "tune")]
use super::{
    in_force,
    tuning::{MOST, Table},
};
use crate::bits::{Bits, Wide};
use crate::game::{Game, Move, Side};
use crate::grid::{Grid, Grid15, orbits};
use crate::score::Score;
use crate::thud::{Position, Thud, around, longer};

/// The terms; a point is worth 100.
static TERMS: [Term; TERM_COUNT] = terms();

const fn terms() -> [Term; TERM_COUNT] {
    [
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
    ]
}

const TERM_COUNT: usize = 14;

/// What is counted for the terms, in their order.
#[derive(Clone, Copy)]
enum Feature {
    Points,
    Turn,
    Attacked,
    AttackedSafely,
    Neighbours,
    Threes,
    Squares,
    Alone,
    Reach,
    SafeReach,
    HemmedIn,
    Contact,
    Near,
    Middle,
}

/// What squares are worth to dwarfs and to trolls.
static PLACES: Places<{ orbits(Grid15::SIDE) }> = places();

const fn places() -> Places<{ orbits(Grid15::SIDE) }> {
    Places::new(
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
    )
}

/// Bits of a value in [`PLACES`], the sign included.
const VALUE_BITS: usize = 5;

/// The values of dwarfs and of trolls by their bits.
static PLACE_BITS: [[Wide; VALUE_BITS]; 2] = [places().bits(0), places().bits(1)];

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

/// The squares of the board next to a member of the set. Not to be inlined, so that it is clean vector code.
#[inline(never)]
fn near(set: &Wide) -> Wide {
    around(*set) & Grid15::BOARD
}

/// The features that sets are counted for, in the order of [`counted`]; one may come several times.
const COUNTED: [Feature; 19] = [
    Feature::Points,
    Feature::Attacked,
    Feature::AttackedSafely,
    Feature::Neighbours,
    Feature::Neighbours,
    Feature::Neighbours,
    Feature::Neighbours,
    Feature::Threes,
    Feature::Threes,
    Feature::Threes,
    Feature::Threes,
    Feature::Squares,
    Feature::Alone,
    Feature::Reach,
    Feature::SafeReach,
    Feature::HemmedIn,
    Feature::Contact,
    Feature::Near,
    Feature::Middle,
];

/// Sets for the features, and after them one for each bit of the values of places.
const SETS: usize = COUNTED.len() + VALUE_BITS;

/// What a member of each set is worth to player 1, if it is one of player 1's and if it is one of player 2's.
#[cfg(not(feature = "tune"))]
static WEIGHTS: [[Score; 2]; SETS] = {
    let terms = weights(&terms());
    let mut weights = [[0; 2]; SETS];
    let mut i = 0;
    while i < SETS {
        weights[i] = if i < COUNTED.len() {
            terms[COUNTED[i] as usize]
        } else {
            // The highest bit is the sign, in two's complement.
            let sign = if i == SETS - 1 { -1 } else { 1 };
            let value = sign << (i - COUNTED.len());
            [value, -value]
        };
        i += 1;
    }
    weights
};

/// The sets whose members are counted for player 1 and for player 2.
///
/// They stay sets to the very end, where one loop counts them all: to count each where it is made breaks up the vector
/// code of its making.
#[inline(always)]
fn counted(position: &Position) -> [[Wide; 2]; SETS] {
    const NONE: Wide = Wide::EMPTY;
    let men = [position.dwarfs(), position.trolls()];
    let [dwarfs, trolls] = men;
    let [near_dwarfs, near_trolls] = [near(&dwarfs), near(&trolls)];
    let empty = position.empty();
    let reach = position.troll_reach();
    let aimed = position.aimed_at();
    let safe = reach & !aimed;
    let pairs = [longer(dwarfs, [dwarfs; 4]), longer(trolls, [trolls; 4])];
    let threes = longer(dwarfs, pairs[0]);
    let beside = pairs[0][0];
    let squares = longer(beside, [beside; 4])[2];
    let neighbours = |axis: usize| pairs.map(|pairs| pairs[axis]);
    let placed = |bit: usize| [0, 1].map(|side| men[side] & PLACE_BITS[side][bit]);
    [
        men,
        [dwarfs & near(&reach), trolls & aimed],
        [dwarfs & near(&safe), NONE],
        neighbours(0),
        neighbours(1),
        neighbours(2),
        neighbours(3),
        [threes[0], NONE],
        [threes[1], NONE],
        [threes[2], NONE],
        [threes[3], NONE],
        [squares, NONE],
        [dwarfs & !near_dwarfs, trolls & !near_trolls],
        [aimed & empty, reach],
        [NONE, safe],
        [NONE, trolls & !near(&empty)],
        [dwarfs & near_trolls, trolls & near_dwarfs],
        [dwarfs & near(&near_trolls), trolls & near(&near_dwarfs)],
        men.map(|men| men & MIDDLE),
        placed(0),
        placed(1),
        placed(2),
        placed(3),
        placed(4),
    ]
}

/// The sum of the sizes of sets, each times its weight. The words are added up only at the end.
#[inline(never)]
fn weighed(sets: &[Wide], weights: &[Score]) -> Score {
    let mut sum = [0; 4];
    for (set, weight) in sets.iter().zip(weights) {
        for (sum, word) in sum.iter_mut().zip(set.0) {
            *sum += i64::from(word.count_ones()) * i64::from(*weight);
        }
    }
    sum.iter().sum::<i64>() as Score
}

/// The tables of weights.
#[cfg(feature = "tune")]
pub(super) fn tables() -> Vec<Table> {
    vec![
        Table {
            name: "Thud",
            most: MOST,
            terms: TERMS.iter().collect(),
        },
        Table {
            most: (1 << (VALUE_BITS - 1)) - 1,
            ..PLACES.table("ThudPlaces")
        },
    ]
}

impl Evaluate for Thud {
    const KIND: Kind = Kind::Thud;
    const CAPTURES_CHAIN: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, (): &()) -> Score {
        let sets = counted(position);
        #[cfg(not(feature = "tune"))]
        let value = weighed(sets.as_flattened(), WEIGHTS.as_flattened());
        #[cfg(feature = "tune")]
        let value = {
            let terms = in_force(&TERMS);
            let weights = COUNTED.map(|feature| terms[feature as usize]);
            let men = [position.dwarfs(), position.trolls()];
            weighed(sets[..COUNTED.len()].as_flattened(), weights.as_flattened())
                + PLACES.value(men, Wide::EMPTY)
        };
        let turn = TERMS[Feature::Turn as usize].worth(position.side().index());
        turn + seen_by(position.side(), value)
    }

    fn terms(&self, position: &Position) -> Vec<TermValue> {
        let mut counts: Features<TERM_COUNT> = [[0; 2]; TERM_COUNT];
        for (feature, sets) in COUNTED.iter().zip(counted(position)) {
            for (count, set) in counts[*feature as usize].iter_mut().zip(sets) {
                *count += set.count() as i32;
            }
        }
        counts[Feature::Turn as usize][position.side().index()] = 1;
        let mut terms = list(&TERMS, &counts);
        terms.extend(PLACES.terms::<Grid15>([position.dwarfs(), position.trolls()], Wide::EMPTY));
        terms
    }

    #[inline]
    fn gain(&self, position: &Position, mv: Move) -> Score {
        let victim = (!position.side()).index();
        let worth = TERMS[0].worth(victim);
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
            TERMS[0].worth(position.side().index())
        } else {
            0
        };
        gain - risk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::write_rows;
    use crate::thud::{CaptureRule, PLAYING};

    #[test]
    fn the_value_is_the_sum_of_the_terms() {
        let game = Thud::new(CaptureRule::One);
        let mut random = fastrand::Rng::with_seed(15);
        for _ in 0..300 {
            let density = random.u8(1..60);
            let draws: Vec<u8> = (0..256).map(|_| random.u8(0..100)).collect();
            let rows = write_rows::<Grid15>(|square| match draws[usize::from(square)] {
                _ if !PLAYING.has(square) => Some('*'),
                draw if draw < density => Some('d'),
                draw if draw >= 100 - density / 2 => Some('T'),
                _ => None,
            });
            for side in Side::BOTH {
                let position = game.parse(&rows, side).unwrap();
                let terms = game.terms(&position);
                let sums = terms.iter().fold([0, 0], |sums, term| {
                    let [first, second] = term.values();
                    [sums[0] + first, sums[1] + second]
                });
                let (own, other) = (side.index(), (!side).index());
                assert_eq!(
                    game.evaluate(&position, &()),
                    sums[own] - sums[other],
                    "{rows}"
                );
            }
        }
    }
}
