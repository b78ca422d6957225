//! The worker's loop over real HTTP against a lease book kept in memory, which answers as docs/reference/protocol.md
//! says a coordinator does, and misbehaves where a test asks for it.

mod book;
mod games;
mod life;
