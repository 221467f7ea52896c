//! One game between two engines, from its opening to its result.

use crate::adjudicate::{self, Decision, Watcher};
use crate::book::Opening;
use crate::clock::{Clock, Overrun, milliseconds};
use crate::engine::{Answer, Engine, Fault, Info, Question};
use crate::pulse::Pulse;
use crate::record::{Game, Notes, Played};
use crate::referee::Referee;
use std::time::{Duration, Instant};

/// What holds for every game of a run.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// By how much a move may take too long.
    pub margin: Duration,
    /// A game of so many plies, the opening's included, is ended.
    pub max_plies: u32,
    /// Whether engines think on the opponent's time.
    pub ponder: bool,
    /// Which scores end a game.
    pub adjudicate: adjudicate::Rules,
}

/// The arena is to end before the game has.
#[derive(Clone, Copy, Debug)]
pub struct Interrupted;

/// A game, and which of player 1 and player 2 can not be used any more.
pub struct Finished {
    /// The record.
    pub game: Game,
    /// Engines that crashed or stalled.
    pub broken: [bool; 2],
}

/// How a game ended.
struct Verdict {
    winner: Option<usize>,
    reason: String,
    detail: String,
    points: Option<[u32; 2]>,
}

/// Plays a game; `players` are the engines' numbers in the run.
///
/// # Errors
/// If the arena is to end.
pub fn play(
    referee: &mut dyn Referee,
    rules: &Rules,
    pulse: Option<&Pulse>,
    opening: &Opening,
    players: [usize; 2],
    seats: [&mut Engine; 2],
) -> Result<Finished, Interrupted> {
    let clocks = { &seats }
        .each_ref()
        .map(|engine| Clock::new(engine.limit()));
    let agreement = seats.iter().all(|engine| engine.has_offers());
    let mut table = Table {
        referee,
        rules,
        pulse,
        seats,
        clocks,
        agreement,
        plies: opening.moves.len() as u32,
        moves: Vec::new(),
        offered: None,
        pondering: [None, None],
        watcher: Watcher::default(),
        notes: Notes::default(),
        broken: [false; 2],
    };
    let started = Instant::now();
    let verdict = table.run(opening)?;
    table.end_pondering()?;
    table.tell_end();
    Ok(table.finish(players, verdict, started))
}

/// The record of a game that a player loses before its first move, for an engine that could not begin it.
pub fn lost_at_start(
    referee: &mut dyn Referee,
    opening: &Opening,
    players: [usize; 2],
    loser: usize,
    fault: Fault,
) -> Result<Game, Interrupted> {
    let started = Instant::now();
    let (reason, detail) = fault_words(fault)?;
    let verdict = match opening.start(referee) {
        Ok(_) => forfeit(referee, loser, reason, detail),
        Err(error) => forfeit(
            referee,
            loser,
            reason,
            format!("{detail}; opening: {error}"),
        ),
    };
    let moves = Vec::new();
    Ok(record(
        referee,
        players,
        verdict,
        moves,
        Notes::default(),
        started,
    ))
}

fn fault_words(fault: Fault) -> Result<(&'static str, String), Interrupted> {
    match fault {
        Fault::Crash(detail) => Ok(("crash", detail)),
        Fault::Stall(detail) => Ok(("stall", detail)),
        Fault::Interrupted => Err(Interrupted),
    }
}

/// A loss that is not on the board. In a scored game it is as if the loser had all his men off the board.
fn forfeit(referee: &dyn Referee, loser: usize, reason: &str, detail: String) -> Verdict {
    let points = referee.as_it_stands().points.map(|mut points| {
        points[loser] = 0;
        points
    });
    Verdict {
        winner: Some(1 - loser),
        reason: reason.into(),
        detail,
        points,
    }
}

fn record(
    referee: &dyn Referee,
    players: [usize; 2],
    verdict: Verdict,
    moves: Vec<Played>,
    notes: Notes,
    started: Instant,
) -> Game {
    Game {
        players,
        winner: verdict.winner,
        reason: verdict.reason,
        detail: verdict.detail,
        points: verdict.points,
        moves,
        end: referee.text(),
        seconds: milliseconds(started.elapsed()) / 1000.0,
        notes,
    }
}

struct Table<'a> {
    referee: &'a mut dyn Referee,
    rules: &'a Rules,
    pulse: Option<&'a Pulse>,
    seats: [&'a mut Engine; 2],
    clocks: [Clock; 2],
    /// Whether both take part in agreement.
    agreement: bool,
    /// Played so far, the opening's included.
    plies: u32,
    moves: Vec<Played>,
    /// Who has offered to end the game with the last move.
    offered: Option<usize>,
    /// The reply that a player is thinking about on the opponent's time, and the number of its ply.
    pondering: [Option<(String, u32)>; 2],
    watcher: Watcher,
    notes: Notes,
    broken: [bool; 2],
}

impl Table<'_> {
    fn run(&mut self, opening: &Opening) -> Result<Verdict, Interrupted> {
        if let Err(error) = opening.start(self.referee) {
            // Openings are looked through before the run; this one can not be played by anybody.
            return Ok(self.as_it_stands("length", format!("opening: {error}")));
        }
        loop {
            if let Some(outcome) = self.referee.outcome() {
                return Ok(Verdict {
                    winner: outcome.winner.map(|side| side.index()),
                    reason: outcome.reason.to_string(),
                    detail: String::new(),
                    points: outcome.points,
                });
            }
            if self.plies >= self.rules.max_plies {
                return Ok(self.as_it_stands("length", String::new()));
            }
            let side = self.referee.side().index();
            let turn = self.turn(side);
            match turn {
                Ok(None) => {}
                Ok(Some(verdict)) => return Ok(verdict),
                Err(fault) => {
                    let (reason, detail) = fault_words(fault)?;
                    self.broken[side] = true;
                    return Ok(forfeit(self.referee, side, reason, detail));
                }
            }
        }
    }

    fn as_it_stands(&self, reason: &str, detail: String) -> Verdict {
        let outcome = self.referee.as_it_stands();
        Verdict {
            winner: outcome.winner.map(|side| side.index()),
            reason: reason.into(),
            detail,
            points: outcome.points,
        }
    }

    /// A move of one side; a verdict if it ends the game otherwise than on the board.
    fn turn(&mut self, side: usize) -> Result<Option<Verdict>, Fault> {
        // One's own offer in a turn that goes on is none to oneself.
        let offered = self.offered.take().is_some_and(|by| by != side);
        self.begin_search(side, offered)?;
        let answer = self.seats[side].answer(self.clocks[side].allowed())?;
        if let Err(overrun) = self.clocks[side].spend(answer.used, self.rules.margin) {
            return Ok(Some(self.lost_on_time(side, &answer, overrun)));
        }
        let Answer {
            best, info, used, ..
        } = answer;
        if offered && best.offer {
            self.referee.agree();
            return Ok(None);
        }
        let info = self.look_at(side, &best.mv, info);
        let played = match best.fault {
            Some(why) => Err(why.to_string()),
            None => self.referee.play(&best.mv),
        };
        let step = match played {
            Ok(step) => step,
            Err(why) => {
                let word = self.seats[side].move_word();
                let shown: String = best.mv.chars().take(100).collect();
                let detail = format!("{word} '{shown}': {why}");
                return Ok(Some(forfeit(self.referee, side, "illegal-move", detail)));
            }
        };
        self.plies += 1;
        self.moves.push(Played {
            mv: step.text.clone(),
            side: Some(side),
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
            time: milliseconds(used),
            left: self.clocks[side].left().map(milliseconds),
        });
        self.offered = (best.offer && self.agreement).then_some(side);
        let rules = &self.rules.adjudicate;
        let decision = self.watcher.hear(rules, side, info.score, self.plies);
        if self.referee.outcome().is_none() {
            if let Some(decision) = decision {
                return Ok(Some(Verdict {
                    winner: match decision {
                        Decision::Loss(player) => Some(1 - player),
                        Decision::Draw => None,
                    },
                    reason: "adjudicated".into(),
                    detail: String::new(),
                    points: None,
                }));
            }
            let position = self.referee.text();
            self.seats[side].accepted(&step, &position)?;
            self.seats[1 - side].opponent_moved(&step, &position);
            // Who moves on has no reply to think about yet.
            let may_ponder = self.rules.ponder && self.referee.side().index() != side;
            if let Some(reply) = best.ponder.filter(|_| may_ponder) {
                self.begin_pondering(side, reply)?;
            }
        }
        Ok(None)
    }

    /// Lets the side think about its move, or go on with it if it has foreseen the last one.
    fn begin_search(&mut self, side: usize, offered: bool) -> Result<(), Fault> {
        if let Some((expected, ply)) = self.pondering[side].take() {
            let last = self.moves.last().map(|played| &played.mv);
            // An offer can be passed on by `go` only. A reply of several moves has not been foreseen.
            if !offered && last == Some(&expected) && self.plies == ply {
                return self.seats[side].ponder_hit();
            }
            self.seats[side].ponder_miss()?;
        }
        let unasked = self.seats[side].search(&Question {
            clocks: &self.clocks,
            side,
            offered,
            ponder: None,
        })?;
        if unasked > 0 {
            self.warn(side, format!("{unasked} answers that nobody asked for"));
        }
        Ok(())
    }

    fn begin_pondering(&mut self, side: usize, reply: String) -> Result<(), Fault> {
        // Not on a reply after which the opponent moves on.
        if { self.referee.side_after(&reply) }.is_none_or(|next| next.index() != side) {
            return Ok(());
        }
        self.seats[side].search(&Question {
            clocks: &self.clocks,
            side,
            offered: false,
            ponder: Some(&reply),
        })?;
        self.pondering[side] = Some((reply, self.plies + 1));
        Ok(())
    }

    /// Tells both how the game has ended; who does not listen any more is started anew for the next one.
    fn tell_end(&mut self) {
        let outcome = self.referee.outcome();
        let result = outcome.map(|outcome| outcome.winner.map(|side| side.index()));
        for (seat, broken) in self.seats.iter_mut().zip(&mut self.broken) {
            *broken = *broken || seat.finish(result).is_err();
        }
    }

    /// Ends what runs on the opponent's time, so that its answer does not come into the next game.
    fn end_pondering(&mut self) -> Result<(), Interrupted> {
        for side in 0..2 {
            if self.pondering[side].take().is_some() && !self.broken[side] {
                match self.seats[side].ponder_miss() {
                    Ok(()) => {}
                    Err(Fault::Interrupted) => return Err(Interrupted),
                    // The game is over; the engine is started anew for the next one.
                    Err(_) => self.broken[side] = true,
                }
            }
        }
        Ok(())
    }

    fn lost_on_time(&mut self, side: usize, answer: &Answer, Overrun(by): Overrun) -> Verdict {
        let used = milliseconds(answer.used);
        let over = milliseconds(by);
        let mut detail = format!("{over:.1} ms too long, {used:.1} ms used");
        let began = answer.at.checked_sub(answer.used).unwrap_or(answer.at);
        let late = self.pulse.map(|pulse| pulse.longest(began, answer.at));
        if let Some(late) = late.filter(|&late| by <= self.rules.margin + late) {
            let late = milliseconds(late);
            detail += &format!("; the arena itself was late by up to {late:.1} ms");
            self.notes.arena_late = Some(late);
        }
        forfeit(self.referee, side, "time", detail)
    }

    /// Compares what the engine said of its move with the rules; nothing of it decides the game.
    fn look_at(&mut self, side: usize, mv: &str, info: Option<Info>) -> Info {
        if !self.seats[side].tells_scores() {
            return Info::default();
        }
        let Some(info) = info else {
            self.warn(side, format!("no score before bestmove {mv}"));
            return Info::default();
        };
        if let Some(first) = info.pv.first()
            && !first.eq_ignore_ascii_case(mv)
        {
            self.warn(side, format!("pv begins with {first}, bestmove is {mv}"));
        } else if let Err(why) = self.referee.check_line(&info.pv) {
            self.warn(side, why);
        }
        info
    }

    fn warn(&mut self, side: usize, what: String) {
        self.notes.warnings[side] += 1;
        if self.notes.first.is_none() {
            let ply = self.plies + 1;
            let name = self.seats[side].name();
            let what: String = what.chars().take(300).collect();
            self.notes.first = Some(format!("{name}, ply {ply}: {what}"));
        }
    }

    fn finish(self, players: [usize; 2], verdict: Verdict, started: Instant) -> Finished {
        Finished {
            game: record(
                self.referee,
                players,
                verdict,
                self.moves,
                self.notes,
                started,
            ),
            broken: self.broken,
        }
    }
}
