use super::*;
use crate::clock::TimeControl;
use clap::{Args, FromArgMatches};

fn flags(line: &[&str]) -> Flags {
    let command = Flags::augment_args(clap::Command::new("arena").no_binary_name(true));
    let matches = command.try_get_matches_from(line).unwrap();
    Flags::from_arg_matches(&matches).unwrap()
}

fn settings(line: &[&str]) -> Result<Settings, String> {
    flags(line).over(Table::new())
}

const TWO: [&str; 6] = [
    "--engine", "cmd=a", "--engine", "cmd=b", "name=B", "nodes=7",
];

#[test]
fn the_sample_is_a_tournament() {
    let settings = flags(&[]).over(SAMPLE.parse().unwrap()).unwrap();
    assert_eq!(
        (settings.variant.as_str(), settings.rounds),
        ("hnefatafl7", 100)
    );
    let players = settings.players().unwrap();
    assert_eq!(players[0].name, "new");
    assert_eq!(players[1].options["Hash"], "16");
    let control: TimeControl = "10+0.1".parse().unwrap();
    assert_eq!(players[1].limit.control, Some(control));
}

#[test]
fn flags_override_the_file_and_the_file_the_defaults() {
    let file: Table =
        "rounds = 9\nseed = 5\ntimemargin = 7\n[each]\nnodes = 3\noption = { Hash = 1 }"
            .parse()
            .unwrap();
    let mut line = TWO.to_vec();
    line.extend(["--rounds", "1", "--each", "option.Threads=2"]);
    let settings = flags(&line).over(file).unwrap();
    assert_eq!(settings.rounds, 1, "given, though it is the default");
    assert_eq!((settings.seed, settings.timemargin), (5, 7));
    assert_eq!(settings.max_plies, 600);
    let players = settings.players().unwrap();
    assert_eq!(players[0].limit.nodes, Some(3));
    assert_eq!(players[1].limit.nodes, Some(7));
    assert_eq!(players[0].options["Hash"], "1");
    assert_eq!(players[0].options["Threads"], "2");
}

#[test]
fn engines_are_told_apart() {
    let players = settings(&[
        "--engine", "cmd=x/a", "--engine", "cmd=a", "arg=-v", "arg=1", "--nodes", "5",
    ])
    .unwrap()
    .players()
    .unwrap();
    assert_eq!(players[0].name, "a");
    assert_eq!(players[1].name, "a-2");
    assert_eq!(players[1].command_line(), "a -v 1");
    let taken = [
        "--engine", "cmd=a", "name=x", "--engine", "cmd=a", "name=x", "--nodes", "5",
    ];
    assert!(
        settings(&taken)
            .unwrap()
            .players()
            .unwrap_err()
            .contains("taken")
    );
}

#[test]
fn an_engines_own_limit_replaces_the_common_one() {
    let line = [
        "--tc", "10+0.1", "--engine", "cmd=a", "--engine", "cmd=b", "depth=3",
    ];
    let players = settings(&line).unwrap().players().unwrap();
    assert_eq!(players[0].limit.to_string(), "tc=10+0.1");
    assert_eq!(players[1].limit.to_string(), "depth=3");
}

#[test]
fn values_of_options_keep_their_text() {
    let line = [
        "--engine",
        "cmd=a",
        "option.A B=1e5",
        "option.C=x=y",
        "--engine",
        "cmd=b",
        "--nodes",
        "1",
    ];
    let players = settings(&line).unwrap().players().unwrap();
    assert_eq!(players[0].options["A B"], "1e5");
    assert_eq!(players[0].options["C"], "x=y");
}

#[test]
fn what_is_wrong_is_named() {
    for (line, part) in [
        (&["--variant", "chess"][..], "chess"),
        (&["--rounds", "0"], "rounds"),
        (&["--repetition-limit", "1"], "repetition-limit"),
        (&["--patience", "0"], "patience"),
        (&["--openings", "file=x", "order=up"], "up"),
        (&["--openings", "order=random"], "file"),
        (&["--openings", "file=x", "start=no"], "no"),
        (&["--sprt", "elo0=0"], "elo1"),
        (&["--sprt", "elo0=0", "elo1=x"], "'x'"),
        (&["--each", "hash=16"], "hash"),
        (&["--engine", "cmd=a", "proto=cecp"], "cecp"),
    ] {
        let error = settings(line).unwrap_err();
        assert!(error.contains(part), "{line:?}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    for (line, part) in [
        (&["--engine", "cmd=a"][..], "two"),
        (&["--engine", "cmd=a", "--engine", "cmd=b"], "limit"),
        (
            &["--engine", "cmd=a", "--engine", "name=b", "--nodes", "1"],
            "cmd",
        ),
        (&["--engine", "cmd=a", "tc=x", "--engine", "cmd=b"], "'x'"),
        (&["--engine", "cmd=a", "st=-1", "--engine", "cmd=b"], "-1"),
    ] {
        let error = settings(line).unwrap().players().unwrap_err();
        assert!(error.contains(part), "{line:?}: {error}");
    }
    assert!(words_to_table(["cmd"]).unwrap_err().contains("'cmd'"));
    assert!(
        words_to_table(["cmd=a", "cmd=b"])
            .unwrap_err()
            .contains("twice")
    );
}

#[test]
fn what_results_depend_on_must_be_the_same_on_resume() {
    let base = settings(&TWO).unwrap();
    let with = |more: &[&str]| settings(&[&TWO[..], more].concat()).unwrap();
    let free = with(&["--concurrency", "2", "--silent", "--out", "x"]);
    assert_eq!(base.difference(&free), Ok(None));
    assert_eq!(
        base.difference(&with(&["--seed", "2"])),
        Ok(Some("seed".into()))
    );
    assert_eq!(
        base.difference(&with(&["--quiet-limit", "9"])),
        Ok(Some("quiet-limit".into()))
    );
    assert_eq!(
        base.difference(&with(&["--nodes", "9"])),
        Ok(Some("each".into()))
    );
}

#[test]
fn the_matches_that_are_shipped_can_be_read() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("matches");
    let files: Vec<_> = std::fs::read_dir(dir).unwrap().flatten().collect();
    assert!(!files.is_empty());
    for path in files.iter().map(std::fs::DirEntry::path) {
        let settings = flags(&[]).over(read_file(&path).unwrap());
        let settings = settings.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // The engines of the ladder are named by whoever plays it.
        let named = settings.players().map(|players| players.len());
        let is_ladder = path.ends_with("ladder.toml");
        assert_eq!(named.ok(), (!is_ladder).then_some(2), "{}", path.display());
    }
}
