//! Carrying out the commands that wait for their turn, one after the other.

use super::go::{self, Go};
use super::options::{self, Id, Settings, Value};
use super::queue::Task;
use super::{Shared, Worker, split_word, uci};
use crate::bench;
use crate::eval::TermValue;
use crate::game::Side;
use crate::search::limits::{Limits, Signals};
use crate::search::table::Table;
use crate::session::{Answer, Config, Order, QUIET_BEFORE_OFFER, Session};
use crate::variants::Registry;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Deeper than anyone counts; the walk keeps a frame for each ply.
const DEEPEST_PERFT: u64 = 100;

/// The working half of the protocol.
pub(super) struct Engine {
    shared: Arc<Shared>,
    settings: Settings,
    table: Arc<Table>,
    session: Box<dyn Session>,
    /// The `position` line that led to the present position; the next one often only grows from it.
    last_position: Option<String>,
    /// When the last search ended; a `go` that waited for it starts its clock there.
    idle_since: Instant,
}

impl Engine {
    pub(super) fn new(shared: Arc<Shared>, table: Arc<Table>) -> Result<Self, String> {
        let settings = shared.settings.clone();
        let session = settings
            .variants
            .open(&settings.variant, config(&settings, &table))?;
        Ok(Engine {
            shared,
            settings,
            table,
            session,
            last_position: None,
            idle_since: Instant::now(),
        })
    }

    fn say(&self, line: impl Into<String>) {
        self.shared.output.say(line);
    }

    fn error(&self, message: impl AsRef<str>) {
        self.shared.output.error(message);
    }

    fn position(&mut self, line: &str, arguments: &str) {
        if let Some(last) = &self.last_position
            && let Some(tail) = line.strip_prefix(last.as_str())
        {
            // The same line again, or grown: only the new moves are played.
            let has_moves = last.split_ascii_whitespace().any(|word| word == "moves");
            let mut words = tail.split_ascii_whitespace().peekable();
            let begins = tail.starts_with(|c: char| c.is_ascii_whitespace());
            let grown = if has_moves {
                tail.is_empty() || begins
            } else {
                tail.is_empty() || begins && words.next_if_eq(&"moves").is_some()
            };
            if grown {
                let moves: Vec<&str> = words.collect();
                self.last_position = self.play(&moves).then(|| line.to_string());
                return;
            }
        }
        self.last_position = None;
        let (what, rest) = split_word(arguments);
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let divider = words.iter().position(|&word| word == "moves");
        let (before, moves) = match divider {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (&words[..], &[][..]),
        };
        let result = match what {
            "startpos" if before.is_empty() => self.session.set_position(None),
            "startpos" => {
                self.bad_position(format!("'{}' after startpos, moves expected", before[0]))
            }
            "fen" => self.session.set_position(Some(&before.join(" "))),
            _ => self.bad_position(format!("'{what}', startpos or fen expected")),
        };
        match result {
            Ok(()) => {
                if self.play(moves) {
                    self.last_position = Some(line.to_string());
                }
            }
            Err(message) => self.error(format!("position: {message}")),
        }
    }

    /// Leaves no position, as every bad one does.
    fn bad_position(&mut self, message: String) -> Result<(), String> {
        // An empty text is no position in any game.
        self.session
            .set_position(Some(""))
            .and(Ok(()))
            .or(Err(message))
    }

    /// Plays moves; says whether all of them were.
    fn play(&mut self, moves: &[&str]) -> bool {
        match self.session.play(moves) {
            Ok(()) => true,
            Err(refusal) => {
                self.error(refusal.message);
                false
            }
        }
    }

    fn set_option(&mut self, arguments: &str) -> Result<(), String> {
        let (id, value) = options::parse(arguments, &self.settings.variants)?;
        let mut next = self.settings.clone();
        let limit = |number: i64| u32::try_from(number).ok();
        match (id, value) {
            (Id::Hash, Value::Number(mib)) => {
                // The old table stays until the new one is there.
                let table = Arc::new(Table::new(mib as usize)?);
                next.hash = mib as usize;
                self.table = table;
            }
            (Id::Threads, Value::Number(threads)) => next.threads = threads as usize,
            (Id::MultiPv, Value::Number(lines)) => next.multipv = lines as usize,
            (Id::Ponder, Value::Flag(on)) => next.ponder = on,
            (Id::ClearHash, _) => self.table.clear(),
            (Id::MoveOverhead, Value::Number(ms)) => next.overhead = ms as u64,
            (Id::Variant, Value::Text(name)) => return self.set_variant(name),
            (Id::VariantPath, Value::Text(path)) => {
                next.variants = match path.as_str() {
                    "" => Registry::default(),
                    path => Registry::load(path)?,
                };
                *self.shared.variants.lock() = next.variants.clone();
            }
            (Id::SkillLevel, Value::Number(level)) => next.skill = level as u32,
            (Id::LimitStrength, Value::Flag(on)) => next.limit_strength = on,
            (Id::Elo, Value::Number(elo)) => next.elo = elo,
            (Id::ShowWdl, Value::Flag(on)) => next.show_wdl = on,
            (Id::QuietLimit, Value::Number(plies)) => next.quiet = limit(plies),
            (Id::RepetitionLimit, Value::Number(count)) => next.repetition = limit(count),
            (Id::Offers, Value::Flag(on)) => next.offers = on,
            #[cfg(feature = "tune")]
            (Id::Tuned(index), Value::Number(value)) => {
                crate::search::tuning::numbers()[index].set(value as i32);
            }
            #[cfg(feature = "tune")]
            (Id::Weight(index), Value::Number(value)) => {
                crate::eval::tuning::WEIGHTS[index].set(value as i32);
            }
            (Id::DebugLogFile, Value::Text(path)) => {
                let path = Some(path.as_str()).filter(|path| !path.is_empty());
                self.shared.output.set_log(path)?;
            }
            _ => {}
        }
        self.session.configure(config(&next, &self.table))?;
        self.settings = next;
        Ok(())
    }

    /// Opens the variant at its start position.
    fn set_variant(&mut self, name: String) -> Result<(), String> {
        let config = config(&self.settings, &self.table);
        self.session = self.settings.variants.open(&name, config)?;
        self.settings.variant = name;
        self.table.clear();
        self.last_position = None;
        Ok(())
    }

    fn go(&mut self, task: &Task, arguments: &str) {
        let go = Go::parse(arguments);
        for problem in &go.problems {
            self.error(problem);
        }
        let dialect = *self.shared.dialect.lock();
        let mut mate = go.mate.map(|mate| dialect.mate_plies(mate));
        if mate.is_some() && self.session.is_scored() {
            self.error("go mate: this game is decided by points and has no mate");
            mate = None;
        }
        let side = self.session.side().unwrap_or(Side::First);
        let limits = go.limits(side, mate, self.settings.overhead);
        if self.shared.debug.load(Relaxed) {
            match limits.budget() {
                Some(budget) => self.say(format!(
                    "info string time planned: {} ms, at most {} ms",
                    budget.soft.as_millis(),
                    budget.hard.as_millis()
                )),
                None => self.say("info string time planned: no limit"),
            }
        }
        let never = Arc::default();
        let signals = task.signals.as_ref().unwrap_or(&never);
        let answer = self.shared.queue.while_searching(|| {
            let answer = self.search(&go, &limits, signals, task.read.max(self.idle_since));
            signals.hold(&limits);
            answer
        });
        if let Some(fault) = answer.as_ref().and_then(|answer| answer.fault.as_ref()) {
            self.error(fault);
        }
        let offer = self.settings.offers
            && answer
                .as_ref()
                .is_some_and(|answer| self.offers(answer, go.offer));
        if offer && go.offer {
            self.session.agree();
            self.last_position = None;
        }
        self.idle_since = Instant::now();
        self.say(uci::bestmove(answer.as_ref(), self.settings.ponder, offer));
    }

    fn search(
        &self,
        go: &Go,
        limits: &Limits,
        signals: &Arc<Signals>,
        started: Instant,
    ) -> Option<Answer> {
        if !self.session.has_position() {
            self.error("go: there is no position");
            return None;
        }
        let order = Order {
            limits: limits.clone(),
            searchmoves: go.searchmoves.clone(),
            multipv: self.settings.multipv,
            level: self.settings.level(),
        };
        let (output, dialect) = (self.shared.output.clone(), *self.shared.dialect.lock());
        let show_wdl = self.settings.show_wdl;
        self.session.search(
            &order,
            signals,
            started,
            &mut |problem| self.error(problem),
            Box::new(move |progress| output.say(dialect.info(&progress, show_wdl))),
        )
    }

    /// Whether to accept the opponent's offer to end the game, or without one to make one.
    fn offers(&self, answer: &Answer, offered: bool) -> bool {
        let enough = self
            .session
            .worth_now()
            .is_some_and(|worth| answer.score <= worth);
        let quiet = self.session.quiet().unwrap_or(0);
        answer.best.is_some() && enough && (offered || quiet >= QUIET_BEFORE_OFFER)
    }

    fn perft(&mut self, task: &Task, depth: &str) {
        let Some(depth) = go::number(depth) else {
            return self.error(format!("go perft '{depth}', a depth in plies expected"));
        };
        if !self.session.has_position() {
            return self.error("go perft: there is no position");
        }
        let never = Arc::default();
        let signals = task.signals.as_ref().unwrap_or(&never);
        let depth = depth.min(DEEPEST_PERFT) as u32;
        let nodes = self.shared.queue.while_searching(|| {
            self.session.perft(depth, false, signals, &mut |mv, nodes| {
                self.say(format!("{mv}: {nodes}"));
            })
        });
        self.idle_since = Instant::now();
        match nodes {
            Some(nodes) => self.say(format!("Nodes searched: {nodes}")),
            None => self.say("info string perft stopped"),
        }
    }

    fn bench(&mut self, task: &Task, depth: &str) {
        let depth = match depth {
            "" => None,
            text => match go::number(text) {
                Some(depth) => Some(depth.clamp(1, 100) as u32),
                None => return self.error(format!("bench '{text}', a depth in plies expected")),
            },
        };
        let never = Arc::default();
        let signals = task.signals.as_ref().unwrap_or(&never);
        // The last line is kept back until the bench is over: who has read it may rely on `isready` waiting its turn.
        let mut last = None;
        let result = self.shared.queue.while_searching(|| {
            bench::run(depth, signals, &mut |line| {
                if let Some(line) = last.replace(line) {
                    self.say(line);
                }
            })
        });
        self.idle_since = Instant::now();
        if let Some(line) = last {
            self.say(line);
        }
        if let Err(message) = result {
            self.error(message);
        }
    }

    fn query(&self, arguments: &str) {
        let (what, argument) = split_word(arguments);
        match self.answer(what, argument) {
            Ok(answer) => self.say(format!("response {answer}")),
            Err(message) => {
                self.error(message);
                self.say("response none");
            }
        }
    }

    /// The words after `response`.
    fn answer(&self, what: &str, argument: &str) -> Result<String, String> {
        let session = &self.session;
        let missing = || format!("query {what}: there is no position");
        let list = |words: Vec<String>| match words.is_empty() {
            true => "none".to_string(),
            false => words.join(" "),
        };
        if what == "variant" && session.has_position() {
            return Ok(self.settings.variant.to_string());
        }
        let outcome = session.outcome();
        match what {
            _ if !session.has_position() => Err(missing()),
            "p1turn" => Ok((session.side() == Some(Side::First)).to_string()),
            "gameover" => Ok(outcome.is_some().to_string()),
            "result" => Ok(match outcome {
                None => "none",
                Some(outcome) => match outcome.winner {
                    Some(Side::First) => "p1win",
                    Some(Side::Second) => "p2win",
                    None => "draw",
                },
            }
            .to_string()),
            "reason" => {
                Ok(outcome.map_or("none".to_string(), |outcome| outcome.reason.to_string()))
            }
            "moves" => session.moves().map(list).ok_or_else(missing),
            "islegal" if argument.is_empty() => {
                Err("query islegal: missing M: a move expected".into())
            }
            "captures" if argument.is_empty() => {
                Err("query captures: missing M: a move expected".into())
            }
            "islegal" => {
                let legal = session
                    .captures(argument)
                    .is_some_and(|found| found.is_ok());
                Ok(legal.to_string())
            }
            "captures" => match session.captures(argument).ok_or_else(missing)? {
                Ok(squares) => Ok(list(squares)),
                Err(why) => Err(format!("query captures {argument}: {why}")),
            },
            "fen" => session.position_text().ok_or_else(missing),
            "score" => Ok(session
                .points()
                .map_or("none".to_string(), |[one, two]| format!("{one} {two}"))),
            _ => Err(format!("unknown query '{what}', see help")),
        }
    }

    fn draw(&self) {
        let Some(board) = self.session.board() else {
            return self.error("d: there is no position");
        };
        for line in board {
            self.say(line);
        }
        let names = self.session.side_names();
        let side = self.session.side().unwrap_or(Side::First);
        let answer = |what| self.answer(what, "").unwrap_or_default();
        self.say(format!("Fen: {}", answer("fen")));
        self.say(format!("Key: 0x{:016x}", self.session.key().unwrap_or(0)));
        self.say(format!(
            "Side: player {} ({})",
            side.player(),
            names[side.index()]
        ));
        if let Some([one, two]) = self.session.points() {
            self.say(format!("Points: {} {one}, {} {two}", names[0], names[1]));
        }
        match answer("result").as_str() {
            "none" => self.say("Result: none"),
            result => self.say(format!("Result: {result} ({})", answer("reason"))),
        }
    }

    fn evaluate(&self) {
        let Some((value, terms)) = self.session.evaluation() else {
            return self.error("eval: there is no position");
        };
        let [one, two] = self.session.side_names();
        self.say(format!("{:<44}{one:>12}{two:>12}", "term (centipoints)"));
        // Terms of one name are shown as one.
        for same in terms.chunk_by(|a, b| a.term.name == b.term.name) {
            let values = same.iter().map(TermValue::values);
            let [first, second] = values.fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
            self.say(format!("{:<44}{first:>12}{second:>12}", same[0].term.name));
        }
        self.say(format!("Evaluation: {value} for the side to move"));
    }
}

impl Worker for Engine {
    fn carry_out(&mut self, task: &Task) {
        let (word, arguments) = split_word(&task.line);
        match word {
            "go" => match split_word(arguments) {
                ("perft", depth) => self.perft(task, depth),
                _ => self.go(task, arguments),
            },
            "position" => self.position(&task.line, arguments),
            "moves" => {
                self.last_position = None;
                let moves: Vec<&str> = arguments.split_ascii_whitespace().collect();
                self.play(&moves);
            }
            "setoption" => {
                if let Err(message) = self.set_option(arguments) {
                    self.error(message);
                }
            }
            "ucinewgame" | "uginewgame" => {
                self.last_position = None;
                self.session.new_game();
            }
            "query" => self.query(arguments),
            "d" => self.draw(),
            "eval" => self.evaluate(),
            "bench" => self.bench(task, arguments),
            _ => self.error(format!("unknown command '{word}', see help")),
        }
    }

    fn answer_fault(&mut self, task: &Task) {
        self.error(format!("fault while carrying out '{}'", task.line));
        if task.wants_bestmove() {
            self.say(uci::bestmove(None, false, false));
        }
    }
}

/// What the settings mean for a session.
pub(super) fn config(settings: &Settings, table: &Arc<Table>) -> Config {
    Config {
        table: Arc::clone(table),
        threads: settings.threads,
        repetition: settings.repetition,
        quiet: settings.quiet,
    }
}
