//! What every game must satisfy, whatever its rules: one generic suite that each variant passes.
//!
//! Texts round-trip, keys and counts agree with what they stand for, the kinds of move list divide the whole, and symmetric
//! positions have equal counts. What the rules tell the search of threats is in [`threats`].

mod threats;

use fastrand::Rng;
use huscarl::bits::Bits;
use huscarl::eval::Evaluate;
use huscarl::game::{Game, Move, Moves, Side};
use huscarl::grid::Grid;
use huscarl::perft::{divide, perft, perft_made};
use huscarl::variants::{self, Visitor};
use std::collections::HashSet;

/// Runs a check on every variant.
fn for_all<C: Visitor<Output = ()> + Clone>(check: C) {
    let mut games = 0;
    for name in variants::names() {
        println!("{name}");
        variants::visit(name, check.clone()).expect("a known variant");
        games += 1;
    }
    assert!(games >= 5);
}

fn list<G: Game>(game: &G, position: &G::Position, which: Moves) -> Vec<Move> {
    let mut list = Vec::new();
    game.generate(position, which, &mut list);
    list
}

/// Positions from random games, the start included. Captures are preferred now and then, so that endings come up.
fn positions<G: Game>(game: &G, games: usize, seed: u64) -> Vec<G::Position> {
    let mut random = Rng::with_seed(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = game.start().expect("the start reads");
        for _ in 0..120 {
            positions.push(position);
            let mut moves = list(game, &position, Moves::All);
            let captures = list(game, &position, Moves::Captures);
            if !captures.is_empty() && random.u8(..4) > 0 {
                moves = captures;
            }
            let Some(&mv) = random.choice(&moves) else {
                break;
            };
            position = game.make(&position, mv);
        }
    }
    positions
}

/// A sample of `many` positions spread over the whole list.
fn sample<T: Copy>(list: &[T], many: usize) -> impl Iterator<Item = T> {
    list.iter().copied().step_by((list.len() / many).max(1))
}

#[derive(Clone)]
struct Texts;
impl Visitor for Texts {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in positions(&game, 12, 1) {
            let rows = game.rows(&position);
            let side = game.side(&position);
            // Of a finished game a position text keeps the pieces only, and a turn that goes on is told beside the rows.
            if game.decided(&position).is_none() {
                let mut read = game.parse(&rows, side).expect(&rows);
                if let Some(square) = game.running(&position) {
                    read = game.with_running(&read, square).expect(&rows);
                }
                assert_eq!(read, position, "{rows}");
            }
            let moves = list(&game, &position, Moves::All);
            let texts: HashSet<String> = moves
                .iter()
                .map(|&mv| {
                    let text = game.move_text(&position, mv);
                    assert_eq!(game.parse_move(&position, &text), Ok(mv), "{rows} {text}");
                    let upper = text.to_ascii_uppercase().replace('X', "x");
                    assert_eq!(game.parse_move(&position, &upper), Ok(mv));
                    text
                })
                .collect();
            assert_eq!(texts.len(), moves.len(), "one text a move: {rows}");
            for &mv in moves.iter().step_by(7) {
                // Captures written out, in any order, name the same move.
                let mut squares = G::Grid::text_order(game.captured(&position, mv));
                squares.reverse();
                let mut text = G::Grid::name(mv.from()) + &G::Grid::name(mv.to());
                for square in squares {
                    text += &format!("x{}", G::Grid::name(square));
                }
                assert_eq!(game.parse_move(&position, &text), Ok(mv), "{rows} {text}");
                if let Some(first) = text.find('x') {
                    let twice = format!("{text}{}", &text[first..]);
                    assert!(game.parse_move(&position, &twice).is_err(), "{twice}");
                }
            }
            for text in [
                "",
                "a",
                "a1",
                "a1b",
                "a1a1",
                "zz",
                "a1a2x",
                "é1a2",
                "a1a2xa1xa1",
                "a01a2",
            ] {
                assert!(game.parse_move(&position, text).is_err(), "{text}");
            }
        }
    }
}

#[test]
fn texts_round_trip() {
    for_all(Texts);
}

#[derive(Clone)]
struct Lists;
impl Visitor for Lists {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in positions(&game, 30, 2) {
            let rows = game.rows(&position);
            let all = list(&game, &position, Moves::All);
            let set: HashSet<Move> = all.iter().copied().collect();
            assert_eq!(set.len(), all.len(), "no move twice: {rows}");
            assert_eq!(game.count(&position), all.len() as u64, "{rows}");

            let captures = list(&game, &position, Moves::Captures);
            let quiets = list(&game, &position, Moves::Quiets);
            let lesser = list(&game, &position, Moves::Lesser);
            let parts: Vec<Move> = [&captures[..], &quiets, &lesser].concat();
            assert_eq!(parts.len(), all.len(), "{rows}");
            assert_eq!(parts.iter().copied().collect::<HashSet<_>>(), set, "{rows}");
            for &mv in &all {
                let captured = game.captured(&position, mv);
                assert_eq!(game.is_capture(&position, mv), captured.any(), "{rows}");
                assert_eq!(game.gain(&position, mv) > 0, captured.any(), "{rows}");
            }
            assert!(
                captures.iter().all(|&mv| game.is_capture(&position, mv)),
                "{rows}"
            );
            assert!(
                quiets.iter().all(|&mv| !game.is_capture(&position, mv)),
                "{rows}"
            );
            for &mv in &lesser {
                // There is a capture with the same from and to that takes more.
                let taken = game.captured(&position, mv);
                assert!(
                    captures.iter().any(|&more| {
                        let full = game.captured(&position, more);
                        (more.from(), more.to()) == (mv.from(), mv.to())
                            && (taken & !full).is_empty()
                            && full != taken
                    }),
                    "{rows} {mv:?}"
                );
            }

            let to = (0..40).fold(huscarl::game::SetOf::<G>::default(), |set, n| {
                set | Bits::bit(all.get(n * 3).map_or(0, |mv| mv.to()))
            });
            let mut some = Vec::new();
            game.generate_to(&position, to, &mut some);
            let expected: HashSet<Move> =
                all.iter().copied().filter(|mv| to.has(mv.to())).collect();
            assert_eq!(some.len(), expected.len());
            assert_eq!(some.into_iter().collect::<HashSet<_>>(), expected);
        }
    }
}

#[test]
fn kinds_of_move_divide_the_whole() {
    for_all(Lists);
}

#[derive(Clone)]
struct Keys;
impl Visitor for Keys {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in sample(&positions(&game, 20, 3), 400) {
            assert_eq!(game.key(&position), game.computed_key(&position));
            for mv in list(&game, &position, Moves::All) {
                let child = game.make(&position, mv);
                assert_eq!(
                    game.key(&child),
                    game.computed_key(&child),
                    "{}",
                    game.rows(&child)
                );
                let turned = game.side(&child) != game.side(&position);
                assert_eq!(turned, game.running(&child).is_none());
                assert!(turned || !G::ALTERNATES);
                let before = game.rows(&position).len();
                assert!(before > 0);
                // The captured squares are just those that the other side no longer holds.
                let captured = game.captured(&position, mv);
                for square in G::Grid::squares() {
                    let gone = game.piece(&position, square).is_some()
                        && game.piece(&child, square) != game.piece(&position, square)
                        && square != mv.from()
                        && (square != mv.to() || captured.has(square));
                    assert_eq!(gone, captured.has(square), "{}", game.rows(&position));
                }
            }
        }
    }
}

#[test]
fn incremental_keys_and_captures() {
    for_all(Keys);
}

#[derive(Clone)]
struct Legality;
impl Visitor for Legality {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in sample(&positions(&game, 8, 4), 6) {
            let legal: HashSet<Move> = list(&game, &position, Moves::All).into_iter().collect();
            // Where moves choose captures every mask is tried, elsewhere a few stand for all.
            let chosen = legal.iter().any(|mv| mv.mask() != 0);
            let every = 0..if chosen {
                1 << Move::BITS
            } else {
                1 << (Move::BITS - 8)
            };
            let masks = if chosen { &[0][..] } else { &[0, 1, 128, 255] };
            let found = every
                .flat_map(|bits| {
                    masks
                        .iter()
                        .map(move |mask| bits | mask << (Move::BITS - 8))
                })
                .map(Move::from_bits)
                .filter(|&mv| game.is_legal(&position, mv))
                .inspect(|mv| assert!(legal.contains(mv), "{} {mv:?}", game.rows(&position)))
                .count();
            assert_eq!(found, legal.len(), "{}", game.rows(&position));
        }
    }
}

#[test]
fn legal_is_what_is_listed_for_every_encodable_move() {
    for_all(Legality);
}

/// The rows of a position text under one of the eight symmetries of the square.
fn image(rows: &str, turn: usize) -> String {
    let mut cells: Vec<Vec<char>> = rows
        .split('/')
        .map(|row| {
            let mut cells = Vec::new();
            let mut number = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(digit) => number = number * 10 + digit,
                    None => {
                        cells.extend((0..std::mem::take(&mut number)).map(|_| '.'));
                        cells.push(letter);
                    }
                }
            }
            cells.extend((0..number).map(|_| '.'));
            cells
        })
        .collect();
    let side = cells.len();
    if turn >= 4 {
        cells.reverse();
    }
    for _ in 0..turn % 4 {
        cells = (0..side)
            .map(|row| {
                (0..side)
                    .map(|column| cells[side - 1 - column][row])
                    .collect()
            })
            .collect();
    }
    let mut text = String::new();
    for row in &cells {
        let mut empty = 0;
        for &cell in row.iter().chain(&['/']) {
            if cell == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &std::mem::take(&mut empty).to_string();
            }
            text.push(cell);
        }
    }
    text.pop();
    text
}

#[derive(Clone)]
struct Symmetry;
impl Visitor for Symmetry {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        for position in sample(&positions(&game, 10, 5), 12) {
            let (rows, side) = (game.rows(&position), game.side(&position));
            let count = perft(&game, &position, 2, &|| false);
            let value = game.evaluate(&position, &game.sight(&position));
            for turn in 0..8 {
                let image = game
                    .parse(&image(&rows, turn), side)
                    .expect("an image reads");
                assert_eq!(
                    perft(&game, &image, 2, &|| false),
                    count,
                    "{rows} turned {turn}"
                );
                assert_eq!(
                    game.evaluate(&image, &game.sight(&image)),
                    value,
                    "{rows} turned {turn}"
                );
            }
        }
    }
}

#[test]
fn images_have_equal_counts_and_values() {
    assert_eq!(image("3t/K3/4/4", 0), "3t/K3/4/4");
    assert_eq!(image("3t/K3/4/4", 1), "2K1/4/4/3t");
    assert_eq!(image("3t/K3/4/4", 4), "4/4/K3/3t");
    for_all(Symmetry);
}

#[derive(Clone)]
struct Counting;
impl Visitor for Counting {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        let never = || false;
        for position in sample(&positions(&game, 10, 6), 8) {
            for depth in 0..3 {
                let nodes = perft(&game, &position, depth, &never);
                assert_eq!(perft_made(&game, &position, depth, &never), nodes);
                for made in [false, true] {
                    let mut sum = 0;
                    let total = divide(&game, &position, depth, made, &never, |_, n| sum += n);
                    assert_eq!(total, nodes);
                    assert!(depth == 0 || Some(sum) == nodes);
                }
            }
            assert_eq!(perft(&game, &position, 3, &|| true), None);
        }
    }
}

#[test]
fn three_ways_of_counting_agree() {
    for_all(Counting);
}

#[derive(Clone)]
struct Strict;
impl Visitor for Strict {
    type Output = ();
    fn visit<G: Evaluate>(self, game: G) {
        let start = game.start_rows().to_string();
        let side = Side::First;
        assert!(game.parse(&start, side).is_ok());
        for bad in [
            String::new(),
            "/".into(),
            start.clone() + "/",
            format!("/{start}"),
            start.replacen('/', "", 1),
            start.replacen('5', "6", 1),
            start.replacen('5', "05", 1),
            start.replacen('5', "99999999999999999999999", 1),
            start.replacen('t', "q", 1).replacen('d', "q", 1),
            start.replacen('t', "é", 1).replacen('d', "é", 1),
        ] {
            if bad == start {
                continue;
            }
            let error = game.parse(&bad, side).expect_err(&bad);
            assert!(!error.is_empty() && !error.contains('\n'), "{bad}: {error}");
        }
    }
}

#[test]
fn rows_are_read_strictly() {
    for_all(Strict);
}
