//! What people change by hand. Every change is noted with the name of whoever made it.

mod disputes;
mod exclusion;
mod operate;
mod retention;
mod tokens;

pub use disputes::{Adjudication, Dispute};
pub use retention::{CopyError, copy};
