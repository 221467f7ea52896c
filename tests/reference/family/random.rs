//! Made-up rules records: every key, every value, from a seed.

use super::board::{Board, EMPTY, LETTERS, Side, Square};
use fastrand::Rng;

const SIZES: [i32; 4] = [5, 7, 9, 11];

/// Keys with a choice of values, the unknown one included.
const CHOICES: [(&str, &[&str]); 18] = [
    ("esc", &["c", "e"]),
    ("surf", &["y", "n"]),
    ("atkf", &["y", "n"]),
    ("tfr", &["i", "d", "w", "l", "?"]),
    ("ka", &["y", "n", "a", "h", "?"]),
    ("ks", &["s", "c", "m", "w", "t", "y", "n", "?"]),
    ("kj", &["n", "r", "j", "c"]),
    ("nj", &["n", "r", "j", "c"]),
    ("cj", &["n", "r", "j", "c"]),
    ("mj", &["n", "r", "j", "c"]),
    ("gj", &["n", "r", "j", "c"]),
    ("sw", &["n", "w", "s", "?"]),
    ("swf", &["y", "n"]),
    ("efe", &["y", "n"]),
    ("linc", &["y", "n"]),
    ("ber", &["n", "c", "m", "?"]),
    ("kth", &["n", "y"]),
    ("end", &["h", "?"]),
];

/// Our own keys about the end, each with values that small random games reach.
const ENDS: [(&str, &[&str]); 4] = [
    ("rep", &["d", "?"]),
    ("repn", &["0", "2", "3"]),
    ("stuck", &["l", "d"]),
    ("quiet", &["0", "12", "40"]),
];

/// The words of a record, in random order, each key but the needed ones left out now and then.
pub fn random_record(random: &mut Rng) -> String {
    let size = SIZES[random.usize(..SIZES.len())];
    let board = random_board(random, size);
    let mut words = vec![
        format!("dim:{size}"),
        format!("start:{}", board.host_text()),
    ];
    for (key, values) in CHOICES.iter().chain(&ENDS) {
        if random.bool() {
            words.push(format!("{key}:{}", values[random.usize(..values.len())]));
        }
    }
    for key in ["cor", "cen", "afor", "dfor"] {
        if random.u8(..3) == 0 {
            let count = random.usize(..5);
            words.push(format!("{key}:{}", some_squares(random, &board, count)));
        }
        for ending in ["h", "he", "p", "s", "re"] {
            if random.u8(..3) == 0 {
                let letters: String = LETTERS.chars().filter(|_| random.bool()).collect();
                words.push(format!("{key}{ending}:{letters}"));
            }
        }
    }
    if random.bool() {
        let count = [1, 2, 8, 10, 12][random.usize(..5)];
        let speeds: Vec<String> = (0..count).map(|_| random.i32(-1..5).to_string()).collect();
        words.push(format!("spd:{},", speeds.join(",")));
    }
    random.shuffle(&mut words);
    words.join(" ")
}

fn some_squares(random: &mut Rng, board: &Board, count: usize) -> String {
    let squares: Vec<Square> = board.squares().collect();
    let names = (0..count).map(|_| squares[random.usize(..squares.len())].name());
    names.collect::<Vec<_>>().join(",")
}

/// Men the most, kings and the other kinds in every second game; anywhere, or attackers in a ring around the others.
fn random_board(random: &mut Rng, size: i32) -> Board {
    let mut board = Board::empty(size, Side::Attackers);
    let all_kinds = random.bool();
    let is_ringed = random.u8(..4) == 0;
    let density = random.u8(2..6);
    let squares: Vec<Square> = board.squares().collect();
    for square in squares {
        let last = size - 1;
        let [file, rank] = [square.file, square.rank].map(|n| n.min(last - n));
        // How likely a square is taken, in tenths, and by whom.
        let (likely, side) = match (is_ringed, file.min(rank)) {
            (true, 0) => (1, Side::Attackers),
            (true, 1) => (9, Side::Attackers),
            (true, _) => (density, Side::Defenders),
            (false, _) if random.bool() => (density, Side::Attackers),
            (false, _) => (density, Side::Defenders),
        };
        let kinds = if all_kinds { "ttttttcnmgk" } else { "t" };
        let letter = kinds.chars().nth(random.usize(..kinds.len()));
        let letter = letter.filter(|_| random.u8(..10) < likely);
        board.put(square, letter.map_or(EMPTY, |kind| side.own(kind)));
    }
    let king = Square {
        file: random.i32(1..size - 1),
        rank: random.i32(1..size - 1),
    };
    board.put(king, 'K');
    board
}
