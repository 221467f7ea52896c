//! Huscarl: an engine for board games between unequal armies.
//!
//! The floors of the house, each built only on those above it:
//!
//! - [`bits`], [`zobrist`], [`grid`]: sets of squares, hash keys, boards
//! - [`game`]: what every game is
//! - [`tafl`], [`thud`]: the rules of each family
//! - [`perft`], [`record`]: counting move sequences; a game in progress
//! - [`eval`]: the value of a position
//! - [`search`]: the search and its threads
//! - [`session`], [`variants`]: one game behind an object-safe face, and which games there are
//! - [`protocol`]: text in, text out
//! - [`play`]: a person at the terminal

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod bench;
pub mod bits;
pub mod eval;
pub mod game;
pub mod grid;
pub mod perft;
pub mod play;
pub mod protocol;
pub mod record;
pub mod score;
pub mod search;
pub mod session;
pub mod tafl;
pub mod thud;
pub mod variants;
pub mod zobrist;
