//! SQLite's file, opened beside SQLite so that it can be flushed.

use super::room::Reserve;
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::{Arc, OnceLock};

/// SQLite's file, opened beside SQLite and never closed: closing it would end all locks that this process has on the
/// file.
pub(super) struct DatabaseFile {
    pub(super) path: String,
    pub(super) reserve: Reserve,
    file: OnceLock<ManuallyDrop<File>>,
}

impl DatabaseFile {
    pub(super) fn new(path: &str) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), reserve: Reserve::of(path), file: OnceLock::new() })
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
