//! Pairs between two engines whose options change from one batch of pairs to the next.

use super::worker::{self, Broken, Common};
use super::{Prepared, failure, prepare, probe};
use crate::config::Settings;
use crate::engine::Spin;
use crate::lifeline::Lifeline;
use crate::record::{Pair, Run};
use crate::schedule::Task;
use crate::standings::Standings;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Where batches are played. It keeps no games.
pub struct Batches {
    common: Common,
    run: Run,
    standings: Standings,
    /// Options of each engine that are the same in all batches.
    options: Vec<BTreeMap<String, String>>,
    warnings: Vec<String>,
    workers: usize,
    affinity: bool,
    recover: bool,
}

impl Batches {
    /// Looks at the engines and makes everything ready; logs are kept in the directory.
    ///
    /// # Errors
    /// What is wrong with the settings or the engines.
    pub fn new(settings: &Settings, dir: &Path, lifeline: &Arc<Lifeline>) -> Result<Self, String> {
        let Prepared {
            run,
            common,
            warnings,
            ..
        } = prepare(settings, dir, lifeline)?;
        let players = common.players.iter();
        Ok(Batches {
            options: players.map(|player| player.options.clone()).collect(),
            standings: Standings::new(&run)?,
            workers: settings.concurrency,
            affinity: settings.affinity,
            recover: settings.recover,
            common,
            run,
            warnings,
        })
    }

    /// Who plays, under which conditions, and where.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// What the user should know before the first game.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The options with a range of whole numbers that an engine shows, each with the value that is asked for already, if
    /// one is.
    ///
    /// # Errors
    /// Why the engine can not be started, or names a value that is out of range.
    pub fn spins(&self, engine: usize) -> Result<Vec<Spin>, String> {
        let Common {
            players,
            terms,
            lifeline,
            ..
        } = &self.common;
        let player = &players[engine];
        let mut spins = probe::spins(player, terms, lifeline)?;
        for spin in &mut spins {
            let mut own = player.options.iter();
            if let Some((_, value)) = own.find(|(name, _)| name.eq_ignore_ascii_case(&spin.name)) {
                spin.default = spin.check(value)?;
            }
        }
        Ok(spins)
    }

    /// Plays pairs, with these options over the engines' own, and returns the score of each pair's first engine, from 0
    /// to 1, in the order of their numbers.
    ///
    /// # Errors
    /// If a game could not be played to its end.
    pub fn play(
        &mut self,
        options: &[BTreeMap<String, String>],
        tasks: Vec<Task>,
    ) -> Result<Vec<f64>, String> {
        for ((player, own), changed) in { self.common.players.iter_mut() }
            .zip(&self.options)
            .zip(options)
        {
            let is_kept = |name: &String| !changed.keys().any(|new| new.eq_ignore_ascii_case(name));
            let kept = own.iter().filter(|(name, _)| is_kept(name));
            player.options = kept
                .chain(changed)
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
        }
        self.common.make_logs()?;
        let workers = self.workers.min(tasks.len());
        let count = tasks.len();
        let mut scores = BTreeMap::new();
        worker::crew(&self.common, workers, self.affinity, |handed, played| {
            for task in tasks {
                handed.send(task).map_err(|_| "no worker is left")?;
            }
            while scores.len() < count {
                let (index, pair) = played.recv().map_err(|_| "a worker has failed")?;
                scores.insert(index, self.score(pair)?);
            }
            Ok(())
        })?;
        Ok(scores.into_values().collect())
    }

    fn score(&self, pair: Result<Pair, Broken>) -> Result<f64, String> {
        let pair = pair.map_err(|broken| match broken {
            Broken::Interrupted => "interrupted".to_string(),
            Broken::Failed(why) => why,
        })?;
        let names: Vec<String> = { self.run.engines.iter() }
            .map(|engine| engine.name.clone())
            .collect();
        match failure(&pair, &names).filter(|_| !self.recover) {
            Some(why) => Err(why),
            None => Ok(self.standings.score(&pair)),
        }
    }
}
