//! What was computed from the log of a tune and is kept: the model, and looks back at what was recommended.

use super::{Course, KeptModel, LiveTune, played};
use protocol::tune::{PastRecommendation, PlayedPoints, sizes};
use std::sync::Arc;
use tuner::Model;

/// What was computed.
#[derive(Default)]
pub(super) struct Seen {
    model: KeptModel,
    course: Course,
}

impl LiveTune {
    /// The model for an answer.
    pub(crate) fn model(&mut self) -> Arc<Model> {
        let (last, more_will_come) = (self.last_points(), self.outstanding() > 0);
        self.seen.model.for_answer(&self.tune, last.as_deref(), more_will_come)
    }

    /// Makes the model anew when it is much older than the log, so that no answer has to.
    pub(crate) fn refresh_model(&mut self) {
        let last = self.last_points();
        self.seen.model.refresh(&self.tune, last.as_deref());
    }

    /// What would have been recommended after some of the first trials, as far as somebody has looked.
    pub(crate) fn course(&self) -> Vec<PastRecommendation> {
        self.seen.course.told()
    }

    /// Whether no look back is due.
    pub(crate) fn course_is_complete(&self) -> bool {
        self.seen.course.is_complete(self.tune.log())
    }

    /// Makes one look back that is due.
    pub(crate) fn look_back(&mut self) {
        let begin = || self.spec.begin(sizes(&self.first)).ok();
        self.seen.course.look_back(self.tune.log(), begin);
    }

    /// The points that were played, with their results.
    pub(crate) fn played(&self) -> PlayedPoints {
        let trials = self.trials.log().zip(self.tune.log().trials());
        played(trials.map(|(row, trial)| (row.cell, row.number.unsigned_abs(), Some(row.cell), trial)))
    }
}
