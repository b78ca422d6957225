//! Carrying a simulation's result, and any proof it found, from the leaf to the root.

use super::expand::equivalence;
use super::lanes::{self, Lanes};
use super::proof::Proof;
use super::select::{Terms, child_terms, choose, root_of_log};
use super::tree::NodeId;
use super::{Phase, Probe, Result, Search};
use crate::game::Game;
use crate::side::Side;

/// RAVE counters are updated while 50·r·k exceeds the node's playouts, r being its empty slots.
const RAVE_UPDATES_PER_EMPTY: f32 = 50.0;

impl<G: Game> Search<G> {
    /// Counts `result` along the path. `proved` is what the expansion of the leaf proved, from the view of the side
    /// to move there, with its depth.
    pub(super) fn back_up(
        &mut self,
        result: Result,
        proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if lanes::has_avx2() {
            // SAFETY: the features were just detected.
            return unsafe { self.back_up_avx2(result, proved, probe) };
        }
        // SAFETY: every machine that this is compiled for has what its baseline needs.
        unsafe { self.back_up_with::<lanes::Baseline>(result, proved, probe) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn back_up_avx2(&mut self, result: Result, proved: Option<(Proof, u16)>, probe: &mut impl Probe<G>) {
        // SAFETY: this function is compiled for the features.
        unsafe { self.back_up_with::<lanes::Avx2>(result, proved, probe) }
    }

    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn back_up_with<L: Lanes>(
        &mut self,
        result: Result,
        mut proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        let playouts = result.playouts();
        let root_mover = self.position.to_move();
        let root_open = self.position.open_count();
        let credited = self.credits.any();
        for ply in (0..self.path.len()).rev() {
            let step = self.path[ply];
            let mover = if ply % 2 == 0 { root_mover } else { root_mover.other() };
            let open = root_open - ply;
            let k = equivalence(&self.params, open);
            // The descent already counted one.
            self.tree.node_mut(step.node).n += playouts - 1;
            let half_points = 2 * result.wins[mover.index()] + result.draws;
            self.count_child(step.node, step.child, playouts, half_points, k);
            if let Some((proof, depth)) = proved.take() {
                let proof = proof.inverted();
                self.mark(step.node, step.child, proof, depth);
                proved = self.prove(step.node, proof, depth);
            }
            if proved.is_some_and(|(proof, _)| proof.is_solved()) {
                continue;
            }
            let node = self.tree.node(step.node);
            let alone = node.visited == 1 && node.unvisited.is_empty();
            let updates =
                k > 0.0 && credited && !alone && RAVE_UPDATES_PER_EMPTY * open as f32 * k > node.n as f32;
            if updates && node.n > u32::from(u16::MAX) - self.params.rollouts {
                self.tree.widen(step.node);
            }
            // The next descent counts itself before it chooses.
            probe.enter(if updates { Phase::BackUp } else { Phase::Descent });
            // SAFETY: by contract.
            unsafe { self.choose_next_with::<L>(step.node, 1, updates.then_some(mover), k) };
            probe.enter(Phase::BackUp);
        }
        self.credits.clear();
    }

    /// Adds playouts to a child and renews the terms of its value.
    #[inline(always)]
    pub(super) fn count_child(&mut self, id: NodeId, child: u16, n: u32, half_points: u32, k: f32) {
        // Two bodies, or the compiler takes the root of an urgency that nobody wants.
        if self.params.exploration > 0.0 {
            self.tree.count(id, child, n, half_points, |n, half_points, knowledge| {
                child_terms(n, half_points, k, knowledge, true)
            });
        } else {
            self.tree.count(id, child, n, half_points, |n, half_points, knowledge| {
                child_terms(n, half_points, k, knowledge, false)
            });
        }
    }

    /// Chooses the child that the next descent through a node will take, `ahead` playouts from now, after crediting
    /// the node's RAVE counters with the moves of `credit`. Where simulations differ each chooses for itself.
    pub(super) fn choose_next(&mut self, id: NodeId, ahead: u32, credit: Option<Side>, k: f32) {
        #[cfg(target_arch = "x86_64")]
        if lanes::has_avx2() {
            // SAFETY: the features were just detected.
            return unsafe { self.choose_next_avx2(id, ahead, credit, k) };
        }
        // SAFETY: every machine that this is compiled for has what its baseline needs.
        unsafe { self.choose_next_with::<lanes::Baseline>(id, ahead, credit, k) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn choose_next_avx2(&mut self, id: NodeId, ahead: u32, credit: Option<Side>, k: f32) {
        // SAFETY: this function is compiled for the features.
        unsafe { self.choose_next_with::<lanes::Avx2>(id, ahead, credit, k) }
    }

    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn choose_next_with<L: Lanes>(&mut self, id: NodeId, ahead: u32, credit: Option<Side>, k: f32) {
        let n = self.tree.node(id).n + ahead;
        let exploration = self.sampled.exploration;
        let exploration = if exploration > 0.0 { exploration * root_of_log(n) } else { 0.0 };
        let terms = Terms { fpu: self.params.fpu as f32, exploration, rave: k > 0.0 };
        // The scan looks at what a node lists as unvisited: where nodes widen, at what is on offer.
        let unvisited = self.widens().then(|| self.offer(id, n));
        let credit = credit.map(|side| self.credits.of(side));
        // SAFETY: by contract.
        let (next, slot) = unsafe { choose::<L>(&mut self.tree, id, credit, terms, &mut self.choices) };
        if let Some(unvisited) = unvisited {
            self.tree.node_mut(id).unvisited = unvisited;
        }
        self.tree.decide(id, next, slot);
    }
}
