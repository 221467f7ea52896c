//! Positions of the engine's own quick games, with the results of these.

use super::Options;
use crate::library;
use huscarl::game::Side;
use huscarl::score;
use huscarl::session::{Order, Session};
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One game in so many is held out.
const HELD_OUT: u64 = 5;
/// Plies between two positions of a game that are learned from.
const STRIDE: usize = 4;
/// Longer games count as they stand.
const MAX_PLIES: usize = 600;
const WORKERS: usize = 2;

/// A position and what came of it; a line of a file of them.
pub struct Known {
    /// Number of the game.
    game: u64,
    /// 0 to 1 for player 1 in tafl, his margin in points in Thud.
    pub result: f64,
    /// Its text.
    pub position: String,
}

impl Known {
    /// Whether it is left for judging the fit.
    pub fn is_held_out(&self) -> bool {
        self.game.is_multiple_of(HELD_OUT)
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.game, self.result, self.position)
    }
}

impl FromStr for Known {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let read = || {
            let (game, rest) = line.split_once(' ')?;
            let (result, position) = rest.split_once(' ')?;
            Some(Known {
                game: game.parse().ok()?,
                result: result.parse().ok()?,
                position: position.into(),
            })
        };
        read().ok_or_else(|| format!("'{line}', GAME RESULT POSITION expected"))
    }
}

/// The positions of a file, one a line.
pub fn read(path: &std::path::Path) -> Result<Vec<Known>, String> {
    let named = |why: &dyn fmt::Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| named(&why))?;
    let lines = text.lines().map(|line| line.parse());
    lines
        .collect::<Result<_, String>>()
        .map_err(|why| named(&why))
}

/// Plays the games and takes positions of them.
pub fn play_all(options: &Options) -> Result<Vec<Known>, String> {
    let openings = options
        .openings
        .as_deref()
        .map(library::openings)
        .transpose()?;
    let next = AtomicU64::new(0);
    let known: Mutex<Vec<Known>> = Mutex::default();
    let work = || -> Result<(), String> {
        let mut session = library::session(&options.variant, 16)?;
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= options.games {
                return Ok(());
            }
            let of_game = play(options, openings.as_deref(), &mut *session, index)?;
            known.lock().map_err(|_| "a game failed")?.extend(of_game);
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a game failed".to_string())?)
    })?;
    let mut known = known.into_inner().map_err(|_| "a game failed")?;
    known.sort_by_key(|known| known.game);
    Ok(known)
}

/// Plays one game of the engine against itself. Only quiet positions count: those in which the engine's choice captures
/// nothing.
fn play(
    options: &Options,
    openings: Option<&[Vec<String>]>,
    session: &mut dyn Session,
    index: u64,
) -> Result<Vec<Known>, String> {
    let mut order = Order {
        multipv: 1,
        ..Order::default()
    };
    let seed = options.seed.wrapping_add(index);
    let opening = match openings {
        None => library::opening(&options.variant, seed),
        // Other moves behind an opening each time it comes.
        Some(openings) => {
            let opening = &openings[index as usize % openings.len()];
            library::opening_after(&options.variant, opening, 0..=options.random_plies, seed)?
        }
    };
    let opening: Vec<&str> = opening.iter().map(String::as_str).collect();
    session.new_game();
    session.play(&opening).map_err(|refusal| refusal.message)?;
    let mut taken = Vec::new();
    let (mut plies, mut scores) = (Vec::new(), Vec::new());
    for ply in 0..MAX_PLIES {
        if session.outcome().is_some() {
            break;
        }
        order.limits.nodes = Some(options.nodes);
        let answer = library::search(session, &order)?;
        let mv = answer.best.ok_or("no move")?;
        let quiet = session
            .captures(&mv)
            .is_some_and(|squares| squares.is_ok_and(|set| set.is_empty()));
        let sign = if session.side() == Some(Side::First) {
            1.0
        } else {
            -1.0
        };
        scores.push(sign * f64::from(answer.score) / 100.0);
        let decided = score::plies_to_end(answer.score).is_some();
        if ply % STRIDE == 0 && quiet && !decided {
            plies.push(ply);
            taken.push(Known {
                game: index,
                result: 0.5,
                position: session.position_text().ok_or("no position")?,
            });
        }
        session.play(&[&mv]).map_err(|refusal| refusal.message)?;
    }
    let winner = session.outcome().and_then(|outcome| outcome.winner);
    let result = match (session.points(), winner) {
        (Some([one, two]), _) => f64::from(one) - f64::from(two),
        (None, Some(Side::First)) => 1.0,
        (None, Some(Side::Second)) => 0.0,
        (None, None) => 0.5,
    };
    for (known, ply) in taken.iter_mut().zip(plies) {
        let later = options.horizon.and_then(|plies| scores.get(ply + plies));
        known.result = match (session.is_scored(), later) {
            (true, Some(&score)) => score,
            _ => result,
        };
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_is_written() {
        let line = "10 0.5 3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1";
        let known: Known = line.parse().expect("a line of a file of positions");
        assert_eq!(known.to_string(), line);
        assert!(known.is_held_out());
        for bad in ["", "10 0.5", "x 0.5 p", "10 x p"] {
            let error = bad.parse::<Known>().err().expect(bad);
            assert!(error.contains("GAME RESULT POSITION expected"), "{error}");
        }
    }

    #[test]
    fn openings_go_on_in_other_ways() {
        let opening: Vec<String> = ["d2e2", "d3e3"].map(String::from).into();
        let ways: std::collections::HashSet<Vec<String>> = (0..20)
            .filter_map(|seed| library::opening_after("hnefatafl7", &opening, 1..=3, seed).ok())
            .inspect(|moves| assert!(moves.starts_with(&opening) && moves.len() > 2))
            .collect();
        assert!(ways.len() > 10);
        assert!(library::opening_after("hnefatafl7", &["a1a2".into()], 1..=3, 0).is_err());
    }
}
