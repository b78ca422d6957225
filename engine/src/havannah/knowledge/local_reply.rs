//! Local reply: moves near the opponent's last stone are likelier to be good.

use super::scene::Scene;
use crate::search::BySlot;

/// 3 points at distance one from the last stone, 2 at two, 1 at three.
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
