//! What people are shown: experiments, workers, games, and why something does not move.

mod health;
mod report;
mod stall;
mod why;

pub(crate) use health::Health;
pub(crate) use report::*;
pub(crate) use stall::{FIRST_CALLS_MS, Standing};
pub(crate) use why::{Circumstances, why};
