//! The worker: it plays games for a coordinator.
//!
//! It measures the speed of its machine, leases pairs of games, plays them on all cores, and reports. It keeps each
//! finished game on disk until the coordinator has committed the game.
//!
//! A worker needs the coordinator's address, a token and one directory; it writes nowhere else. It may be killed at any
//! moment: a lost worker costs at most the games it was playing.
//!
//! Begin with [`run()`].

mod address;
mod affinity;
mod backoff;
pub mod calibrate;
mod certificate;
mod checkpoint;
mod checksummed;
pub mod client;
mod config;
mod credentials;
mod drift;
mod in_flight;
pub mod join;
mod log_tail;
pub mod memory;
mod prefetch;
mod quiet_hours;
mod run;
pub mod selftest;
mod session;
mod slot;
mod speed;
mod spool;
mod start;
mod state;
mod stop;
#[cfg(test)]
mod tests;

pub use address::{Address, DEFAULT_PORT, NoAddress};
pub use affinity::{AffinityError, Pinning, PinningError};
pub use certificate::distrust;
pub use config::Config;
pub use log_tail::LogTail;
pub use quiet_hours::{NoHours, QuietHours};
pub use run::{Working, run, run_against, run_in};
pub use state::{StateDir, StateError};
pub use stop::{Stop, WorkerError};
