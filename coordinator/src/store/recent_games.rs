//! The games that experiments count over time: the latest in slices of seconds, the earlier ones of a long experiment by the
//! hour.

use super::sql::{execute, execute_many, row, rows};
use super::{StoreError, Tx};
use protocol::ids::ExperimentId;
use std::collections::{BTreeMap, BTreeSet};

/// Milliseconds of a bucket of `recent_games`.
pub(crate) const BUCKET_MS: i64 = 10_000;

/// The number of buckets in an hour, the slice of the games of a long experiment.
const BUCKETS_OF_AN_HOUR: i64 = 3_600_000 / BUCKET_MS;

/// The most past buckets of an experiment: an hour of play.
const MOST_FINE: i64 = BUCKETS_OF_AN_HOUR;

/// Games counted within some time, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) from_ms: i64,
    pub(crate) to_ms: i64,
    pub(crate) games: u64,
}

impl Slice {
    /// Games of so many buckets from this one on.
    fn of(bucket: i64, buckets: i64, games: u64) -> Self {
        Self {
            from_ms: bucket.saturating_mul(BUCKET_MS),
            to_ms: bucket.saturating_add(buckets).saturating_mul(BUCKET_MS),
            games,
        }
    }
}

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

    /// Whether there are rates from before `since_ms` that are not among the past ones.
    pub(crate) async fn has_rates_before(&mut self, since_ms: i64) -> Result<bool, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.bigint("bucket"),
            "SELECT bucket FROM recent_games WHERE bucket < $1 LIMIT 1",
            since_ms.div_euclid(BUCKET_MS),
        )?;
        Ok(found.is_some())
    }

    /// Moves the rates from before `since_ms` to the past ones. An experiment has at most [`MOST_FINE`] buckets there; more are
    /// kept by the hour.
    pub(crate) async fn forget_recent_games(&mut self, since_ms: i64) -> Result<(), StoreError> {
        // The deleted rows are added in the same transaction, so no other coordinator adds them, too.
        let gone = rows!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("experiment")?), row.bigint("bucket")?, row.bigint("games")?)),
            "DELETE FROM recent_games WHERE bucket < $1 RETURNING experiment, bucket, games",
            since_ms.div_euclid(BUCKET_MS),
        )?;
        let experiments: BTreeSet<ExperimentId> = gone.iter().map(|(experiment, ..)| *experiment).collect();
        let past = gone.into_iter().map(|(experiment, bucket, games)| ((experiment, bucket), games));
        self.add_past_games(past.collect(), 1).await?;
        for experiment in experiments {
            self.keep_by_the_hour(experiment).await?;
        }
        Ok(())
    }

    /// Adds games to slices of so many buckets, each with its first bucket.
    async fn add_past_games(
        &mut self,
        games: Vec<((ExperimentId, i64), i64)>,
        buckets: i64,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO past_games (experiment, bucket, buckets, games) VALUES {rows} \
             ON CONFLICT (experiment, bucket, buckets) DO UPDATE SET games = past_games.games + excluded.games",
            &games,
            |slice| slice.0.0.0,
            slice.0.1,
            buckets,
            slice.1,
        )?;
        Ok(())
    }

    /// Keeps the past buckets of an experiment by the hour, if they are too many.
    async fn keep_by_the_hour(&mut self, experiment: ExperimentId) -> Result<(), StoreError> {
        let fine = row!(
            &mut *self,
            |row| row.bigint("fine"),
            "SELECT COUNT(*) AS fine FROM past_games WHERE experiment = $1 AND buckets = 1",
            experiment.0,
        )?;
        if fine.is_none_or(|fine| fine <= MOST_FINE) {
            return Ok(());
        }
        let fine = rows!(
            &mut *self,
            |row| Ok((row.bigint("bucket")?, row.bigint("games")?)),
            "DELETE FROM past_games WHERE experiment = $1 AND buckets = 1 RETURNING bucket, games",
            experiment.0,
        )?;
        let mut hours: BTreeMap<(ExperimentId, i64), i64> = BTreeMap::new();
        for (bucket, games) in fine {
            let hour = bucket - bucket.rem_euclid(BUCKETS_OF_AN_HOUR);
            *hours.entry((experiment, hour)).or_default() += games;
        }
        self.add_past_games(Vec::from_iter(hours), BUCKETS_OF_AN_HOUR).await
    }

    /// Games that an experiment counted, in slices of time, in the order of time.
    pub(crate) async fn games_over_time(&mut self, id: ExperimentId) -> Result<Vec<Slice>, StoreError> {
        let mut slices = rows!(
            &mut *self,
            |row| Ok(Slice::of(row.bigint("bucket")?, row.bigint("buckets")?, row.count("games")?)),
            "SELECT bucket, buckets, games FROM past_games WHERE experiment = $1 ORDER BY bucket, buckets",
            id.0,
        )?;
        slices.extend(rows!(
            &mut *self,
            |row| Ok(Slice::of(row.bigint("bucket")?, 1, row.count("games")?)),
            "SELECT bucket, games FROM recent_games WHERE experiment = $1 ORDER BY bucket",
            id.0,
        )?);
        // The end of an hour may be kept in shorter slices: then the slice of the hour ends where they begin.
        for place in 1..slices.len() {
            slices[place - 1].to_ms = slices[place - 1].to_ms.min(slices[place].from_ms);
        }
        Ok(slices)
    }

    /// Removes rates of future times, after the clock was set back.
    pub(crate) async fn forget_games_to_come(&mut self, now_ms: i64) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM recent_games WHERE bucket > $1", now_ms.div_euclid(BUCKET_MS))?;
        Ok(())
    }
}
