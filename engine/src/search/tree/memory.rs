//! Memory of a tree, in pieces that vectors and cache lines do not cross.

/// A cache line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Line([u32; LINE_WORDS]);

/// Words of a [`Line`].
pub(super) const LINE_WORDS: usize = 16;

/// A vector.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Unit([u32; UNIT_WORDS]);

/// Words of a [`Unit`].
pub(super) const UNIT_WORDS: usize = 8;

macro_rules! as_words {
    ($piece:ty) => {
        impl $piece {
            /// The words of several, one behind the other.
            #[inline(always)]
            pub(super) fn words(pieces: &[Self]) -> &[u32] {
                let len = size_of_val(pieces) / size_of::<u32>();
                // SAFETY: it is an array of words, as long as it is wide.
                unsafe { std::slice::from_raw_parts(pieces.as_ptr().cast(), len) }
            }

            /// As [`Self::words`], to change them.
            #[inline(always)]
            pub(super) fn words_mut(pieces: &mut [Self]) -> &mut [u32] {
                let len = size_of_val(pieces) / size_of::<u32>();
                // SAFETY: as above.
                unsafe { std::slice::from_raw_parts_mut(pieces.as_mut_ptr().cast(), len) }
            }

            /// Pieces with these words; none unless they fill the last one.
            pub(super) fn of_words(words: &[u32]) -> Option<Vec<Self>> {
                let (pieces, rest) = words.as_chunks();
                rest.is_empty().then(|| pieces.iter().map(|&words| Self(words)).collect())
            }
        }
    };
}

as_words!(Line);
as_words!(Unit);
