//! What stands in a row along an edge: shield walls, and the fort of a king in such a row. Both follow the idea that people
//! play by, not the host's scan.

use super::board::{Board, Side, Square, kind};
use super::record::{Record, Type, Walls};
use super::{Mv, moves};

/// The pieces that the shield walls of the side that has just moved take, `board` being the one with the move made and what
/// was taken in other ways gone. Kings and guards stay but save nobody.
pub fn captures(record: &Record, board: &Board, mv: Mv) -> Vec<Square> {
    let mover = board.at(mv.to);
    let Some(side) = Side::of(mover) else {
        return Vec::new();
    };
    if record.walls == Walls::None || kind(mover) == 'g' {
        return Vec::new();
    }
    let triggers = |wall: &Wall| {
        !record.walls_need_flanking || (board.is_edge(mv.to) && wall.builders.contains(&mv.to))
    };
    walls(record, board, side)
        .into_iter()
        .filter(triggers)
        .flat_map(|wall| wall.row)
        .filter(|&square| !['k', 'g'].contains(&kind(board.at(square))))
        .collect()
}

/// A row of enemies on an edge, and the squares of the pieces that shut it in.
struct Wall {
    row: Vec<Square>,
    builders: Vec<Square>,
}

/// All walls of a side, standing ones included.
fn walls(record: &Record, board: &Board, side: Side) -> Vec<Wall> {
    let mut found = Vec::new();
    for (first, along, inward) in board.edges() {
        let square = |index: i32| first.step(along, index);
        let closes = |square| board.holds(square, side) || corner_closes(record, square);
        for start in (1..board.size).filter(|&start| closes(square(start - 1))) {
            let row: Vec<Square> = (start..board.size)
                .map(square)
                .take_while(|&q| {
                    board.holds(q, side.other())
                        && !corner_closes(record, q)
                        && board.holds(q.step(inward, 1), side)
                })
                .collect();
            let ends = [square(start - 1), square(start + row.len() as i32)];
            if row.len() < 2 || !closes(ends[1]) {
                continue;
            }
            let behind = row.iter().map(|q| q.step(inward, 1));
            let closing = ends.into_iter().filter(|&end| board.holds(end, side));
            let builders = behind.chain(closing).collect();
            found.push(Wall { row, builders });
        }
    }
    found
}

fn corner_closes(record: &Record, square: Square) -> bool {
    record.walls == Walls::Strong && record.type_of(square) == Some(Type::Corner)
}

/// Whether a king who has a move stands on the edge in a row of two squares or more, without other defenders in it, that is
/// backed by a defender behind each square and closed at both ends.
pub fn king_in_row(record: &Record, board: &Board) -> bool {
    let kings = board.pieces(Side::Defenders).into_iter();
    let mut free_kings = kings.filter(|&k| board.at(k) == 'K' && moves::has_move(record, board, k));
    free_kings.any(|king| {
        (board.edges().into_iter()).any(|(first, along, inward)| {
            let belongs = |q: Square| {
                board.contains(q)
                    && !(board.holds(q, Side::Defenders) && board.at(q) != 'K')
                    && !corner_closes(record, q)
                    && board.holds(q.step(inward, 1), Side::Defenders)
            };
            let closes = |q: Square| board.holds(q, Side::Defenders) || corner_closes(record, q);
            let (across, back) = ((king.file - first.file), (king.rank - first.rank));
            let is_on_edge = across * inward.0 + back * inward.1 == 0;
            let length = |way: i32| {
                (1..)
                    .take_while(|&steps| belongs(king.step(along, way * steps)))
                    .count() as i32
            };
            let (before, after) = (length(-1), length(1));
            is_on_edge
                && belongs(king)
                && before + after >= 1
                && closes(king.step(along, -before - 1))
                && closes(king.step(along, after + 1))
        })
    })
}
