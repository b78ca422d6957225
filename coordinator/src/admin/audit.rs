//! The audit: the list of all changes that people made.

use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use protocol::operate::{AuditEntry, AuditPage};
use protocol::query::LARGEST_PAGE;

impl Coordinator {
    /// Changes before number `before`, the latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn audit(
        &self,
        before: Option<i64>,
        limit: u32,
    ) -> BoxFuture<'static, Result<AuditPage, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let limit = limit.clamp(1, LARGEST_PAGE);
            let mut tx = inner.store.read().await?;
            let rows = tx.changes_noted(before.unwrap_or(i64::MAX), i64::from(limit)).await?;
            let next =
                rows.last().filter(|row| rows.len() == limit as usize && row.seq > 1).map(|row| row.seq);
            let entries = rows.into_iter().map(|row| AuditEntry {
                seq: row.seq,
                at_ms: row.at_ms,
                who: row.who,
                action: row.action,
                what: row.what,
                detail: row.detail,
            });
            Ok(AuditPage { entries: entries.collect(), next })
        })
    }
}
