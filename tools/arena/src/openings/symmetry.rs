//! Position texts that are the same up to a turn or a reflection of the board.

use crate::text::rows::{self, Board};

/// The one of the eight images of the `ROWS` of a position text that comes first in the order of texts.
///
/// The text must be one that the engine wrote: as many rows as columns.
pub(super) fn canonical(text: &str) -> String {
    let mut board = rows::read(text);
    let mut best: Option<String> = None;
    for _ in 0..4 {
        let mirrored = board.iter().rev().cloned().collect();
        for image in [&board, &mirrored] {
            let text = rows::write(image);
            if best.as_ref().is_none_or(|best| text < *best) {
                best = Some(text);
            }
        }
        board = turned(&board);
    }
    best.unwrap_or_default()
}

/// A quarter turn.
fn turned(board: &Board) -> Board {
    let columns = board.first().map_or(0, Vec::len);
    let column = |file: usize| {
        let cells = board.iter().rev();
        cells.filter_map(|row| row.get(file).copied()).collect()
    };
    (0..columns).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_eight_images_have_one_text() {
        // A board without any symmetry, its turns and reflections written out by hand.
        let same = [
            "ab1/2c/3",
            "1ba/c2/3",
            "3/2c/ab1",
            "3/c2/1ba",
            "2a/2b/1c1",
            "a2/b2/1c1",
            "1c1/b2/a2",
            "1c1/2b/2a",
        ];
        let texts: BTreeSet<String> = same.into_iter().map(canonical).collect();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert_eq!(same.iter().collect::<BTreeSet<_>>().len(), 8);
        assert_ne!(canonical("ab1/2c/3"), canonical("ba1/2c/3"));
    }

    #[test]
    fn starts_are_their_own_images() {
        for name in huscarl::variants::names() {
            let start = crate::text::replay::facts(name).expect("known").start;
            let rows = start.split(' ').next().expect("rows");
            assert_eq!(canonical(rows), rows, "{name}");
        }
        let long = "11/11/10t/11/11/11/11/11/11/11/11";
        assert_eq!(
            canonical(long),
            canonical("2t8/11/11/11/11/11/11/11/11/11/11")
        );
    }
}
