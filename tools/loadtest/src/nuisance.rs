//! Additional load on the coordinator: event streams, wrong tokens, health checks.

use crate::connection::{Address, Connection};
use crate::measure::{Durations, Spread};
use coordinator::Token;
use hyper::{Method, StatusCode};
use protocol::endpoint::Endpoint;
use protocol::endpoints::{GetOverview, IsHealthy, StreamEvents};
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// Calls per second on one connection. The rate is low, because answers to wrong tokens may be delayed.
pub(crate) const CALLS: f64 = 2.0;

/// The time over which the starts of the event streams are spread.
const BEGINNING: Duration = Duration::from_secs(15);

/// The amount of additional load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nuisance {
    pub(crate) streams: u32,
    /// Calls per second.
    pub(crate) wrong_tokens: f64,
    /// Calls per second.
    pub(crate) health_checks: f64,
}

/// The result of one kind of load.
#[derive(Debug, Serialize)]
pub(crate) struct NuisanceResult {
    pub(crate) what: &'static str,
    /// Number of answers other than the expected one.
    pub(crate) errors: u64,
    /// Times until the answer; for streams, until the first event.
    #[serde(flatten)]
    pub(crate) spread: Option<Spread>,
}

#[derive(Debug, Default)]
struct NuisanceTally {
    durations: Durations,
    errors: u64,
}

type Shared = Arc<Mutex<NuisanceTally>>;

fn note(tally: &Shared, right: bool, took: Duration) {
    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    if right { tally.durations.add(took) } else { tally.errors += 1 }
}

/// Generates the load until `stop`.
pub(crate) async fn run(
    address: &Address,
    token: &str,
    nuisance: Nuisance,
    stop: &CancellationToken,
) -> Vec<NuisanceResult> {
    let mut tasks = JoinSet::new();
    let streams = Shared::default();
    for index in 0..nuisance.streams {
        let connection = Connection::new(address.clone(), token);
        let after = BEGINNING.mul_f64(f64::from(index) / f64::from(nuisance.streams));
        let look = listen(connection, after, streams.clone());
        tasks.spawn(stop.clone().run_until_cancelled_owned(look));
    }
    let wrong = Shared::default();
    let checks = Shared::default();
    for (rate, tally, is_wrong) in
        [(nuisance.wrong_tokens, &wrong, true), (nuisance.health_checks, &checks, false)]
    {
        let connections = (rate / CALLS).ceil() as u32;
        for index in 0..connections {
            let every = Duration::from_secs_f64(f64::from(connections) / rate);
            let after = every.mul_f64(f64::from(index) / f64::from(connections));
            let calls = ask(address.clone(), (after, every), is_wrong, tally.clone());
            tasks.spawn(stop.clone().run_until_cancelled_owned(calls));
        }
    }
    stop.cancelled().await;
    while tasks.join_next().await.is_some() {}
    let kinds = [
        ("event streams", nuisance.streams > 0, streams),
        ("wrong tokens", nuisance.wrong_tokens > 0.0, wrong),
        ("health checks", nuisance.health_checks > 0.0, checks),
    ];
    let found = kinds.into_iter().filter(|(_, wanted, _)| *wanted).map(|(what, _, tally)| {
        let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        NuisanceResult {
            what,
            errors: tally.errors,
            spread: tally.durations.spread(0..tally.durations.len()),
        }
    });
    found.collect()
}

/// Reads an event stream, and opens it again when it ends.
async fn listen(mut connection: Connection, after: Duration, tally: Shared) {
    sleep(after).await;
    loop {
        let began = Instant::now();
        connection.listen(StreamEvents::DECLARATION.path, || note(&tally, true, began.elapsed())).await;
        // A stream that ends before the test is an error.
        note(&tally, false, Duration::ZERO);
        sleep(Duration::from_secs(1)).await;
    }
}

/// Makes calls with random tokens, or health checks.
async fn ask(address: Address, (after, every): (Duration, Duration), is_wrong: bool, tally: Shared) {
    let mut connection = Connection::new(address, "");
    let mut due = Instant::now() + after;
    loop {
        sleep_until(due).await;
        let (path, right) = if is_wrong {
            connection.show(Token::random().reveal());
            (GetOverview::DECLARATION.path, StatusCode::UNAUTHORIZED)
        } else {
            (IsHealthy::DECLARATION.path, StatusCode::OK)
        };
        let answer = connection.send(Method::GET, path, String::new(), false).await;
        note(&tally, answer.is_ok_and(|(status, _)| status == right), due.elapsed());
        due += every;
        while due + every < Instant::now() {
            due += every;
        }
    }
}
