//! How fast searches and rollouts are.

use crate::cpu::thread_time;
use crate::havannah::{Board, BoardSize, Heuristics, Params};
use crate::rng::Rng;
use crate::search::{Budget, Game, Policy, Probe, Search, Thought, Unwatched};
use std::time::Duration;

/// Simulations and the CPU time they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Simulations.
    pub sims: u64,
    /// Nodes in the tree at the end.
    pub nodes: u64,
    /// Bytes of the tree at the end, as they count against the player's memory.
    pub bytes: u64,
    /// How often the tree was full and dropped its light nodes.
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

    /// Bytes of an expanded node, its children included.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.nodes.max(1) as f64
    }

    /// Bytes of a simulation; means little once nodes have been dropped.
    #[must_use]
    pub fn bytes_per_sim(&self) -> f64 {
        self.bytes as f64 / self.sims.max(1) as f64
    }
}

/// Runs one search of `sims` simulations from the empty board, with a fresh tree.
pub fn from_empty(size: BoardSize, params: &Params, sims: u64, seed: u64) -> Measurement {
    search(size, params, Budget::Sims(sims), seed)
}

/// Runs one search within `budget` from the empty board, with an empty tree, in memory that the thread has used before if
/// it has searched before.
pub fn search(size: BoardSize, params: &Params, budget: Budget, seed: u64) -> Measurement {
    watched(size, params, budget, seed, &mut Unwatched)
}

/// [`search`] with an onlooker.
pub(super) fn watched(
    size: BoardSize,
    params: &Params,
    budget: Budget,
    seed: u64,
    probe: &mut impl Probe<Board>,
) -> Measurement {
    let mut search = Search::new(Board::new(size), params, seed);
    let Thought { sims, nodes, collections, cpu, .. } = search.think_watched(budget, probe);
    Measurement { sims, nodes, bytes: search.bytes(), collections, cpu }
}

/// Rollouts and the CPU time they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rollouts {
    /// Rollouts.
    pub games: u64,
    /// Their moves, summed.
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

/// Plays rollouts from `start` within `budget`, a rollout for each of its simulations, as `params` say; they learn from
/// each other if they do so in a search.
#[must_use]
pub fn rollouts(start: &Board, params: &Params, budget: Budget, seed: u64) -> Rollouts {
    /// Rollouts between two looks at the clock, a system call: it takes as long as two games on size 4.
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
