//! Proof-number search with a transposition table instead of a tree.

use super::copying::copy_proof;
use super::key::{Key, Keys};
use super::plan::Plan;
use super::proof::{Answer, Numbers, Thresholds, solve_by_questions};
use super::table::Table;
use super::{Limits, Meter, MoveFindings, Solution, Solver, Stop, Watch};
use crate::game::Game;
use crate::side::Side;

/// Proof-number search with a transposition table of fixed size: positions reached by several orders of moves are
/// searched once, and memory never runs out, it only forgets.
#[derive(Debug, Clone, Default)]
pub struct TabledProofNumbers {
    plan: Plan,
    copies: u16,
}

impl TabledProofNumbers {
    /// A good number of copies.
    pub const COPIES: u16 = 10;

    /// A solver that, whenever a move has been refuted, tries the same refutation on up to `copies` unsolved siblings,
    /// until one withstands it. 0 turns that off.
    #[must_use]
    pub const fn new(plan: Plan, copies: u16) -> Self {
        Self { plan, copies }
    }
}

impl<G: Game> Solver<G> for TabledProofNumbers {
    fn solve_with_moves(
        &mut self,
        position: &G,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> (Solution, Vec<MoveFindings>) {
        let mut meter = Meter::new(limits, watch);
        solve_by_questions(position, &mut meter, |attacker, meter| {
            let mut search = Search::new(position, self.plan, attacker, self.copies, meter);
            let answer = search.run();
            search.meter.moves = search.moves();
            answer
        })
    }
}

/// What the table remembers of an expanded position, in twelve bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    phi: u32,
    delta: u32,
    /// One more than the slot of the move with the best numbers; 0 when the numbers came without moves.
    best: u16,
    decisive: bool,
}

impl Known {
    pub(super) fn new(numbers: Numbers, best: Option<u16>) -> Self {
        let Numbers { phi, delta, decisive } = numbers;
        Self { phi, delta, best: best.map_or(0, |slot| slot + 1), decisive }
    }

    pub(super) fn numbers(self) -> Numbers {
        Numbers { phi: self.phi, delta: self.delta, decisive: self.decisive }
    }

    /// The move with the best numbers, unless the numbers came without moves.
    pub(super) fn best(self) -> Option<u16> {
        self.best.checked_sub(1)
    }
}

/// A child of a position on the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) slot: u16,
    pub(super) numbers: Numbers,
    pub(super) work: u32,
}

/// A position on the path.
pub(super) struct Step<G> {
    pub(super) position: G,
    pub(super) key: Key,
    thresholds: Thresholds,
    /// Known numbers, in place of the children's.
    known: Option<Numbers>,
    pub(super) children: Vec<Child>,
    /// The child being searched.
    pub(super) chosen: usize,
    /// Expansions below.
    work: u32,
}

impl<G> Step<G> {
    fn numbers(&self) -> Numbers {
        self.known.unwrap_or_else(|| Numbers::of_children(self.children.iter().map(|child| child.numbers)))
    }

    /// The child easiest to prove lost for its mover, and how hard the next one is.
    fn best(&self) -> (usize, u32) {
        let (mut best, mut least, mut second) = (0, u32::MAX, u32::MAX);
        for (at, child) in self.children.iter().enumerate() {
            if child.numbers.delta < least {
                (best, least, second) = (at, child.numbers.delta, least);
            } else {
                second = second.min(child.numbers.delta);
            }
        }
        (best, second)
    }
}

/// A search for one question.
pub(super) struct Search<'m, 'a, 'b, G> {
    pub(super) meter: &'m mut Meter<'a, 'b>,
    pub(super) keys: Keys,
    pub(super) table: Table<Known>,
    pub(super) plan: Plan,
    pub(super) attacker: Side,
    pub(super) copies: u16,
    /// The path, and behind it buffers of earlier, longer ones.
    pub(super) steps: Vec<Step<G>>,
}

impl<'m, 'a, 'b, G: Game> Search<'m, 'a, 'b, G> {
    fn new(root: &G, plan: Plan, attacker: Side, copies: u16, meter: &'m mut Meter<'a, 'b>) -> Self {
        let step = |_| Step {
            position: root.clone(),
            key: 0,
            thresholds: Thresholds::ROOT,
            known: None,
            children: Vec::new(),
            chosen: 0,
            work: 0,
        };
        let table = Table::new(meter.limits.memory);
        let steps = (0..=root.open_count()).map(step).collect();
        Self { keys: Keys::of(root), table, plan, attacker, copies, steps, meter }
    }

    fn run(&mut self) -> Result<Answer, Stop> {
        let mover = self.steps[0].position.to_move();
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
            self.meter.check(|| {
                let Numbers { phi, delta, .. } = self.steps[0].numbers();
                Some(if mover == self.attacker { (phi, delta) } else { (delta, phi) })
            })?;
            let (best, second) = step.best();
            let child = step.children[best];
            let key = self.keys.after(step.key, step.position.to_move(), child.slot);
            let thresholds = step.thresholds.of_child(numbers, child.numbers, second, self.plan.epsilon);
            // Another path may have come here since.
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
            (next.key, next.thresholds) = (key, thresholds);
            ply += 1;
            self.meter.depth = self.meter.depth.max(ply as u16);
            self.expand(ply);
        }
    }

    /// Looks up or evaluates the children of the undecided position at `ply`.
    fn expand(&mut self, ply: usize) {
        let (before, after) = self.steps.split_at_mut(ply + 1);
        let step = &mut before[ply];
        (step.known, step.work) = (None, 1);
        step.children.clear();
        self.meter.nodes += 1;
        let mover = step.position.to_move();
        if !step.position.could_win(self.attacker) {
            step.known = Some(Numbers::without_hope(mover, self.attacker));
            return;
        }
        let efforts = self.plan.efforts(&step.position);
        for slot in self.plan.lookahead.moves(&step.position).iter() {
            let key = self.keys.after(step.key, mover, slot);
            let child = match self.table.get(key) {
                Some((known, work)) => Child { slot, numbers: known.numbers(), work },
                None => {
                    // The buffer of the next ply is free.
                    let child = &mut after[0].position;
                    child.clone_from(&step.position);
                    child.play_slot(slot);
                    let (numbers, tested) = self.plan.numbers(child, self.attacker, &efforts, slot);
                    self.meter.nodes += tested;
                    Child { slot, numbers, work: 0 }
                }
            };
            step.children.push(child);
            if child.numbers.delta == 0 {
                break;
            }
        }
    }

    /// Remembers the position at `ply` and tells its parent.
    fn close(&mut self, ply: usize, numbers: Numbers) {
        let (before, after) = self.steps.split_at_mut(ply);
        let (parent, step) = (&mut before[ply - 1], &after[0]);
        let best = step.children.get(step.best().0).map(|child| child.slot);
        let child = &mut parent.children[parent.chosen];
        child.numbers = numbers;
        child.work = child.work.saturating_add(step.work);
        parent.work = parent.work.saturating_add(step.work);
        self.table.put(step.key, Known::new(numbers, best), child.work);
        if self.copies > 0 && numbers.phi == 0 {
            copy_proof(self, ply - 1);
        }
    }

    /// What is known of the root's moves.
    fn moves(&self) -> Vec<MoveFindings> {
        let root = &self.steps[0];
        let replier = root.position.to_move().other();
        let findings = |child: &Child| child.numbers.findings(child.slot, child.work, replier, self.attacker);
        root.children.iter().map(findings).collect()
    }

    fn answer(&self, numbers: Numbers) -> Answer {
        let children = &self.steps[0].children;
        let best = if numbers.phi == 0 {
            children.iter().find(|child| child.numbers.delta == 0)
        } else {
            children.iter().reduce(|most, child| if child.work > most.work { child } else { most })
        };
        Answer { numbers, best: best.map(|child| child.slot) }
    }
}
