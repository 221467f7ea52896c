//! The rules of Tawlbwrdd (§3) and Hnefatafl 7×7 (§4): moves, captures, goal squares.

use super::board::{EMPTY, ORTHOGONAL, Square};
use super::variant::Variant;
use super::{Move, Position};

fn is_hnefatafl(position: &Position) -> bool {
    position.variant == Variant::Hnefatafl7
}

/// Whether the king wins by standing here: any edge square in Tawlbwrdd, a corner in Hnefatafl.
pub fn is_goal(position: &Position, square: Square) -> bool {
    if is_hnefatafl(position) {
        position.board.is_corner(square)
    } else {
        position.board.is_edge(square)
    }
}

pub fn moves(position: &Position) -> Vec<Move> {
    let board = &position.board;
    let mut moves = Vec::new();
    for from in board.squares() {
        let piece = board.at(from);
        if position.variant.owner(piece) != position.side {
            continue;
        }
        for direction in ORTHOGONAL {
            let mut to = from.step(direction, 1);
            while board.at(to) == EMPTY && may_pass(position, piece, to) {
                if may_stop(position, piece, to) {
                    moves.push(Move {
                        from,
                        to,
                        chosen: Vec::new(),
                    });
                }
                to = to.step(direction, 1);
            }
        }
    }
    moves
}

/// Whether a piece may slide over an empty square.
fn may_pass(position: &Position, piece: char, square: Square) -> bool {
    !(is_hnefatafl(position) && square == position.board.centre() && piece != 'K')
}

/// Whether a piece may end its move on an empty square that it may pass.
fn may_stop(position: &Position, piece: char, square: Square) -> bool {
    if is_hnefatafl(position) {
        let special = square == position.board.centre() || position.board.is_corner(square);
        piece == 'K' || !special
    } else {
        square != position.board.centre() // an empty castle has been left by the king, for good
    }
}

/// What the piece that has just moved to `to` captures, in no order. `position` is the one with the piece moved, and the
/// captured ones still on the board; nothing that captures is itself captured by the move, so the order is no matter.
pub fn captures(position: &Position, to: Square) -> Vec<Square> {
    let board = &position.board;
    let player = position.variant.owner(board.at(to));
    let enemy = 3 - player;
    let mut captured = Vec::new();
    for direction in ORTHOGONAL {
        let victim = to.step(direction, 1);
        let opposite = to.step(direction, 2);
        if position.variant.owner(board.at(victim)) != enemy {
            continue;
        }
        let is_captured = if board.at(victim) == 'K' {
            king_is_captured(position, victim, opposite)
        } else {
            position.variant.owner(board.at(opposite)) == player || is_hostile(position, opposite)
        };
        if is_captured {
            captured.push(victim);
        }
    }
    captured
}

/// Squares that capture men of both sides by themselves: the empty castle or throne, and in Hnefatafl the corners.
fn is_hostile(position: &Position, square: Square) -> bool {
    let board = &position.board;
    let empty_centre = square == board.centre() && board.at(square) == EMPTY;
    empty_centre || (is_hnefatafl(position) && board.is_corner(square))
}

/// Whether an attacker that has just moved next to the king, with `opposite` beyond him, captures him.
fn king_is_captured(position: &Position, king: Square, opposite: Square) -> bool {
    let board = &position.board;
    let sides: Vec<Square> = ORTHOGONAL.iter().map(|&d| king.step(d, 1)).collect();
    let attacked = |square: Square| board.at(square) == 't';
    if king == board.centre() {
        return sides.iter().all(|&side| attacked(side));
    }
    if is_hnefatafl(position) {
        return attacked(opposite) || is_hostile(position, opposite);
    }
    if sides.contains(&board.centre()) {
        return sides
            .iter()
            .all(|&side| side == board.centre() || attacked(side));
    }
    attacked(opposite)
}
