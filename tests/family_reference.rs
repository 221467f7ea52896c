//! The slow reference for the tafl family against what the host of the games says: counts, single moves, whole games; and
//! against cases worked out by hand.

mod reference;

use reference::family::{End, Game, Mv, Played, Record, Side, moves, perft, told};
use std::collections::BTreeSet;

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
    let (games, text) = (told::games(), told::file("positions.txt"));
    let rows = told::rows(&text);
    for row in &rows {
        let (record, board) = told::setting(&games, row);
        for (depth, field) in (1..).zip(&row[3..]) {
            let count = perft(record, &board, depth);
            assert_eq!(format!("D{depth} {count}"), *field, "{row:?}");
        }
    }
    assert_eq!(rows.len(), 350);
}

/// What a row of `moves.txt` and the reference say differently; None if they agree.
fn difference(games: &[Record], row: &[&str]) -> Option<String> {
    let (record, board) = told::setting(games, row);
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
    for (text, told) in told::turn(turn) {
        if last.is_some_and(|played| played.board.running.is_none()) {
            return Some(format!("the turn is over before {text}"));
        }
        let Some(played) = game.play_text(&text) else {
            return Some(format!("{text} is illegal"));
        };
        if told::captures(&played) != told {
            return Some(format!("{text} takes {}", told::captures(&played)));
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
    let (games, text, known) = (
        told::games(),
        told::file("moves.txt"),
        told::file("known-differences.txt"),
    );
    let known: BTreeSet<&str> = told::lines(&known)
        .map(|line| line.rsplit_once(" ; ").expect(line).0)
        .collect();
    let (rows, mut met) = (told::rows(&text), BTreeSet::new());
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
    let text = told::file(name);
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
    let text = told::file("own-cases.txt");
    let rows = told::rows(&text);
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
        let captured = Some(told::captures(&played)).filter(|names| !names.is_empty());
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
    let text = format!("dim:7 surf:n start:/7/2K4/7/7/7/2t4/7/ {keys}");
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
    // A man and a mercenary change places, which the host does not see.
    let swap = "c6-d6 b3-c3 d6-c6 b2-b3 c6-d6 c3-c2 d6-c6 c2-b2";
    let pair = "repn:2 start:/7/1M3K1/1T5/7/7/2t4/7/";
    assert_eq!(result_after(pair, swap), "draw repetition");
    assert_eq!(result_after(&format!("{pair} end:h"), swap), "none ");
}

#[test]
fn a_berserk_piece_goes_on_by_its_rule() {
    let start = "dim:7 surf:n atkf:n start:/7/1Tt4/7/7/3T3/5K1/5t1/";
    for (rule, goes_on) in [("n", false), ("c", false), ("m", true)] {
        let record = Record::parse(&format!("{start} ber:{rule}")).expect(start);
        let played = Game::start(&record).play_text("d5-d2").expect("legal");
        assert_eq!(told::captures(&played), "c2");
        assert_eq!(played.board.running.is_some(), goes_on, "{rule}");
        assert_eq!(played.board.side == Side::Defenders, goes_on, "{rule}");
        let only_one = |mv: &Mv| mv.from.name() == "d2";
        let list = moves(&record, &played.board);
        assert_eq!(list.iter().all(only_one), goes_on, "{rule}");
    }
}

#[test]
fn two_games_are_played_by_name_and_not_by_text() {
    let text = told::file("games.txt");
    for (name, plain, told) in [
        ("Foteviken_Tablut", "cenhe:K", "cenhe:tT"),
        ("Magpie", "surf:n", "surf:n cenh: cenhe:"),
    ] {
        let line = told::lines(&text)
            .find(|line| line.contains(name))
            .expect(name);
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
fn a_record_that_spells_out_the_defaults_says_nothing_new() {
    let needed = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let defaults = "esc:c surf:y atkf:y tfr:d ka:y ks:s kj:n nj:c cj:j mj:n gj:n spd:-1 cor:a1,g1,a7,g7 cen:d4 afor: dfor: \
        corh:tcnkmTCNKM cenh:tcnkm cenhe:tcnkmTCNKM aforh:TCNKM dforh:tcnkm corp:K cenp:tcnkmTCNKM aforp:tcnkmTCNKM \
        dforp:TCNKM cors:K cens:K afors:tcnkmTCNKM dfors:TCNKM sw:n swf:y efe:n linc:n ber:n kth:y repn:3 stuck:l quiet:0";
    let spelt_out = Record::parse(&format!("{needed} {defaults}"));
    assert_eq!(spelt_out, Record::parse(needed));
    for word in defaults.split(' ').filter(|word| *word != "gj:n") {
        let (key, _) = word.split_once(':').expect(word);
        // A value that is not the key's default must make a difference.
        let other = match key {
            "repn" | "quiet" => "5",
            "spd" => "1",
            "cor" | "cen" | "afor" | "dfor" => "b2",
            "atkf" | "surf" | "swf" | "kth" | "ka" => "n",
            "tfr" | "ks" | "sw" => "w",
            "esc" => "e",
            "stuck" => "d",
            "efe" | "linc" => "y",
            "ber" => "c",
            "nj" | "cj" | "kj" | "mj" => "r",
            _ => "G",
        };
        let changed = Record::parse(&format!("{needed} {key}:{other}")).expect(word);
        assert_ne!(Ok(changed), Record::parse(needed), "{key}:{other}");
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
