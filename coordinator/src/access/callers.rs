//! Authentication of callers by their secrets, with a cache, on database connections of its own.

use super::Caller;
use super::token::Token;
use crate::store::{Store, StoreError, TokenRow};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a result is cached, in milliseconds. For that time another coordinator may not notice a revocation.
const CACHED_MS: i64 = 1_000;

/// The most results in the cache.
const MOST: u64 = 10_000;

/// The most secrets that are remembered as proven.
const MOST_PROVEN: u64 = 100_000;

/// The lookups of unproven secrets at once. Fewer than the connections, so that a caller who guesses delays no known caller.
const UNPROVEN_AT_ONCE: usize = 1;

/// The timeout of a lookup.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The digest of a caller's secret, with its kind, so that no kind is mistaken for another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SecretDigest {
    Token(String),
    /// The secret in the cookie of a page that signed in.
    Page(String),
    /// A code by which machines join.
    Code(String),
}

impl SecretDigest {
    pub(crate) fn token(secret: &str) -> Self {
        Self::Token(Token::hash(secret))
    }

    pub(crate) fn page(secret: &str) -> Self {
        Self::Page(Token::hash(secret))
    }

    pub(crate) fn code(code: &str) -> Self {
        Self::Code(Token::code_hash(code))
    }
}

/// A secret at one time: in one interval of [`CACHED_MS`], between two changes that may make results wrong.
type Key = (SecretDigest, i64, u64);

/// The holder of a valid secret, and until when the secret is valid.
type Holder = (Caller, i64);

/// The recently authenticated callers.
#[derive(Debug)]
pub(crate) struct Callers {
    cache: moka::future::Cache<Key, Option<Holder>>,
    /// Secrets that were valid at their last lookup.
    proven: moka::sync::Cache<SecretDigest, ()>,
    unproven_turns: Semaphore,
    changes: AtomicU64,
    lookups: AtomicU64,
}

impl Default for Callers {
    fn default() -> Self {
        // A result is found by the time of its lookup, so the oldest results are the ones that are of no use.
        let oldest_first = moka::policy::EvictionPolicy::lru();
        Self {
            cache: moka::future::Cache::builder().max_capacity(MOST).eviction_policy(oldest_first).build(),
            proven: moka::sync::Cache::new(MOST_PROVEN),
            unproven_turns: Semaphore::new(UNPROVEN_AT_ONCE),
            changes: AtomicU64::default(),
            lookups: AtomicU64::default(),
        }
    }
}

impl Callers {
    /// Clears the cache, because something was revoked or a page signed out.
    pub(crate) fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Notes that a secret is valid from now on.
    pub(crate) fn admit(&self, secret: SecretDigest) {
        self.forget();
        self.proven.insert(secret, ());
    }

    /// The number of lookups in the database so far.
    pub(crate) fn lookups(&self) -> u64 {
        self.lookups.load(Ordering::Relaxed)
    }

    /// Whether this secret was valid at its last lookup.
    pub(crate) fn is_proven(&self, secret: &SecretDigest) -> bool {
        self.proven.contains_key(secret)
    }

    /// The caller with this secret, if it is valid now. Concurrent callers with one secret share a lookup.
    pub(crate) async fn find(
        &self,
        store: &Store,
        secret: &SecretDigest,
        now_ms: i64,
    ) -> Result<Option<Caller>, StoreError> {
        let changes = self.changes.load(Ordering::SeqCst);
        let key = (secret.clone(), now_ms.div_euclid(CACHED_MS), changes);
        match self.cache.try_get_with(key, self.look_up(store, secret, now_ms)).await {
            Ok(holder) => Ok(holder.filter(|(_, ends_ms)| now_ms < *ends_ms).map(|(caller, _)| caller)),
            Err(shared) => {
                Err(Arc::try_unwrap(shared).unwrap_or_else(|error| StoreError::Unanswered(error.to_string())))
            }
        }
    }

    async fn look_up(
        &self,
        store: &Store,
        secret: &SecretDigest,
        now_ms: i64,
    ) -> Result<Option<Holder>, StoreError> {
        // The semaphore is never closed.
        let _turn = match self.is_proven(secret) {
            true => None,
            false => self.unproven_turns.acquire().await.ok(),
        };
        self.lookups.fetch_add(1, Ordering::Relaxed);
        let found = tokio::time::timeout(TIMEOUT, holder(store, secret, now_ms)).await;
        let found = found.unwrap_or_else(|_| Err(StoreError::Unanswered("it took too long".to_owned())))?;
        match found {
            Some(_) => self.proven.insert(secret.clone(), ()),
            None => self.proven.invalidate(secret),
        }
        Ok(found)
    }
}

/// The holder of a secret; none if the secret is not valid.
async fn holder(store: &Store, secret: &SecretDigest, now_ms: i64) -> Result<Option<Holder>, StoreError> {
    let mut tx = store.auth_conn().await?;
    let (token, ends_ms) = match secret {
        SecretDigest::Token(hash) => (tx.token(hash).await?, i64::MAX),
        SecretDigest::Page(hash) => match tx.page(hash).await? {
            Some(page) => (Some(page.token), page.expires_ms),
            None => (None, 0),
        },
        SecretDigest::Code(hash) => {
            let live = tx.is_live_code(hash, now_ms).await?;
            return Ok(live.then(|| (Caller::default(), i64::MAX)));
        }
    };
    Ok(token.filter(|token: &TokenRow| token.is_valid(now_ms)).map(|token| {
        let ends_ms = token.expires_ms.map_or(ends_ms, |expires_ms| expires_ms.min(ends_ms));
        (Caller::of(token), ends_ms)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Allowed;

    #[tokio::test]
    async fn callers_with_one_secret_share_a_lookup_for_a_second() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let callers = Callers::default();
        let secrets = [SecretDigest::token("a"), SecretDigest::page("a"), SecretDigest::code("a")];
        let find_all = |at_ms: i64| {
            let (callers, store, secrets) = (&callers, &store, &secrets);
            let many = (0..300).map(move |n| async move {
                let found = callers.find(store, &secrets[n % 3], at_ms).await.expect("an answer");
                assert_eq!(found, None);
            });
            futures_util::future::join_all(many)
        };
        for (at_ms, lookups) in [(0, 3), (999, 3), (1_000, 6)] {
            find_all(at_ms).await;
            assert_eq!(callers.lookups(), lookups, "at {at_ms}");
        }
        callers.forget();
        find_all(1_000).await;
        assert_eq!(callers.lookups(), 9, "after a revocation");
        store.close().await;
        callers.find(&store, &secrets[0], 3_000).await.expect_err("the database is closed");
    }
}
