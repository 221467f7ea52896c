//! Two fixed opponents on the reference, to measure an engine against: a plain search of two plies for material, and a
//! mover at random. This file is never to change again, or old measurements mean nothing; so it brings its own random
//! numbers and leans on nothing outside the reference.

use super::board::Square;
use super::{Game, Position, Winner, thud};

/// SplitMix64.
struct Random {
    state: u64,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the texts, after sorting them, so that the choice does not hang on the order they were found in.
    fn pick(&mut self, mut texts: Vec<String>) -> Option<String> {
        if texts.is_empty() {
            return None;
        }
        texts.sort();
        let index = self.next() % texts.len() as u64;
        Some(texts.swap_remove(index as usize))
    }
}

/// Plays any legal move.
pub struct RandomMover {
    random: Random,
}

impl RandomMover {
    pub fn new(seed: u64) -> RandomMover {
        RandomMover {
            random: Random { state: seed },
        }
    }

    /// A move, or None if the game is over.
    pub fn choose(&mut self, game: &Game) -> Option<String> {
        if game.result().is_some() {
            return None;
        }
        self.random.pick(game.position().legal_moves())
    }
}

/// Looks at its own moves and the replies: wins at once if it can, does not let the opponent win at once if it can be
/// helped, and else takes the most material, less what the best reply takes. Equal moves are drawn by lot. Of repetition
/// and of quiet plies it knows nothing.
pub struct Yardstick {
    random: Random,
}

/// How good a move is; the derived order is that of preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// The opponent can win at once; with the material that this leaves.
    Loses(i32),
    Material(i32),
    Wins,
}

impl Yardstick {
    pub fn new(seed: u64) -> Yardstick {
        Yardstick {
            random: Random { state: seed },
        }
    }

    /// A move, or None if the game is over.
    pub fn choose(&mut self, game: &Game) -> Option<String> {
        if game.result().is_some() {
            return None;
        }
        let position = game.position();
        let mut best = None;
        let mut texts = Vec::new();
        for m in position.moves() {
            let (next, captured) = position.apply(&m);
            let gain = material(position, &captured);
            let worth = if position.variant.is_thud() {
                Worth::Material(gain - thud::largest_capture(&next) as i32)
            } else {
                tafl_worth(&next, gain)
            };
            if Some(worth) > best {
                best = Some(worth);
                texts.clear();
            }
            if Some(worth) == best {
                texts.push(m.text());
            }
        }
        self.random.pick(texts)
    }
}

/// What the captured squares of a position were worth: points in Thud, men (and the king) as 1 in tafl.
fn material(position: &Position, captured: &[Square]) -> i32 {
    let worth_of = |&square: &Square| match position.board.at(square) {
        'T' if position.variant.is_thud() => 4,
        _ => 1,
    };
    captured.iter().map(worth_of).sum()
}

/// The worth of a tafl move that took `gain` and led to `next`.
fn tafl_worth(next: &Position, gain: i32) -> Worth {
    let mover = if next.side == 2 {
        Winner::Player1
    } else {
        Winner::Player2
    };
    if next.board_result().is_some_and(|o| o.winner == mover) {
        return Worth::Wins;
    }
    let mut largest = 0;
    let mut loses = false;
    for reply in next.moves() {
        let (after, captured) = next.apply(&reply);
        // After the opponent's move a king captured or escaped is always the opponent's win.
        loses |= after.king_result().is_some();
        largest = largest.max(material(next, &captured));
    }
    if loses {
        Worth::Loses(gain - largest)
    } else {
        Worth::Material(gain - largest)
    }
}
