//! Maintain virtual connection: when the opponent has played into one of the two cells between two own stones, a move
//! to the other cell keeps them connected.

use super::scene::Scene;
use crate::havannah::cell::Cell;
use crate::havannah::geometry::OFF_BOARD;
use crate::search::BySlot;
use crate::side::Side;

/// One point for an empty cell next to the opponent's last stone if both cells beside it, going around that stone, are
/// own or off the board.
pub(super) fn points(scene: &Scene<'_>, points: &mut BySlot) {
    points.fill(0.0);
    let Some(last) = scene.last else { return };
    let ring = scene.board.near(last).adjacent;
    let owner = |i: usize| -> Option<Option<Side>> {
        (ring[i % 6] != OFF_BOARD).then(|| scene.board.owner(Cell(ring[i % 6])))
    };
    let holds = |i: usize| owner(i).is_none_or(|owner| owner == Some(scene.mover));
    for i in (0..6).filter(|&i| owner(i) == Some(None)) {
        if holds(i + 5) && holds(i + 1) {
            points[usize::from(ring[i])] = 1.0;
        }
    }
}
