//! The confidence of all reports.

/// Confidence of every interval.
pub(super) const CONFIDENCE: f64 = 0.95;
