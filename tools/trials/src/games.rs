//! Pairs of games from random openings, refereed by the slow reference, and what they amount to.

use crate::players::{Player, Situation};
use crate::reference::{self, Winner};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Games longer than this many plies are scored as they stand: a draw in tafl, by points in Thud.
const MAX_PLIES: usize = 600;

/// How a game ended.
#[derive(Clone, Debug)]
pub struct Finished {
    pub winner: Winner,
    pub reason: String,
    pub points: Option<(u32, u32)>,
    pub plies: usize,
}

/// Plays one game from these opening moves.
pub fn play(
    variant: &str,
    opening: &[String],
    players: [&mut dyn Player; 2],
    seed: u64,
) -> Result<Finished, String> {
    let mut slow = reference::Game::new(reference::Position::start(variant));
    let mut moves = opening.to_vec();
    for mv in opening {
        slow.play(mv)?;
    }
    let [first, second] = players;
    first.new_game(seed)?;
    second.new_game(seed)?;
    while slow.result().is_none() && moves.len() < MAX_PLIES {
        let player: &mut dyn Player = match slow.position().player_to_move() {
            1 => first,
            _ => second,
        };
        let situation = Situation {
            moves: &moves,
            slow: &slow,
        };
        let mv = player.choose(&situation)?;
        slow.play(&mv)
            .map_err(|why| format!("{why} in {}", moves.join(" ")))?;
        moves.push(mv);
    }
    let points = slow.position().points();
    let (winner, reason) = match slow.result() {
        Some(outcome) => (outcome.winner, outcome.reason.to_string()),
        None => {
            let winner = match points {
                Some((one, two)) if one > two => Winner::Player1,
                Some((one, two)) if one < two => Winner::Player2,
                _ => Winner::Draw,
            };
            (winner, "length".to_string())
        }
    };
    Ok(Finished {
        winner,
        reason,
        points,
        plies: moves.len(),
    })
}

/// 2 to 6 random moves that do not end the game.
pub fn opening(variant: &str, seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        let mut game = reference::Game::new(reference::Position::start(variant));
        let mut moves = Vec::new();
        for _ in 0..random.usize(2..7) {
            let Some(mv) = random.choice(game.position().legal_moves()) else {
                break;
            };
            if game.play(&mv).is_err() {
                break;
            }
            moves.push(mv);
        }
        if game.result().is_none() {
            return moves;
        }
    }
}

/// Results of player A, in pairs of games with the sides exchanged.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Score of A (win 1, draw ½) as player 1 and as player 2, summed, with wins, draws and losses.
    pub roles: [[u64; 3]; 2],
    /// A's score of each pair, from 0 to 1; in Thud that of the match of two battles.
    pub pairs: Vec<f64>,
    /// Mean margin of A in each battle, of games with points.
    pub margins: Vec<f64>,
    pub plies: usize,
    pub reasons: std::collections::BTreeMap<String, u64>,
}

impl Tally {
    /// Adds a pair: A was player 1 in the first game.
    pub fn add(&mut self, games: [&Finished; 2]) {
        let mut score = 0.0;
        let mut credit = [0, 0];
        for (role, game) in games.into_iter().enumerate() {
            let (own, other) = match role {
                0 => (Winner::Player1, Winner::Player2),
                _ => (Winner::Player2, Winner::Player1),
            };
            let result = match game.winner {
                winner if winner == own => 0,
                winner if winner == other => 2,
                _ => 1,
            };
            self.roles[role][result] += 1;
            score += [1.0, 0.5, 0.0][result] / 2.0;
            if let Some((one, two)) = game.points {
                let margin = if role == 0 {
                    i64::from(one) - i64::from(two)
                } else {
                    i64::from(two) - i64::from(one)
                };
                credit[usize::from(margin < 0)] += margin.abs();
                self.margins.push(margin as f64);
            }
            self.plies += game.plies;
            *self.reasons.entry(game.reason.clone()).or_default() += 1;
        }
        if games[0].points.is_some() {
            score = match credit[0].cmp(&credit[1]) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
        self.pairs.push(score);
    }

    /// Mean score of the pairs and half the width of its 95 % interval.
    pub fn score(&self) -> (f64, f64) {
        interval(&self.pairs)
    }

    /// A's score in one role, from 0 to 1.
    pub fn role(&self, role: usize) -> f64 {
        let [wins, draws, losses] = self.roles[role];
        (wins as f64 + draws as f64 / 2.0) / (wins + draws + losses).max(1) as f64
    }

    /// A line for people.
    pub fn line(&self) -> String {
        let (score, error) = self.score();
        let mut text = format!(
            "{} games, score {:.1} ± {:.1} %, Elo {:+.0} ± {:.0}",
            self.pairs.len() * 2,
            score * 100.0,
            error * 100.0,
            elo(score),
            (elo((score + error).min(0.999)) - elo((score - error).max(0.001))) / 2.0
        );
        for (role, name) in ["first", "second"].into_iter().enumerate() {
            let [wins, draws, losses] = self.roles[role];
            text += &format!(
                "; as {name} +{wins} ={draws} -{losses} ({:.1} %)",
                self.role(role) * 100.0
            );
        }
        if !self.margins.is_empty() {
            let (margin, error) = interval(&self.margins);
            text += &format!("; margin {margin:+.1} ± {error:.1}");
        }
        text += &format!(
            "; {} plies a game;",
            self.plies / (self.pairs.len() * 2).max(1)
        );
        for (reason, count) in &self.reasons {
            text += &format!(" {reason} {count}");
        }
        text
    }
}

/// Mean and half the width of its 95 % interval by the normal approximation.
fn interval(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// Elo difference of a score, by the logistic model.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.001, 0.999);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// What makes the two players of one worker.
pub type MakePlayers<'a> =
    dyn Fn() -> Result<(Box<dyn Player>, Box<dyn Player>), String> + Sync + 'a;

/// Plays pairs on `workers` threads. The games of a pair have the same seed and opening.
pub fn pairs(
    variant: &str,
    count: u64,
    first_seed: u64,
    workers: usize,
    make: &MakePlayers<'_>,
) -> Result<Tally, String> {
    let next = AtomicU64::new(0);
    let results: Mutex<Vec<(u64, [Finished; 2])>> = Mutex::default();
    let work = || -> Result<(), String> {
        let (mut a, mut b) = make()?;
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= count {
                return Ok(());
            }
            let seed = first_seed + index;
            let opening = opening(variant, seed);
            let one = play(variant, &opening, [&mut *a, &mut *b], seed)?;
            let two = play(variant, &opening, [&mut *b, &mut *a], seed)?;
            if let Ok(mut results) = results.lock() {
                results.push((index, [one, two]));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a game failed".to_string())?)
    })?;
    let mut results = results.into_inner().map_err(|_| "a game failed")?;
    results.sort_by_key(|(index, _)| *index);
    let mut tally = Tally::default();
    for (_, [one, two]) in &results {
        tally.add([one, two]);
    }
    Ok(tally)
}
