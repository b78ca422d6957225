//! The protocol between coordinator, workers and dashboard, and the format of experiment files.
//!
//! Begin with [`sync`], the call by which a worker brings games and fetches leases, and with [`experiment`], which turns a
//! file into cells.

pub mod access;
pub mod alarm;
pub mod analysis;
pub mod baseline;
pub mod board_sizes;
pub mod book;
pub mod browse;
pub mod bundle;
pub mod cell;
pub mod compare;
pub mod confirm;
pub mod disk;
pub mod endpoint;
pub mod endpoints;
pub mod experiment;
pub mod games;
pub mod hex;
pub mod ids;
pub mod lease;
pub mod life;
pub mod machine;
pub mod matchup;
pub mod median;
pub mod memory;
pub mod news;
pub mod operate;
pub mod players;
pub mod prefix;
pub mod query;
pub mod report;
pub mod result;
pub mod selftest;
pub mod state;
pub mod study;
pub mod sync;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tune;
pub mod words;

/// The version of the calls below `/api/v1`. A worker with another version is refused with an error. All versions
/// understand the field `protocol` of a sync and the envelope of errors.
pub const PROTOCOL_VERSION: u32 = 3;
