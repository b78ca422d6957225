//! Numbers of options, each with its limits.

use engine::numbers;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a whole number within limits.
pub fn whole<N>(range: RangeInclusive<N>) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync
where
    N: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text| match numbers::whole(text) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("give a whole number from {} to {}", range.start(), range.end())),
    }
}

/// Reads a number within limits.
pub fn real(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("give a number from {} to {}", range.start(), range.end())),
    }
}

/// Reads a number between two limits that it may not equal.
pub fn within(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(number) if low < number && number < high => Ok(number),
        _ => Err(format!("give a number above {low} and below {high}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{real, whole, within};

    #[test]
    fn a_number_outside_its_limits_is_answered_with_them() {
        assert_eq!(["1", "4.0", "1e1"].map(whole(1..=10_u8)), [Ok(1), Ok(4), Ok(10)]);
        for text in ["0", "11", "-1", "1.5", "99999999999999999999", "ten", ""] {
            assert_eq!(whole(1..=10_u8)(text), Err("give a whole number from 1 to 10".to_owned()), "{text}");
        }
        assert_eq!(real(0.0..=0.5)("0.25"), Ok(0.25));
        for text in ["0.6", "-0.1", "NaN", "inf", "half"] {
            assert_eq!(real(0.0..=0.5)(text), Err("give a number from 0 to 0.5".to_owned()), "{text}");
        }
        assert_eq!(within(0.0, 1.0)("0.95"), Ok(0.95));
        for text in ["0", "1", "1.5", "NaN", "half"] {
            assert_eq!(within(0.0, 1.0)(text), Err("give a number above 0 and below 1".to_owned()), "{text}");
        }
    }
}
