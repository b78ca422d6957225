//! The analysis of a sweep: all cases against a baseline, on all sizes, as one question.

mod case;
mod cell;
mod effects;
mod field;
mod list;
mod text;

pub use effects::ParameterCurve;
pub use list::{RatedPlayer, RatingList};

use crate::chi_square::ChiSquare;
use crate::counts::PairCounts;
use crate::importance::{Importances, Value};
use crate::normal::two_sided;
use crate::unfinished::Unfinished;
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
    /// The correlation of the scores of two cases from the same opening with the same seed, on this size; 0 where their games
    /// have nothing in common.
    pub agreement: f64,
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
    /// An agreement is no correlation that games with common openings have.
    #[error("row {}: the agreement {agreement} is not a number from 0 to below 1", .row + 1)]
    Agreement {
        /// The row, numbered from 0.
        row: usize,
        /// The agreement.
        agreement: f64,
    },
    /// The confidence is not between 0 and 1.
    #[error(transparent)]
    Confidence(#[from] crate::OutsideUnitInterval),
}

/// How the number of games of a sweep was determined, and so which numbers are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Games are still played, or a rule or a person determined the end by the results. Only numbers that are valid at any look
    /// are given.
    AnyLook,
    /// A number of games that was fixed beforehand is complete.
    Complete,
}

/// The analysis of all rows.
///
/// Numbers that hold for a number of games fixed beforehand are absent unless the basis is [`Basis::Complete`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweepAnalysis {
    /// The confidence of all intervals. One less the confidence is the rate of errors of all claims.
    pub confidence: f64,
    /// Which numbers are valid.
    pub basis: Basis,
    /// The cases against one baseline with one budget, for each baseline and budget in the order of the rows.
    pub fields: Vec<Field>,
    /// All players with one budget, for each budget with games, where a player has several opponents.
    pub ratings: Vec<RatingList>,
}

/// The cases that play against the same baseline with the same budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Field {
    /// The baseline.
    pub against: String,
    /// The budget of a move.
    pub budget: String,
    /// The sizes, ascending.
    pub sizes: Vec<u8>,
    /// The cases with games, the one with the best shrunken rate first. Of equal ones, that with the best rate comes first.
    pub cases: Vec<CaseResult>,
    /// Whether cases can be compared: each has all sizes, or shares enough sizes with others to complete what it misses.
    pub comparable: bool,
    /// The mean of the rates of the cases, with the luck that their common openings give all of them.
    pub mean: Option<f64>,
    /// The standard deviation of the true rates of the cases, chance taken out.
    pub spread: Option<f64>,
    /// By how much the best case would look better than the mean if all cases were equal: the winner's curse.
    pub luck_of_the_best: Option<f64>,
    /// The cells with games, by size. Of a size, the one with the best shrunken rate comes first, and of equal ones that with the
    /// best rate.
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

impl Field {
    /// The case that leads: of several, the only one that may be the best.
    #[must_use]
    pub fn leader(&self) -> Option<&CaseResult> {
        let mut best = self.cases.iter().filter(|case| case.may_be_best);
        let only = best.next().filter(|_| best.next().is_none());
        only.filter(|_| self.cases.len() > 1)
    }
}

/// A case over all its sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RankedCase"))]
pub struct CaseResult {
    /// The case.
    pub case: String,
    /// The number of sizes with games.
    pub sizes: u32,
    /// Complete pairs on all sizes.
    pub pairs: u64,
    /// The average of the rates over the case's sizes, by the weights of the cells.
    pub rate: f64,
    /// Lower end of the confidence sequence of the average, which holds at every look. It is about this case alone.
    pub cs_low: f64,
    /// Upper end of that sequence.
    pub cs_high: f64,
    /// The natural logarithm of the e-value against an average of 50 %.
    pub log_e_value: f64,
    /// Whether the average differs from 50 %, with all cases taken into account. If so, it is on the side of the rate.
    pub differs: bool,
    /// Whether no other case is shown to be better. With the confidence, a best case is among those that may be the best; if
    /// there is one alone, it leads.
    pub may_be_best: bool,
    /// The standard error of the average.
    pub error: Option<f64>,
    /// Lower end of the interval of the average, for a number of games that was fixed beforehand.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
    /// The average over all sizes of the field, shrunken towards the mean of all cases.
    pub shrunken: Option<f64>,
    /// The p-value of an average of 50 %, for a number of games that was fixed beforehand.
    pub p_value: Option<f64>,
    /// That p-value adjusted by Benjamini and Hochberg.
    pub adjusted_p_value: Option<f64>,
    /// The test that the rate is the same on all sizes. Absent with one size.
    pub heterogeneity: Option<ChiSquare>,
}

/// A case on one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellResult {
    /// The case.
    pub case: String,
    /// The board size.
    pub size: u8,
    /// Complete pairs.
    pub pairs: u64,
    /// The rate.
    pub rate: f64,
    /// The natural logarithm of the e-value against 50 %.
    pub log_e_value: f64,
    /// Whether the rate differs from 50 %, with all cells taken into account. If so, it is on the side of the rate.
    pub differs: bool,
    /// Lower end of the Wilson interval on effective games.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
    /// The correlation of the scores of two cases from one opening, which comparisons of this cell take into account.
    pub agreement: Option<f64>,
    /// The rate, shrunken towards the mean of all cases on this size.
    pub shrunken: Option<f64>,
    /// The p-value of 50 % that belongs to the interval, for a number of games that was fixed beforehand.
    pub p_value: Option<f64>,
    /// That p-value adjusted by Benjamini and Hochberg.
    pub adjusted_p_value: Option<f64>,
}

/// Analyses a sweep. Rows without pairs are left out, and so are rows whose case is the baseline itself.
///
/// `confidence`, such as 0.95, is that of all intervals. The false-discovery rate of claims and the level of tests are one
/// less the confidence. The result is the same for any order in which games were counted.
///
/// # Errors
/// When two rows are the same cell, a weight is not a number from 0 on, an agreement is none, or the confidence is not between 0
/// and 1.
pub fn analyse(rows: &[Row], confidence: f64, basis: Basis) -> Result<SweepAnalysis, SweepError> {
    two_sided(confidence)?;
    let mut seen = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        if !(row.weight >= 0.0 && row.weight.is_finite()) {
            return Err(SweepError::Weight { row: place, weight: row.weight });
        }
        if !(0.0..1.0).contains(&row.agreement) {
            return Err(SweepError::Agreement { row: place, agreement: row.agreement });
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
    let rated = budgets.into_iter().filter(|_| basis == Basis::Complete).filter_map(|budget| {
        let members = fields.iter().filter(|(_, other, _)| *other == budget);
        let rows: Vec<&Row> = members.flat_map(|(.., rows)| rows.iter().copied()).collect();
        RatingList::of(budget, &rows, confidence)
    });
    Ok(SweepAnalysis {
        confidence,
        basis,
        ratings: rated.collect(),
        fields: fields
            .into_iter()
            .filter_map(|(.., members)| field::of(&members, confidence, basis))
            .collect(),
    })
}
