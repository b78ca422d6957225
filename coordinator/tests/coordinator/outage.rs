//! A Postgres server that is frozen, and then gone, while a coordinator serves.

use crate::databases::Database;
use crate::http::{bare, bearer, text, with_json};
use crate::play::{Worker, cell, experiment, open_with, token};
use crate::postgres::{find_programs, start};
use axum::http::{Request, StatusCode};
use coordinator::{Coordinator, OpenResults};
use rustix::process::{Pid, Signal, kill_process};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// A limit that no answer reaches: without a look at the server itself, answers took as long as the pool waits for a connection.
const SOON: Duration = Duration::from_secs(15);

/// The processes of the server at this address, the first one first.
fn processes(address: &str) -> Vec<Pid> {
    let (_, directory) = address.split_once("host=").expect("a socket's directory");
    let directory = directory.replace("%2F", "/");
    let file = std::fs::read_to_string(format!("{directory}/data/postmaster.pid")).expect("a server");
    let first: i32 = file.lines().next().expect("a line").parse().expect("a process");
    let children = std::fs::read_dir("/proc").expect("/proc").flatten().filter_map(|entry| {
        let id: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent: i32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        (parent == first).then_some(id)
    });
    std::iter::once(first).chain(children).map(|id| Pid::from_raw(id).expect("a process")).collect()
}

/// Every answer that has an end tells why the database does not answer. (The stream of events has none: it is open, and silent.)
async fn answers_tell(coordinator: &Coordinator, token: &str, why: &[&str]) {
    let told = |text: &str| why.iter().any(|why| text.contains(why));
    let sync = with_json(bearer(Request::post("/api/v1/sync"), token), &Worker::new().request(Vec::new(), 1));
    let paths = [
        "/healthz",
        "/readyz",
        "/api/v1/overview",
        "/api/v1/experiments",
        "/api/v1/experiments/one",
        "/api/v1/workers",
        "/api/v1/games",
        "/api/v1/news",
        "/api/v1/audit",
        "/api/v1/why/one",
    ];
    let requests = paths.iter().map(|path| bare(bearer(Request::get(*path), token)));
    for (request, path) in requests.chain([sync]).zip(paths.iter().chain(&["sync"])) {
        let answer = timeout(SOON, text(coordinator, request)).await;
        let (status, text) = answer.unwrap_or_else(|_| panic!("{path} is not answered"));
        assert!(status == StatusCode::SERVICE_UNAVAILABLE && told(&text), "{path}: {status} {text}");
    }
    let get = async |path: &str, token: &str| {
        let answer = timeout(SOON, text(coordinator, bare(bearer(Request::get(path), token)))).await;
        answer.unwrap_or_else(|_| panic!("{path} is not answered"))
    };
    assert_eq!(get("/livez", "").await, (StatusCode::OK, "alive\n".to_owned()));
    let (status, metrics) = get("/metrics", token).await;
    assert!(status == StatusCode::OK && told(&metrics), "{metrics}");
    assert!(metrics.contains("gauntlet_database_up 0") && metrics.contains("gauntlet_http_requests_total"));
    assert_eq!(get("/metrics", "unknown").await.0, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn every_answer_is_given_with_the_reason_while_the_server_is_frozen_or_gone() {
    let Some(programs) = find_programs() else { return };
    let address = start(&programs);
    let database = Database::on_server(address.clone());
    let (coordinator, _) = open_with(&database, |config| config.open_results = OpenResults::ToNobody).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    let token = token(&coordinator, "work admin").await.expect("a token");
    let healthy = async || text(&coordinator, bare(Request::get("/healthz"))).await.0 == StatusCode::OK;
    let (_, metrics) = text(&coordinator, bare(bearer(Request::get("/metrics"), &token))).await;
    assert!(healthy().await && metrics.contains("gauntlet_database_up 1"), "{metrics}");

    let frozen = processes(&address);
    for process in &frozen {
        kill_process(*process, Signal::STOP).expect("a process");
    }
    // An answer of before may be shown for a while.
    while healthy().await {
        sleep(Duration::from_millis(50)).await;
    }
    answers_tell(&coordinator, &token, &["is silent"]).await;
    for process in &frozen {
        kill_process(*process, Signal::CONT).expect("a process");
    }
    while !healthy().await {
        sleep(Duration::from_millis(50)).await;
    }
    let (status, overview) = text(&coordinator, bare(bearer(Request::get("/api/v1/overview"), &token))).await;
    assert!(status == StatusCode::OK && overview.contains("\"one\""), "{overview}");

    kill_process(frozen[0], Signal::QUIT).expect("a process");
    while healthy().await {
        sleep(Duration::from_millis(50)).await;
    }
    answers_tell(&coordinator, &token, &["os error"]).await;
}
