//! The files that SQLite keeps beside a database.

use std::path::{Path, PathBuf};

/// A file beside the database.
pub(super) fn beside(path: &str, ending: &str) -> PathBuf {
    let mut name = Path::new(path).canonicalize().unwrap_or_else(|_| path.into()).into_os_string();
    name.push(ending);
    name.into()
}

/// Whether SQLite's log beside the file has content, which the file lacks.
pub(super) fn has_log(path: &str) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}
