//! Comparison of all plays of one game: which machines had the same moves, and whose votes these are.

use crate::store::Witness;
use engine::search::ProvenOutcome;
use protocol::games::PlayRecord;
use protocol::ids::{LeaseId, WorkerId};
use protocol::result::MoveColumns;
use std::collections::HashSet;

/// The result of the comparison.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// Only one machine has played the game.
    Unknown,
    /// The play under check has lost its moves.
    GivenUp(&'static str),
    /// All machines have different moves.
    Disputed(String),
    /// Two machines had the same moves.
    Decided {
        /// Whether the play under check had these moves, too.
        agreed: bool,
        /// The machines with other moves.
        wrong: Vec<(WorkerId, String)>,
        /// The first difference of the first of them.
        note: Option<String>,
    },
}

/// Compares the plays of a game, of which the play under `checked` was counted.
pub(super) fn weigh(witnesses: &[&Witness], checked: LeaseId) -> Finding {
    let Some(own) = witnesses.iter().find(|witness| witness.lease == checked) else {
        return Finding::GivenUp("the play is gone");
    };
    if own.record.is_none() {
        return Finding::GivenUp("its moves were deleted");
    }
    let with_moves: Vec<_> =
        witnesses.iter().filter_map(|witness| Some((*witness, witness.record.as_ref()?))).collect();
    let same = |a: &PlayRecord, b: &PlayRecord| difference(a, b).is_none();
    let right = with_moves.iter().find(|(_, record)| {
        let (alike, others): (Vec<_>, Vec<_>) = with_moves
            .iter()
            .map(|(witness, other)| (*witness, same(record, other)))
            .partition(|(_, same)| *same);
        let alike: Vec<&Witness> = alike.into_iter().map(|(witness, _)| witness).collect();
        let machines = alike.iter().map(|witness| machine(witness)).collect::<HashSet<_>>();
        machines.len() >= 2 && others.iter().all(|(other, _)| voices(&alike, other) >= 2)
    });
    let Some((_, right)) = right else {
        let other = with_moves.iter().find(|(witness, _)| witness.worker != own.worker);
        let difference = other.and_then(|(witness, record)| {
            let moves = difference(own.record.as_ref()?, record)?;
            Some(format!("{moves}; the first by {}, then by {}", own.worker_name, witness.worker_name))
        });
        return difference.map_or(Finding::Unknown, Finding::Disputed);
    };
    let differs: Vec<_> = with_moves.iter().filter(|(_, record)| !same(right, record)).collect();
    let mut wrong: Vec<(WorkerId, String)> = Vec::new();
    for (witness, _) in &differs {
        // A machine may appear twice: under a lease that lapsed, and under a later one.
        if wrong.iter().all(|(worker, _)| *worker != witness.worker) {
            wrong.push((witness.worker, witness.worker_name.clone()));
        }
    }
    Finding::Decided {
        agreed: differs.iter().all(|(witness, _)| witness.lease != checked),
        note: differs.first().and_then(|(_, record)| difference(record, right)),
        wrong,
    }
}

/// The identity of a machine in a comparison: all ids of one token are one.
fn machine(witness: &Witness) -> (Option<&str>, Option<WorkerId>) {
    match &witness.token {
        Some(token) => (Some(token), None),
        None => (None, Some(witness.worker)),
    }
}

/// The votes of the machines `alike` against a machine with other moves: one for each other principal, and one for each
/// machine of its own principal.
fn voices(alike: &[&Witness], against: &Witness) -> usize {
    let own = |witness: &Witness| witness.principal == against.principal;
    let voices = alike.iter().map(|witness| (&witness.principal, own(witness).then(|| machine(witness))));
    voices.collect::<HashSet<_>>().len()
}

/// The first difference of two plays: in moves, or in the simulations and proofs behind them.
fn difference(a: &PlayRecord, b: &PlayRecord) -> Option<String> {
    let (a, b) = (&a.record, &b.record);
    let moves = |text: &'_ str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (a_moves, b_moves) = (moves(&a.moves), moves(&b.moves));
    let shown = |moves: &[String], sims: &[u64], claim: &[ProvenOutcome], index: usize| {
        let proof = match claim.get(index) {
            None | Some(ProvenOutcome::Unknown) => String::new(),
            Some(claim) => format!(" and the proof {claim}"),
        };
        match (moves.get(index), sims.get(index)) {
            (Some(cell), Some(sims)) => format!("{cell} after {sims} simulations{proof}"),
            (Some(cell), None) => cell.clone(),
            (None, _) => "the end".to_owned(),
        }
    };
    // A proof may end a move before its budget is used. So the proofs are compared, too.
    let at = |moves: &[String], record: &MoveColumns, index: usize| {
        (moves.get(index).cloned(), record.sims.get(index).copied(), record.claim.get(index).copied())
    };
    let index = (0..a_moves.len().max(b_moves.len()))
        .find(|&index| at(&a_moves, a, index) != at(&b_moves, b, index))?;
    let first = shown(&a_moves, &a.sims, &a.claim, index);
    let second = shown(&b_moves, &b.sims, &b.claim, index);
    Some(format!("move {} after the opening was {first}, then {second}", index + 1))
}
