//! Opening a database, on a file or on a server.

use super::Store;
use super::cannot_open::{check_other_names, check_path, explained, note_name};
use super::database::{OpenPools, Pools};
use super::database_file::DatabaseFile;
use super::file_lock::{FileLock, LockError};
use super::migrations::{create, is_empty};
use super::open_error::OpenError;
use super::read_only;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, PgConnection, SqliteConnection};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// Memory of SQLite's writer for pages in KiB, negative as SQLite wants it: 256 MiB at most. Games have random ids, so
/// with a small cache every game would read and write pages of the indexes again.
const WRITERS_PAGES: &str = "-262144";

/// The length of SQLite's log at which the commit that finds it so long copies it into the file, in pages: 64 MiB. Most of it was
/// copied beside the writer before (see `upkeep.rs`), and a log that is written over costs the disk less than one that grows.
const LONG_LOG: &str = "16384";

/// Connections for pages.
const FOR_PAGES: u32 = 4;

/// Connections for reads that precede the storing of a result.
const FOR_INTAKE: u32 = 2;

/// Connections for the authentication of callers, and for health checks.
const FOR_AUTH: u32 = 3;

/// Settings of every connection to Postgres. A coordinator that freezes during a write must not hold up the others of
/// its database, and no statement is long enough for compilation to pay.
const SETTINGS: [(&str, &str); 2] = [("idle_in_transaction_session_timeout", "15s"), ("jit", "off")];

/// Settings of the connections for writing and intake. Their statements find rows by keys. Each is planned once, and
/// the plan stays until Postgres analyses a table. A plan made while a table is nearly empty would scan the whole table
/// or an index of it, once for all keys, instead of once for each key. So these settings leave only plans that go from
/// key to key.
const BY_KEY: [(&str, &str); 6] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("enable_material", "off"),
];

/// The longest wait for a connection to a server: a server that is cut off gives no answer at all.
const LONGEST: Duration = Duration::from_secs(20);

/// A connection that was idle for longer is tested before its use.
const ASK_AFTER: Duration = Duration::from_secs(1);

/// The time between attempts to connect to a server that does not answer yet.
const TRY_EVERY: Duration = Duration::from_millis(250);

/// The time between log lines about waiting for a server.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// The most attempts to get a lock that another process holds: a process that was just killed may not have ended yet.
const LOCK_TRIES: u32 = 10;

/// Prepared statements that a connection keeps: more than there are texts, because some have a text for several numbers
/// of rows.
const STATEMENTS: usize = 500;

/// Rows that SQLite's thread reads before it waits for the caller to take some: a call of a worker with short games reads a
/// thousand, and each wait costs two changes of threads.
const ROWS_AHEAD: usize = 1024;

/// Switches off the driver's log of slow statements, which would print them whole, with thousands of placeholders.
/// `Watched` logs them.
const NO_LEVEL: &str = "off";

/// What to do if the database is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Allowed {
    /// Make it when there is none.
    pub(crate) create: bool,
    /// The longest wait for a server that does not answer yet.
    pub(crate) wait: Duration,
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
        Self::open_file(path, allowed).await.map_err(|error| explained(path, error))
    }

    async fn open_file(path: &str, allowed: Allowed) -> Result<Self, OpenError> {
        let fail = |source: sqlx::Error| failed(path, source);
        let missing = || OpenError::Missing { database: path.to_owned() };
        if !allowed.create && matches!(std::fs::exists(path), Ok(false)) {
            return Err(missing());
        }
        if Path::new(path).is_dir() {
            return Err(OpenError::Directory { database: path.to_owned() });
        }
        check_path(path)?;
        if allowed.create {
            make(path);
        }
        let lock = lock(path).await?;
        check_other_names(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            // A commit returns when it is on disk.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(20))
            .log_slow_statements(NO_LEVEL.parse().expect("a level"), Duration::MAX)
            .statement_cache_capacity(STATEMENTS)
            .row_buffer_size(ROWS_AHEAD);
        let is_read_only = !read_only::may_be_written(Path::new(path));
        let options = if is_read_only { read_only::options(options, path)? } else { options };
        // The first connection changes nothing, because the file may belong to another program.
        let mut first = options.connect().await.map_err(fail)?;
        let tables: Vec<(String,)> = sqlx::query_as(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .fetch_all(&mut first)
        .await
        .map_err(fail)?;
        let is_ours = tables.iter().any(|(name,)| name == "_sqlx_migrations");
        match tables.first() {
            Some((table,)) if !is_ours => {
                return Err(OpenError::Foreign { database: path.to_owned(), table: table.clone() });
            }
            None if !allowed.create => return Err(missing()),
            _ => {}
        }
        let is_empty = is_empty(&mut first, is_ours, path).await?;
        first.close().await.map_err(fail)?;
        if !is_read_only {
            note_name(path);
        }
        if is_empty && !allowed.create {
            return Err(missing());
        }
        if is_read_only && allowed.create {
            return Err(OpenError::ReadOnly { database: path.to_owned() });
        }
        // Unlike a server, a file needs no test of the connection.
        let pool =
            || SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None).test_before_acquire(false);
        let options = if is_read_only { options } else { options.journal_mode(SqliteJournalMode::Wal) };
        let writer = pool()
            .max_connections(1)
            .after_release(|connection, _| Box::pin(is_outside_transactions(connection)))
            .connect_with(
                options
                    .clone()
                    .pragma("cache_size", WRITERS_PAGES)
                    .pragma("wal_autocheckpoint", LONG_LOG)
                    // The undo data of savepoints stays in memory; by default it has a file of its own.
                    .pragma("temp_store", "MEMORY"),
            )
            .await
            .map_err(fail)?;
        let mut is_new = false;
        if is_empty {
            // If several processes open an empty file at once, one makes the tables and the others find them.
            let mut alone = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fail)?;
            is_new = create(&mut *alone, path).await?;
            alone.commit().await.map_err(fail)?;
        }
        let upkeep = pool().max_connections(1).connect_lazy_with(options.clone());
        let reading = options.pragma("query_only", "ON");
        let readers = async |most| pool().max_connections(most).connect_with(reading.clone()).await;
        let intake = readers(FOR_INTAKE).await.map_err(fail)?;
        let auth = readers(FOR_AUTH).await.map_err(fail)?;
        let pages = readers(FOR_PAGES).await.map_err(fail)?;
        // SQLite follows symbolic links, so its log is named after the target of a link.
        let whole = Path::new(path).canonicalize().ok();
        let whole = whole.as_deref().and_then(Path::to_str).unwrap_or(path);
        let file = DatabaseFile::new(whole, lock, is_read_only).map_err(|error| fail(error.into()))?;
        let database = OpenPools::Sqlite(Pools { writer, intake, auth, pages, upkeep }, file);
        Ok(Self { database, is_new })
    }

    /// Opens a database on a server, and waits up to the allowed time while the server starts.
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
        // One connection first: a pool would keep trying until its time is up when no server listens.
        let connected = timeout(LONGEST, options.connect()).await;
        let connected = connected.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        let mut first = connected.map_err(|source| fail(&database, source))?;
        let is_ours: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
            .fetch_one(&mut first)
            .await
            .map_err(|source| fail(&database, source))?;
        let is_empty = is_empty(&mut first, is_ours, &database).await?;
        if is_empty && !allowed.create {
            return Err(OpenError::Missing { database });
        }
        let refusal = read_only::of_a_server(&mut first).await.map_err(|source| fail(&database, source))?;
        if let Some((why, is_standby)) = refusal.filter(|_| allowed.create) {
            return Err(OpenError::ReadOnlyServer { database, why, is_standby });
        }
        let is_new = is_empty && create(&mut first, &database).await?;
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
            writer: pool(&by_key, 1).await?,
            intake: pool(&by_key, FOR_INTAKE).await?,
            auth: pool(&by_key, FOR_AUTH).await?,
            pages: pool(&options, FOR_PAGES).await?,
            // Lazy, because most commands never need it.
            upkeep: new(1).connect_lazy_with(options),
        };
        Ok(Self { database: OpenPools::Postgres(pools, refusal.is_some()), is_new })
    }
}

/// The error of SQLite for a file.
fn failed(path: &str, source: sqlx::Error) -> OpenError {
    let database = path.to_owned();
    match source.as_database_error().and_then(|error| error.code()) {
        Some(code) if code == "26" => OpenError::NotADatabase { database },
        _ => OpenError::Unreachable { database, source },
    }
}

/// Makes the file if there is none, for its owner alone: it has digests of tokens. SQLite gives its log the same permissions.
/// Errors are reported by the attempt to open the file.
fn make(path: &str) {
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

/// Locks the file's name. None for a file that cannot be opened, which SQLite reports.
async fn lock(path: &str) -> Result<Option<FileLock>, OpenError> {
    for last in (0..LOCK_TRIES).rev() {
        match FileLock::of(Path::new(path)) {
            Ok(lock) => return Ok(Some(lock)),
            Err(LockError::Io(_)) => break,
            Err(why @ LockError::OtherName { .. }) if last == 0 => {
                return Err(OpenError::OtherName { database: path.to_owned(), why });
            }
            Err(LockError::OtherName { .. }) => sleep(TRY_EVERY / 2).await,
        }
    }
    Ok(None)
}

/// Whether a connection of a pool is still open. One that was used a moment ago is assumed to be open: every call uses several
/// connections, and a test of each would cost a message.
async fn is_connected(connection: &mut PgConnection, idle: Duration) -> Result<bool, sqlx::Error> {
    if idle > ASK_AFTER {
        connection.ping().await?;
    }
    Ok(true)
}

/// Whether a connection that returns to its pool may be used again. SQLite ends a transaction by itself when the disk
/// is full or fails; the driver still counts the transaction, and no other could begin on the connection.
async fn is_outside_transactions(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // The answer comes after all earlier requests on the connection, above all a rollback.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_commit_waits_for_the_disk() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let OpenPools::Sqlite(pools, _) = &store.database else { panic!("SQLite") };
        let setting = async |name: &str| {
            let sql = sqlx::AssertSqlSafe(format!(
                "SELECT CAST(x AS TEXT) FROM (SELECT {name} AS x FROM pragma_{name})"
            ));
            sqlx::query_scalar::<_, String>(sql).fetch_one(&pools.writer).await.expect("a setting")
        };
        const FULL: &str = "2";
        assert_eq!([setting("synchronous").await, setting("journal_mode").await], [FULL, "wal"]);
        store.close().await;
    }

    #[tokio::test]
    async fn pages_and_doors_take_no_connection_from_what_results_need() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let mut pages = Vec::new();
        for _ in 0..FOR_PAGES {
            pages.push(store.read().await.expect("a page"));
        }
        for _ in 0..FOR_AUTH {
            pages.push(store.auth_conn().await.expect("a connection for authentication"));
        }
        // Without connections of their own these would wait for a page to end, and fail after a while.
        store.intake_conn().await.expect("intake").token("unknown").await.expect("a look");
        let (tx, revision) = store.write().await.expect("write");
        tx.commit().await.expect("commit");
        assert_eq!(store.revision().await.expect("revision"), revision);
        drop(pages);
        store.close().await;
    }
}
