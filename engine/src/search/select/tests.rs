//! The vector scans against the formula, bit for bit.

use super::super::lanes;
use super::super::tree::{Child, Tree, Width};
use super::*;
#[cfg(target_arch = "x86_64")]
use crate::cpu::can_test;
use crate::rng::Rng;
use crate::search::proven_outcome::ProvenOutcome;
use crate::search::slots::{MAX_SLOTS, SlotSet};

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
    let id = tree.add(n, SlotSet::from_iter(0..10), ProvenOutcome::Unknown, Width::Byte);
    let mut means = Means([0.0; MAX_SLOTS]);
    means.0[5] = rave;
    for slot in [4, 5] {
        let child = tree.visit(id, slot);
        let visit = Visit { child, playouts, half_points };
        tree.view(id)
            .children
            .count(visit, formula::exploration_factor, |n, _| formula::decayed_knowledge(known, n));
    }
    let children = tree.view(id).children.scan();
    let mut values = [0.0; lanes::MOST_LANES];
    // SAFETY: the caller guarantees the instructions of `L`; the tree lives on unchanged, and it has children from
    // 0 on.
    unsafe {
        let (exploration, k) = (L::Narrow::splat(formula::exploration(exploration, n)), L::Narrow::splat(k));
        let scan = ChildValues { children, slots: 16, exploration, k, solved: false };
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
    at: &NodeView<'_>,
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
        let id = tree.add(1 + rng.below(5000), (0..slots).collect(), ProvenOutcome::Unknown, Width::Byte);
        let mut known = [0.0; MAX_SLOTS];
        known[..usize::from(slots)].fill_with(|| rng.below(20) as f32 * 0.01);
        if shape.knows {
            tree.set_knowledge(id, &known);
        }
        for slot in (0..slots).filter(|_| rng.below(3) > 0).collect::<Vec<_>>() {
            let child = tree.visit(id, slot);
            let playouts = [1, 2, 30, 1500][rng.below(4) as usize];
            let visit = Visit { child, playouts, half_points: rng.below(2 * playouts + 1) };
            count(&mut tree.view(id), visit);
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
        let mut at = tree.view(id);
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
    let id = tree.add(9, SlotSet::from_iter(0..4), ProvenOutcome::Unknown, Width::Byte);
    let proofs = [ProvenOutcome::AtLeastDraw, ProvenOutcome::Loss, ProvenOutcome::Draw, ProvenOutcome::Win];
    for (slot, proof) in (0..).zip(proofs) {
        let child = tree.visit(id, slot);
        tree.view(id).children.count(
            Visit { child, playouts: 4, half_points: 4 },
            formula::exploration_factor,
            |_, _| 0.0,
        );
        tree.set_proof(id, child, proof, 0x1fff);
    }
    let children = tree.view(id).children.scan();
    let mut values = [0.0; lanes::MOST_LANES];
    // SAFETY: every CPU of the target has the instructions of `Baseline`; the tree lives on unchanged, and it has
    // children from 0 on.
    unsafe {
        type L = lanes::Baseline;
        let scan =
            ChildValues { children, slots: 16, exploration: L::splat(0.0), k: L::splat(4.0), solved: true };
        L::store_floats(scan.value::<L>(0, &Means([1.0; MAX_SLOTS])), values.as_mut_ptr());
    }
    assert_eq!(
        values[..4],
        [0.75, ProvenOutcome::Loss.value(), ProvenOutcome::Draw.value(), ProvenOutcome::Win.value()]
    );
}
