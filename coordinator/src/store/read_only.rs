//! Read-only databases: an SQLite file on read-only media or of another user, which is read without writing anything beside it; a
//! standby of Postgres, and a role that may only read.

use super::StoreError;
use super::log_file::{beside, has_log};
use super::open_error::OpenError;
use rustix::fs::{Access, AtFlags, CWD, accessat};
use sqlx::PgConnection;
use sqlx::sqlite::SqliteConnectOptions;
use std::path::Path;

/// Whether this process may write the file and make others beside it. A file that does not exist is judged by its folder.
pub(super) fn may_be_written(file: &Path) -> bool {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_refused = |path: &Path| {
        let asked = accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS);
        asked.is_err_and(|error| error != rustix::io::Errno::NOENT)
    };
    !is_refused(&file) && !is_refused(folder)
}

/// Options that write nothing.
///
/// A file without a log is not in use and does not change, unless a coordinator starts meanwhile. So SQLite may read it without
/// locks and without the index of the log, which it would have to make. Any other file is read with the index that its
/// coordinator made.
pub(super) fn options(options: SqliteConnectOptions, path: &str) -> Result<SqliteConnectOptions, OpenError> {
    let options = options.read_only(true);
    let is_in_use = || ["-wal", "-shm"].iter().all(|ending| beside(path, ending).exists());
    if !has_log(path) && !is_in_use() {
        return Ok(options.immutable(true));
    }
    // The address needs the absolute path, in which three characters must be escaped.
    let whole = Path::new(path).canonicalize().ok();
    let whole = whole.as_deref().and_then(Path::to_str).unwrap_or(path);
    let quoted = whole.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(options.filename(format!("file:{quoted}?readonly_shm=1")))
}

const STANDBY: &str = "the server is a standby, which takes changes from its primary alone; name the primary";
const TRANSACTIONS: &str = "transactions are read-only there, by the setting default_transaction_read_only of the address, the role, \
                            the database or the server";
const ROLE: &str = "the role may only read there; name one that owns the tables";

/// Why a server is read-only, if it is, and whether it is a standby.
pub(super) async fn of_a_server(
    connection: &mut PgConnection,
) -> Result<Option<(&'static str, bool)>, sqlx::Error> {
    let (is_standby, is_read_only, may_write): (bool, bool, Option<bool>) = sqlx::query_as(
        "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', \
         has_table_privilege(to_regclass('revision'), 'UPDATE')",
    )
    .fetch_one(connection)
    .await?;
    Ok(match () {
        () if is_standby => Some((STANDBY, true)),
        () if is_read_only => Some((TRANSACTIONS, false)),
        () if may_write == Some(false) => Some((ROLE, false)),
        () => None,
    })
}

/// The error of a write to a server, explained if the server is read-only.
pub(super) fn explained(error: StoreError) -> StoreError {
    let StoreError::Database(source) = &error else { return error };
    let code = source.as_database_error().and_then(|error| error.code());
    match code.as_deref() {
        Some("25006") => StoreError::ReadOnly(format!(
            "the database only answers questions: it is a standby, or its setting default_transaction_read_only is on ({source})"
        )),
        Some("42501") => StoreError::ReadOnly(format!("the database is only read: {ROLE} ({source})")),
        _ => error,
    }
}

/// Why a file is read-only.
pub(super) fn of_a_file(path: &str) -> String {
    format!(
        "{path} can only be read: to change it, the user that runs this program must be allowed to write the file and its folder"
    )
}
