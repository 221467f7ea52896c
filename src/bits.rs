//! Sets of squares as machine words: the [`Bits`] trait over `u64`, `u128` and [`Wide`] (256 bits).
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
    fn bit(n: u8) -> Self;
    /// Every member moved up by `n` (below 64); what leaves the word is lost.
    fn up(self, n: u32) -> Self;
    /// Every member moved down by `n` (below 64).
    fn down(self, n: u32) -> Self;
    /// Whether `n` is a member.
    fn has(self, n: u8) -> bool;
    /// Number of members.
    fn count(self) -> u32;
    /// The lowest member; meaningless for the empty set.
    fn first(self) -> u8;
    /// The highest member; meaningless for the empty set.
    fn last(self) -> u8;
    /// The set without its lowest member.
    fn rest(self) -> Self;

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
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
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
            fn bit(n: u8) -> Self {
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
            fn has(self, n: u8) -> bool {
                self >> n & 1 != 0
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn first(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn last(self) -> u8 {
                (<$word>::BITS - 1).wrapping_sub(self.leading_zeros()) as u8
            }
            #[inline(always)]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

primitive_bits!(u64: |n| 1u64 << n, u128: bit_of_two_words);

/// `1 << n`. Written so, steps from the square are shifts by constants; the compiler makes one shift by a variable of
/// each otherwise. Making a move on 11×11 takes 11 % fewer instructions for it.
#[inline(always)]
const fn bit_of_two_words(n: u8) -> u128 {
    let word = 1u64 << (n & 63);
    let (low, high) = if n & 64 == 0 { (word, 0) } else { (0, word) };
    low as u128 | (high as u128) << 64
}

/// 256 bits as four words, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
#[repr(align(32))]
pub struct Wide(pub [u64; 4]);

impl Wide {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let (a, b) = (self.0, other.0);
        Wide([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }
}

macro_rules! wide_op {
    ($($op:ident $method:ident $assign:ident $assign_method:ident $sign:tt),*) => {$(
        impl $op for Wide {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $sign b)
            }
        }
        impl $assign for Wide {
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

impl Not for Wide {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let a = self.0;
        Wide([!a[0], !a[1], !a[2], !a[3]])
    }
}

impl Bits for Wide {
    const WIDTH: u32 = 256;
    const EMPTY: Self = Wide([0; 4]);

    #[inline(always)]
    fn bit(n: u8) -> Self {
        let mut words = [0; 4];
        words[usize::from(n >> 6)] = 1 << (n & 63);
        Wide(words)
    }

    #[inline(always)]
    fn up(self, n: u32) -> Self {
        if n == 0 {
            return self;
        }
        let a = self.0;
        let carry = 64 - n;
        Wide([
            a[0] << n,
            a[1] << n | a[0] >> carry,
            a[2] << n | a[1] >> carry,
            a[3] << n | a[2] >> carry,
        ])
    }

    #[inline(always)]
    fn down(self, n: u32) -> Self {
        if n == 0 {
            return self;
        }
        let a = self.0;
        let carry = 64 - n;
        Wide([
            a[0] >> n | a[1] << carry,
            a[1] >> n | a[2] << carry,
            a[2] >> n | a[3] << carry,
            a[3] >> n,
        ])
    }

    #[inline(always)]
    fn has(self, n: u8) -> bool {
        self.0[usize::from(n >> 6)] >> (n & 63) & 1 != 0
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let a = self.0;
        a[0] | a[1] | a[2] | a[3] == 0
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
    fn first(self) -> u8 {
        let a = self.0;
        let index = if a[0] != 0 {
            0
        } else if a[1] != 0 {
            1
        } else if a[2] != 0 {
            2
        } else {
            3
        };
        (index * 64 + a[index].trailing_zeros() as usize) as u8
    }

    #[inline(always)]
    fn last(self) -> u8 {
        let a = self.0;
        let index = if a[3] != 0 {
            3
        } else if a[2] != 0 {
            2
        } else if a[1] != 0 {
            1
        } else {
            0
        };
        (index * 64 + 63_usize).wrapping_sub(a[index].leading_zeros() as usize) as u8
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
            let mut list: Vec<u8> = (0..random.usize(0..20))
                .map(|_| random.u8(0..(B::WIDTH - 1) as u8))
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
            let moved: Vec<u8> = list
                .iter()
                .map(|&m| i32::from(m) + n)
                .filter(|&m| (0..B::WIDTH as i32).contains(&m))
                .map(|m| m as u8)
                .collect();
            assert_eq!(set.shift(n).iter().collect::<Vec<_>>(), moved);
            for n in 0..(B::WIDTH - 1) as u8 {
                assert_eq!(set.has(n), list.contains(&n));
            }
        }
    }

    #[test]
    fn all_widths() {
        behaves_like_a_list::<u64>();
        behaves_like_a_list::<u128>();
        behaves_like_a_list::<Wide>();
    }
}
