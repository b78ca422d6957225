//! The solvers of Havannah positions.
//!
//! The solvers are generic over the game. They are compiled for the board here, once, so that the programs that choose a
//! solver contain no code of their own for it.

use crate::havannah::{Board, Params};
use crate::solver::{
    AlphaBeta, DfPn, MonteCarlo, ParallelProofNumberSearch, ProofNumberConfig, ProofNumberSearch, Solver,
};
use std::num::NonZeroUsize;

/// A method of solving, with its configuration.
#[derive(Debug, Clone)]
pub enum Method {
    /// Iterative deepening alpha-beta.
    AlphaBeta,
    /// Monte-Carlo tree search with a player's parameters and this seed.
    MonteCarlo(Box<Params>, u64),
    /// Proof-number search in a tree, on one thread.
    ProofNumbers(ProofNumberConfig),
    /// Proof-number search in a tree that this many threads share.
    ParallelProofNumbers(ProofNumberConfig, NonZeroUsize),
    /// Depth-first proof-number search in a table, which tries each refutation on up to this many moves.
    DfPn(ProofNumberConfig, u16),
}

/// The solver of a method.
#[must_use]
pub fn solver(method: Method) -> Box<dyn Solver<Board>> {
    match method {
        Method::AlphaBeta => Box::new(AlphaBeta),
        Method::MonteCarlo(params, seed) => Box::new(MonteCarlo::new(*params, seed)),
        Method::ProofNumbers(config) => Box::new(ProofNumberSearch::new(config)),
        Method::ParallelProofNumbers(config, threads) => {
            Box::new(ParallelProofNumberSearch::new(config, threads))
        }
        Method::DfPn(config, copies) => Box::new(DfPn::new(config, copies)),
    }
}
