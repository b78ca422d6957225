//! Maintenance of a database beside the writer.
//!
//! SQLite: commits must be copied from the log into the file, and from time to time the log must begin anew. By default
//! the commit that finds the log long does all of it, and everybody waits for the disk. A log that keeps growing is
//! also expensive to flush: each flush makes the file system record the new end of the file, whereas a log that is
//! written over the old one costs only its own pages (a third to a tenth of the time on ext4).
//!
//! Postgres: old versions of frequently changed rows are removed.

use super::database::Open;
use super::database_file::DatabaseFile;
use super::{Store, StoreError};
use protocol::disk::Room;
use sqlx::{Pool, Sqlite};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The length of SQLite's log at which it is to begin anew, in pages: 256 MiB.
const LONG_LOG: i64 = 1 << 16;

/// A round of copying and flushing shorter than this leaves so little to do that the writer may wait for the rest.
const SHORT: Duration = Duration::from_millis(20);

/// The number of rounds before giving up: the writer may be faster than the disk.
const ROUNDS: usize = 10;

/// Removes the old versions of the rows that every call changes. Postgres itself does so once a minute; until then, a
/// search for the next cell by an index steps over thousands of old versions.
const VACUUM: &str =
    "VACUUM (SKIP_LOCKED, TRUNCATE FALSE) cell, experiment, experiment_cell, recent_games, revision";

/// The divisor of the free space that the reserve takes: in normal operation, and after it was given up.
const SOME: u64 = 8;
const HALF: u64 = 2;

impl Store {
    /// The file of a SQLite database.
    fn file(&self) -> Option<&Path> {
        match &self.database {
            Open::Sqlite(_, file) => Some(Path::new(&file.path)),
            Open::Postgres(..) => None,
        }
    }

    /// Names the file and the room that there is, when the disk is at fault.
    pub(crate) fn named(&self, error: StoreError) -> StoreError {
        error.named(self.file())
    }

    /// That the disk of the database is full, for a process that only reads.
    pub(crate) fn no_room(&self) -> Option<String> {
        let file = self.file()?;
        let room = Room::beside(file).filter(Room::is_full)?;
        Some(format!("the disk of {} is full: {}", file.display(), room.in_words()))
    }

    /// Makes some room on a full disk: copies SQLite's log into the file, so that the log can begin anew, and gives up
    /// the reserve. Gives whether there was a reserve. Nobody else may write meanwhile: the coordinator of this database
    /// tries again all the time, and its games would take the room of the reserve.
    pub(crate) async fn make_room(&self) -> bool {
        let Open::Sqlite(pools, file) = &self.database else { return false };
        let alone = pools.writer.begin_with("BEGIN IMMEDIATE").await;
        let gave_up = file.reserve.give_up();
        self.carry_what_fits().await;
        drop(alone);
        if gave_up {
            tracing::warn!("gave up the room that was kept beside {} for a full disk", file.path);
        }
        gave_up
    }

    /// Copies as much of SQLite's log into the file as there is room for.
    pub(crate) async fn carry_what_fits(&self) {
        if let Open::Sqlite(pools, _) = &self.database
            && let Err(error) = carry(&pools.upkeep).await
        {
            tracing::debug!("the log stays as it is: {error}");
        }
    }

    /// Keeps room for a full disk again, after it was given up.
    pub(crate) fn keep_reserve_again(&self) {
        if let Open::Sqlite(_, file) = &self.database
            && let Err(error) = file.reserve.keep(HALF)
        {
            tracing::debug!("no room is kept beside {}: {error}", file.path);
        }
    }

    /// Performs the maintenance; called every few seconds.
    pub(crate) async fn upkeep(&self) -> Result<(), StoreError> {
        match &self.database {
            Open::Sqlite(pools, file) => {
                if let Err(error) = file.reserve.keep(SOME) {
                    tracing::debug!("no room is kept beside {}: {error}", file.path);
                }
                if carry(&pools.upkeep).await? > LONG_LOG {
                    begin_log_anew(&pools.upkeep, &pools.writer, file).await?;
                }
            }
            Open::Postgres(pools, _) => {
                sqlx::query(VACUUM).execute(&pools.upkeep).await?;
            }
        }
        Ok(())
    }
}

/// Copies commits from the log into the file without waiting for anybody. Gives the length of the log in pages.
async fn carry(connection: &Pool<Sqlite>) -> Result<i64, StoreError> {
    let (_, log, _) =
        sqlx::query_as::<_, (i64, i64, i64)>("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await?;
    Ok(log)
}

/// Lets the next commit begin the log anew. For that, all of the log must be in the file and the file on disk at one
/// moment. So most of the log is copied beside the writer, and only the rest on the writer's own connection, which the
/// writer must wait for.
async fn begin_log_anew(
    beside: &Pool<Sqlite>,
    writer: &Pool<Sqlite>,
    file: &Arc<DatabaseFile>,
) -> Result<(), StoreError> {
    for _ in 0..ROUNDS {
        let began = Instant::now();
        carry(beside).await?;
        let file = Arc::clone(file);
        let flushed = tokio::task::spawn_blocking(move || file.flush()).await;
        let flushed = flushed.unwrap_or_else(|ended| Err(io::Error::other(ended)));
        flushed.map_err(|error| StoreError::NotFlushed(error.to_string()))?;
        if began.elapsed() < SHORT {
            carry(writer).await?;
            return Ok(());
        }
    }
    // The next maintenance tries again, when the disk has less to do.
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Allowed;
    use super::*;

    #[tokio::test]
    async fn a_checkpoint_brings_into_the_file_what_was_committed_and_the_log_begins_anew_once_it_is_long() {
        let files = tempfile::tempdir().expect("a temporary directory");
        let path = files.path().join("gauntlet.db").display().to_string();
        let store = Store::open(&path, Allowed { create: true, ..Allowed::default() }).await.expect("open");
        let log = || std::fs::metadata(format!("{path}-wal")).expect("a log").len();
        let page = 4096;
        // Every commit writes a page of the log at least; no checkpoint comes by itself.
        while log() <= (LONG_LOG as u64 + 1) * page {
            let (mut tx, _) = store.write().await.expect("write");
            let text = "x".repeat(1024 * page as usize);
            tx.note_change("test", ("grow", "the log", &text), 0).await.expect("a change");
            tx.commit().await.expect("commit");
        }
        let (longest, revision) = (log(), store.revision().await.expect("revision"));
        store.upkeep().await.expect("a checkpoint");
        let file_alone = files.path().join("alone.db").display().to_string();
        std::fs::copy(&path, &file_alone).expect("copied without the log");
        let alone = Store::open(&file_alone, Allowed::default()).await.expect("open");
        assert_eq!(alone.revision().await.expect("revision"), revision);
        alone.close().await;
        for _ in 0..100 {
            store.write().await.expect("write").0.commit().await.expect("commit");
        }
        assert_eq!(log(), longest, "the log is written from its beginning again");
        store.close().await;
    }
}
