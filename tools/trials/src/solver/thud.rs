//! The best margin over a few plies of Thud.
//!
//! Values are points won less points lost from the position on, for the side to move; when the game ends within the
//! plies, because the side to move has no move, they are what they are then. The quiet limit plays no part.

use crate::reference;

/// The eight directions, each followed by its opposite.
const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];
pub const SIZE: usize = 15;
const SQUARES: usize = SIZE * SIZE;

/// Letters of the squares, and the side to move: 0 the dwarfs, 1 the trolls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub cells: [u8; SQUARES],
    pub side: usize,
}

/// The most points that a move of each side can take.
const MOST_TAKEN: [i32; 2] = [4, 8];

const EMPTY: u8 = b'.';
const PIECES: [u8; 2] = [b'd', b'T'];

/// A move. `taken` has a bit for each direction in which a troll captures the dwarf beside the square he lands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: u8,
    pub to: u8,
    pub taken: u8,
    /// Points won by it.
    pub gain: i32,
}

pub struct Rules {
    /// Whether a troll's step captures any set of dwarfs, or one at most.
    takes_any: bool,
    rays: Vec<[Vec<u8>; 8]>,
    names: Vec<String>,
}

impl Rules {
    pub fn new(variant: &str) -> Rules {
        Rules {
            takes_any: variant == "thud-rulebook",
            rays: super::rays(SIZE, DIRECTIONS),
            names: reference::Position::start(variant).squares(),
        }
    }

    pub fn read(&self, position: &reference::Position) -> Position {
        let (letters, side) = super::letters(position);
        let mut cells = [EMPTY; SQUARES];
        for (cell, letter) in cells.iter_mut().zip(letters) {
            *cell = letter as u8;
        }
        Position { cells, side }
    }

    pub fn text(&self, position: &Position) -> String {
        let letter = |square: usize| char::from(position.cells[square]);
        super::text(SIZE, letter, ['d', 't'][position.side])
    }

    pub fn move_text(&self, mv: &Move) -> String {
        let name = |square: u8| self.names[usize::from(square)].as_str();
        let mut taken: Vec<u8> = self.victims(mv).collect();
        taken.sort_unstable();
        let captures = taken.into_iter().map(|square| format!("x{}", name(square)));
        format!(
            "{}{}{}",
            name(mv.from),
            name(mv.to),
            captures.collect::<String>()
        )
    }

    fn victims(&self, mv: &Move) -> impl Iterator<Item = u8> {
        let rays = &self.rays[usize::from(mv.to)];
        let taken = mv.taken;
        (0..8)
            .filter(move |n| taken >> n & 1 != 0)
            .map(|n| rays[n][0])
    }

    /// Empty squares ahead of a piece, and the length of the unbroken line of its kind that ends with it.
    fn ahead(&self, position: &Position, from: u8, direction: usize) -> (usize, usize) {
        let rays = &self.rays[usize::from(from)];
        let count = |ray: &[u8], what: u8| {
            ray.iter()
                .take_while(|&&s| position.cells[usize::from(s)] == what)
                .count()
        };
        let own = position.cells[usize::from(from)];
        (
            count(&rays[direction], EMPTY),
            1 + count(&rays[direction ^ 1], own),
        )
    }

    /// The dwarfs beside a square, a bit for each direction.
    fn dwarfs_beside(&self, position: &Position, square: u8) -> u8 {
        let rays = self.rays[usize::from(square)].iter().enumerate();
        let is_dwarf = |ray: &[u8]| {
            ray.first()
                .is_some_and(|&s| position.cells[usize::from(s)] == PIECES[0])
        };
        rays.filter(|(_, ray)| is_dwarf(ray))
            .fold(0, |set, (n, _)| set | 1 << n)
    }

    /// Calls `each` with every square that a piece can go to, in each direction: from, to, whether it is a hurl, steps
    /// (1 from the nearest square), and the length of the line behind.
    fn ways(&self, position: &Position, mut each: impl FnMut(u8, u8, bool, usize, usize)) {
        let own = PIECES[position.side];
        for from in (0..SQUARES).filter(|&s| position.cells[s] == own) {
            for direction in 0..8 {
                let (empty, line) = self.ahead(position, from as u8, direction);
                let ray = &self.rays[from][direction];
                let reach = match position.side {
                    0 => empty,
                    _ if line > 1 => empty.min(line),
                    _ => empty.min(1),
                };
                for (to, steps) in ray.iter().zip(1..=reach) {
                    each(from as u8, *to, false, steps, line);
                }
                let next = ray
                    .get(empty)
                    .filter(|_| position.side == 0 && empty < line);
                if let Some(&to) = next.filter(|&&s| position.cells[usize::from(s)] == PIECES[1]) {
                    each(from as u8, to, true, empty + 1, line);
                }
            }
        }
    }

    /// All legal moves, the greatest gains first.
    pub fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        self.ways(position, |from, to, hurl, steps, line| {
            let mut add = |taken: u8, gain| {
                moves.push(Move {
                    from,
                    to,
                    taken,
                    gain,
                })
            };
            if position.side == 0 {
                add(0, if hurl { 4 } else { 0 });
                return;
            }
            let beside = self.dwarfs_beside(position, to);
            let shove = line > 1 && steps <= line;
            let mut taken = 0u8;
            loop {
                let by_step = steps == 1 && (self.takes_any || taken.count_ones() <= 1);
                if by_step || (shove && taken != 0) {
                    add(taken, taken.count_ones() as i32);
                }
                // The next subset of `beside`; after the last it is the empty one again.
                taken = taken.wrapping_sub(beside) & beside;
                if taken == 0 {
                    break;
                }
            }
        });
        moves.sort_by_key(|mv| -mv.gain);
        moves
    }

    /// The greatest gain of a move of the side to move.
    pub fn largest_gain(&self, position: &Position) -> i32 {
        let mut largest = 0;
        self.ways(position, |_, to, hurl, steps, line| {
            let gain = if position.side == 0 {
                if hurl { 4 } else { 0 }
            } else {
                let dwarfs = self.dwarfs_beside(position, to).count_ones() as i32;
                let any = self.takes_any || line > 1 && steps <= line;
                if any { dwarfs } else { dwarfs.min(1) }
            };
            largest = largest.max(gain);
        });
        largest
    }

    pub fn play(&self, position: &Position, mv: &Move) -> Position {
        let mut next = *position;
        next.cells[usize::from(mv.to)] = next.cells[usize::from(mv.from)];
        next.cells[usize::from(mv.from)] = EMPTY;
        for victim in self.victims(mv) {
            next.cells[usize::from(victim)] = EMPTY;
        }
        next.side = 1 - position.side;
        next
    }

    /// Points of the side to move less those of the other.
    pub fn margin(&self, position: &Position) -> i32 {
        let count = |piece| position.cells.iter().filter(|&&cell| cell == piece).count() as i32;
        let margin = count(PIECES[0]) - 4 * count(PIECES[1]);
        if position.side == 0 { margin } else { -margin }
    }

    /// The value of exactly `plies` plies, exact between `low` and `high` and on the right side of them elsewhere.
    pub fn value(&self, position: &Position, plies: u32, low: i32, high: i32) -> i32 {
        match plies {
            0 => return 0,
            1 => return self.largest_gain(position),
            _ => {}
        }
        let moves = self.moves(position);
        let mut best = None;
        for mv in &moves {
            let floor = best.map_or(low, |best: i32| best.max(low));
            // What this side can still take with the moves that it has left, if the opponent takes nothing.
            let most = mv.gain + MOST_TAKEN[position.side] * ((plies as i32 - 1) / 2);
            if most <= floor {
                best = best.max(Some(most));
                continue;
            }
            let next = self.play(position, mv);
            let value = mv.gain - self.value(&next, plies - 1, mv.gain - high, mv.gain - floor);
            best = best.max(Some(value));
            if value >= high {
                break;
            }
        }
        best.unwrap_or(0)
    }

    /// All moves, each with its value over `plies` plies.
    pub fn values(&self, position: &Position, plies: u32) -> Vec<(Move, i32)> {
        let value = |mv: &Move| {
            let next = self.play(position, mv);
            mv.gain - self.value(&next, plies - 1, -1000, 1000)
        };
        self.moves(position)
            .iter()
            .map(|mv| (*mv, value(mv)))
            .collect()
    }
}
