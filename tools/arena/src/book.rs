//! Where pairs begin: a file of openings, or random moves. The opening of a number follows from the seed alone, so a run
//! that is gone on with has the same ones.

use crate::config::{BookSpec, Order, Settings};
use crate::referee::{Referee, Step};

/// A start of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position; none for the start of the variant.
    pub fen: Option<String>,
    /// Moves from there.
    pub moves: Vec<String>,
}

/// A start of games in all that a dialect may say of it.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// What follows `position` for it, ready for more moves to be appended.
    pub line: String,
    /// The position text where the turn begins that the engines take over; mostly that is the end of the opening.
    pub turn: String,
    /// Moves of that turn which belong to the opening, each with the position text after it.
    pub begun: Vec<(Step, String)>,
}

/// All openings of a run.
#[derive(Clone, Debug)]
pub enum Book {
    /// Lines of a file, in the order in which they are played; after the last comes the first.
    Lines(Vec<Opening>),
    /// Random moves that do not end the game.
    Random {
        /// Of all openings.
        seed: u64,
        /// Number of moves.
        plies: u32,
    },
}

/// Sequences of moves that are tried before an opening is taken to be impossible.
const TRIES: u32 = 100;

impl Book {
    /// The openings that the settings ask for; every line is looked through.
    ///
    /// # Errors
    /// Names the file and the line.
    pub fn new(settings: &Settings, referee: &mut dyn Referee) -> Result<Self, String> {
        match &settings.openings {
            Some(spec) => Self::read(spec, settings.seed, referee),
            None => Ok(Book::Random {
                seed: settings.seed,
                plies: settings.random_plies,
            }),
        }
    }

    fn read(spec: &BookSpec, seed: u64, referee: &mut dyn Referee) -> Result<Self, String> {
        let name = spec.file.display();
        let text = std::fs::read_to_string(&spec.file)
            .map_err(|error| format!("openings '{name}' can not be read: {error}"))?;
        let mut lines =
            parse(&text, referee).map_err(|error| format!("openings '{name}', {error}"))?;
        if lines.is_empty() {
            return Err(format!("openings '{name}': no opening in it"));
        }
        if spec.order == Order::Random {
            fastrand::Rng::with_seed(seed).shuffle(&mut lines);
        }
        let start = spec.start.unwrap_or(1);
        if start == 0 || start > lines.len() {
            let most = lines.len();
            return Err(format!("openings start={start}, 1 to {most} expected"));
        }
        lines.rotate_left(start - 1);
        Ok(Book::Lines(lines))
    }

    /// Whether a position of the file belongs to a turn that has begun.
    pub fn begins_within_a_turn(&self) -> bool {
        let is_within = |fen: &String| {
            let side = fen.split_ascii_whitespace().nth(1);
            side.is_some_and(|side| side.contains(':'))
        };
        match self {
            Book::Lines(lines) => {
                { lines.iter() }.any(|line| line.fen.as_ref().is_some_and(is_within))
            }
            Book::Random { .. } => false,
        }
    }

    /// The opening of this number, from 0. Leaves the referee somewhere.
    ///
    /// # Errors
    /// If so many random moves can not be made.
    pub fn opening(&self, number: u64, referee: &mut dyn Referee) -> Result<Opening, String> {
        match self {
            Book::Lines(lines) => Ok(lines[(number % lines.len() as u64) as usize].clone()),
            Book::Random { seed, plies } => {
                // Each number has a generator of its own; the first one spreads the seeds.
                let mut seeds = fastrand::Rng::with_seed(*seed);
                let base = seeds.u64(..);
                let mut random =
                    fastrand::Rng::with_seed(base ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                for _ in 0..TRIES {
                    referee.set(None)?;
                    let mut choose = |count| random.usize(..count);
                    let moves: Option<Vec<String>> =
                        (0..*plies).map(|_| referee.play_any(&mut choose)).collect();
                    if let Some(moves) = moves {
                        return Ok(Opening { fen: None, moves });
                    }
                }
                Err(format!(
                    "random-plies {plies}: no game lasts that long, fewer expected"
                ))
            }
        }
    }
}

impl Opening {
    /// Sets up the referee and tells what engines are to know.
    ///
    /// # Errors
    /// Names the field, or the move, that is wrong, or says that the game is over.
    pub fn start(&self, referee: &mut dyn Referee) -> Result<Start, String> {
        referee.set(self.fen.as_deref())?;
        let mut start = Start {
            line: self.line(),
            turn: referee.text(),
            begun: Vec::new(),
        };
        for mv in &self.moves {
            let step = { referee.play(mv) }.map_err(|why| format!("move {mv}: {why}"))?;
            if referee.turn_has_begun() {
                start.begun.push((step, referee.text()));
            } else {
                start.turn = referee.text();
                start.begun.clear();
            }
        }
        match referee.outcome() {
            Some(outcome) => Err(format!("the game is over already ({})", outcome.reason)),
            None => Ok(start),
        }
    }

    /// What follows `position` for it, ready for more moves to be appended.
    fn line(&self) -> String {
        let mut line = match &self.fen {
            Some(fen) => format!("fen {fen} moves"),
            None => "startpos moves".into(),
        };
        for mv in &self.moves {
            line.push(' ');
            line += mv;
        }
        line
    }
}

/// Reads openings, one on each line: `startpos` or a position text, then perhaps `moves M…`; `#` begins a comment.
///
/// # Errors
/// Names the line and what is wrong with it.
pub fn parse(text: &str, referee: &mut dyn Referee) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let mut words = line.split_whitespace();
        let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let opening = Opening {
            fen: (fen != ["startpos"]).then(|| fen.join(" ")),
            moves: words.map(str::to_string).collect(),
        };
        opening
            .start(referee)
            .map_err(|error| format!("line {}: {error}", index + 1))?;
        openings.push(opening);
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{self, OwnLimits};

    fn referee() -> Box<dyn Referee> {
        referee::open(&"hnefatafl7".parse().unwrap(), OwnLimits::default()).unwrap()
    }

    #[test]
    fn lines_are_read() {
        let text = "# openings\n\nstartpos moves d1c1 d3c3 # two moves\n7/7/7/K6/7/6t/1tT4 a\n startpos\n\
                    7/7/7/K6/7/6t/1tT4 a 3 9 moves g2f2\n";
        let openings = parse(text, &mut *referee()).unwrap();
        assert_eq!(openings.len(), 4);
        assert_eq!(openings[0].line(), "startpos moves d1c1 d3c3");
        assert_eq!(openings[1].line(), "fen 7/7/7/K6/7/6t/1tT4 a moves");
        assert_eq!(openings[2], Opening::default());
        assert_eq!(
            openings[3].line(),
            "fen 7/7/7/K6/7/6t/1tT4 a 3 9 moves g2f2"
        );
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, part) in [
            ("startpos\nstartpos moves d1d4", "line 2: move d1d4"),
            ("startpos d1c1", "line 1"),
            ("7/7/7/K6/7/6t/1tT4 x", "line 1: side 'x'"),
            ("K6/7/7/7/7/7/3t3 a", "over already"),
        ] {
            let error = parse(text, &mut *referee()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn random_openings_follow_from_seed_and_number() {
        let mut referee = referee();
        let book = |seed| Book::Random { seed, plies: 6 };
        let first: Vec<Opening> = { 0..20 }
            .map(|n| book(1).opening(n, &mut *referee).unwrap())
            .collect();
        for (number, opening) in first.iter().enumerate().rev() {
            assert_eq!(opening.moves.len(), 6);
            assert_eq!(
                &book(1).opening(number as u64, &mut *referee).unwrap(),
                opening
            );
            assert_ne!(
                &book(2).opening(number as u64, &mut *referee).unwrap(),
                opening
            );
        }
        let different: std::collections::BTreeSet<_> = first.iter().map(|o| o.line()).collect();
        assert_eq!(different.len(), 20);
        assert!(
            Book::Random {
                seed: 1,
                plies: 10_000
            }
            .opening(0, &mut *referee)
            .is_err()
        );
    }
}
