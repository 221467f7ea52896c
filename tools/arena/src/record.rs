//! What a tournament leaves behind: `games.jsonl`, of which every other output is derived.
//!
//! The first line of the file describes the run, each other one a finished pair of games. A line is appended and flushed
//! before the pair counts, so a run that was broken off loses at most the pairs that were being played.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
// Lines are read one at a time and taken apart; there are never many of them.
#[allow(clippy::large_enum_variant)]
pub enum Line {
    /// The first line.
    Run(Run),
    /// Every other line.
    Pair(Pair),
}

/// Who plays, under which conditions, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Version of the arena.
    pub arena: String,
    /// Name of the variant.
    pub variant: String,
    /// What the sides are called, player 1 first, in the plural.
    pub sides: [String; 2],
    /// When it began, RFC 3339.
    pub started: String,
    /// Operating system, processor, number of cores.
    pub host: String,
    /// The players; a game names them by their index here.
    pub engines: Vec<EngineInfo>,
    /// Of openings and their order.
    pub seed: u64,
    /// Everything else that was asked for, as the tournament file would have it.
    pub settings: serde_json::Value,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineInfo {
    /// As it is called in this run.
    pub name: String,
    /// What it calls itself, `id name`.
    pub id: String,
    /// Command line.
    pub command: String,
    /// SHA-256 of the program file, in hexadecimal.
    pub checksum: String,
    /// `uci` or `ugi`.
    pub protocol: String,
    /// Options that were set.
    pub options: BTreeMap<String, String>,
    /// Its limit, as it would be given on the command line, such as `tc=10+0.1` or `nodes=5000`.
    pub limit: String,
}

/// Two games from the same opening with the sides exchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Number of the pair in the schedule, from 0.
    pub index: u64,
    /// Round of the tournament, from 0.
    pub round: u32,
    /// The first engine is player 1 in the first game.
    pub engines: [usize; 2],
    /// Where both games start: a position text, or the start of the variant.
    pub fen: Option<String>,
    /// Moves of the opening from there.
    pub opening: Vec<String>,
    /// The games, as player 1 and as player 2 of the first engine.
    pub games: [Game; 2],
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Engines that are player 1 and player 2.
    pub players: [usize; 2],
    /// Index of the winning player, 0 or 1; none for a draw.
    pub winner: Option<usize>,
    /// A reason word of the protocol, or `time`, `illegal-move`, `crash`, `stall`, `adjudicated`, `length`.
    pub reason: String,
    /// What more there is to say, such as the last lines of an engine that failed.
    pub detail: String,
    /// Both sides' points at the end, in games that are scored.
    pub points: Option<[u32; 2]>,
    /// Moves after those of the opening.
    pub moves: Vec<Played>,
    /// The position text at the end.
    pub end: String,
    /// Seconds that the game took.
    pub seconds: f64,
    /// What the referee and the clock noticed besides.
    #[serde(default)]
    pub notes: Notes,
}

/// What was noticed in a game without deciding it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// Faults in what player 1 and player 2 said of their moves: a variation that is not legal, runs past the end or
    /// does not begin with the move, a move without a score.
    pub warnings: [u32; 2],
    /// The first of them.
    pub first: Option<String>,
    /// The time by which the arena itself was late while a game was lost on time, in milliseconds, if that may have
    /// decided it.
    pub arena_late: Option<f64>,
}

/// A move and what the engine said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Text of the move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The last score that came before it, from the side that moved.
    pub score: Option<Said>,
    /// Depth of that score, in plies.
    pub depth: Option<u32>,
    /// Nodes that were told last.
    pub nodes: Option<u64>,
    /// From the `go` line to the `bestmove` line, in milliseconds.
    pub time: f64,
    /// What was left on the clock, in milliseconds, if there was one.
    pub left: Option<f64>,
}

/// A score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// Centipoints.
    Cp(i32),
    /// Moves to the end, negative for the side that is lost.
    Mate(i32),
}
