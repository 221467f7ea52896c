//! What the host has told: its data files, read into games, positions and moves; and captures in the files' form.

use super::{Board, Played, Record, Side};

/// The text of one of the files.
pub fn file(name: &str) -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    let path = format!("{folder}/tests/positions/opentafl/{name}");
    std::fs::read_to_string(&path).expect(&path)
}

/// The lines of a data file without its comments.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The lines of a data file, each split into fields.
pub fn rows(text: &str) -> Vec<Vec<&str>> {
    lines(text).map(|l| l.split(" ; ").collect()).collect()
}

/// The host's games by number, from 1.
pub fn games() -> Vec<Record> {
    let text = file("games.txt");
    let games: Vec<Record> = lines(&text)
        .map(|line| Record::parse(line).expect(line))
        .collect();
    assert_eq!(games.len(), 14);
    games
}

/// The game and the position that the first three fields of a row name.
pub fn setting<'a>(games: &'a [Record], row: &[&str]) -> (&'a Record, Board) {
    let number: usize = row[0].parse().expect(row[0]);
    let record = &games[number - 1];
    let side = Side::named(row[1]).expect(row[1]);
    let board = Board::from_host(record.size, row[2], side).expect(row[2]);
    assert_eq!(board.host_text(), row[2]);
    (record, board)
}

/// The moves of a field of `moves.txt`, each as the host's short text, with its captures in the order of strings.
pub fn turn(field: &str) -> Vec<(String, String)> {
    // Squares may come with the letter of the piece: Kd4, cd4.
    let square = |name: &str| {
        let letters = name.chars().filter(char::is_ascii_alphabetic).count();
        name[letters - 1..].to_string()
    };
    let read = |word: &str| {
        let (path, captures) = word.split_once('x').unwrap_or((word, ""));
        let ends = path.split(['-', '^', '=']).filter(|name| !name.is_empty());
        let path: Vec<String> = ends.map(square).collect();
        let captures = captures.split('/').filter(|name| !name.is_empty());
        let mut captures: Vec<String> = captures.map(square).collect();
        captures.sort();
        (path.join("-"), captures.join("/"))
    };
    field.split('|').map(read).collect()
}

/// The captured squares in the order of strings, joined.
pub fn captures(played: &Played) -> String {
    let mut names: Vec<String> = played.captured.iter().map(|s| s.name()).collect();
    names.sort();
    names.join("/")
}
