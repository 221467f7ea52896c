//! The library as the trials use it: sessions, searches, the choice of variants, and short random openings.

use crate::reference;
use huscarl::search::table::Table;
use huscarl::session::{Answer, Config, Order, Session};
use huscarl::variants;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A session of the library with one thread.
pub fn session(variant: &str, hash: usize) -> Result<Box<dyn Session>, String> {
    let config = Config {
        table: Arc::new(Table::new(hash)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    variants::open(variant, config)
}

/// A search without a driver: nobody listens to its progress or stops it.
pub fn search(session: &dyn Session, order: &Order) -> Result<Answer, String> {
    let signals = Arc::default();
    let answer = session.search(
        order,
        &signals,
        Instant::now(),
        &mut |_| {},
        Box::new(|_| {}),
    );
    answer.ok_or_else(|| "no answer".into())
}

/// The variants that a trial is about: the one that was asked for, or the first five.
pub fn chosen(only: Option<&str>) -> Result<Vec<&'static str>, String> {
    match only {
        Some(only) => Ok(vec![variants::find(only)?]),
        None => Ok(reference::VARIANTS.to_vec()),
    }
}

/// The openings of a file of the arena that begin at the start position, each as its moves; at least one.
pub fn openings(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let named = |why: &dyn Display| format!("{}: {why}", path.display());
    let text = std::fs::read_to_string(path).map_err(|why| named(&why))?;
    let mut openings = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (None, _) => {}
            (Some("startpos"), None | Some("moves")) => {
                openings.push(words.map(String::from).collect());
            }
            _ => return Err(named(&format!("'{line}', startpos [moves M…] expected"))),
        }
    }
    if openings.is_empty() {
        return Err(named(&"an opening expected"));
    }
    Ok(openings)
}

/// 2 to 6 random moves that do not end the game.
pub fn opening(variant: &str, seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    loop {
        let game = reference::Game::new(reference::Position::start(variant));
        let mut moves = Vec::new();
        if extend(&mut moves, game, 2..=6, &mut random) {
            return moves;
        }
    }
}

/// The moves of an opening and some random ones behind it that do not end the game; the opening alone if all do.
pub fn opening_after(
    variant: &str,
    opening: &[String],
    plies: RangeInclusive<usize>,
    seed: u64,
) -> Result<Vec<String>, String> {
    /// Tries before an opening is taken as it is.
    const TRIES: usize = 100;
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..TRIES {
        let mut game = reference::Game::new(reference::Position::start(variant));
        for mv in opening {
            game.play(mv)?;
        }
        let mut moves = opening.to_vec();
        if extend(&mut moves, game, plies.clone(), &mut random) {
            return Ok(moves);
        }
    }
    Ok(opening.to_vec())
}

/// Adds random moves, and says whether the game goes on behind them.
fn extend(
    moves: &mut Vec<String>,
    mut game: reference::Game,
    plies: RangeInclusive<usize>,
    random: &mut fastrand::Rng,
) -> bool {
    for _ in 0..random.usize(plies) {
        let Some(mv) = random.choice(game.position().legal_moves()) else {
            break;
        };
        if game.play(&mv).is_err() {
            break;
        }
        moves.push(mv);
    }
    game.result().is_none()
}
