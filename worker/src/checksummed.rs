//! Checksummed files, so that damage is noticed. A file is the SHA-256 of its content in hexadecimal, a line feed, and
//! the content.

use crate::client::hex;
use sha2::{Digest, Sha256};

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

/// The first line, and the rest.
pub(crate) fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn checksum(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}
