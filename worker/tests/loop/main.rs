//! The worker's loop over real HTTP, against a lease book in memory. The lease book answers according to
//! docs/reference/protocol.md, and misbehaves on request.

mod book;
mod games;
mod life;
