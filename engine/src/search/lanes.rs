//! SIMD vectors. The scans over children are written once, against [`Lanes`]. On x86-64 they are compiled for AVX-512,
//! AVX2 and SSE2, and the CPU's features decide at run time which version runs. Other machines use plain arrays. All
//! implementations round every operation alike, so that a game does not depend on the machine.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

use super::slots::MAX_SLOTS;
#[cfg(target_arch = "x86_64")]
use crate::cpu::has_features;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::Portable as Baseline;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse2::Sse2 as Baseline;

/// Whether this CPU has the instructions of [`Avx2`] and the bit operations that functions compiled for it may use.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx2() -> bool {
    has_features!("avx2" "bmi1" "bmi2" "lzcnt")
}

/// Whether this CPU has the instructions of [`Avx512`] and the bit operations that functions compiled for it may use.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx512() -> bool {
    has_features!("avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi1" "bmi2" "lzcnt")
}

/// Lanes of the widest vector. Planes of slots are rounded up to a multiple of it, so that every implementation scans
/// whole vectors.
pub(crate) const MOST_LANES: usize = 16;
/// Children of a node are stored in blocks of this many.
pub(crate) const BLOCK: usize = 8;

/// The operations of a scan, on vectors of [`Lanes::LANES`] numbers.
///
/// # Safety
/// For every function, the CPU has the instructions of the implementation, and the call is inlined into a function
/// compiled for them (`target_feature`). A `*const` pointer leads to [`Lanes::LANES`] numbers that can be read, a
/// `*mut` pointer to as many that can be read and written. Pointers need the alignment of one number only.
pub(crate) trait Lanes {
    /// How many numbers a vector holds: a divisor of [`MOST_LANES`].
    const LANES: usize;
    /// Floats.
    type Floats: Copy;
    /// Unsigned words.
    type Words: Copy;
    /// The vectors that scan children. A node has few children, so these may be shorter.
    type Narrow: NarrowLanes;

    unsafe fn load(from: *const u32) -> Self::Words;
    unsafe fn store(words: Self::Words, to: *mut u32);
    unsafe fn store_floats(floats: Self::Floats, to: *mut f32);
    unsafe fn splat_words(word: u32) -> Self::Words;
    unsafe fn splat(value: f32) -> Self::Floats;
    /// 0, 1, 2, …
    unsafe fn ascending() -> Self::Words;
    /// The words, reinterpreted as floats.
    unsafe fn as_floats(words: Self::Words) -> Self::Floats;
    /// The words, converted to floats. All are below 2³¹.
    unsafe fn to_floats(words: Self::Words) -> Self::Floats;
    unsafe fn sum(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn low_half(words: Self::Words) -> Self::Words;
    unsafe fn high_half(words: Self::Words) -> Self::Words;
    /// The words shifted left by 16 bits.
    unsafe fn low_half_up(words: Self::Words) -> Self::Words;
    /// `yes` where `a` > `b`, else `no`.
    unsafe fn if_higher(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words;
    /// Adds [`Lanes::LANES`] 16-bit numbers to those at `to`. Returns the sums as words.
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> Self::Words;
    /// The low byte of words below 2¹⁶.
    unsafe fn low_byte(words: Self::Words) -> Self::Words;
    /// The high byte of words below 2¹⁶.
    unsafe fn high_byte(words: Self::Words) -> Self::Words;
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `yes` where `a` > `b`, else `no`.
    unsafe fn if_greater(
        a: Self::Floats,
        b: Self::Floats,
        yes: Self::Floats,
        no: Self::Floats,
    ) -> Self::Floats;
    /// The greater of each pair; `b` where either is NaN.
    unsafe fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Splits `bits`, from the lowest bit on, into parts of [`Lanes::LANES`] bits. Takes `yes` in the lanes whose bit
    /// is set in part number `part`, else `no`.
    unsafe fn if_bit(bits: u32, part: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats;
    /// The entries of `table` at the indices in the low halves of the words. For an index of `slots` or more, any
    /// value.
    unsafe fn gather(
        table: &[f32; MAX_SLOTS],
        slots: usize,
        at: <Self::Narrow as Lanes>::Words,
    ) -> <Self::Narrow as Lanes>::Floats;
    /// Folds a vector to the width of [`Lanes::Narrow`]: of the lanes that fall together, the highest value and the
    /// least of the words with that value. All words are below 2³¹.
    unsafe fn narrow(
        values: Self::Floats,
        words: Self::Words,
    ) -> (<Self::Narrow as Lanes>::Floats, <Self::Narrow as Lanes>::Words);
}

/// Further operations for scans of children. Their number of lanes divides [`BLOCK`].
///
/// # Safety
/// For every function, that of [`Lanes`].
pub(crate) trait NarrowLanes: Lanes {
    /// The lesser word of each pair. All words are below 2³¹.
    unsafe fn least(a: Self::Words, b: Self::Words) -> Self::Words;
    /// `yes` where `a` = `b`, else `no`.
    unsafe fn if_equal(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words;
    /// The least of the words in the lanes of the highest value. All words are below 2³¹.
    unsafe fn best(values: Self::Floats, words: Self::Words) -> u32;
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `yes` in the first `count` lanes, else `no`.
    #[inline(always)]
    unsafe fn if_below(count: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats {
        // SAFETY: callers of `NarrowLanes` guarantee its instructions.
        unsafe { Self::if_greater(Self::splat(count as f32), Self::to_floats(Self::ascending()), yes, no) }
    }
}

#[cfg(test)]
mod tests {
    use super::portable::Portable;
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::can_test;

    const A: [u32; MOST_LANES] = [
        0,
        1,
        0xffff,
        0x1_0000,
        0x7fff_0007,
        3,
        0x0002_0003,
        99,
        7,
        8,
        0x00ff_0000,
        1 << 30,
        255,
        256,
        12,
        0,
    ];
    const B: [u32; MOST_LANES] =
        [1, 1, 0xffff, 7, 0x0001_0001, 0, 12, 0x00ff_00ff, 6, 8, 0x0100_0000, 1 << 29, 256, 255, 99, 0];

    /// The results of the operations on edge cases, as bits: one row of lanes for each operation.
    #[derive(Default)]
    struct Made(Vec<[u32; MOST_LANES]>);

    impl Made {
        /// Stores a result of operation number `at` from lane `from` on.
        ///
        /// # Safety
        /// The CPU has the instructions of `L`.
        unsafe fn words<L: Lanes>(&mut self, at: usize, from: usize, words: L::Words) {
            let mut to = [0; MOST_LANES];
            // SAFETY: the caller guarantees the instructions of `L`; `to` holds `MOST_LANES` numbers, the longest
            // vector.
            unsafe { L::store(words, to.as_mut_ptr()) };
            self.0.resize(self.0.len().max(at + 1), [0; MOST_LANES]);
            self.0[at][from..from + L::LANES].copy_from_slice(&to[..L::LANES]);
        }

        /// [`Made::words`] for floats.
        ///
        /// # Safety
        /// The CPU has the instructions of `L`.
        unsafe fn floats<L: Lanes>(&mut self, at: usize, from: usize, floats: L::Floats) {
            let mut to = [0.0; MOST_LANES];
            // SAFETY: the caller guarantees the instructions of `L`; `to` holds `MOST_LANES` numbers, the longest
            // vector.
            unsafe { L::store_floats(floats, to.as_mut_ptr()) };
            self.0.resize(self.0.len().max(at + 1), [0; MOST_LANES]);
            self.0[at][from..from + L::LANES].copy_from_slice(&to.map(f32::to_bits)[..L::LANES]);
        }
    }

    /// The results of all operations of [`Lanes`] but those of [`finds_every_slot`] and [`narrows`].
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn all<L: Lanes>() -> Made {
        let mut made = Made::default();
        for from in (0..MOST_LANES).step_by(L::LANES) {
            // SAFETY: the caller guarantees the instructions of `L`; from `from` on every array holds a whole vector.
            unsafe {
                let (a, b) = (L::load(A[from..].as_ptr()), L::load(B[from..].as_ptr()));
                let (x, y) = (L::to_floats(a), L::add(L::to_floats(b), L::splat(0.5)));
                let mut pairs: [u16; 2 * MOST_LANES] = std::array::from_fn(|i| 0x0101 * i as u16);
                let credit: [u16; MOST_LANES] = std::array::from_fn(|i| B[i] as u16);
                let sums = L::add_pairs(pairs[from..].as_mut_ptr(), credit[from..].as_ptr());
                let written: [u32; MOST_LANES] = std::array::from_fn(|i| pairs[from + i].into());
                let words = [
                    L::low_half(a),
                    L::high_half(a),
                    L::sum(L::low_half(a), b),
                    L::low_half_up(a),
                    L::splat_words(7),
                    L::if_higher(x, y, a, b),
                    sums,
                    L::load(written.as_ptr()),
                    L::low_byte(sums),
                    L::high_byte(sums),
                ];
                for (at, words) in words.into_iter().enumerate() {
                    made.words::<L>(at, from, words);
                }
                let floats = [
                    L::div(x, y),
                    L::as_floats(a),
                    L::if_greater(x, y, L::splat(1.0), L::splat(-1.0)),
                    L::if_bit(0b1100_0011_1010_0110, from / L::LANES, x, y),
                    L::if_bit(0b1100_0011_1010_0110 << 16, (16 + from) / L::LANES, x, y),
                    L::max(x, y),
                    L::max(L::splat(f32::NAN), y),
                ];
                for (at, floats) in floats.into_iter().enumerate() {
                    made.floats::<L>(words.len() + at, from, floats);
                }
                let mut ascending = [0; MOST_LANES];
                L::store(L::ascending(), ascending.as_mut_ptr());
                assert!((0..L::LANES).all(|i| ascending[i] == i as u32));
            }
        }
        made
    }

    /// The results of the operations of [`NarrowLanes`].
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn narrow<L: NarrowLanes>() -> Made {
        let mut made = Made::default();
        for from in (0..MOST_LANES).step_by(L::LANES) {
            // SAFETY: the caller guarantees the instructions of `L`; from `from` on every array holds a whole vector.
            unsafe {
                let (a, b) = (L::load(A[from..].as_ptr()), L::load(B[from..].as_ptr()));
                let (x, y) = (L::to_floats(a), L::to_floats(b));
                let words = [
                    L::least(L::low_half(a), L::low_half(b)),
                    L::if_equal(x, L::splat(3.0), a, b),
                    L::if_equal(L::splat(0.0), L::splat(-0.0), a, b),
                ];
                for (at, words) in words.into_iter().enumerate() {
                    made.words::<L>(at, from, words);
                }
                made.floats::<L>(words.len(), from, L::mul(x, y));
                for count in 0..=L::LANES + 1 {
                    let mut below = [0.0; MOST_LANES];
                    let first = L::if_below(count, L::splat(1.0), L::splat(f32::NAN));
                    L::store_floats(first, below.as_mut_ptr());
                    assert!((0..L::LANES).all(|i| (below[i] == 1.0) == (i < count)), "{count} of {below:?}");
                }
                for highest in 0..L::LANES {
                    let (mut values, mut keys) = ([-7.5_f32; MOST_LANES], [1; MOST_LANES]);
                    (values[highest], keys[highest]) = (-1.25, 9);
                    let load =
                        |values: [f32; MOST_LANES]| L::as_floats(L::load(values.map(f32::to_bits).as_ptr()));
                    assert_eq!(L::best(load(values), L::load(keys.as_ptr())), 9);
                    let other = (highest + 1) % L::LANES;
                    (values[other], keys[other]) = (-1.25, 8);
                    assert_eq!(L::best(load(values), L::load(keys.as_ptr())), 8, "the least of equals");
                }
            }
        }
        made
    }

    /// Checks the lookup of every slot in tables of every length. The high halves of the words must not matter.
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn finds_every_slot<L: Lanes>() {
        let table: [f32; MAX_SLOTS] = std::array::from_fn(|i| i as f32 * 0.75);
        for slots in (MOST_LANES..=MAX_SLOTS).step_by(MOST_LANES) {
            for first in 0..slots {
                let at: [u32; MOST_LANES] =
                    std::array::from_fn(|i| ((first + 7 * i) % slots) as u32 | 0xa5a5 << 16);
                let mut found = [0.0; MOST_LANES];
                // SAFETY: the caller guarantees the instructions of `L`; both arrays hold the longest vector.
                unsafe {
                    let at = L::Narrow::load(at.as_ptr());
                    L::Narrow::store_floats(L::gather(&table, slots, at), found.as_mut_ptr());
                }
                for (found, at) in found.iter().zip(at).take(<L::Narrow as Lanes>::LANES) {
                    assert_eq!(*found, (at & 0xffff) as f32 * 0.75, "of {slots} slots");
                }
            }
        }
    }

    /// Checks that narrowing finds the highest values and the least words with them.
    ///
    /// # Safety
    /// The CPU has the instructions of `L`.
    unsafe fn narrows<L: Lanes>() {
        let lanes = <L::Narrow as Lanes>::LANES;
        let values: [f32; MOST_LANES] = std::array::from_fn(|i| [0.5, 2.0, -1.0, 0.5, 3.0][i * 7 % 5]);
        let words: [u32; MOST_LANES] = std::array::from_fn(|i| [9, 4, 4, 1, 7, 2, 8][i * 5 % 7]);
        let (mut highest, mut least) = ([0.0; MOST_LANES], [0; MOST_LANES]);
        // SAFETY: the caller guarantees the instructions of `L`; all arrays hold the longest vector.
        unsafe {
            let wide = L::as_floats(L::load(values.map(f32::to_bits).as_ptr()));
            let (values, words) = L::narrow(wide, L::load(words.as_ptr()));
            L::Narrow::store_floats(values, highest.as_mut_ptr());
            L::Narrow::store(words, least.as_mut_ptr());
        }
        for lane in 0..lanes {
            let sharing = || (lane..L::LANES).step_by(lanes);
            let most = sharing().map(|i| values[i]).fold(f32::NEG_INFINITY, f32::max);
            let word = sharing().filter(|&i| values[i] == most).map(|i| words[i]).min();
            assert_eq!((highest[lane], Some(least[lane])), (most, word));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_of_every_kind_compute_the_same_bits() {
        // SAFETY: plain arrays need no instructions and every x86-64 has SSE2; `can_test` is true only with the others.
        unsafe {
            let expected = (all::<Portable>().0, narrow::<Portable>().0);
            assert_eq!((all::<sse2::Sse2>().0, narrow::<sse2::Sse2>().0), expected);
            if can_test("AVX2", has_avx2()) {
                assert_eq!((all::<Avx2>().0, narrow::<Avx2>().0), expected);
            }
            if can_test("AVX-512", has_avx512()) {
                assert_eq!(all::<Avx512>().0, expected.0);
            }
        }
    }

    #[test]
    fn vectors_of_every_kind_find_and_narrow() {
        // SAFETY: every CPU of the target has the instructions of `Baseline`; `can_test` is true only with the others.
        unsafe {
            finds_every_slot::<Baseline>();
            narrows::<Baseline>();
            #[cfg(target_arch = "x86_64")]
            if can_test("AVX2", has_avx2()) {
                finds_every_slot::<Avx2>();
                narrows::<Avx2>();
            }
            #[cfg(target_arch = "x86_64")]
            if can_test("AVX-512", has_avx512()) {
                finds_every_slot::<Avx512>();
                narrows::<Avx512>();
            }
        }
    }

    #[test]
    fn halves_and_bits_mean_what_they_say() {
        // SAFETY: plain arrays need no instructions.
        let (all, few) = unsafe { (all::<Portable>().0, narrow::<Portable>().0) };
        assert_eq!(all[0][..8], [0, 1, 0xffff, 0, 7, 3, 3, 99]);
        assert_eq!(all[1][..8], [0, 0, 0, 1, 0x7fff, 0, 2, 0]);
        assert_eq!(all[3][4], 0x0007_0000);
        assert_eq!((all[5][5], all[5][4], all[5][6]), (3, 0x7fff_0007, 0x0002_0003), "the higher one's");
        assert_eq!(all[6][..8], [0x1, 0x102, 0x201, 0x30a, 0x405, 0x505, 0x612, 0x806], "sums of 16 bits");
        assert_eq!(all[7], all[6], "sums are written down");
        assert_eq!((all[8][3], all[9][3]), (0x0a, 0x03));
        assert_eq!(f32::from_bits(all[10][1]), 1.0 / 1.5);
        assert_eq!([0, 1].map(|i| f32::from_bits(all[13][i])), [1.5, 1.0], "bits 0 and 1 of the lowest part");
        assert_eq!(all[13], all[14], "the same bits in another part");
        assert_eq!(f32::from_bits(all[16][0]), 1.5, "the one that is a number");
        assert_eq!(few[0][..8], [0, 1, 0xffff, 0, 1, 0, 3, 99], "the least");
        assert_eq!((few[1][5], few[1][4]), (3, 0x0001_0001), "where it is 3");
        assert_eq!(few[2], A, "zeros are equal");
        assert_eq!(f32::from_bits(few[3][6]), 131_075.0 * 12.0);
    }
}
