//! The speed of searches and rollouts.

use crate::cpu::thread_time;
use crate::havannah::{Board, BoardSize, Heuristics, Params};
use crate::rng::Rng;
use crate::search::{Budget, Game, Policy, Probe, Search, SearchResult, Unwatched};
use std::time::Duration;

/// The simulations of a search, the CPU time that they took, and the size of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// The number of simulations.
    pub sims: u64,
    /// The number of nodes in the tree at the end.
    pub nodes: u64,
    /// The bytes of the tree at the end, as they count against the player's memory limit.
    pub bytes: u64,
    /// How often the tree was full and dropped rarely visited nodes.
    pub collections: u32,
    /// CPU time of the thread.
    pub cpu: Duration,
}

impl Measurement {
    /// Simulations per CPU second.
    #[must_use]
    pub fn sims_per_s(&self) -> f64 {
        self.sims as f64 / self.cpu.as_secs_f64()
    }

    /// Mean bytes of an expanded node, with its children.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.nodes.max(1) as f64
    }

    /// Mean bytes that a simulation adds to the tree. Means little once nodes have been dropped.
    #[must_use]
    pub fn bytes_per_sim(&self) -> f64 {
        self.bytes as f64 / self.sims.max(1) as f64
    }
}

/// Runs one search of `sims` simulations from the empty board, with an empty tree.
pub fn from_empty(size: BoardSize, params: &Params, sims: u64, seed: u64) -> Measurement {
    search(size, params, Budget::Sims(sims), seed)
}

/// Runs one search within `budget` from the empty board, with an empty tree. If the thread has searched before, the
/// tree reuses its memory.
pub fn search(size: BoardSize, params: &Params, budget: Budget, seed: u64) -> Measurement {
    watched(size, params, budget, seed, &mut Unwatched)
}

/// [`search`] with a probe.
pub(super) fn watched(
    size: BoardSize,
    params: &Params,
    budget: Budget,
    seed: u64,
    probe: &mut impl Probe<Board>,
) -> Measurement {
    let mut search = Search::new(Board::new(size), params, seed);
    let SearchResult { sims, nodes, collections, cpu, .. } = search.think_watched(budget, probe);
    Measurement { sims, nodes, bytes: search.bytes(), collections, cpu }
}

/// A number of rollouts, and the CPU time that they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rollouts {
    /// The number of rollouts.
    pub games: u64,
    /// The sum of their moves.
    pub plies: u64,
    /// CPU time of the thread.
    pub cpu: Duration,
}

impl Rollouts {
    /// Rollouts per CPU second.
    #[must_use]
    pub fn per_s(&self) -> f64 {
        self.games as f64 / self.cpu.as_secs_f64()
    }
}

/// Plays rollouts from `start` with the heuristics of `params`. A budget in simulations is the number of rollouts.
/// Rollouts learn from each other as in a search.
#[must_use]
pub fn rollouts(start: &Board, params: &Params, budget: Budget, seed: u64) -> Rollouts {
    /// Rollouts between two readings of the clock. A reading is a system call, which takes as long as two games on size
    /// 4.
    const BLOCK: u64 = 1024;
    let mut board = start.clone();
    let mut policy = Heuristics::new(params);
    let mut rng = Rng::new(seed);
    let mut line = Vec::new();
    let mut measured = Rollouts { games: 0, plies: 0, cpu: Duration::ZERO };
    let begin = thread_time();
    policy.begin_search();
    loop {
        let block = match budget {
            Budget::Sims(sims) => BLOCK.min(sims - measured.games),
            Budget::CpuTime(limit) if measured.cpu < limit => BLOCK,
            Budget::CpuTime(_) => 0,
        };
        if block == 0 {
            return measured;
        }
        for _ in 0..block {
            board.clone_from(start);
            let winner = policy.rollout(&mut board, None, 0, &mut rng);
            measured.plies += board.rollout_plies() as u64;
            if let Some(winner) = winner.filter(|_| policy.learns()) {
                line.clear();
                board.rollout_line(|side, slot| line.push((side, slot)));
                policy.learn(&line, winner);
            }
        }
        measured.games += block;
        measured.cpu = thread_time() - begin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_grow_with_simulations_until_the_memory_is_full() {
        let size = BoardSize::new(6).expect("size");
        let mut params = Params::preset("rave").expect("preset");
        params.search.memory_mib = 4;
        let [few, more, full] = [1_000, 4_000, 60_000].map(|sims| from_empty(size, &params, sims, 1));
        assert!(few.bytes < more.bytes && few.nodes < more.nodes, "{few:?} {more:?}");
        assert_eq!((few.collections, more.collections), (0, 0));
        assert!(full.collections > 0 && full.bytes <= 4 << 20, "{full:?}");
        assert!(few.bytes_per_node() > 100.0 && few.bytes_per_sim() > 10.0, "{few:?}");
    }
}
