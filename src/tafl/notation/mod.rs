//! Rules records: a game of the family as one line of `key:value` words, in the notation that OpenTafl and its engines
//! exchange, with keys of our own for what it can not say.
//!
//! The keys stand here, once for both directions; `read` and `write` go through them. A key that is left out has the
//! value of [`Spec::of_size`].
//!
//! Keys of our own; others skip what they do not know:
//!
//! | key | value | meaning |
//! |---|---|---|
//! | `ks` | `t` | the king is taken by four on a centre square, elsewhere by two |
//! | `kth` | `n` | the empty centre never helps against a king |
//! | `rep` | `d`, `n` | a repetition loses for the defenders, whatever `tfr` says, or, the default, what `tfr` says |
//! | `repn` | number | which occurrence of a position is a repetition; 0 is none, else 2 and more; 3 by default |
//! | `quiet` | number | plies without a capture that end the game; 0, the default, is no limit |
//! | `stuck` | `l`, `d` | a side without a legal move loses, the default, or the game is drawn |
//! | `end` | `o`, `h` | the order of the ends, OpenTafl's, the default, or the house's |
//! | `jt`, `jg` | as `kj` | the jumps of men and guards, who have none in OpenTafl; its key `gj` does nothing there |
//! | `corhe`, `aforhe`, `dforhe` | letters | to whom corners and forts are hostile while empty, if not to the same |
//! | `asis` | `y` | what the record says counts, even if OpenTafl plays another game under its name |

mod host;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use host::RECORDS;

use super::spec::{
    ATTACKER_FORT, Berserk, CENTRE, COMMANDER, CORNER, DEFENDER_FORT, Ends, GUARD, Goal, Jump,
    KING, KNIGHT, Letters, MAN, MERCENARY, Repeated, ShieldWall, Spec, Stuck, Surround,
};
use crate::game::Side;

/// The board sizes that there are.
pub const SIZES: [u8; 6] = [7, 9, 11, 13, 15, 19];

/// Most pieces that a start position may have.
pub const MOST_PIECES: usize = 254;

/// Who may enter when a record says nothing.
const EVERYBODY: Letters = Letters(u16::MAX);

/// A key, and how its value goes into a game and comes out of it.
struct Key {
    name: &'static str,
    read: fn(&mut Spec, &str) -> Result<(), String>,
    write: fn(&Spec) -> String,
}

/// Words and what they mean. The first is what a word that is not among them means; the first with a meaning is written.
type Words<T> = [(&'static str, T)];

const NO_YES: &Words<bool> = &[("n", false), ("y", true)];
const FIRST: &Words<Side> = &[("n", Side::Second), ("y", Side::First)];
const GOAL: &Words<Goal> = &[("e", Goal::Edge), ("c", Goal::Corners)];
const REPEATED: &Words<Repeated> = &[
    ("d", Repeated::Draws),
    ("w", Repeated::MoverWins),
    ("l", Repeated::MoverLoses),
];
/// Whether a repetition loses for the defenders, whatever else is said of it.
const DEFENDERS_LOSE: &Words<bool> = &[("n", false), ("d", true)];
/// Whether the king captures as the piece that moves, and as the one that waits.
const ARMED: &Words<(bool, bool)> = &[
    ("y", (true, true)),
    ("n", (false, false)),
    ("h", (true, false)),
    ("a", (false, true)),
];
const SURROUND: &Words<Surround> = &[
    ("s", Surround::Four),
    ("c", Surround::NearCentre),
    ("m", Surround::Existing),
    ("w", Surround::Two),
    ("t", Surround::OnCentre),
    ("n", Surround::Two),
];
const JUMP: &Words<Jump> = &[
    ("n", Jump::Never),
    ("r", Jump::Restricted),
    ("j", Jump::Free),
    ("c", Jump::Captures),
];
const SHIELD_WALL: &Words<ShieldWall> = &[
    ("n", ShieldWall::None),
    ("w", ShieldWall::Pieces),
    ("s", ShieldWall::PiecesAndCorners),
];
const BERSERK: &Words<Berserk> = &[
    ("n", Berserk::None),
    ("c", Berserk::WhileItCaptures),
    ("m", Berserk::WhileItMoves),
];
const STUCK: &Words<Stuck> = &[("l", Stuck::Loses), ("d", Stuck::Draws)];
const ENDS: &Words<Ends> = &[("o", Ends::Host), ("h", Ends::House)];

/// A key whose values are words: any other is read as the first of them.
macro_rules! words {
    ($name:literal, $words:ident, $($field:tt)+) => {
        Key {
            name: $name,
            read: |spec, value| {
                spec.$($field)+ = read::word($words, value).unwrap_or($words[0].1);
                Ok(())
            },
            write: |spec| write::word($words, spec.$($field)+),
        }
    };
}

/// A key of our own whose values are words: any other is an error.
macro_rules! own_words {
    ($name:literal, $words:ident, $($field:tt)+) => {
        Key {
            name: $name,
            read: |spec, value| {
                spec.$($field)+ = read::known_word($words, value)?;
                Ok(())
            },
            write: |spec| write::word($words, spec.$($field)+),
        }
    };
}

/// A key whose value is read and written by a pair of functions.
macro_rules! key {
    ($name:literal, $read:path, $write:path, $($field:tt)+) => {
        Key {
            name: $name,
            read: |spec, value| {
                spec.$($field)+ = $read(value)?;
                Ok(())
            },
            write: |spec| $write(&spec.$($field)+),
        }
    };
}

macro_rules! letters {
    ($name:literal, $($field:tt)+) => { key!($name, read::letters, write::letters, $($field)+) };
}

macro_rules! squares {
    ($name:literal, $zone:ident) => {
        Key {
            name: $name,
            read: |spec, value| {
                spec.zones[$zone].squares = read::squares(value, spec.size)?;
                Ok(())
            },
            write: |spec| write::squares(&spec.zones[$zone].squares),
        }
    };
}

/// The keys in the order in which they are written, but for `dim` and the start, which frame them, and the re-entry
/// keys, which depend on each other.
static KEYS: &[Key] = &[
    key!("name", read::name, write::name, name),
    words!("esc", GOAL, goal),
    words!("surf", NO_YES, encirclement),
    words!("atkf", FIRST, first),
    words!("tfr", REPEATED, repeated),
    Key {
        name: "rep",
        read: |spec, value| {
            if read::known_word(DEFENDERS_LOSE, value)? {
                spec.repeated = Repeated::DefendersLose;
            }
            Ok(())
        },
        write: |spec| {
            let loses = spec.repeated == Repeated::DefendersLose;
            write::word(DEFENDERS_LOSE, loses)
        },
    },
    key!("repn", read::occurrence, u32::to_string, limits.repetition),
    key!("quiet", read::number, u32::to_string, limits.quiet),
    own_words!("stuck", STUCK, stuck),
    own_words!("end", ENDS, ends),
    Key {
        name: "ka",
        read: |spec, value| {
            (spec.king_hammer, spec.king_anvil) = read::word(ARMED, value).unwrap_or(ARMED[0].1);
            Ok(())
        },
        write: |spec| write::word(ARMED, (spec.king_hammer, spec.king_anvil)),
    },
    words!("ks", SURROUND, surround),
    own_words!("kth", NO_YES, throne_takes_king),
    words!("kj", JUMP, jumps[KING]),
    words!("nj", JUMP, jumps[KNIGHT]),
    words!("cj", JUMP, jumps[COMMANDER]),
    words!("mj", JUMP, jumps[MERCENARY]),
    own_words!("jt", JUMP, jumps[MAN]),
    own_words!("jg", JUMP, jumps[GUARD]),
    key!("spd", read::speed, write::speed, speed),
    squares!("cor", CORNER),
    squares!("cen", CENTRE),
    squares!("afor", ATTACKER_FORT),
    squares!("dfor", DEFENDER_FORT),
    letters!("corh", zones[CORNER].hostile),
    letters!("cenh", zones[CENTRE].hostile),
    letters!("cenhe", zones[CENTRE].hostile_empty),
    letters!("aforh", zones[ATTACKER_FORT].hostile),
    letters!("dforh", zones[DEFENDER_FORT].hostile),
    letters!("corp", zones[CORNER].pass),
    letters!("cenp", zones[CENTRE].pass),
    letters!("aforp", zones[ATTACKER_FORT].pass),
    letters!("dforp", zones[DEFENDER_FORT].pass),
    letters!("cors", zones[CORNER].stop),
    letters!("cens", zones[CENTRE].stop),
    letters!("afors", zones[ATTACKER_FORT].stop),
    letters!("dfors", zones[DEFENDER_FORT].stop),
    words!("sw", SHIELD_WALL, shield_wall),
    words!("swf", NO_YES, wall_needs_mover),
    words!("efe", NO_YES, edge_fort),
    words!("linc", NO_YES, linnaean),
    words!("ber", BERSERK, berserk),
];

/// The keys of those to whom zones are hostile while empty, and the zones; if one is left out, these are the same as
/// while a piece stands there. The centre has a key and a default of its own.
const WHEN_EMPTY: [(&str, usize); 3] = [
    ("corhe", CORNER),
    ("aforhe", ATTACKER_FORT),
    ("dforhe", DEFENDER_FORT),
];

/// The keys of re-entry, and their zones. They count only together with [`CENTRE_ENTRY`]; if that is given, one that is
/// missing means nobody.
const ENTRIES: [(&str, usize); 4] = [
    (CENTRE_ENTRY, CENTRE),
    ("corre", CORNER),
    ("aforre", ATTACKER_FORT),
    ("dforre", DEFENDER_FORT),
];
const CENTRE_ENTRY: &str = "cenre";

/// The key under which a record is taken at its word, see [`EXCEPTIONS`].
const AS_IT_IS: &str = "asis";

/// Records, by place in [`RECORDS`], that OpenTafl writes for a game that it plays otherwise, and the keys that say what
/// it plays.
const EXCEPTIONS: [(usize, &str); 2] = [(8, "cenhe:tT"), (9, "cenh: cenhe:")];
