//! Compares an experiment file or a revision with the stored plan, in words and numbers. Nothing is stored.

use super::difference::{PlanChanges, changed_alike, row_changes};
use super::settings::Settings;
use super::{NewPlan, StoredExperiment};
use crate::computing::compute;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::store::{CellPlan, PlanRow, PreviousRow, RowChange};
use protocol::experiment::{Experiment, PlannedCell};
use protocol::ids::CellId;
use protocol::life::{CaseDifference, CellChange, PlanDifference, RevisionChanges};
use std::collections::HashMap;

impl Coordinator {
    /// What applying an experiment would change. Changes nothing.
    ///
    /// # Errors
    /// When it cannot be applied, or the database fails. The content of an older revision is no error here.
    pub fn difference(
        &self,
        experiment: &Experiment,
    ) -> BoxFuture<'static, Result<PlanDifference, CoordinatorError>> {
        let (coordinator, experiment) = (self.clone(), experiment.clone());
        Box::pin(async move {
            let plan = NewPlan::checked(experiment).await?;
            let mut tx = coordinator.inner.store.read().await?;
            let stored = StoredExperiment::find(&mut tx, &plan).await?;
            let (mut is_newest, mut older) = (false, None);
            if let Some(stored) = &stored {
                stored.check_open(false)?;
                is_newest = stored.is_newest(&plan);
                if !is_newest {
                    older = stored.older(&plan);
                }
            }
            let PlanChanges { rows: changes, counts, settings } =
                PlanChanges::of(&mut tx, stored.as_ref(), &plan).await?;
            let rows = stored.as_ref().map_or(&[][..], |stored| &stored.rows);
            let cases = by_case(&mut tx, rows, (&plan.experiment.cells, &plan.cells), &changes).await?;
            drop(tx);
            let experiment = match &stored {
                Some(stored) => Some(coordinator.summary(&stored.row.id.to_string()).await?),
                None => None,
            };
            let is_newest = is_newest && changes.is_empty();
            Ok(PlanDifference { experiment, is_newest, older, settings, cells: counts, cases })
        })
    }

    /// Compares a revision of an experiment with an earlier one, by default with the one before. Cells that the earlier one lacks
    /// count as added, even if a still earlier one had them.
    ///
    /// # Errors
    /// When there is no such experiment or revision, the plan of one was not stored, the two are not in order, or the database
    /// fails.
    pub fn revision_changes(
        &self,
        key: &str,
        number: u64,
        since: Option<u64>,
    ) -> BoxFuture<'static, Result<RevisionChanges, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let since = since.unwrap_or(number.saturating_sub(1));
            if since >= number {
                return Err(CoordinatorError::BadSearch(format!(
                    "revision {since} is not earlier than revision {number}: `since` names the earlier one"
                )));
            }
            let new = coordinator.revision(&key, number).await?;
            let old = if since == 0 { None } else { Some(coordinator.revision(&key, since).await?) };
            let mut settings = old.as_ref().map_or_else(Vec::new, |old| Settings::of(old).changes(&new));
            // Digests and differences of ten thousand cells take long.
            let compared = compute(move || {
                let rows = old.iter().flat_map(|old| &old.cells).zip(0..).map(|(planned, position)| {
                    PlanRow { position, cell: planned.spec.id(), plan: planned.into(), is_closed: false }
                });
                let rows: Vec<PlanRow> = rows.collect();
                let ids: Vec<CellId> = new.cells.iter().map(|planned| planned.spec.id()).collect();
                let (changes, cells) = row_changes(&rows, &new.cells, &ids);
                settings.extend(changed_alike(&rows, &new.cells, &ids));
                (new, rows, ids, changes, cells, settings)
            });
            let (new, rows, ids, changes, cells, settings) = compared.await?;
            let mut tx = coordinator.inner.store.read().await?;
            let cases = by_case(&mut tx, &rows, (&new.cells, &ids), &changes).await?;
            Ok(RevisionChanges { since, number, settings, cells, cases, file: new.file })
        })
    }
}

/// The changes joined by case, in the order of the file, then the cells that are closed.
async fn by_case(
    tx: &mut crate::store::Tx,
    rows: &[PlanRow],
    (planned, ids): (&[PlannedCell], &[CellId]),
    changes: &[RowChange],
) -> Result<Vec<CaseDifference>, CoordinatorError> {
    let changed: HashMap<CellId, &RowChange> = changes.iter().map(|change| (change.cell, change)).collect();
    let mut lines: Vec<(CellChange, CellPlan, CellId)> = Vec::new();
    for (planned, cell) in planned.iter().zip(ids) {
        let change = match changed.get(cell).map(|change| change.before) {
            None => CellChange::Kept,
            Some(PreviousRow::Absent) => CellChange::Added,
            Some(PreviousRow::Closed) => CellChange::Reopened,
            Some(PreviousRow::Planned(_)) => CellChange::Changed,
        };
        lines.push((change, planned.into(), *cell));
    }
    let closed = |row: &&PlanRow| changed.get(&row.cell).is_some_and(|change| change.after.is_none());
    lines.extend(rows.iter().filter(closed).map(|row| (CellChange::Closed, row.plan.clone(), row.cell)));
    let ids: Vec<CellId> = lines.iter().map(|(.., cell)| *cell).collect();
    let counters = tx.counters_of_cells(&ids).await?;
    let mut places = HashMap::new();
    let mut cases: Vec<CaseDifference> = Vec::new();
    for (change, plan, cell) in lines {
        let key = (change, plan.case_group.clone(), plan.case_label.clone(), plan.baseline_label.clone());
        let place = *places.entry(key).or_insert(cases.len());
        if place == cases.len() {
            let CellPlan { case_group: group, case_label: case, baseline_label: baseline, .. } = plan;
            cases.push(CaseDifference {
                change,
                group,
                case,
                baseline,
                cells: 0,
                games_planned: 0,
                games_played: 0,
            });
        }
        let case = &mut cases[place];
        case.cells += 1;
        case.games_planned += 2 * plan.pairs.unsigned_abs();
        case.games_played += counters.get(&cell).map_or(0, |counters| counters.games.unsigned_abs());
    }
    Ok(cases)
}
