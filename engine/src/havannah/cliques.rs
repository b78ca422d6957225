//! Group numbers that are fixed before any stone is played. The cells are divided into as few cliques as possible. A
//! clique is a set of cells that are all next to each other, three at most. A stone without an own neighbour begins a
//! group and gives it the number of its clique. That number is free, because two stones of a side in one clique cannot
//! both begin a group.

use super::cell::BoardSize;

/// The clique of every cell, numbered from 0. There are a third as many cliques as cells, rounded up.
pub(super) fn cliques(size: BoardSize) -> Vec<u8> {
    let later = size.iter_cells().map(|cell| {
        let (x, y) = size.position(cell);
        let at = |dx, dy| size.cell_at(x + dx, y + dy).map_or(usize::MAX, |cell| cell.index());
        [at(1, 0), at(0, 1), at(1, 1)]
    });
    let mut cover = Cover { later: later.collect(), clique: vec![None; size.cells()], lacking: 2 };
    let complete = cover.complete(0, 0);
    debug_assert!(complete);
    cover.clique.into_iter().map(Option::unwrap_or_default).collect()
}

/// A partial division into cliques.
struct Cover {
    /// The three neighbours of each cell that come later in order: beside it, below it and between those two.
    later: Vec<[usize; 3]>,
    clique: Vec<Option<u8>>,
    /// How many cells the remaining cliques may lack, in total, to three cells each.
    lacking: usize,
}

impl Cover {
    /// Divides the cells without a clique, from `cell` on, into cliques numbered from `next`. False if that is
    /// impossible.
    fn complete(&mut self, cell: usize, next: u8) -> bool {
        let Some(cell) = (cell..self.clique.len()).find(|&cell| self.clique[cell].is_none()) else {
            return true;
        };
        let [beside, below, between] = self.later[cell];
        let shapes: [&[usize]; 6] =
            [&[beside, between], &[below, between], &[beside], &[below], &[between], &[]];
        for others in shapes {
            let lacks = 2 - others.len();
            let free = |&other: &usize| self.clique.get(other) == Some(&None);
            if lacks > self.lacking || !others.iter().all(free) {
                continue;
            }
            let members = || others.iter().chain([&cell]);
            members().for_each(|&member| self.clique[member] = Some(next));
            self.lacking -= lacks;
            if self.complete(cell + 1, next + 1) {
                return true;
            }
            self.lacking += lacks;
            members().for_each(|&member| self.clique[member] = None);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{Geometry, numbers, with_stride};
    use super::*;

    #[test]
    fn cells_of_a_clique_are_next_to_each_other() {
        for size in BoardSize::all() {
            let cliques = cliques(size);
            let geometry = Geometry::of(size);
            let stated = with_stride!(geometry.stride, W => numbers::<W>());
            assert_eq!(cliques.iter().max().map(|&last| usize::from(last) + 1), Some(stated));
            for a in size.iter_cells() {
                for b in size.iter_cells().filter(|&b| a != b && cliques[a.index()] == cliques[b.index()]) {
                    assert!(geometry.near[a.index()].adjacent.contains(&b.0), "{size} {a:?} {b:?}");
                }
            }
        }
    }
}
