//! The current alarms, for people.

use crate::store::{StoreError, Tx};
use protocol::alarm::{Alarm, Severity};
use protocol::ids::WorkerId;

/// Alarms that are not over, red ones first, then the oldest first.
pub(crate) async fn alarms(tx: &mut Tx) -> Result<Vec<Alarm>, StoreError> {
    let mut rows = tx.alarms().await?;
    rows.retain(|row| row.ended_ms.is_none());
    let about: Vec<WorkerId> = rows.iter().filter_map(|row| row.subject.parse().ok()).collect();
    let names = tx.worker_names(&about).await?;
    let mut alarms: Vec<Alarm> = rows
        .into_iter()
        .map(|row| {
            let worker = row.subject.parse().ok();
            let name = worker.and_then(|worker| names.get(&worker).cloned());
            Alarm {
                kind: row.kind,
                severity: row.severity,
                subject: name.unwrap_or_else(|| row.kind.name().to_owned()),
                worker,
                since_ms: row.since_ms,
                words: row.words,
            }
        })
        .collect();
    alarms.sort_by_key(|alarm| (alarm.severity != Severity::Red, alarm.since_ms));
    Ok(alarms)
}

/// Alarms about a machine that its own row does not show.
pub(super) async fn of_worker(tx: &mut Tx, worker: WorkerId) -> Result<Vec<String>, StoreError> {
    use protocol::alarm::AlarmKind::{Drift, Results, Speed};
    let alarms = alarms(tx).await?;
    let own = alarms.into_iter().filter(|alarm| alarm.worker == Some(worker));
    Ok(own.filter(|alarm| matches!(alarm.kind, Results | Speed | Drift)).map(|alarm| alarm.words).collect())
}
