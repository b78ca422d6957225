//! A search written down between two moves, and taken up again: it then finds what it would have found
//! uninterrupted.
//!
//! Between moves that is the random stream and the kept tree, as slid together by [`Search::advance`]: the
//! same nodes in the same places, so that a bounded tree is full at the same simulation. All other state is
//! that of one simulation or one search. Words are written with their lowest byte first.
//!
//! A checksum keeps accidents away from here, not somebody who writes one: see [`Search::thaw`].

use super::game::{Game, WinningMoves};
use super::outcome::Proof;
use super::slots::SlotSet;
use super::state::{Root, Search};
use super::tree::{NO_NODE, NodeId, Tree};
use thiserror::Error;

/// Raised when the bytes of the same search change: another build cannot read them then.
pub const FROZEN_FORMAT: u32 = 4;

/// Bytes that are no search of this position and these parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("what was kept of a player's search is not one of this position and these parameters")]
pub struct NotThisSearch;

/// Reads what was written, word by word.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn u32(&mut self) -> Result<u32, NotThisSearch> {
        let (word, rest) = self.0.split_first_chunk().ok_or(NotThisSearch)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*word))
    }

    pub(super) fn u64(&mut self) -> Result<u64, NotThisSearch> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }

    /// Words after their number.
    pub(super) fn words(&mut self) -> Result<Vec<u32>, NotThisSearch> {
        let count = self.u32()? as usize;
        let (words, rest) =
            count.checked_mul(4).and_then(|bytes| self.0.split_at_checked(bytes)).ok_or(NotThisSearch)?;
        self.0 = rest;
        Ok(words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    pub(super) fn proof(&mut self) -> Result<Proof, NotThisSearch> {
        let number = self.u32()?;
        if Proof::is_number(number) { Ok(Proof::from_bits(number)) } else { Err(NotThisSearch) }
    }
}

/// Writes a word.
pub(super) fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// Writes words after their number.
pub(super) fn put_words(out: &mut Vec<u8>, words: &[u32]) {
    put(out, words.len() as u32);
    words.iter().for_each(|&word| put(out, word));
}

impl<G: Game> Search<G> {
    /// Writes down everything that outlives a move. To be called before the first search or after
    /// [`Search::advance`], not after [`Search::think`].
    #[must_use]
    pub fn freeze(&self) -> Vec<u8> {
        debug_assert!(self.root.proven.is_none(), "between two moves");
        let mut out = Vec::with_capacity(self.tree.bytes() + 64);
        out.extend_from_slice(&self.rng.state().to_le_bytes());
        put_words(&mut out, self.position.open().words());
        put(&mut out, self.root.node);
        put(&mut out, self.root.playouts);
        put(&mut out, self.root.bound as u32);
        self.credits.freeze(&mut out);
        self.tree.freeze(&mut out);
        out
    }

    /// Goes on as the search that wrote these bytes, of the same parameters at the same position, would have.
    ///
    /// Whoever made the bytes: what is accepted can be searched on. Every node is one that an expansion would make at the
    /// position that its moves lead to. What was counted there is believed.
    ///
    /// # Errors
    /// When they cannot be that; the search is then as it was.
    pub fn thaw(&mut self, bytes: &[u8]) -> Result<(), NotThisSearch> {
        let mut input = Reader(bytes);
        let state = input.u64()?;
        if input.words()? != self.position.open().words() {
            return Err(NotThisSearch);
        }
        let (node, playouts, bound) = (input.u32()?, input.u32()?, input.proof()?);
        // What a search has at most before its first simulation.
        if playouts > self.most_playouts / 2 + self.gift() || bound.is_solved() {
            return Err(NotThisSearch);
        }
        let credits = self.credits.thaw(&mut input)?;
        let tree = self.tree.thaw(&mut input, node)?;
        if !input.0.is_empty() || !self.is_of_this_game(&tree, node) {
            return Err(NotThisSearch);
        }
        self.rng.set_state(state);
        self.root = Root { node, playouts, bound, proven: None };
        self.credits = credits;
        self.tree = tree;
        Ok(())
    }

    /// Whether every node of a sound tree is at a position where an expansion makes one, and offers what that would.
    fn is_of_this_game(&self, tree: &Tree, root: NodeId) -> bool {
        let mut waiting: Vec<(NodeId, usize, u16)> = Vec::new();
        if root != NO_NODE {
            waiting.push((root, 0, 0));
        }
        // By plies below the root: the last node there was on the way to the one that is looked at.
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
            let mut moves = tree.unvisited(id);
            for child in tree.visited(id) {
                moves.insert(child.slot);
                if child.node != NO_NODE {
                    waiting.push((child.node, ply + 1, child.slot));
                }
            }
            if self.offered_at(&positions[ply]) != Some(moves) {
                return false;
            }
        }
        true
    }

    /// What a node at a position offers; none where an expansion makes no node of it. See [`Search::expand`].
    fn offered_at(&self, position: &G) -> Option<SlotSet> {
        let (mover, open) = (position.to_move(), position.open());
        if position.winner().is_some() || open.is_empty() {
            return None;
        }
        let looks = self.params.lookahead;
        if looks >= 1 && (position.open_count() == 1 || position.winning_moves(mover) != WinningMoves::None) {
            return None;
        }
        if looks < 2 {
            return Some(open);
        }
        match position.winning_moves(mover.other()) {
            WinningMoves::None => Some(open),
            WinningMoves::One(slot) => open.contains_checked(slot).then(|| SlotSet::from_iter([slot])),
            WinningMoves::Several { .. } => None,
        }
    }
}
