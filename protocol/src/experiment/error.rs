//! Problems of an experiment file, with their places.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// The most problems shown: with more, the first ones would scroll away.
const SHOWN: usize = 12;

/// With so many problems the rest of a list or table is not read: it may have a hundred thousand elements, each with a problem.
const ENOUGH: usize = 200;

/// The longest message, in characters: it may quote what the file has.
const LONGEST_MESSAGE: usize = 1000;

/// Characters of a source line shown around a problem.
const WINDOW: usize = 100;

/// The problems of an experiment file. The text names file, line and column of each problem and shows the line with a
/// caret, as compilers do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ExperimentFileError {
    file: String,
    problems: Vec<Problem>,
    left_out: usize,
    asks_for_baselines: bool,
}

/// One problem of an experiment file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong and how to correct it.
    pub message: String,
    /// The place; `None` when something is missing from the whole file.
    pub place: Option<SourceLocation>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The part of the line around the place.
    excerpt: String,
    /// The place within the excerpt: first character, from 0, and number of characters.
    mark: Range<usize>,
}

impl ExperimentFileError {
    /// The problems, in the order of the file, at most a dozen.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether nothing is wrong but that the file uses named baselines that were not looked up.
    #[must_use]
    pub fn asks_for_baselines(&self) -> bool {
        self.asks_for_baselines
    }
}

impl fmt::Display for ExperimentFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            let Some(place) = &problem.place else {
                write!(f, "{}: {}", self.file, problem.message)?;
                continue;
            };
            let number = place.line.to_string();
            let margin = " ".repeat(number.len());
            let indent = " ".repeat(place.mark.start);
            let carets = "^".repeat(place.mark.len().max(1));
            writeln!(f, "{}:{}:{}: {}", self.file, place.line, place.column, problem.message)?;
            writeln!(f, "{margin} |")?;
            writeln!(f, "{number} | {}", place.excerpt)?;
            write!(f, "{margin} | {indent}{carets}")?;
        }
        if self.left_out > 0 {
            let least = if self.left_out + SHOWN >= ENOUGH { "at least " } else { "" };
            write!(f, "\n\n{}: {least}{} more after these", self.file, self.left_out)?;
        }
        Ok(())
    }
}

/// A problem with its place, if it has one.
#[derive(Debug)]
struct LocatedProblem {
    span: Option<Range<usize>>,
    message: String,
    /// Whether something is missing: an error in the TOML may have hidden it.
    is_absence: bool,
}

/// Collects problems while a file is read, so that several are reported at once.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<LocatedProblem>,
    /// Sections with a misspelt or misplaced heading; they are not reported as missing.
    meant: Vec<&'static str>,
    /// How many of the problems are names of baselines that were not looked up.
    unknown_names: usize,
}

impl Problems {
    /// Adds a problem with the text at `span`.
    pub(super) fn at(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.found.push(LocatedProblem { span: Some(span), message: message.into(), is_absence: false });
    }

    /// Adds that the parameters of the baseline at `span` are not known here.
    pub(super) fn unknown_name(&mut self, span: Range<usize>, message: String) {
        self.unknown_names += 1;
        self.at(span, message);
    }

    /// Adds that something is missing from the table at `span`.
    pub(super) fn absent(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.found.push(LocatedProblem { span: Some(span), message: message.into(), is_absence: true });
    }

    /// Adds that something is missing from the file.
    pub(super) fn missing(&mut self, message: impl Into<String>) {
        self.found.push(LocatedProblem { span: None, message: message.into(), is_absence: true });
    }

    /// Remembers that some heading was meant for this section.
    pub(super) fn meant(&mut self, section: &'static str) {
        self.meant.push(section);
    }

    /// Whether some heading was meant for this section.
    pub(super) fn is_meant(&self, section: &str) -> bool {
        self.meant.contains(&section)
    }

    /// Whether there are so many that no more need be looked for.
    pub(super) fn are_enough(&self) -> bool {
        self.found.len() >= ENOUGH
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Adds the problems found in a file whose TOML has the problems so far. Problems that those may have caused are left
    /// out: missing parts, and problems in the same line.
    pub(super) fn add_independent(&mut self, text: &str, others: Self) {
        let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).collect();
        let line = |found: &LocatedProblem| {
            found.span.as_ref().map(|span| ends.partition_point(|end| *end < span.start))
        };
        let lines: BTreeSet<_> = self.found.iter().map(line).collect();
        let independent = |found: &LocatedProblem| !found.is_absence && !lines.contains(&line(found));
        self.found.extend(others.found.into_iter().filter(independent));
    }

    /// The error that reports the problems.
    pub(super) fn into_error(mut self, file: &str, text: &str) -> ExperimentFileError {
        self.found.sort_by_key(|found| found.span.as_ref().map_or(usize::MAX, |span| span.start));
        let asks_for_baselines = !self.found.is_empty() && self.unknown_names == self.found.len();
        let left_out = self.found.len().saturating_sub(SHOWN);
        self.found.truncate(SHOWN);
        let problems = self
            .found
            .into_iter()
            .map(|LocatedProblem { span, message, .. }| Problem {
                message: shortened(message),
                place: span.map(|span| place(text, span)),
            })
            .collect();
        ExperimentFileError { file: file.to_owned(), problems, left_out, asks_for_baselines }
    }
}

fn shortened(message: String) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}

/// The line of the byte at `offset`, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}

/// The last start of a character up to `offset`.
pub(super) fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

fn place(text: &str, span: Range<usize>) -> SourceLocation {
    let at = boundary(text, span.start);
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let before = text[begin..at].chars().count();
    // A span over several lines is marked on its first line.
    let end = boundary(text, span.end.max(at)).min(begin + line.len()).max(at);
    let marked = text[at..end].chars().count();

    let skipped = if before + marked <= WINDOW { 0 } else { before.saturating_sub(WINDOW / 4) };
    let mut excerpt: String =
        line.chars().skip(skipped).take(WINDOW).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let shown = excerpt.chars().count();
    if skipped + shown < line.chars().count() {
        excerpt.push('…');
    }
    let start = before - skipped;
    let mark = start..(start + marked).min(shown).max(start);
    SourceLocation { line: line_of(text, begin), column: before + 1, excerpt, mark }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: Range<usize>) -> String {
        let mut problems = Problems::default();
        problems.at(span, "wrong");
        problems.into_error("f", text).to_string()
    }

    #[test]
    fn carets_stand_below_the_characters_they_mean() {
        let text = "a = 1\n\u{fc}ber = \"\u{e4}\"\tx\r\nc = 3";
        let at = text.find("\"").expect("there");
        let expected = "f:2:8: wrong\n  |\n2 | \u{fc}ber = \"\u{e4}\" x\n  |        ^^^";
        assert_eq!(shown(text, at..at + 4), expected);
    }

    #[test]
    fn a_message_ends_somewhere() {
        let mut problems = Problems::default();
        problems.at(0..1, "ü".repeat(100_000));
        let shown = problems.into_error("f", "a").problems()[0].message.clone();
        assert_eq!(shown, "ü".repeat(LONGEST_MESSAGE) + "…");
    }

    #[test]
    fn spans_beyond_a_line_or_inside_a_character_are_cut() {
        assert_eq!(shown("ab\ncd", 1..5), "f:1:2: wrong\n  |\n1 | ab\n  |  ^");
        assert_eq!(shown("\u{e4}b", 1..2), "f:1:1: wrong\n  |\n1 | \u{e4}b\n  | ^");
        assert_eq!(shown("ab", 7..9), "f:1:3: wrong\n  |\n1 | ab\n  |   ^");
        assert_eq!(shown("", 0..0), "f:1:1: wrong\n  |\n1 | \n  | ^");
    }

    #[test]
    fn long_lines_are_shown_around_the_place() {
        let text = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        let error = shown(&text, 500..504);
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines[0], "f:1:501: wrong");
        assert_eq!(lines[2], format!("1 | {}HERE{}…", "a".repeat(25), "b".repeat(71)));
        assert_eq!(lines[3], format!("  | {}^^^^", " ".repeat(25)));
    }

    #[test]
    fn only_the_first_dozen_problems_are_shown_and_the_others_counted() {
        let mut problems = Problems::default();
        for i in (0..15).rev() {
            problems.at(i..i + 1, format!("problem {i}"));
        }
        let error = problems.into_error("f", &"x".repeat(20));
        assert_eq!(error.problems().len(), 12);
        assert_eq!(error.problems()[0].message, "problem 0");
        assert!(error.to_string().ends_with("f: 3 more after these"));
    }
}
