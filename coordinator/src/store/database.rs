//! An open database: its connections by purpose, and the transactions on them.

use super::database_file::DatabaseFile;
use super::migrations::KNOWN;
use super::sql::row;
use super::{Session, StoreError, Tx, read_only};
use sqlx::{Database, Pool, Postgres, Sqlite};
use std::sync::Arc;

/// An open database: one writing transaction at a time, and reads on snapshots beside it.
pub(crate) struct Store {
    pub(super) database: OpenPools,
    /// Whether its tables were made when it was opened.
    pub(crate) is_new: bool,
}

pub(super) enum OpenPools {
    Sqlite(Pools<Sqlite>, Arc<DatabaseFile>),
    /// Also whether the server was read-only when the database was opened.
    Postgres(Pools<Postgres>, bool),
}

/// Connections by purpose. Page requests never take a connection from results, however many and slow they are.
pub(super) struct Pools<DB: Database> {
    pub(super) writer: Pool<DB>,
    pub(super) intake: Pool<DB>,
    pub(super) auth: Pool<DB>,
    pub(super) pages: Pool<DB>,
    pub(super) upkeep: Pool<DB>,
}

impl<DB: Database> Pools<DB> {
    async fn close_all_but_the_writer(&self) {
        self.upkeep.close().await;
        self.pages.close().await;
        self.auth.close().await;
        self.intake.close().await;
    }
}

impl Store {
    /// Whether this process may only read the database.
    pub(crate) fn is_read_only(&self) -> bool {
        match &self.database {
            OpenPools::Sqlite(_, file) => file.is_read_only,
            OpenPools::Postgres(_, is_read_only) => *is_read_only,
        }
    }

    /// Begins a writing transaction, after every other one has ended; gives the new revision of the database.
    pub(crate) async fn write(&self) -> Result<(Tx, i64), StoreError> {
        let (tx, revision, _) = self.write_at(|| 0).await?;
        Ok((tx, revision))
    }

    /// As [`Store::write`]. Also gives the time of the database server, if there is one: in milliseconds since 1970, with the
    /// local time `asked` just before. All coordinators of a database write by that clock, one at a time.
    pub(crate) async fn write_at(
        &self,
        asked: impl FnOnce() -> i64,
    ) -> Result<(Tx, i64, Option<(i64, i64)>), StoreError> {
        let mut tx = match &self.database {
            // A plain BEGIN would take the lock at the first write, and fail if another process wrote in between.
            OpenPools::Sqlite(_, file) if file.is_read_only => {
                return Err(StoreError::ReadOnly(read_only::of_a_file(&file.path)));
            }
            OpenPools::Sqlite(pools, _) => {
                Tx::Sqlite(Session::Transaction(pools.writer.begin_with("BEGIN IMMEDIATE").await?))
            }
            OpenPools::Postgres(pools, _) => Tx::Postgres(Session::Transaction(pools.writer.begin().await?)),
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
        )
        .map_err(read_only::explained)?;
        let server = row.and_then(|(_, _, now_ms)| Some((asked_ms, now_ms?)));
        let revision = of_known_schema(row.map(|(revision, schema, _)| (revision, schema)))?;
        Ok((tx, revision, server))
    }

    /// Begins a reading transaction for a page: all its statements see the same snapshot.
    pub(crate) async fn read(&self) -> Result<Tx, StoreError> {
        match &self.database {
            OpenPools::Sqlite(pools, _) => Ok(Tx::Sqlite(Session::Transaction(pools.pages.begin().await?))),
            OpenPools::Postgres(pools, _) => {
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Ok(Tx::Postgres(Session::Transaction(pools.pages.begin_with(begin).await?)))
            }
        }
    }

    /// A connection for single reading statements, separate from those for pages: for reads that precede the storing of a result,
    /// and for the coordinator's own tasks. Each statement sees its own snapshot, and no messages are spent on a transaction.
    pub(crate) async fn intake_conn(&self) -> Result<Tx, StoreError> {
        match &self.database {
            OpenPools::Sqlite(pools, _) => Ok(Tx::Sqlite(Session::Single(pools.intake.acquire().await?))),
            OpenPools::Postgres(pools, _) => Ok(Tx::Postgres(Session::Single(pools.intake.acquire().await?))),
        }
    }

    /// As [`Store::intake_conn`], for the authentication of callers, which never takes a connection from results.
    pub(crate) async fn auth_conn(&self) -> Result<Tx, StoreError> {
        match &self.database {
            OpenPools::Sqlite(pools, _) => Ok(Tx::Sqlite(Session::Single(pools.auth.acquire().await?))),
            OpenPools::Postgres(pools, _) => Ok(Tx::Postgres(Session::Single(pools.auth.acquire().await?))),
        }
    }

    /// The revision of the database: the number of the last committed change, by any of its coordinators.
    pub(crate) async fn revision(&self) -> Result<i64, StoreError> {
        self.intake_conn().await?.revision().await
    }

    /// The time of the database server in milliseconds since 1970, on which all its coordinators agree. None for a
    /// file, which has one coordinator.
    pub(crate) async fn server_time(&self) -> Result<Option<i64>, StoreError> {
        match &self.database {
            OpenPools::Sqlite(..) => Ok(None),
            OpenPools::Postgres(pools, _) => {
                let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
                Ok(Some(sqlx::query_scalar(sql).fetch_one(&pools.intake).await?))
            }
        }
    }

    /// Closes every connection after its transaction.
    pub(crate) async fn close(&self) {
        match &self.database {
            OpenPools::Sqlite(pools, file) => {
                pools.close_all_but_the_writer().await;
                if file.is_served_here() {
                    // SQLite empties its log when the last connection closes. A task that was cancelled while it opened a connection
                    // leaves one that closes later, perhaps only with the process.
                    let emptied = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&pools.writer).await;
                    if let Err(error) = emptied {
                        tracing::warn!("the log of the database stays for the next start: {error}");
                    }
                }
                pools.writer.close().await;
                file.unlock();
            }
            OpenPools::Postgres(pools, _) => {
                pools.close_all_but_the_writer().await;
                pools.writer.close().await;
            }
        }
    }
}

impl Tx {
    /// The revision of the database. Fails if a newer program has changed the schema since the database was opened: a write of
    /// this program might break a rule that it does not know.
    pub(super) async fn revision(&mut self) -> Result<i64, StoreError> {
        let row = row!(
            &mut *self,
            |row| Ok((row.bigint("number")?, row.bigint("schema")?)),
            "SELECT number, (SELECT MAX(version) FROM _sqlx_migrations) AS schema FROM revision WHERE id = 1"
        )?;
        of_known_schema(row)
    }
}

/// The revision in a row, which also has the version of the schema.
fn of_known_schema(row: Option<(i64, i64)>) -> Result<i64, StoreError> {
    match row.ok_or(StoreError::Null("revision"))? {
        (_, found) if found > KNOWN => Err(StoreError::Outdated { found, known: KNOWN }),
        (revision, _) => Ok(revision),
    }
}
