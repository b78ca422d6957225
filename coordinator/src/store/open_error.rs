//! Why a database cannot be opened.

use super::{LockError, StoreError};
use sqlx::migrate::MigrateError;
use thiserror::Error;

/// Why a database cannot be used.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It cannot be reached or created.
    #[error("cannot open the database {database}: {source}")]
    Unreachable {
        /// File or address, without password.
        database: String,
        /// The driver's error.
        source: sqlx::Error,
    },
    /// There is no database, and none may be created.
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
    /// A build from before the first release wrote it.
    #[error(
        "{database} has the schema of another build of Gauntlet, from before the first release, and this program does not read it. \
         `gauntlet bundle` of that build saves the games of an experiment, and `gauntlet import` puts them into a new database"
    )]
    Unreleased {
        /// File or address, without password.
        database: String,
    },
    /// A newer program wrote it.
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
    /// The tables could not be made, or the record of them could not be read.
    #[error("cannot make the tables of {database}, or read which it has: {source}")]
    Migration {
        /// File or address, without password.
        database: String,
        /// Which migration, and why.
        source: MigrateError,
    },
    /// It failed after it was opened.
    #[error("cannot use {database}: {source}")]
    Unusable {
        /// File or address, without password.
        database: String,
        /// Why.
        source: StoreError,
    },
    /// The path names a directory.
    #[error("{database} is a directory, not a database: name the file, such as {database}/gauntlet.db")]
    Directory {
        /// The directory.
        database: String,
    },
    /// The disk is full or broken.
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
    /// The file or its folder cannot be written.
    #[error(
        "cannot write the database {database}: the file and its folder must be writable by the user that runs this program. Commands \
         that only read need no such right"
    )]
    ReadOnly {
        /// The file.
        database: String,
    },
    /// The server is read-only.
    #[error("cannot write the database {database}: {why}. Commands that only read can use it")]
    ReadOnlyServer {
        /// The address, without password.
        database: String,
        /// Why, and what can be done.
        why: &'static str,
        /// Whether it is a standby, which may be promoted.
        is_standby: bool,
    },
    /// SQLite cannot open the file, for a reason that the system knows.
    #[error("cannot open the database {database}: {why}")]
    CannotOpen {
        /// The file.
        database: String,
        /// Why, and what can be done.
        why: String,
    },
    /// Another process has the file open by another name.
    #[error(
        "cannot open the database {database}: {why}, as with a hard link or a mount of the file alone. SQLite keeps a log beside each \
         name, and two logs would destroy the database: use the other name, or end that process first"
    )]
    OtherName {
        /// The file.
        database: String,
        /// Which name, if it is known.
        why: LockError,
    },
    /// The address names no database.
    #[error("`{0}` names no database: give a file such as `gauntlet.db`, or postgres://USER@HOST/NAME")]
    BadAddress(String),
}

impl OpenError {
    /// The driver's error, if that is the cause.
    fn of_the_driver(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Unreachable { source, .. }
            | Self::Migration { source: MigrateError::Execute(source), .. }
            | Self::Unusable { source: StoreError::Database(source), .. } => Some(source),
            _ => None,
        }
    }

    /// Whether the disk is at fault.
    pub(super) fn is_of_the_disk(&self) -> bool {
        self.of_the_driver().is_some_and(super::is_of_the_disk)
    }

    /// Whether SQLite cannot open the file, or a file beside it.
    pub(super) fn cannot_open(&self) -> bool {
        self.has_code(14)
    }

    /// Whether SQLite may not write the file, or a file beside it.
    pub(super) fn is_read_only(&self) -> bool {
        self.has_code(8)
    }

    /// Whether SQLite gives this error, in whatever variety.
    fn has_code(&self, primary: u32) -> bool {
        let code =
            self.of_the_driver().and_then(sqlx::Error::as_database_error).and_then(|error| error.code());
        code.is_some_and(|code| code.parse::<u32>().is_ok_and(|code| code & 0xff == primary))
    }

    /// Whether a starting, restarting or promoted server gives this error.
    pub(super) fn may_pass(&self) -> bool {
        match self.of_the_driver() {
            None => matches!(self, Self::ReadOnlyServer { is_standby: true, .. }),
            Some(sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed) => true,
            // The server shuts down, was shut down, or does not take connections yet.
            Some(error) => {
                let code = error.as_database_error().and_then(|error| error.code());
                matches!(code.as_deref(), Some("57P01" | "57P02" | "57P03"))
            }
        }
    }
}
