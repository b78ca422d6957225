//! Cached results of a tune's log: the model and the past recommendations.

use super::{CachedModel, LiveTune, RecommendationHistory, played};
use protocol::tune::{PastRecommendation, PlayedPoints, sizes};
use std::sync::Arc;
use tuner::Model;

/// The cached results.
#[derive(Default)]
pub(super) struct CachedResults {
    model: CachedModel,
    course: RecommendationHistory,
}

impl LiveTune {
    /// The model for an answer.
    pub(crate) fn model(&mut self) -> Arc<Model> {
        let (last, more_will_come) = (self.last_points(), self.outstanding() > 0);
        self.seen.model.for_answer(&self.tune, last.as_deref(), more_will_come)
    }

    /// Fits the model again when it is much older than the log, so that no answer has to.
    pub(crate) fn refresh_model(&mut self) {
        let last = self.last_points();
        self.seen.model.refresh(&self.tune, last.as_deref());
    }

    /// The recommendations after some of the first trials, as far as they were computed.
    pub(crate) fn course(&self) -> Vec<PastRecommendation> {
        self.seen.course.told()
    }

    /// Whether all past recommendations are computed.
    pub(crate) fn course_is_complete(&self) -> bool {
        self.seen.course.is_complete(self.tune.log())
    }

    /// Computes one past recommendation that is due.
    pub(crate) fn compute_past(&mut self) {
        let begin = || self.spec.begin(sizes(&self.first)).ok();
        self.seen.course.compute_past(self.tune.log(), begin);
    }

    /// The points that were played, with their results.
    pub(crate) fn played(&self) -> PlayedPoints {
        let trials = self.trials.log().zip(self.tune.log().trials());
        played(trials.map(|(row, trial)| (row.cell, row.number.unsigned_abs(), Some(row.cell), trial)))
    }
}
