//! The dialect of OpenTafl, the host of this protocol: it tells rules and positions, asks for moves, and decides.
//!
//! What the host says of a position is the truth. Moves are played for the history; where they lead elsewhere, the
//! position is replaced. Nothing is ever written to stderr, which the host does not read. [`notation`] translates the texts,
//! [`engine_file`] writes the file by which the host knows the engine.

pub mod engine_file;
mod notation;

use super::engine::config;
use super::queue::Task;
use super::{Shared, Worker, split_word};
use crate::game::Side;
use crate::score;
use crate::search::limits::{Clock, Limits};
use crate::search::table::{Bound, Table};
use crate::session::{Answer, Order, Progress, Session};
use crate::tafl::spec::{Berserk, Spec};
use crate::variants;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for a move of a game without clocks.
const UNTIMED: Duration = Duration::from_secs(2);

/// Commands that wait for their turn and ask for no search. Whatever else comes and is not known is skipped.
const WAITING: [&str; 6] = [
    "position",
    "side",
    "clock",
    "opponent-move",
    "move",
    "error",
];

/// Greets the host, and falls silent towards everybody else.
pub(super) fn begin(shared: &Shared) {
    log::set_max_level(log::LevelFilter::Off);
    std::panic::set_hook(Box::new(|_| {}));
    shared.output.say("hello");
    shared.output.say("simple-moves on");
}

/// Tells the host that it can not go on.
pub(super) fn fatal(message: &str) -> String {
    format!("error -1 {message}")
}

/// Acts on a line at once or hands it on; says whether to go on reading.
pub(super) fn take(line: &str, shared: &Shared) -> bool {
    let queue = &shared.queue;
    match split_word(line).0 {
        "goodbye" => return false,
        "rules" | "finish" => {
            queue.discard();
            queue.push(line);
        }
        "play" | "analyze" => {
            // A host that asks again no longer needs what it asked for before, but for every question there is an answer.
            queue.stop();
            queue.push_search(line, false);
        }
        word if WAITING.contains(&word) => queue.push(line),
        _ => {}
    }
    true
}

/// A game as the host tells it.
struct Game {
    session: Box<dyn Session>,
    /// Whether a piece may move on after a capture.
    berserk: bool,
    /// Those of attackers and defenders; `None` in a game without.
    clocks: Option<[Clock; 2]>,
    /// Whose turn the host says it is, of a position told without moves.
    side: Option<Side>,
    /// The square that the last move entered.
    last: Option<String>,
    /// Our move that the host has not spoken about yet.
    offered: Option<String>,
    /// Our moves that the host has refused in this position.
    refused: Vec<String>,
    /// Whether only the piece that moved last may move, as a refusal told.
    bound: bool,
}

impl Game {
    fn new(session: Box<dyn Session>, berserk: bool) -> Self {
        Game {
            session,
            berserk,
            clocks: None,
            side: None,
            last: None,
            offered: None,
            refused: Vec::new(),
            bound: false,
        }
    }

    /// Whether these are the rows of our position.
    fn stands(&self, rows: &str) -> bool {
        self.rows().is_some_and(|ours| ours == rows)
    }

    fn rows(&self) -> Option<String> {
        let text = self.session.position_text()?;
        Some(notation::fields(&text).0.to_string())
    }

    /// Whether all moves could be played, and lead to the position that was told.
    fn play(&mut self, moves: &[&str], told: Option<&str>) -> bool {
        self.session.play(moves).is_ok() && told.is_none_or(|rows| self.stands(rows))
    }

    /// Plays what has been played, and takes over the position that is told after it.
    fn follow(&mut self, moves: &[&str], told: Option<&str>) -> Result<(), String> {
        let is_legal = |mv: &&str| self.session.captures(mv).is_some_and(|found| found.is_ok());
        let next = moves.first().is_some_and(is_legal);
        // Told again after a refusal: nothing has been played since.
        if told.is_some_and(|rows| self.stands(rows)) && (!next || !self.refused.is_empty()) {
            return Ok(());
        }
        self.side = None;
        self.refused.clear();
        self.bound = false;
        let mover = self.session.side();
        let before = self.session.position_text();
        self.last = moves
            .last()
            .and_then(|mv| Some(notation::squares(mv)?.1.to_string()));
        if self.play(moves, told) {
            return Ok(());
        }
        let Some(rows) = told else {
            // Nothing to go by: as if it had not been said.
            return self.session.set_position(before.as_deref());
        };
        // A game that is loaded comes as a whole.
        if moves.len() > 1 && self.session.set_position(None).is_ok() && self.play(moves, told) {
            return Ok(());
        }
        let mover = self.last_owner(rows).or(mover).unwrap_or(Side::First);
        self.place(rows, !mover)
    }

    /// The side that has moved last.
    fn last_owner(&self, rows: &str) -> Option<Side> {
        notation::owner(rows, self.last.as_deref()?)
    }

    /// Makes this the position. Who is to move although he has moved last moves on with the same piece.
    fn place(&mut self, rows: &str, side: Side) -> Result<(), String> {
        let further = self
            .last
            .as_deref()
            .filter(|_| self.berserk && self.last_owner(rows) == Some(side));
        let text = notation::position(rows, side, further);
        if further.is_some() && self.session.set_position(Some(&text)).is_ok() {
            return Ok(());
        }
        let text = notation::position(rows, side, None);
        self.session.set_position(Some(&text))
    }

    /// Makes it this side's turn.
    fn turn_to(&mut self, side: Side) -> Result<(), String> {
        match self.rows() {
            Some(rows) if self.session.side() != Some(side) => self.place(&rows, side),
            _ => Ok(()),
        }
    }

    /// The moves to choose from; none for all. Those that were refused are left out as long as there are others.
    fn choice(&self) -> Vec<String> {
        if self.refused.is_empty() {
            return Vec::new();
        }
        let mut moves = self.session.moves().unwrap_or_default();
        moves.retain(|mv| !self.refused.contains(mv));
        let piece = self.last.as_deref().filter(|_| self.bound);
        let of_piece = |mv: &&String| notation::squares(mv).map(|(from, _)| from) == piece;
        let bound: Vec<String> = moves.iter().filter(of_piece).cloned().collect();
        if bound.is_empty() { moves } else { bound }
    }
}

/// The working half of the dialect.
pub(super) struct Guest {
    shared: Arc<Shared>,
    table: Arc<Table>,
    game: Option<Game>,
    /// When the last search ended; the clock of one that waited for it starts there.
    idle_since: Instant,
}

/// What a search reported last of each variation, the best first.
type Variations = Arc<Mutex<Vec<Progress>>>;

impl Guest {
    pub(super) fn new(shared: Arc<Shared>, table: Arc<Table>) -> Self {
        Guest {
            shared,
            table,
            game: None,
            idle_since: Instant::now(),
        }
    }

    fn say(&self, line: impl Into<String>) {
        self.shared.output.say(line);
    }

    /// Tells the host's user what is wrong; the game goes on.
    fn error(&self, message: &str) {
        self.say(format!("error 0 {message}"));
    }

    fn rules(&mut self, record: &str) {
        // The threads of the old game end before those of the new one begin.
        self.game = None;
        self.table.clear();
        let settings = &self.shared.settings;
        let opened = Spec::from_record(record).and_then(|spec| {
            let session = variants::open_spec(&spec, config(settings, &self.table))?;
            Ok(Game::new(session, spec.berserk != Berserk::None))
        });
        match opened {
            Ok(game) => self.game = Some(game),
            Err(why) => self.say(fatal(&format!("rules: {why}"))),
        }
    }

    /// A line that tells something of the game.
    fn tell(&mut self, word: &str, arguments: &str) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("there are no rules")?;
        let (first, second) = split_word(arguments);
        match word {
            "clock" => game.clocks = Some(notation::clocks(arguments)?),
            "finish" => (game.clocks, game.offered) = (None, None),
            "side" => {
                let side = notation::side(first)
                    .ok_or_else(|| format!("'{first}', attackers or defenders expected"))?;
                game.side = Some(side);
            }
            "position" => {
                let rows = notation::rows(first);
                (game.offered, game.last) = (None, None);
                game.refused.clear();
                if !game.stands(&rows) {
                    let side = game.side.or(game.session.side()).unwrap_or(Side::First);
                    game.place(&rows, side)?;
                }
            }
            "opponent-move" => {
                let told = Some(notation::rows(second)).filter(|rows| !rows.is_empty());
                // A host that says nothing of our move has taken it.
                let ours = game.offered.take();
                let theirs: Vec<Option<String>> =
                    first.split('|').map(notation::read_move).collect();
                let all: Option<Vec<String>> = theirs.into_iter().collect();
                let moves: Vec<&str> = ours
                    .iter()
                    .chain(all.iter().flatten())
                    .map(String::as_str)
                    .collect();
                game.follow(&moves, told.as_deref())?;
            }
            "move" => {
                let rows = notation::rows(first);
                let ours = game.offered.take();
                let moves: Vec<&str> = ours.as_deref().into_iter().collect();
                game.follow(&moves, Some(&rows))?;
            }
            "error" => {
                // 1 and 2 are of any move, 3 and 4 of one in the middle of a turn; others are not about moves.
                if matches!(first, "1" | "2" | "3" | "4") {
                    game.refused.extend(game.offered.take());
                    game.bound = matches!(first, "3" | "4");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Searches the position, and gives the answer to `answer` unless the host has lost interest.
    fn search(
        &mut self,
        task: &Task,
        order: &Order,
        answer: impl FnOnce(&mut Game, &Answer, &[Progress]) -> Vec<String>,
    ) -> Result<(), String> {
        let game = self.game.as_mut().ok_or("there are no rules")?;
        let variations = Variations::default();
        let reported = Arc::clone(&variations);
        let never = Arc::default();
        let signals = task.signals.as_ref().unwrap_or(&never);
        let found = game
            .session
            .search(
                order,
                signals,
                task.read.max(self.idle_since),
                &mut |_| {},
                Box::new(move |progress| keep(&mut reported.lock(), progress)),
            )
            .ok_or("there is no position")?;
        self.idle_since = Instant::now();
        let lines = answer(game, &found, &variations.lock());
        let mut given = false;
        signals.deliver(|| {
            given = true;
            for line in lines {
                self.shared.output.say(line);
            }
        });
        if !given {
            game.offered = None;
        } else if let Some(fault) = found.fault {
            self.error(&fault);
        }
        Ok(())
    }

    fn play(&mut self, task: &Task, side: &str) -> Result<(), String> {
        let overhead = Duration::from_millis(self.shared.settings.overhead);
        let game = self.game.as_mut().ok_or("there are no rules")?;
        game.offered = None;
        if let Some(side) = notation::side(side) {
            game.turn_to(side)?;
        }
        let side = game.session.side().ok_or("there is no position")?;
        let clock = game.clocks.map(|clocks| clocks[side.index()]);
        let order = Order {
            limits: Limits {
                clock,
                movetime: clock.is_none().then_some(UNTIMED),
                overhead,
                ..Limits::default()
            },
            searchmoves: game.choice(),
            multipv: 1,
            level: self.shared.settings.level(),
        };
        let before = game.session.position_text();
        self.search(task, &order, |game, found, variations| {
            let mv = found.best.as_deref();
            let Some(text) = mv.and_then(|mv| notation::write_move(mv, before.as_deref())) else {
                return vec!["error 0 play: there is no legal move".to_string()];
            };
            game.offered = mv.map(String::from);
            vec![
                status(found, variations.first(), side),
                format!("move {text}"),
            ]
        })
    }

    fn analyze(&mut self, task: &Task, arguments: &str) -> Result<(), String> {
        let (count, seconds) = split_word(arguments);
        let expected = || format!("'{arguments}', a number of moves and seconds expected");
        let count: usize = count.parse().map_err(|_| expected())?;
        let seconds = notation::seconds(seconds).ok_or_else(expected)?;
        let game = self.game.as_mut().ok_or("there are no rules")?;
        if let Some(side) = game.side {
            game.turn_to(side)?;
        }
        let side = game.session.side().ok_or("there is no position")?;
        let order = Order {
            limits: Limits {
                movetime: Some(seconds),
                overhead: Duration::from_millis(self.shared.settings.overhead),
                ..Limits::default()
            },
            searchmoves: Vec::new(),
            multipv: count.max(1),
            level: None,
        };
        let before = game.session.position_text();
        self.search(task, &order, |_, _, variations| {
            vec![analysis(variations, before.as_deref(), side)]
        })
    }
}

/// Keeps a report as the last of its variation. A bound is only kept where there is nothing better.
fn keep(variations: &mut Vec<Progress>, progress: Progress) {
    let index = progress.multipv.saturating_sub(1).min(variations.len());
    if index == variations.len() {
        variations.push(progress);
    } else if progress.bound == Bound::Exact {
        variations[index] = progress;
    }
}

/// What the search has seen, for the user.
fn status(found: &Answer, best: Option<&Progress>, side: Side) -> String {
    let depth = best.map_or(0, |best| best.depth);
    let end = match score::plies_to_end(found.score) {
        Some(plies) if plies > 0 => format!(", wins in {plies} plies"),
        Some(plies) => format!(", loses in {} plies", -plies),
        None => String::new(),
    };
    format!(
        "status value {}, depth {depth}, {} nodes{end}",
        notation::value(found.score, side),
        found.nodes
    )
}

/// The variations with their values. In an iteration that was cut short a move may stand at two ranks: the better counts.
fn analysis(variations: &[Progress], before: Option<&str>, side: Side) -> String {
    let mut told: Vec<&str> = Vec::new();
    let mut texts = Vec::new();
    for variation in variations {
        let Some(first) = variation.pv.first() else {
            continue;
        };
        if told.contains(&first.as_str()) {
            continue;
        }
        told.push(first);
        let moves: Vec<String> = (0..)
            .zip(&variation.pv)
            .map_while(|(ply, mv)| notation::write_move(mv, before.filter(|_| ply == 0)))
            .collect();
        let value = notation::value(variation.score, side);
        texts.push(format!(" {} {value}", moves.join("|")));
    }
    if texts.is_empty() {
        return "error 0 analyze: there is no legal move".to_string();
    }
    format!("analysis {}{}", texts.len(), texts.concat())
}

impl Worker for Guest {
    fn carry_out(&mut self, task: &Task) {
        let (word, arguments) = split_word(&task.line);
        let result = match word {
            "rules" => {
                self.rules(arguments);
                Ok(())
            }
            "play" => self.play(task, arguments),
            "analyze" => self.analyze(task, arguments),
            _ => self.tell(word, arguments),
        };
        if let Err(why) = result {
            self.error(&format!("{word}: {why}"));
        }
    }

    fn answer_fault(&mut self, task: &Task) {
        self.error(&format!("fault while carrying out '{}'", task.line));
        let Some(game) = self.game.as_mut() else {
            return;
        };
        if split_word(&task.line).0 == "play"
            && let Some(mv) = game
                .session
                .moves()
                .and_then(|moves| moves.into_iter().next())
            && let Some(text) = notation::write_move(&mv, None)
        {
            game.offered = Some(mv);
            self.say(format!("move {text}"));
        }
    }
}
