//! The referee: a game on the library's rules. What engines say decides nothing; the results come from here alone.

use crate::variant::Variant;
use huscarl::bits::Bits;
use huscarl::eval::Evaluate;
use huscarl::game::{Game, Limits, Move, Moves, Outcome, Reason, Side};
use huscarl::grid::Grid;
use huscarl::record::Record;
use huscarl::variants::Visitor;
use std::sync::Arc;

/// A move that was played, and what it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The move as the engine would write it.
    pub text: String,
    /// Who made it.
    pub side: Side,
    /// The letter of the piece that moved.
    pub piece: char,
    /// The square that it left.
    pub from: String,
    /// The square that it entered.
    pub to: String,
    /// The squares captured, in the order of move texts, with the letters of what stood there.
    pub captured: Vec<(String, char)>,
    /// Whether it passed over a piece.
    pub jumps: bool,
    /// Whether it goes on with a turn that had begun before.
    pub goes_on: bool,
}

impl Step {
    /// Of a legal move.
    pub fn of<G: Game>(game: &G, position: &G::Position, mv: Move) -> Self {
        let piece = |square| game.piece(position, square);
        let place = |square| [G::Grid::file(square), G::Grid::rank(square)];
        let (from, to) = (place(mv.from()), place(mv.to()));
        let is_double = matches!(
            [from[0].abs_diff(to[0]), from[1].abs_diff(to[1])],
            [2, 0] | [0, 2]
        );
        let middle = [0, 1].map(|axis| (from[axis] + to[axis]) / 2);
        Step {
            text: game.move_text(position, mv),
            side: game.side(position),
            piece: piece(mv.from()).unwrap_or('?'),
            from: G::Grid::name(mv.from()),
            to: G::Grid::name(mv.to()),
            captured: G::Grid::text_order(game.captured(position, mv))
                .into_iter()
                .map(|square| (G::Grid::name(square), piece(square).unwrap_or('?')))
                .collect(),
            jumps: is_double && piece(G::Grid::square(middle[0], middle[1])).is_some(),
            goes_on: game.running(position).is_some(),
        }
    }
}

/// A game of any variant.
pub trait Referee: Send {
    /// What the two sides are called, in the plural.
    fn side_names(&self) -> [&'static str; 2];
    /// Whether the game is decided by points.
    fn is_scored(&self) -> bool;
    /// Sets a position, `None` for the start.
    ///
    /// # Errors
    /// A sentence that names the field and what is wrong with it.
    fn set(&mut self, position: Option<&str>) -> Result<(), String>;
    /// Plays a move and returns what it did.
    ///
    /// # Errors
    /// Says what is wrong with the move; nothing has changed then.
    fn play(&mut self, text: &str) -> Result<Step, String>;
    /// Plays a legal move that does not end the game, chosen by the number among all such moves; `None` if there is none.
    fn play_any(&mut self, choose: &mut dyn FnMut(usize) -> usize) -> Option<String>;
    /// Whose turn it would be after a move; `None` if it can not be played or would end the game.
    fn side_after(&self, text: &str) -> Option<Side>;
    /// Ends the game as it stands.
    fn agree(&mut self);
    /// The outcome, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// What the outcome would be if the game were ended as it stands.
    fn as_it_stands(&self) -> Outcome;
    /// Whose turn it is.
    fn side(&self) -> Side;
    /// Whether that turn has begun already, with a move after which it goes on.
    fn turn_has_begun(&self) -> bool;
    /// The position text.
    fn text(&self) -> String;
    /// Looks through a line of play from here, without playing it.
    ///
    /// # Errors
    /// Names the first move that is not legal or comes after the end of the game.
    fn check_line(&self, line: &[String]) -> Result<(), String>;
}

/// Limits that replace those of the variant.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnLimits {
    /// Plies without a capture; 0 is off.
    pub quiet: Option<u32>,
    /// Occurrences of a position; 0 is off.
    pub repetition: Option<u32>,
}

/// A referee for a variant, at its start position.
///
/// # Errors
/// If there is no board of its size.
pub fn open(variant: &Variant, limits: OwnLimits) -> Result<Box<dyn Referee>, String> {
    struct Open(OwnLimits);
    impl Visitor for Open {
        type Output = Result<Box<dyn Referee>, String>;
        fn visit<G: Evaluate>(self, game: G) -> Self::Output {
            let own = game.limits();
            let limits = Limits {
                quiet: self.0.quiet.unwrap_or(own.quiet),
                repetition: self.0.repetition.unwrap_or(own.repetition),
            };
            let record = Record::start(Arc::new(game), limits)?;
            let recent = vec![*record.position()];
            Ok(Box::new(Arbiter { record, recent }))
        }
    }
    variant.visit(Open(limits))?
}

struct Arbiter<G: Game> {
    record: Record<G>,
    /// The positions since the last capture, the present one included.
    recent: Vec<G::Position>,
}

/// Where a line of play has got to.
struct Ahead<G: Game> {
    position: G::Position,
    quiet: u32,
    /// Whether nothing has been captured on the way: then the positions of the game may be repeated.
    reaches_back: bool,
    /// The positions on the way since the last capture, this one included.
    recent: Vec<G::Position>,
}

impl<G: Game> Arbiter<G> {
    fn ahead(&self) -> Ahead<G> {
        Ahead {
            position: *self.record.position(),
            quiet: self.record.quiet(),
            reaches_back: true,
            recent: Vec::new(),
        }
    }

    fn step(&self, ahead: &mut Ahead<G>, mv: Move) {
        let game = self.record.game();
        if game.captured(&ahead.position, mv).any() {
            ahead.quiet = 0;
            ahead.recent.clear();
            ahead.reaches_back = false;
        } else {
            ahead.quiet = ahead.quiet.saturating_add(1);
        }
        ahead.position = game.make(&ahead.position, mv);
        ahead.recent.push(ahead.position);
    }

    /// Whether the game is over there, in the sense of [`Record::outcome`].
    fn is_over(&self, ahead: &Ahead<G>) -> bool {
        let limits = self.record.limits();
        let game = self.record.game();
        let is_same = |earlier: &&G::Position| game.is_same(earlier, &ahead.position);
        let played = self.recent.iter().filter(|_| ahead.reaches_back);
        // A turn that goes on is not ended by it.
        let is_repeated = limits.repetition > 0
            && game.running(&ahead.position).is_none()
            && ahead.recent.iter().chain(played).filter(is_same).count()
                >= limits.repetition as usize;
        is_repeated
            || game.outcome(&ahead.position).is_some()
            || (limits.quiet > 0 && ahead.quiet >= limits.quiet)
    }

    fn is_over_after(&self, mv: Move) -> bool {
        let mut ahead = self.ahead();
        self.step(&mut ahead, mv);
        self.is_over(&ahead)
    }

    fn parse(&self, text: &str) -> Result<Move, String> {
        let game = self.record.game();
        game.parse_move(self.record.position(), text)
    }

    fn play_legal(&mut self, mv: Move) -> Step {
        let step = Step::of(&**self.record.game(), self.record.position(), mv);
        self.record.play(mv);
        if !step.captured.is_empty() {
            self.recent.clear();
        }
        self.recent.push(*self.record.position());
        step
    }
}

impl<G: Game> Referee for Arbiter<G> {
    fn side_names(&self) -> [&'static str; 2] {
        self.record.game().side_names()
    }

    fn is_scored(&self) -> bool {
        self.as_it_stands().points.is_some()
    }

    fn set(&mut self, position: Option<&str>) -> Result<(), String> {
        let game = Arc::clone(self.record.game());
        let limits = self.record.limits();
        self.record = match position {
            Some(text) => Record::parse(game, text, limits)?,
            None => Record::start(game, limits)?,
        };
        self.recent = vec![*self.record.position()];
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<Step, String> {
        if let Some(outcome) = self.record.outcome() {
            return Err(format!("the game is over ({})", outcome.reason));
        }
        let mv = self.parse(text)?;
        Ok(self.play_legal(mv))
    }

    fn play_any(&mut self, choose: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        let mut moves = Vec::new();
        let game = Arc::clone(self.record.game());
        game.generate(self.record.position(), Moves::All, &mut moves);
        while !moves.is_empty() {
            let mv = moves.swap_remove(choose(moves.len()) % moves.len());
            if !self.is_over_after(mv) {
                return Some(self.play_legal(mv).text);
            }
        }
        None
    }

    fn side_after(&self, text: &str) -> Option<Side> {
        if self.record.outcome().is_some() {
            return None;
        }
        let mut ahead = self.ahead();
        self.step(&mut ahead, self.parse(text).ok()?);
        (!self.is_over(&ahead)).then(|| self.record.game().side(&ahead.position))
    }

    fn agree(&mut self) {
        self.record.agree();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    fn as_it_stands(&self) -> Outcome {
        let game = self.record.game();
        game.called_off(self.record.position(), Reason::Agreed)
    }

    fn side(&self) -> Side {
        self.record.side()
    }

    fn turn_has_begun(&self) -> bool {
        let game = self.record.game();
        game.running(self.record.position()).is_some()
    }

    fn text(&self) -> String {
        self.record.text()
    }

    fn check_line(&self, line: &[String]) -> Result<(), String> {
        let game = self.record.game();
        let mut ahead = self.ahead();
        for (index, text) in line.iter().enumerate() {
            let ply = index + 1;
            if self.is_over(&ahead) {
                return Err(format!(
                    "pv goes on with {text} (ply {ply}) after the end of the game"
                ));
            }
            let mv = game
                .parse_move(&ahead.position, text)
                .map_err(|why| format!("pv move {text} (ply {ply}): {why}"))?;
            self.step(&mut ahead, mv);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(variant: &str) -> Box<dyn Referee> {
        open(&variant.parse().unwrap(), OwnLimits::default()).unwrap()
    }

    fn line(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn moves_are_written_in_one_form() {
        let mut thud = referee("thud-rulebook");
        let fen = "*****5*****/****7****/***9***/**11**/*13*/15/15/3d3*7/4d10/d14/*2T10*/**1T9**/***T8***/****7****/*****5***** t 0 1";
        thud.set(Some(fen)).unwrap();
        assert_eq!(thud.play("D5D7xE7xD8").unwrap().text, "d5d7xd8xe7");
        let mut tafl = referee("hnefatafl7");
        assert_eq!(tafl.play("D1C1").unwrap().text, "d1c1");
        assert!(tafl.play("d1c1").is_err());
        assert!(tafl.play("").is_err());
        assert_eq!(tafl.play("d3c3").unwrap().text, "d3c3");
    }

    #[test]
    fn lines_end_where_the_game_does() {
        let mut tafl = referee("hnefatafl7");
        let fen = "7/7/7/K6/7/6t/1tT4 d 0 1";
        tafl.set(Some(fen)).unwrap();
        assert_eq!(tafl.check_line(&line("a4a1")), Ok(()));
        assert!(
            tafl.check_line(&line("a4a1 g2g3"))
                .unwrap_err()
                .contains("after the end")
        );
        assert!(
            tafl.check_line(&line("a4b5"))
                .unwrap_err()
                .contains("ply 1")
        );
        assert_eq!(tafl.side_after("a4a1"), None);
        assert_eq!(tafl.side_after("a4b5"), None);
        assert_eq!(tafl.side_after("a4b4"), Some(Side::First));
        assert_eq!(tafl.text(), fen, "looking changes nothing");
    }

    #[test]
    fn lines_know_the_repetitions_of_the_game() {
        let mut tafl = referee("tawlbwrdd");
        for mv in ["d1c1", "f4e4", "c1d1"] {
            tafl.play(mv).unwrap();
        }
        assert_eq!(tafl.check_line(&line("e4f4")), Ok(()));
        assert!(tafl.check_line(&line("e4f4 d1c1")).is_err());
        tafl.play("e4f4").unwrap();
        assert_eq!(tafl.outcome().unwrap().reason, Reason::Repetition);
        assert!(tafl.play("d1c1").is_err());
    }

    #[test]
    fn limits_can_be_replaced() {
        let limits = OwnLimits {
            quiet: Some(2),
            repetition: None,
        };
        let mut thud = open(&"thud".parse().unwrap(), limits).unwrap();
        assert!(thud.is_scored());
        assert!(thud.play_any(&mut |_| 0).is_some());
        assert_eq!(thud.play_any(&mut |_| 0), None, "any move would end it");
    }
}
