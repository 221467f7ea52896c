//! The text that ThudBoard saves: a line of pieces, then a line for each move.
//!
//! ```text
//! dF1,dG1,dJ1,…,TG7,…,RH8
//! dA6-A7
//! TF7-D5xC4xE4
//! ```
//!
//! Files run A–H and J–P without I, rank 1 is at the top. Every captured square has its own `x`; a hurl is written with its
//! capture, and read without it too. The line of pieces may be missing, the game then begins as Thud does. The text knows
//! no result and no variant, and a new line of pieces begins a new game.

use super::replay::{Replay, facts};
use super::{Annotated, Transcript, rows, tags};
use crate::referee::Step;
use crate::variant::Variant;

/// Files of ThudBoard, in the order of those of the protocol.
const FILES: &str = "ABCDEFGHJKLMNOP";
/// The variant of a game that says nothing else.
const DEFAULT_VARIANT: &str = "thud";
/// Files and ranks.
const SIZE: usize = 15;

/// Whether a line looks like one of ThudBoard.
pub(super) fn is_line(line: &str) -> bool {
    let mut words = line.split(',').map(str::trim);
    words.all(|word| read_piece(word).is_some()) || read_move(line).is_some()
}

/// File and rank from 0, bottom left first, of a square at the start of a text, and what follows it.
fn read_square(text: &str) -> Option<((usize, usize), &str)> {
    let letter = text.chars().next()?.to_ascii_uppercase();
    let file = FILES.find(letter)?;
    let rest = text.get(1..)?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    let rank: usize = number.parse().ok()?;
    (1..=SIZE)
        .contains(&rank)
        .then(|| ((file, SIZE - rank), rest))
}

/// The name of a square in the protocol.
fn name((file, rank): (usize, usize)) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// `dA6`: the piece and its square.
fn read_piece(word: &str) -> Option<(char, (usize, usize))> {
    let piece = word.chars().next().filter(|c| "dTR".contains(*c))?;
    let (square, rest) = read_square(&word[1..])?;
    rest.is_empty().then_some((piece, square))
}

/// `TF7-D5xC4xE4`: the piece and the move in the notation of the protocol.
fn read_move(line: &str) -> Option<(char, String)> {
    let piece = line.chars().next().filter(|c| "dT".contains(*c))?;
    let (from, rest) = read_square(&line[1..])?;
    let (to, mut rest) = read_square(rest.strip_prefix('-')?)?;
    let mut text = name(from) + &name(to);
    while !rest.is_empty() {
        let (square, after) = read_square(rest.strip_prefix('x')?)?;
        text = text + "x" + &name(square);
        rest = after;
    }
    Some((piece, text))
}

/// Reads all games.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(text: &str, variant: Option<&Variant>) -> Result<Vec<Transcript>, String> {
    let variant = match variant {
        Some(variant) => variant.clone(),
        None => DEFAULT_VARIANT.parse()?,
    };
    if variant.spec().is_some() {
        let name = variant.name();
        return Err(format!("ThudBoard text is of Thud, not of {name}"));
    }
    let facts = facts(&variant)?;
    let start_rows = facts.start.split(' ').next().unwrap_or_default();
    let mut games: Vec<Transcript> = Vec::new();
    // The rows that the game begins with, until its first move tells whose turn it is.
    let mut placed = Some(start_rows.to_string());
    let mut game = Transcript::default();
    let mut begun = false;
    let mut close = |game: &mut Transcript| {
        game.place = format!("game {}", games.len() + 1);
        game.set_variant(&variant);
        games.push(std::mem::take(game));
    };
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: &str| {
            format!("line {number}: '{line}', {what} such as dF1,dG1,TG7,RH8 or dA6-A7 expected")
        };
        if let Some((piece, mv)) = read_move(line) {
            if let Some(rows) = placed.take()
                && (rows != start_rows || piece != 'd')
            {
                let side = facts.letters[usize::from(piece == 'T')];
                game.set_tag(tags::FEN, format!("{rows} {side} 0 1"));
            }
            begun = true;
            game.moves.push(Annotated {
                mv,
                written: Some(line.to_string()),
                ..Annotated::default()
            });
        } else {
            let pieces: Option<Vec<_>> = line.split(',').map(|w| read_piece(w.trim())).collect();
            let pieces = pieces.ok_or_else(|| wrong("pieces or a move"))?;
            if begun {
                close(&mut game);
            }
            begun = true;
            placed = Some(place(&pieces));
        }
    }
    if begun {
        if let Some(rows) = placed.filter(|rows| rows != start_rows) {
            game.set_tag(tags::FEN, format!("{rows} {} 0 1", facts.letters[0]));
        }
        close(&mut game);
    }
    Ok(games)
}

/// The rows of a position text with these pieces; the stone is where it always is.
fn place(pieces: &[(char, (usize, usize))]) -> String {
    const MIDDLE: usize = SIZE / 2;
    let cell = |file: usize, rank: usize| {
        let cut = file.abs_diff(MIDDLE) + rank.abs_diff(MIDDLE) > MIDDLE + 2;
        let stone = (file, rank) == (MIDDLE, MIDDLE);
        pieces
            .iter()
            .find(|(piece, square)| *piece != 'R' && *square == (file, rank))
            .map(|(piece, _)| *piece)
            .or((cut || stone).then_some('*'))
    };
    let row = |rank| (0..SIZE).map(|file| cell(file, rank)).collect();
    rows::write(&(0..SIZE).rev().map(row).collect())
}

/// A square of the protocol as ThudBoard names it.
fn write_square(name: &str) -> Option<String> {
    let file = name.bytes().next()?.checked_sub(b'a')?;
    let rank: usize = name.get(1..)?.parse().ok()?;
    let letter = FILES.chars().nth(file.into())?;
    Some(format!("{letter}{}", (SIZE + 1).checked_sub(rank)?))
}

fn write_move(step: &Step) -> Option<String> {
    let mut text = format!(
        "{}{}-{}",
        step.piece,
        write_square(&step.from)?,
        write_square(&step.to)?
    );
    for (square, _) in &step.captured {
        text = text + "x" + &write_square(square)?;
    }
    Some(text)
}

/// Writes a game that was played again.
///
/// # Errors
/// If it is not a game of Thud.
pub(super) fn write(game: &Transcript, replay: &Replay) -> Result<String, String> {
    let variant = game.variant()?;
    if variant.spec().is_some() {
        let name = variant.name();
        return Err(format!("ThudBoard text is of Thud, not of {name}"));
    }
    let board = rows::read(replay.start.split(' ').next().unwrap_or_default());
    let mut pieces = Vec::new();
    for kind in ['d', 'T'] {
        for (index, row) in board.iter().enumerate() {
            for (file, _) in row
                .iter()
                .enumerate()
                .filter(|(_, cell)| **cell == Some(kind))
            {
                let square = write_square(&name((file, SIZE - 1 - index)));
                pieces.extend(square.map(|square| format!("{kind}{square}")));
            }
        }
    }
    pieces.push("RH8".to_string());
    let mut text = pieces.join(",") + "\n";
    for step in &replay.steps {
        text += &write_move(step).ok_or_else(|| format!("{}: not a move of Thud", step.text))?;
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::replay::replay;
    use super::*;

    fn again(game: &Transcript) -> Replay {
        let moves = game.moves.iter().map(|mv| mv.mv.as_str());
        replay(&game.conditions().expect("known"), moves).expect("plays")
    }

    #[test]
    fn squares_and_moves() {
        for (theirs, ours) in [
            ("dA6-A7", Some(('d', "a10a9"))),
            ("TF7-D5xC4xE4", Some(('T', "f9d11xc12xe12"))),
            ("dE2-C4xC4", Some(('d', "e14c12xc12"))),
            ("dJ1-P7", Some(('d', "i15o9"))),
            ("TP15-H1", Some(('T', "o1h15"))),
            ("dI1-A7", None),
            ("dA16-A7", None),
            ("dA0-A7", None),
            ("RH8-H9", None),
            ("dA6-A7x", None),
            ("dA6A7", None),
            ("", None),
        ] {
            let ours = ours.map(|(piece, mv)| (piece, mv.to_string()));
            assert_eq!(read_move(theirs), ours, "{theirs}");
        }
        for (file, rank) in [(0, 0), (7, 14), (8, 3), (14, 14)] {
            let written = write_square(&name((file, rank))).expect("a square");
            assert_eq!(read_square(&written), Some(((file, rank), "")));
        }
    }

    #[test]
    fn the_start_needs_no_fen() {
        let start = facts(&"thud".parse().unwrap()).expect("known").start;
        let game = Transcript {
            tags: vec![("Variant".into(), "thud".into())],
            ..Transcript::default()
        };
        let text = write(&game, &again(&game)).expect("writes");
        assert!(text.starts_with("dF1,dG1,dJ1,dK1,dE2,dL2,"), "{text}");
        assert!(text.trim_end().ends_with(",TG9,TH9,TJ9,RH8"), "{text}");
        let games = read(&text).expect("reads");
        assert_eq!(games[0].tag("FEN"), None, "the same as {start}");
    }

    fn read(text: &str) -> Result<Vec<Transcript>, String> {
        super::read(text, None)
    }

    #[test]
    fn games_there_and_back() {
        // A dwarf of a line of three is hurled over two squares; then a troll moves and captures.
        let text = "dE10,dF10,dG10,TK10,TH5,dK3,RH8\ndG10-K10xK10\nTH5-J4xK3\n";
        let games = read(text).expect("reads");
        assert_eq!(
            games[0].tag("FEN"),
            Some(
                "*****5*****/****7****/***6d2***/**11**/*6T6*/15/15/7*7/15/4ddd2T5/*13*/**11**/***9***/****7****/*****5***** d 0 1"
            )
        );
        let played = again(&games[0]);
        assert_eq!(played.broken, None);
        let texts: Vec<&str> = played.steps.iter().map(|step| step.text.as_str()).collect();
        assert_eq!(texts, ["g6j6", "h11i12xj13"]);
        let written = write(&games[0], &played).expect("writes");
        assert!(
            written.ends_with("\ndG10-K10xK10\nTH5-J4xK3\n"),
            "{written}"
        );
        // Without the captures that follow from the move, and with trolls to begin.
        let short = text.replace("xK10", "");
        let played = again(&read(&short).expect("reads")[0]);
        assert_eq!(write(&games[0], &played).expect("writes"), written);
        let trolls = read("dK3,TH5,RH8\nTH5-J4xK3\n\n# remark\ndA6,TA9\n").expect("reads");
        assert_eq!(trolls.len(), 2);
        assert!(
            trolls[0]
                .tag("FEN")
                .is_some_and(|fen| fen.ends_with(" t 0 1"))
        );
        assert!(again(&trolls[0]).over.is_some(), "the last dwarf is gone");
    }

    #[test]
    fn what_can_not_be_read_is_named() {
        let why = read("dA6-A7\nnonsense").expect_err("nonsense");
        assert!(why.contains("line 2") && why.contains("nonsense"), "{why}");
        assert!(super::read("dA6-A7", Some(&"tablut15".parse().unwrap())).is_err());
        let game = &read("dA6-B6\ndA6-B6\n").expect("reads")[0];
        let broken = again(game).broken.expect("it is the turn of the trolls");
        assert!(game.fault(&broken).starts_with("ply 2, move dA6-B6: "));
    }
}
