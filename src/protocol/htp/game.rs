//! A game as the servers of hnefatafl.org play it: Copenhagen, and what they add to it.
//!
//! The defenders may not make a position that has stood on the board before, whoever was to move in it; a player who
//! can not move has lost; and a game without a result is drawn after [`LAST_PLY`] moves. A session knows none of the
//! three, so they are kept here.

use crate::game::Side;
use crate::search::limits::{Limits, Signals};
use crate::session::{Config, Order, Session};
use crate::tafl::spec::Spec;
use crate::variants;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::time::Instant;

/// The move of either player after which a game without a result is drawn.
const LAST_PLY: usize = 132;

/// The boards of the servers by their size, and Copenhagen on them as a rules record. A repetition loses for the
/// defenders: that is what a rule that forbids it to them comes to for a search that looks ahead.
const BOARDS: [(&str, &str); 2] = [
    (
        "11",
        "dim:11 name:Copenhagen rep:d repn:2 sw:s efe:y \
         start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    (
        "13",
        "dim:13 name:Copenhagen rep:d repn:2 sw:s efe:y \
         start:/3ttttttt3/6t6/13/t5T5t/t5T5t/t4TTT4t/tt1TTTKTTT1tt/t4TTT4t/t5T5t/t5T5t/13/6t6/3ttttttt3/",
    ),
];

/// A square by file and rank, each from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Square {
    file: u8,
    rank: u8,
}

impl Square {
    /// Reads a square of a board of `size` squares a side, in upper or lower case.
    ///
    /// # Errors
    /// Names the text and the squares that there are.
    pub fn parse(text: &str, size: u8) -> Result<Self, String> {
        let last = Square {
            file: size - 1,
            rank: size - 1,
        };
        let found = || {
            let file = text
                .bytes()
                .next()?
                .to_ascii_lowercase()
                .checked_sub(b'a')?;
            let digits = text.get(1..)?;
            let rank: u8 = digits.parse().ok()?;
            let square = Square {
                file,
                rank: rank.checked_sub(1)?,
            };
            // Leaves out what only means the same, such as a01.
            let plain = square.to_string().eq_ignore_ascii_case(text);
            (plain && file < size && rank <= size).then_some(square)
        };
        found().ok_or_else(|| format!("'{text}', a square from a1 to {last} expected"))
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a'.saturating_add(self.file));
        write!(f, "{file}{}", u16::from(self.rank) + 1)
    }
}

/// From and to.
pub type Step = [Square; 2];

/// A game in progress.
pub struct Game {
    session: Box<dyn Session>,
    config: Config,
    size: u8,
    /// The position text of the start.
    start: String,
    moves: Vec<Step>,
    /// Every board so far, the start included: its squares by rank from the lowest, then by file.
    boards: Vec<Vec<char>>,
    resigned: Option<Side>,
}

impl Game {
    /// A game on a board of so many squares a side, the attackers to move.
    ///
    /// # Errors
    /// If there is no such board, or the threads can not be had.
    pub fn new(size: &str, config: Config) -> Result<Self, String> {
        let known = || BOARDS.map(|(size, _)| size).join(" or ");
        let (_, record) = BOARDS
            .into_iter()
            .find(|&(known, _)| known == size)
            .ok_or_else(|| format!("'{size}', {} expected", known()))?;
        let spec = Spec::from_record(record)?;
        // Neither limit of a session is a rule here: the attackers may repeat a position.
        let config = Config {
            repetition: Some(0),
            quiet: Some(0),
            ..config
        };
        let mut game = Game {
            session: variants::open_spec(&spec, config.clone())?,
            config,
            size: spec.size,
            start: String::new(),
            moves: Vec::new(),
            boards: Vec::new(),
            resigned: None,
        };
        game.begin(&spec.start, spec.first)?;
        Ok(game)
    }

    fn begin(&mut self, rows: &str, first: Side) -> Result<(), String> {
        let side = ['a', 'd'][first.index()];
        self.start = format!("{rows} {side} 0 1");
        self.session.set_position(Some(&self.start))?;
        self.boards = vec![self.board()];
        Ok(())
    }

    /// Chooses who moves first.
    ///
    /// # Errors
    /// If a move has been made.
    pub fn set_first(&mut self, first: Side) -> Result<(), String> {
        if !self.moves.is_empty() || self.resigned.is_some() {
            return Err("the game has begun, it can be chosen only before the first move".into());
        }
        let rows = self.rows();
        self.begin(&rows, first)
    }

    /// Squares a side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        self.session.side().unwrap_or(Side::First)
    }

    /// The ranks from the highest, divided by `/`.
    pub fn rows(&self) -> String {
        let text = self.session.position_text().unwrap_or_default();
        text.split(' ').next().unwrap_or_default().to_string()
    }

    /// A drawing of the board, a line for each rank and one for the files.
    pub fn drawing(&self) -> Vec<String> {
        self.session.board().unwrap_or_default()
    }

    /// The result if the game is over: the winner, or `None` for a draw.
    pub fn result(&self) -> Option<Option<Side>> {
        if let Some(loser) = self.resigned {
            return Some(Some(!loser));
        }
        if let Some(outcome) = self.session.outcome() {
            return Some(outcome.winner);
        }
        if self.permitted().is_empty() {
            return Some(Some(!self.side()));
        }
        (self.moves.len() >= LAST_PLY).then_some(None)
    }

    /// The legal moves; none once the game is over.
    pub fn moves(&self) -> Vec<Step> {
        match self.result() {
            Some(_) => Vec::new(),
            None => self.permitted(),
        }
    }

    /// Plays a legal move, and returns the squares of what it captured.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play(&mut self, step: Step) -> Result<Vec<String>, String> {
        if self.result().is_some() {
            return Err("the game is over".into());
        }
        let text = text(step);
        let none = || Err("there is no position".into());
        let captured = self.session.captures(&text).unwrap_or_else(none)?;
        if self.is_forbidden(step) {
            return Err("the position has stood before, the defenders may not repeat it".into());
        }
        let played = self.session.play(&[&text]);
        played.map_err(|refusal| refusal.message)?;
        self.moves.push(step);
        self.boards.push(self.board());
        Ok(captured)
    }

    /// The side to move gives the game up.
    ///
    /// # Errors
    /// If the game is over.
    pub fn resign(&mut self) -> Result<(), String> {
        if self.result().is_some() {
            return Err("the game is over".into());
        }
        self.resigned = Some(self.side());
        Ok(())
    }

    /// Takes the last move back, or the resignation that came after it.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), String> {
        if self.resigned.take().is_some() {
            return Ok(());
        }
        self.moves.pop().ok_or("no move has been made")?;
        self.boards.pop();
        self.session.set_position(Some(&self.start))?;
        let texts: Vec<String> = self.moves.iter().map(|&step| text(step)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let played = self.session.play(&texts);
        played.map_err(|refusal| refusal.message)
    }

    /// Searches for a move and waits for it.
    ///
    /// # Errors
    /// If the game is over, or the search could not begin.
    pub fn choose(
        &mut self,
        limits: Limits,
        signals: &Arc<Signals>,
        started: Instant,
    ) -> Result<Step, String> {
        let moves = self.moves();
        let Some(&first) = moves.first() else {
            return Err("the game is over".into());
        };
        let all = self.session.moves().map_or(0, |moves| moves.len());
        let texts = moves.iter().map(|&step| text(step));
        let order = Order {
            limits,
            // None for all of them.
            searchmoves: texts.filter(|_| moves.len() < all).collect(),
            multipv: 1,
            level: None,
        };
        // Without a limit of its own the session has that of the rules: the defenders lose by a repetition. Where the
        // attackers could make one at once it must not count, since it would win on the spot.
        let counts = !moves.iter().any(|&step| self.repeats(step));
        if counts {
            self.session.configure(Config {
                repetition: None,
                ..self.config.clone()
            })?;
        }
        let answer = self
            .session
            .search(&order, signals, started, &mut |_| (), Box::new(drop));
        self.session.configure(self.config.clone())?;
        if let Some(fault) = answer.as_ref().and_then(|answer| answer.fault.as_ref()) {
            log::error!("{fault}");
        }
        let best = answer.and_then(|answer| self.step(&answer.best?));
        Ok(best.filter(|best| moves.contains(best)).unwrap_or(first))
    }

    /// What the rules of the board allow less what is forbidden, by file and rank.
    fn permitted(&self) -> Vec<Step> {
        let texts = self.session.moves().unwrap_or_default();
        let steps = texts.iter().filter_map(|text| self.step(text));
        let mut steps: Vec<Step> = steps.filter(|&step| !self.is_forbidden(step)).collect();
        steps.sort_unstable();
        steps
    }

    fn is_forbidden(&self, step: Step) -> bool {
        self.side() == Side::Second && self.repeats(step)
    }

    /// Whether a legal move makes a position that has stood before.
    fn repeats(&self, step: Step) -> bool {
        let captures = self.session.captures(&text(step));
        // With a man less it is new.
        if !matches!(captures, Some(Ok(squares)) if squares.is_empty()) {
            return false;
        }
        let mut board = self.boards.last().cloned().unwrap_or_default();
        let [from, to] = step.map(|square| {
            usize::from(self.size) * usize::from(square.rank) + usize::from(square.file)
        });
        board.swap(from, to);
        self.boards.contains(&board)
    }

    /// Cuts a move text of the session into its squares.
    fn step(&self, text: &str) -> Option<Step> {
        let (second, _) = text
            .char_indices()
            .skip(1)
            .find(|(_, letter)| letter.is_ascii_alphabetic())?;
        let (from, to) = text.split_at(second);
        let square = |text| Square::parse(text, self.size).ok();
        Some([square(from)?, square(to)?])
    }

    fn board(&self) -> Vec<char> {
        let rows = self.rows();
        rows.split('/').rev().flat_map(squares).collect()
    }
}

/// A move as the session writes it.
fn text([from, to]: Step) -> String {
    format!("{from}{to}")
}

/// The squares of a row of a position text.
fn squares(row: &str) -> Vec<char> {
    let mut squares = Vec::new();
    let mut empty = 0;
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            empty = 10 * empty + digit as usize;
        } else {
            squares.extend(std::iter::repeat_n('.', std::mem::take(&mut empty)));
            squares.push(letter);
        }
    }
    squares.extend(std::iter::repeat_n('.', empty));
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::table::Table;

    fn game(rows: &str, first: Side) -> Result<Game, String> {
        let config = Config {
            table: Arc::new(Table::new(1)?),
            threads: 1,
            repetition: None,
            quiet: None,
        };
        let mut game = Game::new("11", config)?;
        game.begin(rows, first)?;
        Ok(game)
    }

    #[test]
    fn who_could_only_repeat_has_lost() -> Result<(), String> {
        // The king has d8 and d9, the man on a4 is stuck, and an attacker goes to and fro.
        let cage = "11/3t7/2t1t6/2tKt6/3t7/11/t10/Tt9/t10/9t1/11";
        let mut game = game(cage, Side::Second)?;
        for [from, to] in [["d8", "d9"], ["j2", "j3"], ["d9", "d8"], ["j3", "j2"]] {
            assert_eq!(game.result(), None, "before {from}");
            let moves = game.moves();
            let step = [Square::parse(from, 11)?, Square::parse(to, 11)?];
            assert!(moves.contains(&step), "{from} {to}");
            assert!(
                game.side() == Side::First || moves.len() == 1,
                "one move each"
            );
            game.play(step)?;
        }
        assert_eq!(game.result(), Some(Some(Side::First)));
        assert!(game.moves().is_empty());
        game.undo()?;
        assert_eq!(game.result(), None);
        Ok(())
    }

    #[test]
    fn squares_are_read_as_they_are_written() {
        for (text, size) in [("a1", 11), ("k11", 11), ("m13", 13), ("d10", 11)] {
            let square = Square::parse(text, size).map(|square| square.to_string());
            assert_eq!(square.as_deref(), Ok(text));
            let upper = Square::parse(&text.to_uppercase(), size);
            assert_eq!(upper, Square::parse(text, size));
        }
        for text in [
            "", "a", "1", "a0", "a01", "a12", "l1", "a1b", "é1", "a-1", "a+1", "a256",
        ] {
            let error = Square::parse(text, 11);
            let expected = format!("'{text}', a square from a1 to k11 expected");
            assert_eq!(error, Err(expected));
        }
    }

    #[test]
    fn rows_are_taken_apart() {
        for (row, expected) in [
            ("11", "..........."),
            ("t10", "t.........."),
            ("2tKt6", "..tKt......"),
        ] {
            assert_eq!(squares(row).into_iter().collect::<String>(), expected);
        }
    }
}
