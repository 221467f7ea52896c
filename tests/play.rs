//! `huscarl play`: whole games of people and the engine, typed into the real program.

mod play_table;

use play_table::*;

const QUICK: [&str; 2] = ["--movetime", "5"];

fn open(args: &[&str]) -> Table {
    Table::open(&[args, &QUICK].concat())
}

fn is_over(shown: &str) -> bool {
    shown.contains("Game over: ") || shown.contains("Battle over: ")
}

/// Plays random moves until the game is over; returns what was shown last, and how often captures were asked for.
fn play_out(table: &mut Table, dice: &mut Dice) -> (String, usize) {
    let mut asked = 0;
    loop {
        let moves = table.moves();
        let mv = &moves[dice.below(moves.len())];
        // From and to alone: where there is a choice of captures, it is asked for.
        let (step, captures) = mv.split_once('x').unwrap_or((mv, "none"));
        let mut shown = table.ask(step);
        if shown.ends_with("cancel> ") {
            asked += 1;
            assert!(shown.contains("It can capture:"), "{shown}");
            shown = table.ask(captures);
        }
        assert!(shown.contains(&format!("(you): {mv}")), "{mv}: {shown}");
        if is_over(&shown) {
            return (shown, asked);
        }
        assert!(shown.contains("(the engine): "), "{shown}");
        assert!(shown.contains("(you) to move."), "{shown}");
    }
}

#[test]
fn a_person_against_the_engine_in_tafl() {
    for (variant, side) in [
        ("hnefatafl7", "1"),
        ("hnefatafl7", "def"),
        ("tawlbwrdd", "defenders"),
        ("tawlbwrdd-bell", "attacker"),
    ] {
        let mut table = open(&["--variant", variant, "--side", side]);
        let (shown, asked) = play_out(&mut table, &mut Dice::new(7));
        assert_eq!(asked, 0, "captures follow from the move");
        assert!(shown.ends_with("\ngame over> "), "{shown}");
        table.expect("d1d2", &["the game is over"]);
        table.expect("new", &["to move.", "against"]);
        table.quit("quit");
    }
}

/// A match: the person has the dwarfs, then the trolls.
#[test]
fn a_person_against_the_engine_in_thud() {
    let mut choices = 0;
    for (variant, seed) in [
        ("thud", 11),
        ("thud-rulebook", 11),
        ("thud", 12),
        ("thud", 13),
    ] {
        let mut table = open(&["--variant", variant]);
        assert!(
            table.greeting.contains("battle 1 of 2"),
            "{}",
            table.greeting
        );
        assert!(
            table
                .greeting
                .contains("dwarfs (you) against trolls (the engine)")
        );
        let dice = &mut Dice::new(seed);
        let (shown, _) = play_out(&mut table, dice);
        assert!(
            shown.contains("Credits after the first battle: you "),
            "{shown}"
        );
        assert!(shown.ends_with("\nbattle over> "), "{shown}");
        table.expect(
            "next",
            &["battle 2 of 2: dwarfs (the engine) against trolls (you)"],
        );
        let (shown, asked) = play_out(&mut table, dice);
        choices += asked;
        assert!(shown.contains("Match over. Credits: you "), "{shown}");
        assert!(shown.ends_with("\ngame over> "), "{shown}");
        table.expect("next", &["second battle already"]);
        table.quit("quit");
    }
    assert!(choices > 0, "trolls choose what they capture");
}

const ESCAPE: &str = "d7c7\nd3b3\nc7d7\nd4d3\nd7c7\nd3g3\nc7d7\ng3g1\n";

#[test]
fn two_people() {
    let shown = played(&["--variant", "hnefatafl7", "--side", "both"], ESCAPE);
    assert!(
        shown.contains("attackers> d7c7\nAttackers (player A): d7c7\n"),
        "{shown}"
    );
    assert!(
        shown.contains("defenders> d3b3\nDefenders (player B): d3b3\n"),
        "{shown}"
    );
    assert!(
        shown.contains("Game over: king escaped. Defenders (player B) win.\n"),
        "{shown}"
    );
    assert!(shown.ends_with("game over> \n"), "{shown}");

    let fen = "7/7/1tK3t/7/7/7/7 a 0 1";
    let args = ["--variant", "hnefatafl7", "--side", "both", "--fen", fen];
    let shown = played(&args, "g5d5\n");
    assert!(shown.contains("g5d5, capturing c5\n"), "{shown}");
    assert!(
        shown.contains("king captured. Attackers (player A) win."),
        "{shown}"
    );
    // The captured square, and where the move went.
    assert!(shown.contains(" t  x [t] .  . (.)"), "{shown}");
}

#[test]
fn the_engine_against_itself() {
    let args = [
        "--variant",
        "hnefatafl7",
        "--side",
        "none",
        "--movetime",
        "2",
    ];
    let shown = played(&args, "undo\nresign\noffer\nhint\nmoves\nnext\n");
    assert!(shown.contains("attackers (engine A) against defenders (engine B)"));
    assert_eq!(shown.matches("Game over: ").count(), 1, "{shown}");
    assert!(shown.contains("nobody here plays"), "{shown}");
    assert_eq!(shown.matches("the game is over").count(), 4, "{shown}");
    assert!(shown.contains("not a match"), "{shown}");
}

/// Both battles are played without being asked, also when nothing can be read.
#[test]
fn the_engine_plays_a_match_with_itself() {
    let fen = "*****5*****/****7****/***5d3***/**11**/*5d1d5*/15/6T8/7*7/15/15/*10T2*/**11**/***9***/****7****/*****5***** d 190 1";
    let shown = played(&["--side", "none", "--movetime", "2", "--fen", fen], "");
    assert!(
        shown.contains("battle 1 of 2: dwarfs (engine A)"),
        "{shown}"
    );
    assert!(
        shown.contains("battle 2 of 2: dwarfs (engine B)"),
        "{shown}"
    );
    assert_eq!(shown.matches("Battle over: ").count(), 2, "{shown}");
    assert_eq!(
        shown.matches("Match over. Credits: engine A").count(),
        1,
        "{shown}"
    );
}

/// The credits are the margins of the winners, and the larger one wins by the difference.
#[test]
fn a_match_is_scored() {
    let args = ["--side", "both", "--fen", TWO_DWARFS];
    let mut table = Table::open(&args);
    // 1 dwarf is left, and a troll: 4 to 1.
    table.expect(
        "g9h10xg11",
        &["capturing g11", "Points: dwarfs 1, trolls 4."],
    );
    table.expect("offer", &["trolls, end it as it stands? yes or no> "]);
    let shown = table.ask("yes");
    assert!(shown.contains("Player B accepts."), "{shown}");
    assert!(
        shown.contains("Battle over: agreed. Dwarfs 1, trolls 4: trolls (player B) win by 3."),
        "{shown}"
    );
    assert!(shown.contains("player A 0, player B 3."), "{shown}");
    table.expect("next", &["dwarfs (player B) against trolls (player A)"]);
    table.expect("g9h10", &["cancel> "]);
    table.expect("none", &["Points: dwarfs 2, trolls 4."]);
    table.expect("offer", &["yes or no"]);
    let shown = table.ask("y");
    assert!(shown.contains("trolls (player A) win by 2."), "{shown}");
    assert!(
        shown
            .contains("Match over. Credits: player A 2, player B 3; player B wins the match by 1."),
        "{shown}"
    );
    // What is taken back does not count.
    table.expect("undo", &["Dwarfs (player B) to move"]);
    table.expect("undo", &["Trolls (player A) to move"]);
    table.expect("undo", &["no move of yours to take back"]);
    table.expect("g9h10xg11", &["1, trolls 4"]);
    table.expect("offer", &["yes or no"]);
    table.expect(
        "yes",
        &["Credits: player A 3, player B 3; the match is drawn."],
    );
    table.expect("new", &["battle 1 of 2: dwarfs (player A)"]);
    table.quit("exit");
}

#[test]
fn captures_are_asked_for() {
    let mut table = Table::open(&["--side", "both", "--fen", TWO_DWARFS]);
    let shown = table.expect(
        "g9h10",
        &["It can capture:\n   1  g11\n   2  i11\n  none\n"],
    );
    assert!(shown.ends_with("number, squares, or cancel> "));
    for (typed, answer) in [
        ("3", "a number from 1 to 2 expected"),
        ("0", "a number from 1 to 2 expected"),
        ("99999999999999999999999", "a number from 1 to 2 expected"),
        ("what", "a number, squares, none or cancel expected"),
        ("g11 i11", "not legal with the captures g11 i11"),
        ("g11 g11", "named twice"),
        ("z99", "not legal with"),
    ] {
        table.expect(typed, &[answer, "cancel> "]);
    }
    let shown = table.ask("cancel");
    assert_eq!(shown, "trolls> ");
    table.expect("g9h10", &["cancel> "]);
    table.expect("I11", &["g9h10xi11, capturing i11"]);
    table.expect("undo", &["Trolls (player B) to move"]);
    table.expect("g9h10", &["cancel> "]);
    table.expect("2", &["g9h10xi11, capturing i11"]);
    table.expect("undo", &[]);
    table.expect("g9h10", &["cancel> "]);
    table.expect("none", &["): g9h10\n"]);
    table.expect("undo", &[]);
    table.expect(
        "g9h10xg11xi11",
        &["g9h10 can capture g11, or i11, or nothing"],
    );
    table.expect("g9h10xg11", &["g9h10xg11, capturing g11"]);
    let (shown, code) = table.end();
    assert_eq!((shown.as_str(), code), ("\n", Some(0)));

    let args = [
        "--variant",
        "thud-rulebook",
        "--side",
        "both",
        "--fen",
        TWO_DWARFS,
    ];
    let shown = played(&args, "g9h10\ni11xg11\n");
    assert!(
        shown.contains("   1  g11 i11\n   2  g11\n   3  i11\n"),
        "{shown}"
    );
    assert!(
        shown.contains("g9h10xg11xi11, capturing g11 i11"),
        "{shown}"
    );
    assert!(shown.contains("Battle over: no moves."), "{shown}");
    // The input may also end, or the program be left, in the middle of the question.
    assert!(played(&args, "g9h10\n").ends_with("cancel> \n"));
    assert!(played(&args, "g9h10\nquit\nmoves\n").ends_with("cancel> quit\n"));
}
