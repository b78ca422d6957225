//! Confirmations and the results of their tests.

use super::plans::PlanCache;
use super::stopping::{outcome, stopping};
use crate::store::{ConfirmationRow, Counters, StoreError, Tx};
use protocol::confirm::{Confirmation, ConfirmationVerdict, ConfirmedCell, Confirms};
use protocol::ids::{CellId, ExperimentId, PlayerId};
use protocol::report::{Series, StopOutcome};
use protocol::words::counted;
use stats::{Confirmed, Outcomes};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// For every experiment that plays a confirmation, the case that it confirms.
pub(super) async fn confirming(tx: &mut Tx) -> Result<HashMap<ExperimentId, Confirms>, StoreError> {
    let mut all: BTreeMap<ExperimentId, (Outcomes, Confirms)> = BTreeMap::new();
    for test in tx.confirmation_tests().await? {
        let (outcomes, _) = all.entry(test.experiment).or_insert_with(|| {
            let verdict = ConfirmationVerdict::Open;
            let confirms = Confirms {
                origin: test.origin,
                origin_name: test.origin_name,
                case: test.case_label,
                verdict,
            };
            (Outcomes::default(), confirms)
        });
        let found = test
            .stopping
            .map_or(StopOutcome::Open, |test_of| outcome(&test_of.reading, test.pairs, test.is_stopped));
        count(outcomes, found);
    }
    let with_verdict = |(id, (outcomes, confirms)): (ExperimentId, (Outcomes, Confirms))| {
        (id, Confirms { verdict: verdict(&outcomes), ..confirms })
    };
    Ok(all.into_iter().map(with_verdict).collect())
}

fn count(outcomes: &mut Outcomes, outcome: StopOutcome) {
    *match outcome {
        StopOutcome::AcceptH1 => &mut outcomes.upper,
        StopOutcome::AcceptH0 => &mut outcomes.lower,
        StopOutcome::Inconclusive | StopOutcome::Stopped => &mut outcomes.undecided,
        // Other rules come from a revision by hand; they confirm nothing.
        StopOutcome::Open | StopOutcome::Precise | StopOutcome::Better | StopOutcome::Worse => {
            &mut outcomes.open
        }
    } += 1;
}

fn verdict(outcomes: &Outcomes) -> ConfirmationVerdict {
    match outcomes.together() {
        Confirmed::Open => ConfirmationVerdict::Open,
        Confirmed::Everywhere => ConfirmationVerdict::Confirmed,
        Confirmed::Somewhere => ConfirmationVerdict::Mixed,
        Confirmed::Nowhere => ConfirmationVerdict::Refuted,
        Confirmed::Undecided => ConfirmationVerdict::Inconclusive,
    }
}

/// A confirmation with all its tests.
pub(crate) async fn confirmation(
    tx: &mut Tx,
    plans: &PlanCache,
    row: ConfirmationRow,
) -> Result<Confirmation, StoreError> {
    let experiment = tx.experiment(row.experiment).await?.ok_or(StoreError::Null("experiment"))?;
    let plan = plans.get(tx, &experiment).await?;
    let rules: HashMap<CellId, _> = tx.stopping_rules(experiment.id).await?.into_iter().collect();
    let ids: Vec<CellId> = plan.cells.iter().map(|cell| cell.cell).collect();
    let counters = tx.counters_of_cells(&ids).await?;
    let (mut cells, mut outcomes, mut rule) = (Vec::new(), Outcomes::default(), String::new());
    for planned in plan.cells.iter().filter(|cell| !cell.is_closed) {
        let Some(stored) = rules.get(&planned.cell) else {
            count(&mut outcomes, StopOutcome::Open);
            continue;
        };
        let unfinished = counters.get(&planned.cell).map(Counters::unfinished).unwrap_or_default();
        let test = stopping(stored, planned.pairs, (experiment.stopped_ms.is_some(), &unfinished))?;
        count(&mut outcomes, test.outcome);
        cells.push(ConfirmedCell {
            cell: planned.cell,
            size: planned.spec.size,
            budget: planned.spec.budget,
            outcome: test.outcome,
            pairs: test.pairs,
            rate: test.rate,
            low: test.low,
            high: test.high,
            words: test.words,
        });
        rule = test.rule;
    }
    let verdict = verdict(&outcomes);
    // The first revision is what was announced before the games.
    let as_planned = experiment.revision == 1;
    Ok(Confirmation {
        experiment: experiment.id,
        name: experiment.name,
        origin: row.origin,
        origin_name: row.origin_name,
        origin_revision: row.origin_revision,
        case: row.case_label,
        case_player: row.case_player,
        baseline: row.baseline_label,
        baseline_player: row.baseline_player,
        number: row.number,
        rule,
        state: experiment.state,
        as_planned,
        verdict,
        words: words(verdict, &outcomes, as_planned),
        pairs: cells.iter().map(|cell| cell.pairs).sum(),
        cells,
        untested: BTreeSet::new(),
        began_ms: row.began_ms,
        who: row.who,
    })
}

fn words(verdict: ConfirmationVerdict, outcomes: &Outcomes, as_planned: bool) -> String {
    let Outcomes { open, upper, lower, undecided } = *outcomes;
    let tests = counted(open + upper + lower + undecided, "test");
    let parts = [
        (upper, "accepted H1"),
        (lower, "accepted H0"),
        (undecided, "ended without a decision"),
        (open, "still open"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, what)| format!("{number} {what}")).collect();
    let found = match verdict {
        ConfirmationVerdict::Confirmed => "confirmed",
        ConfirmationVerdict::Mixed => "confirmed in some cells only",
        ConfirmationVerdict::Refuted => "not confirmed",
        ConfirmationVerdict::Inconclusive => "not decided",
        ConfirmationVerdict::Open => "not decided yet",
    };
    let revised = if as_planned { "" } else { "; its plan was revised after it began" };
    format!("{found}: of {tests}, {}{revised}", parts.join(", "))
}

/// Notes at each series the last confirmation of its case, and the name of the baseline that the case has become.
pub(super) async fn note_confirmations(
    tx: &mut Tx,
    plans: &PlanCache,
    origin: ExperimentId,
    series: &mut [Series],
) -> Result<(), StoreError> {
    let rows = tx.confirmations_of(origin).await?;
    let names: HashMap<PlayerId, String> = tx.baseline_names().await?.into_iter().rev().collect();
    if rows.is_empty() && names.is_empty() {
        return Ok(());
    }
    // The map keeps the last confirmation of each case.
    let last: HashMap<_, _> =
        rows.into_iter().map(|row| ((row.case_player, row.baseline_player), row)).collect();
    let mut found = HashMap::new();
    for (key, row) in last {
        found.insert(key, confirmation(tx, plans, row).await?);
    }
    for line in series {
        let (case, baseline) = (line.case.player_id(), line.baseline.player_id());
        line.confirmation = found.get(&(case, baseline)).cloned();
        line.promoted = names.get(&case).cloned();
    }
    Ok(())
}
