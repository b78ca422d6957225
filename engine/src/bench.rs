//! Measurements of the search: its speed, how its time divides among its phases, what its tree costs between moves, how its
//! playouts end, and a signature of its results.

mod ends;
mod keeping;
mod profile;
mod signature;
mod speed;

pub use ends::{PlayoutEnds, playout_ends, random_ends};
pub use keeping::{Keeping, keeping};
pub use profile::{Profile, profile};
pub use signature::{players, signature, variants};
pub use speed::{Measurement, Rollouts, from_empty, rollouts, search};
