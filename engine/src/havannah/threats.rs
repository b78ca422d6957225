//! The empty cells at which a side would win at once, updated with every stone of a playout.
//!
//! A stone affects only the cells next to it, unless it joins groups or connects a group to a corner or side. In that
//! case the cells around those groups are examined again. The lists contain every winning cell. They may also contain
//! cells that no longer win, or whose rings do not count; a query filters these.

mod near;

use super::board::Board;
use super::geometry::{Geometry, PADDED, SURROUNDED};
use super::groups::Groups;
use super::rings::{LEAST, Rings, bits, may_close_again};
use super::stones::{Joined, Stones, neighbour};
use near::{Again, Found, Near};

/// Candidates for winning cells of both sides.
pub(super) struct Threats {
    cells: [Vec<u16>; 2],
    /// Which cells are listed.
    listed: [[bool; PADDED]; 2],
    /// Whether a side has closed a ring that did not count. From then on another ring may close along that one, and any
    /// cell between two stones that are two apart is a candidate.
    has_ring: [bool; 2],
    /// Whether rings are searched for as in the published program, which takes lassos for rings.
    lassos: bool,
    /// Counts, from 1 and over all playouts, the changes of the loops that a side's stones can form.
    changes: [u32; 2],
    /// The value of `changes` at which a cell was found to close no ring that counts; 0 if it was not.
    known_ringless: [[u32; PADDED]; 2],
    found: Found,
}

impl Threats {
    pub(super) fn new() -> Self {
        Self {
            cells: [Vec::new(), Vec::new()],
            listed: [[false; PADDED]; 2],
            has_ring: [false; 2],
            lassos: false,
            changes: [1; 2],
            known_ringless: [[0; PADDED]; 2],
            found: Found::new(),
        }
    }

    /// Begins a playout from the stones on the board.
    pub(super) fn reset<const W: usize>(&mut self, board: &Board, rings: Rings) {
        self.has_ring = [false; 2];
        self.lassos = rings.lassos;
        for side in 0..2 {
            for place in self.cells[side].drain(..) {
                self.listed[side][usize::from(place)] = false;
            }
            // A new number invalidates all entries of `known_ringless`. Before the counter could overflow, both are reset.
            self.changes[side] += 1;
            if self.changes[side] > u32::MAX / 2 {
                self.changes[side] = 1;
                self.known_ringless[side].fill(0);
            }
            let (listed, cells) = (&mut self.listed[side], &mut self.cells[side]);
            let list = |place| {
                listed[place] = true;
                cells.push(place as u16);
            };
            // SAFETY: `winning_places` needs the geometry of the board and its stride, which `Playout::new` passes as
            // W.
            unsafe { board.stones.winning_places::<W>(side, board.geometry, list) }
        }
    }

    /// Notes the first ring of `side` that did not count, which makes more of the empty places `empties` candidates.
    #[cold]
    pub(super) fn note_ring<const W: usize>(&mut self, stones: &Stones, empties: &[u16], side: usize) {
        self.has_ring[side] = true;
        for &place in empties {
            self.look::<W>(stones, side, usize::from(place));
        }
    }

    /// Lists an empty place if it may win by anything but a filled ring.
    #[inline(always)]
    fn look<const W: usize>(&mut self, stones: &Stones, side: usize, place: usize) {
        // SAFETY: `would_meet` needs an empty on-board place of a board with stride W. `note_ring` passes the empty
        // cells of the playout, `update` cells that `Near::promising` found empty.
        if unsafe { stones.would_meet::<W>(side, place) }
            || (self.has_ring[side] && may_close_again::<W>(stones, side, place, self.lassos))
        {
            self.list(side, place);
        }
    }

    #[cold]
    #[inline(never)]
    fn list(&mut self, side: usize, place: usize) {
        self.known_ringless[side][place] = 0;
        if !self.listed[side][place] {
            self.listed[side][place] = true;
            self.cells[side].push(place as u16);
        }
    }

    /// Updates the lists after `side` has put a stone on `place`. Must be called before [`Groups::join`].
    #[inline(always)]
    pub(super) fn update<const W: usize>(
        &mut self,
        stones: &mut Stones,
        geometry: &Geometry,
        groups: &Groups,
        (side, place): (usize, usize),
        joined: &Joined,
    ) {
        let (touched, after) = (joined.touched.roots(), joined.marks);
        // With one more stone a group of five can make the smallest ring.
        let may_ring = joined.size + 1 >= LEAST;
        if !may_ring && after == 0 {
            if touched.len() > 1 {
                groups.relabel(stones, joined);
            }
            return;
        }
        self.changes[side] += u32::from(joined.own.several() | (joined.own.centres != 0));
        // Another ring may close along a ring that did not count.
        let again = Again { rings: self.has_ring[side], lassos: self.has_ring[side] && self.lassos };
        self.found.count = 0;
        // SAFETY: `Near::of` needs an on-board place: `place` has the stone just put on the board, whose stride is W.
        let near = unsafe { Near::of::<W>(stones, geometry, side, place) };
        self.found.add::<W>(place, near.promising(after, again));
        if near.has_nearly_surrounded() {
            self.look_for_blobs::<W>(stones, side, place);
        }
        if touched.len() > 1 || after != joined.before[0] {
            for ((root, of_group), &before) in joined.groups().zip(&joined.before) {
                // A ring between the two groups closes at a cell next to both, so the smaller group's cells are enough.
                let walks = after != before || (may_ring && root != joined.root);
                if walks {
                    for stone in groups.stones(of_group) {
                        stones.set_root(stone, joined.root);
                        // SAFETY: `Near::of` needs an on-board place: `stone` belongs to a group of the board, whose
                        // stride is W.
                        let near = unsafe { Near::of::<W>(stones, geometry, side, stone) };
                        self.found.add::<W>(stone, near.promising(after, again));
                    }
                } else if root != joined.root {
                    groups.stones(of_group).for_each(|stone| stones.set_root(stone, joined.root));
                }
            }
        }
        for i in 0..self.found.count {
            // SAFETY: `i` is below `count`, and `Found::add` keeps `count` within `places`.
            let place = unsafe { *self.found.places.get_unchecked(i) };
            self.look::<W>(stones, side, usize::from(place));
        }
    }

    /// Lists each empty cell that alone is missing from a filled ring around the stone at `place` or around one of its
    /// own neighbours.
    #[cold]
    fn look_for_blobs<const W: usize>(&mut self, stones: &Stones, side: usize, place: usize) {
        let around = bits(stones.own_around(side, place)).map(|direction| neighbour::<W>(place, direction));
        for centre in around.chain([place]) {
            let missing = !stones.own_around(side, centre) & SURROUNDED;
            if missing.is_power_of_two() {
                let last = neighbour::<W>(centre, missing.trailing_zeros() as usize);
                if stones.is_empty(last) {
                    self.list(side, last);
                }
            }
        }
    }

    /// Whether a place is listed for `side`. A place that is not listed does not win.
    #[inline(always)]
    pub(super) fn lists(&self, side: usize, place: usize) -> bool {
        self.listed[side][place]
    }

    #[inline(always)]
    pub(super) fn none(&self, side: usize) -> bool {
        self.cells[side].is_empty()
    }

    /// The two lowest cells next to the group with this root at which `side` wins. `ring_counts` tells whether a ring
    /// closed at a place counts. The answer no is cached until the loops of the side change.
    pub(super) fn of_group<const W: usize>(
        &mut self,
        stones: &Stones,
        side: usize,
        root: u16,
        ring_counts: impl FnMut(usize) -> bool,
    ) -> [Option<u16>; 2] {
        let mut found = [None; 2];
        let touches = |at| stones.touched::<W>(side, at).roots().contains(&root);
        self.each_win::<W>(stones, side, touches, ring_counts, |place| {
            found = match found {
                [None, _] => [Some(place), None],
                [Some(first), _] if place < first => [Some(place), Some(first)],
                [first, second] => [first, Some(second.unwrap_or(place).min(place))],
            };
        });
        found
    }

    /// The lowest and the highest cell at which `side` wins; see [`Threats::of_group`].
    pub(super) fn of_side<const W: usize>(
        &mut self,
        stones: &Stones,
        side: usize,
        ring_counts: impl FnMut(usize) -> bool,
    ) -> Option<[u16; 2]> {
        let mut found: Option<[u16; 2]> = None;
        self.each_win::<W>(
            stones,
            side,
            |_| true,
            ring_counts,
            |place| {
                let [lowest, highest] = found.unwrap_or([place; 2]);
                found = Some([lowest.min(place), highest.max(place)]);
            },
        );
        found
    }

    /// Calls `found` with every `wanted` cell at which `side` wins, in any order.
    #[inline(always)]
    fn each_win<const W: usize>(
        &mut self,
        stones: &Stones,
        side: usize,
        wanted: impl Fn(usize) -> bool,
        mut ring_counts: impl FnMut(usize) -> bool,
        mut found: impl FnMut(u16),
    ) {
        let mut i = 0;
        while let Some(&place) = self.cells[side].get(i) {
            let at = usize::from(place);
            if !stones.is_empty(at) {
                self.listed[side][at] = false;
                self.cells[side].swap_remove(i);
                continue;
            }
            i += 1;
            if !wanted(at) {
                continue;
            }
            if !stones.would_connect::<W>(side, at) {
                if self.known_ringless[side][at] == self.changes[side] {
                    continue;
                }
                if !ring_counts(at) {
                    self.known_ringless[side][at] = self.changes[side];
                    continue;
                }
            }
            found(place);
        }
    }
}
