//! Whether a position of a game is a problem: the short search is wrong there, and the answer is known.

use super::{Maker, Turn};
use crate::suite::dialogue::{self, Thought};
use crate::suite::problem::{self, How, Problem};
use crate::suite::proof::Proof;
use huscarl::score::{Score, WIN_FLOOR};

/// The most nodes of a search that counts as short.
const SHORT: u64 = 300_000;
/// Moves that are about equally good, at most.
const MOST_ANSWERS: usize = 4;
/// In a game with a king, a position is as good as won beyond this, and a margin tells nothing.
const DECIDED: Score = 1000;
/// Margins above are written as this: one of the scores is a forced end.
const LARGEST_MARGIN: Score = 9999;

impl Maker<'_> {
    /// A search of one of the judges, of all moves or of some only.
    fn think(
        &mut self,
        judge: usize,
        position: &str,
        nodes: u64,
        only: &[String],
    ) -> Result<Thought, String> {
        let mut limits = format!("nodes {nodes}");
        if !only.is_empty() {
            limits += &format!(" searchmoves {}", only.join(" "));
        }
        let engine = match judge {
            0 if nodes <= SHORT => &mut self.scout,
            _ => &mut self.judges[judge],
        };
        dialogue::think(engine, position, &limits)
    }

    /// The problem of a position in which the short search is wrong, if there is one. `answer` is what that search thinks
    /// of the next position.
    pub fn consider(
        &mut self,
        turn: &Turn,
        answer: Option<Score>,
        is_mistake: bool,
    ) -> Result<Option<Problem>, String> {
        if self.keys.contains(&problem::key(&turn.position)) {
            return Ok(None);
        }
        let wrong = self
            .think(0, &turn.position, self.options.shallow, &[])?
            .best;
        if let (Some(prover), Some(answer)) = (&mut self.prover, answer)
            && let Some(proof) = prover.holds(&turn.position, &turn.mv, answer)?
        {
            return self.proven(turn, &wrong, proof);
        }
        let mut nodes = self.options.probe;
        let mut probe = self.think(0, &turn.position, nodes, &[])?;
        if probe.best == wrong && is_mistake && self.random.f64() < self.options.patience {
            nodes *= 10;
            probe = self.think(0, &turn.position, nodes, &[])?;
        }
        let Some(score) = probe.score().filter(|_| probe.best != wrong) else {
            return Ok(None);
        };
        self.candidates += 1;
        if let Some(prover) = &mut self.prover
            && let Some(proof) = prover.wins(&turn.position, score)?
        {
            return self.proven(turn, &wrong, proof);
        }
        if !self.has_room(&turn.position, Some(false)) {
            return Ok(None);
        }
        // A brief look at the wrong move spares most of the longer ones at all the others.
        let margin = self.options.margin;
        let only = std::slice::from_ref(&wrong);
        let refuted = self.think(0, &turn.position, nodes / 4, only)?;
        if !self.is_apart(Some(score), refuted.score(), margin * 3 / 4) {
            return Ok(None);
        }
        let Some(moves) = self.answers(&turn.position, probe.best, score, &wrong)? else {
            return Ok(None);
        };
        let how = self.how_known(&turn.position, &moves, None)?;
        let position = turn.position.clone();
        Ok(how.map(|how| Problem {
            position,
            moves,
            how,
        }))
    }

    /// The problem of a proof, if it is of use.
    fn proven(
        &mut self,
        turn: &Turn,
        wrong: &str,
        proof: Proof,
    ) -> Result<Option<Problem>, String> {
        if proof.moves.iter().any(|mv| mv == wrong) || !self.has_room(&turn.position, Some(true)) {
            return Ok(None);
        }
        let Proof { moves, how } = proof;
        let position = turn.position.clone();
        let how = self.how_known(&position, &moves, Some(how))?;
        Ok(how.map(|how| Problem {
            position,
            moves,
            how,
        }))
    }

    /// The best move and the others that are about as good, if all the rest is far behind.
    fn answers(
        &mut self,
        position: &str,
        best: String,
        score: Score,
        wrong: &str,
    ) -> Result<Option<Vec<String>>, String> {
        let margin = self.options.margin;
        let (mut moves, mut worst) = (vec![best], score);
        loop {
            let others = self.all_but(&moves);
            if others.is_empty() {
                return Ok(None);
            }
            let rival = self.think(0, position, 2 * self.options.probe, &others)?;
            if self.is_apart(Some(worst), rival.score(), margin) {
                return Ok(Some(moves));
            }
            let Some(next) = rival.score() else {
                return Ok(None);
            };
            if moves.len() == MOST_ANSWERS || rival.best == wrong || next < score - margin / 2 {
                return Ok(None);
            }
            worst = worst.min(next);
            moves.push(rival.best);
        }
    }

    /// All legal moves of the game's position but these.
    fn all_but(&self, left_out: &[String]) -> Vec<String> {
        let mut moves = self.session.moves().unwrap_or_default();
        moves.retain(|mv| !left_out.contains(mv));
        moves
    }

    /// Whether the best move and the best of the others are worth so differently that it matters.
    fn is_apart(&self, best: Option<Score>, rival: Option<Score>, margin: Score) -> bool {
        let (Some(best), Some(rival)) = (best, rival) else {
            return false;
        };
        let is_open = self.session.is_scored() || (best > -DECIDED && rival < DECIDED);
        is_open && best - rival >= margin
    }

    /// Whether both judges find an answer in no time.
    fn is_easy(&mut self, position: &str, moves: &[String]) -> Result<bool, String> {
        if self.options.easy == 0 {
            return Ok(false);
        }
        for judge in [0, 1] {
            let best = self.think(judge, position, self.options.easy, &[])?.best;
            if !moves.contains(&best) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How the answers to the session's position are known, if they are and not easy to find; `before` is how they were
    /// known so far. What has been proven is proven.
    pub fn how_known(
        &mut self,
        position: &str,
        moves: &[String],
        before: Option<How>,
    ) -> Result<Option<How>, String> {
        if self.is_easy(position, moves)? {
            return Ok(None);
        }
        match before.filter(|how| how.is_proof()) {
            Some(how) => Ok(self.is_sound(position, moves, how)?.then_some(how)),
            None => self.confirm_search(position, moves),
        }
    }

    /// A proof has a bound: no other move may win beyond it, and one that does not lose within it must hold.
    fn is_sound(&mut self, position: &str, moves: &[String], how: How) -> Result<bool, String> {
        let nodes = self.options.deep;
        if let How::Wins(_) = how {
            let others = self.all_but(moves);
            let rival = self.think(0, position, nodes, &others)?;
            Ok(rival.at_most().is_some_and(|score| score < WIN_FLOOR))
        } else {
            let thought = self.think(0, position, nodes, moves)?;
            Ok(thought.at_least().is_some_and(|score| score > -WIN_FLOOR))
        }
    }

    /// Long searches: how the answer is known, if they agree on it.
    fn confirm_search(&mut self, position: &str, moves: &[String]) -> Result<Option<How>, String> {
        let (deep, second_deep) = (self.options.deep, self.options.second_deep);
        let second = self.think(1, position, second_deep, &[])?;
        if !moves.contains(&second.best) {
            return Ok(None);
        }
        let thought = self.think(0, position, deep, &[])?;
        if !moves.contains(&thought.best) {
            return Ok(None);
        }
        let others = self.all_but(moves);
        let rival = self.think(0, position, deep / 2, &others)?;
        let (mut worst, rival) = (thought.at_least(), rival.at_most());
        if moves.len() > 1 {
            for mv in moves {
                let one = self.think(0, position, deep / 4, std::slice::from_ref(mv))?;
                worst = worst.min(one.at_least());
            }
        }
        let is_apart = self.is_apart(worst, rival, self.options.margin);
        let margin = worst.zip(rival).filter(|_| is_apart);
        Ok(margin.map(|(worst, rival)| How::Search {
            nodes: deep,
            margin: (worst - rival).min(LARGEST_MARGIN),
        }))
    }
}
