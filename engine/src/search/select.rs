//! Choosing a child, and crediting RAVE counters on the same pass over them.
//!
//! A child's value is `exploit + β·rave + c·√(ln N)·urgency`, with `exploit = (1 − β)·mean`, `β = k/(k + n)` and
//! `urgency = 1/√(n + 1)`. A child without playouts is worth its RAVE mean, or the first-play urgency without one.
//! Knowledge adds its value over √max(1, n) up to 1000 playouts.
//! The highest value wins; of equal values the lowest slot. No fused multiply-add anywhere: every machine rounds alike.

use super::lanes::{LANES, Lanes, Portable};
use super::tree::{Node, NodeId, Rave, Tree, UNVISITED};
use crate::game::MAX_SLOTS;

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
    // SAFETY: plain arrays need nothing.
    unsafe { choose_with::<Portable>(tree, id, credit, terms, means) }
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
    let [exploit, beta, urgency, meta] =
        [planes.exploit, planes.beta, planes.urgency, planes.meta].map(|plane| plane.as_chunks().0);
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
            offers.scan(rave, credit, means);
        } else if let Some(slot) = planes.node.unvisited.first() {
            // Without RAVE and knowledge all unvisited slots are worth the same.
            let place = f32::from(slot) * PLACES_PER_SLOT + f32::from(UNVISITED_PLACE);
            highest.add(L::splat(terms.fpu + terms.exploration), L::splat(place));
        }
        let mut index = L::ascending();
        for (((exploit, beta), urgency), meta) in exploit.iter().zip(beta).zip(urgency).zip(meta) {
            let slots = L::low_half(L::load(meta));
            let urgency = L::mul(exploration, L::as_floats(L::load(urgency)));
            let mut value = L::add(L::as_floats(L::load(exploit)), urgency);
            if terms.rave {
                value = L::add(value, L::mul(L::as_floats(L::load(beta)), L::gather(means, slots)));
            }
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
pub(crate) fn child_terms(n: u32, half_points: u32, k: f32, knowledge: f32) -> (f32, f32, f32) {
    let playouts = n as f32;
    let mean = half_points as f32 / (2.0 * playouts);
    let beta = if k > 0.0 { k / (k + playouts) } else { 0.0 };
    // Most players have none: no root for them.
    let knowledge = if knowledge > 0.0 && n < KNOWLEDGE_ENDS { knowledge / playouts.sqrt() } else { 0.0 };
    ((1.0 - beta) * mean + knowledge, beta, 1.0 / (playouts + 1.0).sqrt())
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
    unsafe fn scan(mut self, rave: Rave<'_>, credit: Option<&Credit>, means: &mut Means) {
        const NO_CREDIT: &Credit = &[0; MAX_SLOTS];
        let credit = credit.unwrap_or(NO_CREDIT).as_chunks().0;
        let means = means.as_chunks_mut().0;
        // SAFETY: by contract.
        unsafe {
            match rave {
                Rave::Off => {
                    for (at, mean) in (0..self.knowledge.len()).zip(means) {
                        let none = L::load(&[0; LANES]);
                        self.add(at, none, none, mean);
                    }
                }
                Rave::Narrow(counters) => {
                    let words = counters.as_chunks_mut().0.iter_mut().zip(credit).zip(means);
                    for (at, ((word, add), mean)) in words.enumerate() {
                        let sum = L::sum(L::load(word), L::load(add));
                        L::store(sum, word);
                        self.add(at, L::low_half(sum), L::high_half(sum), mean);
                    }
                }
                Rave::Wide(playouts, wins) => {
                    let words = playouts.as_chunks_mut().0.iter_mut().zip(wins.as_chunks_mut().0);
                    for (at, (((n, w), add), mean)) in words.zip(credit).zip(means).enumerate() {
                        let add = L::load(add);
                        let playouts = L::sum(L::load(n), L::low_half(add));
                        let wins = L::sum(L::load(w), L::high_half(add));
                        L::store(playouts, n);
                        L::store(wins, w);
                        self.add(at, playouts, wins, mean);
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
    unsafe fn add(&mut self, scan: usize, playouts: L::Words, wins: L::Words, means: &mut [f32; LANES]) {
        // SAFETY: by contract.
        unsafe {
            let zero = L::splat(0.0);
            let playouts = L::to_floats(playouts);
            let divisor = L::if_greater(playouts, zero, playouts, L::splat(1.0));
            let mean = L::div(L::to_floats(wins), divisor);
            L::store_floats(mean, means);
            let mut value = L::add(L::if_greater(playouts, zero, mean, self.fpu), self.exploration);
            if let Some(knowledge) = self.knowledge.get(scan) {
                value = L::add(value, L::as_floats(L::load(knowledge)));
            }
            let value = L::if_bit(self.node.unvisited.byte(scan), value, L::splat(f32::NEG_INFINITY));
            self.highest.add(value, self.place);
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

    /// The place of the highest value of all lanes.
    ///
    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn lowest_place(self) -> u32 {
        let mut values = [0.0; LANES];
        let mut places = [0.0; LANES];
        // SAFETY: by contract.
        unsafe {
            L::store_floats(self.best.0, &mut values);
            L::store_floats(self.best.1, &mut places);
        }
        let mut best = (values[0], places[0]);
        for here in values.into_iter().zip(places) {
            if here.0 > best.0 || (here.0 == best.0 && here.1 < best.1) {
                best = here;
            }
        }
        debug_assert!(best.0 > f32::NEG_INFINITY, "a node without children is never chosen from");
        best.1 as u32
    }
}
