//! Rates of a case over board sizes: their average, and whether they differ more than chance allows.

use crate::chi_square::ChiSquare;
use crate::estimate::RateEstimate;
use crate::matrix::Symmetric;

/// The average by weights, which need not sum to 1: rate Σuⱼ·sⱼ, variance Σuⱼ²·vⱼ with uⱼ = wⱼ/Σw. None without a positive
/// weight.
#[must_use]
pub fn weighted_average(estimates: &[(RateEstimate, f64)]) -> Option<RateEstimate> {
    let sum: f64 = estimates.iter().map(|(_, weight)| weight).sum();
    (sum > 0.0).then(|| RateEstimate {
        rate: estimates.iter().map(|(estimate, weight)| weight / sum * estimate.rate).sum(),
        variance: estimates.iter().map(|(estimate, weight)| (weight / sum).powi(2) * estimate.variance).sum(),
    })
}

/// Whether a case has the same rate on all sizes: Cochran's Q = Σ(sⱼ − s̄)²/vⱼ around the mean by weights 1/vⱼ, compared with
/// the chi-square distribution with one degree of freedom less than sizes. None for fewer than two sizes.
///
/// Sizes differ for every case where the baseline is stronger on some; [`interaction`] removes what all cases share.
///
/// Source: Cochran, "The combination of estimates from different experiments", Biometrics 10 (1954).
#[must_use]
pub fn heterogeneity(estimates: &[RateEstimate]) -> Option<ChiSquare> {
    let weight: f64 = estimates.iter().map(|estimate| 1.0 / estimate.variance).sum();
    let mean = estimates.iter().map(|estimate| estimate.rate / estimate.variance).sum::<f64>() / weight;
    let statistic = estimates.iter().map(|estimate| (estimate.rate - mean).powi(2) / estimate.variance).sum();
    ChiSquare::of(statistic, estimates.len().checked_sub(1)?)
}

/// Whether the order of the cases depends on the size: the test of the additive model rate = caseᵢ + sizeⱼ against no model.
/// `cells[i][j]` is the estimate of case i on size j, if it was played. None when the model explains everything for lack of
/// cells.
///
/// The model is fitted by least squares with weights 1/vᵢⱼ. Its weighted sum of squared residuals has a chi-square
/// distribution, with as many degrees of freedom as there are cells, less the free effects of cases and sizes.
///
/// Source: Scheffé, *The Analysis of Variance* (1959), section 4.1, for known variances.
#[must_use]
pub fn interaction(cells: &[Vec<Option<RateEstimate>>]) -> Option<ChiSquare> {
    let sizes = cells.iter().map(Vec::len).max()?;
    let played: Vec<(usize, usize, RateEstimate)> = cells
        .iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().enumerate().filter_map(move |(j, cell)| Some((i, j, (*cell)?))))
        .collect();
    let groups = connected(cells.len(), sizes, &played);
    // In every group of cells that cases and sizes connect, one effect is redundant.
    let effects = distinct(played.iter().map(|(i, ..)| *i)) + distinct(played.iter().map(|(_, j, _)| *j));
    let degrees = (played.len() + distinct(played.iter().map(|(i, ..)| groups[*i]))).checked_sub(effects)?;
    let residual = residual(cells.len(), &played, &groups)?;
    ChiSquare::of(residual, degrees)
}

fn distinct(values: impl Iterator<Item = usize>) -> usize {
    values.collect::<std::collections::BTreeSet<_>>().len()
}

/// For each case and then each size, the smallest number of those that a chain of cells connects with it.
fn connected(cases: usize, sizes: usize, played: &[(usize, usize, RateEstimate)]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..cases + sizes).collect();
    loop {
        let before = groups.clone();
        for &(i, j, _) in played {
            let smallest = groups[i].min(groups[cases + j]);
            groups[i] = smallest;
            groups[cases + j] = smallest;
        }
        if groups == before {
            return groups;
        }
    }
}

/// The weighted sum of squared residuals of the additive model. The effects of cases are eliminated, which leaves one
/// equation for every size.
fn residual(cases: usize, played: &[(usize, usize, RateEstimate)], groups: &[usize]) -> Option<f64> {
    let mut weights = vec![0.0; cases];
    let mut means = vec![0.0; cases];
    for (i, _, cell) in played {
        weights[*i] += 1.0 / cell.variance;
        means[*i] += cell.rate / cell.variance;
    }
    for (mean, weight) in means.iter_mut().zip(&weights) {
        *mean /= weight;
    }
    // The first size of each group has no effect, and unplayed sizes have none.
    let mut seen = std::collections::BTreeSet::new();
    let used: std::collections::BTreeSet<usize> = played.iter().map(|(_, j, _)| *j).collect();
    let free: Vec<usize> = used.into_iter().filter(|j| !seen.insert(groups[cases + j])).collect();
    let place = |j: usize| free.iter().position(|free| *free == j);
    let mut normal = Symmetric::zeros(free.len());
    let mut right = vec![0.0; free.len()];
    for (i, j, cell) in played {
        let Some(a) = place(*j) else { continue };
        let weight = 1.0 / cell.variance;
        normal.add(a, a, weight);
        right[a] += weight * (cell.rate - means[*i]);
        for (_, k, other) in played.iter().filter(|(other, ..)| other == i) {
            if let Some(b) = place(*k).filter(|b| *b <= a) {
                normal.add(a, b, -weight / other.variance / weights[*i]);
            }
        }
    }
    let effects = if free.is_empty() { Vec::new() } else { normal.cholesky()?.solve(&right) };
    let effect = |j: usize| place(j).map_or(0.0, |a| effects[a]);
    let mut shift = vec![0.0; cases];
    for (i, j, cell) in played {
        shift[*i] += effect(*j) / cell.variance / weights[*i];
    }
    let off = |(i, j, cell): &(usize, usize, RateEstimate)| {
        (cell.rate - means[*i] + shift[*i] - effect(*j)).powi(2) / cell.variance
    };
    Some(played.iter().map(off).sum())
}
