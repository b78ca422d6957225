//! Distance to win: moves on a short way to a bridge or a fork are likelier to be good.

use super::{BySlot, Scene};
use crate::game::MAX_SLOTS;
use crate::havannah::{Board, Cell};
use crate::side::Side;
use std::collections::VecDeque;

/// 2n − 1 less the stones that the mover still needs to win through the cell, if above zero.
pub(super) fn own(scene: &Scene<'_>, points: &mut BySlot) {
    let needed = stones_needed(scene.board, scene.mover);
    score(scene.board, |cell| needed[cell.index()], points);
}

/// The same for whichever side needs fewer.
pub(super) fn both(scene: &Scene<'_>, points: &mut BySlot) {
    let own = stones_needed(scene.board, scene.mover);
    let other = stones_needed(scene.board, scene.mover.other());
    score(scene.board, |cell| own[cell.index()].min(other[cell.index()]), points);
}

fn score(board: &Board, needed: impl Fn(Cell) -> u32, points: &mut BySlot) {
    let most = board.size().diameter() as u32;
    for cell in board.empty_cells() {
        points[cell.index()] = most.saturating_sub(needed(cell)) as f32;
    }
}

/// Further than any way on any board.
const UNREACHABLE: u32 = 1000;

/// Stones that `side` needs, the one on the cell included, to connect two corners or three sides through each cell: the
/// estimate of the thesis from twelve shortest ways, which may share cells.
pub(crate) fn stones_needed(board: &Board, side: Side) -> [u32; MAX_SLOTS] {
    let mut ways = [[UNREACHABLE; MAX_SLOTS]; 12];
    for (mark, way) in ways.iter_mut().enumerate() {
        shortest_ways(board, side, mark, way);
    }
    std::array::from_fn(|cell| {
        let (mut corners, mut sides) = (
            std::array::from_fn::<u32, 6, _>(|i| ways[i][cell]),
            std::array::from_fn::<u32, 6, _>(|i| ways[6 + i][cell]),
        );
        corners.sort_unstable();
        sides.sort_unstable();
        // An empty cell is on every way and counts once; a cell with a stone costs nothing.
        let bridge = (corners[0] + corners[1]).saturating_sub(1);
        let fork = (sides[0] + sides[1] + sides[2]).saturating_sub(2);
        bridge.min(fork)
    })
}

/// Empty cells on the shortest way from the corner or side `mark` to each cell, that cell included; own stones are
/// free, the opponent's cannot be passed.
fn shortest_ways(board: &Board, side: Side, mark: usize, way: &mut [u32; MAX_SLOTS]) {
    let cost = |cell: Cell| match board.owner(cell) {
        None => Some(1),
        Some(owner) if owner == side => Some(0),
        Some(_) => None,
    };
    let mut waiting = VecDeque::new();
    for cell in board.size().iter_cells().filter(|&cell| board.border(cell) >> mark & 1 == 1) {
        if let Some(cost) = cost(cell) {
            way[cell.index()] = cost;
            if cost == 0 { waiting.push_front(cell) } else { waiting.push_back(cell) }
        }
    }
    while let Some(cell) = waiting.pop_front() {
        for near in Scene::cells(&board.near(cell).adjacent) {
            let Some(cost) = cost(near) else { continue };
            let longer = way[cell.index()] + cost;
            if longer < way[near.index()] {
                way[near.index()] = longer;
                if cost == 0 { waiting.push_front(near) } else { waiting.push_back(near) }
            }
        }
    }
}
