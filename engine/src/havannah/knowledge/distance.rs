//! Distance to win: prefers moves on a short path to a bridge or a fork.

use super::scene::Scene;
use crate::havannah::board::Board;
use crate::havannah::cell::{BoardSize, Cell};
use crate::havannah::params::DistanceCompat;
use crate::search::BySlot;
use crate::side::Side;

/// 2n − 1 minus the number of stones that the mover still needs to win through the cell, but at least 0.
pub(super) fn own(scene: &Scene<'_>, points: &mut BySlot) {
    let needed = needed_by(scene)(scene.mover);
    score(scene.board, |cell| needed[cell.index()], points);
}

/// The same for the side that needs fewer stones.
pub(super) fn both(scene: &Scene<'_>, points: &mut BySlot) {
    let [own, other] = [scene.mover, scene.mover.other()].map(needed_by(scene));
    score(scene.board, |cell| own[cell.index()].min(other[cell.index()]), points);
}

/// The stones that a side needs to win through each cell.
///
/// The published program followed paths from each corner and side for n stones only. It also extended paths in the
/// three forward directions only, which loses nothing: where a path turns by more than 60 degrees, the cells before and
/// after the turn are neighbours, and the cell between them is not needed.
fn needed_by<'a>(scene: &'a Scene<'_>) -> impl Fn(Side) -> [u16; BoardSize::MAX.cells()] + 'a {
    |side| match scene.distance_compat {
        DistanceCompat::Off => scene.board.stones_needed(side),
        DistanceCompat::Published => {
            scene.board.stones_needed_within(side, u16::from(scene.board.size().get()))
        }
    }
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
    use crate::havannah::geometry::OFF_BOARD;
    use crate::rng::Rng;
    use crate::search::Game;
    use std::collections::VecDeque;

    /// More stones than any path on any board has.
    const UNREACHABLE: u16 = 1000;

    /// How a flood spreads from a cell.
    #[derive(Clone, Copy, PartialEq)]
    enum Flood {
        /// To all six neighbours.
        True,
        /// As in the published program: to the three neighbours ahead, and not from cells that are n stones away.
        Published,
    }

    /// [`Board::stones_needed`] by twelve breadth-first searches.
    fn needed_by_twelve_searches(board: &Board, side: Side, flood: Flood) -> Vec<u16> {
        let distances: [Vec<u16>; 12] = std::array::from_fn(|mark| distances_from(board, side, mark, flood));
        let nearest = |marks: std::ops::Range<usize>, cell: Cell| {
            let mut nearest: Vec<u16> = marks.map(|mark| distances[mark][cell.index()]).collect();
            nearest.sort_unstable();
            nearest
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

    /// By cell: the number of empty cells on the shortest path from the corner or side `mark`, the cell included. Own
    /// stones cost nothing; the opponent's stones block.
    fn distances_from(board: &Board, side: Side, mark: usize, flood: Flood) -> Vec<u16> {
        let mut distance = vec![UNREACHABLE; board.size().cells()];
        // Each cell with the direction in which the flood entered it.
        let mut waiting: VecDeque<(Cell, Option<usize>)> = VecDeque::new();
        let cost = |cell: Cell| match board.owner(cell) {
            None => Some(1),
            Some(owner) if owner == side => Some(0),
            Some(_) => None,
        };
        for cell in board.size().iter_cells().filter(|&cell| board.border(cell) >> mark & 1 == 1) {
            if let Some(cost) = cost(cell) {
                distance[cell.index()] = cost;
                if cost == 0 { waiting.push_front((cell, None)) } else { waiting.push_back((cell, None)) }
            }
        }
        while let Some((cell, entered)) = waiting.pop_front() {
            if flood == Flood::Published && distance[cell.index()] >= u16::from(board.size().get()) {
                continue;
            }
            for direction in 0..6 {
                let turn = entered.map_or(0, |entered| (direction + 6 - entered) % 6);
                let near = board.near(cell).adjacent[direction];
                if near == OFF_BOARD || (flood == Flood::Published && matches!(turn, 2..=4)) {
                    continue;
                }
                let Some(cost) = cost(Cell(near)) else { continue };
                let (near, entered) = (Cell(near), Some(direction));
                let longer = distance[cell.index()] + cost;
                if longer < distance[near.index()] {
                    distance[near.index()] = longer;
                    if cost == 0 {
                        waiting.push_front((near, entered))
                    } else {
                        waiting.push_back((near, entered))
                    }
                }
            }
        }
        distance
    }

    /// Calls `check` with random positions of every size.
    fn random_positions(mut check: impl FnMut(&Board)) {
        let mut rng = Rng::new(1);
        for size in BoardSize::all() {
            for _ in 0..40 {
                let mut board = Board::new(size);
                loop {
                    check(&board);
                    for _ in 0..=rng.below(1 + size.cells() as u32 / 10) {
                        let open: Vec<Cell> = board.legal_moves().collect();
                        if let Some(last) = (open.len() as u32).checked_sub(1) {
                            board.play_slot(open[rng.below(last + 1) as usize].0);
                        }
                    }
                    if board.outcome().is_some() {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn the_flood_finds_shortest_paths_on_every_size() {
        let (mut unreachable, mut compared) = (0, 0);
        random_positions(|board| {
            for side in Side::BOTH {
                let (expected, needed) =
                    (needed_by_twelve_searches(board, side, Flood::True), board.stones_needed(side));
                for cell in board.empty_cells() {
                    assert_eq!(
                        needed[cell.index()],
                        expected[cell.index()],
                        "size {}, ply {}, {side} at {cell:?}",
                        board.size(),
                        board.plies()
                    );
                    unreachable += u32::from(expected[cell.index()] >= UNREACHABLE - 1);
                    compared += 1;
                }
            }
        });
        assert!(unreachable > 500 && compared > 200_000, "{unreachable} of {compared}");
    }

    /// The published flood differs on 0.1 to 0.5 % of the cells, and its paths are never shorter.
    #[test]
    fn paths_of_n_stones_are_those_of_a_slow_flood() {
        let (mut longer, mut compared) = (0, 0);
        random_positions(|board| {
            let n = u16::from(board.size().get());
            for side in Side::BOTH {
                let expected = needed_by_twelve_searches(board, side, Flood::Published);
                let (needed, shortest) = (board.stones_needed_within(side, n), board.stones_needed(side));
                for at in board.empty_cells().map(Cell::index) {
                    assert_eq!(needed[at], expected[at], "size {n}, ply {}, {side} at {at}", board.plies());
                    assert!(needed[at] >= shortest[at]);
                    longer += u32::from(needed[at] > shortest[at]);
                    compared += 1;
                }
            }
        });
        let share = f64::from(longer) / f64::from(compared);
        assert!((0.001..0.005).contains(&share), "{longer} of {compared}: {share}");
    }
}
