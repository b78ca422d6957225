//! Solvers: they prove who wins a position with best play.
//!
//! Alpha-beta, three proof-number searches and the player's own search implement [`Solver`]. All but the last look two
//! plies ahead before a position becomes a node, so that the last two plies of every line cost no node.
//!
//! They rely on the order of moves being irrelevant: a position is determined by the slots that each side has filled.

mod alphabeta;
mod arena;
mod config;
mod copying;
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

use crate::search::{Claim, Game};
use crate::side::Side;
use std::ops::ControlFlow;
use std::time::Duration;

/// What best play gives the side to move, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other side wins.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// The same result as the other side sees it.
    #[must_use]
    pub const fn inverted(self) -> Self {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }

    /// What a claim says for `side`: the least and the most that it gets.
    #[must_use]
    pub fn claimed(claim: Claim, side: Side) -> (Self, Self) {
        use Value::{Draw, Loss, Win};
        let for_white = match claim {
            Claim::None => (Loss, Win),
            Claim::White => (Win, Win),
            Claim::Black => (Loss, Loss),
            Claim::Draw => (Draw, Draw),
            Claim::WhiteOrDraw => (Draw, Win),
            Claim::BlackOrDraw => (Loss, Draw),
        };
        match side {
            Side::White => for_white,
            Side::Black => (for_white.1.inverted(), for_white.0.inverted()),
        }
    }
}

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

/// The verdict of a solver on a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The side to move wins.
    Win,
    /// The other side wins.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The solver gave up.
    Unknown(Stop),
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
    /// What is known already.
    pub at_least: Value,
    /// What is known already.
    pub at_most: Value,
}

/// What a solver found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution {
    /// The side to move gets no less.
    pub at_least: Value,
    /// The side to move gets no more.
    pub at_most: Value,
    /// Why the solver gave up, if it did.
    pub stopped: Option<Stop>,
    /// A move that reaches the value. In a lost position the move whose refutation took most effort. `None` when the
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

impl Solution {
    /// The value as one word.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (self.value(), self.stopped) {
            (Some(Value::Win), _) => Verdict::Win,
            (Some(Value::Loss), _) => Verdict::Loss,
            (Some(Value::Draw), _) => Verdict::Draw,
            (None, stopped) => Verdict::Unknown(stopped.expect("a solver that does not stop solves")),
        }
    }

    /// The value, once it is known.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// What a solver found out about a move of the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveFindings {
    /// The move.
    pub slot: u16,
    /// The mover gets no less by this move.
    pub at_least: Value,
    /// The mover gets no more by this move.
    pub at_most: Value,
    /// The work: nodes for alpha-beta, expansions for proof-number searches, simulations for the player's search.
    pub work: u64,
    /// For proof-number searches: the estimated effort to prove that the reply reaches its aim, and that it misses its aim.
    /// Once this is decided, one number is 0 and the other [`INFINITE`].
    pub numbers: Option<(u32, u32)>,
}

impl MoveFindings {
    /// A move whose value for the mover is known.
    fn known(slot: u16, value: Value, work: u64) -> Self {
        Self { slot, at_least: value, at_most: value, work, numbers: None }
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
