//! Access: authentication of callers, their addresses, and their limits.

mod bodies;
mod caller;
mod callers;
mod limits;
pub(crate) mod proxies;
mod streams;
mod tls;
mod token;
mod uses;

pub(crate) use bodies::{Bodies, Full, Room};
pub use caller::{Caller, OpenResults};
pub(crate) use callers::{Callers, Shown};
pub(crate) use limits::{Asker, Limits, network};
pub use proxies::{Network, NoNetwork};
pub(crate) use streams::Streams;
pub use tls::{Tls, TlsError};
pub use token::Token;
pub(crate) use token::id_of;
pub(crate) use uses::Uses;
