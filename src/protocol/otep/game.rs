//! A game as the host tells it.
//!
//! What the host says of a position is the truth. Moves are played for the history; where they lead elsewhere, the
//! position is replaced.

use super::notation;
use crate::game::Side;
use crate::search::limits::Clock;
use crate::session::Session;

/// A game as the host tells it.
pub struct Game {
    /// Its position and what is legal in it.
    pub session: Box<dyn Session>,
    /// Whether a piece may move on after a capture.
    berserk: bool,
    /// Those of attackers and defenders; `None` in a game without.
    pub clocks: Option<[Clock; 2]>,
    /// Whose turn the host says it is, of a position told without moves.
    pub side: Option<Side>,
    /// The square that the last move entered.
    pub last: Option<String>,
    /// Our move that the host has not spoken about yet.
    pub offered: Option<String>,
    /// Our moves that the host has refused in this position.
    pub refused: Vec<String>,
    /// Whether only the piece that moved last may move, as a refusal told.
    pub bound: bool,
}

impl Game {
    /// A game at its start position.
    pub fn new(session: Box<dyn Session>, berserk: bool) -> Self {
        Game {
            session,
            berserk,
            clocks: None,
            side: None,
            last: None,
            offered: None,
            refused: Vec::new(),
            bound: false,
        }
    }

    /// Whether these are the rows of our position.
    pub fn stands(&self, rows: &str) -> bool {
        self.rows().is_some_and(|ours| ours == rows)
    }

    fn rows(&self) -> Option<String> {
        let text = self.session.position_text()?;
        Some(notation::fields(&text).0.to_string())
    }

    /// Whether all moves could be played, and lead to the position that was told.
    fn play(&mut self, moves: &[&str], told: Option<&str>) -> bool {
        self.session.play(moves).is_ok() && told.is_none_or(|rows| self.stands(rows))
    }

    /// Plays what has been played, and takes over the position that is told after it.
    pub fn follow(&mut self, moves: &[&str], told: Option<&str>) -> Result<(), String> {
        let is_legal = |mv: &&str| self.session.captures(mv).is_some_and(|found| found.is_ok());
        let next = moves.first().is_some_and(is_legal);
        // Told again after a refusal: nothing has been played since.
        if told.is_some_and(|rows| self.stands(rows)) && (!next || !self.refused.is_empty()) {
            return Ok(());
        }
        self.side = None;
        self.refused.clear();
        self.bound = false;
        let mover = self.session.side();
        let before = self.session.position_text();
        self.last = moves
            .last()
            .and_then(|mv| Some(notation::squares(mv)?.1.to_string()));
        if self.play(moves, told) {
            return Ok(());
        }
        let Some(rows) = told else {
            // Nothing to go by: as if it had not been said.
            return self.session.set_position(before.as_deref());
        };
        // A game that is loaded comes as a whole.
        if moves.len() > 1 && self.session.set_position(None).is_ok() && self.play(moves, told) {
            return Ok(());
        }
        let mover = self.last_owner(rows).or(mover).unwrap_or(Side::First);
        self.place(rows, !mover)
    }

    /// The side that has moved last.
    fn last_owner(&self, rows: &str) -> Option<Side> {
        notation::owner(rows, self.last.as_deref()?)
    }

    /// Makes this the position. Who is to move although he has moved last moves on with the same piece.
    pub fn place(&mut self, rows: &str, side: Side) -> Result<(), String> {
        let further = self
            .last
            .as_deref()
            .filter(|_| self.berserk && self.last_owner(rows) == Some(side));
        let text = notation::position(rows, side, further);
        if further.is_some() && self.session.set_position(Some(&text)).is_ok() {
            return Ok(());
        }
        let text = notation::position(rows, side, None);
        self.session.set_position(Some(&text))
    }

    /// Makes it this side's turn.
    pub fn turn_to(&mut self, side: Side) -> Result<(), String> {
        match self.rows() {
            Some(rows) if self.session.side() != Some(side) => self.place(&rows, side),
            _ => Ok(()),
        }
    }

    /// The moves to choose from; none for all. Those that were refused are left out as long as there are others.
    pub fn choice(&self) -> Vec<String> {
        if self.refused.is_empty() {
            return Vec::new();
        }
        let mut moves = self.session.moves().unwrap_or_default();
        moves.retain(|mv| !self.refused.contains(mv));
        let piece = self.last.as_deref().filter(|_| self.bound);
        let of_piece = |mv: &&String| notation::squares(mv).map(|(from, _)| from) == piece;
        let bound: Vec<String> = moves.iter().filter(of_piece).cloned().collect();
        if bound.is_empty() { moves } else { bound }
    }
}
