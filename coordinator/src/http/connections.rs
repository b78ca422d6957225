//! Limits for connections, and the eviction of a connection when there are too many.
//!
//! A connection is *busy* while a caller with a valid token waits for an answer on it. Every other connection may be closed:
//! first those without a valid token so far, then those that have been idle longest.

use crate::access::proxies::is_named;
use crate::access::{Network, network};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// A mark on requests that came over TLS.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encrypted;

/// The order in which the connections of an address are closed: those without a valid token first, then by age.
type Turn = (bool, u64);

/// The open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    most: usize,
    of_one: usize,
    proxies: Vec<Network>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    clock: u64,
    by_address: HashMap<IpAddr, Of>,
}

/// The connections of an address.
#[derive(Debug, Default)]
struct Of {
    open: usize,
    idle: BTreeMap<Turn, CancellationToken>,
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Place {
    connections: Arc<Connections>,
    address: IpAddr,
    state: Mutex<State>,
    closed: CancellationToken,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// None while the connection is busy.
    turn: Option<Turn>,
    /// Whether a request on the connection had a valid token.
    known: bool,
}

impl Connections {
    /// Limits for all connections and for those of one address. Proxies that the operator named have no limit of their
    /// own.
    pub(crate) fn new(most: usize, of_one: usize, proxies: Vec<Network>) -> Arc<Self> {
        Arc::new(Self { most, of_one, proxies, open: Mutex::default() })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a new connection. Another connection may be closed for it: one of the same address if that has too many, else one
    /// of the address with the most connections that are not busy. None if all are busy.
    pub(crate) fn enter(self: &Arc<Self>, peer: IpAddr) -> Option<Arc<Place>> {
        let address = network(peer);
        let mut open = self.open();
        let own = open.by_address.get(&address).map_or(0, |of| of.open);
        if own >= self.of_one && !is_named(&self.proxies, peer) {
            open.close_one(address)?;
        } else if open.total >= self.most {
            let quietest = |of: &Of| Reverse(of.idle.keys().next().copied());
            let most = open.by_address.iter().max_by_key(|(_, of)| (of.idle.len(), quietest(of)));
            let address = *most?.0;
            open.close_one(address)?;
        }
        let turn = (false, open.tick());
        let closed = CancellationToken::new();
        let of = open.by_address.entry(address).or_default();
        of.open += 1;
        of.idle.insert(turn, closed.clone());
        open.total += 1;
        let state = Mutex::new(State { turn: Some(turn), known: false });
        Some(Arc::new(Place { connections: self.clone(), address, state, closed }))
    }
}

impl Open {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Notes that a connection of an address has ended.
    fn leave(&mut self, address: IpAddr) {
        self.total -= 1;
        if let Some(of) = self.by_address.get_mut(&address) {
            of.open -= 1;
            if of.open == 0 {
                self.by_address.remove(&address);
            }
        }
    }

    /// Closes the first connection of an address that may be closed. Its permit is released at once.
    fn close_one(&mut self, address: IpAddr) -> Option<()> {
        let of = self.by_address.get_mut(&address)?;
        let (_, closed) = of.idle.pop_first()?;
        closed.cancel();
        self.leave(address);
        Some(())
    }
}

impl Place {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancelled when the connection is closed in favour of another.
    pub(crate) fn closed(&self) -> &CancellationToken {
        &self.closed
    }

    /// Changes the turn of the connection among those of its address, unless it was closed.
    fn turn(&self, change: impl FnOnce(&mut State, u64)) {
        let mut state = self.state();
        let mut open = self.connections.open();
        if self.closed.is_cancelled() {
            return;
        }
        let now = open.tick();
        let before = state.turn;
        change(&mut state, now);
        let Some(of) = open.by_address.get_mut(&self.address) else { return };
        if let Some(turn) = before {
            of.idle.remove(&turn);
        }
        if let Some(turn) = state.turn {
            of.idle.insert(turn, self.closed.clone());
        }
    }

    /// Notes that a request begins.
    pub(crate) fn heard(&self) {
        self.turn(|state, now| state.turn = Some((state.known, now)));
    }

    /// Notes that the request had a valid token: the connection stays open until the answer is written.
    pub(crate) fn admitted(&self) {
        self.turn(|state, _| *state = State { turn: None, known: true });
    }

    /// Notes that the answer was written or abandoned.
    pub(crate) fn answered(&self) {
        self.heard();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let turn = self.state().turn;
        let mut open = self.connections.open();
        if self.closed.is_cancelled() {
            return;
        }
        if let (Some(turn), Some(of)) = (turn, open.by_address.get_mut(&self.address)) {
            of.idle.remove(&turn);
        }
        open.leave(self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(n: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, n])
    }

    fn are_closed(places: &[Arc<Place>]) -> Vec<bool> {
        places.iter().map(|place| place.closed().is_cancelled()).collect()
    }

    #[test]
    fn who_has_the_most_loses_the_quietest_and_nobody_loses_an_answer() {
        let connections = Connections::new(4, 3, Vec::new());
        let mut first: Vec<_> = (0..3).map(|_| connections.enter(at(1)).expect("a place")).collect();
        let second = connections.enter(at(2)).expect("a place");
        first[0].heard();
        let third = connections.enter(at(3)).expect("somebody else's place");
        assert_eq!(are_closed(&first), [false, true, false], "the one that was quiet for longest");
        first[0].admitted();
        let fourth = connections.enter(at(4)).expect("a place");
        assert_eq!(are_closed(&first), [false, true, true], "not the one with an answer on its way");
        for place in [&second, &third, &fourth] {
            assert!(!place.closed().is_cancelled());
            place.admitted();
        }
        assert!(connections.enter(at(5)).is_none(), "all are busy");
        first[0].answered();
        let fifth = connections.enter(at(5)).expect("a place");
        assert!(first[0].closed().is_cancelled());
        first.clear();
        assert_eq!(connections.open().total, 4);
        drop((second, third, fourth, fifth));
        assert_eq!(connections.open().total, 0);
        assert!(connections.open().by_address.is_empty());
    }

    #[test]
    fn an_address_has_its_limit_and_strangers_go_before_those_who_are_known() {
        let proxy = vec!["10.0.0.9".parse().expect("a network")];
        let connections = Connections::new(100, 3, proxy);
        let known = connections.enter(at(1)).expect("a place");
        known.admitted();
        known.answered();
        let strangers: Vec<_> = (0..2).map(|_| connections.enter(at(1)).expect("a place")).collect();
        strangers.iter().for_each(|place| place.heard());
        let more: Vec<_> = (0..2).map(|_| connections.enter(at(1)).expect("a place")).collect();
        assert_eq!(are_closed(&strangers), [true, true]);
        let last = connections.enter(at(1)).expect("a place");
        assert_eq!(are_closed(&more), [true, false]);
        assert!(!known.closed().is_cancelled());
        assert_eq!(connections.open().total, 3);
        let proxied: Vec<_> = (0..50).map(|_| connections.enter(at(9)).expect("a place")).collect();
        assert!(are_closed(&proxied).iter().all(|closed| !closed));
        drop((known, strangers, more, last, proxied));
        assert!(connections.open().by_address.is_empty());
    }
}
