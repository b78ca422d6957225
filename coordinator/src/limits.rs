//! How much one address may ask for: buckets that fill up with time and from which every request takes.

use crate::clock::Clock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Addresses remembered at most. When there are more, those that have been quiet are forgotten.
const MOST_ADDRESSES: usize = 10_000;

/// Event streams open at once at most.
const MOST_STREAMS: usize = 1_000;

/// Requests a second in the long run, and at once.
#[derive(Debug, Clone, Copy)]
struct Rate {
    per_second: f64,
    burst: f64,
}

/// Pages and changes by people, by address. Workers' calls are not limited here: they give way in the writer's queue.
const PEOPLE: Rate = Rate { per_second: 100.0, burst: 500.0 };

/// Wrong codes and tokens shown at the doors meant for people, by address.
const GUESSES: Rate = Rate { per_second: 0.2, burst: 10.0 };

/// The same of all addresses together: 40 bits at five a second are seven thousand years.
const ALL_GUESSES: Rate = Rate { per_second: 5.0, burst: 300.0 };

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at_ms: i64,
}

impl Bucket {
    /// What is in it at a time. A clock that went back adds nothing.
    fn refill(&mut self, rate: Rate, now_ms: i64) {
        let seconds = (now_ms - self.at_ms).max(0) as f64 / 1000.0;
        self.left = (self.left + seconds * rate.per_second).min(rate.burst);
        self.at_ms = now_ms;
    }
}

#[derive(Debug)]
struct Buckets {
    rate: Rate,
    by_address: Mutex<HashMap<IpAddr, Bucket>>,
}

impl Buckets {
    fn new(rate: Rate) -> Self {
        Self { rate, by_address: Mutex::default() }
    }

    /// Looks at an address's bucket when `cost` were taken from it: the milliseconds to wait when it does not hold
    /// them.
    fn take(&self, address: IpAddr, cost: f64, now_ms: i64) -> Result<(), u64> {
        let mut buckets = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_ADDRESSES && !buckets.contains_key(&network(address)) {
            buckets.retain(|_, bucket| {
                bucket.refill(self.rate, now_ms);
                bucket.left < self.rate.burst
            });
            if buckets.len() >= MOST_ADDRESSES {
                buckets.clear();
            }
        }
        let full = Bucket { left: self.rate.burst, at_ms: now_ms };
        let bucket = buckets.entry(network(address)).or_insert(full);
        bucket.refill(self.rate, now_ms);
        if bucket.left < 1.0 {
            return Err(((1.0 - bucket.left) / self.rate.per_second * 1000.0).ceil() as u64);
        }
        bucket.left -= cost;
        Ok(())
    }
}

/// Whoever holds a 64-bit prefix of IPv6 has as many addresses as it wants.
fn network(address: IpAddr) -> IpAddr {
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
    guesses: Buckets,
    all_guesses: Buckets,
    streams: Arc<Semaphore>,
}

impl Limits {
    pub(crate) fn new(clock: Clock) -> Self {
        Self {
            clock,
            people: Buckets::new(PEOPLE),
            guesses: Buckets::new(GUESSES),
            all_guesses: Buckets::new(ALL_GUESSES),
            streams: Arc::new(Semaphore::new(MOST_STREAMS)),
        }
    }

    /// Admits a request of people, or gives the milliseconds to wait.
    pub(crate) fn ask(&self, address: IpAddr) -> Result<(), u64> {
        self.people.take(address, 1.0, self.clock.now_ms())
    }

    /// Whether an address may show a code or a token, or the milliseconds to wait. Right ones cost nothing.
    pub(crate) fn may_guess(&self, address: IpAddr) -> Result<(), u64> {
        let now_ms = self.clock.now_ms();
        self.guesses.take(address, 0.0, now_ms)?;
        self.all_guesses.take(EVERYBODY, 0.0, now_ms)
    }

    /// What it showed was wrong.
    pub(crate) fn guessed_wrong(&self, address: IpAddr) {
        let now_ms = self.clock.now_ms();
        // That the buckets are empty now is noticed at the next guess.
        let _ = self.guesses.take(address, 1.0, now_ms);
        let _ = self.all_guesses.take(EVERYBODY, 1.0, now_ms);
    }

    /// Room for an event stream, if there is any. It is free again when the permit is dropped.
    pub(crate) fn stream(&self) -> Option<OwnedSemaphorePermit> {
        self.streams.clone().try_acquire_owned().ok()
    }
}

const EVERYBODY: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, n])
    }

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let clock = Clock::manual(1_000_000);
        let limits = Limits::new(clock.clone());
        for _ in 0..500 {
            limits.ask(address(1)).expect("within the burst");
        }
        assert_eq!(limits.ask(address(1)), Err(10));
        limits.ask(address(2)).expect("another address has its own");
        clock.advance(20);
        limits.ask(address(1)).expect("one");
        limits.ask(address(1)).expect("two");
        limits.ask(address(1)).expect_err("three");
        clock.advance(-1_000_000);
        limits.ask(address(1)).expect_err("a clock that goes back fills nothing");
    }

    #[test]
    fn wrong_guesses_are_counted_and_right_ones_are_free() {
        let clock = Clock::manual(0);
        let limits = Limits::new(clock.clone());
        for _ in 0..100 {
            limits.may_guess(address(1)).expect("nothing was wrong yet");
        }
        for _ in 0..10 {
            limits.may_guess(address(1)).expect("ten are free");
            limits.guessed_wrong(address(1));
        }
        assert_eq!(limits.may_guess(address(1)), Err(5_000));
        limits.may_guess(address(2)).expect("another address");
        for n in 0..=255 {
            for _ in 0..10 {
                limits.guessed_wrong(address(n));
            }
        }
        let fresh: IpAddr = "2001:db8::1".parse().expect("an address");
        limits.may_guess(fresh).expect_err("there is a limit for all together");
        clock.advance(5_000);
        limits.may_guess(fresh).expect("that passes");
    }

    #[test]
    fn neighbours_of_a_prefix_share_a_bucket_and_memory_is_bounded() {
        let limits = Limits::new(Clock::manual(0));
        let neighbour = |n: u32| -> IpAddr { format!("2001:db8::{n:x}").parse().expect("an address") };
        for n in 0..500 {
            limits.ask(neighbour(n)).expect("within the burst");
        }
        limits.ask(neighbour(9_999)).expect_err("the same network");
        for n in 0..30_000_u32 {
            let _ = limits.ask(IpAddr::from(n.to_be_bytes()));
        }
        assert!(limits.people.by_address.lock().expect("no panic").len() <= MOST_ADDRESSES);
    }
}
