//! The revisions of experiments: their content, time and author.

use super::plans::{CellPlan, semantics_of};
use super::sql::{Columns, execute, row, rows, write_json};
use super::{StoreError, Tx};
use protocol::experiment::{Experiment, LabelledPlayer, PlannedCell, StopRule};
use protocol::ids::{CellId, ExperimentId};
use protocol::lease::ParamSet;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A row of `experiment_revision`, without the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RevisionRow {
    pub(crate) number: i64,
    /// The digest of the applied experiment.
    pub(crate) content: ExperimentId,
    pub(crate) applied_ms: i64,
    pub(crate) who: String,
}

impl RevisionRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            number: row.bigint("number")?,
            content: ExperimentId(row.uuid("content")?),
            applied_ms: row.bigint("applied_ms")?,
            who: row.text("who")?,
        })
    }
}

/// The plan of a revision as it is stored. Cells are named by their ids, because their descriptions are stored already and take
/// most of the room.
#[derive(Debug, Serialize, Deserialize)]
struct StoredPlan {
    /// The experiment without cells.
    experiment: Experiment,
    cells: Vec<StoredCell>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredCell {
    cell: CellId,
    /// Group and label of the case, then of the baseline.
    names: [String; 4],
    weight: f64,
    pairs: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop: Option<StopRule>,
}

/// The text of a plan for [`Tx::record_revision`]; `ids` are those of the cells, in their order.
pub(crate) fn plan_text(experiment: &Experiment, ids: &[CellId]) -> String {
    let cells = experiment.cells.iter().zip(ids).map(|(planned, cell)| {
        let CellPlan { case_group, case_label, baseline_group, baseline_label, weight, .. } = planned.into();
        let names = [case_group, case_label, baseline_group, baseline_label];
        StoredCell { cell: *cell, names, weight, pairs: planned.pairs, stop: planned.stop }
    });
    let cells = cells.collect();
    write_json(&StoredPlan { experiment: Experiment { cells: Vec::new(), ..experiment.clone() }, cells })
}

fn read_plan(text: &str) -> Result<StoredPlan, StoreError> {
    serde_json::from_str(text).map_err(StoreError::unreadable("experiment_revision.plan"))
}

impl Tx {
    /// The revisions of an experiment, the newest first.
    pub(crate) async fn revisions(&mut self, id: ExperimentId) -> Result<Vec<RevisionRow>, StoreError> {
        rows!(
            &mut *self,
            RevisionRow::from_row,
            "SELECT number, content, applied_ms, who FROM experiment_revision WHERE experiment = $1 ORDER BY number DESC",
            id.0,
        )
    }

    /// The experiment that has or had this content, and whether that is its newest revision.
    pub(crate) async fn experiment_with(
        &mut self,
        content: ExperimentId,
    ) -> Result<Option<(ExperimentId, bool)>, StoreError> {
        row!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("id")?), row.bigint("newer")? == 0)),
            "SELECT experiment.id, experiment.revision - experiment_revision.number AS newer FROM experiment_revision \
             JOIN experiment ON experiment.id = experiment_revision.experiment WHERE experiment_revision.content = $1 \
             ORDER BY experiment_revision.number DESC LIMIT 1",
            content.0,
        )
    }

    /// Makes a plan whose rows are stored the newest revision of its experiment.
    pub(crate) async fn record_revision(
        &mut self,
        (id, revision): (ExperimentId, &RevisionRow),
        experiment: &Experiment,
        plan: &str,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO experiment_revision (experiment, number, content, applied_ms, who, plan) \
             VALUES ($1, $2, $3, $4, $5, $6)",
            id.0,
            revision.number,
            revision.content.0,
            revision.applied_ms,
            revision.who.as_str(),
            plan,
        )?;
        execute!(
            &mut *self,
            "UPDATE experiment SET revision = $2, question = $3, semantics = $4 WHERE id = $1",
            id.0,
            revision.number,
            experiment.question.as_str(),
            semantics_of(experiment),
        )?;
        self.set_weight(id, experiment.weight).await?;
        self.set_policy(id, experiment.policy).await
    }

    /// The cells of an experiment's newest revision in the order of the file; none before it is
    /// stored.
    pub(crate) async fn order_of_plan(
        &mut self,
        id: ExperimentId,
    ) -> Result<Option<Vec<CellId>>, StoreError> {
        let text = row!(
            &mut *self,
            |row| row.text("plan"),
            "SELECT plan FROM experiment_revision WHERE experiment = $1 ORDER BY number DESC LIMIT 1",
            id.0,
        )?;
        let plan = text.map(|text| read_plan(&text)).transpose()?;
        Ok(plan.map(|plan| plan.cells.into_iter().map(|cell| cell.cell).collect()))
    }

    /// When each revision was applied, and the pairs that it planned by cell, the oldest first.
    pub(crate) async fn pairs_planned(
        &mut self,
        id: ExperimentId,
    ) -> Result<Vec<(i64, HashMap<CellId, u32>)>, StoreError> {
        let stored = rows!(
            &mut *self,
            |row| Ok((row.bigint("applied_ms")?, row.text("plan")?)),
            "SELECT applied_ms, plan FROM experiment_revision WHERE experiment = $1 ORDER BY number",
            id.0,
        )?;
        let planned = |(applied_ms, text): (i64, String)| {
            let cells = read_plan(&text)?.cells;
            Ok((applied_ms, cells.into_iter().map(|cell| (cell.cell, cell.pairs)).collect()))
        };
        stored.into_iter().map(planned).collect()
    }

    /// The experiment that was applied as this revision; none if there is no such revision.
    pub(crate) async fn revision_plan(
        &mut self,
        id: ExperimentId,
        number: i64,
    ) -> Result<Option<Experiment>, StoreError> {
        let text = row!(
            &mut *self,
            |row| row.text("plan"),
            "SELECT plan FROM experiment_revision WHERE experiment = $1 AND number = $2",
            id.0,
            number,
        )?;
        let Some(text) = text else { return Ok(None) };
        let StoredPlan { mut experiment, cells } = read_plan(&text)?;
        let specs: HashMap<CellId, _> =
            self.planned_cells(id).await?.into_iter().map(|row| (row.cell, row.spec)).collect();
        for StoredCell {
            cell,
            names: [case_group, case_label, baseline_group, baseline_label],
            weight,
            pairs,
            stop,
        } in cells
        {
            let spec = specs.get(&cell).ok_or(StoreError::Null("experiment_cell"))?.clone();
            let player =
                |group, label, params: &ParamSet| LabelledPlayer { group, label, params: params.clone() };
            experiment.cells.push(PlannedCell {
                case: player(case_group, case_label, &spec.case),
                baseline: player(baseline_group, baseline_label, &spec.baseline),
                spec,
                weight,
                pairs,
                stop,
            });
        }
        Ok(Some(experiment))
    }
}
