//! Text that several commands answer.

/// At most six decimals, and no zeros at the end.
pub(super) fn decimals(x: f32) -> String {
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
