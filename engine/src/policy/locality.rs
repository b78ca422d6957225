//! Locality: moves near stones are likelier to be good.

use super::{BySlot, Scene};
use crate::havannah::Cell;
use crate::params::KnowledgeCompat;

/// 3 points next to an own stone, 2 at a two-bridge from one, 1 at distance two in a straight line; the most of these.
/// The published program combined the numbers bit by bit, so that 2 and 1 made 3.
pub(super) fn own(scene: &Scene<'_>, points: &mut BySlot) {
    let bitwise = scene.compat == KnowledgeCompat::Published;
    for cell in scene.board.empty_cells() {
        points[cell.index()] = near_stones(scene, cell, |stone| scene.is_own(stone), bitwise);
    }
}

/// The same for stones of both sides. The program of that time combined 2 and 1 to 3 as well.
pub(super) fn any(scene: &Scene<'_>, points: &mut BySlot) {
    let bitwise = scene.compat == KnowledgeCompat::Published;
    for cell in scene.board.empty_cells() {
        points[cell.index()] = near_stones(scene, cell, |stone| scene.board.owner(stone).is_some(), bitwise);
    }
}

fn near_stones(scene: &Scene<'_>, cell: Cell, counts: impl Fn(Cell) -> bool, bitwise: bool) -> f32 {
    let near = scene.board.near(cell);
    let any = |cells: &[u16; 6]| Scene::cells(cells).any(&counts);
    if any(&near.adjacent) {
        return 3.0;
    }
    match (any(&near.bridges), any(&near.straight)) {
        (true, true) if bitwise => 3.0,
        (true, _) => 2.0,
        (false, true) => 1.0,
        (false, false) => 0.0,
    }
}
