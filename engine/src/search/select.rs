//! Selection: chooses a child of a node, and updates the node's RAVE counters in the same pass.
//!
//! The values are those of `formula.rs`, computed in vectors: `select/slots.rs` has those of the unvisited slots,
//! `select/children.rs` those of the children. A solved child has a fixed value. The highest value is chosen, and of
//! equal values the one with the lowest slot. There is no fused multiply-add, so that every machine rounds alike.

mod best;
mod children;
mod slots;

use super::formula;
use super::lanes::{Lanes, NarrowLanes};
use super::rave::Credit;
use super::slots::first_of;
use super::terms::Terms;
use super::tree::{NodeView, Shape, UNVISITED, Visit};
use best::{Best, NO_KEY, key};
use children::ChildValues;
pub(crate) use slots::Means;
use slots::SlotValues;

/// Adds `credit`, if any, to the RAVE counters of a node, then chooses its next child.
///
/// # Safety
/// The CPU has the instructions of `L` (see [`Lanes`]).
#[inline(always)]
pub(crate) unsafe fn decide<L: Lanes>(
    at: &mut NodeView<'_>,
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
    at: &mut NodeView<'_>,
    credit: Option<&Credit>,
    terms: Terms,
    means: &mut Means,
) -> (u16, u16) {
    let shape = at.children.shape;
    let n = at.node.n + terms.ahead;
    let explores = shape.explores && terms.exploration > 0.0;
    let exploration = if explores { formula::exploration(terms.exploration, n) } else { 0.0 };
    // SAFETY: the caller guarantees the instructions of `L`. A `NodeView` with knowledge has a value for each of its
    // `slots`, and the tree keeps the children in place while `at` borrows it.
    unsafe {
        let mut best = Best::<L::Narrow>::none();
        if shape.rave || shape.knows {
            let mut best_slot = Best::<L>::none();
            let values = SlotValues {
                best: &mut best_slot,
                shape,
                fpu: L::splat(terms.fpu),
                exploration: L::splat(exploration),
                unvisited: at.unvisited,
                slots: at.slots,
            };
            values.add_to_best(&mut at.rave, credit, at.knowledge.as_ptr(), means);
            (best.values, best.keys) = L::narrow(best_slot.values, best_slot.keys);
        } else if let Some(slot) = first_of(at.unvisited) {
            // Without RAVE and knowledge all unvisited slots have the same value.
            let value = L::Narrow::splat(terms.fpu + exploration);
            best.add_later(value, L::Narrow::splat_words(key(slot, UNVISITED)));
        }
        let children = ChildValues {
            children: at.children.scan(),
            slots: at.slots,
            exploration: L::Narrow::splat(exploration),
            k: L::Narrow::splat(terms.k),
            solved: at.node.proven > 0,
        };
        children.add_to::<L>(&mut best, means);
        let key = L::Narrow::best(best.values, best.keys);
        debug_assert!(key != NO_KEY, "a node without children is never chosen from");
        (key as u16, (key >> 16) as u16)
    }
}

/// Counts a visit to a child, and updates the terms of its value that depend on its playouts.
#[inline(always)]
pub(super) fn count(at: &mut NodeView<'_>, visit: Visit) {
    at.children.count(visit, formula::exploration_factor, |n, slot| {
        formula::decayed_knowledge(f32::from_bits(at.knowledge[usize::from(slot)]), n)
    });
}

#[cfg(test)]
mod tests;
