//! The words of a snapshot, little-endian: reading and writing them one after the other, so that no copy of a tree is
//! needed.

use super::proven_outcome::ProvenOutcome;
use std::io::{self, Read, Write};

/// Words that are written at once.
const AT_ONCE: usize = 256;

/// The bytes are not a search of this position with these parameters.
pub(crate) fn mismatch() -> io::Error {
    let why = "what was kept of a player's search is not one of this position and these parameters";
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Reads word by word.
pub(super) struct Reader<'a>(pub(super) &'a mut dyn Read);

impl Reader<'_> {
    pub(super) fn u32(&mut self) -> io::Result<u32> {
        self.piece().map(|[word]| word)
    }

    pub(super) fn u64(&mut self) -> io::Result<u64> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }

    /// `N` words.
    fn piece<const N: usize>(&mut self) -> io::Result<[u32; N]> {
        let mut bytes = [[0; 4]; N];
        self.0.read_exact(bytes.as_flattened_mut())?;
        Ok(bytes.map(u32::from_le_bytes))
    }

    /// A number, and as many words.
    pub(super) fn words(&mut self) -> io::Result<Vec<u32>> {
        let mut words = Vec::new();
        self.pieces(&mut words, |[word]| word)?;
        Ok(words)
    }

    /// A number, and as many words, which become pieces of `N` words each behind those of `to`. `to` grows as the words
    /// come: the number may be wrong.
    pub(super) fn pieces<T, const N: usize>(
        &mut self,
        to: &mut Vec<T>,
        of: impl Fn([u32; N]) -> T,
    ) -> io::Result<()> {
        let words = self.u32()? as usize;
        if !words.is_multiple_of(N) {
            return Err(mismatch());
        }
        for _ in 0..words / N {
            to.push(of(self.piece()?));
        }
        Ok(())
    }

    pub(super) fn proof(&mut self) -> io::Result<ProvenOutcome> {
        let number = self.u32()?;
        if ProvenOutcome::is_number(number) { Ok(ProvenOutcome::from_bits(number)) } else { Err(mismatch()) }
    }
}

/// Writes a word.
pub(super) fn put(out: &mut dyn Write, word: u32) -> io::Result<()> {
    out.write_all(&word.to_le_bytes())
}

/// Writes the number of words, then the words.
pub(super) fn put_words(out: &mut dyn Write, words: &[u32]) -> io::Result<()> {
    put(out, words.len() as u32)?;
    let mut bytes = [[0; 4]; AT_ONCE];
    for words in words.chunks(AT_ONCE) {
        bytes.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
        out.write_all(bytes[..words.len()].as_flattened())?;
    }
    Ok(())
}
