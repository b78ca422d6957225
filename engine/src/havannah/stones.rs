//! The stones on a padded board: who is next to what, which group is whose, and whether a stone wins.
//!
//! Each side keeps one byte a cell: the six-bit pattern of its own stones around it, written when a stone is placed
//! (three unaligned ORs) so that reading a neighbourhood is one load. Groups are a union-find forest without ranks;
//! roots carry corner and side marks. A stone closes a ring exactly when two of the arcs of own stones around it
//! already belong to one group, or when it completes a filled blob of seven; nothing else needs a search.

use super::geometry::{Around, Geometry, OWN, PADDED, SURROUNDED, WINNING_MARKS, around, directions};
use crate::side::WinKind;

/// Stones and groups of one position.
#[derive(Clone)]
pub(crate) struct Stones {
    /// Per side and place: own neighbours in bits 0 to 5, own stone in bit 6.
    pattern: [[u8; PADDED]; 2],
    /// Union-find parent of every place; an empty place is its own.
    parent: [u16; PADDED],
    /// Corner and side marks, valid at roots.
    marks: [u16; PADDED],
}

/// Different groups around an empty cell. A stone that joins them makes the first one's root that of all.
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

/// What a stone has done to the groups that it touched; see [`Stones::join`].
pub(crate) struct Joined {
    pub(crate) touched: Touched,
    /// Marks of the groups before.
    pub(crate) before: [u16; 3],
    /// Marks of the group after.
    pub(crate) marks: u16,
    /// The root of the group, that of the largest of those touched.
    pub(crate) root: u16,
    /// Its stones.
    pub(crate) size: u32,
    /// What was around the stone.
    pub(crate) own: &'static Around,
    /// Whether the stone wins, if every ring counts.
    pub(crate) won: bool,
}

/// The tables of a stride, as constants.
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

impl Stones {
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let mut stones =
            Self { pattern: [[0; PADDED]; 2], parent: std::array::from_fn(|i| i as u16), marks: [0; PADDED] };
        stones.marks[..geometry.padded].copy_from_slice(&geometry.marks);
        stones
    }

    /// Becomes `other`, copying only the entries that a board of this geometry uses.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self, geometry: &Geometry) {
        let used = geometry.padded;
        self.pattern[0][..used].copy_from_slice(&other.pattern[0][..used]);
        self.pattern[1][..used].copy_from_slice(&other.pattern[1][..used]);
        self.parent[..used].copy_from_slice(&other.parent[..used]);
        self.marks[..used].copy_from_slice(&other.marks[..used]);
    }

    /// The side with a stone at `place`, if any: 0 or 1.
    pub(crate) fn owner(&self, place: u16) -> Option<usize> {
        (0..2).find(|&side| self.pattern[side][usize::from(place)] & OWN != 0)
    }

    /// The root of the group at `place`, or `place` itself when it is empty.
    pub(crate) fn root(&self, place: u16) -> u16 {
        let mut root = place;
        while self.parent[usize::from(root)] != root {
            root = self.parent[usize::from(root)];
        }
        root
    }

    /// Corner and side marks of the group with this root, or of an empty cell.
    pub(crate) fn marks(&self, root: u16) -> u16 {
        self.marks[usize::from(root)]
    }

    /// # Safety
    /// `place` is on the board.
    #[inline(always)]
    unsafe fn find(&self, place: usize) -> usize {
        // SAFETY: parents are places; `place` is one by contract.
        unsafe {
            // Two steps reach nearly every root, and what stops there is predicted well.
            let root = *self.parent.get_unchecked(usize::from(*self.parent.get_unchecked(place)));
            let next = *self.parent.get_unchecked(usize::from(root));
            usize::from(if next == root { root } else { self.find_on(next) })
        }
    }

    /// The rest of [`Stones::find`], which few need: out of the way of all others.
    ///
    /// # Safety
    /// As for it.
    #[cold]
    unsafe fn find_on(&self, mut root: u16) -> u16 {
        loop {
            // SAFETY: parents are places.
            let next = unsafe { *self.parent.get_unchecked(usize::from(root)) };
            if next == root {
                return root;
            }
            root = next;
        }
    }

    /// Puts a stone of `side` on the empty `place`; true if it wins. The winning shape is
    /// [`Stones::shape`]'s to tell.
    ///
    /// # Safety
    /// `place` is an on-board, empty place of a board with stride `W`.
    #[inline(always)]
    pub(crate) unsafe fn place<const W: usize>(&mut self, side: usize, place: usize) -> bool {
        // SAFETY: by contract.
        unsafe {
            let (around, blob) = self.surround::<W>(side, place);
            if around.rare() {
                return self.join_rare::<W>(side, place, around);
            }
            let first = self.find(place.wrapping_add_signed(isize::from(around.arc[0])));
            let second = self.find(place.wrapping_add_signed(isize::from(around.arc[1])));
            let ring = around.two_meet(first as u16, second as u16);
            self.unite([first, second], place) | ring | blob
        }
    }

    /// Puts a stone of `side` on the empty `place` without making it part of a group. What was around it, and whether
    /// it fills a blob around the one centre there, where it is not rare.
    ///
    /// # Safety
    /// As for [`Stones::place`].
    #[inline(always)]
    unsafe fn surround<const W: usize>(&mut self, side: usize, place: usize) -> (&'static Around, bool) {
        debug_assert!(self.owner(place as u16).is_none());
        // SAFETY: an on-board place has a full padding row and column around it, so every neighbour offset and the
        // two bytes behind the last one stay inside the arrays.
        unsafe {
            let pattern = self.pattern.get_unchecked_mut(side).as_mut_ptr().add(place);
            let around = Tables::<W>::AROUND.get_unchecked(usize::from(*pattern));
            // Looked at before the stone is noted: the byte would have to wait for what has just been written.
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

    /// Puts a stone of `side` on the empty `place` where every stone's parent is its root. That stays so once the
    /// caller has given all stones of the groups it touched the root of the largest, by `sizes` at roots.
    ///
    /// # Safety
    /// As for [`Stones::place`].
    #[inline(always)]
    pub(crate) unsafe fn join<const W: usize>(
        &mut self,
        side: usize,
        place: usize,
        sizes: &[u16; PADDED],
    ) -> Joined {
        // SAFETY: by contract; parents are places, and marks have twelve bits.
        unsafe {
            let (around, blob) = self.surround::<W>(side, place);
            let root =
                |i: usize| *self.parent.get_unchecked(place.wrapping_add_signed(isize::from(around.arc[i])));
            let (first, second, third) = (root(0), root(1), root(2));
            let ring = if around.rare() {
                around.meets([first, second, third]) | self.completes_blob::<W>(side, place, around.centres)
            } else {
                around.two_meet(first, second) | blob
            };
            // The roots once each.
            let next = if second == first { third } else { second };
            let count = usize::from(around.arc[0] != 0)
                + usize::from(next != first)
                + usize::from((third != first) & (third != next));
            let marks = |root: u16| *self.marks.get_unchecked(usize::from(root));
            let size = |root: u16| u32::from(*sizes.get_unchecked(usize::from(root)));
            let before = [marks(first), marks(next), marks(third)];
            let after = marks(place as u16) | before[0] | before[1] | before[2];
            // A root of its own has no size yet.
            let (mut root, mut joint) = (first, 1 + size(first));
            if count > 1 {
                for &other in &[next, third][..count - 1] {
                    joint += size(other);
                    if size(other) > size(root) {
                        root = other;
                    }
                }
            }
            *self.parent.get_unchecked_mut(place) = root;
            *self.marks.get_unchecked_mut(usize::from(root)) = after;
            Joined {
                touched: Touched { roots: [first, next, third], count },
                before,
                marks: after,
                root,
                size: joint,
                own: around,
                won: ring | *WINNING_MARKS.get_unchecked(usize::from(after)),
            }
        }
    }

    /// The stone at `place` belongs to the group with this root.
    #[inline(always)]
    pub(crate) fn set_root(&mut self, place: usize, root: u16) {
        self.parent[place] = root;
    }

    /// The part of [`Stones::place`] that few moves need: three arcs, or several centres of a blob.
    ///
    /// # Safety
    /// As for [`Stones::place`]; the patterns already know the stone.
    #[cold]
    #[inline(never)]
    unsafe fn join_rare<const W: usize>(&mut self, side: usize, place: usize, around: &Around) -> bool {
        // SAFETY: by contract.
        unsafe {
            let roots = around.arc.map(|offset| self.find(place.wrapping_add_signed(isize::from(offset))));
            let ring = around.meets(roots) | self.completes_blob::<W>(side, place, around.centres);
            self.unite(roots, place) | ring
        }
    }

    /// Makes the stone at `place` and the groups with these roots one group, whose root is the first; true if its
    /// marks win.
    ///
    /// # Safety
    /// All are places of the board.
    #[inline(always)]
    unsafe fn unite<const N: usize>(&mut self, roots: [usize; N], place: usize) -> bool {
        // SAFETY: by contract; marks have twelve bits.
        unsafe {
            let mut marks = *self.marks.get_unchecked(place);
            for root in roots {
                marks |= *self.marks.get_unchecked(root);
            }
            for &root in &roots[1..] {
                *self.parent.get_unchecked_mut(root) = roots[0] as u16;
            }
            *self.parent.get_unchecked_mut(place) = roots[0] as u16;
            *self.marks.get_unchecked_mut(roots[0]) = marks;
            *WINNING_MARKS.get_unchecked(usize::from(marks))
        }
    }

    /// Whether a stone at `place` fills a blob of seven: around one of the own stones in `centres`, or around itself.
    ///
    /// # Safety
    /// As for [`Stones::place`].
    #[inline(always)]
    unsafe fn completes_blob<const W: usize>(&self, side: usize, place: usize, centres: u8) -> bool {
        let mut left = centres;
        let mut found = centres == SURROUNDED;
        while left != 0 {
            let direction = left.trailing_zeros() as usize;
            left &= left - 1;
            let centre = place.wrapping_add_signed(Tables::<W>::DIRECTIONS[direction]);
            // SAFETY: the centre is a neighbour of an on-board place.
            let seen = unsafe { *self.pattern.get_unchecked(side).get_unchecked(centre) };
            found |= (seen | 1 << ((direction + 3) % 6)) & SURROUNDED == SURROUNDED;
        }
        found
    }

    /// Whether a stone of `side` at the empty `place` would win.
    ///
    /// # Safety
    /// As for [`Stones::place`].
    #[inline(always)]
    pub(crate) unsafe fn would_win<const W: usize>(&self, side: usize, place: usize) -> bool {
        // SAFETY: by contract.
        unsafe {
            let pattern = *self.pattern.get_unchecked(side).get_unchecked(place);
            let around = Tables::<W>::AROUND.get_unchecked(usize::from(pattern));
            let roots = around.arc.map(|offset| self.find(place.wrapping_add_signed(isize::from(offset))));
            let own_marks = *self.marks.get_unchecked(place);
            let marks = roots.iter().fold(own_marks, |marks, &root| marks | *self.marks.get_unchecked(root));
            if *WINNING_MARKS.get_unchecked(usize::from(marks)) {
                return true;
            }
            around.meets(roots) || self.completes_blob::<W>(side, place, around.centres)
        }
    }

    /// [`Stones::would_win`] by anything but a filled ring, where every stone's parent is its root.
    ///
    /// # Safety
    /// As for [`Stones::place`].
    #[inline(always)]
    pub(crate) unsafe fn would_meet<const W: usize>(&self, side: usize, place: usize) -> bool {
        // SAFETY: by contract.
        unsafe {
            let pattern = *self.pattern.get_unchecked(side).get_unchecked(place);
            let around = Tables::<W>::AROUND.get_unchecked(usize::from(pattern));
            let roots = around
                .arc
                .map(|offset| *self.parent.get_unchecked(place.wrapping_add_signed(isize::from(offset))));
            let own_marks = *self.marks.get_unchecked(place);
            let marks = roots
                .iter()
                .fold(own_marks, |marks, &root| marks | *self.marks.get_unchecked(usize::from(root)));
            around.meets(roots) | *WINNING_MARKS.get_unchecked(usize::from(marks))
        }
    }

    /// The empty places where a stone of `side` would win, ascending.
    ///
    /// # Safety
    /// `geometry` is that of the board, and its stride is `W`.
    #[inline(always)]
    pub(crate) unsafe fn winning_places<const W: usize>(
        &self,
        side: usize,
        geometry: &Geometry,
    ) -> impl Iterator<Item = usize> {
        let promising = self.promising_places(side, geometry);
        (0..geometry.padded.div_ceil(8))
            .flat_map(move |word| {
                let bytes = u64::from_le_bytes(promising.as_chunks().0[word]);
                std::iter::successors(Some(bytes), |&left| {
                    // Clears the lowest byte that is not 0.
                    Some(left & !0xff_u64.unbounded_shl(left.trailing_zeros() & !7))
                })
                .take_while(|&left| left != 0)
                .map(move |left| 8 * word + left.trailing_zeros() as usize / 8)
            })
            // SAFETY: promising places are empty ones of the board.
            .filter(move |&place| unsafe { self.would_win::<W>(side, place) })
    }

    /// Marks, by bytes that are not 0, the empty places where a stone of `side` could win at all: where it joins two
    /// arcs, may fill a blob, or connects to a border cell. Plain arithmetic on bytes, for whole vectors at a time.
    #[inline]
    fn promising_places(&self, side: usize, geometry: &Geometry) -> [u8; PADDED] {
        let mut promising = [0; PADDED];
        let (own, other) = (&self.pattern[side], &self.pattern[side ^ 1]);
        let used = geometry.padded;
        let places = own[..used].iter().zip(&other[..used]).zip(&geometry.inside).zip(&geometry.border);
        for (promising, (((&own, &other), &inside), &border)) in promising[..used].iter_mut().zip(places) {
            let around = own & SURROUNDED;
            let (clockwise, back) = (around << 1 | around >> 5, around >> 1 | around << 5);
            let starts = around & !clockwise;
            let several = starts & starts.wrapping_sub(1);
            let centres = around & clockwise & back;
            let empty = (own | other) & OWN ^ OWN;
            // The bit of an empty cell, spread over the six.
            *promising = (several | centres | around & border) & inside & (empty - (empty >> 6));
        }
        promising
    }

    /// Own neighbours of a place as six bits, clockwise, whether or not the place itself has a stone.
    #[inline(always)]
    pub(crate) fn own_around(&self, side: usize, place: usize) -> u8 {
        self.pattern[side][place] & SURROUNDED
    }

    /// The patterns around an on-board place of a board with stride `W`, one a byte from the lowest: of the two places
    /// above, of the place itself, the one before it and the two behind it, and of the two below.
    ///
    /// # Safety
    /// As it says.
    #[inline(always)]
    pub(crate) unsafe fn patterns_around<const W: usize>(&self, side: usize, place: usize) -> u64 {
        // SAFETY: an on-board place has a row above and below, and two bytes behind.
        unsafe {
            let pattern = self.pattern.get_unchecked(side).as_ptr().add(place);
            let above = pattern.sub(W + 1).cast::<u16>().read_unaligned();
            let row = pattern.sub(1).cast::<u32>().read_unaligned();
            let below = pattern.add(W).cast::<u16>().read_unaligned();
            u64::from(u16::from_le(above))
                | u64::from(u32::from_le(row)) << 16
                | u64::from(u16::from_le(below)) << 48
        }
    }

    /// The places with a stone of `side`, as bits.
    #[inline(always)]
    pub(crate) fn of_side(&self, side: usize) -> [u64; PADDED.div_ceil(64)] {
        let mut places = [0; PADDED.div_ceil(64)];
        for (i, bytes) in self.pattern[side].as_chunks().0.iter().enumerate() {
            // Bit 6 of every byte, gathered into the highest.
            let own = u64::from_le_bytes(*bytes) >> 6 & 0x0101_0101_0101_0101;
            places[i / 8] |= (own.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * (i % 8));
        }
        places
    }

    /// Whether an on-board place has no stone.
    #[inline(always)]
    pub(crate) fn is_empty(&self, place: usize) -> bool {
        (self.pattern[0][place] | self.pattern[1][place]) & OWN == 0
    }

    /// The groups that a stone of `side` at the empty `place` of a board with stride `W` would join.
    #[inline(always)]
    pub(crate) fn touched<const W: usize>(&self, side: usize, place: usize) -> Touched {
        let own = self.own_around(side, place);
        let around = &Tables::<W>::AROUND[usize::from(own)];
        // SAFETY: the table leads to stones around the place, which are on the board.
        let root =
            |i: usize| unsafe { self.find(place.wrapping_add_signed(isize::from(around.arc[i]))) } as u16;
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
        let own = self.marks[place];
        let marks = touched.roots().iter().fold(own, |marks, &root| marks | self.marks(root));
        WINNING_MARKS[usize::from(marks)]
    }

    /// The shape of a winning group, given that the stone at `place` has just won: fork before bridge before ring.
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
