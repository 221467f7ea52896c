//! Every command, and what it does to the game.

use super::{COMMANDS, Htp, START, pieces, words};

#[test]
fn what_it_is() {
    let mut htp = Htp::new();
    assert_eq!(htp.get("name"), "Huscarl");
    assert_eq!(htp.get("version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(htp.get("protocol_version"), "1-beta");
    assert_eq!(
        htp.get("list_commands"),
        format!("\n{}", COMMANDS.join("\n"))
    );
    for name in COMMANDS {
        assert_eq!(htp.get(&format!("known_command {name}")), "true", "{name}");
    }
    for name in ["genmove", "uci", "12", "play_"] {
        assert_eq!(htp.get(&format!("known_command {name}")), "false", "{name}");
    }
}

#[test]
fn the_board() {
    let mut htp = Htp::new();
    assert_eq!(htp.get("show_board_open_tafl"), START);
    let drawing = htp.get("show_board");
    let lines: Vec<&str> = drawing.split('\n').collect();
    assert_eq!(lines.len(), 13, "{drawing}");
    assert_eq!(lines[0], "");
    assert_eq!(words(lines[1]).concat(), "11...ttttt...");
    assert_eq!(words(lines[6]).concat(), "6tt.TTKTT.tt");
    assert_eq!(words(lines[12]).concat(), "abcdefghijk");
    htp.play(&["a d1 d3", "d f8 f9"]);
    assert_eq!(
        htp.get("show_board_open_tafl"),
        "/4tttt3/5t5/3t7/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t9t/5T5/5t5/3ttttt3/",
        "rank 1 first"
    );
    assert_eq!(htp.get("board_size 11"), "");
    assert_eq!(htp.get("show_board_open_tafl"), START);
}

#[test]
fn moves_are_listed_and_played() {
    let mut htp = Htp::new();
    assert_eq!(
        htp.get("play_from"),
        "attacker a4 a5 a7 a8 b6 d1 d11 e1 e11 f2 f10 g1 g11 h1 h11 j6 k4 k5 k7 k8"
    );
    assert_eq!(htp.get("play_to attacker d1"), "b1 c1 d2 d3 d4 d5");
    assert_eq!(htp.get("play attacker d11 d9"), "");
    assert_eq!(htp.get("play_from"), "defender d6 e5 e7 f4 f8 g5 g7 h6");
    assert_eq!(htp.get("play_to d e7"), "b7 c7 d7 e8 e9 e10");
    assert_eq!(htp.get("play d e7 e9"), "");
    assert_eq!(htp.get("play a f10 f9"), "e9", "what is captured is told");
    assert_eq!(htp.get("final_status"), "ongoing");
    // A move between two enemies is safe, and tells nothing.
    assert!(!pieces(&htp.get("show_board_open_tafl")).contains_key("e9"));
}

#[test]
fn the_larger_board() {
    let mut htp = Htp::new();
    assert_eq!(htp.get("board_size 13"), "");
    let text = htp.get("show_board_open_tafl");
    let men = |letter| pieces(&text).values().filter(|&&l| l == letter).count();
    assert_eq!((men('t'), men('T'), men('K')), (32, 16, 1));
    assert_eq!(htp.get("play_to a d13"), "b13 c13 d8 d9 d10 d11 d12");
    assert_eq!(htp.get("time_settings fischer 0 0"), "");
    assert_eq!(htp.generate()[0], "attacker");
    assert_eq!(htp.generate()[0], "defender");
    assert_eq!(htp.get("board_size 11"), "");
    assert_eq!(htp.get("show_board_open_tafl"), START);
}

#[test]
fn who_moves_first() {
    let mut htp = Htp::new();
    assert_eq!(htp.get("first_move defender"), "");
    assert!(htp.get("play_from").starts_with("defender "));
    assert_eq!(htp.get("first_move a"), "");
    assert!(htp.get("play_from").starts_with("attacker "));
    assert_eq!(htp.get("first_move d"), "");
    htp.play(&["d f4 g4"]);
    let began = "? first_move: the game has begun, it can be chosen only before the first move";
    assert_eq!(htp.ask("first_move a"), began);
    htp.play(&["a d1 d2"]);
    // A move taken back leaves the choice in force.
    assert_eq!(htp.get("play_undo"), "");
    assert_eq!(htp.get("play_undo"), "");
    assert!(htp.get("play_from").starts_with("defender "));
    assert_eq!(htp.get("first_move a"), "");
    assert_eq!(htp.get("first_move d"), "");
    // A new game begins with the attackers.
    assert_eq!(htp.get("board_size 11"), "");
    assert!(htp.get("play_from").starts_with("attacker "));
}

#[test]
fn moves_are_taken_back() {
    let mut htp = Htp::new();
    let moves = ["a d11 d9", "d e7 e9", "a f10 f9", "d g7 g9"];
    let mut boards = vec![htp.get("show_board_open_tafl")];
    for mv in moves {
        htp.get(&format!("play {mv}"));
        boards.push(htp.get("show_board_open_tafl"));
    }
    for board in boards.iter().rev().skip(1) {
        assert_eq!(htp.get("play_undo"), "");
        assert_eq!(&htp.get("show_board_open_tafl"), board);
    }
    assert_eq!(htp.ask("play_undo"), "? play_undo: no move has been made");
    // What has been taken back has not stood on the board.
    for mv in moves {
        assert!(htp.ask(&format!("play {mv}")).starts_with("= "), "{mv}");
    }
    assert_eq!(htp.get("show_board_open_tafl"), boards[4]);
}

#[test]
fn resignation() {
    for (moves, role, status) in [
        (&[][..], "a", "defender_wins"),
        (&["a d1 d2"], "defender", "attacker_wins"),
    ] {
        let mut htp = Htp::new();
        htp.play(moves);
        assert_eq!(htp.get(&format!("play {role} resign")), "");
        assert_eq!(htp.get("final_status"), status);
        for line in [
            "generate_move",
            "play_from",
            "play_to a d1",
            "play a d1 d2",
            "play d f4 g4",
            "play a resign",
        ] {
            let name = words(line)[0];
            let expected = format!("? {name}: the game is over ({status})");
            assert_eq!(htp.ask(line), expected, "{line}");
        }
        assert!(
            htp.ask("first_move a")
                .starts_with("? first_move: the game has begun")
        );
        assert_eq!(htp.get("play_undo"), "");
        assert_eq!(htp.get("final_status"), "ongoing");
        assert_eq!(
            htp.get(&format!("play {role} resigns")),
            "",
            "the older word"
        );
        assert_eq!(htp.get("final_status"), status);
        assert_eq!(htp.get("board_size 11"), "");
        assert_eq!(htp.get("final_status"), "ongoing");
    }
}

#[test]
fn time_settings() {
    let mut htp = Htp::new();
    htp.play(&["a d1 d2"]);
    for settings in [
        "fischer 0 0",
        "fischer 4294967295 4294967295",
        "un-timed",
        "fischer 0 1",
    ] {
        assert_eq!(
            htp.get(&format!("time_settings {settings}")),
            "",
            "{settings}"
        );
    }
    assert!(
        htp.get("play_from").starts_with("defender "),
        "the game goes on"
    );
    assert_eq!(htp.get("time_settings un-timed"), "");
    assert_eq!(
        htp.generate()[0],
        "defender",
        "without a clock a move comes, too"
    );
    // The clock of an hour is not used up: the move comes as soon as nobody waits for a better one.
    assert_eq!(htp.get("time_settings fischer 60 60"), "");
    htp.0.send("1 generate_move\n2 quit");
    assert!(htp.answer().starts_with("=1 play attacker "));
    assert_eq!(htp.answer(), "=2 ");
    assert_eq!(htp.0.end(), (vec![], Some(0)));
}
