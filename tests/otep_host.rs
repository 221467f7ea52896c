//! What hosts of OpenTafl's protocol do, and what broken ones might do: lines in pieces and in heaps, refusals, lines in the
//! wrong order, clocks of every kind, games that end, are loaded, or follow one another.

mod otep_table;

use huscarl::game::Side;
use otep_table::{BRANDUB, BRANDUB_START, FETLAR, FETLAR_START, Host, SHORT, truth, with_dash};
use std::collections::HashSet;

/// A clock that is never pressing in a test: a move takes minutes, so a search runs until it is ended.
const LONG: &str = "clock 36000000 36000000 60 3 3 ";

/// How many of the lines are moves.
fn moves(lines: &[String]) -> usize {
    lines
        .iter()
        .filter(|line| line.starts_with("move "))
        .count()
}

#[test]
fn the_first_line_chooses_the_protocol() {
    let mut host = Host::new();
    host.send(&format!("rules {BRANDUB}"));
    host.greeting();
    host.send(&format!("rules {BRANDUB}"));
    host.silent();
    assert_eq!(host.goodbye(), [""; 0], "hello is said once");
}

#[test]
fn asked_for_by_name_it_greets_unasked() {
    let mut host = Host::start(&["--protocol", "otep"]);
    host.greeting();
    host.send(&format!("rules {BRANDUB}\n{SHORT}"));
    host.play("attackers", &mut truth(BRANDUB), BRANDUB_START);
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn lines_come_in_pieces_in_heaps_and_with_carriage_returns() {
    let mut truth = truth(BRANDUB);
    let mut host = Host::new();
    let all = format!("rules {BRANDUB}\r\n\r\n{SHORT}\r\nplay attackers\r\n");
    for piece in all.as_bytes().chunks(7) {
        host.raw(piece);
    }
    host.greeting();
    let first = host.a_move("attackers", &mut truth, BRANDUB_START);
    let position = truth.after(BRANDUB_START, "attackers", &first);
    let reply = truth.legal(&position, "defenders").remove(0);
    let next = truth.after(&position, "defenders", &reply);
    host.send(&format!(
        "move {position}\nopponent-move {reply} {next}\n{SHORT}\nplay attackers"
    ));
    host.a_move("attackers", &mut truth, &next);
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn unknown_lines_are_skipped() {
    let mut host = Host::game(BRANDUB);
    host.send("start\ndump 3\nisready\nuci\nquit\nfoo bar\nhello\nsimple-moves off\n \u{e9}\u{e9}\nPLAY attackers");
    host.silent();
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn a_refused_move_is_not_offered_again() {
    let mut truth = truth(BRANDUB);
    let mut host = Host::game(BRANDUB);
    let opening = "d1-c1";
    let position = truth.after(BRANDUB_START, "attackers", opening);
    let mut offered = HashSet::new();
    for code in ["", "2", "1", "3", "4", "2"] {
        if !code.is_empty() {
            host.send(&format!("error {code}"));
        }
        host.send(&format!("opponent-move {opening} {position}\n{SHORT}"));
        let mv = host.play("defenders", &mut truth, &position);
        assert!(offered.insert(mv.clone()), "{mv} was refused before");
    }
    // Once one is taken, all of them may be played again.
    host.send("error 5\nerror\nerror x");
    host.silent();
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn where_every_move_was_refused_there_is_still_an_answer() {
    let start = "/1tT4/7/1T5/2K4/7/7/7/";
    let record = format!("dim:7 surf:n ks:w cenh: cenhe: start:{start}");
    let mut truth = truth(&record);
    assert_eq!(truth.legal(start, "attackers"), ["b1-b2"]);
    let mut host = Host::game(&record);
    for _ in 0..3 {
        assert_eq!(host.play("attackers", &mut truth, start), "b1-b2");
        host.send("error 2");
    }
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn a_clock_while_thinking_breaks_nothing() {
    let mut truth = truth(FETLAR);
    let mut host = Host::game(FETLAR);
    host.send("clock 4000 4000 1 2 2 \nplay attackers\nclock 948* 4000 1 1 2 \nclock 0* 4000 1 0 2 \nclock");
    host.a_move("attackers", &mut truth, FETLAR_START);
    host.expect("error 0 clock");
    host.silent();
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn who_says_goodbye_gets_no_move() {
    let mut host = Host::game(FETLAR);
    host.send(&format!("{LONG}\nplay attackers"));
    let rest = host.goodbye();
    assert_eq!(moves(&rest), 0, "{rest:?}");
}

#[test]
fn who_hangs_up_gets_no_move() {
    let mut host = Host::game(FETLAR);
    host.send(&format!("{LONG}\nplay attackers"));
    let rest = host.hang_up();
    assert_eq!(moves(&rest), 0, "{rest:?}");
}

#[test]
fn a_game_that_ends_while_thinking_ends_the_search() {
    let mut truth = truth(BRANDUB);
    for end in [
        "finish 0", "finish 1", "finish 2", "finish 3", "finish", "rules",
    ] {
        let mut host = Host::game(FETLAR);
        let end = match end {
            "rules" => format!("rules {FETLAR}"),
            end => end.to_string(),
        };
        host.send(&format!("{LONG}\nplay attackers\n{end}\n{end}"));
        host.send(&format!("rules {BRANDUB}\n{SHORT}"));
        // A move of the game before would not fit the board of this one.
        host.play("attackers", &mut truth, BRANDUB_START);
        assert_eq!(host.goodbye(), [""; 0], "{end}");
    }
}

#[test]
fn each_play_gets_one_move() {
    let mut truth = truth(FETLAR);
    let mut host = Host::game(FETLAR);
    host.send(LONG);
    for _ in 0..10 {
        host.send("play attackers\nplay attackers");
    }
    host.send(&format!("{SHORT}\nplay attackers"));
    for _ in 0..21 {
        host.a_move("attackers", &mut truth, FETLAR_START);
    }
    host.silent();
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn without_a_clock_a_move_takes_a_modest_time() {
    let mut host = Host::game(FETLAR);
    host.play("attackers", &mut truth(FETLAR), FETLAR_START);
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn overtime_clocks_of_every_kind_get_a_move() {
    let mut truth = truth(BRANDUB);
    for clock in [
        "165 950* 1 2 1 ",
        "950* 165 1 2 1 ",
        "1000* 1000* 1 1 1 ",
        "3* 3* 1 1 1 ",
        "0* 0* 1 0 0 ",
        "0 0 1 2 2 ",
        "-5 -5 1 2 2 ",
        "500 500 0 0 0 ",
        "500 500",
    ] {
        let mut host = Host::game(BRANDUB);
        host.send(&format!("clock {clock}"));
        host.play("attackers", &mut truth, BRANDUB_START);
        assert_eq!(host.goodbye(), [""; 0], "{clock}");
    }
}

#[test]
fn a_loaded_game_comes_with_its_whole_history() {
    let mut truth = truth(BRANDUB);
    let history = ["d1-c1", "d3-c3", "d2-c2", "d4-d3", "c2-d2"];
    let (mut position, mut sides) = (
        BRANDUB_START.to_string(),
        ["attackers", "defenders"].iter().cycle(),
    );
    for mv in history {
        position = truth.after(&position, sides.next().unwrap(), mv);
    }
    assert_eq!(truth.side(), Some(Side::Second));
    // The moves alone lead there.
    for told in [position.as_str(), ""] {
        let mut host = Host::game(BRANDUB);
        host.send(&format!(
            "opponent-move {} {told}\n{SHORT}",
            history.join("|")
        ));
        host.play("defenders", &mut truth, &position);
        assert_eq!(host.goodbye(), [""; 0]);
    }
}

#[test]
fn a_repetition_is_known_from_the_moves() {
    // The king goes home with his next move, unless a position stands there for the third time.
    let start = "/1t1T3/7/5t1/K6/7/7/7/";
    let record = format!("dim:7 tfr:d surf:n ks:w cenh: cenhe: start:{start}");
    let round = ["d1-e1", "f2-g2", "e1-d1", "g2-f2"];
    let history: Vec<&str> = ["f3-f2"]
        .iter()
        .chain(&round)
        .chain(&round[..3])
        .copied()
        .collect();
    let mut host = Host::game(&record);
    host.send(&format!(
        "opponent-move {} /1t1T3/6t/7/K6/7/7/7/\nplay attackers",
        history.join("|")
    ));
    assert_eq!(host.expect("move"), "g2-f2");
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn a_piece_that_captured_moves_on() {
    let start = "/7/3Tt2/7/7/2t4/5K1/7/";
    let after = "/7/2t1t2/7/7/7/5K1/7/";
    let record = format!("dim:7 surf:n ks:w cenh: cenhe: ber:m start:{start}");
    let mut truth = truth(&record);
    let mut host = Host::game(&record);
    host.send(&format!(
        "opponent-move c5-c2 {after}\n{SHORT}\nplay attackers"
    ));
    let first = host.expect("move");
    if truth.knows("7/5K1/7/7/7/2t1t2/7 a:c2") {
        assert!(
            first.starts_with("c2=") || first.starts_with("c2^="),
            "{first}"
        );
    }
    // The host says so once more, and now no other piece is tried.
    host.send(&format!(
        "error 4\nopponent-move c5-c2 {after}\n{SHORT}\nplay attackers"
    ));
    let second = host.expect("move");
    assert_ne!(first, second);
    let (from, _) = second.split_at(2);
    assert_eq!(from, "c2", "{second}");
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn full_records_are_read_as_well() {
    let mut truth = truth(BRANDUB);
    let start = "/3t3/7/7/T5t/3K3/7/7/";
    let after = truth.after(start, "attackers", "g4-b4");
    for record in ["g4-b4", "g4-b4xKd5/e5", "Tg4^=b4++", "Kg4=b4--"] {
        let mut host = Host::game(&format!("dim:7 surf:n ks:w cenh: cenhe: start:{start}"));
        // Without the position after it, the record alone must have been understood.
        host.send(&format!("opponent-move {record}\n{SHORT}"));
        host.play("defenders", &mut truth, &after);
        assert_eq!(host.goodbye(), [""; 0], "{record}");
    }
}

#[test]
fn what_the_host_says_of_a_position_is_the_truth() {
    let mut truth = truth(BRANDUB);
    let other = "/3t3/7/7/T5t/3K3/7/7/";
    for line in [
        format!("opponent-move d1-c1 {other}"),
        format!("opponent-move a1-b7 {other}"),
        format!("opponent-move d1-c1|d3-c3|nonsense {other}"),
        format!("opponent-move what {other}"),
        format!("move {other}"),
        format!("position {other}"),
        format!("position {other}\nside defenders"),
    ] {
        for side in ["attackers", "defenders"] {
            let mut host = Host::game(BRANDUB);
            host.send(&format!("{line}\n{SHORT}"));
            host.silent();
            host.play(side, &mut truth, other);
            assert_eq!(host.goodbye(), [""; 0], "{line}");
        }
    }
}

#[test]
fn moves_are_confirmed_or_not_and_the_game_goes_on() {
    let mut truth = truth(BRANDUB);
    for confirmed in [true, false] {
        let mut host = Host::game(BRANDUB);
        let mut position = BRANDUB_START.to_string();
        for _ in 0..6 {
            host.send(SHORT);
            let ours = host.play("attackers", &mut truth, &position);
            position = truth.after(&position, "attackers", &ours);
            if confirmed {
                host.send(&format!("move {position}"));
            }
            let replies = truth.legal(&position, "defenders");
            let Some(reply) = replies.last() else {
                break;
            };
            position = truth.after(&position, "defenders", reply);
            if truth.legal(&position, "attackers").is_empty() {
                break;
            }
            host.send(&format!("opponent-move {reply} {position}"));
        }
        host.silent();
        assert_eq!(host.goodbye(), [""; 0]);
    }
}

#[test]
fn a_bad_position_is_told_and_survived() {
    let mut truth = truth(BRANDUB);
    let mut host = Host::game(BRANDUB);
    for line in [
        "position /7/7/",
        "position",
        "opponent-move d1-c1 /x6/",
        "move /8/",
    ] {
        host.send(line);
        host.expect("error 0");
        host.send("play attackers");
        host.expect("error 0 play");
    }
    host.send(&format!("position {BRANDUB_START}\n{SHORT}"));
    host.play("attackers", &mut truth, BRANDUB_START);
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn rules_that_can_not_be_played_are_fatal_to_the_game_only() {
    let mut truth = truth(BRANDUB);
    let mut host = Host::new();
    host.send("rules dim:8 start:/8/");
    host.greeting();
    host.expect("error -1 rules");
    host.send("play attackers\nanalyze 1 1\nrules");
    host.expect("error 0 play");
    host.expect("error 0 analyze");
    host.expect("error -1 rules");
    host.send(&format!("rules {BRANDUB}\n{SHORT}"));
    host.play("attackers", &mut truth, BRANDUB_START);
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn whatever_comes_every_question_gets_one_answer() {
    let mut random = fastrand::Rng::with_seed(7);
    let lines = [
        "play attackers",
        "play defenders",
        "play",
        "play both",
        "analyze 2 0.01",
        "analyze 0 0",
        "move /7/7/3T3/ttTKTtt/3T3/3t3/3t3/",
        "move",
        "opponent-move d1-e1 /4t2/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        "opponent-move d3-c3|a4-a5|d5-c5",
        "opponent-move d3-c3|a4-a5",
        "opponent-move |||| /",
        "opponent-move",
        "position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
        "position /7/7/7/7/7/7/7/",
        "position /7/7/7/",
        "side defenders",
        "side",
        "clock 50 50 1 1 1 ",
        "clock 20* 20* 1 1 1 ",
        "clock * * * * *",
        "error 2",
        "error 4",
        "error 5",
        "error -9",
    ];
    let mut host = Host::game(BRANDUB);
    host.send("clock 50 50 1 1 1 ");
    let (mut asked, mut answered) = (0, 0);
    for _ in 0..40 {
        let heap: Vec<&str> = (0..10)
            .map(|_| *random.choice(&lines).expect("there are lines"))
            .collect();
        let asks = |line: &&&str| line.starts_with("play") || line.starts_with("analyze");
        asked += heap.iter().filter(asks).count();
        host.send(&heap.join("\n"));
    }
    loop {
        let line = host.answer();
        match line.split(' ').next().unwrap_or_default() {
            "move" | "analysis" => answered += 1,
            "error" if line.starts_with("error 0 play") || line.starts_with("error 0 analyze") => {
                answered += 1;
            }
            "error" => {}
            _ => host.fail("an answer"),
        }
        if answered == asked {
            break;
        }
    }
    host.send(&format!(
        "position {BRANDUB_START}\n{SHORT}\nplay attackers"
    ));
    while !host.answer().starts_with("move ") {}
    host.silent();
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn two_games_follow_one_another() {
    let mut host = Host::new();
    for (number, (record, start)) in [
        (BRANDUB, BRANDUB_START),
        (FETLAR, FETLAR_START),
        (BRANDUB, BRANDUB_START),
    ]
    .into_iter()
    .enumerate()
    {
        host.send(&format!("rules {record}"));
        if number == 0 {
            host.greeting();
        }
        let mut truth = truth(record);
        host.send(SHORT);
        let mv = host.play("attackers", &mut truth, start);
        let position = truth.after(start, "attackers", &mv);
        host.send(&format!(
            "move {position}\nfinish 0\nfinish 0\nclock 0* 5* 1 0 2 "
        ));
        host.silent();
    }
    assert_eq!(host.goodbye(), [""; 0]);
}

#[test]
fn moves_have_a_dash() {
    assert_eq!(with_dash("a10a11"), "a10-a11");
    assert_eq!(with_dash("d1e1"), "d1-e1");
}
