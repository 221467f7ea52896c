//! How lines are read and answers written, errors, and the end of input at any time.

use super::{Htp, START};
use crate::driver::{A_WHILE, Engine};

#[test]
fn the_first_line_chooses() {
    for line in [
        "list_commands",
        "protocol_version",
        "name",
        "version",
        "board_size 11",
        "show_board",
        "7 final_status",
        "KNOWN_COMMAND play",
        "time_settings un-timed # no clocks",
        "play a d1 d2",
    ] {
        let mut htp = Htp(Engine::new());
        htp.0.send("");
        assert!(htp.ask(line).starts_with('='), "{line}");
        assert_eq!(htp.ask("isready")[..9], *"? unknown", "{line}");
        assert_eq!(htp.finish(), [""; 0]);
    }
    for line in [
        "position startpos",
        "name of nobody",
        "play attackers",
        "hello",
        "12",
    ] {
        let mut engine = Engine::new();
        engine.send(line);
        engine.sync();
        let refused = engine.refuse("list_commands");
        assert!(refused.contains("list_commands"), "{refused}");
    }
    let mut engine = Engine::new();
    engine.send("quit");
    assert_eq!(engine.end(), (vec![], Some(0)));
}

#[test]
fn the_command_line_chooses() {
    let mut htp = Htp::new();
    assert_eq!(
        htp.ask("uci"),
        "? unknown command 'uci', one of those of list_commands expected"
    );
    assert_eq!(htp.finish(), [""; 0]);
    let mut engine = Engine::start(&["--protocol", "uci"]);
    engine.refuse("list_commands");
    let mut engine = Engine::start(&["--protocol", "gtp"]);
    let (lines, code) = engine.end();
    assert_eq!((lines, code), (vec![], Some(2)));
}

#[test]
fn upper_case_means_the_same() {
    let mut htp = Htp::new();
    assert_eq!(htp.get("PLAY_TO A D1"), "b1 c1 d2 d3 d4 d5");
    assert_eq!(htp.get("Play Attacker D11 d9"), "");
    assert_eq!(htp.get("play D E7 E9"), "");
    assert_eq!(htp.get("play ATTACKER F10 F9"), "e9");
    assert_eq!(htp.get("TIME_SETTINGS Fischer 1 0"), "");
}

#[test]
fn numbers_are_echoed() {
    let mut htp = Htp::new();
    assert_eq!(htp.ask("12 name"), "=12 Huscarl");
    assert_eq!(htp.ask("0 play a d1 d2"), "=0 ");
    assert_eq!(
        htp.ask("007 show_board_open_tafl"),
        format!("=007 {}", START.replacen("3ttttt3/5t5", "4tttt3/3t1t5", 1))
    );
    assert_eq!(
        htp.ask("99999999999999999999 final_status"),
        "=99999999999999999999 ongoing"
    );
    assert!(htp.ask("3 list_commands").starts_with("=3 \nboard_size\n"));
    assert!(htp.ask("4 play a d1 d2").starts_with("?4 play: "));
    assert!(htp.ask("5").starts_with("?5 unknown command ''"));
    assert!(htp.ask("6 6 name").starts_with("?6 unknown command '6'"));
    assert!(htp.ask("-1 name").starts_with("? unknown command '-1'"));
}

/// Lines that mean nothing get no answer, and what is around a command does not matter.
#[test]
fn comments_blanks_and_control_characters() {
    let mut htp = Htp::new();
    htp.0.raw(b"\n   \n\t\n# a comment\n   # name\r\n\x07\n");
    assert_eq!(htp.ask("name# of the engine"), "= Huscarl");
    assert_eq!(htp.ask("  \tname\t # name"), "= Huscarl");
    assert_eq!(htp.ask("na\x07me\x01"), "= Huscarl");
    assert_eq!(htp.ask("name\r"), "= Huscarl");
    assert_eq!(htp.ask("1\tplay\ta   d1 \t d2  "), "=1 ");
    htp.0.raw(b"name \xff\xfe\n");
    assert!(htp.answer().starts_with("? name: '"));
    htp.0.raw(format!("{}\n", "x".repeat(100_000)).as_bytes());
    assert!(htp.answer().starts_with("? unknown command 'xxx"));
    htp.0.raw(b"version");
    assert_eq!(
        htp.finish(),
        [format!("= {}", env!("CARGO_PKG_VERSION")), String::new()],
        "the last line need not be ended"
    );
}

#[test]
fn lines_together_and_in_pieces() {
    let mut htp = Htp::new();
    htp.0
        .send("1 name\n# nothing\n\n2 play a d1 d2\r\n3 play d f4 g4\n4 bad\n5 final_status");
    for expected in ["=1 Huscarl", "=2 ", "=3 "] {
        assert_eq!(htp.answer(), expected);
    }
    assert!(htp.answer().starts_with("?4 "));
    assert_eq!(htp.answer(), "=5 ongoing");
    for piece in ["6 pl", "ay_", "to a d", "2", "\n7 na", "me", "\n"] {
        htp.0.raw(piece.as_bytes());
        std::thread::sleep(A_WHILE / 20);
    }
    assert_eq!(htp.answer(), "=6 a2 b2 c2 d1 d3 d4 d5 e2");
    assert_eq!(htp.answer(), "=7 Huscarl");
    assert_eq!(htp.finish(), [""; 0]);
}

#[test]
fn errors_name_what_was_wrong() {
    let mut htp = Htp::new();
    let unknown = "one of those of list_commands expected";
    for (line, expected) in [
        ("genmove", &*format!("unknown command 'genmove', {unknown}")),
        ("name x", "name: 'x', nothing expected"),
        ("quit now", "quit: 'now', nothing expected"),
        ("generate_move a", "generate_move: 'a', nothing expected"),
        ("known_command", "known_command: '', COMMAND expected"),
        ("board_size", "board_size: '', SIZE expected"),
        ("board_size 7", "board_size: '7', 11 or 13 expected"),
        ("board_size -11", "board_size: '-11', 11 or 13 expected"),
        (
            "board_size eleven",
            "board_size: 'eleven', 11 or 13 expected",
        ),
        ("first_move", "first_move: '', ROLE expected"),
        (
            "first_move x",
            "first_move: 'x', attacker or defender expected",
        ),
        (
            "first_move attackers",
            "first_move: 'attackers', attacker or defender expected",
        ),
        ("play", "play: '', ROLE FROM TO | ROLE resign expected"),
        (
            "play a d1 d2 d3",
            "play: 'a d1 d2 d3', ROLE FROM TO | ROLE resign expected",
        ),
        ("play a d1", "play: 'd1', FROM TO or resign expected"),
        ("play x d1 d2", "play: 'x', attacker or defender expected"),
        (
            "play d f4 g4",
            "play: 'defender', attacker expected, whose turn it is",
        ),
        (
            "play d resign",
            "play: 'defender', attacker expected, whose turn it is",
        ),
        (
            "play a d1 l1",
            "play: 'l1', a square from a1 to k11 expected",
        ),
        (
            "play a d0 d1",
            "play: 'd0', a square from a1 to k11 expected",
        ),
        ("play_to a", "play_to: 'a', ROLE FROM expected"),
        (
            "play_to d f4",
            "play_to: 'defender', attacker expected, whose turn it is",
        ),
        (
            "play_to a z1",
            "play_to: 'z1', a square from a1 to k11 expected",
        ),
        (
            "play_to a f1",
            "play_to: 'f1', one of the squares of play_from expected",
        ),
        (
            "play_to a f6",
            "play_to: 'f6', one of the squares of play_from expected",
        ),
        ("play_undo", "play_undo: no move has been made"),
        (
            "time_settings",
            "time_settings: '', un-timed | fischer MINUTES ADD_SECONDS expected",
        ),
        (
            "time_settings fischer 1",
            "time_settings: 'fischer 1', un-timed | fischer MINUTES ADD_SECONDS expected",
        ),
        (
            "time_settings un-timed 1",
            "time_settings: 'un-timed 1', un-timed | fischer MINUTES ADD_SECONDS expected",
        ),
        (
            "time_settings fischer -1 0",
            "time_settings: '-1', a whole number from 0 expected",
        ),
        (
            "time_settings fischer 1 0.5",
            "time_settings: '0.5', a whole number from 0 expected",
        ),
        (
            "time_settings fischer 99999999999 0",
            "time_settings: '99999999999', a whole number from 0 expected",
        ),
    ] {
        assert_eq!(htp.ask(line), format!("? {expected}"), "{line}");
    }
    // Moves that are none: blocked, not straight, on the throne's or a corner's square, nobody's, the other's.
    for mv in ["d1 d1", "d1 f1", "d1 c2", "d1 a1", "e3 e4", "f4 g4"] {
        let answer = htp.ask(&format!("play a {mv}"));
        assert!(answer.starts_with("? play: "), "{mv}: {answer}");
    }
    assert_eq!(
        htp.get("show_board_open_tafl"),
        START,
        "nothing has changed"
    );
    assert_eq!(htp.get("final_status"), "ongoing");
}

/// `quit` and the end of input while the engine thinks: everything that was asked is answered, then it ends.
#[test]
fn the_end_while_thinking() {
    let mut htp = Htp::new();
    htp.0.send("1 time_settings fischer 60 0\n2 generate_move");
    assert_eq!(htp.answer(), "=1 ");
    htp.0.no_bestmove_for(A_WHILE);
    htp.0
        .send("3 name\n4 generate_move\n5 final_status\n6 quit\n7 name");
    assert!(htp.answer().starts_with("=2 play attacker "));
    assert_eq!(htp.answer(), "=3 Huscarl");
    assert!(htp.answer().starts_with("=4 play defender "));
    assert_eq!(htp.answer(), "=5 ongoing");
    assert_eq!(htp.answer(), "=6 ");
    assert_eq!(htp.0.end(), (vec![], Some(0)));
    assert_eq!(htp.0.stderr(), "");

    let mut htp = Htp::new();
    htp.0
        .send("time_settings fischer 60 0\ngenerate_move\nplay_undo\nshow_board_open_tafl");
    assert_eq!(htp.answer(), "= ");
    let lines = htp.finish();
    assert!(lines[0].starts_with("= play attacker "), "{lines:?}");
    assert_eq!(lines[1..], ["", "= ", "", &format!("= {START}"), ""]);
}

#[test]
fn quit_is_answered() {
    for (line, expected) in [("quit", "= "), ("12 QUIT # good night", "=12 ")] {
        let mut htp = Htp::new();
        htp.0.send(line);
        assert_eq!(
            htp.0.end(),
            (vec![expected.to_string(), String::new()], Some(0))
        );
        assert_eq!(htp.0.stderr(), "");
    }
    let mut htp = Htp::new();
    assert_eq!(htp.finish(), [""; 0], "nothing asked, nothing answered");
}
