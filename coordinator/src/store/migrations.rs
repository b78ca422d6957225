//! The versions of the schema, and the upgrade of a database.

use super::Allowed;
use super::open_error::OpenError;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, Migration, MigrationType, Migrator};
use std::collections::BTreeMap;

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

/// The migrations for the driver.
fn migrations() -> impl Iterator<Item = Migration> {
    MIGRATIONS.iter().map(|&(version, name, sql)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    })
}

impl Upgraded {
    /// Nothing was to do.
    pub(super) fn nothing() -> Self {
        Self { from: KNOWN, to: KNOWN, steps: Vec::new() }
    }
}

/// The migrations that a database has had, read without writing anything.
pub(super) struct MigrationsDone {
    versions: Vec<i64>,
    /// Whether each had the text that it has today.
    are_the_same: bool,
}

impl MigrationsDone {
    /// Those of a database, of which the caller knows whether it `is_ours`: whether it has the table of them.
    pub(super) async fn of<C: Migrate>(
        connection: &mut C,
        is_ours: bool,
        database: &str,
    ) -> Result<Self, OpenError> {
        if !is_ours {
            return Ok(Self { versions: Vec::new(), are_the_same: true });
        }
        let fail = |source| OpenError::Migration { database: database.to_owned(), source };
        let read = connection.list_applied_migrations(DONE).await.map_err(fail)?;
        let known: BTreeMap<i64, _> = migrations().map(|known| (known.version, known.checksum)).collect();
        let are_the_same = read.iter().all(|done| known.get(&done.version) == Some(&done.checksum));
        Ok(Self { versions: read.iter().map(|done| done.version).collect(), are_the_same })
    }

    /// The version of the schema that this program knows and finds, 0 if none.
    fn found(&self) -> i64 {
        let missing = MIGRATIONS.iter().position(|(version, ..)| !self.versions.contains(version));
        missing.map_or(KNOWN, |first| first.checked_sub(1).map_or(0, |last| MIGRATIONS[last].0))
    }

    /// Whether there is anything to do, or to complain about.
    pub(super) fn is_lacking(&self) -> bool {
        self.found() < KNOWN || !self.are_the_same
    }

    /// Refuses a database of a newer program, and one of an older program that may not be upgraded.
    pub(super) fn check(&self, database: &str, allowed: Allowed) -> Result<(), OpenError> {
        let database = || database.to_owned();
        match self.versions.iter().max() {
            Some(&found) if found > KNOWN => {
                Err(OpenError::Newer { database: database(), found, known: KNOWN })
            }
            Some(_) if self.found() < KNOWN && !allowed.upgrade => {
                Err(OpenError::Older { database: database(), found: self.found(), known: KNOWN })
            }
            _ => Ok(()),
        }
    }
}

/// Runs the missing migrations, if the database is empty or an upgrade is allowed. On Postgres a lock admits one
/// process at a time; on SQLite the transaction of the caller does.
pub(super) async fn migrate<C: Migrate>(
    connection: &mut C,
    database: &str,
    allowed: Allowed,
) -> Result<Upgraded, OpenError> {
    let fail = |source| OpenError::Migration { database: database.to_owned(), source };
    connection.lock().await.map_err(fail)?;
    // Who may not create a database may perhaps only read this one, which has the table.
    if allowed.create {
        connection.ensure_migrations_table(DONE).await.map_err(fail)?;
    }
    let done = MigrationsDone::of(connection, true, database).await?;
    // Waiting processes get the lock when this connection ends.
    done.check(database, allowed)?;
    let found = done.found();
    let is_done = |version| done.versions.contains(&version);
    let migrator = Migrator::with_migrations(migrations().collect());
    migrator.run_direct(None, connection, false).await.map_err(fail)?;
    connection.unlock().await.map_err(fail)?;
    let steps = MIGRATIONS.iter().filter(|(version, ..)| !is_done(*version));
    let steps = steps.map(|(version, name, _)| (*version, *name)).collect();
    Ok(Upgraded { from: found, to: KNOWN, steps })
}
