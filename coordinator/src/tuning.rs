//! Tunes in memory: the strategy of each with its log, as far as this process has read it.
//!
//! A tune in memory is a cache: it follows from the rows of the log and the results of their pairs.

mod cached_model;
mod cached_results;
mod course;
mod given_up;
mod played;
mod recommended;
mod trials;

pub(crate) use cached_model::CachedModel;
pub(crate) use course::RecommendationHistory;
pub(crate) use given_up::{PointChoice, given_up};
pub(crate) use played::played;
pub(crate) use recommended::{recommended, with_words};

use crate::cache::Cache;
use crate::store::{OpenTune, PreviousRow, RowChange, StoreError, TrialOrigin, TrialRow, Tx};
use cached_results::CachedResults;
use protocol::experiment::PlannedCell;
use protocol::ids::{CellId, ExperimentId};
use protocol::tune::{Tune, TuneStatus, sizes};
use stats::PairCounts;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;
use trials::Trials;
use tuner::{Opponent, Point, Proposal, Trial};

/// Trials without a result for each slot: one in play, and one that waits.
const PER_SLOT: i64 = 2;

/// The fewest trials without a result, so that the first worker finds some.
const FEWEST_OUTSTANDING: i64 = 4;

/// The tunes that this process has read.
pub(crate) type Tunes = Cache<ExperimentId, TuneEntry>;

/// The cache entry of a tune.
#[derive(Default)]
pub(crate) struct TuneEntry {
    /// The tune; none before it was read.
    live: Arc<tokio::sync::Mutex<Option<LiveTune>>>,
    /// Whether a task computes its past recommendations.
    pub(crate) is_computing_past: AtomicBool,
    /// Whether its last step failed: a failure is logged once.
    pub(crate) is_failing: AtomicBool,
    last: Mutex<Option<TuneStatus>>,
}

impl TuneEntry {
    pub(crate) async fn lock(&self) -> OwnedMutexGuard<Option<LiveTune>> {
        self.live.clone().lock_owned().await
    }

    pub(crate) fn last(&self) -> Option<TuneStatus> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn keep(&self, told: &TuneStatus) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(told.clone());
    }
}

/// A tune with its log.
pub(crate) struct LiveTune {
    pub(crate) id: ExperimentId,
    pub(crate) spec: Tune,
    /// The cells where the tune began, one for each size.
    first: Vec<PlannedCell>,
    tune: tuner::Tune,
    trials: Trials,
    /// The standing trials without a result.
    waiting: BTreeSet<i64>,
    /// The positions of cells among the rows of the experiment.
    positions: HashMap<CellId, i64>,
    next_position: i64,
    uncounted: i64,
    settled: i64,
    /// The numbers of results at some moments of the last second, the oldest first.
    pace: VecDeque<(i64, i64)>,
    seen: CachedResults,
}

/// Trials that are to be stored, with the rows of the plan that they change.
pub(crate) struct AskedTrials {
    pub(crate) trials: Vec<TrialRow>,
    pub(crate) cells: Vec<PlannedCell>,
    pub(crate) changes: Vec<RowChange>,
}

impl LiveTune {
    /// Reads a tune with its whole log.
    async fn load(tx: &mut Tx, state: &OpenTune) -> Result<Self, StoreError> {
        let spec = tx.tune(state.id).await?.ok_or(StoreError::Null("tune"))?;
        let plan = tx.revision_plan(state.id, state.revision).await?;
        let first = plan.ok_or(StoreError::Null("experiment_revision.plan"))?.cells;
        let tune = spec.begin(sizes(&first)).map_err(StoreError::unreadable("tune.spec"))?;
        let mut live = Self {
            id: state.id,
            spec,
            first,
            tune,
            trials: Trials::default(),
            waiting: BTreeSet::new(),
            positions: HashMap::new(),
            next_position: 0,
            uncounted: state.uncounted,
            settled: state.settled,
            pace: VecDeque::new(),
            seen: CachedResults::default(),
        };
        live.read_trials(tx).await?;
        live.trials.take(&tx.taken_trials(state.id).await?, &tx.taken_beside_trials(state.id).await?);
        for (number, outcome) in tx.trial_results(state.id).await? {
            live.tell(number, outcome)?;
        }
        Ok(live)
    }

    /// Reads what is new in the log; all of it if `place` is empty or results were withdrawn.
    pub(crate) async fn catch_up<'l>(
        place: &'l mut Option<Self>,
        tx: &mut Tx,
        state: &OpenTune,
    ) -> Result<&'l mut Self, StoreError> {
        let spec = tx.tune(state.id).await?.ok_or(StoreError::Null("tune"))?;
        // The log is also read again if points were asked for and not stored, because they will not be played, and if the budget
        // has changed, because strategies plan by it.
        let is_good = |live: &Self| {
            (live.uncounted, live.settled) == (state.uncounted, state.settled)
                && live.tune.log().asked() == live.trials.standing().len()
                && live.spec.games == spec.games
        };
        let live = match place.take().filter(is_good) {
            None => Self::load(tx, state).await?,
            Some(mut live) => {
                live.spec = spec;
                live.read_trials(tx).await?;
                let waiting: Vec<i64> = live.waiting.iter().copied().collect();
                for (number, outcome) in tx.results_of_trials(state.id, &waiting).await? {
                    live.tell(number, outcome)?;
                }
                live
            }
        };
        Ok(place.insert(live))
    }

    async fn read_trials(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        for (position, cell) in tx.positions_from(self.id, self.next_position).await? {
            self.positions.insert(cell, position);
            self.next_position = position + 1;
        }
        for trial in tx.trials_from(self.id, self.trials.len() as i64).await? {
            if trial.fate.given_up.is_none() {
                let proposal = trial.proposal.clone();
                self.tune
                    .add(Trial { proposal, outcome: None })
                    .map_err(StoreError::unreadable("tune_trial"))?;
            }
            self.note(trial);
        }
        Ok(())
    }

    fn tell(&mut self, number: i64, outcome: tuner::Outcome) -> Result<(), StoreError> {
        self.waiting.remove(&number);
        let Some(place) = self.trials.place(number) else { return Ok(()) };
        self.tune.tell(place, outcome).map_err(StoreError::unreadable("tune_trial"))
    }

    /// Adds a trial of the database. A standing trial is in the log of the strategy.
    fn note(&mut self, trial: TrialRow) {
        if trial.fate.given_up.is_none() {
            self.waiting.insert(trial.number);
        }
        self.trials.push(trial);
    }

    /// The most trials without a result: those that the slots play or have waiting, and with short games those of a second of
    /// play. A tenth of the results so far does no harm, because strategies fit again only after as many.
    fn most_outstanding(&mut self, slots: i64, now_ms: i64) -> i64 {
        let told = self.tune.log().told() as i64;
        self.pace.push_back((now_ms, told));
        while self.pace.len() > 2 && self.pace[1].0 <= now_ms - 1_000 {
            self.pace.pop_front();
        }
        let a_second = told - self.pace[0].1;
        (PER_SLOT * slots).max(FEWEST_OUTSTANDING).max(a_second.min(told / 10))
    }

    /// The points to be played next, as many as the slots can use. The last ones are the recommended points, on every size.
    pub(crate) fn ask(&mut self, state: &OpenTune, slots: i64, now_ms: i64) -> Vec<(TrialOrigin, Proposal)> {
        let outstanding = self.outstanding() as i64 - state.pairs_aside;
        let left = state.games_unasked / 2;
        let sizes = self.spec.last_trials(&self.first);
        let last = sizes.len() as i64;
        if left > last && self.spec.strategy.is_some() {
            let wanted = self.most_outstanding(slots, now_ms) - outstanding;
            let ask = |_| (TrialOrigin::Strategy, self.tune.ask().1);
            (0..wanted.min(left - last)).map(ask).collect()
        } else if (1..=last).contains(&left) && outstanding <= 0 {
            let points = self.tune.best();
            let on = |place: usize| {
                let point = points.get(place).or(points.first())?.clone();
                let size = self.first[place].spec.size.get();
                Some((TrialOrigin::Final, Proposal { point, opponent: Opponent::Baseline, size }))
            };
            sizes.into_iter().filter_map(on).take(left as usize).collect()
        } else {
            Vec::new()
        }
    }

    /// The rows of these trials, and the changes of the plan.
    pub(crate) fn rows(&mut self, asked: Vec<(TrialOrigin, Proposal)>) -> Result<AskedTrials, StoreError> {
        let (mut new, mut cells) = (Vec::with_capacity(asked.len()), Vec::new());
        for (origin, proposal) in asked {
            let cell = self.planned_cell(&proposal)?.spec.id();
            let pair = (cell, self.trials.next_pair(cell));
            let trial = TrialRow::new(self.trials.len() as i64, origin, proposal, pair);
            self.trials.push(trial.clone());
            new.push(trial);
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        let rows = self.changed(new.clone(), &cells, &self.trials);
        // They belong to the tune only after they are stored.
        new.iter().for_each(|_| self.trials.pop());
        rows
    }

    fn planned_cell(&self, proposal: &Proposal) -> Result<PlannedCell, StoreError> {
        let first = self.first.iter().find(|cell| cell.spec.size.get() == proposal.size);
        let first = first.ok_or_else(|| StoreError::unreadable("tune_trial.size")(proposal.size))?;
        self.spec.cell(first, proposal).map_err(StoreError::unreadable("tune_trial.point"))
    }

    /// The changes of the plan that make it that of these trials, in some cells. `Tx::read_befores` adds the stored state of
    /// their rows.
    fn changed(
        &self,
        rows: Vec<TrialRow>,
        cells: &[CellId],
        trials: &Trials,
    ) -> Result<AskedTrials, StoreError> {
        let mut asked = AskedTrials { trials: rows, cells: Vec::new(), changes: Vec::new() };
        let mut next_position = self.next_position;
        for &cell in cells {
            let position = self.positions.get(&cell).copied().unwrap_or_else(|| {
                next_position += 1;
                next_position - 1
            });
            let mut after = None;
            if let Some(pairs) = trials.planned(cell) {
                let proposal = &trials.of(cell).ok_or(StoreError::Null("tune_trial"))?.proposal;
                let mut planned = self.planned_cell(proposal)?;
                planned.pairs = u32::try_from(pairs).map_err(StoreError::unreadable("tune_trial.idx"))?;
                after = Some(asked.cells.len());
                asked.cells.push(planned);
            }
            asked.changes.push(RowChange { position, cell, before: PreviousRow::Absent, after });
        }
        Ok(asked)
    }

    /// The changes after games were excluded or restored; none if the points were judged since then. `taken_out` has the number
    /// of excluded plays of each trial, `taken` the trials whose pairs are complete, held or set aside, and `beside` such pairs
    /// of their cells that have no trial.
    pub(crate) fn settled(
        &self,
        taken_out: &BTreeMap<i64, i64>,
        (taken, beside): (&[i64], &[(CellId, i64)]),
    ) -> Result<Option<AskedTrials>, StoreError> {
        if self.settled == self.uncounted {
            return Ok(None);
        }
        let last = self.spec.last_trials(&self.first).len();
        let most = ((self.spec.games / 2) as usize).saturating_sub(last);
        let mut after = self.trials.judged(self.spec.strategy, taken_out, most);
        after.take(taken, beside);
        let changed = (0..after.len()).filter(|number| after.row(*number) != self.trials.row(*number));
        let rows: Vec<TrialRow> = changed.map(|number| after.row(number).clone()).collect();
        let is_moved = |row: &&TrialRow| {
            row.fate.given_up.is_some() != self.trials.row(row.number as usize).fate.given_up.is_some()
        };
        let moved = rows.iter().filter(is_moved).map(|row| row.cell);
        let cells: BTreeSet<CellId> = moved.chain(after.shared()).collect();
        let cells: Vec<CellId> = cells.into_iter().filter(|cell| self.positions.contains_key(cell)).collect();
        self.changed(rows, &cells, &after).map(Some)
    }

    /// Notes trials of this process that were stored; those of the strategy are in its log.
    pub(crate) fn stored(&mut self, rows: &AskedTrials) -> Result<(), StoreError> {
        for change in &rows.changes {
            self.positions.insert(change.cell, change.position);
            self.next_position = self.next_position.max(change.position + 1);
        }
        for trial in &rows.trials {
            if self.trials.standing().len() == self.tune.log().asked() {
                let trial = Trial { proposal: trial.proposal.clone(), outcome: None };
                self.tune.add(trial).map_err(StoreError::unreadable("tune_trial"))?;
            }
            self.note(trial.clone());
        }
        Ok(())
    }

    /// The points with which the tune ended, one for each target; none while the tune is open.
    pub(crate) fn last_points(&self) -> Option<Vec<Point>> {
        let points = self.last_trials()?.iter().map(|trial| trial.proposal.point.clone());
        Some(points.take(self.tune.targets()).collect())
    }

    /// The trials of the recommended setting at the end of the tune.
    fn last_trials(&self) -> Option<&[Trial]> {
        // Games that were imported later come after them.
        let origins: Vec<TrialOrigin> = self.trials.log().map(|trial| trial.origin).collect();
        let end = origins.iter().rposition(|origin| *origin != TrialOrigin::Imported)? + 1;
        let last = origins[..end].iter().rev().take_while(|origin| **origin == TrialOrigin::Final).count();
        // The last trials of an earlier, smaller budget may come directly before them.
        let last = last.min(self.spec.last_trials(&self.first).len());
        let trials = self.tune.log().trials();
        (last > 0 && self.own_trials() * 2 >= self.spec.games).then(|| &trials[end - last..end])
    }

    /// The remaining games that measure the final setting; none before they begin.
    pub(crate) fn last_games_left(&self) -> Option<u64> {
        let trials = self.last_trials()?;
        Some(2 * trials.iter().filter(|trial| trial.outcome.is_none()).count() as u64)
    }

    /// The results of the final setting against the baseline on each size, in games that had no part in choosing it.
    pub(crate) fn measured(&self) -> Vec<(u8, PairCounts)> {
        let trials = self.last_trials().unwrap_or_default();
        let on = |cell: &PlannedCell| {
            let size = cell.spec.size.get();
            let mut counts = PairCounts::default();
            for outcome in
                trials.iter().filter(|trial| trial.proposal.size == size).filter_map(|one| one.outcome)
            {
                let points = |games: u32, points: u8| std::iter::repeat_n(points, games as usize);
                let mut points =
                    points(outcome.wins, 2).chain(points(outcome.draws, 1)).chain(points(outcome.losses, 0));
                if let (Some(first), Some(second)) = (points.next(), points.next()) {
                    counts.add(PairCounts::category(first, second));
                }
            }
            (size, counts)
        };
        self.first.iter().map(on).filter(|(_, counts)| counts.pairs() > 0).collect()
    }

    /// Trials that count towards the budget.
    pub(crate) fn own_trials(&self) -> u64 {
        self.trials.log().filter(|trial| trial.origin != TrialOrigin::Imported).count() as u64
    }

    /// The log of the strategy.
    pub(crate) fn log(&self) -> &tuner::Log {
        self.tune.log()
    }

    /// The pairs of all standing trials, by cell and number.
    pub(crate) fn pairs(&self) -> &HashSet<(CellId, i64)> {
        self.trials.pairs()
    }

    /// The number of trials, including those that were given up.
    pub(crate) fn trials(&self) -> usize {
        self.trials.len()
    }

    /// A trial by its number, with its result if it is part of the log.
    pub(crate) fn trial(&self, number: usize) -> (&TrialRow, Option<tuner::Outcome>) {
        let row = self.trials.row(number);
        (row, self.trials.place(row.number).and_then(|place| self.tune.log().trials()[place].outcome))
    }

    /// The trials that were given up.
    pub(crate) fn given_up(&self) -> usize {
        self.trials.len() - self.trials.standing().len()
    }

    /// How many of the tune's own trials have no result. The tune does not wait for excluded games of another experiment, which
    /// may never be replaced.
    pub(crate) fn outstanding(&self) -> usize {
        let is_own = |number: &&i64| self.trials.row(**number as usize).origin != TrialOrigin::Imported;
        self.waiting.iter().filter(is_own).count()
    }

    /// The size that a trial of this number is played on, by the weights of the sizes.
    pub(crate) fn size_of(&self, number: usize) -> u8 {
        self.tune.size_of(number)
    }

    /// The cells where the tune began.
    pub(crate) fn first(&self) -> &[PlannedCell] {
        &self.first
    }

    /// The origin of each trial of the log.
    pub(crate) fn origins(&self) -> impl Iterator<Item = TrialOrigin> {
        self.trials.log().map(|trial| trial.origin)
    }
}
