//! The engine against the slow reference of the whole family: every built-in game and records at random, move for move
//! in random games; and the hand-made cases that OpenTafl's data do not show.

mod reference;

use fastrand::Rng;
use huscarl::bits::Bits;
use huscarl::eval::Evaluate;
use huscarl::game::{Game as Rules, Move, Moves, Side as Player};
use huscarl::grid::Grid;
use huscarl::perft;
use huscarl::record::Record as History;
use huscarl::tafl::Spec;
use huscarl::variants::{self, Visitor};
use reference::family::{self, Board, Game, Record, Side, random_record, told};
use std::collections::BTreeSet;
use std::sync::Arc;

fn player(side: Side) -> Player {
    match side {
        Side::Attackers => Player::First,
        Side::Defenders => Player::Second,
    }
}

/// Everything the two say of a position must be the same, except what the next move will be.
struct RandomGames<'a> {
    record: &'a Record,
    seeds: std::ops::Range<u64>,
    plies: usize,
}

impl RandomGames<'_> {
    fn play<G: Evaluate>(&self, game: &Arc<G>, seed: u64) -> Result<Option<&'static str>, String> {
        let mut random = Rng::with_seed(seed);
        let mut slow = Game::start(self.record);
        let Ok(mut fast) = History::start(Arc::clone(game), game.limits()) else {
            // In the order of the house men must stand where they may stop.
            assert!(self.record.house_order);
            return Ok(None);
        };
        if fast.outcome().is_some() {
            // The host looks at a position only after a move; the engine when it reads it.
            return Ok(None);
        }
        let mut end = None;
        for _ in 0..self.plies {
            let position = *fast.position();
            let mut list = Vec::new();
            game.generate(&position, Moves::All, &mut list);
            let name =
                |mv: &Move| format!("{}-{}", G::Grid::name(mv.from()), G::Grid::name(mv.to()));
            let texts: BTreeSet<String> = list.iter().map(name).collect();
            let moves = family::moves(self.record, &slow.board);
            let expected: BTreeSet<String> = moves.iter().map(|mv| mv.text()).collect();
            if texts != expected {
                return Err(format!(
                    "{}: moves {texts:?}, expected {expected:?}",
                    fast.text()
                ));
            }
            self.check_kinds(&**game, &position, &list)?;
            let Some(&mv) = random.choice(&list) else {
                break;
            };
            let text = name(&mv);
            let before = fast.text();
            let captured: BTreeSet<String> = game
                .captured(&position, mv)
                .iter()
                .map(G::Grid::name)
                .collect();
            fast.play(mv);
            let played = slow.play_text(&text).expect("the same moves");
            let taken: BTreeSet<String> = played.captured.iter().map(|s| s.name()).collect();
            if captured != taken {
                return Err(format!(
                    "{before} {text}: captured {captured:?}, expected {taken:?}"
                ));
            }
            let (now, then) = (game.rows(fast.position()), rows(&played.board));
            let running = game.running(fast.position()).map(G::Grid::name);
            let expected = played.board.running.map(|s| s.name());
            if now != then || running != expected || fast.side() != player(played.board.side) {
                return Err(format!(
                    "{before} {text}: {}, expected {then} {expected:?}",
                    fast.text()
                ));
            }
            if game.key(fast.position()) != game.computed_key(fast.position()) {
                return Err(format!("{before} {text}: key"));
            }
            let outcome = fast.outcome().map(|o| (o.winner, o.reason.to_string()));
            let told = played
                .end
                .map(|end| (end.winner.map(player), end.reason.to_string()));
            if outcome != told {
                return Err(format!("{before} {text}: {outcome:?}, expected {told:?}"));
            }
            end = played.end.map(|end| end.reason);
            if end.is_some() {
                break;
            }
        }
        Ok(end)
    }

    /// Captures and quiet moves are all moves, each is legal, and the winning move wins.
    fn check_kinds<G: Rules>(
        &self,
        game: &G,
        position: &G::Position,
        list: &[Move],
    ) -> Result<(), String> {
        let listed = |which| {
            let mut list = Vec::new();
            game.generate(position, which, &mut list);
            list.into_iter().collect::<BTreeSet<Move>>()
        };
        let (captures, quiets) = (listed(Moves::Captures), listed(Moves::Quiets));
        let takes = |mv: &Move| game.captured(position, *mv).any();
        let all: BTreeSet<Move> = list.iter().copied().collect();
        let expected: BTreeSet<Move> = all.iter().copied().filter(takes).collect();
        let sound = captures == expected
            && quiets == &all - &expected
            && all.iter().all(|&mv| {
                game.is_legal(position, mv) && game.is_capture(position, mv) == takes(&mv)
            })
            && all.len() as u64 == game.count(position);
        let wins = game.winning_move(position).is_none_or(|mv| {
            all.contains(&mv)
                && game
                    .decided(&game.make(position, mv))
                    .is_some_and(|o| o.winner == Some(game.side(position)))
        });
        if sound && wins {
            Ok(())
        } else {
            Err(format!("{}: kinds of move", game.rows(position)))
        }
    }
}

/// The rows of a position of the reference, in the order of the engine's text.
fn rows(board: &Board) -> String {
    let text = board.text();
    text.split(' ').next().expect("rows").to_string()
}

impl Visitor for RandomGames<'_> {
    type Output = Result<BTreeSet<&'static str>, String>;
    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        let game = Arc::new(game);
        let mut reasons = BTreeSet::new();
        for seed in self.seeds.clone() {
            reasons.extend(
                self.play(&game, seed)
                    .map_err(|why| format!("seed {seed}: {why}"))?,
            );
        }
        Ok(reasons)
    }
}

#[test]
fn every_built_in_game() {
    for name in variants::names().filter(|name| !name.starts_with("thud")) {
        let text = variants::record(name).expect(name);
        let record = Record::parse(text).expect(text);
        let games = RandomGames {
            record: &record,
            seeds: 0..if record.size > 11 { 4 } else { 20 },
            plies: 120,
        };
        if let Err(why) = variants::visit(name, games).expect(name) {
            panic!("{name}: {why}");
        }
    }
}

#[test]
fn records_at_random() {
    let mut reasons = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut played = 0;
    for seed in 0..2500 {
        let text = random_record(&mut Rng::with_seed(seed));
        // The engine has more keys of its own, and does not take unknown values of them.
        let known = |word: &&str| {
            let (key, value) = word.split_once(':').unwrap_or((word, ""));
            let ours = ["corhe", "aforhe", "dforhe"].contains(&key);
            let unknown = ["end", "rep"].contains(&key) && value == "?";
            !(ours || unknown)
        };
        let words: Vec<&str> = text.split(' ').filter(known).collect();
        let text = words.join(" ");
        let Ok(spec) = Spec::from_record(&text) else {
            // A board of five squares, which the engine has not.
            assert!(
                text.contains("dim:5"),
                "{text}: {:?}",
                Spec::from_record(&text)
            );
            continue;
        };
        let record = Record::parse(&text).expect(&text);
        let games = RandomGames {
            record: &record,
            seeds: seed..seed + 2,
            plies: 60,
        };
        match variants::visit_spec(&spec, games).expect(&text) {
            Ok(ends) => reasons.extend(ends),
            Err(why) => wrong.push(format!("{text}\n  {why}")),
        }
        played += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {played} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(reasons.len() >= 8, "{reasons:?}");
}

struct Case<'a> {
    line: &'a str,
}

impl Visitor for Case<'_> {
    type Output = Result<(), String>;
    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        let row: Vec<&str> = self.line.split(" ; ").collect();
        let game = Arc::new(game);
        let side = if row[1] == "attackers" {
            Player::First
        } else {
            Player::Second
        };
        let mut rows: Vec<&str> = row[2].trim_matches('/').split('/').collect();
        rows.reverse();
        let text = format!("{} {}", rows.join("/"), game.side_letters()[side.index()]);
        let mut record = match History::parse(Arc::clone(&game), &text, game.limits()) {
            Ok(record) => record,
            // In the order of the house men must stand where they may stop.
            Err(_) if row[0].contains("end:h") => return Ok(()),
            Err(why) => return Err(why),
        };
        if record.outcome().is_some() {
            // The engine lets nobody move in a game that is over; the host looks only after a move.
            return Ok(());
        }
        let squares: Vec<&str> = row[3]
            .split(['-', '^', '='])
            .filter(|s| !s.is_empty())
            .collect();
        let square = |text: &str| {
            G::Grid::parse_square(text)
                .map(|(square, _)| square)
                .ok_or("square")
        };
        let mv = Move::new(square(squares[0])?, square(squares[1])?, 0);
        if !game.is_legal(record.position(), mv) {
            return if row[4] == "illegal" {
                Ok(())
            } else {
                Err("illegal".into())
            };
        }
        let mut captured: Vec<String> = game
            .captured(record.position(), mv)
            .iter()
            .map(G::Grid::name)
            .collect();
        captured.sort();
        record.play(mv);
        let captured = if captured.is_empty() {
            "-".into()
        } else {
            captured.join("/")
        };
        let mut rows: Vec<String> = game
            .rows(record.position())
            .split('/')
            .map(String::from)
            .collect();
        rows.reverse();
        let after = format!("/{}/", rows.join("/"));
        let result = record.outcome().map_or("none".into(), |o| {
            let winner = match o.winner {
                None => "draw",
                Some(Player::First) => "attackers",
                Some(Player::Second) => "defenders",
            };
            format!("{winner} {}", o.reason)
        });
        let told = (row[4].to_string(), row[5].to_string(), row[6].to_string());
        if (captured.clone(), after.clone(), result.clone()) == told {
            Ok(())
        } else {
            Err(format!("{captured} {after} {result}"))
        }
    }
}

#[test]
fn hand_made_cases() {
    let text = told::file("own-cases.txt");
    let mut wrong = Vec::new();
    let mut cases = 0;
    for line in told::lines(&text) {
        let row: Vec<&str> = line.split(" ; ").collect();
        let spec = Spec::from_record(&format!("dim:7 {} start:{}", row[0], row[2])).expect(line);
        if let Err(why) = variants::visit_spec(&spec, Case { line }).expect(line) {
            wrong.push(format!("{line}\n  => {why}"));
        }
        cases += 1;
    }
    assert!(cases > 100);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

struct Perft(u32);

impl Visitor for Perft {
    type Output = u64;
    fn visit<G: Evaluate>(self, game: G) -> u64 {
        let start = game.start().expect("a start position");
        perft::perft(&game, &start, self.0, &|| false).expect("not stopped")
    }
}

#[test]
fn counts_from_every_start() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/positions/family.txt");
    let text = std::fs::read_to_string(path).expect(path);
    let mut names = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(" ; ");
        let name = fields.next().expect(line);
        let record = Record::parse(variants::record(name).expect(name)).expect(name);
        for field in fields {
            let (depth, count) = field[1..].split_once(' ').expect(line);
            let (depth, count) = (depth.parse().expect(line), count.parse().expect(line));
            assert_eq!(
                variants::visit(name, Perft(depth)),
                Ok(count),
                "{name} {depth}"
            );
            if count < 1_000_000 {
                let slow = family::perft(&record, &record.start, depth);
                assert_eq!(slow, count, "{name} {depth}");
            }
        }
        names.insert(name);
    }
    let family = variants::names().filter(|name| variants::record(name).is_some());
    assert_eq!(names, family.collect());
}
