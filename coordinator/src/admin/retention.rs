//! Copies of the whole database, and the retention of games' moves.

use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::scheduling::is_too_new;
use crate::store;
use crate::store::{Allowed, Copied, OpenError, Store, StoreError, Verification, rebuild};
use crate::writer::changing;
use protocol::words::counted;
use std::time::Duration;
use thiserror::Error;

/// Games whose moves are dropped in one transaction: few, so that results need not wait long.
const AT_ONCE: i64 = 500;

/// Why a database was not copied.
#[derive(Debug, Error)]
pub enum CopyError {
    /// One of the two databases cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Reading or writing failed; nothing was copied.
    #[error("nothing was copied: {0}")]
    Store(#[from] StoreError),
    /// The target is not empty.
    #[error("nothing was copied: the target is not empty, its table `{0}` has rows")]
    NotEmpty(&'static str),
    /// The copy could not be verified.
    #[error("everything was copied, and could not be verified: {0}")]
    Unverified(StoreError),
}

/// Copies a whole database into another one, of either kind, that is empty or does not exist, and verifies the totals
/// of the copy: wrong ones are those of the original. The original may be in use: the copy shows one moment.
///
/// # Errors
/// See [`CopyError`].
pub fn copy(from: &str, to: &str) -> BoxFuture<'static, Result<(Copied, Verification), CopyError>> {
    let (from, to) = (from.to_owned(), to.to_owned());
    Box::pin(async move {
        let from = Store::open(&from, Allowed::default()).await?;
        let to = Store::open(&to, Allowed { create: true, ..Allowed::default() }).await?;
        let copied = store::copy(&from, &to).await;
        from.close().await;
        let verified = match copied {
            Ok(Ok(copied)) => {
                let mut tx = to.read().await?;
                rebuild(&mut tx)
                    .await
                    .map(|verification| (copied, verification))
                    .map_err(CopyError::Unverified)
            }
            Ok(Err(table)) => Err(CopyError::NotEmpty(table)),
            Err(error) => Err(error.into()),
        };
        to.close().await;
        verified
    })
}

/// The action of a backup in the audit.
pub(crate) const BACKUP: &str = "backup";

impl Coordinator {
    /// Notes in the audit that a backup was made, in the name of `who`. A database that can only be read has no such note.
    ///
    /// # Errors
    /// When the database fails.
    pub fn note_backup(&self, detail: &str, who: &str) -> BoxFuture<'static, Result<(), CoordinatorError>> {
        let (inner, detail, who) = (self.inner.clone(), detail.to_owned(), who.to_owned());
        Box::pin(async move {
            if inner.store.is_read_only() {
                return Ok(());
            }
            let change = changing(move |tx, now_ms| {
                Box::pin(async move { tx.note_change(&who, (BACKUP, "made", &detail), now_ms).await })
            });
            Ok(inner.writer.change(change).await?)
        })
    }

    /// Drops the moves of games that were stored this long ago, in the name of `who`; gives the number of games. Their
    /// results, and everything else, are kept.
    ///
    /// # Errors
    /// When the database fails.
    pub fn drop_records(
        &self,
        older: Duration,
        who: &str,
    ) -> BoxFuture<'static, Result<u64, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        Box::pin(async move {
            let mut dropped = 0;
            loop {
                let now = coordinator.drop_some_records(older).await?;
                dropped += now;
                if now < AT_ONCE.unsigned_abs() {
                    break;
                }
            }
            if dropped > 0 {
                let change = changing(move |tx, now_ms| {
                    Box::pin(async move {
                        let days = older.as_secs_f64() / 86_400.0;
                        let what = format!("moves of games older than {days:.1} days");
                        tx.note_change(&who, ("drop", &what, &counted(dropped, "game")), now_ms).await
                    })
                });
                coordinator.inner.writer.change(change).await?;
            }
            Ok(dropped)
        })
    }

    /// Drops the moves of a few games.
    async fn drop_some_records(&self, older: Duration) -> Result<u64, StoreError> {
        let older_ms = i64::try_from(older.as_millis()).unwrap_or(i64::MAX);
        let change = changing(move |tx, now_ms| {
            Box::pin(async move { tx.drop_records(now_ms.saturating_sub(older_ms), AT_ONCE).await })
        });
        self.inner.writer.change(change).await
    }

    /// Drops the moves that are older than [`Config::keep_records`](crate::Config::keep_records), a few at a time;
    /// gives whether there were any.
    pub(crate) async fn drop_old_records(&self) -> Result<bool, StoreError> {
        let Some(older) = self.inner.keep_records else { return Ok(false) };
        let before_ms = self.inner.clock.now_ms() - i64::try_from(older.as_millis()).unwrap_or(i64::MAX);
        let mut tx = self.inner.store.intake_conn().await?;
        let now_ms = self.inner.clock.now_ms();
        let any = tx.has_records(before_ms).await? && !is_too_new(&mut tx, now_ms).await?;
        drop(tx);
        if any {
            self.drop_some_records(older).await?;
        }
        Ok(any)
    }
}
