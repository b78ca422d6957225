//! Whether the database answers. It is asked at most once a second, however many health checks come.

use crate::store::{Store, StoreError};
use std::time::Duration;

/// How long an answer counts, in milliseconds.
const KEPT_MS: i64 = 1_000;

/// The database counts as failed if it takes longer than this.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The last answer.
#[derive(Debug, Default)]
pub(crate) struct Health {
    last: tokio::sync::Mutex<Option<(i64, Result<(), String>)>>,
}

impl Health {
    /// The last answer, or a new one if that is old. Concurrent callers wait for the same answer.
    pub(crate) async fn check(&self, store: &Store, now_ms: i64) -> Result<(), StoreError> {
        let mut last = self.last.lock().await;
        if let Some((at_ms, answer)) = &*last
            && (0..KEPT_MS).contains(&(now_ms - at_ms))
        {
            return answer.clone().map_err(StoreError::Unanswered);
        }
        let answer = tokio::time::timeout(TIMEOUT, store.answers()).await;
        let answer = answer.unwrap_or_else(|_| Err(StoreError::Unanswered("it took too long".to_owned())));
        *last = Some((now_ms, answer.as_ref().map_err(ToString::to_string).copied()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Allowed;

    #[tokio::test]
    async fn the_database_is_asked_once_a_second_however_many_want_to_know() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let health = Health::default();
        health.check(&store, 0).await.expect("well");
        store.close().await;
        health.check(&store, 999).await.expect("well a moment ago");
        for (now_ms, asked) in [(1_000, true), (1_999, false), (2_000, true), (500, true)] {
            let error = health.check(&store, now_ms).await.expect_err("closed");
            assert_eq!(!matches!(error, StoreError::Unanswered(_)), asked, "at {now_ms}");
        }
    }
}
