//! The boards of the games: their sizes and strides, and faster slides for those of one and two words.

use super::{Direction, Grid, SQUARES};
use crate::bits::Wide;

macro_rules! grid {
    ($(#[$doc:meta])* $name:ident: $bits:ty, $side:literal, $stride:literal, $from_words:expr $(, $item:item)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl Grid for $name {
            type Bits = $bits;
            const SIDE: u8 = $side;
            const STRIDE: u8 = $stride;
            const BOARD: $bits = $from_words(block($side, $stride, 0, $side));
            const NOT_FIRST_FILE: $bits = $from_words(block($side, $stride, 1, $side));
            const NOT_LAST_FILE: $bits = $from_words(block($side, $stride, 0, $side - 1));

            #[inline(always)]
            fn behind() -> &'static [[$bits; SQUARES]; 4] {
                static BEHIND: [[$bits; SQUARES]; 4] = {
                    let mut sets = [[$from_words([0; WORDS]); SQUARES]; 4];
                    let mut direction = 0;
                    while direction < 4 {
                        let mut square = 0;
                        while (square as usize) < SQUARES {
                            let words = line($side, $stride, square, Direction::ORTHOGONAL[(direction + 2) % 4]);
                            sets[direction][square as usize] = $from_words(words);
                            square += 1;
                        }
                        direction += 1;
                    }
                    sets
                };
                &BEHIND
            }

            $($item)*
        }
    };
}

grid!(
    /// 7×7 in one word.
    Grid7: u64, 7, 8, to_u64,

    /// All four directions at once, without branches: what a rotation brings around the word lands in the empty
    /// column or rank. The reach doubles each time, 1 + 2 + 4 squares (the Kogge-Stone fill).
    #[inline(always)]
    fn slides(pieces: u64, pass: u64) -> [u64; 4] {
        const TURNS: [u32; 4] = [1, 8, 63, 56];
        let mut reached = [pieces; 4];
        let mut free = [pass; 4];
        for doubling in 0..3 {
            for lane in 0..4 {
                let turn = (TURNS[lane] << doubling) % 64;
                reached[lane] |= free[lane] & reached[lane].rotate_left(turn);
                free[lane] &= free[lane].rotate_left(turn);
            }
        }
        reached
    }
);
grid!(
    /// 9×9.
    Grid9: u128, 9, 10, to_u128,

    #[inline(always)]
    fn slides(pieces: u128, pass: u128) -> [u128; 4] {
        slides_in_two_words::<Grid9>(pieces, pass)
    }
);
grid!(
    /// 11×11; the one without an empty column.
    Grid11: u128, 11, 11, to_u128,

    #[inline(always)]
    fn slides(pieces: u128, pass: u128) -> [u128; 4] {
        slides_in_two_words::<Grid11>(pieces, pass)
    }
);
grid!(
    /// 13×13.
    Grid13: Wide, 13, 14, to_wide
);
grid!(
    /// 15×15.
    Grid15: Wide, 15, 16, to_wide
);
grid!(
    /// 19×19.
    Grid19: Wide<WORDS>, 19, 20, Wide
);

/// Words that the largest board takes.
const WORDS: usize = 6;

/// [`Grid::slides`] for 128 bits in the same way, each word of the four directions a lane: counting moves on 11×11 is
/// twice as fast as with the loop. A turn down by n is one up by 64 − n with the words exchanged. What a turn brings
/// around is kept out by `free`. The reach is 1 + 2 + 4 + 4 squares, enough for both boards.
#[inline(always)]
fn slides_in_two_words<G: Grid<Bits = u128>>(pieces: u128, pass: u128) -> [u128; 4] {
    let free = Direction::ORTHOGONAL.map(|direction| pass & G::step(G::BOARD, direction));
    let (mut reached_low, mut reached_high) = ([pieces as u64; 4], [(pieces >> 64) as u64; 4]);
    let (mut free_low, mut free_high) = (
        free.map(|set| set as u64),
        free.map(|set| (set >> 64) as u64),
    );
    let turn = |low: [u64; 4], high: [u64; 4], leap: u32| {
        let (mut new_low, mut new_high) = ([0; 4], [0; 4]);
        let up = leap * u32::from(G::STRIDE);
        let turns = [leap, up, 64 - leap, 64 - up];
        let a = [low[0], low[1], high[2], high[3]];
        let b = [high[0], high[1], low[2], low[3]];
        for lane in 0..4 {
            new_low[lane] = a[lane] << turns[lane] | b[lane] >> (64 - turns[lane]);
            new_high[lane] = b[lane] << turns[lane] | a[lane] >> (64 - turns[lane]);
        }
        (new_low, new_high)
    };
    for (leap, double) in [(1, true), (2, true), (4, false), (4, false)] {
        let (low, high) = turn(reached_low, reached_high, leap);
        for lane in 0..4 {
            reached_low[lane] |= low[lane] & free_low[lane];
            reached_high[lane] |= high[lane] & free_high[lane];
        }
        if double {
            let (low, high) = turn(free_low, free_high, leap);
            for lane in 0..4 {
                free_low[lane] &= low[lane];
                free_high[lane] &= high[lane];
            }
        }
    }
    std::array::from_fn(|lane| u128::from(reached_low[lane]) | u128::from(reached_high[lane]) << 64)
}

/// The squares of all ranks whose file is in `low..high`, as words.
const fn block(side: u32, stride: u32, low: u32, high: u32) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let mut rank = 0;
    while rank < side {
        let mut file = low;
        while file < high {
            let n = rank * stride + file;
            words[(n / 64) as usize] |= 1 << (n % 64);
            file += 1;
        }
        rank += 1;
    }
    words
}

/// The squares from a square to the edge, it not included, as words.
const fn line(side: i32, stride: i32, square: i32, direction: Direction) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let (mut file, mut rank) = (square % stride, square / stride);
    while file < side && rank < side {
        file += direction.files as i32;
        rank += direction.ranks as i32;
        if file < 0 || file >= side || rank < 0 || rank >= side {
            break;
        }
        let n = rank * stride + file;
        words[(n / 64) as usize] |= 1 << (n % 64);
    }
    words
}

const fn to_u64(words: [u64; WORDS]) -> u64 {
    words[0]
}

const fn to_u128(words: [u64; WORDS]) -> u128 {
    words[0] as u128 | (words[1] as u128) << 64
}

const fn to_wide(words: [u64; WORDS]) -> Wide {
    Wide([words[0], words[1], words[2], words[3]])
}
