//! The counted games of machines by cell, for the comparison of machines.

use super::sql::{Columns, execute_many, rows};
use super::{Play, StoreError, Tx};
use protocol::ids::{CellId, WorkerId};
use sqlx::types::Uuid;
use std::collections::BTreeMap;

/// Rows read at a time.
const PAGE: i64 = 5_000;

/// A cell, a machine, and the half of the pairs: 0 where the case plays White.
pub(super) type WorkerCellKey = (CellId, WorkerId, usize);

/// The games of a machine in a cell with one colour of the case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct MachineResults {
    /// Losses, draws and wins of the case.
    pub(super) results: [i64; 3],
    /// The number of games with a known speed, and the sum of the logarithms of these speeds.
    pub(super) timed: i64,
    pub(super) speed_total: i64,
}

/// The games of a machine in a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkerCell {
    pub(crate) cell: CellId,
    pub(crate) size: u8,
    pub(crate) worker: WorkerId,
    /// The half of the pairs.
    pub(crate) half: usize,
    /// Losses, draws and wins of the case.
    pub(crate) results: [i64; 3],
    pub(crate) timed: i64,
    pub(crate) speed_total: i64,
}

/// The changes of these sums in a group of requests.
#[derive(Debug, Default)]
pub(super) struct MachineResultChanges(BTreeMap<WorkerCellKey, MachineResults>);

impl MachineResultChanges {
    /// Adds a play; with `sign` −1, subtracts it.
    pub(super) fn note(&mut self, play: &Play, sign: i64) {
        let own = self.0.entry((play.cell, play.worker, play.case_side.index())).or_default();
        own.results[usize::from(play.outcome.half_points(play.case_side))] += sign;
        if let Some(level) = play.speed_level {
            own.timed += sign;
            own.speed_total += sign * level;
        }
    }

    /// Writes the changes and clears them.
    pub(super) async fn flush(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.retain(|_, change| *change != MachineResults::default());
        let changes = Vec::from_iter(std::mem::take(&mut self.0));
        execute_many!(
            &mut *tx,
            "INSERT INTO worker_cell (cell, worker, half, losses, draws, wins, timed, speed_total) VALUES {rows} \
             ON CONFLICT (cell, worker, half) DO UPDATE SET losses = worker_cell.losses + excluded.losses, \
             draws = worker_cell.draws + excluded.draws, wins = worker_cell.wins + excluded.wins, \
             timed = worker_cell.timed + excluded.timed, speed_total = worker_cell.speed_total + excluded.speed_total",
            &changes,
            |change| change.0.0.0,
            change.0.1.0,
            change.0.2 as i64,
            change.1.results[0],
            change.1.results[1],
            change.1.results[2],
            change.1.timed,
            change.1.speed_total,
        )?;
        Ok(())
    }
}

/// Columns `half`, `losses`, `draws`, `wins`, `timed` and `speed_total`.
pub(super) fn read_own(row: &dyn Columns) -> Result<(usize, MachineResults), StoreError> {
    let half = usize::try_from(row.bigint("half")?).ok().filter(|half| *half < 2);
    let half = half.ok_or_else(|| StoreError::unreadable("half")("a number other than 0 and 1"))?;
    let own = MachineResults {
        results: [row.bigint("losses")?, row.bigint("draws")?, row.bigint("wins")?],
        timed: row.bigint("timed")?,
        speed_total: row.bigint("speed_total")?,
    };
    Ok((half, own))
}

impl Tx {
    /// The games of all machines by cell, in the order of cells.
    pub(crate) async fn worker_cells(&mut self) -> Result<Vec<WorkerCell>, StoreError> {
        let mut all: Vec<WorkerCell> = Vec::new();
        let mut after = (Uuid::nil(), Uuid::nil(), -1);
        loop {
            let page = rows!(
                &mut *self,
                |row| {
                    let (half, own) = read_own(row)?;
                    let MachineResults { results, timed, speed_total } = own;
                    Ok(WorkerCell {
                        cell: CellId(row.uuid("cell")?),
                        size: u8::try_from(row.bigint("size")?)
                            .map_err(StoreError::unreadable("cell.size"))?,
                        worker: WorkerId(row.uuid("worker")?),
                        half,
                        results,
                        timed,
                        speed_total,
                    })
                },
                "SELECT own.cell, own.worker, own.half, own.losses, own.draws, own.wins, own.timed, own.speed_total, cell.size \
                 FROM worker_cell own JOIN cell ON cell.id = own.cell WHERE (own.cell, own.worker, own.half) > ($1, $2, $3) \
                 ORDER BY own.cell, own.worker, own.half LIMIT $4",
                after.0,
                after.1,
                after.2,
                PAGE,
            )?;
            let Some(last) = page.last() else { return Ok(all) };
            after = (last.cell.0, last.worker.0, last.half as i64);
            all.extend(page);
        }
    }

    /// The games of every machine in a cell by half, with the names of the machines: losses, draws and wins of the case.
    pub(crate) async fn machines_of_cell(
        &mut self,
        cell: CellId,
    ) -> Result<Vec<(WorkerId, String, usize, [i64; 3])>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let (half, own) = read_own(row)?;
                Ok((WorkerId(row.uuid("worker")?), row.text("name")?, half, own.results))
            },
            "SELECT own.worker, worker.name, own.half, own.losses, own.draws, own.wins, own.timed, own.speed_total \
             FROM worker_cell own JOIN worker ON worker.id = own.worker WHERE own.cell = $1 ORDER BY own.worker, own.half",
            cell.0,
        )
    }

    /// The results of a machine and of all others in its cells, by cell and half: losses, draws and wins of the case.
    pub(crate) async fn results_beside_others(
        &mut self,
        worker: WorkerId,
    ) -> Result<Vec<(CellId, [i64; 3], [i64; 3])>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let (_, own) = read_own(row)?;
                let all = [row.bigint("all_losses")?, row.bigint("all_draws")?, row.bigint("all_wins")?];
                let cell = CellId(row.uuid("cell")?);
                Ok((cell, own.results, std::array::from_fn(|place| all[place] - own.results[place])))
            },
            "SELECT own.cell, own.half, own.losses, own.draws, own.wins, own.timed, own.speed_total, \
             CAST(SUM(other.losses) AS BIGINT) AS all_losses, CAST(SUM(other.draws) AS BIGINT) AS all_draws, \
             CAST(SUM(other.wins) AS BIGINT) AS all_wins FROM worker_cell own \
             JOIN worker_cell other ON other.cell = own.cell AND other.half = own.half WHERE own.worker = $1 \
             GROUP BY own.cell, own.half, own.losses, own.draws, own.wins, own.timed, own.speed_total",
            worker.0,
        )
    }

    /// Notes that the results of machines were compared with those of others: for each the number of comparisons so far, and of
    /// its games. A number that another coordinator has counted meanwhile is not counted twice.
    pub(crate) async fn note_looks(&mut self, looks: &[(WorkerId, i64, i64)]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE worker SET looks = column2, looked_games = column3 FROM (VALUES {rows}) AS change \
             WHERE id = column1 AND looks < column2",
            looks,
            |look| look.0.0,
            look.1,
            look.2,
        )?;
        Ok(())
    }
}
