//! Stored games: one row a play.

use super::{ColumnValue, Definition, Table};
use crate::browse::{CaseResult, FoundGame};

/// The columns of a game.
pub(crate) fn columns() -> Vec<Definition<FoundGame>> {
    use ColumnValue::{Real, Text, Whole};
    vec![
        ("game", Text(|game| Some(game.id.to_string())), "the id of the play"),
        ("lease", Text(|game| Some(game.lease.to_string())), "the id of the lease under which it was played"),
        (
            "cell",
            Text(|game| Some(game.cell.to_string())),
            "the id of its cell, by which these rows are joined with the table of cells",
        ),
        ("pair", Whole(|game| Some(game.pair.into())), "the number of its pair within the cell"),
        (
            "experiment",
            Text(|game| game.experiments.first().map(|experiment| experiment.name.clone())),
            "the first experiment that has the cell",
        ),
        ("case", Text(|game| Some(game.case.clone())), "the case"),
        ("baseline", Text(|game| Some(game.baseline.clone())), "the baseline"),
        ("budget", Text(|game| Some(game.budget.to_string())), "the budget of a move"),
        ("size", Whole(|game| Some(game.size.get().into())), "the board size"),
        ("case_side", Text(|game| Some(game.case_side.to_string())), "the colour of the case"),
        ("score", Real(|game| Some(score(game.result))), "the result for the case: 1, 0.5 or 0"),
        ("kind", Text(|game| game.kind.map(|kind| kind.to_string())), "the winning shape"),
        ("plies", Whole(|game| Some(game.plies.into())), "moves of both players, with those of the opening"),
        ("status", Text(|game| Some(game.status.to_string())), "only `counted` plays count"),
        ("reason", Text(|game| game.reason.clone()), "why the play does not count"),
        ("worker", Text(|game| Some(game.worker.to_string())), "the id of the machine"),
        ("worker_name", Text(|game| Some(game.worker_name.clone())), "the name of the machine"),
        (
            "received_ms",
            Whole(|game| u64::try_from(game.received_ms).ok()),
            "when the coordinator received it, in milliseconds since 1970",
        ),
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
