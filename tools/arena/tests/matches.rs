//! Whole matches as they are typed, from two engines to a verdict and the files that are left.

mod built;
mod common;

use common::{ARENA, Scratch, read, text};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The engine against itself at odds, and a look at all that the match leaves.
fn play(variant: &str, rounds: usize, flags: &str, sides: [&str; 2]) {
    let scratch = Scratch::new(&format!("match-{variant}"));
    let out = scratch.path("out");
    let engine = format!("cmd={}", built::engine().display());
    let output = Command::new(ARENA)
        .args(["match", "--variant", variant])
        .args(["--engine", &engine, "name=strong", "nodes=400"])
        .args(["--engine", &engine, "name=weak", "nodes=200"])
        .args(["--each", "option.Hash=1", "--concurrency", "2"])
        .args(["--sprt", "elo0=0", "elo1=10", "--pgn", "--json"])
        .args(["--rounds", &rounds.to_string(), "--out"])
        .arg(&out)
        .args(flags.split_whitespace())
        .output()
        .unwrap();
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    let games = (2 * rounds).to_string();
    let row = |name: &str| {
        let rows = said.lines().map(|line| line.split('|').map(str::trim));
        let row = rows.map(|row| row.collect::<Vec<_>>());
        { row }.any(|row| row.get(2..4) == Some(&[name, &games]))
    };
    assert!(row("strong") && row("weak"), "{said}");
    assert!(
        said.contains("SPRT elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic: LLR "),
        "{said}"
    );
    assert!(said.contains("not decided"), "{said}");
    for side in sides {
        assert!(said.contains(&format!("as {side}")), "{said}");
    }
    let (_, pairs) = read(&out);
    assert_eq!(pairs.len(), rounds);
    let files = ["games.jsonl", "games.pgn", "report.html", "standings.json"];
    for name in files {
        let path = out.join(name);
        let told = format!("written: {}", path.display());
        assert!(said.lines().any(|line| line == told), "{name}: {said}");
    }
    let checked = Command::new(ARENA)
        .arg("check")
        .args(["games.jsonl", "games.pgn"].map(|name| out.join(name)))
        .output()
        .unwrap();
    let found = text(&checked);
    assert!(checked.status.success(), "{found}");
    assert_eq!(
        found.matches(&format!(": {games} games, ")).count(),
        2,
        "{found}"
    );
    let standings = json(&out.join("standings.json"));
    assert_eq!(standings["pairs"], rounds);
    let duel = &standings["duels"][0];
    assert_eq!(duel["margin"].is_null(), variant != "thud");
    let moves: usize = pairs
        .iter()
        .flat_map(|pair| &pair.games)
        .map(|game| game.moves.len())
        .sum();
    let players = standings["players"].as_array().unwrap();
    let told: u64 = { players.iter() }
        .map(|player| player["moves"].as_u64().unwrap())
        .sum();
    assert_eq!(told, moves as u64);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.starts_with("<!") && page.contains("\"name\":\"strong\""));
}

#[test]
fn a_match_of_hnefatafl() {
    play("hnefatafl7", 3, "", ["attackers", "defenders"]);
}

#[test]
fn a_match_of_thud_that_is_cut_short() {
    play("thud", 1, "--max-plies 30", ["dwarfs", "trolls"]);
}

#[test]
fn a_verdict_ends_a_match_and_stands_when_it_is_gone_on_with() {
    let scratch = Scratch::new("verdict");
    let out = scratch.path("out");
    let engines = [
        common::engine("good", "", 0, "nodes=1"),
        common::engine("bad", "illegal", 0, "nodes=1"),
    ];
    let flags = "--rounds 500 --sprt elo0=0 elo1=50 --concurrency 2 --json";
    let output = common::run(&out, &engines, flags);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    let verdict = |said: &str| {
        let line = said.lines().find(|line| line.starts_with("stopped: SPRT "));
        line.map(|line| line.contains("H1 accepted after "))
    };
    assert_eq!(verdict(&said), Some(true), "{said}");
    let (_, pairs) = read(&out);
    assert!(pairs.len() < 500);
    let sprt = json(&out.join("standings.json"))["sprt"].clone();
    let [counted, after] = ["pairs", "after"].map(|key| sprt[key].as_u64().unwrap());
    assert_eq!(counted + after, pairs.len() as u64);
    assert!(after < 2, "no pair is begun after the verdict: {after}");
    let again = Command::new(ARENA)
        .args(["match", "--json", "--resume"])
        .arg(&out)
        .output()
        .unwrap();
    let said = text(&again);
    assert!(again.status.success(), "{said}");
    assert_eq!(verdict(&said), Some(true), "{said}");
    assert_eq!(read(&out).1, pairs);
    assert_eq!(json(&out.join("standings.json"))["sprt"], sprt);
    assert_eq!(sprt["verdict"], "H1");
}

#[test]
fn a_run_that_breaks_off_is_reported_nevertheless() {
    let scratch = Scratch::new("broken-off");
    let out = scratch.path("out");
    let engines = [
        common::engine("good", "", 0, "nodes=1"),
        common::engine("bad", "crash", 1, "nodes=1"),
    ];
    let output = common::run(&out, &engines, "--rounds 5 --pgn --json");
    let said = text(&output);
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("error: engine 'bad' failed (crash)"),
        "{said}"
    );
    assert_eq!(json(&out.join("standings.json"))["reasons"]["crash"], 2);
    assert!(out.join("report.html").exists() && out.join("games.pgn").exists());
}
