//! Group size: prefers moves that join large groups.

use super::scene::Scene;
use crate::havannah::cell::Cell;
use crate::havannah::params::KnowledgeCompat;
use crate::search::{BySlot, MAX_SLOTS};

/// One point for each stone of the groups that the move would join, and none for a lone stone. The published program
/// also counted the stone itself. It skipped the direction after each own stone that it met, and counted a group each
/// time that it met the group.
pub(super) fn points(scene: &Scene<'_>, points: &mut BySlot) {
    let board = scene.board;
    let mut sizes = [0_u16; MAX_SLOTS];
    for cell in board.occupied_cells().filter(|&cell| scene.is_own(cell)) {
        sizes[board.group(cell)] += 1;
    }
    for cell in board.empty_cells() {
        let ring = board.near(cell).adjacent;
        let around = board.around(cell, scene.mover);
        let own = |i: usize| around >> i & 1 == 1;
        let group = |i: usize| board.group(Cell(ring[i]));
        points[cell.index()] = if scene.compat == KnowledgeCompat::Published {
            let mut size = 1;
            let mut i = 0;
            while i < 6 {
                if own(i) {
                    size += sizes[group(i)];
                    i += 1;
                }
                i += 1;
            }
            f32::from(size)
        } else if around == 0 {
            0.0
        } else {
            let groups: [Option<usize>; 6] = std::array::from_fn(|i| own(i).then(|| group(i)));
            let met = (0..6).filter(|&i| !groups[..i].contains(&groups[i])).filter_map(|i| groups[i]);
            met.map(|group| f32::from(sizes[group])).sum()
        };
    }
}
