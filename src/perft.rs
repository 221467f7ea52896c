//! Counting legal move sequences, the test and the benchmark of the rules.

use crate::game::{Game, Move, Moves};

/// Says whether to give up; asked often, so it should be cheap.
pub type Cancel<'a> = &'a dyn Fn() -> bool;

/// The number of legal move sequences of `depth` plies, the last of them counted as sets. `None` if cancelled.
pub fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    cancel: Cancel<'_>,
) -> Option<u64> {
    match depth {
        0 => return Some(1),
        1 => return Some(game.count(position)),
        _ => {}
    }
    let leaf = |child: &G::Position| game.count(child);
    walk(
        game,
        position,
        depth - 1,
        &mut Vec::with_capacity(1024),
        cancel,
        &leaf,
    )
}

/// The same number with every leaf made and its key looked at: what a search pays.
pub fn perft_made<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    cancel: Cancel<'_>,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let leaf = |child: &G::Position| {
        // The key must be wanted, or the compiler leaves it out.
        std::hint::black_box(game.key(child));
        1
    };
    walk(
        game,
        position,
        depth,
        &mut Vec::with_capacity(1024),
        cancel,
        &leaf,
    )
}

/// The number of sequences behind each legal move, in the order of the move list. `None` if cancelled.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    made: bool,
    cancel: Cancel<'_>,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    let mut list = Vec::new();
    if depth > 0 {
        game.generate(position, Moves::All, &mut list);
    }
    let count = if made { perft_made } else { perft };
    let mut total = u64::from(depth == 0);
    for mv in list {
        let nodes = count(game, &game.make(position, mv), depth - 1, cancel)?;
        each(mv, nodes);
        total += nodes;
    }
    Some(total)
}

/// Walks the tree and adds up what `leaf` says of each position at its end.
fn walk<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    list: &mut Vec<Move>,
    cancel: Cancel<'_>,
    leaf: &impl Fn(&G::Position) -> u64,
) -> Option<u64> {
    let start = list.len();
    game.generate(position, Moves::All, list);
    let mut nodes = 0;
    if depth == 1 {
        for &mv in &list[start..] {
            nodes += leaf(&game.make(position, mv));
        }
    } else {
        for index in start..list.len() {
            let child = game.make(position, list[index]);
            nodes += walk(game, &child, depth - 1, list, cancel, leaf)?;
        }
    }
    list.truncate(start);
    (!cancel()).then_some(nodes)
}
