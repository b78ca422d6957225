//! The configuration of proof-number searches.

/// The configuration of a proof-number search. It changes the effort, never the value found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProofNumberConfig {
    /// How far a move is examined before it becomes a node.
    pub lookahead: Lookahead,
    /// The numbers of a leaf.
    pub leaf: LeafInitialisation,
    /// The search leaves a subtree that looks 1 + ε times as hard as the next best; 0 or more.
    pub epsilon: f64,
    /// With thresholds the search stays below a node until the node's numbers reach them (as df-pn does, but on a
    /// tree). Without thresholds it returns to the root after every expansion, and ε has no effect. Df-pn ignores
    /// this field: it always uses thresholds.
    pub thresholds: bool,
}

impl Default for ProofNumberConfig {
    fn default() -> Self {
        Self {
            lookahead: Lookahead::Threats,
            leaf: LeafInitialisation::Mobility,
            epsilon: 0.25,
            thresholds: true,
        }
    }
}

/// How far a move is examined before it becomes a node. Each level includes the ones before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookahead {
    /// Whether the move ends the game.
    Move,
    /// Whether a reply wins.
    Reply,
    /// Whether the move makes two threats. After a single threat only the reply that stops it becomes a node.
    Threats,
}

/// Leaf initialisation: the numbers of a node before it has children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafInitialisation {
    /// 1, because one of its moves must succeed, and the number of moves, because all of them must fail.
    Mobility,
    /// The number of moves for both.
    Equal,
    /// For both, the number of stones that the nearer side still needs to win through the cell of the last move, as
    /// the game's policy estimates it. A reply to a threat counts 1. Games whose policy has no estimate use
    /// [`LeafInitialisation::Mobility`].
    Distance,
}
