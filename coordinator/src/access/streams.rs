//! Limits for event streams, and the eviction of a stream when there are too many.

use super::limits::Asker;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// The most open event streams.
const MOST: usize = 2_000;

/// The most open event streams of one caller.
const OF_ONE: usize = 1_000;

/// The open streams.
#[derive(Debug, Clone, Default)]
pub(crate) struct Streams {
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    next: u64,
    /// By caller, in the order in which they were opened.
    by_asker: HashMap<Asker, BTreeMap<u64, CancellationToken>>,
}

/// The permit of a stream, which is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    streams: Streams,
    asker: Asker,
    number: u64,
    ended: CancellationToken,
}

impl Streams {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of open streams.
    pub(crate) fn number(&self) -> usize {
        self.open().total
    }

    /// A permit for a stream, unless its caller has too many. When there are too many in all, the oldest stream of the caller
    /// with the most ends in favour of a caller with fewer.
    pub(crate) fn enter(&self, asker: Asker) -> Option<Place> {
        let mut open = self.open();
        let own = open.by_asker.get(&asker).map_or(0, BTreeMap::len);
        if own >= OF_ONE {
            return None;
        }
        if open.total >= MOST {
            let (greatest, streams) = open.by_asker.iter().max_by_key(|(_, streams)| streams.len())?;
            if streams.len() <= own + 1 {
                return None;
            }
            let (greatest, oldest) = (*greatest, *streams.keys().next()?);
            if let Some(ended) = open.remove(greatest, oldest) {
                ended.cancel();
            }
        }
        let number = open.next;
        let ended = CancellationToken::new();
        open.next += 1;
        open.total += 1;
        open.by_asker.entry(asker).or_default().insert(number, ended.clone());
        Some(Place { streams: self.clone(), asker, number, ended })
    }
}

impl Open {
    fn remove(&mut self, asker: Asker, number: u64) -> Option<CancellationToken> {
        let streams = self.by_asker.get_mut(&asker)?;
        let removed = streams.remove(&number);
        if streams.is_empty() {
            self.by_asker.remove(&asker);
        }
        self.total -= usize::from(removed.is_some());
        removed
    }
}

impl Place {
    /// Cancelled when the stream ends in favour of another.
    pub(crate) fn ended(&self) -> CancellationToken {
        self.ended.clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.streams.open().remove(self.asker, self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn at(n: u8) -> Asker {
        Asker::address(IpAddr::from([10, 0, 0, n]))
    }

    #[test]
    fn nobody_takes_all_places_and_who_has_few_gets_one_of_who_has_many() {
        let streams = Streams::default();
        let mut first: Vec<Place> = (0..OF_ONE).map(|_| streams.enter(at(1)).expect("a place")).collect();
        assert!(streams.enter(at(1)).is_none(), "that is enough for one");
        let second: Vec<Place> = (0..OF_ONE - 1).map(|_| streams.enter(at(2)).expect("a place")).collect();
        let third = streams.enter(at(3)).expect("a place");
        assert_eq!(streams.number(), MOST);
        let fourth = streams.enter(at(4)).expect("a place of somebody else");
        assert!(first[0].ended().is_cancelled(), "the oldest of who has the most");
        assert_eq!(streams.number(), MOST);
        assert_eq!(first.iter().chain(&second).filter(|place| place.ended().is_cancelled()).count(), 1);
        assert!(!third.ended().is_cancelled() && !fourth.ended().is_cancelled());
        assert!(streams.enter(at(2)).is_none(), "who has as many as anybody gets no more");
        drop(first.remove(0));
        assert_eq!(streams.number(), MOST, "its place was taken already");
        drop((first, second, third));
        assert_eq!(streams.number(), 1);
        drop(fourth);
        assert!(streams.open().by_asker.is_empty());
    }
}
