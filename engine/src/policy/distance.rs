//! Distance to win: moves on a short way to a bridge or a fork are likelier to be good.

use super::{BySlot, Scene};
use crate::game::MAX_SLOTS;
use crate::havannah::{Board, Cell};
use crate::side::Side;

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
    let ways = shortest_ways(board, side);
    let mut needed = [UNREACHABLE; MAX_SLOTS];
    for cell in board.size().iter_cells() {
        let ways = &ways[cell.index()];
        let [first, second] = least(&ways[..6]);
        let [one, two, three] = least(&ways[6..12]);
        // An empty cell is on every way and counts once; a cell with a stone costs nothing.
        needed[cell.index()] = (first + second).saturating_sub(1).min((one + two + three).saturating_sub(2));
    }
    needed
}

/// The lowest of some ways, in order.
fn least<const K: usize>(ways: &[u8]) -> [u32; K] {
    let mut least = [FAR; K];
    for &way in ways {
        let mut larger = way;
        for kept in &mut least {
            (*kept, larger) = (larger.min(*kept), larger.max(*kept));
        }
    }
    least.map(|way| if way == FAR { UNREACHABLE } else { u32::from(way) })
}

/// Ways from the six corners and the six sides to a cell, and room for a register to hold them all.
type Ways = [u8; 16];
/// No way. The longest way is shorter: a shortest one bends around walls that take cells too.
const FAR: u8 = u8::MAX;
/// A slot that is no cell's: where the board ends nothing is near.
const OUTSIDE: u16 = MAX_SLOTS as u16 - 1;

/// Empty cells on the shortest ways from each corner and side to each cell, that cell included; own stones are free, the
/// opponent's cannot be passed.
///
/// All twelve ways grow at once, in sweeps over the board that alternate in direction until one changes nothing: a
/// vector operation for each neighbour, and few sweeps because few ways turn back often.
fn shortest_ways(board: &Board, side: Side) -> [Ways; MAX_SLOTS] {
    let mut ways = [[FAR; 16]; MAX_SLOTS];
    let mut passable = Vec::with_capacity(board.size().cells());
    for cell in board.size().iter_cells() {
        let cost = match board.owner(cell) {
            None => 1,
            Some(owner) if owner == side => 0,
            Some(_) => continue,
        };
        passable.push((cell, cost));
        for (mark, way) in ways[cell.index()][..12].iter_mut().enumerate() {
            if board.border(cell) >> mark & 1 == 1 {
                *way = cost;
            }
        }
    }
    let mut sweep = |cells: &mut dyn Iterator<Item = &(Cell, u8)>| {
        cells.fold(false, |changed, &(cell, cost)| shorten(&mut ways, board, cell, cost) || changed)
    };
    while sweep(&mut passable.iter()) && sweep(&mut passable.iter().rev()) {}
    ways
}

/// Shortens the ways to a cell by those to its neighbours. True if any became shorter.
#[inline(always)]
fn shorten(ways: &mut [Ways; MAX_SLOTS], board: &Board, cell: Cell, cost: u8) -> bool {
    let before = ways[cell.index()];
    let mut shortest = [FAR; 16];
    for near in board.near(cell).adjacent {
        let near = &ways[usize::from(near.min(OUTSIDE))];
        shortest = std::array::from_fn(|i| shortest[i].min(near[i]));
    }
    let after: Ways = std::array::from_fn(|i| before[i].min(shortest[i].saturating_add(cost)));
    ways[cell.index()] = after;
    after != before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::havannah::BoardSize;
    use crate::rng::Rng;

    /// One way at a time, by as many rounds as it takes.
    fn ways_from(board: &Board, side: Side, mark: usize) -> Vec<u32> {
        let cells: Vec<Cell> = board.size().iter_cells().collect();
        let mut ways = vec![UNREACHABLE; cells.len()];
        loop {
            let before = ways.clone();
            for &cell in cells.iter().filter(|&&cell| board.owner(cell).is_none_or(|owner| owner == side)) {
                let near = Scene::cells(&board.near(cell).adjacent).map(|near| ways[near.index()]);
                let begins = (board.border(cell) >> mark & 1 == 1).then_some(0);
                let shortest = near.chain(begins).min().expect("a cell has neighbours");
                let cost = u32::from(board.owner(cell).is_none());
                ways[cell.index()] = ways[cell.index()].min(shortest + cost);
            }
            if ways == before {
                return ways;
            }
        }
    }

    #[test]
    fn ways_grown_together_are_as_long_as_each_grown_alone() {
        let mut rng = Rng::new(1);
        for size in BoardSize::all() {
            for share in 1..6 {
                let mut board = Board::new(size);
                for _ in 0..size.cells() * share / 6 {
                    let open: Vec<Cell> = board.empty_cells().collect();
                    if board.outcome().is_some() {
                        break;
                    }
                    board.play_slot(open[rng.below(open.len() as u32) as usize].0);
                }
                for side in Side::BOTH {
                    let together = shortest_ways(&board, side);
                    let alone: Vec<_> = (0..12).map(|mark| ways_from(&board, side, mark)).collect();
                    for cell in size.iter_cells() {
                        let expected: Vec<_> =
                            alone.iter().map(|ways| ways[cell.index()].min(FAR.into())).collect();
                        let ways: Vec<_> =
                            together[cell.index()][..12].iter().map(|&way| u32::from(way)).collect();
                        assert_eq!(ways, expected, "{size:?}, {cell:?}");
                    }
                }
            }
        }
    }
}
