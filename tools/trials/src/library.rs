//! The library as the trials use it: sessions, searches, the choice of variants, and short random openings.

use crate::reference;
use huscarl::search::table::Table;
use huscarl::session::{Answer, Config, Order, Session};
use huscarl::variants;
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
