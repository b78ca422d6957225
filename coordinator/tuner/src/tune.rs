//! A tune: asks for points, receives results, recommends.

use crate::log::{Log, Outcome, Proposal, TellError, Trial};
use crate::model::Model;
use crate::objective::Objective;
use crate::problem::Problem;
use crate::recommendation::Recommendation;
use crate::space::{Point, Space, SpaceError};
use crate::strategy::{Strategy, StrategyName};
use thiserror::Error;

/// A tune in progress.
pub struct Tune {
    problem: Problem,
    strategy: Box<dyn Strategy>,
    log: Log,
}

/// Why a stored log does not fit this tune.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReplayError {
    /// A point is outside the space.
    #[error("trial {number}: {error}")]
    Point {
        /// The trial.
        number: usize,
        /// The fault of its point.
        error: SpaceError,
    },
    /// A trial was played on a size that the objective lacks.
    #[error("trial {number} was played on size {size}, which is no size of the objective")]
    Size {
        /// The trial.
        number: usize,
        /// The size.
        size: u8,
    },
    /// A result is wrong.
    #[error(transparent)]
    Result(#[from] TellError),
}

impl Tune {
    /// A new tune. Its points depend on the seed, and on nothing else but the results.
    #[must_use]
    pub fn new(space: Space, objective: Objective, strategy: StrategyName, games: u64, seed: u64) -> Self {
        let problem = Problem { space, objective, games, seed };
        Self { problem, strategy: strategy.strategy(), log: Log::default() }
    }

    /// Adds a trial from outside, such as one of a stored log, and returns its number.
    ///
    /// # Errors
    /// When its points are outside the space, its size is none of the objective's, or its result is empty.
    pub fn add(&mut self, trial: Trial) -> Result<usize, ReplayError> {
        let number = self.log.asked();
        let size = trial.proposal.size;
        if self.problem.objective.place(size).is_none() {
            return Err(ReplayError::Size { number, size });
        }
        if trial.outcome.is_some_and(|outcome| outcome.games() == 0.0) {
            return Err(TellError::Empty { number }.into());
        }
        self.log
            .ask(&self.problem.space, trial.proposal)
            .map_err(|error| ReplayError::Point { number, error })?;
        if let Some(outcome) = trial.outcome {
            self.log.tell(number, outcome)?;
        }
        Ok(number)
    }

    /// The next trial: its number, and what is to be played.
    pub fn ask(&mut self) -> (usize, Proposal) {
        let proposal = self.strategy.ask(&self.problem, &self.log);
        let number = self.log.ask(&self.problem.space, proposal.clone());
        (number.expect("strategies propose points of the space"), proposal)
    }

    /// Tells the result of a trial, in any order.
    ///
    /// # Errors
    /// When there is no such trial, it has another result, or the result has no games.
    pub fn tell(&mut self, number: usize, outcome: Outcome) -> Result<(), TellError> {
        self.log.tell(number, outcome)
    }

    /// The best point for each target of the objective: one, or one for each size.
    #[must_use]
    pub fn best(&self) -> Vec<Point> {
        let places = self.strategy.recommend(&self.problem, &self.log);
        places.iter().map(|place| self.problem.space.point(place)).collect()
    }

    /// The best points with their uncertainty, one for each target of the objective.
    #[must_use]
    pub fn recommend(&self) -> Vec<Recommendation> {
        self.model().recommendations()
    }

    /// The model of the results, around the best points.
    #[must_use]
    pub fn model(&self) -> Model {
        Model::new(&self.problem, &self.log, self.strategy.recommend(&self.problem, &self.log))
    }

    /// The model of the results, around points that were chosen before, one for each target of the objective.
    ///
    /// # Errors
    /// When a point is outside the space.
    pub fn model_around(&self, points: &[Point]) -> Result<Model, SpaceError> {
        let places: Result<Vec<_>, _> = points.iter().map(|point| self.problem.space.place(point)).collect();
        Ok(Model::new(&self.problem, &self.log, places?))
    }

    /// Columns of the model times results: a fit takes some nanoseconds for each.
    #[must_use]
    pub fn cost_of_a_model(&self) -> usize {
        let parameters = self.problem.space.parameters().len();
        self.log.told() * (1 + parameters * (parameters + 3) / 2).pow(2) * self.targets()
    }

    /// The default size of the trial with this number.
    #[must_use]
    pub fn size_of(&self, number: usize) -> u8 {
        self.problem.objective.size_of(number)
    }

    /// The number of targets: one, or one for each size.
    #[must_use]
    pub fn targets(&self) -> usize {
        self.problem.targets().len()
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }
}
