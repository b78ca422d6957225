//! Maintenance of a database beside the writer.
//!
//! SQLite: commits are copied from the log into the file. Otherwise the commit that finds the log long would copy all of it, and
//! every caller would wait for the disk. Postgres: old versions of frequently changed rows are removed.

use super::database::OpenPools;
use super::{Store, StoreError};
use protocol::disk::FreeSpace;
use std::path::Path;

/// A checkpoint: copies the part of SQLite's log that no reader needs into the file, without waiting for any other connection.
const CHECKPOINT: &str = "PRAGMA wal_checkpoint(PASSIVE)";

/// Removes the old versions of the rows that every call changes. Postgres itself does so once a minute; until then, a
/// search for the next cell by an index steps over thousands of old versions.
const VACUUM: &str =
    "VACUUM (SKIP_LOCKED, TRUNCATE FALSE) cell, experiment, experiment_cell, recent_games, revision";

impl Store {
    /// The file of a SQLite database.
    fn file(&self) -> Option<&Path> {
        match &self.database {
            OpenPools::Sqlite(_, file) => Some(Path::new(&file.path)),
            OpenPools::Postgres(..) => None,
        }
    }

    /// Fails if the file of the database was moved or deleted.
    pub(crate) fn is_in_place(&self) -> Result<(), StoreError> {
        match &self.database {
            OpenPools::Sqlite(_, file) => file.is_in_place(),
            OpenPools::Postgres(..) => Ok(()),
        }
    }

    /// Adds the file and the free space to an error when the disk is at fault.
    pub(crate) fn named(&self, error: StoreError) -> StoreError {
        error.named(self.file())
    }

    /// Says that the disk of the database is full, for a process that only reads.
    pub(crate) fn no_room(&self) -> Option<String> {
        let file = self.file()?;
        let room = FreeSpace::beside(file).filter(FreeSpace::is_full)?;
        Some(format!("the disk of {} is full: {}", file.display(), room.in_words()))
    }

    /// Performs the maintenance; called every few seconds.
    pub(crate) async fn upkeep(&self) -> Result<(), StoreError> {
        match &self.database {
            OpenPools::Sqlite(pools, _) => sqlx::query(CHECKPOINT).execute(&pools.upkeep).await.map(drop)?,
            OpenPools::Postgres(pools, _) => sqlx::query(VACUUM).execute(&pools.upkeep).await.map(drop)?,
        }
        Ok(())
    }
}
