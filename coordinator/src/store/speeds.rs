//! The speeds of machines over time: a bounded history for people.

use super::sql::{execute, execute_many, row, rows};
use super::{StoreError, Tx};
use engine::havannah::BoardSize;
use protocol::ids::WorkerId;
use protocol::machine::PastSpeed;
use protocol::result::Speed;
use std::collections::BTreeMap;

/// The length of a slice of time. A machine has one row for each size and slice, so that a speed that changes with every game
/// does not fill the table.
const SLICE_MS: i64 = 300_000;

/// How long speeds are kept.
const KEPT_MS: i64 = 14 * 86_400_000;

impl Tx {
    /// Notes the speeds that machines report from now on, and drops old ones.
    pub(crate) async fn note_speeds(
        &mut self,
        changed: &[(WorkerId, &[Speed])],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        if changed.iter().all(|(_, speeds)| speeds.is_empty()) {
            return Ok(());
        }
        let at_ms = now_ms - now_ms.rem_euclid(SLICE_MS);
        let speeds: BTreeMap<(WorkerId, BoardSize), Speed> = changed
            .iter()
            .flat_map(|(worker, speeds)| speeds.iter().map(|speed| ((*worker, speed.size), *speed)))
            .collect();
        let speeds = Vec::from_iter(speeds);
        execute_many!(
            &mut *self,
            "INSERT INTO worker_speed (worker, size, at_ms, sims_per_s, factor, drift) VALUES {rows} \
             ON CONFLICT (worker, size, at_ms) DO UPDATE SET sims_per_s = excluded.sims_per_s, factor = excluded.factor, \
             drift = excluded.drift",
            &speeds,
            |noted| noted.0.0.0,
            i64::from(noted.0.1.get()),
            at_ms,
            noted.1.sims_per_s,
            noted.1.factor,
            noted.1.drift,
        )?;
        execute!(&mut *self, "DELETE FROM worker_speed WHERE at_ms < $1", now_ms - KEPT_MS)?;
        Ok(())
    }

    /// The speeds of a machine, oldest first.
    pub(crate) async fn past_speeds(&mut self, worker: WorkerId) -> Result<Vec<PastSpeed>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let size = u8::try_from(row.bigint("size")?).ok().and_then(|size| BoardSize::new(size).ok());
                Ok(PastSpeed {
                    at_ms: row.bigint("at_ms")?,
                    size: size
                        .ok_or_else(|| StoreError::unreadable("worker_speed.size")("no board has it"))?,
                    sims_per_s: row.real("sims_per_s")?,
                    relative: 1.0 / row.real("factor")?,
                    drift: row.real("drift")?,
                })
            },
            "SELECT size, at_ms, sims_per_s, factor, drift FROM worker_speed WHERE worker = $1 ORDER BY at_ms, size",
            worker.0,
        )
    }

    /// Counted games of all machines.
    pub(crate) async fn games_of_all(&mut self) -> Result<u64, StoreError> {
        let games = row!(
            &mut *self,
            |row| row.count("games"),
            "SELECT CAST(COALESCE(SUM(games), 0) AS BIGINT) AS games FROM worker",
        )?;
        Ok(games.unwrap_or_default())
    }
}
