//! Walks over the stored games in an order, for searches; the places of cells in experiments; the pairs in play. A walk
//! reads an index from a place on, so a page costs the same however many games there are.

use super::games::read_record;
use super::pairs::read_idx;
use super::sql::{Columns, row, rows, rows_many};
use super::{PlayRow, StoreError, Tx};
use protocol::browse::GameOrder;
use protocol::games::PlayRecord;
use protocol::ids::{CellId, ExperimentId, GameId, LeaseId, WorkerId};

/// The games that a walk passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameScope {
    All,
    Cell(CellId),
    Worker(WorkerId),
}

/// A place between two plays of a walk: time of arrival, number of moves or expectation of the loser, game and lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlayCursor {
    pub(crate) key: i64,
    pub(crate) game: GameId,
    pub(crate) lease: LeaseId,
}

/// The experiment that plans a cell, and how the experiment names its players.
#[derive(Debug, Clone)]
pub(crate) struct CellNames {
    pub(crate) cell: CellId,
    pub(crate) experiment: ExperimentId,
    pub(crate) experiment_name: String,
    pub(crate) case_group: String,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
}

/// An active lease, for people.
#[derive(Debug, Clone)]
pub(crate) struct InPlay {
    pub(crate) lease: LeaseId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) worker: WorkerId,
    pub(crate) worker_name: String,
    pub(crate) plies: u32,
    pub(crate) granted_ms: i64,
    pub(crate) progress_ms: i64,
}

impl InPlay {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            lease: LeaseId(row.uuid("id")?),
            cell: CellId(row.uuid("cell")?),
            idx: read_idx(row)?,
            worker: WorkerId(row.uuid("worker")?),
            worker_name: row.text("name")?,
            plies: u32::try_from(row.bigint("plies")?).map_err(StoreError::unreadable("lease.plies"))?,
            granted_ms: row.bigint("granted_ms")?,
            progress_ms: row.bigint("progress_ms")?,
        })
    }
}

/// A statement that walks from a place on. The name of the worker is a subquery, so that no query plan begins with the workers.
macro_rules! walk {
    ($of:literal, $key:literal, $beyond:literal, $direction:literal) => {
        concat!(
            "SELECT game.id, game.lease, game.cell, game.idx, game.half, game.worker, game.status, game.reason, game.winner, \
             game.kind, game.plies, game.received_ms, game.surprise, \
             (SELECT name FROM worker WHERE worker.id = game.worker) AS worker_name FROM game WHERE ",
            $of, "(game.", $key, ", game.id, game.lease) ", $beyond, " ($1, $2, $3) ORDER BY game.", $key, " ", $direction,
            ", game.id ", $direction, ", game.lease ", $direction, " LIMIT $4"
        )
    };
}

const NEWEST: &str = walk!("", "received_ms", "<", "DESC");
const OLDEST: &str = walk!("", "received_ms", ">", "ASC");
const LONGEST: &str = walk!("", "plies", "<", "DESC");
const SHORTEST: &str = walk!("", "plies", ">", "ASC");
const NEWEST_OF_CELL: &str = walk!("game.cell = $5 AND ", "received_ms", "<", "DESC");
const OLDEST_OF_CELL: &str = walk!("game.cell = $5 AND ", "received_ms", ">", "ASC");
// The condition that makes an index of these games alone serve the walk.
const SURPRISING: &str = walk!("game.surprise IS NOT NULL AND ", "surprise", "<", "DESC");
const SURPRISING_OF_CELL: &str =
    walk!("game.cell = $5 AND game.surprise IS NOT NULL AND ", "surprise", "<", "DESC");
const NEWEST_OF_WORKER: &str = walk!("game.worker = $5 AND ", "received_ms", "<", "DESC");
const OLDEST_OF_WORKER: &str = walk!("game.worker = $5 AND ", "received_ms", ">", "ASC");

impl PlayCursor {
    /// The place before the plays with this key.
    pub(crate) fn before(key: i64, order: GameOrder) -> Self {
        let id = match order {
            GameOrder::Newest | GameOrder::Longest | GameOrder::Surprising => uuid::Uuid::max(),
            GameOrder::Oldest | GameOrder::Shortest => uuid::Uuid::nil(),
        };
        Self { key, game: GameId(id), lease: LeaseId(id) }
    }

    /// The place of a play.
    pub(crate) fn of(row: &PlayRow, order: GameOrder) -> Self {
        let key = match order {
            GameOrder::Newest | GameOrder::Oldest => row.received_ms,
            GameOrder::Longest | GameOrder::Shortest => i64::from(row.play.plies),
            GameOrder::Surprising => row.play.surprise.unwrap_or_default(),
        };
        Self { key, game: row.play.id, lease: row.play.lease }
    }
}

/// A play that a walk passes.
fn passed(row: &dyn Columns) -> Result<PlayRow, StoreError> {
    let mut passed = PlayRow::from_row(row)?;
    passed.play.surprise = row.maybe_bigint("surprise")?;
    Ok(passed)
}

impl Tx {
    /// Plays after a place, without their moves. Walks by length pass the games of all, those by surprise of all or of a cell.
    pub(crate) async fn walk(
        &mut self,
        of: GameScope,
        order: GameOrder,
        after: PlayCursor,
        limit: i64,
    ) -> Result<Vec<PlayRow>, StoreError> {
        let PlayCursor { key, game, lease } = after;
        let sql = match (of, order) {
            (_, GameOrder::Longest) => LONGEST,
            (_, GameOrder::Shortest) => SHORTEST,
            (GameScope::Cell(_), GameOrder::Surprising) => SURPRISING_OF_CELL,
            (_, GameOrder::Surprising) => SURPRISING,
            (GameScope::All, GameOrder::Newest) => NEWEST,
            (GameScope::All, GameOrder::Oldest) => OLDEST,
            (GameScope::Cell(_), GameOrder::Newest) => NEWEST_OF_CELL,
            (GameScope::Cell(_), GameOrder::Oldest) => OLDEST_OF_CELL,
            (GameScope::Worker(_), GameOrder::Newest) => NEWEST_OF_WORKER,
            (GameScope::Worker(_), GameOrder::Oldest) => OLDEST_OF_WORKER,
        };
        let one = match of {
            _ if matches!(order, GameOrder::Longest | GameOrder::Shortest) => None,
            GameScope::All => None,
            GameScope::Worker(_) if order == GameOrder::Surprising => None,
            GameScope::Cell(cell) => Some(cell.0),
            GameScope::Worker(worker) => Some(worker.0),
        };
        match one {
            None => rows!(&mut *self, passed, sql, key, game.0, lease.0, limit),
            Some(one) => rows!(&mut *self, passed, sql, key, game.0, lease.0, limit, one),
        }
    }

    /// When the last game of an experiment before a time arrived, also if a revision has closed its cell since.
    pub(crate) async fn last_game_before(
        &mut self,
        experiment: ExperimentId,
        before_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.maybe_bigint("last"),
            "SELECT MAX((SELECT MAX(game.received_ms) FROM game WHERE game.cell = ec.cell AND game.received_ms < $2)) AS last \
             FROM experiment_cell ec WHERE ec.experiment = $1",
            experiment.0,
            before_ms,
        )?;
        Ok(found.flatten())
    }

    /// The plays of a cell that arrived before a time, without those that never counted beside another play of their game.
    pub(crate) async fn plays_before(&mut self, cell: CellId, before_ms: i64) -> Result<u64, StoreError> {
        let plays = row!(
            &mut *self,
            |row| row.count("plays"),
            // The first index has no status, and the second only the plays that do not count.
            "SELECT (SELECT COUNT(*) FROM game WHERE cell = $1 AND received_ms < $2) - (SELECT COUNT(*) FROM game \
             WHERE cell = $1 AND status <> 'counted' AND status = 'superseded' AND received_ms < $2) AS plays",
            cell.0,
            before_ms,
        )?;
        Ok(plays.unwrap_or_default())
    }

    /// The experiments that plan these cells: for each cell the active ones first, then the latest.
    pub(crate) async fn names_of_cells(&mut self, cells: &[CellId]) -> Result<Vec<CellNames>, StoreError> {
        rows_many!(
            &mut *self,
            |row| Ok(CellNames {
                cell: CellId(row.uuid("cell")?),
                experiment: ExperimentId(row.uuid("experiment")?),
                experiment_name: row.text("name")?,
                case_group: row.text("case_group")?,
                case_label: row.text("case_label")?,
                baseline_label: row.text("baseline_label")?,
            }),
            "SELECT ec.cell, ec.experiment, experiment.name, ec.case_group, ec.case_label, ec.baseline_label \
             FROM experiment_cell ec JOIN experiment ON experiment.id = ec.experiment WHERE ec.cell IN ({rows}) \
             ORDER BY experiment.created_ms DESC, experiment.id",
            cells,
            |cell| cell.0,
        )
    }

    /// The machines with a name.
    pub(crate) async fn workers_called(&mut self, name: &str) -> Result<Vec<WorkerId>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(WorkerId(row.uuid("id")?)),
            "SELECT id FROM worker WHERE name = $1 ORDER BY seen_ms DESC, id",
            name,
        )
    }

    /// The moves of plays, in any order; none where they were dropped.
    pub(crate) async fn records(
        &mut self,
        plays: &[(GameId, LeaseId)],
    ) -> Result<Vec<((GameId, LeaseId), Option<PlayRecord>)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| Ok(((GameId(row.uuid("id")?), LeaseId(row.uuid("lease")?)), read_record(row)?)),
            "SELECT game.id, game.lease, game.record FROM (VALUES {rows}) AS wanted \
             JOIN game ON game.id = wanted.column1 AND game.lease = wanted.column2",
            plays,
            |play| play.0.0,
            play.1.0,
        )
    }

    /// A pair in play, by its lease.
    pub(crate) async fn pair_in_play(&mut self, lease: LeaseId) -> Result<Option<InPlay>, StoreError> {
        row!(
            &mut *self,
            InPlay::from_row,
            "SELECT lease.id, lease.cell, lease.idx, lease.worker, worker.name, lease.plies, lease.granted_ms, \
             lease.progress_ms FROM lease JOIN worker ON worker.id = lease.worker \
             WHERE lease.id = $1 AND lease.state = 'active'",
            lease.0,
        )
    }

    /// Some of the pairs in play, those that moved on last first.
    pub(crate) async fn pairs_in_play(&mut self, limit: i64) -> Result<Vec<InPlay>, StoreError> {
        rows!(
            &mut *self,
            InPlay::from_row,
            "SELECT lease.id, lease.cell, lease.idx, lease.worker, worker.name, lease.plies, lease.granted_ms, \
             lease.progress_ms FROM lease JOIN worker ON worker.id = lease.worker \
             WHERE lease.state = 'active' AND lease.plies > 0 AND lease.replays IS NULL \
             ORDER BY lease.progress_ms DESC, lease.id LIMIT $1",
            limit,
        )
    }

    /// The number of [`Tx::pairs_in_play`] without a limit.
    pub(crate) async fn count_pairs_in_play(&mut self) -> Result<u64, StoreError> {
        let counts = rows!(
            &mut *self,
            |row| row.count("pairs"),
            "SELECT COUNT(*) AS pairs FROM lease WHERE state = 'active' AND plies > 0 AND replays IS NULL",
        )?;
        Ok(counts.iter().sum())
    }

    /// Some of the pairs that a machine holds, those that moved on last first.
    pub(crate) async fn pairs_held_by(
        &mut self,
        worker: WorkerId,
        limit: i64,
    ) -> Result<Vec<InPlay>, StoreError> {
        rows!(
            &mut *self,
            InPlay::from_row,
            "SELECT lease.id, lease.cell, lease.idx, lease.worker, worker.name, lease.plies, lease.granted_ms, \
             lease.progress_ms FROM lease JOIN worker ON worker.id = lease.worker \
             WHERE lease.worker = $1 AND lease.state = 'active' AND lease.replays IS NULL \
             ORDER BY lease.progress_ms DESC, lease.id LIMIT $2",
            worker.0,
            limit,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Allowed, Store};
    use sqlx::{AssertSqlSafe, Row};

    #[tokio::test]
    async fn a_walk_reads_its_index_in_order_and_sorts_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&file, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let mut tx = store.read().await.expect("read");
        let Tx::Sqlite(connection) = &mut tx else { panic!("a file is SQLite") };
        for (sql, index) in [
            (NEWEST, "game_by_arrival"),
            (OLDEST, "game_by_arrival"),
            (LONGEST, "game_by_length"),
            (SHORTEST, "game_by_length"),
            (SURPRISING, "game_by_surprise"),
            (SURPRISING_OF_CELL, "game_of_cell_by_surprise"),
            (NEWEST_OF_CELL, "game_of_cell"),
            (OLDEST_OF_CELL, "game_of_cell"),
            (NEWEST_OF_WORKER, "game_of_worker"),
            (OLDEST_OF_WORKER, "game_of_worker"),
        ] {
            let explain = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
            let plan = explain.fetch_all(&mut **connection).await.expect(sql);
            let steps: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
            assert!(
                steps[0].starts_with("SEARCH game USING INDEX") && steps[0].contains(index),
                "{steps:?}: {sql}"
            );
            assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}: {sql}");
        }
    }
}
