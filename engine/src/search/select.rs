//! Selection: chooses a child of a node, and updates the node's RAVE counters in the same pass.
//!
//! The values are those of `formula.rs`, computed in vectors. A solved child has a fixed value. The highest value is
//! chosen, and of equal values the one with the lowest slot. There is no fused multiply-add, so that every machine
//! rounds alike.

use super::formula;
use super::lanes::{BLOCK, Lanes, NarrowLanes};
use super::proven_outcome::ProvenOutcome;
use super::slots::{MAX_SLOTS, first_of};
use super::tree::{ChildScan, Open, Rave, Shape, UNVISITED, Visit, upper_half};

/// Buffer for the RAVE means by slot of one choice. It is read soon after it was written. It is aligned because such a
/// read is slow when the vector crosses a cache line.
#[repr(C, align(64))]
pub(crate) struct Means(pub(crate) [f32; MAX_SLOTS]);

/// What a choice depends on besides the node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// Playouts that the node will have gained when the choice is followed.
    pub(crate) ahead: u32,
    /// First-play urgency.
    pub(crate) fpu: f32,
    /// The exploration constant c, or 0 without exploration.
    pub(crate) exploration: f32,
    /// The RAVE equivalence k at this node, or 0 without RAVE.
    pub(crate) k: f32,
}

impl Terms {
    /// Whether, without RAVE and knowledge, an unvisited slot is worth more than any child of a node with at least two
    /// playouts. The reason is that no mean is above 1, and that the exploration term of a visited child is smaller by
    /// more than a rounding error.
    fn unvisited_first(&self) -> bool {
        self.fpu >= 1.0 && self.exploration > 0.02
    }
}

/// What one simulation adds to each slot's RAVE counters.
#[repr(C, align(64))]
pub(crate) struct Credit {
    /// For counters of a byte: playouts in the low byte, wins in the high byte. Valid only while both are below 256.
    pub(crate) bytes: [u16; MAX_SLOTS],
    /// For wider counters: playouts in the low half, wins in the high half.
    pub(crate) halves: [u32; MAX_SLOTS],
}

impl Credit {
    pub(crate) const NONE: Self = Self { bytes: [0; MAX_SLOTS], halves: [0; MAX_SLOTS] };
}

/// Adds `credit`, if any, to the RAVE counters of a node, then chooses its next child.
///
/// # Safety
/// The CPU has the instructions of `L` (see [`Lanes`]).
#[inline(always)]
pub(crate) unsafe fn decide<L: Lanes>(
    at: &mut Open<'_>,
    credit: Option<&Credit>,
    terms: Terms,
    means: &mut Means,
) {
    let Shape { rave, knows, .. } = at.children.shape;
    let (next, slot) = if !rave
        && !knows
        && terms.unvisited_first()
        && let Some(slot) = first_of(at.unvisited)
    {
        (UNVISITED, slot)
    } else {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe { choose::<L>(at, credit, terms, means) }
    };
    at.decide(next, slot);
}

/// Adds `credit`, if any, to the RAVE counters of a node. Returns the index of the next child, or [`UNVISITED`], and
/// its slot.
///
/// # Safety
/// The CPU has the instructions of `L` (see [`Lanes`]).
#[inline(always)]
unsafe fn choose<L: Lanes>(
    open: &mut Open<'_>,
    credit: Option<&Credit>,
    terms: Terms,
    means: &mut Means,
) -> (u16, u16) {
    let shape = open.children.shape;
    let n = open.node.n + terms.ahead;
    let explores = shape.explores && terms.exploration > 0.0;
    let exploration = if explores { formula::exploration(terms.exploration, n) } else { 0.0 };
    // SAFETY: the caller guarantees the instructions of `L`. An `Open` with knowledge has a value for each of its
    // `slots`, and the tree keeps the children in place while `open` borrows it.
    unsafe {
        let mut best = Best::<L::Narrow>::none();
        if shape.rave || shape.knows {
            let mut best_offer = Best::<L>::none();
            let offers = Offers {
                best: &mut best_offer,
                shape,
                fpu: L::splat(terms.fpu),
                exploration: L::splat(exploration),
                unvisited: open.unvisited,
                slots: open.slots,
            };
            offers.scan(&mut open.rave, credit, open.knowledge.as_ptr(), means);
            (best.values, best.keys) = L::narrow(best_offer.values, best_offer.keys);
        } else if let Some(slot) = first_of(open.unvisited) {
            // Without RAVE and knowledge all unvisited slots have the same value.
            let value = L::Narrow::splat(terms.fpu + exploration);
            best.add_later(value, L::Narrow::splat_words(key(slot, UNVISITED)));
        }
        let children = Scan {
            children: open.children.scan(),
            slots: open.slots,
            exploration: L::Narrow::splat(exploration),
            k: L::Narrow::splat(terms.k),
            solved: open.node.proven > 0,
        };
        children.scan::<L>(&mut best, means);
        let key = L::Narrow::best(best.values, best.keys);
        debug_assert!(key != NO_KEY, "a node without children is never chosen from");
        (key as u16, (key >> 16) as u16)
    }
}

/// The key of a child or of an unvisited slot. Of equal values the one with the lowest key is chosen.
fn key(slot: u16, index: u16) -> u32 {
    u32::from(slot) << 16 | u32::from(index)
}

/// Greater than every key.
const NO_KEY: u32 = i32::MAX as u32;

/// A scan of a node's children, and the terms that are the same for all of them.
struct Scan<N: Lanes> {
    children: ChildScan,
    /// Slots of the node, rounded up to whole vectors.
    slots: usize,
    /// c·√(ln N).
    exploration: N::Floats,
    /// The RAVE equivalence.
    k: N::Floats,
    /// Whether any child is solved.
    solved: bool,
}

impl<N: NarrowLanes> Scan<N> {
    /// Adds all children to `best`. With RAVE, `means` holds the RAVE mean of every slot.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]), and the tree has not changed since `Children::scan` gave
    /// `children`.
    #[inline(always)]
    unsafe fn scan<L: Lanes<Narrow = N>>(&self, best: &mut Best<N>, means: &Means) {
        // A vector must not cross the end of a block: there may be no memory behind the block.
        const { assert!(BLOCK.is_multiple_of(N::LANES)) };
        let len = self.children.len;
        // SAFETY: the caller guarantees the instructions of `L` and an unchanged tree, so that `ChildScan` gives
        // readable vectors for every `at` below `len` that is a multiple of `N::LANES`.
        unsafe {
            let (mut index, mut at) = (N::ascending(), 0);
            while at < len {
                let mut value = self.value::<L>(at, means);
                if len - at < N::LANES {
                    // The words behind the last child are arbitrary. NaN is never chosen.
                    value = N::if_below(len - at, value, N::splat(f32::NAN));
                }
                best.add(value, N::sum(N::low_half_up(N::load(self.children.meta(at))), index));
                index = N::sum(index, N::splat_words(N::LANES as u32));
                at += N::LANES;
            }
        }
    }

    /// The values of the `N::LANES` children from `at` on. (A method: a closure would not be compiled for the
    /// instructions of `L`.)
    ///
    /// # Safety
    /// That of [`Scan::scan`], and `at` is a multiple of `N::LANES` below the number of children.
    #[inline(always)]
    unsafe fn value<L: Lanes<Narrow = N>>(&self, at: usize, means: &Means) -> N::Floats {
        // SAFETY: the caller guarantees the instructions of `L`, an unchanged tree and such an `at`, so that
        // `ChildScan` gives readable vectors. The words that it has only in some shapes are read in these shapes.
        unsafe {
            let children = &self.children;
            let half_points = N::to_floats(N::load(children.half_points(at)));
            let mut points = N::mul(half_points, N::splat(0.5));
            let mut playouts = N::to_floats(N::load(children.playouts(at)));
            if children.shape.rave {
                let rave = L::gather(&means.0, self.slots, N::load(children.meta(at)));
                points = N::add(points, N::mul(self.k, rave));
                playouts = N::add(playouts, self.k);
            }
            // Without playouts and RAVE this is 0 / MIN_POSITIVE = 0.
            let mut value = N::div(points, N::max(playouts, N::splat(f32::MIN_POSITIVE)));
            if children.shape.explores {
                let factor = N::as_floats(N::load(children.exploration_factor(at)));
                value = N::add(value, N::mul(self.exploration, factor));
            }
            if children.shape.knows {
                value = N::add(value, N::as_floats(N::load(children.knowledge(at))));
            }
            if self.solved {
                value = fixed::<N>(N::load(children.meta(at)), value);
            }
            value
        }
    }
}

/// Replaces the values of solved children by their fixed values. `meta` holds the words of slot, depth and proof.
///
/// # Safety
/// The CPU has the instructions of `L` (see [`Lanes`]).
#[inline(always)]
unsafe fn fixed<L: NarrowLanes>(meta: L::Words, unsolved: L::Floats) -> L::Floats {
    /// A threshold just below all upper halves with this proof.
    const fn from(proof: ProvenOutcome) -> f32 {
        upper_half(proof) as f32 - 0.5
    }
    // SAFETY: the caller guarantees the instructions of `L`.
    unsafe {
        let proof = L::to_floats(L::high_half(meta));
        let mut value = unsolved;
        for known in [ProvenOutcome::Loss, ProvenOutcome::Draw, ProvenOutcome::Win] {
            value = L::if_greater(proof, L::splat(from(known)), L::splat(known.value()), value);
        }
        value
    }
}

/// Counts a visit to a child, and updates the terms of its value that depend on its playouts.
#[inline(always)]
pub(super) fn count(at: &mut Open<'_>, visit: Visit) {
    at.children.count(visit, formula::exploration_factor, |n, slot| {
        formula::decayed_knowledge(f32::from_bits(at.knowledge[usize::from(slot)]), n)
    });
}

/// A scan of all slots of a node, and the terms of the unvisited ones besides their RAVE means.
struct Offers<'a, L: Lanes> {
    best: &'a mut Best<L>,
    shape: Shape,
    fpu: L::Floats,
    exploration: L::Floats,
    /// One bit for each slot.
    unvisited: &'a [u32],
    /// Slots of the node, rounded up to whole vectors.
    slots: usize,
}

impl<L: Lanes> Offers<'_, L> {
    /// Adds `credit` to the RAVE counters of every slot, writes its RAVE mean to `means` (0 without RAVE playouts), and
    /// adds it to `best` if it is unvisited.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]). `rave` has counters for `slots` slots. If `shape.knows`, as
    /// many words can be read at `knowledge`.
    #[inline(always)]
    unsafe fn scan(
        self,
        rave: &mut Rave<'_>,
        credit: Option<&Credit>,
        knowledge: *const u32,
        means: &mut Means,
    ) {
        let credit = credit.unwrap_or(&Credit::NONE);
        let (bytes, halves) = (credit.bytes.as_ptr(), credit.halves.as_ptr());
        // SAFETY: the caller guarantees the instructions of `L` and that `knowledge` and the counters have `slots`
        // entries. The credit has `MAX_SLOTS`, which is no fewer. `each` passes on multiples of `L::LANES` below
        // `slots`.
        unsafe {
            match rave {
                Rave::Off => {
                    let none = L::load(Credit::NONE.halves.as_ptr());
                    self.each(knowledge, means, |_| (none, none));
                }
                Rave::Bytes(counters) => {
                    let counters = counters.as_mut_ptr().cast::<u16>();
                    self.each(knowledge, means, |at| add_bytes::<L>(counters.add(at), bytes.add(at)));
                }
                Rave::Halves(counters) => {
                    let counters = counters.as_mut_ptr();
                    self.each(knowledge, means, |at| add_halves::<L>(counters.add(at), halves.add(at)));
                }
                Rave::Words(playouts, wins) => {
                    let (playouts, wins) = (playouts.as_mut_ptr(), wins.as_mut_ptr());
                    self.each(knowledge, means, |at| {
                        add_words::<L>(playouts.add(at), wins.add(at), halves.add(at))
                    });
                }
            }
        }
    }

    /// Scans all slots. `counted` gives RAVE playouts and wins of the `L::LANES` slots from a slot on.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]). If `shape.knows`, `slots` words can be read at `knowledge`.
    #[inline(always)]
    unsafe fn each(
        self,
        knowledge: *const u32,
        means: &mut Means,
        counted: impl Fn(usize) -> (L::Words, L::Words),
    ) {
        // SAFETY: the caller guarantees the instructions of `L` and `slots` words of knowledge. `slots` is a multiple
        // of `L::LANES` and at most `MAX_SLOTS`, the length of `means`, so that each vector is whole.
        unsafe {
            let mut key = L::sum(L::low_half_up(L::ascending()), L::splat_words(UNVISITED.into()));
            let mut at = 0;
            for &open in self.unvisited {
                let mut part = 0;
                while part < 32 / L::LANES && at < self.slots {
                    let (playouts, wins) = counted(at);
                    let playouts = L::to_floats(playouts);
                    let mean = L::div(L::to_floats(wins), L::max(playouts, L::splat(1.0)));
                    L::store_floats(mean, means.0.as_mut_ptr().add(at));
                    let seen = L::if_greater(playouts, L::splat(0.0), mean, self.fpu);
                    let mut value = seen;
                    if self.shape.explores {
                        value = L::add(value, self.exploration);
                    }
                    if self.shape.knows {
                        value = L::add(value, L::as_floats(L::load(knowledge.add(at))));
                    }
                    let value = L::if_bit(open, part, value, L::splat(f32::NEG_INFINITY));
                    self.best.add_later(value, key);
                    key = L::sum(key, L::splat_words((L::LANES as u32) << 16));
                    (part, at) = (part + 1, at + L::LANES);
                }
            }
        }
    }
}

/// Adds credit to counters of a byte each. Returns playouts and wins. (Functions: closures would not be compiled for
/// the instructions of `L`.)
///
/// # Safety
/// The CPU has the instructions of `L`, and each pointer leads to a whole vector (see [`Lanes`]).
#[inline(always)]
unsafe fn add_bytes<L: Lanes>(counters: *mut u16, credit: *const u16) -> (L::Words, L::Words) {
    // SAFETY: the caller guarantees the instructions of `L` and whole vectors at both pointers.
    unsafe {
        let sum = L::add_pairs(counters, credit);
        (L::low_byte(sum), L::high_byte(sum))
    }
}

/// Adds credit to counters of 16 bits, two in one word. Returns playouts and wins.
///
/// # Safety
/// The CPU has the instructions of `L`, and each pointer leads to a whole vector (see [`Lanes`]).
#[inline(always)]
unsafe fn add_halves<L: Lanes>(counters: *mut u32, credit: *const u32) -> (L::Words, L::Words) {
    // SAFETY: the caller guarantees the instructions of `L` and whole vectors at both pointers.
    unsafe {
        let sum = L::sum(L::load(counters), L::load(credit));
        L::store(sum, counters);
        (L::low_half(sum), L::high_half(sum))
    }
}

/// Adds credit to counters of a word each. Returns playouts and wins.
///
/// # Safety
/// The CPU has the instructions of `L`, and each pointer leads to a whole vector (see [`Lanes`]).
#[inline(always)]
unsafe fn add_words<L: Lanes>(
    playouts: *mut u32,
    wins: *mut u32,
    credit: *const u32,
) -> (L::Words, L::Words) {
    // SAFETY: the caller guarantees the instructions of `L` and whole vectors at the three pointers.
    unsafe {
        let add = L::load(credit);
        let (n, w) = (L::sum(L::load(playouts), L::low_half(add)), L::sum(L::load(wins), L::high_half(add)));
        L::store(n, playouts);
        L::store(w, wins);
        (n, w)
    }
}

/// For every lane the highest value so far, and the lowest key with this value.
struct Best<L: Lanes> {
    values: L::Floats,
    keys: L::Words,
}

impl<L: Lanes> Best<L> {
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    unsafe fn none() -> Self {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe { Self { values: L::splat(f32::NEG_INFINITY), keys: L::splat_words(NO_KEY) } }
    }

    /// Adds values. Each key must be greater than all keys added to its lane before.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    unsafe fn add_later(&mut self, values: L::Floats, keys: L::Words) {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe {
            self.keys = L::if_higher(values, self.values, keys, self.keys);
            self.values = L::max(values, self.values);
        }
    }
}

impl<L: NarrowLanes> Best<L> {
    /// Adds values, ignoring NaN.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    unsafe fn add(&mut self, values: L::Floats, keys: L::Words) {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe {
            let equal = L::if_equal(values, self.values, L::least(keys, self.keys), self.keys);
            self.keys = L::if_higher(values, self.values, keys, equal);
            self.values = L::max(values, self.values);
        }
    }
}

#[cfg(test)]
mod tests;
