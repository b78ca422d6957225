//! Local reply: prefers moves near the opponent's last stone.

use super::scene::Scene;
use crate::search::BySlot;

/// 3 points at distance 1 from the last stone, 2 at distance 2, 1 at distance 3.
pub(super) fn points(scene: &Scene<'_>, points: &mut BySlot) {
    points.fill(0.0);
    let Some(last) = scene.last else { return };
    let size = scene.board.size();
    let (x, y) = size.position(last);
    for (dx, dy) in (-3_i32..=3).flat_map(|dy| (-3_i32..=3).map(move |dx| (dx, dy))) {
        let distance = (dx.abs() + dy.abs() + (dx - dy).abs()) / 2;
        if let (1..=3, Some(cell)) = (distance, size.cell_at(x + dx, y + dy)) {
            points[cell.index()] = (4 - distance) as f32;
        }
    }
}
