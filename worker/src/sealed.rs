//! Files that notice damage: the SHA-256 of what follows in hexadecimal, a line end, and the content.

use crate::client::hex;
use sha2::{Digest, Sha256};

/// A file with this content.
pub(crate) fn seal(content: &[u8]) -> Vec<u8> {
    let mut file = checksum(content).into_bytes();
    file.push(b'\n');
    file.extend_from_slice(content);
    file
}

/// The content of a file, or why it is not what was written.
pub(crate) fn unseal(file: &[u8]) -> Result<&[u8], String> {
    let (written, content) = split_line(file).ok_or("it has no checksum")?;
    if written == checksum(content).as_bytes() {
        Ok(content)
    } else {
        Err("its checksum does not match".into())
    }
}

/// The first line, and what follows.
pub(crate) fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn checksum(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}
