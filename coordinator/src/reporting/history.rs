//! The history of an experiment: its revisions, and what people changed while it ran.

use super::overview::one;
use super::stall::Standing;
use crate::store::{AuditRow, ExperimentRow, StoreError, Tx};
use protocol::ids::ExperimentId;
use protocol::life::{ExperimentHistory, Revision};
use protocol::operate::AuditEntry;

/// Changes that a history lists at most.
const MOST: i64 = 1_000;

/// Changes that a report lists.
pub(super) const LATEST: i64 = 20;

/// Everything that happened to an experiment.
pub(crate) async fn history(
    tx: &mut Tx,
    standing: &Standing,
    row: ExperimentRow,
) -> Result<ExperimentHistory, StoreError> {
    let revisions = tx.revisions(row.id).await?.into_iter().map(|row| Revision {
        number: row.number.unsigned_abs(),
        content: row.content,
        applied_ms: row.applied_ms,
        who: row.who,
    });
    let (revisions, changes) = (revisions.collect(), latest(tx, row.id, MOST).await?);
    Ok(ExperimentHistory { summary: one(tx, standing, row).await?, revisions, changes })
}

/// The latest changes of an experiment, the last one first.
pub(super) async fn latest(tx: &mut Tx, id: ExperimentId, most: i64) -> Result<Vec<AuditEntry>, StoreError> {
    let rows = tx.timeline(id, i64::MAX, most).await?;
    let entry = |AuditRow { seq, at_ms, who, action, what, detail }| AuditEntry {
        seq,
        at_ms,
        who,
        action,
        what,
        detail,
    };
    Ok(rows.into_iter().map(entry).collect())
}
