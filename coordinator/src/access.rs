//! Access: authentication of callers, their addresses, and their limits.

mod caller;
mod callers;
mod limits;
pub(crate) mod proxies;
mod quota;
mod tls;
mod token;
mod uses;

pub use caller::{Caller, OpenResults};
pub(crate) use callers::{Callers, SecretDigest};
pub(crate) use limits::{ClientKey, Limits};
pub use proxies::{Network, NoNetwork};
pub(crate) use quota::{Exceeded, Quota, Reserved};
pub use tls::{Tls, TlsError};
pub use token::Token;
pub(crate) use token::id_of;
pub(crate) use uses::TokenUses;
