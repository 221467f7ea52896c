//! A run: from settings to the last pair, also when it was broken off in between.
//!
//! One thread hands out pairs and takes them back, so the file, the score and the test see them one after the other;
//! workers play them.

mod batch;
mod outputs;
mod probe;
mod progress;
mod store;
mod worker;

use crate::adjudicate;
use crate::book::Book;
use crate::config::{Flags, Settings};
use crate::engine::Terms;
use crate::game::Rules;
use crate::lifeline::Lifeline;
use crate::pulse::Pulse;
use crate::record::{self, Line, Pair, Run};
use crate::referee::{self, OwnLimits};
use crate::schedule::{Next, Schedule, Task};
use crate::standings::Standings;
pub use batch::Batches;
use outputs::Outputs;
use progress::Progress;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, SystemTime};
pub(crate) use store::Store;
use worker::{Broken, Common, Played};

/// Whether a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Continue,
    /// It need not, for this reason.
    Stop(String),
}

/// Who sees every finished pair once, those of before a resume included, and may stop the run.
pub trait Watch {
    /// Sees a pair.
    fn pair(&mut self, pair: &Pair) -> Verdict;
}

/// A [`Watch`] that never stops a run.
pub struct NoWatch;

impl Watch for NoWatch {
    fn pair(&mut self, _: &Pair) -> Verdict {
        Verdict::Continue
    }
}

/// Everything that is decided before the first pair.
struct Prepared {
    run: Run,
    common: Common,
    schedule: Schedule,
    warnings: Vec<String>,
}

/// Begins a run, or goes on with one, and returns the directory that holds it.
///
/// # Errors
/// What is wrong with the settings or the engines, or why the run has ended before its time.
pub fn start(
    settings: &Settings,
    resume: Option<&Path>,
    lifeline: &Arc<Lifeline>,
    watch: &mut dyn Watch,
) -> Result<PathBuf, String> {
    let dir = directory(settings, resume);
    let mut prepared = prepare(settings, &dir, lifeline)?;
    let (store, pairs) = match resume {
        Some(dir) => {
            let (store, lines) = Store::open(dir, record::FILE)?;
            let (run, pairs) = record::sort(lines)?;
            same(&run, &prepared.run)?;
            prepared.run = run;
            (store, pairs)
        }
        None => {
            let first = Line::Run(prepared.run.clone());
            (Store::create(&dir, record::FILE, &first)?, Vec::new())
        }
    };
    prepared.common.make_logs()?;
    let names = prepared.run.engines.iter();
    let names: Vec<String> = names.map(|engine| engine.name.clone()).collect();
    let total = prepared.schedule.total();
    let workers = usize::try_from(total).map_or(settings.concurrency, |total| {
        settings.concurrency.min(total.max(1))
    });
    let progress = Progress::new(names.clone(), total, pairs.len() as u64, settings.silent);
    for line in &prepared.warnings {
        progress.say(&format!("warning: {line}"));
    }
    let mut desk = Desk {
        recover: settings.recover,
        schedule: prepared.schedule,
        // A verdict hangs on the order in which pairs were finished, the schedule takes them in its own.
        standings: Standings::of(&prepared.run, &pairs)?,
        outputs: Outputs::new(settings),
        names,
        store,
        pairs: pairs.into_iter().map(|pair| (pair.index, pair)).collect(),
        progress,
        watch,
        running: BTreeMap::new(),
        stop: None,
        failure: None,
    };
    desk.look_at_test();
    worker::crew(
        &prepared.common,
        workers,
        settings.affinity,
        |tasks, played| desk.hand_out(workers, tasks, played),
    )?;
    desk.end(&dir)?;
    Ok(dir)
}

/// Where a run is kept.
pub(crate) fn directory(settings: &Settings, resume: Option<&Path>) -> PathBuf {
    match (resume, &settings.out) {
        (Some(dir), _) => dir.to_path_buf(),
        (None, Some(dir)) => dir.clone(),
        (None, None) => {
            let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            PathBuf::from(format!("arena-{}", now.replace(':', "-")))
        }
    }
}

/// The settings of a run that is to be gone on with, with the flags that were given laid over them.
///
/// # Errors
/// If there is no such run, or the flags would change its results.
pub fn resumed_settings(dir: &Path, flags: &Flags) -> Result<Settings, String> {
    let (_, lines) = Store::open(dir, record::FILE)?;
    let (run, _) = record::sort(lines)?;
    settings_of(&run, dir, flags)
}

/// The settings of a run, with the flags that were given laid over them.
///
/// # Errors
/// If the flags would change its results.
pub(crate) fn settings_of(run: &Run, dir: &Path, flags: &Flags) -> Result<Settings, String> {
    let table: toml::Table = serde_json::from_value(run.settings.clone())
        .map_err(|error| format!("'{}': settings of the run: {error}", dir.display()))?;
    let recorded = Settings::from_table(table.clone())?;
    let settings = flags.over(table)?;
    match recorded.difference(&settings)? {
        Some(key) => Err(format!(
            "the run in '{}' has other settings: {key} can not be changed",
            dir.display()
        )),
        None => Ok(settings),
    }
}

fn prepare(settings: &Settings, dir: &Path, lifeline: &Arc<Lifeline>) -> Result<Prepared, String> {
    let variant = settings.game()?;
    let terms = Terms::new(settings, variant.clone());
    let limits = OwnLimits {
        quiet: terms.quiet_limit,
        repetition: terms.repetition_limit,
    };
    let mut referee = referee::open(&variant, limits)?;
    let adjudicate = adjudicate::Rules::new(&settings.adjudicate)?;
    if adjudicate.any() && referee.is_scored() {
        let variant = &settings.variant;
        return Err(format!(
            "adjudicate: {variant} is decided by points, which need the whole game"
        ));
    }
    let book = Book::new(settings, &mut *referee)?;
    // If there is one opening, there are all.
    book.opening(0, &mut *referee)?;
    let mut warnings = Vec::new();
    let mut players = settings.players()?;
    let mut engines = Vec::new();
    for player in &mut players {
        terms.suit(player, &book)?;
        let id = match probe::engine(player, &terms, lifeline, &mut warnings) {
            Err(error) if settings.recover && !lifeline.is_interrupted() => {
                warnings.push(error);
                String::new()
            }
            id => id?,
        };
        engines.push(probe::describe(player, id)?);
        player.cmd = probe::program_file(player).unwrap_or_else(|| player.cmd.clone());
    }
    let timed = players.iter().any(|player| player.limit.is_timed());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let busy = { settings.concurrency }.saturating_mul(if settings.ponder { 2 } else { 1 });
    if timed && busy > cores {
        warnings.push(format!(
            "{busy} engines think at a time on {cores} cores; their clocks run while they wait"
        ));
    }
    let run = Run {
        arena: env!("CARGO_PKG_VERSION").into(),
        variant: settings.variant.clone(),
        rules: variant.rules(),
        sides: referee.side_names().map(str::to_string),
        started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        host: probe::host(),
        engines,
        seed: settings.seed,
        settings: serde_json::to_value(settings.to_table()?)
            .map_err(|error| format!("settings: {error}"))?,
    };
    Ok(Prepared {
        schedule: Schedule::new(settings.tournament, players.len(), settings.rounds),
        common: Common {
            players,
            terms,
            rules: Rules {
                margin: Duration::from_millis(settings.timemargin),
                max_plies: settings.max_plies,
                ponder: settings.ponder,
                adjudicate,
            },
            book,
            restart: settings.restart,
            logs: settings.io_log.then(|| dir.join("io")),
            pulse: match timed {
                true => Some(Pulse::start().map_err(|error| format!("no thread: {error}"))?),
                false => None,
            },
            lifeline: Arc::clone(lifeline),
        },
        run,
        warnings,
    })
}

/// Makes sure that a run is gone on with under the same rules and by the same engines.
pub(crate) fn same(recorded: &Run, now: &Run) -> Result<(), String> {
    if recorded.rules != now.rules {
        let rules = |run: &Run| run.rules.clone().unwrap_or("built in".into());
        return Err(format!(
            "{} is another game than the run began with ({} was recorded, {} found)",
            now.variant,
            rules(recorded),
            rules(now)
        ));
    }
    for (recorded, now) in recorded.engines.iter().zip(&now.engines) {
        if recorded.checksum != now.checksum {
            return Err(format!(
                "engine '{}' is another program than the run began with (SHA-256 {} was recorded, {} found)",
                now.name, recorded.checksum, now.checksum
            ));
        }
        if recorded.id != now.id {
            return Err(format!(
                "engine '{}' calls itself '{}', '{}' was recorded",
                now.name, now.id, recorded.id
            ));
        }
    }
    Ok(())
}

/// Which of these engines failed in a pair, and how.
fn failure(pair: &Pair, names: &[String]) -> Option<String> {
    pair.games.iter().find_map(|game| {
        let ("crash" | "stall", Some(winner)) = (game.reason.as_str(), game.winner) else {
            return None;
        };
        let name = &names[game.players[1 - winner]];
        let (reason, detail) = (&game.reason, &game.detail);
        Some(format!("engine '{name}' failed ({reason}): {detail}"))
    })
}

/// Where pairs are handed out and taken back.
struct Desk<'a> {
    recover: bool,
    schedule: Schedule,
    standings: Standings,
    outputs: Outputs,
    names: Vec<String>,
    store: Store,
    /// Played before the run was gone on with, by their number. The standings know them.
    pairs: BTreeMap<u64, Pair>,
    progress: Progress,
    watch: &'a mut dyn Watch,
    /// Pairs that are being played.
    running: BTreeMap<u64, [usize; 2]>,
    /// Why no more pairs are handed out.
    stop: Option<String>,
    /// The same, if it is nothing that was asked for.
    failure: Option<String>,
}

impl Desk<'_> {
    fn hand_out(
        &mut self,
        workers: usize,
        tasks: &Sender<Task>,
        played: &Receiver<Played>,
    ) -> Result<(), String> {
        loop {
            while self.running.len() < workers && self.stop.is_none() {
                let Next::Play(task) = self.schedule.hand_out() else {
                    break;
                };
                match self.pairs.remove(&task.index) {
                    Some(pair) => self.see(&pair),
                    None => {
                        self.running.insert(task.index, task.engines);
                        tasks.send(task).map_err(|_| "no worker is left")?;
                    }
                }
            }
            if self.running.is_empty() {
                return Ok(());
            }
            self.progress.running(&self.running);
            let (index, pair) = played.recv().map_err(|_| "a worker has failed")?;
            self.running.remove(&index);
            match pair {
                Ok(pair) => self.take(pair)?,
                Err(Broken::Interrupted) => self.fail("interrupted".into()),
                Err(Broken::Failed(error)) => self.fail(error),
            }
        }
    }

    fn fail(&mut self, why: String) {
        self.stop.get_or_insert(why.clone());
        self.failure.get_or_insert(why);
    }

    /// Takes back a pair that was played.
    fn take(&mut self, pair: Pair) -> Result<(), String> {
        self.store.append(&Line::Pair(pair.clone()))?;
        self.standings.add(&pair)?;
        self.look_at_test();
        self.see(&pair);
        self.progress.pair(&pair, &self.standings);
        if !self.recover
            && let Some(why) = failure(&pair, &self.names)
        {
            self.fail(why);
        }
        Ok(())
    }

    /// Stops the run once its test has a verdict. Pairs that are being played then are played to their end and recorded.
    fn look_at_test(&mut self) {
        if let Some(state) = self.standings.sprt_state()
            && state.verdict.is_some()
        {
            self.stop.get_or_insert_with(|| state.to_string());
        }
    }

    /// Shows a pair that the standings know to all others whom it concerns.
    fn see(&mut self, pair: &Pair) {
        self.schedule
            .finished(pair.index, self.standings.score(pair));
        if let Verdict::Stop(why) = self.watch.pair(pair) {
            self.stop.get_or_insert(why);
        }
    }

    fn end(&mut self, dir: &Path) -> Result<(), String> {
        // A run that stops early has not come to all that is in its file.
        for pair in std::mem::take(&mut self.pairs).into_values() {
            self.see(&pair);
        }
        self.progress.end();
        let files = self.outputs.write(dir);
        if let Some(why) = self.failure.take() {
            let dir = dir.display();
            return Err(format!("{why}; to go on: arena match --resume '{dir}'"));
        }
        if let Some(why) = &self.stop {
            println!("stopped: {why}");
        }
        for file in files? {
            println!("written: {}", file.display());
        }
        Ok(())
    }
}
