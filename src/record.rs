//! A game in progress: what the board alone does not know.
//!
//! Owns the history of positions, the quiet and move counters, repetition, the quiet limit, agreement and forfeit,
//! and from them the result. A game ended by repetition, quiet limit or agreement stays ended, yet moves may still
//! be played on: the driver decides when it stops.

use crate::game::{Game, Limits, Move, Outcome, Reason, Side};
use crate::grid::Grid;
use std::sync::Arc;

/// A position text read but not yet played from: position, quiet plies, number of the move pair.
struct Setup<P> {
    position: P,
    quiet: u32,
    pair: u32,
}

/// A position with the plies since the last capture.
#[derive(Clone, Copy)]
struct Entry<P> {
    position: P,
    quiet: u32,
}

/// The game from a set-up position to now.
pub struct Record<G: Game> {
    game: Arc<G>,
    limits: Limits,
    /// Every position so far; never empty.
    entries: Vec<Entry<G::Position>>,
    /// Number of the move pair of the first entry.
    first_pair: u32,
    /// The first thing that ended the game.
    outcome: Option<Outcome>,
}

impl<G: Game> Record<G> {
    /// A game from the start position.
    ///
    /// # Errors
    /// If the game's own start does not read, which a test of every variant excludes.
    pub fn start(game: Arc<G>, limits: Limits) -> Result<Self, String> {
        let side = game.side_letters()[game.first().index()];
        let text = format!("{} {side}", game.start_rows());
        Self::parse(game, &text, limits)
    }

    /// A game from a position text `ROWS SIDE [QUIET [MOVE]]`.
    ///
    /// # Errors
    /// A sentence that names the field or row and what is wrong with it.
    pub fn parse(game: Arc<G>, text: &str, limits: Limits) -> Result<Self, String> {
        let setup = parse_setup(&*game, text)?;
        let mut record = Record {
            game,
            limits,
            entries: vec![Entry {
                position: setup.position,
                quiet: setup.quiet,
            }],
            first_pair: setup.pair,
            outcome: None,
        };
        record.outcome = record.outcome_at(0);
        Ok(record)
    }

    /// The rules.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// The position now.
    pub fn position(&self) -> &G::Position {
        &self.entries[self.entries.len() - 1].position
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        self.game.side(self.position())
    }

    /// Plies since the last capture.
    pub fn quiet(&self) -> u32 {
        self.entries[self.entries.len() - 1].quiet
    }

    /// Number of plies played since the set-up.
    pub fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The position text, all four fields.
    pub fn text(&self) -> String {
        let mut side = self.game.side_letters()[self.side().index()].to_string();
        if let Some(square) = self.game.running(self.position()) {
            side = format!("{side}:{}", G::Grid::name(square));
        }
        format!(
            "{} {side} {} {}",
            self.game.rows(self.position()),
            self.quiet(),
            self.pair()
        )
    }

    /// Number of the move pair: it grows when player 2 has moved.
    fn pair(&self) -> u32 {
        let sides = self
            .entries
            .iter()
            .map(|entry| self.game.side(&entry.position));
        let ended = sides.clone().zip(sides.skip(1));
        let pairs = ended
            .filter(|&turn| turn == (Side::Second, Side::First))
            .count();
        self.first_pair.saturating_add(pairs as u32)
    }

    /// Why and how the game ended, by whatever ended it first.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The outcome that follows from the board as it stands now; there are no moves then.
    pub fn board_outcome(&self) -> Option<Outcome> {
        self.game.outcome(self.position())
    }

    /// Changes the limits, which may end the game or undo such an end.
    pub fn set_limits(&mut self, limits: Limits) {
        if limits == self.limits {
            return;
        }
        self.limits = limits;
        let by_word =
            |outcome: &Outcome| matches!(outcome.reason, Reason::Agreed | Reason::IllegalMove);
        if !self.outcome.as_ref().is_some_and(by_word) {
            self.outcome = (0..self.entries.len()).find_map(|index| self.outcome_at(index));
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let position = *self.position();
        let quiet = if crate::bits::Bits::any(self.game.captured(&position, mv)) {
            0
        } else {
            self.quiet().saturating_add(1)
        };
        self.entries.push(Entry {
            position: self.game.make(&position, mv),
            quiet,
        });
        if self.outcome.is_none() {
            self.outcome = self.outcome_at(self.entries.len() - 1);
        }
    }

    /// Ends the game as it stands.
    pub fn agree(&mut self) {
        self.outcome
            .get_or_insert(self.game.called_off(self.position(), Reason::Agreed));
    }

    /// Ends the game as lost by the side to move, who made no legal move.
    pub fn forfeit(&mut self) {
        let winner = Some(!self.side());
        self.outcome
            .get_or_insert(Outcome::plain(winner, Reason::IllegalMove));
    }

    /// Keys of the positions since the last capture, oldest first, the position now included.
    pub fn recent_keys(&self) -> Vec<u64> {
        let since = self.reach(self.entries.len() - 1);
        self.entries[since..]
            .iter()
            .map(|entry| self.game.key(&entry.position))
            .collect()
    }

    /// Whether a position that could still be repeated, the present one included, has a winning move: it was not played, or
    /// need not be where a search is given its moves.
    pub fn missed_win(&self) -> bool {
        let last = self.entries.len() - 1;
        self.limits.repetition > 0
            && self.entries[self.reach(last)..=last]
                .iter()
                .any(|entry| self.game.winning_move(&entry.position).is_some())
    }

    /// The first entry that the entry `index` could be a repetition of.
    fn reach(&self, index: usize) -> usize {
        index.saturating_sub(self.entries[index].quiet as usize)
    }

    /// How often the position of an entry has stood on the board up to then.
    fn occurrences(&self, index: usize) -> u32 {
        let position = &self.entries[index].position;
        (self.reach(index)..=index)
            .rev()
            .step_by(2)
            .map(|earlier| &self.entries[earlier].position)
            .filter(|earlier| self.game.is_same(earlier, position))
            .count() as u32
    }

    /// What ends the game at an entry, in the order of the rules.
    fn outcome_at(&self, index: usize) -> Option<Outcome> {
        let Entry { position, quiet } = &self.entries[index];
        let Limits {
            repetition,
            quiet: quiet_limit,
        } = self.limits;
        let game = &*self.game;
        if let Some(outcome) = game.decided(position) {
            return Some(outcome);
        }
        // A turn that goes on is not ended by it.
        let turn_ended = game.running(position).is_none();
        if repetition > 0 && turn_ended && self.occurrences(index) >= repetition {
            return Some(game.called_off(position, Reason::Repetition));
        }
        game.outcome(position).or_else(|| {
            (quiet_limit > 0 && *quiet >= quiet_limit)
                .then(|| game.called_off(position, Reason::QuietLimit))
        })
    }
}

fn parse_setup<G: Game>(game: &G, text: &str) -> Result<Setup<G::Position>, String> {
    let mut fields = text.split_ascii_whitespace();
    let [first, second] = game.side_letters();
    let rows = fields.next().ok_or("the rows are missing")?;
    let word = match fields.next() {
        None => {
            return Err(format!(
                "the side to move is missing, {first} or {second} expected"
            ));
        }
        Some(word) => word,
    };
    // A turn that goes on names its piece: `d:e5`.
    let (letter, running) = match word.split_once(':') {
        Some((letter, square)) => (letter, Some(square)),
        None => (word, None),
    };
    let side = Side::BOTH
        .into_iter()
        .find(|side| letter.chars().eq([game.side_letters()[side.index()]]))
        .ok_or_else(|| format!("side '{word}', {first} or {second} expected"))?;
    let quiet = fields
        .next()
        .map_or(Ok(0), |word| parse_counter("QUIET", word))?;
    let pair = fields
        .next()
        .map_or(Ok(1), |word| parse_counter("MOVE", word))?;
    if pair == 0 {
        return Err("MOVE 0, a number from 1 expected".into());
    }
    if let Some(word) = fields.next() {
        return Err(format!("'{word}' after the last field"));
    }
    let mut position = game.parse(rows, side)?;
    if let Some(text) = running {
        let square = G::Grid::parse_square(text)
            .filter(|(_, rest)| rest.is_empty())
            .ok_or_else(|| format!("side '{word}', a square expected after the colon"))?;
        position = game
            .with_running(&position, square.0)
            .map_err(|why| format!("side '{word}': {why}"))?;
    }
    Ok(Setup {
        position,
        quiet,
        pair,
    })
}

fn parse_counter(field: &str, word: &str) -> Result<u32, String> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let padded = word.len() > 1 && word.starts_with('0');
    word.parse()
        .ok()
        .filter(|_| plain && !padded)
        .ok_or_else(|| format!("{field} '{word}', a number up to {} expected", u32::MAX))
}
