//! Tunes in memory: the strategy of each with its log, as far as this process has read it.
//!
//! A tune in memory is a cache. All of it follows from the rows of the log and the results of their pairs.

mod kept_model;
mod recommended;
mod seen;

pub(crate) use kept_model::KeptModel;
pub(crate) use recommended::{recommended, with_words};

use crate::kept::Kept;
use crate::store::{Before, OpenTune, RowChange, StoreError, TrialOrigin, TrialRow, Tx};
use protocol::experiment::PlannedCell;
use protocol::ids::{CellId, ExperimentId};
use protocol::tune::{Tune, TuneStatus, sizes};
use seen::Seen;
use stats::PairCounts;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;
use tuner::{Opponent, Point, Proposal, Trial};

/// Trials without a result for each slot: one in play, and one that waits.
const PER_SLOT: i64 = 2;

/// Trials without a result at least, so that the first worker finds some.
const FEWEST_OUTSTANDING: i64 = 4;

/// The tunes that this process has read.
pub(crate) type Tunes = Kept<ExperimentId, Place>;

/// The place of a tune.
#[derive(Default)]
pub(crate) struct Place {
    /// The tune behind its lock; none before it was read.
    live: Arc<tokio::sync::Mutex<Option<LiveTune>>>,
    /// Whether somebody looks back at it.
    pub(crate) is_looked_at: AtomicBool,
    /// Whether its last step failed, which is logged once.
    pub(crate) is_failing: AtomicBool,
    /// What was told of it last.
    last: Mutex<Option<TuneStatus>>,
}

impl Place {
    /// The tune, when nobody else has it.
    pub(crate) async fn lock(&self) -> OwnedMutexGuard<Option<LiveTune>> {
        self.live.clone().lock_owned().await
    }

    /// What was told of the tune last.
    pub(crate) fn last(&self) -> Option<TuneStatus> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what is told of the tune.
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
    /// Who wanted each trial, and the cell of its pair.
    origins: Vec<(TrialOrigin, CellId)>,
    /// The trials without a result.
    waiting: BTreeSet<i64>,
    /// The pairs of all trials.
    pairs: HashSet<(CellId, i64)>,
    /// The places of cells among the rows of the experiment.
    positions: HashMap<CellId, i64>,
    next_position: i64,
    /// The number of the next pair of each cell that the log has.
    next_pairs: HashMap<CellId, i64>,
    /// Pairs of each cell that the experiment plans.
    planned: HashMap<CellId, i64>,
    uncounted: i64,
    /// The numbers of results at some moments of the last second, the oldest first.
    pace: VecDeque<(i64, i64)>,
    seen: Seen,
}

/// Trials that are to be stored, with the rows of the plan that they change.
pub(crate) struct Asked {
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
            origins: Vec::new(),
            waiting: BTreeSet::new(),
            pairs: HashSet::new(),
            positions: HashMap::new(),
            next_position: 0,
            next_pairs: HashMap::new(),
            planned: HashMap::new(),
            uncounted: state.uncounted,
            pace: VecDeque::new(),
            seen: Seen::default(),
        };
        live.read_trials(tx).await?;
        for (number, outcome) in tx.trial_results(state.id).await? {
            live.tell(number, outcome)?;
        }
        Ok(live)
    }

    /// Reads what is new in the log; the whole of it if `place` is empty or results were taken back.
    pub(crate) async fn catch_up<'l>(
        place: &'l mut Option<Self>,
        tx: &mut Tx,
        state: &OpenTune,
    ) -> Result<&'l mut Self, StoreError> {
        let spec = tx.tune(state.id).await?.ok_or(StoreError::Null("tune"))?;
        // Points that were asked for and not stored are played by nobody: the log is read anew, too. So it is after another
        // budget, by which strategies plan their course.
        let is_good = |live: &Self| {
            live.uncounted == state.uncounted
                && live.tune.log().asked() == live.origins.len()
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
        for trial in tx.trials_from(self.id, self.origins.len() as i64).await? {
            let proposal = trial.proposal.clone();
            self.tune.add(Trial { proposal, outcome: None }).map_err(StoreError::unreadable("tune_trial"))?;
            self.note(&trial);
        }
        Ok(())
    }

    fn tell(&mut self, number: i64, outcome: tuner::Outcome) -> Result<(), StoreError> {
        self.waiting.remove(&number);
        self.tune.tell(number as usize, outcome).map_err(StoreError::unreadable("tune_trial"))
    }

    /// Notes a trial that is in the log of the strategy and in the database.
    fn note(&mut self, trial: &TrialRow) {
        self.origins.push((trial.origin, trial.cell));
        self.waiting.insert(trial.number);
        self.pairs.insert((trial.cell, trial.idx));
        let next = self.next_pairs.entry(trial.cell).or_default();
        *next = (*next).max(trial.idx + 1);
        if trial.origin != TrialOrigin::Imported {
            let planned = self.planned.entry(trial.cell).or_default();
            *planned = (*planned).max(trial.idx + 1);
        }
    }

    /// How many trials may be without a result: what the slots play and have waiting, and where games are short, what they play in a
    /// second. A tenth of the results so far does not hurt, because strategies learn anew after as many.
    fn most_outstanding(&mut self, slots: i64, now_ms: i64) -> i64 {
        let told = self.tune.log().told() as i64;
        self.pace.push_back((now_ms, told));
        while self.pace.len() > 2 && self.pace[1].0 <= now_ms - 1_000 {
            self.pace.pop_front();
        }
        let a_second = told - self.pace[0].1;
        (PER_SLOT * slots).max(FEWEST_OUTSTANDING).max(a_second.min(told / 10))
    }

    /// The points to be played next, as many as the slots can use. At the end these are the recommended points, on every size.
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
    pub(crate) fn rows(&self, asked: Vec<(TrialOrigin, Proposal)>) -> Result<Asked, StoreError> {
        let mut rows = Asked { trials: Vec::new(), cells: Vec::new(), changes: Vec::new() };
        let mut next_pairs: HashMap<CellId, i64> = HashMap::new();
        let mut places: HashMap<CellId, usize> = HashMap::new();
        let mut next_position = self.next_position;
        for (number, (origin, proposal)) in (self.origins.len() as i64..).zip(asked) {
            let first = self.first.iter().find(|cell| cell.spec.size.get() == proposal.size);
            let first = first.ok_or_else(|| StoreError::unreadable("tune_trial.size")(proposal.size))?;
            let mut planned =
                self.spec.cell(first, &proposal).map_err(StoreError::unreadable("tune_trial.point"))?;
            let cell = planned.spec.id();
            let next = next_pairs
                .entry(cell)
                .or_insert_with(|| self.next_pairs.get(&cell).copied().unwrap_or_default());
            let idx = *next;
            *next += 1;
            planned.pairs = u32::try_from(*next).map_err(StoreError::unreadable("tune_trial.idx"))?;
            match places.get(&cell) {
                Some(place) => rows.cells[*place] = planned,
                None => {
                    places.insert(cell, rows.cells.len());
                    let (position, before) = match self.positions.get(&cell) {
                        Some(position) => {
                            (*position, Before::Planned(self.planned.get(&cell).copied().unwrap_or_default()))
                        }
                        None => {
                            next_position += 1;
                            (next_position - 1, Before::Absent)
                        }
                    };
                    rows.changes.push(RowChange { position, cell, before, after: Some(rows.cells.len()) });
                    rows.cells.push(planned);
                }
            }
            rows.trials.push(TrialRow { number, origin, proposal, cell, idx });
        }
        Ok(rows)
    }

    /// Notes trials of this process that were stored; those of the strategy are in its log.
    pub(crate) fn stored(&mut self, rows: &Asked) -> Result<(), StoreError> {
        for change in &rows.changes {
            self.positions.insert(change.cell, change.position);
            self.next_position = self.next_position.max(change.position + 1);
        }
        for trial in &rows.trials {
            if trial.number as usize == self.tune.log().asked() {
                let trial = Trial { proposal: trial.proposal.clone(), outcome: None };
                self.tune.add(trial).map_err(StoreError::unreadable("tune_trial"))?;
            }
            self.note(trial);
        }
        Ok(())
    }

    /// The points with which the tune ended, one for each target; none while the tune goes on.
    pub(crate) fn last_points(&self) -> Option<Vec<Point>> {
        let points = self.last_trials()?.iter().map(|trial| trial.proposal.point.clone());
        Some(points.take(self.tune.targets()).collect())
    }

    /// The trials of the recommended setting at the end of the tune.
    fn last_trials(&self) -> Option<&[Trial]> {
        // Games that were imported since then stand behind them.
        let end = self.origins.iter().rposition(|(origin, _)| *origin != TrialOrigin::Imported)? + 1;
        let is_final = |(origin, _): &&(TrialOrigin, CellId)| *origin == TrialOrigin::Final;
        let last = self.origins[..end].iter().rev().take_while(is_final).count();
        // Those of a smaller budget, which the tune had before, may stand directly before them.
        let last = last.min(self.spec.last_trials(&self.first).len());
        let trials = self.tune.log().trials();
        (last > 0 && self.own_trials() * 2 >= self.spec.games).then(|| &trials[end - last..end])
    }

    /// How many games are left of those that measure the setting with which the tune ends; none before they begin.
    pub(crate) fn last_games_left(&self) -> Option<u64> {
        let trials = self.last_trials()?;
        Some(2 * trials.iter().filter(|trial| trial.outcome.is_none()).count() as u64)
    }

    /// How often the setting with which the tune ended beat the baseline on each size. Those games had no part in choosing it.
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
        self.origins.iter().filter(|(origin, _)| *origin != TrialOrigin::Imported).count() as u64
    }

    /// The log of the strategy.
    pub(crate) fn log(&self) -> &tuner::Log {
        self.tune.log()
    }

    /// The pairs of all trials, by cell and number.
    pub(crate) fn pairs(&self) -> &HashSet<(CellId, i64)> {
        &self.pairs
    }

    /// How many of the tune's own trials have no result. Games of another experiment that were excluded may have none for ever, and
    /// the tune does not wait for them.
    pub(crate) fn outstanding(&self) -> usize {
        let is_own = |number: &&i64| self.origin(**number as usize) != TrialOrigin::Imported;
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

    /// Whether a trial's games are those of another experiment.
    pub(crate) fn origin(&self, number: usize) -> TrialOrigin {
        self.origins[number].0
    }
}
