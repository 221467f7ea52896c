//! Hash keys of positions, made at compile time so that they are the same in every process and build.
//!
//! A position's key is the exclusive or of one key for each piece on its square, and [`SIDE`] while player 2 is to
//! move (Zobrist 1970).

use crate::grid::SQUARES;

/// Kinds of piece that any game here has at most.
pub const KINDS: usize = 12;

/// `PIECES[kind][square]`; the kinds are numbered by each game.
pub static PIECES: [[u64; SQUARES]; KINDS] = make_keys(0x4855_5343_4152_4c31);

/// In the key while player 2 is to move.
pub const SIDE: u64 = splitmix64(0x5349_4445).1;

/// One step of the generator SplitMix64 (Steele, Lea and Flood 2014): the next state and its output.
const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

const fn make_keys(seed: u64) -> [[u64; SQUARES]; KINDS] {
    let mut keys = [[0; SQUARES]; KINDS];
    let mut state = seed;
    let mut kind = 0;
    while kind < KINDS {
        let mut square = 0;
        while square < SQUARES {
            (state, keys[kind][square]) = splitmix64(state);
            square += 1;
        }
        kind += 1;
    }
    keys
}
