//! The HTTP side: connections, the API and the dashboard.

mod api;
mod dashboard;
mod listen;
mod serve;

pub use api::{app, app_of_owner};
