//! What a search keeps: its position, its tree, its random stream, and room for one simulation.

use super::counts;
use super::game::{Game, ParamsOf, Policy};
use super::memory;
use super::outcome::Proof;
use super::params::SearchParams;
use super::rave::Credits;
use super::sampled_terms::SampledTerms;
use super::select::Means;
use super::slots::MAX_SLOTS;
use super::tree::{NO_NODE, NodeId, Shape, Tree};
use crate::rng::Rng;
use crate::side::Side;

/// A searching player: a position, its tree and its random stream.
pub struct Search<G: Game> {
    pub(super) params: SearchParams,
    pub(super) position: G,
    /// The leaf of the current simulation.
    pub(super) leaf: G,
    /// What rollouts are played on when the leaf is needed again.
    pub(super) scratch: G,
    pub(super) tree: Tree,
    /// ln w of dynamic widening, not above 0 when it is off.
    pub(super) log_widening: f64,
    /// Bytes from which the tree is full.
    pub(super) full: usize,
    /// How often the tree was full.
    pub(super) collections: u32,
    /// Playouts that the root may have had.
    pub(super) most_playouts: u32,
    pub(super) sampled: SampledTerms,
    pub(super) root: Root,
    pub(super) path: Vec<Step>,
    pub(super) credits: Credits,
    /// Moves of the last playout, for a policy that learns from them.
    pub(super) line: Vec<(Side, u16)>,
    /// Room for what one choice works out.
    pub(super) means: Means,
    pub(super) policy: G::Policy,
    /// The move that led to the root, if known.
    pub(super) last: Option<u16>,
    pub(super) rng: Rng,
}

/// The root, which may have been proven without ever having children.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub(super) node: NodeId,
    /// Playouts before it has a node: those it had as a child, and the gift of [`Search::advance`].
    pub(super) playouts: u32,
    /// What bounds its outcome before it has a node.
    pub(super) bound: Proof,
    /// Proof, best slot and depth when it was proven at its expansion.
    pub(super) proven: Option<(Proof, u16, u16)>,
}

/// One step of a descent: a node, and the child chosen there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) node: NodeId,
    pub(super) child: u16,
    pub(super) slot: u16,
}

/// How a simulation ended.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SimulationResult {
    /// Playouts won by White and Black.
    pub(super) wins: [u32; 2],
    pub(super) draws: u32,
}

impl SimulationResult {
    pub(super) fn playouts(self) -> u32 {
        self.wins[0] + self.wins[1] + self.draws
    }
}

impl<G: Game> Search<G> {
    /// A player about to think on `position`, which must not be over and was reached by an unknown move.
    #[must_use]
    pub fn new(position: G, params: &ParamsOf<G>, seed: u64) -> Self {
        Self::after(position, None, params, seed)
    }

    /// A player about to think on `position`, reached by the move `last`: knowledge may look at replies to
    /// it.
    ///
    /// # Panics
    /// When the game has no slots or more than [`MAX_SLOTS`], or `last` is a slot that nobody filled.
    #[must_use]
    pub fn after(position: G, last: Option<u16>, params: &ParamsOf<G>, seed: u64) -> Self {
        let slots = position.slots();
        assert!((1..=MAX_SLOTS).contains(&slots), "a game has 1 to {MAX_SLOTS} slots, not {slots}");
        assert!(
            last.is_none_or(|last| usize::from(last) < slots && !position.open().contains(last)),
            "the last move has filled no slot"
        );
        let policy = G::Policy::new(params);
        let params = params.as_ref();
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
            credits: Credits::new(params, slots),
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
    pub(super) fn gift(&self) -> u32 {
        counts::gift(&self.params)
    }

    /// The position the next [`Search::think`] is about.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.position
    }

    /// What is known about the root, from the view of the side to move.
    pub(super) fn root_proof(&self) -> Proof {
        match self.root {
            Root { proven: Some((proof, ..)), .. } => proof,
            Root { node: NO_NODE, .. } => Proof::Unknown,
            Root { node, .. } => self.tree.node(node).proof,
        }
    }

    /// Whether a simulation must not expand any more leaves.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.tree.bytes() >= self.full
    }
}
