//! Choosing a child, and crediting RAVE counters on the same pass over them.
//!
//! A child's value is `exploit + β·rave + c·√(ln N)·urgency`, with `exploit = (1 − β)·mean`, `β = k/(k + n)` and
//! `urgency = 1/√(n + 1)`. A child without playouts is worth its RAVE mean, or the first-play urgency without one.
//! The highest value wins; of equal values the lowest slot. All loops run over whole scans of [`LANES`], written so
//! that the compiler turns them into vector code; none uses fused multiply-add, so that every machine rounds alike.

use super::tree::{LANES, Node, NodeId, Rave, Tree, UNVISITED};
use crate::game::{MAX_SLOTS, SlotSet};

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

/// Chooses the next child of a node after adding `credit`, if any, to its RAVE counters.
#[inline]
pub(crate) fn choose(tree: &mut Tree, id: NodeId, credit: Option<&Credit>, terms: Terms) -> (u16, u16) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        return unsafe { choose_avx2(tree, id, credit, terms) };
    }
    choose_portable(tree, id, credit, terms)
}

/// [`choose_portable`], compiled for wider vectors. Same results, bit for bit.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn choose_avx2(tree: &mut Tree, id: NodeId, credit: Option<&Credit>, terms: Terms) -> (u16, u16) {
    choose_portable(tree, id, credit, terms)
}

#[inline(always)]
fn choose_portable(tree: &mut Tree, id: NodeId, credit: Option<&Credit>, terms: Terms) -> (u16, u16) {
    let (node, [exploit, beta, urgency, meta], rave) = tree.planes(id);
    let best = if terms.rave {
        let mut means = [0.0; MAX_SLOTS];
        let mut best = scan_rave(rave, credit, node, terms.fpu, &mut means);
        best.value += terms.exploration;
        for index in 0..usize::from(node.visited) {
            let slot = meta[index] as u16;
            let mean = means[usize::from(slot).min(MAX_SLOTS - 1)];
            let value = f32::from_bits(exploit[index])
                + f32::from_bits(beta[index]) * mean
                + terms.exploration * f32::from_bits(urgency[index]);
            best = best.better(Best { value, slot, index: index as u16 });
        }
        best
    } else {
        let unvisited = node.unvisited.first().map_or(Best::NONE, |slot| Best {
            value: terms.fpu + terms.exploration,
            slot,
            index: UNVISITED,
        });
        scan_plain(exploit, urgency, meta, terms.exploration).better(unvisited)
    };
    debug_assert!(best.slot != u16::MAX, "a node without children is never chosen from");
    (best.index, best.slot)
}

/// The best visited child without RAVE. Children are visited in the order of their slots then, except under a
/// single forced reply, so the lowest index of equal values is the lowest slot.
#[inline(always)]
fn scan_plain(exploit: &[u32], urgency: &[u32], meta: &[u32], exploration: f32) -> Best {
    let mut value = [f32::NEG_INFINITY; LANES];
    let mut at = [0_u32; LANES];
    for (block, (e, u)) in exploit.chunks_exact(LANES).zip(urgency.chunks_exact(LANES)).enumerate() {
        for lane in 0..LANES {
            let v = f32::from_bits(e[lane]) + exploration * f32::from_bits(u[lane]);
            let better = v > value[lane];
            value[lane] = if better { v } else { value[lane] };
            at[lane] = if better { block as u32 } else { at[lane] };
        }
    }
    let mut best = Best::NONE;
    for lane in 0..LANES {
        let index = at[lane] as usize * LANES + lane;
        if value[lane] > f32::NEG_INFINITY {
            best = best.better(Best { value: value[lane], slot: meta[index] as u16, index: index as u16 });
        }
    }
    best
}

/// Adds `credit`, writes every slot's RAVE mean (0 without RAVE playouts) and returns the best unvisited slot.
#[inline(always)]
fn scan_rave(
    rave: Rave<'_>,
    credit: Option<&Credit>,
    node: &Node,
    fpu: f32,
    means: &mut [f32; MAX_SLOTS],
) -> Best {
    const NO_CREDIT: &Credit = &[0; MAX_SLOTS];
    let credit = credit.unwrap_or(NO_CREDIT);
    let mut lanes = Lanes::new(&node.unvisited, fpu);
    match rave {
        Rave::Narrow(block) => {
            let words = block.chunks_exact_mut(LANES).zip(credit.chunks_exact(LANES));
            for (at, ((word, add), mean)) in words.zip(means.chunks_exact_mut(LANES)).enumerate() {
                let mut playouts = [0; LANES];
                let mut wins = [0; LANES];
                for lane in 0..LANES {
                    word[lane] += add[lane];
                    playouts[lane] = (word[lane] & 0xffff) as i32;
                    wins[lane] = (word[lane] >> 16) as i32;
                }
                lanes.add(at, &playouts, &wins, mean);
            }
        }
        Rave::Wide(playouts, wins) => {
            let words = playouts.chunks_exact_mut(LANES).zip(wins.chunks_exact_mut(LANES));
            let words = words.zip(credit.chunks_exact(LANES));
            for (at, (((n, w), add), mean)) in words.zip(means.chunks_exact_mut(LANES)).enumerate() {
                let mut playouts = [0; LANES];
                let mut wins = [0; LANES];
                for lane in 0..LANES {
                    n[lane] += add[lane] & 0xffff;
                    w[lane] += add[lane] >> 16;
                    playouts[lane] = n[lane] as i32;
                    wins[lane] = w[lane] as i32;
                }
                lanes.add(at, &playouts, &wins, mean);
            }
        }
    }
    lanes.best()
}

/// The best unvisited slot of each lane so far.
struct Lanes<'a> {
    unvisited: &'a SlotSet,
    fpu: f32,
    value: [f32; LANES],
    at: [u32; LANES],
}

impl<'a> Lanes<'a> {
    #[inline(always)]
    fn new(unvisited: &'a SlotSet, fpu: f32) -> Self {
        Self { unvisited, fpu, value: [f32::NEG_INFINITY; LANES], at: [0; LANES] }
    }

    /// Takes in the slots of one scan.
    #[inline(always)]
    fn add(&mut self, at: usize, playouts: &[i32; LANES], wins: &[i32; LANES], means: &mut [f32]) {
        let bits = u32::from(self.unvisited.byte(at));
        for lane in 0..LANES {
            let none = playouts[lane] == 0;
            let mean = wins[lane] as f32 / playouts[lane].max(1) as f32;
            means[lane] = mean;
            let value = if none { self.fpu } else { mean };
            let candidate = bits & (1 << lane) != 0;
            let value = if candidate { value } else { f32::NEG_INFINITY };
            let better = value > self.value[lane];
            self.value[lane] = if better { value } else { self.value[lane] };
            self.at[lane] = if better { at as u32 } else { self.at[lane] };
        }
    }

    /// The best of all lanes, the lowest slot of equal ones.
    #[inline(always)]
    fn best(&self) -> Best {
        let mut best = Best::NONE;
        for lane in 0..LANES {
            let slot = self.at[lane] as u16 * LANES as u16 + lane as u16;
            if self.value[lane] > f32::NEG_INFINITY {
                best = best.better(Best { value: self.value[lane], slot, index: UNVISITED });
            }
        }
        best
    }
}
