//! How soon the engine answers: the promises of protocol.md, measured over many tries.

use crate::driver::{Engine, own_engine};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Tries of each measurement
    #[arg(long, default_value_t = 200)]
    tries: usize,
    /// Search threads; as many as there are cores if left out
    #[arg(long)]
    threads: Option<usize>,
}

/// Prints median and 99th percentile against what is promised; says whether the promise is kept.
fn report(what: &str, promised: Duration, mut times: Vec<Duration>) -> bool {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
    let (median, high) = (at(0.5), at(0.99));
    let promised = promised.as_secs_f64() * 1000.0;
    let kept = high < promised;
    println!(
        "{what}: median {median:.2} ms, 99th percentile {high:.2} ms, promised {promised:.0} ms{}",
        if kept { "" } else { ": NOT KEPT" }
    );
    kept
}

fn timed(what: impl FnOnce() -> Result<(), String>) -> Result<Duration, String> {
    let started = Instant::now();
    what()?;
    Ok(started.elapsed())
}

pub fn run(options: &Options) -> Result<(), String> {
    let path = own_engine()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(cores);
    let tries = options.tries;
    let mut kept = true;

    let mut times = Vec::new();
    for _ in 0..tries {
        times.push(timed(|| {
            let mut engine = Engine::start(&path)?;
            engine.send("uci")?;
            engine.wait_for("uciok").map(drop)
        })?);
    }
    kept &= report("start to uciok", Duration::from_millis(50), times);

    // The answer to isready is promised for as many threads as cores.
    for (threads, promised) in [(threads, 10), (64, 100)] {
        let mut engine = Engine::start(&path)?;
        engine.send(&format!("setoption name Threads value {threads}"))?;
        engine.ready()?;
        let (mut ready, mut stop) = (Vec::new(), Vec::new());
        for _ in 0..tries {
            engine.send("go infinite")?;
            engine.wait_for("info")?;
            std::thread::sleep(Duration::from_millis(10));
            ready.push(timed(|| engine.ready())?);
            stop.push(timed(|| {
                engine.send("stop")?;
                engine.wait_for("bestmove").map(drop)
            })?);
        }
        let what = format!("isready in search, {threads} threads");
        if promised == 10 {
            kept &= report(&what, Duration::from_millis(5), ready);
        }
        let what = format!("stop to bestmove, {threads} threads");
        kept &= report(&what, Duration::from_millis(promised), stop);
    }

    let (whole, grown) = long_lines(&path, tries)?;
    kept &= report("position of 5,000 moves", Duration::from_millis(200), whole);
    kept &= report("the same grown by a move", Duration::from_millis(5), grown);
    if kept {
        Ok(())
    } else {
        Err("a promise was not kept".into())
    }
}

/// Times of a line of 5,000 moves, and of the same line with a move more.
fn long_lines(
    path: &std::path::Path,
    tries: usize,
) -> Result<(Vec<Duration>, Vec<Duration>), String> {
    let mut engine = Engine::start(path)?;
    engine.send("setoption name UCI_Variant value tawlbwrdd")?;
    engine.ready()?;
    let shuffle = ["d1c1", "f4e4", "c1d1", "e4f4"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(5000).collect();
    let line = format!("position startpos moves {}", moves.join(" "));
    let (mut whole, mut grown) = (Vec::new(), Vec::new());
    for _ in 0..tries {
        engine.send("position startpos")?;
        engine.ready()?;
        whole.push(timed(|| {
            engine.send(&line)?;
            engine.ready()
        })?);
        grown.push(timed(|| {
            engine.send(&format!("{line} {}", shuffle[0]))?;
            engine.ready()
        })?);
    }
    Ok((whole, grown))
}
