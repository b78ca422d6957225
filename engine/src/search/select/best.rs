//! The best value of a scan: for every lane of a vector, the highest value and its key.

use crate::search::lanes::{Lanes, NarrowLanes};

/// The key of a child or of an unvisited slot. Of equal values the one with the lowest key is chosen.
pub(super) fn key(slot: u16, index: u16) -> u32 {
    u32::from(slot) << 16 | u32::from(index)
}

/// Greater than every key.
pub(super) const NO_KEY: u32 = i32::MAX as u32;

/// For every lane the highest value so far, and the lowest key with this value.
pub(super) struct Best<L: Lanes> {
    pub(super) values: L::Floats,
    pub(super) keys: L::Words,
}

impl<L: Lanes> Best<L> {
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    pub(super) unsafe fn none() -> Self {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe { Self { values: L::splat(f32::NEG_INFINITY), keys: L::splat_words(NO_KEY) } }
    }

    /// Adds values. Each key must be greater than all keys added to its lane before.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    pub(super) unsafe fn add_later(&mut self, values: L::Floats, keys: L::Words) {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe {
            self.keys = L::if_higher(values, self.values, keys, self.keys);
            self.values = L::max(values, self.values);
        }
    }
}

impl<L: NarrowLanes> Best<L> {
    /// Adds values, ignoring NaN.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]).
    #[inline(always)]
    pub(super) unsafe fn add(&mut self, values: L::Floats, keys: L::Words) {
        // SAFETY: the caller guarantees the instructions of `L`.
        unsafe {
            let equal = L::if_equal(values, self.values, L::least(keys, self.keys), self.keys);
            self.keys = L::if_higher(values, self.values, keys, equal);
            self.values = L::max(values, self.values);
        }
    }
}
