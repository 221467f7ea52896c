//! Terms of the tafl games.

#[cfg(feature = "tune")]
use super::in_force;
use super::places::Places;
#[cfg(feature = "tune")]
use super::tuning::{MOST, Table};
#[cfg(not(feature = "tune"))]
use super::weights;
use super::{Evaluate, Features, Kind, Term, TermValue, list, seen_by, term, weigh};
use crate::bits::Bits;
use crate::game::{Game, Move, Side};
use crate::grid::{Direction, Grid, Grid7, Grid11, orbits};
use crate::score::Score;
use crate::tafl::spec::Goal;
use crate::tafl::{Fairy, KING_INDEX, Position, Rules, Sight, Tafl};

/// A term's name and its weights in each [`Column`].
type Row = (&'static str, [[Score; 2]; COLUMNS]);

/// Games that share weights.
#[derive(Clone, Copy)]
enum Column {
    /// The king's goal is the edge.
    Edge,
    /// The king's goal is the corners.
    Corners,
    /// The same on 7×7.
    Seven,
    /// The edge, on 11×11.
    Eleven,
}

const COLUMNS: usize = 4;
/// In their order.
#[cfg(feature = "tune")]
const COLUMN_NAMES: [&str; COLUMNS] = ["Edge", "Corners", "Seven", "Eleven"];

/// The terms, a man worth about 100 on average. Fitted to the results of quick games (`trials fit`); the last two columns then
/// tuned by games (`arena tune`, SPSA), which a fit can not replace: in games of one's own both sides do what the weights
/// already ask for, so that their results tell little of it.
const ROWS: [Row; TERM_COUNT] = [
    // What the attackers have to make good: even chances are 0.
    ("balance", [[0, 0], [0, 0], [-947, 0], [-3489, 0]]),
    ("men", [[88, 131], [81, 116], [84, 76], [144, 98]]),
    ("turn", [[-15, 13], [11, 12], [12, 7], [13, 79]]),
    ("king's moves", [[0, -14], [0, 5], [0, 7], [0, 3]]),
    (
        "squares from which the king would escape",
        [[0, 5], [0, 3], [0, 0], [0, 11]],
    ),
    ("threats to escape", [[0, 67], [0, 17], [0, 24], [0, 10]]),
    (
        "king three moves from the goal",
        [[0, -17], [0, -3], [0, -4], [0, -8]],
    ),
    ("king sealed in", [[30, 0], [124, 0], [160, 0], [53, 0]]),
    (
        "men beside the king",
        [[39, 18], [13, -5], [4, 7], [24, -35]],
    ),
    (
        "squares that take the king",
        [[57, 0], [48, 0], [17, 0], [84, 0]],
    ),
    (
        "squares that capture",
        [[31, 95], [27, 26], [6, 22], [27, 151]],
    ),
    ("squares in reach", [[1, 6], [0, 1], [5, 5], [9, 5]]),
    (
        "approaches of the goal in reach",
        [[0, 0], [1, 0], [9, 0], [8, 0]],
    ),
    (
        "men beside the goal",
        [[10, 13], [-6, 27], [-1, -7], [23, 5]],
    ),
    (
        "neighbours on a diagonal",
        [[34, 4], [14, -7], [0, 0], [0, 0]],
    ),
    ("men around the king", [[0, 0], [0, 0], [23, 36], [92, 54]]),
    (
        "men two squares from the king",
        [[0, 0], [0, 0], [19, 36], [57, 40]],
    ),
    (
        "men three squares from the king",
        [[0, 0], [0, 0], [8, 0], [29, 38]],
    ),
    (
        "king's lines without attackers",
        [[0, 0], [0, 0], [0, 0], [0, 206]],
    ),
];

const TERM_COUNT: usize = 19;
/// Row of the men.
const MEN: usize = 1;

/// Squares of 7×7 where the king's goal is the corners.
static SEVEN: Places<{ orbits(Grid7::SIDE) }> = Places::new(
    Grid7::SIDE,
    Grid7::STRIDE,
    &[
        [0, 0, 0],
        [9, -36, 0],
        [21, -48, 126],
        [24, -15, -20],
        [32, -34, 21],
        [32, -39, -9],
        [39, -7, 5],
        [10, -42, 30],
        [8, -42, -11],
        [0, 0, -4],
    ],
);

/// Squares of 11×11 where the king's goal is the edge.
static ELEVEN: Places<{ orbits(Grid11::SIDE) }> = Places::new(
    Grid11::SIDE,
    Grid11::STRIDE,
    &[
        [6, 149, 0],
        [10, 43, 0],
        [10, -17, 19],
        [46, 59, 0],
        [59, 73, 19],
        [99, 32, 242],
        [61, 106, 0],
        [51, 69, -165],
        [74, -5, 164],
        [32, 10, 28],
        [56, 96, 0],
        [52, 35, 8],
        [78, -22, 92],
        [79, 15, -53],
        [88, -7, -66],
        [33, 22, 0],
        [19, -19, 469],
        [66, -32, 160],
        [28, -11, 26],
        [52, -35, -131],
        [0, 0, -151],
    ],
);

/// The columns as terms.
static TERMS: [[Term; TERM_COUNT]; COLUMNS] = [
    column(Column::Edge as usize),
    column(Column::Corners as usize),
    column(Column::Seven as usize),
    column(Column::Eleven as usize),
];

const fn column(column: usize) -> [Term; TERM_COUNT] {
    let mut terms = [const { term("", [0, 0]) }; TERM_COUNT];
    let mut row = 0;
    while row < TERM_COUNT {
        let (name, weights) = ROWS[row];
        terms[row] = term(name, weights[column]);
        row += 1;
    }
    terms
}

#[inline(always)]
fn column_of<G: Grid>(goal: Goal) -> Column {
    match (G::SIDE, goal) {
        (7, Goal::Corners) => Column::Seven,
        (11, Goal::Edge) => Column::Eleven,
        (_, Goal::Corners) => Column::Corners,
        (_, Goal::Edge) => Column::Edge,
    }
}

#[inline(always)]
fn features<G: Grid, const FULL: bool>(
    rules: &Rules<G, FULL>,
    position: &Position<G::Bits>,
    sight: &Sight<G::Bits>,
) -> Features<TERM_COUNT> {
    let [attackers, defenders] = position.men;
    let count = |set: G::Bits| set.count() as i32;
    let free = rules.pass[KING_INDEX] & !position.occupied();
    let stop = rules.stop[KING_INDEX];

    // The king's squares of one move, and the squares from which he would be home with one.
    let near = rules.near(position, sight);
    let [east, north, west, south] = sight.ways;
    let home = (east | north | west | south) & free;
    let threats = near & home;
    // Squares two moves away matter only where no shorter way is open.
    let (mut third, mut sealed) = (false, false);
    if threats.is_empty() {
        let mut region = near;
        let mut next = G::reach(near, free) & stop & !near;
        third = next.meets(home);
        if !third {
            while next.any() && !region.meets(home) {
                region |= next;
                next = G::reach(next, free) & stop & !region;
            }
            sealed = !region.meets(home);
        }
    }

    let beside = G::beside(position.king);
    let one = G::around(position.king);
    let two = G::around(one);
    let three = G::around(two);
    let at = |ring: G::Bits| [count(attackers & ring), count(defenders & ring)];
    // Without a king the number is off the board, where no ray is.
    let rays = G::behind();
    let king = usize::from(position.king.first());
    let lines: i32 = (0..4)
        .map(|direction| {
            let ray = rays[direction][king];
            i32::from(ray.meets(rules.goal) && !ray.meets(attackers))
        })
        .sum();
    let reach = sight.reach;
    let beside_goal = G::beside(rules.goal) & !rules.goal;
    let diagonal = |men: G::Bits| {
        let by = |files| count(men & G::step(men, Direction::new(files, 1)));
        by(1) + by(-1)
    };
    let sites = |side: usize| count(sight.sites[side] & reach[side]);
    [
        [1, 0],
        [count(attackers), count(defenders)],
        Side::BOTH.map(|side| i32::from(position.side == side)),
        [0, count(near)],
        [0, count(home)],
        [0, count(threats)],
        [0, i32::from(third)],
        [i32::from(sealed), 0],
        at(beside),
        [count(sight.king_sites & reach[0]), 0],
        [sites(0), sites(1)],
        [count(reach[0]), count(reach[1])],
        [count(home & reach[0]), 0],
        at(beside_goal),
        [diagonal(attackers), diagonal(defenders)],
        at(one),
        at(two & !one),
        at(three & !two),
        [0, lines],
    ]
}

/// The value of a position for the side to move.
#[inline(always)]
fn value<G: Grid, const FULL: bool>(
    rules: &Rules<G, FULL>,
    position: &Position<G::Bits>,
    sight: &Sight<G::Bits>,
) -> Score {
    let value = match column_of::<G>(rules.spec.goal) {
        Column::Edge => weighed::<G, FULL, { Column::Edge as usize }>(rules, position, sight),
        Column::Corners => weighed::<G, FULL, { Column::Corners as usize }>(rules, position, sight),
        Column::Seven => {
            weighed::<G, FULL, { Column::Seven as usize }>(rules, position, sight)
                + SEVEN.value(position.men, position.king)
        }
        Column::Eleven => {
            weighed::<G, FULL, { Column::Eleven as usize }>(rules, position, sight)
                + ELEVEN.value(position.men, position.king)
        }
    };
    seen_by(position.side, value)
}

/// The tables of weights.
#[cfg(feature = "tune")]
pub(super) fn tables() -> Vec<Table> {
    let rows = COLUMN_NAMES.into_iter().zip(&TERMS);
    let of_rows = rows.map(|(name, terms)| Table {
        name,
        most: MOST,
        terms: terms.iter().collect(),
    });
    of_rows
        .chain([SEVEN.table("SevenPlaces"), ELEVEN.table("ElevenPlaces")])
        .collect()
}

/// The sum of the terms for player 1. The column is known when this is compiled, so that nothing is spent on a feature
/// that weighs nothing.
#[inline(always)]
fn weighed<G: Grid, const FULL: bool, const COLUMN: usize>(
    rules: &Rules<G, FULL>,
    position: &Position<G::Bits>,
    sight: &Sight<G::Bits>,
) -> Score {
    #[cfg(not(feature = "tune"))]
    let weights = const { weights(&column(COLUMN)) };
    #[cfg(feature = "tune")]
    let weights = in_force(&TERMS[COLUMN]);
    weigh(&weights, &features(rules, position, sight))
}

fn terms<G: Grid, const FULL: bool>(
    rules: &Rules<G, FULL>,
    position: &Position<G::Bits>,
) -> Vec<TermValue> {
    let column = column_of::<G>(rules.spec.goal);
    let mut terms = list(
        &TERMS[column as usize],
        &features(rules, position, &rules.sight(position)),
    );
    match column {
        Column::Seven => terms.extend(SEVEN.terms::<G>(position.men, position.king)),
        Column::Eleven => terms.extend(ELEVEN.terms::<G>(position.men, position.king)),
        Column::Edge | Column::Corners => {}
    }
    terms
}

/// What the captures of a move gain.
#[inline(always)]
fn gain<G: Grid>(goal: Goal, mover: Side, captured: u32) -> Score {
    let column = column_of::<G>(goal);
    captured as Score * TERMS[column as usize][MEN].worth((!mover).index())
}

/// What kind of game tafl on this board is.
const fn kind_on<G: Grid>() -> Kind {
    if G::SIDE <= 9 {
        Kind::SmallTafl
    } else {
        Kind::LargeTafl
    }
}

impl<G: Grid, const FULL: bool> Evaluate for Tafl<G, FULL> {
    const KIND: Kind = kind_on::<G>();

    #[inline]
    fn evaluate(&self, position: &Self::Position, sight: &Self::Sight) -> Score {
        value(&self.rules, position, sight)
    }

    fn terms(&self, position: &Self::Position) -> Vec<TermValue> {
        terms(&self.rules, position)
    }

    #[inline]
    fn gain(&self, position: &Self::Position, mv: Move) -> Score {
        let captured = self.captured(position, mv).count();
        gain::<G>(self.rules.spec.goal, position.side, captured)
    }
}

/// The other kinds of piece count as men.
impl<G: Grid> Evaluate for Fairy<G> {
    const KIND: Kind = kind_on::<G>();

    fn evaluate(&self, position: &Self::Position, (): &()) -> Score {
        let position = self.plain(position);
        value(&self.rules, &position, &self.rules.sight(&position))
    }

    fn terms(&self, position: &Self::Position) -> Vec<TermValue> {
        terms(&self.rules, &self.plain(position))
    }

    fn gain(&self, position: &Self::Position, mv: Move) -> Score {
        let captured = self.captured(position, mv).count();
        gain::<G>(self.rules.spec.goal, position.side, captured)
    }
}
