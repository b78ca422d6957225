//! Pairs that machines abandoned, and the machines that are present to play them.

use super::columns::read_spec;
use super::pairs::PairRow;
use super::sql::{Columns, execute, execute_many, row, rows, rows_many};
use super::{Capabilities, StoreError, Tx};
use crate::principal::Principal;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, WorkerId};
use stats::abandoned::AbandonedGames;

/// How long a machine counts as willing after it asked for work, in milliseconds.
pub(crate) const ASKED_MS: i64 = 3_600_000;

/// A pair and the machine that held it: cell, number and machine.
pub(crate) type Held = (CellId, u32, WorkerId);

/// The record that a machine abandoned a pair, or that the pair failed on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Abandonment {
    /// How often it was abandoned.
    pub(crate) times: i64,
    /// How often that was a failure.
    pub(crate) failures: i64,
    /// How many games ended without a result by that.
    pub(crate) voids: i64,
    /// The plies of its games, as the machine last reported.
    pub(crate) plies: u32,
    /// The state in which the lease ended.
    pub(crate) how: &'static str,
}

/// A machine that abandoned a pair.
#[derive(Debug, Clone)]
pub(crate) struct AbandonedBy {
    pub(crate) worker: WorkerId,
    pub(crate) principal: Principal,
    /// How often it failed on this machine.
    pub(crate) failures: i64,
}

/// A present machine: it called lately, and asks for work.
#[derive(Debug, Clone)]
pub(crate) struct PresentWorker {
    pub(crate) worker: WorkerId,
    pub(crate) principal: Principal,
    pub(crate) capabilities: Capabilities,
}

/// A pair that may be leased, with the description of its cell.
#[derive(Debug, Clone)]
pub(crate) struct LendablePair {
    pub(crate) pair: PairRow,
    pub(crate) experiment: ExperimentId,
    pub(crate) labels: (String, String),
    pub(crate) spec: CellSpec,
}

fn read_principal(row: &dyn Columns) -> Result<(WorkerId, Principal), StoreError> {
    let worker = WorkerId(row.uuid("worker")?);
    Ok((worker, Principal::read(row.maybe_text("principal")?, worker)))
}

fn labels(row: &dyn Columns) -> Result<(String, String), StoreError> {
    Ok((row.text("case_label")?, row.text("baseline_label")?))
}

impl Tx {
    /// Notes the machines that abandoned pairs.
    pub(super) async fn note_abandoned(
        &mut self,
        notes: &[(Held, Abandonment)],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO abandoned (cell, idx, worker, times, failures, plies, at_ms, how, voids) VALUES {rows} \
             ON CONFLICT (cell, idx, worker) DO UPDATE SET times = abandoned.times + excluded.times, \
             failures = abandoned.failures + excluded.failures, plies = excluded.plies, at_ms = excluded.at_ms, \
             how = excluded.how, voids = abandoned.voids + excluded.voids",
            notes,
            |note| note.0.0.0,
            i64::from(note.0.1),
            note.0.2.0,
            note.1.times,
            note.1.failures,
            i64::from(note.1.plies),
            now_ms,
            note.1.how,
            note.1.voids,
        )?;
        Ok(())
    }

    /// Removes such a record, because the machine continues the pair; gives the number of games that are no longer void.
    pub(crate) async fn forget_abandoned(
        &mut self,
        (cell, idx, worker): Held,
        failures: i64,
    ) -> Result<i64, StoreError> {
        let known = row!(
            &mut *self,
            |row| row.bigint("voids"),
            "SELECT voids FROM abandoned WHERE cell = $1 AND idx = $2 AND worker = $3 AND times > 0",
            cell.0,
            i64::from(idx),
            worker.0,
        )?;
        let voids = known.unwrap_or_default().min(failures);
        execute!(
            &mut *self,
            "UPDATE abandoned SET times = times - 1, failures = CASE WHEN failures > $4 THEN failures - $4 ELSE 0 END, \
             voids = voids - $5 WHERE cell = $1 AND idx = $2 AND worker = $3 AND times > 0",
            cell.0,
            i64::from(idx),
            worker.0,
            failures,
            voids,
        )?;
        Ok(voids)
    }

    /// The games of pairs that these machines abandoned and other machines finished, beside the machines' own games in the same
    /// cells: in the order of machines.
    pub(crate) async fn abandoned_games(
        &mut self,
        workers: &[WorkerId],
    ) -> Result<Vec<(WorkerId, AbandonedGames)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| {
                let games = AbandonedGames {
                    half: usize::try_from(row.bigint("half")?).map_err(StoreError::unreadable("half"))?,
                    own: [row.bigint("losses")?, row.bigint("draws")?, row.bigint("wins")?],
                    abandoned: [row.bigint("lost")?, row.bigint("drawn")?, row.bigint("won")?],
                };
                Ok((WorkerId(row.uuid("worker")?), games))
            },
            "SELECT note.worker, game.half, own.losses, own.draws, own.wins, CAST(COUNT(*) AS BIGINT) \
             - CAST(SUM(CASE WHEN game.winner IS NULL OR (game.winner = 'white') = (game.half = 0) THEN 1 ELSE 0 END) AS BIGINT) AS lost, \
             CAST(SUM(CASE WHEN game.winner IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS drawn, \
             CAST(SUM(CASE WHEN (game.winner = 'white') = (game.half = 0) THEN 1 ELSE 0 END) AS BIGINT) AS won \
             FROM abandoned note JOIN game ON game.cell = note.cell AND game.idx = note.idx AND game.worker <> note.worker \
             JOIN worker_cell own ON own.cell = game.cell AND own.worker = note.worker AND own.half = game.half \
             WHERE note.worker IN ({rows}) AND note.times > 0 AND game.status = 'counted' \
             GROUP BY note.worker, game.cell, game.half, own.losses, own.draws, own.wins ORDER BY note.worker, game.cell, game.half",
            workers,
            |worker| worker.0,
        )
    }

    /// The attempts at games of a cell that failed: the state in which the lease ended, the last trouble of the pair, and their
    /// number.
    pub(crate) async fn failed_attempts(
        &mut self,
        cell: CellId,
    ) -> Result<Vec<(String, Option<String>, u64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((row.text("how")?, row.maybe_text("trouble")?, row.count("games")?)),
            "SELECT note.how, pair.trouble, CAST(SUM(note.voids) AS BIGINT) AS games FROM abandoned note \
             JOIN pair ON pair.cell = note.cell AND pair.idx = note.idx WHERE note.cell = $1 AND note.voids > 0 \
             GROUP BY note.how, pair.trouble",
            cell.0,
        )
    }

    /// The reasons for which plays of a cell were excluded, with the number of plays.
    pub(crate) async fn exclusions(
        &mut self,
        cell: CellId,
    ) -> Result<Vec<(Option<String>, u64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((row.maybe_text("reason")?, row.count("games")?)),
            // Both conditions, so that SQLite uses the partial index.
            "SELECT reason, COUNT(*) AS games FROM game WHERE cell = $1 AND status <> 'counted' AND status = 'excluded' GROUP BY reason",
            cell.0,
        )
    }

    /// The machines that abandoned a pair, or on which it failed.
    pub(crate) async fn abandoned_by(
        &mut self,
        cell: CellId,
        idx: u32,
    ) -> Result<Vec<AbandonedBy>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let (worker, principal) = read_principal(row)?;
                Ok(AbandonedBy { worker, principal, failures: row.bigint("failures")? })
            },
            "SELECT note.worker, worker.principal, note.failures FROM abandoned note \
             JOIN worker ON worker.id = note.worker \
             WHERE note.cell = $1 AND note.idx = $2 AND (note.times > 0 OR note.failures > 0) ORDER BY note.worker",
            cell.0,
            i64::from(idx),
        )
    }

    /// Machines that called since `seen_ms`, asked for work since `asked_ms` and may get work.
    pub(crate) async fn present_workers(
        &mut self,
        seen_ms: i64,
        asked_ms: i64,
    ) -> Result<Vec<PresentWorker>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let (worker, principal) = read_principal(row)?;
                let memory_mib = row.maybe_bigint("memory_mib")?.unwrap_or_default();
                let capabilities = Capabilities { sizes: row.bigint("able")?, memory_mib };
                Ok(PresentWorker { worker, principal, capabilities })
            },
            "SELECT id AS worker, principal, able, memory_mib FROM worker WHERE seen_ms >= $1 AND asked_ms >= $2 \
             AND quarantine IS NULL AND directive = 'work' AND resting IS NULL AND away_ms IS NULL",
            seen_ms,
            asked_ms,
        )
    }

    /// The first open pair of a cell that no machine of this principal abandoned.
    pub(crate) async fn open_pair_for(
        &mut self,
        cell: CellId,
        (worker, principal): (WorkerId, &Principal),
    ) -> Result<Option<PairRow>, StoreError> {
        row!(
            &mut *self,
            PairRow::from_row,
            "SELECT cell, idx, state, lease, first, second, failures, aside_ms, abandoned FROM pair \
             WHERE cell = $1 AND state = 'open' AND aside_ms IS NULL AND NOT EXISTS (SELECT 1 FROM abandoned note \
             JOIN worker ON worker.id = note.worker WHERE note.cell = pair.cell AND note.idx = pair.idx \
             AND note.times > 0 AND (note.worker = $2 OR worker.principal = $3)) ORDER BY failures, idx LIMIT 1",
            cell.0,
            worker.0,
            principal.as_str(),
        )
    }

    /// The first open pairs of a cell, whichever machines abandoned them.
    pub(crate) async fn open_pairs(&mut self, cell: CellId, limit: i64) -> Result<Vec<PairRow>, StoreError> {
        rows!(
            &mut *self,
            PairRow::from_row,
            "SELECT cell, idx, state, lease, first, second, failures, aside_ms, abandoned FROM pair \
             WHERE cell = $1 AND state = 'open' AND aside_ms IS NULL ORDER BY failures, idx LIMIT $2",
            cell.0,
            limit,
        )
    }

    /// Whether any pair is suspended.
    pub(crate) async fn is_any_suspended(&mut self) -> Result<bool, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.bigint("idx"),
            "SELECT idx FROM pair WHERE aside_ms IS NOT NULL LIMIT 1",
        )?;
        Ok(found.is_some())
    }

    /// A pair that was suspended before `most` principals had failed it, and that this principal has not failed.
    pub(crate) async fn suspended_pair_for(
        &mut self,
        (worker, principal): (WorkerId, &Principal),
        capabilities: Capabilities,
        (semantics, most): (u32, i64),
    ) -> Result<Vec<LendablePair>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(LendablePair {
                pair: PairRow::from_row(row)?,
                experiment: ExperimentId(row.uuid("experiment")?),
                labels: labels(row)?,
                spec: read_spec(row)?,
            }),
            // With CROSS JOIN, SQLite keeps this order, and begins with the few pairs that are set aside.
            "SELECT pair.cell, pair.idx, pair.state, pair.lease, pair.first, pair.second, pair.failures, \
             pair.aside_ms, pair.abandoned, ec.experiment, ec.case_label, ec.baseline_label, cell.spec FROM pair \
             CROSS JOIN cell CROSS JOIN experiment_cell ec WHERE pair.aside_ms IS NOT NULL AND cell.id = pair.cell \
             AND ec.cell = pair.cell AND ec.state <> 'off' AND ec.stop_decision IS NULL AND ec.semantics = $3 AND (ec.needs & $4) <> 0 \
             AND (cell.memory_mib IS NULL OR cell.memory_mib <= $5) \
             AND NOT EXISTS (SELECT 1 FROM abandoned note JOIN worker ON worker.id = note.worker \
                 WHERE note.cell = pair.cell AND note.idx = pair.idx AND (note.worker = $1 OR worker.principal = $2)) \
             AND (SELECT COUNT(DISTINCT worker.principal) FROM abandoned note JOIN worker ON worker.id = note.worker \
                 WHERE note.cell = pair.cell AND note.idx = pair.idx AND note.failures > 0) BETWEEN 1 AND $6 \
             ORDER BY pair.aside_ms, pair.cell, pair.idx LIMIT 16",
            worker.0,
            principal.as_str(),
            i64::from(semantics),
            capabilities.sizes,
            capabilities.memory_mib,
            most - 1,
        )
    }

    /// The description of a cell, by any experiment that has the cell.
    pub(crate) async fn words_of_cell(
        &mut self,
        cell: CellId,
    ) -> Result<Option<(CellSpec, (String, String))>, StoreError> {
        row!(
            &mut *self,
            |row| Ok((read_spec(row)?, labels(row)?)),
            "SELECT cell.spec, ec.case_label, ec.baseline_label FROM cell JOIN experiment_cell ec ON ec.cell = cell.id \
             WHERE cell.id = $1 ORDER BY CASE WHEN ec.state = 'off' THEN 1 ELSE 0 END, ec.experiment, ec.position LIMIT 1",
            cell.0,
        )
    }

    /// The capabilities that a cell requires.
    pub(crate) async fn requirements_of_cell(
        &mut self,
        cell: CellId,
    ) -> Result<Option<Capabilities>, StoreError> {
        row!(
            &mut *self,
            |row| Ok(Capabilities {
                sizes: 1 << row.bigint("size")?,
                memory_mib: row.maybe_bigint("memory_mib")?.unwrap_or_default()
            }),
            "SELECT size, memory_mib FROM cell WHERE id = $1",
            cell.0,
        )
    }

    /// Clears the failures of an experiment's suspended pairs, which are to be leased again.
    pub(crate) async fn forget_failures(&mut self, experiment: ExperimentId) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE abandoned SET failures = 0 \
             WHERE cell IN (SELECT cell FROM experiment_cell WHERE experiment = $1 AND closed IS NULL) \
             AND EXISTS (SELECT 1 FROM pair WHERE pair.cell = abandoned.cell AND pair.idx = abandoned.idx AND pair.aside_ms IS NOT NULL)",
            experiment.0,
        )?;
        Ok(())
    }

    /// The counted games of the machines with each token, and the leases that they hold.
    pub(crate) async fn held_by_tokens(
        &mut self,
        tokens: &[&str],
    ) -> Result<Vec<(String, i64, i64)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| Ok((row.text("token")?, row.bigint("games")?, row.bigint("leases")?)),
            "SELECT worker.token, CAST(COALESCE(SUM(worker.games), 0) AS BIGINT) AS games, \
             CAST(COALESCE(SUM((SELECT COUNT(*) FROM lease WHERE lease.worker = worker.id AND lease.state = 'active')), 0) \
             AS BIGINT) AS leases FROM worker WHERE worker.token IN ({rows}) GROUP BY worker.token",
            tokens,
            |token| *token,
        )
    }
}
