//! The sets of forced wins: what is in them is legal and as promised, and a part of the shorter ones is played to the
//! engine. All of them take longer: `trials forced`.

mod reference;

use huscarl::score;
use huscarl::search::table::Table;
use huscarl::session::{Config, Order};
use huscarl::variants;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// The lines of a variant's set, each as position, kind and number, and moves.
fn set(variant: &str) -> Vec<(String, String, i32, Vec<String>)> {
    let name = format!("forced-{variant}.epd");
    let path = format!("{}/tests/positions/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a set");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(" ; ").collect();
            let (kind, number) = fields[1].split_once(' ').expect("a goal");
            let moves = fields[2].strip_prefix("moves ").expect("moves");
            (
                fields[0].to_string(),
                kind.to_string(),
                number.parse().expect("a number"),
                moves.split(' ').map(str::to_string).collect(),
            )
        })
        .collect()
}

#[test]
fn the_sets_hold_what_they_promise() {
    for variant in reference::VARIANTS {
        let set = set(variant);
        assert!(set.len() >= 200, "{variant}");
        let different: BTreeSet<&String> = set.iter().map(|line| &line.0).collect();
        assert_eq!(different.len(), set.len(), "{variant}");
        for (text, kind, number, moves) in &set {
            let position = reference::Position::parse(variant, text).expect("reads");
            assert_eq!(position.text(), *text);
            let legal = position.legal_moves();
            assert!(
                !moves.is_empty() && moves.iter().all(|mv| legal.contains(mv)),
                "{text}"
            );
            let letters = position.squares();
            let count = |piece: char| {
                letters
                    .iter()
                    .filter(|s| position.piece_at(s) == piece)
                    .count()
            };
            match variant {
                "hnefatafl7" => assert!([3, 5, 7].contains(number)),
                "tawlbwrdd" | "tawlbwrdd-bell" => {
                    assert!([3, 5].contains(number));
                    assert!(count('t') + count('T') + count('K') <= 12, "{text}");
                }
                _ => assert!(count('d') <= 12 && count('T') <= 3, "{text}"),
            }
            let expected = if variant.starts_with("thud") {
                "margin"
            } else {
                "win"
            };
            assert_eq!(kind, expected);
        }
    }
}

#[test]
fn the_engine_finds_them() {
    for variant in reference::VARIANTS {
        let config = Config {
            table: Arc::new(Table::new(16).expect("a table")),
            threads: 1,
            repetition: None,
            quiet: None,
        };
        let mut session = variants::open(variant, config).expect("a session");
        // A search in Thud takes all its nodes, for there is no mate to end it.
        let step = if session.is_scored() { 100 } else { 6 };
        for (text, kind, number, moves) in set(variant).into_iter().step_by(step) {
            if kind == "win" && number > 5 {
                continue;
            }
            session.new_game();
            session.set_position(Some(&text)).expect("reads");
            let mut order = Order {
                multipv: 1,
                ..Order::default()
            };
            order.limits.nodes = Some(1_000_000);
            if !session.is_scored() {
                order.limits.mate = Some(number as u32);
            }
            let signals = Arc::default();
            let now = Instant::now();
            let answer = session.search(&order, &signals, now, &mut |_| {}, Box::new(|_| {}));
            let answer = answer.expect("an answer");
            assert!(
                answer.best.is_some_and(|mv| moves.contains(&mv)),
                "{variant}: {text}"
            );
            if !session.is_scored() {
                let plies = score::plies_to_end(answer.score);
                assert!(
                    plies.is_some_and(|n| (1..=number).contains(&n)),
                    "{variant}: {text}"
                );
            }
        }
    }
}
