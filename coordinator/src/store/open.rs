//! Opening a database, bringing its schema up to date, and beginning transactions.

use super::flush::Log;
use super::room::{Reserve, free_in_words};
use super::sql::row;
use super::upkeep::DatabaseFile;
use super::{Session, StoreError, Tx};
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{
    ConnectOptions, Connection, Database, PgConnection, Pool, Postgres, SqlSafeStr, Sqlite, SqliteConnection,
};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;
use tokio::time::sleep;

/// Number, name and text of every migration, oldest first. The build script lists the files of `migrations/`. A
/// published file never changes.
const MIGRATIONS: &[(i64, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The version of the schema that this program needs.
const KNOWN: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// The driver's table of what was done.
const DONE: &str = "_sqlx_migrations";

/// Memory in which SQLite's writer keeps pages, in KiB, negative as SQLite wants it: 256 MiB at most. Games have random
/// ids, so that with a small cache every one of them reads and writes pages of the indexes anew.
const WRITERS_PAGES: &str = "-262144";

/// Pages of the log from which SQLite's writer carries them into the file itself, should [`Store::upkeep`] never come
/// to it.
const TOO_LONG_LOG: &str = "1048576";

/// Connections for pages.
const FOR_PAGES: u32 = 4;

/// Connections for what must be read before a result can be stored.
const FOR_INTAKE: u32 = 2;

/// Connections for who is at the door: who is known, who is not, and whether the database answers.
const FOR_DOORS: u32 = 3;

/// Settings of every connection to Postgres: a coordinator frozen in the middle of a write must not hold up the others
/// of the same database, and no statement is so long that compiling it would pay.
const SETTINGS: [(&str, &str); 2] = [("idle_in_transaction_session_timeout", "15s"), ("jit", "off")];

/// Settings of those that write and those for intake. Their statements find rows by keys, are planned once, and the
/// plan stays until Postgres takes stock of a table. One made while a table is nearly empty, as all are at first, would
/// read it from end to end until then: the table itself, or an index of it, once for all keys and not once for each, to
/// join or sift what it finds there. So nothing is left but to go from key to key.
const BY_KEY: [(&str, &str); 6] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("enable_material", "off"),
];

/// Setting of the one that writes: see `flush.rs`.
const ASYNCHRONOUS: (&str, &str) = ("synchronous_commit", "off");

/// A connection that was idle for longer is asked whether the server is still there before it is used.
const ASK_AFTER: Duration = Duration::from_secs(1);

/// How often a server that does not answer yet is tried.
const TRY_EVERY: Duration = Duration::from_millis(250);

/// How often that is told.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Prepared statements that a connection keeps: more than there are texts, of which some are for several numbers of
/// rows.
const STATEMENTS: usize = 500;

/// The driver warns of no slow statement: it would log them whole, with thousands of placeholders. `Watched` does.
const NO_LEVEL: &str = "off";

/// An open database: one writing transaction at a time, reads on snapshots beside it.
pub(crate) struct Store {
    pub(super) database: Open,
    pub(super) log: Log,
    /// What opening it did to its schema.
    pub(crate) upgraded: Upgraded,
}

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

pub(super) enum Open {
    Sqlite(Pools<Sqlite>, Arc<DatabaseFile>),
    Postgres(Pools<Postgres>),
}

/// Connections by what they are for: pages, however many are asked for and however slow, take none of those
/// on which results come in.
pub(super) struct Pools<DB: Database> {
    pub(super) writer: Pool<DB>,
    intake: Pool<DB>,
    doors: Pool<DB>,
    pages: Pool<DB>,
    pub(super) upkeep: Pool<DB>,
}

impl<DB: Database> Pools<DB> {
    async fn close(&self) {
        self.upkeep.close().await;
        self.pages.close().await;
        self.doors.close().await;
        self.intake.close().await;
        self.writer.close().await;
    }
}

/// What may be done to a database that is not as this program needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Allowed {
    /// Make it when there is none.
    pub(crate) create: bool,
    /// Bring the schema of an older program up to date.
    pub(crate) upgrade: bool,
    /// Wait so long for a server that does not answer yet.
    pub(crate) wait: Duration,
}

/// Why a database cannot be used.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It cannot be reached or created.
    #[error("cannot open the database {database}: {source}")]
    Unreachable {
        /// File or address, without password.
        database: String,
        /// The driver's words.
        source: sqlx::Error,
    },
    /// There is none, and none is to be made.
    #[error(
        "there is no Gauntlet database at {database}: check the name; `gauntlet serve` and `gauntlet run` make one"
    )]
    Missing {
        /// File or address, without password.
        database: String,
    },
    /// The file is something else.
    #[error("{database} is no SQLite database; name another file, or move this one away")]
    NotADatabase {
        /// The file.
        database: String,
    },
    /// A database of another program.
    #[error(
        "{database} is a database of another program: it has the table `{table}` and no record of migrations"
    )]
    Foreign {
        /// The file.
        database: String,
        /// One of its tables.
        table: String,
    },
    /// Written by an earlier version of this program, and to be left as it is.
    #[error(
        "{database} was written by an older Gauntlet: its schema is at version {found}, this program needs {known}. \
         Back it up with the old program and stop that; then `gauntlet db migrate` brings it up to date, as does \
         `gauntlet serve --migrate`. There is no way back but the backup"
    )]
    Older {
        /// File or address, without password.
        database: String,
        /// The schema's version.
        found: i64,
        /// The version this program needs.
        known: i64,
    },
    /// Written by a later version of this program.
    #[error(
        "{database} was written by a newer Gauntlet: its schema is at version {found}, this binary knows {known}. \
         Use the newer binary, or another database"
    )]
    Newer {
        /// File or address, without password.
        database: String,
        /// The schema's version.
        found: i64,
        /// The latest version this binary knows.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("cannot bring the schema of {database} up to date: {source}")]
    Migration {
        /// File or address, without password.
        database: String,
        /// Which migration, and why.
        source: MigrateError,
    },
    /// It was opened and then failed.
    #[error("cannot use {database}: {source}")]
    Unusable {
        /// File or address, without password.
        database: String,
        /// Why.
        source: StoreError,
    },
    /// The disk takes nothing.
    #[error(
        "{why}; {room}. Make some room there, a few MiB, by moving other files away, and try again: then \
         `gauntlet db prune --older-than TIME` drops the moves of old games"
    )]
    NoRoom {
        /// The file.
        database: String,
        /// What could not be done.
        why: String,
        /// How much is free.
        room: String,
    },
    /// An address that does not say what it names.
    #[error("`{0}` names no database: give a file such as `gauntlet.db`, or postgres://USER@HOST/NAME")]
    BadAddress(String),
}

impl OpenError {
    /// The driver's error, if that is behind it.
    fn of_the_driver(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Unreachable { source, .. }
            | Self::Migration { source: MigrateError::Execute(source), .. }
            | Self::Unusable { source: StoreError::Database(source), .. } => Some(source),
            _ => None,
        }
    }

    /// Whether the disk is at fault.
    fn is_of_the_disk(&self) -> bool {
        self.of_the_driver().is_some_and(super::is_of_the_disk)
    }

    /// Whether a server that starts, or starts anew, answers so.
    fn may_pass(&self) -> bool {
        match self.of_the_driver() {
            Some(sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed) => true,
            // It shuts down, was shut down, or does not take connections yet.
            Some(error) => {
                let code = error.as_database_error().and_then(|error| error.code());
                matches!(code.as_deref(), Some("57P01" | "57P02" | "57P03"))
            }
            None => false,
        }
    }
}

impl Store {
    /// Opens `address`: a file for SQLite (as it is or after `sqlite:`), or `postgres://…`.
    pub(crate) async fn open(address: &str, allowed: Allowed) -> Result<Self, OpenError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            return Self::open_postgres(address, allowed).await;
        }
        let path = address.strip_prefix("sqlite://").or(address.strip_prefix("sqlite:")).unwrap_or(address);
        if path.is_empty() || path.contains("://") || path == ":memory:" {
            return Err(OpenError::BadAddress(address.to_owned()));
        }
        Self::open_sqlite(path, allowed).await
    }

    /// Opens a file. On a full disk some of the room that is kept for that is given up.
    async fn open_sqlite(path: &str, allowed: Allowed) -> Result<Self, OpenError> {
        let opened = match Self::open_file(path, allowed).await {
            Err(error) if error.is_of_the_disk() && Reserve::of(path).give_up_for_opening() => {
                tracing::warn!("gave up some of the room that is kept beside {path}, to open it: {error}");
                Self::open_file(path, allowed).await
            }
            opened => opened,
        };
        opened.map_err(|error| match error {
            error if error.is_of_the_disk() => OpenError::NoRoom {
                database: path.to_owned(),
                why: error.to_string(),
                room: free_in_words(Path::new(path)),
            },
            error => error,
        })
    }

    async fn open_file(path: &str, allowed: Allowed) -> Result<Self, OpenError> {
        let fail = |source: sqlx::Error| {
            let database = path.to_owned();
            match source.as_database_error().and_then(|error| error.code()) {
                Some(code) if code == "26" => OpenError::NotADatabase { database },
                _ => OpenError::Unreachable { database, source },
            }
        };
        let missing = || OpenError::Missing { database: path.to_owned() };
        if !allowed.create && matches!(std::fs::exists(path), Ok(false)) {
            return Err(missing());
        }
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(allowed.create)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(20))
            .log_slow_statements(NO_LEVEL.parse().expect("a level"), Duration::MAX)
            .statement_cache_capacity(STATEMENTS);
        // A look first that changes nothing: the file may be somebody else's.
        let mut first = options.connect().await.map_err(fail)?;
        let tables: Vec<(String,)> = sqlx::query_as(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .fetch_all(&mut first)
        .await
        .map_err(fail)?;
        first.close().await.map_err(fail)?;
        match tables.first() {
            Some((table,)) if !tables.iter().any(|(name,)| name == "_sqlx_migrations") => {
                return Err(OpenError::Foreign { database: path.to_owned(), table: table.clone() });
            }
            None if !allowed.create => return Err(missing()),
            _ => {}
        }
        let options = options.journal_mode(SqliteJournalMode::Wal);
        // A file does not go away, unlike a server.
        let pool =
            || SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None).test_before_acquire(false);
        let writer = pool()
            .max_connections(1)
            .after_release(|connection, _| Box::pin(is_outside_transactions(connection)))
            .connect_with(
                options
                    .clone()
                    // See `flush.rs`.
                    .synchronous(SqliteSynchronous::Normal)
                    .pragma("cache_size", WRITERS_PAGES)
                    .pragma("wal_autocheckpoint", TOO_LONG_LOG)
                    // What a savepoint would bring back, which would go through a file of its own.
                    .pragma("temp_store", "MEMORY"),
            )
            .await
            .map_err(fail)?;
        // Of several processes that open an empty file at once, one makes the tables and the others find
        // them.
        let mut alone = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fail)?;
        let upgraded = migrate(&mut *alone, path, allowed).await?;
        alone.commit().await.map_err(fail)?;
        let upkeep = pool().max_connections(1).connect_lazy_with(options.clone());
        let reading = options.pragma("query_only", "ON");
        let readers = async |most| pool().max_connections(most).connect_with(reading.clone()).await;
        let intake = readers(FOR_INTAKE).await.map_err(fail)?;
        let doors = readers(FOR_DOORS).await.map_err(fail)?;
        let pages = readers(FOR_PAGES).await.map_err(fail)?;
        let log = Log::of_file(path).map_err(|error| fail(error.into()))?;
        let database = Open::Sqlite(Pools { writer, intake, doors, pages, upkeep }, DatabaseFile::new(path));
        Ok(Self { database, log, upgraded })
    }

    /// Opens a database on a server, for which it waits as long as it may while the server starts.
    async fn open_postgres(url: &str, allowed: Allowed) -> Result<Self, OpenError> {
        let (began, mut told) = (Instant::now(), None);
        loop {
            let error = match Self::open_on_server(url, allowed).await {
                Err(error) if error.may_pass() => error,
                opened => return opened,
            };
            let left = allowed.wait.saturating_sub(began.elapsed());
            if left.is_zero() {
                return Err(error);
            }
            if told.is_none_or(|told: Instant| told.elapsed() >= TELL_EVERY) {
                tracing::warn!("{error}; trying for another {} s", left.as_secs().max(1));
                told = Some(Instant::now());
            }
            sleep(TRY_EVERY.min(left)).await;
        }
    }

    async fn open_on_server(url: &str, allowed: Allowed) -> Result<Self, OpenError> {
        let fail = |database: &str, source| OpenError::Unreachable { database: database.to_owned(), source };
        let options: PgConnectOptions = url.parse().map_err(|source| fail("postgres://…", source))?;
        let options = options.statement_cache_capacity(STATEMENTS).options(SETTINGS);
        let options = options.log_slow_statements(NO_LEVEL.parse().expect("a level"), Duration::MAX);
        let name = options.get_database().unwrap_or_else(|| options.get_username());
        let database = format!("{name} on {}", options.get_host());
        // Alone first: a pool would go on trying until its time is up when nobody listens.
        let mut first = options.connect().await.map_err(|source| fail(&database, source))?;
        if !allowed.create {
            let ours: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
                .fetch_one(&mut first)
                .await
                .map_err(|source| fail(&database, source))?;
            if !ours {
                return Err(OpenError::Missing { database });
            }
        }
        let upgraded = migrate(&mut first, &database, allowed).await?;
        first.close().await.map_err(|source| fail(&database, source))?;
        let new = |most| {
            PgPoolOptions::new()
                .max_connections(most)
                .acquire_timeout(Duration::from_secs(20))
                .test_before_acquire(false)
                .before_acquire(|connection, found| Box::pin(is_connected(connection, found.idle_for)))
        };
        let pool = async |options: &PgConnectOptions, most| {
            let connected = new(most).connect_with(options.clone()).await;
            connected.map_err(|source| fail(&database, source))
        };
        let by_key = options.clone().options(BY_KEY);
        let pools = Pools {
            writer: pool(&by_key.clone().options([ASYNCHRONOUS]), 1).await?,
            intake: pool(&by_key, FOR_INTAKE).await?,
            doors: pool(&by_key, FOR_DOORS).await?,
            pages: pool(&options, FOR_PAGES).await?,
            // Most commands never need it.
            upkeep: new(1).connect_lazy_with(options.clone()),
        };
        let log = Log::Server(pool(&options, 1).await?);
        Ok(Self { database: Open::Postgres(pools), log, upgraded })
    }

    /// Begins a transaction that writes, and gives the database's new revision. It waits until no other
    /// writes.
    pub(crate) async fn write(&self) -> Result<(Tx, i64), StoreError> {
        let (tx, revision, _) = self.write_at(|| 0).await?;
        Ok((tx, revision))
    }

    /// As [`Store::write`]. Gives the time on the database's server, too, if there is one: in milliseconds since 1970,
    /// after the time `asked` for. All coordinators of a database write by that clock, one after the other.
    pub(crate) async fn write_at(
        &self,
        asked: impl FnOnce() -> i64,
    ) -> Result<(Tx, i64, Option<(i64, i64)>), StoreError> {
        let mut tx = match &self.database {
            // A plain BEGIN would take the lock at the first write, and fail if another process wrote in
            // between.
            Open::Sqlite(pools, _) => {
                Tx::Sqlite(Session::Transaction(pools.writer.begin_with("BEGIN IMMEDIATE").await?))
            }
            Open::Postgres(pools) => Tx::Postgres(Session::Transaction(pools.writer.begin().await?)),
        };
        let next = match &tx {
            Tx::Sqlite(_) => {
                "UPDATE revision SET number = number + 1 WHERE id = 1 \
                 RETURNING number, (SELECT MAX(version) FROM _sqlx_migrations) AS schema, NULL AS now_ms"
            }
            Tx::Postgres(_) => {
                "UPDATE revision SET number = number + 1 WHERE id = 1 \
                 RETURNING number, (SELECT MAX(version) FROM _sqlx_migrations) AS schema, \
                 CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now_ms"
            }
        };
        let asked_ms = asked();
        let row = row!(
            &mut tx,
            |row| Ok((row.bigint("number")?, row.bigint("schema")?, row.maybe_bigint("now_ms")?)),
            next
        )?;
        let server = row.and_then(|(_, _, now_ms)| Some((asked_ms, now_ms?)));
        let revision = known_revision(row.map(|(number, schema, _)| (number, schema)))?;
        Ok((tx, revision, server))
    }

    /// Begins a transaction that only reads, for a page: all its statements see the same moment.
    pub(crate) async fn read(&self) -> Result<Tx, StoreError> {
        match &self.database {
            Open::Sqlite(pools, _) => Ok(Tx::Sqlite(Session::Transaction(pools.pages.begin().await?))),
            Open::Postgres(pools) => {
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Ok(Tx::Postgres(Session::Transaction(pools.pages.begin_with(begin).await?)))
            }
        }
    }

    /// For single statements that only read, on connections that no page takes: for what must be known before a result
    /// can be stored, and for the coordinator's own round. Each sees a moment of its own, and costs no messages for a
    /// transaction around it.
    pub(crate) async fn look(&self) -> Result<Tx, StoreError> {
        match &self.database {
            Open::Sqlite(pools, _) => Ok(Tx::Sqlite(Session::Single(pools.intake.acquire().await?))),
            Open::Postgres(pools) => Ok(Tx::Postgres(Session::Single(pools.intake.acquire().await?))),
        }
    }

    /// As [`Store::look`], for who is at the door: however many come, they take no connection from results.
    pub(crate) async fn doors(&self) -> Result<Tx, StoreError> {
        match &self.database {
            Open::Sqlite(pools, _) => Ok(Tx::Sqlite(Session::Single(pools.doors.acquire().await?))),
            Open::Postgres(pools) => Ok(Tx::Postgres(Session::Single(pools.doors.acquire().await?))),
        }
    }

    /// Whether the database answers, and is of this program's schema.
    pub(crate) async fn answers(&self) -> Result<(), StoreError> {
        revision(&mut self.doors().await?).await.map(drop)
    }

    /// The number of the last committed change, by any coordinator of this database.
    pub(crate) async fn revision(&self) -> Result<i64, StoreError> {
        revision(&mut self.look().await?).await
    }

    /// The time of the machine on which a database server runs, in milliseconds since 1970: the one time that
    /// all coordinators of it agree on. None for a file, which has one coordinator.
    pub(crate) async fn server_time(&self) -> Result<Option<i64>, StoreError> {
        match &self.database {
            Open::Sqlite(..) => Ok(None),
            Open::Postgres(pools) => {
                let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
                Ok(Some(sqlx::query_scalar(sql).fetch_one(&pools.intake).await?))
            }
        }
    }

    /// Closes every connection after the transactions in hand.
    pub(crate) async fn close(&self) {
        if let Log::Server(pool) = &self.log {
            pool.close().await;
        }
        match &self.database {
            Open::Sqlite(pools, _) => pools.close().await,
            Open::Postgres(pools) => pools.close().await,
        }
    }
}

/// The database's revision, unless a newer program has changed the schema since it was opened: what this one
/// would write then might break a rule that it does not know.
async fn revision(tx: &mut Tx) -> Result<i64, StoreError> {
    let row = row!(
        &mut *tx,
        |row| Ok((row.bigint("number")?, row.bigint("schema")?)),
        "SELECT number, (SELECT MAX(version) FROM _sqlx_migrations) AS schema FROM revision WHERE id = 1"
    )?;
    known_revision(row)
}

fn known_revision(row: Option<(i64, i64)>) -> Result<i64, StoreError> {
    match row.ok_or(StoreError::Null("revision"))? {
        (_, found) if found > KNOWN => Err(StoreError::Outdated { found, known: KNOWN }),
        (number, _) => Ok(number),
    }
}

/// Whether a connection of a pool still is one. One that was in use a moment ago is taken to be: every call waits for
/// several, and would wait for as many messages more.
async fn is_connected(connection: &mut PgConnection, idle: Duration) -> Result<bool, sqlx::Error> {
    if idle > ASK_AFTER {
        connection.ping().await?;
    }
    Ok(true)
}

/// Whether a connection that comes back to its pool may be used again. SQLite ends a transaction by itself
/// when the disk is full or fails, the driver goes on counting it as begun, and no other could ever begin on
/// the connection.
async fn is_outside_transactions(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // The answer comes after everything that was asked of the connection before, a rollback above all.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

/// Runs the migrations that `connection` has not seen, if it has seen none or that is allowed. On Postgres a
/// lock lets one process at a time look and act; on SQLite the caller's transaction does.
async fn migrate<C: Migrate>(
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
        // Those who wait for the lock get it when this connection ends.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pages_and_doors_take_no_connection_from_what_results_need() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let mut pages = Vec::new();
        for _ in 0..FOR_PAGES {
            pages.push(store.read().await.expect("a page"));
        }
        for _ in 0..FOR_DOORS {
            pages.push(store.doors().await.expect("somebody at the door"));
        }
        // Without connections of their own these would wait for a page to end, and fail after a while.
        store.look().await.expect("intake").token("unknown").await.expect("a look");
        let (tx, revision) = store.write().await.expect("write");
        tx.commit().await.expect("commit");
        assert_eq!(store.revision().await.expect("revision"), revision);
        drop(pages);
        store.close().await;
    }
}
