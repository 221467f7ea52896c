//! What there is to be told of a run, as data: the report and the tables are drawn from it.

use super::{Met, Results, Standings, Tally};
use crate::stats::{
    self, Counts, Estimate, Meeting, Sprt, Verdict, likelihood_of_superiority, normalized_elo,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

/// A run in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the variant.
    pub variant: String,
    /// What the sides are called, player 1 first.
    pub sides: [String; 2],
    /// Pairs played.
    pub pairs: u64,
    /// The players, best first.
    pub players: Vec<Player>,
    /// Who met whom.
    pub duels: Vec<Duel>,
    /// All games from the view of player 1.
    pub first_side: Results,
    /// Games by reason.
    pub reasons: BTreeMap<String, u64>,
    /// The test, if the run was played for one and two engines met.
    pub sprt: Option<SprtState>,
}

/// A player's line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Player {
    /// Index among the engines of the run.
    pub engine: usize,
    /// As it is called in this run.
    pub name: String,
    /// Pairs played.
    pub pairs: u64,
    /// All its games.
    pub results: Results,
    /// Mean score of its pairs, from 0 to 1, which is what the rating is made of.
    pub score: Option<f64>,
    /// Of two players, the difference to the other one; of more, the rating against the mean of all.
    pub elo: Option<Estimate>,
    /// Its games as player 1 and as player 2.
    pub roles: [Results; 2],
    /// Lost games by reason.
    pub losses: BTreeMap<String, u64>,
    /// Moves made.
    pub moves: u64,
    /// Mean time of a move, in milliseconds.
    pub time: Option<f64>,
    /// Time of its longest move, in milliseconds.
    pub longest: f64,
    /// Losses on time that the arena may have caused by being late itself.
    pub late: u64,
    /// Faults in what it said of its moves: scores that are missing, variations that are not legal.
    pub warnings: u64,
    /// The least that was on its clock after a move, its increment included, in milliseconds; none without a clock.
    pub least_left: Option<f64>,
    /// What people are told of it below the table.
    pub remarks: Vec<String>,
}

/// Two players against each other, from the view of the first.
#[derive(Clone, Debug, Serialize)]
pub struct Duel {
    /// Indices among the engines of the run, the lower one first.
    pub engines: [usize; 2],
    /// Results of the pairs.
    pub counts: Counts,
    /// Mean score of a pair, from 0 to 1.
    pub score: Option<f64>,
    /// Share of drawn games.
    pub drawn_games: Option<f64>,
    /// Share of pairs in which neither was better.
    pub drawn_pairs: Option<f64>,
    /// Elo difference.
    pub elo: Option<Estimate>,
    /// Normalised Elo difference.
    pub normalized: Option<Estimate>,
    /// Likelihood of superiority, from 0 to 1.
    pub superiority: Option<f64>,
    /// Games as player 1 and as player 2.
    pub roles: [Results; 2],
    /// In games with points: the mean margin of a battle and half its 95 % interval, in points.
    pub margin: Option<Margin>,
    /// The same of the battles as player 1 and as player 2.
    pub margins: [Option<Margin>; 2],
}

/// A mean margin, in points.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Margin {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; none of a single pair.
    pub error: Option<f64>,
}

/// A test and how far it has come.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtState {
    /// The test.
    pub test: Sprt,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// Below it H0 is accepted.
    pub lower: f64,
    /// Above it H1 is accepted.
    pub upper: f64,
    /// What is accepted; it stays, whatever comes after it.
    pub verdict: Option<Verdict>,
    /// Pairs that the ratio is made of.
    pub pairs: u64,
    /// Pairs that were being played at the verdict and were finished after it. They count for everything else.
    pub after: u64,
}

impl Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState {
            test,
            llr,
            lower,
            upper,
            verdict,
            pairs,
            after,
        } = self;
        write!(f, "SPRT {test}: LLR {llr:.2} ({lower:.2} to {upper:.2}), ")?;
        match verdict {
            Some(verdict) => write!(f, "{verdict} after {pairs} pairs")?,
            None => f.write_str("not decided")?,
        }
        match after {
            0 => Ok(()),
            after => write!(f, "; finished after the verdict: {after}"),
        }
    }
}

impl Standings {
    /// All of it in numbers.
    pub fn summary(&self) -> Summary {
        let ratings = self.ratings();
        let mut players: Vec<Player> = self
            .tallies
            .iter()
            .enumerate()
            .map(|(engine, tally)| self.player(engine, tally, ratings[engine]))
            .collect();
        let strength = |player: &Player| player.elo.map_or(f64::NEG_INFINITY, |elo| elo.value);
        players.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        let roles = self
            .met
            .values()
            .flat_map(|met| [met.roles[0], met.roles[1].reversed()]);
        Summary {
            variant: self.variant.clone(),
            sides: self.sides.clone(),
            pairs: self.pairs,
            players,
            duels: self
                .met
                .iter()
                .map(|(engines, met)| duel(*engines, met))
                .collect(),
            first_side: roles.fold(Results::default(), |sum, role| sum.plus(&role)),
            reasons: self.reasons.clone(),
            sprt: self.sprt_state(),
        }
    }

    /// The rating of every engine: the difference of two, or by the Bradley–Terry model.
    pub(crate) fn ratings(&self) -> Vec<Option<Estimate>> {
        if let [_, _] = self.tallies[..] {
            let elo = stats::elo(&self.counts(0, 1));
            return vec![elo, elo.map(|elo| elo.reversed())];
        }
        let meetings: Vec<Meeting> = self
            .met
            .iter()
            .map(|(&players, met)| Meeting {
                players,
                counts: met.counts,
            })
            .collect();
        stats::ratings(self.tallies.len(), &meetings)
    }

    /// The test as it stands, or as it stood at its verdict; it is one of the first engine against the second.
    pub fn sprt_state(&self) -> Option<SprtState> {
        match self.decided {
            Some(state) => Some(SprtState {
                after: self.pairs - state.pairs,
                ..state
            }),
            None => self.judge(),
        }
    }

    /// The test of all pairs so far.
    pub(super) fn judge(&self) -> Option<SprtState> {
        let test = self.sprt?;
        let (llr, lower, upper, verdict) = test.judge(&self.counts(0, 1));
        (self.tallies.len() == 2).then_some(SprtState {
            test,
            llr,
            lower,
            upper,
            verdict,
            pairs: self.pairs,
            after: 0,
        })
    }

    fn player(&self, engine: usize, tally: &Tally, elo: Option<Estimate>) -> Player {
        let own = (0..self.tallies.len())
            .filter(|&opponent| opponent != engine)
            .map(|opponent| self.counts(engine, opponent));
        let points: f64 = own
            .filter_map(|counts| Some(counts.score()? * counts.pairs() as f64))
            .sum();
        Player {
            engine,
            name: self.names[engine].clone(),
            pairs: tally.pairs,
            results: tally.roles[0].plus(&tally.roles[1]),
            score: (tally.pairs > 0).then(|| points / tally.pairs as f64),
            elo,
            roles: tally.roles,
            losses: tally.losses.clone(),
            moves: tally.time.count,
            time: tally.time.value(),
            longest: tally.longest,
            late: tally.late,
            warnings: tally.warnings,
            least_left: tally.least_left,
            remarks: tally.remarks(),
        }
    }
}

impl Tally {
    fn remarks(&self) -> Vec<String> {
        let counts = [
            (self.late, "losses on time while the arena itself was late"),
            (self.warnings, "faults in what it said of its moves"),
        ];
        let counts = counts.into_iter().filter(|(number, _)| *number > 0);
        let counts = counts.map(|(number, what)| format!("{number} {what}"));
        let least = self.least_left.map(|left| {
            format!("at least {left:.1} ms on its clock after a move, increment included")
        });
        counts.chain(least).collect()
    }
}

fn duel(engines: [usize; 2], met: &Met) -> Duel {
    let results = met.roles[0].plus(&met.roles[1]);
    let margin = |mean: &super::Mean| {
        mean.value().map(|value| Margin {
            mean: value,
            error: mean.error(),
        })
    };
    Duel {
        engines,
        counts: met.counts,
        score: met.counts.score(),
        drawn_games: (results.games() > 0).then(|| results.drawn as f64 / results.games() as f64),
        drawn_pairs: met.counts.drawn(),
        elo: stats::elo(&met.counts),
        normalized: normalized_elo(&met.counts),
        superiority: likelihood_of_superiority(&met.counts),
        roles: met.roles,
        margin: margin(&met.margin),
        margins: [margin(&met.margins[0]), margin(&met.margins[1])],
    }
}
