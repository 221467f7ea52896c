//! What is peculiar to Thud: the tables of tricky moves, masks, holes, and the set-wise questions.

use super::*;
use crate::grid::Grid;
use crate::perft::perft;

const GAMES: [(&str, Thud); 2] = [
    ("thud", Thud::new(CaptureRule::One)),
    ("thud-rulebook", Thud::new(CaptureRule::AnySubset)),
];

fn table(file: &str) -> String {
    let path = format!("{}/tests/positions/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read(game: &Thud, text: &str) -> Position {
    let mut fields = text.split_whitespace();
    let rows = fields.next().unwrap();
    let side = match fields.next() {
        Some("t") => Side::Second,
        _ => Side::First,
    };
    game.parse(rows, side).unwrap()
}

/// The positions of both games' tables.
fn positions() -> Vec<(Thud, Position, Vec<u64>)> {
    let mut all = Vec::new();
    for (name, game) in GAMES {
        for line in table(&format!("{name}.epd")).lines() {
            let mut fields = line.split(';');
            let position = read(&game, fields.next().unwrap());
            let counts = fields
                .map(|field| field.split_whitespace().nth(1).unwrap().parse().unwrap())
                .collect();
            all.push((game, position, counts));
        }
    }
    all
}

fn list(game: &Thud, position: &Position, which: Moves) -> Vec<Move> {
    let mut list = Vec::new();
    game.generate(position, which, &mut list);
    list
}

fn bits(names: &str) -> Wide {
    names
        .split_whitespace()
        .map(|name| Grid15::parse_square(name).unwrap().0)
        .fold(Wide::EMPTY, |set, square| set | Wide::bit(square))
}

#[test]
fn counts_of_the_tables() {
    for (game, position, counts) in positions() {
        for (depth, &count) in (1..).zip(&counts) {
            if depth <= 2 {
                let nodes = perft(&game, &position, depth, &|| false);
                assert_eq!(nodes, Some(count), "{} D{depth}", game.rows(&position));
            }
        }
    }
}

#[test]
fn tricky_moves() {
    let text = table("cases.md");
    for (name, game) in GAMES {
        for row in text
            .lines()
            .filter(|row| row.starts_with(&format!("| {name} |")))
        {
            let cells: Vec<&str> = row
                .split('|')
                .map(|cell| cell.trim().trim_matches('`'))
                .collect();
            let (position, expected) = (read(&game, cells[2]), cells[4]);
            let mv = game.parse_move(&position, cells[3]);
            if expected == "illegal" {
                assert!(mv.is_err(), "{row}");
                continue;
            }
            let mv = mv.unwrap();
            let (captures, result) = expected.split_once("; ").unwrap();
            let captures = captures
                .strip_prefix("captures ")
                .unwrap()
                .replace("none", "");
            assert_eq!(game.captured(&position, mv), bits(&captures), "{row}");
            let outcome = match game.outcome(&game.make(&position, mv)) {
                None => "not over".into(),
                Some(Outcome {
                    winner,
                    reason,
                    points,
                }) => {
                    let winner = winner.map_or("draw".into(), |side| {
                        format!("player {} wins", side.player())
                    });
                    let [dwarfs, trolls] = points.unwrap();
                    let margin = dwarfs.abs_diff(trolls);
                    format!(
                        "{winner} ({reason}), dwarfs {dwarfs}, trolls {trolls}, margin {margin}"
                    )
                }
            };
            assert_eq!(outcome, result, "{row}");
        }
    }
}

#[test]
fn captures_quiets_and_lesser_moves_are_told_apart() {
    for (game, position, _) in positions() {
        let all = list(&game, &position, Moves::All);
        let taken = |mv: Move| game.captured(&position, mv);
        let kind = |mv: Move| {
            let less = all.iter().any(|&other| {
                (other.from(), other.to()) == (mv.from(), mv.to())
                    && taken(other) != taken(mv)
                    && taken(other) & taken(mv) == taken(mv)
            });
            match (less, taken(mv).any()) {
                (true, _) => Moves::Lesser,
                (false, true) => Moves::Captures,
                (false, false) => Moves::Quiets,
            }
        };
        for which in [Moves::Captures, Moves::Quiets, Moves::Lesser] {
            let mut expected = all.clone();
            expected.retain(|&mv| kind(mv) == which);
            let mut listed = list(&game, &position, which);
            expected.sort_unstable();
            listed.sort_unstable();
            assert_eq!(listed, expected, "{which:?} {}", game.rows(&position));
        }
    }
}

#[test]
fn holes_are_checked() {
    let game = GAMES[0].1;
    let rows = game.start_rows();
    let error = |rows: String| game.parse(&rows, Side::First).unwrap_err();
    assert!(error(rows.replace("6T*T6", "6T1T6")).contains("h8"));
    assert!(error(rows.replace("6T*T6", "6TTT6")).contains("h8"));
    assert!(error(rows.replace("6T*T6", "5*T*T6")).contains("f8"));
    assert!(error(rows.replacen("*****dd", "****ddd", 1)).contains("e15"));
    assert_eq!(game.rows(&game.start().unwrap()), rows);
    assert_eq!(PLAYING.count(), 164);
}

#[test]
fn sets_agree_with_lists() {
    for (game, position, _) in positions() {
        let rows = game.rows(&position);
        let targets = |side| {
            let position = game.parse(&rows, side).unwrap();
            list(&game, &position, Moves::All)
                .into_iter()
                .fold(Wide::EMPTY, |set, mv| set | Wide::bit(mv.to()))
        };
        let hurls = targets(Side::First) & position.trolls();
        assert_eq!(position.hurl_targets(), hurls, "{rows}");
        let aimed = position.aimed_at();
        assert_eq!(aimed & position.trolls(), hurls, "{rows}");
        for square in position.empty().iter() {
            let troll = crate::grid::write_rows::<Grid15>(|at| match at == square {
                true => Some('T'),
                false => game.piece(&position, at),
            });
            let hurled = game.parse(&troll, Side::First).unwrap().hurl_targets();
            assert_eq!(aimed.has(square), hurled.has(square), "{troll}");
        }
        assert_eq!(position.troll_reach(), targets(Side::Second), "{rows}");
        assert_eq!(position.can_move(), game.count(&position) > 0, "{rows}");
    }
}

#[test]
fn lines_end_where_they_point() {
    let men = bits("a6 b6 c6 o6 n6 h1 g2 f3");
    let pairs = longer(men, [men; 4]);
    assert_eq!(pairs, ["b6 c6 o6", "", "", "g2 f3"].map(bits));
    let threes = longer(men, pairs);
    assert_eq!(threes, ["c6", "", "", "f3"].map(bits));
    assert_eq!(longer(men, threes), [Wide::EMPTY; 4]);
}

#[test]
fn lines_reach_as_far_as_they_are_long() {
    let game = GAMES[0].1;
    // A rank, a file and two diagonals, each from both ends.
    let ways = [
        (0, 8, 1, 0),
        (14, 8, -1, 0),
        (8, 0, 0, 1),
        (8, 14, 0, -1),
        (3, 2, 1, 1),
        (12, 11, -1, -1),
        (11, 2, -1, 1),
        (2, 11, 1, -1),
    ];
    for (file, rank, files, ranks) in ways {
        for (length, distance) in (1..=7).flat_map(|n| (1..=7).map(move |k| (n, k))) {
            let at = |steps: i32| {
                let (file, rank) = (file + steps * files, rank + steps * ranks);
                let on_board = (0..15).contains(&file) && (0..15).contains(&rank);
                let square = on_board.then(|| Grid15::square(file as u8, rank as u8));
                square.filter(|&square| PLAYING.has(square))
            };
            let (target, beyond) = (at(length - 1 + distance), at(length + distance));
            let (Some(target), Some(beyond)) = (target, beyond) else {
                continue;
            };
            let line: Vec<u16> = (0..length).filter_map(at).collect();
            let position = |men: char, other: char, on: u16| {
                let rows = crate::grid::write_rows::<Grid15>(|square| match square {
                    _ if line.contains(&square) => Some(men),
                    _ if square == on => Some(other),
                    _ => (!PLAYING.has(square)).then_some('*'),
                });
                game.parse(&rows, Side::First).unwrap()
            };
            let name = Grid15::name(target);
            let hurled_at = position('d', 'T', target).hurl_targets();
            assert_eq!(hurled_at.any(), distance <= length, "{length} men, {name}");
            let landed_on = position('T', 'd', beyond).troll_reach();
            let reached = distance == 1 || distance <= length;
            assert_eq!(landed_on.has(target), reached, "{length} men, {name}");
        }
    }
}

#[test]
fn a_full_board_overflows_nothing() {
    let game = GAMES[1].1;
    for men in ['d', 'T'] {
        let rows = crate::grid::write_rows::<Grid15>(|square| {
            Some(if PLAYING.has(square) { men } else { '*' })
        });
        for side in Side::BOTH {
            let position = game.parse(&rows, side).unwrap();
            assert_eq!(game.count(&position), 0);
            assert_eq!(game.key(&position), game.computed_key(&position));
        }
    }
}
