//! The score of a run so far, in plain lines.

use crate::record::{Pair, Run};
use crate::schedule;
use std::collections::BTreeMap;

/// Faults that are counted for each engine, with what they are called.
const FAULTS: [(&str, &str); 4] = [
    ("time", "losses on time"),
    ("crash", "crashes"),
    ("stall", "stalls"),
    ("illegal-move", "illegal moves"),
];

/// A score of two engines against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Meeting {
    /// Pairs won, drawn and lost by the first engine.
    pairs: [u64; 3],
    /// Games won, drawn and lost by it.
    games: [u64; 3],
}

/// Of all pairs that were played.
#[derive(Clone, Debug)]
pub struct Tally {
    names: Vec<String>,
    meetings: BTreeMap<[usize; 2], Meeting>,
    /// Games lost by an engine for a reason.
    faults: BTreeMap<(usize, &'static str), u64>,
    /// Losses on time of an engine in which the arena itself was late.
    late: BTreeMap<usize, u64>,
    warnings: BTreeMap<usize, u64>,
}

impl Tally {
    /// Nothing was played yet.
    pub fn new(run: &Run) -> Self {
        Tally {
            names: run
                .engines
                .iter()
                .map(|engine| engine.name.clone())
                .collect(),
            meetings: BTreeMap::new(),
            faults: BTreeMap::new(),
            late: BTreeMap::new(),
            warnings: BTreeMap::new(),
        }
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &Pair) {
        let [a, b] = pair.engines;
        let (key, flip) = if a < b {
            ([a, b], false)
        } else {
            ([b, a], true)
        };
        let meeting = self.meetings.entry(key).or_default();
        let place = |score: f64| match score {
            score if score > 0.5 => usize::from(flip) * 2,
            score if score < 0.5 => 2 - usize::from(flip) * 2,
            _ => 1,
        };
        meeting.pairs[place(schedule::score(pair))] += 1;
        for (own, game) in pair.games.iter().enumerate() {
            // The first engine is player 1 in the first game and player 2 in the second.
            let score = match game.winner {
                Some(winner) if winner == own => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            meeting.games[place(score)] += 1;
            for (player, &count) in game.players.iter().zip(&game.notes.warnings) {
                *self.warnings.entry(*player).or_default() += u64::from(count);
            }
            let fault = FAULTS.iter().find(|(reason, _)| *reason == game.reason);
            if let (Some((reason, _)), Some(winner)) = (fault, game.winner) {
                let loser = game.players[1 - winner];
                *self.faults.entry((loser, reason)).or_default() += 1;
                if game.notes.arena_late.is_some() {
                    *self.late.entry(loser).or_default() += 1;
                }
            }
        }
    }

    /// A line for every two engines that have met.
    pub fn scores(&self) -> Vec<String> {
        let line = |(&[a, b], meeting): (&[usize; 2], &Meeting)| {
            let [won, drawn, lost] = meeting.games;
            let half = |whole: u64, half: u64| whole as f64 + half as f64 / 2.0;
            let pairs: u64 = meeting.pairs.iter().sum();
            let [won2, drawn2, lost2] = meeting.pairs;
            format!(
                "{} – {}: {} – {} in {} games (+{won} ={drawn} -{lost}), {pairs} pairs (+{won2} ={drawn2} -{lost2})",
                self.names[a],
                self.names[b],
                half(won, drawn),
                half(lost, drawn),
                won + drawn + lost,
            )
        };
        self.meetings.iter().map(line).collect()
    }

    /// A line for every kind of fault of every engine.
    pub fn faults(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (&(engine, reason), count) in &self.faults {
            let what = FAULTS.iter().find(|(known, _)| *known == reason);
            let (name, what) = (&self.names[engine], what.map_or(reason, |(_, what)| what));
            let late = match self.late.get(&engine) {
                Some(late) if reason == "time" => {
                    format!(", of which {late} while the arena itself was late")
                }
                _ => String::new(),
            };
            lines.push(format!("{name}: {count} {what}{late}"));
        }
        for (&engine, count) in self.warnings.iter().filter(|(_, count)| **count > 0) {
            let name = &self.names[engine];
            lines.push(format!("{name}: {count} warnings about what it said"));
        }
        lines
    }
}
