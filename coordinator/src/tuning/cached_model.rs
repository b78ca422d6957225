//! A cached model, because fitting takes long.

use std::sync::Arc;
use tuner::{Model, Point, Tune};

/// A model of at most this [cost](Tune::cost_of_a_model) is fitted again for each answer: it takes some milliseconds.
const CHEAP: usize = 2_000_000;

/// Other models are fitted again in the background, when the results have grown by a twentieth.
const NEWS: usize = 20;

/// The model that was fitted last.
#[derive(Default)]
pub(crate) struct CachedModel {
    model: Option<Arc<Model>>,
    /// Whether it is around the points with which the tune ended.
    is_around_last: bool,
}

impl CachedModel {
    /// The model for an answer: that of all results, or if the fit takes long and more results are expected, an older one.
    pub(crate) fn for_answer(
        &mut self,
        tune: &Tune,
        last: Option<&[Point]>,
        more_will_come: bool,
    ) -> Arc<Model> {
        let may_be_old = more_will_come && tune.cost_of_a_model() > CHEAP;
        self.with(tune, last, if may_be_old { usize::MAX } else { 0 })
    }

    /// Fits the model again when it is much older than the log, so that no answer has to.
    pub(crate) fn refresh(&mut self, tune: &Tune, last: Option<&[Point]>) {
        if tune.cost_of_a_model() > CHEAP {
            self.with(tune, last, tune.log().told() / NEWS);
        }
    }

    /// A model that lacks at most `lacks` results.
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
