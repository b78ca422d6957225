//! Statements for both databases, and rows read column by column.

use super::StoreError;
use protocol::words::counted;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, types::Uuid};
use std::time::{Duration, Instant};

/// Runs a statement and gives the number of rows it touched.
macro_rules! execute {
    ($tx:expr, $sql:expr $(, $bind:expr)* $(,)?) => {{
        let sql = $sql;
        let _watched = $crate::store::sql::Watched::new(sql, 1);
        match $tx {
            $crate::store::Tx::Sqlite(tx) => sqlx::query(sql)$(.bind($bind))*.execute(&mut **tx).await
                .map(|done| done.rows_affected()),
            $crate::store::Tx::Postgres(tx) => sqlx::query(sql)$(.bind($bind))*.execute(&mut **tx).await
                .map(|done| done.rows_affected()),
        }
        .map_err($crate::store::StoreError::from)
    }};
}

/// Runs a statement and decodes every row with a `fn(&dyn Columns) -> Result<T, StoreError>`.
macro_rules! rows {
    ($tx:expr, $decode:expr, $sql:expr $(, $bind:expr)* $(,)?) => {{
        let sql = $sql;
        let _watched = $crate::store::sql::Watched::new(sql, 1);
        match $tx {
            $crate::store::Tx::Sqlite(tx) => sqlx::query(sql)$(.bind($bind))*.fetch_all(&mut **tx).await
                .map_err($crate::store::StoreError::from)
                .and_then(|rows| $crate::store::sql::decode(&rows, $decode)),
            $crate::store::Tx::Postgres(tx) => sqlx::query(sql)$(.bind($bind))*.fetch_all(&mut **tx).await
                .map_err($crate::store::StoreError::from)
                .and_then(|rows| $crate::store::sql::decode(&rows, $decode)),
        }
    }};
}

/// As `rows!`, for statements that give one row or none.
macro_rules! row {
    ($tx:expr, $decode:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::store::sql::rows!($tx, $decode, $sql $(, $bind)*).map(|rows| rows.into_iter().next())
    };
}

/// The numbers of rows or keys in one statement, ascending. Each number has its own text, which every connection
/// prepares once, so there are few. Any number up to 64 is the sum of at most two, and any up to 512 of at most four, because each
/// statement is a message and its answer. With 18 columns, 512 rows are within what SQLite and Postgres take.
const AT_ONCE: [usize; 24] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 32, 48, 64, 128, 192, 384, 512];

/// Runs a statement for many items; gives the number of rows it touched. `{rows}`, once in the text, stands for the rows of
/// parameters, `($1, $2), ($3, $4)` and so on. The number of items in one statement is one of a few, so that few
/// statements are prepared.
macro_rules! execute_many {
    ($tx:expr, $sql:expr, $items:expr, |$item:ident| $($bind:expr),+ $(,)?) => {{
        let mut touched = 0;
        for chunk in $crate::store::sql::chunks($items) {
            let _watched = $crate::store::sql::Watched::new($sql, chunk.len());
            let columns = [$(stringify!($bind)),+].len();
            touched += match $tx {
                $crate::store::Tx::Sqlite(tx) => {
                    let text = $crate::store::sql::with_rows_in_order($sql, chunk.len(), columns);
                    let mut query = sqlx::query(sqlx::AssertSqlSafe(text));
                    for $item in chunk { query = query$(.bind($bind))+; }
                    query.execute(&mut **tx).await?.rows_affected()
                }
                $crate::store::Tx::Postgres(tx) => {
                    let text = $crate::store::sql::with_numbered_rows($sql, chunk.len(), columns);
                    let mut query = sqlx::query(sqlx::AssertSqlSafe(text));
                    for $item in chunk { query = query$(.bind($bind))+; }
                    query.execute(&mut **tx).await?.rows_affected()
                }
            };
        }
        Ok::<u64, $crate::store::StoreError>(touched)
    }};
}

/// As `execute_many!`, for statements that give rows: decodes all of them.
macro_rules! rows_many {
    ($tx:expr, $decode:expr, $sql:expr, $items:expr, |$item:ident| $($bind:expr),+ $(,)?) => {{
        let mut decoded = Vec::new();
        for chunk in $crate::store::sql::chunks($items) {
            let _watched = $crate::store::sql::Watched::new($sql, chunk.len());
            let columns = [$(stringify!($bind)),+].len();
            decoded.extend(match $tx {
                $crate::store::Tx::Sqlite(tx) => {
                    let text = $crate::store::sql::with_rows_in_order($sql, chunk.len(), columns);
                    let mut query = sqlx::query(sqlx::AssertSqlSafe(text));
                    for $item in chunk { query = query$(.bind($bind))+; }
                    $crate::store::sql::decode(&query.fetch_all(&mut **tx).await?, $decode)?
                }
                $crate::store::Tx::Postgres(tx) => {
                    let text = $crate::store::sql::with_numbered_rows($sql, chunk.len(), columns);
                    let mut query = sqlx::query(sqlx::AssertSqlSafe(text));
                    for $item in chunk { query = query$(.bind($bind))+; }
                    $crate::store::sql::decode(&query.fetch_all(&mut **tx).await?, $decode)?
                }
            });
        }
        Ok::<_, $crate::store::StoreError>(decoded)
    }};
}

pub(crate) use {execute, execute_many, row, rows, rows_many};

/// A statement that takes longer than this is logged.
const SLOW: Duration = Duration::from_secs(1);

/// Characters of a statement in the log.
const SHOWN: usize = 120;

/// A running statement with this many rows of parameters. If it is slow, it is logged, shortened, when it ends.
pub(crate) struct Watched {
    sql: &'static str,
    rows: usize,
    began: Instant,
}

impl Watched {
    pub(crate) fn new(sql: &'static str, rows: usize) -> Self {
        Self { sql, rows, began: Instant::now() }
    }

    /// The log line for a statement that took this long, if it was slow.
    fn words(&self, took: Duration) -> Option<String> {
        if took < SLOW {
            return None;
        }
        let mut words = self.sql.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() > SHOWN {
            words = words.chars().take(SHOWN).chain(['…']).collect();
        }
        let rows = counted(self.rows as u64, "row");
        Some(format!("the database took {:.1} s for a statement of {rows}: {words}", took.as_secs_f64()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(words) = self.words(self.began.elapsed()) {
            tracing::warn!("{words}");
        }
    }
}

/// Items in their order, as many at a time as go into one statement.
pub(crate) fn chunks<T>(mut items: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = AT_ONCE.into_iter().rev().find(|size| *size <= items.len())?;
        let (chunk, rest) = items.split_at(size);
        items = rest;
        Some(chunk)
    })
}

/// A statement's text for Postgres with `rows` rows of `columns` parameters in place of `{rows}`.
pub(crate) fn with_numbered_rows(sql: &str, rows: usize, columns: usize) -> String {
    with_rows(sql, rows, columns, |number| format!("${number}"))
}

/// As [`with_numbered_rows`], for SQLite, in whose statements a number is a name. Before each parameter is bound, the driver asks
/// for its name, and SQLite compares all names before it. Parameters without a name are bound in their order.
pub(crate) fn with_rows_in_order(sql: &str, rows: usize, columns: usize) -> String {
    with_rows(sql, rows, columns, |_| "?".to_owned())
}

fn with_rows(sql: &str, rows: usize, columns: usize, parameter: impl Fn(usize) -> String) -> String {
    let row = |row: usize| {
        let parameters = (1..=columns).map(|column| parameter(row * columns + column));
        format!("({})", parameters.collect::<Vec<_>>().join(", "))
    };
    sql.replace("{rows}", &(0..rows).map(row).collect::<Vec<_>>().join(", "))
}

/// Decodes rows of either database.
pub(crate) fn decode<R: Columns, T>(
    rows: &[R],
    decode: fn(&dyn Columns) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.iter().map(|row| decode(row)).collect()
}

/// The columns of a row by name. Both drivers are asked for an `Option` first, because SQLite's driver reads NULL as 0
/// or as the empty string when it is asked for a plain value.
pub(crate) trait Columns {
    fn maybe_bigint(&self, name: &'static str) -> Result<Option<i64>, StoreError>;
    fn maybe_real(&self, name: &'static str) -> Result<Option<f64>, StoreError>;
    fn maybe_text(&self, name: &'static str) -> Result<Option<String>, StoreError>;
    fn maybe_uuid(&self, name: &'static str) -> Result<Option<Uuid>, StoreError>;

    fn bigint(&self, name: &'static str) -> Result<i64, StoreError> {
        self.maybe_bigint(name)?.ok_or(StoreError::Null(name))
    }

    /// A number that is never negative.
    fn count(&self, name: &'static str) -> Result<u64, StoreError> {
        u64::try_from(self.bigint(name)?).map_err(StoreError::unreadable(name))
    }

    fn real(&self, name: &'static str) -> Result<f64, StoreError> {
        self.maybe_real(name)?.ok_or(StoreError::Null(name))
    }

    fn text(&self, name: &'static str) -> Result<String, StoreError> {
        self.maybe_text(name)?.ok_or(StoreError::Null(name))
    }

    fn uuid(&self, name: &'static str) -> Result<Uuid, StoreError> {
        self.maybe_uuid(name)?.ok_or(StoreError::Null(name))
    }
}

macro_rules! columns {
    ($($row:ty)+) => {$(
        impl Columns for $row {
            fn maybe_bigint(&self, name: &'static str) -> Result<Option<i64>, StoreError> {
                Ok(self.try_get(name)?)
            }
            fn maybe_real(&self, name: &'static str) -> Result<Option<f64>, StoreError> {
                Ok(self.try_get(name)?)
            }
            fn maybe_text(&self, name: &'static str) -> Result<Option<String>, StoreError> {
                Ok(self.try_get(name)?)
            }
            fn maybe_uuid(&self, name: &'static str) -> Result<Option<Uuid>, StoreError> {
                Ok(self.try_get(name)?)
            }
        }
    )+};
}
columns!(SqliteRow PgRow);

/// A value as the JSON of a text column.
pub(super) fn write_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("protocol types serialise: their keys are strings")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_items_go_in_few_statements_of_few_sizes_and_in_order() {
        let items: Vec<usize> = (0..663).collect();
        let sizes: Vec<usize> = chunks(&items).map(<[usize]>::len).collect();
        assert_eq!(sizes, [512, 128, 16, 7]);
        assert_eq!(chunks(&items).flatten().copied().collect::<Vec<_>>(), items);
        assert_eq!(chunks::<usize>(&[]).count(), 0);
        for most in 1..=512 {
            let statements = chunks(&items[..most]).count();
            assert!(statements <= if most <= 64 { 2 } else { 4 }, "{most} items take {statements}");
        }
    }

    #[test]
    fn a_slow_statement_is_logged_in_a_line() {
        let sql = "INSERT INTO game (id, lease, cell, idx, half, worker, status, winner, kind, plies, received_ms, record) \n \
                   VALUES {rows} ON CONFLICT (id, lease) DO NOTHING";
        let statement = Watched::new(sql, 64);
        assert_eq!(statement.words(Duration::from_millis(900)), None);
        let words = statement.words(Duration::from_millis(2_340)).expect("slow");
        assert!(
            words.starts_with("the database took 2.3 s for a statement of 64 rows: INSERT INTO game (id, "),
            "{words}"
        );
        assert!(words.chars().count() < 200 && !words.contains('\n'), "{words}");
    }

    #[test]
    fn parameters_are_in_the_order_of_rows() {
        assert_eq!(with_numbered_rows("a {rows} z", 2, 2), "a ($1, $2), ($3, $4) z");
        assert_eq!(with_rows_in_order("a {rows} z", 2, 2), "a (?, ?), (?, ?) z");
    }
}
