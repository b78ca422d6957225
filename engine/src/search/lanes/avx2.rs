//! Vectors of AVX2.

use super::{Lanes, NarrowLanes};
use crate::search::slots::MAX_SLOTS;
use std::arch::x86_64::*;

/// AVX2 vectors.
pub(crate) struct Avx2;

/// `yes` where the mask's bits are set, else `no`.
#[inline(always)]
unsafe fn select_words(mask: __m256, yes: __m256i, no: __m256i) -> __m256i {
    // SAFETY: as below.
    unsafe { _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(no), _mm256_castsi256_ps(yes), mask)) }
}

// Unaligned loads and stores of whole vectors; everything else is arithmetic on registers. The caller vouches for
// the instructions (see the trait).
/// How many numbers a vector holds.
const LANES: usize = 8;

impl Lanes for Avx2 {
    const LANES: usize = LANES;
    type Floats = __m256;
    type Words = __m256i;
    type Narrow = Self;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m256i {
        // SAFETY: by contract.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(words: __m256i, to: *mut u32) {
        // SAFETY: by contract.
        unsafe { _mm256_storeu_si256(to.cast(), words) }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: __m256, to: *mut f32) {
        // SAFETY: by contract.
        unsafe { _mm256_storeu_ps(to, floats) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> __m256 {
        // SAFETY: by contract, as in all functions below.
        unsafe { _mm256_set1_ps(value) }
    }
    #[inline(always)]
    unsafe fn splat_words(word: u32) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn ascending() -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) }
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
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> __m256i {
        // SAFETY: by contract; half a vector is loaded and stored.
        unsafe {
            let sum = _mm_add_epi16(_mm_loadu_si128(to.cast()), _mm_loadu_si128(from.cast()));
            _mm_storeu_si128(to.cast(), sum);
            _mm256_cvtepu16_epi32(sum)
        }
    }
    #[inline(always)]
    unsafe fn low_byte(words: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_and_si256(words, _mm256_set1_epi32(0xff)) }
    }
    #[inline(always)]
    unsafe fn high_byte(words: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_srli_epi32::<8>(words) }
    }
    #[inline(always)]
    unsafe fn add(a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_add_ps(a, b) }
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
        // SAFETY: as above.
        unsafe {
            let lane = Self::load(BITS[part].as_ptr());
            let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
            _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lane)))
        }
    }
    #[inline(always)]
    unsafe fn low_half_up(words: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_slli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn if_higher(a: __m256, b: __m256, yes: __m256i, no: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { select_words(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b), yes, no) }
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], _: usize, at: __m256i) -> __m256 {
        const LAST: i32 = MAX_SLOTS as i32 - 1;
        let mut slots = [0; LANES];
        // Eight loads: the instruction for this waits for tables written just before.
        // SAFETY: as above, and no word points beyond the table any more.
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
        // SAFETY: as above.
        unsafe { _mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn best(values: __m256, words: __m256i) -> u32 {
        // SAFETY: as above.
        unsafe {
            // Halves, then pairs, then neighbours change places: every lane meets every other.
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
        // SAFETY: as above.
        unsafe { _mm256_min_epu32(a, b) }
    }
    #[inline(always)]
    unsafe fn if_equal(a: __m256, b: __m256, yes: __m256i, no: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { select_words(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, b), yes, no) }
    }
    #[inline(always)]
    unsafe fn if_below(count: usize, yes: __m256, no: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe {
            let below = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), Self::ascending());
            _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(below))
        }
    }
}
