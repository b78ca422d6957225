//! Stores cases and games, leases pairs to workers, judges results, and serves the API.
//!
//! [`Coordinator`] is the entry point; [`app`] is its HTTP side.

mod access;
mod admin;
mod admission;
mod cache;
mod checking;
mod clock;
mod computing;
mod config;
mod coordinator;
mod delivered;
mod effort;
mod error;
mod http;
mod intake;
mod log_sums;
mod metrics;
mod pairs;
mod principal;
mod priority;
mod reporting;
mod scheduling;
mod store;
mod studies;
mod tally;
mod terms;
mod tuning;
mod watching;
mod writer;

pub use access::{Caller, Network, NoNetwork, OpenResults, Tls, TlsError, Token};
pub use admin::{Adjudication, CopyError, Dispute, Imported, copy};
pub use clock::Clock;
pub use config::Config;
pub use coordinator::{BoxFuture, Bundle, Coordinator, SideKey};
pub use error::{CoordinatorError, InvalidExperiment};
pub use http::{app, app_of_owner};
pub use reporting::keep_best;
pub use store::{
    Copied, CounterMismatch, FileLock, LockError, OpenError, StoreError, UnknownValue, Verification,
    stopping_rule,
};
