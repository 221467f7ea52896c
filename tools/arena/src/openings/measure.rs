//! How often one role wins both games of a pair, the library against itself.
//!
//! Two players who search alike would play the same game twice, and one role would win both games whenever there is a
//! winner. So each player's nodes vary from move to move by [`SPREAD`], by the seed: the games of a pair are then two games
//! between equals.

use super::{Progress, nodes, session, spread};
use crate::variant::Variant;
use huscarl::game::Side;
use huscarl::session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// The nodes of a move are up to this part more or less.
const SPREAD: f64 = 0.2;
/// A longer game is taken as it stands.
const LONGEST: usize = 600;

/// What is to be measured.
pub(super) struct Task {
    pub(super) variant: Variant,
    /// A move.
    pub(super) nodes: u64,
    pub(super) seed: u64,
    pub(super) workers: usize,
}

/// Where a game begins: a position text or the start, and moves from there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opening {
    pub(super) fen: Option<String>,
    pub(super) moves: Vec<String>,
}

/// Reads a file of openings: `startpos moves M…` or a position text that `moves M…` may follow, one a line; lines that
/// begin with `#` are remarks.
///
/// # Errors
/// Names the line.
pub(super) fn read(text: &str) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split_whitespace();
        let start: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
        let fen = match start[..] {
            ["startpos"] => None,
            [] => return Err(format!("line {number}: startpos or a position expected")),
            _ => Some(start.join(" ")),
        };
        let moves = words.map(str::to_string).collect();
        openings.push(Opening { fen, moves });
    }
    if openings.is_empty() {
        return Err("there is no opening in it".into());
    }
    Ok(openings)
}

/// So many openings, evenly spread; all of them by default.
pub(super) fn sample(openings: &[Opening], count: Option<usize>) -> Vec<Opening> {
    let count = count.unwrap_or(openings.len()).min(openings.len());
    (0..count)
        .map(|index| openings[index * openings.len() / count].clone())
        .collect()
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ended {
    pub(super) winner: Option<Side>,
    points: Option<[u32; 2]>,
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Report {
    nodes: u64,
    pairs: usize,
    /// Pairs of which player 1, player 2 has won both games.
    both: [usize; 2],
    /// Pairs of which each role has won one game.
    split: usize,
    /// Pairs with a drawn game.
    drawn: usize,
    /// Sum of player 1's margins over all games, in games that are scored.
    margin: Option<i64>,
}

/// Plays both games of each opening.
///
/// # Errors
/// Names the opening that can not be played.
pub(super) fn measure(task: &Task, openings: &[Opening]) -> Result<Report, String> {
    let games = openings.len() * 2;
    let progress = Progress::new(games, "games");
    let done = AtomicUsize::new(0);
    let setup = || Ok([session(&task.variant)?, session(&task.variant)?]);
    let play = |players: &mut _, index: usize| {
        let ended = play(task, players, &openings[index / 2], index)
            .map_err(|why| format!("opening {}: {why}", index / 2 + 1))?;
        progress.at(done.fetch_add(1, Relaxed) + 1);
        Ok(ended)
    };
    let ended = spread(games, task.workers, setup, play)?;
    let mut report = Report {
        nodes: task.nodes,
        pairs: openings.len(),
        ..Report::default()
    };
    for pair in ended.chunks_exact(2) {
        match (pair[0].winner, pair[1].winner) {
            (Some(one), Some(two)) if one == two => report.both[one.index()] += 1,
            (Some(_), Some(_)) => report.split += 1,
            _ => report.drawn += 1,
        }
        for [one, two] in pair.iter().filter_map(|game| game.points) {
            *report.margin.get_or_insert(0) += i64::from(one) - i64::from(two);
        }
    }
    Ok(report)
}

/// Plays a game of two sessions that each see the whole of it; its number and the seed vary the nodes.
///
/// # Errors
/// If the opening can not be played.
pub(super) fn play(
    task: &Task,
    players: &mut [Box<dyn Session>; 2],
    opening: &Opening,
    index: usize,
) -> Result<Ended, String> {
    let mut random = fastrand::Rng::with_seed(task.seed ^ (index as u64 + 1) << 20);
    let first: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
    for player in players.iter_mut() {
        player.new_game();
        player.set_position(opening.fen.as_deref())?;
        player.play(&first).map_err(|refusal| refusal.message)?;
    }
    for _ in 0..LONGEST {
        let (Some(side), None) = (players[0].side(), players[0].outcome()) else {
            break;
        };
        let part = 1.0 + SPREAD * (2.0 * random.f64() - 1.0);
        let order = nodes((task.nodes as f64 * part) as u64);
        let answer = players[side.index()].search(
            &order,
            &Arc::default(),
            Instant::now(),
            &mut |_| {},
            Box::new(|_| {}),
        );
        let best = answer.and_then(|answer| answer.best).ok_or("no move")?;
        for player in players.iter_mut() {
            player.play(&[&best]).map_err(|refusal| refusal.message)?;
        }
    }
    let referee = &players[0];
    let points = referee.points();
    let winner = match (referee.outcome(), points) {
        (Some(outcome), _) => outcome.winner,
        (None, Some([one, two])) => match one.cmp(&two) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        },
        (None, None) => None,
    };
    Ok(Ended { winner, points })
}

impl Report {
    /// A line for people; `sides` are the names of the roles.
    pub(super) fn text(&self, sides: &[&str; 2]) -> String {
        let percent = |count: usize| 100.0 * count as f64 / self.pairs.max(1) as f64;
        let [one, two] = self.both;
        let mut text = format!(
            "{} pairs at {} nodes a move: one role wins both games in {:.1} % ({} {one}, {} {two}), each wins one in {:.1} %, a \
             game is drawn in {:.1} %",
            self.pairs,
            self.nodes,
            percent(one + two),
            sides[0],
            sides[1],
            percent(self.split),
            percent(self.drawn)
        );
        if let Some(margin) = self.margin {
            let mean = margin as f64 / (2 * self.pairs.max(1)) as f64;
            text += &format!("; mean margin of the {} {mean:+.1}", sides[0]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_and_sampling() {
        let text = "# made\nstartpos moves d1c1 d3c3\n\n7/7/7/K6/7/6t/1tT4 a 0 1\n7/7/7/K6/7/6t/1tT4 d moves a4a2\nstartpos\n";
        let openings = read(text).expect("reads");
        assert_eq!(openings.len(), 4);
        assert_eq!((&openings[0].fen, openings[0].moves.len()), (&None, 2));
        assert_eq!(openings[1].fen.as_deref(), Some("7/7/7/K6/7/6t/1tT4 a 0 1"));
        assert_eq!(openings[2].moves, ["a4a2"]);
        assert_eq!(sample(&openings, None), openings);
        assert_eq!(
            sample(&openings, Some(2)),
            [openings[0].clone(), openings[2].clone()]
        );
        assert_eq!(sample(&openings, Some(9)).len(), 4);
        assert!(read("# nothing\n").is_err());
        assert!(read("moves d1c1").is_err_and(|why| why.contains("line 1")));
    }

    #[test]
    fn a_lopsided_opening_is_seen() {
        let task = Task {
            variant: "hnefatafl7".parse().unwrap(),
            nodes: 200,
            seed: 1,
            workers: 2,
        };
        // The king is out with the next move, whoever plays him.
        let openings = read("7/7/7/K6/7/6t/1tT4 d 0 1\n7/7/7/K6/7/6t/1tT4 a 0 1\n").expect("reads");
        let report = measure(&task, &openings).expect("plays");
        assert_eq!((report.pairs, report.both, report.split), (2, [0, 2], 0));
        let text = report.text(&["attackers", "defenders"]);
        assert!(
            text.starts_with("2 pairs at 200 nodes a move: one role wins both games in 100.0 %")
        );
        let bad = read("startpos moves a1a2").expect("reads");
        assert!(measure(&task, &bad).is_err_and(|why| why.contains("opening 1")));
    }
}
