//! A game: a position with its history and limits, and the full result with the order of checks of §5.

use super::board::Board;
use super::{Outcome, Position};

#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Pieces and side to move of every position so far, the present one last.
    history: Vec<(Board, u8)>,
    repetition_limit: u32,
    quiet_limit: u32,
}

impl Game {
    /// A game that begins here, under the variant's default limits.
    pub fn new(position: Position) -> Game {
        let variant = position.variant;
        Game::with_limits(position, variant.repetition_limit(), variant.quiet_limit())
    }

    /// A game that begins here; a limit of 0 is off.
    pub fn with_limits(position: Position, repetition_limit: u32, quiet_limit: u32) -> Game {
        let history = vec![(position.board.clone(), position.side)];
        Game {
            position,
            history,
            repetition_limit,
            quiet_limit,
        }
    }

    /// Plays a move, in any form that can be read, and gives the captured squares in ascending order. A game that is over,
    /// by whatever reason, takes no more moves.
    pub fn play(&mut self, mv: &str) -> Result<Vec<String>, String> {
        if let Some(outcome) = self.result() {
            return Err(format!("the game is over: {}", outcome.reason));
        }
        let canonical = self.position.read_move(mv)?;
        let (next, captured) = self
            .position
            .play(&canonical)
            .ok_or_else(|| format!("'{mv}' is illegal"))?;
        self.history.push((next.board.clone(), next.side));
        self.position = next;
        Ok(captured)
    }

    /// The result of the game as it stands, or None while it goes on.
    pub fn result(&self) -> Option<Outcome> {
        if let Some(outcome) = self.position.king_result() {
            return Some(outcome);
        }
        if self.repetition_limit > 0 && self.occurrences() >= self.repetition_limit {
            return Some(self.position.limit_result("repetition"));
        }
        if let Some(outcome) = self.position.no_moves_result() {
            return Some(outcome);
        }
        if self.quiet_limit > 0 && self.position.quiet >= self.quiet_limit {
            return Some(self.position.limit_result("quiet-limit"));
        }
        None
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How often the present position (pieces and side to move) has stood on the board in this game.
    pub fn occurrences(&self) -> u32 {
        let present = (&self.position.board, self.position.side);
        let equal = self.history.iter().filter(|(b, s)| (b, *s) == present);
        equal.count() as u32
    }
}
