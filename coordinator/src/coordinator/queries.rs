//! The queries of a coordinator.

use super::{BoxFuture, Coordinator, Inner};
use crate::admin::BACKUP;
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::metrics::EdgeMetrics;
use crate::reporting;
use crate::reporting::{FIRST_CALLS_MS, FleetState, Side, WhyContext};
use crate::store::{ExperimentRow, StoreError, Tx, Verification, rebuild};
use crate::terms::{Terms, alive_since};
use engine::havannah::BoardSize;
use protocol::analysis::ExperimentAnalysis;
use protocol::compare::SideBySide;
use protocol::experiment::Experiment;
use protocol::games::{GameReport, GamesPage};
use protocol::ids::{GameId, LeaseId};
use protocol::life::ExperimentHistory;
use protocol::machine::MachineReport;
use protocol::operate::Why;
use protocol::report::{ExperimentReport, ExperimentSummary, Overview, WorkersPage};
use std::time::Instant;

/// One side of a comparison, as the caller names it.
#[derive(Debug, Clone, Default)]
pub struct SideKey {
    /// The experiment, by id or by name.
    pub experiment: String,
    /// The revision whose cells are compared, as they stood when the next one began; without one, the newest as it stands now.
    pub revision: Option<u64>,
    /// The only case compared; without one, all.
    pub case: Option<String>,
}

impl Inner {
    /// The obstacles to play.
    async fn standing(&self, tx: &mut Tx) -> Result<FleetState, StoreError> {
        let now_ms = self.clock.now_ms();
        let alive_ms = alive_since(now_ms, self.terms.sync_ms);
        let workers = tx.alike_workers(alive_ms).await?;
        let serving = self.serving.get();
        // A process that does not serve sees what is stored, and the free space.
        let unseen = serving.is_none() && workers.is_empty();
        let trouble = self.storing.trouble().or_else(|| self.store.no_room().filter(|_| unseen));
        Ok(FleetState {
            now_ms,
            alive_ms,
            trouble,
            workers,
            last: tx.last_heard().await?,
            is_young: serving.is_some_and(|since| self.clock.passed_ms() - since < FIRST_CALLS_MS),
            filter: self.terms.filter.clone(),
        })
    }

    /// The state outside the database on which explanations depend.
    pub(super) async fn circumstances(&self, tx: &mut Tx) -> Result<WhyContext, StoreError> {
        let Terms { sync_ms, lease_ms, overtaking, filter, .. } = self.terms.clone();
        let standing = self.standing(tx).await?;
        Ok(WhyContext { now_ms: standing.now_ms, sync_ms, lease_ms, overtaking, filter, standing })
    }

    pub(super) async fn analysis_of(
        &self,
        row: ExperimentRow,
        size: Option<BoardSize>,
    ) -> Result<ExperimentAnalysis, CoordinatorError> {
        let revision = self.store.revision().await?;
        if let Some(known) = self.analyses.at(revision, (row.id, size)) {
            return Ok(known.as_ref().clone());
        }
        let analysis = reporting::analysis(&mut self.store.read().await?, &self.plans, row, size).await?;
        self.analyses.keep(revision, analysis.clone());
        Ok(analysis)
    }
}

impl Coordinator {
    /// The first screen.
    ///
    /// # Errors
    /// When the database fails.
    pub fn overview(&self) -> BoxFuture<'static, Result<Overview, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let standing = inner.standing(&mut tx).await?;
            Ok(reporting::overview(
                &mut tx,
                &standing,
                (inner.terms.sync_ms, &inner.terms.filter),
                &inner.version,
            )
            .await?)
        })
    }

    /// Some of the workers, from number `offset` on.
    ///
    /// # Errors
    /// When the database fails.
    pub fn workers(
        &self,
        offset: u32,
        limit: u32,
    ) -> BoxFuture<'static, Result<WorkersPage, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let now = (inner.clock.now_ms(), inner.terms.sync_ms, &inner.terms.filter);
            Ok(reporting::workers(&mut tx, now, offset, limit).await?)
        })
    }

    /// A worker in full, by id or by name. The worker reports more of its state while a client requests it.
    ///
    /// # Errors
    /// When there is none, or several have this name, or the database fails.
    pub fn machine(&self, key: &str) -> BoxFuture<'static, Result<MachineReport, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::worker_named(&mut tx, &key).await?;
            let now = inner.circumstances(&mut tx).await?;
            let why = reporting::why(&mut tx, &row.id.to_string(), &now).await?;
            let told = inner.machines.watch(row.id, inner.clock.passed_ms());
            Ok(reporting::machine(&mut tx, row, (why.reasons, told), (now.now_ms, now.sync_ms)).await?)
        })
    }

    /// An experiment in full, by id or by name.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn report(&self, key: &str) -> BoxFuture<'static, Result<ExperimentReport, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            let standing = inner.standing(&mut tx).await?;
            Ok(reporting::experiment(&mut tx, &inner.plans, row, &standing).await?)
        })
    }

    /// An experiment as [`Coordinator::report`] gives it, but with only those points that have changed since an edition that an
    /// earlier answer named. With an edition that is no longer known, or with an empty text, the report is complete.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn report_since(
        &self,
        key: &str,
        since: &str,
    ) -> BoxFuture<'static, Result<ExperimentReport, CoordinatorError>> {
        let (coordinator, key, since) = (self.clone(), key.to_owned(), since.to_owned());
        Box::pin(async move {
            let mut report = coordinator.report(&key).await?;
            coordinator.inner.editions.mark(&mut report, &since);
            Ok(report)
        })
    }

    /// Two experiments side by side, or a revision or a case of each.
    ///
    /// # Errors
    /// When there is no such experiment, revision or case, or the database fails.
    pub fn compare(
        &self,
        [left, right]: [SideKey; 2],
    ) -> BoxFuture<'static, Result<SideBySide, CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move {
            let left = coordinator.side(left).await?;
            let right = coordinator.side(right).await?;
            // With ten thousand cells on either side this takes long, so it runs outside the threads that answer requests.
            let compared = compute(move || reporting::compare(&left, &right)).await?;
            compared.map_err(CoordinatorError::NoMatch)
        })
    }

    /// A side of a comparison.
    async fn side(&self, SideKey { experiment, revision, case }: SideKey) -> Result<Side, CoordinatorError> {
        let Some(number) = revision else {
            return Ok(Side::now(&self.report(&experiment).await?, case, None));
        };
        let mut tx = self.inner.store.read().await?;
        let row = reporting::find(&mut tx, &experiment).await?;
        if row.revision != number {
            return reporting::past(&mut tx, &row, (number, case)).await;
        }
        drop(tx);
        Ok(Side::now(&self.report(&row.id.to_string()).await?, case, revision))
    }

    /// Experiments in short, the newest first: all of them, or those that are not archived.
    ///
    /// # Errors
    /// When the database fails.
    pub fn experiments(
        &self,
        all: bool,
    ) -> BoxFuture<'static, Result<Vec<ExperimentSummary>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let standing = inner.standing(&mut tx).await?;
            Ok(reporting::experiments(&mut tx, &standing, all).await?)
        })
    }

    /// An experiment in short, by id or by name.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn summary(&self, key: &str) -> BoxFuture<'static, Result<ExperimentSummary, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            let standing = inner.standing(&mut tx).await?;
            Ok(reporting::one(&mut tx, &standing, row).await?)
        })
    }

    /// The revisions of an experiment, and what people changed while it ran.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn history(&self, key: &str) -> BoxFuture<'static, Result<ExperimentHistory, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            let standing = inner.standing(&mut tx).await?;
            Ok(reporting::history(&mut tx, &standing, row).await?)
        })
    }

    /// The experiment that was applied as a revision.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn revision(
        &self,
        key: &str,
        number: u64,
    ) -> BoxFuture<'static, Result<Experiment, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            let plan = tx.revision_plan(row.id, i64::try_from(number).unwrap_or(i64::MAX)).await?;
            plan.ok_or_else(|| {
                CoordinatorError::NoMatch(format!(
                    "`{}` has no revision {number}: it has revisions 1 to {}",
                    row.name, row.revision
                ))
            })
        })
    }

    /// The analysis of an experiment, by id or by name, or of one of its sizes: rankings, claims, curves, importance of
    /// parameters and ratings.
    ///
    /// # Errors
    /// When there is none, it is not played on that size, or the database fails.
    pub fn analysis(
        &self,
        key: &str,
        size: Option<BoardSize>,
    ) -> BoxFuture<'static, Result<ExperimentAnalysis, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let row = reporting::find(&mut inner.store.read().await?, &key).await?;
            inner.analysis_of(row, size).await
        })
    }

    /// A page of an experiment's stored games, from a place that an earlier page named.
    ///
    /// # Errors
    /// When there is no such experiment or place, or the database fails.
    pub fn games(
        &self,
        key: &str,
        after: Option<&str>,
        limit: u32,
    ) -> BoxFuture<'static, Result<GamesPage, CoordinatorError>> {
        let (inner, key, after) = (self.inner.clone(), key.to_owned(), after.map(ToOwned::to_owned));
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            let page = reporting::games(&mut tx, &inner.plans, &row, after.as_deref(), limit).await?;
            page.ok_or(CoordinatorError::unknown("place", after.unwrap_or_default()))
        })
    }

    /// The game with this id, or with the only id that begins so.
    ///
    /// # Errors
    /// When there is none or several, or the database fails.
    pub fn game_id(&self, key: &str) -> BoxFuture<'static, Result<GameId, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move { reporting::game_id(&mut inner.store.read().await?, &key).await })
    }

    /// A stored game with everything needed to replay it: the counted play, or that of `lease`.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn game(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
    ) -> BoxFuture<'static, Result<GameReport, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let plays = tx.plays(game).await?;
            let play = reporting::chosen_play(&plays, lease)
                .ok_or_else(|| CoordinatorError::unknown("game", game.to_string()))?;
            reporting::game(&plays[play], &plays).ok_or(CoordinatorError::Dropped(game))
        })
    }

    /// Rebuilds every counter from the games; gives all differences.
    ///
    /// # Errors
    /// When the database fails.
    pub fn verify(&self) -> BoxFuture<'static, Result<Verification, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            Ok(rebuild(&mut tx).await?)
        })
    }

    /// Why the worker, cell or experiment with this id or name is in its present state.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn why(&self, key: &str) -> BoxFuture<'static, Result<Why, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let now = inner.circumstances(&mut tx).await?;
            reporting::why(&mut tx, &key, &now).await
        })
    }

    /// The numbers for Prometheus.
    pub(crate) async fn metrics(&self) -> Result<String, CoordinatorError> {
        let overview = self.overview().await?;
        let mut tx = self.inner.store.read().await?;
        let rechecks = tx.recheck_counts(None).await?;
        let backup = tx.last_change(BACKUP).await?;
        drop(tx);
        let age_ms = backup.map(|backup| self.inner.clock.now_ms().saturating_sub(backup.at_ms).max(0));
        let text = self.inner.metrics.text(
            &overview,
            (&rechecks, age_ms),
            self.inner.writer.waiting(),
            &self.edge_metrics(),
        );
        Ok(text.expect("writing to a string cannot fail"))
    }

    /// The numbers of this process alone, while the database gives no answer.
    pub(crate) fn own_metrics(&self, why: &StoreError) -> String {
        let text =
            self.inner.metrics.text_without_database(why, self.inner.writer.waiting(), &self.edge_metrics());
        text.expect("writing to a string cannot fail")
    }

    fn edge_metrics(&self) -> EdgeMetrics {
        EdgeMetrics {
            lookups: self.inner.callers.lookups(),
            streams: self.inner.streams.total(),
            body_bytes: self.inner.bodies.total(),
        }
    }

    /// Whether results can be stored: the database answers, and the writer takes requests.
    pub(crate) async fn ready(&self) -> Result<(), StoreError> {
        self.lives()?;
        if self.inner.writer.is_busy() {
            return Err(StoreError::Overloaded);
        }
        self.inner.store.is_in_place()?;
        if let Some(why) = self.inner.storing.trouble() {
            return Err(StoreError::NotCommitted(why));
        }
        self.healthy().await
    }

    /// Whether this process can do its work again once the database answers.
    pub(crate) fn lives(&self) -> Result<(), StoreError> {
        match self.inner.writer.is_closed() {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    /// Whether this process can do its work again once the database answers. An unreachable database is no reason to restart it.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.lives().is_ok()
    }

    /// Whether the database answers.
    pub(crate) async fn healthy(&self) -> Result<(), StoreError> {
        if self.inner.closing.is_cancelled() {
            return Err(StoreError::Closed);
        }
        self.database_answers().await
    }

    /// As [`Coordinator::healthy`], also while the coordinator closes.
    pub(crate) async fn database_answers(&self) -> Result<(), StoreError> {
        self.inner.health.check(&self.inner.store, Instant::now()).await
    }
}
