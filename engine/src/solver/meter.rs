//! The meter of one solving: it counts nodes, enforces the limits and reports progress.

use super::{Limits, MoveFindings, Progress, Solution, Stop, Watch};
use crate::cpu::thread_time;
use crate::search::ProvenOutcome;
use std::ops::ControlFlow;
use std::time::Duration;

/// Counts the nodes of one solving, enforces its limits and collects what a [`Solver`](super::Solver) finds.
pub struct Meter<'a, 'b> {
    pub(super) limits: &'a Limits,
    watch: &'a mut Watch<'b>,
    started: Duration,
    /// The count of nodes at which the limits are checked next.
    pub(super) next_look: u64,
    /// Nodes so far.
    pub(super) nodes: u64,
    /// Deepest ply so far.
    pub(super) depth: u16,
    /// What is proved about the root so far, from the view of the side to move.
    pub(super) proven: ProvenOutcome,
    /// The limit that was reached.
    stopped: Option<Stop>,
    /// What is known of the root's moves.
    pub(super) moves: Vec<MoveFindings>,
}

/// Nodes between two looks at the clock: reading it for every node would be slow.
const LOOK_EVERY: u64 = 100_000;

impl<'a, 'b> Meter<'a, 'b> {
    pub(super) fn new(limits: &'a Limits, watch: &'a mut Watch<'b>) -> Self {
        Self {
            limits,
            watch,
            started: thread_time(),
            next_look: LOOK_EVERY,
            nodes: 0,
            depth: 0,
            proven: ProvenOutcome::Unknown,
            stopped: None,
            moves: Vec::new(),
        }
    }

    /// Checks the limits and reports progress, every [`LOOK_EVERY`] nodes.
    ///
    /// # Errors
    /// When a limit is reached. Every later call returns the same error.
    #[inline]
    pub(super) fn check(&mut self, numbers: impl FnOnce() -> Option<(u32, u32)>) -> Result<(), Stop> {
        if self.nodes < self.next_look && self.nodes < self.limits.nodes {
            return Ok(());
        }
        if self.stopped.is_none() {
            self.stopped = self.look(numbers());
        }
        self.stopped.map_or(Ok(()), Err)
    }

    fn look(&mut self, numbers: Option<(u32, u32)>) -> Option<Stop> {
        if self.nodes >= self.limits.nodes {
            return Some(Stop::Nodes);
        }
        let cpu = self.cpu();
        if cpu >= self.limits.cpu {
            return Some(Stop::Time);
        }
        let progress = Progress { nodes: self.nodes, cpu, depth: self.depth, numbers, proven: self.proven };
        match (self.watch)(&progress) {
            ControlFlow::Continue(()) => {
                self.next_look = self.nodes + LOOK_EVERY;
                None
            }
            ControlFlow::Break(()) => Some(Stop::Cancelled),
        }
    }

    /// CPU time of the calling thread since the start.
    fn cpu(&self) -> Duration {
        thread_time().saturating_sub(self.started)
    }

    /// The solution as far as it is known.
    pub(super) fn solution(&self, best: Option<u16>, stopped: Option<Stop>) -> Solution {
        let proven = self.proven;
        let best = best.filter(|_| proven.is_solved());
        Solution { proven, stopped, best, depth: self.depth, nodes: self.nodes, cpu: self.cpu() }
    }

    /// The solution of a position with this solved outcome.
    pub(super) fn solved(&mut self, outcome: ProvenOutcome, best: Option<u16>) -> Solution {
        self.proven = outcome;
        self.solution(best, None)
    }
}
