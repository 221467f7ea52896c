//! The slow reference for the tafl family against what the host of the games says: counts, single moves, whole games; and
//! against cases worked out by hand, the older reference of two of the games, and itself in games at random.

mod reference;

use fastrand::Rng;
use reference::Winner;
use reference::family::{
    Board, EMPTY, End, Game, Mv, Played, Record, Side, moves, perft, random_record,
};
use std::collections::BTreeSet;

fn file(name: &str) -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    let path = format!("{folder}/tests/positions/opentafl/{name}");
    std::fs::read_to_string(&path).expect(&path)
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The lines of a data file, each split into fields.
fn rows(text: &str) -> Vec<Vec<&str>> {
    lines(text).map(|l| l.split(" ; ").collect()).collect()
}

/// The host's games by number, from 1.
fn games() -> Vec<Record> {
    let text = file("games.txt");
    let games: Vec<Record> = lines(&text)
        .map(|line| Record::parse(line).expect(line))
        .collect();
    assert_eq!(games.len(), 14);
    games
}

/// The game and the position that the first three fields of a row name.
fn setting<'a>(games: &'a [Record], row: &[&str]) -> (&'a Record, Board) {
    let number: usize = row[0].parse().expect(row[0]);
    let record = &games[number - 1];
    let side = Side::named(row[1]).expect(row[1]);
    let board = Board::from_host(record.size, row[2], side).expect(row[2]);
    assert_eq!(board.host_text(), row[2]);
    (record, board)
}

/// The captured squares in the order of strings, joined.
fn captures(played: &Played) -> String {
    let mut names: Vec<String> = played.captured.iter().map(|s| s.name()).collect();
    names.sort();
    names.join("/")
}

/// Who has won, in the words of the data files.
fn winner(end: Option<End>) -> &'static str {
    match end.map(|end| end.winner) {
        None => "none",
        Some(None) => "draw",
        Some(Some(Side::Attackers)) => "attackers",
        Some(Some(Side::Defenders)) => "defenders",
    }
}

#[test]
fn every_count_of_the_host_holds() {
    let (games, text) = (games(), file("positions.txt"));
    let rows = rows(&text);
    for row in &rows {
        let (record, board) = setting(&games, row);
        for (depth, field) in (1..).zip(&row[3..]) {
            let count = perft(record, &board, depth);
            assert_eq!(format!("D{depth} {count}"), *field, "{row:?}");
        }
    }
    assert_eq!(rows.len(), 350);
}

/// The moves of a field of `moves.txt`, each as the host's short text, with its captures in the order of strings.
fn told_moves(field: &str) -> Vec<(String, String)> {
    // Squares may come with the letter of the piece: Kd4, cd4.
    let square = |name: &str| {
        let letters = name.chars().filter(char::is_ascii_alphabetic).count();
        name[letters - 1..].to_string()
    };
    let read = |word: &str| {
        let (path, captures) = word.split_once('x').unwrap_or((word, ""));
        let ends = path.split(['-', '^', '=']).filter(|name| !name.is_empty());
        let path: Vec<String> = ends.map(square).collect();
        let captures = captures.split('/').filter(|name| !name.is_empty());
        let mut captures: Vec<String> = captures.map(square).collect();
        captures.sort();
        (path.join("-"), captures.join("/"))
    };
    field.split('|').map(read).collect()
}

/// What a row of `moves.txt` and the reference say differently; None if they agree.
fn difference(games: &[Record], row: &[&str]) -> Option<String> {
    let (record, board) = setting(games, row);
    let [turn, after, result] = row[3..6] else {
        panic!("{row:?}");
    };
    let history = row[6..].iter().find_map(|f| f.strip_prefix("after "));
    let told_next = row[6..].iter().find(|field| !field.starts_with("after "));
    let mut game = match history {
        None => Game::from(record, board.clone()),
        Some(_) => Game::start(record),
    };
    for mv in history.unwrap_or_default().split_ascii_whitespace() {
        let played = game.play_text(mv);
        assert_eq!(played.map(|p| p.end), Some(None), "{mv} before {row:?}");
    }
    assert_eq!(game.board, board, "{row:?}");
    let mut last: Option<Played> = None;
    for (text, told) in told_moves(turn) {
        if last.is_some_and(|played| played.board.running.is_none()) {
            return Some(format!("the turn is over before {text}"));
        }
        let Some(played) = game.play_text(&text) else {
            return Some(format!("{text} is illegal"));
        };
        if captures(&played) != told {
            return Some(format!("{text} takes {}", captures(&played)));
        }
        last = Some(played);
    }
    let played = last.expect("a row has a move");
    let next = match (played.end, played.board.side) {
        (Some(_), _) => "-",
        (None, Side::Attackers) => "attackers",
        (None, Side::Defenders) => "defenders",
    };
    if played.board.host_text() != after {
        Some(format!("leads to {}", played.board.host_text()))
    } else if winner(played.end) != result {
        Some(format!("ends with {:?}", played.end))
    } else if told_next.is_some_and(|told| *told != next) {
        Some(format!("next {next}"))
    } else {
        None
    }
}

#[test]
fn every_move_of_the_host_agrees_or_is_a_known_difference() {
    let (games, text, known) = (games(), file("moves.txt"), file("known-differences.txt"));
    let known: BTreeSet<&str> = lines(&known)
        .map(|line| line.rsplit_once(" ; ").expect(line).0)
        .collect();
    let (rows, mut met) = (rows(&text), BTreeSet::new());
    for row in &rows {
        let named = row[..4].join(" ; ");
        let found = difference(&games, row);
        match known.get(named.as_str()) {
            Some(line) => {
                assert!(found.is_some(), "agrees: {named}");
                assert!(met.insert(*line), "twice in the data: {named}");
            }
            None => assert_eq!(found, None, "{row:?}"),
        }
    }
    assert_eq!(met, known, "each known difference is a row of the data");
    assert_eq!(rows.len(), 724);
}

/// Plays a dialogue with the host: every told move is legal, leads where the host says and ends no game. Gives the number
/// of moves, and checks that a game which ended on the board could be ended so by the move that is not told.
fn replay(name: &str) -> usize {
    let text = file(name);
    let start = text.lines().find_map(|l| l.strip_prefix("host> rules "));
    let record = Record::parse(start.expect(name)).expect(name);
    let mut game = Game::start(&record);
    let (mut own, mut count) = ("", 0);
    for line in text.lines() {
        let told = line.strip_prefix("host> opponent-move ");
        let (moves, position) = if let Some(mv) = line.strip_prefix("engine> move ") {
            own = mv;
            continue;
        } else if let Some(position) = line.strip_prefix("host> move ") {
            (own, position)
        } else if let Some(pair) = told.and_then(|told| told.split_once(' ')) {
            pair
        } else {
            continue;
        };
        for mv in moves.split('|') {
            let played = game.play_text(mv);
            assert_eq!(played.map(|p| p.end), Some(None), "{name}: {line}");
            count += 1;
        }
        assert_eq!(game.board.host_text(), position, "{name}: {line}");
    }
    let result = text.lines().find_map(|l| l.strip_prefix("host> finish "));
    let told = ["none", "draw", "attackers", "defenders"];
    let code: usize = result.expect(name).parse().expect(name);
    let mut ends = moves(&record, &game.board)
        .into_iter()
        .map(|mv| winner(game.clone().play(mv).end));
    assert!(code == 0 || ends.any(|end| end == told[code]), "{name}");
    count
}

#[test]
fn every_dialogue_with_the_host_can_be_replayed() {
    let mut total = 0;
    for game in ["brandub", "copenhagen", "tablut", "tawlbwrdd"] {
        for side in ["attackers", "defenders"] {
            total += replay(&format!("{game}-{side}.txt"));
        }
    }
    assert_eq!(total, 276);
}

#[test]
fn every_case_of_our_own_holds() {
    let text = file("own-cases.txt");
    let rows = rows(&text);
    for row in &rows {
        let [keys, side, start, mv, told] = row[..5] else {
            panic!("{row:?}");
        };
        let first = if side == "attackers" { "y" } else { "n" };
        let text = format!("{keys} dim:7 atkf:{first} start:{start}");
        let record = Record::parse(&text).expect(&text);
        let Some(played) = Game::start(&record).play_text(mv) else {
            assert_eq!(told, "illegal", "{row:?}");
            continue;
        };
        let captured = Some(captures(&played)).filter(|names| !names.is_empty());
        assert_eq!(captured.unwrap_or("-".into()), told, "{row:?}");
        let end = match played.end {
            None => "none".to_string(),
            Some(end) => format!("{} {}", winner(played.end), end.reason),
        };
        let found = [played.board.host_text(), end];
        assert_eq!(found[..], row[5..], "{row:?}");
    }
    assert!(rows.len() > 90, "{}", rows.len());
}

/// The result of a game under the record that is told, after these moves from its start; the moves before end nothing.
fn result_after(keys: &str, list: &str) -> String {
    let text = format!("dim:7 surf:n {keys} start:/7/2K4/7/7/7/2t4/7/");
    let record = Record::parse(&text).expect(&text);
    let mut game = Game::start(&record);
    let mut end = None;
    for mv in list.split(' ') {
        assert_eq!(end, None, "{keys}: {mv}");
        end = game.play_text(mv).expect(mv).end;
    }
    format!("{} {}", winner(end), end.map_or("", |end| end.reason))
}

#[test]
fn repetitions_and_quiet_plies_end_games_as_the_record_says() {
    let round = "c6-d6 c2-d2 d6-c6 d2-c2";
    let two = format!("{round} {round}");
    let three = format!("{two} {round}");
    let shorter = |list: &str| list.rsplit_once(' ').expect("some moves").0.to_string();
    // The start is the first occurrence; the attackers are to move when it comes back.
    assert_eq!(result_after("", &two), "draw repetition");
    assert_eq!(result_after("tfr:i", &two), "draw repetition");
    assert_eq!(result_after("tfr:w", &two), "attackers repetition");
    assert_eq!(result_after("tfr:l", &two), "defenders repetition");
    assert_eq!(result_after("rep:d", &two), "attackers repetition");
    assert_eq!(result_after("rep:d tfr:l", &two), "attackers repetition");
    assert_eq!(result_after("", &shorter(&two)), "none ");
    assert_eq!(result_after("repn:2", round), "draw repetition");
    assert_eq!(result_after("repn:4", &three), "draw repetition");
    assert_eq!(result_after("repn:4", &shorter(&three)), "none ");
    assert_eq!(result_after("repn:0", &three), "none ");
    assert_eq!(result_after("repn:0 quiet:8", &two), "draw quiet-limit");
    assert_eq!(result_after("quiet:8", &two), "draw repetition");
    assert_eq!(result_after("quiet:8", &shorter(&two)), "none ");
    assert_eq!(
        result_after("end:h quiet:3", &shorter(round)),
        "draw quiet-limit"
    );
}

#[test]
fn a_berserk_piece_goes_on_by_its_rule() {
    let start = "dim:7 surf:n atkf:n start:/7/1Tt4/7/7/3T3/5K1/5t1/";
    for (rule, goes_on) in [("n", false), ("c", false), ("m", true)] {
        let record = Record::parse(&format!("{start} ber:{rule}")).expect(start);
        let played = Game::start(&record).play_text("d5-d2").expect("legal");
        assert_eq!(captures(&played), "c2");
        assert_eq!(played.board.running.is_some(), goes_on, "{rule}");
        assert_eq!(played.board.side == Side::Defenders, goes_on, "{rule}");
        let only_one = |mv: &Mv| mv.from.name() == "d2";
        let list = moves(&record, &played.board);
        assert_eq!(list.iter().all(only_one), goes_on, "{rule}");
    }
}

#[test]
fn two_games_are_played_by_name_and_not_by_text() {
    let text = file("games.txt");
    for (name, plain, told) in [
        ("Foteviken_Tablut", "cenhe:K", "cenhe:tT"),
        ("Magpie", "surf:n", "surf:n cenh: cenhe:"),
    ] {
        let line = lines(&text).find(|line| line.contains(name)).expect(name);
        let parse = |line: &str| Record::parse(line).expect(line).specials;
        let other_name = line.replace(name, "Another");
        let other_key = format!("{line} tfr:w");
        let spelt_out = other_name.replace(plain, told);
        assert_eq!(parse(line), parse(&spelt_out), "{name}");
        assert_ne!(parse(line), parse(&other_name), "{name}");
        assert_eq!(parse(&other_key), parse(&other_name), "{name}");
    }
}

#[test]
fn records_that_say_nothing_sensible_are_refused() {
    let start = "start:/5/5/2K2/5/t4/";
    for (keys, told) in [
        (start.to_string(), "dim: missing"),
        (format!("dim:6 {start}"), "dim: 6"),
        (format!("dim:21 {start}"), "dim: 21"),
        (format!("dim:x {start}"), "dim: 'x'"),
        ("dim:5".to_string(), "start: missing"),
        (format!("dim:7 {start}"), "start: 5 rows"),
        ("dim:5 start:/5/5/2Q2/5/t4/".to_string(), "'Q' is no piece"),
        ("dim:5 start:/5/5/2K3/5/t4/".to_string(), "rank 3"),
        (format!("dim:5 {start} spd:1,2,3"), "spd: 3 numbers"),
        (format!("dim:5 {start} spd:"), "spd: ''"),
        (format!("dim:5 {start} cor:a6"), "cor: a6 is off"),
        (format!("dim:5 {start} cen:33"), "cen: '33'"),
        (format!("dim:5 {start} cenp:tx"), "cenp: 'x'"),
        (format!("dim:5 {start} repn:1"), "repn: 1"),
        (format!("dim:5 {start} quiet:-1"), "quiet: '-1'"),
    ] {
        let error = Record::parse(&keys).expect_err(&keys);
        assert!(error.contains(told), "{keys}: {error}");
    }
    let upside_down = Record::parse("dim:5 starti:/t4/5/2K2/5/5/ x:1 y").expect("fine");
    let plain = Record::parse(&format!("dim:5:9 dim:7 dim:5 {start}")).expect("fine");
    assert_eq!(upside_down.start, plain.start);
    assert_eq!(plain.start.text(), "t4/5/2K2/5/5 a");
    assert_eq!(plain.start.host_text(), "/5/5/2K2/5/t4/");
}

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
                assert_eq!(captures(&played), taken.join("/"), "{name}: {text}");
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
