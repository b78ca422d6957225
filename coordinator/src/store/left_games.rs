//! The results of abandoned games, by machine, cell and colour, and their sums.

use super::sql::{Columns, execute, row, rows, rows_many};
use super::{StoreError, Tx};
use protocol::ids::{CellId, WorkerId};
use stats::left::{LeftGames, LeftSum};

/// A machine, a cell, and the half of its pairs: 0 where the case plays White.
pub(crate) type LeftKey = (WorkerId, CellId, usize);

/// Losses, draws and wins of the case: in games that a machine delivered, and in games that it abandoned and others finished.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LeftRow {
    pub(crate) own: [i64; 3],
    pub(crate) left: [i64; 3],
}

/// Reads the sums, if there are any.
pub(super) fn read_sum(row: &dyn Columns) -> Result<Option<LeftSum>, StoreError> {
    let Some(own_games) = row.maybe_bigint("own_games")? else { return Ok(None) };
    Ok(Some(LeftSum {
        own_games,
        own_points: row.bigint("own_points")?,
        left_games: row.bigint("left_games")?,
        left_points: row.bigint("left_points")?,
        excess: row.real("excess")?,
        variance: row.real("variance")?,
    }))
}

impl Tx {
    /// Adds to the existing rows; gives the new rows.
    pub(crate) async fn add_left_games(
        &mut self,
        more: &[(LeftKey, LeftRow)],
    ) -> Result<Vec<(LeftKey, LeftRow)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| {
                let half =
                    usize::try_from(row.bigint("half")?).map_err(StoreError::unreadable("left_game.half"))?;
                let after = LeftRow {
                    own: [row.bigint("own_losses")?, row.bigint("own_draws")?, row.bigint("own_wins")?],
                    left: [row.bigint("left_losses")?, row.bigint("left_draws")?, row.bigint("left_wins")?],
                };
                Ok(((WorkerId(row.uuid("worker")?), CellId(row.uuid("cell")?), half), after))
            },
            "UPDATE left_game SET own_losses = own_losses + column4, own_draws = own_draws + column5, \
             own_wins = own_wins + column6, left_losses = left_losses + column7, left_draws = left_draws + column8, \
             left_wins = left_wins + column9 FROM (VALUES {rows}) AS change \
             WHERE worker = column1 AND cell = column2 AND half = column3 \
             RETURNING worker, cell, half, own_losses, own_draws, own_wins, left_losses, left_draws, left_wins",
            more,
            |more| more.0.0.0,
            more.0.1.0,
            more.0.2 as i64,
            more.1.own[0],
            more.1.own[1],
            more.1.own[2],
            more.1.left[0],
            more.1.left[1],
            more.1.left[2],
        )
    }

    /// The games of a machine in the cells and colours in which others finished pairs that it abandoned.
    pub(crate) async fn left_games_of(&mut self, worker: WorkerId) -> Result<Vec<LeftGames>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(LeftGames {
                half: usize::try_from(row.bigint("half")?)
                    .map_err(StoreError::unreadable("left_game.half"))?,
                own: [row.bigint("own_losses")?, row.bigint("own_draws")?, row.bigint("own_wins")?],
                left: [row.bigint("left_losses")?, row.bigint("left_draws")?, row.bigint("left_wins")?],
            }),
            "SELECT half, own_losses, own_draws, own_wins, left_losses, left_draws, left_wins FROM left_game \
             WHERE worker = $1 AND left_losses + left_draws + left_wins > 0 ORDER BY cell, half",
            worker.0,
        )
    }

    /// Adds to the sums of a machine; gives the new sums, and whether the machine is marked.
    pub(crate) async fn add_left_sum(
        &mut self,
        worker: WorkerId,
        more: &LeftSum,
    ) -> Result<(LeftSum, bool), StoreError> {
        let found = row!(
            &mut *self,
            |row| Ok((read_sum(row)?, row.maybe_bigint("marked_ms")?.is_some())),
            "INSERT INTO left_sum (worker, own_games, own_points, left_games, left_points, excess, variance) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (worker) DO UPDATE SET \
             own_games = left_sum.own_games + excluded.own_games, \
             own_points = left_sum.own_points + excluded.own_points, \
             left_games = left_sum.left_games + excluded.left_games, \
             left_points = left_sum.left_points + excluded.left_points, \
             excess = left_sum.excess + excluded.excess, variance = left_sum.variance + excluded.variance \
             RETURNING own_games, own_points, left_games, left_points, excess, variance, marked_ms",
            worker.0,
            more.own_games,
            more.own_points,
            more.left_games,
            more.left_points,
            more.excess,
            more.variance,
        )?;
        let (sum, marked) = found.ok_or(StoreError::Null("left_sum"))?;
        Ok((sum.unwrap_or_default(), marked))
    }

    /// The number of machines.
    pub(crate) async fn worker_count(&mut self) -> Result<u64, StoreError> {
        let count = row!(&mut *self, |row| row.count("workers"), "SELECT COUNT(*) AS workers FROM worker")?;
        Ok(count.unwrap_or_default())
    }

    /// Marks a machine, and gives its name.
    pub(crate) async fn mark_worker(&mut self, worker: WorkerId, now_ms: i64) -> Result<String, StoreError> {
        execute!(&mut *self, "UPDATE left_sum SET marked_ms = $2 WHERE worker = $1", worker.0, now_ms)?;
        let name =
            row!(&mut *self, |row| row.text("name"), "SELECT name FROM worker WHERE id = $1", worker.0)?;
        name.ok_or(StoreError::Null("worker"))
    }
}
