//! Where pieces may go: slides, jumps, and the rights to pass, to stop and to enter again.

use super::board::{Board, DIRECTIONS, EMPTY, Side, Square, are_enemies, kind};
use super::record::{Jump, Record};
use super::{Mv, ends};

/// All legal moves, piece by piece in reading order. In a game of the host one that is over on the board goes on, since the
/// host only looks after a move; in our own it has no moves.
pub fn moves(record: &Record, board: &Board) -> Vec<Mv> {
    if record.house_order && ends::king_result(record, board).is_some() {
        return Vec::new();
    }
    let pieces = match board.running {
        Some(square) => vec![square],
        None => board.pieces(board.side),
    };
    pieces
        .into_iter()
        .flat_map(|from| moves_of(record, board, from))
        .collect()
}

/// All moves of one piece, whoever is to move.
pub fn moves_of(record: &Record, board: &Board, from: Square) -> Vec<Mv> {
    let mover = Mover {
        letter: board.at(from),
        standing: from,
    };
    let slides = mover.slides(record, board, from).into_iter();
    let mut moves: Vec<Mv> = slides.map(|to| Mv::slide(from, to)).collect();
    moves.extend(jumps(record, board, from));
    moves
}

/// A piece whose rights are asked for: its letter, and the square from which entering again is judged.
#[derive(Clone, Copy)]
pub struct Mover {
    pub letter: char,
    pub standing: Square,
}

impl Mover {
    fn may_enter(self, record: &Record, square: Square) -> bool {
        match record.type_of(square) {
            None => true,
            Some(t) => {
                record.type_of(self.standing) == Some(t)
                    || record.special(t).reenter.contains(self.letter)
            }
        }
    }

    pub fn may_pass(self, record: &Record, square: Square) -> bool {
        let may = |t| record.special(t).pass.contains(self.letter);
        self.may_enter(record, square) && record.type_of(square).is_none_or(may)
    }

    pub fn may_stop(self, record: &Record, square: Square) -> bool {
        let may = |t| record.special(t).stop.contains(self.letter);
        self.may_enter(record, square) && record.type_of(square).is_none_or(may)
    }

    /// Where a slide that starts on `from` may end.
    pub fn slides(self, record: &Record, board: &Board, from: Square) -> Vec<Square> {
        let mut ends = Vec::new();
        for direction in DIRECTIONS {
            for steps in 1..=record.reach(self.letter) {
                let to = from.step(direction, steps);
                if board.at(to) != EMPTY || !self.may_pass(record, to) {
                    break;
                }
                if self.may_stop(record, to) {
                    ends.push(to);
                }
            }
        }
        ends
    }
}

/// The jumps of the piece on a square: two squares on, over an enemy who is no king, knight or commander.
fn jumps(record: &Record, board: &Board, from: Square) -> Vec<Mv> {
    let letter = board.at(from);
    let mover = Mover {
        letter,
        standing: from,
    };
    let mode = record.jump(letter);
    let mut moves = Vec::new();
    for direction in DIRECTIONS {
        let over = board.at(from.step(direction, 1));
        let to = from.step(direction, 2);
        let is_special = record.type_of(from).or(record.type_of(to)).is_some();
        let allowed = match mode {
            Jump::None => false,
            Jump::Restricted => is_special,
            Jump::Free | Jump::Capturing => true,
        };
        let can_be_jumped = are_enemies(letter, over) && !['k', 'n', 'c'].contains(&kind(over));
        if allowed && can_be_jumped && board.at(to) == EMPTY && mover.may_stop(record, to) {
            moves.push(Mv {
                from,
                to,
                jump: true,
            });
        }
    }
    moves
}

/// Whether a piece has a square beside it to slide to that it may pass; whether it may stop there is not asked.
pub fn can_step(record: &Record, board: &Board, from: Square) -> bool {
    let mover = Mover {
        letter: board.at(from),
        standing: from,
    };
    let mut beside = from.around().into_iter();
    beside.any(|to| board.at(to) == EMPTY && mover.may_pass(record, to))
}

pub fn has_move(record: &Record, board: &Board, from: Square) -> bool {
    !moves_of(record, board, from).is_empty()
}

/// Whether any piece of a side has a move that ends on an edge square.
pub fn reaches_edge(record: &Record, board: &Board, side: Side) -> bool {
    let pieces = board.pieces(side).into_iter();
    let mut moves = pieces.flat_map(|from| moves_of(record, board, from));
    moves.any(|mv| board.is_edge(mv.to))
}
