//! The numbers of a case on one size.

use super::{Basis, CellResult, Row};
use crate::counts::Moments;
use crate::estimate::RateEstimate;
use crate::multiple::{benjamini_hochberg, e_bh};
use crate::normal::probability_below;
use crate::permutation::sign_flip_p_value;
use crate::shrinkage::{Shrunken, shrink};
use crate::summary::Summary;
use std::collections::BTreeSet;

/// A cell with its numbers.
pub(super) struct Cell<'a> {
    pub(super) row: &'a Row,
    pub(super) moments: Moments,
    /// The rate with the variance that the pairs of all cases on its size give it.
    pub(super) estimate: RateEstimate,
    /// The variance of its own luck, if all cases have the same rate on its size.
    pub(super) equal: f64,
    pub(super) summary: Summary,
}

impl Cell<'_> {
    /// The rate with the variance of its own luck: what the openings do to all cases alike is taken out.
    pub(super) fn apart(&self) -> RateEstimate {
        let variance = (1.0 - self.row.agreement) * self.estimate.variance;
        RateEstimate { variance, ..self.estimate }
    }

    pub(super) fn pairs(&self) -> f64 {
        self.moments.pairs
    }

    /// The p-value of 50 %: that of the score test, z = (s − ½)/√((¼ − d/4)/n) on effective games, but no smaller than that of
    /// the exact test of the pairs.
    pub(super) fn p_value(&self) -> f64 {
        let draws = if self.summary.draw_rate < 1.0 { self.summary.draw_rate } else { 0.0 };
        let error = ((1.0 - draws) / 4.0 / self.summary.effective_games).sqrt();
        let of_score = 2.0 * probability_below(-(self.summary.rate - 0.5).abs() / error);
        of_score.max(sign_flip_p_value(&self.row.counts))
    }
}

/// The shrunken rates of cells or cases.
pub(super) fn shrink_all(estimates: &[RateEstimate]) -> Option<Shrunken> {
    let (rates, variances): (Vec<f64>, Vec<f64>) =
        estimates.iter().map(|one| (one.rate, one.variance)).unzip();
    shrink(&rates, &variances)
}

/// The results of all cells, by size, the best shrunken rate of a size first.
pub(super) fn results(cells: &[&Cell], confidence: f64, basis: Basis) -> Vec<CellResult> {
    let is_complete = basis == Basis::Complete;
    let log_e_values: Vec<f64> = cells.iter().map(|cell| cell.summary.log_e_value).collect();
    let p_values: Vec<f64> = cells.iter().map(|cell| cell.p_value()).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let differs: Vec<bool> = if is_complete {
        adjusted.iter().map(|p| *p <= 1.0 - confidence).collect()
    } else {
        e_bh(&log_e_values, 1.0 - confidence)
    };
    let result = |i: usize, shrunken: f64| CellResult {
        case: cells[i].row.case.clone(),
        size: cells[i].row.size,
        pairs: cells[i].row.counts.pairs(),
        rate: cells[i].summary.rate,
        log_e_value: log_e_values[i],
        differs: differs[i],
        low: is_complete.then_some(cells[i].summary.low),
        high: is_complete.then_some(cells[i].summary.high),
        agreement: is_complete.then_some(cells[i].row.agreement),
        shrunken: is_complete.then_some(shrunken),
        p_value: is_complete.then(|| p_values[i]),
        adjusted_p_value: is_complete.then(|| adjusted[i]),
    };
    let sizes: BTreeSet<u8> = cells.iter().map(|cell| cell.row.size).collect();
    let mut results = Vec::new();
    for size in sizes {
        let members: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].row.size == size).collect();
        let found = shrink_all(&members.iter().map(|&i| cells[i].apart()).collect::<Vec<_>>());
        let shrunken = found.map_or_else(
            || members.iter().map(|&i| cells[i].summary.rate).collect(),
            |found| found.estimates,
        );
        let mut ranked: Vec<(usize, f64)> = members.into_iter().zip(shrunken).collect();
        ranked.sort_by(|(i, a), (j, b)| {
            b.total_cmp(a).then(cells[*j].summary.rate.total_cmp(&cells[*i].summary.rate))
        });
        results.extend(ranked.into_iter().map(|(i, shrunken)| result(i, shrunken)));
    }
    results
}
