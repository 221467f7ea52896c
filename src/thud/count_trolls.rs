//! Counting the trolls' moves, on all squares at once and without branches where it can be done.
//!
//! With `t` trolls and `n` dwarfs next to an empty square, `t` moves lead there without a capture. Those with captures
//! are `n` for each troll that may take one dwarf, and 2^n − 1 for each move or shove that may take any of them.

use super::CaptureRule;
use super::planes::{Planes, neighbours, product, sum};
use super::position::{Position, next_to};
use super::sets::{back, shoves, step, turn};
use crate::bits::{Bits, Wide};

/// The number of legal moves of the trolls.
pub(super) fn troll_moves(rule: CaptureRule, position: &Position) -> u64 {
    let (dwarfs, trolls, empty) = (position.dwarfs(), position.trolls(), position.empty());
    let beside = neighbours(&trolls);
    let prey = Prey::new(&neighbours(&dwarfs), &empty);
    let like_shoves = match rule {
        CaptureRule::One => !Wide::EMPTY,
        CaptureRule::AnySubset => Wide::EMPTY,
    };
    let east = Lines::new::<1>(&trolls, &empty, &like_shoves);
    let north_east = Lines::new::<17>(&trolls, &empty, &like_shoves);
    let north = Lines::new::<16>(&trolls, &empty, &like_shoves);
    let north_west = Lines::new::<15>(&trolls, &empty, &like_shoves);
    let lines = [&east, &north_east, &north, &north_west];

    // A square with prey has at most seven trolls beside it, and so at most seven moves: three planes will do.
    let plain = product(&beside, &[empty]);
    let landings = Lines::sum(lines, |line| &line.landings);
    let subsets = product(&landings, &prey.subsets);
    let (moves, less) = match rule {
        CaptureRule::One => {
            let along = Lines::sum(lines, |line| &line.moves);
            (
                product(&beside[..3], &prey.number),
                product(&along[..3], &prey.number),
            )
        }
        CaptureRule::AnySubset => (product(&beside[..3], &prey.subsets), Wide::EMPTY),
    };
    let mut count = 0;
    for i in 0..4 {
        count += plain.0[i] + moves.0[i] + subsets.0[i] - less.0[i];
    }

    if prey.crowded.any() {
        count += prey.rest_of_subsets(dwarfs, &landings);
        if rule == CaptureRule::AnySubset {
            count += prey.rest_of_subsets(dwarfs, &beside);
        }
    }
    for (axis, line) in lines.iter().enumerate() {
        if line.quads.any() {
            count += far_shoves(axis, position, prey.subsets[0], line.quads);
        }
    }
    count
}

/// What can be captured from the empty squares.
struct Prey {
    /// The number of dwarfs beside a square, below 8.
    number: [Wide; 3],
    /// The number of non-empty subsets of them, but 7 for the crowded squares.
    subsets: [Wide; 3],
    /// Where there are more than three.
    crowded: Wide,
}

impl Prey {
    #[inline(never)]
    fn new(dwarfs_beside: &Planes, empty: &Wide) -> Self {
        let [ones, twos, fours, eights] = dwarfs_beside.map(|plane| plane & *empty);
        let crowded = fours | eights;
        Prey {
            number: [ones, twos, fours],
            subsets: [ones | twos | crowded, twos | crowded, ones & twos | crowded],
            crowded,
        }
    }

    /// What `subsets` leaves out on crowded squares, for a number of moves to each of them.
    #[inline(never)]
    fn rest_of_subsets(&self, dwarfs: Wide, moves: &Planes) -> u64 {
        let [ones, twos, fours, eights] = *moves;
        let mut count = 0;
        for square in (self.crowded & (ones | twos | fours | eights)).iter() {
            let dwarfs_beside = next_to(dwarfs, square).count_ones();
            let number: u64 = (0..4).map(|i| u64::from(moves[i].has(square)) << i).sum();
            count += number * ((1 << dwarfs_beside) - 8);
        }
        count
    }
}

/// Where trolls can land by virtue of their lines along an axis; two sets each, for the two ways. As a troll's way must
/// be free, a square is reached in one direction by one troll only.
struct Lines {
    /// With a move.
    moves: [Wide; 2],
    /// With a shove of two or three squares, and with a move if that may capture like a shove.
    landings: [Wide; 2],
    /// The trolls that end a line of four in the first direction.
    quads: Wide,
}

impl Lines {
    /// The lines in direction `D` and the opposite one. `like_shoves` is everything or nothing.
    #[inline(never)]
    fn new<const D: i32>(trolls: &Wide, empty: &Wide, like_shoves: &Wide) -> Self {
        let (trolls, empty) = (*trolls, *empty);
        let pairs = trolls & step::<D>(trolls);
        let beyond = step::<D>(pairs);
        let triples = trolls & beyond;
        let ahead1 = beyond & empty;
        let ahead2 = step::<D>(ahead1) & empty;
        let ahead3 = step::<D>(ahead2) & empty & turn(triples, 3 * D);
        let behind1 = turn(pairs, -2 * D) & empty;
        let behind2 = back::<D>(behind1) & empty;
        let behind3 = back::<D>(behind2) & empty & turn(turn(triples, -3 * D), -2 * D);
        Lines {
            moves: [ahead1, behind1],
            landings: [
                ahead1 & *like_shoves | ahead2 | ahead3,
                behind1 & *like_shoves | behind2 | behind3,
            ],
            quads: triples & step::<D>(triples),
        }
    }

    /// In how many directions a square is in the sets picked.
    #[inline(never)]
    fn sum(lines: [&Lines; 4], pick: impl Fn(&Lines) -> &[Wide; 2]) -> Planes {
        let [[a, b], [c, d], [e, f], [g, h]] = lines.map(|line| *pick(line));
        sum([a, b, c, d, e, f, g, h])
    }
}

/// The number of shoves of four squares and more along an axis, both ways, onto squares of `near`.
#[inline(never)]
fn far_shoves(axis: usize, position: &Position, near: Wide, quads: Wide) -> u64 {
    fn both<const D: i32, const BACK: i32>(position: &Position, near: Wide, quads: Wide) -> u64 {
        let (dwarfs, trolls, empty) = (position.dwarfs(), position.trolls(), position.empty());
        let (mut ahead, mut behind) = (0, 0);
        shoves::<D>(4, trolls, empty, near, quads, |_, landing| {
            ahead += subsets(dwarfs, landing);
        });
        let quads = turn(quads, -3 * D);
        shoves::<BACK>(4, trolls, empty, near, quads, |_, landing| {
            behind += subsets(dwarfs, landing);
        });
        ahead + behind
    }
    match axis {
        0 => both::<1, -1>(position, near, quads),
        1 => both::<17, -17>(position, near, quads),
        2 => both::<16, -16>(position, near, quads),
        _ => both::<15, -15>(position, near, quads),
    }
}

/// The number of ways to land on one of these squares and to capture a non-empty subset of the dwarfs beside it.
#[inline(never)]
fn subsets(dwarfs: Wide, landing: Wide) -> u64 {
    landing
        .iter()
        .map(|square| (1 << next_to(dwarfs, square).count_ones()) - 1)
        .sum()
}
