//! How results are counted and told.

use crate::generate;
use arena::record::{Game, Pair, Played, Run};
use arena::standings::{Results, Standings};
use arena::stats::{Kind, Verdict};
use serde_json::{Value, json};

/// A finished game of two players without moves.
fn game(
    players: [usize; 2],
    winner: Option<usize>,
    reason: &str,
    points: Option<[u32; 2]>,
) -> Game {
    generate::read(json!({
        "players": players, "winner": winner, "reason": reason, "detail": "", "points": points,
        "moves": [], "end": "", "seconds": 1.0
    }))
}

fn pair(index: u64, engines: [usize; 2], games: [Game; 2]) -> Pair {
    generate::read(json!({
        "index": index, "round": 0, "engines": engines, "fen": null, "opening": [], "games": games
    }))
}

/// A pair of 7×7 games by the winner of each, as indices of players.
fn tafl(index: u64, [a, b]: [usize; 2], winners: [Option<usize>; 2]) -> Pair {
    let reason = |winner| match winner {
        Some(0) => "king-captured",
        Some(_) => "king-escaped",
        None => "repetition",
    };
    let [first, second] = winners;
    let games = [
        game([a, b], first, reason(first), None),
        game([b, a], second, reason(second), None),
    ];
    pair(index, [a, b], games)
}

/// A match by the points of the dwarfs and the trolls in its two battles.
fn thud(index: u64, points: [[u32; 2]; 2]) -> Pair {
    let battle = |players, points: [u32; 2]| {
        let winner = match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        game(players, winner, "quiet-limit", Some(points))
    };
    let [first, second] = points;
    pair(
        index,
        [0, 1],
        [battle([0, 1], first), battle([1, 0], second)],
    )
}

fn standings(variant: &str, names: &[&str], pairs: &[Pair]) -> Standings {
    Standings::of(&generate::run(variant, names), pairs).expect("fits together")
}

const NAMES: [&str; 2] = ["Old", "New"];

#[test]
fn pairs_of_games_are_counted_by_the_sum_of_their_points() {
    // The first engine: both won; won and drawn; won each as attackers; both drawn; lost and drawn; both lost.
    let pairs = [
        tafl(0, [0, 1], [Some(0), Some(1)]),
        tafl(1, [0, 1], [Some(0), None]),
        tafl(2, [0, 1], [Some(0), Some(0)]),
        tafl(3, [0, 1], [None, None]),
        tafl(4, [0, 1], [None, Some(0)]),
        tafl(5, [0, 1], [Some(1), Some(0)]),
    ];
    let standings = standings("hnefatafl7", &NAMES, &pairs);
    let counts = standings.counts(0, 1);
    assert_eq!(
        (counts.kind, counts.cells),
        (Kind::Pentanomial, [1, 1, 2, 1, 1])
    );
    let summary = standings.summary();
    let duel = &summary.duels[0];
    let results = |won, drawn, lost| Results { won, drawn, lost };
    assert_eq!(duel.roles, [results(3, 2, 1), results(1, 2, 3)]);
    assert_eq!(summary.first_side, results(6, 4, 2));
    assert_eq!(summary.reasons["repetition"], 4);
    assert_eq!(duel.drawn_games, Some(4.0 / 12.0));
    assert_eq!(duel.drawn_pairs, Some(2.0 / 6.0));
    assert_eq!(duel.score, Some(0.5));
    let old = summary
        .players
        .iter()
        .find(|player| player.name == "Old")
        .expect("plays");
    assert_eq!(old.losses.get("king-captured"), Some(&3));
    assert_eq!(old.losses.get("king-escaped"), Some(&1));
}

#[test]
fn the_order_in_which_a_pair_names_its_engines_does_not_matter() {
    // The second engine is named first and wins both.
    let pairs = [tafl(0, [1, 0], [Some(0), Some(1)])];
    let standings = standings("hnefatafl7", &NAMES, &pairs);
    assert_eq!(standings.counts(1, 0).cells, [0, 0, 0, 0, 1]);
    assert_eq!(standings.counts(0, 1).cells, [1, 0, 0, 0, 0]);
    assert_eq!(standings.summary().players[0].name, "New");
    assert!(
        standings
            .line()
            .contains("+0 =0 -2 (0.0 %), pairs 1/0/0/0/0"),
        "{}",
        standings.line()
    );
}

#[test]
fn a_match_is_won_by_the_sum_of_the_margins() {
    // The first engine: +2 as dwarfs and −1 as trolls is won, though each won a battle; 0 and 0 is drawn, and so are
    // −5 and +5; −12 and +10 is lost.
    let pairs = [
        thud(0, [[18, 16], [17, 16]]),
        thud(1, [[16, 16], [20, 20]]),
        thud(2, [[11, 16], [11, 16]]),
        thud(3, [[4, 16], [10, 20]]),
    ];
    let standings = standings("thud", &NAMES, &pairs);
    let counts = standings.counts(0, 1);
    assert_eq!(
        (counts.kind, counts.cells),
        (Kind::Trinomial, [1, 0, 2, 0, 1])
    );
    let duel = &standings.summary().duels[0];
    let margin = duel.margin.expect("points");
    // Mean margins of a battle in the four matches: 0.5, 0, 0, −1; their mean −0.125, and with a variance of
    // 1.1875/3 = 0.395833 an error of 1.96 · √(0.395833/4) = 0.616558.
    assert_eq!(margin.mean, -0.125);
    assert!(
        (margin.error.expect("four matches") - 0.616_558).abs() < 1e-3,
        "{margin:?}"
    );
    let [dwarfs, trolls] = duel.margins.map(|margin| margin.expect("points").mean);
    assert_eq!((dwarfs, trolls), (-3.75, 3.5));
    let line = standings.line();
    assert!(
        line.contains("battles +3 =2 -3 (50.0 %), matches +1 =2 -1"),
        "{line}"
    );
    assert!(
        standings.table().contains("margin of a battle -0.1 ± 0.6"),
        "{}",
        standings.table()
    );
}

#[test]
fn a_forfeited_battle_is_scored_without_the_men_of_who_forfeited() {
    // The first engine runs out of time as dwarfs with 30 : 16 on the board, which counts 0 : 16, and wins the other
    // battle by 10: the match is lost by 6, whatever stood on the board.
    let games = [
        game([0, 1], Some(1), "time", Some([30, 16])),
        game([1, 0], Some(1), "quiet-limit", Some([10, 20])),
    ];
    let one = standings("thud", &NAMES, &[pair(0, [0, 1], games)]);
    assert_eq!(one.counts(0, 1).cells, [1, 0, 0, 0, 0]);
    let player = &one.summary().players[1];
    assert_eq!(
        (player.name.as_str(), player.losses.get("time")),
        ("Old", Some(&1))
    );
    // Without points the results of the battles decide.
    let games = [
        game([0, 1], Some(1), "crash", None),
        game([1, 0], None, "agreed", Some([20, 20])),
    ];
    let one = standings("thud", &NAMES, &[pair(0, [0, 1], games)]);
    assert_eq!(one.counts(0, 1).cells, [1, 0, 0, 0, 0]);
    assert!(one.summary().duels[0].margin.is_none());
}

#[test]
fn times_belong_to_who_moved() {
    let played = |time: f64| -> Played {
        generate::read(json!({
            "move": "d1c1", "score": null, "depth": null, "nodes": null, "time": time, "left": null
        }))
    };
    let means = |pair: &Pair| -> Vec<Option<f64>> {
        let summary = standings("hnefatafl7", &NAMES, std::slice::from_ref(pair)).summary();
        (0..2)
            .map(|engine| {
                summary
                    .players
                    .iter()
                    .find(|player| player.engine == engine)?
                    .time
            })
            .collect()
    };
    let mut one = tafl(0, [0, 1], [None, None]);
    one.games[0].moves = vec![played(10.0), played(40.0), played(20.0)];
    assert_eq!(means(&one), [Some(15.0), Some(40.0)]);
    // After an opening of one move, or from a position in which player 2 moves, the second player begins.
    one.opening = vec!["d1c1".into()];
    assert_eq!(means(&one), [Some(40.0), Some(15.0)]);
    one.opening.clear();
    one.fen = Some("3t3/3t3/3T3/ttTKTtt/3T3/3t3/2t4 d 1 1".into());
    assert_eq!(means(&one), [Some(40.0), Some(15.0)]);
    // A record that tells who moved is believed: a turn may have several moves.
    for (played, side) in one.games[0].moves.iter_mut().zip([1, 1, 0]) {
        played.side = Some(side);
    }
    assert_eq!(means(&one), [Some(20.0), Some(25.0)]);
}

/// A run that is played for a test.
fn run_with(sprt: Value) -> Run {
    let mut run = generate::run("hnefatafl7", &NAMES);
    run.settings = json!({ "sprt": sprt });
    run
}

#[test]
fn the_test_is_found_among_the_settings_however_it_is_written() {
    let words = "elo0=0 elo1=100 alpha=0.1 beta=0.1 model=logistic";
    let written = [
        json!(words),
        json!(words.split(' ').collect::<Vec<_>>()),
        json!({ "elo0": 0, "elo1": 100.0, "alpha": 0.1, "beta": 0.1, "model": "logistic" }),
    ];
    for settings in written {
        let run = run_with(settings);
        let mut standings = Standings::new(&run).expect("fits together");
        let mut verdict = None;
        for index in 0..100 {
            standings
                .add(&tafl(index, [0, 1], [Some(0), Some(1)]))
                .expect("fits together");
            verdict = standings.sprt_state().and_then(|state| state.verdict);
            if verdict.is_some() {
                break;
            }
        }
        assert_eq!(verdict, Some(Verdict::H1));
        // Each won pair adds ln(0.640065/0.5) = 0.24697 to the ratio, and ln 9 = 2.19722 is the bound.
        assert_eq!(standings.pairs(), 9);
        assert!(
            standings.line().ends_with("(-2.20 to 2.20), H1 accepted"),
            "{}",
            standings.line()
        );
    }
    assert!(Standings::new(&run_with(Value::Null)).is_ok_and(|none| none.sprt_state().is_none()));
    let error = Standings::new(&run_with(json!("elo0=0"))).expect_err("half a test");
    assert!(error.contains("elo1 is missing"), "{error}");
}

#[test]
fn a_verdict_stands_whatever_comes_after_it() {
    let run = run_with(json!("elo0=0 elo1=100 alpha=0.1 beta=0.1"));
    let won = (0..9).map(|index| tafl(index, [0, 1], [Some(0), Some(1)]));
    let lost = (9..12).map(|index| tafl(index, [0, 1], [Some(1), Some(0)]));
    let pairs: Vec<Pair> = won.chain(lost).collect();
    let at_verdict = Standings::of(&run, &pairs[..9]).expect("fits together");
    let at_verdict = at_verdict.sprt_state().expect("a test");
    assert_eq!((at_verdict.pairs, at_verdict.after), (9, 0));
    let standings = Standings::of(&run, &pairs).expect("fits together");
    let state = standings.sprt_state().expect("a test");
    assert_eq!(state.verdict, Some(Verdict::H1));
    assert_eq!(state.llr, at_verdict.llr);
    assert_eq!((state.pairs, state.after), (9, 3));
    // The rest of the standings count them.
    assert_eq!(standings.counts(0, 1).cells, [3, 0, 0, 0, 9]);
    let table = standings.table();
    let told = "LLR 2.22 (-2.20 to 2.20), H1 accepted after 9 pairs; finished after the verdict: 3";
    assert!(table.contains(told), "{table}");
    // The order in which pairs are finished decides: the same ones, the lost first, come to no verdict.
    let turned: Vec<Pair> = pairs.into_iter().rev().collect();
    let standings = Standings::of(&run, &turned).expect("fits together");
    let state = standings.sprt_state().expect("a test");
    assert_eq!(state.verdict, None);
    assert_eq!((state.pairs, state.after), (12, 0));
}

#[test]
fn what_was_noticed_besides_is_remarked() {
    let mut pairs = [tafl(0, [0, 1], [Some(1), None])];
    let played = |left: f64| -> Played {
        generate::read(json!({
            "move": "d1c1", "score": null, "depth": null, "nodes": null, "time": 1.0, "left": left
        }))
    };
    pairs[0].games[0].moves = vec![played(80.5), played(60.0), played(90.25)];
    pairs[0].games[0].notes.warnings = [2, 0];
    pairs[0].games[0].notes.arena_late = Some(7.0);
    let standings = standings("hnefatafl7", &NAMES, &pairs);
    let table = standings.table();
    for remark in [
        "Old: 1 losses on time while the arena itself was late\n",
        "Old: 2 faults in what it said of its moves\n",
        "Old: at least 80.5 ms on its clock after a move, increment included\n",
        "New: at least 60.0 ms on its clock after a move, increment included\n",
    ] {
        assert!(table.contains(remark), "{remark} in:\n{table}");
    }
    assert!(!table.contains("New: 0"), "{table}");
}

#[test]
fn a_pair_has_a_score_for_who_is_named_first() {
    let seven = standings("hnefatafl7", &NAMES, &[]);
    for (winners, score) in [
        ([Some(0), Some(1)], 1.0),
        ([Some(0), None], 0.75),
        ([Some(1), Some(1)], 0.5),
        ([Some(1), Some(0)], 0.0),
    ] {
        assert_eq!(seven.score(&tafl(0, [1, 0], winners)), score);
    }
    let battles = standings("thud", &NAMES, &[]);
    assert_eq!(battles.score(&thud(0, [[18, 16], [17, 16]])), 1.0);
    assert_eq!(battles.score(&thud(0, [[16, 16], [20, 20]])), 0.5);
}

#[test]
fn more_than_two_engines_are_rated() {
    let pairs = [
        tafl(0, [0, 1], [Some(0), None]),
        tafl(1, [1, 2], [Some(0), None]),
        tafl(2, [0, 2], [Some(0), Some(1)]),
        tafl(3, [2, 0], [Some(0), Some(0)]),
    ];
    let standings = standings("hnefatafl7", &["A", "B", "C", "D"], &pairs);
    let summary = standings.summary();
    let order: Vec<&str> = summary
        .players
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    assert_eq!(order, ["A", "B", "C", "D"]);
    assert!(summary.players[3].elo.is_none() && summary.players[3].score.is_none());
    let sum: f64 = summary
        .players
        .iter()
        .filter_map(|player| player.elo)
        .map(|elo| elo.value)
        .sum();
    assert!(sum.abs() < 1e-6, "{sum}");
    assert!(
        standings.line().starts_with("4 pairs: A +"),
        "{}",
        standings.line()
    );
    let table = standings.table();
    for text in [
        "| A ",
        "| D ",
        "as attackers",
        "A against B",
        "attackers against defenders",
    ] {
        assert!(table.contains(text), "{text} in:\n{table}");
    }
}

#[test]
fn nothing_played_and_nonsense_are_no_trouble() {
    let none = standings("thud", &NAMES, &[]);
    assert_eq!(none.line(), "no pairs yet");
    assert!(none.table().contains("Old"));
    let mut some = standings("hnefatafl7", &NAMES, &[]);
    let mut odd = tafl(7, [0, 1], [Some(0), None]);
    odd.games[1].players = [0, 0];
    assert!(
        some.add(&odd)
            .is_err_and(|why| why.contains("pair 7: players 0 and 0"))
    );
    odd = tafl(7, [0, 1], [Some(2), None]);
    assert!(
        some.add(&odd)
            .is_err_and(|why| why.contains("pair 7: a winner"))
    );
    odd = tafl(7, [1, 1], [None, None]);
    assert!(
        some.add(&odd)
            .is_err_and(|why| why.contains("pair 7: engines 1 and 1"))
    );
    assert_eq!(some.pairs(), 0);
    let escape = "\u{1b}[31mred\nNew";
    let line = standings(
        "hnefatafl7",
        &["Old", escape],
        &[tafl(0, [0, 1], [None, None])],
    )
    .line();
    assert!(line.chars().all(|c| !c.is_control()), "{line:?}");
}
