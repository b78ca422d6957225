//! The open coordinator: its parts, and how it is opened and closed.

mod alarms;
mod attention;
mod browsing;
mod bundling;
mod calls;
mod control;
mod news;
mod queries;
mod repeating;
mod studies;
mod tasks;
mod tunes;

use crate::access::{Caller, Callers, Limits, Network, OpenResults, Quota, SecretDigest, Tls, TokenUses};
use crate::clock::{Clock, PendingRenewal, WORTH_A_WORD};
use crate::config::Config;
use crate::metrics::Metrics;
use crate::reporting::{Analyses, Editions, Health, NewsCache, PlanCache};
use crate::store::{Allowed, ExperimentFilter, OpenError, Store, StoreError};
use crate::studies::Studies;
use crate::terms::Terms;
use crate::tuning::Tunes;
use crate::watching::{Machines, Watching};
use crate::writer::{Storing, Writer};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use bundling::Bundle;
pub(crate) use control::BY_CONTROL;
pub use queries::SideKey;
pub(crate) use studies::find_study;
pub(crate) use tunes::state_of;

/// A boxed future, so that callers in other crates need not compile its content again.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The author of a change without a named person: the process that opened the database.
pub(crate) const THIS_PROCESS: &str = "this process";

/// The most event streams of one caller. The connections limit those of all.
const STREAMS_OF_ONE: usize = 1_000;

/// The most bytes of request bodies of one caller: two of the largest.
const BODY_BYTES_OF_ONE: usize = 64 << 20;

/// The most bytes of request bodies of all callers.
const MOST_BODY_BYTES: usize = 256 << 20;

/// An open coordinator. Clones share it.
#[derive(Clone)]
pub struct Coordinator {
    pub(crate) inner: Arc<Inner>,
}

/// The parts that all clones share.
pub(crate) struct Inner {
    pub(crate) store: Arc<Store>,
    pub(crate) writer: Writer,
    writer_task: Mutex<Option<JoinHandle<()>>>,
    revision: watch::Sender<i64>,
    pub(crate) closing: CancellationToken,
    pub(crate) clock: Clock,
    debt: Arc<PendingRenewal>,
    pub(crate) storing: Arc<Storing>,
    /// When the coordinator began to serve, by the time that [passes](Clock::passed_ms).
    serving: OnceLock<i64>,
    /// Tokens that are not stored, and pages that signed in with one. They end with the process.
    pub(crate) own_secrets: Mutex<HashMap<SecretDigest, Caller>>,
    /// The recently authenticated callers.
    pub(crate) callers: Callers,
    /// When tokens were used last.
    pub(crate) uses: TokenUses,
    health: Health,
    pub(crate) open_results: OpenResults,
    pub(crate) trusted_proxies: Vec<Network>,
    pub(crate) keep_records: Option<Duration>,
    /// The share of the fleet that plays the control, from 0 to 0.5.
    control_share: f64,
    pub(crate) limits: Limits,
    /// Open event streams.
    pub(crate) streams: Quota,
    /// Bytes of request bodies.
    pub(crate) bodies: Quota,
    pub(crate) tls: Option<Tls>,
    pub(crate) terms: Terms,
    version: String,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) watching: Watching,
    pub(crate) machines: Machines,
    pub(crate) plans: PlanCache,
    analyses: Analyses,
    editions: Editions,
    pub(crate) tunes: Tunes,
    pub(crate) studies: Studies,
    news: NewsCache,
    /// The permits for making bundles.
    bundling: Semaphore,
    /// Held while an experiment is applied.
    pub(crate) applying: tokio::sync::Mutex<()>,
    /// Held while a confirmation is begun.
    pub(crate) confirming: tokio::sync::Mutex<()>,
}

/// The time of the database server, and the time of `clock` just before. All coordinators of a database compare deadlines: one
/// whose clock is a few minutes ahead would end the leases of the others.
async fn server_time(store: &Store, clock: &Clock) -> Result<Option<(i64, i64)>, StoreError> {
    let asked_ms = clock.now_ms();
    Ok(store.server_time().await?.map(|now_ms| (asked_ms, now_ms)))
}

impl Coordinator {
    /// Opens the database.
    ///
    /// # Errors
    /// When the database cannot be used, has another schema, or is missing and [`Config::create`] is off.
    pub fn open(mut config: Config) -> BoxFuture<'static, Result<Self, OpenError>> {
        Box::pin(async move {
            let allowed = Allowed { create: config.create, wait: config.wait };
            let store = Arc::new(Store::open(&config.database, allowed).await?);
            let millis = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 4);
            let terms = Terms {
                lease_ms: millis(config.lease_time),
                stall_ms: millis(config.stall_time),
                sync_ms: millis(config.sync_interval).unsigned_abs(),
                most_failures: i64::from(config.most_failures.max(1)),
                overtaking: i64::from(config.overtaking.max(1)),
                filter: ExperimentFilter::new(std::mem::take(&mut config.only_experiments)),
                replay_share: config.replay_share,
            };
            let unusable =
                |source| OpenError::Unusable { database: "the database just opened".into(), source };
            if let Clock::System = config.clock {
                config.clock = Clock::shifted(0);
            }
            let server = server_time(&store, &config.clock).await.map_err(unusable)?;
            let (asked_ms, server_ms) = server.unzip();
            let wrong = config.clock.agree(asked_ms.unwrap_or_default(), server_ms);
            if server.is_some() && wrong.abs() > WORTH_A_WORD {
                tracing::warn!("this machine's clock is {} ms off the database's, which counts", -wrong);
            }
            let (debt, storing) = (Arc::<PendingRenewal>::default(), Arc::<Storing>::default());
            let revision = watch::Sender::new(store.revision().await.map_err(unusable)?);
            let closing = CancellationToken::new();
            let metrics = Arc::<Metrics>::default();
            let (writer, task) = Writer::start(
                store.clone(),
                terms.clone(),
                (config.clock.clone(), debt.clone(), storing.clone()),
                (revision.clone(), metrics.clone()),
                closing.clone(),
            );
            let inner = Inner {
                store,
                writer,
                writer_task: Mutex::new(Some(task)),
                revision,
                closing,
                keep_records: config.records_kept(),
                control_share: config.control_share.clamp(0.0, 0.5),
                limits: Limits::new(config.clock.clone()),
                clock: config.clock,
                debt,
                storing,
                serving: OnceLock::new(),
                own_secrets: Mutex::default(),
                callers: Callers::default(),
                uses: TokenUses::default(),
                health: Health::default(),
                open_results: config.open_results,
                trusted_proxies: config.trusted_proxies,
                streams: Quota::new(usize::MAX, STREAMS_OF_ONE),
                bodies: Quota::new(MOST_BODY_BYTES, BODY_BYTES_OF_ONE),
                tls: config.tls,
                terms,
                metrics,
                watching: Watching::default(),
                machines: Machines::default(),
                plans: PlanCache::default(),
                analyses: Analyses::default(),
                editions: Editions::default(),
                tunes: Tunes::default(),
                studies: Studies::default(),
                news: NewsCache::default(),
                bundling: Semaphore::new(bundling::BUNDLES_AT_ONCE),
                applying: tokio::sync::Mutex::default(),
                confirming: tokio::sync::Mutex::default(),
                version: config.version,
            };
            Ok(Self { inner: Arc::new(inner) })
        })
    }

    /// Whether the database was empty or missing when it was opened.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.inner.store.is_new
    }

    /// Ends event streams, performs the requests that wait for the writer, and closes the database.
    pub fn close(&self) -> BoxFuture<'static, ()> {
        let inner = self.inner.clone();
        Box::pin(async move {
            inner.closing.cancel();
            let task = inner.writer_task.lock().ok().and_then(|mut task| task.take());
            if let Some(task) = task
                && let Err(error) = task.await
            {
                tracing::error!("the writer ended badly: {error}");
            }
            inner.store.close().await;
        })
    }

    /// The number of the last change, which grows with every commit.
    pub fn changes(&self) -> watch::Receiver<i64> {
        self.inner.revision.subscribe()
    }

    /// Clears the cache of authenticated callers, because something was revoked or a page signed out.
    pub(crate) fn clear_caller_cache(&self) {
        self.inner.callers.forget();
        self.inner.revision.send_modify(|_| {});
    }

    /// Cancelled when event streams are to end.
    pub(crate) fn closing(&self) -> CancellationToken {
        self.inner.closing.clone()
    }
}
