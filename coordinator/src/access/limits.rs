//! Rate limits: each caller has a bucket that fills up with time, and each request takes from it.

use crate::clock::Clock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The most callers with a bucket. Beyond this number, those with a full bucket are dropped.
const MOST_ASKERS: usize = 10_000;

/// A long-term rate in requests a second, and the burst that is allowed.
#[derive(Debug, Clone, Copy)]
struct Rate {
    per_second: f64,
    burst: f64,
}

/// The limit for pages and changes by people, for each caller. Workers' calls have no rate limit: they give way in the
/// writer's queue.
const PEOPLE: Rate = Rate { per_second: 100.0, burst: 500.0 };

/// The number of wrong secrets from an address that are looked up without delay. Further ones from this address wait for each
/// other.
const WRONG: Rate = Rate { per_second: 1.0, burst: 20.0 };

/// The time between two batched queries for the secrets of addresses that sent many wrong ones.
const COMMON_MOMENT: Duration = Duration::from_millis(250);

/// The unit of rate limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Asker {
    /// The holder of a valid token, by the beginning of its digest, from any address: no other caller can use up its limit.
    Token(u64),
    /// All other callers at one address.
    Address(IpAddr),
}

impl Asker {
    /// The holder of the token with this digest.
    pub(crate) fn token(digest: &str) -> Self {
        let start = digest.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        Self::Token(start.unwrap_or_default())
    }

    /// A caller at this address. A 64-bit prefix of IPv6 counts as one address, because its holder has all of them.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(network(address))
    }
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at_ms: i64,
}

impl Bucket {
    /// Fills the bucket up to a time. A clock that went back adds nothing.
    fn refill(&mut self, rate: Rate, now_ms: i64) {
        let seconds = (now_ms - self.at_ms).max(0) as f64 / 1000.0;
        self.left = (self.left + seconds * rate.per_second).min(rate.burst);
        self.at_ms = now_ms;
    }
}

#[derive(Debug)]
struct Buckets {
    rate: Rate,
    by_asker: Mutex<HashMap<Asker, Bucket>>,
}

impl Buckets {
    fn new(rate: Rate) -> Self {
        Self { rate, by_asker: Mutex::default() }
    }

    /// Takes `cost` from a bucket that holds at least one; otherwise gives the milliseconds to wait.
    fn take(&self, asker: Asker, cost: f64, now_ms: i64) -> Result<(), u64> {
        let mut buckets = self.by_asker.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ASKERS && !buckets.contains_key(&asker) {
            buckets.retain(|_, bucket| {
                bucket.refill(self.rate, now_ms);
                bucket.left < self.rate.burst
            });
            if buckets.len() >= MOST_ASKERS {
                buckets.clear();
            }
        }
        let full = Bucket { left: self.rate.burst, at_ms: now_ms };
        let bucket = buckets.entry(asker).or_insert(full);
        bucket.refill(self.rate, now_ms);
        if bucket.left < 1.0 {
            return Err(((1.0 - bucket.left) / self.rate.per_second * 1000.0).ceil() as u64);
        }
        bucket.left -= cost;
        Ok(())
    }
}

/// The address, or its 64-bit prefix for IPv6, whose holder has as many addresses as it wants.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(std::net::Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        address => address,
    }
}

/// All the limits of a coordinator.
#[derive(Debug)]
pub(crate) struct Limits {
    clock: Clock,
    people: Buckets,
    wrong: Buckets,
    began: Instant,
}

impl Limits {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, people: Buckets::new(PEOPLE), wrong: Buckets::new(WRONG), began: Instant::now() }
    }

    /// Admits a request of a person, or gives the milliseconds to wait.
    pub(crate) fn ask(&self, asker: Asker) -> Result<(), u64> {
        self.people.take(asker, 1.0, self.clock.passed_ms())
    }

    /// Notes that a secret from this address was wrong.
    pub(crate) fn was_wrong(&self, address: IpAddr) {
        // An empty bucket stays empty.
        let _ = self.wrong.take(Asker::address(address), 1.0, self.clock.passed_ms());
    }

    /// Returns at once when few secrets from this address were wrong. Otherwise waits for the next batched query of all such
    /// addresses. No secret is refused unseen: it may be valid.
    pub(crate) async fn turn(&self, address: IpAddr) {
        if self.wrong.take(Asker::address(address), 0.0, self.clock.passed_ms()).is_err() {
            let passed = self.began.elapsed().as_millis() / COMMON_MOMENT.as_millis();
            let next = COMMON_MOMENT * u32::try_from(passed + 1).unwrap_or(u32::MAX);
            tokio::time::sleep_until(self.began + next).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, n])
    }

    fn at(n: u8) -> Asker {
        Asker::address(address(n))
    }

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let clock = Clock::manual(1_000_000);
        let limits = Limits::new(clock.clone());
        for _ in 0..500 {
            limits.ask(at(1)).expect("within the burst");
        }
        assert_eq!(limits.ask(at(1)), Err(10));
        limits.ask(at(2)).expect("another address has its own");
        limits.ask(Asker::token(&"a".repeat(64))).expect("and so has a token");
        clock.advance(20);
        limits.ask(at(1)).expect("one");
        limits.ask(at(1)).expect("two");
        limits.ask(at(1)).expect_err("three");
        clock.advance(-1_000_000);
        limits.ask(at(1)).expect_err("a clock that goes back fills nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_wrong_often_waits_for_a_common_moment_and_nobody_else_does() {
        let clock = Clock::manual(0);
        let limits = Limits::new(clock.clone());
        let waits = async |n| {
            let began = Instant::now();
            limits.turn(address(n)).await;
            began.elapsed()
        };
        for _ in 0..20 {
            assert_eq!(waits(1).await, Duration::ZERO, "twenty are free");
            limits.was_wrong(address(1));
        }
        assert_eq!(waits(1).await, COMMON_MOMENT);
        tokio::time::advance(COMMON_MOMENT / 5).await;
        assert_eq!(waits(1).await, COMMON_MOMENT * 4 / 5);
        for n in 3..=255 {
            (0..100).for_each(|_| limits.was_wrong(address(n)));
        }
        assert_eq!(waits(2).await, Duration::ZERO, "whoever else was wrong");
        clock.advance(1_000);
        assert_eq!(waits(1).await, Duration::ZERO, "that passes");
    }

    #[test]
    fn neighbours_of_a_prefix_share_a_bucket_and_memory_is_bounded() {
        let limits = Limits::new(Clock::manual(0));
        let neighbour = |n: u32| Asker::address(format!("2001:db8::{n:x}").parse().expect("an address"));
        for n in 0..500 {
            limits.ask(neighbour(n)).expect("within the burst");
        }
        limits.ask(neighbour(9_999)).expect_err("the same network");
        for n in 0..30_000_u32 {
            let _ = limits.ask(Asker::address(IpAddr::from(n.to_be_bytes())));
        }
        assert!(limits.people.by_asker.lock().expect("no panic").len() <= MOST_ASKERS);
    }
}
