//! The slow reference for the tafl family in games at random: against the older reference of two of the games, and under
//! records at random against what is true of every move.

mod reference;

use fastrand::Rng;
use reference::Winner;
use reference::family::{
    Board, EMPTY, End, Game, Mv, Played, Record, Side, moves, random_record, told,
};
use std::collections::BTreeSet;

/// The games that the older reference knows too, as records.
const OLDER: [(&str, &str); 2] = [
    (
        "hnefatafl7",
        "dim:7 surf:n ks:t cenh: cenp:K end:h start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
    ),
    (
        "tawlbwrdd-bell",
        "dim:11 surf:n esc:e ks:c cor: cens: cenh: end:h stuck:d repn:2 \
         start:/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
    ),
];

#[test]
fn random_games_are_those_of_the_older_reference() {
    for (name, keys) in OLDER {
        let record = Record::parse(keys).expect(keys);
        let mut reasons = BTreeSet::new();
        for seed in 0..60 {
            let mut random = Rng::with_seed(seed);
            let mut game = Game::start(&record);
            let mut older = reference::Game::new(reference::Position::start(name));
            let mut end = None;
            for _ in 0..300 {
                let text = older.position().text();
                assert!(text.starts_with(&game.board.text()), "{name}: {text}");
                let told = older.result().map(|o| (o.winner, o.reason));
                assert_eq!(end.map(older_words), told, "{name}: {text}");
                let list = moves(&record, &game.board);
                let mut texts: Vec<String> =
                    list.iter().map(|mv| mv.text().replace('-', "")).collect();
                texts.sort();
                // Limits play no part in the older list, nor in this one.
                assert_eq!(texts, older.position().legal_moves(), "{name}: {text}");
                if end.is_some() {
                    break;
                }
                // Some games shuffle a few pieces, so that positions repeat.
                let choices = if seed % 3 == 0 {
                    list.len().min(3)
                } else {
                    list.len()
                };
                let mv = list[random.usize(..choices)];
                let played = game.play(mv);
                let mut taken = older.play(&mv.text().replace('-', "")).expect("legal");
                taken.sort();
                assert_eq!(told::captures(&played), taken.join("/"), "{name}: {text}");
                end = played.end;
            }
            reasons.extend(end.map(|end| end.reason));
        }
        let expected = ["king-captured", "king-escaped", "repetition"];
        assert_eq!(reasons, BTreeSet::from(expected), "{name}");
    }
}

fn older_words(end: End) -> (Winner, &'static str) {
    let winner = match end.winner {
        None => Winner::Draw,
        Some(Side::Attackers) => Winner::Player1,
        Some(Side::Defenders) => Winner::Player2,
    };
    (winner, end.reason)
}

/// What must be true of every move: each captured square held an enemy and is empty now, or holds a mercenary who has
/// changed sides, and nothing else has changed but the mover's two squares.
fn check_move(before: &Board, mv: Mv, played: &Played) {
    let after = &played.board;
    assert_eq!(after.at(mv.to), before.at(mv.from));
    assert_eq!(after.at(mv.from), EMPTY);
    for square in before.squares() {
        let (old, new) = (before.at(square), after.at(square));
        if played.captured.contains(&square) {
            assert!(before.holds(square, before.side.other()));
            let turned = ['m', 'M'].contains(&old).then(|| before.side.own(old));
            assert_eq!(new, turned.unwrap_or(EMPTY));
        } else if square != mv.from && square != mv.to {
            assert_eq!(new, old);
        }
    }
    assert!(
        after
            .running
            .is_none_or(|piece| piece == mv.to && !played.captured.is_empty())
    );
    // Only a piece that must go on and can not ends a game within its turn.
    let ends_between = played.end.is_some_and(|end| end.reason != "no-moves");
    assert!(!(ends_between && after.running.is_some()));
    let same_side = after.side == before.side;
    assert_eq!(same_side, after.running.is_some());
    let read = Board::from_host(after.size, &after.host_text(), after.side);
    let own = Board::parse(after.size, &after.text());
    let still = Board {
        running: None,
        ..after.clone()
    };
    assert_eq!((read.as_ref(), own.as_ref()), (Ok(&still), Ok(&still)));
}

#[test]
fn random_games_of_random_records_keep_to_the_rules_and_end_in_every_way() {
    let (mut reasons, mut turns, mut jumps) = (BTreeSet::new(), 0, 0);
    for seed in 0..1500 {
        let mut random = Rng::with_seed(seed);
        let text = random_record(&mut random);
        let record = Record::parse(&text).expect(&text);
        let mut game = Game::start(&record);
        for _ in 0..60 {
            let list = moves(&record, &game.board);
            let Some(&mv) = random.choice(&list) else {
                break;
            };
            let before = game.board.clone();
            let played = game.play(mv);
            check_move(&before, mv, &played);
            turns += usize::from(played.board.running.is_some());
            jumps += usize::from(mv.jump);
            if let Some(end) = played.end {
                reasons.insert(end.reason);
                break;
            }
        }
    }
    let expected = [
        "edge-fort",
        "encircled",
        "king-captured",
        "king-escaped",
        "no-attackers",
        "no-defenders",
        "no-moves",
        "no-room",
        "quiet-limit",
        "repetition",
    ];
    assert_eq!(reasons, BTreeSet::from(expected));
    assert!(turns > 100 && jumps > 100, "{turns} turns, {jumps} jumps");
}
