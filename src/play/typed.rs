//! Reading a typed move, and saying what would be legal where it is none.

use super::board::{Board, Cell, Square, list};
use super::contest::Contest;
use crate::game::Side;
use std::collections::BTreeSet;

/// Choices of captures that are listed; with many dwarfs around a troll there are up to 256.
pub(super) const LISTED: usize = 16;

/// What a typed move comes to.
pub(super) enum Typed {
    /// This legal move.
    Move(String),
    /// One of these, which differ in what they capture.
    Choice(Vec<Choice>),
    /// None; what there is to say about it.
    Advice(String),
}

/// A legal move among those with the same from and to.
pub(super) struct Choice {
    /// As the protocol writes it.
    pub text: String,
    /// What it captures.
    pub captured: Vec<Square>,
}

/// From and to of a legal move.
struct Step {
    from: Square,
    to: Square,
}

impl Step {
    fn of(text: &str) -> Option<Step> {
        let (from, rest) = Square::read(text)?;
        let (to, _) = Square::read(rest)?;
        Some(Step { from, to })
    }
}

/// Whether a line is meant as a move: it begins with a square.
pub(super) fn looks_like_move(line: &str) -> bool {
    Square::read(&line.trim().to_ascii_lowercase()).is_some()
}

/// Reads a move of the side to move.
pub(super) fn read(contest: &Contest, line: &str) -> Typed {
    match read_or_advise(contest, line) {
        Ok(typed) => typed,
        Err(advice) => Typed::Advice(advice),
    }
}

fn read_or_advise(contest: &Contest, line: &str) -> Result<Typed, String> {
    let malformed = || {
        format!(
            "'{}' is not a move; a move is from and to, such as d1d3, and x with a square for each capture that is chosen",
            line.trim()
        )
    };
    let mut text = line.to_ascii_lowercase();
    text.retain(|c| c != '-' && !c.is_whitespace());
    let (from, rest) = Square::read(&text).ok_or_else(malformed)?;
    let board = contest.board();
    check(&board, from)?;
    if rest.is_empty() {
        return Err(about(contest, &board, from));
    }
    let (to, rest) = Square::read(rest).ok_or_else(malformed)?;
    let captures = Square::read_all(rest, "x").ok_or_else(malformed)?;
    for &square in std::iter::once(&to).chain(&captures) {
        check(&board, square)?;
    }
    let choices = choices(contest, from, to);
    if choices.is_empty() {
        return Err(match board.cell(from).and_then(Cell::owner) {
            Some(side) if side == contest.side() => about(contest, &board, from),
            owner => {
                let what = described(owner);
                format!("{from} is {what}{}", ways(contest, to, &to.to_string()))
            }
        });
    }
    if !rest.is_empty() {
        return pick(&choices, &captures).map(Typed::Move).map_err(|why| {
            let sets = choices.iter().take(LISTED).map(Choice::to_text);
            let sets = sets.collect::<Vec<_>>().join(", or ");
            let more = match choices.len() > LISTED {
                true => ", and more",
                false => "",
            };
            format!("{why}; {from}{to} can capture {sets}{more}")
        });
    }
    Ok(match <[Choice; 1]>::try_from(choices) {
        Ok([only]) => Typed::Move(only.text),
        Err(choices) => Typed::Choice(choices),
    })
}

impl Choice {
    /// The captured squares, or that there are none.
    pub(super) fn to_text(&self) -> String {
        match self.captured.is_empty() {
            true => "nothing".into(),
            false => list(&self.captured),
        }
    }
}

/// The legal moves with this from and to; those that capture most come first.
fn choices(contest: &Contest, from: Square, to: Square) -> Vec<Choice> {
    let legal = contest.legal().into_iter();
    let mut choices: Vec<Choice> = legal
        .filter(|text| Step::of(text).is_some_and(|step| step.from == from && step.to == to))
        .map(|text| Choice {
            captured: contest.captures(&text).unwrap_or_default(),
            text,
        })
        .collect();
    choices.sort_by(|a, b| {
        let sizes = b.captured.len().cmp(&a.captured.len());
        sizes.then_with(|| a.captured.cmp(&b.captured))
    });
    choices
}

/// The choice that captures just these squares.
///
/// # Errors
/// Says that there is none.
pub(super) fn pick(choices: &[Choice], captures: &[Square]) -> Result<String, String> {
    let set: BTreeSet<Square> = captures.iter().copied().collect();
    if set.len() < captures.len() {
        return Err("a square to capture is named twice".into());
    }
    choices
        .iter()
        .find(|choice| choice.captured.iter().copied().collect::<BTreeSet<_>>() == set)
        .map(|choice| choice.text.clone())
        .ok_or_else(|| format!("not legal with the captures {}", list(captures)))
}

/// Whether a piece could stand on the square.
fn check(board: &Board, square: Square) -> Result<(), String> {
    match board.cell(square) {
        Some(Cell::Empty | Cell::Piece(_)) => Ok(()),
        Some(Cell::Stone) => Err(format!("{square} is a stone, no piece can be there")),
        Some(Cell::Hole) => Err(format!("{square} is cut off from the board")),
        None => Err(format!(
            "{square} is not on the board, which goes from a1 to {}",
            board.last()
        )),
    }
}

/// What there is to know about a square: where its piece can go, or which pieces can come.
fn about(contest: &Contest, board: &Board, square: Square) -> String {
    let cell = board.cell(square).unwrap_or(Cell::Hole);
    if cell.owner() == Some(contest.side()) {
        let targets = targets(contest, square);
        return match targets.is_empty() {
            true => format!("{square} is yours, but it can not move"),
            false => format!("{square} is yours; it can go to {}", list(&targets)),
        };
    }
    let what = described(cell.owner());
    format!("{square} is {what}{}", ways(contest, square, "that"))
}

fn described(owner: Option<Side>) -> &'static str {
    match owner {
        Some(_) => "the opponent's",
        None => "empty",
    }
}

/// The end of a sentence: which pieces of the side to move can go to a square, which the sentence calls `called`.
fn ways(contest: &Contest, to: Square, called: &str) -> String {
    let origins: BTreeSet<Square> = steps(contest)
        .filter(|step| step.to == to)
        .map(|step| step.from)
        .collect();
    let origins: Vec<Square> = origins.into_iter().collect();
    match origins.is_empty() {
        true => format!(", and no piece of yours can reach {called}"),
        false => format!("; your pieces that can reach {called}: {}", list(&origins)),
    }
}

fn steps(contest: &Contest) -> impl Iterator<Item = Step> {
    let legal = contest.legal().into_iter();
    legal.filter_map(|text| Step::of(&text))
}

fn targets(contest: &Contest, from: Square) -> Vec<Square> {
    let targets: BTreeSet<Square> = steps(contest)
        .filter(|step| step.from == from)
        .map(|step| step.to)
        .collect();
    targets.into_iter().collect()
}

/// The legal moves as lines, one for each piece: its square, and what follows it in the text of each move.
///
/// # Errors
/// If `only` is no square, or its piece can not move.
pub(super) fn table(contest: &Contest, only: &str) -> Result<Vec<String>, String> {
    let from = match only {
        "" => None,
        text => match Square::read(&text.to_ascii_lowercase()) {
            Some((square, "")) => Some(square),
            _ => return Err(format!("moves '{text}', a square such as d1 expected")),
        },
    };
    let legal = contest.legal();
    let mut rows: Vec<(Square, String)> = Vec::new();
    let mut sorted: Vec<(Square, &str)> = legal
        .iter()
        .filter_map(|text| Square::read(text))
        .filter(|(square, _)| from.is_none_or(|from| from == *square))
        .collect();
    sorted.sort_by_key(|&(square, _)| square);
    for (square, rest) in sorted {
        match rows.last_mut() {
            Some((last, row)) if *last == square => {
                row.push(' ');
                row.push_str(rest);
            }
            _ => rows.push((square, rest.to_string())),
        }
    }
    match from {
        Some(from) if rows.is_empty() => {
            let board = contest.board();
            check(&board, from)?;
            Err(about(contest, &board, from))
        }
        _ => Ok(rows
            .into_iter()
            .map(|(square, row)| format!("{square}: {row}"))
            .collect()),
    }
}
