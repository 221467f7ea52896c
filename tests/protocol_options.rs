//! The hello of both dialects, the list of options, and what `setoption` does; the limits `QuietLimit` and `RepetitionLimit`
//! and the variant are in `protocol_variants.rs`.

mod driver;

use driver::*;
use std::collections::HashMap;
use std::fs;

#[derive(Debug)]
struct Opt {
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    vars: Vec<String>,
}

/// Reads `option name N type T [default D] [min A] [max B] [var V]…`.
fn read_option(line: &str) -> (String, Opt) {
    let words = words(line);
    assert_eq!(words[..2], ["option", "name"], "{line}");
    let place = words
        .iter()
        .position(|w| *w == "type")
        .unwrap_or_else(|| panic!("no type in `{line}`"));
    let mut opt = Opt {
        kind: words[place + 1].to_string(),
        default: None,
        min: None,
        max: None,
        vars: Vec::new(),
    };
    let mut rest = words[place + 2..].iter();
    while let Some(key) = rest.next() {
        let value = rest.next().map_or(String::new(), ToString::to_string);
        match *key {
            "default" => opt.default = Some(value),
            "min" => opt.min = Some(value.parse().unwrap()),
            "max" => opt.max = Some(value.parse().unwrap()),
            "var" => opt.vars.push(value),
            _ => panic!("unknown word `{key}` in `{line}`"),
        }
    }
    (words[2..place].join(" "), opt)
}

fn options(hello: &str) -> HashMap<String, Opt> {
    let mut engine = Engine::new();
    engine.send(hello);
    let lines = engine.lines_until(&format!("{hello}ok"));
    lines
        .iter()
        .filter(|l| l.starts_with("option "))
        .map(|l| read_option(l))
        .collect()
}

/// Nothing is printed before the first command; then name, author, options and the word, in this order.
#[test]
fn hello() {
    for dialect in DIALECTS {
        let mut engine = Engine::new();
        assert!(
            engine.try_line(4 * A_WHILE).unwrap().is_none(),
            "nothing before the first command"
        );
        for _ in 0..2 {
            engine.send(dialect);
            let lines = engine.lines_until(&format!("{dialect}ok"));
            assert!(lines[0].starts_with("id name Huscarl"), "{}", lines[0]);
            assert!(
                lines[1].starts_with("id author ") && lines[1].len() > "id author ".len(),
                "{}",
                lines[1]
            );
            let (last, options) = lines[2..].split_last().unwrap();
            assert_eq!(*last, format!("{dialect}ok"));
            assert!(
                options.len() > 10 && options.iter().all(|l| l.starts_with("option name ")),
                "{options:?}"
            );
            assert_eq!(engine.sync(), [""; 0]);
        }
    }
}

/// Both dialects list the same options, each once, with type, range and default.
#[test]
fn list_of_options() {
    for dialect in DIALECTS {
        let options = options(dialect);
        let spin = |name: &str, default: &str, min: i64, max: i64| {
            let o = &options[name];
            assert_eq!(
                (o.kind.as_str(), o.default.as_deref(), o.min, o.max),
                ("spin", Some(default), Some(min), Some(max)),
                "{name}"
            );
        };
        spin("Hash", "64", 1, 1_048_576);
        spin("Threads", "1", 1, 1024);
        spin("MultiPV", "1", 1, 1000);
        spin("Move Overhead", "10", 0, 5000);
        spin("Skill Level", "20", 0, 20);
        spin("QuietLimit", "-1", -1, 100_000);
        let o = &options["RepetitionLimit"];
        assert_eq!(
            (o.kind.as_str(), o.default.as_deref(), o.min),
            ("spin", Some("-1"), Some(-1))
        );
        assert!(o.max.unwrap() >= 100);
        let o = &options["UCI_Elo"];
        let elo: i64 = o.default.as_ref().unwrap().parse().unwrap();
        assert!(
            o.kind == "spin" && o.min.unwrap() <= elo && elo <= o.max.unwrap(),
            "{o:?}"
        );
        for name in [
            "Ponder",
            "UCI_LimitStrength",
            "UCI_ShowWDL",
            "Offers",
            "OwnBook",
        ] {
            let o = &options[name];
            assert_eq!(
                (o.kind.as_str(), o.default.as_deref()),
                ("check", Some("false")),
                "{name}"
            );
        }
        assert_eq!(options["Clear Hash"].kind, "button");
        assert_eq!(options["Debug Log File"].kind, "string");
        let o = &options["UCI_Variant"];
        assert_eq!(
            (o.kind.as_str(), o.default.as_deref()),
            ("combo", Some("thud"))
        );
        let vars: Vec<&str> = o.vars.iter().map(String::as_str).collect();
        let known: Vec<&str> = huscarl::variants::names().collect();
        assert_eq!(vars, known);
    }
    let mut engine = Engine::new();
    engine.send("uci");
    let lines = engine.lines_until("uciok");
    let named = lines.iter().filter(|l| l.starts_with("option ")).count();
    assert_eq!(named, options("ugi").len(), "each option once");
}

/// "option name in another case, with blanks": found. The first `name` and the first `value` divide the line.
#[test]
fn names_without_regard_to_case() {
    let mut engine = Engine::new();
    for (line, value) in [
        ("setoption name UCI_Variant value hnefatafl7", "hnefatafl7"),
        ("setoption name uci_variant value tawlbwrdd", "tawlbwrdd"),
        (
            "setoption   name   UCI_VARIANT   value   tawlbwrdd-bell  ",
            "tawlbwrdd-bell",
        ),
        (
            "\tsetoption\tname\tUcI_vArIaNt\tvalue\tthud-rulebook\t",
            "thud-rulebook",
        ),
    ] {
        engine.accept(line);
        assert_eq!(engine.ask("variant"), value, "{line}");
    }
    for line in [
        "setoption name Clear Hash",
        "setoption name clear hash",
        "setoption name CLEAR HASH",
        "setoption name move overhead value 20",
        "setoption name Move   Overhead value 20",
        "setoption name SKILL LEVEL value 20",
        "setoption name hash value 1",
        "setoption name uci_showwdl value false",
        "setoption name quietlimit value -1",
        "setoption name repetitionlimit value -1",
        "setoption name ownbook value false",
    ] {
        engine.accept(line);
    }
    engine.accept("setoption name multipv value 4");
    assert_eq!(engine.variations(), 4);
    for line in [
        "setoption",
        "setoption name",
        "setoption name value 3",
        "setoption value 3",
        "setoption Hash 3",
        "setoption name MultiPV 7",
    ] {
        engine.refuse(line);
    }
    assert_eq!(engine.variations(), 4);
}

/// "`setoption name Hash value abc`, out of range, missing value, unknown option": an error line, the old value stays.
#[test]
fn bad_values_leave_the_old_one() {
    let mut engine = Engine::playing("hnefatafl7");
    engine.accept("setoption name MultiPV value 3\nsetoption name Hash value 2\nsetoption name Threads value 2");
    engine.accept("setoption name QuietLimit value 60\nsetoption name RepetitionLimit value 4\nsetoption name UCI_ShowWDL value true");
    let spins = [
        ("Hash", ["0", "-1", "1048577"]),
        ("Threads", ["0", "-1", "1025"]),
        ("MultiPV", ["0", "-1", "1001"]),
        ("Move Overhead", ["-1", "5001", "-99999999999999999999"]),
        ("Skill Level", ["-1", "21", "99999999999999999999"]),
        ("QuietLimit", ["-2", "100001", "1000000"]),
        ("RepetitionLimit", ["1", "-2", "-99"]),
        ("UCI_Elo", ["-1", "99999999", "0x100"]),
    ];
    for (name, values) in spins {
        let odd = ["abc", "", "1.5", "3 4", "99999999999999999999", "--3"];
        for value in values.iter().chain(&odd) {
            let error = engine.refuse(&format!("setoption name {name} value {value}"));
            assert!(error.contains(name), "`{error}` names {name}");
        }
        assert!(
            engine
                .refuse(&format!("setoption name {name}"))
                .contains(name)
        );
    }
    for name in [
        "Ponder",
        "UCI_ShowWDL",
        "Offers",
        "UCI_LimitStrength",
        "OwnBook",
    ] {
        for value in ["abc", "", "2", "true false"] {
            assert!(
                engine
                    .refuse(&format!("setoption name {name} value {value}"))
                    .contains(name)
            );
        }
        assert!(
            engine
                .refuse(&format!("setoption name {name}"))
                .contains(name)
        );
    }
    for value in ["chess", "", "thud2", "thud rulebook", "hnefatafl"] {
        let error = engine.refuse(&format!("setoption name UCI_Variant value {value}"));
        let named = !value.is_empty() && error.contains(&format!("'{value}'"));
        assert!(named || error.contains("UCI_Variant"), "{error}");
    }
    assert!(
        engine
            .refuse("setoption name UCI_Variant")
            .contains("UCI_Variant")
    );
    assert!(
        engine
            .refuse("setoption name Contempt value 3")
            .contains("Contempt")
    );
    assert!(
        engine
            .refuse("setoption name No Such Thing")
            .contains("No Such Thing")
    );
    assert!(
        engine
            .refuse("setoption name Hashh value 3")
            .contains("Hashh")
    );
    assert_eq!(engine.variations(), 3, "MultiPV stays");
    assert_eq!(engine.ask("variant"), "hnefatafl7");
    let v = variant("hnefatafl7");
    for (plies, reason) in [(11, "none"), (12, "repetition")] {
        engine.accept(&format!("position startpos moves {}", v.shuffled(plies)));
        assert_eq!(engine.ask("reason"), reason, "RepetitionLimit stays");
    }
    for (quiet, reason) in [(60, "quiet-limit"), (59, "none")] {
        engine.position(&v.fen(0, quiet));
        assert_eq!(engine.ask("reason"), reason, "QuietLimit stays");
    }
    // Here every move draws, so that an engine with `Offers` on would offer.
    let search = engine.go("depth 2");
    assert_eq!(words(&search.best).len(), 2, "Offers and Ponder stay");
    let mut scored = search.infos.iter().filter(|i| i.score.is_some());
    assert!(scored.all(|i| i.wdl.is_some()), "UCI_ShowWDL stays");
}

/// `Debug Log File` holds every line of both directions with a time stamp; its name may have blanks and the word `value` in it.
#[test]
fn debug_log_file() {
    let path = std::env::temp_dir().join(format!("huscarl value log {}.txt", std::process::id()));
    let _ = fs::remove_file(&path);
    let mut engine = Engine::new();
    engine.accept(&format!(
        "setoption name debug log file value {}",
        path.display()
    ));
    engine.send("query fen\nnonsense word");
    engine.sync();
    engine.go("depth 1");
    engine.sync();
    let said = engine.finish();
    assert_eq!(said, [""; 0]);
    let log = fs::read_to_string(&path).expect("the log file is there");
    let _ = fs::remove_file(&path);
    let lines: Vec<&str> = log.lines().collect();
    let order = [
        "query fen",
        "response ",
        "nonsense word",
        ERROR.trim_end(),
        "go depth 1",
        "bestmove ",
        "isready",
        "readyok",
    ];
    let mut place = lines
        .iter()
        .position(|l| l.contains("query fen"))
        .expect("the driver's lines");
    for what in ["response ", "bestmove "] {
        place += lines[place..]
            .iter()
            .position(|l| l.contains(what))
            .unwrap_or_else(|| panic!("{what} in\n{log}"));
    }
    for what in order {
        let line = lines
            .iter()
            .find(|l| l.contains(what))
            .unwrap_or_else(|| panic!("`{what}` in\n{log}"));
        assert!(
            !line.starts_with(what) && line.chars().any(|c| c.is_ascii_digit()),
            "a time stamp: {line}"
        );
    }
}

/// A log file that can't be written is an error, an empty name ends the log.
#[test]
fn debug_log_file_that_cannot_be_had() {
    let mut engine = Engine::new();
    let error = engine.refuse("setoption name Debug Log File value /no/such/folder/at all/log.txt");
    assert!(
        error.contains("Debug Log File") || error.contains("/no/such/folder"),
        "{error}"
    );
    engine.accept("setoption name Debug Log File value <empty>");
    engine.go("depth 1").sound();
}
