//! How many stones a side still needs to win through each cell: the connection distances to all corners and sides at
//! once.
//!
//! A flood in levels keeps twelve bits for each place. At level k they tell which corners and sides are within k stones
//! of the place. A level gives every empty cell the bits of its neighbours, for whole vectors of cells, and gives the
//! stones of each group the bits of all cells next to the group, because own stones cost nothing. Only the number of
//! corners and sides in reach matters: the distance to the second nearest corner is the number of levels at which fewer
//! than two corners are in reach.

use super::board::Board;
use super::geometry::{CELLS, Geometry, PADDED};
use super::stones::Stones;
use crate::side::Side;

/// More stones than any path on any board has.
const UNREACHABLE: u16 = 1000;

/// By place: six bits for the corners, and above them six for the sides.
type Reach = [u16; PADDED];

impl Board {
    /// For each empty cell, the stones that `side` needs to connect two corners or three sides through the cell, with
    /// the stone on the cell included. This is the estimate of the thesis, from twelve shortest paths, which may share
    /// cells. Where there are no such paths, the number is far above the number of cells. Entries of cells with a stone
    /// are meaningless.
    pub(crate) fn stones_needed(&self, side: Side) -> [u16; CELLS] {
        self.stones_needed_within(side, UNREACHABLE)
    }

    /// [`Board::stones_needed`] without paths of more than `longest` stones, which is at least 1.
    pub(crate) fn stones_needed_within(&self, side: Side, longest: u16) -> [u16; CELLS] {
        let flood = Flood::new(&self.stones, self.geometry, side.index());
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: `needed_avx2` needs AVX2, which was just detected.
            return unsafe { needed_avx2(flood, longest) };
        }
        flood.needed(longest)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn needed_avx2(flood: Flood, longest: u16) -> [u16; CELLS] {
    flood.needed(longest)
}

/// A flood of one side.
struct Flood {
    geometry: &'static Geometry,
    /// All bits set for empty cells.
    passable: Reach,
    /// The corners and sides in reach of each place.
    reach: Reach,
    /// The stones next to an empty cell, with the roots of their groups.
    stones: [(u16, u16); CELLS],
    count: usize,
    /// By root: the corners and sides in reach of the group.
    groups: Reach,
}

/// Sums of distances by place. The distance to a corner or side is the number of levels at which it was not in reach.
struct Levels {
    /// Summed over the two nearest corners.
    bridge: Reach,
    /// Summed over the three nearest sides.
    fork: Reach,
}

impl Flood {
    fn new(stones: &Stones, geometry: &'static Geometry, side: usize) -> Self {
        let mut flood = Self {
            geometry,
            passable: [0; PADDED],
            reach: [0; PADDED],
            stones: [(0, 0); CELLS],
            count: 0,
            groups: [0; PADDED],
        };
        for &place in &geometry.place {
            let at = usize::from(place);
            match stones.owner(place) {
                None => flood.passable[at] = u16::MAX,
                Some(owner) if owner == side => {
                    let root = stones.root(place);
                    let marks = stones.marks(root);
                    flood.reach[at] = marks;
                    flood.groups[usize::from(root)] = marks;
                    let around = stones.own_around(0, at) | stones.own_around(1, at) | geometry.outside[at];
                    if around != super::geometry::SURROUNDED {
                        flood.stones[flood.count] = (place, root);
                        flood.count += 1;
                    }
                }
                Some(_) => {}
            }
        }
        flood
    }

    #[inline(always)]
    fn needed(mut self, longest: u16) -> [u16; CELLS] {
        let mut levels = Levels { bridge: [0; PADDED], fork: [0; PADDED] };
        let mut next = self.reach;
        let mut count = 0;
        loop {
            let goes_on = self.advance(&mut next, &mut levels);
            count += 1;
            if !goes_on || count >= longest {
                break;
            }
            self.enter_groups(&mut next);
            std::mem::swap(&mut self.reach, &mut next);
        }
        let mut needed = [0; CELLS];
        for (needed, &place) in needed.iter_mut().zip(&self.geometry.place) {
            let at = usize::from(place);
            let [corner, corners, side, two, sides] = lacking(next[at]);
            let further = UNREACHABLE - count;
            // The cell itself is on each of the two or three paths, but counts once.
            let bridge = (levels.bridge[at] + further * (corner + corners)).saturating_sub(1);
            let fork = (levels.fork[at] + further * (side + two + sides)).saturating_sub(2);
            *needed = bridge.min(fork);
        }
        needed
    }

    /// Adds a level to `levels`, and writes to `next` what each empty cell has in reach with one more stone. False once
    /// another level would change nothing that matters.
    #[inline(always)]
    fn advance(&self, next: &mut Reach, levels: &mut Levels) -> bool {
        let stride = self.geometry.stride;
        let from = stride + 1;
        let len = stride * (self.geometry.size.diameter() + 1) - from;
        let shifted = |offset: usize| &self.reach[offset..offset + len];
        let (north_west, north) = (shifted(from - stride - 1), shifted(from - stride));
        let (west, here, east) = (shifted(from - 1), shifted(from), shifted(from + 1));
        let (south, south_east) = (shifted(from + stride), shifted(from + stride + 1));
        let (passable, marks) = (&self.passable[from..from + len], &self.geometry.marks[from..from + len]);
        let next = &mut next[from..from + len];
        let (bridge, fork) = (&mut levels.bridge[from..from + len], &mut levels.fork[from..from + len]);
        let (mut changed, mut unfinished) = (0, 0);
        for i in 0..len {
            let near = north_west[i] | north[i] | west[i] | east[i] | south[i] | south_east[i] | marks[i];
            let before = here[i];
            let after = before | (near & passable[i]);
            next[i] = after;
            changed |= after ^ before;
            let [corner, corners, side, two, sides] = lacking(before);
            bridge[i] += corner + corners;
            fork[i] += side + two + sides;
            let [_, corners, _, _, sides] = lacking(after);
            unfinished |= (corners | sides).wrapping_neg() & passable[i];
        }
        changed != 0 && unfinished != 0
    }

    /// Gives the stones of each group everything that the cells next to the group have in reach.
    #[inline(always)]
    fn enter_groups(&mut self, next: &mut Reach) {
        let stride = self.geometry.stride;
        let stones = &self.stones[..self.count];
        for &(place, root) in stones {
            let at = usize::from(place);
            let near = next[at - stride - 1]
                | next[at - stride]
                | next[at - 1]
                | next[at + 1]
                | next[at + stride]
                | next[at + stride + 1];
            self.groups[usize::from(root)] |= near;
        }
        for &(place, root) in stones {
            next[usize::from(place)] = self.groups[usize::from(root)];
        }
    }
}

/// What is missing, 1 or 0 each: a first corner, a second corner, a first side, a second side, a third side.
#[inline(always)]
fn lacking(reach: u16) -> [u16; 5] {
    let without_lowest = |set: u16| set & set.wrapping_sub(1);
    let (corners, sides) = (reach & 63, reach >> 6);
    let (second_corner, second_side) = (without_lowest(corners), without_lowest(sides));
    let third_side = without_lowest(second_side);
    [corners, second_corner, sides, second_side, third_side].map(|set| u16::from(set == 0))
}
