//! Exhaustive solvers: what is forced within a few plies, by trying every legal move.
//!
//! They know no evaluation and leave nothing out, so that the engine can be judged by them. The reference of the rules
//! is too slow for this, so each game has a plain position of its own here; it is read from the reference's and tested
//! against it, and shares no code with the engine.

pub mod tafl;
pub mod thud;

#[cfg(test)]
mod tests;

use crate::reference;

/// The text of a position from the letters of its squares, file by file from `a1` upwards.
fn text(size: usize, letter: impl Fn(usize) -> char, side: char) -> String {
    let row = |rank: usize| {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..size {
            match letter(file * size + rank) {
                '.' => empty += 1,
                piece => {
                    if empty > 0 {
                        row += &empty.to_string();
                        empty = 0;
                    }
                    row.push(piece);
                }
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        row
    };
    let rows: Vec<String> = (0..size).rev().map(row).collect();
    format!("{} {side} 0 1", rows.join("/"))
}

/// The letters of the squares of a position, in the same order, and the player to move from 0.
fn letters(position: &reference::Position) -> (Vec<char>, usize) {
    let squares = position.squares();
    let letters = squares.iter().map(|square| position.piece_at(square));
    (
        letters.collect(),
        usize::from(position.player_to_move() == 2),
    )
}

/// The squares that lie ahead of each square in each direction, up to the edge.
fn rays<const N: usize>(size: usize, directions: [(i32, i32); N]) -> Vec<[Vec<u8>; N]> {
    let size = size as i32;
    let ray = |square: i32, (files, ranks): (i32, i32)| {
        let steps = (1..size).map(|n| (square / size + files * n, square % size + ranks * n));
        steps
            .take_while(|(file, rank)| (0..size).contains(file) && (0..size).contains(rank))
            .map(|(file, rank)| (file * size + rank) as u8)
            .collect()
    };
    let of_square = |square| directions.map(|direction| ray(square, direction));
    (0..size * size).map(of_square).collect()
}
