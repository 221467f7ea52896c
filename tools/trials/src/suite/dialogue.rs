//! A search asked of an engine over the protocol, and what it said on the way to its answer.

use crate::driver::Engine;
use huscarl::score::{Score, WIN};

/// Somebody who takes lines and says lines: an engine's process, or a script in its place.
pub trait Talk {
    /// Sends one line, or several in one write.
    fn send(&mut self, line: &str) -> Result<(), String>;
    /// The next line.
    fn line(&mut self) -> Result<String, String>;
}

impl Talk for Engine {
    fn send(&mut self, line: &str) -> Result<(), String> {
        Engine::send(self, line)
    }

    fn line(&mut self) -> Result<String, String> {
        Engine::line(self)
    }
}

/// What a score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

/// One `info` line with a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Nodes so far; none if the engine does not count them.
    pub nodes: Option<u64>,
    /// Milliseconds so far; none if the engine does not tell.
    pub time: Option<u64>,
    /// Centipoints from the side to move.
    score: Option<(Score, Bound)>,
    /// The first move of the variation.
    first: String,
}

impl Report {
    /// Reads an `info` line; none if there is no variation in it, or not the best one.
    fn read(line: &str) -> Option<Report> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1..)
        };
        let number = |name: &str| after(name)?.first()?.parse::<u64>().ok();
        if words.first() != Some(&"info") || number("multipv").is_some_and(|rank| rank != 1) {
            return None;
        }
        let score = after("score").and_then(|words| {
            let number: Score = words.get(1)?.parse().ok()?;
            let score = match *words.first()? {
                "cp" => number,
                // Own moves, of which the last ends the game; or lost moves, each with its answer.
                "mate" if number > 0 => WIN - (2 * number - 1),
                "mate" => -2 * number - WIN,
                _ => return None,
            };
            let bound = match words.get(2) {
                Some(&"lowerbound") => Bound::Lower,
                Some(&"upperbound") => Bound::Upper,
                _ => Bound::Exact,
            };
            Some((score, bound))
        });
        Some(Report {
            nodes: number("nodes"),
            time: number("time"),
            score,
            first: after("pv")?.first()?.to_string(),
        })
    }
}

/// The answer of a search and the reports before it.
#[derive(Debug)]
pub struct Thought {
    pub best: String,
    reports: Vec<Report>,
}

impl Thought {
    /// Centipoints by the last report, whatever it says of the true score.
    pub fn score(&self) -> Option<Score> {
        self.reports.last()?.score.map(|(score, _)| score)
    }

    /// Centipoints that the answer is worth at least, by the last report that says so.
    pub fn at_least(&self) -> Option<Score> {
        let of_best = self.reports.iter().filter(|one| one.first == self.best);
        let mut scores = of_best.filter_map(|one| one.score);
        let (score, _) = scores.rfind(|(_, bound)| *bound != Bound::Upper)?;
        Some(score)
    }

    /// Centipoints that the position is worth at most by the last report; none if that is not known.
    pub fn at_most(&self) -> Option<Score> {
        let (score, bound) = self.reports.last()?.score?;
        (bound != Bound::Lower).then_some(score)
    }

    /// The report since which the best move has been one of those that are right, if the answer is one; the last report
    /// if it became so after it.
    pub fn settled(&self, is_right: impl Fn(&str) -> bool) -> Option<&Report> {
        if !is_right(&self.best) {
            return None;
        }
        let wrong = self
            .reports
            .iter()
            .rposition(|report| !is_right(&report.first));
        let since = wrong.map_or(0, |index| index + 1);
        self.reports.get(since).or(self.reports.last())
    }
}

/// Sets options and waits until the engine has taken them.
pub fn set(talk: &mut impl Talk, options: &[(&str, String)]) -> Result<(), String> {
    for (name, value) in options {
        talk.send(&format!("setoption name {name} value {value}"))?;
    }
    talk.send("isready")?;
    heard(talk, "readyok", |_| {}).map(drop)
}

/// A search of a position by an engine that remembers nothing of earlier ones; `limits` are the words of its `go`.
pub fn think(talk: &mut impl Talk, position: &str, limits: &str) -> Result<Thought, String> {
    talk.send("ucinewgame")?;
    talk.send(&format!("position fen {position}"))?;
    talk.send(&format!("go {limits}"))?;
    let mut reports = Vec::new();
    let answer = heard(talk, "bestmove", |line| reports.extend(Report::read(line)))?;
    let best = answer.split_ascii_whitespace().nth(1);
    Ok(Thought {
        best: best
            .ok_or_else(|| format!("'{answer}', a move expected"))?
            .to_string(),
        reports,
    })
}

/// The next line that begins with this word; those before it go to `each`, and an error among them ends all.
fn heard(talk: &mut impl Talk, word: &str, mut each: impl FnMut(&str)) -> Result<String, String> {
    loop {
        let line = talk.line()?;
        if line.split_ascii_whitespace().next() == Some(word) {
            return Ok(line);
        }
        if let Some(error) = line.strip_prefix("info string error: ") {
            return Err(format!("the engine says: {error}"));
        }
        each(&line);
    }
}
