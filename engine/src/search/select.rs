//! Selection: chooses a child of a node, and updates the node's RAVE counters in the same pass.
//!
//! The values are those of `formula.rs`, computed in vectors. A solved child has a fixed value. The highest value is
//! chosen, and of equal values the one with the lowest slot. There is no fused multiply-add, so that every machine
//! rounds alike.

use super::formula;
use super::lanes::{BLOCK, Lanes, NarrowLanes};
use super::outcome::Proof;
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
    const fn from(proof: Proof) -> f32 {
        upper_half(proof) as f32 - 0.5
    }
    // SAFETY: the caller guarantees the instructions of `L`.
    unsafe {
        let proof = L::to_floats(L::high_half(meta));
        let mut value = unsolved;
        for known in [Proof::Loss, Proof::Draw, Proof::Win] {
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
mod tests {
    use super::super::lanes;
    use super::super::tree::{Child, Tree, Width};
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::can_test;
    use crate::rng::Rng;
    use crate::search::slots::SlotSet;

    /// The value of the second of two children on slots 4 and 5: `(playouts, half-points)`, RAVE mean and equivalence,
    /// exploration constant and its node's playouts, knowledge about its slot.
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn value<L: Lanes>(
        (playouts, half_points): (u32, u32),
        (rave, k): (f32, f32),
        (exploration, n): (f32, u32),
        known: f32,
    ) -> f32 {
        let shape = Shape { rave: k > 0.0, explores: exploration > 0.0, knows: known > 0.0 };
        let mut tree = Tree::new(1 << 20, 10, shape);
        let id = tree.add(n, SlotSet::from_iter(0..10), Proof::Unknown, Width::Byte);
        let mut means = Means([0.0; MAX_SLOTS]);
        means.0[5] = rave;
        for slot in [4, 5] {
            let child = tree.visit(id, slot);
            let visit = Visit { child, playouts, half_points };
            tree.open(id)
                .children
                .count(visit, formula::exploration_factor, |n, _| formula::decayed_knowledge(known, n));
        }
        let children = tree.open(id).children.scan();
        let mut values = [0.0; lanes::MOST_LANES];
        // SAFETY: the caller guarantees the instructions of `L`; the tree lives on unchanged, and it has children from
        // 0 on.
        unsafe {
            let (exploration, k) =
                (L::Narrow::splat(formula::exploration(exploration, n)), L::Narrow::splat(k));
            let scan = Scan { children, slots: 16, exploration, k, solved: false };
            L::Narrow::store_floats(scan.value::<L>(0, &means), values.as_mut_ptr());
        }
        values[1]
    }

    #[test]
    fn values_are_those_of_the_definition() {
        let close = |counts, rave, exploration, known, expected: f32| {
            // SAFETY: every CPU of the target has the instructions of `Baseline`.
            let value = unsafe { value::<lanes::Baseline>(counts, rave, exploration, known) };
            assert!((value - expected).abs() < 1e-5, "{value} is not {expected}");
            #[cfg(target_arch = "x86_64")]
            if can_test("AVX2", lanes::has_avx2()) {
                // SAFETY: `can_test` is true only if `has_avx2` has detected the instructions.
                let same = unsafe { self::value::<lanes::Avx2>(counts, rave, exploration, known) };
                assert_eq!(same.to_bits(), value.to_bits());
            }
            #[cfg(target_arch = "x86_64")]
            if can_test("AVX-512", lanes::has_avx512()) {
                // SAFETY: `can_test` is true only if `has_avx512` has detected the instructions.
                let same = unsafe { self::value::<lanes::Avx512>(counts, rave, exploration, known) };
                assert_eq!(same.to_bits(), value.to_bits());
            }
        };
        let (off, plain) = ((0.0, 0.0), (0.0, 1000));
        // β = 500/600.
        close((100, 80), (0.6, 500.0), plain, 0.0, 0.566_67);
        close((100, 80), (0.0, 500.0), plain, 0.0, 0.066_67);
        close((100, 80), off, plain, 0.0, 0.4);
        // Without playouts the value is the RAVE mean.
        close((0, 0), (0.7, 500.0), plain, 0.0, 0.7);
        close((0, 0), off, plain, 0.0, 0.0);
        close((9, 0), off, (0.9, 1000), 0.0, 0.748_01);
        close((0, 0), off, (0.9, 1000), 0.0, 2.365_43);
        for (playouts, known) in [(0, 0.6), (1, 0.6), (4, 0.3), (999, 0.018_98), (1000, 0.0)] {
            close((playouts, 0), off, plain, 0.6, known);
        }
    }

    /// The choice at a node by the scalar formula.
    fn by_formula(
        at: &Open<'_>,
        credit: &Credit,
        terms: Terms,
        children: &[Child],
        known: &[f32],
    ) -> (u16, u16) {
        let Shape { rave, explores, knows } = at.children.shape;
        let exploration =
            if explores { formula::exploration(terms.exploration, at.node.n + terms.ahead) } else { 0.0 };
        let rave_of = |slot: u16| {
            let (playouts, wins) =
                (credit.halves[usize::from(slot)] & 0xffff, credit.halves[usize::from(slot)] >> 16);
            (rave && playouts > 0).then(|| wins as f32 / playouts as f32)
        };
        let knowledge = |slot: u16| if knows { known[usize::from(slot)] } else { 0.0 };
        let k = if rave { terms.k } else { 0.0 };
        let seen = children.iter().zip(0..).map(|(child, index)| {
            let mean = formula::mean(child.half_points, child.n, rave_of(child.slot).unwrap_or(0.0), k);
            let explored = mean + exploration * formula::exploration_factor(child.n);
            (explored + formula::decayed_knowledge(knowledge(child.slot), child.n), child.slot, index)
        });
        let slots =
            (0..at.slots as u16).filter(|&slot| at.unvisited[usize::from(slot) / 32] >> (slot % 32) & 1 == 1);
        let new = slots.map(|slot| {
            (formula::first_play(terms.fpu, rave_of(slot), exploration, knowledge(slot)), slot, UNVISITED)
        });
        let best = seen.chain(new).reduce(|best, next| {
            if next.0 > best.0 || (next.0 == best.0 && next.1 < best.1) { next } else { best }
        });
        let (_, slot, index) = best.expect("a node has a child");
        (index, slot)
    }

    /// Checks choices at nodes of every kind. Counts are drawn from few values, so that children often have equal
    /// values.
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn choices_follow_the_formula<L: Lanes>() {
        let mut rng = Rng::new(7);
        let mut chosen = [0; 2];
        for round in 0..4000_u32 {
            let shape = Shape { rave: round & 1 == 1, explores: round & 2 == 2, knows: round & 4 == 4 };
            let slots = 3 + rng.below(120) as u16;
            let mut tree = Tree::new(1 << 20, slots.into(), shape);
            let id = tree.add(1 + rng.below(5000), (0..slots).collect(), Proof::Unknown, Width::Byte);
            let mut known = [0.0; MAX_SLOTS];
            known[..usize::from(slots)].fill_with(|| rng.below(20) as f32 * 0.01);
            if shape.knows {
                tree.set_knowledge(id, &known);
            }
            for slot in (0..slots).filter(|_| rng.below(3) > 0).collect::<Vec<_>>() {
                let child = tree.visit(id, slot);
                let playouts = [1, 2, 30, 1500][rng.below(4) as usize];
                let visit = Visit { child, playouts, half_points: rng.below(2 * playouts + 1) };
                count(&mut tree.open(id), visit);
            }
            let mut credit = Credit::NONE;
            for slot in 0..usize::from(slots) {
                let playouts = rng.below(4);
                let wins = rng.below(playouts + 1);
                credit.halves[slot] = playouts | wins << 16;
                credit.bytes[slot] = (playouts | wins << 8) as u16;
            }
            let terms = Terms {
                ahead: round % 2,
                fpu: [0.4, 1.0, 1.2][rng.below(3) as usize],
                exploration: [0.0, 0.3, 0.9][rng.below(3) as usize],
                k: [20.0, 500.0][rng.below(2) as usize],
            };
            let children: Vec<Child> = tree.visited(id).collect();
            let mut at = tree.open(id);
            let expected = by_formula(&at, &credit, terms, &children, &known);
            // SAFETY: the caller guarantees the instructions of `L`.
            let found = unsafe { choose::<L>(&mut at, Some(&credit), terms, &mut Means([0.0; MAX_SLOTS])) };
            assert_eq!(found, expected, "round {round}: {terms:?}");
            chosen[usize::from(found.0 == UNVISITED)] += 1;
        }
        assert!(chosen.iter().all(|&times| times > 500), "{chosen:?}");
    }

    #[test]
    fn vectors_of_every_kind_choose_by_the_formula() {
        // SAFETY: every CPU of the target has the instructions of `Baseline`; `can_test` is true only with the others.
        unsafe {
            choices_follow_the_formula::<lanes::Baseline>();
            #[cfg(target_arch = "x86_64")]
            if can_test("AVX2", lanes::has_avx2()) {
                choices_follow_the_formula::<lanes::Avx2>();
            }
            #[cfg(target_arch = "x86_64")]
            if can_test("AVX-512", lanes::has_avx512()) {
                choices_follow_the_formula::<lanes::Avx512>();
            }
        }
    }

    #[test]
    fn vectors_of_every_kind_have_the_bits_of_the_formula() {
        let mut rng = Rng::new(8);
        for _ in 0..2000 {
            let playouts = rng.below(3000);
            let counts = (playouts, rng.below(2 * playouts + 1));
            let mut real = |most: f32| rng.below(1 << 20) as f32 / (1 << 20) as f32 * most;
            let (rave, k, c, known) = (real(1.0), real(900.0), real(2.0), real(0.5));
            let n = playouts + 1 + (real(1e5) as u32);
            let mean = formula::mean(counts.1, counts.0, rave, k);
            let explored = mean + formula::exploration(c, n) * formula::exploration_factor(playouts);
            let expected = (explored + formula::decayed_knowledge(known, playouts)).to_bits();
            // SAFETY: every CPU of the target has the instructions of `Baseline`; `can_test` is true only with the
            // others.
            unsafe {
                assert_eq!(value::<lanes::Baseline>(counts, (rave, k), (c, n), known).to_bits(), expected);
                #[cfg(target_arch = "x86_64")]
                if can_test("AVX2", lanes::has_avx2()) {
                    assert_eq!(value::<lanes::Avx2>(counts, (rave, k), (c, n), known).to_bits(), expected);
                }
                #[cfg(target_arch = "x86_64")]
                if can_test("AVX-512", lanes::has_avx512()) {
                    assert_eq!(value::<lanes::Avx512>(counts, (rave, k), (c, n), known).to_bits(), expected);
                }
            }
        }
    }

    #[test]
    fn solved_children_have_fixed_values_whatever_they_counted() {
        let mut tree = Tree::new(1 << 20, 10, Shape::RAVE);
        let id = tree.add(9, SlotSet::from_iter(0..4), Proof::Unknown, Width::Byte);
        let proofs = [Proof::NotLost, Proof::Loss, Proof::Draw, Proof::Win];
        for (slot, proof) in (0..).zip(proofs) {
            let child = tree.visit(id, slot);
            tree.open(id).children.count(
                Visit { child, playouts: 4, half_points: 4 },
                formula::exploration_factor,
                |_, _| 0.0,
            );
            tree.set_proof(id, child, proof, 0x1fff);
        }
        let children = tree.open(id).children.scan();
        let mut values = [0.0; lanes::MOST_LANES];
        // SAFETY: every CPU of the target has the instructions of `Baseline`; the tree lives on unchanged, and it has
        // children from 0 on.
        unsafe {
            type L = lanes::Baseline;
            let scan =
                Scan { children, slots: 16, exploration: L::splat(0.0), k: L::splat(4.0), solved: true };
            L::store_floats(scan.value::<L>(0, &Means([1.0; MAX_SLOTS])), values.as_mut_ptr());
        }
        assert_eq!(values[..4], [0.75, Proof::Loss.value(), Proof::Draw.value(), Proof::Win.value()]);
    }
}
