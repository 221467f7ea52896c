//! The command line of the arena.

fn main() {}
