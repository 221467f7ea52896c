//! Numbers on every square at once: bit `i` of a square's number is the square's membership in plane `i`.
//!
//! The functions are short, pass sets by reference and must not be inlined: that way the compiler makes clean vector
//! code of each, which it fails to do for one long function that does it all.

use super::sets::{back, step};
use crate::bits::{Bits, Wide};

/// A number up to 15 for every square.
pub(super) type Planes = [Wide; 4];

/// The sum of three bits: its low bit and its high bit.
#[inline(always)]
fn add3(a: Wide, b: Wide, c: Wide) -> (Wide, Wide) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}

/// How many neighbours of a square are members of `set`, for every square of play.
#[inline(never)]
pub(super) fn neighbours(set: &Wide) -> Planes {
    let (east, west) = (step::<1>(*set), back::<1>(*set));
    let row = (east ^ west, east & west);
    let three = add3(east, west, *set);
    let (low, carry) = add3(row.0, step::<16>(three.0), back::<16>(three.0));
    let (middle, fours) = add3(row.1, step::<16>(three.1), back::<16>(three.1));
    let more = middle & carry;
    [low, middle ^ carry, fours ^ more, fours & more]
}

/// Of how many of eight sets a square is a member; the caller is not to be inlined.
#[inline(always)]
pub(super) fn sum(sets: [Wide; 8]) -> Planes {
    let [a, b, c, d, e, f, g, h] = sets;
    let (s0, t0) = add3(a, b, c);
    let (s1, t1) = add3(d, e, f);
    let (s2, t2) = add3(s0, s1, g);
    let (low, t3) = (s2 ^ h, s2 & h);
    let (u0, f0) = add3(t0, t1, t2);
    let (twos, f1) = (u0 ^ t3, u0 & t3);
    [low, twos, f0 ^ f1, f0 & f1]
}

/// The sum, over all squares, of the product of two numbers: a partial sum for each word. The numbers may leave out high
/// planes that are empty.
#[inline(never)]
pub(super) fn product(left: &[Wide], right: &[Wide]) -> Wide {
    let mut sum = [0; 4];
    // The lengths are left open, since the loops unrolled would be such a long function again.
    let any = left.iter().fold(Wide::EMPTY, |any, plane| any | *plane);
    for factor in right.iter().rev() {
        let mut part = [0; 4];
        // Without an instruction that counts bits it pays to ask first.
        let left = if cfg!(target_feature = "popcnt") || any.meets(*factor) {
            left
        } else {
            &[]
        };
        for plane in left.iter().rev() {
            let both = *plane & *factor;
            for (part, word) in part.iter_mut().zip(both.0) {
                *part = (*part << 1) + u64::from(word.count_ones());
            }
        }
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum = (*sum << 1) + part;
        }
    }
    Wide(sum)
}
