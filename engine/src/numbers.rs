//! Reading whole numbers. `5.0` and `2e3` are whole, too, in commands, files and requests alike.

use std::str::FromStr;

/// Above this, not every whole number is a float.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number as people and programs write it.
#[must_use]
pub fn whole<N: FromStr>(text: &str) -> Option<N> {
    text.parse().ok().or_else(|| plain(text.parse().ok()?)?.parse().ok())
}

/// The digits of a float that is whole and exact.
#[must_use]
pub fn plain(number: f64) -> Option<String> {
    (number.fract() == 0.0 && number.abs() <= LARGEST_EXACT).then(|| format!("{:.0}", number + 0.0))
}

/// The fewest digits that are read back as the same number, with an exponent where there would be many zeros.
#[must_use]
pub fn shortest(number: f64) -> String {
    match number.abs() {
        size if size != 0.0 && size.is_finite() && !(1e-5..1e16).contains(&size) => format!("{number:e}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{shortest, whole};

    #[test]
    fn a_number_is_written_shortly_and_read_back() {
        for (number, text) in [
            (0.1, "0.1"),
            (0.000_01, "0.00001"),
            (2.5e-6, "2.5e-6"),
            (1e15, "1000000000000000"),
            (1e300, "1e300"),
            (-1e16, "-1e16"),
            (0.0, "0"),
        ] {
            assert_eq!(shortest(number), text);
            assert_eq!(text.parse(), Ok(number));
        }
    }

    #[test]
    fn a_float_without_a_fraction_is_whole() {
        for (text, number) in
            [("5", 5), ("5.0", 5), ("5.", 5), ("2e3", 2000), ("0.5e1", 5), ("-0.0", 0), ("+7", 7)]
        {
            assert_eq!(whole::<u32>(text), Some(number), "{text}");
        }
        assert_eq!(whole::<i64>("-3.0"), Some(-3));
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        for text in ["", "5.5", "1e-1", "NaN", "inf", "-1.0", "1e400", "1e17", "0x10", "5 ", "five"] {
            assert_eq!(whole::<u64>(text), None, "{text}");
        }
        assert_eq!(whole::<u8>("256.0"), None);
    }
}
