//! The stones of a winning shape, for people who look at a finished game. No search uses this.

use super::board::Board;
use super::cell::Cell;
use super::geometry::OFF_BOARD;
use super::outcome::{Outcome, WinKind};
use crate::side::Side;
use std::collections::VecDeque;

impl Board {
    /// The fewest stones that form the winning shape, ascending; one of them is the last stone of the game. Other sets may be as
    /// small. Empty while neither side has won.
    #[must_use]
    pub fn winning_structure(&self) -> Vec<Cell> {
        let Some(Outcome::Win { winner, kind }) = self.outcome() else { return Vec::new() };
        let stones = Winner { board: self, side: winner };
        let mut cells = match kind {
            WinKind::Fork => stones.fork(),
            WinKind::Bridge => stones.bridge(),
            WinKind::Ring => stones.ring(),
        };
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// The stones of the side that won.
struct Winner<'a> {
    board: &'a Board,
    side: Side,
}

impl Winner<'_> {
    fn owns(&self, cell: Cell) -> bool {
        self.board.owner(cell) == Some(self.side)
    }

    fn stones(&self) -> impl Iterator<Item = Cell> + '_ {
        self.board.size().iter_cells().filter(|&cell| self.owns(cell))
    }

    /// The neighbours of a cell with a stone of the winner.
    fn around(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        adjacent(self.board, cell).filter(|&next| self.owns(next))
    }

    /// By cell: the steps over stones from the nearest stone with this border mark; none where no path leads.
    fn distances(&self, mark: u16) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.board.size().cells()];
        let mut queue: VecDeque<Cell> =
            self.stones().filter(|&cell| self.board.border(cell) == mark).collect();
        queue.iter().for_each(|cell| distances[cell.index()] = Some(0));
        while let Some(cell) = queue.pop_front() {
            let further = distances[cell.index()].map(|distance| distance + 1);
            for next in self.around(cell) {
                if distances[next.index()].is_none() {
                    distances[next.index()] = further;
                    queue.push_back(next);
                }
            }
        }
        distances
    }

    /// The stones from `cell` to the nearest one at distance 0.
    fn path(&self, mut cell: Cell, distances: &[Option<usize>]) -> Vec<Cell> {
        let mut path = vec![cell];
        while let Some(nearer) = distances[cell.index()].and_then(|distance| distance.checked_sub(1)) {
            let next = self.around(cell).find(|next| distances[next.index()] == Some(nearer));
            cell = next.expect("a neighbour is nearer to where the distances begin");
            path.push(cell);
        }
        path
    }

    /// Three sides and a stone from which the paths to them are shortest together.
    fn fork(&self) -> Vec<Cell> {
        let sides: Vec<Vec<Option<usize>>> = (6..12).map(|side| self.distances(1 << side)).collect();
        let hubs = self.stones().filter_map(|hub| {
            let mut reached: Vec<(usize, usize)> =
                (0..6).filter_map(|side| Some((sides[side][hub.index()]?, side))).collect();
            reached.sort_unstable();
            reached.truncate(3);
            (reached.len() == 3)
                .then(|| (reached.iter().map(|(steps, _)| steps).sum::<usize>(), hub, reached))
        });
        let Some((_, hub, reached)) = hubs.min() else { return Vec::new() };
        reached.iter().flat_map(|&(_, side)| self.path(hub, &sides[side])).collect()
    }

    /// The shortest path between two corners.
    fn bridge(&self) -> Vec<Cell> {
        let paths = (0..6).flat_map(|corner| {
            let distances = self.distances(1 << corner);
            let ends =
                self.stones().filter(|&cell| (1 << (corner + 1)..64).contains(&self.board.border(cell)));
            let paths: Vec<Vec<Cell>> = ends
                .filter(|end| distances[end.index()].is_some())
                .map(|end| self.path(end, &distances))
                .collect();
            paths
        });
        paths.min_by_key(Vec::len).unwrap_or_default()
    }

    /// The shortest loop around any cell that is enclosed.
    fn ring(&self) -> Vec<Cell> {
        self.enclosed().filter_map(|inside| self.loop_around(inside)).min_by_key(Vec::len).unwrap_or_default()
    }

    /// The cells that the winner's stones separate from the border of the board, and stones amid six others.
    fn enclosed(&self) -> impl Iterator<Item = Cell> + '_ {
        let size = self.board.size();
        let mut is_outside = vec![false; size.cells()];
        let mut stack: Vec<Cell> =
            size.iter_cells().filter(|&cell| self.board.border(cell) != 0 && !self.owns(cell)).collect();
        while let Some(cell) = stack.pop() {
            if !std::mem::replace(&mut is_outside[cell.index()], true) {
                stack.extend(adjacent(self.board, cell).filter(|&next| !self.owns(next)));
            }
        }
        size.iter_cells().filter(move |&cell| {
            if self.owns(cell) { self.around(cell).count() == 6 } else { !is_outside[cell.index()] }
        })
    }

    /// The shortest loop of stones around a cell, which is not on it.
    ///
    /// A ray leads from the cell to the border, between its row and the next. A closed walk goes around the cell if it
    /// crosses the ray an odd number of times. The shortest such walk visits no stone twice: one of the two parts
    /// would be odd, and shorter.
    fn loop_around(&self, inside: Cell) -> Option<Vec<Cell>> {
        let size = self.board.size();
        let (x, y) = size.position(inside);
        let is_beside_ray = |cell: Cell| {
            let (column, row) = size.position(cell);
            row == y && column > x
        };
        let is_below = |cell: Cell| size.position(cell).1 == y + 1;
        let crosses =
            |a: Cell, b: Cell| (is_beside_ray(a) && is_below(b)) || (is_beside_ray(b) && is_below(a));
        let shortest_from = |start: Cell| {
            // By cell and by whether the ray was crossed an odd number of times: the step before.
            let mut before: Vec<Option<(Cell, bool)>> = vec![None; 2 * size.cells()];
            let at = |(cell, odd): (Cell, bool)| 2 * cell.index() + usize::from(odd);
            let mut queue = VecDeque::from([(start, false)]);
            while let Some((cell, odd)) = queue.pop_front() {
                for next in self.around(cell).filter(|&next| next != inside) {
                    let step = (next, odd ^ crosses(cell, next));
                    if before[at(step)].is_none() {
                        before[at(step)] = Some((cell, odd));
                        queue.push_back(step);
                    }
                }
            }
            let mut walk = Vec::new();
            let mut step = (start, true);
            while step != (start, false) {
                walk.push(step.0);
                step = before[at(step)]?;
            }
            Some(walk)
        };
        self.stones().filter(|&cell| is_beside_ray(cell)).filter_map(shortest_from).min_by_key(Vec::len)
    }
}

/// The neighbours of a cell on the board.
fn adjacent(board: &Board, cell: Cell) -> impl Iterator<Item = Cell> + 'static {
    board.near(cell).adjacent.into_iter().filter(|&next| next != OFF_BOARD).map(Cell)
}
