//! Confirmations: a case of an experiment is played against its baseline once more, by an experiment of its own.
//!
//! The games follow from the case, the number of the confirmation and the request alone, and not from results. So if a process
//! ends after it has stored the experiment and before it has linked it to the case, a second attempt makes an experiment with the
//! same id and links it.

use crate::StoreError;
use crate::admin::apply::Replaces;
use crate::admission::{NAME, check_weight};
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::{CoordinatorError, InvalidExperiment};
use crate::reporting::{self, ChosenCase};
use crate::store::{ConfirmationRow, ExperimentRow, PlannedCellRow, Tx, stopping_rule};
use crate::writer::changing;
use engine::havannah::BoardSize;
use protocol::confirm::{
    ConfirmAnswer, ConfirmRequest, Confirmation, ConfirmationCell, ConfirmationPlan, fresh_seed,
};
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, PlannedCell, Policy, StopRule};
use protocol::ids::{CellId, ExperimentId};
use protocol::lease::{Budget, ParamSet};
use protocol::words::counted;
use stats::{ExpectedPairs, NoSolution, PairCounts, Rule, Sprt};
use std::collections::{BTreeSet, HashSet};

/// The most games of a cell, as in experiment files.
const MOST_GAMES: u64 = 100_000;

/// The group of the cases that are confirmed.
const GROUP: &str = "confirm";

/// A confirmation that can be begun.
struct PreparedConfirmation {
    experiment: Experiment,
    row: ConfirmationRow,
    plan: ConfirmationPlan,
}

impl Coordinator {
    /// Begins the confirmation of a case in the name of `who`, unless there is one or the request is for a preview.
    ///
    /// # Errors
    /// When there is no such experiment or case, the case is its own baseline, the tests are impossible, or the database
    /// fails.
    pub fn confirm(
        &self,
        key: &str,
        request: ConfirmRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<ConfirmAnswer, CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        self.run_detached(async move {
            // One at a time: two concurrent ones would prepare the same number.
            let _turn = coordinator.inner.confirming.lock().await;
            let mut tx = coordinator.inner.store.read().await?;
            let origin = reporting::find(&mut tx, &key).await?;
            let asked = (request.case.as_str(), request.against.as_deref());
            let case = reporting::chosen_case(&mut tx, &coordinator.inner.plans, &origin, asked).await?;
            let known = known(&mut tx, &origin, &case).await?;
            for row in known.iter().rev().filter(|_| !request.again) {
                let one = reporting::confirmation(&mut tx, &coordinator.inner.plans, row.clone()).await?;
                // A confirmation on other sizes is no evidence for these.
                if untested(&case, &request.sizes, &one).is_empty() {
                    return Ok(ConfirmAnswer { began: false, confirmation: Some(one), plan: None });
                }
            }
            let number = known.len() as u64 + 1;
            let prepared = prepare(&mut tx, (&origin, &case), number, &request).await?;
            drop(tx);
            if request.preview {
                return Ok(ConfirmAnswer { began: false, confirmation: None, plan: Some(prepared.plan) });
            }
            let plan = prepared.plan.clone();
            let confirmation = coordinator.begin(prepared, &who).await?;
            Ok(ConfirmAnswer { began: true, confirmation: Some(confirmation), plan: Some(plan) })
        })
    }

    /// The experiments that confirm cases of this one; none for a tune that has not ended.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn confirmations(
        &self,
        key: &str,
    ) -> BoxFuture<'static, Result<Option<Vec<ExperimentId>>, CoordinatorError>> {
        let (inner, key) = (self.inner.clone(), key.to_owned());
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            if row.is_tune && tx.tune_ending(row.id).await?.is_none() {
                return Ok(None);
            }
            let confirmations = tx.confirmations_of(row.id).await?;
            Ok(Some(confirmations.into_iter().map(|confirmation| confirmation.experiment).collect()))
        })
    }

    /// Stores the experiment and notes what it confirms.
    async fn begin(
        &self,
        prepared: PreparedConfirmation,
        who: &str,
    ) -> Result<Confirmation, CoordinatorError> {
        let PreparedConfirmation { experiment, mut row, plan } = prepared;
        // Another process may have begun one of this name meanwhile.
        let applied = self.apply_in_place_of(&experiment, who, Replaces::Nothing).await?;
        (row.experiment, row.who) = (applied.id, who.to_owned());
        // Other processes notice confirmations a second later.
        self.inner.terms.filter.admit_confirmation(row.origin, applied.id);
        let confirmed = row.clone();
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                row.began_ms = now_ms;
                if tx.insert_confirmation(&row).await? {
                    let detail = format!(
                        "{} against {} in {}: {}",
                        plan.case,
                        plan.baseline,
                        counted(plan.cells.len() as u64, "cell"),
                        plan.rule
                    );
                    let what = ("confirm", plan.name.as_str(), detail.as_str());
                    let noted = tx.number_change(&row.who, what, now_ms).await?;
                    tx.put_on_timelines(noted, &[row.origin, row.experiment]).await?;
                }
                Ok(())
            })
        });
        self.inner.writer.change(change).await?;
        let mut tx = self.inner.store.read().await?;
        let stored = tx.confirmation_by(confirmed.experiment).await?.unwrap_or(confirmed);
        Ok(reporting::confirmation(&mut tx, &self.inner.plans, stored).await?)
    }
}

/// The confirmations of this case, the first one first.
pub(super) async fn known(
    tx: &mut Tx,
    origin: &ExperimentRow,
    case: &ChosenCase,
) -> Result<Vec<ConfirmationRow>, CoordinatorError> {
    let players = (case.player.player_id(), case.baseline.player_id());
    let mut rows = tx.confirmations_of(origin.id).await?;
    rows.retain(|row| (row.case_player, row.baseline_player) == players);
    Ok(rows)
}

/// Where the case is played on these sizes, or on any if there are none, and the confirmation did not test it.
pub(super) fn untested(
    case: &ChosenCase,
    sizes: &[BoardSize],
    confirmation: &Confirmation,
) -> BTreeSet<String> {
    let played = case.cells.iter().map(|(cell, _)| (cell.spec.size, cell.spec.budget));
    let wanted = played.filter(|(size, _)| sizes.is_empty() || sizes.contains(size));
    let is_tested = |place: &(BoardSize, Budget)| {
        confirmation.cells.iter().any(|cell| (cell.size, cell.budget) == *place)
    };
    wanted
        .filter(|place| !is_tested(place))
        .map(|(size, budget)| format!("on size {size} at {}", budget.words()))
        .collect()
}

/// Prepares the experiment of a confirmation.
async fn prepare(
    tx: &mut Tx,
    (origin, case): (&ExperimentRow, &ChosenCase),
    number: u64,
    request: &ConfirmRequest,
) -> Result<PreparedConfirmation, CoordinatorError> {
    let players = (case.player.player_id(), case.baseline.player_id());
    if players.0 == players.1 {
        return Err(CoordinatorError::Refused(format!(
            "`{}` is the same player as its baseline: there is nothing to confirm",
            case.label
        )));
    }
    let (rule, test) = test(request)?;
    let weight = request.weight.unwrap_or(1.0);
    check_weight("the confirmation".to_owned(), weight)?;
    let most_pairs = most_pairs(request, &test)?;
    let cells = on_sizes(case, request)?;
    let experiment = fresh(tx, (origin, case), number, (&cells, weight), (rule, most_pairs)).await?;
    let pairs = cells.iter().map(|(_, counts)| test.expected_pairs(counts));
    let pairs: Vec<ExpectedPairs> = pairs.collect::<Result<_, _>>().map_err(unsolved)?;
    let total = ExpectedPairs::total(&pairs);
    let expected = cells.iter().zip(pairs).map(|((cell, _), pairs)| ConfirmationCell {
        size: cell.spec.size,
        budget: cell.spec.budget,
        most_pairs: u64::from(most_pairs),
        pairs_if_lower: pairs.lower,
        pairs_if_between: pairs.between,
        pairs_if_upper: pairs.upper,
    });
    let plan = ConfirmationPlan {
        name: experiment.name.clone(),
        case: case.label.clone(),
        baseline: case.baseline_label.clone(),
        number,
        rule: rule.to_string(),
        openings: openings(cells.iter().map(|(cell, _)| &cell.spec), number),
        weight,
        cells: expected.collect(),
        pairs_if_lower: total.lower,
        pairs_if_between: total.between,
        pairs_if_upper: total.upper,
    };
    let row = ConfirmationRow {
        experiment: experiment.id(),
        origin: origin.id,
        origin_name: origin.name.clone(),
        origin_revision: origin.revision,
        case_player: players.0,
        case_label: case.label.clone(),
        baseline_player: players.1,
        baseline_label: case.baseline_label.clone(),
        number,
        began_ms: 0,
        who: String::new(),
    };
    Ok(PreparedConfirmation { experiment, row, plan })
}

/// The experiment of a confirmation, with a seed that no cell was played with.
async fn fresh(
    tx: &mut Tx,
    (origin, case): (&ExperimentRow, &ChosenCase),
    number: u64,
    (cells, weight): (&[(PlannedCellRow, PairCounts)], f64),
    (rule, most_pairs): (StopRule, u32),
) -> Result<Experiment, CoordinatorError> {
    let players = (case.player.player_id(), case.baseline.player_id());
    let mut experiment = Experiment {
        question: format!(
            "Is {} better than {}, on openings and seeds that had no part in choosing it?",
            case.label, case.baseline_label
        ),
        name: String::new(),
        weight,
        policy: Policy::Coverage,
        file: None,
        tune: None,
        cells: Vec::new(),
    };
    for salt in 0.. {
        let seed = fresh_seed(origin.id, players, number, salt);
        experiment.cells = planned(case, cells, (rule, most_pairs, seed));
        give_a_name(tx, &mut experiment, &name(origin, case, number)).await?;
        let ids: Vec<CellId> = experiment.cells.iter().map(|cell| cell.spec.id()).collect();
        // An interrupted attempt may have stored the experiment already.
        let is_begun = tx.experiment(experiment.id()).await?.is_some();
        if is_begun || tx.counters_of_cells(&ids).await?.is_empty() {
            break;
        }
    }
    Ok(experiment)
}

/// The test of each cell.
fn test(request: &ConfirmRequest) -> Result<(StopRule, Sprt), CoordinatorError> {
    let rule = request.rule();
    let impossible = |fault| InvalidExperiment::Stop { place: "the confirmation".to_owned(), fault };
    if let Some(fault) = rule.fault() {
        return Err(impossible(fault).into());
    }
    match stopping_rule(&rule) {
        Ok(Rule::Sprt(test)) => Ok((rule, test)),
        Ok(_) => Err(impossible("it is no sequential test".to_owned()).into()),
        Err(error) => Err(impossible(error.to_string()).into()),
    }
}

/// The bounds of any experiment file give a test of finite length, so the cause is a damaged number in the database.
fn unsolved(error: NoSolution) -> StoreError {
    StoreError::unreadable("the length of a test")(error)
}

/// The number of pairs at which a test ends without a decision.
fn most_pairs(request: &ConfirmRequest, test: &Sprt) -> Result<u32, CoordinatorError> {
    let pairs = match request.most_games.map(u64::from) {
        None => test.most_pairs().map_err(unsolved)?.min(MOST_GAMES / 2),
        Some(games) if games >= 2 && games % 2 == 0 && games <= MOST_GAMES => games / 2,
        Some(games) => {
            return Err(CoordinatorError::Refused(format!(
                "a test is given up after an even number of games from 2 to {MOST_GAMES}, not {games}"
            )));
        }
    };
    Ok(pairs as u32)
}

/// The cells on the wanted sizes with their pairs, each once.
fn on_sizes(
    case: &ChosenCase,
    request: &ConfirmRequest,
) -> Result<Vec<(PlannedCellRow, PairCounts)>, CoordinatorError> {
    let there: BTreeSet<_> = case.cells.iter().map(|(cell, _)| cell.spec.size).collect();
    if let Some(size) = request.sizes.iter().find(|size| !there.contains(size)) {
        let sizes = BoardSize::list(there);
        return Err(CoordinatorError::Refused(format!(
            "`{}` is not played on size {size}; its sizes are {sizes}",
            case.label
        )));
    }
    let wanted = |cell: &PlannedCellRow| request.sizes.is_empty() || request.sizes.contains(&cell.spec.size);
    let mut seen = HashSet::new();
    Ok(case
        .cells
        .iter()
        .filter(|(cell, _)| wanted(cell) && seen.insert(with_new_openings(&cell.spec, 0).id()))
        .map(|(cell, counters)| (cell.clone(), counters.complete()))
        .collect())
}

/// The cell for this program's engine, with another seed and, instead of a book, openings that the book does not have.
fn with_new_openings(spec: &CellSpec, seed: u64) -> CellSpec {
    let book = spec.book.map(|book| book.held_out().unwrap_or(book));
    CellSpec { semantics: engine::SEMANTICS, seed, book, ..spec.clone() }
}

fn planned(
    case: &ChosenCase,
    cells: &[(PlannedCellRow, PairCounts)],
    (rule, pairs, seed): (StopRule, u32, u64),
) -> Vec<PlannedCell> {
    let player = |group: &str, label: &str, params: &ParamSet| LabelledPlayer {
        group: group.to_owned(),
        label: label.to_owned(),
        params: params.clone(),
    };
    let plan = |(cell, _): &(PlannedCellRow, PairCounts)| PlannedCell {
        case: player(GROUP, &case.label, &case.player),
        baseline: player(&case.baseline_label, &case.baseline_label, &case.baseline),
        spec: with_new_openings(&cell.spec, seed),
        weight: cell.weight,
        pairs,
        stop: Some(rule),
    };
    cells.iter().map(plan).collect()
}

/// The most characters of a case's name that the name of its confirmation repeats.
const CASE: usize = 60;

/// The name of the experiment, from its case, its origin and its number.
fn name(origin: &ExperimentRow, case: &ChosenCase, number: u64) -> String {
    let against = if case.has_others { format!(" against {}", case.baseline_label) } else { String::new() };
    let again = if number > 1 { format!(", number {number}") } else { String::new() };
    // The name of a case with many parameters would fill a table, so the player's id replaces it; it is a key, too.
    let case = match case.label.chars().count() {
        0..=CASE => case.label.clone(),
        _ => format!("{:.8}", case.player.player_id().to_string()),
    };
    format!("confirm {}: {case}{against}{again}", origin.name)
}

/// Gives the experiment this name, with a number appended if another experiment has the name.
async fn give_a_name(tx: &mut Tx, experiment: &mut Experiment, name: &str) -> Result<(), CoordinatorError> {
    for attempt in 1.. {
        let more = if attempt > 1 { format!(" ({attempt})") } else { String::new() };
        experiment.name = name.chars().take(NAME - more.len()).chain(more.chars()).collect();
        let taken = tx.experiment_named(&experiment.name).await?;
        if taken.is_none_or(|taken| taken.id == experiment.id()) {
            break;
        }
    }
    Ok(())
}

/// How the games begin, and what of it is fresh, from the cells of the experiment.
fn openings<'a>(played: impl Iterator<Item = &'a CellSpec>, number: u64) -> String {
    let mut ways: Vec<String> = Vec::new();
    for CellSpec { book, opening_plies, .. } in played {
        let way = match (book.map(|book| (book, book.held_out())), opening_plies) {
            (Some((book, Some(kept))), _) => {
                let earlier = if number > 1 { ", though an earlier confirmation may have" } else { "" };
                let (kept, book) = (kept.name(), book.name());
                format!(
                    "the openings of the book {kept}, which the book {book} does not have{earlier}, and fresh seeds"
                )
            }
            (Some((book, None)), _) => format!(
                "the openings of the book {} in another order, because no others are kept for it, and fresh seeds",
                book.name()
            ),
            (None, 0) => "the empty board, and fresh seeds".to_owned(),
            (None, plies) => {
                format!("fresh openings of {}, and fresh seeds", counted(u64::from(*plies), "random move"))
            }
        };
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    format!("{}; no cell of the database has these seeds", ways.join("; "))
}
