//! The engine's rules against the slow reference: random games of every variant, compared move for move, and the
//! counts and cases that are kept as text.

mod reference;

use fastrand::Rng;
use huscarl::eval::Evaluate;
use huscarl::game::{Limits, Moves, Outcome, Side};
use huscarl::perft::perft;
use huscarl::record::Record;
use huscarl::variants::{self, Visitor};
use reference::Winner;
use std::sync::Arc;

fn winner(side: Option<Side>) -> Winner {
    match side {
        Some(Side::First) => Winner::Player1,
        Some(Side::Second) => Winner::Player2,
        None => Winner::Draw,
    }
}

/// An outcome in the form of the reference.
fn told(outcome: Outcome) -> (Winner, String, Option<(u32, u32)>) {
    let points = outcome.points.map(|[one, two]| (one, two));
    (winner(outcome.winner), outcome.reason.to_string(), points)
}

fn expected(outcome: reference::Outcome) -> (Winner, String, Option<(u32, u32)>) {
    (outcome.winner, outcome.reason.to_string(), outcome.points)
}

struct RandomGames {
    variant: &'static str,
    games: u64,
    limits: Option<(u32, u32)>,
}

impl Visitor for RandomGames {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        let game = Arc::new(game);
        let own = game.limits();
        for seed in 0..self.games {
            let mut random = Rng::with_seed(seed);
            // Some games prefer captures, so that few men are left; others shuffle, so that positions repeat.
            let taste = random.u8(..3);
            let start = reference::Position::start(self.variant);
            let (mut slow, limits) = match self.limits {
                None => (reference::Game::new(start), own),
                Some((repetition, quiet)) => (
                    reference::Game::with_limits(start, repetition, quiet),
                    Limits { repetition, quiet },
                ),
            };
            let mut fast = Record::start(Arc::clone(&game), limits).expect("the start reads");
            for ply in 0..400 {
                assert_eq!(fast.text(), slow.position().text());
                let text = fast.text();
                let result = fast.outcome().map(told);
                assert_eq!(
                    result,
                    slow.result().map(expected),
                    "{text} at ply {ply} of game {seed}"
                );
                let board = fast.board_outcome().map(told);
                assert_eq!(
                    board,
                    slow.position().board_result().map(expected),
                    "{text}"
                );
                assert_eq!(
                    game.key(fast.position()),
                    game.computed_key(fast.position())
                );

                let mut list = Vec::new();
                game.generate(fast.position(), Moves::All, &mut list);
                let mut texts: Vec<String> = list
                    .iter()
                    .map(|&mv| game.move_text(fast.position(), mv))
                    .collect();
                texts.sort();
                assert_eq!(texts, slow.position().legal_moves(), "{text}");
                if result.is_some() {
                    break;
                }
                let pick = match taste {
                    0 => random.choice(&list),
                    1 => {
                        let mut captures = Vec::new();
                        game.generate(fast.position(), Moves::Captures, &mut captures);
                        let chosen = random.choice(&captures).copied();
                        list.iter()
                            .find(|&&mv| Some(mv) == chosen)
                            .or(random.choice(&list))
                    }
                    _ => list.get(random.usize(..list.len().clamp(1, 3))),
                };
                let mv = *pick.expect("a game that runs has moves");
                let words = game.move_text(fast.position(), mv);
                let captured = {
                    use huscarl::grid::Grid;
                    G::Grid::text_order(game.captured(fast.position(), mv))
                        .into_iter()
                        .map(G::Grid::name)
                        .collect::<Vec<_>>()
                };
                let captured_slow = slow.play(&words).expect("the same legal moves");
                assert_eq!(captured, captured_slow, "{text} {words}");
                fast.play(mv);
            }
        }
    }
}

fn random_games(limits: Option<(u32, u32)>, games: u64) {
    for variant in reference::VARIANTS {
        let check = RandomGames {
            variant,
            games,
            limits,
        };
        variants::visit(variant, check).expect("a known variant");
    }
}

#[test]
fn variants_are_those_of_the_reference() {
    let ours: Vec<&str> = variants::names().collect();
    assert!(reference::VARIANTS.iter().all(|name| ours.contains(name)));
}

#[test]
fn random_games_agree() {
    random_games(None, 60);
}

#[test]
fn random_games_agree_under_other_limits() {
    for limits in [(2, 9), (3, 40), (0, 15), (4, 0)] {
        random_games(Some(limits), 12);
    }
}

struct Counts<'a> {
    positions: Vec<&'a str>,
}

impl Visitor for Counts<'_> {
    type Output = u64;
    fn visit<G: Evaluate>(self, game: G) -> u64 {
        let game = Arc::new(game);
        let mut checked = 0;
        for line in self.positions {
            let mut fields = line.split(';');
            let text = fields.next().unwrap_or_default().trim();
            let record = Record::parse(Arc::clone(&game), text, game.limits()).expect(text);
            assert_eq!(record.text(), text);
            for field in fields {
                let (depth, count) = field
                    .trim()
                    .trim_start_matches('D')
                    .split_once(' ')
                    .expect(field);
                let (depth, count) = (depth.parse().expect(field), count.parse().expect(field));
                let nodes = perft(&*game, record.position(), depth, &|| false);
                assert_eq!(nodes, Some(count), "{text} depth {depth}");
                checked += 1;
            }
        }
        checked
    }
}

fn file(name: &str) -> String {
    let path = format!("{}/tests/positions/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

#[test]
fn every_count_of_the_files_holds() {
    for variant in reference::VARIANTS {
        let text = file(&format!("{variant}.epd"));
        let positions = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let checked = variants::visit(variant, Counts { positions }).expect("a known variant");
        assert!(checked >= 60, "{variant}: {checked}");
    }
}

#[test]
fn counts_from_the_start_and_of_crowded_positions_hold() {
    let text = file("start.txt");
    let mut checked = 0;
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let (variant, position) = line.split_once(' ').expect(line);
        checked += variants::visit(
            variant,
            Counts {
                positions: vec![position],
            },
        )
        .expect(line);
    }
    assert!(checked >= 20);
}

struct Case<'a> {
    position: &'a str,
    mv: &'a str,
}

impl Visitor for Case<'_> {
    type Output = String;
    /// What the move does, in the words of the file.
    fn visit<G: Evaluate>(self, game: G) -> String {
        use huscarl::grid::Grid;
        let game = Arc::new(game);
        let mut record =
            Record::parse(Arc::clone(&game), self.position, game.limits()).expect(self.position);
        let Ok(mv) = game.parse_move(record.position(), self.mv) else {
            return "illegal".into();
        };
        let squares: Vec<String> = G::Grid::text_order(game.captured(record.position(), mv))
            .into_iter()
            .map(G::Grid::name)
            .collect();
        let captures = if squares.is_empty() {
            "none".into()
        } else {
            squares.join(" ")
        };
        record.play(mv);
        let result = match record.outcome() {
            None => "not over".into(),
            Some(outcome) => {
                let who = match outcome.winner {
                    Some(side) => format!("player {} wins", side.player()),
                    None => "draw".into(),
                };
                let points = outcome.points.map_or(String::new(), |[dwarfs, trolls]| {
                    let margin = dwarfs.abs_diff(trolls);
                    format!(", dwarfs {dwarfs}, trolls {trolls}, margin {margin}")
                });
                format!("{who} ({}){points}", outcome.reason)
            }
        };
        format!("captures {captures}; {result}")
    }
}

#[test]
fn every_row_of_the_cases_holds() {
    let text = file("cases.md");
    let mut rows = 0;
    for line in text
        .lines()
        .filter(|line| line.starts_with('|') && line.contains('`'))
    {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, variant, position, mv, expected, ..] = cells[..] else {
            panic!("{line}");
        };
        let (position, mv) = (position.trim_matches('`'), mv.trim_matches('`'));
        let mut variants_of_row = vec![variant];
        if variant == "tawlbwrdd" {
            variants_of_row.push("tawlbwrdd-bell");
        }
        for variant in variants_of_row {
            let found = variants::visit(variant, Case { position, mv }).expect(variant);
            assert_eq!(found, expected, "{line}");
        }
        rows += 1;
    }
    assert!(rows >= 119, "{rows}");
}
