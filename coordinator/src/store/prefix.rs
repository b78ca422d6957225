//! Ids by their first digits.

use super::sql::rows;
use super::{StoreError, Tx};
use protocol::ids::{CellId, GameId};
use protocol::prefix::IdPrefix;

/// The most ids that are looked up: more than one is ambiguous, and the error lists some.
const MOST: i64 = 10;

impl Tx {
    /// The ids of some games that begin so.
    pub(crate) async fn games_beginning(&mut self, prefix: IdPrefix) -> Result<Vec<GameId>, StoreError> {
        let (first, last) = prefix.range();
        rows!(
            &mut *self,
            |row| row.uuid("id").map(GameId),
            "SELECT DISTINCT id FROM game WHERE id >= $1 AND id <= $2 ORDER BY id LIMIT $3",
            first,
            last,
            MOST,
        )
    }

    /// The ids of some cells that begin so.
    pub(crate) async fn cells_beginning(&mut self, prefix: IdPrefix) -> Result<Vec<CellId>, StoreError> {
        let (first, last) = prefix.range();
        rows!(
            &mut *self,
            |row| row.uuid("id").map(CellId),
            "SELECT id FROM cell WHERE id >= $1 AND id <= $2 ORDER BY id LIMIT $3",
            first,
            last,
            MOST,
        )
    }
}
