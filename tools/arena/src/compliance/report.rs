//! What an engine says of itself and of its search, read strictly.

use huscarl::session::Session;

/// The name in an option line.
pub(super) fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    rest.split_once(" type ").map(|(name, _)| name)
}

/// A score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Score {
    /// Centipoints.
    Cp(i64),
    /// Moves or plies to the end.
    Mate(i64),
}

/// An `info` line with fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Info {
    pub(super) depth: Option<i64>,
    pub(super) multipv: Option<i64>,
    pub(super) score: Option<Score>,
    pub(super) bound: bool,
    pub(super) wdl: Option<[i64; 3]>,
    pub(super) nodes: Option<i64>,
    pub(super) time: Option<i64>,
    pub(super) pv: Vec<String>,
}

/// The fields in their order; `score` is read apart.
const FIELDS: [&str; 10] = [
    "depth", "seldepth", "multipv", "score", "wdl", "nodes", "nps", "hashfull", "time", "pv",
];

impl Info {
    /// Reads a line. Words that are not known are passed over, as the protocol asks; what is known must be well formed
    /// and in order.
    pub(super) fn read(line: &str) -> Result<Info, String> {
        let wrong = |what: &str| format!("{what} in '{line}'");
        let mut info = Info::default();
        let mut words = line.split(' ').skip(1).peekable();
        let mut reached = 0;
        while let Some(word) = words.next() {
            if word.is_empty() {
                return Err(wrong("two blanks"));
            }
            let Some(place) = FIELDS.iter().position(|field| *field == word) else {
                continue;
            };
            if place < reached {
                return Err(wrong(&format!("'{word}' out of order")));
            }
            reached = place;
            let mut number = || -> Result<i64, String> {
                let text = words.next().unwrap_or_default();
                text.parse()
                    .map_err(|_| wrong(&format!("'{text}', a number of '{word}' expected,")))
            };
            match word {
                "depth" => info.depth = Some(number()?),
                "multipv" => info.multipv = Some(number()?),
                "nodes" => info.nodes = Some(number()?),
                "time" => info.time = Some(number()?),
                "seldepth" | "nps" | "hashfull" => drop(number()?),
                "wdl" => info.wdl = Some([number()?, number()?, number()?]),
                "pv" => info.pv = words.by_ref().map(str::to_string).collect(),
                _ => {
                    info.score = match words.next() {
                        Some("cp") => words.next().and_then(|n| n.parse().ok()).map(Score::Cp),
                        Some("mate") => words.next().and_then(|n| n.parse().ok()).map(Score::Mate),
                        _ => None,
                    };
                    if info.score.is_none() {
                        return Err(wrong("a score that is neither cp N nor mate N"));
                    }
                    let bound = ["lowerbound", "upperbound"];
                    info.bound = words.next_if(|word| bound.contains(word)).is_some();
                }
            }
        }
        Ok(info)
    }
}

/// What came of a `go`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Search {
    /// The move; none for `(none)`.
    pub(super) best: Option<String>,
    /// The reply that the engine would ponder on.
    pub(super) ponder: Option<String>,
    /// Whether the line ended with `offer`.
    pub(super) offer: bool,
    /// The `info` lines with fields before it.
    pub(super) infos: Vec<Info>,
    /// Texts of the error lines before it.
    pub(super) errors: Vec<String>,
}

impl Search {
    /// Reads a `bestmove` line.
    pub(super) fn read(
        line: &str,
        infos: Vec<Info>,
        errors: Vec<String>,
    ) -> Result<Search, String> {
        let words: Vec<&str> = line.split(' ').collect();
        let (best, ponder, offer) = match words[..] {
            ["bestmove", best] => (best, None, false),
            ["bestmove", best, "offer"] => (best, None, true),
            ["bestmove", best, "ponder", reply] => (best, Some(reply), false),
            ["bestmove", best, "ponder", reply, "offer"] => (best, Some(reply), true),
            _ => {
                return Err(format!(
                    "'bestmove M [ponder P] [offer]' expected, '{line}' came"
                ));
            }
        };
        Ok(Search {
            best: (best != "(none)").then(|| best.to_string()),
            ponder: ponder.map(str::to_string),
            offer,
            infos,
            errors,
        })
    }

    /// The last line of the main variation.
    pub(super) fn last(&self) -> Result<&Info, String> {
        let main = |info: &&Info| {
            info.score.is_some() && !info.pv.is_empty() && info.multipv.unwrap_or(1) == 1
        };
        self.infos
            .iter()
            .rfind(main)
            .ok_or_else(|| "an info line with a score and a pv expected before bestmove".into())
    }

    /// The last score of the main variation.
    pub(super) fn score(&self) -> Result<Score, String> {
        Ok(self.last()?.score.unwrap_or(Score::Cp(0)))
    }

    /// The move, or the complaint that there is none.
    pub(super) fn mv(&self) -> Result<&str, String> {
        let missing = || "a move expected, 'bestmove (none)' came".to_string();
        self.best.as_deref().ok_or_else(missing)
    }

    /// `bestmove (none)`, nothing beside it, and no variation before it.
    pub(super) fn none(&self) -> Result<(), String> {
        if let Some(mv) = &self.best {
            return Err(format!("'bestmove (none)' expected, 'bestmove {mv}' came"));
        }
        if self.ponder.is_some() || self.offer {
            return Err("'bestmove (none)' expected without further words".into());
        }
        if !self.infos.is_empty() {
            return Err("no info line with fields expected where there is no move".into());
        }
        Ok(())
    }

    /// Checks move, score and variations against the referee, who has the position that was searched.
    pub(super) fn judge(&self, referee: &mut dyn Session) -> Result<(), String> {
        let fen = referee
            .position_text()
            .ok_or("the referee has no position")?;
        let legal = referee.moves().unwrap_or_default();
        if legal.is_empty() {
            return self.none();
        }
        let best = self.mv()?;
        if !legal.iter().any(|mv| mv == best) {
            return Err(format!("bestmove {best} is not legal in {fen}"));
        }
        let last = self.last()?;
        if last.pv[0] != best {
            return Err(format!(
                "the pv '{}' begins otherwise than bestmove {best}",
                last.pv.join(" ")
            ));
        }
        let replies = self
            .ponder
            .iter()
            .map(|reply| [best, reply].map(str::to_string).to_vec());
        let lines = self.infos.iter().map(|info| info.pv.clone()).chain(replies);
        let result = lines
            .filter(|line| !line.is_empty())
            .try_for_each(|line| follow(referee, &fen, &line));
        referee.set_position(Some(&fen))?;
        result
    }
}

/// Plays a line from a position: every move is legal, and the line stops where the game does.
fn follow(referee: &mut dyn Session, fen: &str, line: &[String]) -> Result<(), String> {
    referee.set_position(Some(fen))?;
    for (index, mv) in line.iter().enumerate() {
        // A position that is over by a limit already is played on from; one that ends on the way is not.
        if index > 0 && referee.outcome().is_some() {
            return Err(format!(
                "the pv '{}' goes on after the end of the game, from {fen}",
                line.join(" ")
            ));
        }
        let legal = referee.moves().unwrap_or_default();
        if !legal.contains(mv) {
            return Err(format!(
                "the pv '{}' has {mv}, which is not legal there, from {fen}",
                line.join(" ")
            ));
        }
        let played = referee.play(&[mv]);
        played.map_err(|refusal| refusal.message)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::talk::referee;
    use super::*;

    const LINE: &str = "info depth 3 seldepth 4 multipv 1 score cp -12 wdl 300 400 300 nodes 99 nps 1 hashfull 0 time 2 pv d1c1";

    fn search(best: &str, line: &str) -> Search {
        let info = Info::read(line).expect("reads");
        Search::read(best, vec![info], Vec::new()).expect("reads")
    }

    #[test]
    fn info_lines() {
        let info = Info::read(LINE).expect("reads");
        assert_eq!(info.score, Some(Score::Cp(-12)));
        assert_eq!(info.wdl, Some([300, 400, 300]));
        assert_eq!(info.pv, ["d1c1"]);
        let bound =
            Info::read("info depth 1 score mate 2 lowerbound nodes 1 new 7").expect("reads");
        assert!(bound.bound && bound.score == Some(Score::Mate(2)));
        for bad in [
            "info depth x",
            "info depth 1 score 5",
            "info depth 1  score cp 5",
            "info score cp 5 depth 1",
            "info depth 1 score cp 5 nodes",
        ] {
            assert!(Info::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn best_moves() {
        assert!(search("bestmove d1c1 ponder d3c3 offer", LINE).offer);
        assert!(Search::read("bestmove", Vec::new(), Vec::new()).is_err());
        assert!(Search::read("bestmove d1c1 d3c3", Vec::new(), Vec::new()).is_err());
        let none = Search::read("bestmove (none)", Vec::new(), Vec::new()).expect("reads");
        assert_eq!(none.none(), Ok(()));
        assert!(none.mv().is_err() && search("bestmove d1c1", LINE).none().is_err());
    }

    #[test]
    fn judging() {
        let mut board = referee("hnefatafl7").expect("opens");
        assert_eq!(search("bestmove d1c1", LINE).judge(&mut *board), Ok(()));
        for (best, line, what) in [
            ("bestmove d1d2", LINE.replace("d1c1", "d1d2"), "not legal"),
            ("bestmove d1e1", LINE.to_string(), "begins otherwise"),
            (
                "bestmove d1c1",
                LINE.to_string() + " c1c2",
                "not legal there",
            ),
            ("bestmove d1c1", LINE.replace(" score cp -12", ""), "score"),
            ("bestmove (none)", LINE.to_string(), "a move expected"),
            ("bestmove d1c1 ponder a1a1", LINE.to_string(), "a1a1"),
        ] {
            let why = search(best, &line).judge(&mut *board).expect_err(best);
            assert!(why.contains(what), "{best}: {why}");
        }
        // Still at the start.
        assert_eq!(search("bestmove d1c1", LINE).judge(&mut *board), Ok(()));
        board
            .set_position(Some("7/7/7/K6/7/6t/1tT4 d 0 1"))
            .expect("reads");
        let past = LINE.replace("pv d1c1", "pv a4a1 g2g3");
        let why = search("bestmove a4a1", &past)
            .judge(&mut *board)
            .expect_err("too long");
        assert!(why.contains("goes on"), "{why}");
    }
}
