//! The formula by which a search chooses among the children of a node. Each term is a function.
//!
//! A child's value is
//!
//! ```text
//! (points + k·rave) / (n + k)  +  c·√(ln N) · 1/√(n + 1)  +  knowledge/√n
//! ```
//!
//! for a child with n playouts and their points, at a node with N playouts. Its terms are [`mean`], [`exploration`]
//! times [`exploration_factor`], and [`decayed_knowledge`]. An unvisited slot has the value [`first_play`]. Searches
//! compute the same values in vectors (`select/`), and tests compare the two bit for bit. So the order of operations
//! is part of the formula, and there is no fused multiply-add. `terms.rs` has c, k and the first-play urgency.

use super::params::SearchParams;
use std::sync::LazyLock;

/// The number of playouts from which on knowledge adds nothing.
const KNOWLEDGE_ENDS: u32 = 1000;

/// The mean result of a child, mixed with its RAVE mean: (1 − β)·mean + β·rave with β = k/(k + n). Without playouts
/// this is the RAVE mean; without playouts and RAVE it is 0.
///
/// Source: Gelly and Silver, *Combining Online and Offline Knowledge in UCT*, 2007; this β is the thesis', with k its
/// RAVE equivalence.
#[cfg(test)]
pub(super) fn mean(half_points: u32, playouts: u32, rave: f32, k: f32) -> f32 {
    let points = half_points as f32 * 0.5 + k * rave;
    // Without playouts and RAVE this is 0 / MIN_POSITIVE = 0.
    points / (playouts as f32 + k).max(f32::MIN_POSITIVE)
}

/// The RAVE equivalence k of a node with `open_slots` open slots: the number of playouts that the RAVE mean weighs as
/// much as. 0 without RAVE.
#[inline]
pub(super) fn equivalence(params: &SearchParams, open_slots: u32) -> f32 {
    if params.uses_rave() {
        (params.rave_k + params.rave_k_per_empty * f64::from(open_slots)) as f32
    } else {
        0.0
    }
}

/// The common factor of the exploration terms of all children of a node with `n` playouts: c·√(ln n).
///
/// Source: UCT, Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006, with the constant c taken out of the
/// root.
#[inline]
pub(super) fn exploration(constant: f32, n: u32) -> f32 {
    constant * root_of_log(n)
}

/// A child's own factor of its exploration term after `n` playouts of the child: 1/√(n + 1). The 1 keeps the term
/// finite without playouts.
#[inline(always)]
pub(super) fn exploration_factor(n: u32) -> f32 {
    1.0 / (n as f32 + 1.0).sqrt()
}

/// √(ln n), from a table for small n, which most nodes have. The logarithm is that of `libm`, which rounds alike on all
/// machines.
#[inline]
fn root_of_log(n: u32) -> f32 {
    const KNOWN: usize = 2048;
    static TABLE: LazyLock<[f32; KNOWN]> = LazyLock::new(|| std::array::from_fn(|n| root(n.max(1) as f32)));
    fn root(n: f32) -> f32 {
        libm::logf(n).sqrt()
    }
    TABLE.get(n as usize).copied().unwrap_or_else(|| root(n as f32))
}

/// What knowledge adds to a child's value after `n` playouts.
///
/// Source: progressive bias, Chaslot and others, *Progressive Strategies for Monte-Carlo Tree Search*, 2008; the square
/// root and the end after a number of playouts are the thesis'.
pub(super) fn decayed_knowledge(knowledge: f32, n: u32) -> f32 {
    if n < KNOWLEDGE_ENDS { knowledge / (n.max(1) as f32).sqrt() } else { 0.0 }
}

/// The value of an unvisited slot: its RAVE mean, or the first-play urgency if it has none, plus the exploration term
/// and knowledge.
///
/// Source: first-play urgency, Gelly and Wang, *Exploration Exploitation in Go*, 2006.
#[cfg(test)]
pub(super) fn first_play(fpu: f32, rave: Option<f32>, exploration: f32, knowledge: f32) -> f32 {
    rave.unwrap_or(fpu) + exploration + knowledge
}

/// The value of a child in the choice of the final move: its mean mixed with the RAVE mean, minus E·√(ln N / (n + 1)),
/// where E is `constant` and N is `parent`. This is a lower bound on the mean, without knowledge and first-play
/// urgency.
pub(super) fn lower_bound(mean: f64, rave: f64, k: f64, constant: f64, n: f64, parent: f64) -> f64 {
    let value = if k > 0.1 {
        let beta = k / (k + n);
        beta * rave + (1.0 - beta) * mean
    } else {
        mean
    };
    value - constant * (libm::log(parent) / (n + 1.0)).sqrt()
}
