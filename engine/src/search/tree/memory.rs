//! The aligned pieces of a tree's memory, so that no vector crosses a cache line.

use super::super::snapshot_bytes::Reader;
use std::io;

/// A cache line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Line([u32; LINE_WORDS]);

/// Words of a [`Line`].
pub(super) const LINE_WORDS: usize = 16;

/// An aligned vector of words.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Unit([u32; UNIT_WORDS]);

/// Words of a [`Unit`].
pub(super) const UNIT_WORDS: usize = 8;

macro_rules! as_words {
    ($piece:ty) => {
        impl $piece {
            /// The words of several pieces in a row.
            #[inline(always)]
            pub(super) fn words(pieces: &[Self]) -> &[u32] {
                let len = size_of_val(pieces) / size_of::<u32>();
                // SAFETY: a piece is a `repr(C)` array of words without padding, so that `pieces` is `len` words.
                unsafe { std::slice::from_raw_parts(pieces.as_ptr().cast(), len) }
            }

            /// [`Self::words`], mutable.
            #[inline(always)]
            pub(super) fn words_mut(pieces: &mut [Self]) -> &mut [u32] {
                let len = size_of_val(pieces) / size_of::<u32>();
                // SAFETY: a piece is a `repr(C)` array of words without padding, so that `pieces` is `len` words. The
                // result borrows `pieces` mutably.
                unsafe { std::slice::from_raw_parts_mut(pieces.as_mut_ptr().cast(), len) }
            }

            /// Reads the pieces whose words [`put_words`](super::super::snapshot_bytes::put_words) wrote, onto the end of
            /// `pieces`.
            pub(super) fn read(input: &mut Reader<'_>, pieces: &mut Vec<Self>) -> io::Result<()> {
                input.pieces(pieces, Self)
            }
        }
    };
}

as_words!(Line);
as_words!(Unit);
