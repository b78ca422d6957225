//! The words of a snapshot, little-endian: reading and writing them.

use super::proven_outcome::ProvenOutcome;
use thiserror::Error;

/// The bytes are not a search of this position with these parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("what was kept of a player's search is not one of this position and these parameters")]
pub struct SnapshotMismatch;

/// Reads bytes word by word.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    pub(super) fn u32(&mut self) -> Result<u32, SnapshotMismatch> {
        let (word, rest) = self.0.split_first_chunk().ok_or(SnapshotMismatch)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*word))
    }

    pub(super) fn u64(&mut self) -> Result<u64, SnapshotMismatch> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }

    /// A number, and as many words.
    pub(super) fn words(&mut self) -> Result<Vec<u32>, SnapshotMismatch> {
        let count = self.u32()? as usize;
        let (words, rest) =
            count.checked_mul(4).and_then(|bytes| self.0.split_at_checked(bytes)).ok_or(SnapshotMismatch)?;
        self.0 = rest;
        Ok(words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    pub(super) fn proof(&mut self) -> Result<ProvenOutcome, SnapshotMismatch> {
        let number = self.u32()?;
        if ProvenOutcome::is_number(number) {
            Ok(ProvenOutcome::from_bits(number))
        } else {
            Err(SnapshotMismatch)
        }
    }
}

/// Writes a word.
pub(super) fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// Writes the number of words, then the words.
pub(super) fn put_words(out: &mut Vec<u8>, words: &[u32]) {
    put(out, words.len() as u32);
    words.iter().for_each(|&word| put(out, word));
}
