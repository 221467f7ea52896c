//! What it is worth to stand on a square: a value for each kind of piece and each orbit of squares, those that turns and
//! reflections of the board carry into one another.

use super::{Term, TermValue, term};
use crate::bits::{Bits, Wide};
use crate::grid::{Grid, orbit, orbits};
use crate::score::Score;

/// Squares of the largest board that has values.
const SQUARES: usize = 256;

/// Values for a board of `N` orbits, in centipoints.
pub(super) struct Places<const N: usize> {
    /// A row for each orbit: a man of player 1 and of player 2.
    men: [Term; N],
    /// The king of player 2; nothing in games without one.
    king: [Term; N],
    /// The same by square: men of player 1, men of player 2, king.
    by_square: [[i16; SQUARES]; 3],
}

impl<const N: usize> Places<N> {
    /// The values of the orbits of a board, in the order of [`orbit`]: men of player 1, of player 2, and the king.
    pub const fn new(side: u8, stride: u8, values: &[[Score; 3]; N]) -> Self {
        assert!(N == orbits(side));
        let mut places = Places {
            men: [const { term("places of men", [0, 0]) }; N],
            king: [const { term("place of the king", [0, 0]) }; N],
            by_square: [[0; SQUARES]; 3],
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
            let row = values[orbit(side, file as u8, rank as u8)];
            let mut kind = 0;
            while kind < 3 {
                places.by_square[kind][rank * stride as usize + file] = row[kind] as i16;
                kind += 1;
            }
            square += 1;
        }
        places
    }

    /// The values of a kind of piece bit by bit, in two's complement: the squares whose value has the bit. To add up the
    /// values of many pieces as sizes of sets is faster than to look at each.
    pub const fn bits<const BITS: usize>(&self, kind: usize) -> [Wide; BITS] {
        let mut bits = [Wide([0; 4]); BITS];
        let mut square = 0;
        while square < SQUARES {
            let value = self.by_square[kind][square];
            let sign = value >> (BITS - 1);
            assert!(sign == 0 || sign == -1, "more bits expected");
            let mut bit = 0;
            while bit < BITS {
                bits[bit].0[square / 64] |= ((value >> bit & 1) as u64) << (square % 64);
                bit += 1;
            }
            square += 1;
        }
        bits
    }

    /// The value of a position for player 1.
    #[inline(always)]
    pub fn value<B: Bits>(&self, men: [B; 2], king: B) -> Score {
        let sum = |set: B, kind: usize| {
            let values = &self.by_square[kind];
            set.iter().fold(0, |sum, square| {
                sum + Score::from(values[usize::from(square) % SQUARES])
            })
        };
        sum(men[0], 0) - sum(men[1], 1) - sum(king, 2)
    }

    /// The orbits that pieces stand on, as terms.
    pub fn terms<G: Grid>(&'static self, men: [G::Bits; 2], king: G::Bits) -> Vec<TermValue> {
        let on = |set: G::Bits, index: usize| {
            let here = |&square: &u16| orbit(G::SIDE, G::file(square), G::rank(square)) == index;
            set.iter().filter(here).count() as i32
        };
        let mut terms = Vec::new();
        for (index, term) in self.men.iter().enumerate() {
            let count = men.map(|set| on(set, index));
            terms.push(TermValue { term, count });
        }
        for (index, term) in self.king.iter().enumerate() {
            let count = [0, on(king, index)];
            terms.push(TermValue { term, count });
        }
        terms
    }
}
