//! Writes the state of a search between two moves and restores it. A restored search finds what it would have
//! found without the interruption.
//!
//! Between moves the state is the random stream, the root, the list of the thesis' RAVE defect and the kept tree as
//! [`Search::advance`] has compacted it. The nodes keep their places, so that a bounded tree is full at the same
//! simulation. All other state belongs to one simulation or one search. Words are written in little-endian order.
//!
//! A checksum protects the bytes against accidents, not against forgery: see [`Search::restore`].

use super::expand::{Look, look_ahead};
use super::game::Game;
use super::proven_outcome::ProvenOutcome;
use super::slots::SlotSet;
use super::snapshot_bytes::{Reader, mismatch, put, put_words};
use super::state::{Root, Search};
use super::tree::{NO_NODE, NodeId};
use std::io::{self, Read, Write};

/// The version of the bytes. It is raised whenever their format changes, because another build could not read them
/// then.
pub const SNAPSHOT_FORMAT: u32 = 5;

impl<G: Game> Search<G> {
    /// Writes all state that outlives a move. Call it before the first search or after [`Search::advance`], not after
    /// [`Search::think`].
    ///
    /// # Errors
    /// When writing fails.
    pub fn snapshot(&self, out: &mut dyn Write) -> io::Result<()> {
        debug_assert!(self.root.proven.is_none(), "between two moves");
        out.write_all(&self.rng.state().to_le_bytes())?;
        put_words(out, self.position.open().words())?;
        put(out, self.root.node)?;
        put(out, self.root.playouts)?;
        put(out, self.root.bound as u32)?;
        self.credits.snapshot(out)?;
        self.tree.snapshot(out)
    }

    /// Restores the state of the search that wrote these bytes, which had the same parameters and position. What follows
    /// them is left unread.
    ///
    /// The bytes are untrusted: a state that is accepted is safe to search on. Every node is one that an expansion would make at
    /// its position. The counts are not checked against the game.
    ///
    /// # Errors
    /// When the bytes are not such a state, or reading fails. The search may have lost its tree then.
    pub fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut input = Reader(input);
        let state = input.u64()?;
        if input.words()? != self.position.open().words() {
            return Err(mismatch());
        }
        let (node, playouts, bound) = (input.u32()?, input.u32()?, input.proof()?);
        // The most playouts that a root has before the first simulation.
        if playouts > self.most_playouts / 2 + self.virtual_playouts() || bound.is_solved() {
            return Err(mismatch());
        }
        let credits = self.credits.restore(&mut input)?;
        // The new tree takes the memory of the old one: with both, a search would hold more than its parameters allow.
        self.root = Root {
            node: NO_NODE,
            playouts: self.virtual_playouts(),
            bound: ProvenOutcome::Unknown,
            proven: None,
        };
        self.tree.restore(&mut input, node)?;
        if !self.is_of_this_game(node) {
            self.tree.clear();
            return Err(mismatch());
        }
        self.rng.set_state(state);
        self.root = Root { node, playouts, bound, proven: None };
        self.credits = credits;
        Ok(())
    }

    /// Whether an expansion would make every node of the sound tree below `root` at its position, with the same moves.
    fn is_of_this_game(&self, root: NodeId) -> bool {
        let mut waiting: Vec<(NodeId, usize, u16)> = Vec::new();
        if root != NO_NODE {
            waiting.push((root, 0, 0));
        }
        // By ply: the positions on the path from the root to the current node.
        let mut positions = vec![self.position.clone()];
        while let Some((id, ply, slot)) = waiting.pop() {
            if ply > 0 {
                if ply == positions.len() {
                    positions.push(self.position.clone());
                }
                let (before, after) = positions.split_at_mut(ply);
                after[0].clone_from(&before[ply - 1]);
                after[0].play_slot(slot);
            }
            let mut moves = self.tree.unvisited(id);
            for child in self.tree.visited(id) {
                moves.insert(child.slot);
                if child.node != NO_NODE {
                    waiting.push((child.node, ply + 1, child.slot));
                }
            }
            if self.expanded_moves(&positions[ply]) != Some(moves) {
                return false;
            }
        }
        true
    }

    /// The moves of the node that an expansion makes at a position; `None` where it makes none. See [`Search::expand`].
    fn expanded_moves(&self, position: &G) -> Option<SlotSet> {
        let open = position.open();
        if position.winner().is_some() || open.is_empty() {
            return None;
        }
        match look_ahead(position, self.params.lookahead, false) {
            Look::Undecided => Some(open),
            Look::Forced(slot) => open.contains_checked(slot).then(|| SlotSet::from_iter([slot])),
            Look::Proven { .. } => None,
        }
    }
}
