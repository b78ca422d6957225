//! Scheduling: the order of cells, the leases of pairs, and how leases end.

mod abandoned;
mod attention;
mod capabilities;
mod cost;
mod description;
mod ending;
mod fair;
mod grant;
mod lease_limits;
mod no_work;
mod overtaken;
mod queue;
mod renewal;

pub(crate) use attention::shares;
pub(crate) use capabilities::capabilities;
pub(crate) use cost::prior_us;
pub(crate) use description::{CellDescriptions, described, described_again};
pub(crate) use ending::{
    abandon_lease, abandon_recheck, fail_lease, lapse, may_continue, retry, return_all_leases, revive, shown,
};
pub(crate) use grant::{Grant, grant, grant_awaited, grant_suspended};
pub(crate) use lease_limits::{Overdue, Progress, is_newcomer, most_leases, most_leases_of_token, overdue};
pub(crate) use no_work::no_work;
pub(crate) use overtaken::{longest_held_ms, pairs_behind};
pub(crate) use queue::Queue;
pub(crate) use renewal::{is_too_new, recent_step, renew};
