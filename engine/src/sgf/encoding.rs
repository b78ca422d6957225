//! The encoding of a file: named by a byte order mark or by the property CA, or guessed.

use super::error::{Place, SgfError, SgfProblem};
use super::syntax;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// The text of a file, without a byte order mark. Characters that the encoding does not have are replaced.
///
/// A file that names no encoding is UTF-8 if it can be, and otherwise Latin-1, which is what SGF says.
///
/// # Errors
/// When the file is in an encoding that is not known.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, SgfError> {
    let encoding = match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [_, 0, 0, 0, ..] | [0, 0, 0, _, ..] => {
            return Err(unknown("UTF-32"));
        }
        [0xff, 0xfe, ..] | [1..=0xff, 0, ..] => UTF_16LE,
        [0xfe, 0xff, ..] | [0, 1..=0xff, ..] => UTF_16BE,
        [0xef, 0xbb, 0xbf, ..] => UTF_8,
        _ if bytes.is_ascii() => UTF_8,
        _ => match named(bytes) {
            Some(label) => {
                Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| unknown(&label))?
            }
            None if std::str::from_utf8(bytes).is_ok() => UTF_8,
            None => WINDOWS_1252,
        },
    };
    // The property was read byte by byte. A file that was converted since can still name its old encoding.
    let encoding =
        if [UTF_16LE, UTF_16BE].contains(&encoding) && !bytes.contains(&0) { UTF_8 } else { encoding };
    Ok(encoding.decode_with_bom_removal(bytes).0)
}

/// The value of CA in the first node of the first game. All before it must be in an encoding that contains ASCII.
fn named(bytes: &[u8]) -> Option<String> {
    // In Latin-1 every byte is a character.
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    syntax::first_value(&text, "CA").map(|label| label.trim().to_owned()).filter(|label| !label.is_empty())
}

fn unknown(label: &str) -> SgfError {
    SgfError {
        place: Place { line: 1, column: 1 },
        problem: SgfProblem::Encoding(crate::spelling::excerpt(label)),
    }
}
