//! Variants from a file: `--variants` and `VariantPath`, the example of `protocol.md`, and files with mistakes.

mod driver;

use driver::*;
use std::path::PathBuf;

/// A file that goes with the test.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> TempFile {
        let name = format!("huscarl variants {} {name}.toml", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("the file is written");
        TempFile(path)
    }

    fn path(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The example of `protocol.md`.
fn example() -> &'static str {
    let page = include_str!("../protocol.md");
    let (_, after) = page.split_once("```toml\n").expect("an example");
    after.split_once("```").expect("its end").0
}

const SMALL: &str = "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1";
const LARGE: &str = "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3 a 0 1";

/// The variants of the example and where they start.
const EXAMPLE: [(&str, &str); 4] = [
    ("hnefatafl7-edge", SMALL),
    ("hnefatafl7-slow", SMALL),
    ("my-tawlbwrdd", LARGE),
    ("my-brandub", SMALL),
];

/// The default and the choices of `UCI_Variant`, and the default of `VariantPath`.
fn listed(engine: &mut Engine) -> (String, Vec<String>, String) {
    engine.send("uci");
    let lines = engine.lines_until("uciok");
    let after = |begin: &str| {
        let mut rest = lines.iter().filter_map(|line| line.strip_prefix(begin));
        rest.next().expect(begin).to_string()
    };
    let choice = after("option name UCI_Variant type combo default ");
    let mut words = choice.split(" var ").map(str::to_string);
    (
        words.next().expect("a default"),
        words.collect(),
        after("option name VariantPath type string default "),
    )
}

fn plain_names() -> Vec<String> {
    huscarl::variants::names().map(String::from).collect()
}

fn with_example() -> Vec<String> {
    let loaded = EXAMPLE.iter().map(|(name, _)| name.to_string());
    plain_names().into_iter().chain(loaded).collect()
}

/// The option lists the variants of the file in the next hello, and they can be played; empty takes them back.
#[test]
fn the_example_by_option() {
    let file = TempFile::new("option", example());
    let mut engine = Engine::new();
    let nothing = ("thud".to_string(), plain_names(), "<empty>".to_string());
    assert_eq!(listed(&mut engine), nothing);
    assert!(
        engine
            .refuse("setoption name UCI_Variant value my-brandub")
            .contains("my-brandub")
    );
    engine.accept(&format!("setoption name VariantPath value {}", file.path()));
    assert_eq!(engine.ask("variant"), "thud");
    assert_eq!(
        listed(&mut engine),
        ("thud".to_string(), with_example(), "<empty>".to_string())
    );
    for (name, start) in EXAMPLE {
        engine.play(&name.to_ascii_uppercase());
        assert_eq!(engine.ask("variant"), name);
        assert_eq!(engine.ask("fen"), start);
        engine.go("nodes 500").sound();
        engine.accept("ucinewgame");
        assert_eq!(engine.ask("variant"), name);
    }
    assert!(
        engine
            .refuse("setoption name UCI_Variant value chess")
            .contains("my-brandub")
    );
    engine.accept("setoption name VariantPath value <empty>");
    assert_eq!(listed(&mut engine), nothing);
    assert_eq!(engine.ask("variant"), "my-brandub", "the game goes on");
    assert_eq!(engine.ask("fen"), SMALL);
    engine.refuse("setoption name UCI_Variant value my-brandub");
}

/// The limits of the file are the variant's own.
#[test]
fn limits_of_the_file() {
    let file = TempFile::new("limits", example());
    let mut engine = Engine::start(&["--variants", &file.path(), "--variant", "hnefatafl7-edge"]);
    let shuffle = VARIANTS
        .iter()
        .find(|v| v.name == "hnefatafl7")
        .expect("known")
        .shuffle;
    engine.accept(&format!("position startpos moves {}", shuffle.join(" ")));
    assert_eq!(engine.ask("reason"), "repetition");
    engine.play("my-tawlbwrdd");
    engine.accept(&format!(
        "position fen {} a 99 1 moves d1c1",
        LARGE.trim_end_matches(" a 0 1")
    ));
    assert_eq!(engine.ask("reason"), "quiet-limit");
}

/// `--variants` for the engine, `perft` and `play`.
#[test]
fn the_example_by_command_line() {
    let file = TempFile::new("command line", example());
    let path = file.path();
    let mut engine = Engine::start(&["--variants", &path, "--variant", "MY-tawlbwrdd"]);
    assert_eq!(engine.ask("variant"), "my-tawlbwrdd");
    assert_eq!(engine.ask("fen"), LARGE);
    assert_eq!(
        listed(&mut engine),
        ("my-tawlbwrdd".to_string(), with_example(), path.clone())
    );
    let (lines, code) = Engine::start(&["perft", "my-tawlbwrdd", "1", "--variants", &path]).end();
    assert_eq!((lines[0].as_str(), code), ("Nodes searched: 124", Some(0)));
    let mut table = Engine::start(&[
        "play",
        "--variants",
        &path,
        "--variant",
        "my-brandub",
        "--side",
        "both",
    ]);
    table.close_stdin();
    let (lines, code) = table.end();
    assert_eq!(code, Some(0));
    assert!(lines[0].starts_with("My-brandub"), "{lines:?}");
}

/// Files with a mistake: what the message names.
const MISTAKES: [(&str, &[&str]); 9] = [
    ("", &["line 1", "[[variant]]"]),
    ("[[variant]]\nname == \"a\"", &["line 2"]),
    (
        "[[variant]]\nname = \"a\"\nbase = \"brandub\"\n\n[[variant]]\nname = \"b\"",
        &["line 5", "'b'", "size", "7 9 11"],
    ),
    (
        "[[variant]]\nname = \"tawlbwrdd\"",
        &["line 2", "name", "'tawlbwrdd'", "another name"],
    ),
    (
        "[[variant]]\nname = \"a_b\"",
        &["line 2", "name", "'a_b'", "letters, digits and -"],
    ),
    (
        "[[variant]]\nname = \"a\"\nbase = \"brandub\"\ncolour = 1",
        &["line 4", "colour", "unknown key", "goal"],
    ),
    (
        "[[variant]]\nname = \"a\"\nbase = \"brandub\"\ngoal = \"x\"",
        &["line 4", "goal", "'x'", "\"edge\""],
    ),
    (
        "[[variant]]\nname = \"a\"\nbase = \"brandub\"\n[variant.centre]\n\nsquares = [\"k9\"]",
        &["line 6", "centre.squares", "'k9'", "g7"],
    ),
    (
        "[[variant]]\nname = \"a\"\nrecord = \"dim:7 start:/7/\"",
        &["line 3", "record", "start", "7 expected"],
    ),
];

/// Each is one error line, with the file, and nothing has changed.
#[test]
fn mistakes() {
    let good = TempFile::new("good", example());
    let mut engine = Engine::start(&["--variants", &good.path()]);
    engine.accept("position startpos moves g15h15");
    let missing = std::env::temp_dir().join("huscarl no such folder/x.toml");
    let missing = missing.display().to_string();
    let before = (listed(&mut engine), engine.ask("fen"));
    let mut check = |path: &str, words: &[&str]| {
        let by_option = engine.refuse(&format!("setoption name VariantPath value {path}"));
        assert_eq!((listed(&mut engine), engine.ask("fen")), before);
        let mut start = Engine::start(&["--variants", path]);
        let (lines, code) = start.end();
        assert!(
            lines.is_empty() && code == Some(1),
            "{path}: {lines:?} {code:?}"
        );
        for word in words.iter().chain(&[path]) {
            assert!(by_option.contains(word), "{word}: {by_option}");
        }
    };
    for (index, (text, words)) in MISTAKES.iter().enumerate() {
        let file = TempFile::new(&format!("mistake {index}"), text);
        check(&file.path(), words);
    }
    check(&missing, &[]);
}

/// Games that are built in but not listed are found by name.
#[test]
fn other_names() {
    let mut engine = Engine::new();
    for (name, start) in [
        ("brandub", SMALL),
        ("Copenhagen", LARGE),
        (
            "ard-ri",
            "2ttt2/3t3/t1TTT1t/ttTKTtt/t1TTT1t/3t3/2ttt2 a 0 1",
        ),
    ] {
        engine.play(name);
        assert_eq!(engine.ask("variant"), name.to_ascii_lowercase());
        assert_eq!(engine.ask("fen"), start);
    }
}
