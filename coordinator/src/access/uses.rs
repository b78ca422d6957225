//! The times of the last uses of tokens, buffered until they are stored.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A use is stored when the stored one is older than this, in milliseconds: a page that asks every second causes few writes.
const STORED_EVERY_MS: i64 = 600_000;

/// The uses since the coordinator was opened, by the digests of tokens.
#[derive(Debug, Default)]
pub(crate) struct TokenUses(Mutex<HashMap<String, TokenUse>>);

#[derive(Debug, Default)]
struct TokenUse {
    last_ms: i64,
    stored_ms: Option<i64>,
}

impl TokenUses {
    fn known(&self) -> MutexGuard<'_, HashMap<String, TokenUse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a token is used now.
    pub(crate) fn note(&self, token: &str, now_ms: i64) {
        let mut known = self.known();
        match known.get_mut(token) {
            Some(used) => used.last_ms = now_ms,
            None => drop(known.insert(token.to_owned(), TokenUse { last_ms: now_ms, stored_ms: None })),
        }
    }

    /// The uses that should be stored now.
    pub(crate) fn unstored(&self) -> Vec<(String, i64)> {
        let known = self.known();
        let is_due = |used: &TokenUse| used.stored_ms.is_none_or(|at| used.last_ms - at >= STORED_EVERY_MS);
        known
            .iter()
            .filter(|(_, used)| is_due(used))
            .map(|(token, used)| (token.clone(), used.last_ms))
            .collect()
    }

    /// Notes that these uses are stored.
    pub(crate) fn are_stored(&self, uses: &[(String, i64)]) {
        let mut known = self.known();
        for (token, at_ms) in uses {
            known.entry(token.clone()).or_default().stored_ms = Some(*at_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_stored_at_once_and_then_every_ten_minutes() {
        let uses = TokenUses::default();
        assert_eq!(uses.unstored(), []);
        uses.note("a", 5);
        let first = uses.unstored();
        assert_eq!(first, [("a".to_owned(), 5)]);
        uses.are_stored(&first);
        uses.note("a", 5 + STORED_EVERY_MS - 1);
        assert_eq!(uses.unstored(), []);
        uses.note("a", 5 + STORED_EVERY_MS);
        assert_eq!(uses.unstored(), [("a".to_owned(), 5 + STORED_EVERY_MS)]);
    }
}
