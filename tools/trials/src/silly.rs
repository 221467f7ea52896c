//! Nothing silly: the engine's own games, each move looked over by the exhaustive solvers.
//!
//! A move is silly if, by the board alone,
//! - in tafl it lets the opponent decide the game by the king with the next move (he escapes, or is captured), although
//!   another legal move would not;
//! - in Thud it leaves a troll to a hurl for nothing: the dwarfs can hurl one with their next move, another move would
//!   leave none that they can hurl, and that other move is worth at least 3 points more, both over 3 plies (the move, the
//!   best answer, the best capture after it) and over 5. So a troll may be given for two dwarfs, be they what the move
//!   itself captures or what is taken back at once or a move later; and a troll that no move can save for longer than
//!   until the next hurl is not held against it.

use crate::solver::{tafl, thud};
use crate::{library, reference};
use huscarl::session::{Order, Session};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Options {
    /// Games of each variant
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// Time a move, ms
    #[arg(long, default_value_t = 50)]
    movetime: u64,
    /// Nodes a move instead
    #[arg(long)]
    nodes: Option<u64>,
    /// Only this variant
    #[arg(long)]
    variant: Option<String>,
    /// First seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Longer games are broken off.
const MAX_PLIES: usize = 600;
/// Points that a hurl must cost, against another move, to be one for nothing.
const FOR_NOTHING: i32 = 3;

/// What was found about one move.
enum Finding {
    Fine,
    /// There was a threat afterwards that no move could have kept off, or that cost little.
    Threatened,
    /// With a better move.
    Silly(String),
}

enum Judge {
    Tafl(Box<tafl::Rules>),
    Thud(Box<thud::Rules>),
}

impl Judge {
    fn new(variant: &str) -> Judge {
        if variant.starts_with("thud") {
            Judge::Thud(Box::new(thud::Rules::new(variant)))
        } else {
            Judge::Tafl(Box::new(tafl::Rules::new(variant)))
        }
    }

    /// Looks over a move that did not end the game.
    fn look(&self, before: &reference::Position, after: &reference::Position) -> Finding {
        match self {
            Judge::Tafl(rules) => look_tafl(rules, &rules.read(before), &rules.read(after)),
            Judge::Thud(rules) => look_thud(rules, &rules.read(before), &rules.read(after)),
        }
    }
}

fn look_tafl(rules: &tafl::Rules, before: &tafl::Position, after: &tafl::Position) -> Finding {
    if !rules.king_decides(after) {
        return Finding::Fine;
    }
    let mut moves = rules.moves(before).into_iter();
    match moves.find(|&mv| !rules.king_decides(&rules.play(before, mv))) {
        Some(better) => Finding::Silly(rules.move_text(better)),
        None => Finding::Threatened,
    }
}

fn look_thud(rules: &thud::Rules, before: &thud::Position, after: &thud::Position) -> Finding {
    let is_dwarfs_move = before.side == 0;
    if is_dwarfs_move || rules.largest_gain(after) == 0 {
        return Finding::Fine;
    }
    // Both margins are seen from the side that is to move there.
    let gain = -rules.margin(after) - rules.margin(before);
    let mut rivals = rules.moves(before);
    rivals.retain(|mv| rules.largest_gain(&rules.play(before, mv)) == 0);
    // The short measure first: it is quick, and mostly leaves no rival to be looked at longer.
    for plies in [3, 5] {
        let value = gain - rules.value(after, plies - 1, -1000, 1000);
        rivals.retain(|mv| {
            let next = rules.play(before, mv);
            let least = mv.gain - value - FOR_NOTHING;
            rules.value(&next, plies - 1, least, least + 1) <= least
        });
        if rivals.is_empty() {
            return Finding::Threatened;
        }
    }
    Finding::Silly(rules.move_text(&rivals[0]))
}

pub fn run(options: &Options) -> Result<(), String> {
    let mut order = Order {
        multipv: 1,
        ..Order::default()
    };
    order.limits.nodes = options.nodes;
    if options.nodes.is_none() {
        order.limits.movetime = Some(Duration::from_millis(options.movetime));
    }
    let pace = match options.nodes {
        Some(nodes) => format!("{nodes} nodes"),
        None => format!("{} ms", options.movetime),
    };
    let mut silly = 0;
    for variant in library::chosen(options.variant.as_deref())? {
        let judge = Judge::new(variant);
        let mut session = library::session(variant, 16)?;
        let mut tally = Tally::default();
        for seed in options.seed..options.seed + options.games {
            play(variant, seed, &mut *session, &order, &judge, &mut tally)?;
        }
        println!(
            "{variant}: {} games at {pace} a move, {} moves, {} before a threat, {} silly",
            options.games, tally.moves, tally.threatened, tally.silly
        );
        silly += tally.silly;
    }
    match silly {
        0 => Ok(()),
        silly => Err(format!("{silly} silly moves")),
    }
}

#[derive(Default)]
struct Tally {
    moves: usize,
    threatened: usize,
    silly: usize,
}

/// One game of the engine against itself.
fn play(
    variant: &str,
    seed: u64,
    session: &mut dyn Session,
    order: &Order,
    judge: &Judge,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut slow = reference::Game::new(reference::Position::start(variant));
    session.new_game();
    let opening = library::opening(variant, seed);
    let opening: Vec<&str> = opening.iter().map(String::as_str).collect();
    session.play(&opening).map_err(|refusal| refusal.message)?;
    for mv in &opening {
        slow.play(mv)?;
    }
    for _ in opening.len()..MAX_PLIES {
        if slow.result().is_some() {
            break;
        }
        let answer = library::search(session, order)?;
        let mv = answer.best.ok_or("no move")?;
        let before = slow.position().clone();
        slow.play(&mv)?;
        session.play(&[&mv]).map_err(|refusal| refusal.message)?;
        tally.moves += 1;
        if slow.result().is_some() {
            break;
        }
        match judge.look(&before, slow.position()) {
            Finding::Fine => {}
            Finding::Threatened => tally.threatened += 1,
            Finding::Silly(better) => {
                tally.silly += 1;
                println!(
                    "{variant}: silly: {} ; played {mv}, score {}, {} nodes; better {better}; game {seed}",
                    before.text(),
                    answer.score,
                    answer.nodes
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found about a move.
    fn found(variant: &str, position: &str, mv: &str) -> Finding {
        let before = reference::Position::parse(variant, position).expect("reads");
        let after = before.play(mv).expect("legal").0;
        Judge::new(variant).look(&before, &after)
    }

    fn is_fine(variant: &str, position: &str, mv: &str) -> bool {
        matches!(found(variant, position, mv), Finding::Fine)
    }

    fn is_silly(variant: &str, position: &str, mv: &str) -> bool {
        matches!(found(variant, position, mv), Finding::Silly(_))
    }

    #[test]
    fn letting_the_king_go_is_silly_only_if_he_could_be_held() {
        // On d1 he looks at both corners; c1 bars one, and f1 would bar the other.
        let one_way = "7/7/7/5t1/7/7/2tK3 a 0 1";
        assert!(is_silly("hnefatafl7", one_way, "f4f5"));
        assert!(is_fine("hnefatafl7", one_way, "f4f1"));
        let two_ways = "7/7/7/5t1/7/7/3K3 a 0 1";
        assert!(matches!(
            found("hnefatafl7", two_ways, "f4f1"),
            Finding::Threatened
        ));
    }

    #[test]
    fn leaving_the_king_to_his_captors_is_silly() {
        // The attacker of e5 can come to e2.
        let position = "1T5/7/4t2/7/7/2tK3/7 d 0 1";
        assert!(is_silly("hnefatafl7", position, "b7b6"));
        assert!(is_fine("hnefatafl7", position, "d2d1"));
    }

    #[test]
    fn stepping_before_a_dwarf_without_taking_him_is_silly() {
        let position = "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/6T8/15/*3d9*/**11**/***9***/****7****/\
                        *****5***** t 0 1";
        for variant in ["thud", "thud-rulebook"] {
            assert!(is_silly(variant, position, "g7f6"));
            assert!(is_fine(variant, position, "g7f6xe5"));
            assert!(is_fine(variant, position, "g7h7"));
        }
    }
}
