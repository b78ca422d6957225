//! Several numbers at a time. The scans over children are written once against [`Lanes`] and compiled for AVX-512 and AVX2,
//! chosen at run time, for the SSE2 that every x86-64 has, and for any other machine. All round each operation alike, so
//! games do not depend on it.

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

/// Whether this machine has [`Avx2`], and the operations on bits that came with it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx2() -> bool {
    has_features!("avx2" "bmi1" "bmi2" "lzcnt")
}

/// Whether this machine has [`Avx512`], and the operations on bits that came before it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx512() -> bool {
    has_features!("avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi1" "bmi2" "lzcnt")
}

/// The most numbers a vector holds: what planes are rounded up to, so that all kinds scan them whole.
pub(crate) const MOST_LANES: usize = 16;
/// Children are kept in blocks of so many.
pub(crate) const BLOCK: usize = 8;

/// The operations of a scan, on vectors of [`Lanes::LANES`] numbers.
///
/// # Safety
/// Every function may be called only where the implementation's instructions exist, and inlined into a function
/// compiled for them. Pointers lead to a whole vector.
pub(crate) trait Lanes {
    /// How many numbers a vector holds: a divisor of [`MOST_LANES`].
    const LANES: usize;
    /// Floats.
    type Floats: Copy;
    /// Unsigned words.
    type Words: Copy;
    /// The vectors for children, of which there are few.
    type Narrow: NarrowLanes;

    unsafe fn load(from: *const u32) -> Self::Words;
    unsafe fn store(words: Self::Words, to: *mut u32);
    unsafe fn store_floats(floats: Self::Floats, to: *mut f32);
    unsafe fn splat_words(word: u32) -> Self::Words;
    unsafe fn splat(value: f32) -> Self::Floats;
    /// 0, 1, 2, …
    unsafe fn ascending() -> Self::Words;
    /// The floats whose bits the words are.
    unsafe fn as_floats(words: Self::Words) -> Self::Floats;
    /// The words, below 2³¹, as floats.
    unsafe fn to_floats(words: Self::Words) -> Self::Floats;
    unsafe fn sum(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn low_half(words: Self::Words) -> Self::Words;
    unsafe fn high_half(words: Self::Words) -> Self::Words;
    /// The low half in the place of the high one.
    unsafe fn low_half_up(words: Self::Words) -> Self::Words;
    /// `yes` where `a` > `b`, else `no`.
    unsafe fn if_higher(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words;
    /// Adds 16-bit numbers to those at `to`, as many as lanes; the sums, a word each.
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> Self::Words;
    /// Of words below 2¹⁶, the low byte.
    unsafe fn low_byte(words: Self::Words) -> Self::Words;
    /// Of words below 2¹⁶, the high byte.
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
    /// The greater of each pair; `b` where one is not a number.
    unsafe fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `yes` in the lanes whose bit is set in the `part`-th bits of `bits`, as many as lanes, counted from the lowest;
    /// else `no`.
    unsafe fn if_bit(bits: u32, part: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats;
    /// The entries of `table` that the lower halves of the words point to; anything for a word that points beyond its first
    /// `slots`.
    unsafe fn gather(
        table: &[f32; MAX_SLOTS],
        slots: usize,
        at: <Self::Narrow as Lanes>::Words,
    ) -> <Self::Narrow as Lanes>::Floats;
    /// Of the lanes that share one of the narrow vectors, the highest value and the least of the words below 2³¹ that go
    /// with it.
    unsafe fn narrow(
        values: Self::Floats,
        words: Self::Words,
    ) -> (<Self::Narrow as Lanes>::Floats, <Self::Narrow as Lanes>::Words);
}

/// What a scan of children needs besides, in vectors that divide a [`BLOCK`].
///
/// # Safety
/// As for [`Lanes`].
pub(crate) trait NarrowLanes: Lanes {
    /// The least of each pair of words below 2³¹.
    unsafe fn least(a: Self::Words, b: Self::Words) -> Self::Words;
    /// `yes` where `a` = `b`, else `no`.
    unsafe fn if_equal(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words;
    /// The least of the words, all below 2³¹, in the lanes of the highest value.
    unsafe fn best(values: Self::Floats, words: Self::Words) -> u32;
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `yes` in so many of the first lanes, else `no`.
    #[inline(always)]
    unsafe fn if_below(count: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats {
        // SAFETY: by contract.
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

    /// What operations make of awkward numbers, as bits, a vector at a time.
    #[derive(Default)]
    struct Made(Vec<[u32; MOST_LANES]>);

    impl Made {
        /// Notes a vector of the `at`-th operation, which begins at lane `from`.
        unsafe fn words<L: Lanes>(&mut self, at: usize, from: usize, words: L::Words) {
            let mut to = [0; MOST_LANES];
            // SAFETY: by contract; the array holds the longest vector.
            unsafe { L::store(words, to.as_mut_ptr()) };
            self.0.resize(self.0.len().max(at + 1), [0; MOST_LANES]);
            self.0[at][from..from + L::LANES].copy_from_slice(&to[..L::LANES]);
        }

        unsafe fn floats<L: Lanes>(&mut self, at: usize, from: usize, floats: L::Floats) {
            let mut to = [0.0; MOST_LANES];
            // SAFETY: as above.
            unsafe { L::store_floats(floats, to.as_mut_ptr()) };
            self.0.resize(self.0.len().max(at + 1), [0; MOST_LANES]);
            self.0[at][from..from + L::LANES].copy_from_slice(&to.map(f32::to_bits)[..L::LANES]);
        }
    }

    /// The operations of all vectors.
    unsafe fn all<L: Lanes>() -> Made {
        let mut made = Made::default();
        for from in (0..MOST_LANES).step_by(L::LANES) {
            // SAFETY: only called for implementations of this machine; arrays hold the longest vector.
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

    /// The operations of vectors for children.
    unsafe fn narrow<L: NarrowLanes>() -> Made {
        let mut made = Made::default();
        for from in (0..MOST_LANES).step_by(L::LANES) {
            // SAFETY: as above.
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

    /// Looks every slot up in tables of any length, whatever is in the upper halves.
    unsafe fn finds_every_slot<L: Lanes>() {
        let table: [f32; MAX_SLOTS] = std::array::from_fn(|i| i as f32 * 0.75);
        for slots in (MOST_LANES..=MAX_SLOTS).step_by(MOST_LANES) {
            for first in 0..slots {
                let at: [u32; MOST_LANES] =
                    std::array::from_fn(|i| ((first + 7 * i) % slots) as u32 | 0xa5a5 << 16);
                let mut found = [0.0; MOST_LANES];
                // SAFETY: as above.
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

    /// Narrowing finds the highest values and the least words that go with them.
    unsafe fn narrows<L: Lanes>() {
        let lanes = <L::Narrow as Lanes>::LANES;
        let values: [f32; MOST_LANES] = std::array::from_fn(|i| [0.5, 2.0, -1.0, 0.5, 3.0][i * 7 % 5]);
        let words: [u32; MOST_LANES] = std::array::from_fn(|i| [9, 4, 4, 1, 7, 2, 8][i * 5 % 7]);
        let (mut highest, mut least) = ([0.0; MOST_LANES], [0; MOST_LANES]);
        // SAFETY: as above.
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
        // SAFETY: plain arrays need nothing, every x86-64 has SSE2, and the others are asked for.
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
        // SAFETY: as above.
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
        // SAFETY: plain arrays need nothing.
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
