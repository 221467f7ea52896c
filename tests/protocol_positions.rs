//! The tables of `tests/positions` put to the engine through the protocol: each move and what it does, each count, each text.

mod driver;

use driver::*;

const CASES: &str = include_str!("positions/cases.md");
const TABLES: [(&str, &str); 5] = [
    ("thud", include_str!("positions/thud.epd")),
    ("thud-rulebook", include_str!("positions/thud-rulebook.epd")),
    ("tawlbwrdd", include_str!("positions/tawlbwrdd.epd")),
    (
        "tawlbwrdd-bell",
        include_str!("positions/tawlbwrdd-bell.epd"),
    ),
    ("hnefatafl7", include_str!("positions/hnefatafl7.epd")),
];
/// Counts above this are left to the tests of the library.
const MOST: u64 = 60_000;

/// A row of `cases.md`.
struct Case {
    game: &'static str,
    fen: &'static str,
    mv: &'static str,
    expected: &'static str,
    why: &'static str,
}

fn cases() -> Vec<Case> {
    let code = |cell: &'static str| cell.trim().trim_matches('`');
    let rows = CASES
        .lines()
        .filter(|l| l.starts_with("| ") && l.contains('`'));
    rows.map(|line| {
        let cells: Vec<&'static str> = line.split('|').collect();
        Case {
            game: code(cells[1]),
            fen: code(cells[2]),
            mv: code(cells[3]),
            expected: code(cells[4]),
            why: code(cells[5]),
        }
    })
    .collect()
}

/// What `captures …; RESULT (reason), dwarfs D, trolls T, margin M` asks for: captures, result, reason, score.
fn read_expected(text: &str) -> (String, &'static str, String, Option<String>) {
    let (captures, end) = text
        .strip_prefix("captures ")
        .unwrap()
        .split_once("; ")
        .unwrap();
    let result = match end {
        _ if end.starts_with("player 1 wins") => "p1win",
        _ if end.starts_with("player 2 wins") => "p2win",
        _ if end.starts_with("draw") => "draw",
        _ => "none",
    };
    let reason = end
        .split_once('(')
        .map_or("none", |(_, rest)| rest.split_once(')').unwrap().0);
    let number = |key: &str| {
        let rest = &end[end.find(key)? + key.len()..];
        rest.trim_start().split(',').next().map(String::from)
    };
    let score = number("dwarfs")
        .zip(number("trolls"))
        .map(|(d, t)| format!("{d} {t}"));
    (captures.to_string(), result, reason.to_string(), score)
}

fn check_case(engine: &mut Engine, case: &Case) {
    let Case { fen, mv, why, .. } = case;
    engine.position(fen);
    assert_eq!(engine.ask("fen"), *fen, "the text comes back");
    let legal = case.expected != "illegal";
    let moves = engine.moves();
    assert_eq!(
        engine.ask_both(&format!("islegal {mv}")).0,
        legal.to_string(),
        "{fen} {mv}: {why}"
    );
    assert_eq!(moves.iter().any(|m| m == mv), legal, "{fen} {mv}: {why}");
    let line = format!("position fen {fen} moves {mv}");
    if !legal {
        assert!(engine.refuse(&line).contains(mv));
        assert_eq!(engine.ask("fen"), *fen);
        assert_eq!(engine.ask("reason"), "illegal-move");
        let loser = words(fen)[1] == "a" || words(fen)[1] == "d" && !variant(case.game).tafl;
        assert_eq!(engine.ask("result"), if loser { "p2win" } else { "p1win" });
        return;
    }
    let (captures, result, reason, score) = read_expected(case.expected);
    assert_eq!(
        engine.ask(&format!("captures {mv}")),
        captures,
        "{fen} {mv}: {why}"
    );
    engine.accept(&line);
    assert_eq!(engine.ask("result"), result, "{fen} {mv}: {why}");
    assert_eq!(engine.ask("reason"), reason, "{fen} {mv}: {why}");
    assert_eq!(engine.ask("gameover"), (result != "none").to_string());
    if let Some(score) = score {
        assert_eq!(engine.ask("score"), score, "{fen} {mv}: {why}");
    }
    let quiet = if captures == "none" { "1" } else { "0" };
    assert_eq!(words(&engine.ask("fen"))[2], quiet, "{fen} {mv}");
    if result != "none" {
        engine.go("depth 1").none();
        assert_eq!(engine.ask("moves"), "none");
    }
}

/// Every row of `cases.md`, those of `tawlbwrdd` for `tawlbwrdd-bell` too.
#[test]
fn every_case() {
    let cases = cases();
    assert!(cases.len() > 100);
    let mut engine = Engine::new();
    for v in &VARIANTS {
        engine.play(v.name);
        let game = if v.name == "tawlbwrdd-bell" {
            "tawlbwrdd"
        } else {
            v.name
        };
        let own: Vec<&Case> = cases.iter().filter(|c| c.game == game).collect();
        assert!(own.len() > 20, "{}", v.name);
        for case in own {
            check_case(&mut engine, case);
        }
    }
}

/// The counts of the tables that are small enough, and that each text comes back.
#[test]
fn every_count() {
    for (name, table) in TABLES {
        let mut engine = Engine::playing(name);
        for line in table.lines().filter(|l| !l.trim().is_empty()) {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().unwrap();
            engine.position(fen);
            assert_eq!(engine.ask("fen"), fen);
            for part in parts {
                let (depth, count) = part.strip_prefix('D').unwrap().split_once(' ').unwrap();
                let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
                if depth == 1 {
                    assert_eq!(engine.moves().len() as u64, count, "{name} {fen}");
                }
                if count <= MOST {
                    assert_eq!(engine.perft(depth).1, count, "{name} {fen} depth {depth}");
                }
            }
        }
    }
}

/// The two crowded positions where the readings of the capture rule part.
#[test]
fn crowded_positions() {
    let first = "*****d4*****/****d6****/***d8***/**d10**/*d12*/5d7Td/d6T7/7*d4d1/7ddd3d1/1TTTTTT6d1/*9d2d*/**11**/***9***/****7****/*****1ddd1*****";
    let second = "*****dd1d1*****/****7****/***8d***/**10d**/*2T10*/dd13/d6TT5d/1d5*T6/dd4TT6d/dd6d6/*d11d*/**d9d**/***d7d***/****d5d****/*****dd2d***** t 0 1";
    for (name, dwarfs, trolls, other) in [
        ("thud", [380, 32_808], [88, 33_088], [40, 20_141]),
        ("thud-rulebook", [380, 33_711], [90, 33_791], [40, 20_141]),
    ] {
        let mut engine = Engine::playing(name);
        for (fen, counts) in [
            (format!("{first} d 0 1"), dwarfs),
            (format!("{first} t 0 1"), trolls),
            (second.to_string(), other),
        ] {
            engine.position(&fen);
            assert_eq!(
                [1, 2].map(|depth| engine.perft(depth).1),
                counts,
                "{name} {fen}"
            );
        }
    }
}

/// In every case position a search gives a legal move with a sound report.
#[test]
fn a_search_in_every_case() {
    let mut engine = Engine::new();
    let mut game = "";
    for case in cases() {
        if case.game != game {
            game = case.game;
            engine.play(game);
        }
        engine.position(case.fen);
        let moves = engine.moves();
        let search = engine.go("depth 2 nodes 3000");
        assert!(moves.contains(&search.sound().to_string()), "{}", case.fen);
    }
}
