//! Comparison of two cases pair by pair.
//!
//! All cases of a sweep play the same openings with the same random streams. An opening that is good for one case is often good
//! for the other, too. The difference of the two scores from one opening is then less noisy than the difference of two
//! independent rates.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Numbers of openings by the scores of two cases: `[x][y]` counts those from which the first case scored x quarters and the
/// second y quarters in its pair of games against the baseline.
pub type JointCounts = [[u64; 5]; 5];

/// The difference between two cases from the openings that both played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairedDifference {
    /// Openings that both cases played, on all sizes.
    pub openings: u64,
    /// The first case's rate less the second's.
    pub difference: f64,
    /// The fraction of games that common openings saved: 1 − Var(x − y)/(Var x + Var y). Negative when they cost games; absent
    /// when both cases always score the same.
    pub saved: Option<f64>,
    /// Two-sided p-value of no difference: no smaller than a test of the signs of the differences could give.
    pub p_value: f64,
}

/// Compares two cases by their scores from common openings, size by size, for a number of openings that was fixed beforehand. `sizes` has the
/// joint counts and the weight of each size; sizes with fewer than two common openings are left out. None without sizes of positive weight.
///
/// On a size with n openings, the variance of the mean difference d̄ is Σ(d − d̄)²/(n − 1)/n. The average over sizes by weights
/// uⱼ has the variance Σuⱼ²·vⱼ, and Student's distribution with the degrees of freedom of Welch and Satterthwaite,
/// (Σuⱼ²vⱼ)²/Σ((uⱼ²vⱼ)²/(nⱼ − 1)). With one size these are n − 1. Where all differences are equal, two imaginary openings with
/// independent games between equal players give the interval a width.
///
/// Sources: Student, "The probable error of a mean", Biometrika 6 (1908); Welch, "The generalization of Student's problem",
/// Biometrika 34 (1947). For common random numbers in simulations: Law, *Simulation Modeling and Analysis* (2015), section
/// 11.2.
#[must_use]
pub fn paired_difference(sizes: &[(JointCounts, f64)]) -> Option<PairedDifference> {
    let moments: Vec<(JointMoments, f64)> = sizes
        .iter()
        .filter(|(_, weight)| *weight > 0.0)
        .filter_map(|(joint, weight)| Some((JointMoments::of(joint)?, *weight)))
        .collect();
    let sum: f64 = moments.iter().map(|(_, weight)| weight).sum();
    if moments.is_empty() {
        return None;
    }
    let average = |of: fn(&JointMoments) -> f64| -> f64 {
        moments.iter().map(|(moments, weight)| (weight / sum).powi(2) * of(moments) / moments.openings).sum()
    };
    let difference = moments.iter().map(|(moments, weight)| weight / sum * moments.difference).sum::<f64>();
    let variance = average(|moments| moments.of_difference);
    let parts = moments.iter().map(|(moments, weight)| {
        ((weight / sum).powi(2) * moments.of_difference / moments.openings).powi(2) / (moments.openings - 1.0)
    });
    let student = StudentsT::new(0.0, 1.0, variance * variance / parts.sum::<f64>()).ok()?;
    let apart = average(|moments| moments.apart);
    // Each difference could have had the other sign.
    let differing: f64 = moments.iter().map(|(moments, _)| moments.differing).sum();
    let least = 2f64.powf(1.0 - differing).min(1.0);
    Some(PairedDifference {
        openings: moments.iter().map(|(moments, _)| moments.openings as u64).sum(),
        difference,
        saved: (apart > 0.0).then(|| 1.0 - variance / apart),
        p_value: (2.0 * student.sf(difference.abs() / variance.sqrt())).max(least),
    })
}

/// The agreement of cases: the correlation of the scores of two of them from the same opening, pooled over these joint counts of
/// different cases on one size, less its standard error 1/√n for n openings. From 0 to 0.95: luck that the games do not show to
/// be common counts as each case's own, so that no comparison of cases claims more than the games show.
#[must_use]
pub fn agreement(joint: &[JointCounts]) -> f64 {
    let (mut together, mut apart, mut all) = (0.0, 0.0, 0.0);
    for (moments, counts) in joint.iter().filter_map(|counts| Some((JointMoments::of(counts)?, counts))) {
        let openings = moments.openings;
        together += sum(counts, |x, y| x * y) - sum(counts, |x, _| x) * sum(counts, |_, y| y) / openings;
        apart += moments.apart / 2.0 * (openings - 1.0);
        all += openings - 1.0;
    }
    if apart > 0.0 { (together / apart - 1.0 / all.sqrt()).clamp(0.0, 0.95) } else { 0.0 }
}

/// The moments of the joint counts of one size.
struct JointMoments {
    openings: f64,
    difference: f64,
    /// The variance of the difference of the scores from one opening.
    of_difference: f64,
    /// The sum of the variances of the two scores.
    apart: f64,
    /// Openings from which the scores differ.
    differing: f64,
}

impl JointMoments {
    fn of(joint: &JointCounts) -> Option<Self> {
        let openings = joint.iter().flatten().sum::<u64>() as f64;
        if openings < 2.0 {
            return None;
        }
        // From exact sums, so that equal scores have a variance of exactly 0.
        let spread = |value: fn(f64, f64) -> f64, square: fn(f64, f64) -> f64| -> f64 {
            let (sum_of, squares) = (sum(joint, value), sum(joint, square));
            ((squares - sum_of * sum_of / openings) / (openings - 1.0)).max(0.0)
        };
        let of_difference = spread(|x, y| x - y, |x, y| (x - y) * (x - y));
        Some(Self {
            openings,
            difference: sum(joint, |x, y| x - y) / openings,
            of_difference: if of_difference > 0.0 { of_difference } else { 0.5 / (openings + 2.0) },
            differing: openings - (0..5).map(|score| joint[score][score]).sum::<u64>() as f64,
            apart: spread(|x, _| x, |x, _| x * x) + spread(|_, y| y, |_, y| y * y),
        })
    }
}

/// The sum over openings of a function of the two scores, which are exact in binary.
fn sum(joint: &JointCounts, value: fn(f64, f64) -> f64) -> f64 {
    let cells =
        joint.iter().enumerate().flat_map(|(x, row)| row.iter().enumerate().map(move |(y, n)| (x, y, n)));
    cells.map(|(x, y, n)| *n as f64 * value(x as f64 / 4.0, y as f64 / 4.0)).sum()
}
