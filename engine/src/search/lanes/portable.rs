//! Vectors as plain arrays, for any machine. Tests compare the other implementations with this one.

#![cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "only the tests compare with it there"))]

use super::{Lanes, NarrowLanes};
use crate::search::slots::MAX_SLOTS;

/// Vectors as plain arrays.
pub(crate) struct Portable;

macro_rules! lanewise {
    ($lane:ident => $value:expr) => {
        std::array::from_fn(|$lane| $value)
    };
}

/// How many numbers a vector holds.
const LANES: usize = 4;

impl Lanes for Portable {
    const LANES: usize = LANES;
    type Floats = [f32; LANES];
    type Words = [u32; LANES];
    type Narrow = Self;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self::Words {
        // SAFETY: callers of `Lanes` guarantee a whole vector that can be read at `from`.
        unsafe { from.cast::<Self::Words>().read() }
    }
    #[inline(always)]
    unsafe fn store(words: Self::Words, to: *mut u32) {
        // SAFETY: callers of `Lanes` guarantee a whole vector that can be written at `to`.
        unsafe { to.cast::<Self::Words>().write(words) }
    }
    #[inline(always)]
    unsafe fn store_floats(floats: Self::Floats, to: *mut f32) {
        // SAFETY: callers of `Lanes` guarantee a whole vector that can be written at `to`.
        unsafe { to.cast::<Self::Floats>().write(floats) }
    }
    #[inline(always)]
    unsafe fn splat(value: f32) -> Self::Floats {
        [value; LANES]
    }
    #[inline(always)]
    unsafe fn splat_words(word: u32) -> Self::Words {
        [word; LANES]
    }
    #[inline(always)]
    unsafe fn ascending() -> Self::Words {
        lanewise!(i => i as u32)
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
    unsafe fn add_pairs(to: *mut u16, from: *const u16) -> Self::Words {
        lanewise!(i => {
            // SAFETY: callers of `Lanes` guarantee `LANES` numbers at `to` and at `from`, and `i` is below `LANES`.
            unsafe {
                let sum = to.add(i).read().wrapping_add(from.add(i).read());
                to.add(i).write(sum);
                u32::from(sum)
            }
        })
    }
    #[inline(always)]
    unsafe fn low_byte(words: Self::Words) -> Self::Words {
        lanewise!(i => words[i] & 0xff)
    }
    #[inline(always)]
    unsafe fn high_byte(words: Self::Words) -> Self::Words {
        lanewise!(i => words[i] >> 8)
    }
    #[inline(always)]
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        lanewise!(i => a[i] + b[i])
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
    unsafe fn if_bit(bits: u32, part: usize, yes: Self::Floats, no: Self::Floats) -> Self::Floats {
        lanewise!(i => if bits >> (LANES * part + i) & 1 == 1 { yes[i] } else { no[i] })
    }
    #[inline(always)]
    unsafe fn low_half_up(words: Self::Words) -> Self::Words {
        lanewise!(i => words[i] << 16)
    }
    #[inline(always)]
    unsafe fn if_higher(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words {
        lanewise!(i => if a[i] > b[i] { yes[i] } else { no[i] })
    }
    #[inline(always)]
    unsafe fn gather(table: &[f32; MAX_SLOTS], _: usize, at: Self::Words) -> Self::Floats {
        lanewise!(i => table.get(at[i] as usize & 0xffff).copied().unwrap_or(0.0))
    }
    #[inline(always)]
    unsafe fn narrow(values: Self::Floats, words: Self::Words) -> (Self::Floats, Self::Words) {
        (values, words)
    }
}

impl NarrowLanes for Portable {
    #[inline(always)]
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        lanewise!(i => a[i] * b[i])
    }
    #[inline(always)]
    unsafe fn best(values: Self::Floats, words: Self::Words) -> u32 {
        let highest = values.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let there = values.into_iter().zip(words).filter(|&(value, _)| value == highest);
        there.map(|(_, word)| word).min().unwrap_or(i32::MAX as u32)
    }
    #[inline(always)]
    unsafe fn least(a: Self::Words, b: Self::Words) -> Self::Words {
        lanewise!(i => a[i].min(b[i]))
    }
    #[inline(always)]
    unsafe fn if_equal(a: Self::Floats, b: Self::Floats, yes: Self::Words, no: Self::Words) -> Self::Words {
        lanewise!(i => if a[i] == b[i] { yes[i] } else { no[i] })
    }
}
