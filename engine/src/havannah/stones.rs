//! The stones on a padded board: their neighbourhoods, their groups, and whether a stone wins.
//!
//! Each side keeps one byte for each cell: the six-bit pattern of its own stones around the cell. Placing a stone
//! updates the patterns around it with three unaligned ORs, so that one load reads a neighbourhood. Each stone keeps a
//! number of its group. A union-find forest without ranks joins these numbers, and its roots carry the corner and side
//! marks of the groups. A stone closes a ring exactly when two arcs of own stones around it already belong to one
//! group, or when it completes a filled blob of seven stones. Neither test needs a search.
//!
//! The file is long because all unchecked access to these fields stands in one place, beside their invariants.

use super::geometry::{
    Around, Geometry, OWN, PADDED, SURROUNDED, WINNING_MARKS, around, directions, numbers, padded,
};
use super::places::{Places, each, gather};
use super::union_find::{Forest, NUMBERS, Parents, Task, UnionFind};
use crate::havannah::outcome::WinKind;

/// Stones and groups of one position.
///
/// Unsafe code relies on these invariants: patterns name on-board neighbours only; every group number in use, and its
/// parent, is below [`numbers`] of the board, which is at most [`NUMBERS`]; marks have twelve bits.
#[derive(Clone)]
pub(crate) struct Stones {
    sides: [OfSide; 2],
    /// By place. For a stone: a number of its group. For an empty place: the number of its clique, which a group that
    /// begins there takes.
    number: [u8; PADDED],
    /// Corner and side marks of each cell alone, by place.
    cell_marks: [u16; PADDED],
}

/// The stones of one side.
#[derive(Clone)]
#[repr(C)]
struct OfSide {
    /// By place: own neighbours in bits 0 to 5, an own stone on the place itself in bit 6.
    pattern: [u8; PADDED],
    /// Corner and side marks of the groups, valid at roots. Stored as words, so that a load needs no widening.
    marks: [u32; NUMBERS],
    /// The union-find parent of each group number.
    parents: Parents,
}

/// Groups of both sides. A root encodes the side and a group number.
pub(crate) const GROUPS: usize = 2 * NUMBERS;

/// The different groups around an empty cell.
#[derive(Clone, Copy)]
pub(crate) struct Touched {
    roots: [u16; 3],
    count: usize,
}

impl Touched {
    #[inline(always)]
    pub(crate) fn roots(&self) -> &[u16] {
        &self.roots[..self.count]
    }
}

/// The effect of a stone on the groups that it touches; see [`Stones::join`].
pub(crate) struct Joined {
    pub(crate) touched: Touched,
    /// One stone of each touched group.
    pub(crate) stones: [u16; 3],
    /// Marks of each touched group before the move.
    pub(crate) before: [u16; 3],
    /// Marks of the joined group.
    pub(crate) marks: u16,
    /// Root of the joined group: the root of the largest touched group.
    pub(crate) root: u16,
    /// Number of stones of the joined group.
    pub(crate) size: u32,
    /// The own stones around the new stone.
    pub(crate) own: &'static Around,
    /// Whether the stone wins if every ring counts.
    pub(crate) won: bool,
}

impl Joined {
    /// The root of each touched group, with one of its stones.
    #[inline(always)]
    pub(crate) fn groups(&self) -> impl Iterator<Item = (u16, u16)> {
        std::iter::zip(self.touched.roots().iter().copied(), self.stones)
    }
}

/// Lookup tables for stride `W`, as constants.
pub(super) struct Tables<const W: usize>;
impl<const W: usize> Tables<W> {
    pub(super) const AROUND: [Around; 64] = around(W);
    pub(super) const DIRECTIONS: [isize; 6] = directions(W);
}

/// The place next to another in one of the six directions, on a board with stride `W`.
#[inline(always)]
pub(super) fn neighbour<const W: usize>(place: usize, direction: usize) -> usize {
    place.wrapping_add_signed(Tables::<W>::DIRECTIONS[direction])
}

/// [`Stones::join_rare`] as a task.
struct JoinRare<const W: usize>;

impl<const W: usize> Task for JoinRare<W> {
    type Board = Stones;
    type Detail = Around;

    #[inline(always)]
    unsafe fn run<R: UnionFind>(
        stones: &mut Stones,
        side: usize,
        place: usize,
        around: &'static Around,
        forest: &mut R,
    ) -> bool {
        // SAFETY: only `Stones::place_among` runs this task. It has called `surround` with the same side and place, and
        // its contract covers `join_rare`.
        unsafe { stones.join_rare::<W, R>(side, place, around, forest) }
    }
}

impl Stones {
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let mut stones = Self {
            sides: std::array::from_fn(|_| OfSide {
                pattern: [0; PADDED],
                marks: [0; NUMBERS],
                parents: std::array::from_fn(|i| i as u8),
            }),
            number: [0; PADDED],
            cell_marks: [0; PADDED],
        };
        stones.number[..geometry.padded].copy_from_slice(&geometry.clique);
        stones.cell_marks[..geometry.padded].copy_from_slice(&geometry.marks);
        stones
    }

    /// Copies `other`. Both are on a board with stride `W`: only the entries that such a board uses, and that moves
    /// change, are copied.
    #[inline(always)]
    pub(crate) fn copy_from<const W: usize>(&mut self, other: &Self) {
        let (used, numbers) = (padded(W), numbers::<W>());
        self.number[..used].copy_from_slice(&other.number[..used]);
        for (side, other) in self.sides.iter_mut().zip(&other.sides) {
            side.pattern[..used].copy_from_slice(&other.pattern[..used]);
            side.marks[..numbers].copy_from_slice(&other.marks[..numbers]);
            side.parents[..numbers].copy_from_slice(&other.parents[..numbers]);
        }
    }

    /// The side (0 or 1) that has a stone at `place`, if any.
    pub(crate) fn owner(&self, place: u16) -> Option<usize> {
        (0..2).find(|&side| self.sides[side].pattern[usize::from(place)] & OWN != 0)
    }

    /// The root of the group of the stone at `place`.
    pub(crate) fn root(&self, place: u16) -> u16 {
        let side = self.owner(place).unwrap_or_default();
        let parents = &self.sides[side].parents;
        let mut root = self.number[usize::from(place)];
        while parents[usize::from(root)] != root {
            root = parents[usize::from(root)];
        }
        key(side, root)
    }

    /// Corner and side marks of the group with this root.
    pub(crate) fn marks(&self, root: u16) -> u16 {
        self.sides[usize::from(root) / NUMBERS].marks[usize::from(number(root))] as u16
    }

    /// Corner and side marks of the cell at `place` alone.
    pub(crate) fn cell_marks(&self, place: u16) -> u16 {
        self.cell_marks[usize::from(place)]
    }

    /// The root of the group of the stone of `side` at `place`. On an empty place: the root of the group that a stone
    /// of `side` would begin there.
    ///
    /// # Safety
    /// `side` is 0 or 1, and `place` is on the board.
    #[inline(always)]
    unsafe fn find(&self, side: usize, place: usize) -> u16 {
        // SAFETY: the contract of `find` puts `place` inside `number`. `Forest` needs no special instructions, and all
        // numbers are in its capacity by the invariants of `Stones`.
        unsafe {
            let parents = &self.sides.get_unchecked(side).parents;
            key(side, Forest.find(parents, self.number.as_ptr().add(place)))
        }
    }

    /// The union-find parents of a side's group numbers.
    pub(crate) fn parents(&mut self, side: usize) -> &mut Parents {
        &mut self.sides[side].parents
    }

    /// Puts a stone of `side` on the empty `place`; true if the stone wins. [`Stones::shape`] tells the winning shape.
    ///
    /// # Safety
    /// `side` is 0 or 1, and `place` is an empty on-board place of the board, whose stride is `W`.
    #[inline(always)]
    pub(crate) unsafe fn place<const W: usize>(&mut self, side: usize, place: usize) -> bool {
        // SAFETY: `place_among` has the contract of `place` and that of `UnionFind`. `Forest` keeps the latter on every
        // machine.
        unsafe { self.place_among::<W, Forest>(side, place, &mut Forest) }
    }

    /// [`Stones::place`] with the groups of `side` in the union-find structure `forest`, which was loaded from their
    /// parents.
    ///
    /// # Safety
    /// The contracts of [`Stones::place`] and of [`UnionFind`] hold.
    #[inline(always)]
    pub(crate) unsafe fn place_among<const W: usize, R: UnionFind>(
        &mut self,
        side: usize,
        place: usize,
        forest: &mut R,
    ) -> bool {
        // SAFETY: the contract of `place` covers `surround`, that of `UnionFind` covers `forest`. By the invariants of
        // `Stones`, arcs lead to on-board places, numbers are in range and marks have twelve bits.
        unsafe {
            let (around, blob) = self.surround::<W>(side, place);
            if around.rare() {
                let won;
                (won, *forest) = forest.run_apart::<JoinRare<W>>(self, side, place, around);
                return won;
            }
            let OfSide { parents, marks: of_groups, .. } = self.sides.get_unchecked_mut(side);
            let number = self.number.as_mut_ptr().add(place);
            let first = forest.find(parents, number.offset(isize::from(around.arc[0])));
            let second = forest.find(parents, number.offset(isize::from(around.arc[1])));
            forest.union(parents, first, second);
            let (first, second) = (R::number(first), R::number(second));
            let marks = u32::from(*self.cell_marks.get_unchecked(place))
                | *of_groups.get_unchecked(usize::from(first))
                | *of_groups.get_unchecked(usize::from(second));
            *number = first;
            *of_groups.get_unchecked_mut(usize::from(first)) = marks;
            let ring = around.two_meet(first.into(), second.into());
            *WINNING_MARKS.get_unchecked(marks as usize) | ring | blob
        }
    }

    /// Puts a stone of `side` on the empty `place`, but adds it to no group. Returns the own stones around it, and
    /// whether it fills a blob around its one centre. The latter is valid only where [`Around::rare`] is false.
    ///
    /// # Safety
    /// The contract of [`Stones::place`] holds.
    #[inline(always)]
    unsafe fn surround<const W: usize>(&mut self, side: usize, place: usize) -> (&'static Around, bool) {
        debug_assert!(self.owner(place as u16).is_none());
        // SAFETY: by the contract of `place`, the place is on the board. Padding surrounds the board, so all six
        // neighbours and the two bytes behind the place are inside the array. The pattern of an empty place is below
        // 64.
        unsafe {
            let pattern = self.sides.get_unchecked_mut(side).pattern.as_mut_ptr().add(place);
            let around = Tables::<W>::AROUND.get_unchecked(usize::from(*pattern));
            // Read before the writes below: a load of bytes just written would have to wait for them.
            let fills = around.fills(*pattern.offset(around.centre()));
            let or16 = |at: *mut u8, bits: u16| {
                let at = at.cast::<u16>();
                at.write_unaligned(at.read_unaligned() | bits.to_le());
            };
            // A neighbour in direction d sees this cell in direction d + 3.
            or16(pattern.sub(W + 1), 1 << 3 | 1 << (8 + 4));
            let row = pattern.sub(1).cast::<u32>();
            row.write_unaligned(
                row.read_unaligned() | (1_u32 << 2 | u32::from(OWN) << 8 | 1 << (16 + 5)).to_le(),
            );
            or16(pattern.add(W), 1 << 1 | 1 << 8);
            (around, fills)
        }
    }

    /// Puts a stone of `side` on the empty `place` of a position in which every stone's number is a root. The caller
    /// restores that property: it gives all stones of the touched groups the root of the largest one. `sizes` has the
    /// number of stones of each group, at its root.
    ///
    /// # Safety
    /// The contract of [`Stones::place`] holds.
    #[inline(always)]
    pub(crate) unsafe fn join<const W: usize>(
        &mut self,
        side: usize,
        place: usize,
        sizes: &[u16; GROUPS],
    ) -> Joined {
        // SAFETY: `join` has the contract of `place`, which covers `surround` and `completes_blob`. By the invariants
        // of `Stones`, arcs lead to on-board places, numbers are below NUMBERS and marks have twelve bits.
        unsafe {
            let (around, blob) = self.surround::<W>(side, place);
            let stone = |i: usize| place.wrapping_add_signed(isize::from(around.arc[i])) as u16;
            let root = |i: usize| key(side, *self.number.get_unchecked(usize::from(stone(i))));
            let (first, second, third) = (root(0), root(1), root(2));
            let ring = if around.rare() {
                around.meets([first, second, third]) | self.completes_blob::<W>(side, place, around.centres)
            } else {
                around.two_meet(first, second) | blob
            };
            // Each root once.
            let (next, of_next) = if second == first { (third, stone(2)) } else { (second, stone(1)) };
            let count = usize::from(around.arc[0] != 0)
                + usize::from(next != first)
                + usize::from((third != first) & (third != next));
            let of_groups = &mut self.sides.get_unchecked_mut(side).marks;
            let marks = |root: u16| *of_groups.get_unchecked(usize::from(number(root))) as u16;
            let size = |root: u16| u32::from(*sizes.get_unchecked(usize::from(root)));
            let before = [marks(first), marks(next), marks(third)];
            let after = *self.cell_marks.get_unchecked(place) | before[0] | before[1] | before[2];
            // A stone without own neighbours begins a group, whose size is still 0.
            let (mut root, mut joint) = (first, 1 + size(first));
            if count > 1 {
                for &other in &[next, third][..count - 1] {
                    joint += size(other);
                    if size(other) > size(root) {
                        root = other;
                    }
                }
            }
            *self.number.get_unchecked_mut(place) = number(root);
            *of_groups.get_unchecked_mut(usize::from(number(root))) = u32::from(after);
            Joined {
                touched: Touched { roots: [first, next, third], count },
                stones: [stone(0), of_next, stone(2)],
                before,
                marks: after,
                root,
                size: joint,
                own: around,
                won: ring | *WINNING_MARKS.get_unchecked(usize::from(after)),
            }
        }
    }

    /// Makes the stone at `place` part of the group with this root.
    #[inline(always)]
    pub(crate) fn set_root(&mut self, place: usize, root: u16) {
        self.number[place] = number(root);
    }

    /// The part of [`Stones::place_among`] for [`Around::rare`] patterns: three arcs, or several centres of a blob.
    ///
    /// # Safety
    /// The contract of [`Stones::place_among`] held before [`Stones::surround`] put the stone on `place`, and `around`
    /// is what `surround` returned.
    #[inline(always)]
    unsafe fn join_rare<const W: usize, R: UnionFind>(
        &mut self,
        side: usize,
        place: usize,
        around: &Around,
        forest: &mut R,
    ) -> bool {
        // SAFETY: the contract of `place_among` covers `forest` and `completes_blob`. By the invariants of `Stones`,
        // arcs lead to on-board places, numbers are in range and marks have twelve bits.
        unsafe {
            let OfSide { parents, marks: of_groups, .. } = self.sides.get_unchecked_mut(side);
            let number = self.number.as_mut_ptr().add(place);
            let first = forest.find(parents, number.offset(isize::from(around.arc[0])));
            let second = forest.find(parents, number.offset(isize::from(around.arc[1])));
            let third = forest.find(parents, number.offset(isize::from(around.arc[2])));
            forest.union(parents, first, second);
            forest.union(parents, first, third);
            let found = [R::number(first), R::number(second), R::number(third)];
            let marks =
                found.iter().fold(u32::from(*self.cell_marks.get_unchecked(place)), |marks, &root| {
                    marks | *of_groups.get_unchecked(usize::from(root))
                });
            *number = found[0];
            *of_groups.get_unchecked_mut(usize::from(found[0])) = marks;
            let ring = around.meets(found) | self.completes_blob::<W>(side, place, around.centres);
            *WINNING_MARKS.get_unchecked(marks as usize) | ring
        }
    }

    /// Whether a stone at `place` fills a blob of seven: around one of the own stones in `centres`, or around itself.
    ///
    /// # Safety
    /// `side` is 0 or 1, and `place` is on a board with stride `W`.
    #[inline(always)]
    unsafe fn completes_blob<const W: usize>(&self, side: usize, place: usize, centres: u8) -> bool {
        let mut left = centres;
        let mut found = centres == SURROUNDED;
        while left != 0 {
            let direction = left.trailing_zeros() as usize;
            left &= left - 1;
            let centre = place.wrapping_add_signed(Tables::<W>::DIRECTIONS[direction]);
            // SAFETY: `place` is on the board by the contract of `completes_blob`, so its neighbour is inside the
            // array.
            let seen = unsafe { *self.sides.get_unchecked(side).pattern.get_unchecked(centre) };
            found |= (seen | 1 << ((direction + 3) % 6)) & SURROUNDED == SURROUNDED;
        }
        found
    }

    /// Whether a stone of `side` at the empty `place` would win.
    ///
    /// # Safety
    /// The contract of [`Stones::place`] holds.
    #[inline(always)]
    pub(crate) unsafe fn would_win<const W: usize>(&self, side: usize, place: usize) -> bool {
        // SAFETY: by the contract of `place`, the place is empty and on the board, so its pattern is below 64. By the
        // invariants of `Stones`, arcs lead to on-board places, roots are in range and marks have twelve bits.
        unsafe {
            let pattern = *self.sides.get_unchecked(side).pattern.get_unchecked(place);
            let around = Tables::<W>::AROUND.get_unchecked(usize::from(pattern));
            let roots =
                around.arc.map(|offset| self.find(side, place.wrapping_add_signed(isize::from(offset))));
            let own_marks = *self.cell_marks.get_unchecked(place);
            let of_groups = &self.sides.get_unchecked(side).marks;
            let marks = roots.iter().fold(own_marks, |marks, &root| {
                marks | *of_groups.get_unchecked(usize::from(number(root))) as u16
            });
            if *WINNING_MARKS.get_unchecked(usize::from(marks)) {
                return true;
            }
            around.meets(roots) || self.completes_blob::<W>(side, place, around.centres)
        }
    }

    /// [`Stones::would_win`] without filled rings, for positions in which every stone's number is a root.
    ///
    /// # Safety
    /// The contract of [`Stones::place`] holds.
    #[inline(always)]
    pub(crate) unsafe fn would_meet<const W: usize>(&self, side: usize, place: usize) -> bool {
        // SAFETY: by the contract of `place`, the place is empty and on the board, so its pattern is below 64. By the
        // invariants of `Stones`, arcs lead to on-board places, numbers are in range and marks have twelve bits.
        unsafe {
            let pattern = *self.sides.get_unchecked(side).pattern.get_unchecked(place);
            let around = Tables::<W>::AROUND.get_unchecked(usize::from(pattern));
            let roots = around
                .arc
                .map(|offset| *self.number.get_unchecked(place.wrapping_add_signed(isize::from(offset))));
            let own_marks = *self.cell_marks.get_unchecked(place);
            let of_side = &self.sides.get_unchecked(side).marks;
            let marks = roots
                .iter()
                .fold(own_marks, |marks, &root| marks | *of_side.get_unchecked(usize::from(root)) as u16);
            around.meets(roots) | *WINNING_MARKS.get_unchecked(usize::from(marks))
        }
    }

    /// Calls `found` with the empty places where a stone of `side` would win, ascending.
    ///
    /// # Safety
    /// `side` is 0 or 1, and `geometry` is the geometry of this board, with stride `W`.
    #[inline(always)]
    pub(crate) unsafe fn winning_places<const W: usize>(
        &self,
        side: usize,
        geometry: &Geometry,
        mut found: impl FnMut(usize),
    ) {
        each::<W>(self.promising_places::<W>(side, geometry), |place| {
            // SAFETY: `would_win` needs an empty on-board place. `promising_places` gives only such places: it masks
            // with the cells inside `geometry` and with the empty ones.
            if unsafe { self.would_win::<W>(side, place) } {
                found(place);
            }
        });
    }

    /// The empty places where a stone of `side` may win: where it joins two arcs, may fill a blob, or is itself a
    /// border cell with an own neighbour. Plain byte arithmetic, which the compiler vectorises.
    #[inline(always)]
    fn promising_places<const W: usize>(&self, side: usize, geometry: &Geometry) -> Places {
        let mut promising = [0; PADDED];
        let (own, other) = (&self.sides[side].pattern, &self.sides[side ^ 1].pattern);
        let used = padded(W);
        let (inside, border) = (&geometry.inside[..used], &geometry.border[..used]);
        let places = own[..used].iter().zip(&other[..used]).zip(inside).zip(border);
        for (promising, (((&own, &other), &inside), &border)) in promising[..used].iter_mut().zip(places) {
            let around = own & SURROUNDED;
            let (clockwise, back) = (around << 1 | around >> 5, around >> 1 | around << 5);
            let starts = around & !clockwise;
            let several = starts & starts.wrapping_sub(1);
            let centres = around & clockwise & back;
            let empty = (own | other) & OWN ^ OWN;
            // The subtraction spreads the bit of an empty cell over the lower six bits.
            let may_win = (several | centres | around & border) & inside & (empty - (empty >> 6));
            *promising = u8::from(may_win != 0);
        }
        gather::<W>(&promising, 1)
    }

    /// Own neighbours of a place as six bits, clockwise. The place itself may be empty.
    #[inline(always)]
    pub(crate) fn own_around(&self, side: usize, place: usize) -> u8 {
        self.sides[side].pattern[place] & SURROUNDED
    }

    /// The patterns of the places around `place` in eight bytes, the lowest first: the two places above; the place
    /// before, the place itself and the two behind; the two places below.
    ///
    /// # Safety
    /// `side` is 0 or 1, and `place` is on a board with stride `W`.
    #[inline(always)]
    pub(crate) unsafe fn patterns_around<const W: usize>(&self, side: usize, place: usize) -> u64 {
        // SAFETY: `place` is on the board by the contract of `patterns_around`. Padding surrounds the board, so the
        // rows above and below and the two bytes behind are inside the array.
        unsafe {
            let pattern = self.sides.get_unchecked(side).pattern.as_ptr().add(place);
            let above = pattern.sub(W + 1).cast::<u16>().read_unaligned();
            let row = pattern.sub(1).cast::<u32>().read_unaligned();
            let below = pattern.add(W).cast::<u16>().read_unaligned();
            u64::from(u16::from_le(above))
                | u64::from(u32::from_le(row)) << 16
                | u64::from(u16::from_le(below)) << 48
        }
    }

    /// The places with a stone of `side` on a board with stride `W`.
    #[inline(always)]
    pub(crate) fn of_side<const W: usize>(&self, side: usize) -> Places {
        gather::<W>(&self.sides[side].pattern, OWN)
    }

    /// Whether an on-board place has no stone.
    #[inline(always)]
    pub(crate) fn is_empty(&self, place: usize) -> bool {
        (self.sides[0].pattern[place] | self.sides[1].pattern[place]) & OWN == 0
    }

    /// The groups that a stone of `side` at the empty `place` of a board with stride `W` would join.
    #[inline(always)]
    pub(crate) fn touched<const W: usize>(&self, side: usize, place: usize) -> Touched {
        let own = self.own_around(side, place);
        let around = &Tables::<W>::AROUND[usize::from(own)];
        // SAFETY: `find` needs an on-board place. By the invariants of `Stones` an arc begins at an on-board neighbour;
        // without an arc the offset is 0, and `own_around` has checked `place` itself.
        let root =
            |i: usize| unsafe { self.find(side, place.wrapping_add_signed(isize::from(around.arc[i]))) };
        let first = root(0);
        let mut touched = Touched { roots: [first; 3], count: usize::from(own != 0) };
        if around.several() {
            for i in 1..if around.arc[2] == around.arc[0] { 2 } else { 3 } {
                let root = root(i);
                if root != first && root != touched.roots[1] {
                    touched.roots[touched.count] = root;
                    touched.count += 1;
                }
            }
        }
        touched
    }

    /// Whether a stone of `side` at the empty `place` of a board with stride `W` would win by a fork or a bridge.
    #[inline(always)]
    pub(crate) fn would_connect<const W: usize>(&self, side: usize, place: usize) -> bool {
        let touched = self.touched::<W>(side, place);
        let own = self.cell_marks[place];
        let marks = touched.roots().iter().fold(own, |marks, &root| marks | self.marks(root));
        WINNING_MARKS[usize::from(marks)]
    }

    /// The shape with which the stone at `place` has just won. With several shapes, a fork counts before a bridge, and
    /// a bridge before a ring.
    pub(crate) fn shape(&self, place: u16) -> WinKind {
        let marks = self.marks(self.root(place));
        if (marks >> 6).count_ones() >= 3 {
            WinKind::Fork
        } else if (marks & 63).count_ones() >= 2 {
            WinKind::Bridge
        } else {
            WinKind::Ring
        }
    }
}

/// The root that encodes `side` and a group number.
#[inline(always)]
fn key(side: usize, number: u8) -> u16 {
    (side * NUMBERS) as u16 | u16::from(number)
}

/// The group number that a root encodes.
#[inline(always)]
fn number(root: u16) -> u8 {
    root as u8 & (NUMBERS - 1) as u8
}
