//! Forced wins: sets of positions with known answers, made by the exhaustive solvers, and how many of them the engine
//! finds.
//!
//! In tafl a position is found if the search reports a win within the plies of the shortest one and plays a move that
//! keeps it. In Thud there are no forced wins in sight, but margins: a position is found if the move played is one that
//! reaches the best margin over 3 plies. The engine looks further than that and might rightly prefer another move, so
//! positions are taken only where 4 and 5 plies, too, put every other move at least two points behind.

mod make;

use crate::library;
use huscarl::score;
use huscarl::session::{Order, Session};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Options {
    /// Nodes that each position may take
    #[arg(long, default_value_t = 1_000_000)]
    nodes: u64,
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
    /// Make the sets anew, a file `forced-VARIANT.epd` each in this directory, instead of playing them
    #[arg(long, value_name = "DIR")]
    make: Option<PathBuf>,
    /// Seed of the sets that are made
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The sets, by variant.
const SETS: [(&str, &str); 5] = [
    (
        "hnefatafl7",
        include_str!("../../../tests/positions/forced-hnefatafl7.epd"),
    ),
    (
        "tawlbwrdd",
        include_str!("../../../tests/positions/forced-tawlbwrdd.epd"),
    ),
    (
        "tawlbwrdd-bell",
        include_str!("../../../tests/positions/forced-tawlbwrdd-bell.epd"),
    ),
    (
        "thud",
        include_str!("../../../tests/positions/forced-thud.epd"),
    ),
    (
        "thud-rulebook",
        include_str!("../../../tests/positions/forced-thud-rulebook.epd"),
    ),
];

/// A position with its answers.
struct Problem<'a> {
    position: &'a str,
    goal: Goal,
    moves: Vec<&'a str>,
}

#[derive(Clone, Copy)]
enum Goal {
    /// A win within so many plies.
    Win(i32),
    /// The best margin over 3 plies; what it is does not matter here.
    Margin,
}

/// Reads `POSITION ; win N ; moves M1 M2 …` or the same with `margin M`.
fn read(line: &str) -> Option<Problem<'_>> {
    let mut fields = line.split(" ; ");
    let position = fields.next()?;
    let goal = match fields.next()?.split_once(' ')? {
        ("win", plies) => Goal::Win(plies.parse().ok()?),
        ("margin", _) => Goal::Margin,
        _ => return None,
    };
    let moves = fields.next()?.strip_prefix("moves ")?.split(' ').collect();
    Some(Problem {
        position,
        goal,
        moves,
    })
}

pub fn run(options: &Options) -> Result<(), String> {
    let chosen = library::chosen(options.variant.as_deref())?;
    let wanted = |name: &str| chosen.contains(&name);
    let mut missed = 0;
    for (variant, set) in SETS.into_iter().filter(|(name, _)| wanted(name)) {
        match &options.make {
            Some(directory) => {
                let path = directory.join(format!("forced-{variant}.epd"));
                let text = make::set(variant, options.seed);
                std::fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()))?;
                println!("{variant}: {}", path.display());
            }
            None => missed += play(variant, set, options.nodes)?,
        }
    }
    match missed {
        0 => Ok(()),
        missed => Err(format!("{missed} positions missed")),
    }
}

/// Gives every position of a set to the engine, prints what came of it, and returns how many were missed.
fn play(variant: &str, set: &str, nodes: u64) -> Result<u64, String> {
    let mut session = library::session(variant, 64)?;
    let lines = set
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut count, mut right, mut found) = (0u64, 0, 0);
    let (mut sum, mut most) = (0, 0);
    for line in lines {
        let problem = read(line).ok_or_else(|| format!("{variant}: unreadable: {line}"))?;
        let answer = search(&mut *session, &problem, nodes)?;
        let best = answer.best.unwrap_or_default();
        let is_right = problem.moves.contains(&best.as_str());
        let plies = score::plies_to_end(answer.score);
        let is_found = is_right
            && match problem.goal {
                Goal::Win(within) => plies.is_some_and(|plies| (1..=within).contains(&plies)),
                Goal::Margin => true,
            };
        count += 1;
        right += u64::from(is_right);
        found += u64::from(is_found);
        sum += answer.nodes;
        most = most.max(answer.nodes);
        if !is_found {
            let said = match plies {
                Some(plies) => format!("mate {plies} plies"),
                None => format!("score {}", answer.score),
            };
            println!(
                "{variant}: missed: {line}; played {best}, {said}, {} nodes",
                answer.nodes
            );
        }
    }
    println!(
        "{variant}: {found} of {count} found ({:.1} %), move right in {right}, nodes mean {} max {most}",
        100.0 * found as f64 / count.max(1) as f64,
        sum / count.max(1),
    );
    Ok(count - found)
}

fn search(
    session: &mut dyn Session,
    problem: &Problem<'_>,
    nodes: u64,
) -> Result<huscarl::session::Answer, String> {
    session.new_game();
    session.set_position(Some(problem.position))?;
    let mut order = Order {
        multipv: 1,
        ..Order::default()
    };
    order.limits.nodes = Some(nodes);
    if let Goal::Win(plies) = problem.goal {
        order.limits.mate = Some(plies as u32);
    }
    library::search(session, &order)
}
