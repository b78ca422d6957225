//! The numbers of the cases that play against the same baseline with the same budget.

use super::case::Case;
use super::cell::{self, Cell, shrink_all};
use super::{Basis, CaseResult, Field, Row, effects};
use crate::best::may_be_best;
use crate::chi_square::ChiSquare;
use crate::counts::Moments;
use crate::estimate::{PAIRS_OF_MEAN, RateEstimate, degrees_of_dispersion, pooled_variances};
use crate::multiple::{benjamini_hochberg, e_bh};
use crate::normal::{probability_below, two_sided};
use crate::permutation::{least_of_groups, least_of_signs};
use crate::score_interval::{Part, score_interval};
use crate::shrinkage::Shrunken;
use crate::sizes::{
    average_over_sizes, completed_averages, heterogeneity, heterogeneity_of_cells, interaction_of_pairs,
};
use crate::stratified::StratifiedMean;
use crate::summary::{Summary, live_summary};
use crate::winners_curse::luck_of_the_best;
use std::collections::{BTreeMap, BTreeSet};

/// A field, or none without cells that have pairs.
pub(super) fn of(rows: &[&Row], confidence: f64, basis: Basis) -> Option<Field> {
    let sizes: Vec<u8> = rows.iter().map(|row| row.size).collect::<BTreeSet<_>>().into_iter().collect();
    let (cases, comparable) = cases(rows, &sizes, confidence)?;
    let shrunken = shrink_all(&cases.iter().map(|case| case.apart).collect::<Vec<_>>())?;
    let equal: Vec<RateEstimate> = cases.iter().map(|case| case.equal).collect();
    let complete = basis == Basis::Complete;
    let tested = complete && comparable;
    let by_size = |on: &dyn Fn(&Cell) -> Moments| -> Vec<Vec<Option<Moments>>> {
        let row = |case: &Case| sizes.iter().map(|size| case.on(*size).map(on)).collect();
        cases.iter().map(row).collect()
    };
    // What the openings do to all cases on a size is no interaction of cases and sizes.
    let apart = |cell: &Cell| Moments {
        pair_variance: (1.0 - cell.row.agreement) * cell.moments.pair_variance,
        game_variance: (1.0 - cell.row.agreement) * cell.moments.game_variance,
        ..cell.moments
    };
    let interaction = || interaction_of_pairs(&by_size(&apart));
    Some(Field {
        against: rows.first()?.against.clone(),
        budget: rows.first()?.budget.clone(),
        cells: cell::results(
            &cases.iter().flat_map(|case| &case.cells).collect::<Vec<_>>(),
            confidence,
            basis,
        ),
        comparable,
        mean: tested.then_some(shrunken.mean),
        spread: tested.then_some(shrunken.spread),
        luck_of_the_best: tested.then(|| luck_of_the_best(&equal)),
        interaction: (complete && cases.len() > 1 && sizes.len() > 1).then(interaction).flatten(),
        difference: tested.then(|| difference(&cases, &sizes)).flatten(),
        curves: if complete { effects::curves(&cases, &sizes, comparable, confidence) } else { Vec::new() },
        importance: tested.then(|| effects::importance(&cases, confidence)).flatten(),
        cases: case_results(&cases, &sizes, &shrunken, confidence, (complete, comparable)),
        sizes,
    })
}

/// The test that all cases are equal.
fn difference(cases: &[Case], sizes: &[u8]) -> Option<ChiSquare> {
    let equal: Vec<RateEstimate> = cases.iter().map(|case| case.equal).collect();
    let on = |size: &u8| cases.iter().filter_map(|case| case.on(*size)).map(Cell::pairs).collect::<Vec<_>>();
    let degrees = sizes.iter().map(|size| degrees_of_dispersion(&on(size))).sum();
    let least = least_of_groups(&cases.iter().map(Case::pairs).collect::<Vec<_>>());
    heterogeneity(&equal).map(|test| test.with_estimated_variances(degrees).no_surer_than(least))
}

/// The cases in the order of the rows, and whether they can be compared.
fn cases<'a>(rows: &[&'a Row], sizes: &[u8], confidence: f64) -> Option<(Vec<Case<'a>>, bool)> {
    let mut variances: BTreeMap<(&str, u8), [f64; 2]> = BTreeMap::new();
    for size in sizes {
        let on: Vec<(&str, Moments)> = rows
            .iter()
            .filter(|row| row.size == *size)
            .filter_map(|row| Some((row.case.as_str(), row.counts.moments()?)))
            .collect();
        let moments: Vec<Moments> = on.iter().map(|(_, moments)| *moments).collect();
        let found = pooled_variances(&moments, PAIRS_OF_MEAN)
            .into_iter()
            .zip(pooled_variances(&moments, f64::INFINITY));
        variances
            .extend(on.iter().zip(found).map(|((case, _), (own, equal))| ((*case, *size), [own, equal])));
    }
    let mut cases: Vec<(&str, Vec<Cell>)> = Vec::new();
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let index = *place.entry(&row.case).or_insert(cases.len());
        if index == cases.len() {
            cases.push((&row.case, Vec::new()));
        }
        let [own, equal] = *variances.get(&(row.case.as_str(), row.size))?;
        let moments = row.counts.moments()?;
        cases[index].1.push(Cell {
            row,
            moments,
            estimate: RateEstimate { rate: moments.rate, variance: own },
            equal: (1.0 - row.agreement) * equal,
            summary: live_summary(&row.counts, &row.unfinished, confidence)?,
        });
    }
    let weight = |size: &u8| -> f64 {
        let on: Vec<f64> = rows.iter().filter(|row| row.size == *size).map(|row| row.weight).collect();
        on.iter().sum::<f64>() / on.len() as f64
    };
    let weights: Vec<f64> = sizes.iter().map(weight).collect();
    let completed = |of: &dyn Fn(&Cell) -> RateEstimate| {
        let on = |cells: &Vec<Cell>, size: &u8| cells.iter().find(|cell| cell.row.size == *size).map(of);
        let table: Vec<Vec<Option<RateEstimate>>> =
            cases.iter().map(|(_, cells)| sizes.iter().map(|size| on(cells, size)).collect()).collect();
        completed_averages(&table, &weights)
    };
    let apart = completed(&|cell| cell.apart());
    let equal = completed(&|cell| RateEstimate { variance: cell.equal, ..cell.estimate });
    let averaged = |(place, (name, cells)): (usize, (&'a str, Vec<Cell<'a>>))| {
        let average = |of: &dyn Fn(&Cell) -> RateEstimate| {
            average_over_sizes(&cells.iter().map(|cell| (of(cell), cell.row.weight)).collect::<Vec<_>>())
        };
        let (all, own) = (average(&|cell| cell.estimate)?, average(&|cell| cell.apart())?);
        Some(Case {
            name,
            average: all,
            apart: apart.as_ref().map_or(own, |completed| completed[place]),
            equal: equal.as_ref().map_or(own, |completed| completed[place]),
            cells,
        })
    };
    let is_comparable = apart.is_some();
    let cases: Option<Vec<Case>> = cases.into_iter().enumerate().map(averaged).collect();
    Some((cases?, is_comparable))
}

fn case_results(
    cases: &[Case],
    sizes: &[u8],
    shrunken: &Shrunken,
    confidence: f64,
    (complete, comparable): (bool, bool),
) -> Vec<CaseResult> {
    let tested = complete && comparable;
    let means: Vec<Option<StratifiedMean>> = cases.iter().map(mean).collect();
    let log_e_values: Vec<f64> =
        means.iter().map(|mean| mean.as_ref().map_or(0.0, |mean| mean.log_e_value(0.5))).collect();
    let p_values: Vec<f64> = cases.iter().map(p_value).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let differs: Vec<bool> = if complete {
        adjusted.iter().map(|p| *p <= 1.0 - confidence).collect()
    } else {
        e_bh(&log_e_values, 1.0 - confidence)
    };
    let best = match (complete, comparable) {
        (true, true) => {
            may_be_best(&cases.iter().map(|case| (case.apart, case.pairs())).collect::<Vec<_>>(), confidence)
        }
        (true, false) => vec![true; cases.len()],
        (false, _) => may_be_best_at_any_look(cases, &means, sizes.len(), confidence),
    };
    let result = |(i, case): (usize, &Case)| {
        let sequence = means[i].as_ref().and_then(|mean| mean.sequence(confidence).ok());
        let (cs_low, cs_high) = sequence.unwrap_or((0.0, 1.0));
        let rate = case.average.rate;
        let (low, high) = interval(case, confidence);
        CaseResult {
            case: case.name.to_owned(),
            sizes: case.cells.len() as u32,
            pairs: case.cells.iter().map(|cell| cell.row.counts.pairs()).sum(),
            rate,
            cs_low,
            cs_high,
            log_e_value: log_e_values[i],
            differs: differs[i],
            may_be_best: best[i],
            error: complete.then(|| case.average.error()),
            low: complete.then_some(low),
            high: complete.then_some(high),
            shrunken: tested.then(|| shrunken.estimates[i]),
            p_value: complete.then(|| p_values[i]),
            adjusted_p_value: complete.then(|| adjusted[i]),
            heterogeneity: if complete { heterogeneity_of_cells(&summaries(&case.cells)) } else { None },
        }
    };
    let mut results: Vec<(f64, CaseResult)> = cases
        .iter()
        .enumerate()
        .map(result)
        .zip(&shrunken.estimates)
        .map(|(result, own)| (*own, result))
        .collect();
    results.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(other.rate.total_cmp(&one.rate)));
    results.into_iter().map(|(_, result)| result).collect()
}

fn mean(case: &Case) -> Option<StratifiedMean> {
    StratifiedMean::begun(case.cells.iter().map(|Cell { row, .. }| (row.counts, row.unfinished, row.weight)))
}

/// The cases that no other one is shown to be better than, at any look: the sequences of all cases hold at once with this
/// confidence, and no other one's lies above. Cases that miss a size are not compared.
fn may_be_best_at_any_look(
    cases: &[Case],
    means: &[Option<StratifiedMean>],
    sizes: usize,
    confidence: f64,
) -> Vec<bool> {
    let each = 1.0 - (1.0 - confidence) / cases.len() as f64;
    let ends: Vec<Option<(f64, f64)>> = cases
        .iter()
        .zip(means)
        .map(|(case, mean)| mean.as_ref().filter(|_| case.cells.len() == sizes)?.sequence(each).ok())
        .collect();
    let highest = ends.iter().flatten().map(|(low, _)| *low).fold(0.0, f64::max);
    ends.iter().map(|own| own.is_none_or(|(_, high)| high >= highest)).collect()
}

/// The score interval of the average over sizes. With one cell it is the cell's own. Where an exact test of so few pairs could
/// not exclude 50 %, the interval does not.
fn interval(case: &Case, confidence: f64) -> (f64, f64) {
    if let [cell] = &case.cells[..] {
        return (cell.summary.low, cell.summary.high);
    }
    let all: f64 = case.cells.iter().map(|cell| cell.row.weight).sum();
    let part = |Cell { row, summary, .. }: &Cell| {
        let weight = if all > 0.0 { row.weight / all } else { 1.0 / case.cells.len() as f64 };
        // Draws make the variance s(1 − s) − d/4 of a game smaller.
        let independent = summary.rate * (1.0 - summary.rate);
        let of_a_game = independent - summary.draw_rate / 4.0;
        let worth = if of_a_game > 0.0 { independent / of_a_game } else { 1.0 };
        Part { weight, rate: summary.rate, games: worth * summary.effective_games }
    };
    let z = two_sided(confidence).unwrap_or(f64::INFINITY);
    let (low, high) = score_interval(&case.cells.iter().map(part).collect::<Vec<_>>(), z);
    if least_p_value(case) > 1.0 - confidence { (low.min(0.5), high.max(0.5)) } else { (low, high) }
}

/// The least p-value of 50 % that an exact test of the pairs of a case can have.
fn least_p_value(case: &Case) -> f64 {
    least_of_signs(case.cells.iter().map(|cell| &cell.row.counts))
}

/// The p-value of an average of 50 %: no smaller than that of an exact test of so few pairs. With one cell it is the cell's own.
fn p_value(case: &Case) -> f64 {
    if let [cell] = &case.cells[..] {
        return cell.p_value();
    }
    let error = average_over_sizes(&under(&case.cells, 0.5)).map_or(f64::INFINITY, |even| even.error());
    (2.0 * probability_below(-(case.average.rate - 0.5).abs() / error)).max(least_p_value(case))
}

fn summaries(cells: &[Cell]) -> Vec<Summary> {
    cells.iter().map(|cell| cell.summary).collect()
}

/// The estimates with their weights, under a true rate.
fn under(cells: &[Cell], rate: f64) -> Vec<(RateEstimate, f64)> {
    let of_a_game = rate * (1.0 - rate);
    cells.iter().map(|cell| (RateEstimate::under(of_a_game, &cell.summary), cell.row.weight)).collect()
}
