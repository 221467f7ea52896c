//! Making openings: random plies, duplicates left out, and a search that leaves out what is lopsided.
//!
//! Most candidates of a lopsided game are far from the centre, which a short search sees as well: what it finds half as far
//! again as the bound is not searched longer.
//!
//! A score near the centre does not make the chances equal: on 7×7 the defenders win nearly all games from openings that a
//! search calls equal, or all are drawn. So a few quick games can be played from what the search has left, and only openings
//! are kept in which both roles win some of them: there the result depends on who plays.
//!
//! Candidate `i` is made from the seed and `i` alone and judged with an empty table, and candidates are taken in their
//! order; so the same task gives the same file whatever the number of threads.

use super::measure::{self, Opening};
use super::symmetry::{Symmetries, canonical};
use super::{Centre, Progress, nodes, session, spread};
use crate::variant::Variant;
use huscarl::game::{Game, Moves, Side};
use huscarl::record::Record;
use huscarl::score::WIN_FLOOR;
use huscarl::variants::Visitor;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// What is to be made.
pub(super) struct Task {
    pub(super) variant: Variant,
    pub(super) count: usize,
    pub(super) plies: RangeInclusive<usize>,
    pub(super) seed: u64,
    /// Of the search that judges.
    pub(super) nodes: u64,
    /// Centipoints.
    pub(super) bound: u32,
    pub(super) centre: Centre,
    /// Quick games from each opening that the search leaves; 0 for none.
    pub(super) games: usize,
    /// A move in quick games.
    pub(super) game_nodes: u64,
    pub(super) workers: usize,
}

/// What was made.
#[derive(Debug, PartialEq)]
pub(super) struct Made {
    /// Move texts.
    openings: Vec<Vec<String>>,
    /// Centipoints for player 1.
    centre: i32,
    /// Candidates that were judged.
    judged: usize,
}

/// Candidates made and judged at a time.
const BATCH: usize = 256;
/// Candidates for each opening that is wanted before it is given up.
const PATIENCE: usize = 1000;
/// The short search has this part of the nodes.
const SCREENING: u64 = 25;
/// Each role must win one in so many of the quick games, and one at least.
const CONTESTED: usize = 4;

/// Makes openings.
///
/// # Errors
/// If there are too few of them.
pub(super) fn make(task: &Task) -> Result<Made, String> {
    let scored = session(&task.variant)?.is_scored();
    if task.games == 1 {
        return Err("1 quick game, which both roles can not win; 0 or at least 2 expected".into());
    }
    if scored && task.games > 0 {
        return Err(
            "in Thud a pair is decided by the margins, which quick games can not balance".into(),
        );
    }
    let progress = Progress::new(task.count, "openings");
    let symmetries = Symmetries::of(&task.variant);
    let mut seen = HashSet::new();
    let mut judged: Vec<Candidate> = Vec::new();
    let (mut kept, mut looked_at, mut made) = (Vec::new(), 0, 0);
    let mut centre = match task.centre {
        Centre::At(centre) => Some(centre),
        Centre::Auto if !scored => Some(0),
        Centre::Auto | Centre::Median => None,
    };
    while kept.len() < task.count {
        if made >= task.count.saturating_mul(PATIENCE).max(BATCH) {
            return Err(format!(
                "{} of {} openings found among {made} candidates, {} of them different; a larger --bound, more --plies or a \
                 smaller --count expected",
                kept.len(),
                task.count,
                judged.len()
            ));
        }
        let mut batch = task.variant.visit(Candidates {
            task,
            symmetries: &symmetries,
            first: made,
        })??;
        made += BATCH;
        batch.retain(|candidate| seen.insert(candidate.key.clone()));
        let found = AtomicUsize::new(kept.len());
        let judge = |session: &mut _, index: usize| {
            let candidate = &batch[index];
            if let Some(centre) = centre {
                let score = judge(session, candidate, task.nodes / SCREENING)?;
                // A short search may see a loss that is none.
                if score.abs() < WIN_FLOOR && !fits(score, centre, task.bound.saturating_mul(3) / 2)
                {
                    return Ok(score);
                }
            }
            let score = judge(session, candidate, task.nodes)?;
            // Without a centre yet, what is judged counts; it is needed to find one.
            if task.games == 0 && centre.is_none_or(|centre| fits(score, centre, task.bound)) {
                progress.at(found.fetch_add(1, Relaxed) + 1);
            }
            Ok(score)
        };
        let scores = spread(batch.len(), task.workers, || session(&task.variant), judge)?;
        for (mut candidate, score) in batch.into_iter().zip(scores) {
            candidate.score = score;
            judged.push(candidate);
        }
        if centre.is_none() && judged.len() >= task.count {
            centre = Some(median(judged[..task.count].iter().map(|c| c.score)));
        }
        let Some(centre) = centre else { continue };
        let mut near = Vec::new();
        for (index, candidate) in judged.iter().enumerate().skip(looked_at) {
            if fits(candidate.score, centre, task.bound) {
                near.push((index, candidate));
            }
        }
        looked_at = judged.len();
        let contested = match task.games {
            0 => vec![true; near.len()],
            _ => contested(task, &near, &|| {
                progress.at(found.fetch_add(1, Relaxed) + 1)
            })?,
        };
        for ((_, candidate), _) in near.iter().zip(contested).filter(|(_, kept)| *kept) {
            if kept.len() < task.count {
                kept.push(candidate.moves.clone());
            }
        }
    }
    Ok(Made {
        openings: kept,
        centre: centre.unwrap_or(0),
        judged: looked_at,
    })
}

fn fits(score: i32, centre: i32, bound: u32) -> bool {
    score.abs() < WIN_FLOOR && score.abs_diff(centre) <= bound
}

/// Whether quick games from these candidates, each with its number, are won by both roles; calls `found` for each of
/// which they are.
fn contested(
    task: &Task,
    candidates: &[(usize, &Candidate)],
    found: &(dyn Fn() + Sync),
) -> Result<Vec<bool>, String> {
    let games = measure::Task {
        variant: task.variant.clone(),
        nodes: task.game_nodes,
        seed: task.seed,
        workers: task.workers,
    };
    let setup = || Ok([session(&task.variant)?, session(&task.variant)?]);
    spread(candidates.len(), task.workers, setup, |players, index| {
        let (number, candidate) = candidates[index];
        let opening = Opening {
            fen: None,
            moves: candidate.moves.clone(),
        };
        let mut missing = [(task.games / CONTESTED).max(1); 2];
        for game in 0..task.games {
            let ended = measure::play(&games, players, &opening, number * task.games + game)?;
            if let Some(winner) = ended.winner {
                let wins = &mut missing[winner.index()];
                *wins = wins.saturating_sub(1);
            }
            // Most openings are decided: once the games left can not make up for it, they need not be played.
            if missing.iter().sum::<usize>() > task.games - game - 1 {
                return Ok(false);
            }
        }
        found();
        Ok(true)
    })
}

/// The middle one of some scores; the upper of two.
fn median(scores: impl Iterator<Item = i32>) -> i32 {
    let mut scores: Vec<i32> = scores.collect();
    scores.sort_unstable();
    scores.get(scores.len() / 2).copied().unwrap_or(0)
}

/// An opening that may be kept.
struct Candidate {
    moves: Vec<String>,
    /// The same for positions that are images of each other.
    key: String,
    /// Centipoints for player 1.
    score: i32,
}

/// Makes a batch of candidates; the ones whose random moves end the game, or let it end in repetition, are left out.
struct Candidates<'t> {
    task: &'t Task,
    symmetries: &'t Symmetries,
    first: usize,
}

impl Visitor for Candidates<'_> {
    type Output = Result<Vec<Candidate>, String>;

    fn visit<G: huscarl::eval::Evaluate>(self, game: G) -> Self::Output {
        let game = Arc::new(game);
        let mut batch = Vec::with_capacity(BATCH);
        for index in self.first..self.first + BATCH {
            batch.extend(candidate(&game, self.task, self.symmetries, index)?);
        }
        Ok(batch)
    }
}

fn candidate<G: Game>(
    game: &Arc<G>,
    task: &Task,
    symmetries: &Symmetries,
    index: usize,
) -> Result<Option<Candidate>, String> {
    // Neighbouring seeds would give alike beginnings; the factor is that of Knuth's multiplicative hash.
    let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ task.seed;
    let mut random = fastrand::Rng::with_seed(mixed);
    let mut record = Record::start(Arc::clone(game), game.limits())?;
    let mut moves = Vec::new();
    let mut list = Vec::new();
    for _ in 0..random.usize(task.plies.clone()) {
        list.clear();
        game.generate(record.position(), Moves::All, &mut list);
        let Some(&mv) = random.choice(&list) else {
            return Ok(None);
        };
        moves.push(game.move_text(record.position(), mv));
        record.play(mv);
        if record.outcome().is_some() {
            return Ok(None);
        }
    }
    if can_repeat(&record) {
        return Ok(None);
    }
    // A turn that goes on belongs to a square, of which nothing is known under a symmetry: rather two alike than one too few.
    let text = record.text();
    let mut fields = text.split(' ');
    let rows = canonical(fields.next().unwrap_or_default(), symmetries);
    Ok(Some(Candidate {
        moves,
        key: format!("{rows} {}", fields.next().unwrap_or_default()),
        score: 0,
    }))
}

/// Whether a legal move ends the game by repetition. The score of such a position is the draw's, whatever the chances are.
fn can_repeat<G: Game>(record: &Record<G>) -> bool {
    let (game, position) = (record.game(), record.position());
    let allowed = record.limits().repetition as usize;
    let keys = record.recent_keys();
    let mut list = Vec::new();
    game.generate(position, Moves::All, &mut list);
    list.into_iter().any(|mv| {
        let key = game.key(&game.make(position, mv));
        let before = keys.iter().filter(|&&earlier| earlier == key).count();
        before > 0 && before + 1 >= allowed && allowed > 0
    })
}

/// The score of a search, for player 1.
fn judge(
    session: &mut Box<dyn huscarl::session::Session>,
    candidate: &Candidate,
    limit: u64,
) -> Result<i32, String> {
    session.new_game();
    let moves: Vec<&str> = candidate.moves.iter().map(String::as_str).collect();
    session.play(&moves).map_err(|refusal| refusal.message)?;
    let answer = session.search(
        &nodes(limit),
        &Arc::default(),
        Instant::now(),
        &mut |_| {},
        Box::new(|_| {}),
    );
    let score = answer.ok_or("a search without an answer")?.score;
    Ok(match session.side() {
        Some(Side::Second) => -score,
        _ => score,
    })
}

impl Made {
    /// The file: a line that says how it was made, then one opening a line.
    pub(super) fn text(&self, task: &Task) -> String {
        let games = match task.games {
            0 => String::new(),
            games => format!(
                ", and both roles win {} or more of {games} games at {} nodes a move",
                (games / CONTESTED).max(1),
                task.game_nodes
            ),
        };
        let mut text = format!(
            "# {}: {} openings of {} to {} random plies, seed {}; a search of {} nodes puts each within {} centipoints of {} \
             for player 1{games}; {} different candidates; {}\n",
            task.variant.name(),
            self.openings.len(),
            task.plies.start(),
            task.plies.end(),
            task.seed,
            task.nodes,
            task.bound,
            self.centre,
            self.judged,
            huscarl::protocol::NAME
        );
        for moves in &self.openings {
            text += "startpos";
            if !moves.is_empty() {
                // Writing to a string does not fail.
                let _ = write!(text, " moves {}", moves.join(" "));
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huscarl::game::Reason;

    fn task(variant: &str, workers: usize) -> Task {
        Task {
            variant: variant.parse().unwrap(),
            count: 20,
            plies: 3..=6,
            seed: 7,
            nodes: 300,
            bound: 400,
            centre: Centre::Auto,
            games: 0,
            game_nodes: 300,
            workers,
        }
    }

    #[test]
    fn openings_are_legal_and_different_and_within_the_bound() {
        for variant in huscarl::variants::names() {
            // Some games are not even between equals: none of their openings is near 0.
            let task = Task {
                centre: Centre::Median,
                ..task(variant, 2)
            };
            let made = make(&task).expect("there are enough");
            assert_eq!(made.openings.len(), task.count, "{variant}");
            let mut keys = HashSet::new();
            let symmetries = Symmetries::of(&task.variant);
            let mut session = session(&task.variant).expect("opens");
            for moves in &made.openings {
                assert!(task.plies.contains(&moves.len()));
                let candidate = Candidate {
                    moves: moves.clone(),
                    key: String::new(),
                    score: 0,
                };
                let score = judge(&mut session, &candidate, task.nodes).expect("legal");
                assert!(
                    fits(score, made.centre, task.bound),
                    "{variant} {moves:?} {score}"
                );
                assert_eq!(session.outcome(), None);
                let text = session.position_text().expect("a position");
                let mut fields = text.split(' ');
                let rows = canonical(fields.next().expect("rows"), &symmetries);
                assert!(keys.insert((rows, fields.next().map(str::to_string))));
            }
        }
    }

    #[test]
    fn no_opening_can_be_repeated_at_once() {
        // A second occurrence is a draw here, and random moves often take back what they did.
        let task = Task {
            count: 200,
            plies: 4..=5,
            nodes: 20,
            bound: 10_000,
            centre: Centre::At(0),
            ..task("tawlbwrdd", 2)
        };
        let mut session = session(&task.variant).expect("opens");
        for moves in make(&task).expect("enough").openings {
            let opening: Vec<&str> = moves.iter().map(String::as_str).collect();
            session.set_position(None).expect("the start");
            session.play(&opening).expect("legal");
            for mv in session.moves().expect("a position") {
                session.set_position(None).expect("the start");
                session.play(&opening).expect("legal");
                session.play(&[&mv]).expect("legal");
                let reason = session.outcome().map(|outcome| outcome.reason);
                assert_ne!(reason, Some(Reason::Repetition), "{opening:?} {mv}");
            }
        }
    }

    #[test]
    fn the_same_task_gives_the_same_file() {
        let one = make(&task("hnefatafl7", 1)).expect("enough");
        assert_eq!(one, make(&task("hnefatafl7", 3)).expect("enough"));
        let mut other = task("hnefatafl7", 2);
        other.seed = 8;
        assert_ne!(one.openings, make(&other).expect("enough").openings);
        let text = one.text(&task("hnefatafl7", 1));
        assert!(text.starts_with("# hnefatafl7: 20 openings of 3 to 6 random plies, seed 7; "));
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with("startpos moves "))
        );
        assert_eq!(text.lines().count(), 21);
    }

    #[test]
    fn too_few_is_an_error() {
        // One ply of 7×7 has seven moves that are different up to symmetry.
        let few = Task {
            count: 100,
            plies: 1..=1,
            bound: 100_000,
            ..task("hnefatafl7", 1)
        };
        let why = make(&few).expect_err("40 moves, 5 or 8 images each");
        assert!(why.contains("of 100 openings"), "{why}");
    }

    #[test]
    fn quick_games_leave_out_what_one_role_wins() {
        let few = Task {
            count: 3,
            games: 4,
            ..task("hnefatafl7", 2)
        };
        let made = make(&few).expect("enough");
        assert_eq!(made, make(&Task { workers: 1, ..few }).expect("enough"));
        let plain = Task {
            count: 3,
            ..task("hnefatafl7", 2)
        };
        assert!(make(&plain).expect("enough").judged <= made.judged);
        let thud = Task {
            games: 2,
            ..task("thud", 1)
        };
        assert!(make(&thud).is_err_and(|why| why.contains("margins")));
        let one = Task {
            games: 1,
            ..task("hnefatafl7", 1)
        };
        assert!(make(&one).is_err_and(|why| why.contains("at least 2 expected")));
    }

    #[test]
    fn medians() {
        assert_eq!(median([5, -3, 9].into_iter()), 5);
        assert_eq!(median([5, -3, 9, 1].into_iter()), 5);
        assert_eq!(median([].into_iter()), 0);
    }
}
