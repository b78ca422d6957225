//! Comparison of all plays of one game: the machines with the same moves, and the votes that these count as.

use crate::store::Witness;
use engine::havannah::{BoardSize, Notation};
use engine::search::ProvenOutcome;
use engine::selfplay::{MoveRecord, first_difference};
use protocol::games::PlayRecord;
use protocol::ids::{LeaseId, WorkerId};
use std::collections::HashSet;

/// The result of the comparison.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PlayComparison {
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
pub(super) fn weigh(witnesses: &[&Witness], checked: LeaseId) -> PlayComparison {
    let Some(own) = witnesses.iter().find(|witness| witness.lease == checked) else {
        return PlayComparison::GivenUp("the play is gone");
    };
    if own.record.is_none() {
        return PlayComparison::GivenUp("its moves were deleted");
    }
    let with_moves: Vec<(&Witness, GameMoves)> = witnesses
        .iter()
        .filter_map(|witness| Some((*witness, GameMoves::read(witness.record.as_ref()?)?)))
        .collect();
    let Some((_, own_moves)) = with_moves.iter().find(|(witness, _)| witness.lease == checked) else {
        return PlayComparison::GivenUp("its moves cannot be read");
    };
    let same = |a: &GameMoves, b: &GameMoves| a.difference(b).is_none();
    let right = with_moves.iter().find(|(_, moves)| {
        let (alike, others): (Vec<_>, Vec<_>) = with_moves
            .iter()
            .map(|(witness, other)| (*witness, same(moves, other)))
            .partition(|(_, same)| *same);
        let alike: Vec<&Witness> = alike.into_iter().map(|(witness, _)| witness).collect();
        let machines = alike.iter().map(|witness| machine(witness)).collect::<HashSet<_>>();
        machines.len() >= 2 && others.iter().all(|(other, _)| voices(&alike, other) >= 2)
    });
    let Some((_, right)) = right else {
        let other = with_moves.iter().find(|(witness, _)| witness.worker != own.worker);
        let difference = other.and_then(|(witness, moves)| {
            let difference = own_moves.difference(moves)?;
            Some(format!("{difference}; the first by {}, then by {}", own.worker_name, witness.worker_name))
        });
        return difference.map_or(PlayComparison::Unknown, PlayComparison::Disputed);
    };
    let differs: Vec<_> = with_moves.iter().filter(|(_, moves)| !same(right, moves)).collect();
    let mut wrong: Vec<(WorkerId, String)> = Vec::new();
    for (witness, _) in &differs {
        // A machine may appear twice: under a lease that lapsed, and under a later one.
        if wrong.iter().all(|(worker, _)| *worker != witness.worker) {
            wrong.push((witness.worker, witness.worker_name.clone()));
        }
    }
    PlayComparison::Decided {
        agreed: differs.iter().all(|(witness, _)| witness.lease != checked),
        note: differs.first().and_then(|(_, moves)| moves.difference(right)),
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

/// The votes of the machines `alike` against a machine with other moves: one for each other principal, and one for each machine
/// of its own principal. Imported games have no vote against a machine of this fleet, because the author of a bundle is unknown.
fn voices(alike: &[&Witness], against: &Witness) -> usize {
    let own = |witness: &Witness| witness.principal == against.principal;
    let voters = alike.iter().filter(|witness| !witness.imported || against.imported);
    let voices = voters.map(|witness| (&witness.principal, own(witness).then(|| machine(witness))));
    voices.collect::<HashSet<_>>().len()
}

/// The moves of a play with the numbers of their searches.
pub(crate) struct GameMoves {
    size: BoardSize,
    moves: Vec<MoveRecord>,
}

impl GameMoves {
    /// None for a record that is no list of moves.
    pub(crate) fn read(PlayRecord { record, speed, .. }: &PlayRecord) -> Option<Self> {
        Some(Self { size: speed.size, moves: record.to_moves(speed.size).ok()? })
    }

    /// The first difference of two plays in words; none if they are the same game by [`first_difference`].
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let index = first_difference(&self.moves, &other.moves)?;
        let (one, other) = (self.moves.get(index), other.moves.get(index));
        let [mut first, mut second] = [one, other].map(|played| self.shown(played));
        if first == second {
            [first, second] = [one, other].map(|played| self.with_numbers(played));
        }
        Some(format!("move {} after the opening was {first}, then {second}", index + 1))
    }

    fn shown(&self, played: Option<&MoveRecord>) -> String {
        let Some(played) = played else { return "the end".to_owned() };
        let proof = match played.claim {
            ProvenOutcome::Unknown => String::new(),
            claim => format!(" and the proof {claim}"),
        };
        format!("{} after {} simulations{proof}", Notation::Gui.write(self.size, played.cell), played.sims)
    }

    fn with_numbers(&self, played: Option<&MoveRecord>) -> String {
        let numbers = played.map_or(String::new(), |played| {
            format!(" with value {} and {} nodes", played.value, played.nodes)
        });
        self.shown(played) + &numbers
    }
}
