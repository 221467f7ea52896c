//! What differs between the dialects: which lines are written, and what those that come mean.
//!
//! A dialect talks to nobody. [`Engine`](super::Engine) writes what it says, reads the answers, and has the patience.

use super::words::{BestMove, Spin};
use super::{Otep, Terms, Uci};
use crate::book::Start;
use crate::clock::Clock;
use crate::config::{Player, Protocol};
use crate::referee::Step;

/// What an engine is asked to think about.
pub struct Question<'a> {
    /// Of player 1 and player 2.
    pub clocks: &'a [Clock; 2],
    /// Whom the engine plays, 0 or 1.
    pub side: usize,
    /// Whether the opponent has offered to end the game.
    pub offered: bool,
    /// The reply that the engine expects, if it is to think on the opponent's time.
    pub ponder: Option<&'a str>,
}

/// What a line means.
#[derive(Debug, PartialEq)]
pub enum Heard {
    /// Nothing that is waited for.
    Nothing,
    /// The hello has been answered.
    Hello,
    /// All that was sent has been carried out.
    Ready,
    /// The answer of a search.
    Move(BestMove),
    /// It wants to be told this again, lines with their ends.
    Asks(String),
    /// It can not go on, and says why.
    GivesUp(String),
}

/// A way to talk to an engine. What is to be sent are lines with their ends; an empty text is nothing.
pub trait Dialect: Send {
    /// First words of the lines that may mean something.
    fn answers(&self) -> &'static [&'static str];
    /// The word that a move comes with.
    fn move_word(&self) -> &'static str;
    /// Whether engines tell scores and variations.
    fn tells_scores(&self) -> bool;
    /// Says hello.
    fn hello(&self) -> String;
    /// Who the hello is said to and what is wanted, for messages.
    fn hello_wanted(&self) -> String;
    /// What is sent once the hello has been answered.
    fn settings(&self) -> String {
        String::new()
    }
    /// What the engine calls itself.
    fn id(&self) -> &str {
        ""
    }
    /// The options with a range of whole numbers that the engine shows.
    fn spins(&self) -> Vec<Spin> {
        Vec::new()
    }
    /// What the engine will not be told, one sentence each.
    ///
    /// # Errors
    /// If it can not play in this run.
    fn check(&self) -> Result<Vec<String>, String>;
    /// Whether it takes part in agreement.
    fn has_offers(&self) -> bool {
        false
    }
    /// Asks whether all that was sent has been carried out, if the dialect knows that.
    fn sync(&self) -> Option<&'static str> {
        None
    }
    /// Begins a game.
    fn new_game(&mut self, start: &Start) -> String;
    /// Hears a line.
    fn hear(&mut self, line: &str) -> Heard;
    /// The engine's own move has been taken, and leads to this position text.
    fn accepted(&mut self, step: &Step, position: &str) -> String;
    /// The opponent has moved.
    fn opponent_moved(&mut self, step: &Step, position: &str);
    /// Starts a search.
    fn search(&mut self, question: &Question) -> String;
    /// The opponent has made the move that is pondered on.
    fn ponder_hit(&self) -> String {
        String::new()
    }
    /// Ends a search, if the dialect knows that.
    fn stop(&self) -> Option<&'static str> {
        None
    }
    /// The game is over: on the board won by a player or drawn, or, `None`, otherwise.
    fn finish(&mut self, _: Option<Option<usize>>) -> String {
        String::new()
    }
    /// Asks the engine to end.
    fn quit(&self) -> &'static str;
}

/// The dialect of a player.
pub fn of(player: &Player, terms: &Terms) -> Box<dyn Dialect> {
    match player.protocol {
        Protocol::Uci | Protocol::Ugi => Box::new(Uci::new(player, terms)),
        Protocol::Otep => Box::new(Otep::new(player, terms)),
    }
}
