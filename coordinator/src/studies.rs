//! Studies in memory: the strategy of each with its log, as far as this process has read it.
//!
//! A study in memory is a cache: it follows from the rows of the log.

use crate::cache::Cache;
use crate::store::{Fate, StoreError, StudyPointRow, StudyRow, Tx};
use crate::tuning::{CachedModel, PointChoice, RecommendationHistory, given_up, played};
use protocol::ids::StudyId;
use protocol::study::{AskedPoint, Study, StudySummary, ToldResult, games_left};
use protocol::tune::{PastRecommendation, PlayedPoints};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use tuner::{Model, Opponent, Outcome, Trial};

/// The studies that this process has read, each behind a lock of its own; none before a study was read.
pub(crate) type Studies = Cache<StudyId, tokio::sync::Mutex<Option<LiveStudy>>>;

/// A study with its log.
pub(crate) struct LiveStudy {
    pub(crate) row: StudyRow,
    tune: tuner::Tune,
    /// The points that are stored, by number.
    points: Vec<StudyPointRow>,
    /// The numbers of those that were not given up: these are the log of the strategy, in this order.
    standing: Vec<usize>,
    /// The standing points without a result.
    waiting: BTreeSet<usize>,
    /// The first point and the number of points of each call that has a name.
    calls: HashMap<String, (usize, usize)>,
    model: CachedModel,
    course: RecommendationHistory,
    /// Whether a task computes its past recommendations.
    is_computing_past: bool,
}

impl LiveStudy {
    fn empty(row: &StudyRow) -> Result<Self, StoreError> {
        Ok(Self {
            tune: row.spec.begin().map_err(StoreError::unreadable("study.spec"))?,
            row: StudyRow { edition: -1, ..row.clone() },
            points: Vec::new(),
            standing: Vec::new(),
            waiting: BTreeSet::new(),
            calls: HashMap::new(),
            model: CachedModel::default(),
            course: RecommendationHistory::default(),
            is_computing_past: false,
        })
    }

    /// Reads what is new in the log; the whole of it if `place` is empty, or has points that were never stored.
    pub(crate) async fn catch_up<'l>(
        place: &'l mut Option<Self>,
        tx: &mut Tx,
        row: &StudyRow,
    ) -> Result<&'l mut Self, StoreError> {
        let is_good = |live: &Self| live.tune.log().asked() == live.standing.len();
        let mut live = match place.take().filter(is_good) {
            Some(live) => live,
            None => Self::empty(row)?,
        };
        if live.row.edition < row.edition {
            let mut news = tx.study_news(row.id, live.points.len() as i64, live.row.edition).await?;
            if news.iter().any(|point| live.contradicts(point)) {
                live = Self::empty(row)?;
                news = tx.study_news(row.id, 0, live.row.edition).await?;
            }
            news.into_iter().try_for_each(|point| live.read(point))?;
        }
        let edition = live.row.edition.max(row.edition);
        live.row = StudyRow { edition, ..row.clone() };
        Ok(place.insert(live))
    }

    /// Whether the known result of a point was withdrawn, or the point was given up or restored.
    fn contradicts(&self, new: &StudyPointRow) -> bool {
        self.points.get(new.number as usize).is_some_and(|known| {
            let has_games = known.outcome.is_some_and(|outcome| outcome.games() > 0.0);
            has_games && known.outcome != new.outcome || known.fate.given_up != new.fate.given_up
        })
    }

    fn read(&mut self, mut row: StudyPointRow) -> Result<(), StoreError> {
        let (number, outcome) = (row.number as usize, row.outcome.take());
        if number == self.points.len() {
            if row.fate.given_up.is_none() && self.standing.len() == self.tune.log().asked() {
                let trial = Trial { proposal: row.proposal.clone(), outcome: None };
                self.tune.add(trial).map_err(StoreError::unreadable("study_point"))?;
            }
            self.note(row);
        } else if let Some(known) = self.points.get_mut(number) {
            (known.fate, known.taken_back) = (row.fate, row.taken_back);
        }
        outcome.map_or(Ok(()), |outcome| self.tell(number, outcome))
    }

    /// Notes that the next point is stored.
    fn note(&mut self, row: StudyPointRow) {
        let number = self.points.len();
        if row.fate.given_up.is_none() {
            self.standing.push(number);
            self.waiting.insert(number);
        }
        if let Some(key) = &row.ask_key {
            self.calls.entry(key.clone()).or_insert((number, 0)).1 += 1;
        }
        self.points.push(row);
    }

    fn tell(&mut self, number: usize, outcome: Outcome) -> Result<(), StoreError> {
        self.waiting.remove(&number);
        self.points[number].outcome = Some(outcome);
        match self.standing.binary_search(&number) {
            Ok(place) if outcome.games() > 0.0 => {
                self.tune.tell(place, outcome).map_err(StoreError::unreadable("study_point"))
            }
            _ => Ok(()),
        }
    }

    /// The changes that follow from these results: points chosen by results that are now withdrawn are given up, and points whose
    /// results are told again are restored.
    pub(crate) fn settled(&self, new: &[ToldResult]) -> Vec<StudyPointRow> {
        let is_moved = |result: &ToldResult| {
            let point = &self.points[result.number as usize];
            point.taken_back.is_some() || result.failed && point.outcome.is_some()
        };
        if !new.iter().any(is_moved) {
            return Vec::new();
        }
        let mut points = self.points.clone();
        let now = points.len() as i64;
        for result in new {
            let point = &mut points[result.number as usize];
            let had = point.outcome.filter(|outcome| outcome.games() > 0.0);
            if result.failed && had.is_some() {
                // A point that was given up has influenced no choice since then.
                point.fate.reach = Some(point.fate.given_up.unwrap_or(now));
                point.taken_back = had;
            } else if point.taken_back == Some(result.outcome()) {
                (point.fate.reach, point.taken_back) = (None, None);
            }
        }
        let choice = if self.spec().strategy.learns() { PointChoice::Results } else { PointChoice::Free };
        let lost = given_up(&points.iter().map(|point| (choice, point.fate)).collect::<Vec<_>>());
        points.iter_mut().zip(lost).for_each(|(point, lost)| point.fate.given_up = lost);
        points.into_iter().zip(&self.points).filter(|(new, old)| new != *old).map(|(new, _)| new).collect()
    }

    /// The next points of the strategy. They belong to the study only after they are stored.
    pub(crate) fn ask(&mut self, count: usize, key: Option<&str>) -> Vec<StudyPointRow> {
        let point = |number: usize| StudyPointRow {
            number: number as i64,
            ask_key: key.map(str::to_owned),
            proposal: self.tune.ask().1,
            outcome: None,
            fate: Fate::default(),
            taken_back: None,
        };
        let first = self.points.len();
        let points = (first..first + count).map(point).collect();
        self.model.refresh(&self.tune, None);
        points
    }

    /// Notes that these points are stored, as the next edition.
    pub(crate) fn asked(&mut self, points: &[StudyPointRow]) {
        points.iter().for_each(|point| self.note(point.clone()));
        self.row.edition += 1;
    }

    /// The points of a call that has this name.
    pub(crate) fn call(&self, key: &str) -> Option<Vec<AskedPoint>> {
        let (first, count) = *self.calls.get(key)?;
        Some((first..first + count).filter_map(|number| self.point(number)).collect())
    }

    /// A point that was asked for.
    pub(crate) fn point(&self, number: usize) -> Option<AskedPoint> {
        let row = self.points.get(number)?;
        Some(AskedPoint {
            number: number as u64,
            point: row.proposal.point.clone(),
            opponent: match &row.proposal.opponent {
                Opponent::Baseline => None,
                Opponent::Point(point) => Some(point.clone()),
            },
            size: (!self.spec().sizes.is_empty()).then_some(row.proposal.size),
            outcome: row.outcome.filter(|outcome| outcome.games() > 0.0),
            failed: row.outcome.is_some_and(|outcome| outcome.games() == 0.0),
            given_up: row.fate.given_up.is_some(),
        })
    }

    /// What is tuned.
    pub(crate) fn spec(&self) -> &Study {
        &self.row.spec
    }

    /// The number of points that were asked for.
    pub(crate) fn points(&self) -> usize {
        self.points.len()
    }

    /// The points without a result from this one on.
    pub(crate) fn waiting_from(&self, number: usize) -> impl Iterator<Item = usize> {
        self.waiting.range(number..).copied()
    }

    /// The number of points without a result.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Games of all results, without those of points that were given up.
    pub(crate) fn games_told(&self) -> u64 {
        let told = self.tune.log().trials().iter().filter_map(|trial| trial.outcome);
        told.map(|outcome| outcome.games() as u64).sum()
    }

    /// Games of the budget that are neither told nor asked for.
    pub(crate) fn games_left(&self) -> u64 {
        games_left(self.spec().games, self.games_told(), self.waiting.len() as u64)
    }

    /// The model for an answer.
    pub(crate) fn model(&mut self) -> Arc<Model> {
        self.model.for_answer(&self.tune, None, self.games_left() > 0 || !self.waiting.is_empty())
    }

    /// The recommendations after some of the first points, as far as they were computed.
    pub(crate) fn course(&self) -> Vec<PastRecommendation> {
        self.course.told()
    }

    /// Whether all past recommendations are computed.
    pub(crate) fn course_is_complete(&self) -> bool {
        self.course.is_complete(self.tune.log())
    }

    /// Whether past recommendations are due and no task computes them. If so, the caller becomes that task.
    pub(crate) fn claim_past(&mut self) -> bool {
        !self.course_is_complete() && !std::mem::replace(&mut self.is_computing_past, true)
    }

    /// Computes one past recommendation that is due; gives whether there is another one.
    pub(crate) fn compute_past(&mut self) -> bool {
        self.course.compute_past(self.tune.log(), || self.row.spec.begin().ok());
        self.is_computing_past = !self.course_is_complete();
        self.is_computing_past
    }

    /// The points with results.
    pub(crate) fn played(&self) -> PlayedPoints {
        let trials = self.standing.iter().zip(self.tune.log().trials());
        let key = |trial: &Trial| serde_json::to_string(&trial.proposal).unwrap_or_default();
        played(trials.map(|(number, trial)| (key(trial), *number as u64, None, trial)))
    }

    /// The study in a list.
    pub(crate) fn summary(&self) -> StudySummary {
        let (asked, told) = (self.standing.len(), self.tune.log().told());
        let failed = asked - told - self.waiting.len();
        let counts = [asked, told, failed, self.games_told() as usize, self.points.len() - asked];
        summary(&self.row, counts.map(|count| count as u64))
    }
}

/// A study in a list, with the numbers of its standing points, of those with a result, of those that were given back, of their
/// games, and of points that were given up.
pub(crate) fn summary(row: &StudyRow, [asked, told, failed, games_told, given_up]: [u64; 5]) -> StudySummary {
    StudySummary {
        id: row.id,
        name: row.name.clone(),
        who: row.who.clone(),
        created_ms: row.created_ms,
        archived: row.archived_ms.is_some(),
        games_left: games_left(row.spec.games, games_told, asked - told - failed),
        study: row.spec.clone(),
        asked,
        told,
        failed,
        given_up,
        games_told,
    }
}
