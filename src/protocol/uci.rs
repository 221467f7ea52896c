//! The dialects `uci` and `ugi`: what the engine says, as text. They differ in the hello and in how mate is counted.

use super::options::{self, Settings};
use crate::score;
use crate::search::table::Bound;
use crate::session::{Answer, Progress};
use crate::variants::Registry;

/// Which of the two the driver speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Chess engines' protocol: mate is counted in own moves.
    #[default]
    Uci,
    /// Its cousin for other games: mate is counted in plies.
    Ugi,
}

impl Dialect {
    /// The dialect that this word says hello in.
    pub fn of_hello(word: &str) -> Option<Self> {
        match word {
            "uci" => Some(Dialect::Uci),
            "ugi" => Some(Dialect::Ugi),
            _ => None,
        }
    }

    /// The answer to the hello.
    pub fn hello(self, settings: &Settings, variants: &Registry) -> Vec<String> {
        let mut lines = vec![
            format!("id name {}", super::NAME),
            "id author the Huscarl developers".to_string(),
        ];
        lines.extend(options::lines(settings, variants));
        lines.push(
            match self {
                Dialect::Uci => "uciok",
                Dialect::Ugi => "ugiok",
            }
            .to_string(),
        );
        lines
    }

    /// Plies to the end within which `go mate` is to find a win.
    pub fn mate_plies(self, mate: u64) -> u64 {
        match self {
            Dialect::Uci => mate.saturating_mul(2).saturating_sub(1),
            Dialect::Ugi => mate,
        }
    }

    fn score(self, value: score::Score) -> String {
        match score::plies_to_end(value) {
            None => format!("cp {value}"),
            Some(plies) => {
                let own_moves = (plies.abs() + 1) / 2 * plies.signum();
                match self {
                    Dialect::Uci => format!("mate {own_moves}"),
                    Dialect::Ugi => format!("mate {plies}"),
                }
            }
        }
    }

    /// An `info` line.
    pub fn info(self, progress: &Progress, show_wdl: bool) -> String {
        let bound = match progress.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = if show_wdl {
            let [win, draw, loss] = score::chances(progress.score);
            format!(" wdl {win} {draw} {loss}")
        } else {
            String::new()
        };
        let millis = progress.time.as_millis();
        let nps = (progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6)) as u64;
        format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {nps} hashfull {} time {millis} pv {}",
            progress.depth,
            progress.seldepth.max(1),
            progress.multipv,
            self.score(progress.score),
            progress.nodes,
            progress.hashfull,
            progress.pv.join(" "),
        )
    }
}

/// A `bestmove` line: exactly two words unless the driver has asked for more.
pub fn bestmove(answer: Option<&Answer>, with_ponder: bool, offer: bool) -> String {
    let Some(best) = answer.and_then(|answer| answer.best.as_ref()) else {
        return "bestmove (none)".to_string();
    };
    let mut line = format!("bestmove {best}");
    if with_ponder && let Some(ponder) = answer.and_then(|answer| answer.ponder.as_ref()) {
        line += " ponder ";
        line += ponder;
    }
    if offer {
        line += " offer";
    }
    line
}
