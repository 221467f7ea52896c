//! Sets of squares as machine words: the [`Bits`] trait over `u64`, `u128` and [`Wide`] (several words).
//!
//! Nothing here knows a board; a bit number is just a number. Everything is written so that a shift by a
//! constant folds after inlining and a set of any width costs a few instructions.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A fixed-width set of bit numbers below [`Bits::WIDTH`].
pub trait Bits:
    Copy
    + Eq
    + Default
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// Number of bits.
    const WIDTH: u32;
    /// The empty set.
    const EMPTY: Self;

    /// The set with the one member `n` (below `WIDTH`).
    fn bit(n: u16) -> Self;
    /// Every member moved up by `n` (below 64); what leaves the word is lost.
    fn up(self, n: u32) -> Self;
    /// Every member moved down by `n` (below 64).
    fn down(self, n: u32) -> Self;
    /// Whether `n` is a member.
    fn has(self, n: u16) -> bool;
    /// Number of members.
    fn count(self) -> u32;
    /// The lowest member; meaningless for the empty set.
    fn first(self) -> u16;
    /// The highest member; meaningless for the empty set.
    fn last(self) -> u16;
    /// The set without its lowest member.
    fn rest(self) -> Self;
    /// The machine words of the set, the lowest first.
    fn words(self) -> impl Iterator<Item = u64>;

    /// Whether there is no member.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether there is a member.
    #[inline(always)]
    fn any(self) -> bool {
        self != Self::EMPTY
    }

    /// Whether the two sets share a member.
    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        (self & other).any()
    }

    /// Moved up by `n` if `n` is positive, down by `-n` otherwise.
    #[inline(always)]
    fn shift(self, n: i32) -> Self {
        if n >= 0 {
            self.up(n as u32)
        } else {
            self.down(-n as u32)
        }
    }

    /// The members, in ascending order.
    #[inline(always)]
    fn iter(self) -> Iter<Self> {
        Iter(self)
    }
}

/// Iterator over the members of a set, lowest first.
#[derive(Clone)]
pub struct Iter<B>(B);

impl<B: Bits> Iterator for Iter<B> {
    type Item = u16;

    #[inline(always)]
    fn next(&mut self) -> Option<u16> {
        if self.0.is_empty() {
            return None;
        }
        let n = self.0.first();
        self.0 = self.0.rest();
        Some(n)
    }
}

macro_rules! primitive_bits {
    ($($word:ty: $bit:expr),*) => {$(
        impl Bits for $word {
            const WIDTH: u32 = <$word>::BITS;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn bit(n: u16) -> Self {
                $bit(n)
            }
            #[inline(always)]
            fn up(self, n: u32) -> Self {
                self << n
            }
            #[inline(always)]
            fn down(self, n: u32) -> Self {
                self >> n
            }
            #[inline(always)]
            fn has(self, n: u16) -> bool {
                self >> n & 1 != 0
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> u16 {
                self.trailing_zeros() as u16
            }
            #[inline(always)]
            fn last(self) -> u16 {
                (<$word>::BITS - 1).wrapping_sub(self.leading_zeros()) as u16
            }
            #[inline(always)]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn words(self) -> impl Iterator<Item = u64> {
                (0..<$word>::BITS / 64).map(move |index| (u128::from(self) >> (64 * index)) as u64)
            }
        }
    )*};
}

primitive_bits!(u64: |n| 1u64 << n, u128: bit_of_two_words);

/// `1 << n`. Written so, steps from the square are shifts by constants; the compiler makes one shift by a variable of
/// each otherwise. Making a move on 11×11 takes 11 % fewer instructions for it.
#[inline(always)]
const fn bit_of_two_words(n: u16) -> u128 {
    let word = 1u64 << (n & 63);
    let (low, high) = if n & 64 == 0 { (word, 0) } else { (0, word) };
    low as u128 | (high as u128) << 64
}

/// Bits as `N` words, the lowest first; 256 of them if it is not said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(align(32))]
pub struct Wide<const N: usize = 4>(pub [u64; N]);

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Wide([0; N])
    }
}

macro_rules! wide_op {
    ($($op:ident $method:ident $assign:ident $assign_method:ident $sign:tt),*) => {$(
        impl<const N: usize> $op for Wide<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Wide(std::array::from_fn(|i| self.0[i] $sign other.0[i]))
            }
        }
        impl<const N: usize> $assign for Wide<N> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $sign other;
            }
        }
    )*};
}

wide_op!(
    BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |,
    BitXor bitxor BitXorAssign bitxor_assign ^
);

impl<const N: usize> Not for Wide<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Wide(self.0.map(|word| !word))
    }
}

impl<const N: usize> Bits for Wide<N> {
    const WIDTH: u32 = 64 * N as u32;
    const EMPTY: Self = Wide([0; N]);

    #[inline(always)]
    fn bit(n: u16) -> Self {
        let word = 1 << (n & 63);
        Wide(std::array::from_fn(|i| {
            if usize::from(n >> 6) == i { word } else { 0 }
        }))
    }

    #[inline(always)]
    fn up(self, n: u32) -> Self {
        if n == 0 {
            return self;
        }
        let a = self.0;
        Wide(std::array::from_fn(|i| {
            a[i] << n | if i > 0 { a[i - 1] >> (64 - n) } else { 0 }
        }))
    }

    #[inline(always)]
    fn down(self, n: u32) -> Self {
        if n == 0 {
            return self;
        }
        let a = self.0;
        Wide(std::array::from_fn(|i| {
            a[i] >> n | if i + 1 < N { a[i + 1] << (64 - n) } else { 0 }
        }))
    }

    #[inline(always)]
    fn has(self, n: u16) -> bool {
        let word = self.0.get(usize::from(n >> 6)).copied().unwrap_or(0);
        word >> (n & 63) & 1 != 0
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        !self.is_empty()
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn first(self) -> u16 {
        let index = (0..N - 1).find(|&i| self.0[i] != 0).unwrap_or(N - 1);
        (index as u32 * 64 + self.0[index].trailing_zeros()) as u16
    }

    #[inline(always)]
    fn last(self) -> u16 {
        let index = (1..N).rev().find(|&i| self.0[i] != 0).unwrap_or(0);
        (index as u32 * 64 + 63).wrapping_sub(self.0[index].leading_zeros()) as u16
    }

    #[inline(always)]
    fn words(self) -> impl Iterator<Item = u64> {
        self.0.into_iter()
    }

    #[inline(always)]
    fn rest(self) -> Self {
        let mut a = self.0;
        for word in &mut a {
            if *word != 0 {
                *word &= *word - 1;
                break;
            }
        }
        Wide(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every width must do, against a plain list of numbers.
    fn behaves_like_a_list<B: Bits>() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            let mut list: Vec<u16> = (0..random.usize(0..20))
                .map(|_| random.u16(0..(B::WIDTH - 1) as u16))
                .collect();
            list.sort_unstable();
            list.dedup();
            let set = list.iter().fold(B::EMPTY, |set, &n| set | B::bit(n));
            assert_eq!(set.iter().collect::<Vec<_>>(), list);
            assert_eq!(set.count() as usize, list.len());
            assert_eq!(set.any(), !list.is_empty());
            if let (Some(&low), Some(&high)) = (list.first(), list.last()) {
                assert_eq!((set.first(), set.last()), (low, high));
            }
            let n = random.i32(-63..64);
            let moved: Vec<u16> = list
                .iter()
                .map(|&m| i32::from(m) + n)
                .filter(|&m| (0..B::WIDTH as i32).contains(&m))
                .map(|m| m as u16)
                .collect();
            assert_eq!(set.shift(n).iter().collect::<Vec<_>>(), moved);
            for n in 0..(B::WIDTH - 1) as u16 {
                assert_eq!(set.has(n), list.contains(&n));
            }
        }
    }

    #[test]
    fn all_widths() {
        behaves_like_a_list::<u64>();
        behaves_like_a_list::<u128>();
        behaves_like_a_list::<Wide>();
        behaves_like_a_list::<Wide<6>>();
    }
}
