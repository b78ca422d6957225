//! Eight numbers at a time. The scans over children are written once against [`Lanes`] and compiled for AVX2, chosen
//! at run time, for the SSE2 that every x86-64 has, and for any other machine. All round each operation alike, so
//! games do not depend on it.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

use crate::game::MAX_SLOTS;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::Portable as Baseline;
#[cfg(target_arch = "x86_64")]
pub(crate) use sse2::Sse2 as Baseline;

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

#[cfg(test)]
mod tests {
    use super::portable::Portable;
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
        // SAFETY: every x86-64 has SSE2.
        unsafe { assert_eq!(all::<sse2::Sse2>(), all::<Portable>()) }
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
