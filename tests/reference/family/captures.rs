//! Making a move: what is hostile to whom, and everything that a move captures, in the host's order.

use super::board::{Board, DIRECTIONS, EMPTY, Side, Square, are_enemies, kind};
use super::record::{Jump, Record, Strength, Type};
use super::{Mv, walls};

/// Whether a square is hostile to a piece that stands beside it.
pub fn is_hostile(record: &Record, board: &Board, square: Square, to: char) -> bool {
    let piece = board.at(square);
    if are_enemies(piece, to) {
        match kind(piece) {
            'g' => return false,
            'k' if !record.king_captures_as_anvil => {} // the square may still be hostile by itself
            _ => return true,
        }
    }
    let Some(t) = record.type_of(square) else {
        return false;
    };
    let special = record.special(t);
    let is_empty_centre = t == Type::Centre && piece == EMPTY;
    if is_empty_centre && kind(to) == 'k' && !record.centre_takes_kings {
        return false;
    }
    let set = match is_empty_centre {
        true => &special.hostile_empty,
        false => &special.hostile,
    };
    set.contains(man_of(to))
}

/// The man of a piece's side: the only letter of a hostility list that counts.
fn man_of(letter: char) -> char {
    match Side::of(letter) {
        Some(side) => side.own('t'),
        None => letter,
    }
}

fn is_leader(letter: char) -> bool {
    ['c', 'n'].contains(&kind(letter))
}

/// Makes a move, with all it captures; the side to move stays. The captured squares come in the order of capture.
pub fn make(record: &Record, before: &Board, mv: Mv) -> (Board, Vec<Square>) {
    let letter = before.at(mv.from);
    let mut board = before.clone();
    board.put(mv.from, EMPTY);
    board.put(mv.to, letter);
    let mut taken = Vec::new();
    if opens_gate(record, before, mv) {
        if is_capturing_jump(record, before, mv) {
            take(&mut board, mv.from.middle(mv.to), &mut taken);
        }
        for direction in DIRECTIONS {
            let victim = mv.to.step(direction, 1);
            if is_caught(record, &board, letter, mv.to, victim) {
                take(&mut board, victim, &mut taken);
            }
        }
    }
    for victim in walls::captures(record, &board, mv) {
        take(&mut board, victim, &mut taken);
    }
    if let Some(victim) = linnaean_victim(record, before, mv)
        && board.holds(victim, Side::Defenders)
    {
        take(&mut board, victim, &mut taken);
    }
    (board, taken)
}

/// A mercenary changes sides where he stands; every other piece leaves the board.
fn take(board: &mut Board, square: Square, taken: &mut Vec<Square>) {
    let piece = board.at(square);
    let left = match (kind(piece), Side::of(piece)) {
        ('m', Some(side)) => side.other().own(piece),
        _ => EMPTY,
    };
    board.put(square, left);
    taken.push(square);
}

fn is_capturing_jump(record: &Record, before: &Board, mv: Mv) -> bool {
    mv.jump && record.jump(before.at(mv.from)) == Jump::Capturing
}

/// Whether a move is one that captures at all beside its end, asked while the mover still stands on its old square. A piece
/// that is jumped over does not count as caught between the old and the new square, unless the old one is special.
pub fn opens_gate(record: &Record, before: &Board, mv: Mv) -> bool {
    let jumped = mv.jump.then(|| mv.from.middle(mv.to));
    let exempt = |victim| jumped == Some(victim) && record.type_of(mv.from).is_none();
    let letter = before.at(mv.from);
    is_capturing_jump(record, before, mv)
        || (mv.to.around().into_iter())
            .any(|victim| !exempt(victim) && is_caught(record, before, letter, mv.to, victim))
}

/// Whether a piece that comes to `landing`, on the board or not yet, catches the enemy beside it on `victim`.
fn is_caught(record: &Record, board: &Board, mover: char, landing: Square, victim: Square) -> bool {
    let piece = board.at(victim);
    let captures = match kind(mover) {
        'g' => false,
        'k' => record.king_captures_as_mover,
        _ => true,
    };
    if !captures || !are_enemies(mover, piece) || kind(piece) == 'g' {
        return false;
    }
    let opposite = Square {
        file: 2 * victim.file - landing.file,
        rank: 2 * victim.rank - landing.rank,
    };
    let is_sandwiched = is_hostile(record, board, opposite, piece);
    if kind(piece) == 'k' {
        let attack = Attack {
            mover,
            landing,
            opposite,
            is_sandwiched,
        };
        king_is_caught(record, board, victim, &attack)
    } else {
        is_sandwiched
    }
}

/// A mover beside a king, and what lies on the king's other side.
struct Attack {
    mover: char,
    landing: Square,
    opposite: Square,
    is_sandwiched: bool,
}

fn king_is_caught(record: &Record, board: &Board, king: Square, attack: &Attack) -> bool {
    let centre = &record.special(Type::Centre).squares;
    let is_attacked = |square: Square| {
        square == attack.landing || is_hostile(record, board, square, board.at(king))
    };
    let on_all = |squares: &[Square]| squares.iter().all(|&square| is_attacked(square));
    let around = king.around();
    let existing: Vec<Square> = (around.into_iter())
        .filter(|&square| board.contains(square))
        .collect();
    let has_leaders = Side::of(attack.mover).is_some_and(|side| record.began_with_leaders(side));
    let by_four = || match has_leaders {
        true => leaders_catch(record, board, king, attack),
        false => on_all(&around),
    };
    match record.strength {
        Strength::Two => attack.is_sandwiched,
        Strength::AllExisting => on_all(&existing) && (attack.is_sandwiched || !has_leaders),
        Strength::Four => by_four(),
        Strength::FourOnCentre if centre.contains(&king) => by_four(),
        Strength::FourOnCentre => attack.is_sandwiched,
        Strength::FourNearCentre
            if has_leaders
                || centre.contains(&king)
                || around.iter().any(|s| centre.contains(s)) =>
        {
            by_four()
        }
        Strength::FourNearCentre => attack.is_sandwiched,
    }
}

/// A side that began with commanders or knights takes a strong king between two of its pieces, away from the centre, if
/// those are worth two points: one for each hostile corner, for each leader beside the king, and for a leader that moves.
fn leaders_catch(record: &Record, board: &Board, king: Square, attack: &Attack) -> bool {
    let partners = [attack.landing, attack.opposite];
    let is_centre = |&square: &Square| record.type_of(square) == Some(Type::Centre);
    if !attack.is_sandwiched || is_centre(&king) || partners.iter().any(is_centre) {
        return false;
    }
    let takes_kings = (record.special(Type::Corner).hostile).contains(man_of(board.at(king)));
    let corners = (partners.iter())
        .filter(|&&square| takes_kings && record.type_of(square) == Some(Type::Corner))
        .count();
    let leaders = partners.iter().filter(|&&s| is_leader(board.at(s))).count();
    corners + leaders + usize::from(is_leader(attack.mover)) >= 2
}

/// The defender taken by a move to the second square from the middle, beyond him, while three attackers stand around the
/// king on the middle: all judged before the move.
fn linnaean_victim(record: &Record, before: &Board, mv: Mv) -> Option<Square> {
    let middle = before.middle();
    let around = middle.around().into_iter();
    let attackers = around.filter(|&s| before.holds(s, Side::Attackers)).count();
    let is_beyond = DIRECTIONS.iter().any(|&d| middle.step(d, 2) == mv.to);
    let victim = middle.middle(mv.to);
    let holds = record.linnaean
        && before.holds(mv.from, Side::Attackers)
        && kind(before.at(middle)) == 'k'
        && attackers >= 3
        && is_beyond
        && before.holds(victim, Side::Defenders)
        && kind(before.at(victim)) != 'g';
    holds.then_some(victim)
}
