//! The dialects `uci` and `ugi`, which differ in a few words: options, `position`, `go` and `bestmove`.

use super::Terms;
use super::dialect::{Dialect, Heard, Question};
use super::words::{self, BestMove, Spin};
use crate::book::Start;
use crate::clock::{ClockWords, go_words};
use crate::config::{Player, Protocol};
use crate::referee::Step;
use std::collections::BTreeMap;

/// Options of which an engine may tell.
const MOST_OPTIONS: usize = 1000;

const VARIANT: &str = "UCI_Variant";
const VARIANT_PATH: &str = "VariantPath";
const QUIET: &str = "QuietLimit";
const REPETITION: &str = "RepetitionLimit";
const OFFERS: &str = "Offers";
const PONDER: &str = "Ponder";

/// The words in which the two differ.
struct Words {
    hello: &'static str,
    hello_end: &'static str,
    new_game: &'static str,
    clocks: ClockWords,
}

static UCI: Words = Words {
    hello: "uci",
    hello_end: "uciok",
    new_game: "ucinewgame",
    clocks: [["wtime", "winc"], ["btime", "binc"]],
};
static UGI: Words = Words {
    hello: "ugi",
    hello_end: "ugiok",
    new_game: "uginewgame",
    clocks: [["p1time", "p1inc"], ["p2time", "p2inc"]],
};

/// An engine with options, which is told all moves before each search.
pub struct Uci {
    words: &'static Words,
    player: Player,
    terms: Terms,
    id: String,
    /// Its option lines.
    options: Vec<String>,
    /// By how much a tuner should change an option at first.
    steps: BTreeMap<String, f64>,
    /// The `position` line, which grows by a move at a time.
    line: String,
}

impl Uci {
    pub fn new(player: &Player, terms: &Terms) -> Self {
        Uci {
            words: match player.protocol {
                Protocol::Ugi => &UGI,
                _ => &UCI,
            },
            player: player.clone(),
            terms: terms.clone(),
            id: String::new(),
            options: Vec::new(),
            steps: BTreeMap::new(),
            line: String::new(),
        }
    }

    /// Options that follow from the terms.
    fn options_of_terms(&self) -> Vec<(&'static str, String)> {
        let terms = &self.terms;
        // The file comes first: the name may be known only with it.
        let path = { terms.variants_path() }.map(|path| (VARIANT_PATH, path));
        let quiet = terms.quiet_limit.map(|limit| (QUIET, limit.to_string()));
        let repetition = { terms.repetition_limit }.map(|limit| (REPETITION, limit.to_string()));
        let mut options: Vec<_> = path.into_iter().collect();
        options.push((VARIANT, terms.variant.name().to_string()));
        options.extend(quiet);
        options.extend(repetition);
        options.push((OFFERS, "true".into()));
        if terms.ponder {
            options.push((PONDER, "true".into()));
        }
        options
    }

    /// The line of an option, by its name in any case.
    fn option(&self, name: &str) -> Option<&str> {
        let is_it = |line: &&String| {
            words::option_name(line).is_some_and(|own| own.eq_ignore_ascii_case(name))
        };
        self.options.iter().find(is_it).map(String::as_str)
    }

    /// Whether the variant is among those that it has told of. With a file it plays more than these.
    fn plays_variant(&self) -> bool {
        let reads_file =
            self.terms.variants_path().is_some() && self.option(VARIANT_PATH).is_some();
        let Some(line) = self.option(VARIANT).filter(|_| !reads_file) else {
            return true;
        };
        let variant = self.terms.variant.name();
        let mut values = words::combo_values(line).peekable();
        values.peek().is_none() || values.any(|value| value.eq_ignore_ascii_case(variant))
    }

    fn has_own(&self, name: &str) -> bool {
        { self.player.options.keys() }.any(|own| own.eq_ignore_ascii_case(name))
    }

    fn append(&mut self, step: &Step) {
        self.line.push(' ');
        self.line += &step.text;
    }
}

impl Dialect for Uci {
    fn answers(&self) -> &'static [&'static str] {
        &[
            "bestmove", "readyok", "uciok", "ugiok", "id", "option", "tune",
        ]
    }

    fn move_word(&self) -> &'static str {
        "bestmove"
    }

    fn tells_scores(&self) -> bool {
        true
    }

    fn hello(&self) -> String {
        format!("{}\n", self.words.hello)
    }

    fn hello_wanted(&self) -> String {
        format!("{} after {}", self.words.hello_end, self.words.hello)
    }

    fn settings(&self) -> String {
        let mut lines = String::new();
        for (name, value) in self.options_of_terms() {
            let is_known = self.option(name).is_some() && (name != VARIANT || self.plays_variant());
            if is_known && !self.has_own(name) {
                lines += &format!("setoption name {name} value {value}\n");
            }
        }
        for (name, value) in &self.player.options {
            lines += &format!("setoption name {name} value {value}\n");
        }
        lines
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn spins(&self) -> Vec<Spin> {
        let shown = self.options.iter().filter_map(|line| Spin::parse(line));
        let with_step = shown.map(|spin| Spin {
            step: self.steps.get(&spin.name).copied(),
            ..spin
        });
        with_step.collect()
    }

    fn check(&self) -> Result<Vec<String>, String> {
        let (name, variant) = (&self.player.name, self.terms.variant.name());
        for option in self.player.options.keys() {
            if self.option(option).is_none() {
                return Err(format!("engine '{name}' has no option '{option}'"));
            }
        }
        if !self.plays_variant() {
            return Err(format!("engine '{name}' does not play {variant}"));
        }
        let terms = self.options_of_terms();
        let missing = terms
            .iter()
            .filter(|(option, _)| *option != OFFERS && self.option(option).is_none());
        Ok(missing
            .map(|(option, value)| {
                format!("engine '{name}' has no option {option} and is not told of {value}")
            })
            .collect())
    }

    fn has_offers(&self) -> bool {
        let denied = |(name, value): (&String, &String)| {
            name.eq_ignore_ascii_case(OFFERS) && !value.eq_ignore_ascii_case("true")
        };
        self.option(OFFERS).is_some() && !{ self.player.options.iter() }.any(denied)
    }

    fn sync(&self) -> Option<&'static str> {
        Some("isready")
    }

    fn new_game(&mut self, start: &Start) -> String {
        self.line = format!("position {}", start.line);
        format!("{}\n", self.words.new_game)
    }

    fn hear(&mut self, line: &str) -> Heard {
        match line.split_ascii_whitespace().next() {
            Some("bestmove") => return Heard::Move(BestMove::parse(line)),
            Some("readyok") if line == "readyok" => return Heard::Ready,
            Some(word) if word == self.words.hello_end && line == word => return Heard::Hello,
            _ => {}
        }
        if let Some(name) = line.strip_prefix("id name ") {
            self.id = name.trim().to_string();
        } else if words::option_name(line).is_some() && self.options.len() < MOST_OPTIONS {
            self.options.push(line.to_string());
        } else if let Some((name, step)) = words::step(line)
            && self.steps.len() < MOST_OPTIONS
        {
            self.steps.insert(name.to_string(), step);
        }
        Heard::Nothing
    }

    fn accepted(&mut self, step: &Step, _: &str) -> String {
        self.append(step);
        String::new()
    }

    fn opponent_moved(&mut self, step: &Step, _: &str) {
        self.append(step);
    }

    fn search(&mut self, question: &Question) -> String {
        let mut words = go_words(question.clocks, question.side, &self.words.clocks);
        if question.offered {
            words += " offer";
        }
        match question.ponder {
            Some(reply) => format!("{} {reply}\ngo ponder{words}\n", self.line),
            None => format!("{}\ngo{words}\n", self.line),
        }
    }

    fn ponder_hit(&self) -> String {
        "ponderhit\n".into()
    }

    fn stop(&self) -> Option<&'static str> {
        Some("stop")
    }

    fn quit(&self) -> &'static str {
        "quit"
    }
}
