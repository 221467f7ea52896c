//! Scores: centipoints from the side to move, with won games above all of them.

use crate::game::{Outcome, Side};

/// A score in centipoints, or a distance to a decided game.
pub type Score = i32;

/// Deepest line of play that the search follows, in plies from the root.
pub const MAX_PLY: usize = 128;

/// A game won at the root; a win in `n` plies is `WIN - n`.
pub const WIN: Score = 100_000;

/// Scores from here on are won games; everything that an evaluation may return is below.
pub const WIN_FLOOR: Score = WIN - 1000;

/// Above every score.
pub const INFINITE: Score = WIN + 1;

/// The largest evaluation of a running game: a margin of 660 points is possible in Thud.
pub const EVAL_LIMIT: Score = 90_000;

/// The value of a finished game at `ply` for `side`. Points count 100 each; without them the nearer win is better.
pub fn of_outcome(outcome: Outcome, side: Side, ply: usize) -> Score {
    match (outcome.points, outcome.winner) {
        (Some(points), _) => {
            let margin = i64::from(points[side.index()]) - i64::from(points[(!side).index()]);
            (margin * 100).clamp(i64::from(-EVAL_LIMIT), i64::from(EVAL_LIMIT)) as Score
        }
        (None, None) => 0,
        (None, Some(winner)) if winner == side => WIN - ply as Score,
        (None, Some(_)) => ply as Score - WIN,
    }
}

/// Plies to the end of a decided game: positive if the side to move wins.
pub fn plies_to_end(score: Score) -> Option<i32> {
    if score >= WIN_FLOOR {
        Some(WIN - score)
    } else if score <= -WIN_FLOOR {
        Some(-(WIN + score))
    } else {
        None
    }
}

/// For the table: distances are kept from the node, not from the root.
#[inline(always)]
pub fn to_table(score: Score, ply: usize) -> Score {
    if score >= WIN_FLOOR {
        score + ply as Score
    } else if score <= -WIN_FLOOR {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_table`].
#[inline(always)]
pub fn from_table(score: Score, ply: usize) -> Score {
    if score >= WIN_FLOOR {
        score - ply as Score
    } else if score <= -WIN_FLOOR {
        score + ply as Score
    } else {
        score
    }
}

/// Chances to win, draw and lose in permille, from the score of the side to move.
///
/// A logistic curve of 200 centipoints; what is left between winning and losing is the draw. The curve is a convention
/// for drivers that draw a bar, not a calibrated forecast.
pub fn chances(score: Score) -> [u32; 3] {
    if let Some(plies) = plies_to_end(score) {
        return if plies > 0 {
            [1000, 0, 0]
        } else {
            [0, 0, 1000]
        };
    }
    let curve = |score: f64| 1000.0 / (1.0 + (-score / 200.0).exp());
    let win = curve(f64::from(score) - 100.0).round() as u32;
    let loss = curve(f64::from(-score) - 100.0).round() as u32;
    [win, 1000 - win - loss, loss]
}
