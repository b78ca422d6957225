//! The search tree as a game file: one variation per move, as castro writes it.

use super::arguments::{FileName, digits, whole};
use super::refusal::Reply;
use super::session::Session;
use super::text::decimals;
use crate::havannah::{Board, Cell};
use crate::search::{ChildStats, Search};
use crate::sgf::{Line, Move, Node, Property};
use crate::side::Side;

/// The default minimum of playouts for a move to be written.
const FEWEST_PLAYOUTS: u32 = 10;

impl Session {
    pub(super) fn savetree(&mut self, text: &str) -> Reply {
        let mut name = FileName::begin(text)?;
        let fewest = name.option_or_all(digits);
        let fewest = match fewest {
            Some(text) => whole("number of playouts", text, 0..=u32::MAX)?,
            None => FEWEST_PLAYOUTS,
        };
        let name = name.end()?;
        let mut file = self.game_file();
        if let Some(search) = &self.search {
            file.line.variations = self.variations(search, &mut Vec::new(), fewest);
        }
        self.put(name, file.write(self.dialect()))
    }

    /// The moves after `path` with at least `fewest` playouts, most playouts first, each with its own variations.
    fn variations(&self, search: &Search<Board>, path: &mut Vec<u16>, fewest: u32) -> Vec<Line> {
        let side = Side::to_move_after(self.play.turns().len() + path.len());
        let children = search.children(path).into_iter().filter(|child| child.playouts >= fewest);
        let line = |child: ChildStats| {
            path.push(child.slot);
            let variations = self.variations(search, path, fewest);
            path.pop();
            let (mean, outcome) = (decimals(child.value), self.outcome_word(child.claim));
            let comment = format!("mcts, sims:{}, avg:{mean}, outcome:{outcome}", child.playouts);
            let remark = Property::new("C", comment).expect("upper case");
            let node = Node { turn: Some((side, Move::Stone(Cell(child.slot)))), remarks: vec![remark] };
            Line { nodes: vec![node], variations }
        };
        children.map(line).collect()
    }
}
