//! The state of a search: its position, its tree, its random stream, and buffers for one simulation.

use super::counts;
use super::game::{Game, ParamsOf, Policy};
use super::memory;
use super::params::SearchParams;
use super::proven_outcome::ProvenOutcome;
use super::rave::Credits;
use super::select::Means;
use super::slots::MAX_SLOTS;
use super::terms::SampledTerms;
use super::tree::{NO_NODE, NodeId, Shape, Tree};
use crate::rng::Rng;
use crate::side::Side;

/// A searching player: a position, its tree and its random stream.
pub struct Search<G: Game> {
    pub(super) params: SearchParams,
    pub(super) position: G,
    /// The leaf of the current simulation.
    pub(super) leaf: G,
    /// The board for rollouts while the leaf is still needed.
    pub(super) scratch: G,
    pub(super) tree: Tree,
    /// ln w of dynamic widening, or 0 without it.
    pub(super) log_widening: f64,
    /// The size in bytes from which on the tree is full.
    pub(super) full: usize,
    /// How often a full tree was collected.
    pub(super) collections: u32,
    /// The most playouts that the root may have had.
    pub(super) most_playouts: u32,
    pub(super) sampled: SampledTerms,
    pub(super) root: Root,
    pub(super) path: Vec<Step>,
    pub(super) credits: Credits,
    /// Moves of the last playout, for a policy that learns from them.
    pub(super) line: Vec<(Side, u16)>,
    /// Buffer for one choice.
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
    /// Its playouts until it has a node: those it had as a child, and its virtual playouts.
    pub(super) playouts: u32,
    /// The bound on its outcome until it has a node.
    pub(super) bound: ProvenOutcome,
    /// The proof, best slot and depth, if its expansion proved it.
    pub(super) proven: Option<(ProvenOutcome, u16, u16)>,
}

/// One step of a descent: a node, and the child chosen there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) node: NodeId,
    pub(super) child: u16,
    pub(super) slot: u16,
}

/// The results of a simulation's playouts.
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
    /// A search of `position`, which must not be over. The move that led to it is unknown.
    #[must_use]
    pub fn new(position: G, params: &ParamsOf<G>, seed: u64) -> Self {
        Self::after(position, None, params, seed)
    }

    /// A search of `position`, to which the move `last` led. Knowledge may depend on this move.
    ///
    /// # Panics
    /// When the game has no slots or more than [`MAX_SLOTS`], or when `last` is not a filled slot.
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
        let shape =
            Shape { rave: params.uses_rave(), explores: params.explores(), knows: policy.has_knowledge() };
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
            root: Root { node: NO_NODE, playouts: 0, bound: ProvenOutcome::Unknown, proven: None },
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
        search.root.playouts = search.virtual_playouts();
        search
    }

    /// The virtual playouts of a new root, see [`counts::virtual_playouts`].
    pub(super) fn virtual_playouts(&self) -> u32 {
        counts::virtual_playouts(&self.params)
    }

    /// The position that the next [`Search::think`] searches.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The proof of the root, from the view of the side to move.
    pub(super) fn root_proof(&self) -> ProvenOutcome {
        match self.root {
            Root { proven: Some((proof, ..)), .. } => proof,
            Root { node: NO_NODE, .. } => ProvenOutcome::Unknown,
            Root { node, .. } => self.tree.node(node).proof,
        }
    }

    /// Whether the tree is full, so that a simulation must not expand leaves.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.tree.bytes() >= self.full
    }
}
