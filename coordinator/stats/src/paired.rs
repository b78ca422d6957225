//! Comparison of two cases pair by pair.
//!
//! All cases of a sweep meet the same openings with the same random streams. An opening that is good for one case is often
//! good for the other, too. The difference of the two scores from one opening is then less noisy than the difference of two
//! independent rates.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Numbers of openings by the scores of two cases: `[x][y]` counts those from which the first case scored x quarters and the
/// second y quarters in its pair of games against the baseline.
pub type JointCounts = [[u64; 5]; 5];

/// The difference between two cases from the openings that both played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    /// Openings that both cases played.
    pub openings: u64,
    /// The first case's rate less the second's.
    pub difference: f64,
    /// Lower end of the interval of the difference.
    pub low: f64,
    /// Upper end of the interval of the difference.
    pub high: f64,
    /// The variance of the difference's error.
    pub variance: f64,
    /// The correlation of the two scores; absent when either case always scores the same.
    pub correlation: Option<f64>,
    /// The fraction of games that common openings saved: 1 − Var(x − y)/(Var x + Var y). Negative when they cost games.
    pub saved: Option<f64>,
    /// Two-sided p-value of no difference.
    pub p_value: f64,
}

/// Compares two cases by their scores from common openings. None for fewer than two openings, or when the confidence is
/// not between 0 and 1.
///
/// The interval is Student's for the mean of n differences: d̄ ± t·√(Σ(d − d̄)²/(n − 1)/n). Where all differences are equal,
/// two imaginary openings with independent games between equal players give the interval a width.
///
/// Source: Student, "The probable error of a mean", Biometrika 6 (1908). For common random numbers in simulations: Law,
/// *Simulation Modeling and Analysis* (2015), section 11.2.
#[must_use]
pub fn paired_difference(joint: &JointCounts, confidence: f64) -> Option<PairedDifference> {
    let openings: u64 = joint.iter().flatten().sum();
    if openings < 2 || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let n = openings as f64;
    let mean = |value: fn(f64, f64) -> f64| -> f64 { sum(joint, value) / n };
    let (first, second) = (mean(|x, _| x), mean(|_, y| y));
    let difference = first - second;
    // From exact sums, so that equal scores have a variance of exactly 0.
    let spread = |value: fn(f64, f64) -> f64, square: fn(f64, f64) -> f64| -> f64 {
        let (sum_of, squares) = (sum(joint, value), sum(joint, square));
        ((squares - sum_of * sum_of / n) / (n - 1.0)).max(0.0)
    };
    let of_difference = spread(|x, y| x - y, |x, y| (x - y) * (x - y));
    let (of_first, of_second) = (spread(|x, _| x, |x, _| x * x), spread(|_, y| y, |_, y| y * y));
    let variance = if of_difference > 0.0 { of_difference } else { 2.0 * 0.25 / (n + 2.0) } / n;
    let student = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
    let reach = student.inverse_cdf(1.0 - (1.0 - confidence) / 2.0) * variance.sqrt();
    let apart = of_first + of_second;
    Some(PairedDifference {
        openings,
        difference,
        low: (difference - reach).max(-1.0),
        high: (difference + reach).min(1.0),
        variance,
        correlation: (of_first > 0.0 && of_second > 0.0)
            .then(|| (apart - of_difference) / 2.0 / (of_first * of_second).sqrt()),
        saved: (apart > 0.0).then(|| 1.0 - of_difference / apart),
        p_value: 2.0 * student.sf(difference.abs() / variance.sqrt()),
    })
}

/// The sum over openings of a function of the two scores, which are exact in binary.
fn sum(joint: &JointCounts, value: fn(f64, f64) -> f64) -> f64 {
    let cells =
        joint.iter().enumerate().flat_map(|(x, row)| row.iter().enumerate().map(move |(y, n)| (x, y, n)));
    cells.map(|(x, y, n)| *n as f64 * value(x as f64 / 4.0, y as f64 / 4.0)).sum()
}
