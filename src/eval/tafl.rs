//! Terms of the tafl games.

use super::{Evaluate, Features, Term, TermValue, list, term, weigh};
use crate::bits::Bits;
use crate::game::{Game, Move, Side};
use crate::grid::Grid;
use crate::score::Score;
use crate::tafl::{Position, Tafl};

/// The terms; a man is worth about 100 on average.
static TERMS: [Term; TERM_COUNT] = [
    term("men", [80, 120]),
    term("turn", [10, 10]),
    term("king's moves", [0, 4]),
    term("squares from which the king would escape", [0, 3]),
    term("threats to escape", [0, 30]),
    term("king three moves from the goal", [0, 10]),
    term("king sealed in", [60, 0]),
    term("men beside the king", [20, -5]),
    term("squares that take the king", [40, 0]),
    term("squares that capture", [12, 12]),
];

const TERM_COUNT: usize = 10;

impl<G: Grid> Tafl<G> {
    #[inline]
    fn features(&self, position: &Position<G::Bits>) -> Features<TERM_COUNT> {
        let rules = &self.rules;
        let [attackers, defenders] = position.men;
        let count = |set: G::Bits| set.count() as i32;
        let free = rules.pass[1] & !position.occupied();
        let stop = rules.stop[1];
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
        let sites = Side::BOTH
            .map(|side| count(rules.sites_against_men(position, side) & reach[side.index()]));
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
        ]
    }
}

impl<G: Grid> Evaluate for Tafl<G> {
    #[inline]
    fn evaluate(&self, position: &Self::Position) -> Score {
        weigh(&TERMS, &self.features(position), position.side)
    }

    fn terms(&self, position: &Self::Position) -> Vec<TermValue> {
        list(&TERMS, &self.features(position))
    }

    #[inline]
    fn gain(&self, position: &Self::Position, mv: Move) -> Score {
        let victim = (!position.side).index();
        self.captured(position, mv).count() as Score * TERMS[0].weight[victim]
    }
}
