//! What applying an experiment would change, in words and numbers. Nothing is stored.

use super::difference::row_changes;
use super::{Plan, Stored};
use crate::coordinator::{Boxed, Coordinator};
use crate::error::CoordinatorError;
use crate::store::{Before, CellPlan, PlanRow, RowChange};
use protocol::experiment::{Experiment, StopRule};
use protocol::ids::CellId;
use protocol::life::{CaseDifference, CellChange, PlanDifference};
use std::collections::HashMap;

impl Coordinator {
    /// What applying an experiment would change. Changes nothing.
    ///
    /// # Errors
    /// When it cannot be played, or the database fails.
    pub fn difference(
        &self,
        experiment: &Experiment,
    ) -> Boxed<'static, Result<PlanDifference, CoordinatorError>> {
        let (coordinator, experiment) = (self.clone(), experiment.clone());
        Box::pin(async move {
            let plan = Plan::checked(experiment).await?;
            let mut tx = coordinator.inner.store.read().await?;
            let stored = Stored::find(&mut tx, &plan).await?;
            let mut rows = Vec::new();
            let (mut is_newest, mut older, mut settings, mut id) = (false, None, Vec::new(), None);
            if let Some(stored) = stored {
                is_newest = stored.is_newest(&plan);
                if !is_newest {
                    older = stored.older(&mut tx, &plan).await?;
                }
                settings = settings_of(&stored, &plan.experiment);
                id = Some(stored.row.id);
                rows = tx.plan_rows(stored.row.id).await?;
                settings.extend(rule_change(&rows, &plan.experiment));
            }
            let (changes, cells) = row_changes(&rows, &plan.experiment.cells, &plan.cells);
            let cases = by_case(&mut tx, (&rows, &plan), &changes).await?;
            drop(tx);
            let experiment = match id {
                Some(id) => Some(coordinator.summary(&id.to_string()).await?),
                None => None,
            };
            Ok(PlanDifference { experiment, is_newest, older, settings, cells, cases })
        })
    }
}

/// Changes beside the cells, in words.
fn settings_of(stored: &Stored, new: &Experiment) -> Vec<String> {
    let mut settings = Vec::new();
    if stored.row.question != new.question {
        settings.push(format!("question: {}", new.question));
    }
    if stored.row.weight != new.weight {
        settings.push(format!("weight: {} to {}", stored.row.weight, new.weight));
    }
    settings
}

/// A change of the stopping rule, in words.
fn rule_change(rows: &[PlanRow], new: &Experiment) -> Option<String> {
    let before = rows.iter().filter(|row| !row.is_closed).find_map(|row| row.plan.stop);
    let after = new.cells.iter().find_map(|cell| cell.stop);
    let words = |rule: Option<StopRule>| rule.map_or("none".to_owned(), |rule| rule.to_string());
    (before != after).then(|| format!("stopping rule: {}; before: {}", words(after), words(before)))
}

/// The changes joined by case, in the order of the file, then the cells that are closed.
async fn by_case(
    tx: &mut crate::store::Tx,
    (rows, plan): (&[PlanRow], &Plan),
    changes: &[RowChange],
) -> Result<Vec<CaseDifference>, CoordinatorError> {
    let changed: HashMap<CellId, &RowChange> = changes.iter().map(|change| (change.cell, change)).collect();
    let mut lines: Vec<(CellChange, CellPlan, CellId)> = Vec::new();
    for (planned, cell) in plan.experiment.cells.iter().zip(plan.cells.iter()) {
        let change = match changed.get(cell).map(|change| change.before) {
            None => CellChange::Kept,
            Some(Before::Absent) => CellChange::Added,
            Some(Before::Closed) => CellChange::Reopened,
            Some(Before::Planned(_)) => CellChange::Changed,
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
