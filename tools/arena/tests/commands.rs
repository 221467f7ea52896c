//! The commands as they are typed: a file and its flags, and what is said when something is wrong.

mod common;

use common::{ARENA, FAKE, Scratch, engine, read, run, text};
use std::process::{Command, Output};

fn arena(words: &[&str]) -> Output {
    // A run without --out makes a directory where it is started.
    Command::new(ARENA)
        .current_dir(std::env::temp_dir())
        .args(words)
        .output()
        .unwrap()
}

#[test]
fn a_file_is_written_and_played_and_flags_override_it() {
    let scratch = Scratch::new("file");
    let (file, out) = (scratch.path("t.toml"), scratch.path("out"));
    let (name, out_name) = (file.to_str().unwrap(), out.to_str().unwrap());
    let output = arena(&["init", name]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&arena(&["init", name])).contains("can not be written"));
    let sample = std::fs::read_to_string(&file).unwrap();
    let sample = sample
        .replace("./huscarl-new", FAKE)
        .replace("./huscarl-old", FAKE);
    let sample = sample.replace("Hash = 16, Threads = 1", "Hash = 2");
    std::fs::write(&file, sample).unwrap();
    let openings = scratch.path("openings.txt");
    std::fs::write(
        &openings,
        "startpos moves d1c1\nstartpos moves d2c2 # the other\n",
    )
    .unwrap();
    let book = format!("file={}", openings.display());
    let output = arena(&[
        "run",
        name,
        "--out",
        out_name,
        "--rounds",
        "3",
        "--nodes",
        "1",
        "--tc",
        "60+1",
        "--max-plies",
        "9",
        "--openings",
        &book,
        "order=sequential",
        "start=2",
        "--io-log",
    ]);
    assert!(output.status.success(), "{}", text(&output));
    let (run, pairs) = read(&out);
    assert_eq!(run.sides, ["attackers", "defenders"]);
    assert_eq!(run.engines[0].name, "new");
    assert_eq!(run.engines[0].id, "Fake 1");
    assert_eq!(run.engines[1].options["Hash"], "2");
    assert_eq!(run.engines[1].limit, "tc=60+1 nodes=1");
    assert_eq!(run.engines[0].checksum.len(), 64);
    let first: Vec<&str> = pairs.iter().map(|pair| pair.opening[0].as_str()).collect();
    assert_eq!(first, ["d2c2", "d1c1", "d2c2"]);
    for pair in &pairs {
        assert_eq!(pair.games[0].players, [0, 1]);
        assert_eq!(pair.games[1].players, [1, 0]);
        for game in &pair.games {
            assert_eq!((game.reason.as_str(), game.moves.len()), ("length", 8));
            assert!(
                game.moves
                    .iter()
                    .all(|played| played.left.is_some_and(|left| left > 0.0))
            );
        }
    }
    assert!(
        text(&output).contains("new against old: +0 =6 -0 (50.0 %), pairs 0/0/3/0/0"),
        "{}",
        text(&output)
    );
    let log = std::fs::read_to_string(out.join("io/worker-0-engine-1.log")).unwrap();
    assert!(log.contains("> setoption name Hash value 2"));
    assert!(log.contains("winc 1000") && log.contains("< bestmove"));
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let scratch = Scratch::new("wrong");
    let file = scratch.path("t.toml");
    let name = file.to_str().unwrap();
    let engine = format!("cmd={FAKE}");
    let two = [
        "match",
        "--engine",
        &engine,
        "--engine",
        &engine,
        "--variant",
        "hnefatafl7",
        "--nodes",
        "1",
    ];
    let with = |more: &[&str]| arena(&[&two[..], more].concat());
    std::fs::write(&file, "rounds = 3\nvariant = \"hnefatafl7\nseed = 1\n").unwrap();
    let broken = arena(&["run", name]);
    std::fs::write(&file, "each = { hash = 1 }").unwrap();
    let key = arena(&["run", name]);
    for (output, parts) in [
        (broken, &["line 2"][..]),
        (key, &["`hash`", "each"]),
        (arena(&["run", "/no/such/file"]), &["/no/such/file"]),
        (arena(&["match"]), &["at least two"]),
        (arena(&["match", "--resume", name]), &[name]),
        (with(&["--each", "option.Foo=1"]), &["no option 'Foo'"]),
        (
            with(&["--openings", "file=/no/such/book"]),
            &["/no/such/book"],
        ),
        (
            with(&["--variant=thud-rulebook"]),
            &["cannot be used multiple times"],
        ),
        (with(&["--random-plies", "10000"]), &["random-plies"]),
        (with(&["--sprt", "elo0=5"]), &["elo1"]),
        (with(&["--sprt", "elo0=5", "elo1=0"]), &["elo0 below elo1"]),
        (with(&["--sprt", "elo0=0", "elo1=x"]), &["'x'"]),
        (with(&["--sprt", "elo0=0", "elo1=5", "elo2=9"]), &["`elo2`"]),
        (
            with(&["--sprt", "elo0=0", "elo1=5", "alpha=0.7"]),
            &["alpha '0.7'"],
        ),
        (
            with(&["--sprt", "elo0=0", "elo1=5", "model=bayes"]),
            &["model 'bayes'"],
        ),
        (
            with(&["--sprt", "elo0=0", "elo1=5", "--engine", &engine]),
            &["3 engines, two expected"],
        ),
        (with(&["--adjudicate", "resign=5"]), &["resign=SCORE:MOVES"]),
        (
            with(&["--out", &format!("{FAKE}/x")]),
            &["can not be written"],
        ),
    ] {
        let said = text(&output);
        assert!(!output.status.success(), "{said}");
        for part in parts {
            assert!(said.contains(part), "{said}");
        }
        let errors: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with("error: "))
            .collect();
        assert_eq!(errors.len(), 1, "{said}");
    }
    let tawl = arena(&[
        "match",
        "--engine",
        &engine,
        "--engine",
        &engine,
        "--nodes",
        "1",
        "--variant",
        "tawlbwrdd-bell",
    ]);
    assert!(
        text(&tawl).contains("does not play tawlbwrdd-bell"),
        "{}",
        text(&tawl)
    );
}

#[test]
fn games_can_be_ended_early() {
    let scratch = Scratch::new("early");
    let engines = [engine("a", "", 0, "nodes=1"), engine("b", "", 0, "nodes=1")];
    for (index, (flags, reason, plies)) in [
        ("--adjudicate draw=10:2:3", "adjudicated", 7),
        ("--adjudicate resign=0:1", "adjudicated", 4),
        ("--quiet-limit 3", "quiet-limit", 3),
        ("--max-plies 5", "length", 5),
    ]
    .into_iter()
    .enumerate()
    {
        let out = scratch.path(&index.to_string());
        let output = run(&out, &engines, flags);
        assert!(output.status.success(), "{}", text(&output));
        for game in &read(&out).1[0].games {
            // Two plies of the opening come first.
            let found = (game.reason.as_str(), game.moves.len() + 2);
            assert_eq!(found, (reason, plies), "{flags}");
            // Two that both say that they are level are both lost and won by 0; the one who says so first loses.
            assert_eq!(game.winner.is_some(), flags.contains("resign"), "{flags}");
        }
        let warned = text(&output).contains("no option QuietLimit");
        assert_eq!(warned, flags.contains("quiet"), "{}", text(&output));
    }
}

#[test]
fn engines_are_started_anew_where_that_is_asked_for() {
    let scratch = Scratch::new("restart");
    let engines = [engine("a", "", 0, "nodes=1"), engine("b", "", 0, "nodes=1")];
    for (flags, starts) in [
        ("--io-log --rounds 3", 1),
        ("--io-log --rounds 3 --restart --affinity", 6),
    ] {
        let out = scratch.path(&starts.to_string());
        let output = run(&out, &engines, flags);
        assert!(output.status.success(), "{}", text(&output));
        let log = std::fs::read_to_string(out.join("io/worker-0-engine-0.log")).unwrap();
        assert_eq!(
            log.lines().filter(|line| line.ends_with("> uci")).count(),
            starts
        );
        assert_eq!(
            log.lines()
                .filter(|line| line.ends_with("> ucinewgame"))
                .count(),
            6
        );
    }
}
