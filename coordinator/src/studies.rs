//! Studies in memory: the strategy of each with its log, as far as this process has read it.
//!
//! A study in memory is a cache. All of it follows from the rows of the log.

use crate::kept::Kept;
use crate::store::{StoreError, StudyPointRow, StudyRow, Tx};
use crate::tuning::KeptModel;
use protocol::ids::StudyId;
use protocol::study::{AskedPoint, Study, StudySummary, games_left};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use tuner::{Model, Opponent, Outcome, Trial};

/// The studies that this process has read, each behind a lock of its own; none before a study was read.
pub(crate) type Studies = Kept<StudyId, tokio::sync::Mutex<Option<LiveStudy>>>;

/// A study with its log.
pub(crate) struct LiveStudy {
    pub(crate) row: StudyRow,
    tune: tuner::Tune,
    /// Points of the log that are stored.
    stored: usize,
    /// The points without a result.
    waiting: BTreeSet<usize>,
    /// The points that were given back.
    failed: BTreeSet<usize>,
    games_told: u64,
    /// The first point and the number of points of each call that has a name.
    calls: HashMap<String, (usize, usize)>,
    model: KeptModel,
}

impl LiveStudy {
    fn empty(row: &StudyRow) -> Result<Self, StoreError> {
        Ok(Self {
            tune: row.spec.begin().map_err(StoreError::unreadable("study.spec"))?,
            row: StudyRow { edition: -1, ..row.clone() },
            stored: 0,
            waiting: BTreeSet::new(),
            failed: BTreeSet::new(),
            games_told: 0,
            calls: HashMap::new(),
            model: KeptModel::default(),
        })
    }

    /// Reads what is new in the log; the whole of it if `place` is empty, or has points that were never stored.
    pub(crate) async fn catch_up<'l>(
        place: &'l mut Option<Self>,
        tx: &mut Tx,
        row: &StudyRow,
    ) -> Result<&'l mut Self, StoreError> {
        let is_good = |live: &Self| live.tune.log().asked() == live.stored;
        let mut live = match place.take().filter(is_good) {
            Some(live) => live,
            None => Self::empty(row)?,
        };
        if live.row.edition < row.edition {
            let mut news = tx.study_news(row.id, live.stored as i64, live.row.edition).await?;
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

    /// Whether the result that is known of a point was taken back.
    fn contradicts(&self, row: &StudyPointRow) -> bool {
        let known = self.outcome(row.number as usize);
        known.is_some() && known != row.outcome
    }

    fn outcome(&self, number: usize) -> Option<Outcome> {
        self.tune.log().trials().get(number)?.outcome
    }

    fn read(&mut self, row: StudyPointRow) -> Result<(), StoreError> {
        let number = row.number as usize;
        if number == self.tune.log().asked() {
            let trial = Trial { proposal: row.proposal, outcome: None };
            self.tune.add(trial).map_err(StoreError::unreadable("study_point"))?;
        }
        if number == self.stored {
            self.note(row.ask_key.as_deref());
        }
        match row.outcome {
            Some(outcome) => self.tell(number, outcome),
            None => Ok(()),
        }
    }

    /// Notes that the next point is stored.
    fn note(&mut self, ask_key: Option<&str>) {
        self.waiting.insert(self.stored);
        if let Some(key) = ask_key {
            self.calls.entry(key.to_owned()).or_insert((self.stored, 0)).1 += 1;
        }
        self.stored += 1;
    }

    fn tell(&mut self, number: usize, outcome: Outcome) -> Result<(), StoreError> {
        self.waiting.remove(&number);
        if outcome.games() == 0.0 {
            self.failed.insert(number);
            return Ok(());
        }
        self.failed.remove(&number);
        if self.outcome(number).is_none() {
            self.games_told += outcome.games() as u64;
        }
        self.tune.tell(number, outcome).map_err(StoreError::unreadable("study_point"))
    }

    /// The next points of the strategy. They are none of the study until they are stored.
    pub(crate) fn ask(&mut self, count: usize, key: Option<&str>) -> Vec<StudyPointRow> {
        let point = |_| {
            let (number, proposal) = self.tune.ask();
            StudyPointRow { number: number as i64, ask_key: key.map(str::to_owned), proposal, outcome: None }
        };
        let points = (0..count).map(point).collect();
        self.model.refresh(&self.tune, None);
        points
    }

    /// Notes that these points are stored, as the next edition.
    pub(crate) fn asked(&mut self, points: &[StudyPointRow]) {
        points.iter().for_each(|point| self.note(point.ask_key.as_deref()));
        self.row.edition += 1;
    }

    /// The points of a call that has this name.
    pub(crate) fn call(&self, key: &str) -> Option<Vec<AskedPoint>> {
        let (first, count) = *self.calls.get(key)?;
        Some((first..first + count).filter_map(|number| self.point(number)).collect())
    }

    /// A point that was asked for.
    pub(crate) fn point(&self, number: usize) -> Option<AskedPoint> {
        let trial = self.tune.log().trials().get(number)?;
        Some(AskedPoint {
            number: number as u64,
            point: trial.proposal.point.clone(),
            opponent: match &trial.proposal.opponent {
                Opponent::Baseline => None,
                Opponent::Point(point) => Some(point.clone()),
            },
            size: (!self.spec().sizes.is_empty()).then_some(trial.proposal.size),
            outcome: trial.outcome,
            failed: self.failed.contains(&number),
        })
    }

    /// What is tuned.
    pub(crate) fn spec(&self) -> &Study {
        &self.row.spec
    }

    /// The number of points that were asked for.
    pub(crate) fn points(&self) -> usize {
        self.stored
    }

    /// The points without a result from this one on.
    pub(crate) fn waiting_from(&self, number: usize) -> impl Iterator<Item = usize> {
        self.waiting.range(number..).copied()
    }

    /// How many points have no result.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Games of all results.
    pub(crate) fn games_told(&self) -> u64 {
        self.games_told
    }

    /// Games of the budget that are neither told nor asked for.
    pub(crate) fn games_left(&self) -> u64 {
        games_left(self.spec().games, self.games_told, self.waiting.len() as u64)
    }

    /// The model for an answer.
    pub(crate) fn model(&mut self) -> Arc<Model> {
        self.model.for_answer(&self.tune, None, self.games_left() > 0 || !self.waiting.is_empty())
    }

    /// The study in a list.
    pub(crate) fn summary(&self) -> StudySummary {
        let failed = self.failed.len();
        let told = self.stored - self.waiting.len() - failed;
        summary(&self.row, [self.stored as u64, told as u64, failed as u64, self.games_told])
    }
}

/// A study in a list, with the numbers of its points, of those with a result, of those that were given back, and of games.
pub(crate) fn summary(row: &StudyRow, [asked, told, failed, games_told]: [u64; 4]) -> StudySummary {
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
        games_told,
    }
}
