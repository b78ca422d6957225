//! Quotas: a limit for what all callers hold at once, and a limit for each caller.

use super::limits::ClientKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A resource that callers hold for a while. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Quota {
    all: usize,
    each: usize,
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    total: usize,
    by_client: HashMap<ClientKey, usize>,
}

/// The limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exceeded {
    /// The limit for all callers.
    All,
    /// The limit of this caller.
    Each,
}

/// A caller's part of a quota, which is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct Reserved {
    quota: Quota,
    client: ClientKey,
    amount: usize,
}

impl Quota {
    /// A quota of `all`, of which each caller may hold `each`.
    pub(crate) fn new(all: usize, each: usize) -> Self {
        Self { all, each, held: Arc::default() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all callers hold now.
    pub(crate) fn total(&self) -> usize {
        self.held().total
    }

    /// Reserves a part of the quota for a caller.
    pub(crate) fn reserve(&self, client: ClientKey, amount: usize) -> Result<Reserved, Exceeded> {
        let mut held = self.held();
        if held.by_client.get(&client).copied().unwrap_or_default() + amount > self.each {
            return Err(Exceeded::Each);
        }
        if held.total + amount > self.all {
            return Err(Exceeded::All);
        }
        held.total += amount;
        *held.by_client.entry(client).or_default() += amount;
        Ok(Reserved { quota: self.clone(), client, amount })
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut held = self.quota.held();
        held.total -= self.amount;
        if let Some(own) = held.by_client.get_mut(&self.client) {
            *own -= self.amount;
            if *own == 0 {
                held.by_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_limit_below_that_of_all() {
        let quota = Quota::new(5, 3);
        let [one, other, third] = [1, 2, 3].map(ClientKey::Token);
        let first = quota.reserve(one, 2).expect("within both limits");
        assert_eq!(quota.reserve(one, 2).err(), Some(Exceeded::Each));
        let second = quota.reserve(other, 3).expect("the rest");
        assert_eq!(quota.reserve(third, 1).err(), Some(Exceeded::All));
        drop(first);
        let third = quota.reserve(third, 2).expect("what was released");
        assert_eq!(quota.total(), 5);
        drop((second, third));
        assert!(quota.total() == 0 && quota.held().by_client.is_empty());
    }
}
