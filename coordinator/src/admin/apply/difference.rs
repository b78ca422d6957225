//! The difference between the stored rows of a plan and a new plan.

use super::{NewPlan, StoredExperiment};
use crate::error::CoordinatorError;
use crate::store::{CellPlan, PlanRow, PreviousRow, RowChange, Tx};
use engine::havannah::BoardSize;
use protocol::experiment::PlannedCell;
use protocol::ids::CellId;
use protocol::report::CellChanges;
use protocol::words::number;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What a plan changes.
pub(super) struct PlanChanges {
    pub(super) rows: Vec<RowChange>,
    pub(super) counts: CellChanges,
    /// Changes beside the cells, and changes common to all cells, in words.
    pub(super) settings: Vec<String>,
}

impl PlanChanges {
    /// The difference between a plan and the stored plan of the same name.
    pub(super) async fn of(
        tx: &mut Tx,
        stored: Option<&StoredExperiment>,
        plan: &NewPlan,
    ) -> Result<Self, CoordinatorError> {
        let planned = &plan.experiment.cells;
        let Some(stored) = stored else {
            let (rows, counts) = row_changes(&[], planned, &plan.cells);
            return Ok(Self { rows, counts, settings: Vec::new() });
        };
        let is_tune = stored.check_tune(tx, plan).await?;
        let mut settings = stored.changed_settings(tx, &plan.experiment).await?;
        let (rows, counts) = if is_tune {
            (Vec::new(), CellChanges { kept: stored.rows.len() as u64, ..CellChanges::default() })
        } else {
            settings.extend(changed_alike(&stored.rows, planned, &plan.cells));
            row_changes(&stored.rows, planned, &plan.cells)
        };
        Ok(Self { rows, counts, settings })
    }
}

/// Changes in words that are common to all changed cells that remain: their games, and their weights on a size.
pub(super) fn changed_alike(rows: &[PlanRow], planned: &[PlannedCell], ids: &[CellId]) -> Vec<String> {
    let stored: HashMap<CellId, &PlanRow> =
        rows.iter().filter(|row| !row.is_closed).map(|row| (row.cell, row)).collect();
    let mut games = BTreeSet::new();
    let mut weights: BTreeMap<BoardSize, Vec<(f64, f64)>> = BTreeMap::new();
    for (new, cell) in planned.iter().zip(ids) {
        let Some(old) = stored.get(cell).map(|row| &row.plan) else { continue };
        if old.pairs != i64::from(new.pairs) {
            games.insert((2 * old.pairs, 2 * i64::from(new.pairs)));
        }
        if old.weight != new.weight {
            let of_size = weights.entry(new.spec.size).or_default();
            if !of_size.contains(&(old.weight, new.weight)) {
                of_size.push((old.weight, new.weight));
            }
        }
    }
    let mut changes = Vec::new();
    if games.len() == 1 {
        changes.extend(games.iter().map(|(old, new)| format!("games of a cell: {old} to {new}")));
    }
    for (size, of_size) in weights {
        if let [(old, new)] = of_size[..] {
            changes.push(format!("weight of a cell of size {size}: {} to {}", number(old), number(new)));
        }
    }
    changes
}

/// The changes that turn `rows` into a plan of these cells, whose ids are `ids`, and their numbers. Equal rows need no change,
/// whatever their position in the file. Cells are closed last, so that no part of the changes leaves an empty plan.
pub(super) fn row_changes(
    rows: &[PlanRow],
    planned: &[PlannedCell],
    ids: &[CellId],
) -> (Vec<RowChange>, CellChanges) {
    let stored: HashMap<CellId, &PlanRow> = rows.iter().map(|row| (row.cell, row)).collect();
    let mut next = rows.iter().map(|row| row.position + 1).max().unwrap_or(0);
    let mut counts = CellChanges::default();
    let mut changes = Vec::new();
    for (place, (planned, &cell)) in planned.iter().zip(ids).enumerate() {
        let (position, before, count) = match stored.get(&cell) {
            None => (next, PreviousRow::Absent, &mut counts.added),
            Some(row) if row.is_closed => (row.position, PreviousRow::Closed, &mut counts.reopened),
            Some(row) if row.plan == CellPlan::from(planned) => {
                counts.kept += 1;
                continue;
            }
            Some(row) => (row.position, PreviousRow::Planned(row.plan.pairs), &mut counts.changed),
        };
        *count += 1;
        next += i64::from(before == PreviousRow::Absent);
        changes.push(RowChange { position, cell, before, after: Some(place) });
    }
    let wanted: HashSet<&CellId> = ids.iter().collect();
    let gone = rows.iter().filter(|row| !row.is_closed && !wanted.contains(&row.cell));
    for row in gone {
        counts.closed += 1;
        let before = PreviousRow::Planned(row.plan.pairs);
        changes.push(RowChange { position: row.position, cell: row.cell, before, after: None });
    }
    (changes, counts)
}
