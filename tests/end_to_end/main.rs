//! The program as its users run it: real processes, a real database, and SIGKILL wherever it hurts.
//!
//! Conditions are awaited through the API, with a deadline; nothing depends on how fast the machine is.

mod api;
mod chaos;
mod command_line;
mod continues;
mod drills;
mod joining;
mod kills;
mod loadtest;
mod messages;
mod operate;
#[path = "../../coordinator/tests/coordinator/postgres.rs"]
mod postgres;
mod process;
mod proxy;
mod several;
mod signals;
mod tls;
