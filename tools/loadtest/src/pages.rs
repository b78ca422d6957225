//! Simulates a reader of the dashboard: makes the dashboard's calls one after another, and measures their times.

use crate::connection::{Address, Connection};
use crate::measure::{Durations, Spread};
use gauntlet::commands::target;
use hyper::{Method, StatusCode};
use protocol::endpoints::{GetExperiment, GetOverview, ListGames};
use protocol::query::{GamesQuery, ReportQuery};
use serde::Serialize;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// Pause between two pages.
const PAUSE: Duration = Duration::from_millis(500);

/// Times of one page.
#[derive(Debug, Serialize)]
pub(crate) struct PageTimes {
    /// Name of the page.
    pub(crate) page: &'static str,
    /// Compressed size of the latest answer, in bytes.
    pub(crate) bytes: usize,
    /// Number of failed calls.
    pub(crate) errors: u64,
    #[serde(flatten)]
    pub(crate) spread: Option<Spread>,
}

/// Reads the pages until `stop`, compressed as for a browser. Times include the last byte.
pub(crate) async fn watch(
    address: Address,
    token: &str,
    experiment: &str,
    stop: CancellationToken,
) -> Vec<PageTimes> {
    let key = experiment.to_owned();
    let pages = [
        ("start page", "/".to_owned()),
        ("overview", target::address::<GetOverview>(&(), &())),
        ("experiment", target::address::<GetExperiment>(&key, &ReportQuery::default())),
        ("games", target::address::<ListGames>(&key, &GamesQuery { after: None, limit: 100 })),
    ];
    let mut connection = Connection::new(address, token);
    let mut seen: Vec<_> = pages
        .into_iter()
        .map(|(page, path)| {
            (PageTimes { page, bytes: 0, errors: 0, spread: None }, path, Durations::default())
        })
        .collect();
    'watching: loop {
        for (times, path, durations) in &mut seen {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = stop.cancelled() => break 'watching,
            }
            let began = Instant::now();
            match connection.send(Method::GET, path, String::new(), true).await {
                Ok((StatusCode::OK, content)) => {
                    durations.add(began.elapsed());
                    times.bytes = content.len();
                }
                _ => times.errors += 1,
            }
        }
    }
    let finished = |(times, _, durations): (PageTimes, String, Durations)| PageTimes {
        spread: durations.spread(0..durations.len()),
        ..times
    };
    seen.into_iter().map(finished).collect()
}
