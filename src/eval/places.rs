//! What it is worth to stand on a square: a value for each kind of piece and each orbit of squares, those that turns and
//! reflections of the board carry into one another.

use super::{Term, TermValue, term};
use crate::bits::{Bits, Wide};
use crate::grid::{Grid, orbit, orbits};
use crate::score::Score;

/// Squares of the largest board that has values.
const SQUARES: usize = 256;
/// Bits of a value, the sign included.
const BITS: usize = 10;

/// For each bit of a value, in two's complement, the squares whose value has it, in words. To add up the values of many
/// men as sizes of sets is faster than to look at each.
type Planes = [[u64; BITS]; SQUARES / 64];

/// Values for a board of `N` orbits, in centipoints.
pub(super) struct Places<const N: usize> {
    /// A row for each orbit: a man of player 1 and of player 2.
    men: [Term; N],
    /// The king of player 2; nothing in games without one.
    king: [Term; N],
    /// The same for the men of each player by bits.
    planes: [Planes; 2],
    /// The same for the king by square.
    by_square: [i16; SQUARES],
    /// The orbit of each square.
    #[cfg(feature = "tune")]
    orbits: [u8; SQUARES],
}

impl<const N: usize> Places<N> {
    /// The values of the orbits of a board, in the order of [`orbit`]: men of player 1, of player 2, and the king.
    pub const fn new(side: u8, stride: u8, values: &[[Score; 3]; N]) -> Self {
        assert!(N == orbits(side));
        let mut places = Places {
            men: [const { term("places of men", [0, 0]) }; N],
            king: [const { term("place of the king", [0, 0]) }; N],
            planes: [[[0; BITS]; SQUARES / 64]; 2],
            by_square: [0; SQUARES],
            #[cfg(feature = "tune")]
            orbits: [0; SQUARES],
        };
        let mut index = 0;
        while index < N {
            let [first, second, king] = values[index];
            places.men[index] = term("places of men", [first, second]);
            places.king[index] = term("place of the king", [0, king]);
            index += 1;
        }
        let mut square = 0;
        while square < side as usize * side as usize {
            let (file, rank) = (square % side as usize, square / side as usize);
            let orbit = orbit(side, file as u8, rank as u8);
            let row = values[orbit];
            let bit_number = rank * stride as usize + file;
            #[cfg(feature = "tune")]
            {
                places.orbits[bit_number] = orbit as u8;
            }
            places.by_square[bit_number] = row[2] as i16;
            let mut side = 0;
            while side < 2 {
                assert!(row[side].abs() < 1 << (BITS - 1));
                let mut bit = 0;
                while bit < BITS {
                    let has = (row[side] >> bit & 1) as u64;
                    places.planes[side][bit_number / 64][bit] |= has << (bit_number % 64);
                    bit += 1;
                }
                side += 1;
            }
            square += 1;
        }
        places
    }

    /// The values of a side's men bit by bit as sets, in `LESS` bits, which must be enough for them.
    pub const fn bits<const LESS: usize>(&self, side: usize) -> [Wide; LESS] {
        let mut bits = [Wide([0; 4]); LESS];
        let mut word = 0;
        while word < SQUARES / 64 {
            let planes = &self.planes[side][word];
            let mut bit = 0;
            while bit < BITS {
                if bit < LESS {
                    bits[bit].0[word] = planes[bit];
                } else {
                    assert!(planes[bit] == planes[LESS - 1], "more bits expected");
                }
                bit += 1;
            }
            word += 1;
        }
        bits
    }

    /// The value of a position for player 1, with the values that a tuner has put in force.
    #[cfg(feature = "tune")]
    pub fn value<B: Bits>(&self, men: [B; 2], king: B) -> Score {
        let sum = |terms: &[Term; N], set: B, side: usize| -> Score {
            set.iter()
                .map(|square| terms[usize::from(self.orbits[usize::from(square)])].worth(side))
                .sum()
        };
        sum(&self.men, men[0], 0) - sum(&self.men, men[1], 1) - sum(&self.king, king, 1)
    }

    /// The value of a position for player 1.
    #[cfg(not(feature = "tune"))]
    #[inline(always)]
    pub fn value<B: Bits>(&self, men: [B; 2], king: B) -> Score {
        let sum = |side: usize| {
            let mut sum = 0;
            for (word, planes) in men[side].words().zip(&self.planes[side]) {
                for (bit, plane) in planes.iter().enumerate() {
                    let count = (word & plane).count_ones() as Score;
                    // The highest bit is the sign.
                    sum += if bit + 1 == BITS { -count } else { count } << bit;
                }
            }
            sum
        };
        let of_king = if king.any() {
            Score::from(self.by_square[usize::from(king.first()) % SQUARES])
        } else {
            0
        };
        sum(0) - sum(1) - of_king
    }

    /// The orbits that pieces stand on, as terms.
    pub fn terms<G: Grid>(&'static self, men: [G::Bits; 2], king: G::Bits) -> Vec<TermValue> {
        let mut on = [[0; 3]; N];
        for (kind, set) in [men[0], men[1], king].into_iter().enumerate() {
            for square in set.iter() {
                on[orbit(G::SIDE, G::file(square), G::rank(square))][kind] += 1;
            }
        }
        let of_men = self
            .men
            .iter()
            .zip(&on)
            .map(|(term, &[first, second, _])| TermValue {
                term,
                count: [first, second],
            });
        let of_king = self
            .king
            .iter()
            .zip(&on)
            .map(|(term, &[_, _, king])| TermValue {
                term,
                count: [0, king],
            });
        of_men.chain(of_king).collect()
    }

    /// Its values for a tuner.
    #[cfg(feature = "tune")]
    pub fn table(&'static self, name: &'static str) -> super::tuning::Table {
        super::tuning::Table {
            name,
            most: (1 << (BITS - 1)) - 1,
            terms: self.men.iter().chain(&self.king).collect(),
        }
    }
}
