//! The dialect `htp` from outside: every command and its errors, the form of lines and answers, the rules that the servers
//! add to Copenhagen, whole games, and the end of input at any time.

mod driver;

use driver::*;
use std::collections::BTreeMap;

const START: &str = "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/";

const COMMANDS: [&str; 17] = [
    "board_size",
    "final_status",
    "first_move",
    "generate_move",
    "known_command",
    "list_commands",
    "name",
    "play",
    "play_from",
    "play_to",
    "play_undo",
    "protocol_version",
    "quit",
    "show_board",
    "show_board_open_tafl",
    "time_settings",
    "version",
];

fn words(text: &str) -> Vec<&str> {
    text.split_ascii_whitespace().collect()
}

/// An engine that speaks htp.
struct Htp(Engine);

impl Htp {
    fn new() -> Htp {
        Htp(Engine::start(&["--protocol", "htp"]))
    }

    /// The next answer: its lines up to the empty one.
    fn answer(&mut self) -> String {
        let mut lines: Vec<String> = Vec::new();
        loop {
            match self.0.try_line(PATIENCE) {
                Ok(Some(line)) if line.text.is_empty() => break,
                Ok(Some(line)) => lines.push(line.text),
                Ok(None) => self.0.fail("no answer in time"),
                Err(()) => self.0.fail("the output ended in an answer"),
            }
        }
        self.0.check(
            lines
                .first()
                .is_some_and(|line| line.starts_with(['=', '?'])),
            "an answer begins with = or ?",
        );
        lines.join("\n")
    }

    fn ask(&mut self, line: &str) -> String {
        self.0.send(line);
        self.answer()
    }

    /// What follows `= ` in the answer to a line that is in order.
    fn get(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        match answer.strip_prefix("= ") {
            Some(text) => text.to_string(),
            None => self.0.fail(&format!("`{line}` is in order")),
        }
    }

    fn play(&mut self, moves: &[&str]) {
        for mv in moves {
            assert_eq!(self.get(&format!("play {mv}")), "", "{mv}");
        }
    }

    /// Role, from and to of a move that the engine makes.
    fn generate(&mut self) -> [String; 3] {
        let answer = self.get("generate_move");
        let words: Vec<String> = words(&answer).into_iter().map(String::from).collect();
        match <[String; 4]>::try_from(words) {
            Ok([play, role, from, to]) if play == "play" => [role, from, to],
            _ => self.0.fail("play ROLE FROM TO"),
        }
    }

    /// Ends the input: what was still said, and that nothing went to stderr.
    fn finish(&mut self) -> Vec<String> {
        let lines = self.0.finish();
        assert_eq!(self.0.stderr(), "");
        lines
    }
}

/// The squares that are not empty, from an OpenTafl position text.
fn pieces(text: &str) -> BTreeMap<String, char> {
    let rows: Vec<&str> = text.trim_matches('/').split('/').collect();
    let mut pieces = BTreeMap::new();
    for (rank, row) in (1..).zip(&rows) {
        let (mut file, mut empty) = (0, 0);
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                empty = 10 * empty + digit as u8;
            } else {
                file += std::mem::take(&mut empty);
                pieces.insert(format!("{}{rank}", char::from(b'a' + file)), letter);
                file += 1;
            }
        }
        assert_eq!(usize::from(file + empty), rows.len(), "{text}");
    }
    pieces
}

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
    for line in ["isready", "name of nobody", "play attackers", "hello", "12"] {
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

#[test]
fn the_larger_board() {
    let mut htp = Htp::new();
    let answer = htp.ask("board_size 13");
    if answer != "= " {
        // An engine whose rules have no board of this size says so, and the game goes on.
        assert_eq!(answer, "? board_size: no board of size 13");
        assert_eq!(htp.get("show_board_open_tafl"), START);
        return;
    }
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

/// The defenders may not repeat a position, the start included; the attackers may.
#[test]
fn repetition() {
    let mut htp = Htp::new();
    htp.play(&["a d1 d2", "d f4 g4", "a d2 d1"]);
    assert_eq!(
        htp.ask("play d g4 f4"),
        "? play: the position has stood before, the defenders may not repeat it"
    );
    let to = htp.get("play_to d g4");
    assert!(!words(&to).contains(&"f4"), "{to}");
    assert!(words(&to).contains(&"h4"), "{to}");
    assert_eq!(htp.get("final_status"), "ongoing");
    assert_eq!(htp.get("board_size 11"), "");
    htp.play(&["a d1 d2", "d f4 g4", "a h1 h2", "d g4 f4"]);
    let to = htp.get("play_to a h2");
    assert!(words(&to).contains(&"h1"), "{to}");
    htp.play(&["a h2 h1"]);
    assert_eq!(htp.get("final_status"), "ongoing");
    let to = htp.get("play_to d f4");
    assert!(!words(&to).contains(&"g4"), "{to}");
    assert!(words(&to).contains(&"h4"), "{to}");
    // The engine knows it, too.
    assert_eq!(htp.get("time_settings fischer 0 0"), "");
    let [role, from, to] = htp.generate();
    assert_eq!(role, "defender");
    assert_ne!([from, to], ["f4", "g4"]);
}

/// Without a result a game is drawn after 132 moves. The attackers' men at the corners go through 81 different patterns, so that the
/// defenders may go to and fro.
#[test]
fn a_long_game_is_drawn() {
    let mut men = ["d1", "h1", "d11", "h11"].map(String::from);
    let mut steps = [0i32; 4];
    let mut directions = [1i32; 4];
    let mut htp = Htp::new();
    for ply in 0..132 {
        assert_eq!(htp.get("final_status"), "ongoing", "after {ply} moves");
        let mv = if ply % 2 == 0 {
            // The first man that can go on in his direction does; those before him turn.
            let moved = (0..4)
                .find(|&man| {
                    let goes = (0..3).contains(&(steps[man] + directions[man]));
                    if !goes {
                        directions[man] = -directions[man];
                    }
                    goes
                })
                .expect("81 patterns are enough");
            steps[moved] += directions[moved];
            let home = if men[moved].ends_with("11") {
                ["d11", "h11"]
            } else {
                ["d1", "h1"]
            };
            let (home, toward) = match moved % 2 {
                0 => (home[0], -1),
                _ => (home[1], 1),
            };
            let file = i32::from(home.as_bytes()[0]) + toward * steps[moved];
            let to = format!("{}{}", char::from(file as u8), &home[1..]);
            let from = std::mem::replace(&mut men[moved], to.clone());
            format!("a {from} {to}")
        } else {
            ["d f4 g4", "d g4 f4"][ply / 2 % 2].to_string()
        };
        assert_eq!(htp.get(&format!("play {mv}")), "", "move {}", ply + 1);
    }
    assert_eq!(htp.get("final_status"), "draw");
    assert_eq!(
        htp.ask("generate_move"),
        "? generate_move: the game is over (draw)"
    );
    assert_eq!(htp.ask("play a d1 d2"), "? play: the game is over (draw)");
    assert_eq!(htp.get("play_undo"), "");
    assert_eq!(htp.get("final_status"), "ongoing");
    assert_eq!(htp.get("time_settings fischer 0 0"), "");
    assert_eq!(htp.generate()[0], "defender");
    assert_ne!(htp.get("final_status"), "ongoing");
}

/// The engine plays both sides to the end, by clocks that have run out. A second one is told the moves: all of them are
/// legal there, and captures and boards agree with what the rules of moving and taking off make of them.
#[test]
fn a_whole_game() {
    let (mut htp, mut told) = (Htp::new(), Htp::new());
    assert_eq!(htp.get("time_settings fischer 0 0"), "");
    let mut board = pieces(START);
    let mut plies = 0;
    while htp.get("final_status") == "ongoing" {
        assert!(plies < 132, "the game ends");
        let [role, from, to] = htp.generate();
        assert_eq!(role, ["attacker", "defender"][plies % 2]);
        let from_squares = told.get("play_from");
        assert!(words(&from_squares).contains(&from.as_str()), "{from}");
        let to_squares = told.get(&format!("play_to {role} {from}"));
        assert!(words(&to_squares).contains(&to.as_str()), "{from} {to}");
        let captured = told.get(&format!("play {role} {from} {to}"));
        let piece = board.remove(&from).expect("a piece moves");
        assert_eq!(piece == 't', role == "attacker");
        assert_eq!(board.insert(to, piece), None);
        for square in words(&captured) {
            let taken = board.remove(square).expect("a piece is taken");
            assert_ne!(taken == 't', role == "attacker", "an enemy");
        }
        let text = told.get("show_board_open_tafl");
        assert_eq!(pieces(&text), board);
        assert_eq!(htp.get("show_board_open_tafl"), text);
        plies += 1;
    }
    let status = htp.get("final_status");
    assert!(
        ["attacker_wins", "defender_wins", "draw"].contains(&status.as_str()),
        "{status}"
    );
    assert_eq!(told.get("final_status"), status);
    assert_eq!(
        htp.ask("generate_move"),
        format!("? generate_move: the game is over ({status})")
    );
    assert_eq!(htp.get("play_undo"), "");
    assert_eq!(htp.get("final_status"), "ongoing");
    assert_eq!(htp.finish(), [""; 0]);
    assert_eq!(told.finish(), [""; 0]);
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
