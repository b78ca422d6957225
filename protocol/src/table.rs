//! Tables for export: named columns, each of one kind, with gaps.

mod cells;
mod games;

pub use cells::{cell_columns, cells};
#[cfg(test)]
pub(crate) use games::columns as game_columns;
pub use games::games;

use std::borrow::Cow;
use std::fmt::{Display, Write};

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// The columns, all of one length.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name; no other column of the table has it.
    pub name: String,
    /// The values.
    pub values: Values,
}

/// The values of a column, by row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Words.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
    /// True or false.
    Flag(Vec<Option<bool>>),
}

impl Values {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Flag(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn write(&self, row: usize, to: &mut String) {
        fn put(to: &mut String, value: Option<&impl Display>) {
            if let Some(value) = value {
                write!(to, "{value}").expect("a string takes everything");
            }
        }
        match self {
            Self::Text(values) => put(to, values[row].as_deref().map(quoted).as_ref()),
            Self::Whole(values) => put(to, values[row].as_ref()),
            Self::Real(values) => put(to, values[row].as_ref()),
            Self::Flag(values) => put(to, values[row].as_ref()),
        }
    }
}

/// The name of a column, its value in a row of kind `R`, and its meaning for people.
pub type Definition<R> = (&'static str, ColumnValue<R>, &'static str);

/// How a column gets its values, and in which unit.
#[derive(Debug)]
pub enum ColumnValue<R> {
    /// Words.
    Text(fn(&R) -> Option<String>),
    /// Whole numbers.
    Whole(fn(&R) -> Option<u64>),
    /// Fractions from 0 to 1, which people read in per cent.
    Fraction(fn(&R) -> Option<f64>),
    /// Elo points.
    Elo(fn(&R) -> Option<f64>),
    /// Other real numbers.
    Real(fn(&R) -> Option<f64>),
    /// True or false.
    Flag(fn(&R) -> Option<bool>),
}

impl<R> ColumnValue<R> {
    /// The unit, in a word.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Whole(_) => "whole",
            Self::Fraction(_) => "fraction",
            Self::Elo(_) => "elo",
            Self::Real(_) => "real",
            Self::Flag(_) => "flag",
        }
    }
}

impl Table {
    /// The table with these columns.
    #[must_use]
    pub fn of<R>(columns: &[Definition<R>], rows: &[R]) -> Self {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let columns = columns.iter().map(|(name, of, _)| Column {
            name: (*name).to_owned(),
            values: match of {
                ColumnValue::Text(of) => Values::Text(rows.iter().map(of).collect()),
                ColumnValue::Whole(of) => Values::Whole(rows.iter().map(|row| of(row).map(whole)).collect()),
                ColumnValue::Fraction(of) | ColumnValue::Elo(of) | ColumnValue::Real(of) => {
                    Values::Real(rows.iter().map(of).collect())
                }
                ColumnValue::Flag(of) => Values::Flag(rows.iter().map(of).collect()),
            },
        });
        Self { columns: columns.collect() }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Comma-separated values (RFC 4180) with a line of names. A gap is an empty field.
    #[must_use]
    pub fn csv(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| quoted(&column.name)).collect();
        let mut out = names.join(",") + "\n";
        for row in 0..self.rows() {
            for (place, column) in self.columns.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                column.values.write(row, &mut out);
            }
            out.push('\n');
        }
        out
    }
}

/// What makes a spreadsheet compute a text, or take it for something else than a text.
const COMPUTED: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text as a field that no spreadsheet computes: behind an apostrophe where it begins as a formula does and is no number. [`text_of`]
/// is the inverse.
fn inert(text: &str) -> Cow<'_, str> {
    let begins_so = text.trim_start_matches('\'').starts_with(COMPUTED);
    if begins_so && text.parse::<f64>().is_err() { format!("'{text}").into() } else { text.into() }
}

/// The text of a field that a [`Table`] wrote.
#[must_use]
pub fn text_of(field: &str) -> &str {
    field
        .strip_prefix('\'')
        .filter(|rest| rest.trim_start_matches('\'').starts_with(COMPUTED))
        .unwrap_or(field)
}

/// A field in quotes where RFC 4180 asks for them, or where it could begin a comment.
fn quoted(text: &str) -> String {
    let text = &*inert(text);
    if text.contains([',', '"', '\n', '\r']) || text.starts_with('#') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_empty_fields_and_words_are_quoted_where_they_must_be() {
        let table = Table::of(
            &[
                ("a", ColumnValue::Text(|row: &u64| (*row > 0).then(|| "x,\"y\"\nz".to_owned())), "words"),
                ("b", ColumnValue::Whole(|row| row.checked_sub(1)), "a count"),
                ("c", ColumnValue::Real(|row| Some(*row as f64 / 4.0)), "a number"),
            ],
            &[0, 3],
        );
        assert_eq!(table.csv(), "a,b,c\n,,0\n\"x,\"\"y\"\"\nz\",2,0.75\n");
        assert_eq!(table.rows(), 2);
    }

    #[test]
    fn no_text_is_computed_and_each_is_read_back() {
        for (text, field) in [
            ("=1+1", "'=1+1"),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("'=1", "''=1"),
            ("'s", "'s"),
            ("-0.5", "-0.5"),
            ("+1e3", "+1e3"),
            ("rave_k=5", "rave_k=5"),
        ] {
            assert_eq!(quoted(text), field);
            let read = field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field);
            assert_eq!(text_of(&read.replace("\"\"", "\"")), text);
        }
    }

    #[test]
    fn a_table_without_rows_has_its_names() {
        assert_eq!(Table::of::<u64>(&[("a", ColumnValue::Text(|_| None), "words")], &[]).csv(), "a\n");
    }
}
