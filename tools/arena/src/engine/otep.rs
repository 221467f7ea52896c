//! OpenTafl's dialect: the arena is the host, tells rules, moves and positions, and asks for one move at a time.
//!
//! The dialect has no options, no scores and no limits but time, so an engine is told nothing else.
//!
//! **Time.** A clock is told as main time. The dialect knows no increment and no number of moves after which time is
//! added: what they add is there when the clock is told next, before each move, so an engine plans for less than it gets.
//! A time for each move is told as the last overtime period, which runs already: `500* 500* 1 1 1`. It could be told as
//! main time anew before each move as well, but everybody takes that for the time of the rest of the game and uses a
//! fraction of it, while of a period that is lost when it ends nothing can be saved up: an engine that knows overtime
//! uses most of it, and one that reads no more than the milliseconds is not worse off than with main time. Periods are
//! told in whole seconds, rounded up; the milliseconds that are left are exact.

use super::Terms;
use super::dialect::{Dialect, Heard, Question};
use super::words::BestMove;
use crate::book::Start;
use crate::clock::Clock;
use crate::config::Player;
use crate::notation::{read_move, write_move, write_position, write_simple};
use crate::referee::Step;
use huscarl::game::Side;
use huscarl::tafl::Spec;
use std::collections::BTreeMap;
use std::time::Duration;

/// The sides in the host's words, player 1 first.
const SIDES: [&str; 2] = ["attackers", "defenders"];

/// What the host says of the end of a game: that nothing on the board has ended it, that it is drawn, and who has won.
const NOT_ON_THE_BOARD: u32 = 0;
const DRAWN: u32 = 1;
const WON: [u32; 2] = [2, 3];

/// An engine that a host tells what has happened.
pub struct Otep {
    player: Player,
    terms: Terms,
    /// Lines of facts as they were told last, by their first word; the engine may ask for them again.
    facts: BTreeMap<&'static str, String>,
    /// The opponent's moves that the engine has not been told of, oldest first.
    news: Vec<String>,
    /// The position text now.
    position: String,
    /// Whether it wants squares only and no whole move records.
    simple: bool,
}

impl Otep {
    pub fn new(player: &Player, terms: &Terms) -> Self {
        let mut otep = Otep {
            player: player.clone(),
            terms: terms.clone(),
            facts: BTreeMap::new(),
            news: Vec::new(),
            position: String::new(),
            simple: true,
        };
        // A host tells its game before it has heard anything.
        if let Some(spec) = terms.variant.spec() {
            otep.state("rules", terms.with_limits(spec).to_record());
        }
        otep
    }

    /// Remembers a fact and returns its line.
    fn state(&mut self, word: &'static str, what: String) -> String {
        let line = format!("{word} {what}\n");
        self.facts.insert(word, line.clone());
        line
    }

    /// The rules with another start; turns begin anew with it.
    fn rules_from(&self, spec: &Spec, turn: &str) -> String {
        let mut spec = self.terms.with_limits(spec);
        let mut fields = turn.split(' ');
        if let (Some(rows), Some(side)) = (fields.next(), fields.next()) {
            spec.start = rows.to_string();
            spec.first = match side.starts_with('d') {
                true => Side::Second,
                false => Side::First,
            };
        }
        spec.to_record()
    }

    fn note(&mut self, step: &Step, position: &str) {
        self.news.push(match self.simple {
            true => write_simple(step),
            false => write_move(step),
        });
        self.position = position.to_string();
    }
}

/// The words of `clock`: both clocks, the length of a period in seconds, and the periods of each. A player without a
/// clock is told to have the other's.
fn clock_words(clocks: &[Clock; 2], side: usize) -> String {
    let told = [0, 1].map(|player: usize| match clocks[player].allowed() {
        Some(_) => &clocks[player],
        None => &clocks[side],
    });
    let period = |clock: &Clock| clock.limit().movetime;
    let left = told.map(|clock| {
        let left = clock.allowed().unwrap_or_default().as_millis();
        format!("{left}{}", if period(clock).is_some() { "*" } else { "" })
    });
    let longest = told.iter().filter_map(|clock| period(clock)).max();
    let seconds = longest.map_or(0, |time| {
        time.as_secs() + u64::from(time > Duration::from_secs(time.as_secs()))
    });
    let periods = told.map(|clock| u32::from(period(clock).is_some()));
    // The host ends the line with a blank, too.
    format!(
        "{} {} {seconds} {} {} ",
        left[0], left[1], periods[0], periods[1]
    )
}

impl Dialect for Otep {
    fn answers(&self) -> &'static [&'static str] {
        &[
            "hello",
            "move",
            "simple-moves",
            "error",
            "rules",
            "position",
            "side",
            "clock",
        ]
    }

    fn move_word(&self) -> &'static str {
        "move"
    }

    fn tells_scores(&self) -> bool {
        false
    }

    fn hello(&self) -> String {
        self.facts.get("rules").cloned().unwrap_or_default()
    }

    fn hello_wanted(&self) -> String {
        "hello after rules".into()
    }

    fn check(&self) -> Result<Vec<String>, String> {
        let name = &self.player.name;
        let mut warnings: Vec<String> = { self.player.options.iter() }
            .map(|(option, value)| {
                format!("engine '{name}' speaks otep, which has no options: {option}={value} is left out")
            })
            .collect();
        let limits = [
            ("quiet-limit", "quiet", self.terms.quiet_limit),
            ("repetition-limit", "repn", self.terms.repetition_limit),
        ];
        for (limit, key, value) in limits {
            if let Some(value) = value {
                warnings.push(format!(
                    "engine '{name}' is told of {limit} {value} by the key {key} of the rules record, which it may not know"
                ));
            }
        }
        if self.terms.ponder {
            warnings.push(format!("engine '{name}' speaks otep and can not ponder"));
        }
        Ok(warnings)
    }

    fn new_game(&mut self, start: &Start) -> String {
        self.news.clear();
        self.facts.clear();
        for (step, position) in &start.begun {
            self.note(step, position);
        }
        if start.begun.is_empty() {
            self.position.clone_from(&start.turn);
        }
        let spec = self.terms.variant.spec().cloned();
        spec.map(|spec| {
            let record = self.rules_from(&spec, &start.turn);
            self.state("rules", record)
        })
        .unwrap_or_default()
    }

    fn hear(&mut self, line: &str) -> Heard {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "hello" => Heard::Hello,
            "move" => {
                let mv = read_move(rest);
                let squares = mv.as_deref().and_then(|mv| mv.split('x').next());
                Heard::Move(BestMove {
                    mv: squares.unwrap_or(rest).to_string(),
                    fault: squares.is_none().then_some("a move such as d1-e1 expected"),
                    ..BestMove::default()
                })
            }
            "simple-moves" => {
                self.simple = rest != "off";
                Heard::Nothing
            }
            "error" => match rest.split_once(' ').unwrap_or((rest, "")) {
                ("-1", why) => Heard::GivesUp(format!("error -1 {why}")),
                _ => Heard::Nothing,
            },
            word => match self.facts.get(word) {
                Some(line) => Heard::Asks(line.clone()),
                None => Heard::Nothing,
            },
        }
    }

    fn accepted(&mut self, _: &Step, position: &str) -> String {
        self.position = position.to_string();
        format!("move {}\n", write_position(position))
    }

    fn opponent_moved(&mut self, step: &Step, position: &str) {
        self.note(step, position);
    }

    fn search(&mut self, question: &Question) -> String {
        let position = write_position(&self.position);
        let mut lines = String::new();
        if !self.news.is_empty() {
            let moves = std::mem::take(&mut self.news).join("|");
            lines += &format!("opponent-move {moves} {position}\n");
        }
        self.state("position", position);
        self.state("side", SIDES[question.side].to_string());
        lines += &self.state("clock", clock_words(question.clocks, question.side));
        lines + &format!("play {}\n", SIDES[question.side])
    }

    fn finish(&mut self, result: Option<Option<usize>>) -> String {
        let number = match result {
            None => NOT_ON_THE_BOARD,
            Some(None) => DRAWN,
            Some(Some(winner)) => WON[winner],
        };
        format!("finish {number}\n")
    }

    fn quit(&self) -> &'static str {
        "goodbye"
    }
}
