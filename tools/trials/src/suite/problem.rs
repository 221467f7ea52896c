//! A position with its answers as a line of a suite: `POSITION ; moves M1 M2 … ; HOW`, where HOW says why these are the
//! answers.

use huscarl::score::Score;
use std::fmt;
use std::str::FromStr;

/// Why moves are the right ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By an exhaustive search they win within so many plies.
    Wins(u32),
    /// By an exhaustive search all others lose within so many plies.
    OthersLose(u32),
    /// Long searches agree: over so many nodes, and every other move is worse by so many centipoints.
    Search { nodes: u64, margin: Score },
}

impl How {
    pub fn is_proof(self) -> bool {
        !matches!(self, How::Search { .. })
    }
}

impl fmt::Display for How {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            How::Wins(plies) => write!(formatter, "proof win within {plies} plies"),
            How::OthersLose(plies) => {
                write!(formatter, "proof all others lose within {plies} plies")
            }
            How::Search { nodes, margin } => {
                write!(formatter, "search {nodes} nodes, margin {margin}")
            }
        }
    }
}

impl FromStr for How {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse().map_err(drop);
        let words: Vec<&str> = text.split(' ').collect();
        match words[..] {
            ["proof", "win", "within", plies, "plies"] => Ok(How::Wins(number(plies)?)),
            ["proof", "all", "others", "lose", "within", plies, "plies"] => {
                Ok(How::OthersLose(number(plies)?))
            }
            ["search", nodes, "nodes,", "margin", margin] => Ok(How::Search {
                nodes: nodes.parse().map_err(drop)?,
                margin: margin.parse().map_err(drop)?,
            }),
            _ => Err(()),
        }
    }
}

/// A position, the moves that are right in it, and how that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub position: String,
    pub moves: Vec<String>,
    pub how: How,
}

impl Problem {
    /// Reads a line.
    pub fn read(line: &str) -> Result<Problem, String> {
        let wrong = || {
            format!(
                "'{line}', POSITION ; moves M… ; proof win within N plies, proof all others lose within N plies or search N \
                 nodes, margin N expected"
            )
        };
        let fields: Vec<&str> = line.split(" ; ").collect();
        let &[position, moves, how] = fields.as_slice() else {
            return Err(wrong());
        };
        let moves = moves.strip_prefix("moves ").ok_or_else(wrong)?;
        Ok(Problem {
            position: position.to_string(),
            moves: moves.split(' ').map(str::to_string).collect(),
            how: how.parse().map_err(|()| wrong())?,
        })
    }

    /// The line that [`Problem::read`] reads.
    pub fn line(&self) -> String {
        let moves = self.moves.join(" ");
        format!("{} ; moves {moves} ; {}", self.position, self.how)
    }

    pub fn is_answer(&self, mv: &str) -> bool {
        self.moves.iter().any(|answer| answer == mv)
    }
}

/// The problems of a suite's text; lines that begin with `#` are remarks.
pub fn read_all(text: &str) -> Result<Vec<Problem>, String> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| Problem::read(line).map_err(|why| format!("line {number}: {why}")))
        .collect()
}

/// The same text for all turns and reflections of a position text: the first of the eight images, and the side to move.
pub fn key(position: &str) -> String {
    let mut fields = position.split(' ');
    let rows = fields.next().unwrap_or_default();
    let mut board: Vec<Vec<char>> = rows.split('/').map(cells).collect();
    let mut images = Vec::new();
    for _ in 0..4 {
        images.push(board.clone());
        images.push(board.iter().rev().cloned().collect());
        board = turned(&board);
    }
    let texts = images.into_iter().map(|image| {
        let rows = image.into_iter().map(String::from_iter);
        rows.collect::<Vec<String>>().join("/")
    });
    let first = texts.min().unwrap_or_default();
    format!("{first} {}", fields.next().unwrap_or_default())
}

/// The squares of a row, empty ones as dots.
fn cells(row: &str) -> Vec<char> {
    let mut cells = Vec::new();
    for run in row
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit())
    {
        let run = String::from_utf8_lossy(run);
        match run.parse() {
            Ok(empty) => cells.extend(std::iter::repeat_n('.', empty)),
            Err(_) => cells.extend(run.chars()),
        }
    }
    cells
}

/// A quarter turn of a board with as many rows as columns.
fn turned(board: &[Vec<char>]) -> Vec<Vec<char>> {
    let column = |file| {
        board
            .iter()
            .rev()
            .filter_map(move |row| row.get(file).copied())
    };
    (0..board.len())
        .map(|file| column(file).collect())
        .collect()
}
