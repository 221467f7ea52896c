//! Who meets whom, in pairs. The order of pairs follows from the results alone, so a run that is gone on with has the same.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A kind of tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lower")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets everybody.
    Gauntlet,
    /// Who loses a match is out; matches are drawn so that the engines named first meet last.
    Knockout,
    /// In each round engines of about equal score meet.
    Swiss,
}

/// A pair of games to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of the pair, from 0.
    pub index: u64,
    /// Round of the tournament, from 0.
    pub round: u32,
    /// The first engine is player 1 in the first game.
    pub engines: [usize; 2],
    /// Number of the opening.
    pub opening: u64,
}

/// What there is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this.
    Play(Task),
    /// Wait for results.
    Wait,
    /// Nothing any more.
    Done,
}

/// Pairs on top of a drawn match of a knockout before the engine that was named first goes on.
const TIEBREAKS: u32 = 8;

/// The pairs of a tournament.
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    engines: usize,
    /// Pairs of a meeting, or rounds of a swiss tournament.
    rounds: u32,
    queue: VecDeque<Task>,
    /// Pairs that were handed out and are not finished.
    open: BTreeMap<u64, [usize; 2]>,
    /// Pairs that were planned so far.
    planned: u64,
    /// Stages planned so far: rounds, in a knockout the times that its matches were played.
    stages: u32,
    /// Score of each engine, 1 for a pair won; in a knockout that of the present match.
    scores: Vec<f64>,
    /// In a knockout: who is not out yet, best seed first; in a swiss tournament unused.
    alive: Vec<usize>,
    /// In a knockout: the matches of the present round.
    matches: Vec<[usize; 2]>,
    /// In a knockout: round, and tie-breaks in it.
    knockout: (u32, u32),
    /// In a swiss tournament: who has met whom, smaller number first.
    met: BTreeSet<[usize; 2]>,
    /// In a swiss tournament: who has had a round without an opponent.
    byes: BTreeSet<usize>,
}

impl Schedule {
    /// A tournament of so many engines, at least two, and rounds.
    pub fn new(format: Format, engines: usize, rounds: u32) -> Self {
        Schedule {
            format,
            engines,
            rounds,
            queue: VecDeque::new(),
            open: BTreeMap::new(),
            planned: 0,
            stages: 0,
            scores: vec![0.0; engines],
            alive: (0..engines).collect(),
            matches: Vec::new(),
            knockout: (0, 0),
            met: BTreeSet::new(),
            byes: BTreeSet::new(),
        }
    }

    /// What to play next.
    pub fn hand_out(&mut self) -> Next {
        let waits = matches!(self.format, Format::Knockout | Format::Swiss);
        if self.queue.is_empty() && (self.open.is_empty() || !waits) {
            self.plan();
        }
        match self.queue.pop_front() {
            Some(task) => {
                self.open.insert(task.index, task.engines);
                Next::Play(task)
            }
            None if self.open.is_empty() => Next::Done,
            None => Next::Wait,
        }
    }

    /// Takes the result of a pair that was handed out: its number, and the score of its first engine, from 0 to 1.
    pub fn finished(&mut self, index: u64, score: f64) {
        if let Some([first, second]) = self.open.remove(&index) {
            self.scores[first] += score;
            self.scores[second] += 1.0 - score;
        }
    }

    /// Pairs in all, without tie-breaks.
    pub fn total(&self) -> u64 {
        let (engines, rounds) = (self.engines as u64, u64::from(self.rounds));
        match self.format {
            Format::RoundRobin => engines * (engines - 1) / 2 * rounds,
            Format::Gauntlet | Format::Knockout => (engines - 1) * rounds,
            Format::Swiss => engines / 2 * rounds,
        }
    }

    /// Plans the pairs of a round, where they depend on results once all that were planned are finished.
    fn plan(&mut self) {
        match self.format {
            Format::RoundRobin | Format::Gauntlet if self.stages < self.rounds => {
                let round = self.stages;
                self.stages += 1;
                let firsts = match self.format {
                    Format::Gauntlet => 1,
                    _ => self.engines,
                };
                for first in 0..firsts {
                    for second in first + 1..self.engines {
                        self.push(round, [first, second], u64::from(round));
                    }
                }
            }
            Format::RoundRobin | Format::Gauntlet => {}
            Format::Knockout => self.plan_knockout(),
            Format::Swiss => self.plan_swiss(),
        }
    }

    fn push(&mut self, round: u32, engines: [usize; 2], opening: u64) {
        self.queue.push_back(Task {
            index: self.planned,
            round,
            engines,
            opening,
        });
        self.planned += 1;
    }

    fn plan_knockout(&mut self) {
        let (mut round, mut extra) = self.knockout;
        if !self.matches.is_empty() {
            let drawn: Vec<[usize; 2]> = { self.matches.iter() }
                .filter(|[a, b]| self.scores[*a] == self.scores[*b])
                .copied()
                .collect();
            if !drawn.is_empty() && extra < TIEBREAKS {
                self.knockout = (round, extra + 1);
                for engines in drawn {
                    self.push(round, engines, u64::from(self.stages));
                }
                self.stages += 1;
                return;
            }
            // The better seed comes first in a match and goes on if nothing has decided it.
            for &[a, b] in &self.matches {
                let out = if self.scores[b] > self.scores[a] {
                    a
                } else {
                    b
                };
                self.alive.retain(|&engine| engine != out);
            }
            (round, extra) = (round + 1, 0);
        }
        self.knockout = (round, extra);
        self.scores.fill(0.0);
        // The best seeds rest until a power of two is left; then best meets worst.
        let count = self.alive.len();
        let size = count.next_power_of_two();
        self.matches = (size - count..size / 2)
            .map(|seed| [self.alive[seed], self.alive[size - 1 - seed]])
            .collect();
        for _ in 0..self.rounds {
            for engines in self.matches.clone() {
                self.push(round, engines, u64::from(self.stages));
            }
            self.stages += 1;
        }
    }

    fn plan_swiss(&mut self) {
        if self.stages == self.rounds {
            return;
        }
        let mut order: Vec<usize> = (0..self.engines).collect();
        order.sort_by(|&a, &b| self.scores[b].total_cmp(&self.scores[a]).then(a.cmp(&b)));
        if order.len() % 2 == 1 {
            // The last who has not rested yet, or the last of all, rests and gets the point.
            let last = order.iter().rposition(|engine| !self.byes.contains(engine));
            let engine = order.remove(last.unwrap_or(order.len() - 1));
            self.byes.insert(engine);
            self.scores[engine] += 1.0;
        }
        let mut budget = 100_000;
        let pairs = self.swiss_pairs(&order, &mut budget);
        // When everybody has met, they meet again.
        let pairs =
            pairs.unwrap_or_else(|| order.chunks_exact(2).map(|two| [two[0], two[1]]).collect());
        for [a, b] in pairs {
            self.met.insert([a.min(b), a.max(b)]);
            // The sides of the first game change from round to round; nothing depends on it.
            self.push(self.stages, [a, b], u64::from(self.stages));
        }
        self.stages += 1;
    }

    /// Pairs neighbours who have not met, going back where that leaves somebody without an opponent.
    fn swiss_pairs(&self, order: &[usize], budget: &mut u32) -> Option<Vec<[usize; 2]>> {
        let Some((&first, rest)) = order.split_first() else {
            return Some(Vec::new());
        };
        for (index, &second) in rest.iter().enumerate() {
            *budget = budget.checked_sub(1)?;
            if self.met.contains(&[first.min(second), first.max(second)]) {
                continue;
            }
            let mut left = rest.to_vec();
            left.remove(index);
            if let Some(mut pairs) = self.swiss_pairs(&left, budget) {
                pairs.insert(0, [first, second]);
                return Some(pairs);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
