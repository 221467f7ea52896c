//! Who can sit at a board: the library, an engine process, and the fixed opponents on the slow reference.

use crate::driver::Engine;
use crate::reference;
use crate::reference::{RandomMover, Yardstick};
use huscarl::search::table::Table;
use huscarl::session::{Answer, Config, Order, Session};
use huscarl::variants;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A game in progress, as every player needs it.
pub struct Situation<'a> {
    /// Moves from the start position.
    pub moves: &'a [String],
    /// The same game on the slow reference.
    pub slow: &'a reference::Game,
}

/// A player of one game after the other.
pub trait Player {
    /// Begins a game; `seed` for those that roll dice.
    fn new_game(&mut self, seed: u64) -> Result<(), String>;
    /// The move to play.
    fn choose(&mut self, situation: &Situation<'_>) -> Result<String, String>;
}

/// A session of the library with one thread.
pub fn session(variant: &str, hash: usize) -> Result<Box<dyn Session>, String> {
    let config = Config {
        table: Arc::new(Table::new(hash)?),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    variants::open(variant, config)
}

/// A search without a driver: nobody listens to its progress or stops it.
pub fn search(session: &dyn Session, order: &Order) -> Result<Answer, String> {
    let signals = Arc::default();
    let answer = session.search(
        order,
        &signals,
        Instant::now(),
        &mut |_| {},
        Box::new(|_| {}),
    );
    answer.ok_or_else(|| "no answer".into())
}

/// The variants that a trial is about: the one that was asked for, or all.
pub fn chosen(only: Option<&str>) -> Result<Vec<&'static str>, String> {
    let names: Vec<_> = variants::names()
        .filter(|name| only.is_none_or(|only| only == *name))
        .collect();
    match only {
        Some(only) if names.is_empty() => {
            let known: Vec<_> = variants::names().collect();
            Err(format!(
                "unknown variant '{only}'; expected one of {}",
                known.join(" ")
            ))
        }
        _ => Ok(names),
    }
}

/// The library, at a number of nodes a move.
pub struct Library {
    session: Box<dyn Session>,
    order: Order,
    known: usize,
}

impl Library {
    pub fn new(variant: &str, nodes: u64) -> Result<Self, String> {
        let mut order = Order {
            multipv: 1,
            ..Order::default()
        };
        order.limits.nodes = Some(nodes);
        Ok(Library {
            session: session(variant, 16)?,
            order,
            known: 0,
        })
    }
}

impl Player for Library {
    fn new_game(&mut self, _: u64) -> Result<(), String> {
        self.session.new_game();
        self.known = 0;
        Ok(())
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<String, String> {
        let new: Vec<&str> = situation.moves[self.known..]
            .iter()
            .map(String::as_str)
            .collect();
        self.session.play(&new).map_err(|refusal| refusal.message)?;
        self.known = situation.moves.len();
        let answer = search(&*self.session, &self.order)?;
        answer.best.ok_or_else(|| "no move".into())
    }
}

/// An engine process that is told how to search in the words of `go`.
pub struct Process {
    engine: Engine,
    go: String,
}

impl Process {
    pub fn new(path: &Path, variant: &str, go: &str, options: &[String]) -> Result<Self, String> {
        let mut engine = Engine::start(path)?;
        engine.send("uci")?;
        engine.wait_for("uciok")?;
        engine.send("setoption name Hash value 16")?;
        engine.send(&format!("setoption name UCI_Variant value {variant}"))?;
        for option in options {
            let (name, value) = option.split_once('=').ok_or("NAME=VALUE expected")?;
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(Process {
            engine,
            go: format!("go {go}"),
        })
    }
}

impl Player for Process {
    fn new_game(&mut self, _: u64) -> Result<(), String> {
        self.engine.send("ucinewgame")?;
        self.engine.ready()
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<String, String> {
        let line = situation.moves.join(" ");
        self.engine
            .send(&format!("position startpos moves {line}\n{}", self.go))?;
        let answer = self.engine.wait_for("bestmove")?;
        let mv = answer.split_ascii_whitespace().nth(1);
        mv.map(str::to_string)
            .ok_or_else(|| "bestmove without a move".into())
    }
}

impl Player for Yardstick {
    fn new_game(&mut self, seed: u64) -> Result<(), String> {
        *self = Yardstick::new(seed);
        Ok(())
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<String, String> {
        Yardstick::choose(self, situation.slow).ok_or_else(|| "no move".into())
    }
}

impl Player for RandomMover {
    fn new_game(&mut self, seed: u64) -> Result<(), String> {
        *self = RandomMover::new(seed);
        Ok(())
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<String, String> {
        RandomMover::choose(self, situation.slow).ok_or_else(|| "no move".into())
    }
}
