//! The analysis of a sweep: all cases against a baseline, on all sizes, as one question.

mod effects;
mod list;
mod text;

pub use effects::ParameterCurve;
pub use list::{RatedPlayer, RatingList};

use crate::chi_square::ChiSquare;
use crate::counts::{Moments, PairCounts};
use crate::estimate::{RateEstimate, common_variance};
use crate::importance::{Importances, Value};
use crate::interval::wilson;
use crate::multiple::{benjamini_hochberg, e_bh};
use crate::normal::{probability_below, two_sided};
use crate::permutation::{least_of_groups, least_of_signs, sign_flip_p_value};
use crate::shrinkage::{Shrunken, shrink};
use crate::sizes::{average_over_sizes, heterogeneity, heterogeneity_of_cells, interaction_of_pairs};
use crate::stratified::StratifiedMean;
use crate::summary::{Summary, live_summary};
use crate::unfinished::Unfinished;
use crate::winners_curse::expected_maximum;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A cell of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The case. Equal names are one player.
    pub case: String,
    /// The baseline. If a case has the same name, the two are one player.
    pub against: String,
    /// The budget of a move in words. Games with different budgets are never mixed.
    pub budget: String,
    /// The board size.
    pub size: u8,
    /// The weight of the cell in averages over sizes, relative to the case's other sizes.
    pub weight: f64,
    /// Complete pairs by their results.
    pub counts: PairCounts,
    /// Pairs that were begun and are not complete.
    pub unfinished: Unfinished,
    /// The fraction of decided games that the first player won, if known.
    pub first_move_rate: Option<f64>,
    /// The case's parameters, as far as they are to be analysed.
    pub parameters: BTreeMap<String, Value>,
}

/// Why rows are no sweep.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// Two rows describe the same cell. Rows are numbered from 0.
    #[error("rows {} and {} are the same cell: {what}", .first + 1, .second + 1)]
    Twice {
        /// The first of them.
        first: usize,
        /// The second of them.
        second: usize,
        /// The case, baseline, budget and size.
        what: String,
    },
    /// A weight is negative, infinite or not a number.
    #[error("row {}: the weight {weight} is not a number from 0 on", .row + 1)]
    Weight {
        /// The row, numbered from 0.
        row: usize,
        /// The weight.
        weight: f64,
    },
    /// The confidence is not between 0 and 1.
    #[error(transparent)]
    Confidence(#[from] crate::OutsideUnitInterval),
}

/// The analysis of all rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SweepAnalysis {
    /// The confidence of all intervals. One less the confidence is the rate of errors of all claims.
    pub confidence: f64,
    /// The cases against one baseline with one budget, for each baseline and budget in the order of the rows.
    pub fields: Vec<Field>,
    /// All players that meet with one budget, for each budget with games.
    pub ratings: Vec<RatingList>,
}

/// The cases that play against the same baseline with the same budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Field {
    /// The baseline.
    pub against: String,
    /// The budget of a move.
    pub budget: String,
    /// The sizes, ascending.
    pub sizes: Vec<u8>,
    /// The cases with games, the one with the best shrunken rate first. Of equal ones, that with the best rate comes first.
    pub cases: Vec<CaseResult>,
    /// The mean of the true rates of the cases.
    pub mean: f64,
    /// The standard deviation of the true rates of the cases, chance taken out.
    pub spread: f64,
    /// By how much the best case would look better than the mean if all cases were equal: the winner's curse.
    pub luck_of_the_best: f64,
    /// The cells with games, in the order of the rows.
    pub cells: Vec<CellResult>,
    /// The test that the differences between the cases are the same on all sizes. Absent with one case or one size.
    pub interaction: Option<ChiSquare>,
    /// The test that all cases have the same average over sizes. Absent with one case.
    pub difference: Option<ChiSquare>,
    /// The curve of each numeric parameter, over all sizes and by size.
    pub curves: Vec<ParameterCurve>,
    /// The importance of each parameter. Absent unless several parameters vary, and their effects can be separated.
    pub importance: Option<Importances>,
}

/// A case over all its sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RankedCase"))]
pub struct CaseResult {
    /// The case.
    pub case: String,
    /// The number of sizes with games.
    pub sizes: u32,
    /// Complete pairs on all sizes.
    pub pairs: u64,
    /// The average of the rates over sizes, by the weights of the cells.
    pub rate: f64,
    /// The standard error of the average. It allows for pairs that were begun and are not complete, as all intervals, tests and chances.
    pub error: f64,
    /// Lower end of the Wilson interval of the average, for a number of games that was fixed beforehand.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
    /// Lower end of the confidence sequence of the average, which holds at every look. It is about this case alone.
    pub cs_low: f64,
    /// Upper end of that sequence.
    pub cs_high: f64,
    /// The average, shrunken towards the mean of all cases.
    pub shrunken: f64,
    /// The standard deviation of the true average around the shrunken one.
    pub shrunken_deviation: f64,
    /// The probability that the case is the best one, by the shrunken rates.
    pub prob_best: f64,
    /// The natural logarithm of the e-value against 50 % on all sizes: the mean of the cells' e-values.
    pub log_e_value: f64,
    /// The p-value of an average of 50 %, for a number of games that was fixed beforehand.
    pub p_value: f64,
    /// Claims about this case.
    pub claims: Claims,
    /// The test that the rate is the same on all sizes. Absent with one size.
    pub heterogeneity: Option<ChiSquare>,
}

/// A case on one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CellResult {
    /// The case.
    pub case: String,
    /// The board size.
    pub size: u8,
    /// Complete pairs.
    pub pairs: u64,
    /// The rate.
    pub rate: f64,
    /// Lower end of the Wilson interval on effective games.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
    /// The rate, shrunken towards the mean of all cases on this size.
    pub shrunken: f64,
    /// The standard deviation of the true rate around the shrunken one.
    pub shrunken_deviation: f64,
    /// The natural logarithm of the e-value against 50 %.
    pub log_e_value: f64,
    /// The p-value of 50 %, for a number of games that was fixed beforehand: no smaller than that of an exact test.
    pub p_value: f64,
    /// Claims about this cell.
    pub claims: Claims,
}

/// Whether a rate differs from 50 %, with all rates of its kind taken into account.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Claims {
    /// By e-BH on the e-values: valid at any moment, however often somebody looks.
    pub running: bool,
    /// The p-value adjusted by Benjamini and Hochberg.
    pub adjusted_p_value: f64,
    /// By that p-value: valid once, when the planned games are complete.
    pub complete: bool,
}

/// Analyses a sweep. Rows without pairs are left out, and so are rows whose case is the baseline itself.
///
/// Every claim allows for pairs that were begun and are not complete: e-values, intervals and p-values of one rate are the least favourable that
/// the missing games may leave, and where several estimates are compared, the square of what the missing games may change is added to
/// the variance of each ([`RateEstimate::allowing`]).
///
/// `confidence`, such as 0.95, is that of all intervals. The false-discovery rate of claims and the level of tests are one
/// less the confidence. The result is the same for any order in which games were counted.
///
/// # Errors
/// When two rows are the same cell, a weight is not a number from 0 on, or the confidence is not between 0 and 1.
pub fn analyse(rows: &[Row], confidence: f64) -> Result<SweepAnalysis, SweepError> {
    two_sided(confidence)?;
    let mut seen = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        if !(row.weight >= 0.0 && row.weight.is_finite()) {
            return Err(SweepError::Weight { row: place, weight: row.weight });
        }
        if let Some(first) = seen.insert((&row.case, &row.against, &row.budget, row.size), place) {
            let what = match row.budget.as_str() {
                "" => format!("{} against {} on size {}", row.case, row.against, row.size),
                budget => format!("{} against {} on size {} with {budget}", row.case, row.against, row.size),
            };
            return Err(SweepError::Twice { first, second: place, what });
        }
    }
    let mut fields: Vec<(&str, &str, Vec<&Row>)> = Vec::new();
    for row in rows.iter().filter(|row| row.case != row.against && row.counts.pairs() > 0) {
        match fields
            .iter_mut()
            .find(|(against, budget, _)| (*against, *budget) == (&row.against, &row.budget))
        {
            Some((.., members)) => members.push(row),
            None => fields.push((&row.against, &row.budget, vec![row])),
        }
    }
    let budgets: BTreeSet<&str> = fields.iter().map(|(_, budget, _)| *budget).collect();
    Ok(SweepAnalysis {
        confidence,
        ratings: budgets
            .into_iter()
            .filter_map(|budget| {
                let members = fields.iter().filter(|(_, other, _)| *other == budget);
                let rows: Vec<&Row> = members.flat_map(|(.., rows)| rows.iter().copied()).collect();
                RatingList::of(budget, &rows, confidence)
            })
            .collect(),
        fields: fields.into_iter().filter_map(|(.., members)| Field::of(&members, confidence)).collect(),
    })
}

/// A cell with its numbers.
struct Cell<'a> {
    row: &'a Row,
    estimate: RateEstimate,
    /// The rate with the variance that the games of all cases on its size give it. Comparisons of cases need it: the variances that few
    /// pairs show make equal cases look different.
    alike: RateEstimate,
    summary: Summary,
}

/// A case with its cells.
struct Case<'a> {
    name: &'a str,
    cells: Vec<Cell<'a>>,
    average: RateEstimate,
    /// The average with the variance that it has if all cases are alike. It allows for missing games.
    alike: RateEstimate,
    /// How far missing games may move the average.
    reach: f64,
}

impl Case<'_> {
    /// Complete pairs on this size, or on all sizes.
    fn pairs(&self, size: Option<u8>) -> f64 {
        let on = self.cells.iter().filter(|cell| size.is_none_or(|size| cell.row.size == size));
        on.map(|cell| cell.summary.pairs as f64).sum()
    }
}

impl Field {
    fn of(rows: &[&Row], confidence: f64) -> Option<Self> {
        let sizes: Vec<u8> = rows.iter().map(|row| row.size).collect::<BTreeSet<_>>().into_iter().collect();
        let cases = cases(rows, confidence);
        let (averages, variances): (Vec<f64>, Vec<f64>) =
            cases.iter().map(|case| (case.alike.rate, case.alike.variance)).unzip();
        let shrunken = shrink(&averages, &variances)?;
        let pairs: Vec<f64> = cases.iter().map(|case| case.pairs(None)).collect();
        let typical = (variances.iter().sum::<f64>() / variances.len() as f64).sqrt();
        let table: Vec<Vec<Option<(Moments, f64)>>> = cases
            .iter()
            .map(|case| {
                let on = |size: &u8| case.cells.iter().find(|cell| cell.row.size == *size);
                sizes
                    .iter()
                    .map(|size| {
                        on(size).and_then(|cell| Some((cell.row.counts.moments()?, cell.summary.reach)))
                    })
                    .collect()
            })
            .collect();
        Some(Self {
            against: rows.first()?.against.clone(),
            budget: rows.first()?.budget.clone(),
            cells: cell_results(rows, &cases, confidence),
            mean: shrunken.mean,
            spread: shrunken.variance.sqrt(),
            // With few games the normal approximation would go beyond 100 %.
            luck_of_the_best: (expected_maximum(cases.len()) * typical).min(1.0 - shrunken.mean),
            interaction: (cases.len() > 1 && sizes.len() > 1).then(|| interaction_of_pairs(&table)).flatten(),
            difference: heterogeneity(&cases.iter().map(|case| case.alike).collect::<Vec<_>>())
                .map(|test| test.no_surer_than(least_of_groups(&pairs))),
            curves: effects::curves(&cases, &sizes, confidence),
            importance: effects::importance(&cases, confidence),
            cases: case_results(&cases, &shrunken, confidence),
            sizes,
        })
    }
}

/// The cases in the order of the rows.
fn cases<'a>(rows: &[&'a Row], confidence: f64) -> Vec<Case<'a>> {
    let known = |row: &&'a Row| {
        Some((*row, RateEstimate::of(&row.counts)?, live_summary(&row.counts, &row.unfinished, confidence)?))
    };
    let known: Vec<(&Row, RateEstimate, Summary)> = rows.iter().filter_map(known).collect();
    let mut by_size: BTreeMap<u8, Vec<&Summary>> = BTreeMap::new();
    for (row, _, summary) in &known {
        by_size.entry(row.size).or_default().push(summary);
    }
    let variances: BTreeMap<u8, f64> =
        by_size.into_iter().map(|(size, cells)| (size, common_variance(cells))).collect();
    let mut cases: Vec<(&str, Vec<Cell>)> = Vec::new();
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, estimate, summary) in &known {
        let index = *place.entry(&row.case).or_insert(cases.len());
        if index == cases.len() {
            cases.push((&row.case, Vec::new()));
        }
        let alike = RateEstimate::under(variances[&row.size], summary);
        cases[index].1.push(Cell { row, estimate: *estimate, alike, summary: *summary });
    }
    let average = |cells: &[Cell], of: fn(&Cell) -> RateEstimate| {
        average_over_sizes(&cells.iter().map(|cell| (of(cell), cell.row.weight)).collect::<Vec<_>>())
    };
    let case = |(name, cells): (&'a str, Vec<Cell<'a>>)| {
        let (own, alike) = (average(&cells, |cell| cell.estimate)?, average(&cells, |cell| cell.alike)?);
        // All rates may be moved in one direction, so what moves them is averaged like the rates.
        let reach = average(&cells, |cell| RateEstimate { rate: cell.summary.reach, variance: 0.0 })?.rate;
        Some(Case { name, average: own, alike: alike.allowing(reach), reach, cells })
    };
    cases.into_iter().filter_map(case).collect()
}

fn case_results(cases: &[Case], shrunken: &Shrunken, confidence: f64) -> Vec<CaseResult> {
    let z = two_sided(confidence).unwrap_or(f64::INFINITY);
    let chances = crate::best::prob_best(&shrunken.estimates, &shrunken.deviations);
    let log_e_values: Vec<f64> = cases.iter().map(|case| mean_log_e_value(&case.cells)).collect();
    let p_values: Vec<f64> = cases
        .iter()
        .map(|case| {
            let error =
                average_over_sizes(&under(&case.cells, 0.5)).map_or(f64::INFINITY, |even| even.error());
            let least = match case.cells.as_slice() {
                [only] => sign_flip_p_value(&only.row.counts),
                cells => least_of_signs(cells.iter().map(|cell| &cell.row.counts)),
            };
            two_sided_p_value(case.average.rate, case.reach, error).max(least)
        })
        .collect();
    let claims = claims(&log_e_values, &p_values, confidence);
    let mut results: Vec<CaseResult> = cases
        .iter()
        .enumerate()
        .map(|(i, case)| {
            let RateEstimate { rate, .. } = case.average;
            let games = case.average.effective_games();
            let (low, _) = wilson((rate - case.reach).max(0.0), 0.0, games, z);
            let (_, high) = wilson((rate + case.reach).min(1.0), 0.0, games, z);
            let mean = StratifiedMean::begun(
                case.cells.iter().map(|Cell { row, .. }| (row.counts, row.unfinished, row.weight)),
            );
            let sequence = mean.and_then(|mean| mean.sequence(confidence).ok());
            let (cs_low, cs_high) = sequence.unwrap_or((0.0, 1.0));
            CaseResult {
                case: case.name.to_owned(),
                sizes: case.cells.len() as u32,
                pairs: case.cells.iter().map(|cell| cell.summary.pairs).sum(),
                rate,
                error: case.average.allowing(case.reach).error(),
                low,
                high,
                cs_low,
                cs_high,
                shrunken: shrunken.estimates[i],
                shrunken_deviation: shrunken.errors[i],
                prob_best: chances[i],
                log_e_value: log_e_values[i],
                p_value: p_values[i],
                claims: claims[i],
                heterogeneity: heterogeneity_of_cells(&summaries(&case.cells)),
            }
        })
        .collect();
    // Where nothing tells cases apart, all are shrunk to the same rate.
    results.sort_by(|a, b| b.shrunken.total_cmp(&a.shrunken).then(b.rate.total_cmp(&a.rate)));
    results
}

fn summaries(cells: &[Cell]) -> Vec<Summary> {
    cells.iter().map(|cell| cell.summary).collect()
}

/// The estimates with their weights, under a true rate.
fn under(cells: &[Cell], rate: f64) -> Vec<(RateEstimate, f64)> {
    let of_a_game = rate * (1.0 - rate);
    cells.iter().map(|cell| (RateEstimate::under(of_a_game, &cell.summary), cell.row.weight)).collect()
}

/// The logarithm of the mean of e-values, which is an e-value whatever their dependence.
fn mean_log_e_value(cells: &[Cell]) -> f64 {
    let largest = cells.iter().map(|cell| cell.summary.log_e_value).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = cells.iter().map(|cell| (cell.summary.log_e_value - largest).exp()).sum();
    largest + (sum / cells.len() as f64).ln()
}

fn claims(log_e_values: &[f64], p_values: &[f64], confidence: f64) -> Vec<Claims> {
    let alpha = 1.0 - confidence;
    let adjusted = benjamini_hochberg(p_values);
    let claim = |(running, adjusted_p_value): (bool, f64)| Claims {
        running,
        adjusted_p_value,
        complete: adjusted_p_value <= alpha,
    };
    e_bh(log_e_values, alpha).into_iter().zip(adjusted).map(claim).collect()
}

fn cell_results(rows: &[&Row], cases: &[Case], confidence: f64) -> Vec<CellResult> {
    let of = |row: &Row| {
        let case = cases.iter().find(|case| case.name == row.case)?;
        case.cells.iter().find(|cell| cell.row.size == row.size)
    };
    let cells: Vec<&Cell> = rows.iter().filter_map(|row| of(row)).collect();
    let log_e_values: Vec<f64> = cells.iter().map(|cell| cell.summary.log_e_value).collect();
    let p_values: Vec<f64> = cells.iter().map(|cell| cell.p_value()).collect();
    let claims = claims(&log_e_values, &p_values, confidence);
    let mut shrunken = vec![(0.0, 0.0); cells.len()];
    for size in cells.iter().map(|cell| cell.row.size).collect::<BTreeSet<_>>() {
        let members: Vec<usize> = (0..cells.len()).filter(|&i| cells[i].row.size == size).collect();
        let (rates, variances): (Vec<f64>, Vec<f64>) = members
            .iter()
            .map(|&i| cells[i].alike.allowing(cells[i].summary.reach))
            .map(|alike| (alike.rate, alike.variance))
            .unzip();
        if let Some(found) = shrink(&rates, &variances) {
            for (place, &i) in members.iter().enumerate() {
                shrunken[i] = (found.estimates[place], found.errors[place]);
            }
        }
    }
    cells
        .iter()
        .enumerate()
        .map(|(i, cell)| CellResult {
            case: cell.row.case.clone(),
            size: cell.row.size,
            pairs: cell.summary.pairs,
            rate: cell.summary.rate,
            low: cell.summary.low,
            high: cell.summary.high,
            shrunken: shrunken[i].0,
            shrunken_deviation: shrunken[i].1,
            log_e_value: cell.summary.log_e_value,
            p_value: p_values[i],
            claims: claims[i],
        })
        .collect()
}

/// The two-sided p-value of a rate of 50 % for a normal error, if missing games move the rate towards 50 % by so much.
fn two_sided_p_value(rate: f64, reach: f64, error: f64) -> f64 {
    2.0 * probability_below(-((rate - 0.5).abs() - reach).max(0.0) / error)
}

impl Cell<'_> {
    /// The p-value of 50 %: that of the score test, z = (s − ½)/√((¼ − d/4)/n) on effective games, but no smaller than that of the exact test of
    /// the pairs.
    fn p_value(&self) -> f64 {
        let Self { row, summary, .. } = self;
        let draws = if summary.draw_rate < 1.0 { summary.draw_rate } else { 0.0 };
        let error = ((1.0 - draws) / 4.0 / summary.effective_games).sqrt();
        two_sided_p_value(summary.rate, summary.reach, error).max(sign_flip_p_value(&row.counts))
    }
}
