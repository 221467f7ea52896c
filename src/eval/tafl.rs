//! Terms of the tafl games.

use super::{Evaluate, Features, Term, TermValue, list, term, weigh};
use crate::bits::Bits;
use crate::game::{Game, Move, Side};
use crate::grid::{Direction, Grid};
use crate::score::Score;
use crate::tafl::spec::Goal;
use crate::tafl::{Fairy, KING_INDEX, Position, Rules, Tafl};

/// A term's name and its weights where the king's goal is the edge, and where it is the corners.
type Row = (&'static str, [Score; 2], [Score; 2]);

/// The terms; fitted to the results of quick games (`trials fit`), a man is worth about 100 on average.
const ROWS: [Row; TERM_COUNT] = [
    ("men", [88, 131], [81, 116]),
    ("turn", [-15, 13], [11, 12]),
    ("king's moves", [0, -14], [0, 5]),
    ("squares from which the king would escape", [0, 5], [0, 3]),
    ("threats to escape", [0, 67], [0, 17]),
    ("king three moves from the goal", [0, -17], [0, -3]),
    ("king sealed in", [30, 0], [124, 0]),
    ("men beside the king", [39, 18], [13, -5]),
    ("squares that take the king", [57, 0], [48, 0]),
    ("squares that capture", [31, 95], [27, 26]),
    ("squares in reach", [1, 6], [0, 1]),
    ("approaches of the goal in reach", [0, 0], [1, 0]),
    ("men beside the goal", [10, 13], [-6, 27]),
    ("neighbours on a diagonal", [34, 4], [14, -7]),
];

const TERM_COUNT: usize = 14;

/// The rows as terms, for either goal.
static EDGE: [Term; TERM_COUNT] = table(Goal::Edge);
static CORNERS: [Term; TERM_COUNT] = table(Goal::Corners);

const fn table(goal: Goal) -> [Term; TERM_COUNT] {
    let mut terms = [const { term("", [0, 0]) }; TERM_COUNT];
    let mut row = 0;
    while row < TERM_COUNT {
        let (name, edge, corners) = ROWS[row];
        let weight = match goal {
            Goal::Edge => edge,
            Goal::Corners => corners,
        };
        terms[row] = term(name, weight);
        row += 1;
    }
    terms
}

#[inline(always)]
fn weights(goal: Goal) -> &'static [Term; TERM_COUNT] {
    match goal {
        Goal::Edge => &EDGE,
        Goal::Corners => &CORNERS,
    }
}

#[inline]
fn features<G: Grid, const FULL: bool>(
    rules: &Rules<G, FULL>,
    position: &Position<G::Bits>,
) -> Features<TERM_COUNT> {
    let [attackers, defenders] = position.men;
    let count = |set: G::Bits| set.count() as i32;
    let free = rules.pass[KING_INDEX] & !position.occupied();
    let stop = rules.stop[KING_INDEX];
    let goal = rules.goal & free;

    // The king's squares of one move, and the squares from which he would be home with one.
    let near = G::reach(position.king, free) & stop;
    let home = G::reach(goal, free);
    let threats = near & home;
    let escapes = home.meets(position.king);
    // Squares two moves away matter only where no shorter way is open.
    let (mut third, mut sealed) = (false, false);
    if threats.is_empty() && !escapes {
        let mut region = near;
        let mut next = G::reach(near, free) & stop & !near;
        third = next.meets(home);
        while next.any() && !region.meets(home) {
            region |= next;
            next = G::reach(next, free) & stop & !region;
        }
        sealed = !region.meets(home);
    }

    let beside = G::beside(position.king);
    let reach = Side::BOTH.map(|side| rules.reach_of_men(position, side));
    let beside_goal = G::beside(rules.goal) & !rules.goal;
    let diagonal = position.men.map(|men| {
        let by = |files| count(men & G::step(men, Direction::new(files, 1)));
        by(1) + by(-1)
    });
    let sites =
        Side::BOTH.map(|side| count(rules.sites_against_men(position, side) & reach[side.index()]));
    [
        [count(attackers), count(defenders)],
        Side::BOTH.map(|side| i32::from(position.side == side)),
        [0, count(near)],
        [0, count(home)],
        [0, count(threats)],
        [0, i32::from(third)],
        [i32::from(sealed), 0],
        [count(beside & attackers), count(beside & defenders)],
        [count(rules.king_capture_sites(position) & reach[0]), 0],
        sites,
        reach.map(count),
        [count(home & reach[0]), 0],
        position.men.map(|men| count(men & beside_goal)),
        diagonal,
    ]
}

impl<G: Grid, const FULL: bool> Evaluate for Tafl<G, FULL> {
    #[inline]
    fn evaluate(&self, position: &Self::Position) -> Score {
        let weights = weights(self.rules.spec.goal);
        weigh(weights, &features(&self.rules, position), position.side)
    }

    fn terms(&self, position: &Self::Position) -> Vec<TermValue> {
        let weights = weights(self.rules.spec.goal);
        list(weights, &features(&self.rules, position))
    }

    #[inline]
    fn gain(&self, position: &Self::Position, mv: Move) -> Score {
        let victim = (!position.side).index();
        let men = weights(self.rules.spec.goal)[0].weight[victim];
        self.captured(position, mv).count() as Score * men
    }
}

/// The other kinds of piece count as men.
impl<G: Grid> Evaluate for Fairy<G> {
    fn evaluate(&self, position: &Self::Position) -> Score {
        let weights = weights(self.rules.spec.goal);
        let features = features(&self.rules, &self.plain(position));
        weigh(weights, &features, position.side)
    }

    fn terms(&self, position: &Self::Position) -> Vec<TermValue> {
        let weights = weights(self.rules.spec.goal);
        list(weights, &features(&self.rules, &self.plain(position)))
    }

    fn gain(&self, position: &Self::Position, mv: Move) -> Score {
        let victim = (!position.side).index();
        let men = weights(self.rules.spec.goal)[0].weight[victim];
        self.captured(position, mv).count() as Score * men
    }
}
