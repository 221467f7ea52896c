//! Engines that speak OpenTafl's dialect: matches against others, faults, and what can not be told them.

mod built;
mod common;

use arena::record::{Game, Pair};
use common::{ARENA, Scratch, engine, read, run, text, timeless};
use std::path::Path;
use std::process::Command;

/// Time that no test uses up, and one that is used up at once.
const AMPLE: &str = "proto=otep tc=600";
const SHORT: &str = "proto=otep st=0.05";

fn games(pairs: &[Pair]) -> impl Iterator<Item = &Game> {
    pairs.iter().flat_map(|pair| &pair.games)
}

fn moves(game: &Game) -> Vec<&str> {
    game.moves.iter().map(|played| played.mv.as_str()).collect()
}

fn assert_checked(out: &Path) {
    let checked = Command::new(ARENA)
        .arg("check")
        .arg(out.join("games.jsonl"))
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", text(&checked));
}

/// Whether a side moved twice in a row.
fn has_long_turn(game: &Game) -> bool {
    let sides = game.moves.iter().map(|played| played.side);
    sides
        .clone()
        .zip(sides.skip(1))
        .any(|(one, next)| one == next)
}

#[test]
fn the_dialect_changes_no_move() {
    let scratch = Scratch::new("otep-same");
    for variant in ["hnefatafl7", "berserk", "tablut-foteviken", "magpie"] {
        let play = |name: &str, words: &str| {
            let out = scratch.path(&format!("{variant}-{name}"));
            let engines = [
                engine("one", "greedy", 0, "tc=600"),
                engine("other", "greedy", 0, words),
            ];
            let flags = format!(
                "--variant {variant} --rounds 3 --random-plies 9 --max-plies 60 --concurrency 2"
            );
            let output = run(&out, &engines, &flags);
            assert!(output.status.success(), "{variant}: {}", text(&output));
            assert_checked(&out);
            read(&out).1
        };
        let (plain, hosted) = (play("uci", "tc=600"), play("otep", AMPLE));
        for (one, other) in games(&plain).zip(games(&hosted)) {
            assert_eq!(moves(one), moves(other), "{variant}: {}", other.detail);
            assert_eq!((&one.reason, &one.end), (&other.reason, &other.end));
            assert_eq!(other.notes.warnings, [0, 0], "{:?}", other.notes.first);
            for played in &other.moves {
                let is_hosted = played.side.map(|side| other.players[side]) == Some(1);
                assert_eq!(played.score.is_none(), is_hosted, "{variant}");
            }
        }
        let is_long = games(&hosted).any(has_long_turn);
        assert_eq!(is_long, variant == "berserk", "{variant}");
        let page = scratch.path(&format!("{variant}-otep")).join("report.html");
        let page = std::fs::read_to_string(page).unwrap();
        assert_eq!(page.contains("\"again\":["), is_long, "{variant}");
    }
}

#[test]
fn what_is_no_fault_does_not_lose() {
    let scratch = Scratch::new("otep-harmless");
    let kinds = [
        "asks",
        "chats",
        "whole-records",
        "fills-stderr",
        "ignores-quit",
    ];
    let mut engines = vec![engine("good", "greedy", 0, "tc=600")];
    engines.extend(kinds.map(|kind| engine(kind, kind, 0, AMPLE)));
    let out = scratch.path("out");
    let flags = "--tournament gauntlet --concurrency 3 --max-plies 40";
    let output = run(&out, &engines, flags);
    assert!(output.status.success(), "{}", text(&output));
    let (_, pairs) = read(&out);
    assert_eq!(pairs.len(), kinds.len());
    for game in games(&pairs) {
        let faults = ["crash", "stall", "time", "illegal-move"];
        let found = format!("{} {}", game.reason, game.detail);
        assert!(!faults.contains(&game.reason.as_str()), "{found}");
        assert_eq!(game.notes.warnings, [0, 0], "{:?}", game.notes.first);
        let first = games(&pairs).find(|other| other.players[0] == 0 && game.players[0] == 0);
        if let Some(first) = first {
            assert_eq!(moves(game), moves(first), "the same moves as any other");
        }
    }
}

#[test]
fn faults_have_their_reasons() {
    let cases = [
        ("illegal", 2, AMPLE, "illegal-move", "move 'a1a1'"),
        ("wrong-notation", 0, AMPLE, "illegal-move", "d1-e1 expected"),
        ("garbage", 1, AMPLE, "illegal-move", "d1-e1 expected"),
        ("gives-up", 1, AMPLE, "crash", "error -1 out of ideas"),
        ("crash", 2, AMPLE, "crash", "exit code 3; last lines:"),
        ("ends-at-once", 0, AMPLE, "crash", "exit code 7"),
        ("half-line-and-end", 1, AMPLE, "crash", "the process ended"),
        ("close-output", 1, AMPLE, "crash", "closed its pipe"),
        ("late", 0, SHORT, "time", "ms too long"),
        ("hang", 0, SHORT, "stall", "no move within"),
        ("no-hello", 0, SHORT, "stall", "no hello after rules"),
    ];
    let scratch = Scratch::new("otep-faults");
    let out = scratch.path("out");
    let mut engines = vec![engine("good", "", 0, AMPLE)];
    for (index, (fault, good, limit, ..)) in cases.iter().enumerate() {
        engines.push(engine(&format!("{index}-{fault}"), fault, *good, limit));
    }
    let flags = "--tournament gauntlet --recover --patience 10 --concurrency 4";
    let output = run(&out, &engines, flags);
    assert!(output.status.success(), "{}", text(&output));
    let (_, pairs) = read(&out);
    assert_eq!(pairs.len(), cases.len());
    for (pair, case) in pairs.iter().zip(cases) {
        let (_, _, _, reason, detail) = case;
        for game in &pair.games {
            let found = format!("{case:?}: {} {}", game.reason, game.detail);
            assert_eq!(game.reason, reason, "{found}");
            assert!(game.detail.contains(detail), "{found}");
            let winner = game.winner.map(|winner| game.players[winner]);
            assert_eq!(winner, Some(0), "{found}");
        }
    }
}

#[test]
fn what_can_not_be_told_is_refused_or_warned_of() {
    let scratch = Scratch::new("otep-refused");
    let refused = [
        (
            "proto=otep nodes=5",
            "",
            "nodes=5: the dialect otep knows no nodes=",
        ),
        ("proto=otep st=1 depth=5", "", "depth=5"),
        (
            AMPLE,
            "--variant thud",
            "speaks otep, which can not tell thud",
        ),
    ];
    for (index, (words, flags, expected)) in refused.into_iter().enumerate() {
        let engines = [engine("a", "", 0, "tc=600"), engine("b", "", 0, words)];
        let output = run(&scratch.path(&index.to_string()), &engines, flags);
        let said = text(&output);
        assert!(
            !output.status.success() && said.contains(expected),
            "{said}"
        );
        assert_eq!(said.trim().lines().count(), 1, "{said}");
    }
    let engines = [
        engine("a", "", 0, "tc=600"),
        engine("b", "", 0, &format!("{AMPLE} option.Hash=16")),
    ];
    let flags = "--quiet-limit 6 --ponder --rounds 4";
    let out = scratch.path("warned");
    let output = run(&out, &engines, flags);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    for expected in [
        "'b' speaks otep, which has no options: Hash=16 is left out",
        "'b' is told of quiet-limit 6 by the key quiet",
        "'b' speaks otep and can not ponder",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    assert!(games(&read(&out).1).any(|game| game.reason == "quiet-limit"));
}

#[test]
fn a_game_of_a_file_is_played_and_read_without_it() {
    let scratch = Scratch::new("otep-file");
    let file = scratch.path("variants.toml");
    let variants = "[[variant]]\nname = \"late-brandub\"\nbase = \"brandub\"\nfirst = \"defenders\"\n\
                    corners.squares = [\"a1\", \"g7\"]\n";
    std::fs::write(&file, variants).unwrap();
    let play = |out: &Path, engines: &[Vec<String>]| {
        let flags = format!("--variant late-brandub --variants {} --pgn", file.display());
        run(out, engines, &flags)
    };
    let out = scratch.path("out");
    let engines = ["one", "other"].map(|name| engine(name, "greedy", 0, AMPLE));
    let output = play(&out, &engines);
    assert!(output.status.success(), "{}", text(&output));
    std::fs::rename(&file, scratch.path("elsewhere.toml")).unwrap();
    let (run, pairs) = read(&out);
    assert!(
        run.rules
            .is_some_and(|rules| rules.contains("atkf:n") && rules.contains("cor:a1,g7"))
    );
    let pgn = std::fs::read_to_string(out.join("games.pgn")).unwrap();
    assert!(
        pgn.contains("[Rules \"dim:7 ") && pgn.contains("\n1... "),
        "{pgn}"
    );
    let record = out.join("games.otg");
    let arena = |words: &[&str]| {
        let output = Command::new(ARENA).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", text(&output));
    };
    let name = |name: &str| out.join(name).display().to_string();
    arena(&["convert", &name("games.pgn"), &name("games.otg")]);
    arena(&[
        "check",
        &name("games.jsonl"),
        &name("games.pgn"),
        &name("games.otg"),
    ]);
    arena(&["report", &out.display().to_string()]);
    assert!(
        std::fs::read_to_string(record)
            .unwrap()
            .contains(" atkf:n ")
    );
    assert!(
        games(&pairs).all(|game| game.moves[0].side == Some(1)),
        "two plies were random"
    );
    // Who speaks uci has to know the file.
    std::fs::rename(scratch.path("elsewhere.toml"), &file).unwrap();
    let engines = [engines[0].clone(), engine("uci", "", 0, "tc=600")];
    let output = play(&scratch.path("refused"), &engines);
    assert!(!output.status.success());
    let said = text(&output);
    assert!(
        said.contains("engine 'uci' does not play late-brandub"),
        "{said}"
    );
    let program = format!("cmd={}", built::engine().display());
    let words = [
        "--engine",
        &program,
        "name=huscarl",
        "nodes=20",
        "option.Hash=1",
    ];
    let engines = [engines[0].clone(), words.map(str::to_string).to_vec()];
    let output = play(&scratch.path("huscarl"), &engines);
    assert!(output.status.success(), "{}", text(&output));
    assert_checked(&scratch.path("huscarl"));
}

#[test]
fn a_torn_run_is_gone_on_with() {
    let scratch = Scratch::new("otep-torn");
    let out = scratch.path("out");
    let engines = [
        engine("one", "greedy", 0, AMPLE),
        engine("other", "greedy", 0, "proto=otep tc=300+1"),
    ];
    let flags = "--variant berserk --rounds 6 --random-plies 12 --max-plies 40 --concurrency 2";
    let output = run(&out, &engines, flags);
    assert!(output.status.success(), "{}", text(&output));
    let expected = timeless(&read(&out).1);
    let file = out.join("games.jsonl");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() * 2 / 3]).unwrap();
    let output = Command::new(ARENA)
        .args(["match", "--resume"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(timeless(&read(&out).1), expected);
}

/// The engine against itself, in two dialects. The margin is one that no machine needs, however busy.
#[test]
fn matches_between_the_dialects_end_with_legal_games() {
    let program = format!("cmd={}", built::engine().display());
    let scratch = Scratch::new("otep-matches");
    for (variant, plies) in [
        ("brandub", "40"),
        ("tablut", "24"),
        ("berserk", "24"),
        ("copenhagen", "20"),
        ("alea-evangelii", "12"),
    ] {
        let out = scratch.path(variant);
        let output = Command::new(ARENA)
            .args(["match", "--variant", variant, "--max-plies", plies])
            .args([
                "--engine",
                &program,
                "name=uci",
                "nodes=50",
                "option.Hash=1",
            ])
            .args(["--engine", &program, "name=otep", "proto=otep", "st=0.05"])
            .args(["arg=--protocol", "arg=otep", "--timemargin", "100000"])
            .args(["--patience", "120", "--pgn", "--json", "--out"])
            .arg(&out)
            .output()
            .unwrap();
        let said = text(&output);
        assert!(output.status.success(), "{variant}: {said}");
        assert_checked(&out);
        let (_, pairs) = read(&out);
        for game in games(&pairs) {
            let faults = ["crash", "stall", "time", "illegal-move"];
            assert!(
                !faults.contains(&game.reason.as_str()),
                "{variant}: {}",
                game.detail
            );
            assert_eq!(
                game.notes.warnings,
                [0, 0],
                "{variant}: {:?}",
                game.notes.first
            );
        }
        let page = std::fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains("\"protocol\":\"otep\""));
    }
}
