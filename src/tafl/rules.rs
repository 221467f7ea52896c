//! The rules of a tafl game worked out for a board: [`Rules`], sets of squares made from a [`Spec`].
//!
//! The move code reads only sets, so that a question such as "may a man stop here" is one mask whatever the game. What
//! few games have stands behind a few flags. Games that have none of it are played by code in which the flags are known
//! to be off (`FULL` is false): a test of each in every position took half of the speed of counting on 7×7.

use super::spec::{
    CENTRE, CORNER, Ends, Goal, KINDS_OF_SIDE, KING, LETTERS, Letters, MAN, ShieldWall, Spec,
    Stuck, Surround, kind_of,
};
use crate::bits::Bits;
use crate::game::{Outcome, Reason, Side};
use crate::grid::{Direction, Grid};

/// Types of square by who may do what there: none, or the zone with the number before.
const ZONES: usize = 5;

/// The rights of a kind of piece, by the type of the square it stands on.
#[derive(Clone, Debug)]
pub(super) struct Rights<B> {
    /// Squares that it may slide over while they are empty.
    pub pass: [B; ZONES],
    /// Squares on which it may stop.
    pub stop: [B; ZONES],
    /// How many squares it slides at most.
    pub speed: u8,
}

/// Kinds of piece in games that have only men and one king: the men of a side have its index.
pub const KING_INDEX: usize = 2;
/// Their letters' places in [`LETTERS`].
pub(super) const PLAIN_KINDS: [usize; 3] = [
    kind_of(Side::First, MAN),
    kind_of(Side::Second, MAN),
    kind_of(Side::Second, KING),
];

/// A [`Spec`] worked out for a board; without `FULL`, of a game for which [`Rules::is_plain`] holds.
#[derive(Clone, Debug)]
pub struct Rules<G: Grid, const FULL: bool> {
    /// What it was worked out from.
    pub spec: Spec,
    /// Squares on which the king wins.
    pub goal: G::Bits,
    /// Those of them on which he may stop.
    pub(super) home: G::Bits,
    /// Squares from which the king has two ways home if nothing is in them.
    pub(super) crossings: G::Bits,
    /// Squares that attackers' men, defenders' men and the king may slide over while they are empty; for pieces that
    /// stand on no special square.
    pub pass: [G::Bits; 3],
    /// Squares on which they may stop.
    pub stop: [G::Bits; 3],
    /// Squares that, while empty, stand in for an enemy of a side's men.
    pub hostile: [G::Bits; 2],
    /// Squares that, while a man of the side or an unarmed king stands there, stand in for an enemy of the side's men.
    pub hostile_held: [G::Bits; 2],
    /// Squares that, while empty, stand in for an attacker of the king.
    pub hostile_to_king: G::Bits,
    /// Squares on which the king is taken only from all sides.
    pub strong: G::Bits,
    /// Strong squares that lack a side, on which he is therefore never taken.
    pub safe: G::Bits,
    /// Whether rights depend on the square left, or a kind has a speed limit: pieces are then moved one by one.
    odd_moves: bool,
    /// Whether there are captures other than between two.
    more_captures: bool,
    /// Whether the board decides a game in other ways than by the king taken or home.
    judged: bool,
    /// The squares of the edge.
    pub(super) edge: G::Bits,
    /// Squares that close a row at the edge.
    pub(super) closing: G::Bits,
    /// The centre of the board, whatever it is in the game.
    pub(super) middle: G::Bits,
    /// Rights by letter.
    pub(super) rights: [Rights<G::Bits>; LETTERS.len()],
    /// The squares of each zone.
    pub(super) zones: [G::Bits; ZONES - 1],
}

impl<G: Grid, const FULL: bool> Rules<G, FULL> {
    /// Works the sets out. `spec.size` must be the size of the grid.
    pub fn new(spec: Spec) -> Self {
        debug_assert_eq!(spec.size, G::SIDE);
        let none = G::Bits::EMPTY;
        let set = |squares: &[(u8, u8)]| {
            squares.iter().fold(none, |set, &(file, rank)| {
                set | G::Bits::bit(G::square(file, rank))
            })
        };
        let last = G::SIDE - 1;
        let edge = G::squares()
            .filter(|&square| {
                [G::file(square), G::rank(square)]
                    .into_iter()
                    .any(|n| n == 0 || n == last)
            })
            .fold(none, |set, square| set | G::Bits::bit(square));
        let listed: [G::Bits; 4] = std::array::from_fn(|zone| set(&spec.zones[zone].squares));
        // A square in several lists is of the last of them.
        let zones: [G::Bits; 4] = std::array::from_fn(|zone| {
            listed[zone + 1..]
                .iter()
                .fold(listed[zone], |set, &later| set & !later)
        });

        let hostile = |letters: fn(&super::spec::Zone) -> Letters, side: Side| {
            (0..4)
                .filter(|&zone| letters(&spec.zones[zone]).has(kind_of(side, MAN)))
                .fold(none, |set, zone| set | zones[zone])
        };
        let hostile_empty = Side::BOTH.map(|side| hostile(|zone| zone.hostile_empty, side));
        let hostile_held = Side::BOTH.map(|side| hostile(|zone| zone.hostile, side));
        let hostile_to_king = if spec.throne_takes_king {
            hostile_empty[1]
        } else {
            hostile_empty[1] & !zones[CENTRE]
        };
        let centre = listed[CENTRE];
        let strong = match spec.surround {
            Surround::Four | Surround::Existing => G::BOARD,
            Surround::NearCentre => centre | G::beside(centre),
            Surround::OnCentre => centre,
            Surround::Two => none,
        };
        let safe = match spec.surround {
            Surround::Existing => none,
            _ => strong & edge,
        };
        let rights = std::array::from_fn(|kind| rights::<G>(&spec, &zones, kind));
        let plain = PLAIN_KINDS.map(|kind| &rights[kind]);
        let odd_moves = plain.iter().any(|rights| {
            rights.speed != u8::MAX
                || (1..ZONES).any(|zone| {
                    let stays = |set: &[G::Bits; ZONES]| set[zone] == set[0];
                    zones[zone - 1].any() && !(stays(&rights.pass) && stays(&rights.stop))
                })
        });
        let goal = match spec.goal {
            Goal::Edge => edge,
            Goal::Corners => listed[CORNER],
        };
        let home = goal & plain[KING_INDEX].stop[0];
        let pass = plain[KING_INDEX].pass[0];
        Rules {
            goal,
            home,
            crossings: Self::crossings(G::slides(home & pass, pass)),
            pass: plain.map(|rights| rights.pass[0]),
            stop: plain.map(|rights| rights.stop[0]),
            hostile: hostile_empty,
            hostile_held,
            hostile_to_king,
            strong,
            safe,
            odd_moves,
            more_captures: spec.shield_wall != ShieldWall::None || spec.linnaean,
            judged: spec.ends == Ends::Host || spec.edge_fort || spec.encirclement,
            edge,
            closing: match spec.shield_wall {
                ShieldWall::PiecesAndCorners => zones[CORNER],
                _ => none,
            },
            middle: set(&[(G::SIDE / 2, G::SIDE / 2)]),
            rights,
            zones,
            spec,
        }
    }

    /// Whether the game has nothing that needs the full rules.
    pub fn is_plain(&self) -> bool {
        let held = self.hostile_held[0] | self.hostile_held[1];
        // Only a king who has won stands on a goal where nobody else may stop.
        let kept_free = self.goal & !self.stop[0] & !self.stop[1];
        !(self.odd_moves || self.more_captures || self.judged)
            && self.spec.king_hammer
            && self.spec.king_anvil
            && (held & !kept_free).is_empty()
            && self.safe.is_empty()
    }

    #[inline(always)]
    pub(super) fn odd_moves(&self) -> bool {
        FULL && self.odd_moves
    }

    #[inline(always)]
    pub(super) fn more_captures(&self) -> bool {
        FULL && self.more_captures
    }

    #[inline(always)]
    pub(super) fn judged(&self) -> bool {
        FULL && self.judged
    }

    #[inline(always)]
    pub(super) fn king_hammer(&self) -> bool {
        !FULL || self.spec.king_hammer
    }

    #[inline(always)]
    pub(super) fn king_anvil(&self) -> bool {
        !FULL || self.spec.king_anvil
    }

    /// [`Rules::hostile_held`] of a side's squares.
    #[inline(always)]
    pub(super) fn held_against(&self, side: Side) -> G::Bits {
        if FULL {
            self.hostile_held[side.index()]
        } else {
            G::Bits::EMPTY
        }
    }

    /// Whether the king stands where he is never taken.
    #[inline(always)]
    pub(super) fn is_safe(&self, king: G::Bits) -> bool {
        FULL && king.meets(self.safe)
    }

    /// The type of a square: 0, or the number of its zone and 1.
    pub(super) fn zone_of(&self, square: u16) -> usize {
        self.zones
            .iter()
            .position(|zone| zone.has(square))
            .map_or(0, |zone| zone + 1)
    }

    /// The squares that a piece of a kind can slide to, one by one.
    pub(super) fn slides_from(&self, kind: usize, from: u16, occupied: G::Bits) -> G::Bits {
        let zone = self.zone_of(from);
        let rights = &self.rights[kind];
        let free = rights.pass[zone] & !occupied;
        let mut reached = G::Bits::EMPTY;
        for direction in Direction::ORTHOGONAL {
            let mut arrival = G::Bits::bit(from);
            for _ in 0..rights.speed.min(G::SIDE) {
                arrival = G::step(arrival, direction) & free;
                if arrival.is_empty() {
                    break;
                }
                reached |= arrival;
            }
        }
        reached & rights.stop[zone]
    }

    /// The mark and the name of a square that means something while it is empty.
    pub(super) fn special(&self, square: u16) -> Option<(char, &'static str)> {
        if self.goal.has(square) {
            return Some((':', "the king's goal"));
        }
        match self.zone_of(square) {
            0 => None,
            1 => Some((':', "corner")),
            2 if self.pass[0].has(square) => Some(('+', "castle")),
            2 => Some(('+', "throne")),
            3 => Some(('-', "attackers' fort")),
            _ => Some(('-', "defenders' fort")),
        }
    }

    /// The outcome of a game that ends with `mover` to move for a reason that is not on the board.
    pub(super) fn called_off(&self, mover: Side, reason: Reason) -> Outcome {
        let winner = match reason {
            Reason::Repetition => self.spec.repeated.winner(mover),
            _ => None,
        };
        Outcome::plain(winner, reason)
    }

    /// The side that a stuck side to move loses to; `None` for a draw.
    pub(super) fn winner_over_stuck(&self, stuck: Side) -> Option<Side> {
        match self.spec.stuck {
            Stuck::Loses => Some(!stuck),
            Stuck::Draws => None,
        }
    }
}

/// What a kind may do from a square of each type.
fn rights<G: Grid>(spec: &Spec, zones: &[G::Bits; 4], kind: usize) -> Rights<G::Bits> {
    let plain = zones.iter().fold(G::BOARD, |board, &zone| board & !zone);
    let allowed = |letters: fn(&super::spec::Zone) -> Letters, from: usize| {
        (0..4)
            .filter(|&zone| {
                let rules = &spec.zones[zone];
                letters(rules).has(kind) && (rules.enter.has(kind) || from == zone + 1)
            })
            .fold(plain, |set, zone| set | zones[zone])
    };
    let pass = std::array::from_fn(|from| allowed(|zone| zone.pass, from));
    let stop = std::array::from_fn(|from| allowed(|zone| zone.stop, from));
    Rights {
        pass,
        stop,
        speed: match spec.speed[kind] {
            0 => u8::MAX,
            speed => speed,
        },
    }
}

const _: () = assert!(KINDS_OF_SIDE * 2 == LETTERS.len());
