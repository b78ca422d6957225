//! Vectors of SSE2.

use super::{Lanes, NarrowLanes};
use crate::search::slots::MAX_SLOTS;
use std::arch::x86_64::*;

/// SSE2 vectors.
pub(crate) struct Sse2;

/// Bit by bit, `yes` where the mask is set, else `no`.
///
/// # Safety
/// None beyond SSE2, which every x86-64 has.
#[inline(always)]
unsafe fn select(mask: __m128, yes: __m128, no: __m128) -> __m128 {
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)) }
}

/// [`select`] for words.
///
/// # Safety
/// None beyond SSE2, which every x86-64 has.
#[inline(always)]
unsafe fn select_words(mask: __m128i, yes: __m128i, no: __m128i) -> __m128i {
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no)) }
}

/// How many numbers a vector holds.
const LANES: usize = 4;

// All loads and stores of vectors are unaligned.
impl Lanes for Sse2 {
    const LANES: usize = LANES;
    type Floats = __m128;
    type Words = __m128i;
    type Narrow = Self;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m128i {
        // SAFETY: every x86-64 has SSE2; callers of `Lanes` guarantee a whole vector that can be read at `from`.
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(words: __m128i, to: *mut u32) {
        // SAFETY: every x86-64 has SSE2; callers of `Lanes` guarantee a whole vector that can be written at `to`.
        unsafe { _mm_storeu_si128(to.cast(), words) }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: __m128, to: *mut f32) {
        // SAFETY: every x86-64 has SSE2; callers of `Lanes` guarantee a whole vector that can be written at `to`.
        unsafe { _mm_storeu_ps(to, floats) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_set1_ps(value) }
    }
    #[inline(always)]
    unsafe fn splat_words(word: u32) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn ascending() -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_setr_epi32(0, 1, 2, 3) }
    }
    #[inline(always)]
    unsafe fn as_floats(words: __m128i) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_castsi128_ps(words) }
    }
    #[inline(always)]
    unsafe fn to_floats(words: __m128i) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_cvtepi32_ps(words) }
    }
    #[inline(always)]
    unsafe fn sum(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_add_epi32(a, b) }
    }
    #[inline(always)]
    unsafe fn low_half(words: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_and_si128(words, _mm_set1_epi32(0xffff)) }
    }
    #[inline(always)]
    unsafe fn high_half(words: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_srli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> __m128i {
        // SAFETY: every x86-64 has SSE2; callers of `Lanes` guarantee `LANES` numbers of 16 bits, half a vector, at
        // `to` and at `from`.
        unsafe {
            let sum = _mm_add_epi16(_mm_loadl_epi64(to.cast()), _mm_loadl_epi64(from.cast()));
            _mm_storel_epi64(to.cast(), sum);
            _mm_unpacklo_epi16(sum, _mm_setzero_si128())
        }
    }
    #[inline(always)]
    unsafe fn low_byte(words: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_and_si128(words, _mm_set1_epi32(0xff)) }
    }
    #[inline(always)]
    unsafe fn high_byte(words: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_srli_epi32::<8>(words) }
    }
    #[inline(always)]
    unsafe fn add(a: __m128, b: __m128) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_add_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn div(a: __m128, b: __m128) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_div_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_greater(a: __m128, b: __m128, yes: __m128, no: __m128) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { select(_mm_cmpgt_ps(a, b), yes, no) }
    }
    #[inline(always)]
    unsafe fn max(a: __m128, b: __m128) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_max_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_bit(bits: u32, part: usize, yes: __m128, no: __m128) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let lane = _mm_setr_epi32(1, 2, 4, 8);
            let set = _mm_and_si128(_mm_set1_epi32((bits >> (LANES * part)) as i32), lane);
            select(_mm_castsi128_ps(_mm_cmpeq_epi32(set, lane)), yes, no)
        }
    }
    #[inline(always)]
    unsafe fn low_half_up(words: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_slli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn if_higher(a: __m128, b: __m128, yes: __m128i, no: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { select_words(_mm_castps_si128(_mm_cmpgt_ps(a, b)), yes, no) }
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], _: usize, at: __m128i) -> __m128 {
        let mut slots = [0; LANES];
        // SAFETY: every x86-64 has SSE2; `slots` holds a whole vector, and `min` keeps each index in the table.
        unsafe {
            Self::store(Self::low_half(at), slots.as_mut_ptr());
            let entry = |lane: usize| *table.get_unchecked((slots[lane] as usize).min(MAX_SLOTS - 1));
            _mm_setr_ps(entry(0), entry(1), entry(2), entry(3))
        }
    }
    #[inline(always)]
    unsafe fn narrow(values: __m128, words: __m128i) -> (__m128, __m128i) {
        (values, words)
    }
}

impl NarrowLanes for Sse2 {
    #[inline(always)]
    unsafe fn mul(a: __m128, b: __m128) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_mul_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn best(values: __m128, words: __m128i) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            // Swaps pairs, then neighbours, so that every lane is compared with every other.
            let max = _mm_max_ps(values, _mm_shuffle_ps::<0b01_00_11_10>(values, values));
            let max = _mm_max_ps(max, _mm_shuffle_ps::<0b10_11_00_01>(max, max));
            let there = Self::if_equal(values, max, words, _mm_set1_epi32(i32::MAX));
            let least = Self::least(there, _mm_shuffle_epi32::<0b01_00_11_10>(there));
            _mm_cvtsi128_si32(Self::least(least, _mm_shuffle_epi32::<0b10_11_00_01>(least))) as u32
        }
    }
    #[inline(always)]
    unsafe fn least(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { select_words(_mm_cmplt_epi32(a, b), a, b) }
    }
    #[inline(always)]
    unsafe fn if_equal(a: __m128, b: __m128, yes: __m128i, no: __m128i) -> __m128i {
        // SAFETY: every x86-64 has SSE2.
        unsafe { select_words(_mm_castps_si128(_mm_cmpeq_ps(a, b)), yes, no) }
    }
}
