//! Runs made of random legal games, for tests of what is drawn from them.

use arena::record::{Game, Pair, Played, Run, Said};
use huscarl::game::Side;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::variants;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

/// A session of the library with the limits of the variant.
pub fn session(variant: &str) -> Box<dyn Session> {
    let config = Config {
        table: Arc::new(Table::new(1).expect("memory")),
        threads: 1,
        repetition: None,
        quiet: None,
    };
    variants::open(variant, config).expect("a variant")
}

/// A record as it would be read from a file, in which fields that came later may be missing.
pub fn read<T: DeserializeOwned>(record: Value) -> T {
    serde_json::from_value(record).expect("a record")
}

/// A run of engines with these names.
pub fn run(variant: &str, names: &[&str]) -> Run {
    let engine = |name: &&str| {
        json!({
            "name": name, "id": format!("{name} 1.0"), "command": format!("./{}", name.to_lowercase()),
            "checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "protocol": "uci", "options": { "Hash": "16" }, "limit": "tc=10+0.1"
        })
    };
    read(json!({
        "arena": "0.1.0", "variant": variant, "sides": session(variant).side_names(),
        "started": "2026-03-01T12:00:00Z", "host": "Linux, 2 cores",
        "engines": names.iter().map(engine).collect::<Vec<_>>(), "seed": 1, "settings": { "rounds": 100 }
    }))
}

/// Plays pairs of random games; every third pair has one that ends otherwise than by the rules.
pub struct Generator {
    session: Box<dyn Session>,
    random: fastrand::Rng,
    /// Plies after which a game is broken off.
    pub most: usize,
    next: u64,
}

impl Generator {
    pub fn new(variant: &str, seed: u64, most: usize) -> Self {
        Generator {
            session: session(variant),
            random: fastrand::Rng::with_seed(seed),
            most,
            next: 0,
        }
    }

    /// A pair of two engines; the one with the lower index is fonder of captures.
    pub fn pair(&mut self, engines: [usize; 2]) -> Pair {
        let index = self.next;
        self.next += 1;
        self.session.set_position(None).expect("the start");
        let mut opening = Vec::new();
        for _ in 0..self.random.usize(2..5) {
            let moves = self.session.moves().expect("a position");
            let mv = self.random.choice(moves).expect("the opening goes on");
            self.session.play(&[&mv]).expect("legal");
            opening.push(mv);
        }
        let [first, second] = engines;
        let games = [[first, second], [second, first]].map(|players| self.game(players, &opening));
        read(json!({
            "index": index, "round": index, "engines": engines, "fen": null, "opening": opening, "games": games
        }))
    }

    fn game(&mut self, players: [usize; 2], opening: &[String]) -> Game {
        let opening: Vec<&str> = opening.iter().map(String::as_str).collect();
        self.session.set_position(None).expect("the start");
        self.session.play(&opening).expect("legal");
        let forfeit = (self.next % 3 == 1).then(|| self.random.usize(4..self.most));
        let mut moves = Vec::new();
        while self.session.outcome().is_none() && opening.len() + moves.len() < self.most {
            let mover = self.session.side().map_or(0, Side::index);
            if forfeit == Some(moves.len()) {
                let reason = *self.random.choice(&["time", "crash"]).expect("words");
                return self.finished(players, Some(1 - mover), reason, moves);
            }
            let greed = if players[mover] < players[1 - mover] {
                24
            } else {
                8
            };
            let mv = self.choose(greed);
            self.session.play(&[&mv]).expect("legal");
            moves.push(self.played(mv, moves.len()));
        }
        match self.session.outcome() {
            Some(outcome) => {
                let winner = outcome.winner.map(Side::index);
                self.finished(players, winner, &outcome.reason.to_string(), moves)
            }
            None => {
                let winner =
                    self.session
                        .points()
                        .and_then(|points| match points[0].cmp(&points[1]) {
                            std::cmp::Ordering::Greater => Some(0),
                            std::cmp::Ordering::Less => Some(1),
                            std::cmp::Ordering::Equal => None,
                        });
                self.finished(players, winner, "length", moves)
            }
        }
    }

    /// A random move, the first of a few that captures something if there is one.
    fn choose(&mut self, tries: usize) -> String {
        let moves = self.session.moves().expect("a position");
        let random = &mut self.random;
        let sample: Vec<&String> = (0..tries).filter_map(|_| random.choice(&moves)).collect();
        let captures = |mv: &&&String| matches!(self.session.captures(mv), Some(Ok(taken)) if !taken.is_empty());
        let chosen = sample.iter().find(captures).or(sample.first());
        chosen.expect("the game goes on").to_string()
    }

    fn played(&mut self, mv: String, ply: usize) -> Played {
        let drift = 12.0 * (ply as f64).sqrt() * (self.random.f64() - 0.5) * 10.0;
        let score = match self.random.usize(0..40) {
            0 => None,
            1 => Some(Said::Mate(self.random.i32(-9..10))),
            _ => Some(Said::Cp(drift as i32)),
        };
        // A time that JSON keeps to the last digit.
        let time = (5.0 + 400.0 * self.random.f64() / (1.0 + ply as f64 / 20.0)).round();
        read(json!({
            "move": mv, "score": score, "depth": self.random.u32(3..14),
            "nodes": self.random.u64(1000..90_000), "time": time, "left": 8000.0
        }))
    }

    fn finished(
        &self,
        players: [usize; 2],
        winner: Option<usize>,
        reason: &str,
        moves: Vec<Played>,
    ) -> Game {
        let seconds = moves.iter().map(|played| played.time).sum::<f64>() / 1000.0;
        let detail = match reason {
            "crash" => "exit code 139; its last lines:\ninfo depth 7 score cp 12 pv d1c1",
            _ => "",
        };
        read(json!({
            "players": players, "winner": winner, "reason": reason, "detail": detail,
            "points": self.session.points(), "moves": moves, "end": self.session.position_text(),
            "seconds": seconds
        }))
    }
}
