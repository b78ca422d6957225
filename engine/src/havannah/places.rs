//! Sets of places on a padded board.

use super::geometry::{PADDED, padded};

/// The words of a set.
pub(super) const WORDS: usize = PADDED.div_ceil(64);

/// A set of places, with one bit for each place, the lowest first.
pub(crate) type Places = [u64; WORDS];

/// The places of a board with stride `W` whose byte has this bit set.
#[inline(always)]
pub(super) fn gather<const W: usize>(bytes: &[u8; PADDED], bit: u8) -> Places {
    let mut places = [0; WORDS];
    for (i, bytes) in bytes.as_chunks().0[..padded(W).div_ceil(8)].iter().enumerate() {
        let set = u64::from_le_bytes(*bytes) >> bit.trailing_zeros() & 0x0101_0101_0101_0101;
        // The multiplication gathers the lowest bits of all bytes in the highest byte.
        places[i / 8] |= (set.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * (i % 8));
    }
    places
}

/// Calls `f` with each place of the set, ascending, on a board with stride `W`.
#[inline(always)]
pub(super) fn each<const W: usize>(places: Places, mut f: impl FnMut(usize)) {
    for (word, mut left) in places.into_iter().take(padded(W).div_ceil(64)).enumerate() {
        while left != 0 {
            f(64 * word + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}
