//! The first screen: all experiments, and the workers.

use super::alarms::alarms;
use super::confirmations::confirming;
use super::control::control;
use super::idle::Idle;
use super::prefix::only;
use super::shares::Shares;
use super::stall::FleetState;
use crate::error::CoordinatorError;
use crate::store::{BUCKET_MS, ExperimentFilter, ExperimentRow, StoreError, Tx, WorkerRow};
use crate::terms::alive_since;
use protocol::confirm::Confirms;
use protocol::ids::ExperimentId;
use protocol::prefix::{IdPrefix, is_whole_id};
use protocol::query::LARGEST_PAGE;
use protocol::report::{ExperimentState, ExperimentSummary, Overview, WorkerReport, WorkersPage};
use std::collections::HashMap;

/// The window of rates, in milliseconds.
const RATE_WINDOW_MS: i64 = 300_000;
/// The shortest window of rates after machines have left, in milliseconds.
const LEAST_WINDOW_MS: i64 = 60_000;

/// The most games that are counted for the rate of the fleet.
const RATE_GAMES: u32 = 2_000;

/// The shortest time that a rate is taken over, in milliseconds: the first game of a rate may just have come.
const LEAST_RATE_MS: i64 = 10_000;

/// Workers that the first screen lists.
pub(crate) const WORKERS_SHOWN: u32 = 50;

/// The most matches that an error lists for an ambiguous prefix of an id.
const MOST_NAMED: i64 = 10;

/// The experiment with this name, id or content. Of several with the name it is the one that is not superseded, or else the
/// newest. The content of an older revision finds the experiment as it is now.
pub(super) async fn named(tx: &mut Tx, key: &str) -> Result<Option<ExperimentRow>, StoreError> {
    if let Ok(id) = key.parse::<ExperimentId>() {
        let by_content = tx.experiment_with(id).await?;
        let first = by_content.and_then(|(experiment, is_newest)| is_newest.then_some(experiment));
        let ids = [first, Some(id), by_content.map(|(experiment, _)| experiment)];
        for id in ids.into_iter().flatten() {
            if let Some(row) = tx.experiment(id).await? {
                return Ok(Some(row));
            }
        }
        return Ok(None);
    }
    tx.experiment_named(key).await
}

/// As [`named`], or else the experiment with the only id that begins so. A name that may also be meant as the id of another
/// experiment means neither.
pub(crate) async fn find(tx: &mut Tx, key: &str) -> Result<ExperimentRow, CoordinatorError> {
    let by_name = named(tx, key).await?;
    if let Ok(prefix) = key.parse::<IdPrefix>()
        && !is_whole_id(key)
        && (by_name.is_none() || prefix.is_as_shown())
    {
        let mut found = tx.experiments_between(prefix.range(), MOST_NAMED).await?;
        if let Some(row) = &by_name {
            found.retain(|(id, _)| *id != row.id);
            found.push((row.id, row.name.clone()));
        }
        only("experiment", key, found.iter().map(|(id, name)| format!("{id} ({name})")).collect())?;
        if let (None, [(id, _)]) = (&by_name, &found[..])
            && let Some(row) = tx.experiment(*id).await?
        {
            return Ok(row);
        }
    }
    if let Some(row) = by_name {
        return Ok(row);
    }
    let all = tx.experiments().await?;
    Err(CoordinatorError::unknown_among("experiment", key, all.iter().map(|row| row.name.as_str())))
}

/// The games that were counted lately.
pub(super) struct Rates {
    /// Those of each experiment, and when its first was counted.
    games: HashMap<ExperimentId, (u64, i64)>,
    /// When the first of them was counted, whatever its experiment: one game of an experiment is no rate.
    since_ms: i64,
    now_ms: i64,
}

/// The beginning of the window of rates: after the last call of the machine that left last, because its games are no measure of
/// the speed of the others. If no machine is left, the window is not shortened.
async fn rates_since(tx: &mut Tx, standing: &FleetState) -> Result<i64, StoreError> {
    let since_ms = standing.now_ms - RATE_WINDOW_MS;
    let left_ms = if standing.workers.is_empty() { None } else { tx.last_left(standing.alive_ms).await? };
    // Games are counted in slices of time: the next one begins after that call. At least a minute remains, because machines leave
    // a large fleet all the time.
    let least_ms = standing.now_ms - LEAST_WINDOW_MS;
    Ok(left_ms.map_or(since_ms, |left_ms| since_ms.max((left_ms + BUCKET_MS).min(least_ms))))
}

impl Rates {
    pub(super) async fn read(tx: &mut Tx, standing: &FleetState) -> Result<Self, StoreError> {
        let now_ms = standing.now_ms;
        let since_ms = rates_since(tx, standing).await?;
        let recent = tx.recent_games((since_ms, now_ms)).await?;
        let since_ms = recent.iter().map(|(_, _, since_ms)| *since_ms).min().unwrap_or(now_ms);
        let games = recent.into_iter().map(|(id, games, since_ms)| (id, (games, since_ms))).collect();
        Ok(Self { games, since_ms, now_ms })
    }

    /// Games a minute of an experiment.
    fn per_minute(&self, row: &ExperimentRow) -> f64 {
        let Some((games, first_ms)) = self.games.get(&row.id) else { return 0.0 };
        // After a step of the clock an experiment may seem to be younger than its games.
        let since_ms = self.since_ms.max(row.created_ms).min(*first_ms);
        *games as f64 * 60_000.0 / (self.now_ms - since_ms).max(LEAST_RATE_MS) as f64
    }
}

pub(super) fn summary(
    row: ExperimentRow,
    (rates, shares): (&Rates, &Shares),
    confirms: Option<Confirms>,
    stalled: Option<String>,
) -> ExperimentSummary {
    let games_per_minute = rates.per_minute(&row);
    let left = row.games_missing() as f64;
    let runs = row.state == ExperimentState::Active && games_per_minute > 0.0 && stalled.is_none();
    let running = runs && !row.is_control;
    ExperimentSummary {
        id: row.id,
        name: row.name,
        question: row.question,
        state: row.state,
        weight: row.weight,
        revision: row.revision,
        tags: row.tags,
        is_control: row.is_control,
        is_tune: row.is_tune,
        cells: row.cells,
        games_planned: row.games_planned,
        games_done: row.games_done,
        games_not_needed: row.games_not_needed,
        pairs_in_flight: row.pairs_in_flight,
        pairs_aside: row.pairs_aside,
        share: shares.of(row.id),
        core_seconds: row.core_us as f64 / 1e6,
        games_per_minute,
        seconds_left: running.then(|| left / games_per_minute * 60.0),
        confirms,
        stalled,
        created_ms: row.created_ms,
    }
}

/// Experiments, the newest first: all of them, or those that are not archived.
pub(crate) async fn experiments(
    tx: &mut Tx,
    standing: &FleetState,
    all: bool,
) -> Result<Vec<ExperimentSummary>, StoreError> {
    let rates = Rates::read(tx, standing).await?;
    let shares = Shares::read(tx, &standing.filter).await?;
    let mut confirming = confirming(tx).await?;
    let mut experiments = Vec::new();
    for row in tx.experiments().await? {
        if all || row.state != ExperimentState::Archived {
            let stalled = standing.of_experiment(tx, &row).await?;
            let confirms = confirming.remove(&row.id);
            experiments.push(summary(row, (&rates, &shares), confirms, stalled));
        }
    }
    Ok(experiments)
}

/// One experiment in short.
pub(crate) async fn one(
    tx: &mut Tx,
    standing: &FleetState,
    row: ExperimentRow,
) -> Result<ExperimentSummary, StoreError> {
    let rates = Rates::read(tx, standing).await?;
    let shares = Shares::read(tx, &standing.filter).await?;
    let stalled = standing.of_experiment(tx, &row).await?;
    let confirms = confirming(tx).await?.remove(&row.id);
    Ok(summary(row, (&rates, &shares), confirms, stalled))
}

/// Seconds until all active experiments are complete. Workers go from those that end to the others, so what is left and what is
/// being done are added up in core time. A game of an experiment without games takes what games take on average. The
/// coordinator's control has no end, and games that no machine can play are left out.
fn seconds_left(experiments: &[ExperimentSummary]) -> Option<f64> {
    let ends = |of: &&ExperimentSummary| {
        of.state == ExperimentState::Active && !of.is_control && of.stalled.is_none()
    };
    let active = || experiments.iter().filter(ends);
    let games: u64 = active().map(|experiment| experiment.games_done).sum();
    let usual = active().map(|experiment| experiment.core_seconds).sum::<f64>() / games as f64;
    let cost = |experiment: &ExperimentSummary| match experiment.games_done {
        0 => usual,
        games => experiment.core_seconds / games as f64,
    };
    let (mut left, mut a_minute) = (0.0, 0.0);
    for experiment in active() {
        let games = experiment.games_missing() as f64;
        left += games * cost(experiment);
        a_minute += experiment.games_per_minute * cost(experiment);
    }
    Some(60.0 * left / a_minute).filter(|seconds| seconds.is_finite())
}

/// The first screen.
pub(crate) async fn overview(
    tx: &mut Tx,
    standing: &FleetState,
    (sync_ms, filter): (u64, &ExperimentFilter),
    version: &str,
) -> Result<Overview, StoreError> {
    let now_ms = standing.now_ms;
    let experiments = experiments(tx, standing, false).await?;
    let WorkersPage { workers, .. } = workers(tx, (now_ms, sync_ms, filter), 0, WORKERS_SHOWN).await?;
    let fleet = tx.fleet(alive_since(now_ms, sync_ms), version).await?;
    let since_ms = rates_since(tx, standing).await?;
    let (games, first_ms) = tx.latest_games(since_ms, RATE_GAMES).await?;
    // With so many games the rate is precise over any time.
    let least_ms = if games < u64::from(RATE_GAMES) { LEAST_RATE_MS } else { 1 };
    let rate_ms = (now_ms - first_ms.unwrap_or(now_ms)).max(least_ms);
    Ok(Overview {
        games_per_minute: games as f64 * 60_000.0 / rate_ms as f64,
        seconds_left: seconds_left(&experiments),
        experiments,
        workers,
        fleet,
        control: control(tx).await?,
        alarms: alarms(tx).await?,
        trouble: standing.trouble.clone(),
        version: version.to_owned(),
    })
}

/// Some of the workers.
pub(crate) async fn workers(
    tx: &mut Tx,
    (now_ms, sync_ms, filter): (i64, u64, &ExperimentFilter),
    offset: u32,
    limit: u32,
) -> Result<WorkersPage, StoreError> {
    let alive_ms = alive_since(now_ms, sync_ms);
    let limit = limit.clamp(1, LARGEST_PAGE);
    let rows = tx.workers_page(alive_ms, i64::from(offset), i64::from(limit)).await?;
    let mut idle = None;
    let mut workers = Vec::new();
    for mut row in rows {
        if row.seen_ms >= alive_ms && row.pairs_held == 0 {
            if idle.is_none() {
                idle = Some(Idle::read(tx, filter, sync_ms).await?);
            }
            row.no_work = idle.as_ref().and_then(|idle| idle.why(&row)).or(row.no_work);
        }
        workers.push(worker_report(row, now_ms, alive_ms));
    }
    Ok(WorkersPage { workers, offset: u64::from(offset) })
}

/// A worker in short; workers seen since `alive_ms` are present.
pub(super) fn worker_report(row: WorkerRow, now_ms: i64, alive_ms: i64) -> WorkerReport {
    WorkerReport {
        id: row.id,
        name: row.name,
        version: row.version,
        slots: row.slots,
        seconds_since_seen: (now_ms - row.seen_ms).max(0) as f64 / 1000.0,
        alive: row.seen_ms >= alive_ms,
        pairs_held: row.pairs_held,
        games: row.games,
        speeds: row.speeds,
        no_work: row.no_work,
        resting: row.resting,
        directive: row.directive,
        labels: row.labels,
        quarantine: row.quarantine,
        suspicion: row.suspicion,
        biased: row.compared.is_biased().then(|| row.compared.words()),
    }
}

/// The worker with this id or name, or with the only id that begins so. Machines choose their own names, so a name that several
/// machines have is refused.
pub(crate) async fn worker_named(tx: &mut Tx, key: &str) -> Result<WorkerRow, CoordinatorError> {
    let mut rows = tx.workers().await?;
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    keep_named(&mut rows, key);
    let ids = rows.iter().map(|row| format!("{} ({})", row.id, row.name)).collect();
    only("worker", key, ids)?;
    let names = names.iter().map(String::as_str);
    rows.pop().ok_or_else(|| CoordinatorError::unknown_among("worker", key, names))
}

/// Keeps the workers with this name or an id that begins so. A name of fewer digits than lists show of ids is a name alone, and a
/// whole id is an id alone.
pub(crate) fn keep_named(rows: &mut Vec<WorkerRow>, key: &str) {
    let by_name = !is_whole_id(key) && rows.iter().any(|row| row.name == *key);
    let prefix = key.parse::<IdPrefix>().ok().filter(|prefix| !by_name || prefix.is_as_shown());
    let range = prefix.map(|prefix| prefix.range());
    rows.retain(|row| {
        by_name && row.name == *key || range.is_some_and(|(first, last)| (first..=last).contains(&row.id.0))
    });
}
