//! The games that experiments count over time: the latest in slices of seconds, the earlier ones by the hour.

use super::sql::{execute, execute_many, row, rows};
use super::{StoreError, Tx};
use protocol::ids::ExperimentId;
use std::collections::BTreeMap;

/// Milliseconds of a bucket of `recent_games`.
pub(crate) const BUCKET_MS: i64 = 10_000;

/// Milliseconds of an hour, by which games of long ago are told.
pub(crate) const HOUR_MS: i64 = 3_600_000;

impl Tx {
    /// Counts games of experiments that are counted now.
    pub(super) async fn count_recent_games(
        &mut self,
        counted: &[(ExperimentId, i64)],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO recent_games (experiment, bucket, games) VALUES {rows} \
             ON CONFLICT (experiment, bucket) DO UPDATE SET games = recent_games.games + excluded.games",
            counted,
            |counted| counted.0.0,
            now_ms.div_euclid(BUCKET_MS),
            counted.1,
        )?;
        Ok(())
    }

    /// Games counted for each experiment from `since_ms` to now, and the time since when, in milliseconds since 1970.
    pub(crate) async fn recent_games(
        &mut self,
        (since_ms, now_ms): (i64, i64),
    ) -> Result<Vec<(ExperimentId, u64, i64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((
                ExperimentId(row.uuid("experiment")?),
                row.count("games")?,
                row.bigint("bucket")?.saturating_mul(BUCKET_MS)
            )),
            "SELECT experiment, CAST(SUM(games) AS BIGINT) AS games, MIN(bucket) AS bucket FROM recent_games \
             WHERE bucket >= $1 AND bucket <= $2 GROUP BY experiment",
            since_ms.div_euclid(BUCKET_MS),
            now_ms.div_euclid(BUCKET_MS),
        )
    }

    /// Games counted for each experiment from `since_ms` to now, in slices of time of this length, which are numbered since 1970.
    pub(crate) async fn games_by_slice(
        &mut self,
        (since_ms, now_ms): (i64, i64),
        slice_ms: i64,
    ) -> Result<Vec<(ExperimentId, i64, u64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("experiment")?), row.bigint("slice")?, row.count("games")?)),
            "SELECT experiment, bucket / $3 AS slice, CAST(SUM(games) AS BIGINT) AS games FROM recent_games \
             WHERE bucket >= $1 AND bucket <= $2 GROUP BY experiment, bucket / $3",
            since_ms.div_euclid(BUCKET_MS),
            now_ms.div_euclid(BUCKET_MS),
            slice_ms / BUCKET_MS,
        )
    }

    /// Whether there are rates from before `since_ms` that are not kept by the hour only.
    pub(crate) async fn has_rates_before(&mut self, since_ms: i64) -> Result<bool, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.bigint("bucket"),
            "SELECT bucket FROM recent_games WHERE bucket < $1 LIMIT 1",
            since_ms.div_euclid(BUCKET_MS),
        )?;
        Ok(found.is_some())
    }

    /// Keeps the rates from before `since_ms` by the hour only.
    pub(crate) async fn forget_recent_games(&mut self, since_ms: i64) -> Result<(), StoreError> {
        // What is deleted here is added here: no other coordinator adds it, too.
        let gone = rows!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("experiment")?), row.bigint("bucket")?, row.bigint("games")?)),
            "DELETE FROM recent_games WHERE bucket < $1 RETURNING experiment, bucket, games",
            since_ms.div_euclid(BUCKET_MS),
        )?;
        let mut hours: BTreeMap<(ExperimentId, i64), i64> = BTreeMap::new();
        for (experiment, bucket, games) in gone {
            *hours.entry((experiment, bucket.saturating_mul(BUCKET_MS).div_euclid(HOUR_MS))).or_default() +=
                games;
        }
        let hours = Vec::from_iter(hours);
        execute_many!(
            &mut *self,
            "INSERT INTO past_games (experiment, hour, games) VALUES {rows} \
             ON CONFLICT (experiment, hour) DO UPDATE SET games = past_games.games + excluded.games",
            &hours,
            |hour| hour.0.0.0,
            hour.0.1,
            hour.1,
        )?;
        Ok(())
    }

    /// Games that an experiment counted, by the ends of hours, and lately of [`BUCKET_MS`], in milliseconds since 1970, in the order of time.
    pub(crate) async fn games_over_time(&mut self, id: ExperimentId) -> Result<Vec<(i64, u64)>, StoreError> {
        let recent = rows!(
            &mut *self,
            |row| Ok((
                row.bigint("bucket")?.saturating_add(1).saturating_mul(BUCKET_MS),
                row.count("games")?
            )),
            "SELECT bucket, games FROM recent_games WHERE experiment = $1 ORDER BY bucket",
            id.0,
        )?;
        let past = rows!(
            &mut *self,
            |row| Ok((row.bigint("hour")?.saturating_add(1).saturating_mul(HOUR_MS), row.count("games")?)),
            "SELECT hour, games FROM past_games WHERE experiment = $1 ORDER BY hour",
            id.0,
        )?;
        // The last hour may be kept by shorter times in part: then the rest of it is before them.
        let first = recent.first().map_or(i64::MAX, |(end, _)| end - BUCKET_MS);
        let mut games: Vec<(i64, u64)> =
            past.into_iter().map(|(end, games)| (end.min(first), games)).collect();
        games.extend(recent);
        Ok(games)
    }

    /// Removes rates from the future, after the clock was set back.
    pub(crate) async fn forget_games_to_come(&mut self, now_ms: i64) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM recent_games WHERE bucket > $1", now_ms.div_euclid(BUCKET_MS))?;
        Ok(())
    }
}
