//! Local reply: moves near the opponent's last stone are likelier to be good.

use super::{BySlot, Scene};

/// 3 points at distance one from the last stone, 2 at two, 1 at three.
pub(super) fn points(scene: &Scene<'_>, points: &mut BySlot) {
    points.fill(0.0);
    let Some(last) = scene.last else { return };
    let size = scene.board.size();
    let (x, y) = size.position(last);
    for cell in scene.board.empty_cells() {
        let (cell_x, cell_y) = size.position(cell);
        let (dx, dy) = (cell_x - x, cell_y - y);
        let distance = (dx.abs() + dy.abs() + (dx - dy).abs()) / 2;
        points[cell.index()] = (4 - distance).max(0) as f32;
    }
}
