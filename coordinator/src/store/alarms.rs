//! Alarms: what people should look at.

use super::sql::{Columns, execute_many, rows};
use super::{StoreError, Tx};
use protocol::alarm::{AlarmKind, Severity};

/// A row of `alarm`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AlarmRow {
    pub(crate) kind: AlarmKind,
    /// The id of a machine, or an empty text.
    pub(crate) subject: String,
    pub(crate) severity: Severity,
    pub(crate) since_ms: i64,
    /// When it was over, if it is.
    pub(crate) ended_ms: Option<i64>,
    pub(crate) words: String,
}

impl AlarmRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        let (kind, severity) = (row.text("kind")?, row.text("severity")?);
        Ok(Self {
            kind: AlarmKind::named(&kind).ok_or_else(|| StoreError::unreadable("alarm.kind")(kind))?,
            subject: row.text("subject")?,
            severity: Severity::named(&severity)
                .ok_or_else(|| StoreError::unreadable("alarm.severity")(severity))?,
            since_ms: row.bigint("since_ms")?,
            ended_ms: row.maybe_bigint("ended_ms")?,
            words: row.text("words")?,
        })
    }
}

impl Tx {
    /// Every alarm, also those that are over.
    pub(crate) async fn alarms(&mut self) -> Result<Vec<AlarmRow>, StoreError> {
        rows!(
            &mut *self,
            AlarmRow::from_row,
            "SELECT kind, subject, severity, since_ms, ended_ms, words FROM alarm ORDER BY since_ms, kind, subject",
        )
    }

    /// Stores alarms, new or changed.
    pub(crate) async fn put_alarms(&mut self, alarms: &[AlarmRow]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO alarm (kind, subject, severity, since_ms, ended_ms, words) VALUES {rows} \
             ON CONFLICT (kind, subject) DO UPDATE SET severity = excluded.severity, since_ms = excluded.since_ms, \
             ended_ms = excluded.ended_ms, words = excluded.words",
            alarms,
            |alarm| alarm.kind.name(),
            alarm.subject.as_str(),
            alarm.severity.name(),
            alarm.since_ms,
            alarm.ended_ms,
            alarm.words.as_str(),
        )?;
        Ok(())
    }
}
