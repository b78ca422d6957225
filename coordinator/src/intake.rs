//! Calls of workers: the games that they deliver, and the leases that they hold.

mod answer;
mod call;
mod call_stage;
mod group;
mod identity;
mod judge;
mod plausible;
mod reconcile;
mod rejection;
mod results;

pub(crate) use call::{JudgedGame, JudgedSync, Recheck, SyncRefusal};
pub(crate) use group::sync;
pub(crate) use identity::bound_elsewhere;
pub(crate) use judge::judge;
pub(crate) use plausible::is_believed;
pub(crate) use results::log_counted;
