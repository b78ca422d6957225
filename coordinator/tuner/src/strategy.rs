//! The interface of all strategies.

use crate::log::{Log, Proposal};
use crate::problem::Problem;
use crate::space::Coordinates;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

mod clop;
mod duel;
mod grid;
mod halving;
pub(crate) mod models;
mod random;
mod spsa;

/// A way to look for the best point.
///
/// A strategy has no state that it cannot compute again from the log: at any moment, a new one that reads the log asks for the
/// same. What it keeps between calls is a cache, and a log only grows between two calls.
pub(crate) trait Strategy: Send {
    /// The next proposal. Any number of trials may be without a result.
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal;

    /// The best place for each target, by the results of the log. The order in which the results came plays no role. Without
    /// a model, this is the place with the best observed rate.
    fn recommend(&self, problem: &Problem, log: &Log) -> Vec<Coordinates> {
        let tally = Tally::new(problem, log);
        problem.targets().iter().map(|target| tally.best(target).unwrap_or_else(|| problem.start())).collect()
    }
}

/// The names of the strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneStrategy"))]
pub enum StrategyName {
    /// A local quadratic model of games against the baseline.
    #[default]
    Clop,
    /// A local quadratic model of games between points.
    Duel,
    /// Games between points on either side of the current one.
    Spsa,
    /// Many random points, of which the best quarter goes to the next round.
    Halving,
    /// Evenly spaced points.
    Grid,
    /// Points drawn uniformly.
    Random,
}

impl StrategyName {
    /// All strategies.
    pub const ALL: [Self; 6] = [Self::Clop, Self::Duel, Self::Spsa, Self::Halving, Self::Grid, Self::Random];

    /// Whether its course depends on the number of games. Games of other experiments would replace its own.
    #[must_use]
    pub fn follows_a_schedule(self) -> bool {
        matches!(self, Self::Spsa | Self::Halving | Self::Grid)
    }

    /// Whether its points follow from results.
    #[must_use]
    pub fn learns(self) -> bool {
        !matches!(self, Self::Grid | Self::Random)
    }

    pub(crate) fn strategy(self) -> Box<dyn Strategy> {
        match self {
            Self::Clop => Box::new(clop::Clop::default()),
            Self::Duel => Box::new(duel::Duel::default()),
            Self::Spsa => Box::new(spsa::Spsa::default()),
            Self::Halving => Box::new(halving::Halving::default()),
            Self::Grid => Box::new(grid::Grid),
            Self::Random => Box::new(random::Random),
        }
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Clop => "clop",
            Self::Duel => "duel",
            Self::Spsa => "spsa",
            Self::Halving => "halving",
            Self::Grid => "grid",
            Self::Random => "random",
        })
    }
}

/// No strategy has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy `{0}`: give {names}", names = StrategyName::ALL.map(|name| name.to_string()).join(", "))]
pub struct UnknownStrategy(String);

impl FromStr for StrategyName {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        Self::ALL
            .into_iter()
            .find(|name| name.to_string() == text)
            .ok_or_else(|| UnknownStrategy(text.to_owned()))
    }
}
