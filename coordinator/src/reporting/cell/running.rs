//! The course of a cell's estimate, and of the statistics of its stopping rules, pair by pair.

use super::super::confidence::CONFIDENCE;
use super::super::history::latest;
use super::super::stopping::stopping;
use crate::error::CoordinatorError;
use crate::store::{PlannedCellState, Stopping, StoreError, Tx, stopping_rule};
use protocol::browse::PlannedBy;
use protocol::cell::{RuleMeasure, RunningCell, RunningChange, RunningPoint, RunningRule, RunningValue};
use protocol::ids::CellId;
use stats::{PairCounts, Rule, RuleError, Unfinished};

/// The most points of a series, besides the first pair and a decision. A picture shows no more.
const MOST: u64 = 400;

/// Changes of experiments that a picture marks.
const CHANGES: usize = 12;

/// The complete pairs up to some place, and how many are missing among them.
struct Prefix {
    counts: PairCounts,
    missing: u64,
}

/// The estimate of a cell after its pairs.
pub(crate) async fn running(tx: &mut Tx, cell: CellId) -> Result<RunningCell, CoordinatorError> {
    let missing = || CoordinatorError::unknown("cell", cell.to_string());
    let counters = tx.counters_of_cells(&[cell]).await?.remove(&cell).ok_or_else(missing)?;
    let every = counters.pairs_started.unsigned_abs().div_ceil(MOST).max(1);
    let begun = counters.pairs_started.unsigned_abs();
    let gap = tx.first_incomplete(cell).await?;
    let mut counts = PairCounts::default();
    let mut prefixes = Vec::new();
    for (place, group) in tx.complete_by_group(cell, every).await? {
        counts += group;
        let missing = (place * every + 1).min(begun).saturating_sub(counts.pairs());
        prefixes.push(Prefix { counts, missing });
    }
    let pairs = counts.pairs();
    let places = tx.places_of_cell(cell).await?;
    Ok(RunningCell {
        id: cell,
        pairs,
        in_order: gap.unwrap_or(pairs),
        every,
        confidence: CONFIDENCE,
        points: prefixes.iter().filter_map(point).collect(),
        rules: rules(&places, &prefixes, &counters.unfinished())?,
        changes: changes(tx, &places, (cell, pairs)).await?,
    })
}

/// The latest changes of the experiments since the first game of the cell.
async fn changes(
    tx: &mut Tx,
    places: &[PlannedCellState],
    (cell, most): (CellId, u64),
) -> Result<Vec<RunningChange>, StoreError> {
    let mut all = Vec::new();
    for place in places {
        let experiment = PlannedBy { id: place.id, name: place.experiment.clone() };
        let latest = latest(tx, place.id, CHANGES as i64).await?;
        all.extend(latest.into_iter().map(|entry| (entry, experiment.clone())));
    }
    all.sort_by_key(|(entry, _)| entry.seq);
    let mut changes = Vec::new();
    for (entry, experiment) in all.split_off(all.len().saturating_sub(CHANGES)) {
        let plays = tx.plays_before(cell, entry.at_ms).await?;
        if plays > 0 {
            changes.push(RunningChange { pairs: (plays / 2).min(most), experiment, entry });
        }
    }
    Ok(changes)
}

fn point(Prefix { counts, missing }: &Prefix) -> Option<RunningPoint> {
    let unfinished = Unfinished { pairs: *missing, ..Unfinished::default() };
    let summary = stats::live_summary(counts, &unfinished, CONFIDENCE)?;
    Some(RunningPoint {
        pairs: counts.pairs(),
        rate: summary.rate,
        low: summary.low,
        high: summary.high,
        cs_low: summary.cs_low,
        cs_high: summary.cs_high,
    })
}

/// The rules of the experiments that have the cell in their plan. Experiments with the same rule share it.
fn rules(
    places: &[PlannedCellState],
    prefixes: &[Prefix],
    unfinished: &Unfinished,
) -> Result<Vec<RunningRule>, StoreError> {
    let mut rules: Vec<(Stopping, RunningRule)> = Vec::new();
    for place in places.iter().filter(|place| place.closed.is_none()) {
        let Some(stored) = place.stopping else { continue };
        let experiment = PlannedBy { id: place.id, name: place.experiment.clone() };
        match rules.iter_mut().find(|(known, _)| known.rule == stored.rule) {
            Some((_, rule)) => rule.experiments.push(experiment),
            None => {
                let end = (place.pairs.unsigned_abs(), (place.is_stopped, unfinished));
                rules.push((stored, read(experiment, &stored, end, prefixes)?));
            }
        }
    }
    Ok(rules.into_iter().map(|(_, rule)| rule).collect())
}

/// A rule as it read the pairs up to its decision.
fn read(
    experiment: PlannedBy,
    stored: &Stopping,
    (planned, end): (u64, (bool, &Unfinished)),
    prefixes: &[Prefix],
) -> Result<RunningRule, StoreError> {
    let rule = stopping_rule(&stored.rule)?;
    let unreadable = |error: RuleError| StoreError::unreadable("a stopping rule")(error);
    let (lower, upper) = rule.bounds().map_err(unreadable)?;
    // What the rule has read is known exactly, wherever the groups of pairs end.
    let last = stored.reading.counts;
    let before = |prefix: &&Prefix| prefix.missing == 0 && prefix.counts.pairs() < last.pairs();
    let mut values = Vec::new();
    for counts in prefixes.iter().filter(before).map(|prefix| &prefix.counts).chain([&last]) {
        if let Some(value) = rule.measure(counts).map_err(unreadable)? {
            values.push(RunningValue { pairs: counts.pairs(), value });
        }
    }
    let found = stopping(stored, planned, end)?;
    Ok(RunningRule {
        experiments: vec![experiment],
        measure: match rule {
            Rule::Sprt(_) => RuleMeasure::Llr,
            Rule::EValue { .. } => RuleMeasure::LogEValue,
            Rule::HalfWidth { .. } => RuleMeasure::HalfWidth,
        },
        lower,
        upper,
        values,
        outcome: found.outcome,
        decided: stored.reading.decision.map(|_| last.pairs()),
        words: found.words,
    })
}
