//! The effort of machines: sums over counted games, and the games that wait for comparison.

use super::columns::read_spec;
use super::sql::{Columns, chunks, execute_many, row, rows, rows_many};
use super::{StoreError, Tx};
use crate::effort::Work;
use crate::principal::Principal;
use engine::havannah::BoardSize;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, GameId, KindId, LeaseId, PlayerId, WorkerId};
use stats::ComparedGames;
use std::collections::BTreeMap;

/// The author of exclusions because of the effort of a side.
pub(crate) const BY_BOUNDS: &str = "coordinator: bounds";

/// The sums of a machine's counted games, for a player on a board with a budget.
#[derive(Debug, Clone)]
pub(crate) struct PaceRow {
    pub(crate) kind: KindId,
    /// The principal of the machine: all machines of one principal are one witness.
    pub(crate) principal: Principal,
    pub(crate) worker_name: String,
    pub(crate) games: i64,
    pub(crate) total: i64,
}

/// A counted play that was not compared with other machines.
#[derive(Debug, Clone)]
pub(crate) struct UncomparedPlay {
    pub(crate) game: GameId,
    pub(crate) lease: LeaseId,
    pub(crate) cell: CellId,
    pub(crate) worker: WorkerId,
    pub(crate) worker_name: String,
    /// The principal of the machine.
    pub(crate) principal: Principal,
    pub(crate) levels: [i64; 2],
}

/// The changes of the sums in a group of requests.
#[derive(Debug, Default)]
pub(crate) struct PaceChanges(BTreeMap<(KindId, WorkerId), (i64, i64)>);

impl PaceChanges {
    /// Adds a game of a machine; with `sign` −1, subtracts it.
    pub(super) fn note(&mut self, worker: WorkerId, work: &Work, sign: i64) {
        for (kind, level) in work.kinds.into_iter().zip(work.levels) {
            let (games, total) = self.0.entry((kind, worker)).or_default();
            *games += sign;
            *total += sign * level;
        }
    }

    /// Writes the changes and clears them.
    pub(super) async fn flush(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.retain(|_, change| *change != (0, 0));
        let changes = Vec::from_iter(std::mem::take(&mut self.0));
        // A CHECK must not see a new row with a negative number of games, so existing rows are changed first.
        execute_many!(
            &mut *tx,
            "INSERT INTO pace (kind, worker, games, total) VALUES {rows} ON CONFLICT (kind, worker) DO NOTHING",
            &changes,
            |change| change.0.0.0,
            change.0.1.0,
            0_i64,
            0_i64,
        )?;
        execute_many!(
            &mut *tx,
            "UPDATE pace SET games = games + column3, total = total + column4 FROM (VALUES {rows}) AS change \
             WHERE kind = column1 AND worker = column2",
            &changes,
            |change| change.0.0.0,
            change.0.1.0,
            change.1.0,
            change.1.1,
        )?;
        Ok(())
    }
}

impl Tx {
    /// The specifications of cells.
    pub(crate) async fn specs(&mut self, cells: &[CellId]) -> Result<Vec<(CellId, CellSpec)>, StoreError> {
        rows_many!(
            &mut *self,
            cell_with_spec,
            "SELECT id, spec FROM cell WHERE id IN ({rows})",
            cells,
            |cell| cell.0
        )
    }

    /// Cells of this size and player with games that were not compared.
    pub(crate) async fn waiting_cells_of(
        &mut self,
        player: PlayerId,
        size: BoardSize,
    ) -> Result<Vec<(CellId, CellSpec)>, StoreError> {
        rows!(
            &mut *self,
            cell_with_spec,
            "SELECT id, spec FROM cell WHERE id IN (SELECT DISTINCT cell FROM game WHERE cell IN \
             (SELECT id FROM cell WHERE baseline_player = $1 AND size = $2 \
             UNION SELECT id FROM cell WHERE case_player = $1 AND size = $2) \
             AND status = 'counted' AND ratio_off IS NULL AND case_level IS NOT NULL)",
            player.0,
            i64::from(size.get()),
        )
    }

    /// The sums of the machines that are not in quarantine, for these kinds.
    pub(crate) async fn paces(&mut self, kinds: &[KindId]) -> Result<Vec<PaceRow>, StoreError> {
        rows_many!(
            &mut *self,
            |row| Ok(PaceRow {
                kind: KindId(row.uuid("kind")?),
                principal: principal(row)?,
                worker_name: row.text("name")?,
                games: row.bigint("games")?,
                total: row.bigint("total")?,
            }),
            "SELECT pace.kind, pace.worker, pace.games, pace.total, worker.name, worker.principal FROM pace \
             JOIN worker ON worker.id = pace.worker \
             WHERE pace.games > 0 AND worker.quarantine IS NULL AND pace.kind IN ({rows})",
            kinds,
            |kind| kind.0,
        )
    }

    /// The latest counted plays of cells that were not compared.
    pub(crate) async fn unjudged(
        &mut self,
        cells: &[CellId],
        limit: i64,
    ) -> Result<Vec<UncomparedPlay>, StoreError> {
        let mut found = Vec::new();
        for cells in chunks(cells) {
            if found.len() as i64 >= limit {
                break;
            }
            found.extend(rows_many!(
                &mut *self,
                |row| Ok(UncomparedPlay {
                    game: GameId(row.uuid("id")?),
                    lease: LeaseId(row.uuid("lease")?),
                    cell: CellId(row.uuid("cell")?),
                    worker: WorkerId(row.uuid("worker")?),
                    worker_name: row.text("name")?,
                    principal: principal(row)?,
                    levels: [row.bigint("case_level")?, row.bigint("baseline_level")?],
                }),
                "SELECT game.id, game.lease, game.cell, game.worker, game.case_level, game.baseline_level, worker.name, \
                 worker.principal FROM game JOIN worker ON worker.id = game.worker WHERE game.cell IN ({rows}) \
                 AND game.status = 'counted' AND game.ratio_off IS NULL AND game.case_level IS NOT NULL \
                 ORDER BY game.received_ms DESC, game.id, game.lease LIMIT 256",
                cells,
                |cell| cell.0,
            )?);
        }
        Ok(found)
    }

    /// Notes how far the ratios of plays are off those of other machines.
    pub(crate) async fn set_ratios_off(
        &mut self,
        plays: &[(GameId, LeaseId, WorkerId, i64)],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE game SET ratio_off = column3 FROM (VALUES {rows}) AS change WHERE id = column1 AND lease = column2",
            plays,
            |play| play.0.0,
            play.1.0,
            play.3,
        )?;
        Ok(())
    }

    /// Adds compared games, and how far they are off, to the sums of machines, or subtracts them; gives the new sums.
    pub(crate) async fn add_compared(
        &mut self,
        added: &[(WorkerId, ComparedGames)],
    ) -> Result<Vec<(WorkerId, String, ComparedGames)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| Ok((WorkerId(row.uuid("id")?), row.text("name")?, read_compared(row)?)),
            "UPDATE worker SET compared = compared + column2, off_total = off_total + column3, off_size = off_size + column4 \
             FROM (VALUES {rows}) AS change WHERE id = column1 RETURNING id, name, compared, off_total, off_size",
            added,
            |added| added.0.0,
            added.1.games,
            added.1.off,
            added.1.off_size,
        )
    }

    /// How many games of a machine were compared with those of other machines.
    pub(crate) async fn games_compared(&mut self, worker: WorkerId) -> Result<u64, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.count("compared"),
            "SELECT compared FROM worker WHERE id = $1",
            worker.0
        )?;
        Ok(found.unwrap_or_default())
    }

    /// The number of a machine's games that do not count because they are far off those of other machines.
    pub(crate) async fn games_out_of_bounds(&mut self, worker: WorkerId) -> Result<u64, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.count("games"),
            // The name is a literal in the text, so that the partial index is used.
            "SELECT COUNT(*) AS games FROM game WHERE worker = $1 AND excluded_by = 'coordinator: bounds' \
             AND ratio_off IS NOT NULL",
            worker.0,
        )?;
        Ok(found.unwrap_or_default())
    }
}

pub(super) fn read_compared(row: &dyn Columns) -> Result<ComparedGames, StoreError> {
    Ok(ComparedGames {
        games: row.bigint("compared")?,
        off: row.bigint("off_total")?,
        off_size: row.bigint("off_size")?,
    })
}

fn cell_with_spec(row: &dyn Columns) -> Result<(CellId, CellSpec), StoreError> {
    Ok((CellId(row.uuid("id")?), read_spec(row)?))
}

fn principal(row: &dyn Columns) -> Result<Principal, StoreError> {
    Ok(Principal::read(row.maybe_text("principal")?, WorkerId(row.uuid("worker")?)))
}
