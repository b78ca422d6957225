//! Reading the arguments of commands.

use super::refusal::{Refusal, Reply};
use crate::numbers;
use crate::side::Side;
use crate::spelling::excerpt;
use std::borrow::Cow;
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
    match numbers::whole(text) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => Err(Refusal::whole(what, text, &range, note)),
    }
}

/// The words of arguments, without a comment. A word in double quotes may have blanks and `#`.
pub(super) fn words(arguments: &str) -> Result<Vec<Cow<'_, str>>, Refusal> {
    let mut words = Vec::new();
    let mut rest = arguments.trim_start();
    while !rest.is_empty() && !rest.starts_with('#') {
        let word = if let Some(quoted) = rest.strip_prefix('"') {
            let (word, after) = unquoted(quoted)?;
            rest = after;
            word.into()
        } else {
            let (word, after) =
                rest.split_at(rest.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(rest.len()));
            rest = after;
            word.into()
        };
        words.push(word);
        rest = rest.trim_start();
    }
    Ok(words)
}

/// The text after a quotation mark up to the next one, and what follows it. In it, `\"` and `\\` stand for `"` and `\`.
fn unquoted(text: &str) -> Result<(String, &str), Refusal> {
    let mut word = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next() {
            None => return Err(Refusal::OpenQuote(excerpt(text))),
            Some('"') => return Ok((word, chars.as_str())),
            Some('\\') if chars.as_str().starts_with(['"', '\\']) => word.extend(chars.next()),
            Some(c) => word.push(c),
        }
    }
}

/// A word as the reader of arguments understands it.
#[must_use]
pub fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Arguments without a comment, their blanks kept. A comment begins with a `#` after a blank: names have a `#` inside them.
pub(super) fn text(arguments: &str) -> &str {
    let is_begin = |at: &usize| arguments[..*at].ends_with(char::is_whitespace) || *at == 0;
    let mut quoted = false;
    let mut escaped = false;
    let end = arguments.char_indices().find_map(|(at, c)| {
        match c {
            '#' if !quoted && is_begin(&at) => return Some(at),
            '"' if quoted => quoted = escaped,
            '"' => quoted = arguments[..at].trim().is_empty(),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        None
    });
    arguments[..end.unwrap_or(arguments.len())].trim()
}

/// The longest name of a file, in bytes. No file system allows more.
const LONGEST_NAME: usize = 4096;

/// The name of a file and the options behind it. The name is in double quotes or reaches to the options.
pub(super) struct FileName<'a> {
    quoted: Option<String>,
    /// The name, unless it is quoted, and the options that were not taken yet.
    rest: &'a str,
}

impl<'a> FileName<'a> {
    /// Reads a quoted name.
    pub(super) fn begin(text: &'a str) -> Result<Self, Refusal> {
        match text.strip_prefix('"').map(unquoted).transpose()? {
            Some((name, rest)) => Ok(Self { quoted: Some(name), rest: rest.trim() }),
            None => Ok(Self { quoted: None, rest: text }),
        }
    }

    /// Takes the last word if it is an option and not the whole name.
    pub(super) fn option<T>(&mut self, read: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        let at = match self.rest.rfind(char::is_whitespace) {
            Some(blank) => blank + 1,
            None if self.quoted.is_some() => 0,
            None => return None,
        };
        self.option_at(at, read)
    }

    /// As [`FileName::option`] for a command that can do without a name.
    pub(super) fn option_or_all<T>(&mut self, read: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        self.option_at(self.rest.rfind(char::is_whitespace).map_or(0, |blank| blank + 1), read)
    }

    fn option_at<T>(&mut self, at: usize, read: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        let option = read(&self.rest[at..])?;
        self.rest = self.rest[..at].trim_end();
        Some(option)
    }

    /// The name; empty if there is none.
    pub(super) fn end(self) -> Result<String, Refusal> {
        let name = match self.quoted {
            Some(_) if !self.rest.is_empty() => return Err(Refusal::Arguments),
            Some(name) if name.is_empty() => {
                return Err(Refusal::value("name of a file", "\"\"", "at least one character"));
            }
            Some(name) => name,
            None => self.rest.to_owned(),
        };
        let why = match &name {
            name if name.len() > LONGEST_NAME => "4096 bytes at most",
            // What was sent is lost.
            name if name.contains(char::REPLACEMENT_CHARACTER) => "UTF-8",
            _ => return Ok(name),
        };
        Err(Refusal::value("name of a file", &name, why))
    }
}

/// A word that is digits.
pub(super) fn digits(word: &str) -> Option<&str> {
    (!word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())).then_some(word)
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
