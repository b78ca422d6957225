//! The schema of a database, and whether this program knows it.
//!
//! The schema is one migration until the first release. From then on a migration never changes, and a new one brings databases of
//! older programs up to date.

use super::open_error::OpenError;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, Migration, MigrationType, Migrator};

/// Number, name and text of every migration, oldest first. The build script lists the files of `migrations/`.
const MIGRATIONS: &[(i64, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The version of the schema that this program needs.
pub(super) const KNOWN: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// The driver's table of the migrations that were run.
const DONE: &str = "_sqlx_migrations";

/// The migrations for the driver.
fn migrations() -> impl Iterator<Item = Migration> {
    MIGRATIONS.iter().map(|&(version, name, sql)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    })
}

/// Whether a database has no tables of Gauntlet, read without writing anything; an error if its schema is another one than this
/// program needs. The caller knows whether the database has our table of migrations.
pub(super) async fn is_empty<C: Migrate>(
    connection: &mut C,
    has_table: bool,
    database: &str,
) -> Result<bool, OpenError> {
    if !has_table {
        return Ok(true);
    }
    let fail = |source| OpenError::Migration { database: database.to_owned(), source };
    let done = connection.list_applied_migrations(DONE).await.map_err(fail)?;
    let of_known = |version| done.iter().find(|one| one.version == version).map(|one| &one.checksum);
    let is_known = migrations().all(|known| of_known(known.version) == Some(&known.checksum));
    match done.iter().map(|one| one.version).max() {
        None => Ok(true),
        Some(found) if is_known && found > KNOWN => {
            Err(OpenError::Newer { database: database.to_owned(), found, known: KNOWN })
        }
        Some(_) if !is_known => Err(OpenError::Unreleased { database: database.to_owned() }),
        Some(_) => Ok(false),
    }
}

/// Makes the tables in an empty database, and gives whether it did. On Postgres a lock admits one process at a time; on SQLite
/// the transaction of the caller does.
pub(super) async fn create<C: Migrate>(connection: &mut C, database: &str) -> Result<bool, OpenError> {
    let fail = |source| OpenError::Migration { database: database.to_owned(), source };
    connection.lock().await.map_err(fail)?;
    connection.ensure_migrations_table(DONE).await.map_err(fail)?;
    // Waiting processes get the lock when this connection ends.
    let is_new = is_empty(connection, true, database).await?;
    Migrator::with_migrations(migrations().collect())
        .run_direct(None, connection, false)
        .await
        .map_err(fail)?;
    connection.unlock().await.map_err(fail)?;
    Ok(is_new)
}
