//! What a search prints, read strictly.

use super::ERROR;

/// `move: count`
pub fn divided(line: &str) -> Option<(String, u64)> {
    let (left, right) = line.split_once(": ")?;
    if left.contains(' ') {
        return None;
    }
    Some((left.to_string(), right.trim().parse().ok()?))
}

pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    Cp(i64),
    Mate(i64),
}

/// One `info` line with numbers.
#[derive(Debug, Clone, Default)]
pub struct Info {
    pub depth: Option<i64>,
    pub seldepth: Option<i64>,
    pub multipv: Option<i64>,
    pub score: Option<Score>,
    pub bound: bool,
    pub wdl: Option<[i64; 3]>,
    pub nodes: Option<i64>,
    pub nps: Option<i64>,
    pub hashfull: Option<i64>,
    pub time: Option<i64>,
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line strictly: an unknown word is a failure.
    pub fn read(line: &str) -> Info {
        let mut info = Info::default();
        let mut rest = line.split(' ').skip(1).peekable();
        let number = |word: Option<&str>| -> i64 {
            word.and_then(|w| w.parse().ok())
                .unwrap_or_else(|| panic!("a number is missing in `{line}`"))
        };
        while let Some(word) = rest.next() {
            match word {
                "depth" => info.depth = Some(number(rest.next())),
                "seldepth" => info.seldepth = Some(number(rest.next())),
                "multipv" => info.multipv = Some(number(rest.next())),
                "nodes" => info.nodes = Some(number(rest.next())),
                "nps" => info.nps = Some(number(rest.next())),
                "hashfull" => info.hashfull = Some(number(rest.next())),
                "time" => info.time = Some(number(rest.next())),
                "wdl" => {
                    info.wdl = Some([
                        number(rest.next()),
                        number(rest.next()),
                        number(rest.next()),
                    ])
                }
                "lowerbound" | "upperbound" => info.bound = true,
                "score" => {
                    info.score = match rest.next() {
                        Some("cp") => Some(Score::Cp(number(rest.next()))),
                        Some("mate") => Some(Score::Mate(number(rest.next()))),
                        other => panic!("score {other:?} in `{line}`"),
                    }
                }
                "pv" => info.pv = rest.by_ref().map(String::from).collect(),
                other => panic!("unknown word `{other}` in `{line}`"),
            }
        }
        info
    }
}

/// What a `go` printed.
#[derive(Debug)]
pub struct Search {
    /// The whole `bestmove` line.
    pub best: String,
    /// All lines before it.
    pub lines: Vec<String>,
    pub infos: Vec<Info>,
    pub errors: Vec<String>,
}

impl Search {
    pub fn read(best: String, lines: Vec<String>) -> Search {
        let infos = lines
            .iter()
            .filter(|l| l.starts_with("info ") && !l.starts_with("info string"))
            .map(|l| Info::read(l))
            .collect();
        let errors = lines
            .iter()
            .filter_map(|l| l.strip_prefix(ERROR))
            .map(String::from)
            .collect();
        Search {
            best,
            lines,
            infos,
            errors,
        }
    }

    /// The second word of `bestmove`.
    pub fn mv(&self) -> &str {
        self.best
            .split(' ')
            .nth(1)
            .expect("bestmove has a second word")
    }

    /// The last line of the first variation.
    pub fn last(&self) -> &Info {
        let first =
            |i: &&Info| i.score.is_some() && !i.pv.is_empty() && i.multipv.unwrap_or(1) == 1;
        self.infos
            .iter()
            .rfind(first)
            .unwrap_or_else(|| panic!("no info with score and pv before `{}`", self.best))
    }

    pub fn score(&self) -> Score {
        self.last().score.unwrap()
    }

    /// A `bestmove` that names a move in two words, with a score before it and the variation to it.
    pub fn sound(&self) -> &str {
        assert_eq!(
            words(&self.best).len(),
            2,
            "exactly two words: `{}`",
            self.best
        );
        assert_ne!(self.mv(), "(none)", "a move: `{}`", self.best);
        assert_eq!(self.last().pv[0], self.mv(), "PV[0] is the bestmove");
        self.mv()
    }

    /// `bestmove (none)` and no score.
    pub fn none(&self) {
        assert_eq!(self.best, "bestmove (none)");
        assert!(
            self.infos.iter().all(|i| i.pv.is_empty()),
            "no variation where there is no move"
        );
    }
}
