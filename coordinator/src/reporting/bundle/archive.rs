//! A gzipped tar archive that is sent while it is written.

use flate2::Compression;
use flate2::write::GzEncoder;
use protocol::bundle::SUMS;
use protocol::hex::hex;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::mem::take;
use tar::{Builder, EntryType, Header};

/// An archive with one folder. Bytes that were written and not yet taken are in memory.
pub(crate) struct Archive {
    tar: Builder<GzEncoder<Vec<u8>>>,
    folder: String,
    made_ms: i64,
    sums: String,
}

const IN_MEMORY: &str = "writing to memory does not fail, and names are short";

impl Archive {
    /// An empty archive whose files are in this folder and of this time, in milliseconds since 1970.
    pub(crate) fn new(folder: String, made_ms: i64) -> Self {
        let tar = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        Self { tar, folder, made_ms, sums: String::new() }
    }

    /// Adds a file.
    pub(crate) fn put(&mut self, name: &str, content: &[u8]) {
        writeln!(self.sums, "{}  {name}", hex(&Sha256::digest(content)))
            .expect("writing to a string cannot fail");
        self.append(name, content);
    }

    fn append(&mut self, name: &str, content: &[u8]) {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(u64::try_from(self.made_ms / 1000).unwrap_or(0));
        self.tar.append_data(&mut header, format!("{}/{name}", self.folder), content).expect(IN_MEMORY);
    }

    /// Takes the bytes that are ready to be sent.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        take(self.tar.get_mut().get_mut())
    }

    /// Adds the digests of all files, and gives the last bytes.
    pub(crate) fn end(mut self) -> Vec<u8> {
        let sums = take(&mut self.sums);
        self.append(SUMS, sums.as_bytes());
        self.tar.into_inner().and_then(GzEncoder::finish).expect(IN_MEMORY)
    }
}
