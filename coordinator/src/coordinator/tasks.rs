//! Background tasks of a coordinator: ending lapsed leases, setting the clock, maintaining the database.

use super::repeating::{Failing, every};
use super::{BoxFuture, Coordinator, server_time};
use crate::error::CoordinatorError;
use crate::store::StoreError;
use crate::writer::{RECENT_MS, Write, synchronise_clock};
use protocol::words::counted as number_of;
use std::convert::Infallible;
use std::time::Duration;

/// The games of a minute, in words.
fn in_a_minute(counted: u64, rejected: u64) -> String {
    let counted = format!("{} counted in the last minute", number_of(counted, "game"));
    if rejected == 0 { counted } else { format!("{counted}, {rejected} rejected") }
}

/// How long rates may stay after the time for which they are shown by minutes.
const FOLD_EVERY_MS: i64 = 600_000;

impl Coordinator {
    /// Gives every active lease a full term, so that the time without a coordinator costs no game.
    /// [`Coordinator::serve`] calls it.
    ///
    /// # Errors
    /// When the database fails.
    pub fn resume(&self) -> BoxFuture<'static, Result<(), CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            inner.serving.get_or_init(|| inner.clock.passed_ms());
            let leases = match inner.writer.ask(Write::ExtendAll).await {
                Ok(leases) => leases,
                // The coordinator can still show results and the cause. The first commit that succeeds renews the leases.
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

    /// Once a second: ends leases that lapsed while no worker calls, admits confirmations of the filter's experiments, and
    /// notices commits of other coordinators of the database. Ends only when the writer has ended, because a coordinator without
    /// a writer would refuse every result.
    pub(crate) async fn watch(&self) -> String {
        let mut ticks = every(Duration::from_secs(1));
        let mut failing = Failing::default();
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
            let ticked = self.tick().await;
            if let Err(error @ StoreError::Outdated { .. }) = ticked {
                return error.to_string();
            }
            failing.note(ticked, "the search for lapsed leases failed and will be repeated");
        }
    }

    /// Every five seconds: see [`Store::upkeep`](crate::store::Store::upkeep).
    pub(crate) async fn upkeep(&self) -> Infallible {
        let mut failing = Failing::default();
        let mut ticks = every(Duration::from_secs(5));
        loop {
            ticks.tick().await;
            let upkeep = self.inner.store.upkeep().await.map_err(|error| self.inner.store.named(error));
            failing.note(upkeep, "the database gets slower until its upkeep succeeds");
        }
    }

    /// Every minute: stores when tokens were used, and logs how many games were counted, if there were any. A single game has a
    /// line at the level `debug`.
    pub(crate) async fn sum_up(&self) -> Infallible {
        let mut ticks = every(Duration::from_secs(60));
        let (mut before, mut failing) = (self.inner.metrics.games(), Failing::default());
        ticks.tick().await;
        loop {
            ticks.tick().await;
            failing.note(self.store_uses().await, "when tokens were used is not stored for now");
            let now = self.inner.metrics.games();
            let [counted, rejected] = [0, 1].map(|which| now[which] - before[which]);
            before = now;
            if counted + rejected > 0 {
                tracing::info!(
                    games.counted = counted,
                    games.rejected = rejected,
                    "{}",
                    in_a_minute(counted, rejected)
                );
            }
        }
    }

    async fn tick(&self) -> Result<(), StoreError> {
        let server = server_time(&self.inner.store, &self.inner.clock).await?;
        synchronise_clock(&self.inner.clock, &self.inner.debt, server);
        let revision = self.inner.store.revision().await?;
        if *self.inner.revision.borrow() != revision {
            // Another coordinator may have revoked a token.
            self.inner.callers.forget();
        }
        self.inner.revision.send_if_modified(|known| std::mem::replace(known, revision) != revision);
        let mut tx = self.inner.store.intake_conn().await?;
        let now_ms = self.inner.clock.now_ms();
        let expired = tx.expired_leases(now_ms).await?;
        let old_rates = tx.has_rates_before(now_ms - RECENT_MS - FOLD_EVERY_MS).await?;
        tx.admit_confirmations(&self.inner.terms.filter).await?;
        drop(tx);
        // While nothing can be stored, this attempt shows when storing works again.
        let inner = &self.inner;
        if !expired.is_empty() || old_rates || inner.debt.any().is_some() || inner.storing.trouble().is_some()
        {
            self.inner.writer.ask(Write::Lapse).await?;
        }
        self.drop_old_records().await?;
        Ok(())
    }

    /// Ends leases whose deadline has passed; gives their number. [`Coordinator::serve`] does so by itself.
    ///
    /// # Errors
    /// When the database fails.
    pub fn lapse(&self) -> BoxFuture<'static, Result<u64, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move { Ok(inner.writer.ask(Write::Lapse).await?) })
    }
}
