//! Whether results can be stored, judged by the last attempts.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long after the last failure results count as stored again, in milliseconds, if no results came meanwhile. A small commit
/// may fit on a full disk where a large one does not, so its success proves little.
const MENDED_MS: i64 = 30_000;

/// How often a continuing failure is logged, in milliseconds.
const AGAIN_MS: i64 = 60_000;

/// The last failure, until results are stored again. Times are [`passed`](crate::clock::Clock::passed_ms).
#[derive(Debug, Default)]
pub(crate) struct Storing(Mutex<Option<Failure>>);

#[derive(Debug)]
struct Failure {
    why: String,
    /// When the failure was last seen.
    last_ms: i64,
    /// When the failure was last logged.
    told_ms: i64,
    /// Whether a commit has succeeded since.
    commits_again: bool,
}

impl Storing {
    fn last(&self) -> MutexGuard<'_, Option<Failure>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a failure; gives whether it should be logged.
    pub(crate) fn failed(&self, why: String, passed_ms: i64) -> bool {
        let mut last = self.last();
        let told_ms = last.as_ref().map(|failure| failure.told_ms);
        let is_news = told_ms.is_none_or(|told_ms| passed_ms - told_ms >= AGAIN_MS);
        let told_ms = told_ms.filter(|_| !is_news).unwrap_or(passed_ms);
        *last = Some(Failure { why, last_ms: passed_ms, told_ms, commits_again: false });
        is_news
    }

    /// Notes a commit, with `results` or without.
    pub(crate) fn stored(&self, results: bool, passed_ms: i64) {
        let mut last = self.last();
        let Some(failure) = last.as_mut() else { return };
        failure.commits_again = true;
        if results || passed_ms - failure.last_ms >= MENDED_MS {
            tracing::info!("results are stored again");
            *last = None;
        }
    }

    /// Why results cannot be stored, if they cannot.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.last().as_ref().map(|failure| failure.why.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_counts_until_results_are_stored_or_nothing_failed_for_a_while() {
        let storing = Storing::default();
        assert!(storing.failed("full".into(), 0), "news");
        assert!(!storing.failed("full".into(), 1_000) && storing.failed("full".into(), AGAIN_MS));
        storing.stored(false, AGAIN_MS + 1_000);
        assert_eq!(storing.trouble().as_deref(), Some("full"), "a small commit proves little");
        storing.stored(false, AGAIN_MS + MENDED_MS);
        assert_eq!(storing.trouble(), None);
        storing.failed("full".into(), 0);
        storing.stored(true, 1);
        assert_eq!(storing.trouble(), None);
    }
}
