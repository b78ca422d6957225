//! The points that were played.

use protocol::ids::CellId;
use protocol::tune::{PlayedPoint, PlayedPoints};
use std::collections::HashMap;
use std::hash::Hash;
use tuner::{Opponent, Outcome, Trial};

/// The most points in an answer.
const MOST_POINTS: usize = 300;

/// The points with their results. Trials with the same key are of the same point; each has its number and its cell.
pub(crate) fn played<'t, K: Hash + Eq>(
    trials: impl Iterator<Item = (K, u64, Option<CellId>, &'t Trial)>,
) -> PlayedPoints {
    let mut points: Vec<PlayedPoint> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for (key, number, cell, trial) in trials {
        let Some(outcome) = trial.outcome else { continue };
        let place = *places.entry(key).or_insert_with(|| {
            points.push(point(cell, number, trial));
            points.len() - 1
        });
        let all = &mut points[place].outcome;
        all.wins += outcome.wins;
        all.draws += outcome.draws;
        all.losses += outcome.losses;
    }
    let count = points.len();
    let shown = count.min(MOST_POINTS);
    // Evenly spaced, the first and the last among them.
    let at = |i: usize| if shown < 2 { 0 } else { i * (count - 1) / (shown - 1) };
    let rated = |i: usize| {
        let point = points[at(i)].clone();
        PlayedPoint { rate: point.outcome.rate(), ..point }
    };
    PlayedPoints { count: count as u64, points: (0..shown).map(rated).collect() }
}

fn point(cell: Option<CellId>, number: u64, trial: &Trial) -> PlayedPoint {
    let proposal = &trial.proposal;
    PlayedPoint {
        cell,
        number,
        point: proposal.point.clone(),
        opponent: match &proposal.opponent {
            Opponent::Baseline => None,
            Opponent::Point(point) => Some(point.clone()),
        },
        size: proposal.size,
        outcome: Outcome { wins: 0, draws: 0, losses: 0 },
        rate: 0.5,
    }
}
