//! Probes, which observe a search. A search is monomorphised over its probe: without a probe there is no cost.

/// A part of a simulation, for profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Walking from the root to a leaf, and choosing children where this is not one pass with the RAVE update.
    Descent,
    /// Making a node of a leaf: lookahead, knowledge, memory.
    Expansion,
    /// Playing rollouts.
    Playout,
    /// Counting results along the path, and RAVE: recording the moves of playouts, and crediting slots, in one pass
    /// with choosing the next child.
    BackUp,
}

impl Phase {
    /// All phases, in the order of a simulation.
    pub const ALL: [Self; 4] = [Phase::Descent, Phase::Expansion, Phase::Playout, Phase::BackUp];
}

/// Observes a search. All methods do nothing by default.
pub trait Probe<G> {
    /// The search enters a phase. Every simulation begins with [`Phase::Descent`].
    #[inline(always)]
    fn enter(&mut self, phase: Phase) {
        let _ = phase;
    }

    /// A rollout ended with `end`; it began `tree_plies` below the root.
    #[inline(always)]
    fn rollout_ended(&mut self, end: &G, tree_plies: usize) {
        let _ = (end, tree_plies);
    }
}

/// The probe that observes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl<G> Probe<G> for Unwatched {}
