//! Vectors of AVX-512.

use super::{Avx2, Lanes, NarrowLanes};
use crate::search::slots::MAX_SLOTS;
use std::arch::x86_64::*;

/// AVX-512 vectors.
pub(crate) struct Avx512;

/// How many numbers a vector holds.
const LANES: usize = 16;
/// How many floats one lookup chooses from: two vectors.
const PAIR: usize = 2 * LANES;
const _: () = assert!(2 * PAIR <= MAX_SLOTS);

// All loads and stores of vectors are unaligned.
impl Lanes for Avx512 {
    const LANES: usize = LANES;
    type Floats = __m512;
    type Words = __m512i;
    type Narrow = Avx2;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512 and a whole vector that can be read at `from`.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(words: __m512i, to: *mut u32) {
        // SAFETY: callers of `Lanes` guarantee AVX-512 and a whole vector that can be written at `to`.
        unsafe { _mm512_storeu_si512(to.cast(), words) }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: __m512, to: *mut f32) {
        // SAFETY: callers of `Lanes` guarantee AVX-512 and a whole vector that can be written at `to`.
        unsafe { _mm512_storeu_ps(to, floats) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_set1_ps(value) }
    }
    #[inline(always)]
    unsafe fn splat_words(word: u32) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_set1_epi32(word as i32) }
    }
    #[inline(always)]
    unsafe fn ascending() -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
    }
    #[inline(always)]
    unsafe fn as_floats(words: __m512i) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_castsi512_ps(words) }
    }
    #[inline(always)]
    unsafe fn to_floats(words: __m512i) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_cvtepi32_ps(words) }
    }
    #[inline(always)]
    unsafe fn sum(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_add_epi32(a, b) }
    }
    #[inline(always)]
    unsafe fn low_half(words: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_and_si512(words, _mm512_set1_epi32(0xffff)) }
    }
    #[inline(always)]
    unsafe fn high_half(words: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_srli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn low_half_up(words: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_slli_epi32::<16>(words) }
    }
    #[inline(always)]
    unsafe fn if_higher(a: __m512, b: __m512, yes: __m512i, no: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_mask_blend_epi32(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b), no, yes) }
    }
    #[inline(always)]
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512 and `LANES` numbers of 16 bits, half a vector, at `to` and at
        // `from`.
        unsafe {
            let sum = _mm256_add_epi16(_mm256_loadu_si256(to.cast()), _mm256_loadu_si256(from.cast()));
            _mm256_storeu_si256(to.cast(), sum);
            _mm512_cvtepu16_epi32(sum)
        }
    }
    #[inline(always)]
    unsafe fn low_byte(words: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_and_si512(words, _mm512_set1_epi32(0xff)) }
    }
    #[inline(always)]
    unsafe fn high_byte(words: __m512i) -> __m512i {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_srli_epi32::<8>(words) }
    }
    #[inline(always)]
    unsafe fn add(a: __m512, b: __m512) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_add_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn div(a: __m512, b: __m512) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_div_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_greater(a: __m512, b: __m512, yes: __m512, no: __m512) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b), no, yes) }
    }
    #[inline(always)]
    unsafe fn max(a: __m512, b: __m512) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_max_ps(a, b) }
    }
    #[inline(always)]
    unsafe fn if_bit(bits: u32, part: usize, yes: __m512, no: __m512) -> __m512 {
        // SAFETY: callers of `Lanes` guarantee AVX-512.
        unsafe { _mm512_mask_blend_ps((bits >> (LANES * part)) as u16, no, yes) }
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], slots: usize, at: __m256i) -> __m256 {
        if slots > 2 * PAIR {
            // SAFETY: callers of `Lanes` guarantee AVX-512, which includes AVX2.
            return unsafe { Avx2::gather(table, slots, at) };
        }
        let (first, second) = (table.as_ptr(), table[PAIR..].as_ptr());
        // SAFETY: callers of `Lanes` guarantee AVX-512. `table` has at least two times `PAIR` floats, as asserted
        // above, so that both pointers lead to `PAIR` of them.
        unsafe {
            let beyond = _mm256_test_epi32_mask(at, _mm256_set1_epi32(PAIR as i32));
            _mm256_mask_blend_ps(beyond, look_up(first, at), look_up(second, at))
        }
    }
    #[inline(always)]
    unsafe fn narrow(values: __m512, words: __m512i) -> (__m256, __m256i) {
        // SAFETY: callers of `Lanes` guarantee AVX-512, which includes AVX2.
        unsafe {
            let half = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(values)));
            let (others, others_words) = (half, _mm512_extracti64x4_epi64::<1>(words));
            let (values, words) = (_mm512_castps512_ps256(values), _mm512_castsi512_si256(words));
            let equal = Avx2::if_equal(others, values, Avx2::least(others_words, words), words);
            (Avx2::max(others, values), Avx2::if_higher(others, values, others_words, equal))
        }
    }
}

/// The entries of `table` at the indices in `at`. Of each index only the bits below [`PAIR`] count.
///
/// # Safety
/// The CPU has the instructions of [`Avx512`], and [`PAIR`] floats can be read from `table` on.
#[inline(always)]
unsafe fn look_up(table: *const f32, at: __m256i) -> __m256 {
    // SAFETY: the caller guarantees AVX-512 and `PAIR` floats, two vectors, from `table` on.
    unsafe {
        let (low, high) = (_mm512_loadu_ps(table), _mm512_loadu_ps(table.add(LANES)));
        _mm512_castps512_ps256(_mm512_permutex2var_ps(low, _mm512_castsi256_si512(at), high))
    }
}
