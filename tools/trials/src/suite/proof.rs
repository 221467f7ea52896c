//! What can be proven of a position of tafl by trying every move: that some moves win by force, or that all others lose.

use super::problem::How;
use crate::reference;
use crate::solver::tafl::{Move, Position, Solver};
use huscarl::score::{Score, plies_to_end};

/// The longest win looked for on the small board and on the large one, in plies, and the longest that the opponent may
/// have after each of the other moves. Each is seconds at most.
const LONGEST: [(u32, u32); 2] = [(7, 7), (5, 3)];
/// Moves that do not lose, at most.
const MOST_HOLDING: usize = 2;
/// Of the legal moves, one in so many may be an answer.
const ONE_IN: usize = 4;

/// Right moves, and how that is known.
pub struct Proof {
    pub moves: Vec<String>,
    pub how: How,
}

pub struct Prover {
    solver: Solver,
    variant: &'static str,
    longest_win: u32,
    longest_loss: u32,
}

impl Prover {
    pub fn new(variant: &'static str) -> Prover {
        let solver = Solver::new(variant);
        let (longest_win, longest_loss) = LONGEST[usize::from(solver.rules.size > 7)];
        Prover {
            solver,
            variant,
            longest_win,
            longest_loss,
        }
    }

    /// The moves that win, if a search has found a win that is short enough to be proven and not trivial.
    pub fn wins(&mut self, position: &str, found: Score) -> Result<Option<Proof>, String> {
        let plies = plies_to_end(found).and_then(|plies| u32::try_from(plies).ok());
        let Some(plies) = plies.filter(|plies| (3..=self.longest_win).contains(plies)) else {
            return Ok(None);
        };
        let position = self.read(position)?;
        if self
            .solver
            .shortest_win(&position, plies)
            .is_none_or(|plies| plies < 3)
        {
            return Ok(None);
        }
        // A longer way to win is as good.
        let within = (plies + 2).min(self.longest_win);
        let mut moves = self.solver.rules.moves(&position);
        moves.retain(|&mv| {
            let next = self.solver.rules.play(&position, mv);
            // Short ways first: they are found sooner.
            let mut plies = (2..within).step_by(2);
            plies.any(|plies| self.solver.loses(&next, plies))
        });
        Ok(self.proof(&position, moves, How::Wins(within)))
    }

    /// The moves that do not lose, if a search has found that the opponent wins after the move `played`, soon enough to be
    /// proven. `found` is the score from the opponent's side.
    pub fn holds(
        &mut self,
        position: &str,
        played: &str,
        found: Score,
    ) -> Result<Option<Proof>, String> {
        let plies = plies_to_end(found).and_then(|plies| u32::try_from(plies).ok());
        let Some(plies) = plies.filter(|plies| (1..=self.longest_loss).contains(plies)) else {
            return Ok(None);
        };
        let within = (plies + 2).min(self.longest_loss);
        let position = self.read(position)?;
        let rules = &self.solver.rules;
        let mut moves = rules.moves(&position);
        // The move played comes first: if it does not lose, nothing is to be proven.
        moves.sort_by_key(|&mv| rules.move_text(mv) != played);
        let mut holding = Vec::new();
        for (index, &mv) in moves.iter().enumerate() {
            let next = self.solver.rules.play(&position, mv);
            if self.solver.shortest_win(&next, within).is_none() {
                holding.push(mv);
            }
            if holding.len() > index || holding.len() > MOST_HOLDING {
                return Ok(None);
            }
        }
        Ok(self.proof(&position, holding, How::OthersLose(within + 1)))
    }

    fn read(&mut self, position: &str) -> Result<Position, String> {
        self.solver.clear();
        let slow = reference::Position::parse(self.variant, position)?;
        Ok(self.solver.rules.read(&slow))
    }

    /// A proof, if there are answers and not too many of them.
    fn proof(&self, position: &Position, moves: Vec<Move>, how: How) -> Option<Proof> {
        let rules = &self.solver.rules;
        if moves.is_empty() || moves.len() * ONE_IN > rules.moves(position).len() {
            return None;
        }
        let mut moves: Vec<String> = moves.into_iter().map(|mv| rules.move_text(mv)).collect();
        moves.sort();
        Some(Proof { moves, how })
    }
}
