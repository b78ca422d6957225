//! Solvers: they prove who wins a position with best play.
//!
//! Alpha-beta, three proof-number searches and the player's own search implement [`Solver`]. All but the last look two
//! plies ahead by default before a position becomes a node, so that the last two plies of every line cost no node.
//!
//! They rely on the order of moves being irrelevant: a position is determined by the slots that each side has filled.

mod alphabeta;
mod arena;
mod coarse;
mod config;
mod df_pn;
mod expansion;
mod key;
mod lookahead;
mod meter;
mod monte_carlo;
mod numbers;
mod parallel_pns;
mod pns;
mod questions;
mod table;
mod tree;

pub use alphabeta::AlphaBeta;
pub use config::{LeafInitialisation, Lookahead, ProofNumberConfig};
pub use df_pn::DfPn;
pub use meter::Meter;
pub use monte_carlo::MonteCarlo;
pub use numbers::INFINITE;
pub use parallel_pns::ParallelProofNumberSearch;
pub use pns::ProofNumberSearch;

use crate::search::{Game, ProvenOutcome};
use std::ops::ControlFlow;
use std::time::Duration;

/// Why a solver gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// It reached the limit of nodes.
    Nodes,
    /// Its tree does not fit into the memory limit.
    Memory,
    /// Its tree counts no more playouts.
    Playouts,
    /// It reached the limit of time.
    Time,
    /// The caller's progress function cancelled it.
    Cancelled,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Nodes => "node limit",
            Stop::Memory => "memory limit",
            Stop::Playouts => "the tree counts no more playouts",
            Stop::Time => "time limit",
            Stop::Cancelled => "cancelled",
        })
    }
}

/// The limits for solving one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Nodes to look at, as [`Solution::nodes`] counts them.
    pub nodes: u64,
    /// Bytes for the tree or the table.
    pub memory: usize,
    /// CPU time of the calling thread. The progress function can enforce other clocks.
    pub cpu: Duration,
}

impl Default for Limits {
    /// 256 MiB, and no other limit.
    fn default() -> Self {
        Self { nodes: u64::MAX, memory: 256 << 20, cpu: Duration::MAX }
    }
}

/// The progress of a solver, reported about every hundred thousand nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Nodes so far.
    pub nodes: u64,
    /// CPU time of the calling thread so far.
    pub cpu: Duration,
    /// As [`Solution::depth`], so far.
    pub depth: u16,
    /// For proof-number searches: the estimated effort to prove and to disprove the present question.
    pub numbers: Option<(u32, u32)>,
    /// What is proved so far, from the view of the side to move.
    pub proven: ProvenOutcome,
}

/// What a solver found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution {
    /// What is proved, from the view of the side to move.
    pub proven: ProvenOutcome,
    /// Why the solver gave up, if it did.
    pub stopped: Option<Stop>,
    /// A move that reaches the outcome. In a lost position the move whose refutation took most effort. `None` when the
    /// position is unsolved or finished.
    pub best: Option<u16>,
    /// Plies of the deepest line, without the two plies of lookahead. For alpha-beta the depth of the last iteration, in
    /// which forced replies do not count.
    pub depth: u16,
    /// Positions looked at: the moves made, and the cells tested for a winning move after each. The literature counts the
    /// same way, so that numbers can be compared.
    pub nodes: u64,
    /// CPU time of all threads.
    pub cpu: Duration,
}

/// What a solver found out about a move of the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveFindings {
    /// The move.
    pub slot: u16,
    /// What is proved about the position after it, from the mover's view.
    pub proven: ProvenOutcome,
    /// The work: nodes for alpha-beta, expansions for proof-number searches, simulations for the player's search.
    pub work: u64,
    /// For proof-number searches: the estimated effort to prove that the reply reaches its aim, and that it misses its aim.
    /// Once this is decided, one number is 0 and the other [`INFINITE`].
    pub numbers: Option<(u32, u32)>,
}

impl MoveFindings {
    /// The result of the rules or of a table for a move, without proof numbers.
    fn new(slot: u16, proven: ProvenOutcome, work: u64) -> Self {
        Self { slot, proven, work, numbers: None }
    }
}

/// A function that receives progress and may cancel.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// Something that solves positions of a game.
pub trait Solver<G: Game> {
    /// Solves a position; it may be finished. The solver forgets afterwards what it learned.
    fn solve(&mut self, position: &G, limits: &Limits, watch: &mut Watch<'_>) -> Solution {
        self.solve_with_moves(position, limits, watch).0
    }

    /// Solves a position and reports what is known of its moves. When no search was needed, the report has at most one
    /// move, the one that decides.
    fn solve_with_moves(
        &mut self,
        position: &G,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> (Solution, Vec<MoveFindings>) {
        let mut meter = Meter::new(limits, watch);
        let solution = match meter.look_at_root(position) {
            Some(solution) => solution,
            None => self.search(position, &mut meter),
        };
        (solution, meter.moves)
    }

    /// Searches a position that two plies of lookahead leave undecided, and puts what it learns of the moves into
    /// the meter.
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution;
}
