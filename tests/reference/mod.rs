//! The slow reference: the rules of `rules.md` once more, in arrays and loops, for tests to compare the engine with.
//!
//! This file owns the interface (`Position`, `Outcome`, `perft`); `variant.rs` and `board.rs` hold what the games are
//! played on, `text.rs` reads and writes, `tafl.rs` and `thud.rs` hold the rules proper, `game.rs` what needs a history,
//! `yardstick.rs` a fixed opponent. None of it shares code with the engine, and speed is never a reason for anything here.
#![allow(dead_code, unused_imports)] // each test program uses a part of this

mod board;
pub mod family;
mod game;
mod tafl;
mod text;
mod thud;
mod variant;
mod yardstick;

use board::{Board, EMPTY, Square};
pub use game::Game;
use variant::Variant;
pub use yardstick::{RandomMover, Yardstick};

pub const VARIANTS: [&str; 5] = [
    "thud",
    "thud-rulebook",
    "tawlbwrdd",
    "tawlbwrdd-bell",
    "hnefatafl7",
];

/// A position: everything its text says, and the game it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    variant: Variant,
    board: Board,
    /// The player to move, 1 or 2.
    side: u8,
    /// Plies since the last capture.
    quiet: u32,
    /// The number of the move pair, from 1.
    number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    Player1,
    Player2,
    Draw,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub winner: Winner,
    pub reason: &'static str,
    /// In Thud the dwarfs' and the trolls' points.
    pub points: Option<(u32, u32)>,
}

impl Outcome {
    /// The result in the words of `cases.md`: `player 1 wins (no-moves), dwarfs 3, trolls 0, margin 3`.
    pub fn in_words(&self) -> String {
        let who = match self.winner {
            Winner::Player1 => "player 1 wins",
            Winner::Player2 => "player 2 wins",
            Winner::Draw => "draw",
        };
        let mut words = format!("{who} ({})", self.reason);
        if let Some((dwarfs, trolls)) = self.points {
            let margin = dwarfs.abs_diff(trolls);
            words += &format!(", dwarfs {dwarfs}, trolls {trolls}, margin {margin}");
        }
        words
    }
}

/// A move. `chosen` holds the captures the player chose (a troll's), in ascending order; captures that follow from the
/// move are not in it but come out of `Position::apply`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Move {
    from: Square,
    to: Square,
    chosen: Vec<Square>,
}

impl Move {
    fn text(&self) -> String {
        let mut text = self.from.name() + &self.to.name();
        for square in &self.chosen {
            text.push('x');
            text.push_str(&square.name());
        }
        text
    }
}

impl Position {
    /// The start position of one of `VARIANTS`; any other name is a mistake in the test that asks.
    pub fn start(variant: &str) -> Position {
        let found = Variant::named(variant).expect("a variant's name");
        Position::parse(variant, found.start_text()).expect("a start position can be read")
    }

    /// Reads a position text, strictly (§1).
    pub fn parse(variant: &str, text: &str) -> Result<Position, String> {
        let variant = Variant::named(variant).ok_or_else(|| format!("unknown game '{variant}'"))?;
        text::parse_position(variant, text)
    }

    /// The position text, always with all four fields.
    pub fn text(&self) -> String {
        text::position_text(self)
    }

    pub fn variant(&self) -> &'static str {
        self.variant.name()
    }

    pub fn player_to_move(&self) -> u8 {
        self.side
    }

    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    pub fn move_number(&self) -> u32 {
        self.number
    }

    /// The names of all squares of the board, holes included, in ascending order.
    pub fn squares(&self) -> Vec<String> {
        self.board.squares().map(|square| square.name()).collect()
    }

    /// The letter of the piece on a square; `.` where it is empty, `*` where no piece can be.
    pub fn piece_at(&self, square: &str) -> char {
        match Square::read_prefix(square) {
            Some((square, "")) => self.board.at(square),
            _ => board::HOLE,
        }
    }

    /// The canonical texts of all legal moves, in the order of strings, none twice. Empty if the game is over on the
    /// board; limits of repetition and quiet play no part.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.moves().iter().map(Move::text).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    /// Plays a move given by its canonical text: the new position and the captured squares in ascending order, or None
    /// if no legal move has this text.
    pub fn play(&self, canonical_move: &str) -> Option<(Position, Vec<String>)> {
        let moves = self.moves();
        let found = moves.iter().find(|m| m.text() == canonical_move)?;
        let (next, captured) = self.apply(found);
        Some((next, captured.iter().map(|square| square.name()).collect()))
    }

    /// What a move captures, in ascending order; None if it is not legal.
    pub fn captures_of(&self, canonical_move: &str) -> Option<Vec<String>> {
        Some(self.play(canonical_move)?.1)
    }

    /// Reads a move in any form that §1 accepts and gives its canonical text.
    pub fn read_move(&self, text: &str) -> Result<String, String> {
        text::read_move(self, text)
    }

    /// The result that follows from the board alone, if the game is over by it.
    pub fn board_result(&self) -> Option<Outcome> {
        self.king_result().or_else(|| self.no_moves_result())
    }

    /// In Thud the dwarfs' points (1 each) and the trolls' (4 each).
    pub fn points(&self) -> Option<(u32, u32)> {
        self.variant
            .is_thud()
            .then(|| (self.board.count('d'), 4 * self.board.count('T')))
    }

    /// Tafl: the king is captured (there is none) or stands on a goal square.
    fn king_result(&self) -> Option<Outcome> {
        if self.variant.is_thud() {
            return None;
        }
        match self.board.find('K') {
            None => Some(self.outcome(Winner::Player1, "king-captured")),
            Some(king) if tafl::is_goal(self, king) => {
                Some(self.outcome(Winner::Player2, "king-escaped"))
            }
            Some(_) => None,
        }
    }

    /// The side to move has no legal move: scored in Thud, a draw in Tawlbwrdd, lost in Hnefatafl.
    fn no_moves_result(&self) -> Option<Outcome> {
        if !self.moves().is_empty() {
            return None;
        }
        let winner = match self.variant {
            Variant::Thud | Variant::ThudRulebook => self.winner_on_points(),
            Variant::Tawlbwrdd | Variant::TawlbwrddBell => Winner::Draw,
            Variant::Hnefatafl7 if self.side == 1 => Winner::Player2,
            Variant::Hnefatafl7 => Winner::Player1,
        };
        Some(self.outcome(winner, "no-moves"))
    }

    /// A game that a limit ends here: scored as it stands in Thud, a draw in tafl.
    fn limit_result(&self, reason: &'static str) -> Outcome {
        self.outcome(self.winner_on_points(), reason)
    }

    /// Who is ahead in Thud; tafl knows no points, so nobody is.
    fn winner_on_points(&self) -> Winner {
        match self.points() {
            Some((dwarfs, trolls)) if dwarfs > trolls => Winner::Player1,
            Some((dwarfs, trolls)) if trolls > dwarfs => Winner::Player2,
            _ => Winner::Draw,
        }
    }

    fn outcome(&self, winner: Winner, reason: &'static str) -> Outcome {
        Outcome {
            winner,
            reason,
            points: self.points(),
        }
    }

    /// All legal moves, each once.
    fn moves(&self) -> Vec<Move> {
        if self.king_result().is_some() {
            Vec::new()
        } else if self.variant.is_thud() {
            thud::moves(self)
        } else {
            tafl::moves(self)
        }
    }

    /// Makes a legal move: the new position and what was captured, in ascending order.
    fn apply(&self, m: &Move) -> (Position, Vec<Square>) {
        let mut next = self.clone();
        let piece = next.board.at(m.from);
        let mut captured = m.chosen.clone();
        if self.variant.is_thud() && next.board.at(m.to) != EMPTY {
            captured.push(m.to); // a hurled dwarf lands on its troll
        }
        next.board.put(m.from, EMPTY);
        next.board.put(m.to, piece);
        if !self.variant.is_thud() {
            captured = tafl::captures(&next, m.to);
        }
        captured.sort();
        for &square in &captured {
            if square != m.to {
                next.board.put(square, EMPTY);
            }
        }
        next.quiet = if captured.is_empty() {
            self.quiet.saturating_add(1)
        } else {
            0
        };
        if self.side == 2 {
            next.number = self.number.saturating_add(1);
        }
        next.side = 3 - self.side;
        (next, captured)
    }
}

/// The number of legal move sequences of `depth` plies.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves();
    if depth == 1 {
        return moves.len() as u64; // saves making the moves only to count one each
    }
    moves
        .iter()
        .map(|m| perft(&position.apply(m).0, depth - 1))
        .sum()
}

/// Thud: the points of the most valuable capture that the side to move has, 0 without one.
pub fn largest_gain(position: &Position) -> u32 {
    thud::largest_capture(position)
}
