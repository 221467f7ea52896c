//! Moves and positions as OpenTafl writes them: in its records, and to and from engines that speak its dialect.
//!
//! A move is `e5-e8xe9/f8`: the piece unless it is a plain man, the squares with `-` between them, `^` where it jumps, `=`
//! before either where a turn goes on, and what it captures. Positions begin with rank 1 and do not say whose turn it is.

use crate::referee::Step;
use std::fmt::Write as _;

/// Letters that may stand before a square, in records of either side.
const PIECES: [char; 6] = ['T', 'C', 'N', 'K', 'M', 'G'];

/// A move in the notation of the protocol, with its captures, if the word is a move record.
pub fn read_move(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['+', '-']);
    let (from, rest) = square(word)?;
    let between = rest.len() - rest.trim_start_matches(['-', '^', '=']).len();
    let (between, rest) = rest.split_at(between);
    if !["-", "^", "=", "^=", "=^"].contains(&between) {
        return None;
    }
    let (to, mut rest) = square(rest)?;
    let mut text = format!("{from}{to}");
    let mut sign = 'x';
    while !rest.is_empty() {
        let (captured, after) = square(rest.strip_prefix(sign)?)?;
        // Writing to a string does not fail.
        let _ = write!(text, "x{captured}");
        (rest, sign) = (after, '/');
    }
    Some(text)
}

/// The square that a text begins with, a piece before it left out, and what follows.
fn square(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(PIECES).unwrap_or(text);
    text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| text.split_at(1 + digits))
}

/// The whole record of a move.
pub fn write_move(step: &Step) -> String {
    let kind = |piece: char| match piece.to_ascii_uppercase() {
        'T' => String::new(),
        letter => letter.to_string(),
    };
    let between = match (step.jumps, step.goes_on) {
        (false, false) => "-",
        (true, false) => "^",
        (false, true) => "=",
        (true, true) => "^=",
    };
    let mut text = format!("{}{}{between}{}", kind(step.piece), step.from, step.to);
    for (index, (square, piece)) in step.captured.iter().enumerate() {
        let before = if index == 0 { 'x' } else { '/' };
        let _ = write!(text, "{before}{}{square}", kind(*piece));
    }
    text
}

/// The squares of a move only.
pub fn write_simple(step: &Step) -> String {
    format!("{}-{}", step.from, step.to)
}

/// Rows from rank 1 up become rows from the highest down, and the other way.
pub fn turn_over(rows: &str) -> String {
    let rows: Vec<&str> = rows.trim_matches('/').rsplit('/').collect();
    rows.join("/")
}

/// The position record of a position text.
pub fn write_position(text: &str) -> String {
    let rows = text.split(' ').next().unwrap_or_default();
    format!("/{}/", turn_over(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_form() {
        for (theirs, ours) in [
            ("e5-e8", Some("e5e8")),
            ("e5-e8xe9/f8", Some("e5e8xe9xf8")),
            ("Kf6-f10", Some("f6f10")),
            ("f4-e4xKd4++", Some("f4e4xd4")),
            ("Ke5-e1--", Some("e5e1")),
            ("a3-e3+", Some("a3e3")),
            ("Ne6^e8xCe7", Some("e6e8xe7")),
            ("e6=e8", Some("e6e8")),
            ("Ne6^=e8xe7/Td8", Some("e6e8xe7xd8")),
            ("a10-a11", Some("a10a11")),
            ("e5e8", None),
            ("e5-e8x", None),
            ("e5-e8/f8", None),
            ("e5-", None),
            ("-e5", None),
            ("\u{e9}1-e1", None),
            ("1/2-1/2", None),
            ("", None),
        ] {
            assert_eq!(read_move(theirs).as_deref(), ours, "{theirs}");
        }
    }

    #[test]
    fn moves_are_written_with_what_they_are() {
        let mut step = Step {
            text: "e6e8".into(),
            side: huscarl::game::Side::Second,
            piece: 'N',
            from: "e6".into(),
            to: "e8".into(),
            captured: vec![("e7".into(), 'c'), ("d8".into(), 't')],
            jumps: true,
            goes_on: true,
        };
        assert_eq!(write_move(&step), "Ne6^=e8xCe7/d8");
        assert_eq!(write_simple(&step), "e6-e8");
        (step.piece, step.jumps) = ('T', false);
        step.captured.clear();
        assert_eq!(write_move(&step), "e6=e8");
    }

    #[test]
    fn positions_begin_with_rank_1() {
        assert_eq!(write_position("6T/7/t6 a 0 1"), "/t6/7/6T/");
        assert_eq!(turn_over("/t6/7/6T/"), "6T/7/t6");
    }
}
