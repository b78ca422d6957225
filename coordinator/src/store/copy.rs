//! Copies of a whole database, between any two kinds: backup, restore, and the move from SQLite to Postgres.
//!
//! The copy is read in one snapshot while the coordinator works, and written in one transaction, so it is complete or does not
//! exist. The statements are made from the list of tables in `tables.rs`, which a test compares with the schema.

mod tables;

use super::sql::Columns;
use super::{Store, StoreError, Tx};
use sqlx::types::Uuid;
use sqlx::{AssertSqlSafe, Postgres, Sqlite};
use tables::{ColumnType, TABLES, Table};

/// Rows read and written at a time: few enough for SQLite's 32 766 parameters.
const PAGE: usize = 500;

/// Analyses the growing tables on Postgres.
const TAKE_STOCK: &str = "ANALYZE cell, experiment_cell, game, lease, pair, replay, worker";

/// A value in transit.
#[derive(Debug, Clone)]
enum CopiedValue {
    Text(Option<String>),
    Bigint(Option<i64>),
    Real(Option<f64>),
    Uuid(Option<Uuid>),
}

fn read(row: &dyn Columns, (name, kind): (&'static str, ColumnType)) -> Result<CopiedValue, StoreError> {
    Ok(match kind {
        ColumnType::Text => CopiedValue::Text(row.maybe_text(name)?),
        ColumnType::Bigint => CopiedValue::Bigint(row.maybe_bigint(name)?),
        ColumnType::Real => CopiedValue::Real(row.maybe_real(name)?),
        ColumnType::Uuid => CopiedValue::Uuid(row.maybe_uuid(name)?),
    })
}

/// Binds values in order, for either driver.
macro_rules! bound {
    ($query:expr, $values:expr) => {
        $values.into_iter().fold($query, |query, value| match value {
            CopiedValue::Text(value) => query.bind(value),
            CopiedValue::Bigint(value) => query.bind(value),
            CopiedValue::Real(value) => query.bind(value),
            CopiedValue::Uuid(value) => query.bind(value),
        })
    };
}

fn list(columns: &[(&'static str, ColumnType)]) -> String {
    columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn parameters(from: usize, number: usize) -> String {
    let parameters = (from..from + number).map(|n| format!("${n}")).collect::<Vec<_>>();
    format!("({})", parameters.join(", "))
}

impl Table {
    /// The rows after one with this key, in the order of keys.
    async fn page(
        &self,
        tx: &mut Tx,
        after: Option<Vec<CopiedValue>>,
    ) -> Result<Vec<Vec<CopiedValue>>, StoreError> {
        let (columns, key) = (list(self.columns), list(&self.columns[..self.key]));
        let from =
            after.as_ref().map_or(String::new(), |_| format!("WHERE ({key}) > {} ", parameters(1, self.key)));
        let sql = format!("SELECT {columns} FROM {} {from}ORDER BY {key} LIMIT {PAGE}", self.name);
        let decode = |row: &dyn Columns| {
            self.columns.iter().map(|column| read(row, *column)).collect::<Result<Vec<_>, _>>()
        };
        let after = after.unwrap_or_default();
        match tx {
            Tx::Sqlite(tx) => {
                let query = bound!(sqlx::query::<Sqlite>(AssertSqlSafe(sql)), after);
                query.fetch_all(&mut **tx).await?.iter().map(|row| decode(row)).collect()
            }
            Tx::Postgres(tx) => {
                let query = bound!(sqlx::query::<Postgres>(AssertSqlSafe(sql)), after);
                query.fetch_all(&mut **tx).await?.iter().map(|row| decode(row)).collect()
            }
        }
    }

    async fn insert(&self, tx: &mut Tx, rows: Vec<Vec<CopiedValue>>) -> Result<(), StoreError> {
        let width = self.columns.len();
        let places: Vec<String> = (0..rows.len()).map(|row| parameters(1 + row * width, width)).collect();
        let sql = format!("INSERT INTO {} ({}) VALUES {}", self.name, list(self.columns), places.join(", "));
        let values = rows.into_iter().flatten();
        match tx {
            Tx::Sqlite(tx) => {
                bound!(sqlx::query::<Sqlite>(AssertSqlSafe(sql)), values).execute(&mut **tx).await?;
            }
            Tx::Postgres(tx) => {
                bound!(sqlx::query::<Postgres>(AssertSqlSafe(sql)), values).execute(&mut **tx).await?;
            }
        }
        Ok(())
    }
}

/// The copied tables with their numbers of rows.
pub type Copied = Vec<(&'static str, u64)>;

/// Copies everything from one database to another, which must be empty. Otherwise nothing is copied, and the name of a
/// table with rows is given.
pub(crate) async fn copy(from: &Store, to: &Store) -> Result<Result<Copied, &'static str>, StoreError> {
    let mut source = from.read().await?;
    let (mut target, _) = to.write().await?;
    for table in &TABLES {
        if !table.page(&mut target, None).await?.is_empty() {
            return Ok(Err(table.name));
        }
    }
    let mut copied = Vec::new();
    for table in &TABLES {
        let (mut rows, mut after) = (0, None);
        loop {
            let page = table.page(&mut source, after).await?;
            rows += page.len() as u64;
            let full = page.len() == PAGE;
            after = page.last().map(|row| row[..table.key].to_vec());
            if !page.is_empty() {
                table.insert(&mut target, page).await?;
            }
            if !full {
                break;
            }
        }
        copied.push((table.name, rows));
    }
    if let Tx::Postgres(tx) = &mut target {
        // Postgres analyses new tables by itself within a minute, but the totals are verified now; without statistics,
        // every pair would be searched among all games and leases.
        sqlx::query(TAKE_STOCK).execute(&mut **tx).await?;
    }
    target.commit().await?;
    Ok(Ok(copied))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Allowed;
    use sqlx::Row;

    #[tokio::test]
    async fn the_list_holds_every_table_and_every_column_with_its_type() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let Tx::Sqlite(mut tx) = store.read().await.expect("read") else { panic!("SQLite") };
        let sql = "SELECT m.name AS t, c.name AS n, c.type AS k, c.pk AS pk FROM sqlite_master m \
                   JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                   AND m.name NOT IN ('_sqlx_migrations', 'revision') ORDER BY m.name, c.cid";
        let mut found: Vec<(String, String, String, bool)> = sqlx::query(sql)
            .fetch_all(&mut *tx)
            .await
            .expect("the schema")
            .iter()
            .map(|row| (row.get("t"), row.get("n"), row.get("k"), row.get::<i64, _>("pk") > 0))
            .collect();
        let mut listed: Vec<(String, String, String, bool)> = Vec::new();
        for table in &TABLES {
            for (index, (name, kind)) in table.columns.iter().enumerate() {
                let kind = match kind {
                    ColumnType::Text => "TEXT",
                    ColumnType::Bigint => "BIGINT",
                    ColumnType::Real => "DOUBLE PRECISION",
                    ColumnType::Uuid => "UUID",
                };
                listed.push((table.name.into(), (*name).into(), kind.into(), index < table.key));
            }
        }
        found.sort();
        listed.sort();
        assert_eq!(listed, found, "a migration adds its columns to the list in copy/tables.rs, too");
    }
}
