//! Numbers in few bits: small ones exactly, large ones with their highest bits only.

/// A number with `BITS` exact bits and five bits of exponent.
///
/// Numbers below 2^BITS are exact. Others are rounded down, by less than one part in 2^(BITS − 1). Powers of two stay
/// exact, and so does the order of numbers.
pub(super) struct Coarse<const BITS: u32>;

impl<const BITS: u32> Coarse<BITS> {
    /// The code of a number, in BITS + 4 bits. Numbers beyond the range get the largest code.
    #[inline]
    pub(super) fn encode(number: u64) -> u32 {
        let shift = (u64::BITS - number.leading_zeros()).saturating_sub(BITS);
        if shift > 30 {
            return (1 << (BITS + 4)) - 1;
        }
        // The highest bit of the rest adds one to the exponent.
        (shift << (BITS - 1)) + (number >> shift) as u32
    }

    /// The number of a code.
    #[inline]
    pub(super) fn decode(code: u32) -> u64 {
        let exponent = code >> (BITS - 1);
        if exponent <= 1 {
            return code.into();
        }
        let shift = exponent - 1;
        u64::from(code - (shift << (BITS - 1))) << shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_and_powers_of_two_are_exact_and_others_nearly() {
        for number in (0..1 << 15).chain((15..45).map(|bits| 1 << bits)) {
            assert_eq!(Coarse::<15>::decode(Coarse::<15>::encode(number)), number);
        }
        for number in (0..40).flat_map(|bits| [3 << bits, (1 << bits) - 1, 0b1_0110_1011_0101 << (bits / 2)])
        {
            let near = Coarse::<12>::decode(Coarse::<12>::encode(number));
            assert!(near <= number && number - near <= number >> 11, "{number} becomes {near}");
        }
    }

    #[test]
    fn codes_have_the_order_of_their_numbers_and_fit() {
        let numbers: Vec<u64> = (0..63).flat_map(|bits| [1 << bits, (1 << bits) + (1 << bits) / 2]).collect();
        let codes: Vec<u32> = numbers.iter().map(|&number| Coarse::<12>::encode(number)).collect();
        assert!(codes.is_sorted() && codes.iter().all(|&code| code < 1 << 16));
    }
}
