//! What a tournament leaves behind: `games.jsonl`, of which every other output is derived.
//!
//! The first line of the file describes the run, each other one a finished pair of games. A line is appended and flushed
//! before the pair counts, so a run that was broken off loses at most the pairs that were being played.

use crate::variant::Variant;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The name of the file in the directory of a run.
pub const FILE: &str = "games.jsonl";

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
    /// Its rules record, if it is not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
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

impl Run {
    /// What was played.
    ///
    /// # Errors
    /// If there is no such variant, or its rules can not be read.
    pub fn game(&self) -> Result<Variant, String> {
        Variant::recorded(&self.variant, self.rules.as_deref())
    }
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
    /// `uci`, `ugi` or `otep`.
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
    /// Who made it, 0 or 1. Records of games in which the sides take turns may leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
    /// The last score that came before it, from the side that moved.
    pub score: Option<Said>,
    /// Depth of that score, in plies.
    pub depth: Option<u32>,
    /// Nodes that were told last.
    pub nodes: Option<u64>,
    /// From the line that asked for it to the line with the move, in milliseconds.
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

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The first line.
    pub run: Run,
    /// The others, in the order in which the pairs were finished.
    pub pairs: Vec<Pair>,
    /// Bytes up to the end of the last sound line.
    pub sound: usize,
}

/// The number, from 1, of the line of a pair, which is known by its place among the pairs of the file, from 0.
pub fn line_of(place: usize) -> usize {
    place + 2
}

/// Reads the file of a directory.
///
/// # Errors
/// Names the file, and the line if one is wrong.
pub fn load(path: &Path) -> Result<Recorded, String> {
    let named = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(error.to_string()))?;
    read(&bytes).map_err(named)
}

/// Reads the bytes of a file.
///
/// # Errors
/// Names the line and what is wrong with it.
pub fn read(bytes: &[u8]) -> Result<Recorded, String> {
    let Lines { lines, sound } = read_lines(bytes)?;
    let (run, pairs) = sort(lines)?;
    Ok(Recorded { run, pairs, sound })
}

/// Sorts the lines of a file into its run and its pairs.
///
/// # Errors
/// Names the line that is not what it should be.
pub fn sort(lines: Vec<Line>) -> Result<(Run, Vec<Pair>), String> {
    let (mut run, mut pairs) = (None, Vec::new());
    for (index, line) in lines.into_iter().enumerate() {
        let fault = |what: &str| Err(format!("line {}: {what}", index + 1));
        match (line, &run) {
            (Line::Run(first), None) => run = Some(first),
            (Line::Pair(pair), Some(_)) => pairs.push(pair),
            (Line::Run(_), Some(_)) => return fault("a second run, a pair expected"),
            (Line::Pair(_), None) => return fault("a pair, the run expected first"),
        }
    }
    let run = run.ok_or("no line that describes the run")?;
    Ok((run, pairs))
}

/// The sound lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines<T> {
    /// In the order in which they were written.
    pub lines: Vec<T>,
    /// Bytes up to the end of the last one.
    pub sound: usize,
}

/// Reads a file that is written a line at a time.
///
/// # Errors
/// Names the file, and the line if one is wrong.
pub fn load_lines<T: DeserializeOwned>(path: &Path) -> Result<Lines<T>, String> {
    let named = |why: String| format!("{}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(error.to_string()))?;
    read_lines(&bytes).map_err(named)
}

/// Reads the bytes of a file that is written a line at a time. Its last line was being written when the run broke off if it is not ended or can not
/// be read, and is left out then.
///
/// # Errors
/// Names the line and what is wrong with it.
fn read_lines<T: DeserializeOwned>(bytes: &[u8]) -> Result<Lines<T>, String> {
    let (mut lines, mut sound) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let last = sound + line.len() == bytes.len();
        // Without its end a line may be read and be wrong nevertheless: a number is cut short.
        if last && !line.ends_with(b"\n") {
            break;
        }
        match serde_json::from_slice(line) {
            Ok(line) => lines.push(line),
            Err(_) if last && !lines.is_empty() => break,
            Err(error) => return Err(format!("line {}: {error}", lines.len() + 1)),
        }
        sound += line.len();
    }
    Ok(Lines { lines, sound })
}

/// Writes a file that is derived from that of the run. The old one stays until the new one is whole.
///
/// # Errors
/// Names the file.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    let write = || -> io::Result<()> {
        std::fs::write(&draft, text)?;
        std::fs::rename(&draft, path)
    };
    write().map_err(|error| format!("'{}' can not be written: {error}", path.display()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The line of a run.
    pub fn run() -> String {
        let run = Run {
            arena: "0".into(),
            variant: "thud".into(),
            rules: None,
            sides: ["dwarfs".into(), "trolls".into()],
            started: String::new(),
            host: String::new(),
            engines: Vec::new(),
            seed: 1,
            settings: serde_json::Value::Null,
        };
        serde_json::to_string(&Line::Run(run)).unwrap() + "\n"
    }

    /// The line of a pair.
    pub fn pair(index: u64) -> String {
        let game = r#"{"players":[0,1],"winner":1,"reason":"no-moves","detail":"","points":[3,4],
            "moves":[{"move":"a1a2","score":{"cp":3},"depth":1,"nodes":2,"time":0.5,"left":null}],
            "end":"x","seconds":1.5}"#;
        let text = format!(
            r#"{{"kind":"pair","index":{index},"round":0,"engines":[0,1],"fen":null,"opening":[],"games":[{game},{game}]}}"#
        );
        text.replace('\n', "") + "\n"
    }

    #[test]
    fn pairs_are_read_up_to_a_torn_line() {
        let whole = run() + &pair(0) + &pair(1);
        for cut in 0..whole.len() {
            let read = read(&whole.as_bytes()[..cut]);
            if cut < run().len() {
                assert!(read.is_err());
                continue;
            }
            let read = read.unwrap();
            let complete = (cut - run().len()) / pair(0).len();
            assert_eq!(read.pairs.len(), complete);
            assert_eq!(read.sound, run().len() + complete * pair(0).len());
        }
    }

    #[test]
    fn damage_before_the_end_is_an_error() {
        let text = run() + "nonsense\n" + &pair(1);
        assert!(read(text.as_bytes()).unwrap_err().contains("line 2"));
        assert!(read((run() + &run()).as_bytes()).is_err());
        assert!(read(pair(0).as_bytes()).is_err());
        let read = read((run() + &pair(0) + "\0\0\0\n").as_bytes()).unwrap();
        assert_eq!(read.pairs.len(), 1, "the last line may be anything");
    }
}
