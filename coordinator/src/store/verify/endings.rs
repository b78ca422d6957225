//! How the games of cells ended, rebuilt from the games.

use super::Verification;
use crate::store::endings::{EndingKey, name_of, read_way};
use crate::store::sql::{Columns, rows};
use crate::store::{StoreError, Tx};
use protocol::ids::CellId;
use std::collections::BTreeMap;

fn read(row: &dyn Columns) -> Result<(EndingKey, i64), StoreError> {
    let ending = read_way(row)?;
    let key = (CellId(row.uuid("cell")?), i64::from(ending.plies), ending.half_points, name_of(ending.kind));
    // The stored number may be wrong in any way.
    Ok((key, row.bigint("games")?))
}

pub(super) async fn verify(tx: &mut Tx, found: &mut Verification) -> Result<(), StoreError> {
    // Games with unknown values are in no total.
    let rebuilt = rows!(
        &mut *tx,
        read,
        "SELECT cell, plies, result, kind, COUNT(*) AS games FROM (SELECT cell, plies, COALESCE(kind, 'none') AS kind, \
         CASE WHEN winner IS NULL THEN 'draw' \
         WHEN (half = 0 AND winner = 'white') OR (half = 1 AND winner = 'black') THEN 'win' ELSE 'loss' END AS result \
         FROM game WHERE status = 'counted' AND half IN (0, 1) AND (winner IS NULL OR winner IN ('white', 'black')) \
         AND (kind IS NULL OR kind IN ('fork', 'bridge', 'ring'))) ended GROUP BY cell, plies, result, kind",
    )?;
    let stored = rows!(&mut *tx, read, "SELECT cell, plies, result, kind, games FROM cell_ending")?;
    let (rebuilt, stored): (BTreeMap<EndingKey, i64>, BTreeMap<EndingKey, i64>) =
        (rebuilt.into_iter().collect(), stored.into_iter().collect());
    for key in rebuilt.keys().chain(stored.keys().filter(|key| !rebuilt.contains_key(key))) {
        let (cell, plies, half_points, kind) = key;
        let [stored, rebuilt] = [&stored, &rebuilt].map(|games| games.get(key).copied().unwrap_or_default());
        let place = || format!("games of {plies} moves and {half_points} half-points in cell {cell}");
        found.compare(place, &format!("games that ended with {kind}"), stored, rebuilt);
    }
    Ok(())
}
