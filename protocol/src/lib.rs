//! What coordinator, workers and pages say to each other, and what an experiment file may contain.

pub mod experiment;
pub mod games;
pub mod ids;
pub mod lease;
pub mod matchup;
pub mod report;
pub mod result;
pub mod sync;

/// Version of the calls below `/api/v1`. A worker with another number is refused.
pub const PROTOCOL_VERSION: u32 = 1;
