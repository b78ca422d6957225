//! Reading an SQLite file without writing it, or anything beside it: a backup on read-only media, or a file of another user.

use super::cannot_open::{beside, has_log};
use super::open_error::OpenError;
use rustix::fs::{Access, AtFlags, CWD, accessat};
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
/// A file without a log that nobody uses does not change, unless a coordinator starts meanwhile; so SQLite may read it without locks and
/// without the index of the log, which it would have to make. Another file is read with the index that its coordinator made.
pub(super) fn options(options: SqliteConnectOptions, path: &str) -> Result<SqliteConnectOptions, OpenError> {
    let options = options.read_only(true);
    let is_in_use = || ["-wal", "-shm"].iter().all(|ending| beside(path, ending).exists());
    if !has_log(path) && !is_in_use() {
        return Ok(options.immutable(true));
    }
    // The path of an address is the whole path, and three characters have a meaning there.
    let whole = Path::new(path).canonicalize().ok();
    let whole = whole.as_deref().and_then(Path::to_str).unwrap_or(path);
    let quoted = whole.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(options.filename(format!("file:{quoted}?readonly_shm=1")))
}
