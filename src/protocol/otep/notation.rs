//! Positions, moves, clocks and scores as OpenTafl writes them, to and from our texts.

use crate::game::Side;
use crate::protocol::go::{milliseconds, number};
use crate::score::Score;
use crate::search::limits::{Clock, Overtime};
use std::time::Duration;

/// The sides as the host names them.
const SIDES: [(&str, Side); 2] = [("attackers", Side::First), ("defenders", Side::Second)];

/// The sides in our position text.
const SIDE_LETTERS: [char; 2] = ['a', 'd'];

/// The side that the host means.
pub fn side(word: &str) -> Option<Side> {
    SIDES
        .iter()
        .find(|(name, _)| *name == word)
        .map(|&(_, side)| side)
}

/// `ROWS` of our position text from the host's position, which begins with rank 1.
pub fn rows(position: &str) -> String {
    let ranks: Vec<&str> = position.trim_matches('/').rsplit('/').collect();
    ranks.join("/")
}

/// Our position text: `further` is the square of the piece that moves on, if the turn of `side` has begun.
pub fn position(rows: &str, side: Side, further: Option<&str>) -> String {
    let letter = SIDE_LETTERS[side.index()];
    match further {
        Some(square) => format!("{rows} {letter}:{square}"),
        None => format!("{rows} {letter}"),
    }
}

/// The fields of our position text that matter here: the rows, and the square of the piece that moves on.
pub fn fields(text: &str) -> (&str, Option<&str>) {
    let mut words = text.split(' ');
    let rows = words.next().unwrap_or_default();
    let further = words.next().and_then(|side| side.split_once(':'));
    (rows, further.map(|(_, square)| square))
}

/// A move in our text from the host's, be it short (`d1-e1`) or a full record (`Nd1^=f1xe1/Kf2++`). What it captures is
/// left out: it follows from the move.
pub fn read_move(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let (from, rest) = split_square(text)?;
    let to = rest.trim_start_matches(['-', '^', '=']);
    let (to, _) = split_square(to).filter(|_| to.len() < rest.len())?;
    Some(format!("{from}{to}"))
}

/// The squares that one of our moves leaves and enters.
pub fn squares(mv: &str) -> Option<(&str, &str)> {
    let (from, rest) = split_square(mv)?;
    let (to, _) = split_square(rest)?;
    Some((from, to))
}

/// The square that a text begins with, and the rest.
fn split_square(text: &str) -> Option<(&str, &str)> {
    text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text.split_at(1 + digits))
}

/// One of our moves as the host writes it. `position` is the text of the position before it, if that is known.
pub fn write_move(mv: &str, before: Option<&str>) -> Option<String> {
    let (from, to) = squares(mv)?;
    let (rows, further) = before.map_or(("", None), fields);
    let jumps = middle(from, to).is_some_and(|(file, rank)| piece(rows, file, rank).is_some());
    let between = match (jumps, further.is_some()) {
        (false, false) => "-",
        (true, false) => "^",
        (false, true) => "=",
        (true, true) => "^=",
    };
    Some(format!("{from}{between}{to}"))
}

/// File and rank of a square, from 0.
fn coordinates(square: &str) -> Option<(usize, usize)> {
    let file = square.bytes().next()?.checked_sub(b'a')?;
    let rank: usize = square.get(1..)?.parse().ok()?;
    Some((usize::from(file), rank.checked_sub(1)?))
}

/// The square between two that are two steps apart in a line.
fn middle(from: &str, to: &str) -> Option<(usize, usize)> {
    let (from, to) = (coordinates(from)?, coordinates(to)?);
    let apart = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    matches!(apart, (2, 0) | (0, 2)).then(|| ((from.0 + to.0) / 2, (from.1 + to.1) / 2))
}

/// The piece on a square of `ROWS`.
fn piece(rows: &str, file: usize, rank: usize) -> Option<char> {
    let row = rows.rsplit('/').nth(rank)?;
    let (mut at, mut empty) = (0, 0);
    for c in row.chars() {
        if let Some(digit) = c.to_digit(10) {
            empty = empty * 10 + digit as usize;
            continue;
        }
        at += std::mem::take(&mut empty);
        if at == file {
            return Some(c);
        }
        at += 1;
    }
    None
}

/// Whose piece stands on a square of `ROWS`.
pub fn owner(rows: &str, square: &str) -> Option<Side> {
    let (file, rank) = coordinates(square)?;
    let piece = piece(rows, file, rank)?;
    Some(if piece.is_ascii_uppercase() {
        Side::Second
    } else {
        Side::First
    })
}

/// Both clocks from the words `A[*] D[*] O a d`: milliseconds, with `*` those of the running overtime period; the
/// length of a period in seconds, and the periods left to each side.
///
/// # Errors
/// Names the word and what is expected.
pub fn clocks(arguments: &str) -> Result<[Clock; 2], String> {
    let words: Vec<&str> = arguments.split_ascii_whitespace().collect();
    let count = |index: usize, what: &str| match words.get(index) {
        None => Ok(0),
        Some(word) => number(word).ok_or_else(|| format!("{what} '{word}', a number expected")),
    };
    let period = milliseconds(count(2, "overtime")?.saturating_mul(1000));
    let clock = |index: usize| -> Result<Clock, String> {
        let word = words.get(index).copied().unwrap_or_default();
        let time = word.strip_suffix('*');
        let left = number(time.unwrap_or(word))
            .ok_or_else(|| format!("time '{word}', milliseconds expected"))?;
        let periods = count(3 + index, "periods")?.min(u64::from(u32::MAX)) as u32;
        let overtime = Overtime {
            period,
            periods,
            running: time.is_some(),
        };
        Ok(Clock {
            left: milliseconds(left),
            overtime: (!period.is_zero()).then_some(overtime),
            ..Clock::default()
        })
    };
    Ok([clock(0)?, clock(1)?])
}

/// A score of `side` as the host shows it: in pieces, positive for the attackers, a plain decimal number also where the
/// game is decided.
pub fn value(score: Score, side: Side) -> String {
    let score = match side {
        Side::First => score,
        Side::Second => -score,
    };
    format!("{:.2}", f64::from(score) / 100.0)
}

/// Seconds, a fraction included, of at most a day.
pub fn seconds(word: &str) -> Option<Duration> {
    let seconds: f64 = word.parse().ok().filter(|s: &f64| s.is_finite())?;
    Some(milliseconds((seconds.max(0.0) * 1000.0) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_form() {
        for (text, mv) in [
            ("d1-e1", Some("d1e1")),
            ("a10-a11", Some("a10a11")),
            ("s19^q19", Some("s19q19")),
            ("d1=d4", Some("d1d4")),
            ("Nd1^=f1xe1/Kf2++", Some("d1f1")),
            ("e5-e8xe9/f8", Some("e5e8")),
            ("f4-e4xKd4", Some("f4e4")),
            ("Kf6-f1++", Some("f6f1")),
            ("d1e1", None),
            ("d1-", None),
            ("-e1", None),
            ("d-e1", None),
            ("", None),
            ("\u{e9}1-e1", None),
        ] {
            assert_eq!(read_move(text).as_deref(), mv, "{text}");
        }
    }

    #[test]
    fn moves_are_written_with_what_they_are() {
        let plain = "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1";
        assert_eq!(write_move("d1e1", Some(plain)).unwrap(), "d1-e1");
        assert_eq!(write_move("d1f1", Some(plain)).unwrap(), "d1-f1");
        assert_eq!(write_move("d1d3", Some(plain)).unwrap(), "d1^d3");
        let further = "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a:d1 0 1";
        assert_eq!(write_move("d1e1", Some(further)).unwrap(), "d1=e1");
        assert_eq!(write_move("d1d3", Some(further)).unwrap(), "d1^=d3");
        assert_eq!(write_move("a10a11", None).unwrap(), "a10-a11");
        assert_eq!(write_move("(none)", None), None);
    }

    #[test]
    fn positions_are_turned_over() {
        assert_eq!(rows("/t6/7/3K3/7/7/7/6T/"), "6T/7/7/7/3K3/7/t6");
        let rows = "10t/11/T10/11/11/5K5/11/11/11/11/1t9";
        assert_eq!(owner(rows, "b1"), Some(Side::First));
        assert_eq!(owner(rows, "a9"), Some(Side::Second));
        assert_eq!(owner(rows, "k11"), Some(Side::First));
        assert_eq!(owner(rows, "f6"), Some(Side::Second));
        assert_eq!(owner(rows, "c1"), None);
        assert_eq!(owner(rows, "c12"), None);
        assert_eq!(position("7", Side::Second, Some("e5")), "7 d:e5");
        assert_eq!(fields("7 d:e5 0 1"), ("7", Some("e5")));
        assert_eq!(fields("7 d 0 1"), ("7", None));
    }

    #[test]
    fn clocks_are_read() {
        let [attackers, defenders] = clocks("8195 1236* 2 2 1").unwrap();
        assert_eq!(attackers.left, Duration::from_millis(8195));
        assert_eq!(defenders.left, Duration::from_millis(1236));
        let overtime = |periods, running| {
            Some(Overtime {
                period: Duration::from_secs(2),
                periods,
                running,
            })
        };
        assert_eq!(attackers.overtime, overtime(2, false));
        assert_eq!(defenders.overtime, overtime(1, true));
        assert_eq!(clocks("5000 5000 0 0 0").unwrap()[0].overtime, None);
        assert_eq!(clocks("5000 -1").unwrap()[1].left, Duration::ZERO);
        for wrong in ["", "5000", "x 5000 2 2 2", "5000 5000 2 y 2"] {
            assert!(clocks(wrong).is_err(), "'{wrong}'");
        }
    }

    #[test]
    fn values_are_the_attackers() {
        assert_eq!(value(350, Side::First), "3.50");
        assert_eq!(value(350, Side::Second), "-3.50");
        assert_eq!(value(99_997, Side::First), "999.97");
    }
}
