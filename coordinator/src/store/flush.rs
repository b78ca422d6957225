//! Flushing commits to the disk.
//!
//! The writer's connection commits asynchronously (SQLite's `synchronous = NORMAL`, Postgres's `synchronous_commit =
//! off`): commits are in the log in order, and the log reaches the disk later. After a power cut the database is as it
//! was after some commit, which is the last flushed one or a later one.

use super::{Store, StoreError};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::timeout;

/// The longest flush of a server, and the longest wait for a connection. A connection that somebody cut says nothing.
pub(super) const LONGEST: Duration = Duration::from_secs(20);

/// Makes a synchronous commit, which flushes all earlier commits, too.
const EMIT: &str = "SELECT pg_logical_emit_message(true, 'gauntlet', '')";

/// Where commits are written first.
pub(super) enum Log {
    /// SQLite's file.
    File(Arc<LogFile>),
    /// Postgres's server.
    Server(Box<ServerLog>),
    /// Nothing is written.
    ReadOnly,
}

/// A connection whose commits wait for the server's disk, and for its standbys if the server is set up so.
///
/// A server that crashes ends the connection, and loses what was committed last. A flush by a new connection would not notice that.
/// So this one is no connection of a pool, which would replace it unseen, and is gone after a flush that failed.
pub(super) struct ServerLog {
    options: PgConnectOptions,
    connection: Mutex<Option<PgConnection>>,
}

impl ServerLog {
    pub(super) async fn connect(options: PgConnectOptions) -> Result<Self, sqlx::Error> {
        let log = Self { options, connection: Mutex::default() };
        log.connect_again().await?;
        Ok(log)
    }

    async fn connect_again(&self) -> Result<(), sqlx::Error> {
        let connected = timeout(LONGEST, self.options.connect()).await;
        *self.connection.lock().await = Some(connected.map_err(|_| sqlx::Error::PoolTimedOut)??);
        Ok(())
    }

    async fn flush(&self) -> Result<(), String> {
        let mut place = self.connection.lock().await;
        let mut connection = place.take().ok_or("the connection to the server was lost")?;
        let flushed = timeout(LONGEST, sqlx::query(EMIT).execute(&mut connection)).await;
        flushed.map_err(|late| late.to_string())?.map_err(|error| error.to_string())?;
        *place = Some(connection);
        Ok(())
    }

    pub(super) async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

/// SQLite's log as a file.
pub(super) struct LogFile {
    file: File,
    database: Database,
    /// Why a flush failed. The system may have forgotten the pages that it could not write, so the next flush would
    /// succeed without them.
    broken: OnceLock<String>,
}

impl Log {
    /// The log of an open SQLite database. This file may be closed, because SQLite takes its locks on other files.
    pub(super) fn of_file(database: &str) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).open(format!("{database}-wal"))?;
        Ok(Self::File(Arc::new(LogFile { file, database: Database::at(database)?, broken: OnceLock::new() })))
    }
}

/// The file of an open database. Somebody may move or delete it, and SQLite goes on writing to the file that nobody finds.
struct Database {
    path: String,
    /// Its device and its number there.
    file: (u64, u64),
}

impl Database {
    fn at(path: &str) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: Self::number(path)? })
    }

    fn number(path: &str) -> io::Result<(u64, u64)> {
        std::fs::metadata(path).map(|file| (file.dev(), file.ino()))
    }

    fn is_in_place(&self) -> Result<(), String> {
        if Self::number(&self.path).is_ok_and(|now| now == self.file) {
            return Ok(());
        }
        Err(format!("{} was moved or deleted while it was open: bring it back, or start again", self.path))
    }
}

impl LogFile {
    fn is_trusted(&self) -> Result<(), String> {
        self.is_whole()?;
        self.database.is_in_place()
    }

    fn is_whole(&self) -> Result<(), String> {
        self.broken.get().map_or(Ok(()), |why| Err(why.clone()))
    }

    fn flush(&self) -> Result<(), String> {
        self.is_whole()?;
        let broken =
            |error| self.broken.get_or_init(|| format!("the log cannot be flushed: {error}")).clone();
        self.file.sync_data().map_err(broken)?;
        self.database.is_in_place()
    }
}

impl Store {
    /// Whether what is committed can be flushed, as far as is known.
    pub(crate) fn is_trusted(&self) -> Result<(), StoreError> {
        match &self.log {
            Log::File(log) => log.is_trusted().map_err(StoreError::NotFlushed),
            Log::Server(_) | Log::ReadOnly => Ok(()),
        }
    }

    /// Returns when everything that was committed before is on disk.
    ///
    /// # Errors
    /// When nobody knows that, with the reason. SQLite's log is not trusted again then until the database is opened anew. With Postgres,
    /// nobody knows of what is committed until [`Store::connect_log`] succeeds, either.
    pub(crate) async fn flush(&self) -> Result<(), String> {
        match &self.log {
            Log::File(log) => {
                let log = log.clone();
                let flushed = tokio::task::spawn_blocking(move || log.flush()).await;
                flushed.unwrap_or_else(|ended| Err(ended.to_string()))
            }
            Log::Server(log) => log.flush().await,
            Log::ReadOnly => Ok(()),
        }
    }

    /// Connects to Postgres anew after a flush that failed.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub(crate) async fn connect_log(&self) -> Result<(), StoreError> {
        match &self.log {
            Log::File(_) | Log::ReadOnly => Ok(()),
            Log::Server(log) => Ok(log.connect_again().await?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_could_not_be_flushed_once_is_not_trusted_again() {
        let files = tempfile::tempdir().expect("a directory");
        let path = files.path().join("log");
        let database = || Database::at(path.to_str().expect("UTF-8")).expect("a file");
        let file = File::create(&path).expect("a file");
        let good = LogFile { file, database: database(), broken: OnceLock::new() };
        assert_eq!(good.flush(), Ok(()));
        // A device that has nothing to sync, and says so.
        let file = OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let bad = LogFile { file, database: database(), broken: OnceLock::new() };
        let why = bad.flush().expect_err("it cannot be synced");
        let file = File::create(&path).expect("a file");
        let mended = LogFile { file, database: database(), broken: bad.broken };
        assert_eq!(mended.flush(), Err(why));
    }

    #[test]
    fn nothing_is_stored_in_a_database_that_was_moved_until_it_is_back() {
        let files = tempfile::tempdir().expect("a directory");
        let path = files.path().join("games.db");
        let file = File::create(&path).expect("a file");
        let database = Database::at(path.to_str().expect("UTF-8")).expect("a file");
        let log = LogFile { file, database, broken: OnceLock::new() };
        assert_eq!(log.flush(), Ok(()));
        let elsewhere = files.path().join("elsewhere.db");
        std::fs::rename(&path, &elsewhere).expect("moved");
        assert!(log.flush().is_err_and(|why| why.contains("games.db was moved or deleted")));
        std::fs::write(&path, "another file").expect("written");
        assert!(log.flush().is_err() && log.is_trusted().is_err(), "another file is in its place");
        std::fs::rename(&elsewhere, &path).expect("moved back");
        assert_eq!((log.flush(), log.is_trusted()), (Ok(()), Ok(())));
    }
}
