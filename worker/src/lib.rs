//! Plays for a coordinator: measures its machine, leases pairs of games, plays them on all its cores, keeps
//! each finished game on disk until the coordinator has committed it, and reports.
//!
//! The worker needs the coordinator's address, a token and one directory. It keeps nothing else, compiles
//! nothing, and may be killed at any moment: a lost worker costs at most the games it was playing.

mod address;
mod backoff;
pub mod calibrate;
mod checkpoint;
pub mod client;
mod drift;
pub mod join;
mod ledger;
pub mod memory;
mod placement;
mod quiet;
mod reserve;
mod run;
mod sealed;
pub mod selftest;
mod session;
#[cfg(test)]
mod simulation;
mod slot;
mod speed;
mod spool;
mod start;
mod state;

pub use address::{Address, NoAddress};
pub use placement::{NoPinning, Pinning, PlacementError};
pub use quiet::{NoHours, QuietHours};
pub use run::{Config, Stop, WorkerError, Working, run, run_against, run_in};
pub use state::{StateDir, StateError};
