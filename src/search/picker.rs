//! The order in which a node looks at its moves, in stages, so that most nodes never list most of them: table move,
//! captures by gain, killers (or, beyond the horizon, threats to win), the other moves by history, and last the captures of less than could be had.

use super::history::HISTORY_LIMIT;
use super::thread::{Mind, Thread};
use crate::bits::Bits;
use crate::eval::Evaluate;
use crate::game::{Move, Moves, SetOf};
use crate::score::Score;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
    Table,
    ListCaptures,
    Captures,
    Threats,
    Killers(u8),
    ListQuiets,
    Quiets,
    ListLesser,
    Lesser,
    Done,
}

/// A move and what the picker knows of it.
#[derive(Clone, Copy)]
pub struct Picked {
    pub mv: Move,
    pub capture: bool,
    /// What a capture gains, in centipoints; 0 for others.
    pub gain: Score,
    /// History of a quiet move, 0 for others.
    pub history: i32,
}

impl Picked {
    /// A legal move from outside the lists.
    pub fn new<G: Evaluate>(thread: &Thread<'_, G>, position: &G::Position, mv: Move) -> Self {
        let game = thread.game();
        let capture = game.is_capture(position, mv);
        let (gain, history) = if capture {
            (game.gain(position, mv), 0)
        } else {
            (0, thread.mind.quiet(game.side(position), mv))
        };
        Picked {
            mv,
            capture,
            gain,
            history,
        }
    }
}

/// How far a picker goes in a node that is not restricted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Scope {
    /// Captures that take all they can.
    Captures,
    /// These, and then threats to win at once.
    Forcing,
    /// Captures and quiet moves.
    Usual,
    /// Every legal move.
    All,
}

/// In the score of a capture one centipoint of gain weighs this much; history decides between equal gains.
const GAIN_UNIT: i32 = 32;

/// A score in the list has the place of its move in these bits, so that the largest names its move.
const PLACE_BITS: u32 = 12;
/// Moves of a list beyond this number are not sorted.
const PLACES: usize = 1 << PLACE_BITS;
/// Scores are kept within so much of 0.
const SCORE_LIMIT: i32 = i32::MAX >> PLACE_BITS;
/// In place of the score of a move that was picked.
const GONE: i32 = i32::MIN;

/// Quiet moves that are picked in order of their history; the rest keep the order of the list, for their history says
/// little and a whole sort of several hundred costs more than it gains.
const SORTED_QUIETS: u32 = 24;

/// The moves of one node. They lie in the thread's arena above those of the node's parents.
pub struct Picker<G: Evaluate> {
    stage: Stage,
    table: Move,
    killers: [Move; 2],
    /// The list of the present stage begins here in the arena.
    start: usize,
    /// Where the moves that are left begin once `picked` of them have been sorted out.
    next: usize,
    picked: u32,
    /// Squares that moves must end on, if the node is so restricted.
    only_to: Option<SetOf<G>>,
    scope: Scope,
}

impl<G: Evaluate> Picker<G> {
    /// Moves of a node whose table move is `table` (checked here).
    pub fn new(
        thread: &Thread<'_, G>,
        position: &G::Position,
        ply: usize,
        table: Move,
        only_to: Option<SetOf<G>>,
        scope: Scope,
    ) -> Self {
        let game = thread.game();
        let usable = !table.is_none()
            && only_to.is_none_or(|set| set.has(table.to()))
            && game.is_legal(position, table)
            && (scope >= Scope::Usual || only_to.is_some() || game.is_capture(position, table));
        let table = if usable { table } else { Move::NONE };
        let start = thread.mind.arena.len();
        Picker {
            stage: Stage::Table,
            table,
            killers: thread.mind.history.killers(ply),
            start,
            next: 0,
            picked: 0,
            only_to,
            scope,
        }
    }

    /// The next move, until there is none. Once the node wants no more quiet moves they are not even listed.
    pub fn next(
        &mut self,
        thread: &mut Thread<'_, G>,
        position: &G::Position,
        sight: &G::Sight,
        with_quiets: bool,
    ) -> Option<Picked> {
        loop {
            if !with_quiets && self.stage >= Stage::Killers(0) {
                self.stage = Stage::Done;
            }
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListCaptures;
                    if !self.table.is_none() {
                        return Some(Picked::new(thread, position, self.table));
                    }
                }
                Stage::ListCaptures => {
                    self.list(thread, position, Moves::Captures);
                    self.stage = Stage::Captures;
                }
                Stage::Captures => match self.best(thread, u32::MAX) {
                    Some((mv, score)) if mv != self.table => {
                        return Some(Picked {
                            mv,
                            capture: true,
                            gain: score.div_euclid(GAIN_UNIT),
                            history: 0,
                        });
                    }
                    Some(_) => {}
                    None if self.only_to.is_some() => self.stage = Stage::Killers(0),
                    None => match self.scope {
                        Scope::Captures => self.stage = Stage::Done,
                        Scope::Forcing => {
                            self.list_threats(thread, position, sight);
                            self.stage = Stage::Threats;
                        }
                        Scope::Usual | Scope::All => self.stage = Stage::Killers(0),
                    },
                },
                Stage::Threats => match self.best(thread, 0) {
                    Some((mv, history)) => {
                        return Some(Picked {
                            mv,
                            capture: false,
                            gain: 0,
                            history,
                        });
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Killers(index) => {
                    self.stage = match index {
                        0 => Stage::Killers(1),
                        _ => Stage::ListQuiets,
                    };
                    let mv = self.killers[usize::from(index)];
                    if self.is_killer_here(thread, position, mv) {
                        return Some(Picked::new(thread, position, mv));
                    }
                    self.killers[usize::from(index)] = Move::NONE;
                }
                Stage::ListQuiets => {
                    self.list(thread, position, Moves::Quiets);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best(thread, SORTED_QUIETS) {
                    Some((mv, history)) if mv != self.table && !self.killers.contains(&mv) => {
                        if self.only_to.is_some() {
                            return Some(Picked::new(thread, position, mv));
                        }
                        return Some(Picked {
                            mv,
                            capture: false,
                            gain: 0,
                            history,
                        });
                    }
                    Some(_) => {}
                    None if self.scope == Scope::All => self.stage = Stage::ListLesser,
                    None => self.stage = Stage::Done,
                },
                Stage::ListLesser => {
                    self.list(thread, position, Moves::Lesser);
                    self.stage = Stage::Lesser;
                }
                Stage::Lesser => match self.best(thread, 0) {
                    Some((mv, _)) if mv != self.table => {
                        return Some(Picked::new(thread, position, mv));
                    }
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Gives the arena back.
    pub fn close(self, thread: &mut Thread<'_, G>) {
        thread.mind.truncate(self.start);
    }

    fn is_killer_here(&self, thread: &Thread<'_, G>, position: &G::Position, mv: Move) -> bool {
        let game = thread.game();
        !mv.is_none()
            && mv != self.table
            && self.only_to.is_none_or(|set| set.has(mv.to()))
            && game.is_legal(position, mv)
            && !game.is_capture(position, mv)
    }

    /// Puts a kind of move and their scores in place of the list before.
    fn list(&mut self, thread: &mut Thread<'_, G>, position: &G::Position, which: Moves) {
        let game = thread.game();
        let mind = self.empty_list(thread);
        match self.only_to {
            None => game.generate(position, which, &mut mind.arena),
            // Restricted nodes have few moves: they are listed once, with the quiet ones.
            Some(set) if which == Moves::Quiets => game.generate_to(position, set, &mut mind.arena),
            Some(_) => {}
        }
        let side = game.side(position);
        for index in self.start..mind.arena.len() {
            let mv = mind.arena[index];
            let score = match which {
                Moves::Captures => {
                    let tie = (mind.history.anywhere(side, mv) + HISTORY_LIMIT) * (GAIN_UNIT - 1)
                        / (2 * HISTORY_LIMIT);
                    game.gain(position, mv) * GAIN_UNIT + tie
                }
                _ => mind.quiet(side, mv),
            };
            let place = (index - self.start).min(PLACES - 1);
            let score = score.clamp(-SCORE_LIMIT, SCORE_LIMIT);
            // The first of equal ones is the largest.
            mind.scores
                .push(score << PLACE_BITS | (PLACES - 1 - place) as i32);
        }
    }

    /// Puts threats to win in place of the list before; they are so few that their order does not matter.
    fn list_threats(
        &mut self,
        thread: &mut Thread<'_, G>,
        position: &G::Position,
        sight: &G::Sight,
    ) {
        let game = thread.game();
        let mind = self.empty_list(thread);
        game.generate_threats(position, sight, &mut mind.arena);
        mind.scores.resize(mind.arena.len(), 0);
    }

    /// Takes the list before out of the arena.
    fn empty_list<'a>(&mut self, thread: &'a mut Thread<'_, G>) -> &'a mut Mind<G> {
        thread.mind.truncate(self.start);
        self.next = 0;
        self.picked = 0;
        thread.mind
    }

    /// Takes the best of the list, or simply the next once `sorted` have been taken.
    fn best(&mut self, thread: &mut Thread<'_, G>, sorted: u32) -> Option<(Move, i32)> {
        let mind = &mut *thread.mind;
        let scores = &mut mind.scores[self.start..];
        let index = if self.picked < sorted {
            self.picked += 1;
            let sortable = scores.len().min(PLACES);
            let most = scores[..sortable]
                .iter()
                .fold(GONE, |most, &score| most.max(score));
            (most != GONE).then(|| PLACES - 1 - (most as usize & (PLACES - 1)))
        } else {
            None
        };
        let index = index.or_else(|| {
            let left = scores[self.next..]
                .iter()
                .position(|&score| score != GONE)?;
            self.next += left + 1;
            Some(self.next - 1)
        })?;
        let score = std::mem::replace(&mut scores[index], GONE);
        Some((mind.arena[self.start + index], score >> PLACE_BITS))
    }
}
