//! SQLite's file, opened beside SQLite so that it can be flushed.

use super::file_lock::FileLock;
use super::room::Reserve;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// SQLite's file, opened beside SQLite and never closed: closing it would end all locks that this process has on the
/// file.
pub(super) struct DatabaseFile {
    pub(super) path: String,
    pub(super) reserve: Reserve,
    /// Whether this process may not write the file, or nothing beside it.
    pub(super) is_read_only: bool,
    lock: Mutex<Option<FileLock>>,
    file: OnceLock<ManuallyDrop<File>>,
}

impl DatabaseFile {
    pub(super) fn new(path: &str, lock: Option<FileLock>, is_read_only: bool) -> Arc<Self> {
        let (path, reserve) = (path.to_owned(), Reserve::of(path));
        Arc::new(Self { path, reserve, is_read_only, lock: Mutex::new(lock), file: OnceLock::new() })
    }

    /// Ends the lock on the file's name. All connections are closed before.
    pub(super) fn unlock(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Flushes the file to the disk.
    pub(super) fn flush(&self) -> io::Result<()> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let file = ManuallyDrop::new(File::open(&self.path)?);
                self.file.get_or_init(|| file)
            }
        };
        file.sync_data()
    }
}
