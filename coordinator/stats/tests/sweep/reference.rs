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
