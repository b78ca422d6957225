//! Monte-Carlo tree search as a solver: it searches until its tree contains a proof.

use super::{Meter, MoveFindings, Solution, Solver, Stop};
use crate::search::{Budget, Game, ParamsOf, Search};

/// The player's own search, run until the position is proven. [`Solution::nodes`] counts simulations;
/// [`Solution::depth`] is the length of the principal variation.
#[derive(Debug, Clone)]
pub struct MonteCarlo<P> {
    params: P,
    seed: u64,
}

/// Simulations between two checks of the limits.
const SIMS_PER_CHECK: u64 = 1000;

impl<P> MonteCarlo<P> {
    /// A solver that searches like a player with these parameters, except that [`Limits::memory`](super::Limits::memory)
    /// replaces the player's memory.
    #[must_use]
    pub const fn new(params: P, seed: u64) -> Self {
        Self { params, seed }
    }
}

impl<G: Game> Solver<G> for MonteCarlo<ParamsOf<G>> {
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution {
        let limits = meter.limits;
        // The lookahead at the root counted nodes; this solver counts simulations.
        meter.nodes = 0;
        let mut params = self.params.clone();
        params.as_mut().memory_mib = u32::try_from(limits.memory >> 20).unwrap_or(u32::MAX).clamp(1, 4096);
        let mut search = Search::new(position.clone(), &params, self.seed);
        let mover = position.to_move();
        let solution = loop {
            meter.next_look = meter.nodes;
            if let Err(stop) = meter.check(|| None) {
                break meter.solution(None, Some(stop));
            }
            let sims = SIMS_PER_CHECK.min(limits.nodes - meter.nodes);
            let result = search.think_on(Budget::Sims(sims));
            meter.nodes += result.sims;
            meter.depth = u16::try_from(search.principal_variation().len()).unwrap_or(u16::MAX);
            meter.proven = search.claim().as_seen_by(mover);
            if meter.proven.is_solved() {
                break meter.solution(Some(result.slot), None);
            }
            if result.sims == 0 {
                break meter.solution(None, Some(Stop::Playouts));
            }
        };
        let findings = search
            .children(&[])
            .into_iter()
            .map(|child| MoveFindings::new(child.slot, child.claim.as_seen_by(mover), child.playouts.into()));
        meter.moves = findings.collect();
        solution
    }
}
