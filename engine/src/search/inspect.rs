//! Reads results from the tree without searching further.

use super::game::Game;
use super::proven_outcome::ProvenOutcome;
use super::state::Search;
use super::tree::{Child, NO_NODE, NodeId};

/// The statistics of a move in the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChildStats {
    /// The move.
    pub slot: u16,
    /// Playouts through it.
    pub playouts: u32,
    /// Their mean result for the mover, 0 to 1; exact where proven.
    pub value: f32,
    /// What is proved about the position after it, from White's view.
    pub claim: ProvenOutcome,
}

impl<G: Game> Search<G> {
    /// Nodes in the tree.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.tree.len() as u64
    }

    /// Bytes of the tree that count against `memory_mib`.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() as u64
    }

    /// What is proved about the position, from White's view.
    #[must_use]
    pub fn claim(&self) -> ProvenOutcome {
        self.root_proof().as_seen_by(self.position.to_move())
    }

    /// The visited moves of the position after `path`, most playouts first. Empty if the tree does not have the
    /// position.
    #[must_use]
    pub fn children(&self, path: &[u16]) -> Vec<ChildStats> {
        let mut node = self.root.node;
        for &slot in path {
            if node == NO_NODE {
                break;
            }
            let child = self.tree.visited(node).find(|child| child.slot == slot);
            node = child.map_or(NO_NODE, |child| child.node);
        }
        if node == NO_NODE {
            return Vec::new();
        }
        let first = self.position.to_move();
        let mover = if path.len().is_multiple_of(2) { first } else { first.other() };
        let stats = |child: Child| ChildStats {
            slot: child.slot,
            playouts: child.n,
            value: if child.proof.is_solved() {
                child.proof.mean()
            } else {
                child.half_points as f32 / (2 * child.n.max(1)) as f32
            },
            claim: child.proof.as_seen_by(mover),
        };
        let mut children: Vec<ChildStats> = self.tree.visited(node).map(stats).collect();
        children.sort_by_key(|child| (std::cmp::Reverse(child.playouts), child.slot));
        children
    }

    /// The principal variation: from the position on, the best visited move of each node.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<u16> {
        if let Some((_, slot, _)) = self.root.proven {
            return vec![slot];
        }
        let mut node = self.root.node;
        let mut line = Vec::new();
        while let Some(child) = self.best_visited(node) {
            line.push(child.slot);
            node = child.node;
        }
        line
    }

    fn best_visited(&self, node: NodeId) -> Option<Child> {
        if node == NO_NODE {
            return None;
        }
        self.best_of(node, self.tree.visited(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::{Board, BoardSize, Cell, Params};
    use crate::search::Budget;

    fn searched(size: u8, moves: &[u16], preset: &str, sims: u64) -> Search<Board> {
        let moves: Vec<Cell> = moves.iter().map(|&slot| Cell(slot)).collect();
        let board = Board::after(BoardSize::new(size).expect("size"), &moves).expect("legal");
        let mut search = Search::new(board, &Params::preset(preset).expect("preset"), 1);
        search.think(Budget::Sims(sims));
        search
    }

    #[test]
    fn playouts_of_the_roots_children_add_up_to_the_simulations() {
        for preset in ["uct", "rave"] {
            let children = searched(6, &[], preset, 500).children(&[]);
            assert_eq!(children.iter().map(|child| child.playouts).sum::<u32>(), 500, "{preset}");
            assert!(children.is_sorted_by_key(|child| std::cmp::Reverse(child.playouts)), "{preset}");
            assert!(children.iter().all(|child| child.claim == ProvenOutcome::Unknown), "{preset}");
        }
    }

    #[test]
    fn the_expected_line_begins_with_the_move_to_play_and_is_legal() {
        let mut search = searched(5, &[], "rave", 2000);
        let line = search.principal_variation();
        let thought = search.think(Budget::Sims(1));
        let children = search.children(&[]);
        assert_eq!(line.first(), Some(&children[0].slot));
        assert_eq!(thought.slot, children[0].slot);
        let mut board = search.position().clone();
        for &slot in &line {
            board.play(Cell(slot)).expect("legal");
        }
        // Every move of the line is a visited move after the moves before it.
        for ply in 0..line.len() {
            assert!(search.children(&line[..ply]).iter().any(|child| child.slot == line[ply]), "ply {ply}");
        }
    }

    #[test]
    fn a_position_proved_at_once_has_a_line_and_no_children() {
        // On size 3, a1 and a2 of White threaten a3.
        let search = searched(3, &[0, 18, 1, 9], "rave", 10);
        assert_eq!(search.principal_variation(), [2]);
        assert_eq!((search.children(&[]), search.nodes()), (Vec::new(), 0));
    }

    #[test]
    fn places_the_tree_does_not_reach_have_no_children() {
        let search = searched(4, &[], "uct", 50);
        assert!(search.children(&[0, 1, 2, 3]).is_empty());
        assert!(search.children(&[999]).is_empty());
        let board = Board::new(BoardSize::MIN);
        let fresh = Search::new(board, &Params::default(), 1);
        assert!(fresh.children(&[]).is_empty() && fresh.principal_variation().is_empty());
    }
}
