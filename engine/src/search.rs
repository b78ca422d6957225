//! Monte-Carlo tree search: UCT and RAVE with lookahead at expansion, proof backups and a kept tree.
//!
//! One simulation descends, expands a leaf at its second visit, plays it out at random and carries the result
//! back. On the way back every node of the path takes its RAVE credit and chooses its next child in one pass,
//! so that the next descent only follows pointers.

mod backup;
mod clock;
mod counts;
mod expand;
mod final_move;
mod frozen;
mod inspect;
mod lanes;
mod memory;
mod phases;
mod proof;
mod rave;
mod sampled_terms;
mod select;
#[cfg(test)]
mod tests;
mod tree;
mod widen;

pub use counts::{TooManySims, check_sims, most_sims};
pub use frozen::{FROZEN_FORMAT, NotThisSearch};
pub use inspect::ChildStats;
pub use memory::tree_mib;
pub use phases::{Phase, Probe, Unwatched};
pub use tree::release_spare_memory;

use crate::game::{Game, MAX_SLOTS, Winner};
use crate::params::{Params, RaveCompat};
use crate::policy::Policy;
use crate::rng::Rng;
use crate::selfplay::{Budget, Claim};
use crate::side::Side;
use clock::Clock;
use expand::{Expansion, equivalence};
use proof::Proof;
use rave::Credits;
use sampled_terms::SampledTerms;
use select::Means;
use std::time::Duration;
use tree::{NO_NODE, NodeId, Shape, Tree, UNDECIDED, UNVISITED};

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thought {
    /// The move to play.
    pub slot: u16,
    /// Its mean result for the mover, 0 to 1; exact where proven.
    pub value: f32,
    /// What was proved about the position after it.
    pub claim: Claim,
    /// Simulations made.
    pub sims: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// How often a full tree dropped its light nodes.
    pub collections: u32,
    /// CPU time used.
    pub cpu: Duration,
}

/// A searching player: a position, its tree and its random stream.
pub struct Search<G: Game> {
    params: Params,
    position: G,
    /// The leaf of the current simulation.
    leaf: G,
    /// What rollouts are played on when the leaf is needed again.
    scratch: G,
    tree: Tree,
    /// ln w of dynamic widening, not above 0 when it is off.
    log_widening: f64,
    /// Bytes from which the tree is full.
    full: usize,
    /// How often the tree was full.
    collections: u32,
    /// Playouts that the root may have had.
    most_playouts: u32,
    sampled: SampledTerms,
    root: Root,
    path: Vec<Step>,
    credits: Credits,
    /// Moves of the last playout, for a policy that learns from them.
    line: Vec<(Side, u16)>,
    /// Room for what one choice works out.
    means: Means,
    policy: G::Policy,
    /// The move that led to the root, if known.
    last: Option<u16>,
    rng: Rng,
}

/// The root, which may have been proven without ever having children.
#[derive(Debug, Clone, Copy)]
struct Root {
    node: NodeId,
    /// Playouts before it has a node: those it had as a child, and the gift of [`Search::advance`].
    playouts: u32,
    /// What bounds its outcome before it has a node.
    bound: Proof,
    /// Proof, best slot and depth when it was proven at its expansion.
    proven: Option<(Proof, u16, u16)>,
}

/// One step of a descent: a node, and the child chosen there.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: NodeId,
    child: u16,
    slot: u16,
}

/// How a simulation ended.
#[derive(Debug, Clone, Copy, Default)]
struct Result {
    /// Playouts won by White and Black.
    wins: [u32; 2],
    draws: u32,
}

impl Result {
    fn playouts(self) -> u32 {
        self.wins[0] + self.wins[1] + self.draws
    }
}

impl<G: Game> Search<G> {
    /// A player about to think on `position`, which must not be over and was reached by an unknown move.
    #[must_use]
    pub fn new(position: G, params: &Params, seed: u64) -> Self {
        Self::after(position, None, params, seed)
    }

    /// A player about to think on `position`, reached by the move `last`: knowledge may look at replies to
    /// it.
    ///
    /// # Panics
    /// When the game has no slots or more than [`MAX_SLOTS`], or `last` is a slot that nobody filled.
    #[must_use]
    pub fn after(position: G, last: Option<u16>, params: &Params, seed: u64) -> Self {
        let slots = position.slots();
        assert!((1..=MAX_SLOTS).contains(&slots), "a game has 1 to {MAX_SLOTS} slots, not {slots}");
        assert!(
            last.is_none_or(|last| usize::from(last) < slots && !position.open().contains(last)),
            "the last move has filled no slot"
        );
        let policy = G::Policy::new(params);
        let full = memory::full(params);
        let shape = Shape {
            rave: params.uses_rave(),
            explores: params.exploration > 0.0,
            knows: policy.has_knowledge(),
        };
        let tree = Tree::new(full, slots, shape);
        let mut search = Self {
            leaf: position.clone(),
            scratch: position.clone(),
            tree,
            log_widening: if params.widening > 1.0 { libm::log(params.widening) } else { 0.0 },
            full,
            collections: 0,
            most_playouts: counts::most_playouts(params, slots),
            sampled: SampledTerms::new(params),
            root: Root { node: NO_NODE, playouts: 0, bound: Proof::Unknown, proven: None },
            path: Vec::new(),
            credits: Credits::new(params.rave_compat, slots),
            line: Vec::new(),
            means: Means([0.0; MAX_SLOTS]),
            policy,
            last,
            rng: Rng::new(seed),
            params: params.clone(),
            position,
        };
        search.root.playouts = search.gift();
        search
    }

    /// Wins given to a new root, so that it is expanded at once: the expansion threshold and one.
    fn gift(&self) -> u32 {
        counts::gift(&self.params)
    }

    /// The position the next [`Search::think`] is about.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Thinks within `budget`, at least one simulation unless the position was proven before. It ends early when the tree
    /// counts no more playouts; [`most_sims`] says when that cannot be.
    ///
    /// # Panics
    /// When the game is over: there is no move to find then.
    pub fn think(&mut self, budget: Budget) -> Thought {
        self.think_watched(budget, &mut Unwatched)
    }

    /// Thinks on where [`Search::think`] stopped, as if it had not: what playouts have taught is kept. The
    /// thought is about both, but for its simulations, collections and time, which are those of this call.
    ///
    /// # Panics
    /// When the game is over: there is no move to find then.
    pub fn think_on(&mut self, budget: Budget) -> Thought {
        self.simulate_within(budget, &mut Unwatched)
    }

    /// [`Search::think`], with an onlooker.
    pub fn think_watched(&mut self, budget: Budget, probe: &mut impl Probe<G>) -> Thought {
        self.policy.begin_search();
        self.simulate_within(budget, probe)
    }

    fn simulate_within(&mut self, budget: Budget, probe: &mut impl Probe<G>) -> Thought {
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
        Thought {
            slot,
            value,
            claim: proof.claim(self.position.to_move()),
            sims,
            nodes: self.nodes(),
            collections: self.collections - collections,
            cpu: clock.now(),
        }
    }

    /// Plays a move of either side and keeps its subtree if the parameters say so, unless it has had too many playouts.
    ///
    /// # Panics
    /// When the slot is not open; the search is unchanged then.
    pub fn advance(&mut self, slot: u16) {
        assert!(self.position.open().contains_checked(slot), "slot {slot} is not open");
        let kept = (self.params.keep_tree && self.root.node != NO_NODE)
            .then(|| self.tree.visited(self.root.node).find(|child| child.slot == slot))
            .flatten()
            .filter(|child| child.n <= self.most_playouts / 2);
        self.position.play_slot(slot);
        self.last = Some(slot);
        let playouts = kept.map_or(0, |child| child.n) + self.gift();
        // A solved outcome is known with the tree below it, or found again with the move that leads to it.
        let bound = kept.map_or(Proof::Unknown, |child| child.proof.inverted());
        let bound = if bound.is_solved() { Proof::Unknown } else { bound };
        self.root = Root { node: NO_NODE, playouts, bound, proven: None };
        if let Some(child) = kept.filter(|child| child.node != NO_NODE) {
            self.root.node = self.tree.keep_below(child.node);
            let node = self.tree.node_mut(self.root.node);
            node.n = playouts;
            node.next = UNDECIDED;
        } else {
            self.tree.clear();
        }
    }

    /// What is known about the root, from the view of the side to move.
    fn root_proof(&self) -> Proof {
        match self.root {
            Root { proven: Some((proof, ..)), .. } => proof,
            Root { node: NO_NODE, .. } => Proof::Unknown,
            Root { node, .. } => self.tree.node(node).proof,
        }
    }

    fn simulate(&mut self, probe: &mut impl Probe<G>) {
        probe.enter(Phase::Descent);
        self.leaf.clone_from(&self.position);
        self.path.clear();
        self.sampled.draw(&self.params, &mut self.rng);
        if self.root.node == NO_NODE {
            probe.enter(Phase::Expansion);
            let expansion = self.expand(self.root.playouts, self.root.bound);
            probe.enter(Phase::Descent);
            match expansion {
                Expansion::Node(node) => self.root.node = node,
                Expansion::Proven { proof, slot, depth } => {
                    self.root.proven = Some((proof, slot, depth));
                    return;
                }
            }
        }
        let mut node = self.root.node;
        self.tree.node_mut(node).n += 1;
        let result = loop {
            // First down to where the tree ends, then the moves there: so no wait for a node is behind one for a move.
            let played = self.path.len();
            let step = loop {
                let (step, next_node) = self.descend(node);
                self.path.push(step);
                if next_node == NO_NODE {
                    break step;
                }
                node = next_node;
                self.tree.node_mut(node).n += 1;
            };
            self.leaf.play_slots(self.path[played..].iter().map(|step| step.slot));
            let child = self.tree.child(node, step.child);
            if child.proof.is_solved() {
                // Only a kept tree or a full one has a proven child worth choosing.
                break (self.proven_result(child.proof.inverted()), None);
            }
            if let Some(winner) = self.leaf.winner() {
                break (self.certain_result(winner), None);
            }
            let playouts = child.n + 1;
            if playouts > self.params.expand_visits && !self.is_full() {
                let known = child.proof.inverted();
                probe.enter(Phase::Expansion);
                let expansion = self.expand(playouts, known);
                probe.enter(Phase::Descent);
                match expansion {
                    Expansion::Node(new) => {
                        self.tree.set_node(node, step.child, new);
                        node = new;
                        let proof = self.tree.node(new).proof;
                        if proof != known {
                            self.spread(proof);
                        }
                        continue;
                    }
                    Expansion::Proven { proof, depth, .. } => {
                        break (self.proven_result(proof), Some((proof, depth)));
                    }
                }
            }
            break (self.rollouts(probe), None);
        };
        probe.enter(Phase::BackUp);
        self.back_up(result.0, result.1, probe);
    }

    /// The child to visit next, made a child if it never was visited, and its node if the descent goes on
    /// there.
    #[inline]
    fn descend(&mut self, id: NodeId) -> (Step, NodeId) {
        if self.tree.node(id).next == UNDECIDED || self.sampled.vary {
            if self.sampled.rave {
                let open = self.position.open_count() - self.path.len();
                self.choose_next(id, equivalence(&self.params, open as u32));
            } else {
                self.choose_next_without_rave(id);
            }
        }
        let node = self.tree.node(id);
        let (slot, next, next_node) = (node.next_slot, node.next, node.next_node);
        let child = if next == UNVISITED { self.tree.visit(id, slot) } else { next };
        (Step { node: id, child, slot }, next_node)
    }

    /// Plays the leaf out as often as one simulation asks.
    fn rollouts(&mut self, probe: &mut impl Probe<G>) -> Result {
        let mut result = Result::default();
        let keep_lines = self.params.uses_rave();
        let last_move = self.path.last().map(|step| step.slot).or(self.last);
        for last in (0..self.params.rollouts).rev() {
            probe.enter(Phase::Playout);
            let board = if last > 0 {
                self.scratch.clone_from(&self.leaf);
                &mut self.scratch
            } else {
                &mut self.leaf
            };
            let winner = self.policy.rollout(board, last_move, self.path.len(), &mut self.rng);
            probe.rollout_ended(board, self.path.len());
            probe.enter(Phase::BackUp);
            match winner {
                Some(winner) => {
                    result.wins[winner.index()] += 1;
                    if keep_lines {
                        let tree_line = self.path.iter().map(|step| step.slot);
                        self.credits.add_line(self.position.to_move(), tree_line, Some(board), winner);
                    }
                    if self.policy.learns() {
                        let tree_line = self.path.iter().map(|step| step.slot);
                        let first = self.position.to_move();
                        self.credits.copy_line(first, tree_line, board, &mut self.line);
                        self.policy.learn(&self.line, winner);
                    }
                }
                None => result.draws += 1,
            }
        }
        result
    }

    /// The result of a position proven from the view of the side to move at the leaf.
    fn proven_result(&mut self, proof: Proof) -> Result {
        let mover = self.leaf.to_move();
        self.certain_result(match proof {
            Proof::Win => Some(mover),
            Proof::Loss => Some(mover.other()),
            _ => None,
        })
    }

    /// A result known without a rollout: it counts once however many rollouts a simulation has, and the moves
    /// in the tree are its line.
    fn certain_result(&mut self, winner: Winner) -> Result {
        let mut result = Result::default();
        let Some(side) = winner else {
            result.draws = 1;
            return result;
        };
        result.wins[side.index()] = 1;
        if self.params.uses_rave() {
            let tree_line = self.path.iter().map(|step| step.slot);
            self.credits.add_line(self.position.to_move(), tree_line, None::<&G>, side);
        }
        result
    }
}

/// Whether RAVE lists must be kept as the thesis' program did.
fn overwrites_tree_moves(compat: RaveCompat) -> bool {
    compat == RaveCompat::Thesis2011
}
