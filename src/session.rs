//! One game with its options, its record and its search threads, behind the object-safe face [`Session`].
//!
//! Text goes in and text comes out: who drives a session needs to know no game. Below here everything is generic.

use crate::eval::{Evaluate, TermValue};
use crate::game::{Game, Limits as GameLimits, Move, Moves, Outcome, Reason, Side};
use crate::grid::Grid;
use crate::perft;
use crate::record::Record;
use crate::score::{self, Score};
use crate::search::level::Level;
use crate::search::limits::{Limits, Signals};
use crate::search::pool::Pool;
use crate::search::table::{Bound, Table};
use crate::search::{Job, Report, Root};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Plies without a capture before an engine offers to end a game of its own accord.
pub const QUIET_BEFORE_OFFER: u32 = 30;

/// What a session is opened and configured with.
#[derive(Clone)]
pub struct Config {
    /// The transposition table; sessions may share it one after the other.
    pub table: Arc<Table>,
    /// Search threads, at least 1.
    pub threads: usize,
    /// Repetition limit; `None` for the variant's own.
    pub repetition: Option<u32>,
    /// Quiet limit; `None` for the variant's own.
    pub quiet: Option<u32>,
}

/// Why moves were not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// One line that names what was wrong.
    pub message: String,
}

/// A search to be done.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// What it may spend; its `searchmoves` are taken from the field below.
    pub limits: Limits,
    /// Moves to look at, as texts.
    pub searchmoves: Vec<String>,
    /// Best variations to report; at least 1.
    pub multipv: usize,
    /// Strength from 0 to [`FULL`](crate::search::level::FULL), fractions included; `None` for the full one.
    pub level: Option<f64>,
}

/// One line of progress, in text.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Iteration, in plies.
    pub depth: u32,
    /// Longest line, in plies.
    pub seldepth: u32,
    /// Rank of the variation, from 1.
    pub multipv: usize,
    /// From the side to move.
    pub score: Score,
    /// What the score says of the true one.
    pub bound: Bound,
    /// Of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Permille.
    pub hashfull: u32,
    /// Move texts.
    pub pv: Vec<String>,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move, if there is one.
    pub best: Option<String>,
    /// The reply expected, if it is known.
    pub ponder: Option<String>,
    /// From the side to move, in centipoints.
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
    /// A fault inside the search.
    pub fault: Option<String>,
}

/// What a driver of one game can do. Methods that need a position return `None` without one.
pub trait Session: Send {
    /// What the two sides are called.
    fn side_names(&self) -> [&'static str; 2];
    /// Whether the game is decided by points, and so has no mate scores.
    fn is_scored(&self) -> bool;

    /// Changes table, threads and limits.
    ///
    /// # Errors
    /// If the threads can not be had; then nothing has changed.
    fn configure(&mut self, config: Config) -> Result<(), String>;
    /// Forgets earlier games and sets the start position.
    fn new_game(&mut self);
    /// Sets a position, `None` for the start. On an error there is no position any more.
    ///
    /// # Errors
    /// A sentence that names the field and what is wrong with it.
    fn set_position(&mut self, text: Option<&str>) -> Result<(), String>;
    /// Plays moves on from the position.
    ///
    /// # Errors
    /// Names the first move that is not legal and its ply; the moves before it are played, the game is lost for the
    /// side that made it unless it was over already, and the rest is dropped.
    fn play(&mut self, moves: &[&str]) -> Result<(), Refusal>;
    /// Ends the game as it stands.
    fn agree(&mut self);

    /// Whether there is a position.
    fn has_position(&self) -> bool;
    /// The position text.
    fn position_text(&self) -> Option<String>;
    /// Whose turn it is.
    fn side(&self) -> Option<Side>;
    /// Plies since the last capture.
    fn quiet(&self) -> Option<u32>;
    /// The outcome of the game, if it is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Both sides' points, in games that have them.
    fn points(&self) -> Option<[u32; 2]>;
    /// What ending the game now is worth to the side to move, in centipoints.
    fn worth_now(&self) -> Option<Score>;
    /// Texts of the legal moves; none in a game that is finished on the board or lost by an illegal move.
    fn moves(&self) -> Option<Vec<String>>;
    /// The squares that a legal move captures, in ascending order.
    ///
    /// # Errors
    /// If the move is not legal.
    fn captures(&self, mv: &str) -> Option<Result<Vec<String>, String>>;
    /// The squares that mean something while they are empty: name, mark to draw, and what the mark stands for.
    fn special_squares(&self) -> Vec<(String, char, &'static str)>;
    /// A drawing of the board with coordinates, a line for each rank.
    fn board(&self) -> Option<Vec<String>>;
    /// The key of the position.
    fn key(&self) -> Option<u64>;
    /// The evaluation for the side to move, and its terms for each side, in centipoints.
    fn evaluation(&self) -> Option<(Score, Vec<TermValue>)>;

    /// Counts move sequences: calls `each` with every root move and its count, and returns the sum; `None` also if
    /// stopped. With `made` every leaf is made, else the last ply is counted by sets.
    fn perft(
        &self,
        depth: u32,
        made: bool,
        signals: &Signals,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64>;
    /// Searches, and waits for the answer. `problem` is called for each search move that is left out.
    fn search(
        &self,
        order: &Order,
        signals: &Arc<Signals>,
        started: Instant,
        problem: &mut dyn FnMut(String),
        progress: Box<dyn Fn(Progress) + Send + Sync>,
    ) -> Option<Answer>;
}

/// A [`Session`] of the game `G`.
pub struct GameSession<G: Evaluate> {
    game: Arc<G>,
    record: Option<Record<G>>,
    pool: Pool<G>,
    config: Config,
}

impl<G: Evaluate> GameSession<G> {
    /// A session at the start position.
    ///
    /// # Errors
    /// If the threads can not be had.
    pub fn new(game: G, config: Config) -> Result<Self, String> {
        let mut session = GameSession {
            game: Arc::new(game),
            record: None,
            pool: Pool::new(config.threads)?,
            config,
        };
        session.set_position(None)?;
        Ok(session)
    }

    fn limits(&self) -> GameLimits {
        let own = self.game.limits();
        GameLimits {
            repetition: self.config.repetition.unwrap_or(own.repetition),
            quiet: self.config.quiet.unwrap_or(own.quiet),
        }
    }

    fn legal_moves(&self, record: &Record<G>) -> Vec<Move> {
        let mut list = Vec::new();
        if !is_forfeit(record) {
            self.game.generate(record.position(), Moves::All, &mut list);
        }
        list
    }
}

fn is_forfeit<G: Game>(record: &Record<G>) -> bool {
    record
        .outcome()
        .is_some_and(|outcome| outcome.reason == Reason::IllegalMove)
}

/// Texts of a line of legal moves, cut at the first that is not legal.
fn line_text<G: Game>(game: &G, position: &G::Position, line: &[Move]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map_while(|&mv| {
            game.is_legal(&position, mv).then(|| {
                let text = game.move_text(&position, mv);
                position = game.make(&position, mv);
                text
            })
        })
        .collect()
}

impl<G: Evaluate> Session for GameSession<G> {
    fn side_names(&self) -> [&'static str; 2] {
        self.game.side_names()
    }

    fn is_scored(&self) -> bool {
        self.game.start().is_ok_and(|start| {
            self.game
                .called_off(&start, Reason::Agreed)
                .points
                .is_some()
        })
    }

    fn configure(&mut self, config: Config) -> Result<(), String> {
        if config.threads.max(1) != self.pool.threads() {
            self.pool = Pool::new(config.threads)?;
        }
        self.config = config;
        let limits = self.limits();
        if let Some(record) = &mut self.record {
            record.set_limits(limits);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.config.table.clear();
        self.pool.clear();
        // The start reads in every variant, which a test checks.
        let _ = self.set_position(None);
    }

    fn set_position(&mut self, text: Option<&str>) -> Result<(), String> {
        self.record = None;
        let game = Arc::clone(&self.game);
        self.record = Some(match text {
            Some(text) => Record::parse(game, text, self.limits())?,
            None => Record::start(game, self.limits())?,
        });
        Ok(())
    }

    fn play(&mut self, moves: &[&str]) -> Result<(), Refusal> {
        let refuse = |message: String| Err(Refusal { message });
        let Some(record) = &mut self.record else {
            return refuse("no position to move in".into());
        };
        for text in moves {
            let ply = record.plies() + 1;
            let over = record.board_outcome().map(|outcome| outcome.reason);
            let over = over.or(is_forfeit(record).then_some(Reason::IllegalMove));
            if let Some(reason) = over {
                return refuse(format!(
                    "move {text} at ply {ply}: the game is over ({reason})"
                ));
            }
            match self.game.parse_move(record.position(), text) {
                Ok(mv) => record.play(mv),
                Err(why) => {
                    record.forfeit();
                    return refuse(format!("illegal move {text} at ply {ply}: {why}"));
                }
            }
        }
        Ok(())
    }

    fn agree(&mut self) {
        if let Some(record) = &mut self.record {
            record.agree();
        }
    }

    fn has_position(&self) -> bool {
        self.record.is_some()
    }

    fn position_text(&self) -> Option<String> {
        self.record.as_ref().map(Record::text)
    }

    fn side(&self) -> Option<Side> {
        self.record.as_ref().map(Record::side)
    }

    fn quiet(&self) -> Option<u32> {
        self.record.as_ref().map(Record::quiet)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.as_ref().and_then(Record::outcome)
    }

    fn points(&self) -> Option<[u32; 2]> {
        let record = self.record.as_ref()?;
        self.game
            .called_off(record.position(), Reason::Agreed)
            .points
    }

    fn worth_now(&self) -> Option<Score> {
        let record = self.record.as_ref()?;
        let outcome = self.game.called_off(record.position(), Reason::Agreed);
        Some(score::of_outcome(outcome, record.side(), 0))
    }

    fn moves(&self) -> Option<Vec<String>> {
        let record = self.record.as_ref()?;
        let list = self.legal_moves(record);
        Some(
            list.iter()
                .map(|&mv| self.game.move_text(record.position(), mv))
                .collect(),
        )
    }

    fn captures(&self, mv: &str) -> Option<Result<Vec<String>, String>> {
        let record = self.record.as_ref()?;
        let position = record.position();
        if is_forfeit(record) {
            return Some(Err("the game is over".into()));
        }
        Some(self.game.parse_move(position, mv).map(|mv| {
            G::Grid::text_order(self.game.captured(position, mv))
                .into_iter()
                .map(G::Grid::name)
                .collect()
        }))
    }

    fn special_squares(&self) -> Vec<(String, char, &'static str)> {
        G::Grid::squares()
            .filter_map(|square| {
                let (mark, what) = self.game.special(square)?;
                Some((G::Grid::name(square), mark, what))
            })
            .collect()
    }

    fn board(&self) -> Option<Vec<String>> {
        let record = self.record.as_ref()?;
        let mut lines: Vec<String> = (0..G::Grid::SIDE)
            .rev()
            .map(|rank| {
                let cells: String = (0..G::Grid::SIDE)
                    .map(|file| {
                        let square = G::Grid::square(file, rank);
                        let piece = self.game.piece(record.position(), square);
                        format!(" {}", piece.unwrap_or('.'))
                    })
                    .collect();
                format!("{:>2}{cells}", rank + 1)
            })
            .collect();
        let files: String = (0..G::Grid::SIDE)
            .map(|file| format!(" {}", char::from(b'a' + file)))
            .collect();
        lines.push(format!("  {files}"));
        Some(lines)
    }

    fn key(&self) -> Option<u64> {
        self.record
            .as_ref()
            .map(|record| self.game.key(record.position()))
    }

    fn evaluation(&self) -> Option<(Score, Vec<TermValue>)> {
        let position = self.record.as_ref()?.position();
        Some((
            self.game.evaluate(position, &self.game.sight(position)),
            self.game.terms(position),
        ))
    }

    fn perft(
        &self,
        depth: u32,
        made: bool,
        signals: &Signals,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        let position = self.record.as_ref()?.position();
        let cancel = || signals.stopped();
        perft::divide(&*self.game, position, depth, made, &cancel, |mv, nodes| {
            each(self.game.move_text(position, mv), nodes);
        })
    }

    fn search(
        &self,
        order: &Order,
        signals: &Arc<Signals>,
        started: Instant,
        problem: &mut dyn FnMut(String),
        progress: Box<dyn Fn(Progress) + Send + Sync>,
    ) -> Option<Answer> {
        let record = self.record.as_ref()?;
        let position = *record.position();
        let none = Answer {
            best: None,
            ponder: None,
            score: 0,
            nodes: 0,
            fault: None,
        };
        if is_forfeit(record) || record.board_outcome().is_some() {
            return Some(none);
        }
        let mut limits = order.limits.clone();
        for text in &order.searchmoves {
            match self.game.parse_move(&position, text) {
                Ok(mv) => limits.searchmoves.push(mv),
                Err(why) => problem(format!("searchmoves {text} left out: {why}")),
            }
        }
        let root = Root {
            position,
            keys: record.recent_keys(),
            quiet: record.quiet(),
            limits: record.limits(),
            missed_win: record.missed_win(),
        };
        let game = Arc::clone(&self.game);
        let table = Arc::clone(&self.config.table);
        let mut job = Job::new(game, root, limits, table, Arc::clone(signals));
        job.multipv = order.multipv.max(1);
        job.level = order
            .level
            .and_then(|level| Level::new(level, self.game.key(&position)));
        job.started = started;
        let game = Arc::clone(&self.game);
        job.report = Box::new(move |report: &Report| {
            progress(Progress {
                depth: report.depth,
                seldepth: report.seldepth,
                multipv: report.multipv,
                score: report.score,
                bound: report.bound,
                nodes: report.nodes,
                time: report.time,
                hashfull: report.hashfull,
                pv: line_text(&*game, &position, &report.pv),
            });
        });
        let best = self.pool.search(job);
        let line: Vec<Move> = best.mv.into_iter().chain(best.ponder).collect();
        let mut texts = line_text(&*self.game, &position, &line).into_iter();
        Some(Answer {
            best: texts.next(),
            ponder: texts.next(),
            score: best.score,
            nodes: best.nodes,
            fault: best.fault,
        })
    }
}
