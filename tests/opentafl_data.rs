//! The engine against what OpenTafl's own rules code says: counts, single moves and whole games.

use huscarl::bits::Bits;
use huscarl::eval::Evaluate;
use huscarl::game::{Game, Move, Moves, Outcome, Side};
use huscarl::grid::Grid;
use huscarl::perft;
use huscarl::record::Record;
use huscarl::variants::{self, Visitor};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The numbers by which the data names the host's games.
const GAMES: [&str; 14] = [
    "sea-battle9",
    "fetlar",
    "copenhagen",
    "copenhagen-relaxed",
    "berserk",
    "brandub",
    "tawlbwrdd-opentafl",
    "tablut",
    "tablut-foteviken",
    "magpie",
    "computer-fetlar",
    "tablut15",
    "sea-battle13",
    "alea-evangelii",
];

/// Fields of the lines of a file by game.
fn lines(file: &str) -> HashMap<usize, Vec<Vec<String>>> {
    let path = format!("tests/positions/opentafl/{file}");
    let text = std::fs::read_to_string(&path).expect(&path);
    let mut games: HashMap<usize, Vec<Vec<String>>> = HashMap::new();
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let mut fields: Vec<String> = line
            .split(';')
            .map(|field| field.trim().to_string())
            .collect();
        let game: usize = fields.remove(0).parse().expect(line);
        games.entry(game).or_default().push(fields);
    }
    assert_eq!(games.len(), GAMES.len());
    games
}

/// The host's position text as ours.
fn rows(host: &str) -> String {
    let mut rows: Vec<&str> = host.trim_matches('/').split('/').collect();
    rows.reverse();
    rows.join("/")
}

fn host_rows(ours: &str) -> String {
    format!("/{}/", rows(ours))
}

fn side(word: &str) -> Side {
    match word {
        "attackers" => Side::First,
        "defenders" => Side::Second,
        other => panic!("side {other}"),
    }
}

fn result(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winner) {
        None => "none",
        Some(None) => "draw",
        Some(Some(Side::First)) => "attackers",
        Some(Some(Side::Second)) => "defenders",
    }
}

struct Counts<'a>(&'a [Vec<String>]);

impl Visitor for Counts<'_> {
    type Output = Vec<String>;
    fn visit<G: Evaluate>(self, game: G) -> Vec<String> {
        let mut wrong = Vec::new();
        for fields in self.0 {
            let position = game
                .parse(&rows(&fields[1]), side(&fields[0]))
                .expect(&fields[1]);
            for (depth, told) in (1..).zip(&fields[2..]) {
                let told: u64 = told.split_once(' ').expect(told).1.parse().expect(told);
                let mut counted = 0;
                perft::divide(&game, &position, depth, true, &|| false, |_, n| {
                    counted += n
                });
                if counted != told {
                    wrong.push(format!("{fields:?} depth {depth}: {counted}"));
                }
            }
        }
        wrong
    }
}

#[test]
fn counts() {
    let games = lines("positions.txt");
    let mut wrong = Vec::new();
    for (number, name) in (1..).zip(GAMES) {
        for line in variants::visit(name, Counts(&games[&number])).expect(name) {
            wrong.push(format!("{name}: {line}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// `f9-f6xe6`, `e5^e7`, with a piece's letter perhaps: from, to, captured squares.
fn parse_move<G: Game>(text: &str) -> (u16, u16, BTreeSet<u16>) {
    let text = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let (path, taken) = text.split_once('x').unwrap_or((text, ""));
    let cut = path.find(['-', '^', '=']).expect(text);
    let square = |text: &str| {
        let text = text
            .trim_start_matches(['-', '^', '='])
            .trim_end_matches(['+', '-']);
        // A piece's letter may stand before its square.
        let text = match text.as_bytes() {
            [_, second, ..] if second.is_ascii_alphabetic() => &text[1..],
            _ => text,
        };
        let (square, rest) = G::Grid::parse_square(text).expect(text);
        assert_eq!(rest, "");
        square
    };
    let captured = taken
        .split('/')
        .filter(|word| !word.is_empty())
        .map(square)
        .collect();
    (square(&path[..cut]), square(&path[cut..]), captured)
}

struct SingleMoves<'a>(&'a [Vec<String>]);

impl SingleMoves<'_> {
    fn look<G: Evaluate>(game: &Arc<G>, fields: &[String]) -> Result<(), String> {
        let after = fields.iter().find_map(|field| field.strip_prefix("after "));
        let mut record = match after {
            None => {
                let letter = game.side_letters()[side(&fields[0]).index()];
                Record::parse(
                    Arc::clone(game),
                    &format!("{} {letter}", rows(&fields[1])),
                    game.limits(),
                )?
            }
            Some(moves) => {
                let mut record = Record::start(Arc::clone(game), game.limits())?;
                for mv in moves.split_whitespace() {
                    let (from, to, _) = parse_move::<G>(mv);
                    let mv = Move::new(from, to, 0);
                    if !game.is_legal(record.position(), mv) {
                        return Err(format!("{mv:?} before is not legal"));
                    }
                    record.play(mv);
                }
                if host_rows(&game.rows(record.position())) != fields[1] {
                    return Err(format!("before: {}", record.text()));
                }
                record
            }
        };
        let mut captured = BTreeSet::new();
        let mut told = BTreeSet::new();
        for text in fields[2].split('|') {
            let (from, to, taken) = parse_move::<G>(text);
            let mv = Move::new(from, to, 0);
            let mut list = Vec::new();
            game.generate(record.position(), Moves::All, &mut list);
            if !list.contains(&mv) || !game.is_legal(record.position(), mv) {
                return Err(format!("{text} is not legal"));
            }
            captured.extend(game.captured(record.position(), mv).iter());
            told.extend(taken);
            record.play(mv);
        }
        let names = |set: &BTreeSet<u16>| -> Vec<String> {
            set.iter().map(|&s| G::Grid::name(s)).collect()
        };
        if captured != told {
            return Err(format!("captured {:?}", names(&captured)));
        }
        let position = host_rows(&game.rows(record.position()));
        if position != fields[3] {
            return Err(format!("after: {position}"));
        }
        if result(record.outcome()) != fields[4] {
            return Err(format!(
                "result {}: {:?}",
                result(record.outcome()),
                record.outcome()
            ));
        }
        match fields.get(5).map(String::as_str) {
            Some(word @ ("attackers" | "defenders")) if side(word) != record.side() => {
                Err(format!("next to move: {:?}", record.side()))
            }
            _ => Ok(()),
        }
    }
}

impl Visitor for SingleMoves<'_> {
    type Output = Vec<String>;
    fn visit<G: Evaluate>(self, game: G) -> Vec<String> {
        let game = Arc::new(game);
        self.0
            .iter()
            .filter_map(|fields| {
                let why = Self::look(&game, fields).err()?;
                Some(format!("{} => {why}", fields.join(" ; ")))
            })
            .collect()
    }
}

/// The lines in which the host's scan of the edges differs from the idea of a shield wall: game, side, position, move.
fn known_differences() -> BTreeSet<String> {
    let path = "tests/positions/opentafl/known-differences.txt";
    let text = std::fs::read_to_string(path).expect(path);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(" ; ").collect();
            fields[..4].join(" ; ")
        })
        .collect()
}

#[test]
fn single_moves() {
    let games = lines("moves.txt");
    let mut differ = BTreeSet::new();
    let mut all = Vec::new();
    for (number, name) in (1..).zip(GAMES) {
        for line in variants::visit(name, SingleMoves(&games[&number])).expect(name) {
            let fields: Vec<&str> = line.split(" ; ").collect();
            differ.insert(format!("{number} ; {}", fields[..3].join(" ; ")));
            all.push(line);
        }
    }
    assert_eq!(differ, known_differences(), "{}", all.join("\n"));
}
