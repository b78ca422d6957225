//! Locality: prefers moves near stones.

use super::scene::Scene;
use crate::havannah::cell::Cell;
use crate::havannah::params::KnowledgeCompat;
use crate::search::BySlot;

/// 3 points next to an own stone, 2 points at a two-bridge from one, 1 point at distance 2 in a straight line. The
/// maximum over all stones counts. The published program combined the numbers by bitwise OR, so that 2 and 1 made 3.
pub(super) fn own(scene: &Scene<'_>, points: &mut BySlot) {
    near_stones(scene, scene.board.occupied_cells().filter(|&stone| scene.is_own(stone)), points);
}

/// The same for stones of both sides. The version of the program that had this heuristic also combined 2 and 1 to 3.
pub(super) fn any(scene: &Scene<'_>, points: &mut BySlot) {
    near_stones(scene, scene.board.occupied_cells(), points);
}

fn near_stones(scene: &Scene<'_>, stones: impl Iterator<Item = Cell>, points: &mut BySlot) {
    let bitwise = scene.compat == KnowledgeCompat::Published;
    points.fill(0.0);
    for stone in stones {
        let near = scene.board.near(stone);
        for (cells, worth) in [(&near.adjacent, 3.0), (&near.bridges, 2.0), (&near.straight, 1.0)] {
            for cell in Scene::cells(cells) {
                let now = &mut points[cell.index()];
                // The OR of two of the numbers 1, 2 and 3 differs from their maximum only for 1 and 2.
                let both = bitwise && *now + worth == 3.0 && *now > 0.0;
                *now = if both { 3.0 } else { now.max(worth) };
            }
        }
    }
}
