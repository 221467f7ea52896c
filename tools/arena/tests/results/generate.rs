//! Runs made of random legal games, for tests of what is drawn from them.

use arena::record::{EngineInfo, Game, Pair, Played, Run, Said};
use huscarl::game::Side;
use huscarl::search::table::Table;
use huscarl::session::{Config, Session};
use huscarl::variants;
use std::collections::BTreeMap;
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

/// A run of engines with these names.
pub fn run(variant: &str, names: &[&str]) -> Run {
    let engine = |name: &&str| EngineInfo {
        name: name.to_string(),
        id: format!("{name} 1.0"),
        command: format!("./{}", name.to_lowercase()),
        checksum: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".into(),
        protocol: "uci".into(),
        options: BTreeMap::from([("Hash".to_string(), "16".to_string())]),
        limit: "tc=10+0.1".into(),
    };
    Run {
        arena: "0.1.0".into(),
        variant: variant.into(),
        sides: session(variant).side_names().map(str::to_string),
        started: "2026-03-01T12:00:00Z".into(),
        host: "Linux, 2 cores".into(),
        engines: names.iter().map(engine).collect(),
        seed: 1,
        settings: serde_json::json!({ "rounds": 100 }),
    }
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
        Pair {
            index,
            round: index as u32,
            engines,
            fen: None,
            opening,
            games,
        }
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
        Played {
            mv,
            score,
            depth: Some(self.random.u32(3..14)),
            nodes: Some(self.random.u64(1000..90_000)),
            // A number that JSON keeps to the last digit.
            time: (5.0 + 400.0 * self.random.f64() / (1.0 + ply as f64 / 20.0)).round(),
            left: Some(8000.0),
        }
    }

    fn finished(
        &self,
        players: [usize; 2],
        winner: Option<usize>,
        reason: &str,
        moves: Vec<Played>,
    ) -> Game {
        let seconds = moves.iter().map(|played| played.time).sum::<f64>() / 1000.0;
        Game {
            players,
            winner,
            reason: reason.into(),
            detail: match reason {
                "crash" => {
                    "exit code 139; its last lines:\ninfo depth 7 score cp 12 pv d1c1".into()
                }
                _ => String::new(),
            },
            points: self.session.points(),
            moves,
            end: self.session.position_text().expect("a position"),
            seconds,
        }
    }
}
