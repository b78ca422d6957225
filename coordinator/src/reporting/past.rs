//! An experiment as it stood at the end of one of its revisions.

use super::compare::{Side, SideSeries};
use super::plans::CachedPlan;
use crate::error::CoordinatorError;
use crate::store::{ExperimentRow, PlannedCellRow, StoreError, Tx};
use protocol::compare::ComparedSide;
use protocol::experiment::PlannedCell;
use protocol::ids::CellId;
use stats::PairCounts;
use std::collections::HashMap;

/// The cells of a revision, with the pairs that were complete when the next one began. `case` is the name of the only case
/// wanted.
///
/// # Errors
/// When there is no later revision, or the database fails.
pub(crate) async fn past(
    tx: &mut Tx,
    row: &ExperimentRow,
    (number, case): (u64, Option<String>),
) -> Result<Side, CoordinatorError> {
    let revisions = tx.revisions(row.id).await?;
    let next =
        revisions.iter().find(|revision| Some(revision.number.unsigned_abs()) == number.checked_add(1));
    let plan = tx.revision_plan(row.id, i64::try_from(number).unwrap_or(i64::MAX)).await?;
    let (Some(next), Some(plan)) = (next, plan) else {
        return Err(CoordinatorError::NoMatch(format!(
            "`{}` has no revision {number} that another one followed: it has revisions 1 to {}",
            row.name, row.revision
        )));
    };
    let tune = tx.tune(row.id).await?;
    let cells: Vec<PlannedCellRow> = plan.cells.into_iter().map(planned).collect();
    let ids: Vec<CellId> = cells.iter().map(|cell| cell.cell).collect();
    let stored = tx.counters_of_cells(&ids).await?;
    let counters: Option<Vec<_>> = ids.iter().map(|cell| stored.get(cell).cloned()).collect();
    let counters = counters.ok_or(StoreError::Null("cell"))?;
    let series = CachedPlan::of(cells, None, tune.as_ref()).series(&counters, &[], false)?;
    let mut lines: Vec<SideSeries> = series.iter().map(SideSeries::from).collect();
    let later = pairs_since(tx, row, next.applied_ms).await?;
    for spot in lines.iter_mut().flat_map(|line| &mut line.spots) {
        if let Some(later) = later.get(&spot.cell) {
            spot.pairs = before(&spot.pairs, later);
        }
    }
    let of = ComparedSide {
        experiment: row.id,
        name: row.name.clone(),
        case,
        revision: Some(number),
        until_ms: Some(next.applied_ms),
    };
    Ok(Side { of, lines })
}

fn planned(PlannedCell { case, baseline, spec, weight, pairs, .. }: PlannedCell) -> PlannedCellRow {
    PlannedCellRow {
        cell: spec.id(),
        case_group: case.group,
        case_label: case.label,
        baseline_label: baseline.label,
        pairs: pairs.into(),
        weight,
        is_closed: false,
        spec,
    }
}

/// The pairs that a game completed since a time, in milliseconds since 1970, by cell.
async fn pairs_since(
    tx: &mut Tx,
    row: &ExperimentRow,
    since_ms: i64,
) -> Result<HashMap<CellId, PairCounts>, StoreError> {
    let mut found: HashMap<CellId, PairCounts> = HashMap::new();
    for (cell, [first, second], pairs) in tx.pairs_since(row.id, since_ms).await? {
        let mut counts = [0; 6];
        counts[PairCounts::category(first, second)] = pairs;
        *found.entry(cell).or_default() += counts.into();
    }
    Ok(found)
}

/// Whether a revision changed the number of pairs of a cell that had complete ones by then. Then a person may have seen results
/// before the number was fixed.
pub(crate) async fn was_replanned(tx: &mut Tx, row: &ExperimentRow) -> Result<bool, StoreError> {
    if row.revision < 2 {
        return Ok(false);
    }
    let planned = tx.pairs_planned(row.id).await?;
    for two in planned.windows(2) {
        let [(_, before), (applied_ms, after)] = two else { continue };
        let is_changed = |cell: &CellId| after.get(cell).is_some_and(|pairs| before[cell] != *pairs);
        let changed: Vec<CellId> = before.keys().copied().filter(is_changed).collect();
        if changed.is_empty() {
            continue;
        }
        let counters = tx.counters_of_cells(&changed).await?;
        let later = pairs_since(tx, row, *applied_ms).await?;
        let had_pairs = |cell: &CellId| {
            let all = counters.get(cell).map_or(0, |own| own.complete().pairs());
            all > later.get(cell).map_or(0, PairCounts::pairs)
        };
        if changed.iter().any(had_pairs) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The pairs of all without the later ones.
fn before(all: &PairCounts, later: &PairCounts) -> PairCounts {
    let (mut all, later) = (<[u64; 6]>::from(*all), <[u64; 6]>::from(*later));
    all.iter_mut().zip(later).for_each(|(all, later)| *all = all.saturating_sub(later));
    all.into()
}
