//! Position texts that are the same up to a turn or a reflection of the board, as far as the rules are the same.

use crate::text::rows::{self, Board};
use crate::variant::Variant;

/// Which of the eight images of a board are played by the same rules, in the order of [`images`].
pub(super) struct Symmetries([bool; 8]);

impl Symmetries {
    /// Those that leave every special square what it is; Thud's board has none that tells its sides apart.
    pub(super) fn of(variant: &Variant) -> Self {
        let Some(spec) = variant.spec() else {
            return Symmetries([true; 8]);
        };
        // A square of several types is of the last of them, and has the letter of its type.
        let mut board = vec![vec![None; usize::from(spec.size)]; usize::from(spec.size)];
        for (zone, letter) in spec.zones.iter().zip('a'..) {
            for &(file, rank) in &zone.squares {
                let row = board.get_mut(usize::from(rank));
                if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(file))) {
                    *cell = Some(letter);
                }
            }
        }
        Symmetries(images(&board).map(|image| image == board))
    }
}

/// The four turns of a board, each followed by its reflection; the board itself comes first.
fn images(board: &Board) -> [Board; 8] {
    let mut turn = board.clone();
    let mut images = std::array::from_fn(|_| Board::new());
    for pair in images.chunks_exact_mut(2) {
        pair[1] = turn.iter().rev().cloned().collect();
        let next = turned(&turn);
        pair[0] = std::mem::replace(&mut turn, next);
    }
    images
}

/// The one of the images of the `ROWS` of a position text that comes first in the order of texts.
///
/// The text must be one that the engine wrote: as many rows as columns.
pub(super) fn canonical(text: &str, symmetries: &Symmetries) -> String {
    let images = images(&rows::read(text));
    let same = images
        .iter()
        .zip(symmetries.0)
        .filter(|(_, is_same)| *is_same);
    same.map(|(image, _)| rows::write(image))
        .min()
        .unwrap_or_default()
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

    const ALL: Symmetries = Symmetries([true; 8]);

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
        let texts: BTreeSet<String> = same.into_iter().map(|rows| canonical(rows, &ALL)).collect();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert_eq!(same.iter().collect::<BTreeSet<_>>().len(), 8);
        assert_ne!(canonical("ab1/2c/3", &ALL), canonical("ba1/2c/3", &ALL));
    }

    #[test]
    fn starts_are_their_own_images() {
        for name in huscarl::variants::names() {
            let variant: Variant = name.parse().unwrap();
            assert_eq!(Symmetries::of(&variant).0, [true; 8], "{name}");
            let start = crate::text::replay::facts(&variant).expect("known").start;
            let rows = start.split(' ').next().expect("rows");
            let is_own = |image: &Board| rows::write(image) == rows;
            // Berserk has one knight.
            let is_same = images(&rows::read(rows)).iter().all(is_own);
            assert_eq!(is_same, name != "berserk", "{name}");
        }
        let long = "11/11/10t/11/11/11/11/11/11/11/11";
        assert_eq!(
            canonical(long, &ALL),
            canonical("2t8/11/11/11/11/11/11/11/11/11/11", &ALL)
        );
    }

    #[test]
    fn special_squares_break_symmetries() {
        let rules = "dim:7 name:x cor:a1,g1 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        let variant = Variant::recorded("x", Some(rules)).expect("reads");
        let symmetries = Symmetries::of(&variant);
        let [left, right, top] = ["7/7/7/7/7/7/1t5", "7/7/7/7/7/7/5t1", "1t5/7/7/7/7/7/7"];
        assert_eq!(canonical(left, &symmetries), canonical(right, &symmetries));
        assert_ne!(canonical(left, &symmetries), canonical(top, &symmetries));
        assert_eq!(symmetries.0.iter().filter(|&&same| same).count(), 2);
    }
}
