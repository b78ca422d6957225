//! Rows of an experiment file: sections that may occur several times.

use super::MAX_CELLS;
use super::error::{Problems, line_of};
use super::layout::LONGEST_NAME;
use super::section::Section;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeValue;

/// A row with an id and a weight: a baseline, a test group or a budget.
#[derive(Debug)]
pub(super) struct Row<T> {
    pub(super) id: String,
    pub(super) weight: f64,
    pub(super) content: T,
    /// The place of the row.
    pub(super) span: Range<usize>,
}

/// Sections that may occur several times, each with an id of its own and a weight.
pub(super) fn rows<'t, T>(
    text: &str,
    top: &mut Section<'t>,
    key: &'static str,
    title: &'static str,
    problems: &mut Problems,
    read: impl Fn(&mut Section<'t>, &mut Problems) -> Option<T>,
) -> Vec<Row<T>> {
    let Some(node) = top.optional(key) else { return Vec::new() };
    let list = match node.get_ref() {
        DeValue::Array(list) if list.iter().all(|row| row.get_ref().is_table()) => list,
        _ => {
            problems
                .at(node.span(), format!("there can be several of these: write {title}, in two brackets"));
            return Vec::new();
        }
    };
    if list.is_empty() {
        problems.absent(node.span(), format!("there is no {title}"));
    }
    if list.len() > MAX_CELLS {
        let listed = list.len();
        problems.at(
            node.span(),
            format!("there are {listed} of {title}; an experiment has at most {MAX_CELLS} cells"),
        );
        return Vec::new();
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rows = Vec::new();
    for row in list {
        if problems.are_enough() {
            break;
        }
        let Some(table) = row.get_ref().as_table() else { continue };
        let mut section = Section::new(title, row.span(), table);
        let id = section.text("id", LONGEST_NAME, problems);
        if let Some(id) = id
            && let Some(first) = seen.insert(id, row.span().start)
        {
            let line = line_of(text, first);
            let span = table.get("id").map_or(row.span(), |node| node.span());
            problems.at(span, format!("there is a {title} called `{id}` already, in line {line}"));
        }
        let weight = section.weight(problems);
        let content = read(&mut section, problems);
        section.finish(problems);
        if let (Some(id), Some(content)) = (id, content) {
            rows.push(Row { id: id.to_owned(), weight, content, span: row.span() });
        }
    }
    rows
}
