//! Errors of TOML syntax, in words for people who do not know the grammar.

use super::error::{Problems, boundary, line_of};
use super::layout::{SECTIONS, is_list};
use engine::spelling::excerpt;
use std::collections::BTreeSet;
use std::ops::Range;
use toml::de::Error;

/// Quotes that word processors put in place of straight ones.
const CURLY: [char; 8] =
    ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{201a}', '\u{ab}', '\u{bb}'];

/// Adds the parser's errors, one per line. Returns whether the rest of the file could still be parsed.
pub(super) fn note(text: &str, errors: &[Error], problems: &mut Problems) -> bool {
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let message = "this looks like JSON; an experiment file is TOML, and `gauntlet init -` prints one";
        problems.at(0..1, message);
        return false;
    }
    let mut lines = BTreeSet::new();
    // A section with a repeated heading: its keys are duplicates only for that reason.
    let mut repeated = 0..0;
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let span = boundary(text, span.start)..boundary(text, span.end);
        if !lines.insert(line_of(text, span.start)) || repeated.contains(&span.start) {
            continue;
        }
        if error.message().starts_with("duplicate key") && heading(line_at(text, span.start)).is_some() {
            let next = text[span.start..].find("\n[").map_or(text.len(), |length| span.start + length);
            repeated = span.start..next;
        }
        let (message, span, is_local) = in_words(text, span, error.message());
        problems.at(span, message);
        if !is_local || problems.are_enough() {
            return false;
        }
    }
    true
}

/// The message, its place, and whether the rest of the file can still be parsed.
fn in_words(text: &str, span: Range<usize>, message: &str) -> (String, Range<usize>, bool) {
    let found = text.get(span.clone()).unwrap_or_default();
    let first = text[..span.start].chars().next_back();
    let rest = text.get(span.start..).unwrap_or_default();
    if message.starts_with("duplicate key") {
        return (given_twice(text, &span), span, true);
    }
    if message.starts_with("string values must be quoted") || message.starts_with("invalid boolean") {
        return (unquoted(found), span, true);
    }
    if message.starts_with("key with no value") {
        let before = text[..span.start].trim_end_matches([' ', '\t']);
        let instead = if before.ends_with(':') { ", not `:`" } else { "" };
        return (format!("between a key and its value stands `=`{instead}"), span, true);
    }
    if message.starts_with("unexpected key or value") {
        let of_thousands = rest.starts_with(',') && first.is_some_and(|c| c.is_ascii_digit());
        let message = if of_thousands {
            "a number is written without commas, such as 1000"
        } else {
            "something follows the value; each key has a line of its own"
        };
        return (message.to_owned(), span, true);
    }
    if message.contains("basic string, expected `\"`") || message.contains("literal string, expected `'`") {
        return ("this text has no closing quote".to_owned(), span, false);
    }
    if message.starts_with("unexpected `=` in array") {
        return ("keys with values stand in braces, { … }, not in brackets".to_owned(), span, false);
    }
    if message.contains("visible characters") {
        return ("a character that cannot be seen stands here; leave it out".to_owned(), span, false);
    }
    if message.starts_with("carriage return") {
        let message =
            "the lines end with a bare carriage return; save the file with the line ends of Unix or Windows";
        return (message.to_owned(), span, false);
    }
    (message.to_owned(), span, false)
}

/// What to write instead of a value without quotes.
fn unquoted(found: &str) -> String {
    let lower = found.to_lowercase();
    let shown = excerpt(found);
    if found.starts_with(CURLY) {
        let bare = shown.trim_matches(CURLY);
        return format!("the quotes around a text are straight: \"{bare}\"");
    }
    match lower.as_str() {
        "true" | "false" => format!("`{shown}` is written `{lower}`"),
        "null" | "none" | "nil" => format!("there is no `{shown}`; leave the key out"),
        _ if found.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            format!("`{shown}` is no number; write its digits alone, such as 2000 or 0.5")
        }
        _ => format!("a text stands in quotes: \"{shown}\""),
    }
}

/// The line with the byte at `offset`.
fn line_at(text: &str, offset: usize) -> &str {
    let begin = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    text[begin..].lines().next().unwrap_or_default()
}

/// The name in a heading such as `[play]` or `[[test]]`, and whether it has two brackets.
fn heading(line: &str) -> Option<(&str, bool)> {
    let line = line.trim();
    let inside = line.strip_prefix('[')?;
    let is_list = inside.starts_with('[');
    let name = inside.trim_start_matches('[').split(']').next().unwrap_or_default();
    Some((name.trim(), is_list))
}

/// The message for a repeated key or heading.
fn given_twice(text: &str, span: &Range<usize>) -> String {
    let begin = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = line_at(text, span.start);
    let before: Vec<&str> = text[..begin].lines().collect();
    let key = text.get(span.clone()).unwrap_or_default();
    if let Some((name, in_two)) = heading(line) {
        let earlier = before.iter().rposition(|line| heading(line).is_some_and(|(other, _)| other == name));
        let Some(earlier) = earlier else { return format!("there is a `{name}` already") };
        let (number, was_in_two) = (earlier + 1, heading(before[earlier]).is_some_and(|(_, list)| list));
        let known = SECTIONS.iter().find(|section| section.key == name);
        return match (was_in_two, in_two) {
            (true, false) => {
                format!(
                    "write [[{name}]], in two brackets as in line {number}: there can be several of these"
                )
            }
            (false, true) => {
                format!(
                    "write [[{name}]] in line {number}, too, in two brackets: there can be several of these"
                )
            }
            _ if known.is_some_and(is_list) => format!(
                "write [[{name}]] here and in line {number}, in two brackets: there can be several of these"
            ),
            _ => format!("there is a [{name}] already, in line {number}; its keys belong there"),
        };
    }
    let section = before.iter().rposition(|line| heading(line).is_some()).unwrap_or(0);
    let gives = |line: &&str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
    };
    match before[section..].iter().rposition(gives) {
        Some(earlier) => format!("`{key}` is given twice, first in line {}", section + earlier + 1),
        None => format!("`{key}` is given twice"),
    }
}
