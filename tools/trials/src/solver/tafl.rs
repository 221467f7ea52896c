//! Forced wins in the tafl games.
//!
//! Repetition may be left out: a side that always plays towards its shortest win comes nearer to it with every move,
//! whatever the opponent does, so no position of such a line stands on the board twice, and none repeats the first.

use crate::reference;
use std::collections::HashMap;

/// The attackers, and the king's side.
pub const ATTACKERS: usize = 0;
pub const DEFENDERS: usize = 1;

/// Men and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The pieces of each side, the king among the second.
    pub pieces: [u128; 2],
    /// Where the king stands; none once he is captured.
    pub king: Option<u8>,
    pub side: usize,
}

/// From and to.
pub type Move = (u8, u8);

/// The board of one game, and what the rules say of it.
pub struct Rules {
    pub size: usize,
    /// Hnefatafl, whose corners are the goal and where a side that can not move has lost.
    has_corners: bool,
    pub centre: u8,
    pub goals: u128,
    pub rays: Vec<[Vec<u8>; 4]>,
    names: Vec<String>,
}

fn bit(square: u8) -> u128 {
    1 << square
}

fn squares_of(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(square)
    })
}

impl Rules {
    pub fn new(variant: &str) -> Rules {
        let has_corners = variant == "hnefatafl7";
        let size = if has_corners { 7 } else { 11 };
        let last = size - 1;
        let is_goal = |square: &usize| {
            let ends = [square / size, square % size].map(|n| n == 0 || n == last);
            if has_corners {
                ends[0] && ends[1]
            } else {
                ends[0] || ends[1]
            }
        };
        let goals = (0..size * size).filter(is_goal);
        Rules {
            size,
            has_corners,
            centre: (size * size / 2) as u8,
            goals: goals.fold(0, |set, square| set | bit(square as u8)),
            rays: super::rays(size, [(1, 0), (-1, 0), (0, 1), (0, -1)]),
            names: reference::Position::start(variant).squares(),
        }
    }

    /// The squares that only a king may enter, the centre aside.
    pub fn corners(&self) -> u128 {
        if self.has_corners { self.goals } else { 0 }
    }

    pub fn read(&self, position: &reference::Position) -> Position {
        let (letters, side) = super::letters(position);
        let set = |wanted: &[char]| {
            let squares = (0u8..).zip(&letters);
            squares
                .filter(|(_, letter)| wanted.contains(letter))
                .fold(0, |set, (s, _)| set | bit(s))
        };
        Position {
            pieces: [set(&['t']), set(&['T', 'K'])],
            king: letters
                .iter()
                .position(|&letter| letter == 'K')
                .map(|square| square as u8),
            side,
        }
    }

    pub fn text(&self, position: &Position) -> String {
        let letter = |square: usize| {
            let square = square as u8;
            if position.king == Some(square) {
                'K'
            } else if position.pieces[DEFENDERS] & bit(square) != 0 {
                'T'
            } else if position.pieces[ATTACKERS] & bit(square) != 0 {
                't'
            } else {
                '.'
            }
        };
        super::text(self.size, letter, ['a', 'd'][position.side])
    }

    pub fn move_text(&self, (from, to): Move) -> String {
        format!(
            "{}{}",
            self.names[usize::from(from)],
            self.names[usize::from(to)]
        )
    }

    /// Who has won by the king's fate.
    pub fn winner(&self, position: &Position) -> Option<usize> {
        match position.king {
            None => Some(ATTACKERS),
            Some(king) if bit(king) & self.goals != 0 => Some(DEFENDERS),
            Some(_) => None,
        }
    }

    /// Where the piece on a square can go.
    fn targets(&self, position: &Position, from: u8) -> impl Iterator<Item = u8> {
        let is_king = position.king == Some(from);
        let taken = position.pieces[0] | position.pieces[1];
        let (has_corners, centre, goals) = (self.has_corners, self.centre, self.goals);
        let may_pass =
            move |to: u8| taken & bit(to) == 0 && (is_king || to != centre || !has_corners);
        let may_stop = move |to: u8| {
            if has_corners {
                is_king || goals & bit(to) == 0
            } else {
                to != centre
            }
        };
        self.rays[usize::from(from)].iter().flat_map(move |ray| {
            ray.iter()
                .copied()
                .take_while(move |&to| may_pass(to))
                .filter(move |&to| may_stop(to))
        })
    }

    /// How many squares the king can go to.
    pub fn ways_of_king(&self, position: &Position) -> usize {
        position
            .king
            .map_or(0, |king| self.targets(position, king).count())
    }

    pub fn moves(&self, position: &Position) -> Vec<Move> {
        if self.winner(position).is_some() {
            return Vec::new();
        }
        squares_of(position.pieces[position.side])
            .flat_map(|from| self.targets(position, from).map(move |to| (from, to)))
            .collect()
    }

    pub fn play(&self, position: &Position, (from, to): Move) -> Position {
        let mut next = *position;
        let side = position.side;
        next.pieces[side] ^= bit(from) | bit(to);
        if next.king == Some(from) {
            next.king = Some(to);
        }
        let mut captured = 0;
        for ray in &self.rays[usize::from(to)] {
            let Some(&victim) = ray.first() else { continue };
            if next.pieces[1 - side] & bit(victim) == 0 {
                continue;
            }
            let beyond = ray.get(1).copied();
            let is_captured = if next.king == Some(victim) {
                self.king_falls(&next, victim, beyond)
            } else {
                beyond.is_some_and(|square| {
                    next.pieces[side] & bit(square) != 0 || self.is_hostile(&next, square)
                })
            };
            if is_captured {
                captured |= bit(victim);
            }
        }
        next.pieces[1 - side] &= !captured;
        next.king = next.king.filter(|&king| captured & bit(king) == 0);
        next.side = 1 - side;
        next
    }

    /// Squares that capture with anyone.
    fn is_hostile(&self, position: &Position, square: u8) -> bool {
        let taken = position.pieces[0] | position.pieces[1];
        (square == self.centre && taken & bit(square) == 0) || self.corners() & bit(square) != 0
    }

    /// Whether an attacker that has just come next to the king captures him; `beyond` is the square behind the king.
    fn king_falls(&self, position: &Position, king: u8, beyond: Option<u8>) -> bool {
        let attacked = |square: u8| position.pieces[ATTACKERS] & bit(square) != 0;
        let around = |allowed: Option<u8>| {
            let sides = self.rays[usize::from(king)]
                .iter()
                .map(|ray| ray.first().copied());
            sides
                .into_iter()
                .all(|side| side.is_some_and(attacked) || (side.is_some() && side == allowed))
        };
        if king == self.centre {
            return around(None);
        }
        if self.has_corners {
            return beyond.is_some_and(|s| attacked(s) || self.is_hostile(position, s));
        }
        if self.rays[usize::from(king)]
            .iter()
            .any(|ray| ray.first() == Some(&self.centre))
        {
            return around(Some(self.centre));
        }
        beyond.is_some_and(attacked)
    }

    /// The pieces of the side to move that can move.
    fn mobile(&self, position: &Position) -> impl Iterator<Item = u8> {
        squares_of(position.pieces[position.side])
            .filter(|&from| self.targets(position, from).next().is_some())
    }

    /// Whether the side to move has lost because it can not move.
    fn is_stuck(&self, position: &Position) -> bool {
        self.has_corners
            && self.winner(position).is_none()
            && self.mobile(position).next().is_none()
    }

    /// Whether the king, with his side to move, escapes at once.
    fn escapes(&self, position: &Position) -> bool {
        let king = position.king.filter(|_| position.side == DEFENDERS);
        king.is_some_and(|king| {
            self.targets(position, king)
                .any(|to| self.goals & bit(to) != 0)
        })
    }

    /// Whether the attackers, to move, capture the king at once. It takes a move to a square next to him.
    fn captures_king(&self, position: &Position) -> bool {
        let Some(king) = position.king.filter(|_| position.side == ATTACKERS) else {
            return false;
        };
        let beside = self.rays[usize::from(king)]
            .iter()
            .filter_map(|ray| ray.first());
        beside.into_iter().any(|&to| {
            // A way to a square is a way from it, so who can come there is found by looking out from it.
            let lines = self.rays[usize::from(to)].iter();
            let taken = position.pieces[0] | position.pieces[1];
            let comers = lines.filter_map(|ray| ray.iter().find(|&&s| taken & bit(s) != 0));
            comers.into_iter().any(|&from| {
                position.pieces[ATTACKERS] & bit(from) != 0
                    && self.targets(position, from).any(|target| target == to)
                    && self.play(position, (from, to)).king.is_none()
            })
        })
    }

    /// Whether the side to move wins by the king's fate with its next move.
    pub fn king_decides(&self, position: &Position) -> bool {
        self.winner(position).is_none() && (self.escapes(position) || self.captures_king(position))
    }

    /// Whether the side to move wins with its next move.
    pub fn wins_at_once(&self, position: &Position) -> bool {
        if self.king_decides(position) {
            return true;
        }
        if !self.has_corners {
            return false;
        }
        // To leave the opponent without a move, a piece must land beside every one that can move.
        let passed = Position {
            side: 1 - position.side,
            ..*position
        };
        let beside = |square: u8| {
            let rays = self.rays[usize::from(square)].iter();
            rays.filter_map(|ray| ray.first())
                .fold(0, |set, &s| set | bit(s))
        };
        let beside_all = self
            .mobile(&passed)
            .fold(u128::MAX, |set, square| set & beside(square));
        beside_all != 0
            && self
                .moves(position)
                .into_iter()
                .filter(|&(_, to)| beside_all & bit(to) != 0)
                .any(|mv| self.is_stuck(&self.play(position, mv)))
    }
}

/// A search for forced wins that remembers what it has found.
pub struct Solver {
    pub rules: Rules,
    /// Plies within which the side to move wins, and within which it does not, for positions met.
    known: HashMap<Position, (u32, u32)>,
    /// The last move that spoilt a win, by plies left: it often spoils the next one too.
    spoilers: [Move; 16],
}

impl Solver {
    pub fn new(variant: &str) -> Solver {
        Solver {
            rules: Rules::new(variant),
            known: HashMap::new(),
            spoilers: [(0, 0); 16],
        }
    }

    /// Forgets what it has found.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Whether the side to move wins within an odd number of plies.
    pub fn wins(&mut self, position: &Position, plies: u32) -> bool {
        if self.rules.wins_at_once(position) {
            return true;
        }
        if plies < 3 {
            return false;
        }
        let (won, not_won) = self.known.get(position).copied().unwrap_or((u32::MAX, 0));
        if plies >= won || plies <= not_won {
            return plies >= won;
        }
        let moves = self.rules.moves(position);
        let wins = moves.into_iter().any(|mv| {
            let next = self.rules.play(position, mv);
            self.loses(&next, plies - 1)
        });
        let entry = self.known.entry(*position).or_insert((u32::MAX, 0));
        if wins {
            entry.0 = entry.0.min(plies);
        } else {
            entry.1 = entry.1.max(plies);
        }
        wins
    }

    /// Whether the side to move loses within an even number of plies, whatever it does.
    pub fn loses(&mut self, position: &Position, plies: u32) -> bool {
        if let Some(winner) = self.rules.winner(position) {
            return winner != position.side;
        }
        if plies == 0 {
            return self.rules.is_stuck(position);
        }
        if self.rules.king_decides(position) {
            return false;
        }
        let mut moves = self.rules.moves(position);
        if moves.is_empty() {
            return self.rules.has_corners;
        }
        let spoiler = self.spoilers[plies as usize];
        if let Some(index) = moves.iter().position(|&mv| mv == spoiler) {
            moves.swap(0, index);
        }
        for mv in moves {
            let next = self.rules.play(position, mv);
            if !self.wins(&next, plies - 1) {
                self.spoilers[plies as usize] = mv;
                return false;
            }
        }
        true
    }

    /// The plies of the shortest win of the side to move, if there is one within `most`.
    pub fn shortest_win(&mut self, position: &Position, most: u32) -> Option<u32> {
        (1..=most)
            .step_by(2)
            .find(|&plies| self.wins(position, plies))
    }

    /// All moves after which the side to move still wins within `plies`.
    pub fn winning_moves(&mut self, position: &Position, plies: u32) -> Vec<Move> {
        let mut moves = self.rules.moves(position);
        moves.retain(|&mv| {
            let next = self.rules.play(position, mv);
            self.loses(&next, plies - 1)
        });
        moves
    }
}
