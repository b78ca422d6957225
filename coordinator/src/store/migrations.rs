//! The versions of the schema, and the upgrade of a database.

use super::Allowed;
use super::open_error::OpenError;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

/// Number, name and text of every migration, oldest first. The build script lists the files of `migrations/`. A
/// published file never changes.
const MIGRATIONS: &[(i64, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The version of the schema that this program needs.
pub(super) const KNOWN: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// The driver's table of the migrations that were run.
const DONE: &str = "_sqlx_migrations";

/// What opening a database did to its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgraded {
    /// The version it was found at; 0 of an empty database.
    pub from: i64,
    /// The version it is at.
    pub to: i64,
    /// The steps that were made, oldest first: the version that each leads to, and its name.
    pub steps: Vec<(i64, &'static str)>,
}

/// Runs the missing migrations, if the database is empty or an upgrade is allowed. On Postgres a lock admits one
/// process at a time; on SQLite the transaction of the caller does.
pub(super) async fn migrate<C: Migrate>(
    connection: &mut C,
    database: &str,
    allowed: Allowed,
) -> Result<Upgraded, OpenError> {
    let fail = |source| {
        let database = database.to_owned();
        match source {
            MigrateError::VersionMissing(found) if found > KNOWN => {
                OpenError::Newer { database, found, known: KNOWN }
            }
            source => OpenError::Migration { database, source },
        }
    };
    connection.lock().await.map_err(fail)?;
    connection.ensure_migrations_table(DONE).await.map_err(fail)?;
    let done = connection.list_applied_migrations(DONE).await.map_err(fail)?;
    let is_done = |version| done.iter().any(|done| done.version == version);
    let missing = MIGRATIONS.iter().position(|(version, ..)| !is_done(*version));
    let newer = done.iter().any(|done| done.version > KNOWN);
    let found = missing.map_or(KNOWN, |first| first.checked_sub(1).map_or(0, |last| MIGRATIONS[last].0));
    if found < KNOWN && !(done.is_empty() || newer || allowed.upgrade) {
        // Waiting processes get the lock when this connection ends.
        return Err(OpenError::Older { database: database.to_owned(), found, known: KNOWN });
    }
    let migrations = MIGRATIONS.iter().map(|&(version, name, sql)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    let migrator = Migrator::with_migrations(migrations.collect());
    migrator.run_direct(None, connection, false).await.map_err(fail)?;
    connection.unlock().await.map_err(fail)?;
    let steps = MIGRATIONS.iter().filter(|(version, ..)| !is_done(*version));
    let steps = steps.map(|(version, name, _)| (*version, *name)).collect();
    Ok(Upgraded { from: found, to: KNOWN, steps })
}
