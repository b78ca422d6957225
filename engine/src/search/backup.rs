//! Backup: carries a simulation's result, and any proof it found, from the leaf to the root.

use super::game::Game;
use super::lanes::{self, Lanes};
use super::phases::{Phase, Probe};
use super::proven_outcome::ProvenOutcome;
use super::rave::RAVE_UPDATES_PER_EMPTY;
use super::select::{count, decide};
use super::slots::first_of;
use super::state::{Search, SimulationResult};
use super::tree::{NO_NODE, NodeId, Shape, Visit};

impl<G: Game> Search<G> {
    /// Counts `result` along the path. `proved` is what the expansion of the leaf proved and its depth, from the view
    /// of the side to move at the leaf.
    pub(super) fn back_up(
        &mut self,
        result: SimulationResult,
        proved: Option<(ProvenOutcome, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.tree.shape().rave && lanes::has_avx512() {
            // SAFETY: `has_avx512` detects every feature that `back_up_avx512` enables.
            return unsafe { self.back_up_avx512(result, proved, probe) };
        } else if lanes::has_avx2() {
            // SAFETY: `has_avx2` detects every feature that `back_up_avx2` enables.
            return unsafe { self.back_up_avx2(result, proved, probe) };
        }
        // SAFETY: every CPU of the target has the instructions of `Baseline`.
        unsafe { self.back_up_with::<lanes::Baseline>(result, proved, probe) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt")]
    fn back_up_avx512(
        &mut self,
        result: SimulationResult,
        proved: Option<(ProvenOutcome, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        // SAFETY: this function is compiled for, and called only with, the instructions of `Avx512`.
        unsafe { self.back_up_with::<lanes::Avx512>(result, proved, probe) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn back_up_avx2(
        &mut self,
        result: SimulationResult,
        proved: Option<(ProvenOutcome, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        // SAFETY: this function is compiled for, and called only with, the instructions of `Avx2`.
        unsafe { self.back_up_with::<lanes::Avx2>(result, proved, probe) }
    }

    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    unsafe fn back_up_with<L: Lanes>(
        &mut self,
        result: SimulationResult,
        proved: Option<(ProvenOutcome, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        // Compiled separately for the two most frequent shapes, so that their flags are constants.
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe {
            match self.tree.shape() {
                Shape::UCT => self.back_up_as::<L>(Shape::UCT, result, proved, probe),
                Shape::RAVE => self.back_up_as::<L>(Shape::RAVE, result, proved, probe),
                other => self.back_up_as::<L>(other, result, proved, probe),
            }
        }
    }

    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    unsafe fn back_up_as<L: Lanes>(
        &mut self,
        shape: Shape,
        result: SimulationResult,
        mut proved: Option<(ProvenOutcome, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        let playouts = result.playouts();
        let half_points = result.wins.map(|wins| 2 * wins + result.draws);
        let credited = shape.rave && self.credits.any();
        if credited {
            self.credits.narrow();
        }
        let widens = self.widens();
        let root_mover = self.position.to_move();
        for ply in (0..self.path.len()).rev() {
            let step = self.path[ply];
            let mover = if ply % 2 == 0 { root_mover } else { root_mover.other() };
            let visit = Visit { child: step.child, playouts, half_points: half_points[mover.index()] };
            // The descent has already counted one playout.
            if playouts > 1 {
                self.tree.node_mut(step.node).n += playouts - 1;
            }
            let news = proved.take();
            if let Some(below) = news {
                proved = self.learn(step.node, visit, below);
                if proved.is_some_and(|(proof, _)| proof.is_solved()) {
                    continue;
                }
            }
            let listed = widens.then(|| self.narrow_to_candidates(step.node, 1));
            // The next descent adds a playout to the node before it follows this choice.
            let terms = self.terms(ply, 1);
            let most_updated = RAVE_UPDATES_PER_EMPTY * self.open_slots(ply) as f32 * terms.k;
            let mut at = self.tree.view_as(shape, step.node);
            if news.is_none() {
                count(&mut at, visit);
            }
            let n = at.node.n;
            let updates = credited
                && most_updated > n as f32
                && (at.node.visited != 1 || first_of(at.unvisited).is_some());
            if updates && n > at.node.most_counted() {
                self.tree.widen(step.node, n);
                at = self.tree.view_as(shape, step.node);
            }
            probe.enter(if updates { Phase::BackUp } else { Phase::Descent });
            let credit = if updates { Some(self.credits.of(mover)) } else { None };
            // SAFETY: the caller guarantees the instructions of `L`.
            unsafe { decide::<L>(&mut at, credit, terms, &mut self.means) };
            let next_node = at.node.next_node;
            // With RAVE most descents repeat the previous one, whose nodes are in the cache.
            if !shape.rave && next_node != NO_NODE {
                self.tree.prefetch(next_node);
            }
            if let Some(listed) = listed {
                self.tree.set_unvisited(step.node, listed);
            }
            probe.enter(Phase::BackUp);
        }
        self.credits.clear();
    }

    /// Chooses the next child of a node, `ply` plies below the root, during a descent: where backup has chosen none, or
    /// where simulations choose by different terms.
    pub(super) fn choose_next(&mut self, id: NodeId, ply: usize) {
        #[cfg(target_arch = "x86_64")]
        if lanes::has_avx2() {
            // SAFETY: `has_avx2` detects every feature that `choose_next_avx2` enables.
            return unsafe { self.choose_next_avx2(id, ply) };
        }
        // SAFETY: every CPU of the target has the instructions of `Baseline`.
        unsafe { self.choose_next_with::<lanes::Baseline>(id, ply) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn choose_next_avx2(&mut self, id: NodeId, ply: usize) {
        // SAFETY: this function is compiled for, and called only with, the instructions of `Avx2`.
        unsafe { self.choose_next_with::<lanes::Avx2>(id, ply) }
    }

    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    unsafe fn choose_next_with<L: Lanes>(&mut self, id: NodeId, ply: usize) {
        let listed = self.widens().then(|| self.narrow_to_candidates(id, 0));
        let terms = self.terms(ply, 0);
        let mut at = self.tree.view(id);
        if !self.sampled.rave {
            at.leave_out_rave();
        }
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe { decide::<L>(&mut at, None, terms, &mut self.means) };
        if let Some(listed) = listed {
            self.tree.set_unvisited(id, listed);
        }
    }

    /// Counts a visit to a child with a new proof. Returns the new proof of the node, if it has changed.
    #[cold]
    fn learn(
        &mut self,
        id: NodeId,
        visit: Visit,
        (proof, depth): (ProvenOutcome, u16),
    ) -> Option<(ProvenOutcome, u16)> {
        count(&mut self.tree.view(id), visit);
        let proof = proof.inverted();
        self.tree.set_proof(id, visit.child, proof, depth);
        self.prove(id, proof, depth)
    }
}
