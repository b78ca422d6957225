//! Distance to win: moves on a short way to a bridge or a fork are likelier to be good.

use super::{BySlot, Scene};
use crate::havannah::{Board, Cell};

/// 2n − 1 less the stones that the mover still needs to win through the cell, if above zero.
pub(super) fn own(scene: &Scene<'_>, points: &mut BySlot) {
    let needed = scene.board.stones_needed(scene.mover);
    score(scene.board, |cell| needed[cell.index()], points);
}

/// The same for whichever side needs fewer.
pub(super) fn both(scene: &Scene<'_>, points: &mut BySlot) {
    let own = scene.board.stones_needed(scene.mover);
    let other = scene.board.stones_needed(scene.mover.other());
    score(scene.board, |cell| own[cell.index()].min(other[cell.index()]), points);
}

fn score(board: &Board, needed: impl Fn(Cell) -> u16, points: &mut BySlot) {
    let most = board.size().diameter() as u16;
    for cell in board.empty_cells() {
        points[cell.index()] = f32::from(most.saturating_sub(needed(cell)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::BoardSize;
    use crate::rng::Rng;
    use crate::side::Side;
    use std::collections::VecDeque;

    /// Further than any way on any board.
    const UNREACHABLE: u16 = 1000;

    /// What [`Board::stones_needed`] says, from twelve breadth-first searches.
    fn needed_by_twelve_searches(board: &Board, side: Side) -> Vec<u16> {
        let ways: [Vec<u16>; 12] = std::array::from_fn(|mark| shortest_ways(board, side, mark));
        let nearest = |marks: std::ops::Range<usize>, cell: Cell| {
            let mut ways: Vec<u16> = marks.map(|mark| ways[mark][cell.index()]).collect();
            ways.sort_unstable();
            ways
        };
        let needed = |cell| {
            let (corners, sides) = (nearest(0..6, cell), nearest(6..12, cell));
            (corners[0] + corners[1] - 1).min(sides[0] + sides[1] + sides[2] - 2)
        };
        board
            .size()
            .iter_cells()
            .map(|cell| if board.owner(cell).is_none() { needed(cell) } else { 0 })
            .collect()
    }

    /// Empty cells on the shortest way from the corner or side `mark` to each cell, that cell included; own stones are
    /// free, the opponent's cannot be passed.
    fn shortest_ways(board: &Board, side: Side, mark: usize) -> Vec<u16> {
        let mut way = vec![UNREACHABLE; board.size().cells()];
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
        way
    }

    #[test]
    fn the_flood_finds_the_shortest_ways_in_random_positions_of_every_size() {
        let mut rng = Rng::new(1);
        let (mut unreachable, mut compared) = (0, 0);
        for size in BoardSize::all() {
            for _ in 0..40 {
                let mut board = Board::new(size);
                loop {
                    for side in Side::BOTH {
                        let (expected, needed) =
                            (needed_by_twelve_searches(&board, side), board.stones_needed(side));
                        for cell in board.empty_cells() {
                            assert_eq!(
                                needed[cell.index()],
                                expected[cell.index()],
                                "size {size}, ply {}, {side} at {cell:?}",
                                board.plies()
                            );
                            unreachable += u32::from(expected[cell.index()] >= UNREACHABLE - 1);
                            compared += 1;
                        }
                    }
                    for _ in 0..=rng.below(1 + size.cells() as u32 / 10) {
                        let open: Vec<Cell> = board.legal_moves().collect();
                        if let Some(last) = (open.len() as u32).checked_sub(1) {
                            board.play_unchecked(open[rng.below(last + 1) as usize]);
                        }
                    }
                    if board.outcome().is_some() {
                        break;
                    }
                }
            }
        }
        assert!(unreachable > 500 && compared > 200_000, "{unreachable} of {compared}");
    }
}
