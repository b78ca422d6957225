//! Choosing a child, and crediting RAVE counters on the same pass over them.
//!
//! A child's value is `exploit + β·rave + c·√(ln N)·urgency`, with `exploit = (1 − β)·mean`, `β = k/(k + n)` and
//! `urgency = 1/√(n + 1)`. A child without playouts is worth its RAVE mean, or the first-play urgency without one.
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
    let (node, [exploit, beta, urgency, meta], rave) = tree.planes(id);
    let [exploit, beta, urgency, meta] = [exploit, beta, urgency, meta].map(|plane| plane.as_chunks().0);
    // SAFETY: by contract, and because slots point into the table of means.
    let place = unsafe {
        let mut highest = Highest::<L>::new();
        let exploration = L::splat(terms.exploration);
        if terms.rave {
            scan_rave(
                rave,
                credit,
                node,
                L::add(L::splat(terms.fpu), exploration),
                exploration,
                means,
                &mut highest,
            );
        } else if let Some(slot) = node.unvisited.first() {
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

/// Terms of a child's value that change only with its own playouts: exploit, β and urgency. `k` is the RAVE
/// equivalence at its parent, 0 without RAVE.
#[inline(always)]
pub(crate) fn child_terms(n: u32, half_points: u32, k: f32) -> (f32, f32, f32) {
    let n = n as f32;
    let mean = half_points as f32 / (2.0 * n);
    let beta = if k > 0.0 { k / (k + n) } else { 0.0 };
    ((1.0 - beta) * mean, beta, 1.0 / (n + 1.0).sqrt())
}

/// Adds `credit`, writes every slot's RAVE mean (0 without RAVE playouts) and offers every unvisited slot, worth its
/// mean and `exploration`, or `fpu`.
///
/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
unsafe fn scan_rave<L: Lanes>(
    rave: Rave<'_>,
    credit: Option<&Credit>,
    node: &Node,
    fpu: L::Floats,
    exploration: L::Floats,
    means: &mut Means,
    highest: &mut Highest<L>,
) {
    const NO_CREDIT: &Credit = &[0; MAX_SLOTS];
    let credit = credit.unwrap_or(NO_CREDIT).as_chunks().0;
    let means = means.as_chunks_mut().0;
    // SAFETY: by contract.
    unsafe {
        let first = L::mul(L::ascending(), L::splat(PLACES_PER_SLOT));
        let place = L::add(first, L::splat(f32::from(UNVISITED_PLACE)));
        let mut offers = Offers { highest, fpu, exploration, node, place };
        match rave {
            Rave::Narrow(block) => {
                let words = block.as_chunks_mut().0.iter_mut().zip(credit).zip(means);
                for (at, ((word, add), mean)) in words.enumerate() {
                    let sum = L::sum(L::load(word), L::load(add));
                    L::store(sum, word);
                    offers.add(at, L::low_half(sum), L::high_half(sum), mean);
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
                    offers.add(at, playouts, wins, mean);
                }
            }
        }
    }
}

/// Unvisited slots on offer.
struct Offers<'a, L: Lanes> {
    highest: &'a mut Highest<L>,
    fpu: L::Floats,
    exploration: L::Floats,
    node: &'a Node,
    /// Places of the next scan's slots.
    place: L::Floats,
}

impl<L: Lanes> Offers<'_, L> {
    /// Takes in the slots of one scan by their RAVE counters, and writes their RAVE means. (A method, because a
    /// closure would not be compiled for the vectors' instructions.)
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
            let value = L::if_greater(playouts, zero, L::add(mean, self.exploration), self.fpu);
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
