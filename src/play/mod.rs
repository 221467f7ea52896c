//! A person at the terminal: the game as a person plays it, not as a driver does.
//!
//! [`run`] is the whole of it. `terminal` owns lines in and out, `board` the drawing, `typed` the reading of moves and
//! the advice where they are none, `commands` what else can be typed, `contest` the game or match that is played,
//! `file` saved games, `words` how things are said. Games are known only through their sessions, so that a new
//! variant needs nothing here.

mod board;
mod commands;
mod contest;
mod file;
mod terminal;
mod typed;
mod words;

use crate::protocol::options::Settings;
use crate::score::Score;
use crate::search::limits::Limits;
use crate::search::table::Table;
use crate::session::{Answer, Order, QUIET_BEFORE_OFFER};
use crate::variants::Registry;
use board::{View, list};
use contest::{Contest, Seat};
use std::sync::Arc;
use std::time::Duration;
use terminal::Terminal;

/// Plies between two offers of the engine to a person, who has heard the first.
const QUIET_BETWEEN_OFFERS: u32 = 10;
/// What the command line sets.
pub struct Options {
    /// The game to play.
    pub variant: String,
    /// Those that there are.
    pub variants: Registry,
    /// Who plays, as it was typed.
    pub side: String,
    /// 0 to 20.
    pub level: u32,
    /// What the engine takes for a move.
    pub movetime: Duration,
    /// In place of the start position.
    pub fen: Option<String>,
}

/// Plays until whoever sits there has enough.
///
/// # Errors
/// If an option is wrong, or memory or threads can not be had.
pub fn run(options: &Options) -> Result<(), String> {
    let table = Arc::new(Table::new(Settings::default().hash)?);
    let fen = options.fen.as_deref();
    let variants = &options.variants;
    let variant = variants
        .find(&options.variant)
        .map_err(|why| format!("--variant: {why}"))?;
    let mut contest = Contest::open(variants, variant, fen, [Seat::Engine; 2], &table)
        .map_err(|why| format!("--fen: {why}"))?;
    contest.seats = seats(&options.side, contest.names())?;
    let mut desk = Desk {
        contest,
        terminal: Terminal::open()?,
        variants: variants.clone(),
        table,
        level: options.level,
        movetime: options.movetime,
        flipped: false,
        announced: false,
        offered: false,
    };
    desk.greet();
    while desk.step() == Next::GoOn && !desk.terminal.is_gone() {}
    Ok(())
}

/// Who plays whom, from the word for a side.
fn seats(word: &str, names: [&str; 2]) -> Result<[Seat; 2], String> {
    let word = word.to_ascii_lowercase();
    let is_start = |name: &str| !word.is_empty() && name.starts_with(&word);
    let [first, second] = names.map(is_start);
    match word.as_str() {
        "both" => Ok([Seat::Person; 2]),
        "none" => Ok([Seat::Engine; 2]),
        "1" => Ok([Seat::Person, Seat::Engine]),
        "2" => Ok([Seat::Engine, Seat::Person]),
        _ if first && !second => Ok([Seat::Person, Seat::Engine]),
        _ if second && !first => Ok([Seat::Engine, Seat::Person]),
        _ => Err(format!(
            "--side '{word}': 1 or {}, 2 or {}, both or none expected",
            names[0], names[1]
        )),
    }
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    GoOn,
    Quit,
}

/// The game on the table and those around it.
struct Desk {
    contest: Contest,
    terminal: Terminal,
    variants: Registry,
    table: Arc<Table>,
    level: u32,
    movetime: Duration,
    flipped: bool,
    /// Whether the end of the game has been told.
    announced: bool,
    /// The side that moved last offers to end the game as it stands.
    offered: bool,
}

impl Desk {
    fn say(&self, line: impl AsRef<str>) {
        self.terminal.say(line);
    }

    fn greet(&self) {
        self.say(words::capitals(&words::setting(&self.contest)));
        self.say(words::legend(&self.contest, self.terminal.colour));
        if self.contest.has_person() {
            self.say("Type a move such as d1d3, or help.");
        } else if self.terminal.is_typed() {
            self.say("What you type, such as save, flip or quit, is done between two moves.");
        }
        self.show();
    }

    /// Draws the board.
    fn show(&self) {
        let specials: Vec<(board::Square, char)> = self
            .contest
            .specials()
            .into_iter()
            .map(|(square, mark, _)| (square, mark))
            .collect();
        let view = View {
            flipped: self.flipped,
            colour: self.terminal.colour,
            last: self.contest.last(),
            specials: &specials,
        };
        self.say("");
        for line in self.contest.board().draw(&view) {
            self.say(line);
        }
        self.say(words::state(&self.contest));
    }

    /// Does what is to be done next: tells the end, lets the engine move, or asks.
    fn step(&mut self) -> Next {
        let ending = self.contest.ending();
        if let Some(ending) = ending.filter(|_| !self.announced) {
            self.announced = true;
            for line in words::ending(&self.contest, &ending) {
                self.say(line);
            }
            if !self.contest.has_person() && self.contest.has_next() {
                return self.next_battle();
            }
            self.say(match (self.contest.has_next(), self.contest.has_person()) {
                (true, _) => "Type next for the second battle, or undo, save, new, quit.",
                (false, true) => "Type new for another game, or undo, save, quit.",
                (false, false) => "Type new for another game, or save, quit.",
            });
        }
        if ending.is_none() && self.contest.seat(self.contest.side()) == Seat::Engine {
            // Who plays is asked in turn; who only watches may type at any time.
            if !self.contest.has_person()
                && let Some(line) = self.terminal.interruption()
                && self.obey(&line) == Next::Quit
            {
                return Next::Quit;
            }
            // What was typed may have changed whose turn it is.
            if self.is_engine_to_move() {
                self.engine_turn();
            }
            return Next::GoOn;
        }
        let prompt = match ending {
            None => self.contest.name(self.contest.side()),
            Some(_) if self.contest.has_next() => "battle over",
            Some(_) => "game over",
        };
        match self.terminal.ask(prompt) {
            Some(line) => self.obey(&line),
            None => Next::Quit,
        }
    }

    fn is_engine_to_move(&self) -> bool {
        self.contest.ending().is_none() && self.contest.seat(self.contest.side()) == Seat::Engine
    }

    fn next_battle(&mut self) -> Next {
        match self.contest.next() {
            Ok(()) => self.begin(),
            Err(why) => self.say(why),
        }
        Next::GoOn
    }

    /// Shows a game that has just been set up.
    fn begin(&mut self) {
        self.announced = false;
        self.offered = false;
        // A loaded game may be another one, to which what was found for the last does not apply.
        self.table.clear();
        self.say(words::capitals(&words::setting(&self.contest)));
        self.show();
    }

    /// A search as the engine does it at this strength.
    fn order(&self, level: u32) -> Order {
        Order {
            level: Some(f64::from(level)),
            limits: Limits {
                movetime: Some(self.movetime),
                ..Limits::default()
            },
            multipv: 1,
            ..Order::default()
        }
    }

    fn search(&self, level: u32) -> Option<Answer> {
        let answer = self.contest.search(&self.order(level))?;
        if let Some(fault) = &answer.fault {
            self.say(format!("The engine has a fault: {fault}"));
        }
        Some(answer)
    }

    /// Lets the engine answer an offer and make its move.
    fn engine_turn(&mut self) {
        let Some((answer, best)) = self
            .search(self.level)
            .and_then(|answer| answer.best.clone().map(|best| (answer, best)))
        else {
            self.say("The engine finds no move.");
            return self.contest.resign(self.contest.side());
        };
        let is_enough = self.is_enough(answer.score);
        if self.offered && is_enough {
            self.say("Both sides agree to end it.");
            return self.contest.agree();
        }
        let quiet = self.contest.quiet();
        self.play(&best);
        let is_due = !self.contest.has_person()
            || quiet.saturating_sub(QUIET_BEFORE_OFFER) % QUIET_BETWEEN_OFFERS < 2;
        self.offered =
            is_enough && quiet >= QUIET_BEFORE_OFFER && is_due && self.contest.ending().is_none();
        if self.offered && self.contest.has_person() {
            self.say("The engine offers to end it as it stands: offer accepts, a move declines.");
        }
    }

    /// Whether ending the game now is worth as much to the side to move as playing on, by the rule of the protocol.
    fn is_enough(&self, score: Score) -> bool {
        score <= self.contest.worth_now()
    }

    /// Plays a legal move and shows what it does.
    fn play(&mut self, text: &str) {
        let side = self.contest.side();
        self.offered = false;
        if let Err(why) = self.contest.play(text) {
            return self.say(format!("{text}: {why}"));
        }
        let captured = self.contest.last().map_or(&[][..], |last| &last.captured);
        let captures = match captured {
            [] => String::new(),
            squares => format!(", capturing {}", list(squares)),
        };
        let name = words::capitals(&words::side(&self.contest, side));
        self.say(format!("{name}: {text}{captures}"));
        self.show();
    }
}
