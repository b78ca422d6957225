//! Vectors of AVX2.

use super::{Lanes, NarrowLanes};
use crate::search::slots::MAX_SLOTS;
use std::arch::x86_64::*;

/// AVX2 vectors.
pub(crate) struct Avx2;

/// In each lane, `yes` if the highest bit of the mask is set, else `no`.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn select_words(mask: __m256, yes: __m256i, no: __m256i) -> __m256i {
    // SAFETY: the caller guarantees AVX2.
    unsafe { _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(no), _mm256_castsi256_ps(yes), mask)) }
}

/// How many numbers a vector holds.
const LANES: usize = 8;

// All loads and stores of vectors are unaligned.
impl Lanes for Avx2 {
    const LANES: usize = LANES;
    type Floats = __m256;
    type Words = __m256i;
    type Narrow = Self;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2 and a whole vector that can be read at `from`.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(words: __m256i, to: *mut u32) {
        // SAFETY: callers of `Lanes` guarantee AVX2 and a whole vector that can be written at `to`.
        unsafe { _mm256_storeu_si256(to.cast(), words) }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: __m256, to: *mut f32) {
        // SAFETY: callers of `Lanes` guarantee AVX2 and a whole vector that can be written at `to`.
        unsafe { _mm256_storeu_ps(to, floats) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_set1_ps(value) }
    }
    #[inline(always)]
    unsafe fn splat_words(word: u32) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn ascending() -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) }
    }
    #[inline(always)]
    unsafe fn as_floats(words: __m256i) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_castsi256_ps(words) }
    }
    #[inline(always)]
    unsafe fn to_floats(words: __m256i) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_cvtepi32_ps(words) }
    }
    #[inline(always)]
    unsafe fn sum(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_add_epi32(a, b) }
    }
    #[inline(always)]
    unsafe fn low_half(words: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_and_si256(words, _mm256_set1_epi32(0xffff)) }
    }
    #[inline(always)]
    unsafe fn high_half(words: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_srli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2 and `LANES` numbers of 16 bits, half a vector, at `to` and at
        // `from`.
        unsafe {
            let sum = _mm_add_epi16(_mm_loadu_si128(to.cast()), _mm_loadu_si128(from.cast()));
            _mm_storeu_si128(to.cast(), sum);
            _mm256_cvtepu16_epi32(sum)
        }
    }
    #[inline(always)]
    unsafe fn low_byte(words: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_and_si256(words, _mm256_set1_epi32(0xff)) }
    }
    #[inline(always)]
    unsafe fn high_byte(words: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_srli_epi32::<8>(words) }
    }
    #[inline(always)]
    unsafe fn add(a: __m256, b: __m256) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_add_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn div(a: __m256, b: __m256) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_div_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_greater(a: __m256, b: __m256, yes: __m256, no: __m256) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_blendv_ps(no, yes, _mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) }
    }
    #[inline(always)]
    unsafe fn max(a: __m256, b: __m256) -> __m256 {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_max_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_bit(bits: u32, part: usize, yes: __m256, no: __m256) -> __m256 {
        /// The bit of each lane, by part of a word.
        const BITS: [[u32; LANES]; 4] = {
            let mut bits = [[0; LANES]; 4];
            let mut bit = 0;
            while bit < 32 {
                bits[bit / LANES][bit % LANES] = 1 << bit;
                bit += 1;
            }
            bits
        };
        // SAFETY: callers of `Lanes` guarantee AVX2; a row of `BITS` is a whole vector.
        unsafe {
            let lane = Self::load(BITS[part].as_ptr());
            let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
            _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lane)))
        }
    }
    #[inline(always)]
    unsafe fn low_half_up(words: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { _mm256_slli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn if_higher(a: __m256, b: __m256, yes: __m256i, no: __m256i) -> __m256i {
        // SAFETY: callers of `Lanes` guarantee AVX2.
        unsafe { select_words(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b), yes, no) }
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], _: usize, at: __m256i) -> __m256 {
        const LAST: i32 = MAX_SLOTS as i32 - 1;
        let mut slots = [0; LANES];
        // Eight scalar loads: the gather instruction stalls on a table that was written just before.
        // SAFETY: callers of `Lanes` guarantee AVX2; `slots` holds a whole vector of indices up to `LAST`.
        unsafe {
            let within = _mm256_min_epu32(Self::low_half(at), _mm256_set1_epi32(LAST));
            Self::store(within, slots.as_mut_ptr());
            let entry = |lane: usize| *table.get_unchecked(slots[lane] as usize);
            _mm256_setr_ps(entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7))
        }
    }
    #[inline(always)]
    unsafe fn narrow(values: __m256, words: __m256i) -> (__m256, __m256i) {
        (values, words)
    }
}

impl NarrowLanes for Avx2 {
    #[inline(always)]
    unsafe fn mul(a: __m256, b: __m256) -> __m256 {
        // SAFETY: callers of `NarrowLanes` guarantee AVX2.
        unsafe { _mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn best(values: __m256, words: __m256i) -> u32 {
        // SAFETY: callers of `NarrowLanes` guarantee AVX2.
        unsafe {
            // Swaps halves, then pairs, then neighbours, so that every lane is compared with every other.
            let max = _mm256_max_ps(values, _mm256_permute2f128_ps::<1>(values, values));
            let max = _mm256_max_ps(max, _mm256_permute_ps::<0b01_00_11_10>(max));
            let max = _mm256_max_ps(max, _mm256_permute_ps::<0b10_11_00_01>(max));
            let there = Self::if_equal(values, max, words, _mm256_set1_epi32(i32::MAX));
            let least = _mm_min_epu32(_mm256_castsi256_si128(there), _mm256_extracti128_si256::<1>(there));
            let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b01_00_11_10>(least));
            _mm_cvtsi128_si32(_mm_min_epu32(least, _mm_shuffle_epi32::<0b10_11_00_01>(least))) as u32
        }
    }
    #[inline(always)]
    unsafe fn least(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: callers of `NarrowLanes` guarantee AVX2.
        unsafe { _mm256_min_epu32(a, b) }
    }
    #[inline(always)]
    unsafe fn if_equal(a: __m256, b: __m256, yes: __m256i, no: __m256i) -> __m256i {
        // SAFETY: callers of `NarrowLanes` guarantee AVX2.
        unsafe { select_words(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, b), yes, no) }
    }
    #[inline(always)]
    unsafe fn if_below(count: usize, yes: __m256, no: __m256) -> __m256 {
        // SAFETY: callers of `NarrowLanes` guarantee AVX2.
        unsafe {
            let below = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), Self::ascending());
            _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(below))
        }
    }
}
