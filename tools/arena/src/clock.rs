//! Time controls as they are written, limits of a move, and the clock of a player.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

/// A clock's setting, written `[MOVES/]SECONDS[+INCREMENT]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeControl {
    /// Moves after which `time` is added again; none if it is for the whole game.
    pub moves: Option<u32>,
    /// On the clock at first.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("time control '{text}', [MOVES/]SECONDS[+INCREMENT] such as 10+0.1 expected")
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| wrong())?), rest),
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let control = TimeControl {
            moves,
            time: seconds(time).ok_or_else(wrong)?,
            increment: seconds(increment).ok_or_else(wrong)?,
        };
        let empty = control.moves == Some(0) || (control.time + control.increment).is_zero();
        if empty { Err(wrong()) } else { Ok(control) }
    }
}

impl Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// A number of seconds that a clock can hold, with the milliseconds that the protocol knows.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (time.as_secs() < 1 << 32).then(|| Duration::from_micros((seconds * 1e6).round() as u64))
}

/// What a player may spend on a move; at least one of the fields is set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// The clock.
    pub control: Option<TimeControl>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Positions searched for each move.
    pub nodes: Option<u64>,
    /// Plies searched for each move.
    pub depth: Option<u32>,
}

impl Limit {
    /// Whether time decides anything.
    pub fn is_timed(&self) -> bool {
        self.control.is_some() || self.movetime.is_some()
    }
}

impl Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.control.map(|control| format!("tc={control}")),
            self.movetime
                .map(|time| format!("st={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(" "))
    }
}

/// What is left to a player in a game.
#[derive(Clone, Debug)]
pub struct Clock {
    limit: Limit,
    left: Duration,
    /// Moves until time is added.
    to_go: Option<u32>,
}

/// A move took too long, by this time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overrun(pub Duration);

impl Clock {
    /// The clock at the start of a game.
    pub fn new(limit: Limit) -> Self {
        Clock {
            limit,
            left: limit.control.map_or(Duration::ZERO, |control| control.time),
            to_go: limit.control.and_then(|control| control.moves),
        }
    }

    /// What was asked for.
    pub fn limit(&self) -> &Limit {
        &self.limit
    }

    /// The time that the next move may take; none without clock and time for the move.
    pub fn allowed(&self) -> Option<Duration> {
        let clock = self.limit.control.map(|_| self.left);
        [clock, self.limit.movetime].into_iter().flatten().min()
    }

    /// On the clock, if there is one.
    pub fn left(&self) -> Option<Duration> {
        self.limit.control.map(|_| self.left)
    }

    /// Takes off what a move has used and adds what it earns.
    ///
    /// # Errors
    /// If it used more than was allowed and the margin together.
    pub fn spend(&mut self, used: Duration, margin: Duration) -> Result<(), Overrun> {
        if let Some(allowed) = self.allowed()
            && used > allowed + margin
        {
            self.left = self.left.saturating_sub(used);
            return Err(Overrun(used - allowed));
        }
        if let Some(control) = self.limit.control {
            self.left = self.left.saturating_sub(used) + control.increment;
            if let Some(to_go) = &mut self.to_go {
                *to_go -= 1;
                if *to_go == 0 {
                    self.left += control.time;
                    *to_go = control.moves.unwrap_or(1);
                }
            }
        }
        Ok(())
    }
}

/// What follows `go` for the player `side` (0 or 1); `words` are what the protocol calls the two clocks and increments.
pub fn go_words(clocks: &[Clock; 2], side: usize, words: &ClockWords) -> String {
    let own = &clocks[side];
    let mut text = String::new();
    if own.limit.control.is_some() {
        for (player, clock) in clocks.iter().enumerate() {
            if let Some(control) = clock.limit.control {
                let (left, increment) = (clock.left.as_millis(), control.increment.as_millis());
                text += &format!(
                    " {} {left} {} {increment}",
                    words[player][0], words[player][1]
                );
            }
        }
        if let Some(to_go) = own.to_go {
            text += &format!(" movestogo {to_go}");
        }
    }
    if let Some(time) = own.limit.movetime {
        text += &format!(" movetime {}", time.as_millis());
    }
    if let Some(nodes) = own.limit.nodes {
        text += &format!(" nodes {nodes}");
    }
    if let Some(depth) = own.limit.depth {
        text += &format!(" depth {depth}");
    }
    text
}

/// For each player the word for the clock and the word for the increment.
pub type ClockWords = [[&'static str; 2]; 2];

/// Milliseconds as they are recorded, to the microsecond.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const MARGIN: Duration = Duration::from_millis(20);
    const WORDS: ClockWords = [["wtime", "winc"], ["btime", "binc"]];

    fn clock(text: &str) -> Clock {
        Clock::new(Limit {
            control: Some(text.parse().unwrap()),
            ..Limit::default()
        })
    }

    #[test]
    fn controls_are_read_and_written() {
        for text in ["10+0.1", "40/60", "40/60+0.5", "0.5", "1+1"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in [
            "", "x", "10+", "+1", "0", "0/10", "-1", "10+-1", "inf", "NaN", "1e30", "1/2/3",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment() {
        let mut clock = clock("1+0.1");
        assert_eq!(clock.allowed(), Some(1000 * MS));
        assert_eq!(clock.spend(300 * MS, MARGIN), Ok(()));
        assert_eq!(clock.left(), Some(800 * MS));
        assert_eq!(clock.spend(820 * MS, MARGIN), Ok(()), "within the margin");
        assert_eq!(clock.left(), Some(100 * MS), "never below nothing");
        assert_eq!(clock.spend(121 * MS, MARGIN), Err(Overrun(21 * MS)));
    }

    #[test]
    fn time_is_added_after_so_many_moves() {
        let mut clock = clock("2/1");
        assert_eq!(clock.spend(400 * MS, MARGIN), Ok(()));
        assert_eq!(clock.to_go, Some(1));
        assert_eq!(clock.spend(400 * MS, MARGIN), Ok(()));
        assert_eq!((clock.to_go, clock.left()), (Some(2), Some(1200 * MS)));
    }

    #[test]
    fn a_time_for_each_move_is_not_saved_up() {
        let mut clock = Clock::new(Limit {
            movetime: Some(50 * MS),
            ..Limit::default()
        });
        assert_eq!(clock.spend(10 * MS, MARGIN), Ok(()));
        assert_eq!(clock.allowed(), Some(50 * MS));
        assert_eq!(clock.left(), None);
        assert_eq!(clock.spend(71 * MS, MARGIN), Err(Overrun(21 * MS)));
    }

    #[test]
    fn without_a_clock_no_move_takes_too_long() {
        let mut clock = Clock::new(Limit {
            nodes: Some(1),
            ..Limit::default()
        });
        assert_eq!(clock.allowed(), None);
        assert_eq!(clock.spend(Duration::from_secs(1000), MARGIN), Ok(()));
    }

    #[test]
    fn go_names_both_clocks_only_to_a_player_who_has_one() {
        let nodes = Limit {
            nodes: Some(5),
            depth: Some(3),
            ..Limit::default()
        };
        let clocks = [clock("40/1.5+0.1"), Clock::new(nodes)];
        assert_eq!(
            go_words(&clocks, 0, &WORDS),
            " wtime 1500 winc 100 movestogo 40"
        );
        assert_eq!(go_words(&clocks, 1, &WORDS), " nodes 5 depth 3");
        let clocks = [clock("1"), clock("2+1")];
        assert_eq!(
            go_words(&clocks, 1, &WORDS),
            " wtime 1000 winc 0 btime 2000 binc 1000"
        );
        assert_eq!(clocks[1].limit().to_string(), "tc=2+1");
    }
}
