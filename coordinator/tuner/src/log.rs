//! The log of a tune: the points that were asked for, and the results that were told.
//!
//! The log is the complete state of a tune. Strategies keep only values that they can compute again from it.

use crate::space::{Coordinates, Point, Space, SpaceError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The opponent of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneOpponent"))]
#[serde(rename_all = "snake_case")]
pub enum Opponent {
    /// The baseline of the tune, which need not be a point of the space.
    Baseline,
    /// Another point.
    Point(Point),
}

/// A proposal of a strategy: a pair of games with swapped colours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneProposal"))]
pub struct Proposal {
    /// The point.
    pub point: Point,
    /// Its opponent.
    pub opponent: Opponent,
    /// The board size.
    pub size: u8,
}

/// The result of a trial for its point. The games of a trial are one observation: they need not be independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneOutcome"))]
pub struct Outcome {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Outcome {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) + f64::from(self.losses)
    }

    /// The point's score per game, from 0 to 1; a half without games.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let games = self.games();
        if games == 0.0 { 0.5 } else { (f64::from(self.wins) + f64::from(self.draws) / 2.0) / games }
    }
}

/// A proposal, and its result once it is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneTrial"))]
pub struct Trial {
    /// What is played.
    pub proposal: Proposal,
    /// Its result.
    pub outcome: Option<Outcome>,
}

/// Why a result is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TellError {
    /// The trial was never asked for.
    #[error("there is no trial {number}; {trials} trials were asked for, from number 0 on")]
    Unknown {
        /// The trial.
        number: usize,
        /// The number of trials.
        trials: usize,
    },
    /// The trial has another result.
    #[error("trial {number} has another result: {} wins, {} draws, {} losses", told.wins, told.draws, told.losses)]
    Told {
        /// The trial.
        number: usize,
        /// The first result.
        told: Outcome,
    },
    /// The result has no games.
    #[error("the result of trial {number} has no games")]
    Empty {
        /// The trial.
        number: usize,
    },
}

/// The trials of a tune, in the order in which they were asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    trials: Vec<Trial>,
    /// The coordinates of each trial's point and of its opponent.
    places: Vec<(Coordinates, Option<Coordinates>)>,
    told: usize,
}

impl Log {
    /// Adds a trial, and returns its number.
    ///
    /// # Errors
    /// When the proposal has no point of the space.
    pub fn ask(&mut self, space: &Space, proposal: Proposal) -> Result<usize, SpaceError> {
        let opponent = match &proposal.opponent {
            Opponent::Baseline => None,
            Opponent::Point(point) => Some(space.place(point)?),
        };
        self.places.push((space.place(&proposal.point)?, opponent));
        self.trials.push(Trial { proposal, outcome: None });
        Ok(self.trials.len() - 1)
    }

    /// Tells the result of a trial. The same result may be told again.
    ///
    /// # Errors
    /// When there is no such trial, or the trial has another result.
    pub fn tell(&mut self, number: usize, outcome: Outcome) -> Result<(), TellError> {
        let trials = self.trials.len();
        let trial = self.trials.get_mut(number).ok_or(TellError::Unknown { number, trials })?;
        if outcome.games() == 0.0 {
            return Err(TellError::Empty { number });
        }
        match trial.outcome {
            Some(told) if told != outcome => Err(TellError::Told { number, told }),
            Some(_) => Ok(()),
            None => {
                trial.outcome = Some(outcome);
                self.told += 1;
                Ok(())
            }
        }
    }

    /// All trials.
    #[must_use]
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// How many trials were asked for.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.trials.len()
    }

    /// How many results were told.
    #[must_use]
    pub fn told(&self) -> usize {
        self.told
    }

    /// The pairs of games of the first trial that has a result; one before there is any. A study's trials may have any number of
    /// games.
    pub(crate) fn pairs_per_trial(&self) -> f64 {
        let first = self.trials.iter().find_map(|trial| trial.outcome);
        first.map_or(1.0, |outcome| outcome.games() / 2.0)
    }

    /// The number of trials that have so many pairs together, at least one.
    pub(crate) fn trials_of(&self, pairs: usize) -> usize {
        ((pairs as f64 / self.pairs_per_trial()).ceil() as usize).max(1)
    }

    /// The results that a strategy learns from, if it learns again whenever the results have grown by one in `one_in` plus one.
    /// They are the first ones in the order of the trials, so they follow from the log, regardless of the order in which the
    /// results came and of the times of calls.
    pub(crate) fn learnt(&self, one_in: usize) -> LogPrefix {
        let more = |results: &usize| Some(results + 1 + results / one_in);
        let moments = std::iter::successors(Some(0), more);
        let results = moments.take_while(|results| *results <= self.told).last().unwrap_or(0);
        let mut told = (0..self.trials.len()).filter(|number| self.trials[*number].outcome.is_some());
        let last = results.checked_sub(1).and_then(|before| told.nth(before));
        LogPrefix { results, trials: last.map_or(0, |number| number + 1) }
    }

    /// The log without the trials after these results.
    pub(crate) fn first(&self, learnt: LogPrefix) -> Self {
        Self {
            trials: self.trials[..learnt.trials].to_vec(),
            places: self.places[..learnt.trials].to_vec(),
            told: learnt.results,
        }
    }

    /// The trials with results, in the order in which they were asked for, whatever the order of the results.
    pub(crate) fn results(&self) -> impl Iterator<Item = ObservedTrial<'_>> {
        (0..self.trials.len()).filter_map(|number| self.observed(number))
    }

    /// A trial with its result; none without one.
    pub(crate) fn observed(&self, number: usize) -> Option<ObservedTrial<'_>> {
        let (trial, (place, opponent)) = (&self.trials[number], &self.places[number]);
        let (size, outcome) = (trial.proposal.size, trial.outcome?);
        Some(ObservedTrial { place, opponent: opponent.as_deref(), size, outcome })
    }
}

/// The first results of a log. While a log grows, it has the same first results as long as these two numbers are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LogPrefix {
    /// The number of results.
    results: usize,
    /// The number of trials up to the last of them.
    trials: usize,
}

/// A trial with a result, in coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObservedTrial<'a> {
    pub(crate) place: &'a [f64],
    /// None for the baseline.
    pub(crate) opponent: Option<&'a [f64]>,
    pub(crate) size: u8,
    pub(crate) outcome: Outcome,
}
