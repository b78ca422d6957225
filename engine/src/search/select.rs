//! Choosing a child, and crediting RAVE counters on the same pass over them.
//!
//! A child's value is `exploit + β·rave + c·√(ln N)·urgency`, with `exploit = (1 − β)·mean`, `β = k/(k + n)` and
//! `urgency = 1/√(n + 1)`. A child without playouts is worth its RAVE mean, or the first-play urgency without one.
//! Knowledge adds its value over √max(1, n) up to 1000 playouts.
//! The highest value wins; of equal values the lowest slot. No fused multiply-add anywhere: every machine rounds alike.

use super::lanes::{Lanes, MOST_LANES};
use super::tree::{Node, NodeId, Rave, TermPlanes, Tree, UNVISITED, Value};
use crate::game::MAX_SLOTS;
use std::sync::LazyLock;

/// RAVE means by slot.
type Means = [f32; MAX_SLOTS];

/// What a choice depends on besides the counters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// First-play urgency.
    pub(crate) fpu: f32,
    /// c·√(ln N), or 0 without exploration.
    pub(crate) exploration: f32,
    /// Whether RAVE means count at this node.
    pub(crate) rave: bool,
}

impl Terms {
    /// Whether, without knowledge, a slot never visited is worth more than any child: no mean is above 1, and a child's
    /// exploration term is smaller by a factor that rounding cannot hide.
    fn unvisited_first(&self) -> bool {
        !self.rave && self.fpu >= 1.0 && self.exploration > 0.01
    }
}

/// Playouts and wins to add to each slot's RAVE counters: playouts in the low half, wins in the high half.
pub(crate) type Credit = [u32; MAX_SLOTS];

/// Room for one choice's intermediate results.
pub(crate) struct Scratch {
    means: Means,
    /// Values by child.
    values: [f32; MAX_SLOTS],
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self { means: [0.0; MAX_SLOTS], values: [0.0; MAX_SLOTS] }
    }
}

/// Chooses the next child of a node after adding `credit`, if any, to its RAVE counters. Returns its index, or
/// [`UNVISITED`], and its slot.
///
/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn choose<L: Lanes>(
    tree: &mut Tree,
    id: NodeId,
    credit: Option<&Credit>,
    terms: Terms,
    scratch: &mut Scratch,
) -> (u16, u16) {
    let explores = tree.explores();
    let planes = tree.planes(id);
    let knows = !planes.knowledge.is_empty();
    let mut offered = None;
    if !terms.rave && !knows {
        offered = planes.node.unvisited.first();
        if terms.unvisited_first()
            && let Some(slot) = offered
        {
            return (UNVISITED, slot);
        }
    }
    let Scratch { means, values } = scratch;
    // SAFETY: by contract.
    unsafe {
        let mut highest = Highest::<L>::new();
        let exploration = L::splat(terms.exploration);
        if terms.rave || knows {
            let offers = Offers {
                highest: &mut highest,
                fpu: L::splat(terms.fpu),
                exploration,
                node: planes.node,
                slots: planes.slots,
            };
            let rave = if terms.rave { planes.rave } else { Rave::Off };
            let knowledge = planes.knowledge.as_ptr();
            if knows {
                offers.scan::<true>(rave, credit, knowledge, means);
            } else {
                offers.scan::<false>(rave, credit, knowledge, means);
            }
        } else if let Some(slot) = offered {
            // Without RAVE and knowledge all unvisited slots are worth the same.
            highest.add_later(L::splat(terms.fpu + terms.exploration), L::splat(f32::from(slot)));
        }
        let len = usize::from(planes.node.visited);
        let children = Children { terms: planes.terms, len, exploration };
        let top = match (terms.rave, explores) {
            (false, false) => children.values::<L, false, false>(highest.value, means, values),
            (false, true) => children.values::<L, false, true>(highest.value, means, values),
            (true, false) => children.values::<L, true, false>(highest.value, means, values),
            (true, true) => children.values::<L, true, true>(highest.value, means, values),
        };
        let top = L::highest(top);
        children.pick::<L>(top, values, highest.lowest_slot(top))
    }
}

/// The children of a node that a choice scans, and √(ln N)·c for all of them.
struct Children<'a, F> {
    terms: TermPlanes<'a>,
    len: usize,
    exploration: F,
}

impl<F: Copy> Children<'_, F> {
    /// Writes the value of every child. Returns `top` with the highest of them, lane by lane.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`]; `means` are those of all slots, with RAVE.
    #[inline(always)]
    unsafe fn values<L: Lanes<Floats = F>, const RAVE: bool, const EXPLORES: bool>(
        &self,
        mut top: F,
        means: &Means,
        values: &mut [f32; MAX_SLOTS],
    ) -> F {
        let whole = self.len - self.len % L::LANES;
        let values = values.as_mut_ptr();
        // SAFETY: by contract; the planes and the values have as many scans.
        unsafe {
            // Not `step_by`, here and below: it takes several times as many instructions.
            let mut at = 0;
            while at < whole {
                let value = self.value::<L, RAVE, EXPLORES>(at, means);
                L::store_floats(value, values.add(at));
                top = L::max(value, top);
                at += L::LANES;
            }
            if whole < self.len {
                // Behind the last child may be anything.
                let value = self.value::<L, RAVE, EXPLORES>(whole, means);
                let children = L::splat((self.len - whole) as f32);
                let value = L::if_greater(children, L::ascending(), value, L::splat(f32::NEG_INFINITY));
                L::store_floats(value, values.add(whole));
                top = L::max(value, top);
            }
        }
        top
    }

    /// The values of the children of the scan that begins there. (A method, because a closure would not be compiled for
    /// the vectors' instructions.)
    ///
    /// # Safety
    /// As for [`Children::values`].
    #[inline(always)]
    unsafe fn value<L: Lanes<Floats = F>, const RAVE: bool, const EXPLORES: bool>(
        &self,
        at: usize,
        means: &Means,
    ) -> F {
        // SAFETY: by contract.
        unsafe {
            let plane = |plane: &[u32]| plane.as_ptr().add(at);
            let mut value = L::as_floats(L::load(plane(self.terms.exploit)));
            if EXPLORES {
                let urgency = L::as_floats(L::load(plane(self.terms.urgency)));
                value = L::add(value, L::mul(self.exploration, urgency));
            }
            if RAVE {
                let beta = L::as_floats(L::load(plane(self.terms.beta)));
                let rave = L::gather(means, L::load(plane(self.terms.meta)));
                value = L::add(value, L::mul(beta, rave));
            }
            value
        }
    }

    /// Of the children worth `top` and the unvisited slot `offered`, the one with the lowest slot.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn pick<L: Lanes<Floats = F>>(
        &self,
        top: F,
        values: &[f32; MAX_SLOTS],
        offered: u16,
    ) -> (u16, u16) {
        let (mut index, mut slot) = (UNVISITED, offered);
        // SAFETY: by contract; values and planes are there for all children.
        unsafe {
            let mut first = 0;
            while first < self.len {
                let (mut hits, mut at) = (0_u64, 0);
                while at < 64.min(self.len - first) {
                    let those = L::load_floats(values.as_ptr().add(first + at));
                    hits |= u64::from(L::equal(those, top)) << at;
                    at += L::LANES;
                }
                while hits != 0 {
                    let hit = first + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    let its_slot = *self.terms.meta.get_unchecked(hit) as u16;
                    if its_slot < slot {
                        (index, slot) = (hit as u16, its_slot);
                    }
                }
                first += 64;
            }
        }
        debug_assert!(slot != NO_SLOT, "a node without children is never chosen from");
        (index, slot)
    }
}

/// Above all slots.
const NO_SLOT: u16 = u16::MAX;

/// Playouts from which knowledge no longer counts.
const KNOWLEDGE_ENDS: u32 = 1000;

/// Terms of a child's value that change only with its own playouts: exploit, β and urgency. `k` is the RAVE
/// equivalence at its parent, 0 without RAVE; `knowledge` is what knowledge adds to a child without playouts.
#[inline(always)]
pub(crate) fn child_terms(n: u32, half_points: u32, k: f32, knowledge: f32, explores: bool) -> Value {
    let playouts = n as f32;
    let mean = half_points as f32 / (2.0 * playouts);
    let beta = if k > 0.0 { k / (k + playouts) } else { 0.0 };
    let knowledge = if knowledge > 0.0 { lessened(knowledge, n) } else { 0.0 };
    let urgency = if explores { 1.0 / (playouts + 1.0).sqrt() } else { 0.0 };
    Value { exploit: (1.0 - beta) * mean + knowledge, beta, urgency }
}

/// What knowledge still adds after so many playouts. Out of the way: most players have none, and without a call the root
/// would be taken for nothing.
#[cold]
fn lessened(knowledge: f32, n: u32) -> f32 {
    if n < KNOWLEDGE_ENDS { knowledge / (n as f32).sqrt() } else { 0.0 }
}

/// √(ln n), from a table for the many nodes of few playouts.
#[inline]
pub(crate) fn root_of_log(n: u32) -> f32 {
    const KNOWN: usize = 2048;
    static TABLE: LazyLock<[f32; KNOWN]> = LazyLock::new(|| std::array::from_fn(|n| root(n.max(1) as f32)));
    fn root(n: f32) -> f32 {
        libm::logf(n).sqrt()
    }
    TABLE.get(n as usize).copied().unwrap_or_else(|| root(n as f32))
}

/// Unvisited slots on offer, and what they are worth besides their RAVE means.
struct Offers<'a, L: Lanes> {
    highest: &'a mut Highest<L>,
    fpu: L::Floats,
    exploration: L::Floats,
    node: &'a Node,
    /// Words of a plane of slots.
    slots: usize,
}

impl<L: Lanes> Offers<'_, L> {
    /// Adds `credit` to every slot's RAVE counters, writes its RAVE mean (0 without RAVE playouts) and offers it if it
    /// is unvisited.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`]; where one `KNOWS`, `knowledge` leads to a plane of slots.
    #[inline(always)]
    unsafe fn scan<const KNOWS: bool>(
        self,
        rave: Rave<'_>,
        credit: Option<&Credit>,
        knowledge: *const u32,
        means: &mut Means,
    ) {
        const NO_CREDIT: &Credit = &[0; MAX_SLOTS];
        let credit = credit.unwrap_or(NO_CREDIT).as_ptr();
        // SAFETY: by contract; planes of slots are as long as they say, and no longer than the credit.
        unsafe {
            match rave {
                Rave::Off => {
                    let none = L::load(NO_CREDIT.as_ptr());
                    self.each::<KNOWS>(knowledge, means, |_| (none, none));
                }
                Rave::Narrow(counters) => {
                    let counters = counters.as_mut_ptr();
                    self.each::<KNOWS>(knowledge, means, |at| narrow::<L>(counters.add(at), credit.add(at)));
                }
                Rave::Wide(playouts, wins) => {
                    let (playouts, wins) = (playouts.as_mut_ptr(), wins.as_mut_ptr());
                    self.each::<KNOWS>(knowledge, means, |at| {
                        wide::<L>(playouts.add(at), wins.add(at), credit.add(at))
                    });
                }
            }
        }
    }

    /// Takes in all slots, whose playouts and wins `counted` tells by the first slot of a scan.
    ///
    /// # Safety
    /// As for [`Offers::scan`].
    #[inline(always)]
    unsafe fn each<const KNOWS: bool>(
        self,
        knowledge: *const u32,
        means: &mut Means,
        counted: impl Fn(usize) -> (L::Words, L::Words),
    ) {
        // SAFETY: by contract.
        unsafe {
            let (mut slot, mut at) = (L::ascending(), 0);
            while at < self.slots {
                let open = self.node.unvisited.word(at / 32);
                let mut part = 0;
                while part < 32 / L::LANES && at < self.slots {
                    let (playouts, wins) = counted(at);
                    let playouts = L::to_floats(playouts);
                    let mean = L::div(L::to_floats(wins), L::max(playouts, L::splat(1.0)));
                    L::store_floats(mean, means.as_mut_ptr().add(at));
                    let seen = L::if_greater(playouts, L::splat(0.0), mean, self.fpu);
                    let mut value = L::add(seen, self.exploration);
                    if KNOWS {
                        value = L::add(value, L::as_floats(L::load(knowledge.add(at))));
                    }
                    let value = L::if_bit(open, part, value, L::splat(f32::NEG_INFINITY));
                    self.highest.add_later(value, slot);
                    slot = L::add(slot, L::splat(L::LANES as f32));
                    (part, at) = (part + 1, at + L::LANES);
                }
            }
        }
    }
}

/// Adds credit to counters packed in one word. Returns playouts and wins. (Functions, because closures would not be
/// compiled for the vectors' instructions.)
///
/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
unsafe fn narrow<L: Lanes>(counters: *mut u32, credit: *const u32) -> (L::Words, L::Words) {
    // SAFETY: by contract.
    unsafe {
        let sum = L::sum(L::load(counters), L::load(credit));
        L::store(sum, counters);
        (L::low_half(sum), L::high_half(sum))
    }
}

/// Adds credit to counters of a word each. Returns playouts and wins.
///
/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
unsafe fn wide<L: Lanes>(playouts: *mut u32, wins: *mut u32, credit: *const u32) -> (L::Words, L::Words) {
    // SAFETY: by contract.
    unsafe {
        let add = L::load(credit);
        let (n, w) = (L::sum(L::load(playouts), L::low_half(add)), L::sum(L::load(wins), L::high_half(add)));
        L::store(n, playouts);
        L::store(w, wins);
        (n, w)
    }
}

/// The highest value of every lane so far and the lowest slot that is worth it.
struct Highest<L: Lanes> {
    value: L::Floats,
    slot: L::Floats,
}

impl<L: Lanes> Highest<L> {
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: by contract.
        unsafe { Self { value: L::splat(f32::NEG_INFINITY), slot: L::splat(f32::from(NO_SLOT)) } }
    }

    /// Takes in slots above all those before in their lanes.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn add_later(&mut self, value: L::Floats, slot: L::Floats) {
        // SAFETY: by contract.
        unsafe {
            self.slot = L::if_greater(value, self.value, slot, self.slot);
            self.value = L::max(value, self.value);
        }
    }

    /// The lowest slot worth `top`, or [`NO_SLOT`].
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn lowest_slot(self, top: L::Floats) -> u16 {
        let mut slots = [0.0; MOST_LANES];
        // SAFETY: by contract.
        let mut hits = unsafe {
            L::store_floats(self.slot, slots.as_mut_ptr());
            L::equal(self.value, top)
        };
        let mut lowest = NO_SLOT;
        while hits != 0 {
            lowest = lowest.min(slots[hits.trailing_zeros() as usize % MOST_LANES] as u16);
            hits &= hits - 1;
        }
        lowest
    }
}
