//! What a node leaves out, and how much less deep it looks at late moves: every number of that in one table.

use super::history::HISTORY_LIMIT;
use super::picker::Picked;
use super::thread::{Thread, UNKNOWN};
use crate::eval::Evaluate;
use crate::game::Move;
use crate::score::{Score, WIN_FLOOR};
use std::sync::LazyLock;

/// The numbers of pruning and reductions; depths in plies, margins in centipoints.
struct Tuning {
    /// Reverse futility: deepest node, and margin a ply.
    reverse: (i32, Score),
    /// Null move: least depth, least reduction, plies of depth and margin above beta for another ply of it.
    null: (i32, i32, i32, Score),
    /// Late move pruning: deepest node, quiet moves at depth 0, and their growth by the square of the depth.
    late: (i32, i32, i32),
    /// Futility: deepest node, margin at depth 0, and margin a ply.
    futility: (i32, Score, Score),
    /// Quiet moves that history speaks against: deepest node, and the history a ply.
    doomed: (i32, i32),
    /// Internal iterative reduction: least depth.
    iterative: i32,
    /// Late move reduction: base, factor of the logarithms, and the history worth a ply.
    late_reduction: (f64, f64, i32),
}

static TUNING: Tuning = Tuning {
    reverse: (6, 90),
    null: (3, 3, 4, 200),
    late: (6, 6, 4),
    futility: (6, 100, 90),
    doomed: (4, HISTORY_LIMIT / 4),
    iterative: 4,
    late_reduction: (0.4, 0.45, 8000),
};

/// What a node knows of itself once it has decided to search its moves.
pub(super) struct Node {
    pub depth: i32,
    pub ply: usize,
    /// The opponent would win if it were his turn.
    pub threatened: bool,
    /// Static evaluation, [`UNKNOWN`] under threat.
    pub standing: Score,
    /// Whether that is better than at the same side's turn before.
    pub improving: bool,
}

impl Node {
    /// Whether the node stands so well that it may be decided before any of its moves is searched.
    #[inline(always)]
    fn may_fail_high(&self, beta: Score) -> bool {
        !self.threatened && self.standing >= beta && beta.abs() < WIN_FLOOR
    }

    /// Reverse futility: a bound that decides a node so far above beta that a quiet reply will not change it.
    #[inline(always)]
    pub fn stands_far_above(&self, beta: Score) -> Option<Score> {
        let (deepest, margin) = TUNING.reverse;
        if self.depth > deepest || !self.may_fail_high(beta) {
            return None;
        }
        let floor = self.standing - margin * (self.depth - i32::from(self.improving));
        (floor >= beta).then_some(floor)
    }

    /// Whether the quiet moves that follow the first `quiets` are left out. Not where a win is to be shortened or a loss
    /// put off: there the evaluation has nothing to say.
    #[inline(always)]
    pub fn leaves_out(&self, quiets: usize, alpha: Score) -> bool {
        if self.threatened || alpha.abs() >= WIN_FLOOR {
            return false;
        }
        let (deepest, base, growth) = TUNING.late;
        if self.depth <= deepest {
            let allowed = base + growth * self.depth * self.depth;
            if quiets as i32 >= allowed / (2 - i32::from(self.improving)) {
                return true;
            }
        }
        let (deepest, base, margin) = TUNING.futility;
        self.depth <= deepest && self.standing + base + margin * self.depth <= alpha
    }

    /// Whether history alone speaks against a quiet move.
    #[inline(always)]
    pub fn is_doomed(&self, history: i32) -> bool {
        let (deepest, worth) = TUNING.doomed;
        !self.threatened && self.depth <= deepest && history < -worth * self.depth
    }

    /// By how many plies the `count`th move is searched less deep at first.
    #[inline(always)]
    pub fn reduction<const PV: bool>(&self, picked: Picked, count: u32) -> i32 {
        if self.depth < 3 || count <= 3 || picked.capture || self.threatened {
            return 0;
        }
        let reduction = REDUCTIONS[(self.depth as usize).min(63)][(count as usize).min(255)];
        let reduction = i32::from(reduction) + i32::from(!self.improving)
            - picked.history / TUNING.late_reduction.2
            - i32::from(PV);
        reduction.clamp(0, self.depth - 2)
    }
}

/// Late move reduction in plies: grows with the logarithms of the depth and of the move's rank.
static REDUCTIONS: LazyLock<[[u8; 256]; 64]> = LazyLock::new(|| {
    let (base, factor, _) = TUNING.late_reduction;
    let log = |n: usize| (n.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|count| (base + log(depth) * log(count) * factor) as u8)
    })
});

/// Without a move from the table the order is poor, and one ply less now gives the next iteration a better one.
#[inline(always)]
pub(super) fn iterative_reduction(depth: i32, table_move: Move) -> i32 {
    i32::from(depth >= TUNING.iterative && table_move.is_none())
}

impl<G: Evaluate> Thread<'_, G> {
    /// Notes the static evaluation of a node, and how it compares with that of two plies before.
    #[inline(always)]
    pub(super) fn stand(
        &mut self,
        position: &G::Position,
        depth: i32,
        ply: usize,
        threatened: bool,
    ) -> Node {
        let standing = if threatened {
            UNKNOWN
        } else {
            self.evaluate(position)
        };
        self.mind.standing[ply] = standing;
        Node {
            depth,
            ply,
            threatened,
            standing,
            improving: !threatened && ply >= 2 && standing > self.mind.standing[ply - 2],
        }
    }

    /// A side that stands well although it leaves the turn to the opponent will stand well after its best move too
    /// (Beal 1989, Donninger 1993). Not twice in a row, and never for a win.
    #[inline(always)]
    pub(super) fn null_move(
        &mut self,
        position: &G::Position,
        node: &Node,
        beta: Score,
    ) -> Option<Score> {
        let after_null = || self.mind.line.last().is_some_and(|mv| mv.is_none());
        if node.depth < TUNING.null.0 || !node.may_fail_high(beta) || after_null() {
            return None;
        }
        self.search_null(position, node, beta)
    }

    fn search_null(&mut self, position: &G::Position, node: &Node, beta: Score) -> Option<Score> {
        let (_, reduction, plies, margin) = TUNING.null;
        let reduction = reduction + node.depth / plies + ((node.standing - beta) / margin).min(3);
        let child = self.make_null(position);
        let score = -self.search::<false>(
            &child,
            -beta,
            1 - beta,
            node.depth - reduction,
            node.ply + 1,
        );
        self.unmake();
        if self.ended {
            return Some(0);
        }
        (score >= beta).then_some(if score >= WIN_FLOOR { beta } else { score })
    }
}
