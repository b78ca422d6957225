//! Df-pn: depth-first proof-number search with a transposition table instead of a tree.

mod copying;
mod state;

use super::config::ProofNumberConfig;
use super::numbers::{Child, Numbers};
use super::questions::{Answer, solve_by_questions};
use super::table::Table;
use super::{Meter, MoveFindings, Solution, Solver, Stop};
use crate::search::Game;
use copying::copy_proof;
use state::{DfPnSearch, Known, Step};

/// Df-pn with a transposition table of bounded size. It searches a position that several orders of moves reach only
/// once. Memory never runs out: the table replaces entries.
#[derive(Debug, Clone, Default)]
pub struct DfPn {
    config: ProofNumberConfig,
    copies: u16,
}

impl DfPn {
    /// The recommended number of copies.
    pub const COPIES: u16 = 10;

    /// A solver with this configuration. After it refutes a move, it tries the same refutation on up to `copies` unsolved
    /// siblings and stops at the first that it does not refute. 0 switches this off.
    #[must_use]
    pub const fn new(config: ProofNumberConfig, copies: u16) -> Self {
        Self { config, copies }
    }
}

impl<G: Game> Solver<G> for DfPn {
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution {
        let mut table = Table::new(meter.limits.memory);
        solve_by_questions(position, meter, |attacker, meter| {
            // The winner of a position does not depend on the question. The other entries are not valid for a new question. The
            // work of both questions is added up.
            table.retain(|known: Known| known.numbers().decisive);
            let mut search = DfPnSearch::new(position, self.config, attacker, self.copies, &mut table, meter);
            let answer = search.run();
            search.meter.moves = search.moves();
            answer
        })
    }
}

impl<G: Game> DfPnSearch<'_, '_, '_, G> {
    fn run(&mut self) -> Result<Answer, Stop> {
        self.expand(0);
        let mut ply = 0;
        loop {
            let step = &self.steps[ply];
            let numbers = step.numbers();
            if step.thresholds.reached_by(numbers) {
                if ply == 0 {
                    return Ok(self.answer(numbers));
                }
                self.close(ply, numbers);
                ply -= 1;
                continue;
            }
            self.check()?;
            let step = &self.steps[ply];
            let (best, second) = step.best();
            let child = step.children[best];
            let mover = step.position.to_move();
            let thresholds = step.thresholds.of_child(numbers, child.numbers, second, self.config.epsilon);
            // Another path may have searched the child since the expansion.
            let key = self.keys.key_after(&step.images, mover, child.slot);
            if let Some((known, work)) = self.table.get(key)
                && thresholds.reached_by(known.numbers())
            {
                let child = &mut self.steps[ply].children[best];
                (child.numbers, child.work) = (known.numbers(), work);
                continue;
            }
            let (before, after) = self.steps.split_at_mut(ply + 1);
            let (step, next) = (&mut before[ply], &mut after[0]);
            step.chosen = best;
            next.position.clone_from(&step.position);
            next.position.play_slot(child.slot);
            next.images = self.keys.after(&step.images, mover, child.slot);
            next.thresholds = thresholds;
            ply += 1;
            self.meter.depth = self.meter.depth.max(ply as u16);
            self.expand(ply);
        }
    }

    /// Looks up or evaluates the children of the undecided position at `ply`.
    fn expand(&mut self, ply: usize) {
        let (before, after) = self.steps.split_at_mut(ply + 1);
        let Step { position, images, known, children, work, .. } = &mut before[ply];
        let mover = position.to_move();
        let moves = self.config.lookahead.moves(position);
        // All lookups wait for the memory at the same time.
        self.keys_after.clear();
        self.keys_after.extend(moves.iter().map(|slot| self.keys.key_after(images, mover, slot)));
        self.keys_after.iter().for_each(|key| self.table.prefetch(*key));
        self.remembered.clear();
        self.remembered.extend(moves.iter().zip(&self.keys_after).map(|(slot, key)| {
            let (known, work) = self.table.get(*key)?;
            Some(Child { slot, numbers: known.numbers(), work })
        }));
        children.clear();
        let add = |child| children.push(child);
        // The position of the next ply is free to be a buffer.
        let buffer = &mut after[0].position;
        let expansion =
            self.config.expand(position, moves, self.attacker, buffer, |at| self.remembered[at], add);
        self.meter.nodes += expansion.looked_at;
        (*known, *work) = (expansion.known, 1);
    }

    /// Stores the position at `ply` in the table and updates its parent.
    fn close(&mut self, ply: usize, numbers: Numbers) {
        let (before, after) = self.steps.split_at_mut(ply);
        let (parent, step) = (&mut before[ply - 1], &after[0]);
        let best =
            step.children.get(step.best().0).map(|child| self.keys.stored_slot(&step.images, child.slot));
        let child = &mut parent.children[parent.chosen];
        child.numbers = numbers;
        child.work = child.work.saturating_add(step.work);
        parent.work = parent.work.saturating_add(step.work);
        self.table.put(self.keys.key(&step.images), Known::new(numbers, best), child.work);
        if self.copies > 0 && numbers.phi == 0 {
            copy_proof(self, ply - 1);
        }
    }

    /// What is known of the root's moves.
    fn moves(&self) -> Vec<MoveFindings> {
        let root = &self.steps[0];
        let replier = root.position.to_move().other();
        root.children.iter().map(|child| child.findings(replier, self.attacker)).collect()
    }

    fn answer(&self, numbers: Numbers) -> Answer {
        Answer::new(numbers, self.steps[0].children.iter().copied())
    }
}
