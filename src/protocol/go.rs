//! What follows `go`, read leniently: what is wrong in it is told and left out, what remains is searched.

use crate::game::Side;
use crate::search::limits::{Clock, Limits};
use std::time::Duration;

/// A `go` line, read.
#[derive(Clone, Debug, Default)]
pub struct Go {
    time: [Option<u64>; 2],
    increment: [Option<u64>; 2],
    moves_to_go: Option<u64>,
    movetime: Option<u64>,
    depth: Option<u64>,
    nodes: Option<u64>,
    /// As the dialect counts.
    pub mate: Option<u64>,
    infinite: bool,
    ponder: bool,
    /// The opponent offers to end the game.
    pub offer: bool,
    /// Texts of the moves to look at.
    pub searchmoves: Vec<String>,
    /// What was wrong, a line each.
    pub problems: Vec<String>,
}

/// The words that begin something in a `go` line.
const KEYWORDS: [&str; 17] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "offer",
    "searchmoves",
];

/// A day, in milliseconds: no clock needs more, and sums of it can not overflow.
const LONGEST: u64 = 86_400_000;

impl Go {
    /// Reads the words after `go`.
    pub fn parse(arguments: &str) -> Self {
        let mut go = Go::default();
        let mut words = arguments.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "offer" => go.offer = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|next| !KEYWORDS.contains(next)) {
                        go.searchmoves.push(mv.to_string());
                    }
                }
                _ if KEYWORDS.contains(&word) => {
                    match words.next_if(|next| !KEYWORDS.contains(next)) {
                        None => go
                            .problems
                            .push(format!("go {word}: the number is missing")),
                        Some(text) => match number(text) {
                            Some(value) => {
                                if text.parse::<u64>().is_err() {
                                    go.problems.push(format!(
                                        "go {word}: '{text}' counts as {value}, a number from 0 expected"
                                    ));
                                }
                                go.set(word, value);
                            }
                            None => go
                                .problems
                                .push(format!("go {word}: '{text}', a whole number expected")),
                        },
                    }
                }
                _ => go.problems.push(format!("go: unknown word '{word}'")),
            }
        }
        go
    }

    fn set(&mut self, word: &str, value: u64) {
        match word {
            "wtime" | "p1time" => self.time[0] = Some(value),
            "btime" | "p2time" => self.time[1] = Some(value),
            "winc" | "p1inc" => self.increment[0] = Some(value),
            "binc" | "p2inc" => self.increment[1] = Some(value),
            "movestogo" => self.moves_to_go = Some(value).filter(|&moves| moves > 0),
            "movetime" => self.movetime = Some(value),
            "depth" => self.depth = Some(value),
            "nodes" => self.nodes = Some(value),
            _ => self.mate = Some(value),
        }
    }

    /// The limits for a search in which `side` is to move; `mate` in plies, as the dialect has worked it out.
    pub fn limits(&self, side: Side, mate: Option<u64>, overhead: u64) -> Limits {
        let small = |value: u64| value.min(i32::MAX as u64) as u32;
        let clock = self.clock(side);
        let is_limited = clock.is_some()
            || self.movetime.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || mate.is_some();
        Limits {
            depth: self.depth.map(small),
            // A win in 0 is no task: like every limit of 0 it asks for the quickest answer.
            nodes: if mate == Some(0) { Some(0) } else { self.nodes },
            mate: mate.map(small),
            movetime: self.movetime.map(milliseconds),
            clock,
            overhead: Duration::from_millis(overhead),
            searchmoves: Vec::new(),
            infinite: self.infinite || !is_limited && !self.ponder,
            ponder: self.ponder,
        }
    }

    /// The own clock, or the other's where the own was not told. Any clock word means that there is a clock.
    fn clock(&self, side: Side) -> Option<Clock> {
        let (own, other) = (side.index(), (!side).index());
        let told = self.time.iter().chain(&self.increment).any(Option::is_some)
            || self.moves_to_go.is_some();
        let increment = match self.time[own] {
            Some(_) => self.increment[own],
            None => self.increment[own].or(self.increment[other]),
        };
        told.then(|| Clock {
            left: milliseconds(self.time[own].or(self.time[other]).unwrap_or(0)),
            increment: milliseconds(increment.unwrap_or(0)),
            moves_to_go: self.moves_to_go.map(|moves| moves.min(1000) as u32),
            overtime: None,
        })
    }
}

/// A time of at most a day.
pub fn milliseconds(value: u64) -> Duration {
    Duration::from_millis(value.min(LONGEST))
}

/// A whole number of any size: below 0 it counts as 0, beyond the largest as the largest.
pub fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative {
        0
    } else {
        digits.parse().unwrap_or(u64::MAX)
    })
}
