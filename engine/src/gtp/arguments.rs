//! Reading the arguments of commands.

use super::refusal::{Refusal, Reply};
use crate::side::Side;
use crate::spelling::excerpt;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// The longest time accepted, in seconds.
const LONGEST: f64 = 1e9;

/// Reads a colour.
pub(super) fn colour(text: &str) -> Result<Side, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "white" | "w" => Ok(Side::White),
        "black" | "b" => Ok(Side::Black),
        _ => Err(Refusal::Colour(excerpt(text))),
    }
}

/// Reads a time.
pub(super) fn seconds(text: &str) -> Result<Duration, Refusal> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=LONGEST).contains(&number) => Ok(Duration::from_secs_f64(number)),
        _ => Err(Refusal::value("time", text, "seconds from 0 to 1000000000")),
    }
}

/// Reads a switch.
pub(super) fn switch(text: &str) -> Result<bool, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "true" => Ok(true),
        "0" | "off" | "false" => Ok(false),
        _ => Err(Refusal::value("switch", text, "0 or 1")),
    }
}

/// Reads a whole number within a range.
pub(super) fn whole<N: FromStr + PartialOrd + Display>(
    what: &'static str,
    text: &str,
    range: RangeInclusive<N>,
) -> Result<N, Refusal> {
    whole_with_note(what, text, range, "")
}

/// Reads a whole number within a range; the refusal ends with `note`.
pub(super) fn whole_with_note<N: FromStr + PartialOrd + Display>(
    what: &'static str,
    text: &str,
    range: RangeInclusive<N>,
    note: &str,
) -> Result<N, Refusal> {
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(Refusal::whole(what, text, &range, note)),
    }
}

/// The name of a file, which may consist of several words. It is cut at 4096 characters, more than file systems allow.
pub(super) fn file_name(words: &[&str]) -> String {
    words.join(" ").chars().take(4096).collect()
}

/// Answers the state of a switch, or sets the switch.
pub(super) fn show_or_set_switch(value: &mut bool, arguments: &[&str]) -> Reply {
    match arguments {
        [] => return Ok(u8::from(*value).to_string()),
        [text] => *value = switch(text)?,
        _ => return Err(Refusal::Arguments),
    }
    Ok(String::new())
}

/// Answers a number, or sets it.
pub(super) fn show_or_set_number(value: &mut u64, what: &'static str, arguments: &[&str]) -> Reply {
    match arguments {
        [] => return Ok(value.to_string()),
        [text] => *value = whole(what, text, 0..=u64::MAX)?,
        _ => return Err(Refusal::Arguments),
    }
    Ok(String::new())
}
