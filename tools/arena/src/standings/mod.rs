//! Standings: what the pairs of a run amount to, pair by pair.
//!
//! Owns how results are counted (who won a match of two battles, what a forfeit is worth) and the two texts for
//! people, the score line and the final table. What the numbers say of strength is asked of [`crate::stats`].

mod summary;
mod text;

pub use summary::{Duel, Margin, Player, SprtState, Summary};

use crate::record::{Game, Pair, Played, Run};
use crate::stats::{Counts, Kind, Sprt, Z95};
use huscarl::eval::Evaluate;
use huscarl::game::{Reason, Side};
use huscarl::variants::Visitor;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Reasons by which a game is lost whatever stands on the board.
pub const FORFEITS: [&str; 4] = ["time", "illegal-move", "crash", "stall"];

/// Won, drawn and lost games.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Results {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Results {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Points, a won game being one and a drawn one a half.
    pub fn points(&self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }

    /// Mean score of a game, from 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The games of two.
    pub fn plus(&self, other: &Results) -> Results {
        Results {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }

    /// The same games from the other player's view.
    pub fn reversed(&self) -> Results {
        Results {
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
        }
    }

    /// Counts a game: whether it was won, none for a draw.
    fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.won += 1,
            None => self.drawn += 1,
            Some(false) => self.lost += 1,
        }
    }
}

/// A sum of numbers and of their squares, for a mean with its error.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    /// The mean; none of nothing.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Half the width of its 95 % interval by the normal approximation; none with less than two numbers.
    pub fn error(&self) -> Option<f64> {
        let n = self.count as f64;
        let spread = self.squares - self.sum * self.sum / n;
        (self.count > 1).then(|| Z95 * (spread.max(0.0) / (n - 1.0) / n).sqrt())
    }
}

/// All pairs between two engines, from the view of the one with the lower index.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    pub counts: Counts,
    /// Games as player 1 and as player 2.
    pub roles: [Results; 2],
    /// Margin of a battle, in points, as the mean of the two battles of each pair.
    pub margin: Mean,
    /// Margins of the battles as player 1 and as player 2, in points.
    pub margins: [Mean; 2],
}

/// What one engine did, whoever it met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub pairs: u64,
    /// Games as player 1 and as player 2.
    pub roles: [Results; 2],
    /// Lost games by reason.
    pub losses: BTreeMap<String, u64>,
    /// Time of its moves, in milliseconds.
    pub time: Mean,
    /// Its longest move, in milliseconds.
    pub longest: f64,
    /// The least that was on its clock after a move, in milliseconds; none without a clock.
    pub least_left: Option<f64>,
    /// Losses on time that the arena may have caused by being late itself.
    pub late: u64,
    /// Faults in what it said of its moves.
    pub warnings: u64,
}

/// The standings of a run so far.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    sides: [String; 2],
    variant: String,
    kind: Kind,
    /// Who begins a game from the start.
    first: Side,
    /// The letters of the sides in a position text, player 1 first.
    letters: [char; 2],
    sprt: Option<Sprt>,
    tallies: Vec<Tally>,
    met: BTreeMap<[usize; 2], Met>,
    /// Games by reason.
    reasons: BTreeMap<String, u64>,
    pairs: u64,
    /// The test at the moment of its verdict, which the pairs after it do not change.
    decided: Option<SprtState>,
}

impl Standings {
    /// Of a run that begins. The test that it is played for, if any, is found among its settings.
    ///
    /// # Errors
    /// If the variant is unknown, or the test can not be read.
    pub fn new(run: &Run) -> Result<Self, String> {
        let (kind, first, letters) = run.game()?.visit(Look)?;
        Ok(Standings {
            names: run
                .engines
                .iter()
                .map(|engine| plain(&engine.name))
                .collect(),
            sides: run.sides.clone().map(|side| plain(&side)),
            variant: run.variant.clone(),
            kind,
            first,
            letters,
            sprt: sprt_of(&run.settings)?,
            tallies: vec![Tally::default(); run.engines.len()],
            met: BTreeMap::new(),
            reasons: BTreeMap::new(),
            pairs: 0,
            decided: None,
        })
    }

    /// Of all pairs of a run.
    ///
    /// # Errors
    /// As [`Standings::new`] and [`Standings::add`].
    pub fn of(run: &Run, pairs: &[Pair]) -> Result<Self, String> {
        let mut standings = Standings::new(run)?;
        pairs.iter().try_for_each(|pair| standings.add(pair))?;
        Ok(standings)
    }

    /// Counts a finished pair.
    ///
    /// # Errors
    /// If the pair names an engine or a winner that there is not; it is not counted then.
    pub fn add(&mut self, pair: &Pair) -> Result<(), String> {
        self.check(pair)?;
        let [low, high] = [
            pair.engines[0].min(pair.engines[1]),
            pair.engines[0].max(pair.engines[1]),
        ];
        let met = self.met.entry([low, high]).or_insert_with(|| Met {
            counts: Counts::new(self.kind),
            roles: Default::default(),
            margin: Mean::default(),
            margins: Default::default(),
        });
        met.counts.add(quarters(self.kind, pair, low));
        let mut margins = Vec::new();
        for game in &pair.games {
            let role = role_of(low, game);
            met.roles[role].add(game.winner.map(|winner| winner == role));
            if let Some(margin) = margin(game, role) {
                met.margins[role].add(margin as f64);
                margins.push(margin as f64);
            }
            *self.reasons.entry(plain(&game.reason)).or_default() += 1;
        }
        if let [first, second] = margins[..] {
            met.margin.add((first + second) / 2.0);
        }
        let first_to_move = self.first_to_move(pair);
        for engine in [low, high] {
            self.tallies[engine].pairs += 1;
            for game in &pair.games {
                self.tallies[engine].add(game, role_of(engine, game), first_to_move);
            }
        }
        self.pairs += 1;
        if self.decided.is_none() {
            self.decided = self.judge().filter(|state| state.verdict.is_some());
        }
        Ok(())
    }

    /// The score of a pair's first engine, from 0 to 1.
    pub fn score(&self, pair: &Pair) -> f64 {
        quarters(self.kind, pair, pair.engines[0]) as f64 / 4.0
    }

    fn check(&self, pair: &Pair) -> Result<(), String> {
        let [first, second] = pair.engines;
        let count = self.names.len();
        if first == second || first.max(second) >= count {
            return Err(format!(
                "pair {}: engines {first} and {second}, two of the {count} of the run expected",
                pair.index
            ));
        }
        for game in &pair.games {
            let [one, two] = game.players;
            if [one, two] != [first, second] && [two, one] != [first, second] {
                return Err(format!(
                    "pair {}: players {one} and {two}, its engines {first} and {second} expected",
                    pair.index
                ));
            }
            if game.winner.is_some_and(|winner| winner > 1) {
                return Err(format!(
                    "pair {}: a winner that is neither 0 nor 1",
                    pair.index
                ));
            }
        }
        Ok(())
    }

    /// The player, 0 or 1, who makes the first move after the opening if the sides take turns.
    fn first_to_move(&self, pair: &Pair) -> usize {
        let side = { pair.fen.as_ref() }.and_then(|fen| fen.split_whitespace().nth(1));
        let second = side.map_or(self.first == Side::Second, |side| {
            side.starts_with(self.letters[Side::Second.index()])
        });
        (usize::from(second) + pair.opening.len()) % 2
    }

    /// Pairs counted so far.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Results of the pairs between two engines, from the first one's view.
    pub fn counts(&self, engine: usize, opponent: usize) -> Counts {
        let met = self.met.get(&[engine.min(opponent), engine.max(opponent)]);
        let counts = met.map_or(Counts::new(self.kind), |met| met.counts);
        match engine < opponent {
            true => counts,
            false => counts.reversed(),
        }
    }
}

impl Tally {
    fn add(&mut self, game: &Game, role: usize, first_to_move: usize) {
        self.roles[role].add(game.winner.map(|winner| winner == role));
        if game.winner.is_some_and(|winner| winner != role) {
            *self.losses.entry(plain(&game.reason)).or_default() += 1;
            self.late += u64::from(game.notes.arena_late.is_some());
        }
        self.warnings += u64::from(game.notes.warnings[role]);
        let by =
            |(index, played): (usize, &Played)| played.side.unwrap_or((first_to_move + index) % 2);
        let own = { game.moves.iter().enumerate() }.filter(|&played| by(played) == role);
        for (_, played) in own {
            self.time.add(played.time);
            if let Some(left) = played.left {
                self.least_left = Some(self.least_left.map_or(left, |least| least.min(left)));
            }
            self.longest = self.longest.max(played.time);
        }
    }
}

/// Asks a game whether its pairs are matches, who begins, and for the letters of its sides.
struct Look;

impl Visitor for Look {
    type Output = (Kind, Side, [char; 2]);

    fn visit<G: Evaluate>(self, game: G) -> Self::Output {
        let points = game
            .start()
            .ok()
            .and_then(|start| game.called_off(&start, Reason::Agreed).points);
        let kind = match points {
            Some(_) => Kind::Trinomial,
            None => Kind::Pentanomial,
        };
        (kind, game.first(), game.side_letters())
    }
}

/// Whether an engine is player 1 or player 2 of a game, as 0 or 1.
fn role_of(engine: usize, game: &Game) -> usize {
    usize::from(game.players[0] != engine)
}

/// What a battle is worth to the player of this role, in points. Forfeiting a battle leaves it to be scored with all
/// one's men off the board; so does losing one that was ahead on points.
fn margin(game: &Game, role: usize) -> Option<i64> {
    let mut points = game.points?.map(i64::from);
    if let Some(winner @ (0 | 1)) = game.winner {
        let is_forfeit = FORFEITS.contains(&game.reason.as_str());
        if is_forfeit || points[winner] < points[1 - winner] {
            points[1 - winner] = 0;
        }
    }
    Some(points[role] - points[1 - role])
}

/// An engine's score of a pair in quarters. A match is won by the larger sum of the margins, whatever the results of its
/// battles; where a battle has no points, by the results.
fn quarters(kind: Kind, pair: &Pair, engine: usize) -> usize {
    let result = |game: &Game| match game.winner {
        None => 1,
        Some(winner) if winner == role_of(engine, game) => 2,
        Some(_) => 0,
    };
    let score: usize = pair.games.iter().map(result).sum();
    if kind == Kind::Pentanomial {
        return score;
    }
    let margins = pair
        .games
        .iter()
        .map(|game| margin(game, role_of(engine, game)));
    let margin: i64 = margins.sum::<Option<i64>>().unwrap_or(score as i64 - 2);
    match margin.signum() {
        -1 => 0,
        0 => 2,
        _ => 4,
    }
}

/// The test among the settings of a run: the words it is read from, as one text or a list, or a table of them.
fn sprt_of(settings: &Value) -> Result<Option<Sprt>, String> {
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let words = match settings.get("sprt") {
        None | Some(Value::Null | Value::Bool(false)) => return Ok(None),
        Some(Value::Object(table)) => {
            let words = table
                .iter()
                .map(|(key, value)| format!("{key}={}", word(value)));
            words.collect::<Vec<_>>().join(" ")
        }
        Some(Value::Array(list)) => list.iter().map(word).collect::<Vec<_>>().join(" "),
        Some(other) => word(other),
    };
    words.parse().map(Some)
}

/// A text in one line that can't steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}
