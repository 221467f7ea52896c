//! Squares and the board as an array of letters. Knows geometry (the cut corners and the stone of Thud included), no rules.

pub const EMPTY: char = '.';
/// A square that is no part of play; a square off the board reads the same.
pub const HOLE: char = '*';

pub type Direction = (i32, i32);
pub const ORTHOGONAL: [Direction; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub const ALL_EIGHT: [Direction; 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];

/// A square by file and rank, both from 0. The derived order is that of the rules: file first, then rank as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Square {
    pub file: i32,
    pub rank: i32,
}

impl Square {
    pub fn step(self, direction: Direction, steps: i32) -> Square {
        Square {
            file: self.file + direction.0 * steps,
            rank: self.rank + direction.1 * steps,
        }
    }

    /// The name of a square on the board, such as `a1`.
    pub fn name(self) -> String {
        let letters = "abcdefghijklmno".chars();
        let letter = letters.skip(self.file as usize).take(1);
        letter.collect::<String>() + &(self.rank + 1).to_string()
    }

    /// Reads a square's name at the start of a text (lower case, no leading zero) and gives what follows it.
    pub fn read_prefix(text: &str) -> Option<(Square, &str)> {
        let letter = text.chars().next()?;
        let file = "abcdefghijklmno".find(letter)? as i32;
        let rest = &text[1..];
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let digits = &rest[..end];
        if digits.starts_with('0') {
            return None;
        }
        let rank = digits.parse::<i32>().ok()? - 1;
        Some((Square { file, rank }, &rest[end..]))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub size: i32,
    /// Rank by rank from the bottom, each from file a.
    cells: Vec<char>,
}

impl Board {
    /// The empty board of a size. 15 is Thud's, with its cut corners and the Thudstone as holes.
    pub fn empty(size: i32) -> Board {
        let mut board = Board {
            size,
            cells: vec![EMPTY; (size * size) as usize],
        };
        if size == 15 {
            let squares: Vec<Square> = board.squares().collect();
            for square in squares {
                let from_side = square.file.min(14 - square.file);
                let from_end = square.rank.min(14 - square.rank);
                let is_stone = (square.file, square.rank) == (7, 7);
                if from_side + from_end < 5 || is_stone {
                    board.put(square, HOLE);
                }
            }
        }
        board
    }

    pub fn contains(&self, square: Square) -> bool {
        (0..self.size).contains(&square.file) && (0..self.size).contains(&square.rank)
    }

    pub fn at(&self, square: Square) -> char {
        if self.contains(square) {
            self.cells[(square.rank * self.size + square.file) as usize]
        } else {
            HOLE
        }
    }

    /// Puts a letter on a square of the board.
    pub fn put(&mut self, square: Square, letter: char) {
        self.cells[(square.rank * self.size + square.file) as usize] = letter;
    }

    /// All squares in ascending order, holes included.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let size = self.size;
        (0..size).flat_map(move |file| (0..size).map(move |rank| Square { file, rank }))
    }

    pub fn count(&self, letter: char) -> u32 {
        self.cells.iter().filter(|&&cell| cell == letter).count() as u32
    }

    /// The first square that holds a letter.
    pub fn find(&self, letter: char) -> Option<Square> {
        self.squares().find(|&square| self.at(square) == letter)
    }

    pub fn centre(&self) -> Square {
        Square {
            file: self.size / 2,
            rank: self.size / 2,
        }
    }

    pub fn is_corner(&self, square: Square) -> bool {
        let last = self.size - 1;
        (square.file == 0 || square.file == last) && (square.rank == 0 || square.rank == last)
    }

    pub fn is_edge(&self, square: Square) -> bool {
        let last = self.size - 1;
        square.file == 0 || square.file == last || square.rank == 0 || square.rank == last
    }
}
