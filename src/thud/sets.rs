//! Set-wise questions about a position: lines, hurls, shoves and reach, for all men of a side at once.
//!
//! Everything walks in steps by a constant number of bits. The empty column 15 and the empty row 15 take up what
//! leaves the board, so that a step needs no mask of its own as long as its result is cut down to squares of play.
//! In one direction every square is reached by one piece at most, so a set of landing squares is a set of moves.

use super::position::{PLAYING, Position};
use crate::bits::{Bits, Wide};
use crate::grid::{Grid, Grid15};

/// Something done for each of the eight directions, which are compile-time constants.
pub(super) trait Each {
    /// Does it for the direction whose step is `D` bits.
    fn each<const D: i32>(&mut self);

    /// Does it for all directions, in the order of [`ALL`](crate::grid::Direction::ALL).
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

/// For each of the directions east, north-east, north and north-west, the members of `men` that end a line of one man
/// more than those of `lines`.
#[inline(always)]
pub fn longer(men: Wide, lines: [Wide; 4]) -> [Wide; 4] {
    let [e, ne, n, nw] = lines;
    [
        men & step::<1>(e),
        men & step::<17>(ne),
        men & step::<16>(n),
        men & step::<15>(nw),
    ]
}

/// The squares next to a member of the set; the result must be cut down to squares of play, or of the board.
#[inline(always)]
pub fn around(set: Wide) -> Wide {
    let row = step::<1>(set) | back::<1>(set);
    let three = row | set;
    step::<16>(three) | back::<16>(three) | row
}

/// Where men can land who leave a line, for as many steps as it has men but two at least; all but the last step must be
/// over empty squares. The result must be cut down to squares of play.
fn landings(men: &Wide, empty: &Wide) -> Wide {
    struct Landings<'a>(&'a Wide, &'a Wide, Wide);
    impl Each for Landings<'_> {
        #[inline(always)]
        fn each<const D: i32>(&mut self) {
            self.2 |= landings_along::<D>(self.0, self.1);
        }
    }
    let mut landings = Landings(men, empty, Wide::EMPTY);
    landings.all();
    landings.2
}

/// The same in one direction.
///
/// Those of longer lines set out first, and those of shorter ones join them on the way: a step is one for all.
/// Not to be inlined, so that it is vector code; see `planes`.
#[inline(never)]
fn landings_along<const D: i32>(men: &Wide, empty: &Wide) -> Wide {
    let twos = *men & step::<D>(*men);
    let threes = *men & step::<D>(twos);
    let fours = *men & step::<D>(threes);
    let mut flying = threes;
    if fours.any() {
        flying |= from_afar::<D>(men, empty, &fours);
    }
    flying = step::<D>(flying) & *empty | twos;
    step::<D>(step::<D>(flying) & *empty)
}

/// Those of lines of four and more when they have three steps to go.
#[inline(never)]
fn from_afar<const D: i32>(men: &Wide, empty: &Wide, fours: &Wide) -> Wide {
    const { assert!(LONGEST == 7) };
    let fives = *men & step::<D>(*fours);
    let sixes = *men & step::<D>(fives);
    let sevens = *men & step::<D>(sixes);
    let mut flying = sevens;
    for line in [sixes, fives, *fours] {
        flying = step::<D>(flying) & *empty | line;
    }
    step::<D>(flying) & *empty
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
        self.aimed_at() & self.trolls()
    }

    /// The squares on which a troll would stand in the way of a hurl if the dwarfs were to move.
    pub fn aimed_at(&self) -> Wide {
        let dwarfs = self.dwarfs();
        (around(dwarfs) | landings(&dwarfs, &self.empty())) & PLAYING & !dwarfs
    }

    /// The empty squares on which a troll could land if the trolls were to move, with a move or with a shove.
    pub fn troll_reach(&self) -> Wide {
        let (trolls, empty) = (self.trolls(), self.empty());
        (around(trolls) | landings(&trolls, &empty) & around(self.dwarfs())) & empty
    }
}
