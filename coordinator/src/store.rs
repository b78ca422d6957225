//! All SQL, and nothing else. Only this folder names `sqlx`.
//!
//! Every statement is written once and serves SQLite and Postgres. `rows!`, `row!` and `execute!` run the same static
//! text on whichever database is open; `execute_many!` and `rows_many!` run one text for many rows. Every writing
//! transaction begins with an update of the row in table `revision`. SQLite admits one writer at a time in any case; on
//! Postgres the lock of that row does the same for all coordinators of one database. So no other code needs to consider
//! concurrent writers, lock order or deadlocks.

mod abandoned;
mod alarms;
mod answers;
mod audit;
mod baselines;
mod cannot_open;
mod cells;
mod columns;
mod confirmations;
mod control;
mod copy;
mod database;
mod database_file;
mod endings;
mod exclusion;
mod experiments;
mod file_lock;
mod filter;
mod games;
mod leases;
mod life;
mod log_file;
mod migrations;
mod open;
mod open_error;
mod paces;
mod pairs;
mod plans;
mod prefix;
mod quarantine;
mod read_only;
mod recent_games;
mod rechecks;
mod revisions;
mod search;
mod shares;
mod speeds;
mod sql;
mod stopping;
mod studies;
mod timeline;
mod tokens;
mod tunes;
mod upkeep;
mod verdicts;
mod verify;
mod why;
mod worker_cells;
mod workers;
mod write_batch;

pub(crate) use abandoned::{AbandonedBy, Abandonment, PresentWorker};
pub(crate) use alarms::AlarmRow;
pub(crate) use audit::AuditRow;
pub(crate) use cells::Counters;
pub(crate) use confirmations::ConfirmationRow;
pub(crate) use control::UnderWay;
pub use copy::Copied;
pub(crate) use copy::copy;
pub(crate) use database::Store;
pub(crate) use endings::Ending;
pub(crate) use experiments::{ExperimentRow, Missing, PlannedCellRow};
pub use file_lock::{FileLock, LockError};
pub(crate) use filter::ExperimentFilter;
pub(crate) use games::{GameRow, Play, PlayRow};
pub(crate) use leases::{AwaitedPair, Candidate, Capabilities, LeaseRow, LeaseState, LeasedCell};
pub(crate) use open::Allowed;
pub use open_error::OpenError;
pub(crate) use paces::{BY_BOUNDS, PaceRow, UncomparedPlay};
pub(crate) use pairs::{PairRow, PairState};
pub(crate) use plans::{CellPlan, PlanPart, PlanRow, PreviousRow, RowChange};
pub(crate) use quarantine::BY_QUARANTINE;
pub(crate) use recent_games::{BUCKET_MS, Slice};
pub(crate) use rechecks::{Checker, WantedRecheck};
pub(crate) use revisions::{RevisionRow, plan_text};
pub(crate) use search::{CellNames, GameScope, InPlay, PlayCursor};
pub(crate) use shares::{Contender, PlayedCell, WeightError};
pub(crate) use stopping::Stopping;
pub use stopping::rule as stopping_rule;
pub(crate) use studies::{StudyPointRow, StudyRow};
pub(crate) use tokens::{PageRow, TokenRow};
pub(crate) use tunes::{Fate, OpenTune, TrialOrigin, TrialRow};
pub(crate) use verdicts::{BY_RECHECK, RecheckCounts, Verdict, Witness};
pub(crate) use verify::rebuild;
pub use verify::{CounterMismatch, UnknownValue, Verification};
pub(crate) use why::{PlannedCellState, WorkerGroup};
pub(crate) use worker_cells::WorkerCell;
pub(crate) use workers::{WorkerAfter, WorkerBefore, WorkerRow};
pub(crate) use write_batch::WriteBatch;

use protocol::disk::free_in_words;
use sqlx::pool::PoolConnection;
use sqlx::{Database, Postgres, Sqlite, Transaction};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use thiserror::Error;

/// Why a statement failed.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database refused or could not be reached.
    #[error("the database answers: {0}")]
    Database(#[from] sqlx::Error),
    /// A column that is never NULL was.
    #[error("column `{0}` is NULL")]
    Null(&'static str),
    /// Stored text or numbers that this binary cannot read.
    #[error("{what} in the database cannot be read: {why}")]
    Unreadable {
        /// Which column or document.
        what: &'static str,
        /// The parser's message.
        why: String,
    },
    /// The group of requests was not committed, so none of its requests took effect.
    #[error("nothing was stored: {0}")]
    NotCommitted(String),
    /// The file was replaced or deleted while it was open.
    #[error("{0} was moved or deleted while it was open: bring it back, or start again")]
    Moved(String),
    /// The disk of the database is full or broken.
    #[error("{0}")]
    Disk(String),
    /// The database is open read-only.
    #[error("{0}")]
    ReadOnly(String),
    /// A newer program changed the schema while this one ran.
    #[error(
        "a newer Gauntlet brought the database's schema to version {found}; this program knows {known} and stops using it"
    )]
    Outdated {
        /// The schema's version.
        found: i64,
        /// The version that this program knows.
        known: i64,
    },
    /// The store is closing and takes no more requests.
    #[error("the store is closed")]
    Closed,
    /// A computation panicked. The log has the panic's message.
    #[error("a defect of the coordinator; see its log")]
    Panicked,
    /// A shared query of the database failed. The caller that ran it has logged the error.
    #[error("the database gives no answer: {0}")]
    Unanswered(String),
    /// Too many requests wait for the writer.
    #[error("the store has more work waiting than it can take")]
    Overloaded,
}

/// Whether the disk caused the error.
fn is_of_the_disk(error: &sqlx::Error) -> bool {
    if let sqlx::Error::Io(error) = error {
        return matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
    }
    let code = error.as_database_error().and_then(|error| error.code());
    match code.as_deref() {
        // Postgres: the disk is full, or input or output failed.
        Some("53100" | "58030") => true,
        // SQLite: input or output failed, the disk is full, or a file cannot be made. Higher bits give details.
        Some(code) if code.len() < 5 => {
            code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 10 | 13 | 14))
        }
        _ => false,
    }
}

impl StoreError {
    /// Adds the file and the free space when the disk is at fault.
    fn named(self, file: Option<&Path>) -> Self {
        match (self, file) {
            (Self::Database(error), Some(file)) if is_of_the_disk(&error) => Self::Disk(format!(
                "the database {} cannot be written: {error}; {}",
                file.display(),
                free_in_words(file)
            )),
            (Self::Database(error), None) if is_of_the_disk(&error) => {
                Self::Disk(format!("the disk of the database's server takes nothing: {error}"))
            }
            (error, _) => error,
        }
    }

    /// Whether the disk is at fault.
    pub(crate) fn is_of_the_disk(&self) -> bool {
        match self {
            Self::Disk(_) => true,
            Self::Database(error) => is_of_the_disk(error),
            _ => false,
        }
    }

    /// An [`StoreError::Unreadable`] for the `map_err` of a parser.
    pub(crate) fn unreadable<E: std::fmt::Display>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Unreadable { what, why: error.to_string() }
    }
}

/// A transaction on either database, which is rolled back when it is dropped without [`Tx::commit`]. From
/// [`Store::look`] it is a connection on which every statement is a transaction.
pub(crate) enum Tx {
    Sqlite(Session<Sqlite>),
    Postgres(Session<Postgres>),
}

/// A connection, with or without a transaction around its statements.
pub(crate) enum Session<DB: Database> {
    Transaction(Transaction<'static, DB>),
    Single(PoolConnection<DB>),
}

impl<DB: Database> Session<DB> {
    async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Session::Transaction(tx) => tx.commit().await,
            Session::Single(_) => Ok(()),
        }
    }
}

impl<DB: Database> Deref for Session<DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        match self {
            Session::Transaction(tx) => tx,
            Session::Single(connection) => connection,
        }
    }
}

impl<DB: Database> DerefMut for Session<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        match self {
            Session::Transaction(tx) => tx,
            Session::Single(connection) => connection,
        }
    }
}

impl Tx {
    /// Makes all writes of the transaction visible, and returns when they are on disk.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Tx::Sqlite(tx) => tx.commit().await?,
            Tx::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }

    /// Adds the file and the free space to an error when the disk is at fault.
    pub(crate) async fn named(&mut self, error: StoreError) -> StoreError {
        if !error.is_of_the_disk() {
            return error;
        }
        match self {
            Tx::Sqlite(tx) => {
                // A pragma needs no transaction, which SQLite may have ended by itself.
                let file = sqlx::query_scalar::<_, String>(
                    "SELECT file FROM pragma_database_list WHERE name = 'main'",
                );
                let file = file.fetch_one(&mut **tx).await.unwrap_or_default();
                error.named(Some(Path::new(&file)))
            }
            Tx::Postgres(_) => error.named(None),
        }
    }

    /// Sets the savepoint to which [`Tx::roll_back`] returns, so that one bad request does not fail its group.
    pub(crate) async fn savepoint(&mut self) -> Result<(), StoreError> {
        sql::execute!(self, "SAVEPOINT request")?;
        Ok(())
    }

    /// Releases the savepoint and keeps the writes since.
    pub(crate) async fn release(&mut self) -> Result<(), StoreError> {
        sql::execute!(self, "RELEASE SAVEPOINT request")?;
        Ok(())
    }

    /// Undoes all writes since the savepoint.
    pub(crate) async fn roll_back(&mut self) -> Result<(), StoreError> {
        sql::execute!(self, "ROLLBACK TO SAVEPOINT request")?;
        self.release().await
    }
}
