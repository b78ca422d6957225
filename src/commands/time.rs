//! Times as people write and read them.

use protocol::words::count;
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
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err(format!("`{text}` is no number of seconds from 0.001 to 1000000")),
    }
}

/// A time such as `90s`, `15m`, `12h` or `30d`, or as commands print it: `2.5 h`, `83 min`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time: write 90s, 15m, 12h or 30d, from 0s to {LONGEST_DAYS}d");
    let (number, unit) = text.split_at(text.find(|c: char| c.is_alphabetic() || c == ' ').ok_or_else(wrong)?);
    let unit = match unit.trim_start() {
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        "d" | "days" => 86_400.0,
        _ => return Err(wrong()),
    };
    let digits = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = number.parse().ok().filter(|_| digits).map(|number: f64| (number * unit).round());
    let longest = (LONGEST_DAYS * 86_400) as f64;
    seconds.filter(|seconds| *seconds <= longest).map(Duration::from_secs_f64).ok_or_else(wrong)
}

/// A time between two looks, as `duration` reads it.
pub fn pause(text: &str) -> Result<Duration, String> {
    let pause = duration(text)?;
    if pause.is_zero() { Err("looks are at least one second apart".to_owned()) } else { Ok(pause) }
}

/// A date such as `2026-08-01` or `2026-08-01T12:30` in UTC, also as [`utc`] writes it and as milliseconds since 1970, or how
/// long ago. The answer is in milliseconds since 1970.
pub(crate) fn moment(text: &str) -> Result<i64, String> {
    if let Ok(ago) = duration(text) {
        return Ok(now_ms() - i64::try_from(ago.as_millis()).unwrap_or(i64::MAX));
    }
    let wrong = || {
        format!(
            "`{text}` is no time: write 2h or 30d, or 2026-08-01 or 2026-08-01T12:30:00 (UTC), from 1970 to 9999"
        )
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(text) && (12..=14).contains(&text.len()) {
        return text.parse().map_err(|_| wrong());
    }
    // The time zone is UTC, named or not.
    let plain = [" UTC", "Z", "+00:00"].iter().find_map(|zone| text.strip_suffix(zone)).unwrap_or(text);
    let (date, time) = plain.split_once(['T', ' ']).unwrap_or((plain, "00:00"));
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let numbers = |text: &str, mark| -> Option<Vec<i64>> {
        let number = |part: &str| part.parse().ok().filter(|number| digits(part) && *number <= 9999);
        text.split(mark).map(number).collect()
    };
    let (Some(date), Some(time)) = (numbers(date, '-'), numbers(time, ':')) else { return Err(wrong()) };
    let [year, month, day] = date[..] else { return Err(wrong()) };
    let (hour, minute, second) = match time[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return Err(wrong()),
    };
    // Days from the civil date, as in `utc`, by years that begin in March.
    let shifted_year = year - i64::from(month <= 2);
    let (era, year_of_era) = (shifted_year.div_euclid(400), shifted_year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    let ms = days * 86_400_000 + (hour * 3600 + minute * 60 + second) * 1000;
    let written = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC");
    let is_there = year >= 1970 && utc(ms) == written && !fraction.is_empty() && digits(fraction);
    if is_there { Ok(ms) } else { Err(wrong()) }
}

/// How long something is valid: a time as [`duration`] reads it, or until a date.
pub(crate) fn term(text: &str) -> Result<Duration, String> {
    from_now(text, 1, "is not in the future")
}

/// How old something is: a time as [`duration`] reads it, or since a date.
pub(crate) fn age(text: &str) -> Result<Duration, String> {
    from_now(text, -1, "is not in the past")
}

/// A time as [`duration`] reads it, or from now to a date in this direction.
fn from_now(text: &str, direction: i64, otherwise: &str) -> Result<Duration, String> {
    duration(text).or_else(|_| {
        let ms = direction * (moment(text)? - now_ms());
        let time = u64::try_from(ms).map_err(|_| format!("`{text}` {otherwise}"))?;
        Ok(Duration::from_millis(time))
    })
}

/// The time, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since 1970 as date and time in UTC, such as `2026-08-01 12:04:31 UTC`.
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
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Seconds for people, rounded by a fiftieth at most from ten seconds on.
pub(crate) fn rounded(seconds: f64) -> String {
    match seconds.max(0.0) {
        s if s < 99.5 => format!("{s:.0} s"),
        s if s < 597.0 => format!("{:.1} min", s / 60.0),
        s if s < 5970.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s if s < 86_400_000.0 => format!("{:.1} days", s / 86_400.0),
        s => format!("{} days", count((s / 86_400.0).round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_a_number_and_a_unit() {
        let seconds = |text: &str| duration(text).map(|time| time.as_secs());
        assert_eq!(["90s", "15m", "12h", "30d"].map(seconds), [Ok(90), Ok(900), Ok(43_200), Ok(2_592_000)]);
        for wrong in [
            "",
            "s",
            "12",
            "1.5.1h",
            "-1h",
            "1e3s",
            "infs",
            "5w",
            "99999999999999999999d",
            "é",
            "40000d",
            "5 h ago",
        ] {
            let why = duration(wrong).expect_err(wrong);
            assert!(why.contains("from 0s to 36500d"), "{why}");
        }
        for (printed, read) in
            [(42.0, 42), (102.0, 102), (600.0, 600), (5000.0, 83 * 60), (9000.0, 9000), (172_800.0, 172_800)]
        {
            assert_eq!(seconds(&rounded(printed)), Ok(read), "what is printed is read");
        }
        assert_eq!(["1.5h", "2.0 days", "0s"].map(seconds), [Ok(5400), Ok(172_800), Ok(0)]);
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
            ("1970-01-01", "1970-01-01 00:00:00 UTC"),
            ("2000-02-29T23:59", "2000-02-29 23:59:00 UTC"),
            ("2026-12-31", "2026-12-31 00:00:00 UTC"),
            ("2026-08-01T12:30:45", "2026-08-01 12:30:45 UTC"),
            ("2026-08-01 12:30:45 UTC", "2026-08-01 12:30:45 UTC"),
            ("2026-08-01 12:30:45Z", "2026-08-01 12:30:45 UTC"),
            ("2026-08-01T12:30:45.123456+00:00", "2026-08-01 12:30:45 UTC"),
            ("1785587445123", "2026-08-01 12:30:45 UTC"),
        ] {
            assert_eq!(moment(text).map(utc), Ok(words.to_owned()));
        }
        for ms in [0, 951_782_399_000, 1_700_000_000_000, 4_107_542_400_000] {
            assert_eq!(moment(&utc(ms)), Ok(ms), "what is printed is read");
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
            "2026-01-01T12:30:60",
            "2026-01-01T12:30:00.",
            "2026-01-01T12:30:00+02:00",
            "12",
            "+2026-01-01",
            "99999-01-01",
            "2026-01-99999999999999999999",
        ] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_term_and_an_age_are_times_or_dates() {
        assert_eq!([term("2h"), age("2h")], [Ok(Duration::from_secs(7200)), Ok(Duration::from_secs(7200))]);
        let hours = |time: Result<Duration, String>| time.map(|time| (time.as_secs_f64() / 3600.0).round());
        let [later, earlier] = [2, -2].map(|hours| utc(now_ms() + hours * 3_600_000));
        assert_eq!(
            [hours(term(&later)), hours(age(&earlier))],
            [Ok(2.0), Ok(2.0)],
            "what is printed is read"
        );
        assert_eq!(term("2001-02-03"), Err("`2001-02-03` is not in the future".to_owned()));
        assert_eq!(age("9001-02-03"), Err("`9001-02-03` is not in the past".to_owned()));
        for wrong in ["", "tomorrow", "5w", "2026-02-30"] {
            assert!(term(wrong).is_err_and(|why| why.contains("2h or 30d, or 2026-08-01")), "{wrong}");
        }
    }

    #[test]
    fn times_are_those_of_the_world() {
        for (ms, words) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399_999, "2000-02-28 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_700_000_000_000, "2023-11-14 22:13:20 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
        ] {
            assert_eq!(utc(ms), words);
        }
    }

    #[test]
    fn durations_read_in_the_unit_that_fits() {
        assert_eq!(
            [0.2, 81.0, 99.0, 100.0, 570.0, 599.0, 5000.0, 9000.0, 864_000.0, -1.0].map(rounded),
            ["0 s", "81 s", "99 s", "1.7 min", "9.5 min", "10 min", "83 min", "2.5 h", "10.0 days", "0 s"]
        );
    }
}
