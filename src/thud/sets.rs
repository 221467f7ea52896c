//! Set-wise questions about a position: lines, hurls, shoves and reach, for all men of a side at once.
//!
//! Everything walks in steps by a constant number of bits. The empty column 15 and the empty row 15 take up what
//! leaves the board, so that a step needs no mask of its own as long as its result is cut down to squares of play.
//! In one direction every square is reached by one piece at most, so a set of landing squares is a set of moves.

use super::position::{PLAYING, Position};
use crate::bits::{Bits, Wide};
use crate::grid::{Direction, Grid, Grid15};

/// Something done for each of the eight directions, which are compile-time constants.
pub(super) trait Each {
    /// Does it for the direction whose step is `D` bits.
    fn each<const D: i32>(&mut self);

    /// Does it for all directions, in the order of [`Direction::ALL`].
    #[inline(always)]
    fn all(&mut self) {
        self.each::<1>();
        self.each::<17>();
        self.each::<16>();
        self.each::<15>();
        self.each::<-1>();
        self.each::<-17>();
        self.each::<-16>();
        self.each::<-15>();
    }
}

/// The set moved by `D` bits; the result must be cut down to squares of play.
#[inline(always)]
pub(super) fn step<const D: i32>(set: Wide) -> Wide {
    turn(set, D)
}

/// The set moved by `D` bits the other way.
#[inline(always)]
pub(super) fn back<const D: i32>(set: Wide) -> Wide {
    turn(set, -D)
}

/// The set moved by a few steps: up by `by` bits, down if it is negative, less than 64.
///
/// The words are turned around rather than shifted, so that all four are treated alike, as vector code wants it. What
/// comes around the ends is not where the piece could go, but it is never on a square that could be entered either: at
/// one step it lies in row 15 or column 15, and at more steps the caller has walked the way over empty squares.
#[inline(always)]
pub(super) fn turn(set: Wide, by: i32) -> Wide {
    let [a, b, c, d] = set.0;
    let n = by.unsigned_abs();
    let m = 64_u32.wrapping_sub(n);
    Wide(match by {
        // Along a row nothing crosses from word to word.
        0..=7 => [a << n, b << n, c << n, d << n],
        -7..0 => [a >> n, b >> n, c >> n, d >> n],
        8.. => [
            a << n | d >> m,
            b << n | a >> m,
            c << n | b >> m,
            d << n | c >> m,
        ],
        ..-7 => [
            a >> n | b << m,
            b >> n | c << m,
            c >> n | d << m,
            d >> n | a << m,
        ],
    })
}

/// The longest line that can ever be of use: a hurl or shove of `k` needs `2k` squares in a row of 15 at most, less one.
const LONGEST: usize = 7;

/// The members of `men` that end a line of at least `length` men pointing in `direction`; `length` 1 is everyone.
pub fn line(men: Wide, direction: Direction, length: u32) -> Wide {
    let mut ends = men;
    for _ in 1..length {
        ends = men & Grid15::step(ends, direction);
        if ends.is_empty() {
            break;
        }
    }
    ends
}

/// Calls `found` with a distance and the dwarfs that can hurl themselves over it, in the direction *opposite* to `D`,
/// onto a troll.
///
/// The walk starts from the trolls: the first dwarf in sight at a distance of `k` needs `k` dwarfs in line from there on.
#[inline(always)]
pub(super) fn hurls<const D: i32>(
    dwarfs: Wide,
    trolls: Wide,
    empty: Wide,
    mut found: impl FnMut(usize, Wide),
) {
    let mut seen = trolls;
    let mut lines = dwarfs;
    for distance in 1..=LONGEST {
        let reached = step::<D>(seen);
        let hurlers = reached & lines;
        if hurlers.any() {
            found(distance, hurlers);
        }
        seen = reached & empty;
        lines = dwarfs & back::<D>(lines);
        if seen.is_empty() || lines.is_empty() {
            break;
        }
    }
}

/// Calls `found` with a distance of `from` or more and the squares of `near` on which trolls can land with a shove of it
/// in direction `D`. `lines` are the trolls that end a line of `from`.
#[inline(always)]
pub(super) fn shoves<const D: i32>(
    from: usize,
    trolls: Wide,
    empty: Wide,
    near: Wide,
    mut lines: Wide,
    mut found: impl FnMut(usize, Wide),
) {
    for distance in from..=LONGEST {
        let mut landing = lines;
        for _ in 0..distance {
            landing = step::<D>(landing) & empty;
            if landing.is_empty() {
                break;
            }
        }
        landing &= near;
        if landing.any() {
            found(distance, landing);
        }
        lines = trolls & step::<D>(lines);
        if lines.is_empty() {
            break;
        }
    }
}

impl Position {
    /// Whether the side to move has a legal move.
    ///
    /// A dwarf with a troll beside him can always hurl, and whatever else a piece may do begins with an empty square.
    #[inline]
    pub fn can_move(&self) -> bool {
        let open = match self.side() {
            crate::game::Side::First => self.empty() | self.trolls(),
            crate::game::Side::Second => self.empty(),
        };
        Grid15::around(self.men(self.side())).meets(open)
    }

    /// The trolls that a dwarf could hurl himself at if the dwarfs were to move.
    pub fn hurl_targets(&self) -> Wide {
        struct Targets<'a>(&'a Position, Wide);
        impl Each for Targets<'_> {
            #[inline(always)]
            fn each<const D: i32>(&mut self) {
                let mut hurlers = [Wide::EMPTY; LONGEST + 1];
                let mut farthest = 0;
                let at = self.0;
                hurls::<D>(at.dwarfs(), at.trolls(), at.empty(), |distance, set| {
                    hurlers[distance] = set;
                    farthest = distance;
                });
                // Back to the trolls, taking in the nearer hurlers on the way.
                let mut flying = Wide::EMPTY;
                for set in hurlers[..=farthest].iter().skip(1).rev() {
                    flying = back::<D>(flying | *set);
                }
                self.1 |= flying;
            }
        }
        let mut targets = Targets(self, Wide::EMPTY);
        targets.all();
        targets.1
    }

    /// The squares on which a troll would stand in the way of a hurl if the dwarfs were to move.
    pub fn aimed_at(&self) -> Wide {
        struct Aimed {
            dwarfs: Wide,
            empty: Wide,
            squares: Wide,
        }
        impl Each for Aimed {
            #[inline(always)]
            fn each<const D: i32>(&mut self) {
                let mut lines = self.dwarfs;
                let mut squares = self.squares | step::<D>(lines);
                for distance in 2..=LONGEST {
                    lines = self.dwarfs & step::<D>(lines);
                    let mut flying = lines;
                    for _ in 1..distance {
                        flying = step::<D>(flying) & self.empty;
                    }
                    if flying.is_empty() {
                        if lines.is_empty() {
                            break;
                        }
                        continue;
                    }
                    squares |= step::<D>(flying);
                }
                self.squares = squares;
            }
        }
        let mut aimed = Aimed {
            dwarfs: self.dwarfs(),
            empty: self.empty(),
            squares: Wide::EMPTY,
        };
        aimed.all();
        aimed.squares & PLAYING & !self.dwarfs()
    }

    /// The empty squares on which a troll could land if the trolls were to move, with a move or with a shove.
    pub fn troll_reach(&self) -> Wide {
        struct Reach {
            trolls: Wide,
            empty: Wide,
            near: Wide,
            squares: Wide,
        }
        impl Each for Reach {
            #[inline(always)]
            fn each<const D: i32>(&mut self) {
                let moved = step::<D>(self.trolls);
                let mut squares = self.squares | moved & self.empty;
                shoves::<D>(
                    2,
                    self.trolls,
                    self.empty,
                    self.near,
                    moved & self.trolls,
                    |_, set| squares |= set,
                );
                self.squares = squares;
            }
        }
        let mut reach = Reach {
            trolls: self.trolls(),
            empty: self.empty(),
            near: Grid15::around(self.dwarfs()),
            squares: Wide::EMPTY,
        };
        reach.all();
        reach.squares
    }
}
