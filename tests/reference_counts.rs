//! The reference against the facts: the counts and cases in `positions/`, the start tables of §6 of the rules, and what
//! those leave out (reading, limits, the fixed opponents).

mod reference;

use reference::{
    Game, Outcome, Position, RandomMover, VARIANTS, Winner, Yardstick, largest_gain, perft,
};

/// Counts above this are left out of depth 3, to keep the test short.
const LARGEST_D3: u64 = 1_000_000;

fn read_positions(file: &str) -> String {
    let path = format!("{}/tests/positions/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The lines of an epd file: position and counts by depth.
fn epd(variant: &str) -> Vec<(String, Vec<(u32, u64)>)> {
    let text = read_positions(&format!("{variant}.epd"));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines
        .map(|line| {
            let mut parts = line.split(';');
            let position = parts.next().expect("a position").trim().to_string();
            let counts = parts.map(|part| {
                let (depth, count) = part.trim().split_once(' ').expect("depth and count");
                let depth = depth.strip_prefix('D').expect("D and a depth");
                (depth.parse().unwrap(), count.parse().unwrap())
            });
            (position, counts.collect())
        })
        .collect();
    assert!(!lines.is_empty());
    lines
}

fn check_epd(variant: &str) {
    for (text, counts) in epd(variant) {
        let position = Position::parse(variant, &text).expect(&text);
        assert_eq!(position.text(), text);
        assert!(counts.len() >= 2);
        for (depth, count) in counts {
            if depth <= 2 || count <= LARGEST_D3 {
                assert_eq!(perft(&position, depth), count, "{variant} {text} D{depth}");
            }
        }
        let moves = position.legal_moves();
        assert_eq!(moves.len() as u64, perft(&position, 1), "one text a move");
        assert!(moves.windows(2).all(|pair| pair[0] < pair[1]));
        let over = position.board_result().is_some();
        assert_eq!(moves.is_empty(), over, "{variant} {text}");
    }
}

#[test]
fn thud_counts() {
    check_epd("thud");
}

#[test]
fn thud_rulebook_counts() {
    check_epd("thud-rulebook");
}

#[test]
fn tafl_counts() {
    check_epd("tawlbwrdd");
    check_epd("tawlbwrdd-bell");
    check_epd("hnefatafl7");
}

#[test]
fn start_counts() {
    let table: [(&str, &[u64]); 5] = [
        ("thud", &[656, 22_624]),
        ("thud-rulebook", &[656, 22_624]),
        ("tawlbwrdd", &[124, 7_276, 920_688]),
        ("tawlbwrdd-bell", &[136, 7_620, 1_042_016]),
        ("hnefatafl7", &[40, 960, 39_512, 1_007_392]),
    ];
    for (variant, counts) in table {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&Position::start(variant), depth), count, "{variant}");
        }
    }
}

#[test]
fn crowded_counts() {
    let first = "*****d4*****/****d6****/***d8***/**d10**/*d12*/5d7Td/d6T7/7*d4d1/7ddd3d1/\
                 1TTTTTT6d1/*9d2d*/**11**/***9***/****7****/*****1ddd1*****";
    let second = "*****dd1d1*****/****7****/***8d***/**10d**/*2T10*/dd13/d6TT5d/1d5*T6/dd4TT6d/\
                  dd6d6/*d11d*/**d9d**/***d7d***/****d5d****/*****dd2d***** t 0 1";
    let table: [(&str, String, &[u64]); 6] = [
        ("thud", format!("{first} d"), &[380, 32_808]),
        ("thud-rulebook", format!("{first} d"), &[380, 33_711]),
        ("thud", format!("{first} t"), &[88, 33_088]),
        ("thud-rulebook", format!("{first} t"), &[90, 33_791]),
        ("thud", second.to_string(), &[40, 20_141, 859_622]),
        ("thud-rulebook", second.to_string(), &[40, 20_141, 872_681]),
    ];
    for (variant, text, counts) in table {
        let position = Position::parse(variant, &text).expect(&text);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{variant} {text}");
        }
    }
}

/// A result in the words of `cases.md`.
fn in_words(outcome: Option<Outcome>) -> String {
    outcome.map_or("not over".to_string(), |outcome| outcome.in_words())
}

fn check_case(variant: &str, text: &str, mv: &str, expected: &str) {
    let position = Position::parse(variant, text).expect(text);
    assert_eq!(position.text(), text);
    let mut game = Game::new(position.clone());
    let what_happens = match game.play(mv) {
        Ok(captured) if captured.is_empty() => {
            format!("captures none; {}", in_words(game.result()))
        }
        Ok(captured) => {
            let captured = captured.join(" ");
            format!("captures {captured}; {}", in_words(game.result()))
        }
        Err(_) => "illegal".to_string(),
    };
    assert_eq!(what_happens, expected, "{variant} {text} {mv}");
    let played = position.play(mv);
    assert_eq!(played.is_none(), expected == "illegal");
    if let Some((next, _)) = played {
        assert_eq!(&next, game.position());
        assert_eq!(next.board_result(), game.result());
    }
}

#[test]
fn cases() {
    let text = read_positions("cases.md");
    let mut rows = 0;
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim()).collect();
        if cells.len() < 6 || !VARIANTS.contains(&cells[1]) {
            continue;
        }
        let (position, mv) = (cells[2].trim_matches('`'), cells[3].trim_matches('`'));
        check_case(cells[1], position, mv, cells[4]);
        if cells[1] == "tawlbwrdd" {
            check_case("tawlbwrdd-bell", position, mv, cells[4]);
        }
        rows += 1;
    }
    let table_lines = text.lines().filter(|line| line.starts_with('|'));
    assert_eq!(rows, table_lines.count() - 2, "all but the table's head");
}

#[test]
fn reading_is_strict() {
    let thud = "*****dd1dd*****/****d5d****/***d7d***/**d9d**/*d11d*/d13d/d5TTT5d/6T*T6/d5TTT5d/\
                d13d/*d11d*/**d9d**/***d7d***/****d5d****/*****dd1dd*****";
    let bad = [
        ("hnefatafl7", "", "ROWS"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7", "SIDE"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 t", "SIDE"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 A", "SIDE"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 a -1", "QUIET"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 a 01", "QUIET"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 a +1", "QUIET"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 a 0 0", "MOVE"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7 a 0 1 x", "four"),
        ("hnefatafl7", "7/7/7/3K3/7/7 a", "rows"),
        ("hnefatafl7", "7/7/7/3K3/7/7/7/7 a", "rows"),
        ("hnefatafl7", "7/7/7/3K3/7/8/7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7/6/7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7/07/7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7//7 a", "row 6"),
        (
            "hnefatafl7",
            "7/7/7/3K3/7/99999999999999999999999/7 a",
            "row 6",
        ),
        ("hnefatafl7", "7/7/7/3K3/7/6d/7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7/6./7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7/6é/7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7/6*/7 a", "row 6"),
        ("hnefatafl7", "7/7/7/3K3/7/6K/7 a", "king"),
        ("hnefatafl7", "7/7/7/3t3/7/7/7 a", "row 4"),
        ("hnefatafl7", "7/7/7/7/7/7/T6 a", "row 7"),
        ("hnefatafl7", "6t/7/7/7/7/7/7 a", "row 1"),
        ("tawlbwrdd", "11/11/11/11/11/5T5/11/11/11/11/11 a", "row 6"),
        ("chess", "8/8/8/8/8/8/8/8 w", "chess"),
    ];
    for (variant, text, word) in bad {
        let why = Position::parse(variant, text).expect_err(text);
        assert!(why.contains(word), "{text}: {why}");
    }
    let change = |from: &str, to: &str| {
        let text = format!("{} d", thud.replacen(from, to, 1));
        Position::parse("thud", &text)
    };
    assert!(change("", "").is_ok());
    assert!(change("*****dd1dd*****", "*****dd*dd*****").is_err()); // an extra hole
    assert!(change("*****dd1dd*****", "1****dd1dd*****").is_err()); // a missing one
    assert!(change("*****dd1dd*****", "d****dd1dd*****").is_err()); // a dwarf on one
    assert!(change("6T*T6", "6TTT6").is_err());
    assert!(change("6T*T6", "6TKT6").is_err());
    // What may be left out, and positions that are strange but can be read.
    let read = |text: &str| Position::parse("hnefatafl7", text).expect(text).text();
    assert_eq!(read("7/7/7/3K3/7/7/7 d"), "7/7/7/3K3/7/7/7 d 0 1");
    assert_eq!(read("7/7/7/3K3/7/7/7 d 7"), "7/7/7/3K3/7/7/7 d 7 1");
    assert_eq!(read("7/7/7/7/7/7/7 d"), "7/7/7/7/7/7/7 d 0 1");
    assert_eq!(read("K6/7/7/7/7/7/7 a 3 9"), "K6/7/7/7/7/7/7 a 3 9");
    assert!(Position::parse("tawlbwrdd", "t10/11/11/11/11/11/11/11/11/11/K9T a").is_ok());
}

#[test]
fn results_of_positions_as_read() {
    let result = |variant: &str, text: &str| {
        let position = Position::parse(variant, text).expect(text);
        assert_eq!(
            position.legal_moves().is_empty(),
            position.board_result().is_some()
        );
        in_words(Game::new(position).result())
    };
    let corner = "player 2 wins (king-escaped)";
    assert_eq!(result("hnefatafl7", "K6/7/7/7/7/7/1t5 a"), corner);
    assert_eq!(result("hnefatafl7", "K6/7/7/7/7/7/1t5 d"), corner);
    let no_king = "player 1 wins (king-captured)";
    assert_eq!(result("hnefatafl7", "7/7/7/7/7/7/1T5 d"), no_king);
    assert_eq!(
        result("hnefatafl7", "3t3/7/3t3/2tKt2/3t3/7/7 a"),
        "not over"
    );
    assert_eq!(
        result("hnefatafl7", "7/7/7/7/3K3/1T5/1tT4 a"),
        "player 2 wins (no-moves)"
    );
    let nobody = "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/15/*13*/**11**/***9***/\
                  ****7****/*****4d***** t 500 9";
    let scored = "player 1 wins (no-moves), dwarfs 1, trolls 0, margin 1";
    assert_eq!(result("thud", nobody), scored);
}

fn play_all(game: &mut Game, moves: &str) {
    for mv in moves.split(' ') {
        assert!(game.result().is_none());
        game.play(mv).expect(mv);
    }
}

#[test]
fn repetition_and_quiet_limits() {
    let round = "d2c2 d3c3 c2d2 c3d3";
    let start = Position::parse("hnefatafl7", "7/7/7/3K3/7/3T3/3t3 a").expect("a position");
    let round_for_it = "d1c1 d2c2 c1d1 c2d2";
    let mut game = Game::new(start.clone());
    play_all(&mut game, round_for_it);
    assert_eq!(game.occurrences(), 2);
    play_all(&mut game, round_for_it);
    assert_eq!(in_words(game.result()), "draw (repetition)");
    assert!(game.play("d1c1").is_err());
    assert!(!game.position().legal_moves().is_empty());
    assert_eq!(game.position().quiet(), 8);
    assert_eq!(game.position().move_number(), 5);
    let mut game = Game::with_limits(start.clone(), 0, 0);
    play_all(&mut game, &[round_for_it; 3].join(" "));
    assert!(game.result().is_none());
    let mut game = Game::with_limits(start, 2, 4);
    play_all(&mut game, round_for_it);
    assert_eq!(in_words(game.result()), "draw (repetition)"); // named before the quiet limit

    let text = "11/11/11/11/11/11/11/11/3T3K3/3t7/11 a";
    let mut game = Game::new(Position::parse("tawlbwrdd", text).expect(text));
    play_all(&mut game, round);
    assert_eq!(in_words(game.result()), "draw (repetition)");

    let text = "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/1T13/15/*13*/**11**/***9***/\
                ****7****/*****d3d***** d 198 1";
    let position = Position::parse("thud", text).expect(text);
    let mut game = Game::new(position.clone());
    play_all(&mut game, "f1g1 b7b8");
    let scored = "player 2 wins (quiet-limit), dwarfs 2, trolls 4, margin 2";
    assert_eq!(in_words(game.result()), scored);
    let mut game = Game::with_limits(position, 2, 0);
    play_all(&mut game, "f1g1 b7b8 g1f1 b8b7");
    let scored = "player 2 wins (repetition), dwarfs 2, trolls 4, margin 2";
    assert_eq!(in_words(game.result()), scored);
}

#[test]
fn moves_are_read_in_all_their_forms() {
    let read = |variant: &str, text: &str, mv: &str| {
        let position = Position::parse(variant, text).expect(text);
        position.read_move(mv).unwrap_or_default()
    };
    let tafl = "11/11/11/11/11/3t7/3K7/1tT1Tt5/11/11/3t7 a 0 1";
    for form in ["d1d4", "D1D4", "d1d4xe4xd5xc4", "d1d4XC4xd5xe4"] {
        assert_eq!(read("tawlbwrdd", tafl, form), "d1d4", "{form}");
    }
    for form in [
        "d1d4xc4",
        "d1d4xc4xd5xe4xe4",
        "d1d4xc4xd5xe4xf4",
        "d1d04",
        "d1",
        "d1d4x",
        "d1d4 ",
        "é",
    ] {
        assert_eq!(read("tawlbwrdd", tafl, form), "", "{form}");
    }
    let trolls = "*****5*****/****7****/***9***/**11**/*13*/6TT1d5/9d5/7*7/15/d13d/*13*/**11**/\
                  ***9***/****7****/*****5***** t 0 1";
    assert_eq!(read("thud", trolls, "H10I10XJ10xj9"), "h10i10xj9xj10");
    assert_eq!(read("thud", trolls, "h10i10xj10"), "h10i10xj10");
    assert_eq!(read("thud", trolls, "h10i10"), "h10i10");
    assert_eq!(read("thud", trolls, "h10i10xj9xj9"), "");
    let dwarfs = "*****5*****/****7****/***9***/**11**/*13*/15/15/7*7/15/4ddd2T5/*13*/**11**/\
                  ***9***/****7****/*****5***** d 0 1";
    assert_eq!(read("thud", dwarfs, "g6j6xj6"), "g6j6");
    assert_eq!(read("thud", dwarfs, "g6i6xj6"), "");
}

#[test]
fn squares_and_pieces_can_be_asked_for() {
    let thud = Position::start("thud");
    assert_eq!(thud.squares().len(), 225);
    let holes = thud
        .squares()
        .iter()
        .filter(|s| thud.piece_at(s) == '*')
        .count();
    assert_eq!(holes, 225 - 164); // 165 squares, one of them under the stone
    assert_eq!((thud.piece_at("h9"), thud.piece_at("f1")), ('T', 'd'));
    assert_eq!((thud.piece_at("h10"), thud.piece_at("p1")), ('.', '*'));
    assert_eq!(thud.points(), Some((32, 32)));
    assert_eq!(Position::start("hnefatafl7").points(), None);
    assert_eq!(Position::start("hnefatafl7").piece_at("d4"), 'K');
}

/// The shortcut that the yardstick takes for replies in Thud finds what the full move list holds.
#[test]
fn largest_gain_agrees_with_the_move_list() {
    for variant in ["thud", "thud-rulebook"] {
        for (text, _) in epd(variant) {
            let position = Position::parse(variant, &text).expect(&text);
            let own = |p: &Position| {
                p.points()
                    .map(|(d, t)| if position.player_to_move() == 1 { t } else { d })
            };
            let before = own(&position).unwrap();
            let gains = position.legal_moves().into_iter().map(|mv| {
                let (next, _) = position.play(&mv).expect("a legal move");
                before - own(&next).unwrap()
            });
            assert_eq!(largest_gain(&position), gains.max().unwrap_or(0), "{text}");
        }
    }
}

#[test]
fn the_yardstick_wins_at_once_and_does_not_lose_at_once() {
    let choices = |text: &str| -> Vec<String> {
        let game = Game::new(Position::parse("hnefatafl7", text).expect(text));
        (0..40)
            .filter_map(|seed| Yardstick::new(seed).choose(&game))
            .collect()
    };
    for mv in choices("7/7/3t3/2tKt2/7/T6/3t3 a 0 1") {
        assert_eq!(mv, "d1d3");
    }
    for mv in choices("7/7/7/K6/7/6t/1tT4 d 0 1") {
        assert!(mv == "a4a1" || mv == "a4a7", "{mv}");
    }
    // Only a man on a2 or a3 keeps the king from the corner a1, and only a2 can be reached.
    for mv in choices("7/t6/7/K6/7/1t4t/2t4 a 0 1") {
        assert_eq!(mv, "b2a2");
    }
    assert_eq!(choices("7/7/7/7/7/7/1T5 d").len(), 0);
}

/// Seeded games are the same each time, and the yardstick beats chance.
#[test]
fn the_yardstick_beats_the_random_mover() {
    for variant in VARIANTS {
        let games = if variant == "hnefatafl7" { 20 } else { 4 };
        let mut score = 0;
        for seed in 0..games {
            let yardstick_plays = (seed % 2 + 1) as u8;
            let first = play_out(variant, seed, yardstick_plays);
            if variant == "hnefatafl7" {
                assert_eq!(first, play_out(variant, seed, yardstick_plays));
            }
            score += match first {
                Winner::Draw => 0,
                Winner::Player1 if yardstick_plays == 1 => 1,
                Winner::Player2 if yardstick_plays == 2 => 1,
                _ => -1,
            };
        }
        assert!(score > 0, "{variant}: {score} of {games}");
    }
}

fn play_out(variant: &str, seed: u64, yardstick_plays: u8) -> Winner {
    let mut game = Game::with_limits(Position::start(variant), 3, 100);
    let mut yardstick = Yardstick::new(seed);
    let mut random = RandomMover::new(seed + 1000);
    for _ in 0..400 {
        let chosen = if game.position().player_to_move() == yardstick_plays {
            yardstick.choose(&game)
        } else {
            random.choose(&game)
        };
        let Some(mv) = chosen else { break };
        game.play(&mv).expect("a chosen move is legal");
    }
    game.result().map_or(Winner::Draw, |outcome| outcome.winner)
}
