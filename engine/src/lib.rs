//! Havannah, a Monte-Carlo tree search that plays it, and solvers.
//!
//! The library reads no file, no environment variable and no global random state. Searches read one clock, the CPU time
//! of their thread. Profiles also read the processor's tick counter. With a budget in simulations, the same
//! [`selfplay::GameSpec`] gives the same [`selfplay::GameRecord`] on every machine, bit for bit, except for the CPU
//! times in it.
//!
//! Begin with [`havannah::Board`], the rules; [`search::Search`], whose module lists its files; and [`selfplay::play`], a
//! game of two players. [`havannah::Params`] is a player, and CONTRIBUTING.md adds tunables, heuristics and policies to it
//! by examples.

pub mod bench;
pub mod cpu;
pub mod gtp;
pub mod havannah;
mod huge_pages;
pub mod numbers;
pub mod params;
pub mod rng;
pub mod search;
pub mod selfplay;
pub mod sgf;
pub mod side;
pub mod solver;
pub mod solvers;
pub mod spelling;

/// Version of the engine's behaviour. Every change after which the same specification gives another game increases this
/// number. The results of a new version start new cells.
pub const SEMANTICS: u32 = 6;
