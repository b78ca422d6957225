//! The protocol between coordinator, workers and dashboard, and the format of experiment files.

pub mod access;
pub mod analysis;
pub mod book;
pub mod experiment;
pub mod games;
pub mod ids;
pub mod lease;
pub mod life;
pub mod matchup;
pub mod memory;
pub mod operate;
pub mod prefix;
pub mod report;
pub mod result;
pub mod selftest;
pub mod sync;
#[cfg(test)]
mod typescript;
pub mod words;

/// The version of the calls below `/api/v1`. A worker with another version is refused with an error. All versions
/// understand the field `protocol` of a sync and the envelope of errors.
pub const PROTOCOL_VERSION: u32 = 3;
