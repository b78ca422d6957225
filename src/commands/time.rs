//! Times as people write and read them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The longest time that people may ask for, a century: far below what a clock can add.
const LONGEST_DAYS: u64 = 36_500;

/// A number of hours.
pub(crate) fn hours(text: &str) -> Result<Duration, String> {
    let most = LONGEST_DAYS * 24;
    let hours = text.parse().ok().filter(|hours| (0.0..=most as f64).contains(hours));
    let hours: f64 = hours.ok_or_else(|| format!("`{text}` is no number of hours from 0 to {most}"))?;
    Ok(Duration::from_secs_f64(hours * 3600.0))
}

/// A number of seconds, above 0.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err(format!("`{text}` is no number of seconds from 0.001 to 1000000")),
    }
}

/// A time such as `90s`, `15m`, `12h` or `30d`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time: write 90s, 15m, 12h or 30d, of at most {LONGEST_DAYS}d");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let longest = LONGEST_DAYS * 86_400;
    number.checked_mul(seconds).filter(|&s| s <= longest).map(Duration::from_secs).ok_or_else(wrong)
}

/// A time between two looks, as [`duration`] reads it.
pub(crate) fn pause(text: &str) -> Result<Duration, String> {
    let pause = duration(text)?;
    if pause.is_zero() { Err("looks are at least one second apart".to_owned()) } else { Ok(pause) }
}

/// A date such as `2026-08-01` or `2026-08-01T12:30` in UTC, or how long ago, in milliseconds since 1970.
pub(crate) fn moment(text: &str) -> Result<i64, String> {
    if let Ok(ago) = duration(text) {
        return Ok(now_ms() - i64::try_from(ago.as_millis()).unwrap_or(i64::MAX));
    }
    let wrong = || format!("`{text}` is no time: write 2h or 30d, 2026-08-01, or 2026-08-01T12:30 (UTC)");
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00"));
    let numbers = |text: &str, mark| -> Option<Vec<i64>> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &str| part.parse().ok().filter(|number| digits(part) && *number <= 9999);
        text.split(mark).map(number).collect()
    };
    let (Some(date), Some(time)) = (numbers(date, '-'), numbers(time, ':')) else { return Err(wrong()) };
    let ([year, month, day], [hour, minute]) = (&date[..], &time[..]) else { return Err(wrong()) };
    // Days from the civil date, as in `utc`, by years that begin in March.
    let shifted_year = year - i64::from(*month <= 2);
    let (era, year_of_era) = (shifted_year.div_euclid(400), shifted_year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    let ms = days * 86_400_000 + (hour * 60 + minute) * 60_000;
    let is_there =
        *year >= 1970 && utc(ms) == format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:00Z");
    if is_there { Ok(ms) } else { Err(wrong()) }
}

/// The time, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
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
    fn looks_are_apart() {
        assert_eq!(pause("5m"), Ok(Duration::from_secs(300)));
        assert!(pause("0s").is_err_and(|why| why.contains("at least one second")));
    }

    #[test]
    fn hours_are_a_number_that_a_clock_can_add() {
        let seconds = |text| hours(text).map(|time| time.as_secs_f64());
        assert_eq!(["0", "1.5", "876000"].map(seconds), [Ok(0.0), Ok(5400.0), Ok(3_153_600_000.0)]);
        assert!(hours("1e-300").is_ok_and(|time| time.is_zero()));
        for wrong in ["", "8h", "-1", "-1e-300", "876000.1", "4e15", "1e300", "inf", "nan"] {
            let why = hours(wrong).expect_err(wrong);
            assert!(why.contains(wrong) && why.contains("from 0 to 876000"), "{why}");
        }
    }

    #[test]
    fn a_moment_is_a_date_or_how_long_ago() {
        for (text, words) in [
            ("1970-01-01", "1970-01-01 00:00:00Z"),
            ("2000-02-29T23:59", "2000-02-29 23:59:00Z"),
            ("2026-12-31", "2026-12-31 00:00:00Z"),
        ] {
            assert_eq!(moment(text).map(utc), Ok(words.to_owned()));
        }
        let two_hours_ago = moment("2h").expect("a time");
        let ago = now_ms() - two_hours_ago;
        assert!((7_200_000..7_260_000).contains(&ago), "{ago}");
        for wrong in [
            "",
            "yesterday",
            "2026-02-29",
            "2026-13-01",
            "2026-1",
            "2026-01-01T25:00",
            "+2026-01-01",
            "99999-01-01",
            "2026-01-99999999999999999999",
        ] {
            assert!(moment(wrong).is_err(), "{wrong}");
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
