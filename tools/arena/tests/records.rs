//! Records of played games in every form: written, read again, checked, and checked with something wrong in them.

use arena::record::{self, EngineInfo, Game, Line, Pair, Run};
use arena::text::replay::{Conditions, facts, replay};
use arena::text::write_pgn;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for a test, removed with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the arena; whether it was content, and what it printed.
fn arena(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(arguments)
        .output()
        .expect("the arena starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), text + &errors)
}

fn name(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}

/// A random game of some plies at most, from a position.
fn random_moves(variant: &str, start: Option<&str>, plies: usize, seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut session = huscarl::variants::open(variant, config()).expect("opens");
    session.set_position(start).expect("reads");
    let mut moves = Vec::new();
    while moves.len() < plies && session.outcome().is_none() {
        let legal = session.moves().expect("a position");
        let captures: Vec<&String> = legal
            .iter()
            .filter(|mv| matches!(session.captures(mv), Some(Ok(squares)) if !squares.is_empty()))
            .collect();
        let mv = match random.choice(&captures) {
            Some(mv) => mv.to_string(),
            None => random.choice(&legal).expect("not over").clone(),
        };
        session.play(&[&mv]).expect("legal");
        moves.push(mv);
    }
    moves
}

fn config() -> huscarl::session::Config {
    huscarl::session::Config {
        table: std::sync::Arc::new(huscarl::search::table::Table::new(1).expect("memory")),
        threads: 1,
        repetition: None,
        quiet: None,
    }
}

/// The record of a random game, ended by the rules or by its length.
fn game(variant: &str, fen: Option<&str>, opening: &[String], plies: usize, seed: u64) -> Game {
    let conditions = Conditions {
        start: fen.map(str::to_string),
        ..Conditions::of(variant.parse().expect("known"))
    };
    let texts = || opening.iter().map(String::as_str);
    let opened = replay(&conditions, texts()).expect("plays");
    let own = random_moves(variant, Some(&opened.end), plies, seed);
    let all = replay(&conditions, texts().chain(own.iter().map(String::as_str))).expect("plays");
    let (reason, outcome) = match all.over {
        Some((_, outcome)) => (outcome.reason.to_string(), outcome),
        None => ("length".to_string(), all.as_it_stands),
    };
    let moves = own.iter().enumerate().map(|(index, mv)| {
        let score = match index % 5 {
            0 => serde_json::json!({"mate": 3 - index as i32}),
            _ => serde_json::json!({"cp": index as i32 * 7 - 100}),
        };
        serde_json::json!({"move": mv, "score": score, "depth": 9, "nodes": 1000, "time": 12.5, "left": null})
    });
    // As a file has it, so that fields with a default may be missing.
    let game = serde_json::json!({
        "players": [0, 1],
        "winner": outcome.winner.map(|side| side.index()),
        "reason": reason,
        "detail": "",
        "points": outcome.points,
        "moves": moves.collect::<Vec<_>>(),
        "end": all.end,
        "seconds": 1.0,
    });
    serde_json::from_value(game).expect("a game")
}

/// A run of two engines, with names that need care.
fn run(variant: &str) -> Run {
    let engine = |name: &str| EngineInfo {
        name: name.into(),
        id: name.into(),
        command: "huscarl".into(),
        checksum: "00".into(),
        protocol: "uci".into(),
        options: Default::default(),
        limit: "nodes=1000".into(),
    };
    Run {
        arena: "0.1.0".into(),
        variant: variant.into(),
        rules: None,
        sides: facts(&variant.parse().expect("known"))
            .expect("known")
            .sides
            .map(str::to_string),
        started: "2024-05-06T07:08:09Z".into(),
        host: "a machine".into(),
        engines: vec![engine("a \"new\" one"), engine("C:\\old")],
        seed: 1,
        settings: serde_json::json!({}),
    }
}

fn pairs(variant: &str) -> Vec<Pair> {
    let pair = |index: u64, fen: Option<String>| {
        let opening = random_moves(variant, fen.as_deref(), 4, index);
        let games = [index * 2, index * 2 + 1].map(|seed| {
            let mut game = game(variant, fen.as_deref(), &opening, 80, seed);
            if seed % 2 == 1 {
                game.players = [1, 0];
            }
            game
        });
        Pair {
            index,
            round: 0,
            engines: [0, 1],
            fen,
            opening,
            games,
        }
    };
    let start = facts(&variant.parse().expect("known"))
        .expect("known")
        .start;
    // Finished in another order than that of the schedule.
    vec![
        pair(1, None),
        pair(0, None),
        pair(2, Some(start.replace(" 0 1", " 7 30"))),
    ]
}

fn jsonl(run: &Run, pairs: &[Pair]) -> String {
    let lines = std::iter::once(Line::Run(run.clone()));
    let lines = lines.chain(pairs.iter().cloned().map(Line::Pair));
    lines
        .map(|line| serde_json::to_string(&line).expect("writes") + "\n")
        .collect()
}

/// The tags and moves of a record without comments, as words.
fn moves(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        words.push(&rest[..open]);
        rest = rest[open..].split_once('}').expect("an end").1;
    }
    words.push(rest);
    words
        .concat()
        .split_whitespace()
        .map(str::to_string)
        .collect()
}

#[test]
fn games_of_a_tournament() {
    for variant in huscarl::variants::names() {
        let folder = Folder::new(&format!("records-{variant}"));
        let text = jsonl(&run(variant), &pairs(variant));
        // A last line that was broken off does not count.
        let source = folder.write("games.jsonl", &(text + "{\"kind\":\"pair\",\"ind"));
        let (passed, said) = arena(&["check", name(&source)]);
        assert!(passed && said.contains(": 6 games, "), "{said}");

        let pgn = folder.0.join("games.pgn");
        let recorded = record::load(&source).expect("reads");
        write_pgn(&recorded.run, &recorded.pairs, &pgn).expect("writes");
        let written = std::fs::read_to_string(&pgn).expect("is there");
        let (passed, said) = arena(&["check", name(&pgn)]);
        assert!(passed && said.contains(": 6 games, "), "{said}");
        let rounds: Vec<&str> = written
            .lines()
            .filter(|l| l.starts_with("[Round "))
            .collect();
        assert_eq!(rounds[0], "[Round \"1.1.1\"]");
        assert_eq!(rounds[5], "[Round \"1.3.2\"]");
        assert!(written.contains("\"a \\\"new\\\" one\"]") && written.contains("\"C:\\\\old\"]"));
        assert!(written.contains("[Date \"2024.05.06\"]"));
        assert!(
            written.contains("{book}") && written.contains("/9 0.013s}"),
            "{written}"
        );
        assert!(!folder.0.join("games.pgn.new").exists());

        // The same by conversion, and what is read is written again to the letter.
        for input in [&source, &pgn] {
            let (passed, said) = arena(&["convert", name(input), "--to", "pgn"]);
            assert!(passed);
            assert_eq!(said, written);
        }
    }
}

#[test]
fn other_forms_there_and_back() {
    for variant in huscarl::variants::names() {
        let folder = Folder::new(&format!("forms-{variant}"));
        let source = folder.write("games.jsonl", &jsonl(&run(variant), &pairs(variant)));
        let form = match variant.starts_with("thud") {
            true => "thud",
            false => "otg",
        };
        let other = folder.0.join(format!("games.{form}"));
        let back = folder.0.join("back.pgn");
        let again = folder.0.join(format!("again.{form}"));
        for (from, to) in [(&source, &other), (&other, &back), (&back, &again)] {
            let mut arguments = vec!["convert", name(from), name(to)];
            // ThudBoard text knows no variant.
            if form == "thud" {
                arguments.extend(["--variant", variant]);
            }
            let (passed, said) = arena(&arguments);
            assert!(passed, "{said}");
        }
        let read = |path: &Path| std::fs::read_to_string(path).expect("is there");
        assert_eq!(moves(&read(&again)), moves(&read(&other)));
        let (passed, said) = arena(&["check", name(&back)]);
        assert!(passed && said.contains(": 6 games, "), "{said}");
        // The wrong form for the game.
        let wrong = if form == "thud" {
            "opentafl"
        } else {
            "thudboard"
        };
        let (passed, said) = arena(&["convert", name(&source), "--to", wrong]);
        assert!(!passed && said.contains("games"), "{said}");
    }
}

/// Something to change in a run and its pairs, and what a check says then.
type Change = (fn(&mut Run, &mut Vec<Pair>), &'static str);

#[test]
fn faults_are_found() {
    let changes: [Change; 12] = [
        (
            |_, pairs| pairs[0].games[0].moves[3].mv = "a1a1".into(),
            "pair 1 game 1, ply 8, move a1a1",
        ),
        (
            |_, pairs| pairs[0].opening[1] = "a1a1".into(),
            "ply 2, move a1a1",
        ),
        (
            |_, pairs| pairs[1].games[0].moves.truncate(2),
            "at the end: position",
        ),
        (
            |_, pairs| pairs[1].games[1].end = "nonsense".into(),
            "position 'nonsense'",
        ),
        (
            |_, pairs| {
                let game = &mut pairs[0].games[0];
                game.winner = match game.winner {
                    Some(0) => Some(1),
                    _ => Some(0),
                };
            },
            "at the end: result",
        ),
        (
            |_, pairs| pairs[0].games[0].reason = "no-moves".into(),
            "at the end: reason no-moves",
        ),
        (
            |_, pairs| pairs[0].games[0].points = Some([1, 99]),
            "at the end: points 1-99",
        ),
        (
            |_, pairs| pairs[2].fen = Some("nonsense".into()),
            "the position can not be read",
        ),
        (|_, pairs| pairs[2].index = 0, "is in line 3 too"),
        (|_, pairs| pairs[2].engines = [0, 2], "engines 0 and 2"),
        (
            |_, pairs| pairs[2].games[1].players = [0, 1],
            "game 2: the players [0, 1]",
        ),
        (|run, _| run.sides[0] = "people".into(), "the sides people"),
    ];
    let folder = Folder::new("faults");
    for (index, (change, said)) in changes.iter().enumerate() {
        for variant in ["thud", "hnefatafl7"] {
            let (mut run, mut pairs) = (run(variant), pairs(variant));
            change(&mut run, &mut pairs);
            let path = folder.write(&format!("{index}.jsonl"), &jsonl(&run, &pairs));
            let (passed, text) = arena(&["check", name(&path)]);
            assert!(!passed, "{variant} {said}: {text}");
            assert!(text.contains(said), "{variant} {said}: {text}");
            assert!(text.contains("error: "), "{text}");
        }
    }
}

#[test]
fn files_that_can_not_be_read() {
    let folder = Folder::new("unreadable");
    let latin = folder.0.join("latin.pgn");
    std::fs::write(&latin, b"[Event \"\xe9\"]").expect("a file");
    let empty = folder.write("empty", "");
    let chess = folder.write("chess.pgn", "[Variant \"chess\"]\n\n1. e4 *\n");
    let untold = folder.write("untold.pgn", "1. d1c1 *\n");
    for (path, what) in [
        (&latin, "UTF-8"),
        (&empty, "--from"),
        (&chess, "chess"),
        (&untold, "--variant"),
        (&folder.0.join("missing.pgn"), "missing.pgn"),
    ] {
        for arguments in [
            vec!["check", name(path)],
            vec!["convert", name(path), "--to", "pgn"],
        ] {
            let (passed, said) = arena(&arguments);
            assert!(!passed && said.contains(what), "{arguments:?}: {said}");
            assert!(said.contains(name(path)), "{arguments:?}: {said}");
        }
    }
    let (passed, said) = arena(&["check", "--variant", "hnefatafl7", name(&untold)]);
    assert!(
        passed && said.contains("1 games, 1 moves, 0 faults"),
        "{said}"
    );
}
