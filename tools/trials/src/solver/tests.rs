//! The solvers' positions against the reference: moves, captures and results over random games, and what they solve
//! against a search on the reference itself.

use super::{tafl, thud};
use crate::reference::{self, Winner};

/// Positions of random games; some of few men, which are reached by preferring captures.
fn positions(variant: &str, games: u64) -> Vec<reference::Position> {
    let mut found = Vec::new();
    for seed in 0..games {
        let mut random = fastrand::Rng::with_seed(seed);
        let greedy = random.bool();
        let mut position = reference::Position::start(variant);
        for _ in 0..120 {
            let mut moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            random.shuffle(&mut moves);
            let capturing = moves.iter().take(if greedy { 60 } else { 0 });
            let mut capturing =
                capturing.filter(|mv| position.captures_of(mv).is_some_and(|c| !c.is_empty()));
            let mv = capturing.next().unwrap_or(&moves[0]).clone();
            found.push(position.clone());
            position = position.play(&mv).expect("legal").0;
        }
        found.push(position);
    }
    found
}

/// Whether the side to move wins within some plies, on the reference.
fn wins(position: &reference::Position, plies: u32) -> bool {
    let own = [Winner::Player1, Winner::Player2][usize::from(position.player_to_move() == 2)];
    let mut moves = position.legal_moves().into_iter();
    plies > 0
        && moves.any(|mv| {
            let next = position.play(&mv).expect("legal").0;
            match next.board_result() {
                Some(outcome) => outcome.winner == own,
                None => {
                    let mut replies = next.legal_moves().into_iter();
                    plies > 2
                        && replies.all(|reply| {
                            let after = next.play(&reply).expect("legal").0;
                            match after.board_result() {
                                Some(outcome) => outcome.winner == own,
                                None => wins(&after, plies - 2),
                            }
                        })
                }
            }
        })
}

#[test]
fn tafl_is_that_of_the_reference() {
    for variant in ["hnefatafl7", "tawlbwrdd", "tawlbwrdd-bell"] {
        let mut solver = tafl::Solver::new(variant);
        for slow in positions(variant, 6) {
            let position = solver.rules.read(&slow);
            let text = reference::Position::parse(variant, &solver.rules.text(&position));
            assert_eq!(solver.rules.read(&text.expect("reads")), position);
            let mut moves = Vec::new();
            for mv in solver.rules.moves(&position) {
                let text = solver.rules.move_text(mv);
                let next = slow.play(&text).expect("legal").0;
                assert_eq!(
                    solver.rules.play(&position, mv),
                    solver.rules.read(&next),
                    "{text}"
                );
                moves.push(text);
            }
            moves.sort();
            assert_eq!(moves, slow.legal_moves(), "{}", slow.text());
            assert_eq!(solver.wins(&position, 1), wins(&slow, 1), "{}", slow.text());
        }
    }
}

#[test]
fn tafl_wins_are_those_of_a_search_on_the_reference() {
    let mut solver = tafl::Solver::new("hnefatafl7");
    let mut found = [0, 0];
    for slow in positions("hnefatafl7", 6).into_iter().step_by(7) {
        let won = wins(&slow, 3);
        found[usize::from(won)] += 1;
        assert_eq!(
            solver.wins(&solver.rules.read(&slow), 3),
            won,
            "{}",
            slow.text()
        );
    }
    assert!(found[0] > 5 && found[1] > 5, "{found:?}");
}

#[test]
fn thud_is_that_of_the_reference() {
    for variant in ["thud", "thud-rulebook"] {
        let rules = thud::Rules::new(variant);
        for slow in positions(variant, 3).into_iter().step_by(4) {
            let position = rules.read(&slow);
            let text = reference::Position::parse(variant, &rules.text(&position));
            assert_eq!(rules.read(&text.expect("reads")), position);
            assert_eq!(
                rules.largest_gain(&position),
                reference::largest_gain(&slow) as i32
            );
            let all = rules.moves(&position);
            for mv in all.iter().step_by(if all.len() > 100 { 29 } else { 1 }) {
                let next = slow.play(&rules.move_text(mv)).expect("legal").0;
                let played = rules.play(&position, mv);
                assert_eq!(played, rules.read(&next));
                assert_eq!(rules.margin(&position) + mv.gain, -rules.margin(&played));
            }
            let mut moves: Vec<String> = all.iter().map(|mv| rules.move_text(mv)).collect();
            moves.sort();
            assert_eq!(moves, slow.legal_moves(), "{}", slow.text());
        }
    }
}

/// The margin over some plies, on the reference, from the side to move.
fn margin(position: &reference::Position, plies: u32) -> i32 {
    let moves = position.legal_moves();
    let next = |mv: &String| position.play(mv).expect("legal").0;
    if plies == 0 || moves.is_empty() {
        let (dwarfs, trolls) = position.points().expect("points");
        let margin = dwarfs as i32 - trolls as i32;
        return if position.player_to_move() == 1 {
            margin
        } else {
            -margin
        };
    }
    moves
        .iter()
        .map(|mv| -margin(&next(mv), plies - 1))
        .max()
        .unwrap_or(0)
}

#[test]
fn thud_margins_are_those_of_a_search_on_the_reference() {
    for variant in ["thud", "thud-rulebook"] {
        let rules = thud::Rules::new(variant);
        for text in [
            "*****5*****/****7****/***2T6***/**11**/*2Td9*/5d9/15/7*7/7d7/15/*13*/**11**/***9***/****7****/*****5***** t 0 1",
            "*****5*****/****7****/***2T6***/**11**/*2Td9*/5d9/4T10/7*7/15/15/*13*/**11**/***9***/****7****/*****5***** d 0 1",
        ] {
            let slow = reference::Position::parse(variant, text).expect("reads");
            let position = rules.read(&slow);
            for plies in 1..=3 {
                let value = rules.value(&position, plies, -1000, 1000);
                assert_eq!(
                    rules.margin(&position) + value,
                    margin(&slow, plies),
                    "{text} {plies}"
                );
            }
        }
    }
}

/// The value without windows.
fn plain_value(rules: &thud::Rules, position: &thud::Position, plies: u32) -> i32 {
    if plies == 0 {
        return 0;
    }
    let moves = rules.moves(position);
    let value =
        |mv: &thud::Move| mv.gain - plain_value(rules, &rules.play(position, mv), plies - 1);
    moves.iter().map(value).max().unwrap_or(0)
}

#[test]
fn thud_values_are_those_of_a_search_without_windows() {
    let rules = thud::Rules::new("thud-rulebook");
    let mut empty = rules.read(&reference::Position::start("thud-rulebook"));
    for cell in &mut empty.cells {
        *cell = if *cell == b'*' { b'*' } else { b'.' };
    }
    let mut different = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position = empty;
        position.side = random.usize(..2);
        for piece in [b'd', b'd', b'd', b'T', b'T'] {
            let cell = (5 + random.usize(..5)) * thud::SIZE + 9 + random.usize(..5);
            if position.cells[cell] == b'.' {
                position.cells[cell] = piece;
            }
        }
        for plies in 2..=if seed < 4 { 4 } else { 3 } {
            let value = plain_value(&rules, &position, plies);
            different.insert(value);
            assert_eq!(rules.value(&position, plies, -1000, 1000), value);
            for low in value - 3..value + 3 {
                let found = rules.value(&position, plies, low, low + 1);
                assert_eq!(found > low, value > low, "{}", rules.text(&position));
            }
        }
    }
    assert!(different.len() > 4, "{different:?}");
}
