//! The dialect of OpenTafl, the host of this protocol: it tells rules and positions, asks for moves, and decides.
//!
//! Nothing is ever written to stderr, which the host does not read. [`game`] follows what the host tells of a game,
//! [`notation`] translates the texts, [`engine_file`] writes the file by which the host knows the engine.

pub mod engine_file;
mod game;
mod notation;

use super::engine::config;
use super::queue::Task;
use super::{Shared, Worker, split_word};
use crate::game::Side;
use crate::score;
use crate::search::limits::Limits;
use crate::search::table::{Bound, Table};
use crate::session::{Answer, Order, Progress};
use crate::tafl::spec::{Berserk, Spec};
use crate::variants;
use game::Game;
use parking_lot::Mutex;
use std::cmp::Reverse;
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

/// The working half of the dialect.
pub(super) struct Guest {
    shared: Arc<Shared>,
    table: Arc<Table>,
    game: Option<Game>,
    /// When the last search ended; the clock of one that waited for it starts there.
    idle_since: Instant,
}

/// All that a search has reported.
type Reports = Arc<Mutex<Vec<Progress>>>;

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
        let reports = Reports::default();
        let sink = Arc::clone(&reports);
        let never = Arc::default();
        let signals = task.signals.as_ref().unwrap_or(&never);
        let found = game
            .session
            .search(
                order,
                signals,
                task.read.max(self.idle_since),
                &mut |_| {},
                Box::new(move |progress| sink.lock().push(progress)),
            )
            .ok_or("there is no position")?;
        self.idle_since = Instant::now();
        let lines = answer(game, &found, &reports.lock());
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
        self.search(task, &order, |game, found, reports| {
            let mv = found.best.as_deref();
            let Some(text) = mv.and_then(|mv| notation::write_move(mv, before.as_deref())) else {
                return vec!["error 0 play: there is no legal move".to_string()];
            };
            game.offered = mv.map(String::from);
            vec![status(found, reports.last(), side), format!("move {text}")]
        })
    }

    fn analyze(&mut self, task: &Task, arguments: &str) -> Result<(), String> {
        let (count, seconds) = split_word(arguments);
        let expected = || format!("'{arguments}', a number of moves and seconds expected");
        let count: usize = count.parse().map_err(|_| expected())?;
        let count = count.max(1);
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
            multipv: count,
            level: None,
        };
        let before = game.session.position_text();
        self.search(task, &order, |_, _, reports| {
            vec![analysis(reports, count, before.as_deref(), side)]
        })
    }
}

/// What the search has seen, for the user.
fn status(found: &Answer, last: Option<&Progress>, side: Side) -> String {
    let depth = last.map_or(0, |last| last.depth);
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

/// The best `count` variations with their values. An iteration that was cut short lacks some, which the one before it
/// has; what was looked at longest counts, and a value before a mere bound.
fn analysis(reports: &[Progress], count: usize, before: Option<&str>, side: Side) -> String {
    let mut order: Vec<&Progress> = reports
        .iter()
        .filter(|report| !report.pv.is_empty())
        .collect();
    order.sort_by_key(|report| Reverse((report.bound == Bound::Exact, report.depth, report.score)));
    let mut told: Vec<&str> = Vec::new();
    let mut texts = Vec::new();
    for report in order {
        if told.contains(&report.pv[0].as_str()) || told.len() == count {
            continue;
        }
        told.push(&report.pv[0]);
        let moves: Vec<String> = (0..)
            .zip(&report.pv)
            .map_while(|(ply, mv)| notation::write_move(mv, before.filter(|_| ply == 0)))
            .collect();
        let value = notation::value(report.score, side);
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
