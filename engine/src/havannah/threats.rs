//! The empty cells at which a side would win at once, kept while a playout puts stones on the board.
//!
//! A stone changes only what its neighbours mean, unless it joins groups or brings one to a corner or side: then the
//! cells around those groups are looked at again. What is listed is never missing a winning cell; cells that no longer
//! win, or whose rings do not count, stay until they are asked about.

use super::board::Board;
use super::geometry::{Geometry, PADDED, PROMISING};
use super::groups::Groups;
use super::rings::{LEAST, bits};
use super::stones::{Stones, Tables, Touched, neighbour};

/// Winning cells of both sides.
pub(super) struct Threats {
    cells: [Vec<u16>; 2],
    listed: [[bool; PADDED]; 2],
    /// Whether a side has closed a ring that did not count: from then on a ring may also close along an existing one,
    /// and any cell between stones two apart may be worth a search.
    has_ring: [bool; 2],
    /// How often a side has changed what loops its stones can form, from 1.
    changes: [u32; 2],
    /// The number of `changes` at which a cell was found to close no ring that counts, else 0.
    barren: [[u32; PADDED]; 2],
}

impl Threats {
    pub(super) fn new() -> Self {
        Self {
            cells: [Vec::new(), Vec::new()],
            listed: [[false; PADDED]; 2],
            has_ring: [false; 2],
            changes: [1; 2],
            barren: [[0; PADDED]; 2],
        }
    }

    /// Begins with the stones there are.
    pub(super) fn reset<const W: usize>(&mut self, board: &Board) {
        self.has_ring = [false; 2];
        for side in 0..2 {
            self.cells[side].clear();
            self.listed[side][..board.geometry.padded].fill(false);
            self.barren[side][..board.geometry.padded].fill(0);
            self.changes[side] = 1;
            // SAFETY: the stride of the board is W.
            for place in unsafe { board.stones.winning_places::<W>(side, board.geometry) } {
                self.listed[side][place] = true;
                self.cells[side].push(place as u16);
            }
        }
    }

    /// A ring of `side` was the first that did not count.
    #[cold]
    pub(super) fn note_ring<const W: usize>(&mut self, stones: &Stones, empties: &[u16], side: usize) {
        self.has_ring[side] = true;
        for &place in empties {
            self.look::<W>(stones, side, usize::from(place));
        }
    }

    /// Lists an empty place if it may win.
    #[inline(always)]
    fn look<const W: usize>(&mut self, stones: &Stones, side: usize, place: usize) {
        // SAFETY: the callers give empty places of a board with stride W.
        let wins = unsafe { stones.would_win::<W>(side, place) };
        if wins || (self.has_ring[side] && has_centre::<W>(stones, side, place)) {
            self.barren[side][place] = 0;
            if !self.listed[side][place] {
                self.listed[side][place] = true;
                self.cells[side].push(place as u16);
            }
        }
    }

    /// `side` has put a stone on `place`, which joined the groups it `touched`; `groups` does not know of it yet, and
    /// `marks` are those of the groups before.
    pub(super) fn update<const W: usize>(
        &mut self,
        stones: &Stones,
        geometry: &Geometry,
        groups: &Groups,
        (side, place): (usize, usize),
        touched: &Touched,
        marks: &[u16; 3],
    ) {
        let after = stones.marks(stones.root(place as u16));
        let size = 1 + touched.roots().iter().map(|&root| groups.size(root)).sum::<u32>();
        // Five stones and one more make the smallest ring.
        let may_ring = size + 1 >= LEAST;
        if !may_ring && after == 0 {
            return;
        }
        let own = stones.own_around(side, place);
        let joins = Tables::<W>::AROUND[usize::from(own)];
        if joins.several || joins.centres != 0 {
            self.changes[side] += 1;
        }
        for direction in
            bits(free_around(stones, geometry, place) & promising::<W>(stones, geometry, side, place))
        {
            self.look::<W>(stones, side, neighbour::<W>(place, direction));
        }
        // A filled ring lacks its last stone on the far side of its centre.
        for direction in bits(own) {
            let centre = neighbour::<W>(place, direction);
            let missing = !stones.own_around(side, centre) & 63;
            if missing.is_power_of_two() {
                let last = neighbour::<W>(centre, missing.trailing_zeros() as usize);
                if stones.is_empty(last) {
                    self.look::<W>(stones, side, last);
                }
            }
        }
        let largest = touched.roots().iter().copied().max_by_key(|&root| groups.size(root));
        for (&root, &before) in touched.roots().iter().zip(marks) {
            // Between two groups a ring closes next to the smaller one as well.
            if after != before || (may_ring && Some(root) != largest) {
                for stone in groups.stones(root) {
                    let free = free_around(stones, geometry, stone);
                    for direction in bits(free & promising::<W>(stones, geometry, side, stone)) {
                        self.look::<W>(stones, side, neighbour::<W>(stone, direction));
                    }
                }
            }
        }
    }

    /// The two lowest of the cells with which `side` wins next to the group with this root. `wins` is asked whether a
    /// ring closed at a place counts; its answer no is remembered until a loop may have become possible.
    pub(super) fn of_group<const W: usize>(
        &mut self,
        stones: &Stones,
        side: usize,
        root: u16,
        mut ring_counts: impl FnMut(usize) -> bool,
    ) -> [Option<u16>; 2] {
        let mut found = [None; 2];
        let mut i = 0;
        while let Some(&place) = self.cells[side].get(i) {
            let at = usize::from(place);
            if !stones.is_empty(at) {
                self.listed[side][at] = false;
                self.cells[side].swap_remove(i);
                continue;
            }
            i += 1;
            if !stones.touched::<W>(side, at).roots().contains(&root) {
                continue;
            }
            if !stones.would_connect::<W>(side, at) {
                if self.barren[side][at] == self.changes[side] {
                    continue;
                }
                if !ring_counts(at) {
                    self.barren[side][at] = self.changes[side];
                    continue;
                }
            }
            found = match found {
                [None, _] => [Some(place), None],
                [Some(first), _] if place < first => [Some(place), Some(first)],
                [first, second] => [first, Some(second.unwrap_or(place).min(place))],
            };
        }
        found
    }
}

/// Whether there are own stones next to an empty place on both sides of another own stone.
#[inline(always)]
pub(super) fn has_centre<const W: usize>(stones: &Stones, side: usize, place: usize) -> bool {
    Tables::<W>::AROUND[usize::from(stones.own_around(side, place))].centres != 0
}

/// Directions of the cells around a stone at `place` with which its side may win.
#[inline(always)]
fn promising<const W: usize>(stones: &Stones, geometry: &Geometry, side: usize, place: usize) -> u8 {
    (0..6).fold(geometry.borders[place], |promising, direction| {
        let own = stones.own_around(side, neighbour::<W>(place, direction));
        promising | ((PROMISING >> own) as u8 & 1) << direction
    })
}

/// Directions of the empty on-board places around an on-board place.
#[inline(always)]
fn free_around(stones: &Stones, geometry: &Geometry, place: usize) -> u8 {
    !(stones.own_around(0, place) | stones.own_around(1, place) | geometry.outside[place]) & 63
}
