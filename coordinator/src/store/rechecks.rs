//! Rechecks: the plays that are to be played again, by which machine, and under which lease.

use super::columns::read_spec;
use super::games::{read_case_side, read_record};
use super::pairs::read_idx;
use super::sql::{Columns, execute, execute_many, row, rows};
use super::{Capabilities, StoreError, Tx};
use crate::principal::Principal;
use engine::havannah::BoardSize;
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::games::PlayRecord;
use protocol::ids::{CellId, GameId, LeaseId, WorkerId};

/// Every process keeps the numbers that plays draw up to this one, for coordinators that are started later.
pub(super) const LEAST_DRAWS_KEPT: f64 = 0.01;

/// A number from 0 to 1 by the random numbers of the system, for a play that is stored: no machine can know it while it plays.
pub(super) fn draw() -> f64 {
    // The high half of a random id has four fixed bits among the low ones, which the division makes negligible.
    LeaseId::random().0.as_u64_pair().0 as f64 / 2f64.powi(64)
}

/// A counted play that drew a low number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawnPlay {
    game: GameId,
    lease: LeaseId,
    cell: CellId,
    idx: i64,
    half: i64,
    worker: WorkerId,
    semantics: i64,
    size: i64,
}

/// The machine that is to recheck a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checker<'a> {
    pub(crate) worker: WorkerId,
    pub(crate) token: Option<&'a str>,
    pub(crate) principal: &'a Principal,
    pub(crate) capabilities: Capabilities,
}

/// Whether some experiment that is neither paused nor archived has the cell of a recheck.
macro_rules! in_play {
    () => {
        "EXISTS (SELECT 1 FROM experiment_cell ec JOIN experiment ON experiment.id = ec.experiment \
         WHERE ec.cell = replay.cell AND experiment.paused_ms IS NULL AND experiment.archived_ms IS NULL)"
    };
}

/// The statement for the first play that meets a condition, in an order, and whose game worker $1 has not played.
macro_rules! wanted_recheck {
    ($condition:expr, $order:literal) => {
        concat!(
            "SELECT replay.game, replay.lease, replay.cell, replay.idx, replay.half, cell.spec, game.record, \
             (SELECT case_label FROM experiment_cell ec WHERE ec.cell = replay.cell ORDER BY experiment, position LIMIT 1) \
             AS case_label, \
             (SELECT baseline_label FROM experiment_cell ec WHERE ec.cell = replay.cell \
             ORDER BY experiment, position LIMIT 1) AS baseline_label \
             FROM replay JOIN cell ON cell.id = replay.cell \
             JOIN game ON game.id = replay.game AND game.lease = replay.lease \
             WHERE ",
            $condition,
            " AND NOT EXISTS (SELECT 1 FROM game played WHERE played.id = replay.game AND played.worker = $1) \
             ORDER BY ",
            $order,
            " LIMIT 1"
        )
    };
}

/// A play that waits for a recheck.
#[derive(Debug, Clone)]
pub(crate) struct WantedRecheck {
    pub(crate) game: GameId,
    /// The lease of the play.
    pub(crate) lease: LeaseId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) case_side: Side,
    pub(crate) spec: CellSpec,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
    /// None after the moves were dropped.
    pub(crate) record: Option<PlayRecord>,
}

impl WantedRecheck {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            game: GameId(row.uuid("game")?),
            lease: LeaseId(row.uuid("lease")?),
            cell: CellId(row.uuid("cell")?),
            idx: read_idx(row)?,
            case_side: read_case_side(row)?,
            spec: read_spec(row)?,
            case_label: row.maybe_text("case_label")?.unwrap_or_default(),
            baseline_label: row.maybe_text("baseline_label")?.unwrap_or_default(),
            record: read_record(row)?,
        })
    }
}

impl Tx {
    /// Whether any play waits to be rechecked.
    pub(crate) async fn any_recheck_waits(&mut self) -> Result<bool, StoreError> {
        let found = row!(&mut *self, |_| Ok(()), "SELECT 1 FROM replay WHERE state = 'wanted' LIMIT 1")?;
        Ok(found.is_some())
    }

    /// How many plays wait for their first recheck, counted up to `most`. Disputed plays are left out, because they may wait for
    /// ever for a machine of a third principal, and so are plays of paused experiments: neither may end all checking.
    pub(crate) async fn waiting_rechecks(&mut self, most: i64) -> Result<i64, StoreError> {
        let waiting = row!(
            &mut *self,
            |row| row.bigint("waiting"),
            concat!(
                "SELECT COUNT(*) AS waiting FROM (SELECT 1 FROM replay WHERE state = 'wanted' AND disputed_ms IS NULL AND ",
                in_play!(),
                " LIMIT $1) AS few"
            ),
            most,
        )?;
        Ok(waiting.unwrap_or_default())
    }

    /// Whether any counted play drew a number below this one, and was not taken yet.
    pub(crate) async fn is_any_drawn(&mut self, below: f64) -> Result<bool, StoreError> {
        let found = row!(
            &mut *self,
            |_| Ok(()),
            "SELECT 1 FROM game WHERE status = 'counted' AND draw < $1 LIMIT 1",
            below
        )?;
        Ok(found.is_some())
    }

    /// The counted plays with the lowest numbers below this one, at most `most`.
    pub(crate) async fn drawn_plays(&mut self, below: f64, most: i64) -> Result<Vec<DrawnPlay>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(DrawnPlay {
                game: GameId(row.uuid("id")?),
                lease: LeaseId(row.uuid("lease")?),
                cell: CellId(row.uuid("cell")?),
                idx: row.bigint("idx")?,
                half: row.bigint("half")?,
                worker: WorkerId(row.uuid("worker")?),
                semantics: row.bigint("semantics")?,
                size: row.bigint("size")?,
            }),
            "SELECT game.id, game.lease, game.cell, game.idx, game.half, game.worker, cell.semantics, cell.size FROM game \
             JOIN cell ON cell.id = game.cell WHERE game.status = 'counted' AND game.draw < $1 ORDER BY game.draw LIMIT $2",
            below,
            most,
        )
    }

    /// Selects plays for rechecks by other machines. Games of another version of the search are given up at once.
    pub(crate) async fn take_drawn(
        &mut self,
        plays: &[DrawnPlay],
        semantics: u32,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let is_ours = |play: &DrawnPlay| play.semantics == i64::from(semantics);
        execute_many!(
            &mut *self,
            "INSERT INTO replay (game, lease, cell, idx, half, worker, semantics, needs, state, note, chosen_ms) VALUES {rows} \
             ON CONFLICT (game, lease) DO NOTHING",
            plays,
            |play| play.game.0,
            play.lease.0,
            play.cell.0,
            play.idx,
            play.half,
            play.worker.0,
            play.semantics,
            1_i64 << play.size,
            if is_ours(play) { "wanted" } else { "given_up" },
            (!is_ours(play)).then(|| format!("version {} of the search played it", play.semantics)),
            now_ms,
        )?;
        execute_many!(
            &mut *self,
            "UPDATE game SET draw = NULL WHERE (id, lease) IN (VALUES {rows})",
            plays,
            |play| play.game.0,
            play.lease.0,
        )?;
        Ok(())
    }

    /// Gives a stored play the lowest number, so that it is rechecked whatever number it drew.
    pub(crate) async fn draw_lowest(&mut self, game: GameId, lease: LeaseId) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE game SET draw = 0 WHERE id = $1 AND lease = $2", game.0, lease.0)?;
        Ok(())
    }

    /// A play for a machine to recheck: it can play the game, and no machine with its token has played it. Nothing is rechecked
    /// while every experiment that has the cell is paused or archived.
    ///
    /// Machines whose principal has neither played the game nor abandoned this recheck come first. Another machine gets it only
    /// while no such machine is present (it called since `alive_ms`) and willing: one that joined with the same code, or one that
    /// abandoned the recheck before, unless it failed `most_failures` times.
    pub(crate) async fn wanted_recheck(
        &mut self,
        checker: &Checker<'_>,
        semantics: u32,
        (alive_ms, most_failures): (i64, i64),
    ) -> Result<Option<WantedRecheck>, StoreError> {
        row!(
            &mut *self,
            WantedRecheck::from_row,
            wanted_recheck!(
                concat!(
                    "replay.state = 'wanted' AND replay.semantics = $2 AND (replay.needs & $3) <> 0 AND ",
                    in_play!(),
                    " \
                 AND (cell.memory_mib IS NULL OR cell.memory_mib <= $4) \
                 AND NOT EXISTS (SELECT 1 FROM game played JOIN worker player ON player.id = played.worker \
                     WHERE played.id = replay.game AND player.token = $5) \
                 AND NOT EXISTS (SELECT 1 FROM replay_attempt failed WHERE failed.game = replay.game \
                     AND failed.lease = replay.lease AND failed.principal = $6 AND failed.failures >= $8) \
                 AND ((NOT EXISTS (SELECT 1 FROM game played JOIN worker player ON player.id = played.worker \
                         WHERE played.id = replay.game AND player.principal = $6) \
                     AND NOT EXISTS (SELECT 1 FROM replay_attempt tried WHERE tried.game = replay.game \
                         AND tried.lease = replay.lease AND tried.principal = $6)) \
                 OR NOT EXISTS (SELECT 1 FROM worker other WHERE other.seen_ms >= $7 AND other.principal <> $6 \
                     AND other.quarantine IS NULL AND other.directive = 'work' AND other.resting IS NULL \
                     AND other.away_ms IS NULL AND (cell.memory_mib IS NULL OR other.memory_mib >= cell.memory_mib) \
                     AND NOT EXISTS (SELECT 1 FROM game played JOIN worker player ON player.id = played.worker \
                         WHERE played.id = replay.game AND player.principal = other.principal) \
                     AND NOT EXISTS (SELECT 1 FROM replay_attempt tried WHERE tried.game = replay.game \
                         AND tried.lease = replay.lease AND tried.principal = other.principal)))"
                ),
                "replay.failures, replay.chosen_ms, replay.game"
            ),
            checker.worker.0,
            i64::from(semantics),
            checker.capabilities.sizes,
            checker.capabilities.memory_mib,
            checker.token,
            checker.principal.as_str(),
            alive_ms,
            most_failures,
        )
    }

    /// The disputed play of a game, for `worker` to recheck if it has not played the game.
    pub(crate) async fn disputed_recheck(
        &mut self,
        worker: WorkerId,
        semantics: u32,
        game: GameId,
    ) -> Result<Option<WantedRecheck>, StoreError> {
        row!(
            &mut *self,
            WantedRecheck::from_row,
            wanted_recheck!(
                "replay.game = $3 AND replay.state IN ('wanted', 'lent') AND replay.disputed_ms IS NOT NULL \
                 AND replay.semantics = $2",
                "replay.chosen_ms"
            ),
            worker.0,
            i64::from(semantics),
            game.0,
        )
    }

    /// Board sizes of the plays that wait for a recheck.
    pub(crate) async fn sizes_to_recheck(&mut self, semantics: u32) -> Result<Vec<BoardSize>, StoreError> {
        let needs = rows!(
            &mut *self,
            |row| row.bigint("needs"),
            concat!(
                "SELECT DISTINCT needs FROM replay WHERE state = 'wanted' AND semantics = $1 AND ",
                in_play!()
            ),
            i64::from(semantics),
        )?;
        Ok(BoardSize::all().filter(|size| needs.contains(&(1 << size.get()))).collect())
    }

    /// Adds the other game of a pair to the recheck of its first game under a new lease, if both counted plays have the
    /// same lease.
    pub(crate) async fn lend_other_half(
        &mut self,
        (game, lease): (GameId, LeaseId),
        other: GameId,
        lent: LeaseId,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO replay (game, lease, cell, idx, half, worker, semantics, needs, state, lent, chosen_ms) \
             SELECT other.id, other.lease, other.cell, other.idx, other.half, other.worker, replay.semantics, \
             replay.needs, 'lent', replay.lent, $5 FROM replay JOIN game other ON other.lease = replay.lease \
             WHERE replay.game = $1 AND replay.lease = $2 AND replay.lent = $4 AND other.id = $3 \
             AND other.status = 'counted' AND other.record <> '' \
             ON CONFLICT (game, lease) DO UPDATE SET state = 'lent', lent = excluded.lent WHERE replay.state = 'wanted'",
            game.0,
            lease.0,
            other.0,
            lent.0,
            now_ms,
        )?;
        Ok(())
    }

    /// Notes that a play is rechecked under a new lease.
    pub(crate) async fn lend_recheck(
        &mut self,
        (game, lease): (GameId, LeaseId),
        lent: LeaseId,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE replay SET state = 'lent', lent = $3 WHERE game = $1 AND lease = $2",
            game.0,
            lease.0,
            lent.0,
        )?;
        execute!(
            &mut *self,
            "UPDATE worker SET checks = checks + 1 WHERE id = (SELECT worker FROM lease WHERE id = $1)",
            lent.0,
        )?;
        Ok(())
    }

    /// Makes a play wait for a recheck again after one ended without a game; a machine of another principal is
    /// preferred. A failure counts once for each principal, and the recheck is given up after failures of
    /// `most_failures` principals. Gives how many rechecks the machine had, and how many of them failed.
    pub(crate) async fn want_recheck_again(
        &mut self,
        lent: LeaseId,
        worker: WorkerId,
        most_failures: Option<i64>,
    ) -> Result<(i64, i64), StoreError> {
        let failed = i64::from(most_failures.is_some());
        execute!(
            &mut *self,
            "INSERT INTO replay_attempt (game, lease, principal, failures) \
             SELECT replay.game, replay.lease, COALESCE(worker.principal, ''), $3 FROM replay \
             JOIN worker ON worker.id = $2 WHERE replay.lent = $1 \
             ON CONFLICT (game, lease, principal) DO UPDATE SET failures = replay_attempt.failures + $3",
            lent.0,
            worker.0,
            failed,
        )?;
        execute!(
            &mut *self,
            "UPDATE replay SET failures = (SELECT COUNT(*) FROM replay_attempt failed WHERE failed.game = replay.game \
             AND failed.lease = replay.lease AND failed.failures > 0), state = 'wanted', lent = NULL WHERE lent = $1",
            lent.0,
        )?;
        if let Some(most) = most_failures {
            execute!(
                &mut *self,
                "UPDATE replay SET state = 'given_up' WHERE state = 'wanted' AND failures >= $1",
                most,
            )?;
            execute!(
                &mut *self,
                "UPDATE worker SET checks_failed = checks_failed + 1 WHERE id = $1",
                worker.0,
            )?;
        }
        self.checks(worker).await
    }

    /// The number of rechecks that a worker had, and how many of them failed.
    pub(crate) async fn checks(&mut self, worker: WorkerId) -> Result<(i64, i64), StoreError> {
        let found = row!(
            &mut *self,
            |row| Ok((row.bigint("checks")?, row.bigint("checks_failed")?)),
            "SELECT checks, checks_failed FROM worker WHERE id = $1",
            worker.0,
        )?;
        Ok(found.unwrap_or_default())
    }

    /// Makes a play wait for a recheck again, because the last one did not decide it.
    pub(crate) async fn unlend_recheck(
        &mut self,
        (game, lease): (GameId, LeaseId),
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE replay SET state = 'wanted', lent = NULL WHERE game = $1 AND lease = $2 AND state = 'lent'",
            game.0,
            lease.0,
        )?;
        Ok(())
    }
}
