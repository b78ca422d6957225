//! SQLite's file, as the system sees it.

use super::room::Reserve;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::{Arc, OnceLock};

/// SQLite's file, opened besides SQLite and never closed: the system would take that for the end of all locks that this
/// process has on it.
pub(super) struct DatabaseFile {
    pub(super) path: String,
    pub(super) reserve: Reserve,
    file: OnceLock<ManuallyDrop<File>>,
}

impl DatabaseFile {
    pub(super) fn new(path: &str) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), reserve: Reserve::of(path), file: OnceLock::new() })
    }

    /// Carries to the disk what was written into the file.
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
