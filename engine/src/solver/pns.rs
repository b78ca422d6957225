//! Proof-number search by one thread.

use super::arena::ROOT;
use super::config::ProofNumberConfig;
use super::questions::{Answer, solve_by_questions};
use super::tree::{Children, Path, Step, Tree};
use super::{Meter, Solution, Solver, Stop};
use crate::search::Game;
use crate::side::Side;

/// Proof-number search on a tree in bounded memory.
///
/// It descends to the most promising leaf. It stays below a node until the node's numbers reach the thresholds at which
/// another node is more promising. Equal positions give equal searches, node for node.
#[derive(Debug, Clone, Default)]
pub struct ProofNumberSearch {
    config: ProofNumberConfig,
}

impl ProofNumberSearch {
    /// A solver with this configuration.
    #[must_use]
    pub const fn new(config: ProofNumberConfig) -> Self {
        Self { config }
    }
}

impl<G: Game> Solver<G> for ProofNumberSearch {
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution {
        solve_by_questions(position, meter, |attacker, meter| ask(position, self.config, attacker, meter))
    }
}

fn ask<G: Game>(
    root: &G,
    config: ProofNumberConfig,
    attacker: Side,
    meter: &mut Meter<'_, '_>,
) -> Result<Answer, Stop> {
    let mut tree = Tree::new(config, attacker, meter.limits.memory)?;
    let mut children = Children::new(root, config);
    let answer = grow(root, &mut tree, &mut children, meter);
    meter.moves = tree.moves(root.to_move());
    answer
}

/// Grows a tree until it has the answer.
fn grow<G: Game>(
    root: &G,
    tree: &mut Tree,
    children: &mut Children<G>,
    meter: &mut Meter<'_, '_>,
) -> Result<Answer, Stop> {
    let mut path = Path::new(root);
    tree.enter(ROOT);
    loop {
        match tree.descend(&mut path) {
            Step::Solved => return Ok(tree.answer()),
            Step::Expand => {
                meter.check(|| Some(tree.root_numbers(root.to_move())))?;
                let numbers = children.evaluate(path.position(), tree.attacker());
                meter.nodes += children.looked_at;
                meter.depth = meter.depth.max(path.ply());
                tree.attach(&mut path, numbers, &children.nodes)?;
            }
            Step::Busy => unreachable!("one thread never meets another"),
        }
    }
}
