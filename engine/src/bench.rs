//! Measuring the search: how fast it is, on what, how its playouts end, and whether it is still the same search.

mod ends;
mod profile;
mod signature;
mod speed;

pub use ends::{PlayoutEnds, playout_ends, random_ends};
pub use profile::{Profile, profile};
pub use signature::{signature, variants};
pub use speed::{Measurement, Rollouts, from_empty, rollouts, search};
