//! Numbers as people read them: the one way in which all words and tables for people write them.

/// Whole numbers from this on are written in groups of three digits.
const GROUPED_FROM: u64 = 10_000;

/// The blank between groups of digits, at which no line breaks.
const THIN: char = '\u{202f}';

/// Numbers from this on have an exponent.
const LARGE: f64 = 1e9;

/// Smaller numbers have an exponent.
const SMALL: f64 = 1e-4;

/// `1 game`, `2 games`, `280 000 000 games`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A whole number as people read it: long ones in groups of three digits, and very large ones with an exponent.
#[must_use]
pub fn count(count: u64) -> String {
    if count as f64 >= LARGE {
        return number(count as f64);
    }
    let digits = count.to_string();
    if count < GROUPED_FROM {
        return digits;
    }
    let mut grouped = String::with_capacity(2 * digits.len());
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(THIN);
        }
        grouped.push(digit);
    }
    grouped
}

/// A number in at most six digits, and with an exponent where it is very large or very small: `0.3`, `1500`, `2.8e9`.
#[must_use]
pub fn number(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return if number == 0.0 { "0".to_owned() } else { number.to_string() };
    }
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    if (SMALL..LARGE).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::{counted, number};

    #[test]
    fn no_number_is_longer_than_people_read() {
        let games = |n| counted(n, "game");
        assert_eq!(games(9_999), "9999 games");
        assert_eq!(games(280_000_000), "280\u{202f}000\u{202f}000 games");
        assert_eq!(games(10_000), "10\u{202f}000 games");
        assert_eq!(games(u64::MAX), "1.84467e19 games");
        for (of, expected) in [
            (0.1 + 0.2, "0.3"),
            (1_500.0, "1500"),
            (-2.5, "-2.5"),
            (1e308, "1e308"),
            (280e9, "2.8e11"),
            (123_456_789.0, "123457000"),
            (0.000_12, "0.00012"),
            (5e-324, "5e-324"),
            (0.0, "0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(of), expected);
        }
    }

    #[test]
    fn one_of_a_kind_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games"]);
    }
}
