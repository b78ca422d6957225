//! The same statement on either database, and rows read column by column.

use super::StoreError;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, types::Uuid};

/// Runs a statement and gives the number of rows it touched.
macro_rules! execute {
    ($tx:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        match $tx {
            $crate::store::Tx::Sqlite(tx) => sqlx::query($sql)$(.bind($bind))*.execute(&mut **tx).await
                .map(|done| done.rows_affected()),
            $crate::store::Tx::Postgres(tx) => sqlx::query($sql)$(.bind($bind))*.execute(&mut **tx).await
                .map(|done| done.rows_affected()),
        }
        .map_err($crate::store::StoreError::from)
    };
}

/// Runs a statement and decodes every row with a `fn(&dyn Columns) -> Result<T, StoreError>`.
macro_rules! rows {
    ($tx:expr, $decode:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        match $tx {
            $crate::store::Tx::Sqlite(tx) => sqlx::query($sql)$(.bind($bind))*.fetch_all(&mut **tx).await
                .map_err($crate::store::StoreError::from)
                .and_then(|rows| $crate::store::sql::decode(&rows, $decode)),
            $crate::store::Tx::Postgres(tx) => sqlx::query($sql)$(.bind($bind))*.fetch_all(&mut **tx).await
                .map_err($crate::store::StoreError::from)
                .and_then(|rows| $crate::store::sql::decode(&rows, $decode)),
        }
    };
}

/// As `rows!`, for statements that give one row or none.
macro_rules! row {
    ($tx:expr, $decode:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::store::sql::rows!($tx, $decode, $sql $(, $bind)*).map(|rows| rows.into_iter().next())
    };
}

pub(crate) use {execute, row, rows};

/// Decodes rows of either database.
pub(crate) fn decode<R: Columns, T>(
    rows: &[R],
    decode: fn(&dyn Columns) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.iter().map(|row| decode(row)).collect()
}

/// A row's columns by name. Both drivers are asked for an `Option` first, because SQLite's reads NULL as 0 or as the
/// empty string when asked for a plain value.
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
