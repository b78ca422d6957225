//! Times as people write and read them.

use std::time::Duration;

/// A time such as `90s`, `15m`, `12h` or `30d`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time: write 90s, 15m, 12h or 30d");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).filter(|&s| s <= 3_153_600_000).map(Duration::from_secs).ok_or_else(wrong)
}

/// Milliseconds since 1970 as date and time in UTC, such as `2026-08-01 12:04:31Z`.
pub(crate) fn utc(ms: i64) -> String {
    let (days, seconds) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000) / 1000);
    // Days since 0000-03-01, in eras of 400 years: Howard Hinnant, "chrono-compatible low-level date algorithms".
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
}

/// Seconds for people, to about two digits.
pub(crate) fn rounded(seconds: f64) -> String {
    match seconds.max(0.0) {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_a_number_and_a_unit() {
        let seconds = |text| duration(text).map(|time| time.as_secs());
        assert_eq!(["90s", "15m", "12h", "30d"].map(seconds), [Ok(90), Ok(900), Ok(43_200), Ok(2_592_000)]);
        for wrong in ["", "s", "12", "1.5h", "-1h", "5w", "99999999999999999999d", "é", "40000d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_those_of_the_world() {
        for (ms, words) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_399_999, "2000-02-28 23:59:59Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (1_700_000_000_000, "2023-11-14 22:13:20Z"),
            (4_107_542_400_000, "2100-03-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59Z"),
        ] {
            assert_eq!(utc(ms), words);
        }
    }

    #[test]
    fn durations_read_in_the_unit_that_fits() {
        assert_eq!(
            [0.2, 99.0, 100.0, 5000.0, 9000.0, -1.0].map(rounded),
            ["0 s", "99 s", "2 min", "83 min", "2.5 h", "0 s"]
        );
    }
}
