//! A player of the protocol: hello and options, games, searches, and the patience that is had with it.
//!
//! What is said and heard is up to its dialect: `uci` and `ugi`, or `otep`.

mod child;
mod dialect;
mod log;
mod otep;
mod process;
mod reader;
mod system;
mod uci;
mod words;

pub(crate) use child::{Program, Running};
pub use dialect::Question;
pub use log::Log;
pub use process::Fault;
pub(crate) use system::Ending;
pub use system::cores;
pub use words::{BestMove, Info, Spin};

use crate::book::{Book, Start};
use crate::clock::Limit;
use crate::config::{AdjudicateSpec, Player, Protocol, Settings};
use crate::lifeline::Lifeline;
use crate::referee::Step;
use crate::variant::Variant;
use dialect::{Dialect, Heard};
use huscarl::tafl::Spec;
use otep::Otep;
use process::Process;
use reader::lock;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uci::Uci;

/// How long a late move is waited for, and as long again after `stop`.
const GRACE: Duration = Duration::from_secs(5);

/// What all engines of a run are told.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What is played.
    pub variant: Variant,
    /// The file that the variant stands in, if it is not built in.
    pub variants: Option<PathBuf>,
    /// Replaces the variant's own quiet limit.
    pub quiet_limit: Option<u32>,
    /// Replaces the variant's own repetition limit.
    pub repetition_limit: Option<u32>,
    /// Whether they think on the opponent's time.
    pub ponder: bool,
    /// Whether their scores may end a game.
    pub adjudicates: bool,
    /// How long an engine without a clock may think, and any may take to get ready.
    pub patience: Duration,
}

impl Terms {
    /// The part of the settings that engines are told.
    pub fn new(settings: &Settings, variant: Variant) -> Self {
        Terms {
            // Engines may be started elsewhere.
            variants: { settings.variants.as_ref() }
                .filter(|_| variant.rules().is_some())
                .map(|path| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())),
            variant,
            quiet_limit: settings.quiet_limit,
            repetition_limit: settings.repetition_limit,
            ponder: settings.ponder,
            adjudicates: settings.adjudicate != AdjudicateSpec::default(),
            patience: settings.patience(),
        }
    }

    fn grace(&self) -> Duration {
        GRACE.min(self.patience)
    }

    /// The file of variants as engines are told of it.
    fn variants_path(&self) -> Option<String> {
        let path = self.variants.as_ref();
        path.map(|path| path.display().to_string())
    }

    /// The rules with the limits of the run.
    fn with_limits(&self, spec: &Spec) -> Spec {
        let mut spec = spec.clone();
        let own = spec.limits;
        spec.limits.quiet = self.quiet_limit.unwrap_or(own.quiet);
        spec.limits.repetition = self.repetition_limit.unwrap_or(own.repetition);
        spec
    }

    /// Whether games that begin so can be told in the player's dialect.
    ///
    /// # Errors
    /// Names the engine, the dialect, and what it can not tell.
    pub fn suit(&self, player: &Player, book: &Book) -> Result<(), String> {
        let name = &player.name;
        match player.protocol {
            Protocol::Otep if self.variant.spec().is_none() => Err(format!(
                "engine '{name}' speaks otep, which can not tell {}; a game of the tafl family expected",
                self.variant.name()
            )),
            Protocol::Otep if book.begins_within_a_turn() => Err(format!(
                "engine '{name}' speaks otep, which can not tell an opening whose position is within a turn; the position \
                 before it and moves expected"
            )),
            _ => Ok(()),
        }
    }
}

/// An answer to a [`Question`].
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move.
    pub best: BestMove,
    /// The last line with a score before it.
    pub info: Option<Info>,
    /// From the line that asked for it to the line with the move.
    pub used: Duration,
    /// When the line with the move was read.
    pub at: Instant,
}

/// A running engine that has answered the hello.
pub struct Engine {
    process: Process,
    player: Player,
    terms: Terms,
    dialect: Box<dyn Dialect>,
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
        let dialect = dialect::of(player, terms);
        let process = Process::spawn(player, dialect.answers(), core, log, lifeline);
        let mut engine = Engine {
            process: process.map_err(Fault::Crash)?,
            player: player.clone(),
            terms: terms.clone(),
            dialect,
            searching: None,
        };
        let hello = engine.dialect.hello();
        // The patience begins with the first byte: an engine that reads nothing uses it up, too.
        let deadline = Instant::now() + engine.terms.patience;
        engine.process.send(&hello, deadline)?;
        let is_hello = |heard: &Heard| *heard == Heard::Hello;
        if engine.wait(deadline, is_hello)?.is_none() {
            let what = format!("no {}", engine.dialect.hello_wanted());
            return Err(engine.process.stalled(&what));
        }
        let settings = engine.dialect.settings();
        engine.send(&settings)?;
        engine.ready()?;
        Ok(engine)
    }

    /// What it calls itself.
    pub fn id(&self) -> &str {
        self.dialect.id()
    }

    /// What it is called in this run.
    pub fn name(&self) -> &str {
        &self.player.name
    }

    /// What it may spend on a move.
    pub fn limit(&self) -> Limit {
        self.player.limit
    }

    /// The word that its moves come with.
    pub fn move_word(&self) -> &'static str {
        self.dialect.move_word()
    }

    /// Whether it tells scores and variations.
    pub fn tells_scores(&self) -> bool {
        self.dialect.tells_scores()
    }

    /// The terms of the run that it is not told of, one sentence each.
    ///
    /// # Errors
    /// If it can not play the variant, or has no option of a name that was asked for.
    pub fn check(&self) -> Result<Vec<String>, String> {
        self.dialect.check()
    }

    /// The options with a range of whole numbers that it shows.
    pub fn spins(&self) -> Vec<Spin> {
        self.dialect.spins()
    }

    /// Whether it takes part in agreement.
    pub fn has_offers(&self) -> bool {
        self.dialect.has_offers()
    }

    /// Sends lines; the pipe must take them within the patience.
    fn send(&mut self, lines: &str) -> Result<Instant, Fault> {
        self.process
            .send(lines, Instant::now() + self.terms.patience)
    }

    /// Hears a line, and tells again what it asks for.
    fn hear(&mut self, line: &str) -> Result<Heard, Fault> {
        match self.dialect.hear(line) {
            Heard::Asks(lines) => self.send(&lines).map(|_| Heard::Nothing),
            Heard::GivesUp(why) => Err(self.process.gave_up(why)),
            heard => Ok(heard),
        }
    }

    /// The first thing of a kind that is heard before the deadline, and when.
    fn wait(
        &mut self,
        deadline: Instant,
        wanted: impl Fn(&Heard) -> bool,
    ) -> Result<Option<(Instant, Heard)>, Fault> {
        while let Some((at, line)) = self.process.next(deadline)? {
            let heard = self.hear(&line)?;
            if wanted(&heard) {
                return Ok(Some((at, heard)));
            }
        }
        Ok(None)
    }

    /// Waits until all that was sent has been carried out, if the dialect can ask for that. What it answered before is
    /// forgotten.
    fn ready(&mut self) -> Result<(), Fault> {
        let Some(word) = self.dialect.sync() else {
            return Ok(());
        };
        let deadline = self.send(&format!("{word}\n"))? + self.terms.patience;
        match self.wait(deadline, |heard| *heard == Heard::Ready)? {
            Some(_) => Ok(()),
            None => Err(self.process.stalled(&format!("no readyok after {word}"))),
        }
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If it does not get ready.
    pub fn new_game(&mut self, start: &Start) -> Result<(), Fault> {
        self.process.flush_log();
        let lines = self.dialect.new_game(start);
        self.send(&lines)?;
        self.ready()
    }

    /// Tells it that its move has been taken, and leads to this position text.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn accepted(&mut self, step: &Step, position: &str) -> Result<(), Fault> {
        let lines = self.dialect.accepted(step, position);
        self.send(&lines).map(drop)
    }

    /// Takes note of a move of its opponent, of which it is told with the next question.
    pub fn opponent_moved(&mut self, step: &Step, position: &str) {
        self.dialect.opponent_moved(step, position);
    }

    /// Starts a search. Returns how many answers came before it that nobody had asked for.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn search(&mut self, question: &Question) -> Result<usize, Fault> {
        let mut unasked = 0;
        while let Some(line) = self.process.waiting() {
            unasked += usize::from(self.hear(&line)? != Heard::Nothing);
        }
        lock(&self.process.kept()).forget();
        let lines = self.dialect.search(question);
        self.searching = Some(self.send(&lines)?);
        Ok(unasked)
    }

    /// The opponent has made the move that it ponders on: from now on its time counts.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn ponder_hit(&mut self) -> Result<(), Fault> {
        let lines = self.dialect.ponder_hit();
        self.searching = Some(self.send(&lines)?);
        Ok(())
    }

    /// Ends a search on the opponent's time; its answer is forgotten.
    ///
    /// # Errors
    /// If it does not end.
    pub fn ponder_miss(&mut self) -> Result<(), Fault> {
        self.searching = None;
        match self.stop()? {
            Some(_) => Ok(()),
            None => Err(self.process.stalled("no bestmove after go ponder and stop")),
        }
    }

    /// Tells it to stop, if the dialect can say that, and waits for its move a last time.
    fn stop(&mut self) -> Result<Option<(Instant, BestMove)>, Fault> {
        match self.dialect.stop() {
            Some(word) => {
                let deadline = self.send(&format!("{word}\n"))? + self.terms.grace();
                self.best_before(deadline)
            }
            None => Ok(None),
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
        let mut heeds = "";
        if found.is_none() {
            let stopped = self.stop()?;
            if stopped.is_none() && self.dialect.stop().is_some() {
                heeds = ", not even after stop";
            }
            found = stopped.filter(|_| allowed.is_some());
        }
        let Some((at, best)) = found else {
            let seconds = started.elapsed().as_secs_f64();
            let word = self.dialect.move_word();
            let what = format!("no {word} within {seconds:.1} s{heeds}");
            return Err(self.process.stalled(&what));
        };
        Ok(Answer {
            best,
            info: lock(&self.process.kept())
                .info()
                .map(|line| Info::parse(&line)),
            // An answer to a ponder search may come before its time.
            used: at.saturating_duration_since(started),
            at,
        })
    }

    fn best_before(&mut self, deadline: Instant) -> Result<Option<(Instant, BestMove)>, Fault> {
        let found = self.wait(deadline, |heard| matches!(heard, Heard::Move(_)))?;
        Ok(found.and_then(|(at, heard)| match heard {
            Heard::Move(best) => Some((at, best)),
            _ => None,
        }))
    }

    /// Tells it how the game has ended: on the board won by a player or drawn, or, `None`, otherwise.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn finish(&mut self, result: Option<Option<usize>>) -> Result<(), Fault> {
        let lines = self.dialect.finish(result);
        self.send(&lines).map(drop)
    }

    /// Asks it to end, and sees to it that it does.
    pub fn quit(self) {
        self.process.quit(self.dialect.quit());
    }
}
