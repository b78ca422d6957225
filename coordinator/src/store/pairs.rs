//! Pairs of games: their state, and their last failure.

use super::sql::{Columns, execute_many, row, rows, rows_many};
use super::{StoreError, Tx};
use protocol::ids::{CellId, ExperimentId, LeaseId};
use stats::{JointCounts, PairCounts};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairState {
    /// Incomplete, and held by no machine.
    Open,
    /// Held under this lease.
    Leased(LeaseId),
    /// Both games are counted.
    Done,
    /// Suspended after too many failures: not leased since this time, in milliseconds since 1970.
    Suspended(i64),
}

impl PairState {
    /// The value of column `state`.
    fn name(self) -> &'static str {
        match self {
            PairState::Open | PairState::Suspended(_) => "open",
            PairState::Leased(_) => "leased",
            PairState::Done => "done",
        }
    }

    fn lease(self) -> Option<LeaseId> {
        if let PairState::Leased(lease) = self { Some(lease) } else { None }
    }

    fn aside_ms(self) -> Option<i64> {
        if let PairState::Suspended(since_ms) = self { Some(since_ms) } else { None }
    }
}

/// A row of `pair`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairRow {
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) state: PairState,
    /// The case's half-points as White and as Black, once counted.
    pub(crate) points: [Option<u8>; 2],
    /// How often it failed.
    pub(crate) failures: i64,
    /// How often it was abandoned, for any reason.
    pub(crate) abandoned: i64,
}

impl PairRow {
    pub(super) fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Self::from_named(row, "state", "lease")
    }

    /// As [`PairRow::from_row`], for a row in which `state` and `lease` have other names.
    pub(super) fn from_named(
        row: &dyn Columns,
        state: &'static str,
        lease: &'static str,
    ) -> Result<Self, StoreError> {
        let points = |name| -> Result<Option<u8>, StoreError> {
            row.maybe_bigint(name)?.map(|n| u8::try_from(n).map_err(StoreError::unreadable(name))).transpose()
        };
        let aside = row.maybe_bigint("aside_ms")?;
        let state = match (row.text(state)?.as_str(), row.maybe_uuid(lease)?, aside) {
            ("open", None, None) => PairState::Open,
            ("open", None, Some(since_ms)) => PairState::Suspended(since_ms),
            ("leased", Some(lease), None) => PairState::Leased(LeaseId(lease)),
            ("done", None, None) => PairState::Done,
            (other, _, _) => return Err(StoreError::unreadable("pair.state")(other)),
        };
        Ok(Self {
            cell: CellId(row.uuid("cell")?),
            idx: read_idx(row)?,
            state,
            points: [points("first")?, points("second")?],
            failures: row.bigint("failures")?,
            abandoned: row.bigint("abandoned")?,
        })
    }
}

/// A suspended pair, with its last failure.
#[derive(Debug, Clone)]
pub(crate) struct AsideRow {
    pub(crate) pair: PairRow,
    pub(crate) trouble: String,
}

pub(super) fn read_idx(row: &dyn Columns) -> Result<u32, StoreError> {
    u32::try_from(row.bigint("idx")?).map_err(StoreError::unreadable("pair.idx"))
}

impl Tx {
    pub(crate) async fn pair(&mut self, cell: CellId, idx: u32) -> Result<Option<PairRow>, StoreError> {
        row!(
            &mut *self,
            PairRow::from_row,
            "SELECT cell, idx, state, lease, first, second, failures, aside_ms, abandoned FROM pair \
             WHERE cell = $1 AND idx = $2",
            cell.0,
            i64::from(idx),
        )
    }

    /// Pairs by cell and number.
    pub(super) async fn pairs(&mut self, keys: &[(CellId, u32)]) -> Result<Vec<PairRow>, StoreError> {
        rows_many!(
            &mut *self,
            PairRow::from_row,
            "SELECT cell, idx, state, lease, first, second, failures, aside_ms, abandoned \
             FROM (VALUES {rows}) AS wanted JOIN pair ON cell = column1 AND idx = column2",
            keys,
            |key| key.0.0,
            i64::from(key.1),
        )
    }

    /// The complete pairs of an experiment's cells of which a counted game arrived at this time or later: the cell, the case's half-points
    /// as White and as Black, and how many there are.
    pub(crate) async fn pairs_since(
        &mut self,
        id: ExperimentId,
        since_ms: i64,
    ) -> Result<Vec<(CellId, [u8; 2], u64)>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let points =
                    |name| u8::try_from(row.bigint(name)?).map_err(StoreError::unreadable("pair.first"));
                Ok((CellId(row.uuid("cell")?), [points("first")?, points("second")?], row.count("pairs")?))
            },
            "SELECT pair.cell, pair.first, pair.second, COUNT(*) AS pairs FROM \
             (SELECT DISTINCT game.cell, game.idx FROM experiment_cell JOIN game ON game.cell = experiment_cell.cell \
              WHERE experiment_cell.experiment = $1 AND game.received_ms >= $2 AND game.status = 'counted') AS late \
             JOIN pair ON pair.cell = late.cell AND pair.idx = late.idx \
             WHERE pair.state = 'done' GROUP BY pair.cell, pair.first, pair.second",
            id.0,
            since_ms,
        )
    }

    /// Stores pairs, new or changed.
    pub(super) async fn put_pairs(&mut self, pairs: &[PairRow]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO pair (cell, idx, state, lease, first, second, failures, aside_ms, abandoned) VALUES {rows} \
             ON CONFLICT (cell, idx) DO UPDATE SET state = excluded.state, lease = excluded.lease, \
             first = excluded.first, second = excluded.second, failures = excluded.failures, \
             aside_ms = excluded.aside_ms, abandoned = excluded.abandoned",
            pairs,
            |pair| pair.cell.0,
            i64::from(pair.idx),
            pair.state.name(),
            pair.state.lease().map(|lease| lease.0),
            pair.points[0].map(i64::from),
            pair.points[1].map(i64::from),
            pair.failures,
            pair.state.aside_ms(),
            pair.abandoned,
        )?;
        Ok(())
    }

    /// Notes the last failure of pairs.
    pub(super) async fn note_troubles(
        &mut self,
        troubles: &[((CellId, u32), String)],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE pair SET trouble = column3 FROM (VALUES {rows}) AS change WHERE cell = column1 AND idx = column2",
            troubles,
            |trouble| trouble.0.0.0,
            i64::from(trouble.0.1),
            trouble.1.as_str(),
        )?;
        Ok(())
    }

    /// How often both cells scored so many quarters in their pairs from the same opening.
    pub(crate) async fn joint_scores(
        &mut self,
        one: CellId,
        other: CellId,
    ) -> Result<JointCounts, StoreError> {
        let counted = rows!(
            &mut *self,
            |row| Ok((row.count("x")? as usize, row.count("y")? as usize, row.count("openings")?)),
            "SELECT one.first + one.second AS x, other.first + other.second AS y, COUNT(*) AS openings FROM pair one \
             JOIN pair other ON other.cell = $2 AND other.idx = one.idx AND other.state = 'done' \
             WHERE one.cell = $1 AND one.state = 'done' GROUP BY one.first + one.second, other.first + other.second",
            one.0,
            other.0,
        )?;
        let mut joint = JointCounts::default();
        for (x, y, openings) in counted {
            // A CHECK keeps half-points of a game between 0 and 2.
            if let Some(count) = joint.get_mut(x).and_then(|row| row.get_mut(y)) {
                *count = openings;
            }
        }
        Ok(joint)
    }

    /// The complete pairs of a cell by their results, in groups of `every` numbers: the first group has the pair with the number
    /// 0 alone. A cell may have too many pairs to read them one by one while a caller waits.
    pub(crate) async fn complete_by_group(
        &mut self,
        cell: CellId,
        every: u64,
    ) -> Result<BTreeMap<u64, PairCounts>, StoreError> {
        let every = every.cast_signed();
        let counted = rows!(
            &mut *self,
            |row| Ok((row.count("place")?, (row.count("first")?, row.count("second")?), row.count("pairs")?)),
            "SELECT place, first, second, COUNT(*) AS pairs FROM (SELECT (idx + $2 - 1) / $2 AS place, first, second FROM pair \
             WHERE cell = $1 AND state = 'done') done GROUP BY place, first, second",
            cell.0,
            every,
        )?;
        let mut groups: BTreeMap<u64, [u64; 6]> = BTreeMap::new();
        for (place, (first, second), pairs) in counted {
            // A CHECK keeps half-points of a game between 0 and 2.
            groups.entry(place).or_default()[PairCounts::category(first as u8, second as u8)] += pairs;
        }
        Ok(groups.into_iter().map(|(place, counts)| (place, counts.into())).collect())
    }

    /// The holder of a pair: the machine, since when, and the core microseconds that the pair is expected to take.
    pub(crate) async fn holder(
        &mut self,
        cell: CellId,
        idx: i64,
    ) -> Result<Option<(String, i64, i64)>, StoreError> {
        row!(
            &mut *self,
            |row| Ok((row.text("name")?, row.bigint("granted_ms")?, row.bigint("charge_us")?)),
            "SELECT worker.name, lease.granted_ms, lease.charge_us FROM pair JOIN lease ON lease.id = pair.lease \
             JOIN worker ON worker.id = lease.worker WHERE pair.cell = $1 AND pair.idx = $2 AND pair.state = 'leased'",
            cell.0,
            idx,
        )
    }

    /// The number of the first pair of a cell that was begun and is not complete.
    pub(crate) async fn first_incomplete(&mut self, cell: CellId) -> Result<Option<u64>, StoreError> {
        let first = row!(
            &mut *self,
            |row| row.maybe_bigint("idx"),
            "SELECT MIN(idx) AS idx FROM pair WHERE cell = $1 AND state <> 'done'",
            cell.0,
        )?;
        Ok(first.flatten().map(i64::unsigned_abs))
    }

    /// The suspended pairs of an experiment's cells, the latest first.
    pub(crate) async fn suspended_pairs(
        &mut self,
        experiment: ExperimentId,
        limit: i64,
    ) -> Result<Vec<AsideRow>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(AsideRow {
                pair: PairRow::from_row(row)?,
                trouble: row.maybe_text("trouble")?.unwrap_or_default(),
            }),
            "SELECT cell, idx, state, lease, first, second, failures, aside_ms, abandoned, trouble FROM pair \
             WHERE aside_ms IS NOT NULL AND cell IN (SELECT cell FROM experiment_cell WHERE experiment = $1 AND closed IS NULL) \
             ORDER BY aside_ms DESC, cell, idx LIMIT $2",
            experiment.0,
            limit,
        )
    }
}
