//! Ending games early that both engines say are decided.

use crate::config::AdjudicateSpec;
use crate::record::Said;

/// Which scores end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    resign: Option<Resign>,
    draw: Option<Draw>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Resign {
    /// Centipoints.
    score: i32,
    /// Of each side.
    moves: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Draw {
    /// Centipoints.
    score: i32,
    /// Of each side.
    moves: u32,
    /// Plies before the first of them.
    from: u32,
}

/// How a game was ended: by the loss of a player (0 or 1), or by a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This player loses.
    Loss(usize),
    /// Nobody wins.
    Draw,
}

impl Rules {
    /// Reads `SCORE:MOVES` and `SCORE:MOVES:FROMPLY`.
    ///
    /// # Errors
    /// Names the rule and the form expected.
    pub fn new(spec: &AdjudicateSpec) -> Result<Self, String> {
        let numbers = |name: &str, text: &str, form: &str| {
            let parts: Result<Vec<u32>, _> = text.split(':').map(str::parse).collect();
            parts
                .ok()
                .filter(|parts| parts.len() == form.split(':').count() && parts[1] > 0)
                .ok_or_else(|| format!("adjudicate {name}={text}, {name}={form} expected"))
        };
        let score = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let mut rules = Rules::default();
        if let Some(text) = &spec.resign {
            let parts = numbers("resign", text, "SCORE:MOVES")?;
            rules.resign = Some(Resign {
                score: score(parts[0]),
                moves: parts[1],
            });
        }
        if let Some(text) = &spec.draw {
            let parts = numbers("draw", text, "SCORE:MOVES:FROMPLY")?;
            rules.draw = Some(Draw {
                score: score(parts[0]),
                moves: parts[1],
                from: parts[2],
            });
        }
        Ok(rules)
    }

    /// Whether any rule is set.
    pub fn any(&self) -> bool {
        self.resign.is_some() || self.draw.is_some()
    }
}

/// What was said in a game so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watcher {
    /// For each player: how often on end this side and that one said that he is lost.
    lost: [[u32; 2]; 2],
    /// How often on end each side had a small score.
    calm: [u32; 2],
}

impl Watcher {
    /// Hears the score of a move, from the side that made it; `ply` is its number in the game, from 1.
    pub fn hear(
        &mut self,
        rules: &Rules,
        side: usize,
        score: Option<Said>,
        ply: u32,
    ) -> Option<Decision> {
        let Some(score) = score else {
            *self = Watcher::default();
            return None;
        };
        let value = match score {
            Said::Cp(value) => value,
            Said::Mate(moves) if moves > 0 => i32::MAX,
            Said::Mate(_) => -i32::MAX,
        };
        if let Some(Resign { score, moves }) = rules.resign {
            for (player, is_lost) in [(side, value <= -score), (1 - side, value >= score)] {
                if count(&mut self.lost[player], side, is_lost, moves) {
                    return Some(Decision::Loss(player));
                }
            }
        }
        if let Some(Draw { score, moves, from }) = rules.draw {
            let is_calm = ply > from && value.unsigned_abs() <= score.unsigned_abs();
            if count(&mut self.calm, side, is_calm, moves) {
                return Some(Decision::Draw);
            }
        }
        None
    }
}

/// Counts what a side has said, and tells whether each has said it so often on end. A side may move more than once in a
/// row, so it is not enough to count plies.
fn count(said: &mut [u32; 2], side: usize, is_so: bool, moves: u32) -> bool {
    match is_so {
        true => said[side] += 1,
        false => *said = [0; 2],
    }
    said.iter().all(|&times| times >= moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(resign: &str, draw: &str) -> Result<Rules, String> {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_string());
        Rules::new(&AdjudicateSpec {
            resign: text(resign),
            draw: text(draw),
        })
    }

    /// The decision after these scores of the two sides in turn.
    fn after(rules: &Rules, scores: &[i32]) -> Option<Decision> {
        let mut watcher = Watcher::default();
        let mut last = None;
        for (index, &score) in scores.iter().enumerate() {
            last = watcher.hear(rules, index % 2, Some(Said::Cp(score)), index as u32 + 1);
        }
        last
    }

    #[test]
    fn both_must_agree_for_long_enough() {
        let rules = rules("500:2", "").unwrap();
        assert_eq!(after(&rules, &[-500, 600, -700]), None);
        assert_eq!(
            after(&rules, &[-500, 600, -700, 500]),
            Some(Decision::Loss(0))
        );
        assert_eq!(
            after(&rules, &[500, -600, 700, -500]),
            Some(Decision::Loss(1))
        );
        assert_eq!(after(&rules, &[-500, 499, -700, 500]), None);
        assert_eq!(after(&rules, &[-500, 600, -400, 500]), None);
    }

    #[test]
    fn moves_of_one_side_in_a_row_do_not_decide() {
        let rules = rules("500:2", "10:2:0").unwrap();
        for (score, decision) in [(-500, Decision::Loss(0)), (0, Decision::Draw)] {
            let mut watcher = Watcher::default();
            let mut hear = |side, score| watcher.hear(&rules, side, Some(Said::Cp(score)), 1);
            for _ in 0..5 {
                assert_eq!(hear(0, score), None);
            }
            assert_eq!(hear(1, -score), None);
            assert_eq!(hear(1, -score), Some(decision));
        }
    }

    #[test]
    fn draws_begin_at_a_ply() {
        let rules = rules("", "10:1:2").unwrap();
        assert_eq!(after(&rules, &[0, 0, 0]), None);
        assert_eq!(after(&rules, &[0, 0, -10, 10]), Some(Decision::Draw));
        assert_eq!(after(&rules, &[0, 0, 0, 11]), None);
    }

    #[test]
    fn mates_count_and_silence_begins_anew() {
        let rules = rules("1000:1", "").unwrap();
        let mut watcher = Watcher::default();
        assert_eq!(watcher.hear(&rules, 0, Some(Said::Mate(-3)), 1), None);
        assert_eq!(watcher.hear(&rules, 1, None, 2), None);
        assert_eq!(watcher.hear(&rules, 0, Some(Said::Mate(-2)), 3), None);
        let decided = watcher.hear(&rules, 1, Some(Said::Mate(2)), 4);
        assert_eq!(decided, Some(Decision::Loss(0)));
    }

    #[test]
    fn forms() {
        for (resign, draw) in [
            ("5", ""),
            ("5:0", ""),
            ("5:x", ""),
            ("5:1:1", ""),
            ("", "5:1"),
            ("-5:1", ""),
        ] {
            assert!(rules(resign, draw).is_err(), "{resign} {draw}");
        }
        assert!(!rules("", "").unwrap().any());
    }
}
