//! Havannah and the Monte-Carlo tree search that plays it.
//!
//! The library reads no file, environment variable or global random state. Searches read one clock, the CPU time of their
//! thread; profiles also read the processor's tick counter. With a budget in simulations the same [`selfplay::GameSpec`] gives the same
//! [`selfplay::GameRecord`], bit for bit, on every machine.

pub mod bench;
pub mod cpu;
pub mod gtp;
pub mod havannah;
pub mod params;
pub mod rng;
pub mod search;
pub mod selfplay;
pub mod sgf;
pub mod side;
pub mod solver;
pub mod spelling;

/// Number of the engine's meaning. Whenever the same specification gives another game it goes up, and results start
/// new cells.
pub const SEMANTICS: u32 = 6;
