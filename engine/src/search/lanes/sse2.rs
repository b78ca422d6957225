//! Vectors of SSE2.

use super::Lanes;
use crate::game::MAX_SLOTS;
use std::arch::x86_64::*;

/// SSE2 vectors.
pub(crate) struct Sse2;

/// `yes` where the mask's bits are set, else `no`.
#[inline(always)]
unsafe fn select(mask: __m128, yes: __m128, no: __m128) -> __m128 {
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)) }
}

/// How many numbers a vector holds.
const LANES: usize = 4;

// Unaligned loads and stores of whole vectors; everything else is arithmetic on registers, which every x86-64 has.
impl Lanes for Sse2 {
    const LANES: usize = LANES;
    type Floats = __m128;
    type Words = __m128i;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m128i {
        // SAFETY: by contract.
        unsafe { _mm_loadu_si128(from.cast()) }
    }
    #[inline(always)]
    unsafe fn load_floats(from: *const f32) -> __m128 {
        // SAFETY: by contract.
        unsafe { _mm_loadu_ps(from) }
    }
    #[inline(always)]
    unsafe fn store(words: __m128i, to: *mut u32) {
        // SAFETY: by contract.
        unsafe { _mm_storeu_si128(to.cast(), words) }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: __m128, to: *mut f32) {
        // SAFETY: by contract.
        unsafe { _mm_storeu_ps(to, floats) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> __m128 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_set1_ps(value) }
    }
    #[inline(always)]
    unsafe fn ascending() -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_setr_ps(0.0, 1.0, 2.0, 3.0) }
    }
    #[inline(always)]
    unsafe fn as_floats(words: __m128i) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_castsi128_ps(words) }
    }
    #[inline(always)]
    unsafe fn to_floats(words: __m128i) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_cvtepi32_ps(words) }
    }
    #[inline(always)]
    unsafe fn sum(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_add_epi32(a, b) }
    }
    #[inline(always)]
    unsafe fn low_half(words: __m128i) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_and_si128(words, _mm_set1_epi32(0xffff)) }
    }
    #[inline(always)]
    unsafe fn high_half(words: __m128i) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_srli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn add(a: __m128, b: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_add_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn mul(a: __m128, b: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_mul_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn div(a: __m128, b: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_div_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_greater(a: __m128, b: __m128, yes: __m128, no: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe { select(_mm_cmpgt_ps(a, b), yes, no) }
    }
    #[inline(always)]
    unsafe fn max(a: __m128, b: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_max_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_bit(bits: u32, part: usize, yes: __m128, no: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe {
            let lane = _mm_setr_epi32(1, 2, 4, 8);
            let set = _mm_and_si128(_mm_set1_epi32((bits >> (LANES * part)) as i32), lane);
            select(_mm_castsi128_ps(_mm_cmpeq_epi32(set, lane)), yes, no)
        }
    }
    #[inline(always)]
    unsafe fn highest(values: __m128) -> __m128 {
        // SAFETY: as above.
        unsafe {
            // Pairs, then neighbours change places: every lane meets every other.
            let max = _mm_max_ps(values, _mm_shuffle_ps::<0b01_00_11_10>(values, values));
            _mm_max_ps(max, _mm_shuffle_ps::<0b10_11_00_01>(max, max))
        }
    }
    #[inline(always)]
    unsafe fn equal(a: __m128, b: __m128) -> u32 {
        // SAFETY: as above.
        unsafe { _mm_movemask_ps(_mm_cmpeq_ps(a, b)) as u32 }
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], at: __m128i) -> __m128 {
        let mut slots = [0; LANES];
        // SAFETY: as above, and no word points beyond the table any more.
        unsafe {
            Self::store(Self::low_half(at), slots.as_mut_ptr());
            let entry = |lane: usize| *table.get_unchecked((slots[lane] as usize).min(MAX_SLOTS - 1));
            _mm_setr_ps(entry(0), entry(1), entry(2), entry(3))
        }
    }
}
