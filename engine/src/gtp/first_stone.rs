//! The first stone under the swap rule: one that gives neither side an advantage.

use crate::havannah::{Board, BoardSize, Cell, images};

/// One cell for each kind of first stone. Cells that the board's symmetries map to each other are of the same kind.
pub(super) fn kinds(size: BoardSize) -> Vec<Cell> {
    size.iter_cells().filter(|&cell| images(size, cell).iter().all(|image| cell <= *image)).collect()
}

/// The kind of first stone with the `value` nearest to one half, and that value. `value` is the mean result that Black can
/// expect by placing a stone.
pub(super) fn fairest(size: BoardSize, mut value: impl FnMut(Cell, Board) -> f32) -> (Cell, f32) {
    let valued = kinds(size).into_iter().map(|cell| {
        let board = Board::after(size, &[cell]).expect("the board is empty");
        (cell, value(cell, board))
    });
    valued.min_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs())).expect("every board has cells")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_as_many_kinds_of_first_stone_as_orbits() {
        let counts: Vec<usize> = BoardSize::all().map(|size| kinds(size).len()).collect();
        // Orbits under the dihedral group of the hexagon, from an independent count.
        assert_eq!(counts, [4, 6, 9, 12, 16, 20, 25, 30]);
    }

    #[test]
    fn the_images_of_all_kinds_are_the_whole_board() {
        for size in BoardSize::all() {
            let all: BTreeSet<Cell> = kinds(size).into_iter().flat_map(|cell| images(size, cell)).collect();
            assert_eq!(all.len(), size.cells());
        }
    }

    #[test]
    fn the_fairest_stone_is_the_one_nearest_to_even() {
        let size = BoardSize::new(4).expect("size");
        let kinds = kinds(size);
        let values = [0.9, 0.1, 0.56, 0.45, 0.7, 0.0];
        let mut left = values.into_iter();
        assert_eq!(fairest(size, |_, _| left.next().expect("one a kind")), (kinds[3], 0.45));
    }
}
