//! Losses on time: the engine against itself on a short clock, as a tournament manager would run it.

use crate::driver::{Engine, own_engine};
use crate::players;
use huscarl::game::Side;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::variants;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Games of each variant
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Time for the game, ms
    #[arg(long, default_value_t = 100)]
    time: u64,
    /// Increment a move, ms
    #[arg(long, default_value_t = 10)]
    increment: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 2)]
    concurrency: u64,
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
    /// A game longer than this many plies is broken off
    #[arg(long, default_value_t = 600)]
    max_plies: usize,
}

/// What the games of a variant had in common.
#[derive(Default)]
struct Tally {
    plies: AtomicU64,
    losses: AtomicU64,
    /// Least time that was left on a clock when a move arrived, in microseconds.
    least: AtomicU64,
}

pub fn run(options: &Options) -> Result<(), String> {
    let engine = own_engine()?;
    let mut lost = 0;
    for name in players::chosen(options.variant.as_deref())? {
        let tally = Tally {
            least: AtomicU64::new(u64::MAX),
            ..Tally::default()
        };
        let next = AtomicU64::new(0);
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..options.concurrency)
                .map(|_| scope.spawn(|| work(&engine, name, options, &next, &tally)))
                .collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().map_err(|_| "a game failed")?)
        })?;
        let losses = tally.losses.load(Relaxed);
        println!(
            "{name}: {} games at {}+{} ms, {} plies, {losses} losses on time, least time left {:.1} ms",
            options.games,
            options.time,
            options.increment,
            tally.plies.load(Relaxed),
            tally.least.load(Relaxed) as f64 / 1000.0
        );
        lost += losses;
    }
    match lost {
        0 => Ok(()),
        lost => Err(format!("{lost} losses on time")),
    }
}

fn work(
    engine: &Path,
    variant: &str,
    options: &Options,
    next: &AtomicU64,
    tally: &Tally,
) -> Result<(), String> {
    let mut players = [Engine::start(engine)?, Engine::start(engine)?];
    for player in &mut players {
        player.send("uci")?;
        player.wait_for("uciok")?;
        player.send(&format!("setoption name UCI_Variant value {variant}"))?;
        player.send("setoption name Hash value 16")?;
    }
    let config = Config {
        table: Arc::new(Table::new(1)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    let mut referee = variants::open(variant, config)?;
    loop {
        let game = next.fetch_add(1, Relaxed);
        if game >= options.games {
            return Ok(());
        }
        play(&mut players, &mut *referee, options, game, tally)?;
    }
}

/// One game from a short random opening; the players change sides with every game.
fn play(
    players: &mut [Engine; 2],
    referee: &mut dyn Session,
    options: &Options,
    game: u64,
    tally: &Tally,
) -> Result<(), String> {
    let mut random = fastrand::Rng::with_seed(game);
    referee.set_position(None)?;
    let mut line = "position startpos moves".to_string();
    for _ in 0..random.usize(2..7) {
        let moves = referee.moves().unwrap_or_default();
        if let Some(mv) = random.choice(&moves) {
            line += &format!(" {mv}");
            referee.play(&[mv]).map_err(|refusal| refusal.message)?;
        }
    }
    for player in players.iter_mut() {
        player.send("ucinewgame")?;
        player.ready()?;
    }
    let mut left = [Duration::from_millis(options.time); 2];
    let increment = Duration::from_millis(options.increment);
    for _ in 0..options.max_plies {
        if referee.outcome().is_some() {
            break;
        }
        let side = referee.side().unwrap_or(Side::First);
        let player = &mut players[(side.index() + game as usize) % 2];
        let [white, black] = left.map(|left| left.as_millis());
        let inc = options.increment;
        let go = format!("go wtime {white} btime {black} winc {inc} binc {inc}");
        player.send(&line)?;
        player.ready()?;
        let started = Instant::now();
        player.send(&go)?;
        let answer = player.wait_for("bestmove")?;
        let used = started.elapsed();
        tally.plies.fetch_add(1, Relaxed);
        let own = &mut left[side.index()];
        match own.checked_sub(used) {
            Some(rest) => {
                tally.least.fetch_min(rest.as_micros() as u64, Relaxed);
                *own = rest + increment;
            }
            None => {
                tally.losses.fetch_add(1, Relaxed);
                let (left, used) = (own.as_secs_f64() * 1000.0, used.as_secs_f64() * 1000.0);
                println!(
                    "{left:.1} ms left, {used:.1} ms used, after {} plies",
                    line.len() / 5
                );
                return Ok(());
            }
        }
        let mv = answer.split_ascii_whitespace().nth(1).unwrap_or_default();
        referee
            .play(&[mv])
            .map_err(|refusal| format!("{} in: {line}", refusal.message))?;
        line += &format!(" {mv}");
    }
    Ok(())
}
