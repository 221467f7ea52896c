//! Square boards: how squares are numbered in a set, named in text, and how sets move over them.
//!
//! A [`Grid`] maps file and rank to a bit number, `rank * STRIDE + file`. A stride larger than the side leaves
//! empty columns, which absorb what walks off the board; 11×11 has no room for one in 128 bits, so there
//! [`Grid::landing`] masks what wraps around.

mod boards;

pub use boards::{Grid7, Grid9, Grid11, Grid13, Grid15, Grid19};

use crate::bits::Bits;
use std::fmt::Debug;

/// Numbers that squares of any board stay below; a power of two, for tables that are indexed by square.
pub const SQUARES: usize = 512;

/// The number of the orbit of a square: of all those that turns and reflections of a board of `side` × `side` squares
/// carry into one another. Corners are 0, the centre is the last.
pub const fn orbit(side: u8, file: u8, rank: u8) -> usize {
    let (a, b) = (from_edge(side, file), from_edge(side, rank));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high + 1) / 2 + low
}

/// How many orbits a board has.
pub const fn orbits(side: u8) -> usize {
    orbit(side, side / 2, side / 2) + 1
}

const fn from_edge(side: u8, line: u8) -> usize {
    let other = side - 1 - line;
    (if line < other { line } else { other }) as usize
}

/// A step on the board, in files and ranks, each −1, 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction {
    /// To the right.
    pub files: i8,
    /// Up.
    pub ranks: i8,
}

impl Direction {
    /// The four rook directions, opposite ones at a distance of two.
    pub const ORTHOGONAL: [Direction; 4] = [
        Direction::new(1, 0),
        Direction::new(0, 1),
        Direction::new(-1, 0),
        Direction::new(0, -1),
    ];

    /// All eight directions, anticlockwise from east; opposite ones at a distance of four.
    pub const ALL: [Direction; 8] = [
        Direction::new(1, 0),
        Direction::new(1, 1),
        Direction::new(0, 1),
        Direction::new(-1, 1),
        Direction::new(-1, 0),
        Direction::new(-1, -1),
        Direction::new(0, -1),
        Direction::new(1, -1),
    ];

    /// The direction of `files` and `ranks`.
    pub const fn new(files: i8, ranks: i8) -> Self {
        Direction { files, ranks }
    }

    /// The other way.
    #[inline(always)]
    pub const fn opposite(self) -> Self {
        Direction::new(-self.files, -self.ranks)
    }
}

/// A square board of `SIDE` × `SIDE` squares kept in a set of type `Bits`.
pub trait Grid: Copy + Debug + Send + Sync + 'static {
    /// The set type, with at least `SIDE * STRIDE` bits less the last padding.
    type Bits: Bits;
    /// Number of files and of ranks.
    const SIDE: u8;
    /// Distance in bits from a square to the one above it.
    const STRIDE: u8;
    /// All squares of the board.
    const BOARD: Self::Bits;
    /// All squares but the lowest file.
    const NOT_FIRST_FILE: Self::Bits;
    /// All squares but the highest file.
    const NOT_LAST_FILE: Self::Bits;

    /// Bit number of a square.
    #[inline(always)]
    fn square(file: u8, rank: u8) -> u16 {
        u16::from(rank) * u16::from(Self::STRIDE) + u16::from(file)
    }

    /// File of a square, from 0.
    #[inline(always)]
    fn file(square: u16) -> u8 {
        (square % u16::from(Self::STRIDE)) as u8
    }

    /// Rank of a square, from 0.
    #[inline(always)]
    fn rank(square: u16) -> u8 {
        (square / u16::from(Self::STRIDE)) as u8
    }

    /// Distance in bits of one step.
    #[inline(always)]
    fn delta(direction: Direction) -> i32 {
        i32::from(direction.files) + i32::from(direction.ranks) * i32::from(Self::STRIDE)
    }

    /// The squares on which a step in this direction can end without having wrapped around.
    #[inline(always)]
    fn landing(direction: Direction) -> Self::Bits {
        match direction.files {
            1 => Self::NOT_FIRST_FILE,
            -1 => Self::NOT_LAST_FILE,
            _ => Self::BOARD,
        }
    }

    /// The set moved one step; what leaves the board is lost.
    #[inline(always)]
    fn step(set: Self::Bits, direction: Direction) -> Self::Bits {
        set.shift(Self::delta(direction)) & Self::landing(direction)
    }

    /// The squares orthogonally next to a member of the set.
    #[inline(always)]
    fn beside(set: Self::Bits) -> Self::Bits {
        let [e, n, w, s] = Direction::ORTHOGONAL;
        Self::step(set, e) | Self::step(set, n) | Self::step(set, w) | Self::step(set, s)
    }

    /// The squares next to a member of the set, diagonals included.
    #[inline(always)]
    fn around(set: Self::Bits) -> Self::Bits {
        let [e, n, w, s] = Direction::ORTHOGONAL;
        let row = Self::step(set, e) | Self::step(set, w);
        let three = row | set;
        Self::step(three, n) | Self::step(three, s) | row
    }

    /// For each of the orthogonal directions, the members of a set together with the squares that rooks on them reach
    /// over squares of `pass`.
    #[inline(always)]
    fn slides(pieces: Self::Bits, pass: Self::Bits) -> [Self::Bits; 4] {
        Direction::ORTHOGONAL.map(|direction| {
            let free = pass & Self::landing(direction);
            let (mut reached, mut arrivals) = (pieces, pieces);
            loop {
                arrivals = arrivals.shift(Self::delta(direction)) & free;
                if arrivals.is_empty() {
                    return reached;
                }
                reached |= arrivals;
            }
        })
    }

    /// The squares that rooks on the members of a set can reach over squares of `pass`; members in `pass` count as
    /// reached.
    #[inline(always)]
    fn reach(pieces: Self::Bits, pass: Self::Bits) -> Self::Bits {
        let [e, n, w, s] = Self::slides(pieces, pass);
        (e | n | w | s) & pass
    }

    /// For each of the orthogonal directions and each square, the squares behind it as far as the edge.
    fn behind() -> &'static [[Self::Bits; SQUARES]; 4];

    /// Whence a member of the set has come that slid to `to` in one of the orthogonal directions: the nearest behind.
    #[inline(always)]
    fn origin(pieces: Self::Bits, to: u16, direction: usize) -> u16 {
        let line = pieces & Self::behind()[direction][usize::from(to)];
        if direction < 2 {
            line.last()
        } else {
            line.first()
        }
    }

    /// The square one step from `square`, if it is on the board.
    #[inline]
    fn neighbour(square: u16, direction: Direction) -> Option<u16> {
        let file = Self::file(square) as i8 + direction.files;
        let rank = Self::rank(square) as i8 + direction.ranks;
        let range = 0..Self::SIDE as i8;
        (range.contains(&file) && range.contains(&rank))
            .then(|| Self::square(file as u8, rank as u8))
    }

    /// All squares, rank by rank from the lowest.
    fn squares() -> impl Iterator<Item = u16> {
        Self::BOARD.iter()
    }

    /// Squares in the order of move texts: file first, then rank.
    fn text_order(set: Self::Bits) -> Vec<u16> {
        let mut squares: Vec<u16> = set.iter().collect();
        squares.sort_by_key(|&square| (Self::file(square), Self::rank(square)));
        squares
    }

    /// `a1` for the lowest square.
    fn name(square: u16) -> String {
        format!(
            "{}{}",
            char::from(b'a' + Self::file(square)),
            Self::rank(square) + 1
        )
    }

    /// Reads a square at the start of a text of lower case, and returns it with what follows it.
    fn parse_square(text: &str) -> Option<(u16, &str)> {
        let file = text.bytes().next()?.checked_sub(b'a')?;
        let rest = text.get(1..)?;
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (number, rest) = rest.split_at(digits);
        if file >= Self::SIDE || number.starts_with('0') || number.len() > 2 {
            return None;
        }
        let rank: u8 = number.parse().ok()?;
        (rank <= Self::SIDE).then(|| (Self::square(file, rank - 1), rest))
    }
}

/// Reads the `ROWS` of a position text into one set for each letter of `alphabet`.
///
/// # Errors
/// A sentence that names the row and what is wrong with it.
pub fn parse_rows<G: Grid>(text: &str, alphabet: &[char]) -> Result<Vec<G::Bits>, String> {
    let rows: Vec<&str> = text.split('/').collect();
    let side = usize::from(G::SIDE);
    if rows.len() != side {
        return Err(format!("{} rows given, {side} expected", rows.len()));
    }
    let mut sets = vec![G::Bits::EMPTY; alphabet.len()];
    for (index, row) in rows.iter().enumerate() {
        let rank = side - index;
        let mut file = 0;
        let mut rest = *row;
        while let Some(letter) = rest.chars().next() {
            if letter.is_ascii_digit() {
                let digits = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                let number = &rest[..digits];
                if letter == '0' {
                    return Err(format!("row {rank}: number {number} starts with a zero"));
                }
                // A number too long to read is too large for any board.
                file += number.parse::<usize>().unwrap_or(usize::MAX).min(1000);
                rest = &rest[digits..];
            } else {
                let Some(kind) = alphabet.iter().position(|&known| known == letter) else {
                    let known: String = alphabet.iter().collect();
                    return Err(format!(
                        "row {rank}: unknown letter '{letter}', one of {known} or a number expected"
                    ));
                };
                if file < side {
                    sets[kind] |= G::Bits::bit(G::square(file as u8, rank as u8 - 1));
                }
                file += 1;
                rest = &rest[letter.len_utf8()..];
            }
        }
        if file != side {
            return Err(format!("row {rank}: {file} squares given, {side} expected"));
        }
    }
    Ok(sets)
}

/// Writes the `ROWS` of a position text; `piece` names what stands on a square.
pub fn write_rows<G: Grid>(piece: impl Fn(u16) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in (0..G::SIDE).rev() {
        let mut empty = 0;
        for file in 0..G::SIDE {
            match piece(G::square(file, rank)) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(letter);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slides_agree_with_single_steps<G: Grid>() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..500 {
            let (mut pieces, mut pass) = (G::Bits::EMPTY, G::Bits::EMPTY);
            let density = random.u8(1..9);
            for square in G::squares() {
                match random.u8(0..10) {
                    0 => pieces |= G::Bits::bit(square),
                    n if n <= density => pass |= G::Bits::bit(square),
                    _ => {}
                }
            }
            let slides = G::slides(pieces, pass);
            for (index, direction) in Direction::ORTHOGONAL.into_iter().enumerate() {
                let mut expected = pieces;
                for from in pieces.iter() {
                    let mut to = from;
                    while let Some(next) = G::neighbour(to, direction).filter(|&n| pass.has(n)) {
                        to = next;
                        expected |= G::Bits::bit(to);
                        assert_eq!(G::origin(pieces, to, index), from);
                    }
                }
                assert_eq!(slides[index], expected);
            }
        }
    }

    fn steps_agree_with_neighbours<G: Grid>() {
        assert_eq!(
            G::BOARD.count(),
            u32::from(G::SIDE) * u32::from(G::SIDE),
            "{:?}",
            G::SIDE
        );
        for square in G::squares() {
            let set = G::Bits::bit(square);
            let mut around = G::Bits::EMPTY;
            for direction in Direction::ALL {
                let expected = G::neighbour(square, direction).map_or(G::Bits::EMPTY, G::Bits::bit);
                assert_eq!(G::step(set, direction) & G::BOARD, expected);
                around |= expected;
            }
            assert_eq!(G::around(set) & G::BOARD, around);
            let name = G::name(square);
            assert_eq!(G::parse_square(&name), Some((square, "")));
        }
        assert_eq!(G::parse_square("a0"), None);
        assert_eq!(G::parse_square("a01"), None);
        assert_eq!(G::parse_square(&format!("a{}", G::SIDE + 1)), None);
        assert_eq!(G::parse_square("é1"), None);
    }

    #[test]
    fn every_grid() {
        steps_agree_with_neighbours::<Grid7>();
        slides_agree_with_single_steps::<Grid7>();
        steps_agree_with_neighbours::<Grid9>();
        slides_agree_with_single_steps::<Grid9>();
        steps_agree_with_neighbours::<Grid11>();
        slides_agree_with_single_steps::<Grid11>();
        steps_agree_with_neighbours::<Grid13>();
        slides_agree_with_single_steps::<Grid13>();
        steps_agree_with_neighbours::<Grid15>();
        slides_agree_with_single_steps::<Grid15>();
        steps_agree_with_neighbours::<Grid19>();
        slides_agree_with_single_steps::<Grid19>();
    }
}
