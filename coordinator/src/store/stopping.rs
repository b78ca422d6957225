//! The stopping rules of cells: the pairs that they have read, and their decisions.
//!
//! A rule reads the pairs of a cell in the order of their numbers, up to the first one that is not complete. So its decision is a
//! function of the results, and not of the order in which they arrived. A rule reads on in the transaction that counts the
//! results.

use super::sql::{Columns, execute_many, rows_many, write_json};
use super::{StoreError, Tx};
use protocol::experiment::{Hypotheses, StopInterval, StopRule};
use protocol::ids::{CellId, ExperimentId};
use stats::{Decision, Interval, PairCounts, Reading, Rule, Sprt};
use std::collections::{BTreeSet, HashMap};

/// Pairs of a cell that are read at a time.
const PAGE: i64 = 64;

/// A stopping rule of a row of `experiment_cell`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stopping {
    pub(crate) rule: StopRule,
    pub(crate) reading: Reading,
}

/// The rule of a row, by experiment and position, and its cell.
pub(super) struct RowStopping {
    pub(super) row: (ExperimentId, i64),
    pub(super) cell: CellId,
    pub(super) stopping: Stopping,
}

/// The rule in the type of the statistics crate.
///
/// # Errors
/// When a number of the rule is outside its range. Experiment files are checked for that before.
pub fn rule(rule: &StopRule) -> Result<Rule, StoreError> {
    Ok(match *rule {
        StopRule::Sprt { hypotheses, alpha, beta } => {
            let hypotheses = match hypotheses {
                Hypotheses::Elo([low, high]) => stats::Hypotheses::Elo(low, high),
                Hypotheses::Score([low, high]) => stats::Hypotheses::Score(low, high),
                Hypotheses::NormalisedElo([low, high]) => stats::Hypotheses::NormalisedElo(low, high),
            };
            Rule::Sprt(Sprt::new(hypotheses, alpha, beta).map_err(StoreError::unreadable(RULE))?)
        }
        StopRule::HalfWidth { half_width, interval, confidence } => {
            let interval = match interval {
                StopInterval::Wilson => Interval::Wilson,
                StopInterval::Sequence => Interval::Sequence,
            };
            Rule::HalfWidth { half_width, interval, confidence }
        }
        StopRule::EValue { alpha } => Rule::EValue { alpha },
    })
}

const RULE: &str = "experiment_cell.stop_rule";

/// Every decision with its name in the database.
const DECISIONS: [(Decision, &str); 5] = [
    (Decision::AcceptH1, "accept_h1"),
    (Decision::AcceptH0, "accept_h0"),
    (Decision::Precise, "precise"),
    (Decision::Better, "better"),
    (Decision::Worse, "worse"),
];

fn name_of(decision: Decision) -> &'static str {
    DECISIONS.iter().find(|(known, _)| *known == decision).map_or("", |(_, name)| *name)
}

pub(super) fn decision_named(name: &str) -> Result<Decision, StoreError> {
    let known = DECISIONS.iter().find(|(_, known)| *known == name);
    known
        .map(|(decision, _)| *decision)
        .ok_or_else(|| StoreError::unreadable("experiment_cell.stop_decision")(name))
}

/// A rule in column `stop_rule`.
pub(super) fn read_rule(row: &dyn Columns) -> Result<Option<StopRule>, StoreError> {
    let text = row.maybe_text("stop_rule")?;
    text.map(|text| serde_json::from_str(&text).map_err(StoreError::unreadable(RULE))).transpose()
}

/// The text of a rule for column `stop_rule`.
pub(super) fn rule_text(rule: Option<&StopRule>) -> Option<String> {
    rule.map(write_json)
}

impl Stopping {
    /// The rule of a row, if the row has one.
    pub(super) fn from_row(row: &dyn Columns) -> Result<Option<Self>, StoreError> {
        let Some(rule) = read_rule(row)? else { return Ok(None) };
        let counts = [
            row.count("stop_ll")?,
            row.count("stop_ld")?,
            row.count("stop_wl")?,
            row.count("stop_dd")?,
            row.count("stop_wd")?,
            row.count("stop_ww")?,
        ];
        let decision = row.maybe_text("stop_decision")?.map(|name| decision_named(&name)).transpose()?;
        Ok(Some(Self { rule, reading: Reading { counts: counts.into(), decision } }))
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.reading.decision.is_some()
    }

    fn next(&self) -> i64 {
        self.reading.counts.pairs().cast_signed()
    }
}

impl Tx {
    /// Lets rules read on to the first pair that is not complete, or to their decisions. Nothing is stored.
    pub(super) async fn read_on(&mut self, rows: &mut [RowStopping]) -> Result<(), StoreError> {
        let mut waiting: Vec<usize> =
            (0..rows.len()).filter(|place| !rows[*place].stopping.is_decided()).collect();
        while !waiting.is_empty() {
            let asked: BTreeSet<(CellId, i64)> =
                waiting.iter().map(|place| (rows[*place].cell, rows[*place].stopping.next())).collect();
            let pairs: HashMap<(CellId, i64), usize> =
                self.complete_pairs(&Vec::from_iter(asked)).await?.into_iter().collect();
            let mut further = Vec::new();
            for place in waiting {
                let RowStopping { cell, stopping, .. } = &mut rows[place];
                let next = stopping.next();
                let ready = (next..next + PAGE).map_while(|idx| pairs.get(&(*cell, idx)).copied());
                let rule = rule(&stopping.rule)?;
                stopping.reading.read(&rule, ready).map_err(StoreError::unreadable(RULE))?;
                if !stopping.is_decided() && stopping.next() == next + PAGE {
                    further.push(place);
                }
            }
            waiting = further;
        }
        Ok(())
    }

    /// A page of complete pairs of each cell, from the given numbers on, with their categories.
    async fn complete_pairs(
        &mut self,
        from: &[(CellId, i64)],
    ) -> Result<Vec<((CellId, i64), usize)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| {
                let points = |name| -> Result<u8, StoreError> {
                    let points = u8::try_from(row.bigint(name)?).ok().filter(|points| *points <= 2);
                    points.ok_or_else(|| StoreError::unreadable("pair")("a result beyond two half-points"))
                };
                let category = PairCounts::category(points("first")?, points("second")?);
                Ok(((CellId(row.uuid("cell")?), row.bigint("idx")?), category))
            },
            "SELECT pair.cell, pair.idx, pair.first, pair.second FROM (VALUES {rows}) AS wanted \
             JOIN pair ON pair.cell = column1 AND pair.idx >= column2 AND pair.idx < column3 WHERE pair.state = 'done'",
            from,
            |from| from.0.0,
            from.1,
            from.1 + PAGE,
        )
    }

    /// Stores how far rules have read. A row with a decision is closed for leases.
    pub(super) async fn put_readings(&mut self, rows: &[RowStopping]) -> Result<(), StoreError> {
        let count = |count: u64| count.cast_signed();
        execute_many!(
            &mut *self,
            "UPDATE experiment_cell SET stop_ll = column3, stop_ld = column4, stop_wl = column5, stop_dd = column6, \
             stop_wd = column7, stop_ww = column8, stop_decision = column9, \
             state = CASE WHEN column9 IS NOT NULL AND state = 'open' THEN 'full' ELSE state END \
             FROM (VALUES {rows}) AS change WHERE experiment = column1 AND position = column2",
            rows,
            |stopped| stopped.row.0.0,
            stopped.row.1,
            count(stopped.stopping.reading.counts.ll),
            count(stopped.stopping.reading.counts.ld),
            count(stopped.stopping.reading.counts.wl),
            count(stopped.stopping.reading.counts.dd),
            count(stopped.stopping.reading.counts.wd),
            count(stopped.stopping.reading.counts.ww),
            stopped.stopping.reading.decision.map(name_of),
        )?;
        Ok(())
    }
}
