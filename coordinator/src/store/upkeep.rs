//! What a database needs beside the writer while much is written.
//!
//! SQLite: what was committed has to get from the log into the file, and now and then the log has to begin anew. Left to
//! SQLite, the commit that finds the log long does it all, and everybody waits for the disk. And a log that goes on growing
//! is dear to flush: with every flush the file system must put down where its new end is, while one that is written over
//! the old costs its own pages alone (a third to a tenth of the time on ext4).
//!
//! Postgres: clears away old versions of busy rows.

use super::database::Open;
use super::database_file::DatabaseFile;
use super::{Store, StoreError, room};
use sqlx::{Pool, Sqlite};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Pages of SQLite's log from which it is to begin anew: 256 MiB.
const LONG_LOG: i64 = 1 << 16;

/// A round of carrying and flushing as short as this leaves so little to do that the writer may wait for the rest.
const SHORT: Duration = Duration::from_millis(20);

/// How often it is tried to come to a short round. The writer may be faster than the disk.
const ROUNDS: usize = 10;

/// Clears away the old versions of the rows that every call changes. Postgres comes by once a minute, and until then
/// whoever looks for the next cell by an index steps over thousands of them.
const VACUUM: &str =
    "VACUUM (SKIP_LOCKED, TRUNCATE FALSE) cell, experiment, experiment_cell, recent_games, revision";

/// The part of what is free that the reserve takes: while all is well, and after it was given up.
const SOME: u64 = 8;
const HALF: u64 = 2;

impl Store {
    /// The file of a SQLite database.
    fn file(&self) -> Option<&Path> {
        match &self.database {
            Open::Sqlite(_, file) => Some(Path::new(&file.path)),
            Open::Postgres(_) => None,
        }
    }

    /// Names the file and the room that there is, when the disk is at fault.
    pub(crate) fn named(&self, error: StoreError) -> StoreError {
        error.named(self.file())
    }

    /// That there is no room where the database is, for whoever only looks at it.
    pub(crate) fn no_room(&self) -> Option<String> {
        let file = self.file().filter(|file| room::is_full(file))?;
        Some(format!("the disk of {} is full: {}", file.display(), room::free_in_words(file)))
    }

    /// Makes some room on a full disk: carries SQLite's log into the file, so that it can begin anew, and gives up the
    /// reserve. Whether there was one.
    pub(crate) async fn make_room(&self) -> bool {
        let Open::Sqlite(_, file) = &self.database else { return false };
        let gave_up = file.reserve.give_up();
        self.carry_what_fits().await;
        if gave_up {
            tracing::warn!("gave up the room that was kept beside {} for a full disk", file.path);
        }
        gave_up
    }

    /// Carries as much of SQLite's log into the file as there is room for.
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

    /// Does it, every few seconds.
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
            Open::Postgres(pools) => {
                sqlx::query(VACUUM).execute(&pools.upkeep).await?;
            }
        }
        Ok(())
    }
}

/// Carries what was committed from the log into the file, and waits for nobody. Gives how many pages the log has.
async fn carry(connection: &Pool<Sqlite>) -> Result<i64, StoreError> {
    let (_, log, _) =
        sqlx::query_as::<_, (i64, i64, i64)>("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await?;
    Ok(log)
}

/// Lets the next commit begin the log anew. That takes a moment in which all of it is in the file and the file is on
/// disk. So nearly all is carried beside the writer, and the rest on its own connection, which it has to wait for.
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
    // Another time, when the disk has less to do.
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
