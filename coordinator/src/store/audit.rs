//! The audit: changes with their authors.

use super::sql::{Columns, row, rows};
use super::{StoreError, Tx};

/// A row of `audit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuditRow {
    pub(crate) seq: i64,
    pub(crate) at_ms: i64,
    pub(crate) who: String,
    pub(crate) action: String,
    pub(crate) what: String,
    pub(crate) detail: String,
}

impl AuditRow {
    pub(super) fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            seq: row.bigint("seq")?,
            at_ms: row.bigint("at_ms")?,
            who: row.text("who")?,
            action: row.text("action")?,
            what: row.text("what")?,
            detail: row.text("detail")?,
        })
    }
}

impl Tx {
    /// Notes a change: its author, the action, its object, and details.
    pub(crate) async fn note_change(
        &mut self,
        who: &str,
        (action, what, detail): (&str, &str, &str),
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.number_change(who, (action, what, detail), now_ms).await.map(drop)
    }

    /// As [`Tx::note_change`]; gives the change's number.
    pub(crate) async fn number_change(
        &mut self,
        who: &str,
        (action, what, detail): (&str, &str, &str),
        now_ms: i64,
    ) -> Result<i64, StoreError> {
        // One transaction writes at a time, so the next number is free.
        let number = row!(
            &mut *self,
            |row| row.bigint("seq"),
            "INSERT INTO audit (seq, at_ms, who, action, what, detail) \
             VALUES (COALESCE((SELECT MAX(seq) FROM audit), 0) + 1, $1, $2, $3, $4, $5) RETURNING seq",
            now_ms,
            who,
            action,
            what,
            detail,
        )?;
        number.ok_or(StoreError::Null("audit.seq"))
    }

    /// The last change of this kind.
    pub(crate) async fn last_change(&mut self, action: &str) -> Result<Option<AuditRow>, StoreError> {
        row!(
            &mut *self,
            AuditRow::from_row,
            "SELECT seq, at_ms, who, action, what, detail FROM audit WHERE action = $1 ORDER BY seq DESC LIMIT 1",
            action,
        )
    }

    /// Changes before number `before`, the latest first.
    pub(crate) async fn changes_noted(
        &mut self,
        before: i64,
        limit: i64,
    ) -> Result<Vec<AuditRow>, StoreError> {
        rows!(
            &mut *self,
            AuditRow::from_row,
            "SELECT seq, at_ms, who, action, what, detail FROM audit WHERE seq < $1 ORDER BY seq DESC LIMIT $2",
            before,
            limit,
        )
    }
}
