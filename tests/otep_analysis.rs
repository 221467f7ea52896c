//! Analyses that a host of OpenTafl's protocol asks for: their form, their values, and what ends them.

mod otep_table;

use otep_table::{BRANDUB, BRANDUB_START, FETLAR, Host, SHORT, truth};
use std::collections::HashSet;

/// The variations of an `analysis` answer: moves and value.
fn variations(answer: &str) -> Vec<(Vec<String>, f64)> {
    let words: Vec<&str> = answer.split(' ').collect();
    assert_eq!(words.len() % 2, 1, "a number and pairs: {answer}");
    let found: Vec<(Vec<String>, f64)> = words[1..]
        .chunks(2)
        .map(|pair| {
            let plain = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
            assert!(pair[1].chars().all(plain), "a decimal number: {answer}");
            let moves = pair[0].split('|').map(String::from).collect();
            (moves, pair[1].parse().expect("a decimal number"))
        })
        .collect();
    assert_eq!(words[0].parse(), Ok(found.len()), "{answer}");
    found
}

/// An analysis of a position, with more and more time until it is enough: on a busy machine little time is none.
fn analyze(
    host: &mut Host,
    [position, side]: [&str; 2],
    count: usize,
    enough: impl Fn(&[(Vec<String>, f64)]) -> bool,
) -> Vec<(Vec<String>, f64)> {
    for seconds in ["0.3", "1", "5", "30"] {
        host.send(&format!(
            "position {position}\nside {side}\n{SHORT}\nanalyze {count} {seconds}"
        ));
        let found = variations(&host.expect("analysis"));
        assert!(found.len() <= count, "{found:?}");
        if enough(&found) {
            return found;
        }
    }
    host.fail("the analysis is not enough")
}

#[test]
fn an_analysis_has_the_moves_that_were_asked_for() {
    let mut truth = truth(BRANDUB);
    let mut host = Host::game(BRANDUB);
    for (side, count) in [("attackers", 1), ("defenders", 3), ("attackers", 5)] {
        let found = analyze(&mut host, [BRANDUB_START, side], count, |found| {
            found.len() == count
        });
        let legal = truth.legal(BRANDUB_START, side);
        let first: HashSet<&String> = found.iter().map(|(moves, _)| &moves[0]).collect();
        assert_eq!(first.len(), count, "each of another move");
        assert!(first.iter().all(|mv| legal.contains(mv)), "{first:?}");
    }
    for wrong in ["analyze", "analyze 5", "analyze x 5", "analyze 5 x"] {
        host.send(wrong);
        host.expect("error 0 analyze");
    }
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn a_won_game_is_a_number_too_and_positive_for_the_attackers() {
    let mut host = Host::game(BRANDUB);
    for (position, side, sign) in [
        // The king is taken by the next move; he walks home with the next move.
        ("/7/T6/7/7/2tK2t/7/7/", "attackers", 1.0),
        ("/1t1T3/6t/7/K6/7/7/7/", "defenders", -1.0),
    ] {
        analyze(&mut host, [position, side], 99, |found| {
            found[0].1 * sign > 900.0
        });
    }
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn an_analysis_is_ended_by_the_end_of_the_game() {
    let mut truth = truth(BRANDUB);
    let mut host = Host::game(FETLAR);
    host.send(&format!(
        "analyze 3 3600\nfinish 0\nrules {BRANDUB}\n{SHORT}"
    ));
    host.play("attackers", &mut truth, BRANDUB_START);
    host.send("analyze 3 3600\nplay attackers");
    variations(&host.expect("analysis"));
    host.a_move("attackers", &mut truth, BRANDUB_START);
    assert_eq!(host.goodbye(), [""; 0]);
}
