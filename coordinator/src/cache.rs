//! A cache of values that can be computed again at any time, such as the state read from a log.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A value that was not used for this time is evicted when another one is inserted.
const UNUSED: Duration = Duration::from_secs(3600);

/// Values by their keys.
pub(crate) struct Cache<K, T>(Mutex<HashMap<K, CacheEntry<T>>>);

struct CacheEntry<T> {
    used: Instant,
    value: Arc<T>,
}

impl<K, T> Default for Cache<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, T: Default> Cache<K, T> {
    /// The value of a key. A new value is empty.
    pub(crate) fn entry(&self, key: K) -> Arc<T> {
        self.entry_at(key, Instant::now())
    }

    fn entry_at(&self, key: K, now: Instant) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !values.contains_key(&key) {
            values
                .retain(|_, one| now.duration_since(one.used) < UNUSED || Arc::strong_count(&one.value) > 1);
        }
        let one = values.entry(key).or_insert_with(|| CacheEntry { used: now, value: Arc::default() });
        one.used = now;
        one.value.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU8, Ordering};

    #[test]
    fn what_nobody_uses_is_dropped_when_another_is_made() {
        let cache: Cache<&str, AtomicU8> = Cache::default();
        let now = Instant::now();
        let later = |hours| now + hours * UNUSED;
        cache.entry_at("idle", now).store(1, Ordering::Relaxed);
        let held = cache.entry_at("held", now);
        held.store(2, Ordering::Relaxed);
        cache.entry_at("busy", now).store(3, Ordering::Relaxed);
        let read = |key, at| cache.entry_at(key, at).load(Ordering::Relaxed);
        assert_eq!(read("busy", later(1)), 3);
        assert_eq!(read("another", later(1)), 0);
        assert_eq!([read("held", later(1)), read("busy", later(1)), read("idle", later(1))], [2, 3, 0]);
    }
}
