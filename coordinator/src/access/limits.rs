//! The rate limit for the calls of people and scripts.

use crate::clock::Clock;
use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

/// Calls a second of one caller, in the long term.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(100).expect("not 0");

/// Calls of one caller at once.
const BURST: NonZeroU32 = NonZeroU32::new(500).expect("not 0");

/// The number of callers from which on those within their burst are forgotten.
const MANY_CLIENTS: usize = 10_000;

/// The unit of limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ClientKey {
    /// The holder of a valid token, by the beginning of its digest, from any address: no other caller can use up its limit.
    Token(u64),
    /// All other callers at one address.
    Address(IpAddr),
}

impl ClientKey {
    /// The holder of the token with this digest.
    pub(crate) fn token(digest: &str) -> Self {
        let start = digest.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        Self::Token(start.unwrap_or_default())
    }

    /// A caller at this address. A 64-bit prefix of IPv6 counts as one address, because its holder has all of them.
    pub(crate) fn address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
            address => address,
        })
    }
}

impl governor::clock::Clock for Clock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Duration::from_millis(self.passed_ms().unsigned_abs()).into()
    }
}

/// The calls of all callers. Workers' calls are not among them: the writer's queue holds them back.
#[derive(Debug)]
pub(crate) struct Limits(RateLimiter<ClientKey, DashMapStateStore<ClientKey>, Clock, NoOpMiddleware<Nanos>>);

impl Limits {
    pub(crate) fn new(clock: Clock) -> Self {
        Self(RateLimiter::new(
            Quota::per_second(PER_SECOND).allow_burst(BURST),
            DashMapStateStore::default(),
            clock,
        ))
    }

    /// Admits a call, or gives the milliseconds to wait.
    pub(crate) fn ask(&self, client: ClientKey) -> Result<(), u64> {
        if self.0.len() >= MANY_CLIENTS {
            self.0.retain_recent();
        }
        self.0.check_key(&client).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.0.clock().now());
            u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(n: u32) -> ClientKey {
        ClientKey::address(IpAddr::from(n.to_be_bytes()))
    }

    #[test]
    fn a_caller_has_its_burst_and_then_its_rate() {
        let clock = Clock::manual(1_000_000);
        let limits = Limits::new(clock.clone());
        for _ in 0..500 {
            limits.ask(at(1)).expect("within the burst");
        }
        assert_eq!(limits.ask(at(1)), Err(10));
        limits.ask(at(2)).expect("another address has its own");
        limits.ask(ClientKey::token(&"a".repeat(64))).expect("and so has a token");
        clock.advance(20);
        limits.ask(at(1)).expect("one");
        limits.ask(at(1)).expect("two");
        limits.ask(at(1)).expect_err("three");
    }

    #[test]
    fn neighbours_of_a_prefix_share_a_limit_and_memory_is_bounded() {
        let clock = Clock::manual(0);
        let limits = Limits::new(clock.clone());
        let neighbour = |n: u32| ClientKey::address(format!("2001:db8::{n:x}").parse().expect("an address"));
        for n in 0..500 {
            limits.ask(neighbour(n)).expect("within the burst");
        }
        limits.ask(neighbour(9_999)).expect_err("the same network");
        for n in 0..30_000 {
            clock.advance(i64::from(n % 100 == 0));
            limits.ask(at(n)).expect("the first");
        }
        assert!(limits.0.len() <= MANY_CLIENTS);
    }
}
