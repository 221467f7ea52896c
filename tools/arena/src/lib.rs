//! The arena: a tournament manager for engines that speak the protocol of `protocol.md`, with the engine's library as
//! the referee.

pub mod compliance;
pub mod openings;
pub mod record;
pub mod text;
