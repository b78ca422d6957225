//! Vectors of SSE2, two halves each.

use super::{LANES, Lanes};
use crate::game::MAX_SLOTS;
use std::arch::x86_64::*;

/// Pairs of SSE2 vectors.
pub(crate) struct Sse2;

/// Both halves, made by one expression of the half's number.
macro_rules! halves {
    ($half:ident => $value:expr) => {
        [
            {
                let $half = 0_usize;
                $value
            },
            {
                let $half = 1_usize;
                $value
            },
        ]
    };
}

/// `yes` where the mask's bits are set, else `no`.
#[inline(always)]
unsafe fn select(mask: __m128, yes: __m128, no: __m128) -> __m128 {
    // SAFETY: every x86-64 has SSE2.
    unsafe { _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)) }
}

// Unaligned loads and stores of whole arrays; everything else is arithmetic on registers, which every x86-64 has.
impl Lanes for Sse2 {
    type Floats = [__m128; 2];
    type Words = [__m128i; 2];

    #[inline(always)]
    unsafe fn load(from: &[u32; LANES]) -> Self::Words {
        // SAFETY: reads exactly the array.
        unsafe { halves!(h => _mm_loadu_si128(from.as_ptr().add(4 * h).cast())) }
    }
    #[inline(always)]
    unsafe fn store(words: Self::Words, to: &mut [u32; LANES]) {
        // SAFETY: writes exactly the array.
        unsafe {
            _mm_storeu_si128(to.as_mut_ptr().cast(), words[0]);
            _mm_storeu_si128(to.as_mut_ptr().add(4).cast(), words[1]);
        }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: Self::Floats, to: &mut [f32; LANES]) {
        // SAFETY: writes exactly the array.
        unsafe {
            _mm_storeu_ps(to.as_mut_ptr(), floats[0]);
            _mm_storeu_ps(to.as_mut_ptr().add(4), floats[1]);
        }
    }
    #[inline(always)]
    unsafe fn load_if_greater(a: Self::Floats, b: Self::Floats, from: &[u32; LANES]) -> Self::Words {
        // SAFETY: as above.
        unsafe {
            let words = Self::load(from);
            halves!(h => _mm_and_si128(_mm_castps_si128(_mm_cmpgt_ps(a[h], b[h])), words[h]))
        }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self::Floats {
        // SAFETY: as above.
        unsafe { [_mm_set1_ps(value); 2] }
    }
    #[inline(always)]
    unsafe fn ascending() -> Self::Floats {
        // SAFETY: as above.
        unsafe { [_mm_setr_ps(0.0, 1.0, 2.0, 3.0), _mm_setr_ps(4.0, 5.0, 6.0, 7.0)] }
    }
    #[inline(always)]
    unsafe fn as_floats(words: Self::Words) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_castsi128_ps(words[h])) }
    }
    #[inline(always)]
    unsafe fn to_floats(words: Self::Words) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_cvtepi32_ps(words[h])) }
    }
    #[inline(always)]
    unsafe fn sum(a: Self::Words, b: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_add_epi32(a[h], b[h])) }
    }
    #[inline(always)]
    unsafe fn low_half(words: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_and_si128(words[h], _mm_set1_epi32(0xffff))) }
    }
    #[inline(always)]
    unsafe fn high_half(words: Self::Words) -> Self::Words {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_srli_epi32::<16>(words[h])) }
    }
    #[inline(always)]
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_add_ps(a[h], b[h])) }
    }
    #[inline(always)]
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_mul_ps(a[h], b[h])) }
    }
    #[inline(always)]
    unsafe fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_div_ps(a[h], b[h])) }
    }
    #[inline(always)]
    unsafe fn if_greater(
        a: Self::Floats,
        b: Self::Floats,
        yes: Self::Floats,
        no: Self::Floats,
    ) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => select(_mm_cmpgt_ps(a[h], b[h]), yes[h], no[h])) }
    }
    #[inline(always)]
    unsafe fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        // SAFETY: as above.
        unsafe { halves!(h => _mm_max_ps(a[h], b[h])) }
    }
    #[inline(always)]
    unsafe fn if_bit(bits: u32, byte: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats {
        // SAFETY: as above.
        unsafe {
            let bits = _mm_set1_epi32((bits >> (8 * byte)) as i32);
            let lane = [_mm_setr_epi32(1, 2, 4, 8), _mm_setr_epi32(16, 32, 64, 128)];
            let set = |h: usize| _mm_cmpeq_epi32(_mm_and_si128(bits, lane[h]), lane[h]);
            halves!(h => select(_mm_castsi128_ps(set(h)), yes[h], no[h]))
        }
    }
    #[inline(always)]
    unsafe fn best(values: Self::Floats, places: Self::Floats) -> (f32, f32) {
        // SAFETY: as above.
        unsafe {
            // Halves, then pairs, then neighbours change places: every lane meets every other.
            let max = _mm_max_ps(values[0], values[1]);
            let max = _mm_max_ps(max, _mm_shuffle_ps::<0b01_00_11_10>(max, max));
            let max = _mm_max_ps(max, _mm_shuffle_ps::<0b10_11_00_01>(max, max));
            let none = _mm_set1_ps(f32::INFINITY);
            let place = halves!(h => select(_mm_cmpeq_ps(values[h], max), places[h], none));
            let min = _mm_min_ps(place[0], place[1]);
            let min = _mm_min_ps(min, _mm_shuffle_ps::<0b01_00_11_10>(min, min));
            let min = _mm_min_ps(min, _mm_shuffle_ps::<0b10_11_00_01>(min, min));
            (_mm_cvtss_f32(max), _mm_cvtss_f32(min))
        }
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], at: Self::Words) -> Self::Floats {
        let mut slots = [0; LANES];
        // SAFETY: as above, and the words point into the table by contract.
        unsafe {
            Self::store(at, &mut slots);
            let entry = |lane: usize| *table.get_unchecked(slots[lane] as usize);
            halves!(h => _mm_setr_ps(entry(4 * h), entry(4 * h + 1), entry(4 * h + 2), entry(4 * h + 3)))
        }
    }
    #[inline(always)]
    unsafe fn better(
        a: (Self::Floats, Self::Floats),
        b: (Self::Floats, Self::Floats),
    ) -> (Self::Floats, Self::Floats) {
        // SAFETY: as above.
        unsafe {
            let second = halves!(h => {
                let lower = _mm_and_ps(_mm_cmpeq_ps(b.0[h], a.0[h]), _mm_cmplt_ps(b.1[h], a.1[h]));
                _mm_or_ps(_mm_cmpgt_ps(b.0[h], a.0[h]), lower)
            });
            (halves!(h => select(second[h], b.0[h], a.0[h])), halves!(h => select(second[h], b.1[h], a.1[h])))
        }
    }
}
