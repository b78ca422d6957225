//! Control cells: a player against itself.

use super::experiments::read_spec;
use super::sql::{Columns, rows};
use super::{StoreError, Tx};
use protocol::experiment::CellSpec;
use stats::PairCounts;

/// A control cell with its pairs.
pub(crate) struct ControlRow {
    pub(crate) label: String,
    pub(crate) spec: CellSpec,
    pub(crate) counts: PairCounts,
}

impl ControlRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        let count = |name| row.count(name);
        let counts = [count("ll")?, count("ld")?, count("wl")?, count("dd")?, count("wd")?, count("ww")?];
        Ok(Self { label: row.text("label")?, spec: read_spec(row)?, counts: counts.into() })
    }
}

impl Tx {
    /// The control cells of this engine in the plans of experiments that are not archived.
    pub(crate) async fn control_cells(&mut self) -> Result<Vec<ControlRow>, StoreError> {
        rows!(
            &mut *self,
            ControlRow::from_row,
            "SELECT cell.spec, cell.ll, cell.ld, cell.wl, cell.dd, cell.wd, cell.ww, MIN(ec.baseline_label) AS label FROM cell \
             JOIN experiment_cell ec ON ec.cell = cell.id AND ec.closed IS NULL \
             JOIN experiment ON experiment.id = ec.experiment AND experiment.state = 'active' \
             AND experiment.archived_ms IS NULL \
             WHERE cell.case_player = cell.baseline_player AND cell.semantics = $1 GROUP BY cell.id ORDER BY cell.id",
            i64::from(engine::SEMANTICS),
        )
    }
}
