//! Who plays pairs: threads, each with a referee and the processes of the two engines that it is busy with.

use crate::book::{Book, Opening, Start};
use crate::config::Player;
use crate::engine::{Engine, Fault, Log, Terms, cores};
use crate::game::{self, Finished, Interrupted, Rules};
use crate::lifeline::Lifeline;
use crate::pulse::Pulse;
use crate::record::{Game, Pair};
use crate::referee::{self, OwnLimits, Referee};
use crate::schedule::Task;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

/// What all workers of a run share.
pub struct Common {
    /// The engines.
    pub players: Vec<Player>,
    /// What engines are told.
    pub terms: Terms,
    /// What holds for every game.
    pub rules: Rules,
    /// Where pairs begin.
    pub book: Book,
    /// Whether engines are started anew for every game.
    pub restart: bool,
    /// Where the logs go, if there are any.
    pub logs: Option<PathBuf>,
    /// How late the arena is, if time decides anything.
    pub pulse: Option<Pulse>,
    /// Whether the arena is to end.
    pub lifeline: Arc<Lifeline>,
}

impl Common {
    /// Makes the directory of the logs.
    ///
    /// # Errors
    /// Names it, if it can not be made.
    pub fn make_logs(&self) -> Result<(), String> {
        self.logs.iter().try_for_each(|logs| {
            std::fs::create_dir_all(logs)
                .map_err(|error| format!("'{}' can not be written: {error}", logs.display()))
        })
    }
}

/// Why a pair was not played.
pub enum Broken {
    /// The arena is to end.
    Interrupted,
    /// The arena itself can not go on.
    Failed(String),
}

impl From<Interrupted> for Broken {
    fn from(_: Interrupted) -> Self {
        Broken::Interrupted
    }
}

/// A player of pairs.
pub struct Worker<'a> {
    common: &'a Common,
    /// Number of the worker, from 0.
    number: usize,
    /// Where its engines run, if they are tied to a core.
    core: Option<usize>,
    referee: Box<dyn Referee>,
    engines: BTreeMap<usize, Engine>,
}

impl<'a> Worker<'a> {
    /// A worker without engines yet.
    ///
    /// # Errors
    /// If there is no such variant.
    pub fn new(common: &'a Common, number: usize, core: Option<usize>) -> Result<Self, String> {
        let limits = OwnLimits {
            quiet: common.terms.quiet_limit,
            repetition: common.terms.repetition_limit,
        };
        Ok(Worker {
            common,
            number,
            core,
            referee: referee::open(&common.terms.variant, limits)?,
            engines: BTreeMap::new(),
        })
    }

    /// Plays both games of a pair.
    ///
    /// # Errors
    /// If the arena is to end, or has no opening.
    pub fn pair(&mut self, task: &Task) -> Result<Pair, Broken> {
        let opening = self.common.book.opening(task.opening, &mut *self.referee);
        let opening = opening.map_err(Broken::Failed)?;
        // An opening that can not be played is told of by the game.
        let start = opening.start(&mut *self.referee).unwrap_or_default();
        // Engines of the pair before are not kept for a day when they may be needed again.
        let (kept, others): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.engines)
            .into_iter()
            .partition(|(number, _)| task.engines.contains(number));
        self.engines = kept;
        others.into_values().for_each(Engine::quit);
        let [a, b] = task.engines;
        let first = self.game(&opening, &start, [a, b])?;
        let second = self.game(&opening, &start, [b, a])?;
        Ok(Pair {
            index: task.index,
            round: task.round,
            engines: task.engines,
            fen: opening.fen,
            opening: opening.moves,
            games: [first, second],
        })
    }

    fn game(
        &mut self,
        opening: &Opening,
        start: &Start,
        players: [usize; 2],
    ) -> Result<Game, Broken> {
        for (seat, player) in players.into_iter().enumerate() {
            if let Err(fault) = self.prepare(player, start) {
                self.engines.remove(&player);
                let referee = &mut *self.referee;
                return Ok(game::lost_at_start(referee, opening, players, seat, fault)?);
            }
        }
        let mut engines: Vec<(&usize, &mut Engine)> = { self.engines.iter_mut() }
            .filter(|(number, _)| players.contains(number))
            .collect();
        engines.sort_by_key(|(number, _)| **number != players[0]);
        let seats: Result<[_; 2], _> = engines.try_into();
        let Ok([(_, first), (_, second)]) = seats else {
            return Err(Broken::Failed(format!(
                "engines {players:?}, two different ones expected"
            )));
        };
        let common = self.common;
        let Finished { game, broken } = game::play(
            &mut *self.referee,
            &common.rules,
            common.pulse.as_ref(),
            opening,
            players,
            [first, second],
        )?;
        for (player, broken) in players.into_iter().zip(broken) {
            if broken {
                self.engines.remove(&player);
            }
        }
        Ok(game)
    }

    /// Makes an engine ready for a game, with a new process if it has none.
    fn prepare(&mut self, player: usize, start: &Start) -> Result<(), Fault> {
        let common = self.common;
        if common.restart
            && let Some(engine) = self.engines.remove(&player)
        {
            engine.quit();
        }
        if let Some(engine) = self.engines.get_mut(&player) {
            return engine.new_game(start);
        }
        let log = match &common.logs {
            Some(dir) => {
                let name = format!("worker-{}-engine-{}.log", self.number, player);
                // The want of a log must not end a match.
                Log::append(&dir.join(name)).unwrap_or_default()
            }
            None => Log::default(),
        };
        let mut engine = Engine::start(
            &common.players[player],
            &common.terms,
            self.core,
            log,
            Arc::clone(&common.lifeline),
        )?;
        engine.new_game(start)?;
        self.engines.insert(player, engine);
        Ok(())
    }

    /// Ends its engines.
    pub fn quit(self) {
        for engine in self.engines.into_values() {
            engine.quit();
        }
    }
}

/// The number of a pair and what has become of it.
pub type Played = (u64, Result<Pair, Broken>);

/// Starts workers, lets `hand_out` give them tasks and take back what they have played, and ends them.
///
/// # Errors
/// If a worker can not be started, or as `hand_out`; then the lifeline is interrupted.
pub fn crew(
    common: &Common,
    workers: usize,
    affinity: bool,
    hand_out: impl FnOnce(&Sender<Task>, &Receiver<Played>) -> Result<(), String>,
) -> Result<(), String> {
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
        let result = hand_out(&to_workers, &played);
        if result.is_err() {
            // What is being played can not be kept.
            common.lifeline.interrupt();
        }
        // Workers end when there are no more tasks.
        drop(to_workers);
        result
    })
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
