//! The news of experiments on the first page.

use super::plans::{CachedPlan, PlanCache};
use crate::store::{Counters, ExperimentRow, Stopping, StoreError, Tx};
use protocol::analysis::{ExperimentAnalysis, SeriesNames};
use protocol::ids::{CellId, ExperimentId};
use protocol::news::{Decided, DecidedCell, ExperimentNews, Leader};
use protocol::report::{ExperimentState, Point, Series, StopOutcome, Verdict};
use stats::sweep::Field;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Slices of time of the recent games.
const SLICES: usize = 30;

/// Milliseconds of a slice.
const SLICE_MS: i64 = 120_000;

/// The most cases with a decision that are listed.
const MOST_DECIDED: usize = 100;

/// News are recomputed no sooner than this.
const SHORTEST_REST: Duration = Duration::from_secs(2);

/// News are recomputed no sooner than this many times their computing time: an experiment's news use at most a twentieth of a
/// core.
const REST_FACTOR: u32 = 20;

/// The time in which one answer computes news. The rest is computed for later answers.
pub(crate) const PATIENCE: Duration = Duration::from_millis(300);

/// The findings about an experiment.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExperimentFindings {
    leader: Option<Leader>,
    decisions: Decisions,
}

/// The decisions about the cells of an experiment.
#[derive(Debug, Clone, Default)]
struct Decisions {
    /// The first [`MOST_DECIDED`] cases with a decision.
    listed: Vec<Decided>,
    cases: u64,
    cells: u64,
}

impl ExperimentFindings {
    /// The news of an experiment with these games in the last hour. Without findings they are pending.
    pub(crate) fn news(found: Option<&Self>, id: ExperimentId, games: Option<&Vec<u64>>) -> ExperimentNews {
        let found = found.cloned().unwrap_or_default();
        ExperimentNews {
            id,
            games: games.cloned().unwrap_or_else(|| vec![0; SLICES]),
            leader: found.leader,
            decided: found.decisions.listed,
            cases_decided: found.decisions.cases,
            cells_decided: found.decisions.cells,
        }
    }
}

struct CachedFindings {
    of: NewsKey,
    at: Instant,
    took: Duration,
    findings: Arc<ExperimentFindings>,
}

/// The latest findings by experiment.
#[derive(Default)]
pub(crate) struct NewsCache(Mutex<HashMap<ExperimentId, CachedFindings>>);

impl NewsCache {
    /// The latest findings about an experiment, and whether they are due to be computed again.
    pub(crate) fn of(&self, row: &ExperimentRow) -> (Option<Arc<ExperimentFindings>>, bool) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(CachedFindings { of, at, took, findings }) = kept.get(&row.id) else { return (None, true) };
        let rested = at.elapsed() >= SHORTEST_REST.max(*took * REST_FACTOR);
        (Some(findings.clone()), rested && *of != state(row))
    }

    pub(crate) fn keep(
        &self,
        row: &ExperimentRow,
        took: Duration,
        findings: ExperimentFindings,
    ) -> Arc<ExperimentFindings> {
        let findings = Arc::new(findings);
        let kept = CachedFindings { of: state(row), at: Instant::now(), took, findings: findings.clone() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(row.id, kept);
        findings
    }
}

/// The state of an experiment: games, the core time of all that were ever played, and the edition of the plan. Games that are
/// excluded and played again change the time alone.
type NewsKey = (u64, u64, i64);

fn state(row: &ExperimentRow) -> NewsKey {
    (row.games_done, row.core_us, row.edition)
}

/// The experiments that have news, the newest first.
pub(crate) async fn newsworthy(tx: &mut Tx) -> Result<Vec<ExperimentRow>, StoreError> {
    let mut rows = tx.experiments().await?;
    rows.retain(|row| row.state != ExperimentState::Archived);
    Ok(rows)
}

/// Games of the last hour by experiment, in slices.
pub(crate) async fn recent(tx: &mut Tx, now_ms: i64) -> Result<HashMap<ExperimentId, Vec<u64>>, StoreError> {
    let last = now_ms.div_euclid(SLICE_MS);
    let first = last - SLICES as i64 + 1;
    let mut found: HashMap<ExperimentId, Vec<u64>> = HashMap::new();
    for (id, slice, games) in tx.games_by_slice((first * SLICE_MS, now_ms), SLICE_MS).await? {
        let slices = found.entry(id).or_insert_with(|| vec![0; SLICES]);
        if let Some(slot) = usize::try_from(slice - first).ok().and_then(|place| slices.get_mut(place)) {
            *slot += games;
        }
    }
    Ok(found)
}

/// The cells of a plan that have a decision, by case.
fn decided(
    plan: &CachedPlan,
    counters: &[Counters],
    rules: &[(CellId, Stopping)],
) -> Result<Decisions, StoreError> {
    let mut found: Vec<Decided> = Vec::new();
    let mut cells = 0;
    // A stop by a person decides nothing.
    for series in plan.series(counters, rules, false)? {
        let first = found.len();
        for point in &series.points {
            let Some(verdict) = decision(point) else { continue };
            cells += 1;
            let cell = DecidedCell { cell: point.cell, size: point.size };
            match found[first..].iter_mut().find(|known| known.verdict == verdict) {
                Some(known) => known.cells.push(cell),
                None => found.push(of_case(&series, verdict, cell)),
            }
        }
    }
    let cases = found.len() as u64;
    found.truncate(MOST_DECIDED);
    Ok(Decisions { listed: found, cases, cells })
}

/// The decision about a cell: of its confidence sequence, or of its stopping rule.
fn decision(point: &Point) -> Option<Verdict> {
    let ended = point.stopping.as_ref().is_some_and(|rule| rule.outcome != StopOutcome::Open);
    (point.verdict != Verdict::Open || ended).then_some(point.verdict)
}

fn of_case(series: &Series, verdict: Verdict, cell: DecidedCell) -> Decided {
    Decided {
        case: series.name.clone(),
        against: series.baseline_label.clone(),
        budget: series.budget,
        verdict,
        cells: vec![cell],
    }
}

/// Whether no case besides the first one may be the best.
fn leads_alone(field: &Field) -> bool {
    field.leader().is_some_and(|leader| leader.case == field.cases[0].case)
}

/// The best case of the field with most pairs, with its label: the baseline is shown beside it, so cases against other baselines
/// cannot be confused with it.
fn leader(analysis: &ExperimentAnalysis, plan: &CachedPlan) -> Option<Leader> {
    let pairs = |field: &&Field| field.cases.iter().map(|case| case.pairs).sum::<u64>();
    let field = analysis.sweep.fields.iter().max_by_key(pairs)?;
    let best = field.cases.iter().find(|case| case.pairs > 0)?;
    let of_field = |series: &&SeriesNames| {
        (&series.against, &series.budget) == (&field.against, &field.budget) && series.case != series.against
    };
    let planned: HashSet<&str> =
        analysis.series.iter().filter(of_field).map(|series| series.case.as_str()).collect();
    let names = analysis.series.iter().filter(of_field).find(|names| names.case == best.case);
    let of_plan = |names: &SeriesNames| {
        let players = (names.player, names.baseline);
        let is_it = |one: &&Series| (Some(one.case.player_id()), Some(one.baseline.player_id())) == players;
        plan.series.iter().find(is_it)
    };
    Some(Leader {
        case: names.and_then(of_plan).map_or_else(|| best.case.clone(), |series| series.name.clone()),
        against: field.against.clone(),
        budget: field.budget.clone(),
        rate: best.rate,
        low: best.low.unwrap_or(best.cs_low),
        high: best.high.unwrap_or(best.cs_high),
        leads: planned.len() == 1 || leads_alone(field),
    })
}

/// Computes the findings about an experiment from its analysis and its counters.
pub(crate) async fn findings(
    tx: &mut Tx,
    plans: &PlanCache,
    row: &ExperimentRow,
    analysis: &ExperimentAnalysis,
) -> Result<ExperimentFindings, StoreError> {
    let plan = plans.get(tx, row).await?;
    let counters = tx.counters_of(row.id).await?;
    let rules = tx.stopping_rules(row.id).await?;
    let decisions = decided(&plan, &counters, &rules)?;
    Ok(ExperimentFindings { leader: leader(analysis, &plan), decisions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::Rng;
    use stats::PairCounts;
    use stats::sweep::{Basis, Row, analyse};

    /// A field of cases that win so many games of a thousand, with so many pairs each.
    fn field(rates: &[u32], pairs: u32, random: &mut Rng, basis: Basis) -> Field {
        let rows = rates.iter().zip(0..).map(|(rate, number)| {
            let mut counts = PairCounts::default();
            for _ in 0..pairs {
                let won = (random.below(1_000) < *rate, random.below(1_000) < *rate);
                match won {
                    (false, false) => counts.ll += 1,
                    (true, true) => counts.ww += 1,
                    _ => counts.wl += 1,
                }
            }
            Row {
                case: format!("case {number}"),
                against: "uct".into(),
                budget: String::new(),
                size: 4,
                weight: 1.0,
                counts,
                unfinished: stats::Unfinished::default(),
                agreement: 0.0,
                parameters: [].into(),
            }
        });
        analyse(&Vec::from_iter(rows), 0.95, basis).expect("rows").fields.remove(0)
    }

    #[test]
    fn none_leads_among_equal_players() {
        let mut random = Rng::new(7);
        for (rate, pairs) in [(500, 5), (500, 10), (500, 100), (800, 10)] {
            let mut leading = |basis| {
                (0..100).filter(|_| leads_alone(&field(&[rate; 6], pairs, &mut random, basis))).count()
            };
            // At most one of twenty by chance.
            assert!(
                leading(Basis::Complete) <= 14 && leading(Basis::AnyLook) <= 14,
                "{pairs} pairs at {rate}"
            );
        }
        for basis in [Basis::Complete, Basis::AnyLook] {
            assert!(leads_alone(&field(&[500, 500, 800], 100, &mut random, basis)));
            let one_is_behind = leads_alone(&field(&[700, 700, 300], 400, &mut random, basis));
            assert!(!one_is_behind, "two equal cases are in front");
            assert!(
                !leads_alone(&field(&[800], 100, &mut random, basis)),
                "the first of several that has games"
            );
        }
    }
}
