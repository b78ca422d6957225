//! Stored values that this program does not know: text outside the names of its enumeration.
//!
//! CHECK constraints prevent such values, but a damaged file or a person with a database shell may introduce them. Totals must
//! not depend on a guess at their meaning.

use super::readable_outcome;
use crate::store::sql::{Columns, rows};
use crate::store::{StoreError, Tx};

/// A stored value that this program does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownValue {
    /// The row of the value, such as `game 6f… under lease 07…`.
    pub place: String,
    /// The column.
    pub column: &'static str,
    /// The stored value.
    pub value: String,
}

impl std::fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, column, value } = self;
        write!(f, "{place}: {column} is {value}, which means nothing to this program")
    }
}

/// The rows of `$table` whose `$column` is none of the `$known` values.
macro_rules! none_of {
    ($tx:expr, $found:expr, $table:literal . $column:literal, $known:literal, $key:literal, $place:expr) => {{
        let rows = rows!(
            &mut *$tx,
            |row| {
                let place: fn(&dyn Columns) -> Result<String, StoreError> = $place;
                Ok((place(row)?, row.maybe_text("unknown_value")?))
            },
            concat!(
                "SELECT ",
                $key,
                ", ",
                $column,
                " AS unknown_value FROM ",
                $table,
                " WHERE ",
                $column,
                " IS NULL OR ",
                $column,
                " NOT IN (",
                $known,
                ") ORDER BY ",
                $key
            ),
        )?;
        $found.extend(rows.into_iter().map(|(place, value)| UnknownValue {
            place,
            column: $column,
            value: shown(value),
        }));
    }};
}

fn shown(value: Option<String>) -> String {
    value.map_or("NULL".to_owned(), |value| format!("`{}`", value.escape_debug()))
}

/// Every unknown value in a column that lists names.
pub(super) async fn unknown(tx: &mut Tx) -> Result<Vec<UnknownValue>, StoreError> {
    let mut found = unknown_results(tx).await?;
    none_of!(tx, found, "game"."status", "'counted', 'superseded', 'excluded'", "id, lease", |row| {
        Ok(format!("game {} under lease {}", row.uuid("id")?, row.uuid("lease")?))
    });
    none_of!(tx, found, "pair"."state", "'open', 'leased', 'done'", "cell, idx", |row| {
        Ok(format!("pair {} of cell {}", row.bigint("idx")?, row.uuid("cell")?))
    });
    none_of!(tx, found, "lease"."state", "'active', 'finished', 'lapsed', 'returned', 'revoked'", "id", |row| {
        Ok(format!("lease {}", row.uuid("id")?))
    });
    none_of!(tx, found, "replay"."state", "'wanted', 'lent', 'agreed', 'refuted', 'given_up'", "game, lease", |row| {
        Ok(format!("the check of game {} under lease {}", row.uuid("game")?, row.uuid("lease")?))
    });
    none_of!(tx, found, "experiment"."policy", "'coverage', 'error', 'best', 'race'", "name, id", |row| {
        Ok(format!("experiment {} ({})", row.text("name")?, row.uuid("id")?))
    });
    none_of!(tx, found, "experiment_cell"."state", "'open', 'full', 'off'", "experiment, position", |row| {
        Ok(format!("row {} of experiment {}", row.bigint("position")?, row.uuid("experiment")?))
    });
    none_of!(tx, found, "worker"."directive", "'work', 'pause', 'drain'", "name, id", |row| {
        Ok(format!("worker {} ({})", row.text("name")?, row.uuid("id")?))
    });
    Ok(found)
}

/// Results of games that cannot be read, and games that are neither half of their pair.
async fn unknown_results(tx: &mut Tx) -> Result<Vec<UnknownValue>, StoreError> {
    let games = rows!(
        &mut *tx,
        |row| {
            let place = format!("game {} under lease {}", row.uuid("id")?, row.uuid("lease")?);
            let half = row.bigint("half")?;
            let half = (!matches!(half, 0 | 1)).then(|| ("half", half.to_string()));
            let (winner, kind) = (row.maybe_text("winner")?, row.maybe_text("kind")?);
            let result = readable_outcome(winner.as_deref(), kind.as_deref()).err();
            Ok((place, [result, half]))
        },
        "SELECT id, lease, half, winner, kind FROM game WHERE winner NOT IN ('white', 'black') \
         OR kind NOT IN ('fork', 'bridge', 'ring') OR (winner IS NULL) <> (kind IS NULL) OR half NOT IN (0, 1) \
         ORDER BY id, lease",
    )?;
    let unknown = games.into_iter().flat_map(|(place, wrong)| {
        let wrong = wrong.into_iter().flatten();
        wrong.map(move |(column, value)| UnknownValue { place: place.clone(), column, value })
    });
    Ok(unknown.collect())
}
