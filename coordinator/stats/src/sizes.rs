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
    let rows: Vec<Played> = cells
        .iter()
        .map(|row| row.iter().enumerate().filter_map(|(j, cell)| Some((j, (*cell)?))).collect::<Played>())
        .filter(|row| !row.is_empty())
        .collect();
    let sizes = cells.iter().map(Vec::len).max()?;
    let groups = connected(sizes, &rows);
    let used: Vec<usize> = (0..sizes).filter(|j| rows.iter().flatten().any(|(k, _)| k == j)).collect();
    // In every group of sizes that cases connect, one size has no effect of its own.
    let free: Vec<usize> = used.into_iter().filter(|&j| groups[j] != j).collect();
    let played = rows.iter().map(Vec::len).sum::<usize>();
    ChiSquare::of(residual(&rows, &free)?, played.checked_sub(rows.len() + free.len())?)
}

/// The cells of a case: size and estimate.
type Played = Vec<(usize, RateEstimate)>;

/// For each size, the smallest size that a chain of cases connects with it.
fn connected(sizes: usize, rows: &[Played]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..sizes).collect();
    loop {
        let before = groups.clone();
        for row in rows {
            let smallest = row.iter().map(|(j, _)| groups[*j]).min().unwrap_or(0);
            row.iter().for_each(|(j, _)| groups[*j] = smallest);
        }
        if groups == before {
            return groups;
        }
    }
}

/// The weighted sum of squared residuals of the additive model, in which the sizes `free` have effects. The effects of cases
/// are eliminated, which leaves one equation for every size.
fn residual(rows: &[Played], free: &[usize]) -> Option<f64> {
    let place = |j: usize| free.iter().position(|free| *free == j);
    let mut normal = Symmetric::zeros(free.len());
    let mut right = vec![0.0; free.len()];
    for row in rows {
        let (weight, mean) = mean(row, |_| 0.0);
        for (j, cell) in row {
            let Some(a) = place(*j) else { continue };
            normal.add(a, a, 1.0 / cell.variance);
            right[a] += (cell.rate - mean) / cell.variance;
            for (k, other) in row {
                if let Some(b) = place(*k).filter(|b| *b <= a) {
                    normal.add(a, b, -1.0 / cell.variance / other.variance / weight);
                }
            }
        }
    }
    let effects = if free.is_empty() { Vec::new() } else { normal.cholesky()?.solve(&right) };
    let effect = |j: usize| place(j).map_or(0.0, |a| effects[a]);
    let squares = rows.iter().flat_map(|row| {
        let (_, mean) = mean(row, effect);
        row.iter().map(move |(j, cell)| (cell.rate - effect(*j) - mean).powi(2) / cell.variance)
    });
    Some(squares.sum())
}

/// The sum of the weights of a case's cells, and their weighted mean without the effects of the sizes.
fn mean(row: &Played, effect: impl Fn(usize) -> f64) -> (f64, f64) {
    let weight: f64 = row.iter().map(|(_, cell)| 1.0 / cell.variance).sum();
    let sum: f64 = row.iter().map(|(j, cell)| (cell.rate - effect(*j)) / cell.variance).sum();
    (weight, sum / weight)
}
