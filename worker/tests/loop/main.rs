//! The worker's loop over real HTTP, against a lease book in memory. The lease book answers according to
//! docs/reference/protocol.md, and misbehaves on request.

mod book;
mod games;
mod life;

/// A limit for tests that would never end, and none on the speed of the machine.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(900);
