//! What people change by hand. Every change is noted with the name of whoever made it.

mod audit;
mod disputes;
mod exclusion;
mod fleet;
mod games;
mod joining;
mod pages;
mod retention;
mod tokens;

pub use disputes::{Adjudication, Dispute};
pub use retention::{CopyError, copy};
