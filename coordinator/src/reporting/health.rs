//! Whether the database answers. The probe runs at most five times a second, for any number of callers.

use crate::store::{Store, StoreError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long an answer is valid.
const KEPT: Duration = Duration::from_millis(200);

/// The last answer.
#[derive(Debug, Default)]
pub(crate) struct Health {
    last: Mutex<Option<(Instant, Result<(), String>)>>,
}

impl Health {
    /// The last answer, or a new one if that has expired. Concurrent callers wait for the same answer.
    pub(crate) async fn check(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let mut last = self.last.lock().await;
        if let Some((at, answer)) = &*last
            && now.saturating_duration_since(*at) < KEPT
        {
            return answer.clone().map_err(StoreError::Unanswered);
        }
        let answer = store.answers().await;
        let told = answer.as_ref().map_err(|error| match error {
            StoreError::Unanswered(why) => why.clone(),
            error => error.to_string(),
        });
        // The validity begins at the end of the attempt, because a failed attempt takes long.
        *last = Some((now.max(Instant::now()), told.copied()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Allowed;

    #[tokio::test]
    async fn the_database_is_asked_now_and_then_however_many_want_to_know() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let health = Health::default();
        // Later than the end of every attempt of this test.
        let start = Instant::now() + Duration::from_secs(3_600);
        let at = |ms| start + Duration::from_millis(ms);
        health.check(&store, at(0)).await.expect("well");
        store.close().await;
        health.check(&store, at(199)).await.expect("well a moment ago");
        for (ms, asked) in [(200, true), (399, false), (400, true)] {
            let error = health.check(&store, at(ms)).await.expect_err("closed");
            assert_eq!(!matches!(error, StoreError::Unanswered(_)), asked, "at {ms}");
        }
    }
}
