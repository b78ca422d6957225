//! The plays of games, and their moves.

use super::columns::read_spec;
use super::pairs::read_idx;
use super::sql::{Columns, execute, execute_many, row, rows, rows_many};
use super::{StoreError, Tx};
use crate::effort::{EffortAnomaly, Work};
use engine::havannah::{Outcome, WinKind};
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{CellId, GameId, LeaseId, WorkerId};
use std::collections::HashSet;

/// A play, by its game and its lease.
pub(super) fn play_id(row: &dyn Columns) -> Result<(GameId, LeaseId), StoreError> {
    Ok((GameId(row.uuid("id")?), LeaseId(row.uuid("lease")?)))
}

/// 0 when the case plays White, 1 when it plays Black.
pub(super) fn read_case_side(row: &dyn Columns) -> Result<Side, StoreError> {
    match row.bigint("half")? {
        0 => Ok(Side::White),
        1 => Ok(Side::Black),
        other => Err(StoreError::unreadable("game.half")(other)),
    }
}

/// Columns `winner` and `kind` as an outcome, or the name of the unreadable one.
pub(super) fn readable_outcome(
    winner: Option<&str>,
    kind: Option<&str>,
) -> Result<Outcome, (&'static str, String)> {
    let unknown =
        |column, value: Option<&str>| (column, value.map_or("NULL".to_owned(), |it| format!("`{it}`")));
    let winner = match winner {
        None if kind.is_none() => return Ok(Outcome::Draw),
        Some("white") => Side::White,
        Some("black") => Side::Black,
        other => return Err(unknown("winner", other)),
    };
    let kind = match kind {
        Some("fork") => WinKind::Fork,
        Some("bridge") => WinKind::Bridge,
        Some("ring") => WinKind::Ring,
        other => return Err(unknown("kind", other)),
    };
    Ok(Outcome::Win { winner, kind })
}

fn read_outcome(row: &dyn Columns) -> Result<Outcome, StoreError> {
    let (winner, kind) = (row.maybe_text("winner")?, row.maybe_text("kind")?);
    readable_outcome(winner.as_deref(), kind.as_deref()).or_else(|(column, value)| {
        let (game, lease) = play_id(row)?;
        Err(StoreError::unreadable("a result")(format!(
            "game {game} under lease {lease} has the {column} {value}"
        )))
    })
}

/// One play of a game, without its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Play {
    pub(crate) id: GameId,
    pub(crate) lease: LeaseId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) case_side: Side,
    pub(crate) worker: WorkerId,
    pub(crate) outcome: Outcome,
    /// The number of moves, with those of the opening.
    pub(crate) plies: u32,
    pub(crate) status: GameStatus,
    /// The effort of both sides, for a game with a budget in time; known when it is judged, and from [`Tx::play`].
    pub(crate) work: Option<Work>,
    /// How far the ratio of the two is off that of other machines; known from [`Tx::play`] after the comparison.
    pub(crate) ratio_off: Option<i64>,
    /// Why it does not count, without comparison; known when it is judged.
    pub(crate) odd: Option<EffortAnomaly>,
    /// Core microseconds of its searches; known when it is judged, and from [`Tx::play`].
    pub(crate) core_us: Option<i64>,
    /// How fast its searches were, relative to the reported speed of its machine: the logarithm in thousandths; known when it is
    /// judged, and from [`Tx::play`].
    pub(crate) speed_level: Option<i64>,
    /// The highest result that the loser expected, in thousandths, if that is much; known when it is judged, and to walks.
    pub(crate) surprise: Option<i64>,
}

impl Play {
    pub(super) fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: GameId(row.uuid("id")?),
            lease: LeaseId(row.uuid("lease")?),
            cell: CellId(row.uuid("cell")?),
            idx: read_idx(row)?,
            case_side: read_case_side(row)?,
            worker: WorkerId(row.uuid("worker")?),
            outcome: read_outcome(row)?,
            plies: u32::try_from(row.bigint("plies")?).map_err(StoreError::unreadable("game.plies"))?,
            status: read_status(&row.text("status")?)?,
            work: None,
            ratio_off: None,
            odd: None,
            core_us: None,
            speed_level: None,
            surprise: None,
        })
    }

    /// As [`Play::from_row`], with effort and core time, which are needed to count or uncount a play.
    pub(super) fn with_work(row: &dyn Columns) -> Result<Self, StoreError> {
        let work = match (row.maybe_bigint("case_level")?, row.maybe_bigint("baseline_level")?) {
            (Some(case), Some(baseline)) => {
                Some(Work { kinds: read_spec(row)?.kinds(), levels: [case, baseline] })
            }
            _ => None,
        };
        let (ratio_off, core_us) = (row.maybe_bigint("ratio_off")?, row.maybe_bigint("core_us")?);
        let speed_level = row.maybe_bigint("speed_level")?;
        Ok(Self { work, ratio_off, core_us, speed_level, ..Self::from_row(row)? })
    }
}

fn read_status(name: &str) -> Result<GameStatus, StoreError> {
    [GameStatus::Counted, GameStatus::Superseded, GameStatus::Excluded]
        .into_iter()
        .find(|status| status.to_string() == name)
        .ok_or_else(|| StoreError::unreadable("game.status")(name))
}

/// A play that is to be stored.
#[derive(Debug, Clone)]
pub(super) struct NewPlay {
    pub(super) play: Play,
    /// The record as JSON.
    pub(super) record: String,
    pub(super) received_ms: i64,
    /// The number from 0 to 1 that decides whether the play is rechecked; none if it is not kept.
    pub(super) draw: Option<f64>,
}

/// A row of `game` without its moves.
#[derive(Debug, Clone)]
pub(crate) struct PlayRow {
    pub(crate) play: Play,
    pub(crate) worker_name: String,
    pub(crate) reason: Option<String>,
    pub(crate) received_ms: i64,
}

/// A row of `game` with everything needed to replay it.
#[derive(Debug, Clone)]
pub(crate) struct GameRow {
    pub(crate) row: PlayRow,
    /// None after the moves were dropped.
    pub(crate) record: Option<PlayRecord>,
    pub(crate) spec: CellSpec,
}

impl PlayRow {
    pub(super) fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            play: Play::from_row(row)?,
            worker_name: row.text("worker_name")?,
            reason: row.maybe_text("reason")?,
            received_ms: row.bigint("received_ms")?,
        })
    }
}

impl GameRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self { row: PlayRow::from_row(row)?, record: read_record(row)?, spec: read_spec(row)? })
    }
}

/// The moves of a play; none where they were dropped.
pub(super) fn read_record(row: &dyn Columns) -> Result<Option<PlayRecord>, StoreError> {
    match row.text("record")?.as_str() {
        "" => Ok(None),
        text => Ok(Some(serde_json::from_str(text).map_err(StoreError::unreadable("game.record"))?)),
    }
}

impl Tx {
    /// The number of the latest counted games since a time, `most` of them at most, and when the first of them arrived.
    pub(crate) async fn latest_games(
        &mut self,
        since_ms: i64,
        most: u32,
    ) -> Result<(u64, Option<i64>), StoreError> {
        let found = row!(
            &mut *self,
            |row| Ok((row.count("games")?, row.maybe_bigint("first_ms")?)),
            "SELECT COUNT(*) AS games, MIN(received_ms) AS first_ms FROM (SELECT received_ms FROM game \
             WHERE received_ms >= $1 AND status = 'counted' ORDER BY received_ms DESC LIMIT $2) AS latest",
            since_ms,
            i64::from(most),
        )?;
        Ok(found.unwrap_or_default())
    }

    /// The stored plays of games, by game and lease.
    pub(super) async fn plays_of(&mut self, games: &[GameId]) -> Result<Vec<(GameId, LeaseId)>, StoreError> {
        rows_many!(&mut *self, play_id, "SELECT id, lease FROM game WHERE id IN ({rows})", games, |game| game
            .0,)
    }

    /// Stores plays of games.
    pub(super) async fn insert_plays(&mut self, plays: &[NewPlay]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO game (id, lease, cell, idx, half, worker, status, winner, kind, plies, received_ms, record, \
             case_level, baseline_level, core_us, speed_level, surprise, draw) VALUES {rows}",
            plays,
            |new| new.play.id.0,
            new.play.lease.0,
            new.play.cell.0,
            i64::from(new.play.idx),
            new.play.case_side.index() as i64,
            new.play.worker.0,
            new.play.status.to_string(),
            new.play.outcome.winner().map(|winner| winner.to_string()),
            new.play.outcome.kind().map(|kind| kind.to_string()),
            i64::from(new.play.plies),
            new.received_ms,
            new.record.as_str(),
            new.play.work.map(|work| work.levels[0]),
            new.play.work.map(|work| work.levels[1]),
            new.play.core_us,
            new.play.speed_level,
            new.play.surprise,
            new.draw,
        )?;
        Ok(())
    }

    /// Plays of a pair that arrived since `since_ms` while another worker held the pair, in the order of arrival.
    pub(crate) async fn late_plays(
        &mut self,
        cell: CellId,
        idx: u32,
        since_ms: i64,
    ) -> Result<Vec<Play>, StoreError> {
        rows!(
            &mut *self,
            Play::with_work,
            "SELECT game.id, game.lease, game.cell, game.idx, game.half, game.worker, game.status, game.winner, \
             game.kind, game.plies, game.case_level, game.baseline_level, game.ratio_off, game.core_us, game.speed_level, cell.spec FROM game \
             JOIN cell ON cell.id = game.cell JOIN lease ON lease.id = game.lease \
             JOIN worker ON worker.id = game.worker WHERE game.cell = $1 AND game.idx = $2 \
             AND game.status = 'superseded' AND game.received_ms >= $3 AND lease.replays IS NULL \
             AND worker.quarantine IS NULL ORDER BY game.received_ms, game.lease, game.half",
            cell.0,
            i64::from(idx),
            since_ms,
        )
    }

    /// A stored play.
    pub(crate) async fn play(&mut self, game: GameId, lease: LeaseId) -> Result<Option<Play>, StoreError> {
        row!(
            &mut *self,
            Play::with_work,
            "SELECT game.id, game.lease, game.cell, game.idx, game.half, game.worker, game.status, game.winner, \
             game.kind, game.plies, game.case_level, game.baseline_level, game.ratio_off, game.core_us, game.speed_level, cell.spec FROM game \
             JOIN cell ON cell.id = game.cell WHERE game.id = $1 AND game.lease = $2",
            game.0,
            lease.0,
        )
    }

    /// The lease of the play of a game that counts.
    pub(crate) async fn counted_lease(&mut self, game: GameId) -> Result<Option<LeaseId>, StoreError> {
        row!(
            &mut *self,
            |row| Ok(LeaseId(row.uuid("lease")?)),
            "SELECT lease FROM game WHERE id = $1 AND status = 'counted'",
            game.0,
        )
    }

    /// The moves of a stored play; none where they were dropped.
    pub(crate) async fn play_record(
        &mut self,
        game: GameId,
        lease: LeaseId,
    ) -> Result<Option<PlayRecord>, StoreError> {
        let found = row!(
            &mut *self,
            read_record,
            "SELECT record FROM game WHERE id = $1 AND lease = $2",
            game.0,
            lease.0
        )?;
        Ok(found.flatten())
    }

    /// Gives a stored play another status; for an excluded play with the reason and the author.
    pub(crate) async fn set_play_status(
        &mut self,
        game: GameId,
        lease: LeaseId,
        status: GameStatus,
        why: Option<(&str, &str)>,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE game SET status = $3, reason = $4, excluded_by = $5, exclusion = NULL WHERE id = $1 AND lease = $2",
            game.0,
            lease.0,
            status.to_string(),
            why.map(|(reason, _)| reason),
            why.map(|(_, by)| by),
        )?;
        Ok(())
    }

    /// Whether there are games stored before `before_ms` that still have their moves.
    pub(crate) async fn has_records(&mut self, before_ms: i64) -> Result<bool, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.bigint("received_ms"),
            "SELECT received_ms FROM game WHERE received_ms < $1 AND record <> '' LIMIT 1",
            before_ms,
        )?;
        Ok(found.is_some())
    }

    /// Drops the moves of some games stored before `before_ms`; gives their number. The rest of their data stays.
    pub(crate) async fn drop_records(&mut self, before_ms: i64, limit: i64) -> Result<u64, StoreError> {
        execute!(
            &mut *self,
            "UPDATE game SET record = '' WHERE (id, lease) IN (SELECT id, lease FROM game \
             WHERE received_ms < $1 AND record <> '' ORDER BY received_ms LIMIT $2)",
            before_ms,
            limit,
        )
    }

    /// The leases under which a game was played, with the status of each play.
    pub(crate) async fn play_statuses(
        &mut self,
        game: GameId,
    ) -> Result<Vec<(LeaseId, GameStatus)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((LeaseId(row.uuid("lease")?), read_status(&row.text("status")?)?)),
            "SELECT lease, status FROM game WHERE id = $1 ORDER BY lease",
            game.0,
        )
    }

    /// Every stored play of a game: the counted one first, then by lease.
    pub(crate) async fn plays(&mut self, game: GameId) -> Result<Vec<GameRow>, StoreError> {
        rows!(
            &mut *self,
            GameRow::from_row,
            "SELECT game.*, cell.spec, worker.name AS worker_name FROM game JOIN cell ON cell.id = game.cell \
             JOIN worker ON worker.id = game.worker WHERE game.id = $1 \
             ORDER BY CASE WHEN status = 'counted' THEN 0 ELSE 1 END, lease",
            game.0,
        )
    }

    /// Plays of a cell after a place in the order of pair, half and lease. Moves are not read, because lists do not
    /// show them.
    pub(crate) async fn plays_after(
        &mut self,
        cell: CellId,
        (idx, half, lease): (i64, i64, LeaseId),
        limit: i64,
    ) -> Result<Vec<PlayRow>, StoreError> {
        rows!(
            &mut *self,
            PlayRow::from_row,
            "SELECT game.id, game.lease, game.cell, game.idx, game.half, game.worker, game.status, game.reason, \
             game.winner, game.kind, game.plies, game.received_ms, worker.name AS worker_name \
             FROM game JOIN worker ON worker.id = game.worker \
             WHERE game.cell = $1 AND (game.idx, game.half, game.lease) > ($2, $3, $4) \
             ORDER BY game.idx, game.half, game.lease LIMIT $5",
            cell.0,
            idx,
            half,
            lease.0,
            limit,
        )
    }

    /// The cells among these that have games.
    pub(crate) async fn cells_with_games(&mut self, cells: &[CellId]) -> Result<HashSet<CellId>, StoreError> {
        let found = rows_many!(
            &mut *self,
            |row| row.uuid("id").map(CellId),
            "SELECT id FROM cell WHERE id IN ({rows}) AND EXISTS (SELECT 1 FROM game WHERE game.cell = cell.id)",
            cells,
            |cell| cell.0,
        )?;
        Ok(found.into_iter().collect())
    }
}
