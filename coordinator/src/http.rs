//! The HTTP side: connections, the API and the dashboard.

mod api;
mod connections;
mod dashboard;
mod listen;
mod serve;
mod slow_readers;

pub use api::{app, app_of_owner};
