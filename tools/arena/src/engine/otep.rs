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
        if self.terms.adjudicates {
            warnings.push(format!(
                "engine '{name}' speaks otep and tells no scores: no game of it is adjudicated"
            ));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Limit;
    use crate::config::{EngineSpec, Settings};
    use clap::{Args, FromArgMatches};

    fn otep(variant: &str, flags: &[&str]) -> Otep {
        let command = Settings::augment_args(clap::Command::new(""));
        let words = [""].iter().chain(flags);
        let settings = Settings::from_arg_matches(&command.get_matches_from(words)).unwrap();
        let engine = EngineSpec::from_words(["cmd=x", "proto=otep", "tc=1"]).unwrap();
        let player = engine.player(&EngineSpec::default()).unwrap();
        Otep::new(&player, &Terms::new(&settings, variant.parse().unwrap()))
    }

    fn clock(words: &str) -> Clock {
        let mut limit = Limit::default();
        for word in words.split(' ') {
            match word.split_once('=') {
                Some(("tc", text)) => limit.control = Some(text.parse().unwrap()),
                Some(("ms", text)) => {
                    limit.movetime = Some(Duration::from_millis(text.parse().unwrap()));
                }
                _ => limit.nodes = Some(5),
            }
        }
        Clock::new(limit)
    }

    #[test]
    fn time_is_told_in_the_words_of_the_host() {
        for (one, other, side, words) in [
            ("tc=10+0.1", "tc=5", 0, "10000 5000 0 0 0 "),
            ("ms=500", "tc=5", 1, "500* 5000 1 1 0 "),
            ("ms=2000", "ms=1200", 0, "2000* 1200* 2 1 1 "),
            ("tc=0.3 ms=500", "tc=9", 0, "300* 9000 1 1 0 "),
            ("nodes=5", "tc=7", 1, "7000 7000 0 0 0 "),
            ("ms=250", "nodes=5", 0, "250* 250* 1 1 1 "),
        ] {
            let clocks = [clock(one), clock(other)];
            assert_eq!(clock_words(&clocks, side), words, "{one} {other}");
        }
    }

    #[test]
    fn a_game_is_told_from_its_opening_to_its_end() {
        let mut otep = otep("brandub", &["--quiet-limit", "40"]);
        assert!(otep.hello().starts_with("rules dim:7 name:Brandub "));
        let start = Start {
            turn: "7/7/7/K6/7/6t/1tT4 d 0 1".into(),
            ..Start::default()
        };
        let rules = otep.new_game(&start);
        assert!(
            rules.contains(" atkf:n ") && rules.contains(" quiet:40 "),
            "{rules}"
        );
        assert!(rules.ends_with(" start:/1tT4/6t/7/K6/7/7/7/\n"), "{rules}");
        let clocks = [clock("tc=1"), clock("tc=1")];
        let question = |side| Question {
            clocks: &clocks,
            side,
            offered: false,
            ponder: None,
        };
        let asked = otep.search(&question(1));
        assert_eq!(asked, "clock 1000 1000 0 0 0 \nplay defenders\n");
        let Heard::Move(best) = otep.hear("move Ka4-b4+") else {
            panic!("a move");
        };
        assert_eq!((best.mv.as_str(), best.fault), ("a4b4", None));
        let step = |text: &str, from: &str, to: &str, side, captured: &[&str]| Step {
            text: text.into(),
            side,
            piece: 't',
            from: from.into(),
            to: to.into(),
            captured: captured
                .iter()
                .map(|square| (square.to_string(), 'T'))
                .collect(),
            jumps: false,
            goes_on: false,
        };
        let own = step("a4b4", "a4", "b4", Side::Second, &[]);
        let told = otep.accepted(&own, "7/7/7/1K5/7/6t/1tT4 a 1 2");
        assert_eq!(told, "move /1tT4/6t/7/1K5/7/7/7/\n");
        otep.hear("simple-moves off");
        let last = "7/7/7/1K5/7/6t/1t1t3 d 0 2";
        otep.opponent_moved(&step("g2g1", "g2", "g1", Side::First, &[]), "");
        otep.opponent_moved(&step("g1d1", "g1", "d1", Side::First, &["c1"]), last);
        let asked = otep.search(&question(1));
        let news = "opponent-move g2-g1|g1-d1xc1 /1t1t3/6t/7/1K5/7/7/7/\n";
        assert!(asked.starts_with(news), "{asked}");
        assert_eq!(otep.hear("side"), Heard::Asks("side defenders\n".into()));
        let position = "position /1t1t3/6t/7/1K5/7/7/7/\n";
        assert_eq!(otep.hear("position"), Heard::Asks(position.into()));
        assert_eq!(otep.hear("rules"), Heard::Asks(rules));
        assert_eq!(
            otep.hear("clock 1"),
            Heard::Asks("clock 1000 1000 0 0 0 \n".into())
        );
        assert_eq!(otep.hear("error 0 x"), Heard::Nothing);
        assert_eq!(otep.hear("error -1 x"), Heard::GivesUp("error -1 x".into()));
        let ends = [None, Some(None), Some(Some(0)), Some(Some(1))].map(|end| otep.finish(end));
        assert_eq!(ends.concat(), "finish 0\nfinish 1\nfinish 2\nfinish 3\n");
    }

    #[test]
    fn a_turn_that_has_begun_is_told_as_moves() {
        let mut otep = otep("berserk", &[]);
        let begun = Step {
            text: "a1a2".into(),
            side: Side::First,
            piece: 't',
            from: "a1".into(),
            to: "a2".into(),
            captured: Vec::new(),
            jumps: false,
            goes_on: false,
        };
        let start = Start {
            line: String::new(),
            turn: "11/11/11/11/11/5K5/11/11/11/11/t10 a 0 1".into(),
            begun: vec![(begun, "11/11/11/11/11/5K5/11/11/11/t10/11 a:a2 0 1".into())],
        };
        assert!(
            otep.new_game(&start)
                .ends_with(" start:/t10/11/11/11/11/5K5/11/11/11/11/11/\n")
        );
        let clocks = [clock("tc=1"), clock("tc=1")];
        let asked = otep.search(&Question {
            clocks: &clocks,
            side: 0,
            offered: false,
            ponder: None,
        });
        let news = "opponent-move a1-a2 /11/t10/11/11/11/5K5/11/11/11/11/11/\n";
        assert!(
            asked.starts_with(news) && asked.ends_with("play attackers\n"),
            "{asked}"
        );
    }
}
