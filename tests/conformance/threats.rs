//! What the rules tell the search of threats and forks is what making the moves shows.

use super::{for_all, list, positions};
use huscarl::bits::Bits;
use huscarl::eval::Evaluate;
use huscarl::game::{Game, Move, Moves, Reason, Side};
use huscarl::variants::Visitor;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Whether the side to move has a move that decides the game on the board for it, by its king or the other's.
fn wins_now<G: Game>(game: &G, position: &G::Position) -> bool {
    let side = game.side(position);
    list(game, position, Moves::All).iter().any(|&mv| {
        game.decided(&game.make(position, mv))
            .is_some_and(|outcome| {
                // A king who is taken as the last of his side is named so.
                let by_king = matches!(
                    outcome.reason,
                    Reason::KingCaptured | Reason::KingEscaped | Reason::NoDefenders
                );
                outcome.winner == Some(side) && by_king
            })
    })
}

#[derive(Clone)]
struct Threats;
impl Visitor for Threats {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in positions(&game, 40, 7) {
            if game.decided(&position).is_some() {
                continue;
            }
            let rows = game.rows(&position);
            let side = game.side(&position);
            let sight = game.sight(&position);
            if let Some(mv) = game.winning_move(&position) {
                assert!(game.is_legal(&position, mv), "{rows} {mv:?}");
                let outcome = game.decided(&game.make(&position, mv));
                assert_eq!(
                    outcome.and_then(|outcome| outcome.winner),
                    Some(side),
                    "{rows}"
                );
                continue;
            }
            if !G::ALTERNATES {
                // These games tell the search of escapes only.
                continue;
            }
            assert!(!wins_now(&game, &position), "{rows}");
            // The same position with the other side to move: does he win at once?
            let passed = game
                .parse(&rows, !side)
                .expect("rows read with either side");
            assert_eq!(
                game.in_danger(&position, &sight),
                wins_now(&game, &passed),
                "{rows} {side:?}"
            );
            if let Some(set) = game.must_reach(&position, &sight) {
                assert!(game.in_danger(&position, &sight));
                for mv in list(&game, &position, Moves::All) {
                    let child = game.make(&position, mv);
                    let lost = wins_now(&game, &child);
                    assert_eq!(!set.has(mv.to()), lost, "{rows} {mv:?}");
                }
            }
        }
    }
}

#[test]
fn threats_are_what_making_the_moves_shows() {
    for_all(Threats);
}

/// Whether every answer to a move leaves the mover one that wins, and there is an answer.
fn forces_a_win<G: Game>(game: &G, position: &G::Position, mv: Move) -> bool {
    let child = game.make(position, mv);
    let answers = list(game, &child, Moves::All);
    game.decided(&child).is_none()
        && !answers.is_empty()
        && answers.iter().all(|&answer| {
            let after = game.make(&child, answer);
            game.decided(&after).is_none() && wins_now(game, &after)
        })
}

#[derive(Clone)]
struct Forks;
impl Visitor for Forks {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in positions(&game, 25, 8) {
            if game.decided(&position).is_some() || game.winning_move(&position).is_some() {
                continue;
            }
            let rows = game.rows(&position);
            let sight = game.sight(&position);
            let fork = game.fork(&position, &sight);
            if let Some(mv) = fork {
                FORKS.fetch_add(1, Relaxed);
                assert!(game.is_legal(&position, mv), "{rows} {mv:?}");
                assert!(forces_a_win(&game, &position, mv), "{rows} {mv:?}");
            } else if game.side(&position) == Side::Second {
                // No quiet move of the king behind which his ways share no square is overlooked.
                let is_king = |mv: &Move| game.piece(&position, mv.from()) == Some('K');
                for mv in list(&game, &position, Moves::Quiets)
                    .into_iter()
                    .filter(is_king)
                {
                    let child = game.make(&position, mv);
                    let shared = game.must_reach(&child, &game.sight(&child));
                    let missed = shared.is_some_and(|shared| shared.is_empty())
                        && forces_a_win(&game, &position, mv);
                    assert!(!missed, "{rows} {mv:?}");
                }
            }
            let mut threats = Vec::new();
            game.generate_threats(&position, &sight, &mut threats);
            let quiets = list(&game, &position, Moves::Quiets);
            for mv in threats {
                assert!(quiets.contains(&mv), "{rows} {mv:?}");
                let passed = game.pass(&game.make(&position, mv));
                assert!(wins_now(&game, &passed), "{rows} {mv:?}");
            }
        }
    }
}

/// How many forks were looked at.
static FORKS: AtomicU32 = AtomicU32::new(0);

#[test]
fn forks_and_threats_are_what_making_the_moves_shows() {
    for_all(Forks);
    assert!(FORKS.load(Relaxed) > 500);
}
