//! The coordinator: a database, its writer, and the questions that can be asked of them.

use crate::access::{Caller, OpenResults};
use crate::admission::{InvalidExperiment, check_experiment, check_worker};
use crate::api;
use crate::bodies::Bodies;
use crate::callers::Callers;
use crate::clock::{Clock, Debt, WORTH_A_WORD};
use crate::committed::Committed;
use crate::config::Config;
use crate::flush::Commits;
use crate::health::Health;
use crate::judge::judge;
use crate::keep;
use crate::limits::Limits;
use crate::listen;
use crate::metrics::{Doors, Metrics};
use crate::patience::{self, Patience};
use crate::plausible;
use crate::principal::Principal;
use crate::proxies::Network;
use crate::report;
use crate::stall::{FIRST_CALLS_MS, Standing};
use crate::store::{Allowed, Only, OpenError, Store, StoreError, Tx, Upgraded, Verification, rebuild};
use crate::storing::Storing;
use crate::streams::Streams;
use crate::sync::{JudgedSync, Terms};
use crate::tls::Tls;
use crate::why::{self, Circumstances};
use crate::writer::{Write, Writer, notice_the_time};
use protocol::experiment::Experiment;
use protocol::games::{GameReport, GamesPage};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::Budget;
use protocol::operate::Why;
use protocol::report::{Applied, ExperimentReport, Overview, WorkersPage};
use protocol::sync::{SyncRequest, SyncResponse};
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A boxed future: callers in other crates need not compile what is behind it again.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How long connections may take to end after the order to stop.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

/// Who changes something when nobody is named: the process that opened the database.
pub(crate) const THIS_PROCESS: &str = "this process";

/// An open coordinator. Clones share it.
#[derive(Clone)]
pub struct Coordinator {
    pub(crate) inner: Arc<Inner>,
}

/// What the clones share.
pub(crate) struct Inner {
    pub(crate) store: Arc<Store>,
    pub(crate) writer: Writer,
    writer_task: Mutex<Option<JoinHandle<()>>>,
    revision: watch::Sender<i64>,
    closing: CancellationToken,
    pub(crate) clock: Clock,
    debt: Arc<Debt>,
    pub(crate) storing: Arc<Storing>,
    /// Since when it serves, by the time that [passes](Clock::passed_ms).
    serving: OnceLock<i64>,
    /// Tokens that are not stored, by digest.
    pub(crate) own_tokens: Mutex<HashMap<String, Caller>>,
    /// Who called lately.
    pub(crate) callers: Callers,
    health: Health,
    pub(crate) open_results: OpenResults,
    pub(crate) trusted_proxies: Vec<Network>,
    pub(crate) keep_records: Option<Duration>,
    pub(crate) limits: Limits,
    pub(crate) streams: Streams,
    pub(crate) bodies: Bodies,
    pub(crate) tls: Option<Tls>,
    pub(crate) terms: Terms,
    patience: Patience,
    version: String,
    pub(crate) metrics: Arc<Metrics>,
    plans: report::Plans,
}

impl Inner {
    /// What keeps workers from playing, if anything does.
    async fn standing(&self, tx: &mut Tx) -> Result<Standing, StoreError> {
        let now_ms = self.clock.now_ms();
        let workers = tx.alike_workers(report::alive_since(now_ms, self.terms.sync_ms)).await?;
        let serving = self.serving.get();
        // Who does not serve sees what was stored, and how much room is left.
        let unseen = serving.is_none() && workers.is_empty();
        let trouble = self.storing.trouble().or_else(|| self.store.no_room().filter(|_| unseen));
        Ok(Standing {
            now_ms,
            trouble,
            workers,
            last: tx.last_heard().await?,
            is_young: serving.is_some_and(|since| self.clock.passed_ms() - since < FIRST_CALLS_MS),
            only: self.terms.only.clone(),
        })
    }
}

/// What time the database's server says it is, with the time of `clock` when it was asked. Deadlines are compared by
/// all coordinators of it, and one whose machine is a few minutes ahead would take back what the others lent out.
async fn server_time(store: &Store, clock: &Clock) -> Result<Option<(i64, i64)>, StoreError> {
    let asked_ms = clock.now_ms();
    Ok(store.server_time().await?.map(|now_ms| (asked_ms, now_ms)))
}

/// Why a question has no answer.
#[derive(Debug, Error)]
pub enum CoordinatorError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing has this id or name.
    #[error("no {kind} is called `{key}`")]
    NotFound {
        /// What was looked for.
        kind: &'static str,
        /// The id or name.
        key: String,
    },
    /// No machine is meant, in words.
    #[error("{0}")]
    Nobody(String),
    /// The experiment cannot be stored.
    #[error(transparent)]
    Invalid(#[from] InvalidExperiment),
    /// The moves of this game were dropped to make room.
    #[error("the moves of game {0} are not kept any more; its result is")]
    Dropped(GameId),
    /// The caller speaks another language or plays other games, or asks for what cannot be.
    #[error("{0}")]
    Refused(String),
    /// The caller's token does not allow it to be this machine.
    #[error("{0}")]
    Forbidden(String),
    /// The code by which a machine wants to join.
    #[error(
        "this code is worth nothing: it was used, has ended, or never was; make another with `gauntlet token join`"
    )]
    BadCode,
}

impl Coordinator {
    /// Opens the database.
    ///
    /// # Errors
    /// When the database cannot be used, or there is none and [`Config::create`] is off, or it is of
    /// an older program and [`Config::upgrade`] is off.
    pub fn open(mut config: Config) -> Boxed<'static, Result<Self, OpenError>> {
        Box::pin(async move {
            let allowed = Allowed { create: config.create, upgrade: config.upgrade, wait: config.wait };
            let store = Arc::new(Store::open(&config.database, allowed).await?);
            let millis = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 4);
            let terms = Terms {
                lease_ms: millis(config.lease_time),
                stall_ms: millis(config.stall_time),
                sync_ms: millis(config.sync_interval).unsigned_abs(),
                most_failures: i64::from(config.most_failures.max(1)),
                only: Only::new(std::mem::take(&mut config.only_experiments)),
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
            let (debt, storing) = (Arc::<Debt>::default(), Arc::<Storing>::default());
            let revision = watch::Sender::new(store.revision().await.map_err(unusable)?);
            let closing = CancellationToken::new();
            let metrics = Arc::<Metrics>::default();
            let (writer, task) = Writer::start(
                store.clone(),
                terms.clone(),
                (config.clock.clone(), debt.clone(), storing.clone()),
                (revision.clone(), metrics.clone()),
                Commits::start(store.clone(), metrics.clone(), config.flush_pause),
                closing.clone(),
            );
            let inner = Inner {
                store,
                writer,
                writer_task: Mutex::new(Some(task)),
                revision,
                closing,
                keep_records: keep::kept(&config),
                limits: Limits::new(config.clock.clone()),
                clock: config.clock,
                debt,
                storing,
                serving: OnceLock::new(),
                own_tokens: Mutex::default(),
                callers: Callers::default(),
                health: Health::default(),
                open_results: config.open_results,
                trusted_proxies: config.trusted_proxies,
                streams: Streams::default(),
                bodies: Bodies::default(),
                tls: config.tls,
                terms,
                patience: Patience::new(config.patience),
                metrics,
                plans: report::Plans::default(),
                version: config.version,
            };
            Ok(Self { inner: Arc::new(inner) })
        })
    }

    /// Gives every lease in play a full term again, so that the time without a coordinator costs no game. For
    /// whoever begins to serve: [`Coordinator::serve`] does it by itself.
    ///
    /// # Errors
    /// When the database fails.
    pub fn resume(&self) -> Boxed<'static, Result<(), CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            inner.serving.get_or_init(|| inner.clock.passed_ms());
            let leases = match inner.writer.ask(Write::ExtendAll).await {
                Ok(leases) => leases,
                // Results are shown at least, and what is wrong; the first commit that succeeds gives the terms.
                Err(error) if inner.storing.trouble().is_some() => {
                    inner.debt.started();
                    tracing::error!("nothing can be stored for now: {error}");
                    0
                }
                Err(error) => return Err(error.into()),
            };
            if leases > 0 {
                tracing::info!("an earlier run's leases go on: {leases}");
            }
            Ok(())
        })
    }

    /// Serves the API and the dashboard until `shutdown`, then lets the answers in progress end. The
    /// coordinator stays open: see [`Coordinator::close`].
    ///
    /// # Errors
    /// When the socket fails, or the database at the start.
    pub fn serve(
        &self,
        listener: TcpListener,
        shutdown: CancellationToken,
    ) -> Boxed<'static, std::io::Result<()>> {
        let coordinator = self.clone();
        Box::pin(async move {
            coordinator.resume().await.map_err(std::io::Error::other)?;
            // Played now, so that the first worker's call does not wait for it.
            tokio::task::spawn_blocking(protocol::selftest::digest);
            let closing = coordinator.inner.closing.clone();
            let stop = shutdown.clone();
            let stopped = async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = closing.cancelled() => {}
                }
            };
            let serving = listen::serve(
                listener,
                coordinator.inner.tls.clone(),
                api::app(coordinator.clone()),
                coordinator.inner.trusted_proxies.clone(),
                stopped,
            );
            let watching = coordinator.watch();
            let upkeep = coordinator.upkeep();
            let overdue = async {
                shutdown.cancelled().await;
                // Event streams last as long as their reader: they are told to end, everything else has its
                // time.
                coordinator.inner.closing.cancel();
                tokio::time::sleep(LAST_ANSWERS).await;
            };
            tokio::select! {
                served = serving => served,
                () = overdue => Ok(()),
                why = watching => Err(std::io::Error::other(why)),
                never = upkeep => match never {},
            }
        })
    }

    /// Once a second: takes back leases that lapsed while no worker calls, and notices what another
    /// coordinator of the same database committed. Ends only when the writer did: to serve without it would
    /// be to refuse every result.
    async fn watch(&self) -> String {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut failing = false;
        loop {
            ticks.tick().await;
            if self.inner.closing.is_cancelled() {
                continue;
            }
            if self.inner.writer.is_closed() {
                return "the writer of the database ended".to_owned();
            }
            if let Some(tls) = &self.inner.tls {
                tls.refresh();
            }
            match self.tick().await {
                Ok(()) => failing = false,
                Err(error @ StoreError::Outdated { .. }) => return error.to_string(),
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::warn!("the look for lapsed leases failed and is repeated: {error}");
                    }
                }
            }
        }
    }

    /// Every five seconds: see [`Store::upkeep`](crate::store::Store::upkeep).
    async fn upkeep(&self) -> Infallible {
        let mut failing = false;
        let mut ticks = tokio::time::interval(Duration::from_secs(5));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            match self.inner.store.upkeep().await {
                Ok(()) => failing = false,
                Err(error) => {
                    let error = self.inner.store.named(error);
                    if !std::mem::replace(&mut failing, true) {
                        tracing::warn!("the database gets slower until its upkeep succeeds: {error}");
                    }
                }
            }
        }
    }

    async fn tick(&self) -> Result<(), StoreError> {
        let server = server_time(&self.inner.store, &self.inner.clock).await?;
        notice_the_time(&self.inner.clock, &self.inner.debt, server);
        let revision = self.inner.store.revision().await?;
        if *self.inner.revision.borrow() != revision {
            // What another coordinator changed may be who is who.
            self.inner.callers.forget();
        }
        self.inner.revision.send_if_modified(|known| std::mem::replace(known, revision) != revision);
        let mut tx = self.inner.store.look().await?;
        let expired = tx.expired_leases(self.inner.clock.now_ms()).await?;
        drop(tx);
        // While nothing can be stored this is tried, so that it is known when something can.
        let inner = &self.inner;
        if !expired.is_empty() || inner.debt.any().is_some() || inner.storing.trouble().is_some() {
            self.inner.writer.ask(Write::Lapse).await?;
        }
        self.keep().await?;
        Ok(())
    }

    /// What opening the database did to its schema.
    #[must_use]
    pub fn upgraded(&self) -> &Upgraded {
        &self.inner.store.upgraded
    }

    /// Ends event streams, stores what waits for the writer, and closes the database.
    pub fn close(&self) -> Boxed<'static, ()> {
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

    /// Stores an experiment and makes it the active one of its name. Equal content is the same experiment.
    ///
    /// # Errors
    /// When it cannot be played, or the database fails.
    pub fn apply(&self, experiment: &Experiment) -> Boxed<'static, Result<Applied, CoordinatorError>> {
        self.apply_as(experiment, THIS_PROCESS)
    }

    /// As [`Coordinator::apply`], in the name of `who`.
    ///
    /// # Errors
    /// As [`Coordinator::apply`].
    pub fn apply_as(
        &self,
        experiment: &Experiment,
        who: &str,
    ) -> Boxed<'static, Result<Applied, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        let checked = check_experiment(experiment).map(|()| Box::new(experiment.clone()));
        Box::pin(async move {
            let experiment = checked?;
            Ok(inner.writer.ask(|answer| Write::Apply(experiment, who, answer)).await?)
        })
    }

    /// A worker's call, of this process: see `docs/reference/protocol.md`. An answer that takes longer than [`Config::patience`] is
    /// put off, unless the worker is leaving.
    ///
    /// # Errors
    /// Refuses workers of another protocol or engine, of which nothing is stored then, and processes
    /// whose place a later one of the same worker has taken, of which finished games are.
    pub fn sync(&self, request: SyncRequest) -> Boxed<'static, Result<SyncResponse, CoordinatorError>> {
        self.sync_with(request, None)
    }

    /// As [`Coordinator::sync`], of a worker that showed a token.
    pub(crate) fn sync_with(
        &self,
        request: SyncRequest,
        caller: Option<Caller>,
    ) -> Boxed<'static, Result<SyncResponse, CoordinatorError>> {
        let inner = self.inner.clone();
        let waiter = patience::Waiter::from(&request);
        let committed = self.commit(request, caller);
        Box::pin(async move {
            // On a task of its own, which goes on when nobody waits any more.
            let call = tokio::spawn(async move { Ok(committed.await?.flushed().await?) });
            inner.patience.answer(waiter, call, &inner.metrics).await
        })
    }

    /// Performs a worker's call and does not wait for the disk: until then its answer may not leave, but
    /// [put off](SyncResponse::put_off). A call without a caller is one of this process, whose machine answers for itself.
    ///
    /// # Errors
    /// Those of [`Coordinator::sync`].
    pub fn commit(
        &self,
        mut request: SyncRequest,
        caller: Option<Caller>,
    ) -> Boxed<'static, Result<Committed, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            check_worker(&request)?;
            // A speed that no machine has is none: its results are judged all the same, and it gets no games there.
            request.speeds.retain(plausible::is_believed);
            let mut leases = HashMap::new();
            if !request.finished.is_empty() {
                let ids: BTreeSet<LeaseId> = request.finished.iter().map(|game| game.lease).collect();
                leases = inner.store.look().await?.leased_cells(&Vec::from_iter(ids)).await?;
            }
            let leased = |id: LeaseId| leases.get(&id);
            let judged =
                request.finished.iter().map(|game| judge(game, request.worker, leased(game.lease))).collect();
            // The order of giving way under overload: leases wait first, then heartbeats, results never.
            if inner.writer.is_busy() {
                request.want = 0;
            }
            let replays = request.finished.iter().map(|game| {
                let leased = leased(game.lease)?;
                let whole = matches!(leased.spec.budget, Budget::Sims(_));
                leased.replays.map(|checked| (checked, whole))
            });
            let replays = replays.collect();
            let (token, principal) =
                caller.map_or((None, None), |caller| (Some(caller.token), caller.principal));
            let principal = principal.unwrap_or_else(|| Principal::of_worker(request.worker));
            let call = JudgedSync { request, token, principal, judged, replays };
            let (answer, flushed) = inner.writer.sync(call).await?;
            let answer = answer.map_err(CoordinatorError::from)?;
            answer.acks.iter().for_each(|ack| inner.metrics.judged(ack.status));
            inner.metrics.granted(answer.leases.len());
            Ok(Committed { answer, flushed })
        })
    }

    /// Takes back leases whose deadline has passed; gives their number. [`Coordinator::serve`] does so by
    /// itself.
    ///
    /// # Errors
    /// When the database fails.
    pub fn lapse(&self) -> Boxed<'static, Result<u64, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move { Ok(inner.writer.ask(Write::Lapse).await?) })
    }

    /// The first screen.
    ///
    /// # Errors
    /// When the database fails.
    pub fn overview(&self) -> Boxed<'static, Result<Overview, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let standing = inner.standing(&mut tx).await?;
            Ok(report::overview(&mut tx, &standing, inner.terms.sync_ms, &inner.version).await?)
        })
    }

    /// Some of the workers, after as many as `offset`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn workers(&self, offset: u32, limit: u32) -> Boxed<'static, Result<WorkersPage, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let now = (inner.clock.now_ms(), inner.terms.sync_ms);
            Ok(report::workers(&mut tx, now, offset, limit).await?)
        })
    }

    /// An experiment in full, by id or by name.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn report(&self, key: &str) -> Boxed<'static, Result<ExperimentReport, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = report::find(&mut tx, &key).await?;
            let row = row.ok_or(CoordinatorError::NotFound { kind: "experiment", key })?;
            let standing = inner.standing(&mut tx).await?;
            Ok(report::experiment(&mut tx, &inner.plans, row, &standing).await?)
        })
    }

    /// A page of an experiment's stored games, after a place that an earlier page named.
    ///
    /// # Errors
    /// When there is no such experiment or place, or the database fails.
    pub fn games(
        &self,
        key: &str,
        after: Option<&str>,
        limit: u32,
    ) -> Boxed<'static, Result<GamesPage, CoordinatorError>> {
        let (inner, key, after) = (self.inner.clone(), key.to_owned(), after.map(ToOwned::to_owned));
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = report::find(&mut tx, &key).await?;
            let row = row.ok_or(CoordinatorError::NotFound { kind: "experiment", key })?;
            let page = report::games(&mut tx, &inner.plans, row.id, after.as_deref(), limit).await?;
            page.ok_or(CoordinatorError::NotFound { kind: "place", key: after.unwrap_or_default() })
        })
    }

    /// A stored game with everything needed to play it again: the counted play, or that of `lease`.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn game(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
    ) -> Boxed<'static, Result<GameReport, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let plays = tx.plays(game).await?;
            let play = report::chosen_play(&plays, lease)
                .ok_or_else(|| CoordinatorError::NotFound { kind: "game", key: game.to_string() })?;
            report::game(play, &plays).ok_or(CoordinatorError::Dropped(game))
        })
    }

    /// Rebuilds every counter from the games and gives all differences.
    ///
    /// # Errors
    /// When the database fails.
    pub fn verify(&self) -> Boxed<'static, Result<Verification, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            Ok(rebuild(&mut tx).await?)
        })
    }

    /// Why the worker, cell or experiment of this id or name stands where it does.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn why(&self, key: &str) -> Boxed<'static, Result<Why, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let Terms { sync_ms, lease_ms, only, .. } = inner.terms.clone();
            let mut tx = inner.store.read().await?;
            let standing = inner.standing(&mut tx).await?;
            let now = Circumstances { now_ms: standing.now_ms, sync_ms, lease_ms, only, standing };
            let answer = why::why(&mut tx, &key, &now).await?;
            answer.ok_or(CoordinatorError::NotFound { kind: "worker, cell or experiment", key })
        })
    }

    /// The numbers for Prometheus.
    pub(crate) async fn metrics(&self) -> Result<String, CoordinatorError> {
        let overview = self.overview().await?;
        let replays = self.inner.store.read().await?.replay_counts(None).await?;
        let doors = Doors {
            looks: self.inner.callers.looks(),
            streams: self.inner.streams.number(),
            body_bytes: self.inner.bodies.bytes(),
        };
        let text = self.inner.metrics.text(&overview, &replays, self.inner.writer.waiting(), &doors);
        Ok(text.expect("writing to a string cannot fail"))
    }

    /// Whether results can be stored: the database answers, and the writer takes requests.
    pub(crate) async fn ready(&self) -> Result<(), StoreError> {
        if self.inner.writer.is_closed() {
            return Err(StoreError::Closed);
        }
        if self.inner.writer.is_busy() {
            return Err(StoreError::Overloaded);
        }
        self.inner.store.is_trusted()?;
        if let Some(why) = self.inner.storing.trouble() {
            return Err(StoreError::NotCommitted(why));
        }
        self.healthy().await
    }

    /// Whether the database answers.
    pub(crate) async fn healthy(&self) -> Result<(), StoreError> {
        if self.inner.closing.is_cancelled() {
            return Err(StoreError::Closed);
        }
        self.inner.health.check(&self.inner.store, self.inner.clock.now_ms()).await
    }

    /// Moves whenever something was committed: the number of the last change.
    pub fn changes(&self) -> watch::Receiver<i64> {
        self.inner.revision.subscribe()
    }

    /// Something was revoked, or a page signed out: whoever is here is asked again who he is.
    pub(crate) fn ask_everybody_again(&self) {
        self.inner.callers.forget();
        self.inner.revision.send_modify(|_| {});
    }

    /// Cancelled when event streams should end.
    pub(crate) fn closing(&self) -> CancellationToken {
        self.inner.closing.clone()
    }
}
