//! The arena: a tournament manager for engines that speak the protocol of `protocol.md`, with the engine's library as
//! the referee.

pub mod record;
pub mod report;
pub mod standings;
pub mod stats;
