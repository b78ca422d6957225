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

/// A candidate: its value, then its slot.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Best {
    value: f32,
    slot: u16,
    /// Index among the visited children, or [`UNVISITED`].
    index: u16,
}

impl Best {
    const NONE: Best = Best { value: f32::NEG_INFINITY, slot: u16::MAX, index: UNVISITED };

    #[inline(always)]
    fn better(self, other: Best) -> Best {
        if other.value > self.value || (other.value == self.value && other.slot < self.slot) {
            other
        } else {
            self
        }
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
    let best = if terms.rave {
        // SAFETY: by contract.
        let mut best = unsafe { scan_rave::<L>(rave, credit, node, terms.fpu, means) };
        best.value += terms.exploration;
        let children = exploit.iter().zip(beta).zip(urgency).zip(meta).take(usize::from(node.visited));
        for (index, (((exploit, beta), urgency), meta)) in children.enumerate() {
            let slot = *meta as u16;
            let [exploit, beta, urgency] = [exploit, beta, urgency].map(|bits| f32::from_bits(*bits));
            let value = child_value(exploit, beta, urgency, means[usize::from(slot)], terms.exploration);
            best = best.better(Best { value, slot, index: index as u16 });
        }
        best
    } else {
        let unvisited = node.unvisited.first().map_or(Best::NONE, |slot| Best {
            value: terms.fpu + terms.exploration,
            slot,
            index: UNVISITED,
        });
        // SAFETY: by contract.
        unsafe { scan_plain::<L>(exploit, urgency, meta, terms.exploration) }.better(unvisited)
    };
    debug_assert!(best.slot != u16::MAX, "a node without children is never chosen from");
    (best.index, best.slot)
}

/// Terms of a child's value that change only with its own playouts: exploit, β and urgency. `k` is the RAVE
/// equivalence at its parent, 0 without RAVE.
#[inline(always)]
pub(crate) fn child_terms(n: u32, half_points: u32, k: f32) -> (f32, f32, f32) {
    let n = n as f32;
    let mean = half_points as f32 / (2.0 * n);
    let beta = if k > 0.0 { k / (k + n) } else { 0.0 };
    ((1.0 - beta) * mean, beta, 1.0 / (n + 1.0).sqrt())
}

/// A child's value for the side choosing it. `exploration` is c·√(ln N).
#[inline(always)]
pub(crate) fn child_value(exploit: f32, beta: f32, urgency: f32, rave_mean: f32, exploration: f32) -> f32 {
    exploit + beta * rave_mean + exploration * urgency
}

/// The best visited child without RAVE. Children are visited in the order of their slots then, except under a
/// single forced reply, so the lowest index of equal values is the lowest slot.
///
/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
unsafe fn scan_plain<L: Lanes>(exploit: &[u32], urgency: &[u32], meta: &[u32], exploration: f32) -> Best {
    // SAFETY: by contract.
    let (value, index) = unsafe {
        let exploration = L::splat(exploration);
        let mut highest = Highest::<L>::new();
        for (exploit, urgency) in exploit.as_chunks().0.iter().zip(urgency.as_chunks().0) {
            let urgency = L::mul(exploration, L::as_floats(L::load(urgency)));
            highest.add(L::add(L::as_floats(L::load(exploit)), urgency));
        }
        highest.lowest_place()
    };
    if value == f32::NEG_INFINITY {
        return Best::NONE;
    }
    Best { value, slot: meta[usize::from(index)] as u16, index }
}

/// Adds `credit`, writes every slot's RAVE mean (0 without RAVE playouts) and returns the best unvisited slot.
///
/// # Safety
/// As for the functions of [`Lanes`].
#[inline(always)]
unsafe fn scan_rave<L: Lanes>(
    rave: Rave<'_>,
    credit: Option<&Credit>,
    node: &Node,
    fpu: f32,
    means: &mut Means,
) -> Best {
    const NO_CREDIT: &Credit = &[0; MAX_SLOTS];
    let credit = credit.unwrap_or(NO_CREDIT).as_chunks().0;
    let means = means.as_chunks_mut().0;
    // SAFETY: by contract.
    let (value, slot) = unsafe {
        let mut unvisited = Unvisited::<L> { highest: Highest::new(), fpu: L::splat(fpu), node };
        match rave {
            Rave::Narrow(block) => {
                let words = block.as_chunks_mut().0.iter_mut().zip(credit).zip(means);
                for (at, ((word, add), mean)) in words.enumerate() {
                    let sum = L::sum(L::load(word), L::load(add));
                    L::store(sum, word);
                    unvisited.add(at, L::low_half(sum), L::high_half(sum), mean);
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
                    unvisited.add(at, playouts, wins, mean);
                }
            }
        }
        unvisited.highest.lowest_place()
    };
    if value == f32::NEG_INFINITY { Best::NONE } else { Best { value, slot, index: UNVISITED } }
}

/// The best unvisited slots of a node so far.
struct Unvisited<'a, L: Lanes> {
    highest: Highest<L>,
    fpu: L::Floats,
    node: &'a Node,
}

impl<L: Lanes> Unvisited<'_, L> {
    /// Takes in the slots of one scan by their RAVE counters, and writes their RAVE means. (A method, because a
    /// closure would not be compiled for the vectors' instructions.)
    #[inline(always)]
    unsafe fn add(&mut self, scan: usize, playouts: L::Words, wins: L::Words, means: &mut [f32; LANES]) {
        // SAFETY: as for the functions of `Lanes`.
        unsafe {
            let zero = L::splat(0.0);
            let playouts = L::to_floats(playouts);
            let divisor = L::if_greater(playouts, zero, playouts, L::splat(1.0));
            let mean = L::div(L::to_floats(wins), divisor);
            L::store_floats(mean, means);
            let value = L::if_greater(playouts, zero, mean, self.fpu);
            self.highest.add(L::if_bit(self.node.unvisited.byte(scan), value, L::splat(f32::NEG_INFINITY)));
        }
    }
}

/// The highest value of every lane so far, and in which scan it came first.
struct Highest<L: Lanes> {
    value: L::Floats,
    scan: L::Floats,
    next: L::Floats,
}

impl<L: Lanes> Highest<L> {
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: as for the functions of `Lanes`.
        unsafe { Self { value: L::splat(f32::NEG_INFINITY), scan: L::splat(0.0), next: L::splat(0.0) } }
    }

    #[inline(always)]
    unsafe fn add(&mut self, value: L::Floats) {
        // SAFETY: as for the functions of `Lanes`.
        unsafe {
            self.scan = L::if_greater(value, self.value, self.next, self.scan);
            self.value = L::if_greater(value, self.value, value, self.value);
            self.next = L::add(self.next, L::splat(1.0));
        }
    }

    /// The highest value of all and the lowest of its places; lane `l` of scan `s` is place 8·s + l.
    #[inline(always)]
    unsafe fn lowest_place(self) -> (f32, u16) {
        let mut value = [0.0; LANES];
        let mut place = [0.0; LANES];
        // SAFETY: as for the functions of `Lanes`.
        unsafe {
            L::store_floats(self.value, &mut value);
            L::store_floats(L::add(L::mul(self.scan, L::splat(LANES as f32)), L::ascending()), &mut place);
        }
        let mut best = (value[0], place[0]);
        for lane in 1..LANES {
            let here = (value[lane], place[lane]);
            if here.0 > best.0 || (here.0 == best.0 && here.1 < best.1) {
                best = here;
            }
        }
        (best.0, best.1 as u16)
    }
}
