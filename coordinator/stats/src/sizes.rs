//! Rates of a case over board sizes: their average, and whether they differ more than chance allows.

use crate::chi_square::ChiSquare;
use crate::counts::Moments;
use crate::estimate::{
    DISPERSION_PAIRS, LARGEST_PAIR_VARIANCE, RateEstimate, common_variance, degrees_of_dispersion,
};
use crate::matrix::Symmetric;
use crate::permutation::{least_of_groups, ln_deals};
use crate::summary::Summary;

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

/// The average of a case over sizes, by the weights of its cells. Cells of weight 0 are switched off; if all are, each counts
/// alike. None without cells.
#[must_use]
pub fn average_over_sizes(cells: &[(RateEstimate, f64)]) -> Option<RateEstimate> {
    weighted_average(cells)
        .or_else(|| weighted_average(&cells.iter().map(|(estimate, _)| (*estimate, 1.0)).collect::<Vec<_>>()))
}

/// Whether a case has the same rate on all sizes: Cochran's Q = Σ(sⱼ − s̄)²/vⱼ around the mean by weights 1/vⱼ, compared with
/// the chi-square distribution with one degree of freedom less than sizes. None for fewer than two sizes.
///
/// Sizes differ for every case where the baseline is stronger on some; [`interaction_of_pairs`] removes what all cases share.
///
/// Source: Cochran, "The combination of estimates from different experiments", Biometrics 10 (1954).
#[must_use]
pub fn heterogeneity(estimates: &[RateEstimate]) -> Option<ChiSquare> {
    let weight: f64 = estimates.iter().map(|estimate| 1.0 / estimate.variance).sum();
    let mean = estimates.iter().map(|estimate| estimate.rate / estimate.variance).sum::<f64>() / weight;
    let statistic = estimates.iter().map(|estimate| (estimate.rate - mean).powi(2) / estimate.variance).sum();
    ChiSquare::of(statistic, estimates.len().checked_sub(1)?)
}

/// The [`heterogeneity`] of the cells of a case, with the variances that the variance of a game of all of them gives, and with
/// what missing games may change.
#[must_use]
pub fn heterogeneity_of_cells(cells: &[Summary]) -> Option<ChiSquare> {
    let variance = common_variance(cells);
    let estimate = |cell: &Summary| RateEstimate::under(variance, cell).allowing(cell.reach);
    let pairs: Vec<f64> = cells.iter().map(Summary::pairs).collect();
    let found = heterogeneity(&cells.iter().map(estimate).collect::<Vec<_>>());
    found.map(|test| test.no_surer_than(least_of_groups(&pairs)))
}

/// Whether the order of the cases depends on the size: the test of the additive model rate = caseᵢ + sizeⱼ against no model.
/// `cells[i][j]` are the moments of case i on size j, if it was played. None when the model explains everything for lack of
/// cells.
///
/// The model is fitted by least squares with weights 1/vᵢⱼ. Its weighted sum of squared residuals has a chi-square
/// distribution, with as many degrees of freedom as there are cells, less the free effects of cases and sizes.
///
/// The variance that few pairs show is too small where their scores happen to agree, and such cells weigh most. With ten pairs a
/// cell, the sum of squares would be a third too large, and a test of many cells would always speak of an interaction. So the
/// variance is φⱼ·μ(1 − μ)/2N, with the model's rate μ and one dispersion φⱼ for each size: the variance of pairs within the
/// cells of the size, divided by that of independent games, with 30 pairs of independent games added. As it is estimated, the
/// p-value is that of Fisher's F.
///
/// Sources: Scheffé, *The Analysis of Variance* (1959), section 4.1, for known variances; Pearson's statistic with an estimated
/// dispersion, McCullagh, Nelder, *Generalized Linear Models* (1989), section 4.5.
#[must_use]
pub fn interaction_of_pairs(cells: &[Vec<Option<Moments>>]) -> Option<ChiSquare> {
    let estimates = |variance: &dyn Fn(usize, usize, &Moments) -> f64| -> Vec<Vec<Option<RateEstimate>>> {
        let of = |i, j, cell: &Moments| RateEstimate { rate: cell.rate, variance: variance(i, j, cell) };
        let row = |(i, row): (usize, &Vec<Option<Moments>>)| {
            row.iter().enumerate().map(|(j, cell)| cell.as_ref().map(|cell| of(i, j, cell))).collect()
        };
        cells.iter().enumerate().map(row).collect()
    };
    let mut model = Additive::fit(&estimates(&|_, _, cell| LARGEST_PAIR_VARIANCE / cell.pairs))?;
    for _ in 0..FITS {
        let independent = |i: usize, j: usize| {
            let rate = model.rate(i, j).clamp(EXTREME_RATE, 1.0 - EXTREME_RATE);
            rate * (1.0 - rate) / 2.0
        };
        let dispersions: Vec<f64> = (0..model.effects.len())
            .map(|j| {
                let mut sums = [DISPERSION_PAIRS * LARGEST_PAIR_VARIANCE; 2];
                for (i, row) in cells.iter().enumerate() {
                    let Some(cell) = row.get(j).and_then(Option::as_ref) else { continue };
                    sums[0] += cell.pairs * cell.pair_variance;
                    sums[1] += (cell.pairs - 1.0).max(0.0) * independent(i, j);
                }
                sums[0] / sums[1]
            })
            .collect();
        model = Additive::fit(&estimates(&|i, j, cell| dispersions[j] * independent(i, j) / cell.pairs))?;
    }
    let on = |j: usize| cells.iter().filter_map(move |row| row.get(j)?.as_ref()).map(|cell| cell.pairs);
    let sizes: Vec<Vec<f64>> = (0..model.effects.len()).map(|j| on(j).collect()).collect();
    // The pairs of a size could have been dealt to its cases in so many ways.
    let ways: f64 = sizes.iter().map(|pairs| ln_deals(pairs)).sum();
    let degrees = sizes.iter().map(|pairs| degrees_of_dispersion(pairs)).sum();
    model.test().map(|test| test.with_estimated_variances(degrees).no_surer_than((-ways).exp()))
}

/// Fits of the model, each with the variances of the one before: the second changes the statistic by less than one per cent.
const FITS: usize = 2;

/// A rate of the model that is closer than this to 0 or 1, or outside, is taken as this: its variance would be 0 or negative.
const EXTREME_RATE: f64 = 0.02;

/// The average of each case over all sizes by their `weights`, also of cases that miss some: `cells[i][j]` is the rate of case i
/// on size j.
///
/// A case that has all sizes has the average of its rates. What another one misses is completed by the additive model of
/// [`interaction_of_pairs`]: it is as hard for the case as it is for those that played it. The variance has the error of that in
/// it. None where sizes are not connected by cases: then such cases cannot be compared.
#[must_use]
pub fn completed_averages(cells: &[Vec<Option<RateEstimate>>], weights: &[f64]) -> Option<Vec<RateEstimate>> {
    let weights = if weights.iter().sum::<f64>() > 0.0 { weights.to_vec() } else { vec![1.0; weights.len()] };
    let sum: f64 = weights.iter().sum();
    let parts: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let is_missing = |row: &Vec<Option<RateEstimate>>| {
        row.iter().zip(&parts).any(|(cell, part)| cell.is_none() && *part > 0.0)
    };
    let model = if cells.iter().any(is_missing) { Some(Additive::fit(cells)?) } else { None };
    let average = |row: &Vec<Option<RateEstimate>>| {
        let played: Vec<(usize, RateEstimate)> =
            row.iter().enumerate().filter_map(|(j, cell)| Some((j, (*cell)?))).collect();
        let on_weight: f64 = played.iter().map(|(j, _)| parts[*j]).sum();
        let alike = on_weight <= 0.0;
        let own_part = |j: usize| if alike { 1.0 / played.len() as f64 } else { parts[j] / on_weight };
        let mut found = RateEstimate {
            rate: played.iter().map(|(j, cell)| own_part(*j) * cell.rate).sum(),
            variance: played.iter().map(|(j, cell)| own_part(*j).powi(2) * cell.variance).sum(),
        };
        if let Some(model) = &model {
            let mut contrast = parts.clone();
            played.iter().for_each(|(j, _)| contrast[*j] -= own_part(*j));
            let (moved, variance) = model.contrast(&contrast)?;
            found.rate += moved;
            found.variance += variance;
        }
        Some(found)
    };
    cells.iter().map(average).collect()
}

/// The cells of a case: size and estimate.
type SizeEstimates = Vec<(usize, RateEstimate)>;

/// For each size, the smallest size that a chain of cases connects with it.
fn connected(sizes: usize, rows: &[(usize, SizeEstimates)]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..sizes).collect();
    loop {
        let before = groups.clone();
        for (_, row) in rows {
            let smallest = row.iter().map(|(j, _)| groups[*j]).min().unwrap_or(0);
            row.iter().for_each(|(j, _)| groups[*j] = smallest);
        }
        if groups == before {
            return groups;
        }
    }
}

/// The additive model of a table.
struct Additive {
    /// The cells of each case that was played at all, with its number in the table.
    rows: Vec<(usize, SizeEstimates)>,
    /// The effect of each size.
    effects: Vec<f64>,
    /// The sizes that have effects of their own.
    free: Vec<usize>,
    /// For each size, the smallest size that a chain of cases connects with it.
    groups: Vec<usize>,
    /// The covariance of the effects of the free sizes.
    covariance: Option<Symmetric>,
}

impl Additive {
    fn fit(cells: &[Vec<Option<RateEstimate>>]) -> Option<Self> {
        let played = |row: &Vec<Option<RateEstimate>>| -> SizeEstimates {
            row.iter().enumerate().filter_map(|(j, cell)| Some((j, (*cell)?))).collect()
        };
        let rows = cells.iter().map(played).enumerate().filter(|(_, row)| !row.is_empty());
        let rows: Vec<(usize, SizeEstimates)> = rows.collect();
        let sizes = cells.iter().map(Vec::len).max()?;
        let groups = connected(sizes, &rows);
        let is_used = |j: &usize| rows.iter().flat_map(|(_, row)| row).any(|(k, _)| k == j);
        // In every group of sizes that cases connect, one size has no effect of its own.
        let free: Vec<usize> = (0..sizes).filter(is_used).filter(|&j| groups[j] != j).collect();
        let (effects, covariance) = effects(&rows, sizes, &free)?;
        Some(Self { rows, effects, free, groups, covariance })
    }

    /// The sum of the effects times these numbers, which sum to 0, with its variance. None where it takes sizes that no cases
    /// connect.
    fn contrast(&self, of: &[f64]) -> Option<(f64, f64)> {
        let used: Vec<usize> = (0..of.len()).filter(|j| of[*j].abs() > 1e-12).collect();
        if used.iter().any(|j| self.groups[*j] != self.groups[used[0]]) {
            return None;
        }
        let effect = used.iter().map(|j| of[*j] * self.effects[*j]).sum();
        let free: Vec<f64> = self.free.iter().map(|j| of[*j]).collect();
        Some((effect, self.covariance.as_ref().map_or(0.0, |covariance| covariance.quadratic(&free))))
    }

    /// The weighted sum of the squared residuals, compared with chance.
    fn test(&self) -> Option<ChiSquare> {
        let squares = self.rows.iter().flat_map(|(_, row)| {
            let (_, mean) = mean(row, &self.effects);
            row.iter().map(move |(j, cell)| (cell.rate - self.effects[*j] - mean).powi(2) / cell.variance)
        });
        let played = self.rows.iter().map(|(_, row)| row.len()).sum::<usize>();
        ChiSquare::of(squares.sum(), played.checked_sub(self.rows.len() + self.free.len())?)
    }

    /// The rate of case i on size j; 0 for a case that was not played.
    fn rate(&self, i: usize, j: usize) -> f64 {
        let row = self.rows.binary_search_by_key(&i, |(number, _)| *number);
        row.map_or(0.0, |place| mean(&self.rows[place].1, &self.effects).1 + self.effects[j])
    }
}

/// The effects of all sizes; those that are not `free` are 0. The effects of cases are eliminated, which leaves one equation for
/// every free size.
fn effects(
    rows: &[(usize, SizeEstimates)],
    sizes: usize,
    free: &[usize],
) -> Option<(Vec<f64>, Option<Symmetric>)> {
    let mut effects = vec![0.0; sizes];
    if free.is_empty() {
        return Some((effects, None));
    }
    let place = |j: usize| free.iter().position(|free| *free == j);
    let mut normal = Symmetric::zeros(free.len());
    let mut right = vec![0.0; free.len()];
    for (_, row) in rows {
        let (weight, mean) = mean(row, &effects);
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
    let root = normal.cholesky()?;
    for (j, effect) in free.iter().zip(root.solve(&right)) {
        effects[*j] = effect;
    }
    Some((effects, Some(root.inverse())))
}

/// The sum of the weights of a case's cells, and their weighted mean without the effects of the sizes.
fn mean(row: &SizeEstimates, effects: &[f64]) -> (f64, f64) {
    let weight: f64 = row.iter().map(|(_, cell)| 1.0 / cell.variance).sum();
    let sum: f64 = row.iter().map(|(j, cell)| (cell.rate - effects[*j]) / cell.variance).sum();
    (weight, sum / weight)
}
