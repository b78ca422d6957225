//! The full report of one experiment.

use super::confidence::CONFIDENCE;
use super::confirmations::{confirming, note_confirmations};
use super::history::{LATEST, latest};
use super::overview::{Rates, summary};
use super::plans::PlanCache;
use super::shares::Shares;
use super::stall::FleetState;
use super::warnings::warnings;
use crate::store::{ExperimentRow, PairState, PlannedCellRow, StoreError, Tx};
use protocol::ids::ExperimentId;
use protocol::report::{AsidePair, ExperimentReport};

/// The largest number of suspended pairs that a report lists.
const MOST_ASIDE: i64 = 100;

/// Builds the full report of one experiment.
pub(crate) async fn experiment(
    tx: &mut Tx,
    plans: &PlanCache,
    row: ExperimentRow,
    standing: &FleetState,
) -> Result<ExperimentReport, StoreError> {
    let plan = plans.get(tx, &row).await?;
    let counters = tx.counters_of(row.id).await?;
    let rules = tx.stopping_rules(row.id).await?;
    let rates = Rates::read(tx, standing).await?;
    let shares = Shares::read(tx, &standing.filter).await?;
    let stalled = standing.of_experiment(tx, &row).await?;
    let aside = if row.pairs_aside > 0 { aside(tx, row.id, &plan.cells).await? } else { Vec::new() };
    let mut warnings = warnings(tx, &row).await?;
    warnings.extend(plan.remarks.iter().cloned());
    let timeline = latest(tx, row.id, LATEST).await?;
    let mut series = plan.series(&counters, &rules, row.stopped_ms.is_some())?;
    note_confirmations(tx, plans, row.id, &mut series).await?;
    let confirms = confirming(tx).await?.remove(&row.id);
    Ok(ExperimentReport {
        summary: summary(row, (&rates, &shares), confirms, stalled),
        sizes: plan.sizes.clone(),
        series,
        earlier: plan.earlier(&counters)?,
        confidence: CONFIDENCE,
        interval_method: stats::INTERVAL_METHOD.to_owned(),
        sequence_method: stats::SEQUENCE_METHOD.to_owned(),
        guarantee: stats::guarantee(CONFIDENCE),
        aside,
        warnings,
        timeline,
        edition: None,
        since: None,
    })
}

/// The suspended pairs in these cells of an experiment, the latest first.
async fn aside(
    tx: &mut Tx,
    experiment: ExperimentId,
    cells: &[PlannedCellRow],
) -> Result<Vec<AsidePair>, StoreError> {
    let rows = tx.suspended_pairs(experiment, MOST_ASIDE).await?;
    let aside = rows.into_iter().filter_map(|row| {
        let cell = cells.iter().find(|cell| cell.cell == row.pair.cell)?;
        let PairState::Suspended(since_ms) = row.pair.state else { return None };
        let (case, baseline) = (&cell.case_label, &cell.baseline_label);
        Some(AsidePair {
            cell: cell.cell,
            what: format!("{case} against {baseline}, size {}", cell.spec.size),
            pair: row.pair.idx,
            failures: row.pair.failures.unsigned_abs(),
            why: row.trouble,
            since_ms,
        })
    });
    Ok(aside.collect())
}
