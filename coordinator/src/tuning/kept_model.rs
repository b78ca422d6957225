//! A model that is kept, because it takes long to make.

use std::sync::Arc;
use tuner::{Model, Point, Tune};

/// A model of at most this [cost](Tune::cost_of_a_model) is made anew for each answer: it takes some milliseconds.
const CHEAP: usize = 2_000_000;

/// Other models are made anew beside the games, when there is a twentieth more results.
const NEWS: usize = 20;

/// The model that was made last.
#[derive(Default)]
pub(crate) struct KeptModel {
    model: Option<Arc<Model>>,
    /// Whether it is around the points with which the tune ended.
    is_around_last: bool,
}

impl KeptModel {
    /// The model for an answer: that of all results, or where this takes long and more results will come, an older one.
    pub(crate) fn for_answer(
        &mut self,
        tune: &Tune,
        last: Option<&[Point]>,
        more_will_come: bool,
    ) -> Arc<Model> {
        let may_be_old = more_will_come && tune.cost_of_a_model() > CHEAP;
        self.with(tune, last, if may_be_old { usize::MAX } else { 0 })
    }

    /// Makes the model anew when it is much older than the log, so that no answer has to.
    pub(crate) fn refresh(&mut self, tune: &Tune, last: Option<&[Point]>) {
        if tune.cost_of_a_model() > CHEAP {
            self.with(tune, last, tune.log().told() / NEWS);
        }
    }

    /// A model that lacks at most so many results.
    fn with(&mut self, tune: &Tune, last: Option<&[Point]>, lacks: usize) -> Arc<Model> {
        let told = tune.log().told();
        let is_good =
            |model: &&Arc<Model>| self.is_around_last == last.is_some() && told - model.told() <= lacks;
        if let Some(model) = self.model.as_ref().filter(is_good) {
            return model.clone();
        }
        let around = last.and_then(|points| tune.model_around(points).ok());
        let model = Arc::new(around.unwrap_or_else(|| tune.model()));
        (self.model, self.is_around_last) = (Some(model.clone()), last.is_some());
        model
    }
}
