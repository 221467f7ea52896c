//! The drawn board: read from a position text, written as lines of letters or of coloured squares.
//!
//! It knows no game: letters of lower case are player 1's, of upper case player 2's, `*` is no part of play, and what
//! an empty square means comes from the session.

use crate::game::Side;
use std::fmt::{self, Display};

/// A square, by file and rank from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Square {
    /// From the left.
    pub file: usize,
    /// From the bottom.
    pub rank: usize,
}

impl Square {
    /// Reads a square at the start of a text of lower case, and returns it with what follows it. It may lie off the
    /// board.
    pub(super) fn read(text: &str) -> Option<(Square, &str)> {
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
        let rest = text.get(1..)?;
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (number, rest) = rest.split_at(end);
        if number.starts_with('0') || number.len() > 2 {
            return None;
        }
        let rank = number.parse::<usize>().ok()?.checked_sub(1)?;
        let file = usize::from(letter - b'a');
        Some((Square { file, rank }, rest))
    }

    /// Reads squares that follow each other with `between` before each.
    pub(super) fn read_all<'a>(mut text: &'a str, between: &str) -> Option<Vec<Square>> {
        let mut squares = Vec::new();
        while !text.is_empty() {
            let (square, rest): (Square, &'a str) = Square::read(text.strip_prefix(between)?)?;
            squares.push(square);
            text = rest;
        }
        Some(squares)
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = (b'a'..=b'z').nth(self.file).map_or('?', char::from);
        write!(f, "{letter}{}", self.rank + 1)
    }
}

/// Squares with blanks between them.
pub(super) fn list(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    names.join(" ")
}

/// What is on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// Nothing.
    Empty,
    /// A piece, by its letter.
    Piece(char),
    /// Something that is in the way for the whole game.
    Stone,
    /// Nothing belongs here: the board has another shape.
    Hole,
}

impl Cell {
    /// Whose piece stands here.
    pub(super) fn owner(self) -> Option<Side> {
        match self {
            Cell::Piece(letter) if letter.is_ascii_lowercase() => Some(Side::First),
            Cell::Piece(_) => Some(Side::Second),
            _ => None,
        }
    }
}

/// What stands where.
pub(super) struct Board {
    /// Rank by rank from the lowest.
    ranks: Vec<Vec<Cell>>,
}

impl Board {
    /// Reads the rows of a position text that a session has written.
    pub(super) fn read(position: &str) -> Self {
        let rows = position.split(' ').next().unwrap_or_default();
        Board {
            ranks: rows.split('/').rev().map(read_row).collect(),
        }
    }

    /// What is on a square; `None` off the board.
    pub(super) fn cell(&self, square: Square) -> Option<Cell> {
        self.ranks.get(square.rank)?.get(square.file).copied()
    }

    /// The last square, at the top right.
    pub(super) fn last(&self) -> Square {
        Square {
            file: self.ranks.first().map_or(0, Vec::len).saturating_sub(1),
            rank: self.ranks.len().saturating_sub(1),
        }
    }

    /// The letters of a side's pieces, each once.
    pub(super) fn letters(&self, side: Side) -> Vec<char> {
        let mut letters: Vec<char> = self.pieces(side).collect();
        letters.sort_unstable_by(|a, b| b.cmp(a));
        letters.dedup();
        letters
    }

    /// How many pieces a side has.
    pub(super) fn count(&self, side: Side) -> usize {
        self.pieces(side).count()
    }

    /// Whether something is in the way for the whole game.
    pub(super) fn has_stone(&self) -> bool {
        self.ranks.iter().flatten().any(|&cell| cell == Cell::Stone)
    }

    fn pieces(&self, side: Side) -> impl Iterator<Item = char> {
        let cells = self.ranks.iter().flatten();
        cells.filter_map(move |&cell| match cell {
            Cell::Piece(letter) => (cell.owner() == Some(side)).then_some(letter),
            _ => None,
        })
    }

    /// The board as lines, a line for each rank and coordinates all around.
    pub(super) fn draw(&self, view: &View) -> Vec<String> {
        let order = |count: usize, flipped: bool| -> Vec<usize> {
            match flipped {
                true => (0..count).rev().collect(),
                false => (0..count).collect(),
            }
        };
        let files = order(self.last().file + 1, view.flipped);
        let ranks = order(self.ranks.len(), !view.flipped);
        let letters: String = files
            .iter()
            .filter_map(|&file| (b'a'..=b'z').nth(file))
            .map(|letter| format!(" {} ", char::from(letter)))
            .collect();
        let header = format!("    {}", letters.trim_end());
        let mut lines = vec![header.clone()];
        for rank in ranks {
            let row: String = files
                .iter()
                .map(|&file| self.draw_cell(Square { file, rank }, view))
                .collect();
            lines.push(format!("{:>3} {row} {}", rank + 1, rank + 1));
        }
        lines.push(header);
        lines
    }

    fn draw_cell(&self, square: Square, view: &View) -> String {
        let cell = self.cell(square).unwrap_or(Cell::Hole);
        let trace = view.last.and_then(|last| last.trace(square));
        let special = view.specials.iter().find(|special| special.0 == square);
        let empty = special.map_or('.', |special| special.1);
        let letter = match (cell, trace) {
            (Cell::Hole, _) => ' ',
            (Cell::Stone, _) => '#',
            (Cell::Piece(letter), _) => letter,
            (Cell::Empty, Some(Trace::Captured)) => 'x',
            (Cell::Empty, _) => empty,
        };
        if view.colour {
            return paint(
                square,
                cell,
                letter,
                trace,
                special.map(|special| special.1),
            );
        }
        match trace {
            Some(Trace::From) => format!("({letter})"),
            Some(Trace::To) => format!("[{letter}]"),
            Some(Trace::Captured) | None => format!(" {letter} "),
        }
    }
}

/// What the last move did to a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trace {
    From,
    To,
    Captured,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LastMove {
    /// The square that was left.
    pub from: Square,
    /// The square that was entered.
    pub to: Square,
    /// The squares whose pieces were captured.
    pub captured: Vec<Square>,
}

impl LastMove {
    /// The squares win over each other in this order: a hurled dwarf stands on the troll that he has captured.
    fn trace(&self, square: Square) -> Option<Trace> {
        if square == self.to {
            Some(Trace::To)
        } else if square == self.from {
            Some(Trace::From)
        } else {
            self.captured.contains(&square).then_some(Trace::Captured)
        }
    }
}

/// How a board is to be seen.
pub(super) struct View<'a> {
    /// Player 1's far side at the bottom.
    pub flipped: bool,
    /// With the colours of a terminal.
    pub colour: bool,
    /// Marked.
    pub last: Option<&'a LastMove>,
    /// Squares that mean something while they are empty, with their marks.
    pub specials: &'a [(Square, char)],
}

/// Numbers of the 256 colours that terminals share.
mod colour {
    pub const BOARD: [u8; 2] = [180, 187];
    pub const CENTRE: u8 = 109;
    pub const OTHER_SPECIAL: u8 = 151;
    pub const FROM: u8 = 222;
    pub const TO: u8 = 220;
    pub const CAPTURED: u8 = 210;
    pub const STONE: u8 = 240;
    pub const PIECES: [u8; 2] = [88, 18];
    pub const FAINT: u8 = 243;
    pub const PALE: u8 = 255;
}

/// One square with its ground; the letters stay, so that nothing hangs on the colours alone.
fn paint(
    square: Square,
    cell: Cell,
    letter: char,
    trace: Option<Trace>,
    special: Option<char>,
) -> String {
    if cell == Cell::Hole {
        return "   ".into();
    }
    let ground = match (trace, cell, special) {
        (Some(Trace::To), ..) => colour::TO,
        (Some(Trace::From), ..) => colour::FROM,
        (Some(Trace::Captured), ..) => colour::CAPTURED,
        (None, Cell::Stone, _) => colour::STONE,
        (None, _, Some('+')) => colour::CENTRE,
        (None, _, Some(_)) => colour::OTHER_SPECIAL,
        (None, _, None) => colour::BOARD[(square.file + square.rank) % 2],
    };
    let (weight, ink) = match (cell.owner(), trace, cell) {
        (Some(side), ..) => (1, colour::PIECES[side.index()]),
        (None, Some(Trace::Captured), _) => (1, colour::PIECES[0]),
        (None, _, Cell::Stone) => (1, colour::PALE),
        (None, ..) => (22, colour::FAINT),
    };
    format!("\x1b[{weight};38;5;{ink};48;5;{ground}m {letter} \x1b[0m")
}

/// One row of a position text; the ends of a row that are no part of play are holes, what is between them is a stone.
fn read_row(row: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut number = 0;
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            number = number * 10 + digit as usize;
            continue;
        }
        cells.resize(cells.len() + number, Cell::Empty);
        number = 0;
        cells.push(match letter {
            '*' => Cell::Stone,
            letter => Cell::Piece(letter),
        });
    }
    cells.resize(cells.len() + number, Cell::Empty);
    let ends = |cells: &mut dyn Iterator<Item = &mut Cell>| {
        for cell in cells.take_while(|cell| **cell == Cell::Stone) {
            *cell = Cell::Hole;
        }
    };
    ends(&mut cells.iter_mut());
    ends(&mut cells.iter_mut().rev());
    cells
}
