//! Upgrades of an older program's database with games, at schema 5: as SQLite, and with the same rows on Postgres.

use crate::databases::Database;
use crate::play::{Worker, assert_verified, cell, experiment, open};
use protocol::report::ExperimentReport;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, SqliteConnection};
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const SCHEMA: i64 = 5;

#[tokio::test]
async fn a_populated_database_of_an_older_schema_is_the_same_on_both_after_the_upgrade() {
    let sqlite = Database::sqlite();
    std::fs::copy(Path::new(ROOT).join("tests/end_to_end/old.db"), &sqlite.address).expect("copied");
    let Some(postgres) = Database::postgres().await else { return };
    postgres.run(&old_schema()).await;
    postgres.run(&old_rows(&sqlite).await).await;
    let reports = upgraded(&sqlite).await;
    assert_eq!(reports.iter().map(|report| report.summary.games_done).sum::<u64>(), 24);
    assert_eq!(upgraded(&postgres).await, reports);
}

/// The reports of all experiments after the upgrade. Then a revision with cells of this engine is played.
async fn upgraded(database: &Database) -> Vec<ExperimentReport> {
    let (coordinator, _) = open(database).await;
    assert_eq!(coordinator.upgraded().from, SCHEMA);
    assert_verified(&coordinator).await;
    let mut reports = Vec::new();
    for experiment in coordinator.overview().await.expect("overview").experiments {
        reports.push(coordinator.report(&experiment.name).await.expect("report"));
    }
    let applied = coordinator.apply(&experiment("kept", vec![cell(100, 3, 2, 1.0)])).await.expect("apply");
    assert_eq!((applied.revision, applied.created, applied.changes.closed), (2, false, 2));
    let now = coordinator.report("kept").await.expect("report");
    assert_eq!(
        now.summary.stalled.iter().filter(|why| why.contains("semantics")).count(),
        0,
        "{:?}",
        now.summary.stalled
    );
    assert_eq!(Worker::new().take(&coordinator, 4).await.len(), 2, "the new cells are played");
    coordinator.close().await;
    reports
}

/// The migrations up to schema 5, and the driver's record of them.
fn old_schema() -> String {
    let folder = std::fs::read_dir(Path::new(ROOT).join("migrations")).expect("migrations");
    let mut files: Vec<_> = folder.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let first = files[..SCHEMA as usize].iter().map(|file| std::fs::read_to_string(file).expect("read"));
    "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, \
     installed_on TIMESTAMPTZ NOT NULL DEFAULT now(), success BOOLEAN NOT NULL, checksum BYTEA NOT NULL, \
     execution_time BIGINT NOT NULL);"
        .to_owned()
        + &first.collect::<String>()
        + "DELETE FROM revision;"
}

/// Statements that insert every row of a SQLite file into Postgres.
async fn old_rows(sqlite: &Database) -> String {
    let options = SqliteConnectOptions::new().filename(&sqlite.address);
    let mut connection = options.connect().await.expect("sqlite");
    // No foreign keys are checked, because the tables are filled in any order.
    let mut statements = vec!["SET session_replication_role = replica".to_owned()];
    for table in
        texts(&mut connection, "SELECT name FROM sqlite_schema WHERE type = 'table'".to_owned()).await
    {
        let columns = texts(&mut connection, format!("SELECT name FROM pragma_table_info('{table}')")).await;
        // Postgres reads quoted numbers as numbers. Blobs are ids, except for the checksums of migrations.
        let literal = |column: &String| {
            format!(
                "CASE typeof({column}) WHEN 'null' THEN 'NULL' WHEN 'text' THEN quote({column}) WHEN 'blob' THEN \
                 '''' || iif(length({column}) = 16, '', '\\x') || hex({column}) || '''' \
                 ELSE '''' || quote({column}) || '''' END"
            )
        };
        let values = columns.iter().map(literal).collect::<Vec<_>>().join(" || ', ' || ");
        let names = columns.join(", ");
        let insert =
            format!("SELECT 'INSERT INTO {table} ({names}) VALUES (' || {values} || ')' FROM {table}");
        statements.extend(texts(&mut connection, insert).await);
    }
    statements.join(";\n")
}

async fn texts(connection: &mut SqliteConnection, sql: String) -> Vec<String> {
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(connection).await.expect("rows of one text")
}
