//! Worker machines.

use super::paces::read_compared;
use super::sql::{Columns, execute, execute_many, row, rows, rows_many, write_json};
use super::{Capabilities, StoreError, Tx};
use crate::delivered::Delivered;
use crate::principal::Principal;
use protocol::alarm::AlarmKind;
use protocol::ids::{SessionId, WorkerId};
use protocol::memory::Mib;
use protocol::report::Fleet;
use protocol::result::Speed;
use protocol::sync::{Directive, SyncRequest};
use stats::ComparedGames;
use std::collections::HashMap;

/// The program version of a machine of another database. A calling machine that reports it only loses its vote.
pub(super) const IMPORTED: &str = "imported";

/// A row of `worker`, with the number of pairs it holds.
#[derive(Debug, Clone)]
pub(crate) struct WorkerRow {
    pub(crate) id: WorkerId,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) slots: u32,
    /// Its memory for the players of a game; unknown for imported machines.
    pub(crate) memory: Option<Mib>,
    pub(crate) speeds: Vec<Speed>,
    pub(crate) no_work: Option<String>,
    pub(crate) resting: Option<String>,
    pub(crate) directive: Directive,
    pub(crate) labels: Vec<String>,
    pub(crate) games: u64,
    pub(crate) seen_ms: i64,
    pub(crate) pairs_held: u64,
    /// Why it is in quarantine, if so.
    pub(crate) quarantine: Option<String>,
    /// The digest of its token, if one is known.
    pub(crate) token: Option<String>,
    /// The alarm that it seems to choose its results, if there is one.
    pub(crate) suspicion: Option<String>,
    /// Its counted games that were compared with those of other machines.
    pub(crate) compared: ComparedGames,
    /// How often its results were compared with those of others, and its games at the last time.
    pub(crate) looks: i64,
    pub(crate) looked_games: i64,
}

impl WorkerRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(WorkerRow {
            id: WorkerId(row.uuid("id")?),
            name: row.text("name")?,
            version: row.text("version")?,
            slots: u32::try_from(row.bigint("slots")?).map_err(StoreError::unreadable("worker.slots"))?,
            memory: row.maybe_bigint("memory_mib")?.map(read_mib).transpose()?,
            speeds: serde_json::from_str(&row.text("speeds")?)
                .map_err(StoreError::unreadable("worker.speeds"))?,
            no_work: row.maybe_text("no_work")?,
            resting: row.maybe_text("resting")?,
            directive: read_directive(&row.text("directive")?)?,
            labels: serde_json::from_str(&row.text("labels")?)
                .map_err(StoreError::unreadable("worker.labels"))?,
            games: row.count("games")?,
            seen_ms: row.bigint("seen_ms")?,
            pairs_held: row.count("pairs_held")?,
            quarantine: row.maybe_text("quarantine")?,
            token: row.maybe_text("token")?,
            suspicion: None,
            compared: read_compared(row)?,
            looks: row.bigint("looks")?,
            looked_games: row.bigint("looked_games")?,
        })
    }
}

/// A worker as it was before its call.
#[derive(Debug, Clone)]
pub(crate) struct WorkerBefore {
    /// The digest of the token that it is bound to, if one is known.
    pub(crate) token: Option<String>,
    pub(crate) principal: Principal,
    pub(crate) session: SessionId,
    /// The number of that session.
    pub(crate) start: u64,
    /// The number of its last call within it.
    pub(crate) sequence: u64,
    pub(crate) directive: Directive,
    /// The speeds that it reported, as stored.
    pub(crate) speeds: String,
    pub(crate) seen_ms: i64,
    /// When one of its games last moved on.
    pub(crate) progress_ms: i64,
    /// Whether it is in quarantine.
    pub(crate) quarantined: bool,
    /// Whether it left in good order: its games wait on its disk for the next start.
    pub(crate) away: bool,
    /// When it last asked for work.
    pub(crate) asked_ms: i64,
    /// What it had delivered when it was last seen.
    pub(crate) delivered: Delivered,
}

impl WorkerBefore {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            token: row.maybe_text("token")?,
            principal: Principal::read(row.maybe_text("principal")?, WorkerId(row.uuid("id")?)),
            session: SessionId(row.uuid("session")?),
            start: row.count("start_number")?,
            sequence: row.count("call_number")?,
            directive: read_directive(&row.text("directive")?)?,
            speeds: row.text("speeds")?,
            seen_ms: row.bigint("seen_ms")?,
            progress_ms: row.bigint("progress_ms")?,
            quarantined: row.maybe_text("quarantine")?.is_some(),
            away: row.maybe_bigint("away_ms")?.is_some(),
            asked_ms: row.bigint("asked_ms")?,
            delivered: Delivered { ever: row.bigint("games")?, recent: row.real("recent")? },
        })
    }
}

/// A worker after its call.
#[derive(Debug, Clone)]
pub(crate) struct WorkerAfter<'a> {
    pub(crate) request: &'a SyncRequest,
    /// The digest of its token, if the call came over HTTP.
    pub(crate) token: Option<&'a str>,
    pub(crate) principal: &'a Principal,
    pub(crate) directive: Directive,
    pub(crate) capabilities: Capabilities,
    /// When it last asked for work.
    pub(crate) asked_ms: i64,
    pub(crate) delivered: Delivered,
    /// Games counted in this call.
    pub(crate) games_counted: i64,
    pub(crate) progress_ms: i64,
    pub(crate) no_work: Option<String>,
}

/// Memory in a column.
pub(super) fn read_mib(mib: i64) -> Result<Mib, StoreError> {
    u32::try_from(mib).map(Mib).map_err(StoreError::unreadable("memory_mib"))
}

pub(super) fn read_directive(name: &str) -> Result<Directive, StoreError> {
    [Directive::Work, Directive::Pause, Directive::Drain]
        .into_iter()
        .find(|directive| directive.to_string() == name)
        .ok_or_else(|| StoreError::unreadable("worker.directive")(name))
}

impl WorkerBefore {
    /// Whether it reports other speeds now.
    pub(crate) fn had_other_speeds(&self, now: &[Speed]) -> bool {
        self.speeds != write_json(&now)
    }
}

impl Tx {
    /// Workers as they were after their last calls.
    pub(crate) async fn workers_before(
        &mut self,
        workers: &[WorkerId],
    ) -> Result<HashMap<WorkerId, WorkerBefore>, StoreError> {
        let found = rows_many!(
            &mut *self,
            |row| Ok((WorkerId(row.uuid("id")?), WorkerBefore::from_row(row)?)),
            "SELECT id, token, principal, session, start_number, call_number, directive, speeds, seen_ms, progress_ms, \
             quarantine, away_ms, asked_ms, recent, games FROM worker WHERE id IN ({rows})",
            workers,
            |worker| worker.0,
        )?;
        Ok(found.into_iter().collect())
    }

    /// Stores what workers report about themselves, and the outcome of their calls.
    pub(crate) async fn put_workers(
        &mut self,
        workers: &[WorkerAfter<'_>],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO worker (id, session, name, version, slots, speeds, labels, resting, directive, no_work, games, \
             progress_ms, seen_ms, start_number, call_number, away_ms, memory_mib, token, principal, \
             able, asked_ms, recent) VALUES {rows} ON CONFLICT (id) DO UPDATE SET session = excluded.session, \
             name = excluded.name, version = excluded.version, slots = excluded.slots, speeds = excluded.speeds, \
             labels = excluded.labels, resting = excluded.resting, directive = excluded.directive, \
             no_work = excluded.no_work, games = worker.games + excluded.games, progress_ms = excluded.progress_ms, \
             seen_ms = excluded.seen_ms, start_number = excluded.start_number, call_number = excluded.call_number, \
             away_ms = excluded.away_ms, memory_mib = excluded.memory_mib, token = excluded.token, principal = excluded.principal, \
             able = excluded.able, asked_ms = excluded.asked_ms, recent = excluded.recent",
            workers,
            |after| after.request.worker.0,
            after.request.session.0,
            after.request.name.as_str(),
            after.request.version.as_str(),
            i64::from(after.request.slots),
            write_json(&after.request.speeds),
            write_json(&after.request.labels),
            // The reason is out of date for a worker that leaves.
            after.request.resting.as_deref().filter(|_| !after.request.leaving),
            after.directive.to_string(),
            after.no_work.as_deref(),
            after.games_counted,
            after.progress_ms,
            now_ms,
            after.request.start.cast_signed(),
            after.request.sequence.cast_signed(),
            after.request.leaving.then_some(now_ms),
            i64::from(after.request.memory.0),
            after.token,
            after.principal.as_str(),
            after.capabilities.sizes,
            after.asked_ms,
            after.delivered.recent,
        )?;
        Ok(())
    }

    /// Binds a worker to a token and a principal.
    pub(crate) async fn bind_worker(
        &mut self,
        worker: WorkerId,
        token: &str,
        principal: &Principal,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE worker SET token = $2, principal = $3 WHERE id = $1",
            worker.0,
            token,
            principal.as_str(),
        )?;
        Ok(())
    }

    /// Moves the times of the workers' last calls by `step_ms` after a step of the clock, so that none lies in the
    /// future.
    pub(crate) async fn move_last_calls(&mut self, step_ms: i64, now_ms: i64) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE worker SET seen_ms = CASE WHEN seen_ms + $1 > $2 THEN $2 ELSE seen_ms + $1 END \
             WHERE $1 <> 0 OR seen_ms > $2",
            step_ms,
            now_ms,
        )?;
        Ok(())
    }

    /// A worker and all others of its token: id, name, and why it is in quarantine, if so.
    pub(crate) async fn of_same_token(
        &mut self,
        worker: WorkerId,
    ) -> Result<Vec<(WorkerId, String, Option<String>)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((WorkerId(row.uuid("id")?), row.text("name")?, row.maybe_text("quarantine")?)),
            "SELECT id, name, quarantine FROM worker \
             WHERE id = $1 OR token = (SELECT token FROM worker WHERE id = $1) ORDER BY id",
            worker.0,
        )
    }

    /// The time of the latest call of any worker.
    pub(crate) async fn last_call(&mut self) -> Result<Option<i64>, StoreError> {
        let last = row!(
            &mut *self,
            |row| row.maybe_bigint("seen_ms"),
            "SELECT MAX(seen_ms) AS seen_ms FROM worker"
        )?;
        Ok(last.flatten())
    }

    /// The workers that are bound to this token.
    pub(crate) async fn workers_with_token(&mut self, hash: &str) -> Result<Vec<WorkerId>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(WorkerId(row.uuid("id")?)),
            "SELECT id FROM worker WHERE token = $1 ORDER BY id",
            hash,
        )
    }

    /// Stores a machine for the games that a person replays: it has no slots and asks for no work.
    pub(crate) async fn put_hand(
        &mut self,
        worker: WorkerId,
        who: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO worker (id, session, name, version, slots, speeds, resting, seen_ms, progress_ms) \
             VALUES ($1, $1, $2, '', 0, '[]', 'it settles disputes by hand', $3, $3) \
             ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms",
            worker.0,
            who,
            now_ms,
        )?;
        Ok(())
    }

    /// Stores a machine of another database, of which games were imported, unless it is known here.
    pub(crate) async fn put_foreign(
        &mut self,
        worker: WorkerId,
        name: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO worker (id, session, name, version, slots, speeds, resting, seen_ms, progress_ms, away_ms) \
             VALUES ($1, $1, $2, $4, 0, '[]', 'its games were imported', $3, $3, $3) ON CONFLICT (id) DO NOTHING",
            worker.0,
            name,
            now_ms,
            IMPORTED,
        )?;
        Ok(())
    }

    /// Stores the order for a worker's next call. Its reason for having no work is then out of date.
    pub(crate) async fn set_directive(
        &mut self,
        worker: WorkerId,
        directive: Directive,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE worker SET directive = $2, no_work = NULL, resting = NULL WHERE id = $1",
            worker.0,
            directive.to_string(),
        )?;
        Ok(())
    }

    /// Changes the number of a worker's counted games.
    pub(crate) async fn add_worker_games(&mut self, worker: WorkerId, games: i64) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE worker SET games = games + $2 WHERE id = $1", worker.0, games)?;
        Ok(())
    }

    /// The names of machines.
    pub(crate) async fn worker_names(
        &mut self,
        workers: &[WorkerId],
    ) -> Result<HashMap<WorkerId, String>, StoreError> {
        let names = rows_many!(
            &mut *self,
            |row| Ok((WorkerId(row.uuid("id")?), row.text("name")?)),
            "SELECT id, name FROM worker WHERE id IN ({rows})",
            workers,
            |worker| worker.0,
        )?;
        Ok(names.into_iter().collect())
    }

    /// Every worker, those seen last first.
    pub(crate) async fn workers(&mut self) -> Result<Vec<WorkerRow>, StoreError> {
        let workers = rows!(
            &mut *self,
            WorkerRow::from_row,
            "SELECT worker.*, (SELECT COUNT(*) FROM lease WHERE lease.worker = worker.id AND state = 'active') \
             AS pairs_held FROM worker ORDER BY seen_ms DESC, id",
        )?;
        self.with_suspicions(workers).await
    }

    /// Adds the alarms about the choice of results.
    async fn with_suspicions(&mut self, mut workers: Vec<WorkerRow>) -> Result<Vec<WorkerRow>, StoreError> {
        let mut alarms = self.alarms().await?;
        alarms.retain(|alarm| alarm.kind == AlarmKind::Choice && alarm.ended_ms.is_none());
        for worker in &mut workers {
            let own = alarms.iter().find(|alarm| alarm.subject == worker.id.to_string());
            worker.suspicion = own.map(|alarm| alarm.words.clone());
        }
        Ok(workers)
    }

    /// Some workers: those in quarantine first, then those seen since `alive_ms`, then the others, each by name.
    pub(crate) async fn workers_page(
        &mut self,
        alive_ms: i64,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<WorkerRow>, StoreError> {
        let workers = rows!(
            &mut *self,
            WorkerRow::from_row,
            "WITH page AS (SELECT id AS place, CASE WHEN quarantine IS NOT NULL THEN 0 WHEN seen_ms >= $1 THEN 1 \
             ELSE 2 END AS rank FROM worker ORDER BY rank, name, id LIMIT $2 OFFSET $3) \
             SELECT worker.*, (SELECT COUNT(*) FROM lease WHERE lease.worker = worker.id AND state = 'active') \
             AS pairs_held FROM page JOIN worker ON worker.id = page.place ORDER BY page.rank, worker.name, worker.id",
            alive_ms,
            limit,
            offset,
        )?;
        self.with_suspicions(workers).await
    }

    /// All workers in numbers; those seen since `alive_ms` are present. A worker that never called has no slots.
    pub(crate) async fn fleet(&mut self, alive_ms: i64, version: &str) -> Result<Fleet, StoreError> {
        let alike = rows!(
            &mut *self,
            |row| {
                let labels: Vec<String> = serde_json::from_str(&row.text("labels")?)
                    .map_err(StoreError::unreadable("worker.labels"))?;
                Ok(Fleet {
                    workers: row.count("workers")?,
                    others: row.count("others")?,
                    alive: row.count("alive")?,
                    slots: row.count("slots")?,
                    reference_cores: 0.0,
                    quarantined: row.count("quarantined")?,
                    outdated: row.count("outdated")?,
                    labels,
                })
            },
            "SELECT labels, COUNT(quarantine) AS quarantined, \
             CAST(SUM(CASE WHEN slots > 0 THEN 1 ELSE 0 END) AS BIGINT) AS workers, \
             CAST(SUM(CASE WHEN slots = 0 THEN 1 ELSE 0 END) AS BIGINT) AS others, \
             CAST(SUM(CASE WHEN slots > 0 AND seen_ms >= $1 THEN 1 ELSE 0 END) AS BIGINT) AS alive, \
             CAST(SUM(CASE WHEN slots > 0 AND seen_ms >= $1 AND version <> $2 THEN 1 ELSE 0 END) AS BIGINT) AS outdated, \
             CAST(SUM(CASE WHEN seen_ms >= $1 THEN slots ELSE 0 END) AS BIGINT) AS slots FROM worker GROUP BY labels",
            alive_ms,
            version,
        )?;
        let mut fleet = Fleet::default();
        for some in alike {
            fleet.workers += some.workers;
            fleet.others += some.others;
            fleet.alive += some.alive;
            fleet.slots += some.slots;
            fleet.quarantined += some.quarantined;
            fleet.outdated += some.outdated;
            fleet.labels.extend(some.labels);
        }
        fleet.labels.sort_unstable();
        fleet.labels.dedup();
        let present = rows!(
            &mut *self,
            |row| {
                let speeds: Vec<Speed> = serde_json::from_str(&row.text("speeds")?)
                    .map_err(StoreError::unreadable("worker.speeds"))?;
                Ok(row.count("slots")? as f64 * reference_speed(&speeds))
            },
            "SELECT slots, speeds FROM worker WHERE seen_ms >= $1",
            alive_ms,
        )?;
        // The sum of no number is −0.
        fleet.reference_cores = present.iter().fold(0.0, |sum, cores| sum + cores);
        Ok(fleet)
    }
}

/// The speed of a slot relative to the reference machine, averaged over the sizes that were measured.
fn reference_speed(speeds: &[Speed]) -> f64 {
    let known: Vec<f64> =
        speeds.iter().map(|speed| 1.0 / speed.factor).filter(|speed| speed.is_finite()).collect();
    if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
}
