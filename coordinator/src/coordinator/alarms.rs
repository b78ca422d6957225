//! The task that raises alarms.

use super::repeating::{Failing, every};
use super::{BoxFuture, Coordinator};
use crate::checking::alarms::{self, RaisedAlarm};
use crate::checking::residuals::{self, Residuals};
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{StoreError, Tx, WorkerRow};
use crate::terms::alive_since;
use crate::writer::changing;
use protocol::alarm::{AlarmKind, Alarms, Severity};
use protocol::report::Light;
use std::convert::Infallible;
use std::time::{Duration, Instant};

/// The time between two checks.
const LOOK: Duration = Duration::from_secs(10);

/// Comparisons of machines use at most this fraction (one part in 300) of the time: with ten thousand cells one takes a good part
/// of a second, in which calls would wait for the processor.
const COMPARE_PART: u32 = 300;

/// The shortest time between two comparisons that are only to see whether an alarm is over.
const COMPARE_AGAIN: Duration = Duration::from_secs(60);

/// A machine whose speed changed by more than this factor since it was measured is throttled, shared or overloaded. Its budgets
/// follow, so its games count.
const DRIFT: f64 = 1.25;

/// From this factor on, the machine's reported speed is doubtful.
const LARGE_DRIFT: f64 = 2.0;

impl Coordinator {
    /// Every ten seconds: raises alarms and ends those that are over.
    pub(crate) async fn watch_for_alarms(&self) -> Infallible {
        let mut failing = Failing::default();
        let mut compared = None;
        let mut ticks = every(LOOK);
        loop {
            ticks.tick().await;
            failing
                .note(self.find_alarms(&mut compared).await, "no alarm is raised until the database answers");
        }
    }

    /// Raises alarms and ends those that are over; gives the current ones. [`Coordinator::serve`] does so by itself.
    ///
    /// # Errors
    /// When the database fails.
    pub fn look_for_alarms(&self) -> BoxFuture<'static, Result<Alarms, CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move {
            coordinator.find_alarms(&mut None).await?;
            coordinator.alarms().await
        })
    }

    /// The current alarms.
    ///
    /// # Errors
    /// When the database fails.
    pub fn alarms(&self) -> BoxFuture<'static, Result<Alarms, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            Ok(Alarms { alarms: reporting::alarms(&mut tx).await? })
        })
    }

    /// `compared` is when the last comparison of the machines ended, and how long it took.
    async fn find_alarms(&self, compared: &mut Option<(Instant, Duration)>) -> Result<(), StoreError> {
        let now_ms = self.inner.clock.now_ms();
        let mut tx = self.inner.store.intake_conn().await?;
        let mut found = Vec::from_iter(of_control(&mut tx).await?);
        let alive_ms = alive_since(now_ms, self.inner.terms.sync_ms);
        let workers = tx.workers().await?;
        for worker in &workers {
            found.extend(of_worker(worker, worker.seen_ms >= alive_ms));
        }
        let mut looked_for = vec![AlarmKind::Control, AlarmKind::Drift, AlarmKind::Bias];
        let mut looks = Vec::new();
        let of_comparison = [AlarmKind::Results, AlarmKind::Speed, AlarmKind::Choice];
        let mut standing = tx.alarms().await?;
        standing.retain(|row| row.ended_ms.is_none() && of_comparison.contains(&row.kind));
        let rested = |least: Duration| {
            compared.is_none_or(|(ended, took)| ended.elapsed() >= least.max(took * COMPARE_PART))
        };
        if (workers.iter().any(residuals::is_due) && rested(Duration::ZERO))
            || (!standing.is_empty() && rested(COMPARE_AGAIN))
        {
            let began = Instant::now();
            let residuals: Residuals = residuals::compare(&mut tx, &workers, &standing).await?;
            *compared = Some((Instant::now(), began.elapsed()));
            found.extend(residuals.found);
            looks = residuals.looks;
            looked_for.extend(of_comparison);
        }
        if looks.is_empty() && !alarms::differ(&mut tx, &looked_for, &found, now_ms).await? {
            return Ok(());
        }
        drop(tx);
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                tx.note_looks(&looks).await?;
                alarms::set(tx, &looked_for, &found, now_ms).await
            })
        });
        self.inner.writer.change(change).await
    }
}

async fn of_control(tx: &mut Tx) -> Result<Option<RaisedAlarm>, StoreError> {
    let Some(control) = reporting::control(tx).await? else { return Ok(None) };
    let severity = match control.light {
        Light::Grey | Light::Green => return Ok(None),
        Light::Amber => Severity::Amber,
        Light::Red => Severity::Red,
    };
    let (kind, subject, name) = (AlarmKind::Control, String::new(), "control".to_owned());
    Ok(Some(RaisedAlarm { kind, subject, name, severity, words: control.words }))
}

/// Findings from a machine's own row. The stored speed of an absent machine is out of date.
fn of_worker(worker: &WorkerRow, is_there: bool) -> Vec<RaisedAlarm> {
    let mut found = Vec::new();
    let mut find = |kind, severity, words| {
        let (subject, name) = (worker.id.to_string(), worker.name.clone());
        found.push(RaisedAlarm { kind, subject, name, severity, words });
    };
    if worker.compared.is_biased() {
        find(AlarmKind::Bias, Severity::Red, worker.compared.words());
    }
    let far = |drift: f64| drift.max(1.0 / drift);
    let drifts = worker.speeds.iter().filter(|_| is_there).filter(|speed| far(speed.drift) > DRIFT);
    if let Some(speed) = drifts.max_by(|a, b| far(a.drift).total_cmp(&far(b.drift))) {
        let severity = if far(speed.drift) > LARGE_DRIFT { Severity::Red } else { Severity::Amber };
        let how = if speed.drift < 1.0 { "slower" } else { "faster" };
        let words = format!(
            "on size {} it is {:.2} times {how} than when it was measured; its budgets follow, but look for other load, heat and \
             limits of its processor, or start it again",
            speed.size,
            far(speed.drift)
        );
        find(AlarmKind::Drift, severity, words);
    }
    found
}
