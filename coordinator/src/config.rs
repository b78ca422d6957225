//! How a coordinator is opened.

use crate::access::{Network, OpenResults, Tls};
use crate::clock::Clock;
use protocol::ids::ExperimentId;
use std::time::Duration;

/// How a coordinator is opened.
#[derive(Debug, Clone)]
pub struct Config {
    /// A file for SQLite, or `postgres://…`.
    pub database: String,
    /// Make the database when there is none. Whoever only reads says no, and learns of a mistyped name.
    pub create: bool,
    /// Bring the schema of an older program up to date. Whoever says no is told that it is old.
    pub upgrade: bool,
    /// How long to wait at the start for a database server that does not answer yet.
    pub wait: Duration,
    /// What time it is.
    pub clock: Clock,
    /// Give out work of these experiments only; of all there are if none is named.
    pub only_experiments: Vec<ExperimentId>,
    /// How long a worker may be silent before its leases lapse.
    pub lease_time: Duration,
    /// How long a game may stand still, though its worker is heard of, before its lease is revoked.
    pub stall_time: Duration,
    /// How often workers should call at least.
    pub sync_interval: Duration,
    /// A pair that failed so often is set aside: its lease lapsed, its game stood still or was rejected, its
    /// worker could not play it or ended without a word.
    pub most_failures: u32,
    /// Version of the program, for the overview.
    pub version: String,
    /// Who may see results without a token.
    pub open_results: OpenResults,
    /// Proxies that are believed about the address of who calls, and whether he spoke TLS.
    pub trusted_proxies: Vec<Network>,
    /// How long the moves of games are kept; for good if none. Results always are.
    pub keep_records: Option<Duration>,
    /// The share of counted games that another machine plays again, to be compared move by move: from 0, for
    /// none, to 1.
    pub replay_share: f64,
    /// How long the disk is left alone at most after it took what was committed: twice as long as that took.
    pub flush_pause: Duration,
    /// How long a worker waits for the answer to a call. After that it leaves without acknowledgements and leases, and the
    /// worker, which keeps its games, sends them again soon and waits for twice as long.
    pub acknowledgement_deadline: Duration,
    /// The certificate to serve with; in the clear if none.
    pub tls: Option<Tls>,
}

impl Config {
    /// The usual settings for a database: leases of 2 minutes, games may stand still for an hour, a call
    /// every 10 seconds, answers within 20 ms, pairs set aside at their fifth failure, no games played
    /// again.
    #[must_use]
    pub fn new(database: impl Into<String>) -> Self {
        Self {
            database: database.into(),
            create: true,
            upgrade: false,
            wait: Duration::ZERO,
            clock: Clock::System,
            only_experiments: Vec::new(),
            lease_time: Duration::from_secs(120),
            stall_time: Duration::from_secs(3600),
            sync_interval: Duration::from_secs(10),
            most_failures: 5,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            open_results: OpenResults::default(),
            trusted_proxies: Vec::new(),
            keep_records: None,
            replay_share: 0.0,
            flush_pause: Duration::from_millis(60),
            acknowledgement_deadline: Duration::from_millis(20),
            tls: None,
        }
    }

    /// How long records are kept: a minute at least, so that a mistyped number drops nothing of today.
    #[must_use]
    pub(crate) fn records_kept(&self) -> Option<Duration> {
        self.keep_records.map(|time| time.max(Duration::from_secs(60)))
    }
}
