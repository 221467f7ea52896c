//! What is played: one game, or in games decided by points a match of two battles with the sides exchanged.
//!
//! Owns who plays which side, the moves so far, how a game ended, and the credits of a match. Player 0 has the first
//! side in the first battle.

use super::board::{Board, LastMove, Square};
use crate::game::{Outcome, Reason, Side};
use crate::search::limits::Signals;
use crate::search::table::Table;
use crate::session::{Answer, Config, Order, Session};
use crate::variants::Registry;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::time::Instant;

/// Who makes a player's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seat {
    /// Somebody at the terminal.
    Person,
    /// The engine.
    Engine,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// By the rules, or by agreement.
    Rules(Reason),
    /// This side gave up.
    Resigned(Side),
}

impl Cause {
    /// Whether somebody ended the game by saying so.
    pub(super) fn is_by_word(self) -> bool {
        matches!(self, Cause::Resigned(_) | Cause::Rules(Reason::Agreed))
    }
}

impl Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Rules(reason) => reason.fmt(f),
            Cause::Resigned(side) => write!(f, "p{}-resigned", side.player()),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub cause: Cause,
    /// Both sides' points, in games that have them.
    pub points: Option<[u32; 2]>,
}

impl Ending {
    /// What the winner of a battle is credited with.
    pub(super) fn margin(&self) -> u32 {
        self.points.map_or(0, |[one, two]| one.abs_diff(two))
    }
}

/// A game that is over.
pub(super) struct Finished {
    /// Texts of its moves.
    pub moves: Vec<String>,
    /// How it ended.
    pub ending: Ending,
}

/// One game, or a match of two.
pub(super) struct Contest {
    /// Name of the game.
    pub variant: String,
    /// Who makes the moves of each player.
    pub seats: [Seat; 2],
    /// Position text that every battle starts from.
    pub start: String,
    /// Who moves there.
    first: Side,
    session: Box<dyn Session>,
    moves: Vec<String>,
    last: Option<LastMove>,
    resigned: Option<Side>,
    /// The first battle, once the second has begun.
    earlier: Option<Finished>,
}

impl Contest {
    /// Sets the pieces up; `start` in place of the start position.
    ///
    /// # Errors
    /// If there is no such game or position.
    pub(super) fn open(
        variants: &Registry,
        variant: &str,
        start: Option<&str>,
        seats: [Seat; 2],
        table: &Arc<Table>,
    ) -> Result<Self, String> {
        let config = Config {
            table: Arc::clone(table),
            threads: 1,
            repetition: None,
            quiet: None,
        };
        let mut session = variants.open(variant, config)?;
        session.set_position(start)?;
        Ok(Contest {
            variant: variant.to_string(),
            seats,
            start: session.position_text().unwrap_or_default(),
            first: session.side().unwrap_or(Side::First),
            session,
            moves: Vec::new(),
            last: None,
            resigned: None,
            earlier: None,
        })
    }

    /// What the sides are called.
    pub(super) fn names(&self) -> [&'static str; 2] {
        self.session.side_names()
    }

    /// What a side is called.
    pub(super) fn name(&self, side: Side) -> &'static str {
        self.names()[side.index()]
    }

    /// Whose turn it is.
    pub(super) fn side(&self) -> Side {
        self.session.side().unwrap_or(self.first)
    }

    /// The player who has a side in this battle.
    pub(super) fn player(&self, side: Side) -> usize {
        side.index() ^ usize::from(self.earlier.is_some())
    }

    /// Who makes the moves of a side in this battle.
    pub(super) fn seat(&self, side: Side) -> Seat {
        self.seats[self.player(side)]
    }

    /// Whether somebody at the terminal plays.
    pub(super) fn has_person(&self) -> bool {
        self.seats.contains(&Seat::Person)
    }

    /// Whether this is a match of two battles.
    pub(super) fn is_match(&self) -> bool {
        self.session.is_scored()
    }

    /// The first battle, once the second has begun.
    pub(super) fn earlier(&self) -> Option<&Finished> {
        self.earlier.as_ref()
    }

    /// Whether a second battle is still to come after this game.
    pub(super) fn has_next(&self) -> bool {
        self.is_match() && self.earlier.is_none()
    }

    /// Texts of the moves of this game.
    pub(super) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// What the last move did.
    pub(super) fn last(&self) -> Option<&LastMove> {
        self.last.as_ref()
    }

    /// What stands where.
    pub(super) fn board(&self) -> Board {
        Board::read(&self.session.position_text().unwrap_or_default())
    }

    /// Squares that mean something while they are empty: the square, its mark, and what that stands for.
    pub(super) fn specials(&self) -> Vec<(Square, char, &'static str)> {
        let specials = self.session.special_squares().into_iter();
        specials
            .filter_map(|(name, mark, what)| Some((Square::read(&name)?.0, mark, what)))
            .collect()
    }

    /// Both sides' points as it stands, in games that have them.
    pub(super) fn points(&self) -> Option<[u32; 2]> {
        self.session.points()
    }

    /// Plies since the last capture.
    pub(super) fn quiet(&self) -> u32 {
        self.session.quiet().unwrap_or(0)
    }

    /// What ending the game now is worth to the side to move, in centipoints.
    pub(super) fn worth_now(&self) -> i32 {
        self.session.worth_now().unwrap_or(0)
    }

    /// Texts of the legal moves.
    pub(super) fn legal(&self) -> Vec<String> {
        self.session.moves().unwrap_or_default()
    }

    /// What a legal move captures.
    ///
    /// # Errors
    /// If it is not legal.
    pub(super) fn captures(&self, text: &str) -> Result<Vec<Square>, String> {
        let names = self
            .session
            .captures(text)
            .unwrap_or_else(|| Err("there is no position".into()))?;
        Ok(names
            .iter()
            .filter_map(|name| Some(Square::read(name)?.0))
            .collect())
    }

    /// Searches the position.
    pub(super) fn search(&self, order: &Order) -> Option<Answer> {
        let never = Arc::new(Signals::default());
        let quiet = Box::new(|_| {});
        self.session
            .search(order, &never, Instant::now(), &mut |_| {}, quiet)
    }

    /// How this game has ended, if it has.
    pub(super) fn ending(&self) -> Option<Ending> {
        let Some(loser) = self.resigned else {
            let Outcome {
                winner,
                reason,
                points,
            } = self.session.outcome()?;
            return Some(Ending {
                winner,
                cause: Cause::Rules(reason),
                points,
            });
        };
        // The men of the side that gave up count nothing: no margin that the other could still reach is larger.
        let points = self.session.points().map(|mut points| {
            points[loser.index()] = 0;
            points
        });
        let draws = points == Some([0, 0]);
        Some(Ending {
            winner: (!draws).then_some(!loser),
            cause: Cause::Resigned(loser),
            points,
        })
    }

    /// What each player is credited with for the battles that are over.
    pub(super) fn credits(&self) -> [u32; 2] {
        let mut credits = [0; 2];
        let earlier = self.earlier.as_ref().map(|battle| (battle.ending, 0));
        let now = self.ending();
        let now = now.map(|ending| (ending, usize::from(self.earlier.is_some())));
        for (ending, exchanged) in earlier.into_iter().chain(now) {
            if let Some(winner) = ending.winner {
                credits[winner.index() ^ exchanged] += ending.margin();
            }
        }
        credits
    }

    /// Plays a move, written as the protocol writes it.
    ///
    /// # Errors
    /// If the game is over or the move is not legal; then nothing has changed.
    pub(super) fn play(&mut self, text: &str) -> Result<(), String> {
        if let Some(ending) = self.ending() {
            return Err(format!("the game is over ({})", ending.cause));
        }
        // A session takes an illegal move for a lost game, so it must not get one.
        let captured = self.captures(text)?;
        let form = "not written as a move should be";
        let (from, rest) = Square::read(text).ok_or(form)?;
        let (to, _) = Square::read(rest).ok_or(form)?;
        self.session
            .play(&[text])
            .map_err(|refusal| refusal.message)?;
        self.moves.push(text.to_string());
        self.last = Some(LastMove { from, to, captured });
        Ok(())
    }

    /// Ends the game as it stands.
    pub(super) fn agree(&mut self) {
        self.session.agree();
    }

    /// Ends the game as lost by a side.
    pub(super) fn resign(&mut self, side: Side) {
        self.resigned = Some(side);
    }

    /// Goes back to the last turn of a person: before his last move, or to where the game was ended by word.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        let by_word = self
            .ending()
            .is_some_and(|ending| ending.cause.is_by_word());
        let mover = |ply: usize| match ply % 2 {
            0 => self.first,
            _ => !self.first,
        };
        let until = match by_word {
            true => self.moves.len() + 1,
            false => self.moves.len(),
        };
        let back = (0..until)
            .rev()
            .find(|&ply| self.seat(mover(ply)) == Seat::Person)
            .ok_or("there is no move of yours to take back")?;
        self.rewind(back)
    }

    /// Plays the first moves of this game again.
    fn rewind(&mut self, plies: usize) -> Result<(), String> {
        let moves = std::mem::take(&mut self.moves);
        self.set_up()?;
        moves.iter().take(plies).try_for_each(|mv| self.play(mv))
    }

    fn set_up(&mut self) -> Result<(), String> {
        self.session.set_position(Some(&self.start))?;
        self.moves.clear();
        self.last = None;
        self.resigned = None;
        Ok(())
    }

    /// Begins the second battle, if the first is over and there is one.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn next(&mut self) -> Result<(), String> {
        if !self.is_match() {
            return Err("this game is not a match, there is no next battle".into());
        }
        if self.earlier.is_some() {
            return Err("this is the second battle already, and there are two".into());
        }
        let ending = self.ending().ok_or("this battle is not over yet")?;
        let moves = std::mem::take(&mut self.moves);
        self.set_up()?;
        self.earlier = Some(Finished { moves, ending });
        Ok(())
    }

    /// Begins anew, a match with its first battle.
    ///
    /// # Errors
    /// Never, as the start was read before.
    pub(super) fn begin_anew(&mut self) -> Result<(), String> {
        self.earlier = None;
        self.set_up()
    }
}
