//! Confirmations: links from experiments to the cases of other experiments that they confirm.

use super::sql::{Columns, execute, row, rows};
use super::stopping::Stopping;
use super::{StoreError, Tx};
use protocol::ids::{ExperimentId, PlayerId};

/// A row of `confirmation`, with the name of the experiment that the case comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfirmationRow {
    /// The experiment that plays it.
    pub(crate) experiment: ExperimentId,
    pub(crate) origin: ExperimentId,
    pub(crate) origin_name: String,
    pub(crate) origin_revision: u64,
    pub(crate) case_player: PlayerId,
    pub(crate) case_label: String,
    pub(crate) baseline_player: PlayerId,
    pub(crate) baseline_label: String,
    pub(crate) number: u64,
    pub(crate) began_ms: i64,
    pub(crate) who: String,
}

impl ConfirmationRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            experiment: ExperimentId(row.uuid("experiment")?),
            origin: ExperimentId(row.uuid("origin")?),
            origin_name: row.text("origin_name")?,
            origin_revision: row.count("origin_revision")?,
            case_player: PlayerId(row.uuid("case_player")?),
            case_label: row.text("case_label")?,
            baseline_player: PlayerId(row.uuid("baseline_player")?),
            baseline_label: row.text("baseline_label")?,
            number: row.count("number")?,
            began_ms: row.bigint("began_ms")?,
            who: row.text("who")?,
        })
    }
}

/// The test of a cell of a confirmation, with the pairs that are planned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConfirmationTest {
    pub(crate) experiment: ExperimentId,
    pub(crate) origin: ExperimentId,
    pub(crate) origin_name: String,
    pub(crate) case_label: String,
    pub(crate) pairs: u64,
    /// Whether a person stopped the experiment that plays it.
    pub(crate) is_stopped: bool,
    /// None if a revision removed the rule.
    pub(crate) stopping: Option<Stopping>,
}

impl ConfirmationTest {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            experiment: ExperimentId(row.uuid("experiment")?),
            origin: ExperimentId(row.uuid("origin")?),
            origin_name: row.text("origin_name")?,
            case_label: row.text("case_label")?,
            pairs: row.count("pairs")?,
            is_stopped: row.maybe_bigint("stopped_ms")?.is_some(),
            stopping: Stopping::from_row(row)?,
        })
    }
}

impl Tx {
    /// Notes that an experiment confirms a case, unless a confirmation of this number is noted.
    pub(crate) async fn insert_confirmation(&mut self, row: &ConfirmationRow) -> Result<bool, StoreError> {
        let inserted = execute!(
            &mut *self,
            "INSERT INTO confirmation (experiment, origin, origin_revision, case_player, case_label, baseline_player, \
             baseline_label, number, began_ms, who) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
            row.experiment.0,
            row.origin.0,
            row.origin_revision.cast_signed(),
            row.case_player.0,
            row.case_label.as_str(),
            row.baseline_player.0,
            row.baseline_label.as_str(),
            row.number.cast_signed(),
            row.began_ms,
            row.who.as_str(),
        )?;
        Ok(inserted > 0)
    }

    /// The confirmations of the cases of an experiment, the first one first.
    pub(crate) async fn confirmations_of(
        &mut self,
        origin: ExperimentId,
    ) -> Result<Vec<ConfirmationRow>, StoreError> {
        rows!(
            &mut *self,
            ConfirmationRow::from_row,
            "SELECT confirmation.*, origin.name AS origin_name FROM confirmation JOIN experiment origin ON origin.id = confirmation.origin \
             WHERE confirmation.origin = $1 ORDER BY number, began_ms",
            origin.0,
        )
    }

    /// The confirmation that an experiment plays, if it plays one.
    pub(crate) async fn confirmation_by(
        &mut self,
        experiment: ExperimentId,
    ) -> Result<Option<ConfirmationRow>, StoreError> {
        row!(
            &mut *self,
            ConfirmationRow::from_row,
            "SELECT confirmation.*, origin.name AS origin_name FROM confirmation JOIN experiment origin ON origin.id = confirmation.origin \
             WHERE confirmation.experiment = $1",
            experiment.0,
        )
    }

    /// The tests of all confirmations.
    pub(crate) async fn confirmation_tests(&mut self) -> Result<Vec<ConfirmationTest>, StoreError> {
        rows!(
            &mut *self,
            ConfirmationTest::from_row,
            // With CROSS JOIN, SQLite keeps this order, and begins with the few confirmations.
            "SELECT confirmation.experiment, confirmation.origin, origin.name AS origin_name, confirmation.case_label, ec.pairs, player.stopped_ms, \
             stop_rule, stop_ll, stop_ld, stop_wl, stop_dd, stop_wd, stop_ww, stop_decision FROM confirmation \
             JOIN experiment origin ON origin.id = confirmation.origin JOIN experiment player ON player.id = confirmation.experiment \
             CROSS JOIN experiment_cell ec WHERE ec.experiment = confirmation.experiment AND ec.closed IS NULL \
             ORDER BY confirmation.experiment, ec.position",
        )
    }
}
