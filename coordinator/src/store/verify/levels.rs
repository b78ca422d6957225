//! The effort of machines, rebuilt from the games.

use super::Verification;
use crate::store::columns::read_spec;
use crate::store::sql::rows;
use crate::store::{StoreError, Tx};
use protocol::ids::{CellId, KindId, WorkerId};
use std::collections::BTreeMap;

/// The sums of levels by kind and machine, and for each machine the games that were compared.
pub(super) async fn verify(tx: &mut Tx, found: &mut Verification) -> Result<(), StoreError> {
    let mut rebuilt: BTreeMap<(KindId, WorkerId), (i64, i64)> = BTreeMap::new();
    let sums = rows!(
        &mut *tx,
        |row| Ok((
            CellId(row.uuid("cell")?),
            WorkerId(row.uuid("worker")?),
            row.bigint("games")?,
            [row.bigint("case_total")?, row.bigint("baseline_total")?],
        )),
        "SELECT cell, worker, COUNT(*) AS games, CAST(SUM(case_level) AS BIGINT) AS case_total, \
         CAST(SUM(baseline_level) AS BIGINT) AS baseline_total FROM game \
         WHERE status = 'counted' AND case_level IS NOT NULL GROUP BY cell, worker",
    )?;
    let mut kinds = BTreeMap::new();
    if !sums.is_empty() {
        let specs = rows!(
            &mut *tx,
            |row| Ok((CellId(row.uuid("id")?), read_spec(row)?.kinds())),
            "SELECT id, spec FROM cell",
        )?;
        kinds.extend(specs);
    }
    for (cell, worker, games, totals) in sums {
        for (kind, total) in kinds.get(&cell).into_iter().flatten().zip(totals) {
            let sum = rebuilt.entry((*kind, worker)).or_default();
            *sum = (sum.0 + games, sum.1 + total);
        }
    }
    let stored = rows!(
        &mut *tx,
        |row| Ok((
            (KindId(row.uuid("kind")?), WorkerId(row.uuid("worker")?)),
            (row.bigint("games")?, row.bigint("total")?)
        )),
        "SELECT kind, worker, games, total FROM pace",
    )?;
    let stored: BTreeMap<_, _> = stored.into_iter().collect();
    for key in rebuilt.keys().chain(stored.keys().filter(|key| !rebuilt.contains_key(key))) {
        let [stored, rebuilt] = [&stored, &rebuilt].map(|sums| sums.get(key).copied().unwrap_or_default());
        let place = || format!("player kind {} on worker {}", key.0, key.1);
        found.compare(place, "games compared by level", stored.0, rebuilt.0);
        found.compare(place, "sum of levels", stored.1, rebuilt.1);
    }
    let workers = rows!(
        &mut *tx,
        |row| Ok((
            row.text("name")?,
            [row.bigint("compared")?, row.bigint("games")?],
            [row.bigint("off_total")?, row.bigint("total")?],
            [row.bigint("off_size")?, row.bigint("size")?]
        )),
        "SELECT name, compared, off_total, COALESCE(played.games_off, 0) AS games, COALESCE(played.total_off, 0) AS total, \
         off_size, COALESCE(played.size_off, 0) AS size \
         FROM worker LEFT JOIN (SELECT worker, COUNT(*) AS games_off, CAST(SUM(ratio_off) AS BIGINT) AS total_off, \
         CAST(SUM(ABS(ratio_off)) AS BIGINT) AS size_off \
         FROM game WHERE status = 'counted' AND ratio_off IS NOT NULL GROUP BY worker) played \
         ON played.worker = worker.id ORDER BY name, id",
    )?;
    for (name, [compared, games], [off_total, total], [off_size, size]) in workers {
        found.compare(|| format!("worker {name}"), "compared", compared, games);
        found.compare(|| format!("worker {name}"), "off_total", off_total, total);
        found.compare(|| format!("worker {name}"), "off_size", off_size, size);
    }
    Ok(())
}
