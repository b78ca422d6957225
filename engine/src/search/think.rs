//! Searches for a move, and advances to the next position.

use super::budget::Budget;
use super::clock::Clock;
use super::game::{Game, Policy};
use super::memory;
use super::phases::{Probe, Unwatched};
use super::proven_outcome::ProvenOutcome;
use super::state::{Root, Search};
use super::terms::Terms;
use super::tree::{NO_NODE, UNDECIDED};
use std::time::Duration;

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchResult {
    /// The move to play.
    pub slot: u16,
    /// Its mean result for the mover, 0 to 1; exact where proven.
    pub value: f32,
    /// What is proved about the position after it, from White's view.
    pub claim: ProvenOutcome,
    /// Simulations made.
    pub sims: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// How often a full tree dropped its light nodes.
    pub collections: u32,
    /// CPU time used.
    pub cpu: Duration,
}

impl<G: Game> Search<G> {
    /// Searches within `budget`, with at least one simulation unless the position was already proven. The search ends
    /// early when the tree can count no more playouts. Up to [`most_sims`](super::most_sims) simulations this never
    /// happens.
    ///
    /// # Panics
    /// When the game is over.
    pub fn think(&mut self, budget: Budget) -> SearchResult {
        self.think_watched(budget, &mut Unwatched)
    }

    /// Continues the search that [`Search::think`] began, and keeps what the policy has learned from playouts. The
    /// result covers both, except that simulations, collections and time are those of this call.
    ///
    /// # Panics
    /// When the game is over.
    pub fn think_on(&mut self, budget: Budget) -> SearchResult {
        self.simulate_within(budget, &mut Unwatched)
    }

    /// [`Search::think`] with a probe.
    pub fn think_watched(&mut self, budget: Budget, probe: &mut impl Probe<G>) -> SearchResult {
        self.policy.begin_search();
        self.simulate_within(budget, probe)
    }

    fn simulate_within(&mut self, budget: Budget, probe: &mut impl Probe<G>) -> SearchResult {
        assert!(self.position.winner().is_none(), "the game is over");
        let mut clock = Clock::start();
        let (mut sims, collections) = (0, self.collections);
        let (most, time) = match budget {
            Budget::Sims(limit) => (limit.max(1), None),
            Budget::CpuTime(limit) => (u64::MAX, Some(limit)),
        };
        let most = most.min(self.countable_sims());
        while sims < most && !self.root_proof().is_solved() {
            if time.is_some_and(|limit| clock.has_passed(limit, sims)) {
                break;
            }
            self.make_room();
            self.simulate(probe);
            sims += 1;
        }
        let (slot, value, proof) = self.final_move();
        SearchResult {
            slot,
            value,
            claim: proof.as_seen_by(self.position.to_move()),
            sims,
            nodes: self.nodes(),
            collections: self.collections - collections,
            cpu: clock.now(),
        }
    }

    /// Plays a move of either side. Keeps its subtree if the parameters say so and the subtree has not had too many
    /// playouts.
    ///
    /// # Panics
    /// When the slot is not open. The search is unchanged then.
    pub fn advance(&mut self, slot: u16) {
        assert!(self.position.open().contains_checked(slot), "slot {slot} is not open");
        let kept = (self.params.keep_tree && self.root.node != NO_NODE)
            .then(|| self.tree.visited(self.root.node).find(|child| child.slot == slot))
            .flatten()
            .filter(|child| child.n <= self.most_playouts / 2);
        let terms: Vec<Terms> = (1..=self.position.open_count()).map(|ply| self.terms(ply, 1)).collect();
        self.position.play_slot(slot);
        self.last = Some(slot);
        let playouts = kept.map_or(0, |child| child.n) + self.virtual_playouts();
        // A solved outcome is either in the kept node, or the next search proves it again and finds the move for it.
        let bound = kept.map_or(ProvenOutcome::Unknown, |child| child.proof.inverted());
        let bound = if bound.is_solved() { ProvenOutcome::Unknown } else { bound };
        self.root = Root { node: NO_NODE, playouts, bound, proven: None };
        if let Some(child) = kept.filter(|child| child.node != NO_NODE) {
            self.root.node = self.tree.keep_below(child.node);
            let node = self.tree.node_mut(self.root.node);
            node.n = playouts;
            node.next = UNDECIDED;
            if (0..=self.position.open_count()).zip(terms).any(|(ply, before)| self.terms(ply, 1) != before) {
                self.tree.forget_choices();
            }
        } else {
            self.tree.clear();
        }
    }

    /// How many more simulations the counters can hold.
    pub(super) fn countable_sims(&self) -> u64 {
        let had =
            if self.root.node == NO_NODE { self.root.playouts } else { self.tree.node(self.root.node).n };
        u64::from(self.most_playouts.saturating_sub(had) / self.params.rollouts.max(1))
    }

    /// Whether the tree can count no more playouts, so that further search changes nothing.
    #[must_use]
    pub fn has_counted_all(&self) -> bool {
        self.countable_sims() == 0
    }

    /// Collects a full tree. The root stays, and the remaining nodes depend on the tree only.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.is_full() {
            self.collect();
        }
    }

    #[cold]
    fn collect(&mut self) {
        self.root.node = self.tree.collect(self.root.node, memory::kept(&self.params));
        self.collections += 1;
    }
}
