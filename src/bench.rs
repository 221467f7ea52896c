//! The bench: a fixed set of positions of every game, searched to a fixed depth by one thread.
//!
//! Its total of nodes is the signature of search and evaluation: a change that is to change nothing leaves it alone.

use crate::search::limits::{Limits, Signals};
use crate::search::table::Table;
use crate::session::{Config, Order};
use crate::variants;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game with the depth of its searches, in plies, and its positions beside the start.
struct Suite {
    variant: &'static str,
    depth: u32,
    positions: &'static [&'static str],
}

/// Positions from random and from played games, early and late, with either side to move.
static SUITES: [Suite; 10] = [
    Suite {
        variant: "thud",
        depth: 7,
        positions: &[
            "*****d3d*****/****d6****/***9***/**d1T3d2d1**/*1d10d*/14d/7T5dd/7*7/d3T1TTT6/d12d1/*13*/**d3d6**/***d3d4***/****d6****/*****3d1***** t 0 16",
            "*****dd1d1*****/****7****/***8d***/**10d**/*2T10*/dd13/d6TT5d/1d5*T6/dd4TT6d/dd6d6/*d11d*/**d9d**/***d7d***/****d5d****/*****dd2d***** t 0 1",
        ],
    },
    Suite {
        variant: "thud-rulebook",
        depth: 7,
        positions: &[
            "*****4d*****/****4d1d****/***2T6***/**d8d1**/*6d5d*/dd13/d7T5d/1d5*TT5/7T6d/d5T7d/*2d7d2*/**11**/***T2T4d***/****5dd****/*****dd2d***** d 2 18",
        ],
    },
    Suite {
        variant: "tawlbwrdd",
        depth: 10,
        positions: &[
            "3t1t2t2/10t/11/t1T2t5/3T3Tt2/t1K4t2t/5TT3t/1t9/t3t2T2t/2t8/3t1tt3t d 0 17",
            "t8t1/1tt8/4t2t3/t2T1Tt3t/t4T4t/t3TKt3t/3t7/3t3t3/5t4t/11/3tt1t3t a 1 23",
        ],
    },
    Suite {
        variant: "tawlbwrdd-bell",
        depth: 11,
        positions: &[
            "4ttt4/4t1tT3/5t5/1t3Tt4/t3TT4t/t1t1TKT2tt/1t2TTT2tt/3T4T2/5t5/t3tt5/4ttt4 a 1 7",
        ],
    },
    Suite {
        variant: "hnefatafl7",
        depth: 14,
        positions: &[
            "3t3/3t3/1t1T3/2TKTtt/T6/3t3/4t2 a 0 4",
            "3t3/7/1T5/1t1K3/2tTt2/3t3/4T2 d 2 8",
        ],
    },
    // Of the rest of the family one game for each kind of rule and size of board.
    Suite {
        variant: "brandub",
        depth: 10,
        positions: &[],
    },
    Suite {
        variant: "tablut",
        depth: 7,
        positions: &[],
    },
    Suite {
        variant: "copenhagen",
        depth: 6,
        positions: &[],
    },
    Suite {
        variant: "berserk",
        depth: 6,
        positions: &[],
    },
    Suite {
        variant: "alea-evangelii",
        depth: 5,
        positions: &[],
    },
];

/// MiB of the table of the bench; its own, so that options change nothing.
const HASH: usize = 64;

/// Runs the bench: a line for each game, then `N nodes M nps`. `depth` replaces the depth of every game.
///
/// # Errors
/// If the table or a thread can not be had.
pub fn run(
    depth: Option<u32>,
    signals: &Arc<Signals>,
    say: &mut dyn FnMut(String),
) -> Result<(), String> {
    let table = Arc::new(Table::new(HASH)?);
    let (mut total, mut total_time) = (0, Duration::ZERO);
    for suite in &SUITES {
        let config = Config {
            table: Arc::clone(&table),
            threads: 1,
            repetition: None,
            quiet: None,
        };
        let mut session = variants::open(suite.variant, config)?;
        let order = Order {
            limits: Limits {
                depth: Some(depth.unwrap_or(suite.depth)),
                ..Limits::default()
            },
            multipv: 1,
            ..Order::default()
        };
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let starts = std::iter::once(None).chain(suite.positions.iter().copied().map(Some));
        for position in starts {
            session.new_game();
            session.set_position(position)?;
            // Making the table ready is not counted.
            let begun = Instant::now();
            let answer = session.search(&order, signals, begun, &mut |_| {}, Box::new(|_| {}));
            time += begun.elapsed();
            nodes += answer.map_or(0, |answer| answer.nodes);
        }
        say(format!(
            "{}: {nodes} nodes {} nps",
            suite.variant,
            rate(nodes, time)
        ));
        total += nodes;
        total_time += time;
    }
    say(format!("{total} nodes {} nps", rate(total, total_time)));
    Ok(())
}

fn rate(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}
