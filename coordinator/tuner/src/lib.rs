//! Finds the best setting of parameters from games.
//!
//! A [`Tune`] asks for trials, receives results, and recommends a point. Trials may be outstanding in any number, and results may
//! come in any order. The [`Log`] of trials and results is the complete state: a tune that is rebuilt from the same log
//! recommends the same point.
//!
//! The crate does not depend on games, files, databases or networks. Begin with [`Tune`] and [`Space`].

mod features;
mod fit;
#[cfg(test)]
mod halton;
mod log;
mod model;
mod objective;
mod problem;
mod recommendation;
mod rng;
mod sampler;
mod space;
mod strategy;
mod tally;
mod tune;

pub mod simulation;

pub use log::{Log, Opponent, Outcome, Proposal, TellError, Trial};
pub use model::{Concentration, Model, Share, Shares, Surface, looks};
pub use objective::{Aim, Objective, ObjectiveError, SizeWeight};
pub use recommendation::{BestValue, Prediction, Rate, Recommendation, Response, Verdict};
pub use space::{Condition, Kind, Parameter, Point, Scale, Space, SpaceError, Value};
pub use strategy::{StrategyName, UnknownStrategy};
pub use tune::{ReplayError, Tune};
