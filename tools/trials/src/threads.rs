//! What a second thread brings: the nodes of two against those of one.

use crate::driver::{Engine, own_engine};
use huscarl::variants;

#[derive(clap::Args)]
pub struct Options {
    /// Length of each search, ms
    #[arg(long, default_value_t = 10_000)]
    movetime: u64,
    /// MiB
    #[arg(long, default_value_t = 256)]
    hash: u32,
}

/// Nodes of two threads against those of one, and the depth that each reaches.
pub fn run(options: &Options) -> Result<(), String> {
    let engine = own_engine()?;
    for variant in variants::names() {
        let mut nodes = [0.0; 2];
        for threads in [1, 2] {
            let mut engine = Engine::start(&engine)?;
            engine.send(&format!("setoption name Hash value {}", options.hash))?;
            engine.send(&format!("setoption name Threads value {threads}"))?;
            engine.send(&format!("setoption name UCI_Variant value {variant}"))?;
            engine.ready()?;
            engine.send(&format!("go movetime {}", options.movetime))?;
            let mut last = String::new();
            loop {
                let line = engine.line()?;
                if line.starts_with("bestmove") {
                    break;
                }
                if line.starts_with("info depth") {
                    last = line;
                }
            }
            let field = |name: &str| -> f64 {
                let mut words = last
                    .split_ascii_whitespace()
                    .skip_while(|word| *word != name);
                words
                    .nth(1)
                    .and_then(|word| word.parse().ok())
                    .unwrap_or(0.0)
            };
            // Per second, since an iteration's report comes some time before the end.
            nodes[threads - 1] = field("nodes") / field("time").max(1.0);
            println!(
                "{variant}, {threads} threads: depth {}, {:.0} knps",
                field("depth"),
                nodes[threads - 1]
            );
        }
        println!(
            "{variant}: two threads search {:.2} times the nodes of one",
            nodes[1] / nodes[0]
        );
    }
    Ok(())
}
