//! `huscarl play`: saved games, and files that are none.

mod play_table;

use play_table::*;
use std::fs;

const TAFL: [&str; 6] = [
    "--variant",
    "hnefatafl7",
    "--movetime",
    "5",
    "--side",
    "both",
];
const GOOD: &str = "huscarl-game 1
variant hnefatafl7
players person engine
start 3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0 1
game 1
moves d1c1 d3c3
result none
";

#[test]
fn there_and_back() {
    let path = scratch("tafl");
    let name = path.to_str().expect("a plain name");
    let mut table = Table::open(&TAFL);
    for mv in ["d7c7", "d3b3", "c7d7", "d4d3", "d7c7"] {
        table.expect(mv, &[mv]);
    }
    let board = table.ask("board");
    table.expect(&format!("save {name}"), &["Saved to "]);
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(
        text.starts_with("huscarl-game 1\nvariant hnefatafl7\nplayers person person\n"),
        "{text}"
    );
    assert!(
        text.ends_with("game 1\nmoves d7c7 d3b3 c7d7 d4d3 d7c7\nresult none\n"),
        "{text}"
    );

    // Another program, which was playing something else.
    let mut other = Table::open(&["--movetime", "5"]);
    let shown = other.ask(&format!("load {name}"));
    assert!(shown.ends_with(&board), "{shown}\n{board}");
    assert_eq!(other.ask("board"), board);
    other.expect("undo", &["Attackers (player A) to move."]);
    other.expect("d7c7", &[]);
    other.expect("d3g3", &[]);
    other.expect("c7d7", &[]);
    other.expect("g3g1", &["Game over: king escaped."]);
    other.expect(&format!("save {name}"), &["Saved to "]);
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(text.ends_with("\nresult p2win king-escaped\n"), "{text}");
    table.expect(
        &format!("load {name}"),
        &["Game over: king escaped. Defenders (player B) win."],
    );
    table.expect(&format!("save {name}"), &["Saved to "]);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), text);
}

/// More moves than go on a line, and games ended by word.
#[test]
fn long_games_and_words() {
    let path = scratch("words");
    let name = path.to_str().expect("a plain name");
    let mut table = Table::open(&TAFL);
    let mut dice = Dice::new(3);
    for _ in 0..25 {
        let moves = table.moves();
        if table
            .ask(&moves[dice.below(moves.len())])
            .contains("Game over")
        {
            table.ask("undo");
        }
    }
    let board = table.ask("board");
    for (word, result) in [("resign", "-resigned\n"), ("offer", "result draw agreed\n")] {
        table.ask(word);
        if word == "offer" {
            table.ask("yes");
        }
        table.expect(&format!("save {name}"), &["Saved to "]);
        let text = fs::read_to_string(&path).expect("it is there");
        assert!(text.ends_with(result), "{text}");
        assert!(text.matches("\nmoves ").count() > 1, "{text}");
        table.expect(&format!("load {name}"), &["Game over: "]);
        assert_eq!(table.ask("undo"), board);
    }
}

/// A match is saved with its first battle.
#[test]
fn matches() {
    let path = scratch("match");
    let name = path.to_str().expect("a plain name");
    let save = format!("save {name}");
    let load = format!("load {name}");
    let mut table = Table::open(&["--side", "both", "--fen", TWO_DWARFS]);
    table.expect("g9h10xg11", &[]);
    table.expect(
        "resign",
        &["Dwarfs 0, trolls 4: trolls (player B) win by 4."],
    );
    table.expect(&save, &["Saved"]);
    table.expect(
        &load,
        &[
            "battle 1 of 2",
            "Credits after the first battle: player A 0, player B 4.",
        ],
    );
    table.expect("next", &["battle 2 of 2"]);
    table.expect("g9h10xi11", &[]);
    table.expect(&save, &["Saved"]);
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(
        text.ends_with(
            "game 1\nmoves g9h10xg11\nresult p2win p1-resigned 0 4\ngame 2\nmoves g9h10xi11\nresult none\n"
        ),
        "{text}"
    );
    let mut other = Table::open(&["--movetime", "5"]);
    other.expect(
        &load,
        &[
            "battle 2 of 2: dwarfs (player B) against trolls (player A)",
            "to move.",
        ],
    );
    other.expect("offer", &["yes or no"]);
    other.expect(
        "yes",
        &["Credits: player A 3, player B 4; player B wins the match by 1."],
    );
    other.expect(&save, &["Saved"]);
    table.expect(&load, &["player B wins the match by 1."]);
}

/// Those who played go on to play.
#[test]
fn players() {
    let path = scratch("players");
    fs::write(&path, GOOD.replace("person engine", "engine person")).expect("written");
    let name = path.to_str().expect("a plain name");
    let mut table = Table::open(&TAFL);
    table.expect(
        &format!("load {name}"),
        &[
            "attackers (the engine) against defenders (you)",
            "Attackers (the engine): ",
        ],
    );
}

#[test]
fn bad_files() {
    let path = scratch("bad");
    let name = path.to_str().expect("a plain name");
    let mut table = Table::open(&TAFL);
    table.expect("d1e1", &[]);
    let board = table.ask("board");
    let long = format!("moves {}", "x".repeat(10_000));
    let cases: [(&str, &str, &str); 24] = [
        (
            "huscarl-game 1",
            "huscarl-game 2",
            "line 1: version '2', 1 expected",
        ),
        (
            "huscarl-game 1",
            "a letter",
            "line 1: 'a letter', 'huscarl-game ...' expected",
        ),
        (
            "huscarl-game 1",
            "\n",
            "line 1: '', 'huscarl-game ...' expected",
        ),
        ("hnefatafl7", "chess", "line 2: unknown variant 'chess'"),
        (
            "hnefatafl7",
            "Hnefatafl7",
            "line 2: variant 'Hnefatafl7', hnefatafl7 expected",
        ),
        (
            "person engine",
            "person",
            "line 3: players 'person', person or engine expected",
        ),
        ("person engine", "person cat", "line 3: players"),
        ("person engine", "person engine person", "line 3: players"),
        ("start 3t3", "start 4t3", "line 4: start: row 7"),
        (" a 0 1", " x 0 1", "line 4: start: side 'x'"),
        ("\ngame 1", "\ngame 2", "line 5: game '2', 1 expected"),
        (
            "\ngame 1\n",
            "\n",
            "line 5: 'moves d1c1 d3c3', 'game ...' expected",
        ),
        (
            "d1c1",
            "d1d3",
            "line 6: move 'd1d3' at ply 1: not a legal move",
        ),
        ("d3c3", "C3", "line 6: move 'C3' at ply 2: "),
        (
            "d3c3",
            "D3C3",
            "line 6: move 'D3C3' at ply 2: not written as",
        ),
        ("d1c1 d3c3", "d1c1  d3c3", "line 6: move '' at ply 2: "),
        ("moves d1c1 d3c3", &long, "line 6: move 'xxx"),
        (
            "result none",
            "result p1win king-captured",
            "line 7: result 'p1win king-captured', but the moves lead to 'none'",
        ),
        (
            "result none",
            "result p1win p1-resigned",
            "but the moves lead to 'p2win p1-resigned'",
        ),
        (
            "result none",
            "result",
            "line 7: 'result', 'result ...' expected",
        ),
        (
            "result none\n",
            "",
            "the file ends where 'result' is expected, in line 7",
        ),
        (
            "result none\n",
            "result none\n\n",
            "line 8: '' after the end",
        ),
        (
            "result none\n",
            "result none\ngame 2\nresult none\n",
            "line 8: this game is not a match",
        ),
        ("none", "\x1b[2J", "line 7: result '?[2J'"),
    ];
    for (old, new, answer) in cases {
        assert!(GOOD.contains(old));
        fs::write(&path, GOOD.replacen(old, new, 1)).expect("written");
        let shown = table.expect(&format!("load {name}"), &[answer]);
        assert!(
            shown.lines().count() == 2 && shown.len() < 1000,
            "one line: {shown}"
        );
        assert_eq!(table.ask("board"), board, "the game goes on as it was");
    }
    for (bytes, answer) in [
        (
            &b""[..],
            "the file ends where 'huscarl-game' is expected, in line 1",
        ),
        (b"\xff\xfe\x00", "not a text file"),
        (&vec![b'a'; 5 << 20], "too large"),
    ] {
        fs::write(&path, bytes).expect("written");
        table.expect(&format!("load {name}"), &[answer]);
    }
    // Moves after the end, and a second battle before the end of the first.
    let round = "d1c1 d3c3 c1d1 c3d3";
    let drawn = GOOD.replace("d1c1 d3c3", &format!("{round} {round} d1c1"));
    fs::write(&path, drawn).expect("written");
    table.expect(
        &format!("load {name}"),
        &["move 'd1c1' at ply 9: the game is over (repetition)"],
    );
    let early = format!(
        "huscarl-game 1\nvariant thud\nplayers person person\nstart {TWO_DWARFS}\ngame 1\nresult none\ngame 2\nresult none\n"
    );
    fs::write(&path, early).expect("written");
    table.expect(
        &format!("load {name}"),
        &["line 7: this battle is not over yet"],
    );
    // A file with the line ends of another system is as good.
    fs::write(&path, GOOD.replace('\n', "\r\n")).expect("written");
    table.expect(
        &format!("load {name}"),
        &["attackers (you) against defenders (the engine)"],
    );
}

#[test]
fn files_that_can_not_be_had() {
    let mut table = Table::open(&TAFL);
    let missing = scratch("missing");
    let missing = missing.to_str().expect("a plain name");
    table.expect(&format!("load {missing}"), &[missing, "attackers> "]);
    let folder = env!("CARGO_TARGET_TMPDIR");
    table.expect(&format!("load {folder}"), &[folder, "attackers> "]);
    table.expect(&format!("save {folder}"), &[folder, "attackers> "]);
    table.expect(
        &format!("save {folder}/no/such/folder"),
        &[folder, "attackers> "],
    );
    // What is no saved game is not written over.
    let other = scratch("letter");
    fs::write(&other, "Dear Sir,\n").expect("written");
    table.expect(
        &format!("save {}", other.display()),
        &["is no saved game; it is left alone"],
    );
    assert_eq!(
        fs::read_to_string(&other).expect("it is there"),
        "Dear Sir,\n"
    );
    // A name may have blanks in it.
    let blank = scratch("with blanks");
    table.expect(&format!("save {}", blank.display()), &["Saved to "]);
    table.expect(
        &format!("load {}", blank.display()),
        &["Attackers (player A) to move."],
    );
}
