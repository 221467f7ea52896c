//! A player of the protocol: hello and options, games, searches, and the patience that is had with it.

mod child;
mod log;
mod process;
mod reader;
mod system;
mod words;

pub(crate) use child::{Program, Running};
pub use log::Log;
pub use process::Fault;
pub(crate) use system::Ending;
pub use system::cores;
pub use words::{BestMove, Info};

use crate::clock::Limit;
use crate::config::{Player, Protocol, Settings};
use crate::lifeline::Lifeline;
use process::Process;
use reader::lock;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a late move is waited for, and as long again after `stop`.
const GRACE: Duration = Duration::from_secs(5);
/// Options of which an engine may tell.
const MOST_OPTIONS: usize = 1000;

/// What all engines of a run are told.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Name of the variant.
    pub variant: String,
    /// Replaces the variant's own quiet limit.
    pub quiet_limit: Option<u32>,
    /// Replaces the variant's own repetition limit.
    pub repetition_limit: Option<u32>,
    /// Whether they think on the opponent's time.
    pub ponder: bool,
    /// How long an engine without a clock may think, and any may take to get ready.
    pub patience: Duration,
}

impl Terms {
    /// The part of the settings that engines are told.
    pub fn new(settings: &Settings) -> Self {
        Terms {
            variant: settings.variant.clone(),
            quiet_limit: settings.quiet_limit,
            repetition_limit: settings.repetition_limit,
            ponder: settings.ponder,
            patience: settings.patience(),
        }
    }

    fn grace(&self) -> Duration {
        GRACE.min(self.patience)
    }

    /// Options that follow from the terms.
    fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = vec![(VARIANT, self.variant.clone())];
        let quiet = self.quiet_limit.map(|limit| (QUIET, limit.to_string()));
        let repetition = self
            .repetition_limit
            .map(|limit| (REPETITION, limit.to_string()));
        options.extend(quiet);
        options.extend(repetition);
        options.push((OFFERS, "true".into()));
        if self.ponder {
            options.push((PONDER, "true".into()));
        }
        options
    }
}

const VARIANT: &str = "UCI_Variant";
const QUIET: &str = "QuietLimit";
const REPETITION: &str = "RepetitionLimit";
const OFFERS: &str = "Offers";
const PONDER: &str = "Ponder";

/// An answer to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move.
    pub best: BestMove,
    /// The last line with a score before it.
    pub info: Option<Info>,
    /// From the `go` line to the `bestmove` line.
    pub used: Duration,
    /// When the `bestmove` line was read.
    pub at: Instant,
}

/// A running engine that has answered the hello.
pub struct Engine {
    process: Process,
    player: Player,
    terms: Terms,
    id: String,
    /// Its option lines.
    options: Vec<String>,
    /// When the search that runs began; for one on the opponent's time, when it was told to go on.
    searching: Option<Instant>,
}

impl Engine {
    /// Starts it, says hello, and sets its options.
    ///
    /// # Errors
    /// Why it can not play.
    pub fn start(
        player: &Player,
        terms: &Terms,
        core: Option<usize>,
        log: Log,
        lifeline: Arc<Lifeline>,
    ) -> Result<Self, Fault> {
        let process = Process::spawn(player, core, log, lifeline).map_err(Fault::Crash)?;
        let mut engine = Engine {
            process,
            player: player.clone(),
            terms: terms.clone(),
            id: String::new(),
            options: Vec::new(),
            searching: None,
        };
        engine.hello()?;
        let mut lines = String::new();
        for (name, value) in terms.options() {
            if engine.option(name).is_some() && !engine.has_own(name) {
                lines += &format!("setoption name {name} value {value}\n");
            }
        }
        for (name, value) in &player.options {
            lines += &format!("setoption name {name} value {value}\n");
        }
        engine.send(&lines)?;
        engine.ready()?;
        Ok(engine)
    }

    fn hello(&mut self) -> Result<(), Fault> {
        let protocol = self.player.protocol;
        let deadline = Instant::now() + self.terms.patience;
        self.process
            .send(&format!("{}\n", protocol.hello()), deadline)?;
        while let Some((_, line)) = self.process.next(deadline)? {
            if let Some(name) = line.strip_prefix("id name ") {
                self.id = name.trim().to_string();
            } else if words::option_name(&line).is_some() && self.options.len() < MOST_OPTIONS {
                self.options.push(line);
            } else if line == protocol.hello_end() {
                return Ok(());
            }
        }
        let what = format!("no {} after {}", protocol.hello_end(), protocol.hello());
        Err(self.process.stalled(&what))
    }

    /// The line of an option, by its name in any case.
    fn option(&self, name: &str) -> Option<&str> {
        let is_it = |line: &&String| {
            words::option_name(line).is_some_and(|own| own.eq_ignore_ascii_case(name))
        };
        self.options.iter().find(is_it).map(String::as_str)
    }

    fn has_own(&self, name: &str) -> bool {
        { self.player.options.keys() }.any(|own| own.eq_ignore_ascii_case(name))
    }

    /// What it calls itself.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it is called in this run.
    pub fn name(&self) -> &str {
        &self.player.name
    }

    /// What it may spend on a move.
    pub fn limit(&self) -> Limit {
        self.player.limit
    }

    /// The dialect that it speaks.
    pub fn protocol(&self) -> Protocol {
        self.player.protocol
    }

    /// The terms of the run that it has no option for, and options to be set that it does not have.
    ///
    /// # Errors
    /// If it can not play the variant, or has no option of a name that was asked for.
    pub fn check(&self) -> Result<Vec<String>, String> {
        let (name, variant) = (&self.player.name, &self.terms.variant);
        for option in self.player.options.keys() {
            if self.option(option).is_none() {
                return Err(format!("engine '{name}' has no option '{option}'"));
            }
        }
        if let Some(line) = self.option(VARIANT) {
            let mut values = words::combo_values(line).peekable();
            if values.peek().is_some() && !values.any(|value| value.eq_ignore_ascii_case(variant)) {
                return Err(format!("engine '{name}' does not play {variant}"));
            }
        }
        let terms = self.terms.options();
        let missing = terms
            .iter()
            .filter(|(option, _)| *option != OFFERS && self.option(option).is_none());
        Ok(missing
            .map(|(option, value)| {
                format!("engine '{name}' has no option {option} and is not told of {value}")
            })
            .collect())
    }

    /// Whether it takes part in agreement.
    pub fn has_offers(&self) -> bool {
        let denied = |(name, value): (&String, &String)| {
            name.eq_ignore_ascii_case(OFFERS) && !value.eq_ignore_ascii_case("true")
        };
        self.option(OFFERS).is_some() && !{ self.player.options.iter() }.any(denied)
    }

    /// Sends lines; the pipe must take them within the patience.
    fn send(&mut self, lines: &str) -> Result<Instant, Fault> {
        self.process
            .send(lines, Instant::now() + self.terms.patience)
    }

    /// Waits until all that was sent has been carried out. What it answered before is forgotten.
    fn ready(&mut self) -> Result<(), Fault> {
        let deadline = self.send("isready\n")? + self.terms.patience;
        while let Some((_, line)) = self.process.next(deadline)? {
            if line == "readyok" {
                return Ok(());
            }
        }
        Err(self.process.stalled("no readyok after isready"))
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.process.flush_log();
        let line = self.player.protocol.new_game();
        self.send(&format!("{line}\n"))?;
        self.ready()
    }

    /// Starts a search of a `position` line with the words that follow `go`. Returns how many answers came before it that
    /// nobody had asked for.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn go(&mut self, position: &str, words: &str) -> Result<usize, Fault> {
        let unasked = self.process.drain();
        lock(&self.process.kept()).forget();
        let started = self.send(&format!("{position}\ngo{words}\n"))?;
        self.searching = Some(started);
        Ok(unasked)
    }

    /// The opponent has made the move that it ponders on: from now on its time counts.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn ponder_hit(&mut self) -> Result<(), Fault> {
        self.searching = Some(self.send("ponderhit\n")?);
        Ok(())
    }

    /// Ends a search on the opponent's time; its answer is forgotten.
    ///
    /// # Errors
    /// If it does not end.
    pub fn ponder_miss(&mut self) -> Result<(), Fault> {
        self.searching = None;
        let deadline = self.send("stop\n")? + self.terms.grace();
        match self.best_before(deadline)? {
            Some(_) => Ok(()),
            None => Err(self.process.stalled("no bestmove after go ponder and stop")),
        }
    }

    /// Waits for the move of the search that runs. One that has `allowed` time is waited for longer, so that it does not
    /// answer into the next game; then it is told to stop; who still does not answer has stalled.
    ///
    /// # Errors
    /// If there is no answer.
    pub fn answer(&mut self, allowed: Option<Duration>) -> Result<Answer, Fault> {
        let started = self.searching.take().unwrap_or_else(Instant::now);
        let grace = self.terms.grace();
        let wait = allowed.map_or(self.terms.patience, |allowed| allowed + grace);
        let mut found = self.best_before(started + wait)?;
        if found.is_none() {
            let deadline = self.send("stop\n")? + grace;
            found = self.best_before(deadline)?;
            if allowed.is_none() || found.is_none() {
                let seconds = started.elapsed().as_secs_f64();
                let heeds = if found.is_some() {
                    ""
                } else {
                    ", not even after stop"
                };
                let what = format!("no bestmove within {seconds:.1} s{heeds}");
                return Err(self.process.stalled(&what));
            }
        }
        let (at, line) = found.unwrap_or_else(|| (Instant::now(), String::new()));
        Ok(Answer {
            best: BestMove::parse(&line),
            info: lock(&self.process.kept())
                .info()
                .map(|line| Info::parse(&line)),
            // An answer to a ponder search may come before its time.
            used: at.saturating_duration_since(started),
            at,
        })
    }

    fn best_before(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, Fault> {
        while let Some((at, line)) = self.process.next(deadline)? {
            if line.split_ascii_whitespace().next() == Some("bestmove") {
                return Ok(Some((at, line)));
            }
        }
        Ok(None)
    }

    /// Asks it to end, and sees to it that it does.
    pub fn quit(self) {
        self.process.quit();
    }
}
