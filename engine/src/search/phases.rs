//! Who looks on while a search works. A search is compiled for its onlooker, so that nobody costs nothing.

/// What a search spends its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// From the root to a leaf, and choosing children where that is not one pass with updating RAVE.
    Descent,
    /// Making a node of a leaf: lookahead, knowledge, memory for its children.
    Expansion,
    /// Playing out.
    Playout,
    /// Counting results along the path, and RAVE: noting the moves of playouts, crediting children, and choosing among
    /// them in the same pass.
    BackUp,
}

impl Phase {
    /// All phases, in the order of a simulation.
    pub const ALL: [Self; 4] = [Phase::Descent, Phase::Expansion, Phase::Playout, Phase::BackUp];
}

/// An onlooker.
pub trait Probe<G> {
    /// The search turns to a phase; it begins every simulation with [`Phase::Descent`].
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

/// Nobody.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl<G> Probe<G> for Unwatched {}
