//! The settings of a coordinator.

use crate::access::{Network, OpenResults, Tls};
use crate::clock::Clock;
use protocol::ids::ExperimentId;
use std::time::Duration;

/// The settings of a coordinator.
#[derive(Debug, Clone)]
pub struct Config {
    /// A file for SQLite, or `postgres://…`.
    pub database: String,
    /// Create the database if there is none. A process that only reads leaves this off, and so notices a mistyped name.
    pub create: bool,
    /// How long to wait at the start for a database server that does not answer yet.
    pub wait: Duration,
    /// The clock.
    pub clock: Clock,
    /// Lease pairs of these experiments only, named by their ids or by the digests of what will be applied; of all experiments if
    /// none is named.
    pub only_experiments: Vec<ExperimentId>,
    /// How long a worker may be silent before its leases lapse.
    pub lease_time: Duration,
    /// How long a game may make no move, although its worker calls, before its lease is revoked.
    pub stall_time: Duration,
    /// The longest time between two calls of a worker.
    pub sync_interval: Duration,
    /// A pair that failed this often is suspended. Failures: the lease lapsed, a game made no progress or was rejected, or the
    /// worker could not play it or died.
    pub most_failures: u32,
    /// The number of complete pairs behind the one that a stopping rule waits for, from which that one goes to another machine.
    pub overtaking: u32,
    /// Version of the program, for the overview.
    pub version: String,
    /// The callers that may read results without a token.
    pub open_results: OpenResults,
    /// Proxies that are trusted to report the address of a caller, and its use of TLS.
    pub trusted_proxies: Vec<Network>,
    /// How long the moves of games are kept; for ever if `None`. Results are always kept.
    pub keep_records: Option<Duration>,
    /// The share of counted games that another machine plays again and that are compared move by move, from 0 to 1.
    pub replay_share: f64,
    /// The share of the fleet that plays the baselines against themselves while other experiments are played, from 0 (none) to
    /// 0.5.
    pub control_share: f64,
    /// The certificate for TLS; plain HTTP if `None`.
    pub tls: Option<Tls>,
}

impl Config {
    /// The usual settings for a database: leases of 2 minutes, games may make no move for an hour, a call every 10 seconds, pairs
    /// suspended after five failures, no rechecks, no control.
    #[must_use]
    pub fn new(database: impl Into<String>) -> Self {
        Self {
            database: database.into(),
            create: true,
            wait: Duration::ZERO,
            clock: Clock::System,
            only_experiments: Vec::new(),
            lease_time: Duration::from_secs(120),
            stall_time: Duration::from_secs(3600),
            sync_interval: Duration::from_secs(10),
            most_failures: 5,
            overtaking: 16,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            open_results: OpenResults::default(),
            trusted_proxies: Vec::new(),
            keep_records: None,
            replay_share: 0.0,
            control_share: 0.0,
            tls: None,
        }
    }

    /// How long records are kept: a minute at least, so that a mistyped number drops nothing of today.
    #[must_use]
    pub(crate) fn records_kept(&self) -> Option<Duration> {
        self.keep_records.map(|time| time.max(Duration::from_secs(60)))
    }
}
