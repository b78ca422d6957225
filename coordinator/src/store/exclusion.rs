//! All games of a machine. They are read at the request of people only, on a connection for pages, while the writer continues.

use super::games::play_id;
use super::sql::{execute_many, rows, rows_many};
use super::{Play, StoreError, Tx};
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId, WorkerId};

impl Tx {
    /// Counted plays of a worker received from `since_ms` to `until_ms`, by cell and pair.
    pub(crate) async fn counted_plays_of(
        &mut self,
        worker: WorkerId,
        (since_ms, until_ms): (i64, i64),
    ) -> Result<Vec<(GameId, LeaseId)>, StoreError> {
        rows!(
            &mut *self,
            play_id,
            "SELECT id, lease FROM game WHERE worker = $1 AND status = 'counted' AND received_ms >= $2 \
             AND received_ms <= $3 ORDER BY cell, idx, half",
            worker.0,
            since_ms,
            until_ms,
        )
    }

    /// Plays of a worker that were excluded together.
    pub(crate) async fn plays_taken_out(
        &mut self,
        worker: WorkerId,
    ) -> Result<Vec<(GameId, LeaseId)>, StoreError> {
        rows!(
            &mut *self,
            play_id,
            "SELECT id, lease FROM game WHERE worker = $1 AND exclusion IS NOT NULL ORDER BY cell, idx, half, lease",
            worker.0,
        )
    }

    /// Some stored plays.
    pub(crate) async fn some_plays(&mut self, plays: &[(GameId, LeaseId)]) -> Result<Vec<Play>, StoreError> {
        rows_many!(
            &mut *self,
            Play::with_work,
            "SELECT game.id, game.lease, game.cell, game.idx, game.half, game.worker, game.status, game.winner, \
             game.kind, game.plies, game.case_level, game.baseline_level, game.ratio_off, game.core_us, game.speed_level, cell.spec FROM game \
             JOIN cell ON cell.id = game.cell WHERE (game.id, game.lease) IN (VALUES {rows})",
            plays,
            |play| play.0.0,
            play.1.0,
        )
    }

    /// Gives plays other statuses together; excluded plays with the number of the change, a reason and the author.
    pub(crate) async fn set_play_statuses(
        &mut self,
        plays: &[(Play, GameStatus)],
        why: Option<(&str, &str, i64)>,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE game SET status = column3, reason = column4, excluded_by = column5, exclusion = column6 \
             FROM (VALUES {rows}) AS change WHERE id = column1 AND lease = column2",
            plays,
            |play| play.0.id.0,
            play.0.lease.0,
            play.1.to_string(),
            why.map(|(reason, _, _)| reason),
            why.map(|(_, by, _)| by),
            why.map(|(_, _, number)| number),
        )?;
        Ok(())
    }
}
