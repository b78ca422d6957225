//! Monte-Carlo tree search as a solver: it searches until its tree holds a proof.

use super::{Limits, Meter, MoveFindings, Solution, Solver, Stop, Value, Watch};
use crate::game::Game;
use crate::params::Params;
use crate::search::Search;
use crate::selfplay::Budget;

/// The player's own search, run until the position is proved. [`Solution::nodes`] are simulations, [`Solution::depth`]
/// is the length of the line it expects.
#[derive(Debug, Clone)]
pub struct MonteCarlo {
    params: Params,
    seed: u64,
}

/// Simulations between two looks at the limits.
const SIMS_PER_LOOK: u64 = 1000;

impl MonteCarlo {
    /// A solver that searches as a player with these parameters does, but for the memory, which is the limits'.
    #[must_use]
    pub const fn new(params: Params, seed: u64) -> Self {
        Self { params, seed }
    }
}

impl<G: Game> Solver<G> for MonteCarlo {
    fn solve_with_moves(
        &mut self,
        position: &G,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> (Solution, Vec<MoveFindings>) {
        let mut meter = Meter::new(limits, watch);
        if let Some(solution) = meter.look_at_root(position) {
            return (solution, meter.moves);
        }
        meter.nodes = 0;
        let mut params = self.params.clone();
        params.memory_mib = u32::try_from(limits.memory >> 20).unwrap_or(u32::MAX).clamp(1, 4096);
        let mut search = Search::new(position.clone(), &params, self.seed);
        let solution = loop {
            meter.next_look = meter.nodes;
            if let Err(stop) = meter.check(|| None) {
                break meter.solution(None, Some(stop));
            }
            let sims = SIMS_PER_LOOK.min(limits.nodes - meter.nodes);
            let thought = search.think_on(Budget::Sims(sims));
            meter.nodes += thought.sims;
            meter.depth = u16::try_from(search.principal_variation().len()).unwrap_or(u16::MAX);
            (meter.at_least, meter.at_most) = Value::claimed(search.claim(), position.to_move());
            if meter.at_least == meter.at_most {
                break meter.solution(Some(thought.slot), None);
            }
            if thought.sims == 0 {
                break meter.solution(None, Some(Stop::Playouts));
            }
        };
        let mover = position.to_move();
        let moves = search.children(&[]).into_iter().map(|child| {
            let (at_least, at_most) = Value::claimed(child.claim, mover);
            MoveFindings { slot: child.slot, at_least, at_most, work: child.playouts.into(), numbers: None }
        });
        (solution, moves.collect())
    }
}
