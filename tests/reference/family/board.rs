//! Squares, sides and the board as an array of letters, with both of its texts. Knows geometry and who owns a letter, no rules.

pub const EMPTY: char = '.';
/// What a square off the board reads as.
pub const OUTSIDE: char = '#';

const FILES: &str = "abcdefghijklmnopqrs";
/// The kinds of pieces: man, commander, knight, king, mercenary, guard; small for the attackers, large for the defenders.
pub const LETTERS: &str = "tcnkmgTCNKMG";

pub type Direction = (i32, i32);
/// Left, right, below, above: the order in which sandwiches are looked at.
pub const DIRECTIONS: [Direction; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    Attackers,
    Defenders,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Attackers => Side::Defenders,
            Side::Defenders => Side::Attackers,
        }
    }

    /// Whose piece a letter is; nobody's where no piece stands.
    pub fn of(letter: char) -> Option<Side> {
        if letter.is_ascii_lowercase() {
            Some(Side::Attackers)
        } else if letter.is_ascii_uppercase() {
            Some(Side::Defenders)
        } else {
            None
        }
    }

    /// The same kind of piece as a letter of either side, as this side's letter.
    pub fn own(self, letter: char) -> char {
        match self {
            Side::Attackers => letter.to_ascii_lowercase(),
            Side::Defenders => letter.to_ascii_uppercase(),
        }
    }

    pub fn named(word: &str) -> Result<Side, String> {
        match word {
            "a" | "attackers" => Ok(Side::Attackers),
            "d" | "defenders" => Ok(Side::Defenders),
            _ => Err(format!(
                "side '{word}': expected a, d, attackers or defenders"
            )),
        }
    }
}

/// The kind of a piece as a small letter, whoever owns it.
pub fn kind(letter: char) -> char {
    letter.to_ascii_lowercase()
}

pub fn are_enemies(one: char, other: char) -> bool {
    matches!((Side::of(one), Side::of(other)), (Some(a), Some(b)) if a != b)
}

/// A square by file and rank, both from 0; it may lie off the board. Ordered by file, then rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

    /// The four squares around, those off the board included.
    pub fn around(self) -> [Square; 4] {
        DIRECTIONS.map(|direction| self.step(direction, 1))
    }

    /// The square half-way to another one in the same row or column, an even number of steps away.
    pub fn middle(self, other: Square) -> Square {
        Square {
            file: (self.file + other.file) / 2,
            rank: (self.rank + other.rank) / 2,
        }
    }

    pub fn named(name: &str) -> Result<Square, String> {
        let wrong = || format!("'{name}' is no square: expected a file and a rank such as a1");
        let letter = name.chars().next().ok_or_else(wrong)?;
        let file = FILES.find(letter).ok_or_else(wrong)? as i32;
        let digits = &name[1..];
        if digits.starts_with('0') || !digits.chars().all(|c| c.is_ascii_digit()) {
            return Err(wrong());
        }
        let rank = digits.parse::<i32>().map_err(|_| wrong())? - 1;
        Ok(Square { file, rank })
    }

    /// The name of a square on the board, such as `a1`.
    pub fn name(self) -> String {
        let letter = FILES.chars().nth(self.file as usize).unwrap_or(OUTSIDE);
        format!("{letter}{}", self.rank + 1)
    }
}

/// The pieces, whose turn it is, and within a turn of several moves the piece that must go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// Squares along an edge.
    pub size: i32,
    /// Rank by rank from the bottom, each from file a.
    pub cells: Vec<char>,
    pub side: Side,
    /// Where the piece stands that moves again, in a berserk turn.
    pub running: Option<Square>,
}

impl Board {
    pub fn empty(size: i32, side: Side) -> Board {
        Board {
            size,
            cells: vec![EMPTY; (size * size) as usize],
            side,
            running: None,
        }
    }

    /// Reads the host's text, `/row/row/…/` with rank 1 first; it does not tell whose turn it is.
    pub fn from_host(size: i32, text: &str, side: Side) -> Result<Board, String> {
        let inner = text.strip_prefix('/').and_then(|t| t.strip_suffix('/'));
        let inner = inner.ok_or_else(|| format!("position '{text}': expected / at both ends"))?;
        Board::from_rows(size, inner.split('/').collect(), side)
    }

    pub fn host_text(&self) -> String {
        let rows: Vec<String> = (0..self.size).map(|rank| self.row_text(rank)).collect();
        format!("/{}/", rows.join("/"))
    }

    /// Reads our own text, `ROWS SIDE` with the highest rank first.
    pub fn parse(size: i32, text: &str) -> Result<Board, String> {
        let (rows, side) = text
            .split_once(' ')
            .ok_or_else(|| format!("position '{text}': expected ROWS SIDE"))?;
        Board::from_rows(size, rows.rsplit('/').collect(), Side::named(side)?)
    }

    pub fn text(&self) -> String {
        let ranks = (0..self.size).rev();
        let rows: Vec<String> = ranks.map(|rank| self.row_text(rank)).collect();
        let side = match self.side {
            Side::Attackers => 'a',
            Side::Defenders => 'd',
        };
        format!("{} {side}", rows.join("/"))
    }

    fn row_text(&self, rank: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..self.size {
            let letter = self.at(Square { file, rank });
            if letter == EMPTY {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    }

    /// The board from the texts of its rows, rank 1 first.
    pub fn from_rows(size: i32, rows: Vec<&str>, side: Side) -> Result<Board, String> {
        if rows.len() != size as usize {
            return Err(format!("{} rows: expected {size}", rows.len()));
        }
        let mut cells = Vec::new();
        for (rank, row) in rows.iter().enumerate() {
            let letters = row_letters(row, size as usize)
                .map_err(|why| format!("rank {} ('{row}'): {why}", rank + 1))?;
            cells.extend(letters);
        }
        Ok(Board {
            cells,
            ..Board::empty(size, side)
        })
    }

    pub fn contains(&self, square: Square) -> bool {
        (0..self.size).contains(&square.file) && (0..self.size).contains(&square.rank)
    }

    pub fn at(&self, square: Square) -> char {
        if self.contains(square) {
            self.cells[(square.rank * self.size + square.file) as usize]
        } else {
            OUTSIDE
        }
    }

    /// Puts a letter on a square of the board.
    pub fn put(&mut self, square: Square, letter: char) {
        self.cells[(square.rank * self.size + square.file) as usize] = letter;
    }

    /// All squares in reading order: rank 1 first, each rank from file a.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let size = self.size;
        (0..size).flat_map(move |rank| (0..size).map(move |file| Square { file, rank }))
    }

    /// The squares of a side's pieces, in reading order.
    pub fn pieces(&self, side: Side) -> Vec<Square> {
        self.squares()
            .filter(|&square| Side::of(self.at(square)) == Some(side))
            .collect()
    }

    pub fn holds(&self, square: Square, side: Side) -> bool {
        Side::of(self.at(square)) == Some(side)
    }

    pub fn middle(&self) -> Square {
        Square {
            file: self.size / 2,
            rank: self.size / 2,
        }
    }

    pub fn is_edge(&self, square: Square) -> bool {
        let last = self.size - 1;
        [0, last].contains(&square.file) || [0, last].contains(&square.rank)
    }

    /// The four physical corners.
    pub fn corners(&self) -> Vec<Square> {
        let last = self.size - 1;
        [(0, 0), (last, 0), (0, last), (last, last)]
            .map(|(file, rank)| Square { file, rank })
            .to_vec()
    }

    /// The four edges: a first square, the direction along the edge, and the direction inward.
    pub fn edges(&self) -> [(Square, Direction, Direction); 4] {
        let last = self.size - 1;
        let origin = Square { file: 0, rank: 0 };
        let opposite = Square {
            file: last,
            rank: last,
        };
        [
            (origin, (1, 0), (0, 1)),
            (opposite, (-1, 0), (0, -1)),
            (origin, (0, 1), (1, 0)),
            (opposite, (0, -1), (-1, 0)),
        ]
    }
}

/// One letter for each square of a row, its numbers spelt out as empty squares.
fn row_letters(row: &str, size: usize) -> Result<Vec<char>, String> {
    let strange = |&letter: &char| !letter.is_ascii_digit() && !LETTERS.contains(letter);
    if let Some(letter) = row.chars().find(strange) {
        return Err(format!("'{letter}' is no piece: expected one of {LETTERS}"));
    }
    let mut letters = Vec::new();
    let mut number = String::new();
    for letter in row.chars().chain([EMPTY]) {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        if !number.is_empty() {
            let count: usize = number.parse().unwrap_or(usize::MAX);
            if count == 0 || count > size {
                return Err(format!("{number} empty squares: expected 1 to {size}"));
            }
            letters.extend(vec![EMPTY; count]);
            number.clear();
        }
        letters.push(letter);
    }
    letters.pop(); // the mark that ended the last number
    if letters.len() != size {
        return Err(format!("{} squares: expected {size}", letters.len()));
    }
    Ok(letters)
}
