//! Where the pieces stand, on which squares they may, and what a move does to them.

use crate::bits::{Bits, Wide};
use crate::game::{Move, Side};
use crate::grid::{Direction, Grid, Grid15, SQUARES, parse_rows};
use crate::zobrist;

/// The squares of play: the octagon without the stone.
pub const PLAYING: Wide = octagon();

/// The letters of dwarf, troll, and a square that is no part of play.
const LETTERS: [char; 3] = ['d', 'T', '*'];

/// How far a neighbour's number lies from a square's, in the order of [`Direction::ALL`].
const NEIGHBOURS: [i16; 8] = neighbour_deltas();

const fn octagon() -> Wide {
    let mut words = [0; 4];
    let mut rank = 0;
    while rank < 15 {
        // What the corners cut off both ends of this rank.
        let from_edge = if rank < 8 { rank } else { 14 - rank };
        let cut = 5_usize.saturating_sub(from_edge);
        let mut file = cut;
        while file < 15 - cut {
            let square = rank * 16 + file;
            if !(rank == 7 && file == 7) {
                words[square / 64] |= 1 << (square % 64);
            }
            file += 1;
        }
        rank += 1;
    }
    Wide(words)
}

const fn neighbour_deltas() -> [i16; 8] {
    let mut deltas = [0; 8];
    let mut i = 0;
    while i < 8 {
        let direction = Direction::ALL[i];
        deltas[i] = direction.files as i16 + direction.ranks as i16 * Grid15::STRIDE as i16;
        i += 1;
    }
    deltas
}

/// [`Bits::bit`] looked up: a member is known too late for the words to be put together one by one.
static BITS: [Wide; SQUARES] = {
    let mut sets = [Wide([0; 4]); SQUARES];
    let mut n = 0;
    while n < Wide::<4>::WIDTH as usize {
        sets[n].0[n / 64] = 1 << (n % 64);
        n += 1;
    }
    sets
};

/// The pieces on the board and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    men: [Wide; 2],
    key: u64,
    side: Side,
}

impl Position {
    /// Reads `ROWS`.
    pub(super) fn parse(rows: &str, side: Side) -> Result<Self, String> {
        let sets = parse_rows::<Grid15>(rows, &LETTERS)?;
        for square in Grid15::squares() {
            let (given, expected) = (sets[2].has(square), !PLAYING.has(square));
            if given != expected {
                let name = Grid15::name(square);
                return Err(if expected {
                    format!("square {name} is no part of play: '*' expected")
                } else {
                    format!("square {name} is part of play: '*' given")
                });
            }
        }
        let mut position = Position {
            men: [sets[0], sets[1]],
            key: 0,
            side,
        };
        position.key = position.computed_key();
        Ok(position)
    }

    /// The letter of what stands on a square, `None` where it is empty.
    pub(super) fn piece(&self, square: u16) -> Option<char> {
        let sets = [self.dwarfs(), self.trolls(), !PLAYING];
        (0..3).find(|&i| sets[i].has(square)).map(|i| LETTERS[i])
    }

    /// One side's men.
    #[inline(always)]
    pub fn men(&self, side: Side) -> Wide {
        self.men[side.index()]
    }

    /// The dwarfs.
    #[inline(always)]
    pub fn dwarfs(&self) -> Wide {
        self.men[0]
    }

    /// The trolls.
    #[inline(always)]
    pub fn trolls(&self) -> Wide {
        self.men[1]
    }

    /// The squares of play on which nobody stands.
    #[inline(always)]
    pub fn empty(&self) -> Wide {
        PLAYING & !(self.men[0] | self.men[1])
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The key, kept up to date by `make`.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key made anew from the pieces.
    pub(super) fn computed_key(&self) -> u64 {
        let mut key = if self.side == Side::First {
            0
        } else {
            zobrist::SIDE
        };
        for (men, keys) in self.men.iter().zip(&zobrist::PIECES) {
            for square in men.iter() {
                key ^= keys[usize::from(square)];
            }
        }
        key
    }

    /// The same pieces with the other side to move.
    pub(super) fn pass(&self) -> Self {
        Position {
            key: self.key ^ zobrist::SIDE,
            side: !self.side,
            ..*self
        }
    }

    /// The position after a legal move.
    #[inline]
    pub(super) fn make(&self, mv: Move) -> Self {
        let (from, to) = (usize::from(mv.from()), usize::from(mv.to()));
        let [mut dwarfs, mut trolls] = self.men;
        let [dwarf_keys, troll_keys, ..] = &zobrist::PIECES;
        let moved = BITS[from] ^ BITS[to];
        let mut key = self.key ^ zobrist::SIDE;
        match self.side {
            Side::First => {
                key ^= dwarf_keys[from] ^ dwarf_keys[to];
                dwarfs ^= moved;
                if self.men[1].has(mv.to()) {
                    key ^= troll_keys[to];
                    trolls ^= BITS[to];
                }
            }
            Side::Second => {
                key ^= troll_keys[from] ^ troll_keys[to];
                trolls ^= moved;
                for square in chosen(mv.to(), mv.mask()).map(usize::from) {
                    key ^= dwarf_keys[square];
                    dwarfs ^= BITS[square];
                }
            }
        }
        Position {
            men: [dwarfs, trolls],
            key,
            side: !self.side,
        }
    }

    /// The squares whose pieces a legal move captures.
    #[inline]
    pub(super) fn captured(&self, mv: Move) -> Wide {
        match self.side {
            Side::First => self.trolls() & Wide::bit(mv.to()),
            Side::Second => {
                chosen(mv.to(), mv.mask()).fold(Wide::EMPTY, |set, n| set | Wide::bit(n))
            }
        }
    }
}

/// The neighbours of `square` that a mask names.
#[inline(always)]
fn chosen(square: u16, mask: u8) -> impl Iterator<Item = u16> {
    u64::from(mask)
        .iter()
        .map(move |i| (square as i16 + NEIGHBOURS[usize::from(i)]) as u16)
}

/// The members of `set`, which lies on the board, next to `square`, as a mask like that of a move.
#[inline(always)]
pub(super) fn next_to(set: Wide, square: u16) -> u8 {
    /// The bits of the row above, west to east, in the order of the directions NE, N, NW.
    const REVERSED: [u8; 8] = [0, 4, 2, 6, 1, 5, 3, 7];
    let (file, rank) = (square & 15, square >> 4);
    // Three squares of a row around the file; row 15, which is also "row −1", is off the board and empty.
    let three = |rank: u16| {
        let rank = rank & 15;
        let row = (set.0[usize::from(rank >> 2)] >> ((rank & 3) * 16)) as u16;
        ((u32::from(row) << 1 >> file) & 7) as u8
    };
    let below = three(rank.wrapping_sub(1));
    let same = three(rank);
    let above = three(rank + 1);
    same >> 2 | REVERSED[usize::from(above)] << 1 | (same & 1) << 4 | below << 5
}
