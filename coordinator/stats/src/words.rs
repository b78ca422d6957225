//! Results in words.

use crate::summary::Summary;

/// The confidence sequence of a cell in words, such as "The true rate is between 51.2 and 54.9 %. However often you look,
/// the chance that this is wrong is at most 5 %." The ends are rounded outwards.
#[must_use]
pub fn sequence_words(summary: &Summary) -> String {
    let (low, high) = (100.0 * summary.cs_low, 100.0 * summary.cs_high);
    // Narrow intervals get the digits that tell their ends apart.
    let digits = if high - low < 0.5 { 2 } else { 1 };
    let scale = 10f64.powi(digits);
    // An end that is a round number up to rounding errors stays the round number.
    let low = (low * scale + 1e-9).floor() / scale;
    let high = (high * scale - 1e-9).ceil() / scale;
    let digits = digits as usize;
    format!(
        "The true rate is between {low:.digits$} and {high:.digits$} %. {}",
        guarantee(summary.confidence)
    )
}

/// What a confidence sequence guarantees, in words.
#[must_use]
pub fn guarantee(confidence: f64) -> String {
    format!(
        "However often you look, the chance that this is wrong is at most {} %.",
        percent(1.0 - confidence)
    )
}

/// A fraction as a percentage without superfluous digits.
fn percent(fraction: f64) -> String {
    let text = format!("{:.4}", 100.0 * fraction);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::summary;

    #[test]
    fn a_result_is_said_with_its_guarantee() {
        let of = |counts: [u64; 6], confidence| {
            sequence_words(&summary(&counts.into(), confidence).expect("pairs"))
        };
        assert_eq!(
            of([395, 1000, 2040, 0, 1100, 465], 0.95),
            "The true rate is between 49.2 and 53.2 %. However often you look, the chance that this is wrong is at most 5 %."
        );
        assert_eq!(
            of([0, 0, 0, 0, 0, 5], 0.999),
            "The true rate is between 39.4 and 100.0 %. However often you look, the chance that this is wrong is at most \
             0.1 %."
        );
        let narrow = of([0, 0, 10_000_000, 0, 0, 0], 0.95);
        assert!(narrow.starts_with("The true rate is between 49.9"), "{narrow}");
    }
}
