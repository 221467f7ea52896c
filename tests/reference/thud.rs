//! The rules of Thud (§2): the dwarfs' moves and hurls, the trolls' moves and shoves.

use super::board::{ALL_EIGHT, Board, Direction, EMPTY, Square};
use super::variant::Variant;
use super::{Move, Position};

pub fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in position.board.squares() {
        let piece = position.board.at(from);
        if position.variant.owner(piece) != position.side {
            continue;
        }
        for direction in ALL_EIGHT {
            if piece == 'd' {
                add_dwarf_moves(&position.board, from, direction, &mut moves);
            } else {
                add_troll_moves(position, from, direction, &mut moves);
            }
        }
    }
    moves
}

/// The number of equal pieces in the unbroken line that ends with the one on `last` and looks on in `direction`.
fn line_length(board: &Board, last: Square, direction: Direction) -> i32 {
    let mut length = 1;
    while board.at(last.step(direction, -length)) == board.at(last) {
        length += 1;
    }
    length
}

/// How many empty squares lie ahead before the first thing in the way.
fn empty_ahead(board: &Board, from: Square, direction: Direction) -> i32 {
    let mut empty = 0;
    while board.at(from.step(direction, empty + 1)) == EMPTY {
        empty += 1;
    }
    empty
}

fn add_dwarf_moves(board: &Board, from: Square, direction: Direction, moves: &mut Vec<Move>) {
    let empty = empty_ahead(board, from, direction);
    let reach = if can_hurl(board, from, direction) {
        empty + 1
    } else {
        empty
    };
    for steps in 1..=reach {
        moves.push(Move {
            from,
            to: from.step(direction, steps),
            chosen: Vec::new(),
        });
    }
}

/// Whether the dwarf can be hurled onto the first thing ahead: a troll, no farther away than the line is long.
fn can_hurl(board: &Board, from: Square, direction: Direction) -> bool {
    let distance = empty_ahead(board, from, direction) + 1;
    board.at(from.step(direction, distance)) == 'T'
        && distance <= line_length(board, from, direction)
}

/// How far the troll can be shoved, over empty squares: not at all without a second troll in the line.
fn shove_reach(board: &Board, from: Square, direction: Direction) -> i32 {
    let line = line_length(board, from, direction);
    if line < 2 {
        return 0;
    }
    line.min(empty_ahead(board, from, direction))
}

fn add_troll_moves(position: &Position, from: Square, direction: Direction, moves: &mut Vec<Move>) {
    let board = &position.board;
    let step = empty_ahead(board, from, direction).min(1);
    let shove = shove_reach(board, from, direction);
    for steps in 1..=step.max(shove) {
        let to = from.step(direction, steps);
        let dwarfs = dwarfs_beside(board, to);
        // One square ahead, a move and a shove may take the same dwarfs, which is one move; so each set is asked for once.
        for chosen in subsets(&dwarfs) {
            let by_move = steps == 1 && (chosen.len() <= 1 || takes_any(position));
            let by_shove = steps <= shove && !chosen.is_empty();
            if by_move || by_shove {
                moves.push(Move { from, to, chosen });
            }
        }
    }
}

/// Whether a troll's move of one square takes any set of dwarfs, or one at most.
fn takes_any(position: &Position) -> bool {
    position.variant == Variant::ThudRulebook
}

/// The dwarfs on the eight squares next to one, in ascending order.
fn dwarfs_beside(board: &Board, square: Square) -> Vec<Square> {
    let around = ALL_EIGHT.iter().map(|&d| square.step(d, 1));
    let mut dwarfs: Vec<Square> = around.filter(|&s| board.at(s) == 'd').collect();
    dwarfs.sort();
    dwarfs
}

/// All subsets of a few squares, the empty one included, each in the order of the whole.
fn subsets(squares: &[Square]) -> Vec<Vec<Square>> {
    let mut all = vec![Vec::new()];
    for &square in squares {
        let with_it: Vec<Vec<Square>> = all
            .iter()
            .map(|set| {
                let mut set = set.clone();
                set.push(square);
                set
            })
            .collect();
        all.extend(with_it);
    }
    all
}

/// The points of the most valuable capture that the side to move has, 0 without one. It is what the best of `moves` takes,
/// found without listing the moves that capture nothing.
pub fn largest_capture(position: &Position) -> u32 {
    let board = &position.board;
    let mut largest = 0;
    for from in board.squares() {
        let piece = board.at(from);
        if position.variant.owner(piece) != position.side {
            continue;
        }
        for direction in ALL_EIGHT {
            if piece == 'd' {
                if can_hurl(board, from, direction) {
                    return 4;
                }
                continue;
            }
            let step = empty_ahead(board, from, direction).min(1);
            let shove = shove_reach(board, from, direction);
            for steps in 1..=step.max(shove) {
                let dwarfs = dwarfs_beside(board, from.step(direction, steps)).len() as u32;
                let one_at_most = steps > shove && !takes_any(position);
                let taken = if one_at_most { dwarfs.min(1) } else { dwarfs };
                largest = largest.max(taken);
            }
        }
    }
    largest
}
