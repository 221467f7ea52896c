//! What a node leaves out, and how much less deep it looks at late moves.

use super::picker::Picked;
use super::thread::{Thread, UNKNOWN};
use super::tuning::Parameter::*;
use crate::eval::{Evaluate, KINDS};
use crate::game::Move;
use crate::score::{Score, WIN_FLOOR};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What a node knows of itself once it has decided to search its moves.
pub(super) struct Node<'a, G: Evaluate> {
    pub sight: &'a G::Sight,
    pub depth: i32,
    pub ply: usize,
    /// The opponent would win if it were his turn.
    pub threatened: bool,
    /// Static evaluation, [`UNKNOWN`] under threat.
    pub standing: Score,
    /// Whether that is better than at the same side's turn before.
    pub improving: bool,
    /// Whether it is expected to fail high.
    pub cuts: bool,
    /// Whether all its moves are searched to its depth, because a mate is asked for: what is left out may be one.
    pub whole: bool,
}

impl<G: Evaluate> Node<'_, G> {
    /// Whether the node stands so well that it may be decided before any of its moves is searched.
    #[inline(always)]
    fn may_fail_high(&self, beta: Score) -> bool {
        !self.threatened && !self.whole && self.standing >= beta && beta.abs() < WIN_FLOOR
    }

    /// Reverse futility: a bound that decides a node so far above beta that a quiet reply will not change it.
    #[inline(always)]
    pub fn stands_far_above(&self, beta: Score) -> Option<Score> {
        if self.depth > ReverseDepth.get::<G>() || !self.may_fail_high(beta) {
            return None;
        }
        let plies = self.depth - i32::from(self.improving);
        let floor = self.standing - ReverseMargin.get::<G>() * plies;
        (floor >= beta).then_some(floor)
    }

    /// Whether the quiet moves that follow the first `quiets` are left out. Not where a win is to be shortened or a loss
    /// put off: there the evaluation has nothing to say.
    #[inline(always)]
    pub fn leaves_out(&self, quiets: usize, alpha: Score) -> bool {
        if self.threatened || self.whole || alpha.abs() >= WIN_FLOOR {
            return false;
        }
        if self.depth <= LateDepth.get::<G>() {
            let allowed = LateBase.get::<G>() + LateGrowth.get::<G>() * self.depth * self.depth;
            if quiets as i32 >= allowed / (2 - i32::from(self.improving)) {
                return true;
            }
        }
        let hope = self.standing + FutilityBase.get::<G>() + FutilityMargin.get::<G>() * self.depth;
        self.depth <= FutilityDepth.get::<G>() && hope <= alpha
    }

    /// Whether history alone speaks against a quiet move.
    #[inline(always)]
    pub fn is_doomed(&self, history: i32) -> bool {
        !self.threatened
            && !self.whole
            && self.depth <= DoomedDepth.get::<G>()
            && history < -DoomedHistory.get::<G>() * self.depth
    }

    /// By how many plies the `count`th move is searched less deep at first.
    #[inline(always)]
    pub fn reduction<const PV: bool>(&self, picked: Picked, count: u32) -> i32 {
        if self.depth < 3 || count <= 3 || picked.capture || self.threatened || self.whole {
            return 0;
        }
        let reduction =
            &REDUCTIONS[G::KIND as usize][(self.depth as usize).min(63)][(count as usize).min(255)];
        let reduction = i32::from(reduction.load(Relaxed)) + i32::from(!self.improving)
            - picked.history / ReductionHistory.get::<G>()
            - i32::from(PV)
            + i32::from(self.cuts) * CutReduction.get::<G>();
        reduction.clamp(0, self.depth - 2)
    }
}

/// Late move reductions in plies of a kind of game, by depth and rank of the move.
type Reductions = [[AtomicU8; 256]; 64];

static REDUCTIONS: LazyLock<[Reductions; KINDS]> = LazyLock::new(|| {
    std::array::from_fn(|kind| {
        std::array::from_fn(|depth| {
            std::array::from_fn(|count| AtomicU8::new(late_reduction(kind, depth, count)))
        })
    })
});

/// Grows with the logarithms of the depth and of the move's rank.
fn late_reduction(kind: usize, depth: usize, count: usize) -> u8 {
    let [base, factor] =
        [ReductionBase, ReductionFactor].map(|number| number.of(kind) as f64 / 100.0);
    let log = |n: usize| (n.max(1) as f64).ln();
    (base + log(depth) * log(count) * factor) as u8
}

/// Makes the table of reductions anew from the numbers in force.
#[cfg(feature = "tune")]
pub(super) fn remake_reductions() {
    for (kind, reductions) in REDUCTIONS.iter().enumerate() {
        for (depth, row) in reductions.iter().enumerate() {
            for (count, reduction) in row.iter().enumerate() {
                reduction.store(late_reduction(kind, depth, count), Relaxed);
            }
        }
    }
}

/// Without a move from the table the order is poor, and one ply less now gives the next iteration a better one.
#[inline(always)]
pub(super) fn iterative_reduction<G: Evaluate>(depth: i32, table_move: Move) -> i32 {
    i32::from(depth >= IterativeDepth.get::<G>() && table_move.is_none())
}

impl<G: Evaluate> Thread<'_, G> {
    /// Notes the static evaluation of a node, and how it compares with that of two plies before.
    #[inline(always)]
    pub(super) fn stand<'a>(
        &mut self,
        position: &G::Position,
        sight: &'a G::Sight,
        depth: i32,
        ply: usize,
        threatened: bool,
    ) -> Node<'a, G> {
        let standing = if threatened {
            UNKNOWN
        } else {
            self.evaluate(position, sight)
        };
        self.mind.standing[ply] = standing;
        Node {
            sight,
            depth,
            ply,
            threatened,
            standing,
            improving: !threatened && ply >= 2 && standing > self.mind.standing[ply - 2],
            cuts: false,
            whole: self.job.limits.mate.is_some(),
        }
    }

    /// A side that stands well although it leaves the turn to the opponent will stand well after its best move too
    /// (Beal 1989, Donninger 1993). Not twice in a row, and never for a win.
    #[inline(always)]
    pub(super) fn null_move(
        &mut self,
        position: &G::Position,
        node: &Node<'_, G>,
        beta: Score,
    ) -> Option<Score> {
        let after_null = || self.mind.line.last().is_some_and(|mv| mv.is_none());
        if node.depth < NullDepth.get::<G>() || !node.may_fail_high(beta) || after_null() {
            return None;
        }
        self.search_null(position, node, beta)
    }

    fn search_null(
        &mut self,
        position: &G::Position,
        node: &Node<'_, G>,
        beta: Score,
    ) -> Option<Score> {
        let by_margin = ((node.standing - beta) / NullMargin.get::<G>()).min(3);
        let reduction = NullReduction.get::<G>() + node.depth / NullDivisor.get::<G>() + by_margin;
        let child = self.make_null(position);
        let score = -self.search::<false>(
            &child,
            -beta,
            1 - beta,
            node.depth - reduction,
            node.ply + 1,
            !node.cuts,
        );
        self.unmake();
        if self.ended {
            return Some(0);
        }
        (score >= beta).then_some(if score >= WIN_FLOOR { beta } else { score })
    }
}

#[cfg(all(test, feature = "tune"))]
mod tests {
    use super::super::tuning::TABLE;
    use super::*;
    use crate::eval::Kind;

    #[test]
    fn tuning_remakes_the_table_of_reductions() {
        // The logarithm of 1 is 0: only the base counts.
        let large = Kind::LargeTafl as usize;
        let told = || REDUCTIONS.iter().map(|table| table[1][1].load(Relaxed));
        let before: Vec<u8> = told().collect();
        TABLE[ReductionBase as usize][large].set(200);
        assert_eq!(ReductionBase.of(large), 200);
        for (kind, (before, now)) in before.into_iter().zip(told()).enumerate() {
            assert_eq!(now, if kind == large { 2 } else { before });
        }
    }
}
