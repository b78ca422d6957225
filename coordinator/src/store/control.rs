//! Control cells, in which a player plays against itself, and the coordinator's own control.

use super::columns::read_spec;
use super::experiments::ExperimentRow;
use super::sql::{Columns, row, rows};
use super::{StoreError, Tx};
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId};

/// A control cell.
pub(crate) struct ControlRow {
    pub(crate) cell: CellId,
    pub(crate) label: String,
    pub(crate) spec: CellSpec,
}

impl ControlRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self { cell: CellId(row.uuid("id")?), label: row.text("label")?, spec: read_spec(row)? })
    }
}

/// An experiment that is played.
#[derive(Debug, Clone)]
pub(crate) struct UnderWay {
    pub(crate) id: ExperimentId,
    pub(crate) weight: f64,
    /// The number of the last change of its plan.
    pub(crate) edition: i64,
}

impl Tx {
    /// The coordinators' own control, if there is one.
    pub(crate) async fn control(&mut self) -> Result<Option<ExperimentRow>, StoreError> {
        let id = row!(
            &mut *self,
            |row| row.uuid("id").map(ExperimentId),
            "SELECT id FROM experiment WHERE is_control = 1 LIMIT 1",
        )?;
        match id {
            Some(id) => self.experiment(id).await,
            None => Ok(None),
        }
    }

    /// The other experiments that have pairs in play or to be leased, in the order of ids.
    pub(crate) async fn under_way_beside_control(
        &mut self,
        semantics: u32,
    ) -> Result<Vec<UnderWay>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(UnderWay {
                id: ExperimentId(row.uuid("id")?),
                weight: row.real("weight")?,
                edition: row.bigint("edition")?,
            }),
            "SELECT id, weight, edition FROM experiment WHERE semantics = $1 AND is_control = 0 \
             AND paused_ms IS NULL AND stopped_ms IS NULL AND archived_ms IS NULL AND games_done < games_planned AND (pairs_in_flight > 0 \
             OR EXISTS (SELECT 1 FROM experiment_cell ec WHERE ec.experiment = experiment.id AND ec.state = 'open')) \
             ORDER BY id",
            i64::from(semantics),
        )
    }

    /// The author of the last pause or resumption of an experiment.
    pub(crate) async fn last_pause_by(&mut self, id: ExperimentId) -> Result<Option<String>, StoreError> {
        row!(
            &mut *self,
            |row| row.text("who"),
            "SELECT who FROM timeline JOIN audit ON audit.seq = timeline.change \
             WHERE timeline.experiment = $1 AND action IN ('pause', 'resume') ORDER BY seq DESC LIMIT 1",
            id.0,
        )
    }

    /// The control cells of this engine in the plans of experiments that are not archived. The coordinators' own control closes a
    /// cell when no experiment plays its baseline any more, and its games still count.
    pub(crate) async fn control_cells(&mut self) -> Result<Vec<ControlRow>, StoreError> {
        rows!(
            &mut *self,
            ControlRow::from_row,
            "SELECT cell.id, cell.spec, MIN(ec.baseline_label) AS label FROM cell \
             JOIN experiment_cell ec ON ec.cell = cell.id \
             JOIN experiment ON experiment.id = ec.experiment \
             AND experiment.archived_ms IS NULL AND (ec.closed IS NULL OR experiment.is_control = 1) \
             WHERE cell.case_player = cell.baseline_player AND cell.semantics = $1 GROUP BY cell.id ORDER BY cell.id",
            i64::from(engine::SEMANTICS),
        )
    }
}
