//! Access to files, which the caller provides: the engine itself opens no file.

use std::io;

/// Reads and writes files on behalf of a session.
pub trait Files {
    /// The content of a file.
    ///
    /// # Errors
    /// When there is no such file or it cannot be read.
    fn read(&mut self, name: &str) -> io::Result<Vec<u8>>;

    /// Creates or replaces a file.
    ///
    /// # Errors
    /// When it cannot be written.
    fn write(&mut self, name: &str, text: &str) -> io::Result<()>;

    /// Appends to a file, or creates it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn append(&mut self, name: &str, text: &str) -> io::Result<()>;
}

/// For sessions that must not touch any file.
#[derive(Debug, Clone, Copy)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this session has no files"))
    }

    fn write(&mut self, _: &str, _: &str) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this session has no files"))
    }

    fn append(&mut self, _: &str, _: &str) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this session has no files"))
    }
}
