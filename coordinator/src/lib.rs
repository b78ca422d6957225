//! Stores cases and games, hands out work, judges results, and serves the API.
//!
//! [`Coordinator`] is the whole of it; [`app`] is its HTTP side.

mod access;
mod admission;
mod api;
mod bodies;
mod callers;
mod clock;
mod committed;
mod config;
mod connections;
mod coordinator;
mod dashboard;
mod exclusion;
mod flush;
mod health;
mod identity;
mod judge;
mod keep;
mod ledger;
mod limits;
mod listen;
mod metrics;
mod operate;
mod patience;
mod principal;
mod proxies;
mod queue;
mod replays;
mod report;
mod schedule;
mod settle;
pub mod stats;
mod store;
mod streams;
mod sync;
mod tls;
mod token;
mod why;
mod writer;
mod writes;

pub use access::{Caller, OpenResults};
pub use admission::InvalidExperiment;
pub use api::{app, csv};
pub use clock::Clock;
pub use committed::Committed;
pub use config::Config;
pub use coordinator::{Boxed, Coordinator, CoordinatorError};
pub use keep::{CopyError, copy};
pub use proxies::{Network, NoNetwork};
pub use settle::{Dispute, Settled};
pub use store::{Copied, Difference, OpenError, StoreError, Upgraded, Verification};
pub use tls::{Tls, TlsError};
pub use token::Token;
