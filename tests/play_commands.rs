//! `huscarl play`: what can be typed beside moves that are right, and what the command line takes.

mod play_table;

use play_table::*;

const TAFL: [&str; 4] = ["--variant", "hnefatafl7", "--movetime", "5"];

fn tafl(args: &[&str]) -> Table {
    Table::open(&[&TAFL, args].concat())
}

#[test]
fn moves_that_are_none() {
    let mut table = tafl(&["--side", "both"]);
    for (typed, answer) in [
        ("d1", "d1 is yours; it can go to b1 c1 e1 f1"),
        ("d1d5", "d1 is yours; it can go to b1 c1 e1 f1"),
        ("D1-D5", "d1 is yours; it can go to b1 c1 e1 f1"),
        (
            "d4",
            "d4 is the opponent's, and no piece of yours can reach that",
        ),
        (
            "d4d5",
            "d4 is the opponent's, and no piece of yours can reach d5",
        ),
        (
            "d3e7",
            "d3 is the opponent's; your pieces that can reach e7: d7",
        ),
        ("a1", "a1 is empty, and no piece of yours can reach that"),
        ("a2", "a2 is empty; your pieces that can reach that: a4 d2"),
        ("e6e7", "e6 is empty; your pieces that can reach e7: d7"),
        ("h1h2", "h1 is not on the board, which goes from a1 to g7"),
        ("d1d99", "d99 is not on the board"),
        (
            "d1c1xd2",
            "not legal with the captures d2; d1c1 can capture nothing",
        ),
        ("d1c1xd2xd2", "named twice"),
        ("d1c", "'d1c' is not a move"),
        ("d1c1c1", "is not a move"),
        ("d1é", "is not a move"),
        ("d0d1", "unknown command 'd0d1'; known are board, "),
        (
            "frobnicate the board",
            "unknown command 'frobnicate'; known are board, ",
        ),
        ("\u{1f409}", "unknown command"),
        ("undo 3", "nothing is expected after undo"),
        ("save", "the name of a file is expected"),
        ("moves d9", "d9 is not on the board"),
        ("moves d4", "d4 is the opponent's"),
        ("moves x", "a square such as d1 expected"),
    ] {
        let shown = table.expect(typed, &[answer]);
        assert!(shown.ends_with("\nattackers> "), "{typed}: {shown}");
    }
    assert_eq!(table.ask(""), "attackers> ");
    table.expect("moves d1", &["d1: "]);
    assert_eq!(table.moves().len(), 40);
    // Determined captures may be written out, and a move may have a gap.
    table.expect("  d1 c1 ", &["Attackers (player A): d1c1"]);
    table.quit("QUIT");
}

#[test]
fn squares_that_are_none_in_thud() {
    let mut table = Table::open(&["--side", "both"]);
    table.expect("h8", &["h8 is a stone"]);
    table.expect("a1a2", &["a1 is cut off from the board"]);
    table.expect("f1a1", &["a1 is cut off from the board"]);
    table.expect("g7", &["g7 is the opponent's, and no piece of yours"]);
    let moves = table.moves();
    assert_eq!(moves.len(), 656);
    table.quit("quit");
}

#[test]
fn help_names_every_command() {
    let shown = played(&TAFL, "help\n");
    for word in [
        "board",
        "flip",
        "moves [SQUARE]",
        "hint",
        "undo",
        "offer",
        "resign",
        "next",
        "new",
        "save FILE",
        "load FILE",
        "quit",
    ] {
        assert!(shown.contains(&format!("\n  {word} ")), "{word}: {shown}");
    }
    assert!(played(&[], "help\n").contains("as if all your men were off the board"));
}

#[test]
fn hints_are_legal_moves() {
    let mut table = tafl(&["--side", "2"]);
    for _ in 0..3 {
        let shown = table.expect("hint", &["The engine would play "]);
        let hint = shown.split_whitespace().nth(4).expect("a move");
        let hint = hint.trim_end_matches(',').to_string();
        assert!(table.moves().contains(&hint), "{hint}");
        if table.ask(&hint).contains("Game over") {
            break;
        }
    }
}

#[test]
fn undo_goes_back_to_the_person() {
    let mut table = tafl(&["--side", "2"]);
    let first = table.greeting.clone();
    table.expect("undo", &["there is no move of yours to take back"]);
    let before = table.ask("board");
    assert!(first.ends_with(&before), "{first}{before}");
    table.expect(
        "d3c3",
        &["Defenders (you): d3c3", "Attackers (the engine): "],
    );
    assert_eq!(
        table.ask("undo"),
        before,
        "board, marks and turn are the old ones"
    );
    table.expect("d3e3", &["Attackers (the engine): "]);
    let second = table.ask("board");
    table.ask("d5c5");
    assert_eq!(table.ask("undo"), second);
    assert_eq!(table.ask("undo"), before);
    // After the end, too: the word is taken back, the position stays.
    table.expect(
        "resign",
        &["Game over: defenders resigned. Attackers (the engine) win."],
    );
    assert_eq!(table.ask("undo"), before);
    table.ask("quit");

    // Between two people each move; after the last one of a game that is over, too.
    let mut table = tafl(&["--side", "both", "--fen", "7/7/7/7/2K4/7/3t3 d 0 1"]);
    table.expect("c3c1", &[]);
    table.expect("undo", &["Defenders (player B) to move"]);
    table.expect("c3a3", &[]);
    table.expect("d1d2", &[]);
    table.expect("a3a1", &["Game over: king escaped."]);
    table.expect("undo", &["Defenders (player B) to move"]);
    table.expect("a3a7", &["Game over: king escaped."]);
}

/// Repetition ends a game here, and undo goes on with it.
#[test]
fn repetition() {
    let round = "d1c1\nd3c3\nc1d1\nc3d3\n";
    let args = [&TAFL[..], &["--side", "both"]].concat();
    let shown = played(&args, &format!("{round}{round}undo\nc3d3\n"));
    assert_eq!(
        shown
            .matches("Game over: repetition. It is a draw.")
            .count(),
        2,
        "{shown}"
    );
}

#[test]
fn resigning() {
    let mut table = tafl(&["--side", "both"]);
    table.expect("resign", &["attackers resigned. Defenders (player B) win."]);
    table.expect("resign", &["the game is over already"]);
    table.expect("offer", &["the game is over already"]);
    table.expect("moves", &["the game is over"]);
    table.expect("new", &["Attackers (player A) to move."]);
    // In the middle of a game it is asked whether that is meant.
    table.expect("d1c1", &[]);
    table.expect("new", &["yes or no> "]);
    table.expect("perhaps", &["yes or no> "]);
    assert_eq!(table.ask("no"), "defenders> ");
    table.expect("new", &["yes or no> "]);
    table.expect("yes", &["Attackers (player A) to move."]);

    // In a battle none of the men of the side that gives up count.
    let mut table = Table::open(&["--side", "both", "--fen", TWO_DWARFS]);
    table.expect(
        "resign",
        &[
            "trolls resigned. Dwarfs 2, trolls 0: dwarfs (player A) win by 2.",
            "player A 2, player B 0.",
        ],
    );
    table.expect("next", &["battle 2 of 2"]);
    table.expect("next", &["second battle already"]);
}

#[test]
fn offers() {
    // The attackers can not stop the king: they take the draw, he does not.
    let king_wins = "7/7/2K4/7/7/7/1t5 a 0 1";
    let mut table = tafl(&["--side", "2", "--fen", king_wins]);
    table.expect(
        "offer",
        &["The engine accepts.", "Game over: agreed. It is a draw."],
    );
    table.expect("undo", &["Defenders (you) to move."]);
    let mut table = tafl(&["--side", "1", "--fen", king_wins]);
    table.expect("offer", &["The engine declines.", "attackers> "]);

    // After a while without a capture the engine offers by itself, now and then.
    let offers = "The engine offers to end it as it stands";
    let quiet = |plies: &str| king_wins.replace("a 0", &format!("a {plies}"));
    assert!(
        !tafl(&["--side", "2", "--fen", &quiet("29")])
            .greeting
            .contains(offers)
    );
    assert!(
        !tafl(&["--side", "2", "--fen", &quiet("36")])
            .greeting
            .contains(offers)
    );
    let mut table = tafl(&["--side", "2", "--fen", &quiet("30")]);
    assert!(table.greeting.contains(offers), "{}", table.greeting);
    table.expect("offer", &["The engine accepts.", "It is a draw."]);

    // In Thud what counts is the margin: with dwarfs about to be eaten the trolls play on.
    let mut table = Table::open(&[
        "--movetime",
        "5",
        "--fen",
        &TWO_DWARFS.replace(" t ", " d "),
    ]);
    table.expect("offer", &["The engine declines.", "dwarfs> "]);
    table.expect("next", &["not over yet"]);

    // Two people: the other side is asked.
    let mut table = tafl(&["--side", "both"]);
    table.expect("offer", &["defenders, end it as it stands? yes or no> "]);
    table.expect("no", &["Player B declines.", "attackers> "]);
    table.expect("d1c1", &[]);
    table.expect("offer", &["attackers, end it as it stands?"]);
    table.expect(
        "YES",
        &["Player A accepts.", "Game over: agreed. It is a draw."],
    );
}

#[test]
fn boards() {
    let mut table = tafl(&["--side", "both"]);
    let shown = table.ask("board");
    let rows: Vec<&str> = shown.lines().skip(1).take(9).collect();
    assert_eq!(rows[0], "     a  b  c  d  e  f  g", "{shown}");
    assert_eq!(rows[1], "  7  :  .  .  t  .  .  :  7");
    assert_eq!(rows[4], "  4  t  t  T  K  T  t  t  4");
    assert_eq!(rows[7], "  1  :  .  .  t  .  .  :  1");
    assert_eq!(rows[8], rows[0]);
    table.expect("d1c1", &["  1  :  . [t](.) .  .  :  1\n"]);
    let shown = table.ask("flip");
    let rows: Vec<&str> = shown.lines().skip(1).take(9).collect();
    assert_eq!(rows[0], "     g  f  e  d  c  b  a");
    assert_eq!(rows[1], "  1  :  .  . (.)[t] .  :  1");
    assert_eq!(rows[7], "  7  :  .  .  t  .  .  :  7");
    table.expect("d3b3", &["  3  .  .  . (.) . [T] .  3\n"]);
    table.expect("flip", &["  3  . [T] . (.) .  .  .  3\n"]);
    // The throne once the king has left it.
    table.expect("c1d1", &[]);
    table.expect("d4d3", &["  4  t  t  T (+) T  t  t  4\n"]);

    let shown = played(&[], "");
    assert!(
        shown.contains("\n 15                 d  d  .  d  d                 15\n"),
        "{shown}"
    );
    assert!(
        shown.contains("\n  8  .  .  .  .  .  .  T  #  T  .  .  .  .  .  .  8\n"),
        "{shown}"
    );
    let shown = played(&["--variant", "tawlbwrdd", "--side", "both"], "");
    assert!(
        shown.contains("\n 11  :  :  :  t  t  t  t  t  :  :  :  11\n"),
        "{shown}"
    );
    // A hurled dwarf stands on the troll that it has captured.
    let hurl = TWO_DWARFS.replace("6T8", "7T7").replace("*5d1d5*", "*5d7*");
    let hurl = hurl
        .replace("**11**/*5d7*/15/7T7", "**3d7**/*4d8*/6T8/15")
        .replace(" t ", " d ");
    let shown = played(&["--side", "both", "--fen", &hurl], "f11g10\n");
    assert!(
        shown.contains("Dwarfs (player A): f11g10, capturing g10\n"),
        "{shown}"
    );
    assert!(shown.contains("[d]") && shown.contains("(.)"), "{shown}");
}

#[test]
fn colours() {
    let shown = |settings: &[(&str, &str)]| {
        let mut command = program(&[&TAFL[..], &["--side", "both"]].concat());
        command.envs(settings.iter().copied());
        let (shown, _, code) = run(command, "d1c1\nd3\n");
        assert_eq!(code, Some(0));
        shown
    };
    // A pipe has no colours.
    let plain = shown(&[("TERM", "xterm-256color")]);
    assert!(!plain.contains('\x1b'), "{plain}");
    let forced = shown(&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")]);
    assert!(forced.contains('\x1b'), "{forced}");
    for settings in [
        &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")][..],
        &[("CLICOLOR_FORCE", "0")],
        &[("CLICOLOR_FORCE", ""), ("NO_COLOR", "")],
        &[("TERM", "dumb")],
    ] {
        assert_eq!(shown(settings), plain, "{settings:?}");
    }
    // Only the board has them, and each line gives them back.
    for line in forced.lines() {
        let begun = line.matches("\x1b[").count();
        assert_eq!(begun, 2 * line.matches("\x1b[0m").count(), "{line}");
        if line.contains('\x1b') {
            assert!(
                line.starts_with("  ") && line.matches("\x1b[0m").count() == 7,
                "{line}"
            );
        }
    }
}

#[test]
fn the_input_ends() {
    for args in [
        &[][..],
        &["--side", "both"],
        &["--side", "2", "--movetime", "5"],
    ] {
        let shown = played(args, "");
        assert!(shown.ends_with("> \n"), "{shown}");
    }
    // Without a last line end, with other line ends, and with bytes that are no text.
    assert!(played(&TAFL, "d1c1").contains("Defenders (the engine): "));
    assert!(played(&TAFL, "d1c1\r\n\r\nquit\r\n").ends_with("attackers> quit\n"));
    let mut table = tafl(&["--side", "both"]);
    table.expect("offer", &["yes or no> "]);
    let (shown, code) = table.end();
    assert_eq!((shown.as_str(), code), ("\n", Some(0)));
}

#[test]
fn arguments() {
    for (args, word) in [
        (&["--variant", "chess"][..], "chess"),
        (
            &["--side", "x"],
            "1 or dwarfs, 2 or trolls, both or none expected",
        ),
        (&["--side", ""], "--side"),
        (
            &["--variant", "hnefatafl7", "--side", "trolls"],
            "attackers",
        ),
        (&["--level", "21"], "21"),
        (&["--movetime", "0"], "0"),
        (&["--fen", "7/7 d"], "--fen: "),
        (
            &["--variant", "hnefatafl7", "--fen", "7/7/7/7/7/7/x6 a"],
            "--fen: row 1: unknown letter",
        ),
    ] {
        let (shown, stderr, code) = run(program(args), "");
        assert!(code.is_some_and(|code| code != 0), "{args:?}: {shown}");
        assert!(
            stderr.contains(word) && !stderr.contains("panicked"),
            "{args:?}: {stderr}"
        );
    }
    for (side, you) in [
        ("1", "attackers (you)"),
        ("a", "attackers (you)"),
        ("ATTACKER", "attackers (you)"),
        ("2", "defenders (you)"),
        ("defenders", "defenders (you)"),
        ("both", "attackers (player A)"),
    ] {
        let table = tafl(&["--side", side, "--level", "3"]);
        assert!(
            table.greeting.to_lowercase().contains(&you.to_lowercase()),
            "{}",
            table.greeting
        );
    }
    let (shown, _, code) = run(program(&["--help"]), "");
    assert_eq!(code, Some(0));
    for word in [
        "--variant",
        "--side",
        "--level",
        "--movetime",
        "--fen",
        "both",
        "none",
    ] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

/// A position that is over already is told, and one can leave it.
#[test]
fn a_game_that_is_over_at_the_start() {
    let fen = "7/7/7/7/7/t6/K6 a 0 1";
    let shown = played(
        &[&TAFL[..], &["--fen", fen]].concat(),
        "d1c1\nundo\nnew\nhint\nquit\n",
    );
    assert_eq!(
        shown.matches("Game over: king escaped.").count(),
        2,
        "{shown}"
    );
    assert!(
        shown.contains("there is no move of yours to take back"),
        "{shown}"
    );
}
