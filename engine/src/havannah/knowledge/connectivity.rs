//! Edge connectivity: prefers moves whose group touches corners and sides.

use super::scene::Scene;
use crate::search::BySlot;

/// One point for each corner and side that the stone's group would touch.
pub(super) fn points(scene: &Scene<'_>, points: &mut BySlot) {
    for cell in scene.board.empty_cells() {
        let own = scene.own_neighbours(cell);
        let marks = own.fold(scene.board.marks(cell), |marks, near| marks | scene.board.marks(near));
        points[cell.index()] = marks.count_ones() as f32;
    }
}
