//! The HTTP interface, called in process.

use crate::databases::Database;
use crate::http::{bare, bearer, call, content, with_json, with_text};
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all, token};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use axum::response::Response;
use coordinator::Coordinator;
use engine::havannah::{Board, Notation};
use futures_util::StreamExt;
use protocol::games::{GameReport, GamesPage};
use protocol::report::{Applied, ExperimentReport, Overview};
use protocol::sync::{AckStatus, ErrorBody, SyncResponse};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

fn get(path: &str) -> Request<Body> {
    bare(Request::get(path))
}

fn post(path: &str, token: &str, body: &impl Serialize) -> Request<Body> {
    with_json(bearer(Request::post(path), token), body)
}

async fn json<T: DeserializeOwned>(response: Response) -> T {
    assert_eq!(response.status(), StatusCode::OK);
    serde_json::from_slice(&content(response).await).expect("the promised type")
}

/// Checks the status and the code of a refusal, and returns its message.
async fn refusal(response: Response, status: StatusCode, code: &str) -> String {
    assert_eq!(response.status(), status);
    let body: ErrorBody = serde_json::from_slice(&content(response).await).expect("the envelope");
    assert_eq!(body.error.code, code);
    body.error.message
}

async fn opened() -> (Database, Coordinator, String) {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let token = token(&coordinator, "work experiment").await.expect("token");
    (database, coordinator, token)
}

#[tokio::test]
async fn an_experiment_goes_in_and_results_come_out() {
    let (_database, coordinator, token) = opened().await;
    let mut file = experiment("one", vec![cell(500, 4, 1, 1.0), cell(500, 5, 1, 1.0)]);
    file.question = "Größer, \"better\", or 50 %?".into();
    let applied: Applied = json(call(&coordinator, post("/api/v1/experiments", &token, &file)).await).await;
    assert_eq!((applied.id, applied.created, applied.games_planned), (file.id(), true, 4));

    let mut worker = Worker::new();
    let request = worker.request(Vec::new(), 9);
    let answer: SyncResponse = json(call(&coordinator, post("/api/v1/sync", &token, &request)).await).await;
    assert_eq!(answer.leases.len(), 2);
    worker.hold(&answer.leases);
    let games: Vec<_> = answer.leases.iter().flat_map(|lease| play_all(lease, 5)).collect();
    let request = worker.request(games.clone(), 0);
    let answer: SyncResponse = json(call(&coordinator, post("/api/v1/sync", &token, &request)).await).await;
    assert!(answer.acks.iter().all(|ack| ack.status == AckStatus::Accepted));

    let overview: Overview = json(call(&coordinator, get("/api/v1/overview")).await).await;
    assert_eq!((overview.experiments[0].games_done, overview.workers[0].games), (4, 4));
    assert!(overview.workers[0].alive);
    let by_name: ExperimentReport = json(call(&coordinator, get("/api/v1/experiments/one")).await).await;
    let by_id = format!("/api/v1/experiments/{}", file.id());
    assert_eq!(by_name, json(call(&coordinator, get(&by_id)).await).await);
    assert_eq!((by_name.series.len(), by_name.series[0].points.len()), (1, 2));
    assert_eq!(by_name.summary.question, file.question);

    let spaced = experiment("k of RAVE: 50 % / 100", vec![cell(500, 4, 1, 1.0)]);
    let _: Applied = json(call(&coordinator, post("/api/v1/experiments", &token, &spaced)).await).await;
    let path = "/api/v1/experiments/k%20of%20RAVE:%2050%20%25%20%2F%20100";
    let found: ExperimentReport = json(call(&coordinator, get(path)).await).await;
    assert_eq!(
        (found.summary.id, found.summary.games_done),
        (spaced.id(), 2),
        "an equal cell brings its games along"
    );

    let table =
        String::from_utf8(content(call(&coordinator, get("/api/v1/experiments/one.csv")).await).await);
    let table = table.expect("UTF-8");
    assert_eq!(
        table,
        String::from_utf8_lossy(
            &content(call(&coordinator, get(&format!("{by_id}?format=csv"))).await).await
        )
    );
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{table}");
    assert_eq!(rows[1][..6], ["rave", "rave_k=500", "rave_k=500", "uct", "100 sims", "4"]);
    assert_eq!(rows[0][6..10], ["weight", "agreement", "games", "games_planned"]);
    assert_eq!([rows[1][6], rows[1][8], rows[1][9]], ["1", "2", "2"]);

    let mut seen = Vec::new();
    let mut path = "/api/v1/experiments/one/games?limit=3".to_owned();
    loop {
        let page: GamesPage = json(call(&coordinator, get(&path)).await).await;
        seen.extend(page.games.iter().map(|game| game.id));
        let Some(next) = page.next else { break };
        path = format!("/api/v1/experiments/one/games?limit=3&after={next}");
    }
    seen.sort();
    let mut sent: Vec<_> = games.iter().map(|game| game.game).collect();
    sent.sort();
    assert_eq!(seen, sent);
    for game in &games {
        let report: GameReport =
            json(call(&coordinator, get(&format!("/api/v1/games/{}", game.game))).await).await;
        assert_eq!((&report.play.record, report.line.outcome), (&game.record, game.outcome));
        let moves = format!("{} {}", report.opening, report.play.record.moves);
        let cells = Notation::Gui.read_list(report.spec.size, &moves).expect("cells");
        let board = Board::after(report.spec.size, &cells).expect("a legal game");
        assert_eq!((board.outcome(), board.plies()), (Some(game.outcome), report.line.plies as usize));
    }
    assert_verified(&coordinator).await;
}

#[tokio::test]
async fn every_refusal_has_the_envelope() {
    let (_database, coordinator, token) = opened().await;
    let worker = Worker::new();
    let request = worker.request(Vec::new(), 1);
    let with = |method: Method, path: &str, body: &str| {
        with_text(bearer(Request::builder().method(method).uri(path), &token), body.to_owned())
    };
    let anonymous = bare(Request::post("/api/v1/sync"));
    let words = refusal(call(&coordinator, anonymous).await, StatusCode::UNAUTHORIZED, "unauthorized").await;
    assert!(words.contains("Bearer"), "{words}");
    let response = call(&coordinator, post("/api/v1/sync", "0123", &request)).await;
    refusal(response, StatusCode::UNAUTHORIZED, "unauthorized").await;
    let long = format!("/api/v1/experiments/{}", "x".repeat(9_000));
    for (request, status, code, word) in [
        (get("/api/v1/nothing"), StatusCode::NOT_FOUND, "not_found", "/api/v1/nothing"),
        (get("/api/v1/sync"), StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "GET"),
        (get("/api/v1/experiments/none"), StatusCode::NOT_FOUND, "unknown_name", "`none`"),
        (get("/api/v1/experiments/none.csv"), StatusCode::NOT_FOUND, "unknown_name", "`none`"),
        (get("/api/v1/games/none"), StatusCode::NOT_FOUND, "unknown_name", "`none`"),
        (
            get("/api/v1/experiments/a%00b"),
            StatusCode::BAD_REQUEST,
            "bad_address",
            "the path has a NUL character",
        ),
        (
            get("/api/v1/games?worker=a%00b"),
            StatusCode::BAD_REQUEST,
            "bad_address",
            "the query has a NUL character",
        ),
        (get("/api/v1/experiments/none?format=xml"), StatusCode::BAD_REQUEST, "bad_query", "xml"),
        (get("/api/v1/games/%ff"), StatusCode::BAD_REQUEST, "bad_path", "UTF-8"),
        (get("/api/v1/why/%ff"), StatusCode::BAD_REQUEST, "bad_path", "UTF-8"),
        (get(&long), StatusCode::URI_TOO_LONG, "address_too_long", "8192"),
        (with(Method::POST, "/api/v1/sync", "{"), StatusCode::BAD_REQUEST, "bad_body", "not JSON: EOF"),
        (
            with(Method::POST, "/api/v1/sync", "{}"),
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad_body",
            "takes: missing field `protocol`",
        ),
        (
            with(Method::POST, "/api/v1/sync", &" ".repeat(33 << 20)),
            StatusCode::PAYLOAD_TOO_LARGE,
            "bad_body",
            "limit",
        ),
        (
            post("/api/v1/experiments", &token, &experiment("one", vec![])),
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            "no cells",
        ),
    ] {
        let path = request.uri().to_string();
        let words = refusal(call(&coordinator, request).await, status, code).await;
        assert!(words.contains(word), "{path}: {words} lacks {word}");
    }
    let mut old = worker.request(Vec::new(), 1);
    old.protocol = 0;
    let response = call(&coordinator, post("/api/v1/sync", &token, &old)).await;
    let words = refusal(response, StatusCode::CONFLICT, "refused").await;
    assert!(words.contains("protocol 3, the worker 0"), "{words}");
    let foreign = with(Method::POST, "/api/v1/sync", r#"{"protocol": 7, "semantics": 1, "stars": []}"#);
    let words = refusal(call(&coordinator, foreign).await, StatusCode::CONFLICT, "refused").await;
    assert!(
        words.contains("protocol 3, the worker 7"),
        "a message that another version understands: {words}"
    );
    let mut changed = worker.request(Vec::new(), 1);
    changed.self_test = "0123456789abcdef".into();
    let response = call(&coordinator, post("/api/v1/sync", &token, &changed)).await;
    let words = refusal(response, StatusCode::CONFLICT, "refused").await;
    assert!(words.contains("self-test gives 0123456789abcdef"), "{words}");
    let mut other = worker.request(Vec::new(), 1);
    other.semantics += 1;
    let response = call(&coordinator, post("/api/v1/sync", &token, &other)).await;
    let words = refusal(response, StatusCode::CONFLICT, "refused").await;
    assert!(words.contains("semantics"), "{words}");
    assert!(
        coordinator.overview().await.expect("overview").workers.is_empty(),
        "refused calls store nothing"
    );
}

#[tokio::test]
async fn the_database_is_asked_for_health() {
    let (_database, coordinator, _) = opened().await;
    assert_eq!(call(&coordinator, get("/healthz")).await.status(), StatusCode::OK);
    coordinator.close().await;
    let response = call(&coordinator, get("/healthz")).await;
    refusal(response, StatusCode::SERVICE_UNAVAILABLE, "closing").await;
}

#[tokio::test]
async fn events_tell_of_changes_and_end_with_the_coordinator() {
    let (_database, coordinator, _) = opened().await;
    let response = call(&coordinator, get("/api/v1/events")).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
    let mut events = response.into_body().into_data_stream();
    let mut next = async || {
        let chunk = events.next().await.expect("an event").expect("a chunk");
        let text = String::from_utf8(chunk.to_vec()).expect("UTF-8");
        let number = text.split("\"revision\":").nth(1).expect("a revision").trim_end_matches(['}', '\n']);
        number.parse::<i64>().expect("a number")
    };
    let first = next().await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    assert!(next().await > first);
    coordinator.close().await;
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn an_open_event_stream_does_not_hold_up_the_end() {
    let (_database, coordinator, _) = opened().await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let shutdown = CancellationToken::new();
    let serving = tokio::spawn(coordinator.serve(listener, shutdown.clone()));
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connect");
    stream.write_all(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n").await.expect("send");
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains("revision") {
        let mut part = [0; 1024];
        let read = stream.read(&mut part).await.expect("receive");
        assert!(read > 0, "closed before the first event");
        text.extend_from_slice(&part[..read]);
    }
    shutdown.cancel();
    serving.await.expect("no panic").expect("served");
    stream.read_to_end(&mut text).await.expect("the stream's end");
    coordinator.close().await;
}

#[tokio::test]
async fn a_lease_lapses_while_nobody_calls() {
    let database = Database::sqlite();
    let (coordinator, clock) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let shutdown = CancellationToken::new();
    let serving = tokio::spawn(coordinator.serve(listener, shutdown.clone()));
    // The server answers only after it has extended the leases of earlier runs.
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connect");
    stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").await.expect("send");
    stream.read_to_end(&mut Vec::new()).await.expect("an answer");
    Worker::new().take(&coordinator, 1).await;
    let mut changes = coordinator.changes();
    changes.mark_unchanged();
    clock.advance(crate::play::LEASE_AND_A_BIT);
    changes.changed().await.expect("a change");
    assert_eq!(coordinator.report("one").await.expect("report").summary.pairs_in_flight, 0);
    shutdown.cancel();
    serving.await.expect("no panic").expect("served");
}

#[tokio::test]
async fn pages_that_hang_hold_up_no_token_no_judgement_and_no_write() {
    let Some(database) = Database::postgres().await else { return };
    let (coordinator, _) = open(&database).await;
    let token = token(&coordinator, "work experiment").await.expect("token");
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    let lease = worker.take(&coordinator, 1).await.remove(0);
    let mut stray = play_all(&lease, 5).remove(0);
    stray.lease = protocol::ids::LeaseId::random();

    // The overview reads this table. The check of a token and the intake of games without a lease do not.
    let hold = database.lock("experiment").await;
    let pages = futures_util::future::join_all((0..8).map(|_| coordinator.overview()));
    let intake = async {
        let request = worker.request(vec![stray], 0);
        let answer: SyncResponse =
            json(call(&coordinator, post("/api/v1/sync", &token, &request)).await).await;
        assert_eq!(answer.acks[0].status, AckStatus::Rejected);
        crate::play::token(&coordinator, "work").await.expect("token");
        hold.release().await;
    };
    let (pages, ()) = tokio::join!(pages, intake);
    assert!(pages.into_iter().all(|page| page.is_ok()), "the pages come once they can");
}
