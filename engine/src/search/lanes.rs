//! Several numbers at a time. The scans over children are written once against [`Lanes`] and compiled for AVX2, chosen at
//! run time, for the SSE2 that every x86-64 has, and for any other machine. All round each operation alike, so
//! games do not depend on it.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

use crate::game::MAX_SLOTS;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::Portable as Baseline;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse2::Sse2 as Baseline;

/// Whether this machine has [`Avx2`], and the operations on bits that came with it.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx2() -> bool {
    macro_rules! has {
        ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    has!("avx2" "bmi1" "bmi2" "lzcnt")
}

/// The most numbers a vector holds: what planes are rounded up to, so that all kinds scan them whole.
pub(crate) const MOST_LANES: usize = 8;

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
    /// The least of each pair of words below 2³¹.
    unsafe fn least(a: Self::Words, b: Self::Words) -> Self::Words;
    /// `yes` where `a` > `b`, else `no`.
    unsafe fn if_higher(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words;
    /// `yes` where `a` = `b`, else `no`.
    unsafe fn if_equal(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words;
    /// The least of the words, all below 2³¹, in the lanes of the highest value.
    unsafe fn best(values: Self::Floats, words: Self::Words) -> u32;
    /// Adds 16-bit numbers to those at `to`, as many as lanes; the sums, a word each.
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> Self::Words;
    /// Of words below 2¹⁶, the low byte.
    unsafe fn low_byte(words: Self::Words) -> Self::Words;
    /// Of words below 2¹⁶, the high byte.
    unsafe fn high_byte(words: Self::Words) -> Self::Words;
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats;
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
    /// The entries of `table` that the lower halves of the words point to; anything for a word that points beyond it.
    unsafe fn gather(table: &[f32; MAX_SLOTS], at: Self::Words) -> Self::Floats;
}

#[cfg(test)]
mod tests {
    use super::portable::Portable;
    use super::*;

    /// Every operation on awkward numbers, as bits.
    unsafe fn all<L: Lanes>() -> Vec<[u32; MOST_LANES]> {
        let a: [u32; MOST_LANES] = [0, 1, 0xffff, 0x1_0000, 0x7fff_0007, 3, 0x0002_0003, 99];
        let b: [u32; MOST_LANES] = [1, 1, 0xffff, 7, 0x0001_0001, 0, 12, 0x00ff_00ff];
        let slots: [u32; MOST_LANES] = [0, 31, 5, 5, 32, 287, 1, 270].map(|slot| slot | 3 << 16);
        let table: [f32; MAX_SLOTS] = std::array::from_fn(|i| i as f32 * 0.75);
        let mut out: Vec<[u32; MOST_LANES]> = Vec::new();
        for from in (0..MOST_LANES).step_by(L::LANES) {
            let mut made = 0;
            let mut note = |lanes: &[u32; MOST_LANES]| {
                if from == 0 {
                    out.push([0; MOST_LANES]);
                }
                out[made][from..from + L::LANES].copy_from_slice(&lanes[..L::LANES]);
                made += 1;
            };
            // SAFETY: only called for implementations of this machine; arrays hold the longest vector.
            unsafe {
                let (a, b) = (L::load(a[from..].as_ptr()), L::load(b[from..].as_ptr()));
                let (x, y) = (L::to_floats(a), L::add(L::to_floats(b), L::splat(0.5)));
                let mut to = [0; MOST_LANES];
                for words in [L::low_half(a), L::high_half(a), L::sum(L::low_half(a), b)] {
                    L::store(words, to.as_mut_ptr());
                    note(&to);
                }
                let mut pairs: [u16; MOST_LANES] = std::array::from_fn(|i| 0x0101 * i as u16);
                let credit = [1 | 1 << 8, 1, 0, 0x0fff, 2, 3, 0xff00, 0xffff];
                let sums = L::add_pairs(pairs[from..].as_mut_ptr(), credit[from..].as_ptr());
                for words in [
                    sums,
                    L::low_byte(sums),
                    L::high_byte(sums),
                    L::low_half_up(a),
                    L::splat_words(7),
                    L::least(L::low_half(a), L::low_half(b)),
                    L::if_higher(x, y, a, b),
                    L::if_equal(x, L::splat(3.0), a, b),
                    L::if_equal(L::splat(0.0), L::splat(-0.0), a, b),
                ] {
                    L::store(words, to.as_mut_ptr());
                    note(&to);
                }
                note(&std::array::from_fn(|i| pairs[(from + i) % MOST_LANES].into()));
                let floats = [
                    L::div(x, y),
                    L::mul(x, y),
                    L::as_floats(a),
                    L::if_greater(x, y, L::splat(1.0), L::splat(-1.0)),
                    L::if_bit(0b1010_0110, from / L::LANES, x, y),
                    L::if_bit(0b1010_0110 << 16, (16 + from) / L::LANES, x, y),
                    L::max(x, y),
                    L::gather(&table, L::load(slots[from..].as_ptr())),
                ];
                for lanes in floats {
                    let mut to = [0.0; MOST_LANES];
                    L::store_floats(lanes, to.as_mut_ptr());
                    note(&to.map(f32::to_bits));
                }
                let mut ascending = [0; MOST_LANES];
                L::store(L::ascending(), ascending.as_mut_ptr());
                let expected: [u32; MOST_LANES] =
                    std::array::from_fn(|i| if i < L::LANES { i as u32 } else { 0 });
                assert_eq!(ascending, expected);
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
        out
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_of_every_kind_compute_the_same_bits() {
        // SAFETY: plain arrays need nothing.
        let expected = unsafe { all::<Portable>() };
        // SAFETY: every x86-64 has SSE2.
        unsafe { assert_eq!(all::<sse2::Sse2>(), expected) }
        if has_avx2() {
            // SAFETY: just detected.
            unsafe { assert_eq!(all::<Avx2>(), expected) }
        }
    }

    #[test]
    fn halves_and_bits_mean_what_they_say() {
        // SAFETY: plain arrays need nothing.
        let out = unsafe { all::<Portable>() };
        assert_eq!(out[0], [0, 1, 0xffff, 0, 7, 3, 3, 99]);
        assert_eq!(out[1], [0, 0, 0, 1, 0x7fff, 0, 2, 0]);
        assert_eq!(out[3], [0x101, 0x102, 0x202, 0x1302, 0x406, 0x508, 0x0506, 0x0706], "sums of 16 bits");
        assert_eq!((out[4][3], out[5][3]), (0x02, 0x13));
        assert_eq!(out[6][4], 0x0007_0000);
        assert_eq!(out[8], [0, 1, 0xffff, 0, 1, 0, 3, 99], "the least");
        assert_eq!((out[9][0], out[9][2]), (1, 0xffff));
        assert_eq!((out[10][5], out[10][4]), (3, 0x0001_0001), "where it is 3");
        assert_eq!(out[11][4], 0x7fff_0007, "zeros are equal");
        assert_eq!(out[12], out[3], "sums are written down");
        assert_eq!(f32::from_bits(out[13][1]), 1.0 / 1.5);
        assert_eq!([0, 1].map(|i| f32::from_bits(out[17][i])), [1.5, 1.0], "bits 0 and 1 of the lowest part");
        assert_eq!(out[17], out[18], "the same bits in another part");
        assert_eq!([1, 5, 7].map(|i| f32::from_bits(out[20][i])), [23.25, 215.25, 202.5]);
    }
}
