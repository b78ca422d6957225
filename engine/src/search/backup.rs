//! Carrying a simulation's result, and any proof it found, from the leaf to the root.

use super::formula;
use super::game::Game;
use super::lanes::{self, Lanes};
use super::outcome::Proof;
use super::phases::{Phase, Probe};
use super::rave::RAVE_UPDATES_PER_EMPTY;
use super::select::{Terms, count, decide};
use super::slots::first_of;
use super::state::{Search, SimulationResult};
use super::tree::{NO_NODE, NodeId, Shape, Visit};

impl<G: Game> Search<G> {
    /// Counts `result` along the path. `proved` is what the expansion of the leaf proved, from the view of the side
    /// to move there, with its depth.
    pub(super) fn back_up(
        &mut self,
        result: SimulationResult,
        proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.tree.shape().rave && lanes::has_avx512() {
            // SAFETY: the features were just detected.
            return unsafe { self.back_up_avx512(result, proved, probe) };
        } else if lanes::has_avx2() {
            // SAFETY: as above.
            return unsafe { self.back_up_avx2(result, proved, probe) };
        }
        // SAFETY: every machine that this is compiled for has what its baseline needs.
        unsafe { self.back_up_with::<lanes::Baseline>(result, proved, probe) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt")]
    fn back_up_avx512(
        &mut self,
        result: SimulationResult,
        proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        // SAFETY: this function is compiled for the features.
        unsafe { self.back_up_with::<lanes::Avx512>(result, proved, probe) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn back_up_avx2(
        &mut self,
        result: SimulationResult,
        proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        // SAFETY: this function is compiled for the features.
        unsafe { self.back_up_with::<lanes::Avx2>(result, proved, probe) }
    }

    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn back_up_with<L: Lanes>(
        &mut self,
        result: SimulationResult,
        proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        // The two players of most games are compiled for what they are.
        // SAFETY: by contract.
        unsafe {
            match self.tree.shape() {
                Shape::UCT => self.back_up_as::<L>(Shape::UCT, result, proved, probe),
                Shape::RAVE => self.back_up_as::<L>(Shape::RAVE, result, proved, probe),
                other => self.back_up_as::<L>(other, result, proved, probe),
            }
        }
    }

    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn back_up_as<L: Lanes>(
        &mut self,
        shape: Shape,
        result: SimulationResult,
        mut proved: Option<(Proof, u16)>,
        probe: &mut impl Probe<G>,
    ) {
        let playouts = result.playouts();
        let half_points = result.wins.map(|wins| 2 * wins + result.draws);
        let credited = shape.rave && self.credits.any();
        if credited {
            self.credits.narrow();
        }
        let (fpu, exploration) = (self.params.fpu as f32, self.sampled.exploration);
        let widens = self.widens();
        let root_mover = self.position.to_move();
        let mut open = (self.position.open_count() - self.path.len()) as u32;
        for ply in (0..self.path.len()).rev() {
            open += 1;
            let step = self.path[ply];
            let mover = if ply % 2 == 0 { root_mover } else { root_mover.other() };
            let k = if shape.rave { formula::equivalence(&self.params, open) } else { 0.0 };
            let visit = Visit { child: step.child, playouts, half_points: half_points[mover.index()] };
            // The descent already counted one.
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
            let listed = widens.then(|| self.offer(step.node, 1));
            let mut at = self.tree.open_as(shape, step.node);
            if news.is_none() {
                count(&mut at, visit);
            }
            let n = at.node.n;
            let updates = credited
                && RAVE_UPDATES_PER_EMPTY * open as f32 * k > n as f32
                && (at.node.visited != 1 || first_of(at.unvisited).is_some());
            if updates && n > at.node.most_counted() {
                self.tree.widen(step.node, n);
                at = self.tree.open_as(shape, step.node);
            }
            // The next descent counts itself before it chooses.
            probe.enter(if updates { Phase::BackUp } else { Phase::Descent });
            let credit = if updates { Some(self.credits.of(mover)) } else { None };
            let terms = Terms { ahead: 1, fpu, exploration, k };
            // SAFETY: by contract.
            unsafe { decide::<L>(&mut at, credit, terms, &mut self.means) };
            let next_node = at.node.next_node;
            // With RAVE most descents go where the one before went.
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

    /// Chooses the child that the descent at a node takes: where none was chosen before, or where simulations differ and
    /// each chooses for itself.
    pub(super) fn choose_next(&mut self, id: NodeId, k: f32) {
        #[cfg(target_arch = "x86_64")]
        if lanes::has_avx2() {
            // SAFETY: the features were just detected.
            return unsafe { self.choose_next_avx2(id, k) };
        }
        // SAFETY: every machine that this is compiled for has what its baseline needs.
        unsafe { self.choose_next_with::<lanes::Baseline>(id, k) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn choose_next_avx2(&mut self, id: NodeId, k: f32) {
        // SAFETY: this function is compiled for the features.
        unsafe { self.choose_next_with::<lanes::Avx2>(id, k) }
    }

    /// # Safety
    /// As for the functions of [`Lanes`].
    #[inline(always)]
    unsafe fn choose_next_with<L: Lanes>(&mut self, id: NodeId, k: f32) {
        let listed = self.widens().then(|| self.offer(id, 0));
        let terms = Terms { ahead: 0, fpu: self.params.fpu as f32, exploration: self.sampled.exploration, k };
        let mut at = self.tree.open(id);
        // SAFETY: by contract.
        unsafe { decide::<L>(&mut at, None, terms, &mut self.means) };
        if let Some(listed) = listed {
            self.tree.set_unvisited(id, listed);
        }
    }

    /// Counts a visit to a child that was proved something. Returns what its node has become, if that is news.
    #[cold]
    fn learn(&mut self, id: NodeId, visit: Visit, (proof, depth): (Proof, u16)) -> Option<(Proof, u16)> {
        count(&mut self.tree.open(id), visit);
        let proof = proof.inverted();
        self.tree.set_proof(id, visit.child, proof, depth);
        self.prove(id, proof, depth)
    }
}
