//! Vectors of AVX2.

use super::{LANES, Lanes};
use crate::game::MAX_SLOTS;
use std::arch::x86_64::*;

/// AVX2 vectors.
pub(crate) struct Avx2;

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
        unsafe { _mm256_and_si256(_mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)), Self::load(from)) }
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
        let mut slots = [0; LANES];
        // Eight loads: the instruction for this waits for tables written just before.
        // SAFETY: as above, and the words point into the table by contract.
        unsafe {
            Self::store(at, &mut slots);
            let entry = |lane: usize| *table.get_unchecked(slots[lane] as usize);
            _mm256_setr_ps(entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7))
        }
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
