//! Simulates a person who adds a cell to the experiment now and then, while results arrive.

use crate::connection::{Address, Connection};
use crate::measure::Durations;
use crate::nuisance::NuisanceResult;
use gauntlet::commands::target;
use hyper::{Method, StatusCode};
use protocol::endpoints::ApplyExperiment;
use protocol::experiment::Experiment;
use protocol::query::ApplyQuery;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Applies the experiment with one more of its cells each time, until `stop`. It begins with the first `cells`.
pub(crate) async fn revise(
    address: Address,
    token: &str,
    (experiment, cells): (&Experiment, usize),
    every: Duration,
    stop: &CancellationToken,
) -> NuisanceResult {
    let mut connection = Connection::new(address, token);
    let path = target::address::<ApplyExperiment>(&(), &ApplyQuery { supersede: true });
    let (mut durations, mut errors) = (Durations::default(), 0);
    for more in cells + 1..=experiment.cells.len() {
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            () = stop.cancelled() => break,
        }
        // Ten thousand cells are megabytes: the simulated workers should not wait for them.
        let body = tokio::task::block_in_place(|| {
            let cells = experiment.cells[..more].to_vec();
            serde_json::to_string(&Experiment { cells, ..experiment.clone() }).unwrap_or_default()
        });
        let began = Instant::now();
        match connection.send(Method::POST, &path, body, false).await {
            Ok((StatusCode::OK, _)) => durations.add(began.elapsed()),
            _ => errors += 1,
        }
    }
    NuisanceResult { what: "a cell is added", errors, spread: durations.spread(0..durations.len()) }
}
