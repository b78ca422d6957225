//! The task that asks for the points of tunes, and ends finished tunes: see [`crate::tuning`].

use super::repeating::Failing;
use super::{BoxFuture, Coordinator};
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{OpenTune, PlanPart, StoreError, TrialOrigin, Tx};
use crate::terms::alive_since;
use crate::tuning::{AskedTrials, LiveTune, TuneEntry, recommended, with_words};
use crate::writer::changing;
use engine::havannah::BoardSize;
use protocol::confirm::{ConfirmRequest, ConfirmationPlan};
use protocol::experiment::{Experiment, Policy};
use protocol::ids::ExperimentId;
use protocol::query::LARGEST_PAGE;
use protocol::report::ExperimentState;
use protocol::tune::{NumberedTrial, PlayedPoints, Recommended, TrialsPage, TuneStatus, sizes};
use protocol::words::counted;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic;
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tuner::{Concentration, Model, Surface, Trial, Verdict};

/// The author of a tune's own changes.
const BY_TUNE: &str = "the tune";

/// The time between two rounds while nothing is committed.
const LOOK: Duration = Duration::from_secs(1);

/// The shortest time between two rounds, so that points are stored in groups.
const PAUSE: Duration = Duration::from_millis(20);

/// The longest wait of an answer for the lock of the tune, if there is an older answer.
const SOON: Duration = Duration::from_millis(50);

impl Coordinator {
    /// After each commit: asks the strategies of tunes for points, as many as the workers can play, and ends tunes whose games
    /// are played.
    pub(crate) async fn follow_tunes(&self) -> Infallible {
        let mut changes = self.changes();
        let mut failing = Failing::default();
        loop {
            let found = failing.note(self.tune_on().await, "tunes get no new points until this is mended");
            if found.unwrap_or(0) == 0 {
                tokio::time::sleep(LOOK).await;
            } else {
                tokio::time::sleep(PAUSE).await;
                let _ = tokio::time::timeout(LOOK, changes.changed()).await;
            }
            changes.borrow_and_update();
        }
    }

    /// Asks for the points of all tunes once, and ends those whose games are played; gives the number of open tunes.
    /// [`Coordinator::serve`] does so by itself.
    ///
    /// # Errors
    /// When the database fails. An error of a single tune is logged.
    pub fn tune_on(&self) -> BoxFuture<'static, Result<usize, CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move {
            let inner = &coordinator.inner;
            let mut tx = inner.store.intake_conn().await?;
            let mut open = tx.open_tunes(engine::SEMANTICS).await?;
            let mut ended = tx.ended_tunes().await?;
            drop(tx);
            open.retain(|tune| inner.terms.filter.allows(tune.id));
            ended.retain(|id| inner.terms.filter.allows(*id));
            for tune in &open {
                // One request for each tune, so that a tune that always wants more does not delay the others. The commit of its
                // points starts another round soon.
                let asked = coordinator.ask_for_points(tune.id).await;
                coordinator.note_step(tune.id, asked);
            }
            for id in ended {
                let end = coordinator.end_tune(id).await;
                coordinator.note_step(id, end);
            }
            Ok(open.len())
        })
    }

    /// Logs the first of several failures of a tune. A tune that fails does not stop the others.
    fn note_step(&self, id: ExperimentId, step: Result<(), CoordinatorError>) {
        let was_failing = self.inner.tunes.entry(id).is_failing.swap(step.is_err(), atomic::Ordering::AcqRel);
        if let Err(error) = step
            && !was_failing
        {
            tracing::warn!(experiment.id = %id, "this tune does not go on until this is mended: {error}");
        }
    }

    /// The status of a tune: its recommendation and its games. While another task holds the tune for long, this is the last
    /// status.
    ///
    /// # Errors
    /// When there is no such experiment, it is no tune, or the database fails.
    pub fn tune_status(&self, key: &str) -> BoxFuture<'static, Result<TuneStatus, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let inner = &coordinator.inner;
            let row = reporting::find(&mut inner.store.read().await?, &key).await?;
            let place = inner.tunes.entry(row.id);
            let soon = tokio::time::timeout(SOON, place.lock()).await;
            let mut live = match (soon, place.last()) {
                (Ok(live), _) => live,
                (Err(_), Some(last)) => return Ok(last),
                (Err(_), None) => place.lock().await,
            };
            let mut tx = inner.store.read().await?;
            let state = state_of(&mut tx, row.id, &row.name).await?;
            let row = tx.experiment(row.id).await?.ok_or(StoreError::Null("experiment"))?;
            LiveTune::catch_up(&mut live, &mut tx, &state).await?;
            let mut confirmations = Vec::new();
            for confirmation in tx.confirmations_of(row.id).await? {
                confirmations.push(reporting::confirmation(&mut tx, &inner.plans, confirmation).await?);
            }
            let ending = tx.tune_ending(row.id).await?;
            drop(tx);
            let told = compute(move || live.as_mut().map(told).transpose());
            let told = told.await??.ok_or(StoreError::Null("tune"))?;
            let names = (row.name.as_str(), told.baseline.as_str());
            let told = TuneStatus {
                experiment: row.id,
                state: row.state,
                games_left: told.tune.games.saturating_sub(told.games_played),
                ending,
                recommendations: with_words(told.recommendations, names, &confirmations),
                name: row.name,
                confirmations,
                ..told
            };
            if !told.course_is_complete && !place.is_computing_past.swap(true, atomic::Ordering::AcqRel) {
                tokio::spawn(compute_past(place.clone()));
            }
            place.keep(&told);
            Ok(told)
        })
    }

    /// The fitted win rate of a tune over two of its parameters. With an optimum for each size, `size` chooses one.
    ///
    /// # Errors
    /// When there is no such tune, parameter or size, or the database fails.
    pub fn tune_surface(
        &self,
        key: &str,
        (x, y): (&str, &str),
        size: Option<u8>,
    ) -> BoxFuture<'static, Result<Surface, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        let (x, y) = (x.to_owned(), y.to_owned());
        Box::pin(async move {
            let mut live = coordinator.read_tune(&key).await?;
            let surface = move || {
                let model = live.as_mut().ok_or(StoreError::Null("tune"))?.model();
                drop(live);
                surface_of(&model, (&x, &y), size)
            };
            compute(surface).await?
        })
    }

    /// The points that a tune has played, with their results; a sample if there are many.
    ///
    /// # Errors
    /// When there is no such tune, or the database fails.
    pub fn tune_points(&self, key: &str) -> BoxFuture<'static, Result<PlayedPoints, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let live = coordinator.read_tune(&key).await?;
            let played = compute(move || live.as_ref().map(LiveTune::played));
            let played = played.await?;
            Ok(played.ok_or(StoreError::Null("tune"))?)
        })
    }

    /// A tune with all of its log.
    async fn read_tune(&self, key: &str) -> Result<OwnedMutexGuard<Option<LiveTune>>, CoordinatorError> {
        let inner = &self.inner;
        let row = reporting::find(&mut inner.store.read().await?, key).await?;
        let mut live = inner.tunes.entry(row.id).lock().await;
        let mut tx = inner.store.read().await?;
        let state = state_of(&mut tx, row.id, &row.name).await?;
        LiveTune::catch_up(&mut live, &mut tx, &state).await?;
        Ok(live)
    }

    /// Some of the trials of a tune with their results, from this number on.
    ///
    /// # Errors
    /// When there is no such tune, or the database fails.
    pub fn trials(
        &self,
        key: &str,
        from: u64,
        limit: u32,
    ) -> BoxFuture<'static, Result<TrialsPage, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let live = coordinator.read_tune(&key).await?;
            let tune = live.as_ref().ok_or(StoreError::Null("tune"))?;
            let all = tune.trials();
            let first = usize::try_from(from).unwrap_or(usize::MAX).min(all);
            let last = all.min(first + limit.clamp(1, LARGEST_PAGE) as usize);
            let trial = |number: usize| {
                let (row, outcome) = tune.trial(number);
                NumberedTrial {
                    number: number as u64,
                    wanted_by: row.origin.name().to_owned(),
                    trial: Trial { proposal: row.proposal.clone(), outcome },
                    given_up: row.fate.given_up.is_some(),
                }
            };
            Ok(TrialsPage {
                trials: (first..last).map(trial).collect(),
                next: (last < all).then_some(last as u64),
            })
        })
    }

    /// Stores the points that a tune wants to be played next. Nothing is stored if another request changed the plan meanwhile:
    /// the next round reads the tune again.
    async fn ask_for_points(&self, id: ExperimentId) -> Result<(), CoordinatorError> {
        let inner = &self.inner;
        let mut live = inner.tunes.entry(id).lock().await;
        let mut tx = inner.store.read().await?;
        let Some(state) = tx.tune_state(id).await? else { return Ok(()) };
        let now_ms = inner.clock.now_ms();
        let slots = tx.slots_since(alive_since(now_ms, inner.terms.sync_ms)).await?;
        let tune = LiveTune::catch_up(&mut live, &mut tx, &state).await?;
        if state.uncounted != state.settled {
            let (taken_out, taken) = (tx.excluded_plays_of(id).await?, tx.taken_trials(id).await?);
            let beside = tx.taken_beside_trials(id).await?;
            drop(tx);
            let rows = tune.settled(&taken_out, (&taken, &beside))?;
            return self.settle(&mut live, &state, rows).await;
        }
        drop(tx);
        // With many games a fit takes up to a second.
        let asked = compute(move || {
            let rows = live.as_mut().map(|tune| {
                tune.refresh_model();
                let asked = tune.ask(&state, slots, now_ms);
                tune.rows(asked)
            });
            (live, rows)
        });
        let (mut live, rows) = asked.await?;
        let Some(rows) = rows.transpose()?.filter(|rows| !rows.trials.is_empty()) else { return Ok(()) };
        self.store_trials(&mut live, &state, rows).await?;
        Ok(())
    }

    /// Stores trials with their cells. Gives false, and stores nothing, if another request changed the plan meanwhile.
    pub(crate) async fn store_trials(
        &self,
        live: &mut Option<LiveTune>,
        state: &OpenTune,
        rows: AskedTrials,
    ) -> Result<bool, CoordinatorError> {
        let Some(tune) = live.as_mut() else { return Ok(false) };
        let (games, trials, mut part) = (tune.spec.games, rows.trials.clone(), part(tune, state, &rows));
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                tx.read_befores(part.id, &mut part.changes).await?;
                if !tx.store_part(&part, now_ms).await? {
                    return Ok(false);
                }
                tx.insert_trials(part.id, &trials).await?;
                tx.plan_unasked(part.id, games).await?;
                Ok(true)
            })
        });
        let stored = self.inner.writer.change(change).await?;
        if stored {
            tune.stored(&rows)?;
        }
        Ok(stored)
    }

    /// Gives up the points that excluded games have chosen, and restores those whose games were restored. The next round reads
    /// the tune again. A stopped tune does not replace them, and its recommendation follows from the rest.
    async fn settle(
        &self,
        live: &mut Option<LiveTune>,
        state: &OpenTune,
        rows: Option<AskedTrials>,
    ) -> Result<(), CoordinatorError> {
        let (Some(tune), Some(rows)) = (live.take(), rows) else { return Ok(()) };
        let (games, uncounted, mut part) = (tune.spec.games, state.uncounted, part(&tune, state, &rows));
        let before = tune.given_up() as u64;
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                let row = tx.experiment(part.id).await?.ok_or(StoreError::Null("experiment"))?;
                let goes_on = row.stopped_ms.is_none();
                if goes_on {
                    tx.read_befores(part.id, &mut part.changes).await?;
                    if !tx.store_part(&part, now_ms).await? {
                        return Ok(());
                    }
                }
                tx.settle_trials(part.id, (&rows.trials, uncounted)).await?;
                if goes_on {
                    tx.plan_unasked(part.id, games).await?;
                }
                let now = tx.trials_given_up(part.id).await?;
                let pairs = counted(now.abs_diff(before), "pair");
                let (action, detail) = match now.cmp(&before) {
                    Ordering::Equal => return Ok(()),
                    Ordering::Greater => (
                        "give up points",
                        format!(
                            "excluded games had chosen the points of {pairs}: {}",
                            if goes_on {
                                "the tune plays as many at new points"
                            } else {
                                "the tune was stopped, and plays no others"
                            }
                        ),
                    ),
                    Ordering::Less => (
                        "take back points",
                        format!("the games that had chosen the points of {pairs} count again"),
                    ),
                };
                tx.forget_ending(part.id).await?;
                tx.note_on_timeline((part.id, &row.name), BY_TUNE, (action, &detail), now_ms).await
            })
        });
        self.inner.writer.change(change).await?;
        Ok(())
    }

    /// Begins the confirmations of a tune's recommendation, and notes that the tune has ended.
    async fn end_tune(&self, id: ExperimentId) -> Result<(), CoordinatorError> {
        let mut live = self.inner.tunes.entry(id).lock().await;
        let mut tx = self.inner.store.read().await?;
        let Some(state) = tx.tune_state(id).await? else { return Ok(()) };
        let tune = LiveTune::catch_up(&mut live, &mut tx, &state).await?;
        let baseline = tune.first()[0].baseline.label.clone();
        let nothing = match tune.last_points() {
            Some(_) => "confirm = false",
            None => "the tune has no recommended point that it measured, so there is nothing to confirm",
        };
        drop(tx);
        let settings = compute(move || live.as_mut().map(settings).transpose()).await?;
        let mut words = Vec::new();
        for RecommendedSetting { label, sizes, is_no_better } in settings?.unwrap_or_default() {
            if is_no_better {
                words.push(format!(
                    "{label} is not confirmed by itself, because nothing better than the baseline was found; `gauntlet confirm` \
                     plays it once more all the same"
                ));
                continue;
            }
            let request =
                ConfirmRequest { sizes, against: Some(baseline.clone()), ..ConfirmRequest::of(&label) };
            match self.confirm(&id.to_string(), request, BY_TUNE).await {
                Ok(answer) => {
                    if let Some(confirmation) = answer.confirmation {
                        words.push(format!(
                            "`{}` plays {label} once more{}",
                            confirmation.name,
                            cost(answer.plan)
                        ));
                    }
                }
                Err(CoordinatorError::Refused(why)) => words.push(why),
                Err(error) => return Err(error),
            }
        }
        let ending = if words.is_empty() { nothing.to_owned() } else { words.join("; ") };
        let change = changing(move |tx, _| Box::pin(async move { tx.note_ending(id, &ending).await }));
        self.inner.writer.change(change).await?;
        Ok(())
    }
}

/// The fitted win rate over two parameters, for the only recommendation or for that of a size.
pub(super) fn surface_of(
    model: &Model,
    (x, y): (&str, &str),
    size: Option<u8>,
) -> Result<Surface, CoordinatorError> {
    if x == y {
        return Err(CoordinatorError::BadSearch(format!("`{x}` is both parameters: give two")));
    }
    let of = |one: &Concentration| size.is_none() || one.size == size;
    let target = model.concentrations().iter().position(of).ok_or_else(|| {
        CoordinatorError::BadSearch(format!(
            "there is no recommendation for size {}: leave `size` out, or give a size where each has an optimum of its own",
            size.unwrap_or_default()
        ))
    })?;
    model.surface(target, x, y).map_err(|error| CoordinatorError::BadSearch(error.to_string()))
}

/// The state of a tune, or why there is none.
pub(crate) async fn state_of(
    tx: &mut Tx,
    id: ExperimentId,
    name: &str,
) -> Result<OpenTune, CoordinatorError> {
    let state = tx.tune_state(id).await?;
    state.ok_or_else(|| {
        CoordinatorError::NoMatch(format!("`{name}` is no tune: its file has no section [tune]"))
    })
}

/// A setting that a finished tune recommends.
struct RecommendedSetting {
    /// The name of the case.
    label: String,
    /// The sizes that it is for; all if none is named.
    sizes: Vec<BoardSize>,
    /// Whether it seems to be no better than the baseline: see [`Verdict::NothingBetter`].
    is_no_better: bool,
}

/// The settings that a finished tune recommends, if it wants them to be confirmed.
fn settings(tune: &mut LiveTune) -> Result<Vec<RecommendedSetting>, StoreError> {
    if !tune.spec.confirm || tune.last_points().is_none() {
        return Ok(Vec::new());
    }
    let model = tune.model();
    let mut settings: Vec<RecommendedSetting> = Vec::new();
    for Recommended { label, params, recommendation, .. } in recommended(tune, &model)? {
        let mut sizes = tune.first().iter().map(|cell| cell.spec.size);
        let size = sizes.find(|size| Some(size.get()) == recommendation.size);
        // The baseline itself is refused as a case of its own.
        let is_no_better =
            recommendation.verdict == Verdict::NothingBetter && params != tune.first()[0].baseline.params;
        // Sizes with the same setting are confirmed together.
        match settings.iter_mut().find(|one| one.label == label && one.is_no_better == is_no_better) {
            Some(setting) => setting.sizes.extend(size),
            None => {
                settings.push(RecommendedSetting { label, sizes: size.into_iter().collect(), is_no_better })
            }
        }
    }
    Ok(settings)
}

/// The mean cost of a confirmation, if one was begun.
fn cost(plan: Option<ConfirmationPlan>) -> String {
    plan.map(|plan| {
        let means = [plan.pairs_if_lower, plan.pairs_if_between, plan.pairs_if_upper];
        let most = means.into_iter().fold(0.0, f64::max);
        format!(", in {:.0} to {most:.0} pairs on average", means.into_iter().fold(most, f64::min))
    })
    .unwrap_or_default()
}

/// Computes the past recommendations of a tune, one at a time. The lock of the tune is free in between.
async fn compute_past(place: Arc<TuneEntry>) {
    loop {
        let mut live = place.lock().await;
        let looking = compute(move || {
            live.as_mut().is_some_and(|tune| {
                tune.compute_past();
                !tune.course_is_complete()
            })
        });
        if !looking.await.unwrap_or_default() {
            break;
        }
    }
    place.is_computing_past.store(false, atomic::Ordering::Release);
}

/// The status of a tune that follows from its log alone.
fn told(live: &mut LiveTune) -> Result<TuneStatus, StoreError> {
    let model = live.model();
    let live = &*live;
    let log = live.log();
    let (mut imported_trials, mut imported_results) = (0, 0);
    for (origin, trial) in live.origins().zip(log.trials()) {
        if origin == TrialOrigin::Imported {
            imported_trials += 1;
            imported_results += u64::from(trial.outcome.is_some());
        }
    }
    let trials = log.asked() as u64 - imported_trials;
    let games_played = 2 * (log.told() as u64 - imported_results);
    Ok(TuneStatus {
        experiment: live.id,
        name: String::new(),
        state: ExperimentState::Active,
        baseline: live.first()[0].baseline.label.clone(),
        sizes: sizes(live.first()),
        tune: live.spec.clone(),
        games_played,
        games_left: 0,
        outstanding: trials - games_played / 2,
        imported: 2 * imported_results,
        given_up: 2 * live.given_up() as u64,
        recommendations: recommended(live, &model)?,
        results_seen: model.told() as u64,
        course: live.course(),
        course_is_complete: live.course_is_complete(),
        concentrations: model.concentrations(),
        ending: None,
        confirmations: Vec::new(),
    })
}

/// The rows as a part of the plan's newest revision.
fn part(tune: &LiveTune, state: &OpenTune, rows: &AskedTrials) -> PlanPart {
    let experiment = Experiment {
        name: String::new(),
        question: String::new(),
        weight: 1.0,
        policy: Policy::default(),
        file: None,
        tune: Some(tune.spec.clone()),
        cells: rows.cells.clone(),
    };
    PlanPart {
        id: tune.id,
        experiment: Arc::new(experiment),
        edition: Some(state.edition),
        revision: state.revision,
        is_control: false,
        changes: rows.changes.clone(),
    }
}
