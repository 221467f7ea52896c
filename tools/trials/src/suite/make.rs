//! Makes a suite: games of the engine against itself at so few nodes that it errs, and of their positions those in which
//! a short search is wrong and the answer is known, by proof or by two long searches that agree.
//!
//! Most positions are left after a search of moderate length, so that the long ones are spent on good candidates. The
//! engines search from an empty table on one thread, so that the same seed, engines and numbers make the same suite; one
//! that is stopped by hand keeps what it has found, and another command may add to it.

mod consider;

use super::dialogue;
use super::problem::{self, Problem};
use super::proof::Prover;
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
    /// Openings of the games; those of the arena if left out
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
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
    /// File to write; what is in it stays, and counts. The suite of the game if left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// First judge what is in the file again, and leave out what is easy by --easy or whose answers do not hold
    #[arg(long)]
    again: bool,
}

/// Longer games are broken off.
const MOST_PLIES: usize = 120;
/// Size of the table for short searches, MiB.
const SMALL_HASH: usize = 4;
/// Positions of one game, and the plies that are passed over after each.
const OF_A_GAME: usize = 5;
const PASSED_OVER: usize = 3;
/// Share of a suite that one side, or one way of knowing, may have.
const LARGEST_SHARE: f64 = 0.6;
/// A margin of Thud with the limit of quiet plies in sight is another matter.
const MOST_QUIET: u32 = 60;
/// A remark in a suite that tells of a command begins so.
const MADE_BY: &str = "# Made by ";
pub fn run(options: &Options) -> Result<(), String> {
    let variant = variants::find(&options.variant)?;
    let path = options.openings.clone().unwrap_or_else(|| {
        let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/../arena/openings");
        Path::new(openings).join(format!("{variant}.txt"))
    });
    let mut openings = library::openings(&path)?;
    let mut random = Rng::with_seed(options.seed);
    random.shuffle(&mut openings);
    let mut maker = Maker::new(variant, options, random)?;
    if options.again {
        maker.judge_again()?;
    }
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
    out: PathBuf,
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
        let out = options.out.clone().unwrap_or_else(|| super::path(variant));
        let text = std::fs::read_to_string(&out).unwrap_or_default();
        let problems =
            problem::read_all(&text).map_err(|why| format!("{}: {why}", out.display()))?;
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
            out,
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

    /// Leaves out of what was there before what this command would not keep. The file stays as it is until all has been
    /// judged.
    fn judge_again(&mut self) -> Result<(), String> {
        for mut problem in std::mem::take(&mut self.problems) {
            self.session.set_position(Some(&problem.position))?;
            match self.how_known(&problem.position, &problem.moves, Some(problem.how))? {
                Some(how) => {
                    problem.how = how;
                    eprintln!("holds: {}", problem.line());
                    self.problems.push(problem);
                }
                None => eprintln!("left out: {}", problem.line()),
            }
        }
        self.write()
    }

    /// Plays one game and keeps what is good of it.
    fn game(&mut self, opening: &[String]) -> Result<(), String> {
        let opening: Vec<&str> = opening.iter().map(String::as_str).collect();
        let course = self.course(&opening)?;
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
            .filter(|one| Some(one.how.is_proof()) == is_proven)
            .count();
        of_side < most && (self.prover.is_none() || of_kind < most)
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
        self.write()
    }

    fn write(&self) -> Result<(), String> {
        let mut lines: Vec<String> = self.problems.iter().map(Problem::line).collect();
        lines.sort();
        let text = format!("{}{}\n", self.head(), lines.join("\n"));
        let out = &self.out;
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
             --probe {} --patience {} --sample {} --deep {} --second-deep {} --margin {} --hash {}{}",
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
            if options.again { " --again" } else { "" },
        ));
        format!(
            "# Tactical positions of {variant}, each a {game} without a past, and the moves that are right there.\n\
             # They are from quick games of the engine against itself; a search of --shallow nodes is wrong. How the moves are known:\n\
             {proof}\
             # - `search`: two builds agree on the move, the one over so many nodes and the other over those of --second-deep,\n\
             #   and every other move is worse by so many centipoints over half as many nodes.\n\
             {}\n",
            made_by.join("\n"),
        )
    }
}
