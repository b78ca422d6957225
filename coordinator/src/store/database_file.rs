//! The file of an open SQLite database.

use super::StoreError;
use super::file_lock::FileLock;
use std::fs::metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, PoisonError};

/// The file of an open SQLite database.
pub(super) struct DatabaseFile {
    pub(super) path: String,
    /// Its device and its inode number.
    number: (u64, u64),
    /// Whether this process may not write the file, or may not make files beside it.
    pub(super) is_read_only: bool,
    lock: Mutex<Option<FileLock>>,
}

impl DatabaseFile {
    pub(super) fn new(path: &str, lock: Option<FileLock>, is_read_only: bool) -> io::Result<Arc<Self>> {
        let (path, number) = (path.to_owned(), number(path)?);
        Ok(Arc::new(Self { path, number, is_read_only, lock: Mutex::new(lock) }))
    }

    /// Whether this process serves the file.
    pub(super) fn is_served_here(&self) -> bool {
        self.lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .is_some_and(FileLock::is_served_here)
    }

    /// Ends the lock on the file's name. All connections are closed before.
    pub(super) fn unlock(&self) {
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Fails if the file was moved or deleted: SQLite would continue to write to a file that no other process can open.
    pub(super) fn is_in_place(&self) -> Result<(), StoreError> {
        if number(&self.path).is_ok_and(|now| now == self.number) {
            return Ok(());
        }
        Err(StoreError::Moved(self.path.clone()))
    }
}

fn number(path: &str) -> io::Result<(u64, u64)> {
    metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_moved_is_not_in_place_until_it_is_back() {
        let files = tempfile::tempdir().expect("a directory");
        let path = files.path().join("games.db");
        std::fs::write(&path, "a database").expect("written");
        let file = DatabaseFile::new(path.to_str().expect("UTF-8"), None, false).expect("a file");
        file.is_in_place().expect("it is there");
        let elsewhere = files.path().join("elsewhere.db");
        std::fs::rename(&path, &elsewhere).expect("moved");
        let moved = file.is_in_place().expect_err("it is elsewhere").to_string();
        assert!(moved.contains("games.db was moved or deleted"), "{moved}");
        std::fs::write(&path, "another file").expect("written");
        file.is_in_place().expect_err("another file has its name");
        std::fs::rename(&elsewhere, &path).expect("moved back");
        file.is_in_place().expect("it is back");
    }
}
