//! Reading and writing positions and reading moves (§1), strictly and with messages that name the row or field.

use super::board::{Board, EMPTY, HOLE, Square};
use super::variant::Variant;
use super::{Move, Position};

pub fn position_text(position: &Position) -> String {
    let board = &position.board;
    let mut rows = Vec::new();
    for rank in (0..board.size).rev() {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..board.size {
            let letter = board.at(Square { file, rank });
            if letter == EMPTY {
                empty += 1;
                continue;
            }
            if empty > 0 {
                row += &empty.to_string();
                empty = 0;
            }
            row.push(letter);
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        rows.push(row);
    }
    let side = position.variant.side_letters()[usize::from(position.side) - 1];
    let (quiet, number) = (position.quiet, position.number);
    format!("{} {side} {quiet} {number}", rows.join("/"))
}

pub fn parse_position(variant: Variant, text: &str) -> Result<Position, String> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    if fields.is_empty() {
        return Err("ROWS: missing".to_string());
    }
    if fields.len() > 4 {
        return Err(format!("more than four fields: '{}'", fields[4]));
    }
    let board = parse_rows(variant, fields[0])?;
    let letter = *fields.get(1).ok_or("SIDE: missing")?;
    let [first, second] = variant.side_letters();
    let side = if letter == first {
        1
    } else if letter == second {
        2
    } else {
        return Err(format!("SIDE: '{letter}' is neither {first} nor {second}"));
    };
    let quiet = match fields.get(2) {
        Some(field) => parse_number(field).map_err(|why| format!("QUIET: {why}"))?,
        None => 0,
    };
    let number = match fields.get(3) {
        Some(field) => parse_number(field).map_err(|why| format!("MOVE: {why}"))?,
        None => 1,
    };
    if number == 0 {
        return Err("MOVE: 0, but moves count from 1".to_string());
    }
    Ok(Position {
        variant,
        board,
        side,
        quiet,
        number,
    })
}

fn parse_number(text: &str) -> Result<u32, String> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_digit()) {
        return Err(format!("'{text}' is not a number"));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("'{text}' has a leading zero"));
    }
    text.parse()
        .map_err(|_| format!("'{text}' is too large a number"))
}

fn parse_rows(variant: Variant, text: &str) -> Result<Board, String> {
    let empty_board = Board::empty(variant.size());
    let mut board = empty_board.clone();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != board.size as usize {
        return Err(format!("ROWS: {} rows, not {}", rows.len(), board.size));
    }
    for (index, row) in rows.iter().enumerate() {
        let rank = board.size - 1 - index as i32;
        let fail = |why: String| format!("row {} ('{row}'): {why}", index + 1);
        let letters = row_letters(row, board.size).map_err(fail)?;
        for (file, &letter) in letters.iter().enumerate() {
            let square = Square {
                file: file as i32,
                rank,
            };
            check_letter(variant, &empty_board, square, letter).map_err(fail)?;
            board.put(square, letter);
        }
    }
    if board.count('K') > 1 {
        return Err("ROWS: more than one king".to_string());
    }
    Ok(board)
}

/// One letter for each square of a row, its numbers spelt out as empty squares.
fn row_letters(row: &str, size: i32) -> Result<Vec<char>, String> {
    let mut letters = Vec::new();
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        if letter == EMPTY {
            return Err(format!("unknown letter '{letter}'")); // our mark for an empty square, no letter of the notation
        }
        if !letter.is_ascii_digit() {
            letters.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let digits = &rest[..end];
        if digits.starts_with('0') {
            return Err(format!("'{digits}' starts with a zero"));
        }
        match digits.parse::<usize>() {
            Ok(count) if count <= size as usize => letters.extend(vec![EMPTY; count]),
            _ => return Err(format!("{digits} squares are more than a row has")),
        }
        rest = &rest[end..];
    }
    if letters.len() != size as usize {
        return Err(format!("{} squares, not {size}", letters.len()));
    }
    Ok(letters)
}

/// Whether a letter of a position text (or `EMPTY`, counted by a number) may stand on a square.
fn check_letter(
    variant: Variant,
    empty_board: &Board,
    square: Square,
    letter: char,
) -> Result<(), String> {
    let name = square.name();
    let is_hole = empty_board.at(square) == HOLE;
    if letter == HOLE && variant.is_thud() {
        return if is_hole {
            Ok(())
        } else {
            Err(format!("{name} is no hole"))
        };
    }
    if letter != EMPTY && variant.owner(letter) == 0 {
        return Err(format!("unknown letter '{letter}'"));
    }
    if is_hole {
        return Err(format!("{name} is a hole"));
    }
    if letter == 't' || (letter == 'T' && !variant.is_thud()) {
        if square == empty_board.centre() {
            return Err(format!("a man on {name}, the king's own square"));
        }
        if variant == Variant::Hnefatafl7 && empty_board.is_corner(square) {
            return Err(format!("a man in the corner {name}"));
        }
    }
    Ok(())
}

/// Reads a move: `from`, `to`, then captures as `x` and a square each. A troll's captures are his choice, in any order;
/// anyone else's may be left out, or must be complete.
pub fn read_move(position: &Position, text: &str) -> Result<String, String> {
    let lower = text.to_ascii_lowercase();
    let garbled = || format!("'{text}' is not a move");
    let (from, rest) = Square::read_prefix(&lower).ok_or_else(garbled)?;
    let (to, mut rest) = Square::read_prefix(rest).ok_or_else(garbled)?;
    let mut named = Vec::new();
    while !rest.is_empty() {
        let after_x = rest.strip_prefix('x').ok_or_else(garbled)?;
        let (square, after) = Square::read_prefix(after_x).ok_or_else(garbled)?;
        if named.contains(&square) {
            return Err(format!("'{text}' names {} twice", square.name()));
        }
        named.push(square);
        rest = after;
    }
    named.sort();
    let a_troll_moves = position.variant.is_thud() && position.side == 2;
    let fits = |m: &Move| {
        m.from == from
            && m.to == to
            && if a_troll_moves {
                m.chosen == named
            } else {
                named.is_empty() || position.apply(m).1 == named
            }
    };
    match position.moves().into_iter().find(fits) {
        Some(found) => Ok(found.text()),
        None => Err(format!("'{text}' is illegal")),
    }
}
