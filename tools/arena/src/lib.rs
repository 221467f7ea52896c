//! The arena: a tournament manager for engines that speak the protocol of `protocol.md`, with the engine's library as
//! the referee.
//!
//! The floors, each built only on those above it:
//!
//! - [`variant`]: which game is played
//! - [`record`]: what a run leaves behind
//! - [`clock`], [`pulse`]: time of the players, and how late the arena itself is
//! - [`schedule`], [`config`]: who meets whom; what is asked for
//! - [`referee`], [`notation`], [`book`], [`adjudicate`]: the rules, OpenTafl's notation, the openings, decided games
//! - [`lifeline`], [`engine`]: the end of the arena and of all that it started; processes and what they say
//! - [`game`]: one game
//! - [`stats`], [`standings`], [`report`]: what the games amount to, in numbers, tables and a page
//! - [`text`]: games in other forms
//! - [`run`]: all games of a tournament, and what it leaves behind
//! - [`tune`]: numbers of an engine, tuned by games
//! - [`openings`]: where games start
//! - [`compliance`]: whether an engine keeps the protocol

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod adjudicate;
pub mod book;
pub mod clock;
pub mod compliance;
pub mod config;
pub mod engine;
pub mod game;
pub mod lifeline;
pub mod notation;
pub mod openings;
pub mod pulse;
pub mod record;
pub mod referee;
pub mod report;
pub mod run;
pub mod schedule;
pub mod standings;
pub mod stats;
pub mod text;
pub mod tune;
pub mod variant;
