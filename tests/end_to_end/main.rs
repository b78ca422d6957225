//! Tests of the program as its users run it: real processes, a real database, and SIGKILL at critical moments.
//!
//! The tests wait for conditions through the API, with a deadline, so that they do not depend on the machine's speed.

mod api;
mod bundles;
mod chaos;
mod command_line;
mod compare;
mod confirm;
mod continues;
mod drills;
mod exports;
mod games;
mod held;
mod how_to;
mod joining;
mod kills;
#[path = "../../coordinator/tests/coordinator/legal_games.rs"]
mod legal_games;
mod life;
mod messages;
mod opening;
mod operate;
mod operating;
#[path = "../../coordinator/tests/coordinator/postgres.rs"]
mod postgres;
mod process;
mod proxy;
mod published;
mod round_trips;
mod several;
mod signals;
mod studies;
mod tls;
mod tuning;
