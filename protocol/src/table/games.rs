//! Stored games: one row a play.

use super::{Definition, Of, Table};
use crate::browse::{CaseResult, FoundGame};

/// The columns of a game.
fn columns() -> Vec<Definition<FoundGame>> {
    use Of::{Real, Text, Whole};
    vec![
        ("game", Text(|game| Some(game.id.to_string()))),
        ("lease", Text(|game| Some(game.lease.to_string()))),
        ("cell", Text(|game| Some(game.cell.to_string()))),
        ("pair", Whole(|game| Some(game.pair.into()))),
        ("experiment", Text(|game| game.experiments.first().map(|experiment| experiment.name.clone()))),
        ("case", Text(|game| Some(game.case.clone()))),
        ("baseline", Text(|game| Some(game.baseline.clone()))),
        ("budget", Text(|game| Some(game.budget.to_string()))),
        ("size", Whole(|game| Some(game.size.get().into()))),
        ("case_side", Text(|game| Some(game.case_side.to_string()))),
        ("score", Real(|game| Some(score(game.result)))),
        ("kind", Text(|game| game.kind.map(|kind| kind.to_string()))),
        ("plies", Whole(|game| Some(game.plies.into()))),
        ("status", Text(|game| Some(game.status.to_string()))),
        ("reason", Text(|game| game.reason.clone())),
        ("worker", Text(|game| Some(game.worker.to_string()))),
        ("worker_name", Text(|game| Some(game.worker_name.clone()))),
        ("received_ms", Whole(|game| u64::try_from(game.received_ms).ok())),
    ]
}

/// The result for the case: 1 for a win, 0.5 for a draw, 0 for a loss.
fn score(result: CaseResult) -> f64 {
    match result {
        CaseResult::Win => 1.0,
        CaseResult::Draw => 0.5,
        CaseResult::Loss => 0.0,
    }
}

/// These plays in their order.
#[must_use]
pub fn games(found: &[FoundGame]) -> Table {
    Table::of(&columns(), found)
}
