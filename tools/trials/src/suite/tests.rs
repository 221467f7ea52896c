//! What is in the suites is sound, and a scripted engine gets the count that it has earned.

use super::dialogue::Talk;
use super::problem::{self, How, Problem};
use super::{GAMES, measure};
use crate::reference;
use std::collections::{BTreeSet, VecDeque};

#[test]
fn the_suites_are_sound() {
    for variant in GAMES {
        let problems = super::suite(variant).expect("reads");
        assert!(problems.len() >= 100, "{variant}: {}", problems.len());
        let keys: BTreeSet<String> = problems
            .iter()
            .map(|one| problem::key(&one.position))
            .collect();
        assert_eq!(keys.len(), problems.len(), "{variant}");
        for problem in &problems {
            let position = reference::Position::parse(variant, &problem.position).expect("reads");
            assert_eq!(position.text(), problem.position);
            assert!(position.board_result().is_none(), "{}", problem.position);
            let legal = position.legal_moves();
            let answers: BTreeSet<&String> = problem.moves.iter().collect();
            assert_eq!(answers.len(), problem.moves.len(), "{}", problem.line());
            assert!(
                answers.iter().all(|mv| legal.contains(mv)) && answers.len() < legal.len(),
                "{}",
                problem.line()
            );
        }
        for side in [1, 2] {
            let to_move = |one: &&Problem| {
                let position = reference::Position::parse(variant, &one.position);
                position.is_ok_and(|position| position.player_to_move() == side)
            };
            let count = problems.iter().filter(to_move).count();
            assert!(
                4 * count >= problems.len(),
                "{variant}: {count} of side {side}"
            );
        }
    }
}

#[test]
fn lines_there_and_back() {
    let line = "7/7/7/3K3/7/7/t6 a 0 1 ; moves a1a2 a1b1 ; proof win within 7 plies";
    let problem = Problem::read(line).expect("reads");
    assert_eq!(problem.moves, ["a1a2", "a1b1"]);
    assert_eq!(problem.how, How::Wins(7));
    assert_eq!(problem.line(), line);
    for how in [
        How::OthersLose(8),
        How::Search {
            nodes: 90,
            margin: -5,
        },
    ] {
        assert_eq!(how.to_string().parse(), Ok(how));
    }
    for wrong in [
        "7/7/7/3K3/7/7/t6 a 0 1 ; moves a1a2",
        "7/7/7/3K3/7/7/t6 a 0 1 ; a1a2 ; proof win within 7 plies",
        "7/7/7/3K3/7/7/t6 a 0 1 ; moves a1a2 ; guess",
        "7/7/7/3K3/7/7/t6 a 0 1 ; moves a1a2 ; proof win within two plies",
        "7/7/7/3K3/7/7/t6 a 0 1 ; moves a1a2 ; search 90 nodes",
    ] {
        let why = problem::read_all(&format!("# remark\n\n{wrong}")).expect_err("wrong");
        assert!(
            why.starts_with("line 3: ") && why.ends_with("expected"),
            "{why}"
        );
    }
}

#[test]
fn images_have_one_key() {
    // A board without any symmetry, its turns and reflections written out by hand.
    let same = [
        "tT1/2K/3",
        "1Tt/K2/3",
        "3/2K/tT1",
        "3/K2/1Tt",
        "2t/2T/1K1",
        "t2/T2/1K1",
        "1K1/T2/t2",
        "1K1/2T/2t",
    ];
    let keys: BTreeSet<String> = same
        .iter()
        .map(|rows| problem::key(&format!("{rows} a 0 1")))
        .collect();
    assert_eq!(keys.len(), 1, "{keys:?}");
    assert_eq!(same.iter().collect::<BTreeSet<_>>().len(), 8);
    for other in ["tT1/2K/3 d 0 1", "Tt1/2K/3 a 0 1"] {
        assert!(!keys.contains(&problem::key(other)), "{other}");
    }
    let corner = ["10t/11/11", "11/11/t10"].map(|rows| {
        let board = ["11"; 8].join("/");
        match rows.starts_with("10t") {
            true => problem::key(&format!("{rows}/{board} a 0 1")),
            false => problem::key(&format!("{board}/{rows} a 0 1")),
        }
    });
    assert_eq!(corner[0], corner[1]);
}

/// An engine that answers each `go` with the next lines of its script, and everything else as it must.
struct Scripted {
    answers: VecDeque<&'static str>,
    said: VecDeque<String>,
    heard: Vec<String>,
}

impl Scripted {
    fn new(answers: &[&'static str]) -> Scripted {
        Scripted {
            answers: answers.iter().copied().collect(),
            said: VecDeque::new(),
            heard: Vec::new(),
        }
    }
}

impl Talk for Scripted {
    fn send(&mut self, line: &str) -> Result<(), String> {
        if line.starts_with("go ") {
            let answer = self.answers.pop_front().ok_or("the script has ended")?;
            self.said.extend(answer.lines().map(str::to_string));
        }
        self.heard.push(line.to_string());
        Ok(())
    }

    fn line(&mut self) -> Result<String, String> {
        self.said.pop_front().ok_or("nothing to say".to_string())
    }
}

const PROOF: How = How::OthersLose(4);
const SEARCH: How = How::Search {
    nodes: 900,
    margin: 80,
};

fn problems(hows: &[How]) -> Vec<Problem> {
    let problem = |how: &How| Problem {
        position: "7/7/7/3K3/7/7/t6 a 0 1".into(),
        moves: vec!["a1a2".into(), "a1b1".into()],
        how: *how,
    };
    hows.iter().map(problem).collect()
}

#[test]
fn a_scripted_engine_gets_its_count() {
    let mut engine = Scripted::new(&[
        // Right after a wrong start and a lapse: it counts from depth 4, whichever of the answers is on top.
        "info depth 1 score cp 3 nodes 10 time 1 pv a1a3 d4d5\n\
         info depth 2 score cp 3 nodes 20 time 2 pv a1a2\n\
         info depth 3 score cp 3 nodes 30 time 3 pv a1a3\n\
         info string thinking\n\
         info depth 4 score cp 3 nodes 40 time 4 pv a1b1\n\
         info depth 4 multipv 2 score cp 3 nodes 45 time 4 pv a1a3\n\
         info depth 5 score mate 3 nodes 50 time 5 pv a1a2 d4d5\n\
         bestmove a1a2 ponder d4d5",
        // Wrong in the end.
        "info depth 1 score cp 3 nodes 10 time 1 pv a1a2\nbestmove a1a3",
        // Right at the last moment: the last report counts.
        "info depth 1 score cp 3 nodes 700 time 90 pv a1a3\nbestmove a1b1",
        // Right without a word.
        "bestmove a1b1",
        "bestmove (none)",
    ]);
    let problems = problems(&[PROOF, SEARCH, SEARCH, PROOF, PROOF]);
    let mut verdicts = Vec::new();
    let tally = measure(&mut engine, &problems, "nodes 900", |_, thought, right| {
        verdicts.push((thought.best.clone(), right));
    })
    .expect("measured");
    assert_eq!(tally.counts, [(2, 1), (3, 2)]);
    assert_eq!((tally.nodes, tally.times), (vec![40, 700], vec![4, 90]));
    let right: Vec<bool> = verdicts.iter().map(|verdict| verdict.1).collect();
    assert_eq!(right, [true, false, true, true, false]);
    let one = [
        "ucinewgame",
        "position fen 7/7/7/3K3/7/7/t6 a 0 1",
        "go nodes 900",
    ];
    assert_eq!(engine.heard, one.repeat(5));
}

#[test]
fn the_tally_in_words() {
    let tally = super::Tally {
        counts: [(6, 2), (2, 1)],
        times: vec![900, 5, 70],
        nodes: Vec::new(),
    };
    assert_eq!(
        tally.text(),
        "3 of 8 solved (37.5 %), by proof 1 of 2, by search 2 of 6; found for good after 70 ms, nodes unknown (medians)"
    );
}

#[test]
fn errors_of_the_engine_end_it() {
    let mut refusing = Scripted::new(&["info string error: no such piece\nbestmove (none)"]);
    let why = measure(&mut refusing, &problems(&[PROOF]), "nodes 1", |_, _, _| {});
    assert!(why.is_err_and(|why| why.contains("no such piece")));
    let mut dead = Scripted::new(&["info depth 1 pv a1a2"]);
    assert!(measure(&mut dead, &problems(&[PROOF]), "nodes 1", |_, _, _| {}).is_err());
}

#[test]
fn scores_and_their_bounds() {
    let thought = |script: &'static str| {
        super::dialogue::think(&mut Scripted::new(&[script]), "x", "nodes 1").expect("thought")
    };
    let exact = thought("info score cp -30 nodes 1 pv a1a2\nbestmove a1a2");
    assert_eq!((exact.at_least(), exact.at_most()), (Some(-30), Some(-30)));
    let lower = thought("info score cp 30 lowerbound nodes 1 pv a1a2\nbestmove a1a2");
    assert_eq!((lower.at_least(), lower.at_most()), (Some(30), None));
    let upper = thought("info score cp 30 upperbound nodes 1 pv a1a2\nbestmove a1a2");
    assert_eq!((upper.at_least(), upper.at_most()), (None, Some(30)));
    // The score is that of another move.
    let changed = thought("info score cp 30 nodes 1 pv a1a2\nbestmove a1a3");
    assert_eq!((changed.at_least(), changed.at_most()), (None, Some(30)));
    // A win in two own moves is three plies away; lost in two, four.
    let plies = |script| huscarl::score::plies_to_end(thought(script).score().expect("a score"));
    assert_eq!(plies("info score mate 2 pv a1a2\nbestmove a1a2"), Some(3));
    assert_eq!(plies("info score mate -2 pv a1a2\nbestmove a1a2"), Some(-4));
}
