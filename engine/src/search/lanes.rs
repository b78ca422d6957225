//! Eight numbers at a time. The scans over children are written once against [`Lanes`] and compiled twice: for AVX2,
//! chosen at run time, and for every other machine. Both round each operation alike, so games do not depend on it.

use crate::game::MAX_SLOTS;

/// How many numbers a vector holds.
pub(crate) const LANES: usize = 8;

/// The operations of a scan, on vectors of [`LANES`] numbers.
///
/// # Safety
/// Every function may be called only where the implementation's instructions exist, and inlined into a function
/// compiled for them.
pub(crate) trait Lanes {
    /// Floats.
    type Floats: Copy;
    /// Unsigned words.
    type Words: Copy;

    unsafe fn load(from: &[u32; LANES]) -> Self::Words;
    /// The words where `a` > `b`, else 0.
    unsafe fn load_if_greater(a: Self::Floats, b: Self::Floats, from: &[u32; LANES]) -> Self::Words;
    unsafe fn store(words: Self::Words, to: &mut [u32; LANES]);
    unsafe fn store_floats(floats: Self::Floats, to: &mut [f32; LANES]);
    unsafe fn splat(value: f32) -> Self::Floats;
    /// 0, 1, 2, …
    unsafe fn ascending() -> Self::Floats;
    /// The floats whose bits the words are.
    unsafe fn as_floats(words: Self::Words) -> Self::Floats;
    /// The words, below 2³¹, as floats.
    unsafe fn to_floats(words: Self::Words) -> Self::Floats;
    unsafe fn sum(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn low_half(words: Self::Words) -> Self::Words;
    unsafe fn high_half(words: Self::Words) -> Self::Words;
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
    /// `yes` in the lanes whose bit is set in the `byte`-th byte of `bits`, counted from the lowest, else `no`.
    unsafe fn if_bit(bits: u32, byte: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats;
    /// The highest value of all lanes and the lowest of its places.
    unsafe fn best(values: Self::Floats, places: Self::Floats) -> (f32, f32);
    /// The entries of `table` that the words, all below its length, point to.
    unsafe fn gather(table: &[f32; MAX_SLOTS], at: Self::Words) -> Self::Floats;
    /// Lane by lane the pair (value, place) with the higher value, of equal values the one with the lower place.
    unsafe fn better(
        a: (Self::Floats, Self::Floats),
        b: (Self::Floats, Self::Floats),
    ) -> (Self::Floats, Self::Floats);
}

/// Plain arrays, for any machine.
pub(crate) struct Portable;

macro_rules! lanewise {
    ($lane:ident => $value:expr) => {
        std::array::from_fn(|$lane| $value)
    };
}

impl Lanes for Portable {
    type Floats = [f32; LANES];
    type Words = [u32; LANES];

    #[inline(always)]
    unsafe fn load(from: &[u32; LANES]) -> Self::Words {
        *from
    }
    #[inline(always)]
    unsafe fn load_if_greater(a: Self::Floats, b: Self::Floats, from: &[u32; LANES]) -> Self::Words {
        lanewise!(i => if a[i] > b[i] { from[i] } else { 0 })
    }
    #[inline(always)]
    unsafe fn store(words: Self::Words, to: &mut [u32; LANES]) {
        *to = words;
    }
    #[inline(always)]
    unsafe fn store_floats(floats: Self::Floats, to: &mut [f32; LANES]) {
        *to = floats;
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self::Floats {
        [value; LANES]
    }
    #[inline(always)]
    unsafe fn ascending() -> Self::Floats {
        lanewise!(i => i as f32)
    }
    #[inline(always)]
    unsafe fn as_floats(words: Self::Words) -> Self::Floats {
        lanewise!(i => f32::from_bits(words[i]))
    }
    #[inline(always)]
    unsafe fn to_floats(words: Self::Words) -> Self::Floats {
        lanewise!(i => words[i] as i32 as f32)
    }
    #[inline(always)]
    unsafe fn sum(a: Self::Words, b: Self::Words) -> Self::Words {
        lanewise!(i => a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    unsafe fn low_half(words: Self::Words) -> Self::Words {
        lanewise!(i => words[i] & 0xffff)
    }
    #[inline(always)]
    unsafe fn high_half(words: Self::Words) -> Self::Words {
        lanewise!(i => words[i] >> 16)
    }
    #[inline(always)]
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        lanewise!(i => a[i] + b[i])
    }
    #[inline(always)]
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        lanewise!(i => a[i] * b[i])
    }
    #[inline(always)]
    unsafe fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        lanewise!(i => a[i] / b[i])
    }
    #[inline(always)]
    unsafe fn if_greater(
        a: Self::Floats,
        b: Self::Floats,
        yes: Self::Floats,
        no: Self::Floats,
    ) -> Self::Floats {
        lanewise!(i => if a[i] > b[i] { yes[i] } else { no[i] })
    }
    #[inline(always)]
    unsafe fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        lanewise!(i => if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    unsafe fn if_bit(bits: u32, byte: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats {
        lanewise!(i => if bits >> (8 * byte + i) & 1 == 1 { yes[i] } else { no[i] })
    }
    #[inline(always)]
    unsafe fn best(values: Self::Floats, places: Self::Floats) -> (f32, f32) {
        let pairs = values.into_iter().zip(places);
        let better =
            |a: (f32, f32), b: (f32, f32)| if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a };
        pairs.fold((f32::NEG_INFINITY, f32::INFINITY), better)
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], at: Self::Words) -> Self::Floats {
        lanewise!(i => table[at[i] as usize])
    }
    #[inline(always)]
    unsafe fn better(
        a: (Self::Floats, Self::Floats),
        b: (Self::Floats, Self::Floats),
    ) -> (Self::Floats, Self::Floats) {
        let second: [bool; LANES] = lanewise!(i => b.0[i] > a.0[i] || (b.0[i] == a.0[i] && b.1[i] < a.1[i]));
        (
            lanewise!(i => if second[i] { b.0[i] } else { a.0[i] }),
            lanewise!(i => if second[i] { b.1[i] } else { a.1[i] }),
        )
    }
}

/// AVX2 vectors.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Avx2, LANES, Lanes, MAX_SLOTS};
    use std::arch::x86_64::*;

    // Unaligned loads and stores of whole arrays; everything else is arithmetic on registers. The caller vouches for
    // the instructions (see the trait).
    impl Lanes for Avx2 {
        type Floats = __m256;
        type Words = __m256i;

        #[inline(always)]
        unsafe fn load(from: &[u32; LANES]) -> __m256i {
            // SAFETY: reads exactly the array.
            unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
        }
        #[inline(always)]
        unsafe fn load_if_greater(a: __m256, b: __m256, from: &[u32; LANES]) -> __m256i {
            // SAFETY: as above.
            unsafe {
                _mm256_and_si256(_mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)), Self::load(from))
            }
        }
        #[inline(always)]
        unsafe fn store(words: __m256i, to: &mut [u32; LANES]) {
            // SAFETY: writes exactly the array.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), words) }
        }
        #[inline(always)]
        unsafe fn store_floats(floats: __m256, to: &mut [f32; LANES]) {
            // SAFETY: writes exactly the array.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), floats) }
        }
        #[inline(always)]
        unsafe fn splat(value: f32) -> __m256 {
            // SAFETY: by contract, as in all functions below.
            unsafe { _mm256_set1_ps(value) }
        }
        #[inline(always)]
        unsafe fn ascending() -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_setr_ps(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0) }
        }
        #[inline(always)]
        unsafe fn as_floats(words: __m256i) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_castsi256_ps(words) }
        }
        #[inline(always)]
        unsafe fn to_floats(words: __m256i) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_cvtepi32_ps(words) }
        }
        #[inline(always)]
        unsafe fn sum(a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: as above.
            unsafe { _mm256_add_epi32(a, b) }
        }
        #[inline(always)]
        unsafe fn low_half(words: __m256i) -> __m256i {
            // SAFETY: as above.
            unsafe { _mm256_and_si256(words, _mm256_set1_epi32(0xffff)) }
        }
        #[inline(always)]
        unsafe fn high_half(words: __m256i) -> __m256i {
            // SAFETY: as above.
            unsafe { _mm256_srli_epi32::<16>(words) }
        }
        #[inline(always)]
        unsafe fn add(a: __m256, b: __m256) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_add_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn mul(a: __m256, b: __m256) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_mul_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn div(a: __m256, b: __m256) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_div_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn if_greater(a: __m256, b: __m256, yes: __m256, no: __m256) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_blendv_ps(no, yes, _mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) }
        }
        #[inline(always)]
        unsafe fn max(a: __m256, b: __m256) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_max_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn if_bit(bits: u32, byte: usize, yes: __m256, no: __m256) -> __m256 {
            /// The bit of each lane, by byte.
            const BITS: [[u32; LANES]; 4] = {
                let mut bits = [[0; LANES]; 4];
                let mut bit = 0;
                while bit < 32 {
                    bits[bit / LANES][bit % LANES] = 1 << bit;
                    bit += 1;
                }
                bits
            };
            // SAFETY: as above.
            unsafe {
                let lane = Self::load(&BITS[byte]);
                let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
                _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lane)))
            }
        }
        #[inline(always)]
        unsafe fn best(values: __m256, places: __m256) -> (f32, f32) {
            // SAFETY: as above.
            unsafe {
                // Halves, then pairs, then neighbours change places: every lane meets every other.
                let max = _mm256_max_ps(values, _mm256_permute2f128_ps::<1>(values, values));
                let max = _mm256_max_ps(max, _mm256_permute_ps::<0b01_00_11_10>(max));
                let max = _mm256_max_ps(max, _mm256_permute_ps::<0b10_11_00_01>(max));
                let best = _mm256_cmp_ps::<_CMP_EQ_OQ>(values, max);
                let min = _mm256_blendv_ps(Self::splat(f32::INFINITY), places, best);
                let min = _mm256_min_ps(min, _mm256_permute2f128_ps::<1>(min, min));
                let min = _mm256_min_ps(min, _mm256_permute_ps::<0b01_00_11_10>(min));
                let min = _mm256_min_ps(min, _mm256_permute_ps::<0b10_11_00_01>(min));
                (_mm256_cvtss_f32(max), _mm256_cvtss_f32(min))
            }
        }
        #[inline(always)]
        unsafe fn gather(table: &[f32; MAX_SLOTS], at: __m256i) -> __m256 {
            // SAFETY: the words point into the table by contract.
            unsafe { _mm256_i32gather_ps::<4>(table.as_ptr(), at) }
        }
        #[inline(always)]
        unsafe fn better(a: (__m256, __m256), b: (__m256, __m256)) -> (__m256, __m256) {
            // SAFETY: as above.
            unsafe {
                let equal = _mm256_cmp_ps::<_CMP_EQ_OQ>(b.0, a.0);
                let lower = _mm256_and_ps(equal, _mm256_cmp_ps::<_CMP_LT_OQ>(b.1, a.1));
                let second = _mm256_or_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(b.0, a.0), lower);
                (_mm256_blendv_ps(a.0, b.0, second), _mm256_blendv_ps(a.1, b.1, second))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on awkward numbers, as bits.
    unsafe fn all<L: Lanes>() -> Vec<[u32; LANES]> {
        let a = [0, 1, 0xffff, 0x1_0000, 0x7fff_0007, 3, 0x0002_0003, 99];
        let b = [1, 1, 0xffff, 7, 0x0001_0001, 0, 12, 0x00ff_00ff];
        let mut out = Vec::new();
        // SAFETY: only called for implementations of this machine.
        unsafe {
            let (a, b) = (L::load(&a), L::load(&b));
            let (x, y) = (L::to_floats(a), L::add(L::to_floats(b), L::splat(0.5)));
            let mut word = |words| {
                let mut to = [0; LANES];
                L::store(words, &mut to);
                out.push(to);
            };
            word(L::low_half(a));
            word(L::high_half(a));
            word(L::sum(L::low_half(a), b));
            let mut float = |floats| {
                let mut to = [0.0; LANES];
                L::store_floats(floats, &mut to);
                out.push(to.map(f32::to_bits));
            };
            float(L::div(x, y));
            float(L::mul(x, y));
            float(L::ascending());
            float(L::as_floats(a));
            float(L::if_greater(x, y, L::splat(1.0), L::splat(-1.0)));
            float(L::if_bit(0b1010_0110, 0, x, y));
            let table = std::array::from_fn(|i| i as f32 * 0.75);
            float(L::gather(&table, L::load(&[0, 287, 5, 5, 100, 33, 1, 2])));
            let (value, place) = L::better((L::splat(1.5), L::splat(3.0)), (x, L::ascending()));
            float(value);
            float(place);
            float(L::better((L::splat(1.0), L::splat(3.0)), (L::splat(1.0), L::ascending())).1);
            float(L::if_bit(0b1010_0110 << 16, 2, x, y));
            float(L::max(x, y));
            let (value, place) = L::best(x, y);
            float(L::splat(value));
            float(L::splat(place));
            let (value, place) = L::best(L::splat(2.0), L::ascending());
            float(L::add(L::splat(value), L::splat(place)));
            float(L::as_floats(L::load_if_greater(x, y, &[5, 6, 7, 8, 9, 10, 11, 12])));
        }
        out
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_of_every_kind_compute_the_same_bits() {
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: just detected.
            unsafe { assert_eq!(all::<Avx2>(), all::<Portable>()) }
        }
    }

    #[test]
    fn halves_and_bits_mean_what_they_say() {
        // SAFETY: plain arrays need nothing.
        let out = unsafe { all::<Portable>() };
        assert_eq!(out[0], [0, 1, 0xffff, 0, 7, 3, 3, 99]);
        assert_eq!(out[1], [0, 0, 0, 1, 0x7fff, 0, 2, 0]);
        assert_eq!(f32::from_bits(out[3][1]), 1.0 / 1.5);
        assert_eq!(f32::from_bits(out[8][1]), 1.0);
        assert_eq!(f32::from_bits(out[8][0]), 1.5);
        assert_eq!(f32::from_bits(out[9][1]), 215.25);
        assert_eq!(out[12].map(f32::from_bits), [0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!(out[13], out[8], "the same bits in another byte");
        assert_eq!(out[17].map(f32::from_bits), [2.0; LANES], "the lowest place of equal values");
        assert_eq!(out[18], [0, 0, 0, 8, 9, 10, 11, 0]);
    }
}
