//! Choosing a child, and crediting RAVE counters on the same pass over them.
//!
//! A child's value is `exploit + β·rave + c·√(ln N)·urgency`, with `exploit = (1 − β)·mean`, `β = k/(k + n)` and
//! `urgency = 1/√(n + 1)`. A child without playouts is worth its RAVE mean, or the first-play urgency without one.
//! Knowledge adds its value over √max(1, n) up to 1000 playouts.
//! The highest value wins; of equal values the lowest slot. No fused multiply-add anywhere: every machine rounds alike.

use super::lanes::{Baseline, LANES, Lanes};
use super::tree::{Node, NodeId, Rave, Tree, UNVISITED, Value};
use crate::game::MAX_SLOTS;
use std::sync::LazyLock;

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

/// RAVE means by slot: room for one choice's intermediate results.
pub(crate) type Means = [f32; MAX_SLOTS];

/// Chooses the next child of a node after adding `credit`, if any, to its RAVE counters. Returns its index, or
/// [`UNVISITED`], and its slot. `means` is overwritten.
#[inline]
pub(crate) fn choose(
    tree: &mut Tree,
    id: NodeId,
    credit: Option<&Credit>,
    terms: Terms,
    means: &mut Means,
) -> (u16, u16) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        return unsafe { choose_avx2(tree, id, credit, terms, means) };
    }
    // SAFETY: every machine that this is compiled for has what its baseline needs.
    unsafe { choose_with::<Baseline>(tree, id, credit, terms, means) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn choose_avx2(
    tree: &mut Tree,
    id: NodeId,
    credit: Option<&Credit>,
    terms: Terms,
    means: &mut Means,
) -> (u16, u16) {
    // SAFETY: this function is compiled for the feature.
    unsafe { choose_with::<super::lanes::Avx2>(tree, id, credit, terms, means) }
}

/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
unsafe fn choose_with<L: Lanes>(
    tree: &mut Tree,
    id: NodeId,
    credit: Option<&Credit>,
    terms: Terms,
    means: &mut Means,
) -> (u16, u16) {
    let planes = tree.planes(id);
    if terms.unvisited_first()
        && planes.knowledge.is_empty()
        && let Some(slot) = planes.node.unvisited.first()
    {
        return (UNVISITED, slot);
    }
    let [exploit, beta, urgency, meta] =
        [planes.terms.exploit, planes.terms.beta, planes.terms.urgency, planes.terms.meta]
            .map(|plane| plane.as_chunks().0);
    // SAFETY: by contract, and because slots point into the table of means.
    let place = unsafe {
        let mut highest = Highest::<L>::new();
        let exploration = L::splat(terms.exploration);
        if terms.rave || !planes.knowledge.is_empty() {
            let rave = if terms.rave { planes.rave } else { Rave::Off };
            let place = L::mul(L::ascending(), L::splat(PLACES_PER_SLOT));
            let offers = Offers {
                highest: &mut highest,
                fpu: L::splat(terms.fpu),
                exploration,
                node: planes.node,
                knowledge: planes.knowledge.as_chunks().0,
                place: L::add(place, L::splat(f32::from(UNVISITED_PLACE))),
            };
            if offers.knowledge.is_empty() {
                offers.scan::<false>(rave, credit, means);
            } else {
                offers.scan::<true>(rave, credit, means);
            }
        } else if let Some(slot) = planes.node.unvisited.first() {
            // Without RAVE and knowledge all unvisited slots are worth the same.
            let place = f32::from(slot) * PLACES_PER_SLOT + f32::from(UNVISITED_PLACE);
            highest.add(L::splat(terms.fpu + terms.exploration), L::splat(place));
        }
        let (mut index, children) = (L::ascending(), L::splat(f32::from(planes.node.visited)));
        let nothing = L::splat(f32::NEG_INFINITY);
        for (scan, (exploit, meta)) in exploit.iter().zip(meta).enumerate() {
            // Behind the last child may be anything: no slot to look up, and no value.
            let slots = L::low_half(L::load_if_greater(children, index, meta));
            let mut value = L::as_floats(L::load(exploit));
            if terms.exploration > 0.0 {
                value = L::add(value, L::mul(exploration, L::as_floats(L::load(&urgency[scan]))));
            }
            if terms.rave {
                value = L::add(value, L::mul(L::as_floats(L::load(&beta[scan])), L::gather(means, slots)));
            }
            let value = L::if_greater(children, index, value, nothing);
            highest.add(value, L::add(L::mul(L::to_floats(slots), L::splat(PLACES_PER_SLOT)), index));
            index = L::add(index, L::splat(LANES as f32));
        }
        highest.lowest_place()
    };
    let (slot, index) = (place / PLACES_PER_SLOT as u32, place as u16 % PLACES_PER_SLOT as u16);
    (if index == UNVISITED_PLACE { UNVISITED } else { index }, slot as u16)
}

/// Candidates are told apart by one number, `512·slot + index`: the lowest slot of equal values is the lowest place.
const PLACES_PER_SLOT: f32 = 512.0;
/// The index that stands for a slot never visited.
const UNVISITED_PLACE: u16 = 511;

/// Playouts from which knowledge no longer counts.
const KNOWLEDGE_ENDS: u32 = 1000;

/// Terms of a child's value that change only with its own playouts: exploit, β and urgency. `k` is the RAVE
/// equivalence at its parent, 0 without RAVE; `knowledge` is what knowledge adds to a child without playouts.
#[inline(always)]
pub(crate) fn child_terms(n: u32, half_points: u32, k: f32, knowledge: f32, explores: bool) -> Value {
    let playouts = n as f32;
    let mean = half_points as f32 / (2.0 * playouts);
    let beta = if k > 0.0 { k / (k + playouts) } else { 0.0 };
    // Most players have none: no root for them.
    let knowledge = if knowledge > 0.0 && n < KNOWLEDGE_ENDS { knowledge / playouts.sqrt() } else { 0.0 };
    let urgency = if explores { 1.0 / (playouts + 1.0).sqrt() } else { 0.0 };
    Value { exploit: (1.0 - beta) * mean + knowledge, beta, urgency }
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
    knowledge: &'a [[u32; LANES]],
    /// Places of the next scan's slots.
    place: L::Floats,
}

impl<L: Lanes> Offers<'_, L> {
    /// Adds `credit` to every slot's RAVE counters, writes its RAVE mean (0 without RAVE playouts) and offers it if it
    /// is unvisited.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn scan<const KNOWS: bool>(mut self, rave: Rave<'_>, credit: Option<&Credit>, means: &mut Means) {
        const NO_CREDIT: &Credit = &[0; MAX_SLOTS];
        let credit = credit.unwrap_or(NO_CREDIT).as_chunks().0;
        let means = means.as_chunks_mut().0;
        // SAFETY: by contract.
        unsafe {
            match rave {
                Rave::Off => {
                    let none = L::load(&[0; LANES]);
                    for (scan, means) in means[..self.knowledge.len()].iter_mut().enumerate() {
                        self.add::<true>(scan, none, none, means);
                    }
                }
                Rave::Narrow(counters) => {
                    let counters = counters.as_chunks_mut().0;
                    let (credit, means) = (&credit[..counters.len()], &mut means[..counters.len()]);
                    for scan in 0..counters.len() {
                        let sum = L::sum(L::load(&counters[scan]), L::load(&credit[scan]));
                        L::store(sum, &mut counters[scan]);
                        self.add::<KNOWS>(scan, L::low_half(sum), L::high_half(sum), &mut means[scan]);
                    }
                }
                Rave::Wide(playouts, wins) => {
                    let (playouts, wins) = (playouts.as_chunks_mut().0, wins.as_chunks_mut().0);
                    for (scan, (playouts, wins)) in playouts.iter_mut().zip(wins).enumerate() {
                        let add = L::load(&credit[scan]);
                        let n = L::sum(L::load(playouts), L::low_half(add));
                        let w = L::sum(L::load(wins), L::high_half(add));
                        L::store(n, playouts);
                        L::store(w, wins);
                        self.add::<KNOWS>(scan, n, w, &mut means[scan]);
                    }
                }
            }
        }
    }

    /// Takes in the slots of one scan. (A method, because a closure would not be compiled for the vectors'
    /// instructions.)
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn add<const KNOWS: bool>(
        &mut self,
        scan: usize,
        playouts: L::Words,
        wins: L::Words,
        means: &mut [f32; LANES],
    ) {
        // SAFETY: by contract.
        unsafe {
            let playouts = L::to_floats(playouts);
            let mean = L::div(L::to_floats(wins), L::max(playouts, L::splat(1.0)));
            L::store_floats(mean, means);
            let mut value = L::add(L::if_greater(playouts, L::splat(0.0), mean, self.fpu), self.exploration);
            if KNOWS {
                value = L::add(value, L::as_floats(L::load(&self.knowledge[scan])));
            }
            let value =
                L::if_bit(self.node.unvisited.word(scan / 4), scan % 4, value, L::splat(f32::NEG_INFINITY));
            self.highest.add_later(value, self.place);
            self.place = L::add(self.place, L::splat(PLACES_PER_SLOT * LANES as f32));
        }
    }
}

/// The highest value of every lane so far and its place; of equal values the lowest place.
struct Highest<L: Lanes> {
    best: (L::Floats, L::Floats),
}

impl<L: Lanes> Highest<L> {
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: by contract.
        unsafe { Self { best: (L::splat(f32::NEG_INFINITY), L::splat(f32::INFINITY)) } }
    }

    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn add(&mut self, value: L::Floats, place: L::Floats) {
        // SAFETY: by contract.
        self.best = unsafe { L::better(self.best, (value, place)) };
    }

    /// [`Highest::add`] for places above all those before in their lanes.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn add_later(&mut self, value: L::Floats, place: L::Floats) {
        let (best, at) = self.best;
        // SAFETY: by contract.
        self.best = unsafe { (L::max(value, best), L::if_greater(value, best, place, at)) };
    }

    /// The place of the highest value of all lanes.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn lowest_place(self) -> u32 {
        // SAFETY: by contract.
        let best = unsafe { L::best(self.best.0, self.best.1) };
        debug_assert!(best.0 > f32::NEG_INFINITY, "a node without children is never chosen from");
        best.1 as u32
    }
}
