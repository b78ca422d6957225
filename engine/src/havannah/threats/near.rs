//! Which empty cells around a stone may be winning cells. All six are tested at once, with one byte for each in a word.

use super::super::geometry::{CELLS, Geometry, OWN, SURROUNDED};
use super::super::stones::Stones;

/// Places to examine, possibly with repetitions. They are collected first, without a branch for each.
pub(super) struct Found {
    pub(super) places: [u16; 6 * CELLS],
    pub(super) count: usize,
}

impl Found {
    pub(super) fn new() -> Self {
        Self { places: [0; 6 * CELLS], count: 0 }
    }

    /// Adds the places around `place` whose lanes have their flag set.
    #[inline(always)]
    pub(super) fn add<const W: usize>(&mut self, place: usize, flags: u64) {
        debug_assert!(self.count + 6 <= self.places.len());
        let mut count = self.count;
        for lane in [0, 1, 2, 4, 6, 7] {
            // SAFETY: `Threats::update` calls `add` at most once for each stone of a side, and a side has fewer than
            // CELLS stones. So `count` is below the six entries for each cell that `places` has.
            unsafe {
                *self.places.get_unchecked_mut(count) = place.wrapping_add_signed(lanes::<W>()[lane]) as u16;
            }
            count += (flags >> (8 * lane + 6) & 1) as usize;
        }
        self.count = count;
    }
}

/// Whether another ring, or lasso, may close along a ring that did not count; see
/// [`may_close_again`](super::super::rings::may_close_again).
#[derive(Clone, Copy)]
pub(super) struct Again {
    pub(super) rings: bool,
    pub(super) lassos: bool,
}

/// What is around a stone: one lane of eight bits for each neighbour, so that all are tested at once.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// Patterns of the stone's side.
    own: u64,
    /// Bit 6 in the lanes of empty cells.
    empty: u64,
    /// All bits in the lanes of corner and side cells.
    border: u64,
}

/// Offset of each lane's place: two above, four in the row, two below.
const fn lanes<const W: usize>() -> [isize; 8] {
    let w = W as isize;
    [-w - 1, -w, -1, 0, 1, 2, w, w + 1]
}

/// The same byte in every lane.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// For each set of directions: all bits in the lanes of these directions.
static SPREAD: [u64; 64] = {
    const LANE: [u32; 6] = [0, 1, 4, 7, 6, 2];
    let mut spread = [0; 64];
    let mut set = 0;
    while set < 64 {
        let mut direction = 0;
        while direction < 6 {
            if set >> direction & 1 == 1 {
                spread[set] |= 0xff << (8 * LANE[direction]);
            }
            direction += 1;
        }
        set += 1;
    }
    spread
};

impl Near {
    /// What is around the stone of `side` at `place`.
    ///
    /// # Safety
    /// `side` is 0 or 1. `place` is on the board of `stones` and `geometry`, whose stride is `W`.
    #[inline(always)]
    pub(super) unsafe fn of<const W: usize>(
        stones: &Stones,
        geometry: &Geometry,
        side: usize,
        place: usize,
    ) -> Self {
        // SAFETY: the contract of `of` puts `place` on the board, which `patterns_around` and the arrays of `geometry`
        // need. A set of directions has six bits, and SPREAD has 64 entries.
        unsafe {
            let own = stones.patterns_around::<W>(side, place);
            let other = stones.patterns_around::<W>(side ^ 1, place);
            let spread = |set: u8| *SPREAD.get_unchecked(usize::from(set & SURROUNDED));
            Self {
                own,
                empty: !(own | other) & spread(!*geometry.outside.get_unchecked(place)) & each(OWN),
                border: spread(*geometry.borders.get_unchecked(place)),
            }
        }
    }

    /// Bit 6 in the lane of every empty neighbour at which the side may win, where `marks` are those of the stone's
    /// group: cells with two arcs, cells where a ring may close `again`, and border cells if the group may win with one
    /// more mark.
    #[inline(always)]
    pub(super) fn promising(self, marks: u16, again: Again) -> u64 {
        let around = self.own & each(SURROUNDED);
        let clockwise = around << 1 & each(0x3e) | around >> 5 & each(1);
        let starts = around & !clockwise;
        let mut promising = starts & ((starts | each(0x80)) - each(1));
        if again.rings {
            let back = around >> 1 & each(0x1f) | around << 5 & each(0x20);
            promising |= around & clockwise & back;
            if again.lassos {
                promising |= around & around >> 5 & each(1);
            }
        }
        let border = self.border & u64::from(is_nearly_winning(marks)).wrapping_neg();
        flags(promising | around & border) & self.empty
    }

    /// Whether the stone or an own neighbour has five own neighbours.
    #[inline(always)]
    pub(super) fn has_nearly_surrounded(self) -> bool {
        let missing = !self.own & each(SURROUNDED);
        let others = missing & ((missing | each(0x80)) - each(1));
        flags(missing) & !flags(others) & self.own & WITHIN_ONE != 0
    }
}

/// Bit 6 in the lanes of the stone itself and of its neighbours.
const WITHIN_ONE: u64 = u64::from_le_bytes([OWN, OWN, OWN, OWN, OWN, 0, OWN, OWN]);

/// Sets bit 6 in every lane that has any of its lower six bits set, and clears all other bits.
#[inline(always)]
fn flags(lanes: u64) -> u64 {
    (lanes + each(SURROUNDED)) & each(OWN)
}

/// Whether a group with these marks wins with one more mark, of the right kind.
#[inline(always)]
fn is_nearly_winning(marks: u16) -> bool {
    let sides = marks >> 6;
    (marks & 63 != 0) | (sides & sides.wrapping_sub(1) != 0)
}
