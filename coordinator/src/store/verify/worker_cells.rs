//! The games of machines by cell, rebuilt from the games.

use super::Verification;
use crate::store::sql::rows;
use crate::store::worker_cells::{MachineResults, WorkerCellKey, read_own};
use crate::store::{StoreError, Tx};
use protocol::ids::{CellId, WorkerId};
use std::collections::BTreeMap;

pub(super) async fn verify(tx: &mut Tx, found: &mut Verification) -> Result<(), StoreError> {
    // Games with unknown values are in no total.
    let rebuilt = rows!(
        &mut *tx,
        |row| {
            let (half, own) = read_own(row)?;
            Ok(((CellId(row.uuid("cell")?), WorkerId(row.uuid("worker")?), half), own))
        },
        "SELECT cell, worker, half, \
         CAST(SUM(CASE WHEN (half = 0 AND winner = 'black') OR (half = 1 AND winner = 'white') THEN 1 ELSE 0 END) AS BIGINT) AS losses, \
         CAST(SUM(CASE WHEN winner IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS draws, \
         CAST(SUM(CASE WHEN (half = 0 AND winner = 'white') OR (half = 1 AND winner = 'black') THEN 1 ELSE 0 END) AS BIGINT) AS wins, \
         COUNT(speed_level) AS timed, CAST(COALESCE(SUM(speed_level), 0) AS BIGINT) AS speed_total \
         FROM game WHERE status = 'counted' AND half IN (0, 1) GROUP BY cell, worker, half",
    )?;
    let stored = rows!(
        &mut *tx,
        |row| {
            let (half, own) = read_own(row)?;
            Ok(((CellId(row.uuid("cell")?), WorkerId(row.uuid("worker")?), half), own))
        },
        "SELECT cell, worker, half, losses, draws, wins, timed, speed_total FROM worker_cell",
    )?;
    let (rebuilt, stored): (
        BTreeMap<WorkerCellKey, MachineResults>,
        BTreeMap<WorkerCellKey, MachineResults>,
    ) = (rebuilt.into_iter().collect(), stored.into_iter().collect());
    for key in rebuilt.keys().chain(stored.keys().filter(|key| !rebuilt.contains_key(key))) {
        let (cell, worker, half) = key;
        let [stored, rebuilt] = [&stored, &rebuilt].map(|sums| sums.get(key).copied().unwrap_or_default());
        let place = || format!("half {half} of cell {cell} on worker {worker}");
        let counts = stored.results.into_iter().zip(rebuilt.results);
        for (name, (stored, rebuilt)) in ["losses", "draws", "wins"].into_iter().zip(counts) {
            found.compare(place, &format!("{name} of the machine"), stored, rebuilt);
        }
        found.compare(place, "games with a speed", stored.timed, rebuilt.timed);
        found.compare(place, "sum of speeds", stored.speed_total, rebuilt.speed_total);
    }
    Ok(())
}
