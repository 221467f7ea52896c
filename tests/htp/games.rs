//! Whole games, and the rules that the servers add to Copenhagen.

use super::{Htp, START, pieces, words};

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
