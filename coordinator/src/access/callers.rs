//! Authentication of callers by their secrets. One query of the database serves all waiting callers, on a separate connection,
//! and its result is cached for a moment.

use super::Caller;
use super::token::Token;
use crate::store::{Store, StoreError, TokenRow};
use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The lifetime of a cached result, in milliseconds. For that time another coordinator may not notice a revocation.
const KEPT_MS: i64 = 1_000;

/// The most digests in the cache.
const MOST: usize = 10_000;

/// The most digests that are remembered as proven. Beyond this number all are dropped.
const MOST_PROVEN: usize = 100_000;

/// The timeout of a query.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The digest of a caller's secret, with its kind, so that no kind is mistaken for another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shown {
    Token(String),
    /// The secret in the cookie of a page that signed in.
    Page(String),
    /// A code by which machines join.
    Code(String),
}

impl Shown {
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

/// The result of a query for a secret.
#[derive(Debug, Clone)]
struct Found {
    /// When the query began.
    at_ms: i64,
    /// The caller, and until when the secret is valid; none if it is not valid.
    caller: Option<(Caller, i64)>,
}

#[derive(Debug, Default)]
struct Known {
    found: HashMap<Shown, Found>,
    /// Secrets that were valid at the last query. Their callers do not wait for callers who guess.
    proven: HashSet<Shown>,
    /// Separate queries for unknown and for proven secrets: a caller who guesses delays no known caller.
    lanes: [Lane; 2],
    /// Counts the events after which a cached result may be wrong.
    changes: u64,
    /// The number of queries so far.
    looks: u64,
}

/// A sequence of queries, each for all callers that wait when it begins.
#[derive(Debug, Default)]
struct Lane {
    /// Secrets that wait for the next query.
    asked: HashSet<Shown>,
    /// Whether a query is running.
    looking: bool,
    /// When the last failed query began, and why it failed.
    failed: Option<(i64, String)>,
}

/// The recently authenticated callers.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    known: Mutex<Known>,
    /// A query has ended.
    ended: [Notify; 2],
}

/// The caller that runs the query for all. When it is done or cancelled, another caller takes over.
struct Turn<'a>(&'a Callers, usize);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.known().lanes[self.1].looking = false;
        self.0.ended[self.1].notify_waiters();
    }
}

impl Callers {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the cache, because something was revoked or a page signed out.
    pub(crate) fn forget(&self) {
        let mut known = self.known();
        known.changes += 1;
        known.found.clear();
    }

    /// Notes that a secret is valid from now on.
    pub(crate) fn admit(&self, shown: Shown) {
        let mut known = self.known();
        known.changes += 1;
        known.found.remove(&shown);
        known.prove(shown);
    }

    /// The number of queries of the database so far.
    pub(crate) fn looks(&self) -> u64 {
        self.known().looks
    }

    /// Whether this secret needs no query, or was valid at the last one.
    pub(crate) fn is_proven(&self, shown: &Shown, now_ms: i64) -> bool {
        let known = self.known();
        known.proven.contains(shown) || known.answer(shown, now_ms, i64::MAX).is_some()
    }

    /// The caller with this secret, if it is valid now.
    pub(crate) async fn find(
        &self,
        store: &Store,
        shown: &Shown,
        now_ms: impl Fn() -> i64,
    ) -> Result<Option<Caller>, StoreError> {
        let came_ms = now_ms();
        let lane = {
            let mut known = self.known();
            if let Some(answer) = known.answer(shown, came_ms, i64::MAX) {
                return Ok(answer);
            }
            let lane = usize::from(known.proven.contains(shown));
            known.lanes[lane].asked.insert(shown.clone());
            lane
        };
        let (_turn, at_ms, asked, changes) = loop {
            let mut ended = pin!(self.ended[lane].notified());
            ended.as_mut().enable();
            {
                let at_ms = now_ms();
                let mut known = self.known();
                if let Some(answer) = known.answer(shown, at_ms, came_ms) {
                    return Ok(answer);
                }
                let Lane { asked, looking, failed } = &mut known.lanes[lane];
                if let Some((began_ms, why)) = failed
                    && *began_ms >= came_ms
                {
                    return Err(StoreError::Unanswered(why.clone()));
                }
                if !*looking {
                    *looking = true;
                    let mut asked = std::mem::take(asked);
                    asked.insert(shown.clone());
                    known.looks += 1;
                    break (Turn(self, lane), at_ms, asked, known.changes);
                }
            }
            ended.await;
        };
        let looked = tokio::time::timeout(TIMEOUT, look(store, &asked, at_ms)).await;
        let looked = looked.unwrap_or_else(|_| Err(StoreError::Unanswered("it took too long".to_owned())));
        let mut known = self.known();
        match looked {
            Ok(mut callers) => {
                known.lanes[lane].failed = None;
                for shown in &asked {
                    match callers.contains_key(shown) {
                        true => known.prove(shown.clone()),
                        false => drop(known.proven.remove(shown)),
                    }
                }
                let caller = callers.get(shown).cloned();
                if known.changes == changes {
                    known.make_room(asked.len(), at_ms);
                    let found = asked.into_iter().map(|shown| {
                        let caller = callers.remove(&shown);
                        (shown, Found { at_ms, caller })
                    });
                    known.found.extend(found);
                }
                Ok(caller.map(|(caller, _)| caller))
            }
            Err(error) => {
                known.lanes[lane].failed = Some((at_ms, error.to_string()));
                Err(error)
            }
        }
    }
}

impl Known {
    /// The result for a secret, if it is recent or newer than `came_ms`, the time of the request.
    fn answer(&self, shown: &Shown, now_ms: i64, came_ms: i64) -> Option<Option<Caller>> {
        let found = self.found.get(shown)?;
        // A result from the future was found before the clock was set back.
        let lately = (0..KEPT_MS).contains(&(now_ms - found.at_ms));
        let caller = found.caller.as_ref().filter(|(_, ends_ms)| now_ms < *ends_ms);
        (lately || found.at_ms >= came_ms).then(|| caller.map(|(caller, _)| caller.clone()))
    }

    fn prove(&mut self, shown: Shown) {
        if self.proven.len() >= MOST_PROVEN {
            self.proven.clear();
        }
        self.proven.insert(shown);
    }

    fn make_room(&mut self, wanted: usize, now_ms: i64) {
        if self.found.len() + wanted > MOST {
            self.found.retain(|_, found| (0..KEPT_MS).contains(&(now_ms - found.at_ms)));
        }
        if self.found.len() + wanted > MOST {
            self.found.clear();
        }
    }
}

/// The valid secrets among those asked for, with their holders and the ends of their validity.
async fn look(
    store: &Store,
    asked: &HashSet<Shown>,
    now_ms: i64,
) -> Result<HashMap<Shown, (Caller, i64)>, StoreError> {
    let (mut tokens, mut pages, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    for shown in asked {
        match shown {
            Shown::Token(hash) => tokens.push(hash.clone()),
            Shown::Page(hash) => pages.push(hash.clone()),
            Shown::Code(hash) => codes.push(hash.clone()),
        }
    }
    let mut doors = store.doors().await?;
    let mut callers = HashMap::new();
    for row in doors.tokens_of(&tokens).await? {
        let hash = row.hash.clone();
        callers.extend(worth(row, i64::MAX, now_ms).map(|worth| (Shown::Token(hash), worth)));
    }
    for row in doors.pages_of(&pages).await? {
        callers.extend(worth(row.token, row.expires_ms, now_ms).map(|worth| (Shown::Page(row.hash), worth)));
    }
    for hash in doors.live_codes(&codes, now_ms).await? {
        callers.insert(Shown::Code(hash), (Caller::default(), i64::MAX));
    }
    Ok(callers)
}

/// The holder of a token, and until when the token is valid, `ends_ms` at most; none if it is not valid.
fn worth(row: TokenRow, ends_ms: i64, now_ms: i64) -> Option<(Caller, i64)> {
    let ends_ms = row.expires_ms.map_or(ends_ms, |expires_ms| expires_ms.min(ends_ms));
    (row.is_valid(now_ms) && now_ms < ends_ms).then(|| (Caller::of(row), ends_ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Allowed;

    /// Nothing but strangers, who are known to be none.
    fn strangers(callers: &Callers, number: usize, at_ms: i64) {
        let mut known = callers.known();
        known.make_room(number, at_ms);
        for n in 0..number {
            known.found.insert(Shown::Token(format!("{at_ms} {n}")), Found { at_ms, caller: None });
        }
    }

    #[test]
    fn memory_is_bounded_and_what_is_old_goes_first() {
        let callers = Callers::default();
        strangers(&callers, MOST - 1, 0);
        strangers(&callers, 1, 999);
        assert!(callers.is_proven(&Shown::Token("0 5".into()), 999));
        assert!(!callers.is_proven(&Shown::Token("0 5".into()), 1_000), "for a moment only");
        assert!(!callers.is_proven(&Shown::Token("999 0".into()), 500), "a clock that was set back");
        assert!(!callers.is_proven(&Shown::Page("0 5".into()), 999), "a token is no page");
        strangers(&callers, 1, 1_001);
        assert_eq!(callers.known().found.len(), 2);
        strangers(&callers, MOST, 1_002);
        assert_eq!(callers.known().found.len(), MOST);
    }

    #[tokio::test]
    async fn a_look_is_for_all_who_wait() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let callers = Callers::default();
        let looks = |at_ms: i64| {
            let (callers, store) = (&callers, &store);
            let many = (0..300).map(move |n| async move {
                let shown = Shown::token(&format!("{n}"));
                let found = callers.find(store, &shown, || at_ms).await.expect("an answer");
                assert_eq!(found, None);
            });
            futures_util::future::join_all(many)
        };
        looks(0).await;
        let first = callers.looks();
        assert!(first <= 5, "{first} looks for 300");
        looks(999).await;
        assert_eq!(callers.looks(), first, "they are remembered");
        looks(1_000).await;
        let second = callers.looks();
        assert!((first + 1..=first + 5).contains(&second), "for a moment");
        callers.forget();
        looks(1_000).await;
        assert!(callers.looks() > second);
        store.close().await;
        callers.find(&store, &Shown::token("0"), || 3_000).await.expect_err("the database is closed");
    }
}
