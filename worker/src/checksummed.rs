//! Checksummed files, so that damage is noticed. A file is the SHA-256 of its content in hexadecimal, a line feed, and
//! the content.

use protocol::hex::hex;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};

/// A file with this content.
pub(crate) fn add_checksum(content: &[u8]) -> Vec<u8> {
    let mut file = checksum(content).into_bytes();
    file.push(b'\n');
    file.extend_from_slice(content);
    file
}

/// The content of a file, or why the file is damaged.
pub(crate) fn verify_checksum(file: &[u8]) -> Result<&[u8], String> {
    let (written, content) = split_line(file).ok_or("it has no checksum")?;
    if written == checksum(content).as_bytes() {
        Ok(content)
    } else {
        Err("its checksum does not match".into())
    }
}

/// Bytes of a large file that are read or written at once.
pub(crate) const AT_ONCE: usize = 64 << 10;

/// The length of a checksum in hexadecimal.
const LENGTH: usize = 64;

/// Writes a file with the content that `content` writes piece by piece. The checksum is the last that is written.
pub(crate) fn write_checksummed(
    file: &mut File,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    file.write_all(&[b'-'; LENGTH])?;
    file.write_all(b"\n")?;
    let mut out = BufWriter::with_capacity(AT_ONCE, Hashing { file: &mut *file, digest: Sha256::new() });
    content(&mut out)?;
    let Hashing { digest, .. } = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    file.write_all(hex(&digest.finalize()).as_bytes())
}

/// A file that computes the digest of the bytes that pass through it.
pub(crate) struct Hashing<F> {
    file: F,
    digest: Sha256,
}

impl Write for Hashing<&mut File> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for Hashing<File> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.digest.update(&bytes[..read]);
        Ok(read)
    }
}

/// The content of a checksummed file, read piece by piece. It is to be trusted only after [`ChecksummedContent::verify`].
pub(crate) struct ChecksummedContent {
    rest: Hashing<File>,
    written: [u8; LENGTH + 1],
}

impl ChecksummedContent {
    /// Begins to read a file.
    pub(crate) fn of(mut file: File) -> io::Result<Self> {
        let mut written = [0; LENGTH + 1];
        file.read_exact(&mut written)?;
        Ok(Self { rest: Hashing { file, digest: Sha256::new() }, written })
    }

    /// Reads what is left. An error of the kind [`io::ErrorKind::InvalidData`] means that the file is damaged.
    pub(crate) fn verify(mut self) -> io::Result<()> {
        io::copy(&mut self.rest, &mut io::sink())?;
        let expected = hex(&self.rest.digest.finalize());
        if self.written.strip_suffix(b"\n") == Some(expected.as_bytes()) {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not match"))
        }
    }
}

impl Read for ChecksummedContent {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.rest.read(bytes)
    }
}

/// The first line, and the rest.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn checksum(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}
