//! Ratings of any number of players, by maximum likelihood.
//!
//! The model of Bradley and Terry: i scores 1 / (1 + 10^((Rj − Ri)/400)) against j in the mean. A pair is one
//! observation of that mean, so that drawn games count half. Errors come from the inverse of the Fisher information of
//! the ratings, times the dispersion of the pairs: their squared residuals against those of a coin, since a pair of
//! games spreads less than a single won or lost one.
//!
//! Ratings exist if no players can be set apart who lost nothing to, or won nothing of, the others (Ford). Where that
//! is not so, every player is given a drawn pair against a virtual player of the mean rating, as whole-history rating
//! does (R. Coulom, 2008).

use super::elo::Estimate;
use super::{Counts, Z95};

/// Elo for each unit of the natural logit: 400 / ln 10.
const ELO_A_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The longest step of the fit, in logits, so that Newton's method does not overshoot.
const LONGEST_STEP: f64 = 1.0;

/// All pairs between two players.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    /// Indices of the two, from 0.
    pub players: [usize; 2],
    /// From the first one's view.
    pub counts: Counts,
}

/// The ratings in Elo, their mean at 0, each with its 95 % interval against that mean; none for players without pairs.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Option<Estimate>> {
    let meetings: Vec<Meeting> = meetings
        .iter()
        .filter(|meeting| meeting.counts.pairs() > 0)
        .copied()
        .collect();
    let mut seats: Vec<Option<usize>> = vec![None; players];
    let mut seated = 0;
    for meeting in &meetings {
        for player in meeting.players {
            if let Some(seat @ None) = seats.get_mut(player) {
                *seat = Some(seated);
                seated += 1;
            }
        }
    }
    let seat_of = |player: usize| seats.get(player).copied().flatten();
    let met: Vec<Met> = meetings
        .iter()
        .filter_map(|meeting| {
            let [first, second] = meeting.players;
            Some(Met {
                seats: [seat_of(first)?, seat_of(second)?],
                counts: meeting.counts,
            })
        })
        .collect();
    let fit = Fit::new(seated, &met);
    seats
        .into_iter()
        .map(|seat| seat.map(|seat| fit.estimate(seat)))
        .collect()
}

/// A meeting between those who have pairs.
struct Met {
    seats: [usize; 2],
    counts: Counts,
}

impl Met {
    fn pairs(&self) -> f64 {
        self.counts.pairs() as f64
    }

    fn score(&self) -> f64 {
        self.counts.score().unwrap_or(0.5)
    }

    fn expected(&self, logits: &[f64]) -> f64 {
        let [first, second] = self.seats;
        logistic(logits[first] - logits[second])
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The likeliest ratings, in logits, and their covariance.
struct Fit {
    logits: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Fit {
    fn new(players: usize, met: &[Met]) -> Fit {
        const ROUNDS: usize = 500;
        // Pairs of each player against the virtual one.
        let virtual_pairs = if is_connected(players, met) { 0.0 } else { 1.0 };
        let mut logits = vec![0.0; players];
        for _ in 0..ROUNDS {
            let inverse = inverse(information(&logits, met, virtual_pairs));
            let gradient = gradient(&logits, met, virtual_pairs);
            let step: Vec<f64> = inverse
                .iter()
                .map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum())
                .collect();
            let longest = step
                .iter()
                .fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let scale = if longest > LONGEST_STEP {
                LONGEST_STEP / longest
            } else {
                1.0
            };
            logits
                .iter_mut()
                .zip(step)
                .for_each(|(logit, step)| *logit += step * scale);
            if longest < 1e-12 {
                break;
            }
        }
        let dispersion = dispersion(players, &logits, met);
        let mean = logits.iter().sum::<f64>() / players.max(1) as f64;
        let mut covariance = centred(inverse(information(&logits, met, virtual_pairs)));
        covariance
            .iter_mut()
            .flatten()
            .for_each(|value| *value *= dispersion);
        logits.iter_mut().for_each(|logit| *logit -= mean);
        Fit { logits, covariance }
    }

    fn estimate(&self, seat: usize) -> Estimate {
        let value = self.logits[seat] * ELO_A_LOGIT;
        let error = Z95 * self.covariance[seat][seat].max(0.0).sqrt() * ELO_A_LOGIT;
        Estimate {
            value,
            low: value - error,
            high: value + error,
        }
    }
}

/// What was scored more than expected, for each player: the derivative of the log-likelihood.
fn gradient(logits: &[f64], met: &[Met], virtual_pairs: f64) -> Vec<f64> {
    let mut gradient: Vec<f64> = logits
        .iter()
        .map(|&logit| virtual_pairs * (0.5 - logistic(logit)))
        .collect();
    for meeting in met {
        let surplus = meeting.pairs() * (meeting.score() - meeting.expected(logits));
        gradient[meeting.seats[0]] += surplus;
        gradient[meeting.seats[1]] -= surplus;
    }
    gradient
}

/// The Fisher information of the ratings. Only differences are informed of, so the mean gets a unit of its own, which
/// makes the matrix regular and is without effect on what is centred.
fn information(logits: &[f64], met: &[Met], virtual_pairs: f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![1.0; logits.len()]; logits.len()];
    for (player, &logit) in logits.iter().enumerate() {
        let p = logistic(logit);
        matrix[player][player] += virtual_pairs * p * (1.0 - p);
    }
    for meeting in met {
        let [first, second] = meeting.seats;
        let p = meeting.expected(logits);
        let weight = meeting.pairs() * p * (1.0 - p);
        matrix[first][first] += weight;
        matrix[second][second] += weight;
        matrix[first][second] -= weight;
        matrix[second][first] -= weight;
    }
    matrix
}

/// The mean squared residual of a pair, in those of a coin. One pair of a coin is added, so that a few pairs that came
/// out as expected do not pass for certainty.
fn dispersion(players: usize, logits: &[f64], met: &[Met]) -> f64 {
    let (mut squares, mut pairs) = (0.0, 0.0);
    for meeting in met {
        let p = meeting.expected(logits);
        for (cell, count) in meeting.counts.cells.into_iter().enumerate() {
            squares += count as f64 * (cell as f64 / 4.0 - p).powi(2) / (p * (1.0 - p));
        }
        pairs += meeting.pairs();
    }
    let freedom = (pairs + 1.0 - players as f64).max(0.0);
    (squares + 1.0) / (freedom + 1.0)
}

/// Whether everybody can be reached from everybody by going from players to those who scored against them.
fn is_connected(players: usize, met: &[Met]) -> bool {
    let scored = |meeting: &Met, from: usize, to: usize| {
        let [first, second] = meeting.seats;
        (meeting.seats == [from, to] && meeting.score() < 1.0)
            || ([second, first] == [from, to] && meeting.score() > 0.0)
    };
    let reaches_all = |forward: bool| {
        let mut reached = vec![false; players];
        let mut open = vec![0];
        while let Some(from) = open.pop() {
            if from >= players || std::mem::replace(&mut reached[from], true) {
                continue;
            }
            open.extend((0..players).filter(|&to| {
                let (from, to) = if forward { (from, to) } else { (to, from) };
                met.iter().any(|meeting| scored(meeting, from, to))
            }));
        }
        reached.into_iter().all(|reached| reached)
    };
    reaches_all(true) && reaches_all(false)
}

/// The covariance of the distances from the mean.
fn centred(matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len().max(1) as f64;
    let rows: Vec<f64> = matrix
        .iter()
        .map(|row| row.iter().sum::<f64>() / n)
        .collect();
    let all = rows.iter().sum::<f64>() / n;
    let centre = |(i, row): (usize, &Vec<f64>)| {
        row.iter()
            .enumerate()
            .map(|(j, value)| value - rows[i] - rows[j] + all)
            .collect()
    };
    matrix.iter().enumerate().map(centre).collect()
}

/// The inverse of a positive definite matrix, by elimination of one variable after the other.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for pivot in 0..matrix.len() {
        let factor = 1.0 / matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|value| *value *= factor);
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| *index != pivot)
        {
            let factor = std::mem::take(&mut row[pivot]);
            row.iter_mut()
                .zip(&pivot_row)
                .for_each(|(value, part)| *value -= factor * part);
        }
    }
    matrix
}
