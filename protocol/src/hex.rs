//! Bytes in hexadecimal.

use std::fmt::Write;

/// Two digits for each byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

/// The bytes of a text with two digits for each of `N` bytes, in either case; `None` for any other text.
#[must_use]
pub fn read_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_were_written_and_nothing_else_is() {
        assert_eq!(hex(&[0, 10, 0xff]), "000aff");
        assert_eq!(hex(&[]), "");
        assert_eq!(read_hex("000AfF"), Some([0, 10, 0xff]));
        for wrong in ["", "00", "000aff00", "000afg", "+00aff", "00 aff", "ä0af"] {
            assert_eq!(read_hex::<3>(wrong), None, "{wrong}");
        }
    }
}
