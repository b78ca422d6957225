//! Values that were computed independently.

use serde_json::Value;
use std::sync::LazyLock;

static REFERENCE: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/stats_reference.json")).expect("the reference values are JSON")
});

pub(crate) fn value(key: &str) -> &'static Value {
    REFERENCE.get(key).unwrap_or_else(|| panic!("no `{key}` in the reference"))
}

pub(crate) fn rows(key: &str) -> impl Iterator<Item = &'static Value> {
    let rows = value(key).as_array().expect("a list of rows");
    assert!(!rows.is_empty(), "{key}");
    rows.iter()
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub(crate) fn column(values: &Value) -> Vec<f64> {
    let values = values.as_array().expect("a list of numbers");
    assert!(!values.is_empty());
    values.iter().map(number).collect()
}

/// The reference has 10 significant digits.
pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-8 * expected.abs(), "{found} instead of {expected}: {what}");
}

/// [`assert_close`] for every number, of which there must be as many as expected.
pub(crate) fn assert_all_close(found: &[f64], expected: &[f64], what: &str) {
    assert_all(found, expected, |found, expected| assert_close(found, expected, what));
}

/// Compares two lists, one number after the other. A list that ends too soon fails.
pub(crate) fn assert_all(found: &[f64], expected: &[f64], compare: impl Fn(f64, f64)) {
    assert_eq!(found.len(), expected.len(), "{found:?} instead of {expected:?}");
    found.iter().zip(expected).for_each(|(found, expected)| compare(*found, *expected));
}
