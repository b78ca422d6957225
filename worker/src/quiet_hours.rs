//! Quiet hours, during which the machine is left to its owner.

use engine::spelling::excerpt;
use std::str::FromStr;
use thiserror::Error;

/// A daily interval in minutes since local midnight. The end is not part of the interval; an end before the start means
/// that the interval spans midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    from: u16,
    to: u16,
}

/// A text that is not a valid interval of hours.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` names no hours: write them as 09:00-18:00")]
pub struct NoHours(String);

impl FromStr for QuietHours {
    type Err = NoHours;

    fn from_str(text: &str) -> Result<Self, NoHours> {
        let minute = |clock: &str| -> Option<u16> {
            let (hour, minute) = clock.trim().split_once(':')?;
            let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
            (hour <= 24 && minute < 60 && (hour < 24 || minute == 0)).then_some((hour * 60 + minute) % 1440)
        };
        let hours = text.split_once('-').and_then(|(from, to)| Some((minute(from)?, minute(to)?)));
        match hours {
            Some((from, to)) if from != to => Ok(Self { from, to }),
            _ => Err(NoHours(excerpt(text))),
        }
    }
}

impl QuietHours {
    /// Whether the quiet hours contain a minute of the day.
    #[must_use]
    pub fn contain(self, minute: u16) -> bool {
        if self.from < self.to {
            (self.from..self.to).contains(&minute)
        } else {
            minute >= self.from || minute < self.to
        }
    }

    /// The end as HH:MM.
    #[must_use]
    pub fn end(self) -> String {
        format!("{:02}:{:02}", self.to / 60, self.to % 60)
    }
}

/// The present minute of the day in the local time zone.
#[must_use]
pub(crate) fn local_minute() -> u16 {
    // SAFETY: `time` accepts a null pointer, and `localtime_r` requires pointers to a time and to a writable `tm`: both
    // point to live locals. All-zero bytes are a valid `libc::tm`: integers, and on most systems a raw pointer.
    let (hour, minute) = unsafe {
        let now = libc::time(std::ptr::null_mut());
        let mut local: libc::tm = std::mem::zeroed();
        libc::localtime_r(&raw const now, &raw mut local);
        (local.tm_hour, local.tm_min)
    };
    u16::try_from(hour * 60 + minute).unwrap_or(0) % 1440
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_the_day_and_hours_over_midnight() {
        let within = |text: &str, clock: &str| {
            let (hour, minute) = clock.split_once(':').expect("a clock");
            let minute = hour.parse::<u16>().expect("hour") * 60 + minute.parse::<u16>().expect("minute");
            text.parse::<QuietHours>().expect(text).contain(minute)
        };
        for (text, clock, expected) in [
            ("09:00-18:00", "08:59", false),
            ("09:00-18:00", "09:00", true),
            ("09:00-18:00", "17:59", true),
            ("09:00-18:00", "18:00", false),
            ("22:00-06:30", "23:00", true),
            ("22:00-06:30", "06:29", true),
            ("22:00-06:30", "06:30", false),
            ("12:00-24:00", "23:59", true),
        ] {
            assert_eq!(within(text, clock), expected, "{clock} in {text}");
        }
        // The last two would cover the whole day. Such a machine would never work, so they are refused as mistakes.
        for wrong in ["", "9-18", "09:00", "25:00-26:00", "09:60-10:00", "09:00-09:00", "0:00-24:00"] {
            assert!(wrong.parse::<QuietHours>().is_err(), "{wrong}");
        }
        assert_eq!("09:00-18:05".parse::<QuietHours>().expect("hours").end(), "18:05");
    }

    #[test]
    fn the_minute_is_the_one_that_a_clock_here_shows() {
        let shown = || {
            let date = std::process::Command::new("date").arg("+%H:%M").output().expect("date");
            let text = String::from_utf8(date.stdout).expect("text");
            let (hour, minute) = text.trim().split_once(':').expect("a clock");
            hour.parse::<u16>().expect("hour") * 60 + minute.parse::<u16>().expect("minute")
        };
        // The minute may change between two calls.
        let (before, ours, after) = (shown(), local_minute(), shown());
        assert!(ours == before || ours == after, "{ours} is neither {before} nor {after}");
    }
}
