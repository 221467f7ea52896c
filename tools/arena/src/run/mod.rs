//! A run: from settings to the last pair, also when it was broken off in between.
//!
//! One thread hands out pairs and takes them back, so the file, the score and the test see them one after the other;
//! workers play them.

mod outputs;
mod probe;
mod progress;
mod store;
mod worker;

use crate::adjudicate;
use crate::book::Book;
use crate::config::{Flags, Settings};
use crate::engine::{Terms, cores};
use crate::game::Rules;
use crate::lifeline::Lifeline;
use crate::pulse::Pulse;
use crate::record::{Line, Pair, Run};
use crate::referee::{self, OwnLimits};
use crate::schedule::{Next, Schedule, Task};
use crate::standings::Standings;
use outputs::Outputs;
use progress::Progress;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use store::Store;
use worker::{Broken, Common, Worker};

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
    let dir = match (resume, &settings.out) {
        (Some(dir), _) => dir.to_path_buf(),
        (None, Some(dir)) => dir.clone(),
        (None, None) => {
            let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            PathBuf::from(format!("arena-{}", now.replace(':', "-")))
        }
    };
    let mut prepared = prepare(settings, &dir, lifeline)?;
    let (store, pairs) = match resume {
        Some(dir) => {
            let (store, run, pairs) = Store::open(dir)?;
            same_rules(&run, &prepared.run)?;
            same_engines(&run, &prepared.run)?;
            prepared.run = run;
            (store, pairs)
        }
        None => (Store::create(&dir, &prepared.run)?, Vec::new()),
    };
    if let Some(logs) = &prepared.common.logs {
        std::fs::create_dir_all(logs)
            .map_err(|error| format!("'{}' can not be written: {error}", logs.display()))?;
    }
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
    desk.play(&prepared.common, workers, settings.affinity)?;
    desk.end(&dir)?;
    Ok(dir)
}

/// The settings of a run that is to be gone on with, with the flags that were given laid over them.
///
/// # Errors
/// If there is no such run, or the flags would change its results.
pub fn resumed_settings(dir: &Path, flags: &Flags) -> Result<Settings, String> {
    let (_, run, _) = Store::open(dir)?;
    let table: toml::Table = serde_json::from_value(run.settings)
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

fn same_rules(recorded: &Run, now: &Run) -> Result<(), String> {
    if recorded.rules != now.rules {
        let rules = |run: &Run| run.rules.clone().unwrap_or("built in".into());
        return Err(format!(
            "{} is another game than the run began with ({} was recorded, {} found)",
            now.variant,
            rules(recorded),
            rules(now)
        ));
    }
    Ok(())
}

fn same_engines(recorded: &Run, now: &Run) -> Result<(), String> {
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

/// The number of a pair and what has become of it.
type Played = (u64, Result<Pair, Broken>);

impl Desk<'_> {
    fn play(&mut self, common: &Common, workers: usize, affinity: bool) -> Result<(), String> {
        let cores = if affinity { cores() } else { Vec::new() };
        if affinity && cores.len() < workers {
            return Err(format!(
                "affinity: {workers} games at a time need as many cores, {} can be used",
                cores.len()
            ));
        }
        let (to_workers, tasks) = mpsc::channel();
        let tasks = Mutex::new(tasks);
        let (from_workers, played) = mpsc::channel();
        std::thread::scope(|scope| {
            for number in 0..workers {
                let worker = Worker::new(common, number, cores.get(number).copied())?;
                let (tasks, played) = (&tasks, from_workers.clone());
                std::thread::Builder::new()
                    .name(format!("worker-{number}"))
                    .spawn_scoped(scope, move || work(worker, tasks, &played))
                    .map_err(|error| format!("no thread for worker {number}: {error}"))?;
            }
            drop(from_workers);
            let result = self.hand_out(workers, &to_workers, &played);
            if result.is_err() {
                // What is being played can not be kept.
                common.lifeline.interrupt();
            }
            // Workers end when there are no more tasks.
            drop(to_workers);
            result
        })
    }

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
        if !self.recover {
            for game in &pair.games {
                if let ("crash" | "stall", Some(winner)) = (game.reason.as_str(), game.winner) {
                    let name = &self.names[game.players[1 - winner]];
                    self.fail(format!(
                        "engine '{name}' failed ({}): {}",
                        game.reason, game.detail
                    ));
                }
            }
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

/// The life of a worker.
fn work(mut worker: Worker<'_>, tasks: &Mutex<Receiver<Task>>, played: &Sender<Played>) {
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { break };
        // A worker that vanished would be waited for for ever.
        let pair = catch_unwind(AssertUnwindSafe(|| worker.pair(&task))).unwrap_or_else(|_| {
            Err(Broken::Failed(format!(
                "a fault of the arena in pair {}",
                task.index
            )))
        });
        // Nobody listens any more if the file can not be written.
        if played.send((task.index, pair)).is_err() {
            break;
        }
    }
    worker.quit();
}
