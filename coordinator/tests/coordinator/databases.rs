//! Fresh databases of both kinds. On Postgres, each test has its own schema.

use crate::postgres::SERVER;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// An empty database for one test.
pub(crate) struct Database {
    /// The value for `Config::database`.
    pub(crate) address: String,
    _files: Option<TempDir>,
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        let files = tempfile::tempdir().expect("a temporary directory");
        let address = files.path().join("gauntlet.db").display().to_string();
        Self { address, _files: Some(files) }
    }

    /// A fresh Postgres schema; none when Postgres is not installed and the tests may skip it.
    pub(crate) async fn postgres() -> Option<Self> {
        static SCHEMAS: AtomicU32 = AtomicU32::new(0);
        let server = SERVER.as_ref()?;
        let schema = format!("t{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
        let separator = if server.contains('?') { '&' } else { '?' };
        let database =
            Self { address: format!("{server}{separator}options=-c%20search_path%3D{schema}"), _files: None };
        database.run(&format!("CREATE SCHEMA {schema}")).await;
        Some(database)
    }

    /// All of the server at this address.
    pub(crate) fn on_server(address: String) -> Self {
        Self { address, _files: None }
    }

    /// Blocks all other writers, for SQLite.
    pub(crate) async fn hold(&self) -> Hold {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&self.address);
        let mut connection = options.connect().await.expect("sqlite");
        connection.execute("BEGIN IMMEDIATE").await.expect("begin");
        Hold::Sqlite(connection)
    }

    /// Blocks all other readers and writers of a table, for Postgres.
    pub(crate) async fn lock(&self, table: &str) -> Hold {
        let options: sqlx::postgres::PgConnectOptions = self.address.parse().expect("address");
        let mut connection = options.connect().await.expect("postgres");
        connection.execute("BEGIN").await.expect("begin");
        connection.execute(AssertSqlSafe(format!("LOCK TABLE {table}"))).await.expect("lock");
        Hold::Postgres(connection)
    }

    /// The number that a statement returns, for Postgres.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let options: sqlx::postgres::PgConnectOptions = self.address.parse().expect("address");
        let mut connection = options.connect().await.expect("postgres");
        let sql = AssertSqlSafe(format!("SELECT CAST(({sql}) AS BIGINT)"));
        let number = sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect("a number");
        connection.close().await.expect("close");
        number
    }

    /// Waits until a statement returns at least this number, for Postgres. A number of looks bounds the wait, so that what never comes
    /// fails.
    pub(crate) async fn until(&self, sql: &str, least: i64) {
        for _ in 0..6_000 {
            if self.number(sql).await >= least {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("never {least}: {sql}");
    }

    /// The number that a statement `SELECT COUNT(*) …` returns.
    pub(crate) async fn count(&self, sql: &str) -> i64 {
        if self.address.starts_with("postgres") {
            return self.number(sql).await;
        }
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&self.address);
        let mut connection = options.connect().await.expect("sqlite");
        let sql = AssertSqlSafe(sql.to_owned());
        let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect("a number");
        connection.close().await.expect("close");
        count
    }

    /// Runs statements on a connection that the coordinator does not know.
    pub(crate) async fn run(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.address.starts_with("postgres") {
            let options: sqlx::postgres::PgConnectOptions = self.address.parse().expect("address");
            let mut connection = options.connect().await.expect("postgres");
            connection.execute(sqlx::raw_sql(sql)).await.expect("statement");
            connection.close().await.expect("close");
        } else {
            let options =
                sqlx::sqlite::SqliteConnectOptions::new().filename(&self.address).create_if_missing(true);
            let mut connection = options.connect().await.expect("sqlite");
            connection.execute(sqlx::raw_sql(sql)).await.expect("statement");
            connection.close().await.expect("close");
        }
    }
}

impl Database {
    /// Like [`Database::run`], without the CHECK constraints.
    pub(crate) async fn run_unchecked(&self, sql: &str) {
        if self.address.starts_with("postgres") {
            self.run(
                "DO $$ DECLARE c record; BEGIN FOR c IN SELECT conname, conrelid::regclass AS of FROM pg_constraint \
                 WHERE contype = 'c' AND connamespace = current_schema()::regnamespace LOOP \
                 EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.of, c.conname); END LOOP; END $$",
            )
            .await;
            self.run(sql).await;
        } else {
            self.run(&format!("PRAGMA ignore_check_constraints = ON; {sql}")).await;
        }
    }
}

/// A lock on a SQLite database, or on a Postgres table, until it is released.
pub(crate) enum Hold {
    Sqlite(sqlx::SqliteConnection),
    Postgres(sqlx::PgConnection),
}

impl Hold {
    pub(crate) async fn release(self) {
        match self {
            Hold::Sqlite(mut connection) => {
                connection.execute("COMMIT").await.expect("commit");
                connection.close().await.expect("close");
            }
            Hold::Postgres(mut connection) => {
                connection.execute("COMMIT").await.expect("commit");
                connection.close().await.expect("close");
            }
        }
    }
}

/// Turns each `async fn name(database: Database)` into one test on SQLite and one on Postgres.
macro_rules! on_both_databases {
    ($($(#[$meta:meta])* async fn $name:ident($database:ident: Database) $body:block)+) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn check($database: crate::databases::Database) $body

            #[tokio::test]
            async fn on_sqlite() {
                check(crate::databases::Database::sqlite()).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                if let Some(database) = crate::databases::Database::postgres().await {
                    check(database).await;
                }
            }
        }
    )+};
}
pub(crate) use on_both_databases;
