//! Set-wise questions about a position: lines, hurls, shoves and reach, for all men of a side at once.
//!
//! Everything walks in steps by a constant number of bits. The empty column 15 and the empty row 15 take up what
//! leaves the board, so that a step needs no mask of its own as long as its result is cut down to squares of play.
//! In one direction every square is reached by one piece at most, so a set of landing squares is a set of moves.

use super::position::Position;
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
        let reached = seen.shift(D);
        let hurlers = reached & lines;
        if hurlers.any() {
            found(distance, hurlers);
        }
        seen = reached & empty;
        lines = dwarfs & lines.shift(-D);
        if seen.is_empty() || lines.is_empty() {
            break;
        }
    }
}

/// Calls `found` with a distance of 2 or more and the squares of `near` on which trolls can land with a shove of it in
/// direction `D`. `pairs` are the trolls with a troll behind them.
#[inline(always)]
pub(super) fn shoves<const D: i32>(
    trolls: Wide,
    empty: Wide,
    near: Wide,
    pairs: Wide,
    mut found: impl FnMut(usize, Wide),
) {
    let mut lines = pairs;
    for distance in 2..=LONGEST {
        let mut landing = lines;
        for _ in 0..distance {
            landing = landing.shift(D) & empty;
            if landing.is_empty() {
                break;
            }
        }
        landing &= near;
        if landing.any() {
            found(distance, landing);
        }
        lines = trolls & lines.shift(D);
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
                    flying = (flying | *set).shift(-D);
                }
                self.1 |= flying;
            }
        }
        let mut targets = Targets(self, Wide::EMPTY);
        targets.all();
        targets.1
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
                let moved = self.trolls.shift(D);
                let mut squares = self.squares | moved & self.empty;
                shoves::<D>(
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
