//! What coordinator, workers and pages say to each other, and what an experiment file may contain.

pub mod access;
pub mod experiment;
pub mod games;
pub mod ids;
pub mod lease;
pub mod matchup;
pub mod memory;
pub mod operate;
pub mod report;
pub mod result;
pub mod selftest;
pub mod sync;
#[cfg(test)]
mod typescript;
pub mod words;

/// Version of the calls below `/api/v1`. A worker with another number is refused, and told so: what both ends
/// must understand of each other, whatever their versions, is the field `protocol` of a sync and the envelope
/// of errors.
pub const PROTOCOL_VERSION: u32 = 3;
