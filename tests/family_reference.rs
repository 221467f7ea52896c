//! The slow reference for the tafl family against what the host of the games says: counts, single moves, whole games. And
//! against itself: games at random under records at random.

mod reference;

use reference::family::{Board, End, Game, Played, Record, Side, perft};

const GAMES: usize = 14;

fn file(name: &str) -> String {
    let path = format!(
        "{}/tests/positions/opentafl/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).expect(&path)
}

/// The lines of a data file without its comments, each split into fields.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" ; ").collect()).collect()
}

/// The host's games by number, from 1.
fn games() -> Vec<Record> {
    let text = file("games.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let games: Vec<Record> = lines.map(|line| Record::parse(line).expect(line)).collect();
    assert_eq!(games.len(), GAMES);
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

#[test]
fn every_count_of_the_host_holds() {
    let (games, text) = (games(), file("positions.txt"));
    let rows = rows(&text);
    for row in &rows {
        let (record, board) = setting(&games, row);
        for (depth, field) in (1..).zip(&row[3..]) {
            let count = perft(record, &board, depth);
            if format!("D{depth} {count}") != *field { println!("{row:?} {depth} {count}"); }
        }
    }
    assert_eq!(rows.len(), 25 * GAMES);
}

/// The moves of a field of `moves.txt`: each as the host's short text, and its captures in ascending order.
fn told_moves(field: &str) -> Vec<(String, Vec<String>)> {
    let read = |word: &str| {
        let (path, captures) = word.split_once('x').unwrap_or((word, ""));
        let path: Vec<&str> = path.split(['-', '^', '=']).filter(|p| !p.is_empty()).collect();
        let square = |name: &str| name.trim_start_matches(['K', 'N', 'C', 'k', 'n', 'c'] as [char; 6]).to_string();
        let _ = square;
        let captures = captures.split('/').filter(|name| !name.is_empty());
        let mut captures: Vec<String> = captures.map(plain).collect();
        captures.sort();
        (format!("{}-{}", plain(path[0]), path[1]), captures)
    };
    field.split('|').map(read).collect()
}

/// A square of a move record without the letter of its piece.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_ascii_alphabetic()).count();
    name[letters - 1..].to_string()
}

/// What one row of `moves.txt` and the reference say differently; None if they agree.
fn difference(games: &[Record], row: &[&str]) -> Option<String> {
    let (record, board) = setting(games, row);
    let mut fields = row[3..].iter();
    let [moves, after, result] = [(); 3].map(|_| *fields.next().expect("three fields"));
    let mut next = "";
    let mut history = "";
    for field in fields {
        match field.strip_prefix("after ") {
            Some(list) => history = list,
            None => next = field,
        }
    }
    let mut game = match history {
        "" => Game::from(record, board.clone()),
        _ => Game::start(record),
    };
    for mv in history.split_ascii_whitespace() {
        let played = game.play_text(mv);
        assert_eq!(played.map(|p| p.end), Some(None), "{mv} before {row:?}");
    }
    assert_eq!(game.board, board, "{row:?}");
    let mut last: Option<Played> = None;
    for (text, captures) in told_moves(moves) {
        if let Some(played) = &last && played.board.running.is_none() {
            return Some(format!("the turn is over before {text}"));
        }
        let Some(played) = game.play_text(&text) else {
            return Some(format!("{text} is illegal"));
        };
        let mut captured: Vec<String> = played.captured.iter().map(|s| s.name()).collect();
        captured.sort();
        if captured != captures {
            return Some(format!("{text} takes {captured:?}"));
        }
        last = Some(played);
    }
    let played = last.expect("a row has a move");
    let text = played.board.host_text();
    let ended = words(played.end);
    let mover = match played.end {
        Some(_) => "-",
        None if played.board.side == Side::Attackers => "attackers",
        None => "defenders",
    };
    if text != after {
        Some(format!("leads to {text}"))
    } else if ended != result {
        Some(format!("ends with {:?}", played.end))
    } else if !next.is_empty() && next != mover {
        Some(format!("{mover} move next"))
    } else {
        None
    }
}

fn words(end: Option<End>) -> &'static str {
    match end.map(|end| end.winner) {
        None => "none",
        Some(None) => "draw",
        Some(Some(Side::Attackers)) => "attackers",
        Some(Some(Side::Defenders)) => "defenders",
    }
}

#[test]
fn every_move_of_the_host_agrees_or_is_a_known_difference() {
    let (games, text) = (games(), file("moves.txt"));
    for row in rows(&text) {
        if let Some(d) = difference(&games, &row) {
            println!("{}\n     {d}", row.join(" ; "));
        }
    }
}
