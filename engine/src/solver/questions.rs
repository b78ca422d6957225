//! The questions that a proof-number search answers.
//!
//! A question has the answer yes or no: does the attacker win? A draw is a no. When the proof of a no contains no draw,
//! the defender wins; such a proof is marked `decisive`. Most positions therefore need one question; the others need a
//! second one with the sides exchanged. Draws are solved exactly this way.

use super::numbers::{Child, Numbers};
use super::{Meter, Solution, Stop};
use crate::search::{Game, ProvenOutcome};
use crate::side::Side;

/// The answer to a question.
pub(super) struct Answer {
    /// The root's numbers, solved.
    pub(super) numbers: Numbers,
    /// A move that reaches the aim. If there is none, the move whose refutation took most work.
    pub(super) best: Option<u16>,
}

impl Answer {
    /// The answer from the root's numbers and children.
    pub(super) fn new(numbers: Numbers, mut children: impl Iterator<Item = Child>) -> Self {
        let best = if numbers.phi == 0 {
            children.find(|child| child.numbers.delta == 0)
        } else {
            children.reduce(|most, child| if child.work > most.work { child } else { most })
        };
        Self { numbers, best: best.map(|child| child.slot) }
    }
}

/// Finds the outcome of a position with at most two questions. `ask` answers whether the given side wins, and puts what
/// it learns of the moves into the meter.
pub(super) fn solve_by_questions<G: Game>(
    root: &G,
    meter: &mut Meter<'_, '_>,
    ask: impl FnMut(Side, &mut Meter<'_, '_>) -> Result<Answer, Stop>,
) -> Solution {
    let solution = ask_both(root, meter, ask);
    for findings in &mut meter.moves {
        findings.proven = findings.proven.of_move_at(meter.proven);
    }
    solution
}

fn ask_both<G: Game>(
    root: &G,
    meter: &mut Meter<'_, '_>,
    mut ask: impl FnMut(Side, &mut Meter<'_, '_>) -> Result<Answer, Stop>,
) -> Solution {
    let mover = root.to_move();
    let mut best = root.open().first();
    if meter.proven != ProvenOutcome::AtMostDraw {
        match ask(mover, meter) {
            Err(stop) => return meter.solution(None, Some(stop)),
            Ok(answer) if answer.numbers.phi == 0 => return meter.solved(ProvenOutcome::Win, answer.best),
            Ok(answer) if answer.numbers.decisive => return meter.solved(ProvenOutcome::Loss, answer.best),
            Ok(_) => meter.proven = meter.proven.and(ProvenOutcome::AtMostDraw),
        }
    }
    if meter.proven == ProvenOutcome::AtMostDraw {
        match ask(mover.other(), meter) {
            Err(stop) => return meter.solution(None, Some(stop)),
            Ok(answer) if answer.numbers.delta == 0 => return meter.solved(ProvenOutcome::Loss, answer.best),
            Ok(answer) => best = answer.best,
        }
    }
    // Neither side wins. If the second question was not needed, the other side cannot win and every move draws.
    meter.solved(ProvenOutcome::Draw, best)
}
