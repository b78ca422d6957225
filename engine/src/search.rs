//! Monte-Carlo tree search: UCT and RAVE with lookahead at expansion, proof backups and a kept tree.
//!
//! The search knows a game by [`Game`] and its heuristics by [`Policy`]. One simulation (`simulate.rs`) descends, expands a
//! leaf at its second visit, plays it out at random and carries the result back. On the way back every node of the path
//! takes its RAVE credit and chooses its next child in one pass, so that the next descent only follows pointers.
//!
//! * A search for a move: `think`, `budget`, `clock`, `counts`, `final_move`; its state: `state`, `snapshot`, `inspect`.
//! * A simulation: `simulate`, `expand`, `backup`, with proofs (`proof`, `proven_outcome`) and RAVE credit (`rave`).
//! * The choice of a child: `formula`, `terms`, `widen`, and in vectors `select` and `lanes`.
//! * The tree in memory: `tree`, `memory`.

mod backup;
mod budget;
mod clock;
mod counts;
mod expand;
mod final_move;
mod formula;
mod game;
mod inspect;
mod lanes;
mod memory;
mod params;
mod phases;
mod proof;
mod proven_outcome;
mod rave;
mod select;
mod simulate;
mod slots;
mod snapshot;
mod snapshot_bytes;
mod state;
mod terms;
#[cfg(test)]
mod tests;
mod think;
mod tree;
mod widen;

pub use budget::Budget;
pub use counts::{TooManySims, check_sims, most_sims};
pub use game::{Game, ParamsOf, Policy, Uniform, Winner, WinningMoves};
pub use inspect::ChildStats;
pub use memory::tree_mib;
pub use params::{FinalMove, RaveCompat, SearchParams};
pub use phases::{Phase, Probe, Unwatched};
pub use proven_outcome::ProvenOutcome;
pub use slots::{BySlot, MAX_SLOTS, SlotSet};
pub use snapshot::SNAPSHOT_FORMAT;
pub(crate) use snapshot_bytes::mismatch;
pub use state::Search;
pub use think::SearchResult;
pub use tree::release_pooled_memory;
