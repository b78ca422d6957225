//! What people are shown: experiments, workers, games, and why something does not move.

mod analysis;
mod confidence;
mod control;
mod experiment;
mod games;
mod health;
mod history;
mod names;
mod overview;
mod plans;
mod prefix;
mod shares;
mod stall;
mod stopping;
mod swept;
mod warnings;
mod why;

pub(crate) use analysis::{Analyses, analysis};
pub(crate) use experiment::experiment;
pub(crate) use games::{chosen_play, game, games};
pub(crate) use health::Health;
pub(crate) use history::history;
pub(crate) use overview::{experiments, find, one, overview, workers};
pub(crate) use plans::Plans;
pub(crate) use prefix::{game_id, only};
pub(crate) use stall::{FIRST_CALLS_MS, Standing};
pub(crate) use why::{Circumstances, why};
