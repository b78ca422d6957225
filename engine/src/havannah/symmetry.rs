//! The twelve symmetries of the board.

use super::{BoardSize, Cell};

/// The images of a cell under the twelve symmetries of the board: six rotations, and each of them reflected. The first
/// is the cell itself.
#[must_use]
pub fn images(size: BoardSize, cell: Cell) -> [Cell; 12] {
    let centre = i32::from(size.get()) - 1;
    let (x, y) = size.position(cell);
    let (x, y) = (x - centre, y - centre);
    let z = y - x;
    let rotations = [(x, y), (y, z), (z, -x), (-x, -y), (-y, -z), (-z, x)];
    std::array::from_fn(|i| {
        let (x, y) = rotations[i % 6];
        let (x, y) = if i < 6 { (x, y) } else { (y, x) };
        size.cell_at(x + centre, y + centre).expect("a symmetry keeps to the board")
    })
}

/// The position after `moves`, White first, in a form that is the same for all positions that a symmetry or another
/// order of the moves makes equal: the least of the twelve images, White's cells before Black's, each ascending.
#[must_use]
pub fn canonical_position(size: BoardSize, moves: &[Cell]) -> [Vec<Cell>; 2] {
    let images: Vec<[Cell; 12]> = moves.iter().map(|&cell| images(size, cell)).collect();
    let position = |symmetry: usize| {
        let of = |side: usize| {
            let mut cells: Vec<Cell> =
                images.iter().skip(side).step_by(2).map(|image| image[symmetry]).collect();
            cells.sort_unstable();
            cells
        };
        [of(0), of(1)]
    };
    (0..12).map(position).min().expect("there are twelve")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn symmetries_keep_neighbours_together() {
        let size = BoardSize::new(5).expect("size");
        let distance = |a, b| {
            let ((ax, ay), (bx, by)) = (size.position(a), size.position(b));
            ((ax - bx).abs() + (ay - by).abs() + (ax - ay - bx + by).abs()) / 2
        };
        for a in size.iter_cells() {
            for b in size.iter_cells() {
                for (image_a, image_b) in images(size, a).into_iter().zip(images(size, b)) {
                    assert_eq!(distance(image_a, image_b), distance(a, b));
                }
            }
        }
    }

    /// Burnside's lemma: the rotations by 60°, 120° and 180° and their inverses keep no pair of different cells in place
    /// one by one; a reflection keeps those of its axis. An axis through corners has 2n − 1 cells, the other kind n, or
    /// one less if n is even.
    #[test]
    fn there_are_as_many_positions_of_two_stones_as_orbits() {
        for size in BoardSize::all() {
            let cells: Vec<Cell> = size.iter_cells().collect();
            let pairs =
                cells.iter().flat_map(|a| cells.iter().filter(move |b| a != *b).map(move |b| [*a, *b]));
            let kinds: BTreeSet<_> = pairs.map(|pair| canonical_position(size, &pair)).collect();
            let (all, n) = (size.cells(), usize::from(size.get()));
            let on = |axis: usize| axis * (axis - 1);
            let (long, short) = (2 * n - 1, if n % 2 == 1 { n } else { n - 1 });
            assert_eq!(kinds.len(), (all * (all - 1) + 3 * on(long) + 3 * on(short)) / 12, "size {size}");
        }
    }

    #[test]
    fn images_of_a_position_are_the_same_exchanged_sides_not() {
        let size = BoardSize::new(6).expect("size");
        let moves: Vec<Cell> = size.iter_cells().step_by(17).take(5).collect();
        let position = canonical_position(size, &moves);
        for symmetry in 0..12 {
            let image: Vec<Cell> = moves.iter().map(|&cell| images(size, cell)[symmetry]).collect();
            assert_eq!(canonical_position(size, &image), position);
        }
        let other_order = [moves[4], moves[3], moves[0], moves[1], moves[2]];
        assert_eq!(canonical_position(size, &other_order), position);
        let exchanged = [moves[1], moves[0], moves[3], moves[2], moves[4]];
        assert_ne!(canonical_position(size, &exchanged), position);
    }
}
