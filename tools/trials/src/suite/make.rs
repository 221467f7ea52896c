//! Makes a suite: games of the engine against itself at so few nodes that it errs, and of their positions those in which
//! a short search is wrong and the answer is known, by proof or by two long searches that agree.
//!
//! Most positions are left after a search of moderate length, so that the long ones are spent on good candidates. The
//! engines search from an empty table on one thread, so that the same seed, engines and numbers make the same suite.

use super::dialogue::{self, Thought};
use super::problem::{self, Problem};
use super::proof::{Proof, Prover};
use crate::driver::{Engine, own_engine};
use crate::library;
use fastrand::Rng;
use huscarl::score::{Score, WIN_FLOOR};
use huscarl::session::Session;
use huscarl::variants;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Options {
    /// Game
    #[arg(long)]
    variant: String,
    /// Positions to make
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Of the choice of openings and positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Program of the engine that plays and judges; the one beside this program if left out
    #[arg(long, value_name = "CMD")]
    engine: Option<PathBuf>,
    /// Program of the engine that must agree; the same one, with a smaller table, if left out
    #[arg(long, value_name = "CMD")]
    second: Option<PathBuf>,
    /// Openings of the games, a file of the arena
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Nodes of the search that plays the games
    #[arg(long, default_value_t = 500)]
    play: u64,
    /// Nodes of the short search that must be wrong
    #[arg(long, default_value_t = 2000)]
    shallow: u64,
    /// Nodes of a search that both engines must not be right with, or the position is too easy; 0 takes easy ones, too
    #[arg(long, default_value_t = 20_000)]
    easy: u64,
    /// Nodes of the search by which candidates are found
    #[arg(long, default_value_t = 100_000)]
    probe: u64,
    /// Of the mistakes in which that search agrees with the short one, this share is looked at ten times as long
    #[arg(long, default_value_t = 0.1)]
    patience: f64,
    /// Of the positions in which the game does not show the move to be a mistake, the share that is looked at
    #[arg(long, default_value_t = 0.1)]
    sample: f64,
    /// Nodes of the long search
    #[arg(long)]
    deep: u64,
    /// Nodes of the long search of the second engine
    #[arg(long)]
    second_deep: u64,
    /// Centipoints by which every other move must be worse
    #[arg(long, default_value_t = 80)]
    margin: Score,
    /// Size of the tables of the long searches, MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// File to write; what is in it stays, and counts
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Longer games are broken off.
const MOST_PLIES: usize = 120;
/// Size of the table for short searches, MiB, and the most nodes that are one.
const SMALL_HASH: usize = 4;
const SHORT: u64 = 300_000;
/// Positions of one game, and the plies that are passed over after each.
const OF_A_GAME: usize = 5;
const PASSED_OVER: usize = 3;
/// Share of a suite that one side, or one way of knowing, may have.
const LARGEST_SHARE: f64 = 0.6;
/// Moves that are about equally good, at most.
const MOST_ANSWERS: usize = 4;
/// In a game with a king, a position is as good as won beyond this, and a margin tells nothing.
const DECIDED: Score = 1000;
/// A margin of Thud with the limit of quiet plies in sight is another matter.
const MOST_QUIET: u32 = 60;
/// A remark in a suite that tells of a command begins so.
const MADE_BY: &str = "# Made by ";
/// Margins above are written as this: one of the scores is a forced end.
const LARGEST_MARGIN: Score = 9999;

pub fn run(options: &Options) -> Result<(), String> {
    let variant = variants::find(&options.variant)?;
    let path = &options.openings;
    let text = std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
    let mut openings: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut random = Rng::with_seed(options.seed);
    random.shuffle(&mut openings);
    let mut maker = Maker::new(variant, options, random)?;
    // When all openings have been played, other games are played from them: at other nodes.
    for round in 0.. {
        let before = maker.problems.len();
        maker.play_nodes = options.play + round * options.play / 8;
        for opening in &openings {
            maker.game(opening)?;
            if maker.problems.len() >= options.count {
                return Ok(());
            }
        }
        if maker.problems.len() == before {
            break;
        }
    }
    Err(format!(
        "no more positions from these openings, {} of {} made",
        maker.problems.len(),
        options.count
    ))
}

/// A position of a game, the move played in it, and what the short search thought of it.
struct Turn {
    position: String,
    mv: String,
    score: Score,
}

struct Maker<'a> {
    variant: &'static str,
    options: &'a Options,
    random: Rng,
    /// Nodes of the search that plays the games of this round.
    play_nodes: u64,
    /// The referee of the games.
    session: Box<dyn Session>,
    /// Plays the games and searches briefly: a table that is small is soon cleared.
    scout: Engine,
    /// Search long.
    judges: [Engine; 2],
    prover: Option<Prover>,
    problems: Vec<Problem>,
    /// The commands that made those that were there before.
    made_by: Vec<String>,
    keys: BTreeSet<String>,
    /// Positions looked at, and those that a probe left.
    looked: usize,
    candidates: usize,
}

impl<'a> Maker<'a> {
    fn new(variant: &'static str, options: &'a Options, random: Rng) -> Result<Self, String> {
        let first = options.engine.clone().map_or_else(own_engine, Ok)?;
        let (second, smaller) = match &options.second {
            Some(path) => (path.clone(), options.hash),
            None => (first.clone(), options.hash.div_ceil(8)),
        };
        let start = |path: &Path, hash: usize| -> Result<Engine, String> {
            let mut engine = Engine::start(path)?;
            let hash = ("Hash", hash.to_string());
            dialogue::set(&mut engine, &[("UCI_Variant", variant.into()), hash])?;
            Ok(engine)
        };
        let session = library::session(variant, 1)?;
        let text = std::fs::read_to_string(&options.out).unwrap_or_default();
        let problems =
            problem::read_all(&text).map_err(|why| format!("{}: {why}", options.out.display()))?;
        let made_by = text.lines().filter(|line| line.starts_with(MADE_BY));
        Ok(Maker {
            made_by: made_by.map(str::to_string).collect(),
            keys: problems
                .iter()
                .map(|one| problem::key(&one.position))
                .collect(),
            problems,
            variant,
            options,
            random,
            play_nodes: options.play,
            scout: start(&first, SMALL_HASH)?,
            judges: [start(&first, options.hash)?, start(&second, smaller)?],
            prover: (!session.is_scored()).then(|| Prover::new(variant)),
            session,
            looked: 0,
            candidates: 0,
        })
    }

    /// Plays one game and keeps what is good of it.
    fn game(&mut self, opening: &str) -> Result<(), String> {
        let Some(moves) = opening.strip_prefix("startpos moves ") else {
            return Err(format!("'{opening}', startpos moves M… expected"));
        };
        let course = self.course(&moves.split(' ').collect::<Vec<&str>>())?;
        let (mut kept, mut next) = (0, 0);
        for (ply, turn) in course.iter().enumerate() {
            let later =
                [course.get(ply + 1), course.get(ply + 2)].map(|turn| turn.map(|turn| turn.score));
            let is_mistake = later[0]
                .is_some_and(|theirs| turn.score + theirs >= self.options.margin)
                || later[1].is_some_and(|own| turn.score - own >= self.options.margin);
            // Who sees the end of the game is not mistaken any more.
            if ply < next
                || turn.score.abs() >= WIN_FLOOR
                || !(is_mistake || self.random.f64() < self.options.sample)
                || !self.has_room(&turn.position, None)
            {
                continue;
            }
            self.session.set_position(Some(&turn.position))?;
            self.looked += 1;
            if let Some(problem) = self.consider(turn, later[0], is_mistake)? {
                self.keep(problem)?;
                (kept, next) = (kept + 1, ply + PASSED_OVER);
                if kept >= OF_A_GAME || self.problems.len() >= self.options.count {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A game from an opening.
    fn course(&mut self, opening: &[&str]) -> Result<Vec<Turn>, String> {
        let limits = format!("nodes {}", self.play_nodes);
        let mut course = Vec::new();
        self.session.new_game();
        self.play(opening)?;
        while self.session.outcome().is_none()
            && course.len() < MOST_PLIES
            && self
                .session
                .quiet()
                .is_some_and(|quiet| quiet <= MOST_QUIET)
        {
            let position = self.position()?;
            let thought = dialogue::think(&mut self.scout, &position, &limits)?;
            self.play(&[&thought.best])?;
            course.push(Turn {
                position,
                score: thought.score().unwrap_or(0),
                mv: thought.best,
            });
        }
        Ok(course)
    }

    fn play(&mut self, moves: &[&str]) -> Result<(), String> {
        self.session.play(moves).map_err(|refusal| refusal.message)
    }

    /// The position of the game as one without a past.
    fn position(&self) -> Result<String, String> {
        let text = self.session.position_text().ok_or("no position")?;
        let fields: Vec<&str> = text.split(' ').take(2).collect();
        Ok(format!("{} 0 1", fields.join(" ")))
    }

    /// Whether the suite can take one more with this side to move, known in this way.
    fn has_room(&self, position: &str, is_proven: Option<bool>) -> bool {
        let most = (self.options.count as f64 * LARGEST_SHARE).ceil() as usize;
        let side = |position: &str| position.split(' ').nth(1).map(str::to_string);
        let problems = || self.problems.iter();
        let of_side = problems()
            .filter(|one| side(&one.position) == side(position))
            .count();
        let of_kind = problems()
            .filter(|one| Some(one.is_proven()) == is_proven)
            .count();
        of_side < most && (self.prover.is_none() || of_kind < most)
    }

    /// A search of one of the judges, of all moves or of some only.
    fn think(
        &mut self,
        judge: usize,
        position: &str,
        nodes: u64,
        only: &[String],
    ) -> Result<Thought, String> {
        let mut limits = format!("nodes {nodes}");
        if !only.is_empty() {
            limits += &format!(" searchmoves {}", only.join(" "));
        }
        let engine = match judge {
            0 if nodes <= SHORT => &mut self.scout,
            _ => &mut self.judges[judge],
        };
        dialogue::think(engine, position, &limits)
    }

    /// The problem of a position in which the short search is wrong, if there is one. `answer` is what that search thinks
    /// of the next position.
    fn consider(
        &mut self,
        turn: &Turn,
        answer: Option<Score>,
        is_mistake: bool,
    ) -> Result<Option<Problem>, String> {
        if self.keys.contains(&problem::key(&turn.position)) {
            return Ok(None);
        }
        let wrong = self
            .think(0, &turn.position, self.options.shallow, &[])?
            .best;
        if let (Some(prover), Some(answer)) = (&mut self.prover, answer)
            && let Some(proof) = prover.holds(&turn.position, &turn.mv, answer)?
        {
            return self.proven(turn, &wrong, proof);
        }
        let mut nodes = self.options.probe;
        let mut probe = self.think(0, &turn.position, nodes, &[])?;
        if probe.best == wrong && is_mistake && self.random.f64() < self.options.patience {
            nodes *= 10;
            probe = self.think(0, &turn.position, nodes, &[])?;
        }
        let Some(score) = probe.score().filter(|_| probe.best != wrong) else {
            return Ok(None);
        };
        self.candidates += 1;
        if let Some(prover) = &mut self.prover
            && let Some(proof) = prover.wins(&turn.position, score)?
        {
            return self.proven(turn, &wrong, proof);
        }
        if !self.has_room(&turn.position, Some(false)) {
            return Ok(None);
        }
        // A brief look at the wrong move spares most of the longer ones at all the others.
        let margin = self.options.margin;
        let only = std::slice::from_ref(&wrong);
        let refuted = self.think(0, &turn.position, nodes / 4, only)?;
        if !self.is_apart(Some(score), refuted.score(), margin * 3 / 4) {
            return Ok(None);
        }
        let Some(moves) = self.answers(&turn.position, probe.best, score, &wrong)? else {
            return Ok(None);
        };
        if self.is_easy(&turn.position, &moves)? {
            return Ok(None);
        }
        let how = self.confirm_search(&turn.position, &moves)?;
        let position = turn.position.clone();
        Ok(how.map(|how| Problem {
            position,
            moves,
            how,
        }))
    }

    /// The problem of a proof, if it is of use.
    fn proven(
        &mut self,
        turn: &Turn,
        wrong: &String,
        proof: Proof,
    ) -> Result<Option<Problem>, String> {
        let position = turn.position.clone();
        let is_good = !proof.moves.contains(wrong)
            && self.has_room(&position, Some(true))
            && !self.is_easy(&position, &proof.moves)?
            && self.confirm_proof(&position, &proof)?;
        let Proof { moves, how, .. } = proof;
        Ok(is_good.then_some(Problem {
            position,
            moves,
            how,
        }))
    }

    /// The best move and the others that are about as good, if all the rest is far behind.
    fn answers(
        &mut self,
        position: &str,
        best: String,
        score: Score,
        wrong: &str,
    ) -> Result<Option<Vec<String>>, String> {
        let margin = self.options.margin;
        let (mut moves, mut worst) = (vec![best], score);
        loop {
            let others = self.all_but(&moves);
            if others.is_empty() {
                return Ok(None);
            }
            let rival = self.think(0, position, 2 * self.options.probe, &others)?;
            if self.is_apart(Some(worst), rival.score(), margin) {
                return Ok(Some(moves));
            }
            let Some(next) = rival.score() else {
                return Ok(None);
            };
            if moves.len() == MOST_ANSWERS || rival.best == wrong || next < score - margin / 2 {
                return Ok(None);
            }
            worst = worst.min(next);
            moves.push(rival.best);
        }
    }

    /// All legal moves of the game's position but these.
    fn all_but(&self, left_out: &[String]) -> Vec<String> {
        let mut moves = self.session.moves().unwrap_or_default();
        moves.retain(|mv| !left_out.contains(mv));
        moves
    }

    /// Whether the best move and the best of the others are worth so differently that it matters.
    fn is_apart(&self, best: Option<Score>, rival: Option<Score>, margin: Score) -> bool {
        let (Some(best), Some(rival)) = (best, rival) else {
            return false;
        };
        let is_open = self.session.is_scored() || (best > -DECIDED && rival < DECIDED);
        is_open && best - rival >= margin
    }

    /// Whether both judges find an answer in no time.
    fn is_easy(&mut self, position: &str, moves: &[String]) -> Result<bool, String> {
        if self.options.easy == 0 {
            return Ok(false);
        }
        for judge in [0, 1] {
            let best = self.think(judge, position, self.options.easy, &[])?.best;
            if !moves.contains(&best) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A proof has a bound: no other move may win beyond it, and one that does not lose within it must hold.
    fn confirm_proof(&mut self, position: &str, proof: &Proof) -> Result<bool, String> {
        let nodes = 10 * self.options.probe;
        if proof.is_win {
            let others = self.all_but(&proof.moves);
            let rival = self.think(0, position, nodes, &others)?;
            Ok(rival.at_most().is_some_and(|score| score < WIN_FLOOR))
        } else {
            let thought = self.think(0, position, nodes, &proof.moves)?;
            Ok(thought.at_least().is_some_and(|score| score > -WIN_FLOOR))
        }
    }

    /// Long searches: how the answer is known, if they agree on it.
    fn confirm_search(
        &mut self,
        position: &str,
        moves: &[String],
    ) -> Result<Option<String>, String> {
        let (deep, second_deep) = (self.options.deep, self.options.second_deep);
        let second = self.think(1, position, second_deep, &[])?;
        if !moves.contains(&second.best) {
            return Ok(None);
        }
        let thought = self.think(0, position, deep, &[])?;
        if !moves.contains(&thought.best) {
            return Ok(None);
        }
        let others = self.all_but(moves);
        let rival = self.think(0, position, deep / 2, &others)?;
        let (mut worst, rival) = (thought.at_least(), rival.at_most());
        if moves.len() > 1 {
            for mv in moves {
                let one = self.think(0, position, deep / 4, std::slice::from_ref(mv))?;
                worst = worst.min(one.at_least());
            }
        }
        let is_apart = self.is_apart(worst, rival, self.options.margin);
        let margin = worst.zip(rival).filter(|_| is_apart);
        Ok(margin.map(|(worst, rival)| {
            let margin = (worst - rival).min(LARGEST_MARGIN);
            format!("search {deep} nodes, margin {margin}")
        }))
    }

    /// Adds a problem, and writes the file anew, so that nothing is lost when the rest takes too long.
    fn keep(&mut self, problem: Problem) -> Result<(), String> {
        eprintln!(
            "{} of {}, {} candidates of {} positions: {}",
            self.problems.len() + 1,
            self.options.count,
            self.candidates,
            self.looked,
            problem.line()
        );
        self.keys.insert(problem::key(&problem.position));
        self.problems.push(problem);
        let mut lines: Vec<String> = self.problems.iter().map(Problem::line).collect();
        lines.sort();
        let text = format!("{}{}\n", self.head(), lines.join("\n"));
        let out = &self.options.out;
        std::fs::write(out, text).map_err(|why| format!("{}: {why}", out.display()))
    }

    fn head(&self) -> String {
        let game = if self.session.is_scored() {
            "battle"
        } else {
            "game"
        };
        let (variant, options) = (self.variant, self.options);
        let proof = match self.prover {
            Some(_) => {
                "# - `proof`: by an exhaustive search they win, or all others lose, within so many plies.\n"
            }
            None => "",
        };
        let mut made_by = self.made_by.clone();
        made_by.push(format!(
            "{MADE_BY}trials suite-make --variant {variant} --count {} --seed {} --play {} --shallow {} --easy {} \
             --probe {} --patience {} --sample {} --deep {} --second-deep {} --margin {} --hash {}",
            options.count,
            options.seed,
            options.play,
            options.shallow,
            options.easy,
            options.probe,
            options.patience,
            options.sample,
            options.deep,
            options.second_deep,
            options.margin,
            options.hash,
        ));
        format!(
            "# Tactical positions of {variant}, each a {game} without a past, and the moves that are right there.\n\
             # They are from quick games of the engine against itself; a search of {} nodes is wrong. How the moves are known:\n\
             {proof}\
             # - `search`: two builds agree on the move, the one over so many nodes and the other over those of --second-deep,\n\
             #   and every other move is worse by so many centipoints over half as many nodes.\n\
             {}\n",
            options.shallow,
            made_by.join("\n"),
        )
    }
}
