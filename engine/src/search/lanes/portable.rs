//! Vectors as plain arrays, for any machine, and what all others must equal.

#![cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "only the tests compare with it there"))]

use super::{LANES, Lanes};
use crate::game::MAX_SLOTS;

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
