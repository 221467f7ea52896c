//! How games end: every check, and the two orders in which they are made.

use super::board::{Board, EMPTY, Side, Square};
use super::moves::{self, Mover};
use super::record::{Record, Repetition};
use super::{End, walls};

/// What the history adds to a board: how often the position has occurred, and the plies since the last capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    pub occurrences: u32,
    pub quiet: u32,
}

impl Counts {
    /// Those of a position without a history.
    pub const FRESH: Counts = Counts {
        occurrences: 1,
        quiet: 0,
    };
}

fn wins(side: Side, reason: &'static str) -> Option<End> {
    let winner = Some(side);
    Some(End { winner, reason })
}

fn draw(reason: &'static str) -> Option<End> {
    let winner = None;
    Some(End { winner, reason })
}

/// The result after a move: the first check that holds.
pub fn result(record: &Record, board: &Board, counts: Counts) -> Option<End> {
    standing(record, board, repetition(record, board, counts))
        .or_else(|| stuck(record, board))
        .or_else(|| quiet(record, counts))
}

/// The result by all that stands on the board, not asking whose turn it is, and by a repetition at its place in the order.
pub fn standing(record: &Record, board: &Board, repeated: Option<End>) -> Option<End> {
    let fort = || edge_fort(record, board);
    let encircled = || encirclement(record, board);
    if record.house_order {
        return king_result(record, board)
            .or_else(fort)
            .or_else(encircled)
            .or(repeated);
    }
    nobody_left(board)
        .or(repeated)
        .or_else(|| escaped(record, board))
        .or_else(|| captured(board))
        .or_else(|| no_room(board))
        .or_else(fort)
        .or_else(encircled)
}

/// The king is captured or stands on a goal, in this order.
pub fn king_result(record: &Record, board: &Board) -> Option<End> {
    captured(board).or_else(|| escaped(record, board))
}

fn nobody_left(board: &Board) -> Option<End> {
    if board.pieces(Side::Attackers).is_empty() {
        wins(Side::Defenders, "no-attackers")
    } else if board.pieces(Side::Defenders).is_empty() {
        wins(Side::Attackers, "no-defenders")
    } else {
        None
    }
}

/// No repetition is looked at while a turn of several moves goes on.
fn repetition(record: &Record, board: &Board, counts: Counts) -> Option<End> {
    let is_off = record.occurrence == 0 || board.running.is_some();
    if is_off || counts.occurrences < record.occurrence {
        return None;
    }
    let reason = "repetition";
    match record.repetition {
        Repetition::Draw => draw(reason),
        Repetition::MoverWins => wins(board.side, reason),
        Repetition::MoverLoses => wins(board.side.other(), reason),
        Repetition::DefendersLose => wins(Side::Attackers, reason),
    }
}

fn kings(board: &Board) -> Vec<Square> {
    let squares = board.squares();
    squares.filter(|&square| board.at(square) == 'K').collect()
}

fn escaped(record: &Record, board: &Board) -> Option<End> {
    let has_escaped = kings(board).into_iter().any(|king| record.is_goal(king));
    has_escaped.then_some(())?;
    wins(Side::Defenders, "king-escaped")
}

fn captured(board: &Board) -> Option<End> {
    kings(board).is_empty().then_some(())?;
    wins(Side::Attackers, "king-captured")
}

/// No defender has an empty square beside him, whatever his rights there.
fn no_room(board: &Board) -> Option<End> {
    let has_room = |piece: Square| piece.around().iter().any(|&s| board.at(s) == EMPTY);
    let mut defenders = board.pieces(Side::Defenders).into_iter();
    (!defenders.any(has_room)).then_some(())?;
    wins(Side::Attackers, "no-room")
}

fn edge_fort(record: &Record, board: &Board) -> Option<End> {
    let holds =
        record.edge_fort && (walls::king_in_row(record, board) || king_is_walled_in(record, board));
    holds.then_some(())?;
    wins(Side::Defenders, "edge-fort")
}

/// Whether the squares that the first king can come to touch the edge and no attacker, and have tight walls.
fn king_is_walled_in(record: &Record, board: &Board) -> bool {
    let Some(&king) = kings(board).first() else {
        return false;
    };
    let mover = Mover {
        letter: board.at(king),
        standing: king,
    };
    let mut reached = vec![king];
    let mut looked_at = 0;
    while let Some(&from) = reached.get(looked_at) {
        looked_at += 1;
        for to in mover.slides(record, board, from) {
            if !reached.contains(&to) {
                reached.push(to);
            }
        }
    }
    let touches_edge = match board.is_edge(king) {
        true => moves::has_move(record, board, king),
        false => reached.iter().any(|&square| board.is_edge(square)),
    };
    let mut beside = reached.iter().flat_map(|square| square.around());
    let is_open = |square: &Square| {
        board.contains(*square)
            && !reached.contains(square)
            && !board.holds(*square, Side::Defenders)
    };
    let is_tight = |square: Square| match Side::of(board.at(square)) {
        None => true,
        Some(Side::Attackers) => false,
        Some(Side::Defenders) => square.around().iter().filter(|s| is_open(s)).count() <= 2,
    };
    touches_edge && beside.all(is_tight)
}

/// No defender has a move to the edge, and none is touched by a flood through empty squares that starts from the edge.
fn encirclement(record: &Record, board: &Board) -> Option<End> {
    if !record.encirclement || moves::reaches_edge(record, board, Side::Defenders) {
        return None;
    }
    let edge = board.squares().filter(|&square| board.is_edge(square));
    let mut flood: Vec<Square> = edge.collect();
    let mut looked_at = 0;
    while let Some(&square) = flood.get(looked_at) {
        looked_at += 1;
        if board.holds(square, Side::Defenders) {
            return None;
        }
        if board.at(square) != EMPTY {
            continue;
        }
        for next in square.around() {
            if board.contains(next) && !flood.contains(&next) {
                flood.push(next);
            }
        }
    }
    wins(Side::Attackers, "encircled")
}

/// The side to move, or the piece that must move again, has no legal move.
fn stuck(record: &Record, board: &Board) -> Option<End> {
    moves::moves(record, board).is_empty().then_some(())?;
    match record.stuck_draws {
        true => draw("no-moves"),
        false => wins(board.side.other(), "no-moves"),
    }
}

fn quiet(record: &Record, counts: Counts) -> Option<End> {
    let is_over = record.quiet_limit > 0 && counts.quiet >= record.quiet_limit;
    is_over.then_some(())?;
    draw("quiet-limit")
}
