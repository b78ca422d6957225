//! The integration tests of the engine but for GTP, in one program: each program would compile the search again.

mod archive;
mod cells;
mod contracts;
mod knowledge;
mod little_golem;
mod memory_safety;
mod naive_search;
mod places;
mod players;
mod playouts;
mod positions;
mod proofs;
mod rules;
mod sgf;
mod snapshots;
mod solver;
mod solver_positions;
mod statistics;
mod winning_structure;

/// Slow and plain counterparts of what is tested.
mod slow {
    pub(crate) mod rules;
    pub(crate) mod solver;
}
