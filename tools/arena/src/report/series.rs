//! How the standings came about: ratings and the test after every few pairs.

use crate::record::{Pair, Run};
use crate::standings::Standings;
use serde::Serialize;

/// Points that a line is drawn through at most; ratings of many players take longer to fit.
const POINTS: usize = 240;
const POINTS_OF_MANY: usize = 60;

/// Values after some numbers of pairs, in the order in which the pairs were finished.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Series {
    /// Numbers of pairs.
    pub pairs: Vec<u64>,
    /// Ratings of each engine with their intervals, as value, low and high; of two engines only the first.
    pub elo: Vec<Vec<Option<[f64; 3]>>>,
    /// The log-likelihood ratio, if there is a test.
    pub llr: Vec<f64>,
}

pub(super) fn of(run: &Run, pairs: &[Pair]) -> Result<Series, String> {
    let (lines, points) = match run.engines.len() {
        2 => (1, POINTS),
        many => (many, POINTS_OF_MANY),
    };
    let mut series = Series {
        pairs: Vec::new(),
        elo: vec![Vec::new(); lines],
        llr: Vec::new(),
    };
    let step = pairs.len().div_ceil(points).max(1);
    let mut standings = Standings::new(run)?;
    for (index, pair) in pairs.iter().enumerate() {
        standings.add(pair)?;
        let is_last = index + 1 == pairs.len();
        if !is_last && (index + 1) % step != 0 {
            continue;
        }
        series.pairs.push(standings.pairs());
        for (line, rating) in series.elo.iter_mut().zip(standings.ratings()) {
            line.push(rating.map(|elo| [elo.value, elo.low, elo.high].map(tenths)));
        }
        if let Some(state) = standings.sprt_state() {
            series.llr.push((state.llr * 1000.0).round() / 1000.0);
        }
    }
    Ok(series)
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
