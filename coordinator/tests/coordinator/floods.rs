//! Attacks over HTTP: wrong secrets, many page sessions, endless bodies, many streams, forged addresses.

use crate::databases::{Database, on_both_databases};
use crate::http::{bare, bearer, call, content, metric, status, with_json};
use crate::play::{Worker, cell, experiment, open, open_with, play_all, token};
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::request::Builder;
use axum::http::{Method, Request, StatusCode, header};
use coordinator::{Coordinator, OpenResults, app};
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use protocol::access::{JoinCodeRequest, JoinRequest, PageLine, Scope, Session};
use protocol::ids::WorkerId;
use protocol::sync::{AckStatus, ErrorBody, SyncResponse};
use serde_json::json;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

fn read_as(token: &str) -> Request<Body> {
    bare(bearer(Request::get("/api/v1/overview"), token))
}

fn sync_as(token: &str) -> Request<Body> {
    with_json(bearer(Request::post("/api/v1/sync"), token), &Worker::new().request(Vec::new(), 0))
}

fn from(mut request: Request<Body>, address: [u8; 4]) -> Request<Body> {
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 1))));
    request
}

fn join_with(code: &str, digest: char) -> Request<Body> {
    let (worker, token_sha256) = (WorkerId::random(), String::from(digest).repeat(64));
    let request = JoinRequest { code: code.into(), worker, name: "node7".into(), token_sha256 };
    with_json(Request::post("/api/v1/join"), &request)
}

fn sign_in(token: &str) -> Request<Body> {
    let request = Request::post("/api/v1/session").header("sec-fetch-site", "same-origin");
    with_json(request, &json!({ "token": token }))
}

/// Signs a page in and returns its cookie.
async fn page(coordinator: &Coordinator, token: &str) -> String {
    let answer = call(coordinator, sign_in(token)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let cookie = answer.headers()[header::SET_COOKIE].to_str().expect("ASCII");
    cookie.split(';').next().expect("a cookie").to_owned()
}

async fn reads(coordinator: &Coordinator, cookie: &str) -> bool {
    let request = Request::get("/api/v1/overview").header(header::COOKIE, cookie);
    match status(coordinator, bare(request)).await {
        StatusCode::OK => true,
        StatusCode::UNAUTHORIZED => false,
        other => panic!("{other}"),
    }
}

async fn closed(database: &Database) -> (Coordinator, coordinator::Clock) {
    open_with(database, |config| config.open_results = OpenResults::ToNobody).await
}

on_both_databases! {
    async fn a_page_is_signed_in_for_a_week_until_it_signs_out_or_its_token_ends(database: Database) {
        let (coordinator, clock) = closed(&database).await;
        let (other, others_clock) = closed(&database).await;
        let token = token(&coordinator, "read").await.expect("token");
        let cookie = page(&coordinator, &token).await;
        assert!(reads(&coordinator, &cookie).await && reads(&other, &cookie).await, "on every coordinator");
        let out = || bare(Request::delete("/api/v1/session").header("sec-fetch-site", "same-origin").header(header::COOKIE, &cookie));
        assert_eq!(status(&coordinator, out()).await, StatusCode::NO_CONTENT);
        assert!(!reads(&coordinator, &cookie).await, "at once");
        others_clock.advance(1_000);
        assert!(!reads(&other, &cookie).await, "within a second elsewhere");

        let week = 7 * 86_400_000;
        let cookie = page(&coordinator, &token).await;
        clock.advance(week - 1);
        assert!(reads(&coordinator, &cookie).await);
        clock.advance(1);
        assert!(!reads(&coordinator, &cookie).await, "a week is over");

        others_clock.advance(week - 1_000);
        let (first, second) = (page(&coordinator, &token).await, page(&other, &token).await);
        let lines: Vec<PageLine> = coordinator.pages().await.expect("pages");
        assert_eq!(lines.iter().map(|line| line.name.as_str()).collect::<Vec<_>>(), ["test"; 2]);
        other.end_page("none", "ada").await.expect_err("there is none");
        for line in &lines {
            other.end_page(&line.id, "ada").await.expect("ended");
        }
        assert!(!reads(&other, &first).await && !reads(&other, &second).await);
        let last = page(&coordinator, &token).await;
        coordinator.revoke_token("test", "ada").await.expect("revoked");
        assert!(!reads(&coordinator, &last).await);
        assert_eq!(coordinator.pages().await.expect("pages"), []);
        assert_eq!(status(&coordinator, sign_in(&token)).await, StatusCode::UNAUTHORIZED);
    }

    async fn a_page_signs_in_with_a_token_of_the_process_and_is_forgotten_with_it(database: Database) {
        let (coordinator, _) = closed(&database).await;
        let token = coordinator.token_of_this_process("the page of a run", Scope::Experiment);
        let cookie = page(&coordinator, token.reveal()).await;
        assert!(reads(&coordinator, &cookie).await);
        let session: Session = {
            let asked = bare(Request::get("/api/v1/session").header(header::COOKIE, &cookie));
            serde_json::from_slice(&content(call(&coordinator, asked).await).await).expect("a session")
        };
        assert_eq!(session.name.as_deref(), Some("the page of a run"));
        assert_eq!(session.scopes, Scope::Experiment.into());
        let (other, _) = closed(&database).await;
        assert!(!reads(&other, &cookie).await, "another process knows neither");
        assert_eq!(status(&other, sign_in(token.reveal())).await, StatusCode::UNAUTHORIZED);
        let out = Request::delete("/api/v1/session").header("sec-fetch-site", "same-origin");
        let out = bare(out.header(header::COOKIE, &cookie));
        assert_eq!(status(&coordinator, out).await, StatusCode::NO_CONTENT);
        assert!(!reads(&coordinator, &cookie).await);
    }

    async fn whoever_signs_in_again_and_again_keeps_the_latest_pages(database: Database) {
        let (coordinator, clock) = closed(&database).await;
        let token = token(&coordinator, "read").await.expect("token");
        let mut cookies = Vec::new();
        for _ in 0..52 {
            clock.advance(1_000);
            cookies.push(page(&coordinator, &token).await);
        }
        assert_eq!(coordinator.pages().await.expect("pages").len(), 50);
        assert!(!reads(&coordinator, &cookies[1]).await && reads(&coordinator, &cookies[2]).await);
    }

    async fn a_right_secret_is_never_refused_because_of_wrong_ones(database: Database) {
        let (coordinator, _) = closed(&database).await;
        let right = token(&coordinator, "admin work").await.expect("token");
        let request = JoinCodeRequest { machines: 3, expires_in_ms: 60_000 };
        let code = coordinator.create_join_code(request, "ada").await.expect("a code").code;
        assert_eq!(code.chars().filter(char::is_ascii_alphanumeric).count(), 12, "60 bits: {code}");
        // Another coordinator, which knows no token yet.
        let (coordinator, _) = closed(&database).await;
        let before = *coordinator.changes().borrow();
        // One router for all: to make 240 of them takes longer than a lookup may.
        let routes = app(coordinator.clone());
        let wrong = (0..240).map(|n| {
            let secret = format!("wrong {n}");
            let request = match n % 4 {
                0 => join_with(&format!("{n:012}"), 'a'),
                1 => sign_in(&secret),
                2 => sync_as(&secret),
                _ => read_as(&secret),
            };
            let spoofed = format!("10.1.{}.{}", n % 7, n);
            let (mut parts, body) = request.into_parts();
            parts.headers.insert("x-forwarded-for", spoofed.parse().expect("a value"));
            let routes = routes.clone();
            async move { routes.oneshot(Request::from_parts(parts, body)).await.expect("infallible").status() }
        });
        let answers = join_all(wrong).await;
        let refused = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
        assert!(answers.iter().all(|status| refused.contains(status)), "{answers:?}");
        assert_eq!(*coordinator.changes().borrow(), before, "wrong secrets write nothing");
        for request in [sync_as(&right), read_as(&right), sign_in(&right), join_with(&code, 'b')] {
            let place = request.uri().to_string();
            assert_eq!(status(&coordinator, request).await, StatusCode::OK, "{place}");
        }
    }

    async fn codes_of_before_are_worth_what_they_were(database: Database) {
        let (coordinator, clock) = closed(&database).await;
        let request = JoinCodeRequest { machines: 1, expires_in_ms: 60_000 };
        coordinator.create_join_code(request, "ada").await.expect("a code");
        use sha2::{Digest, Sha256};
        let hash: String =
            Sha256::digest("join K7F39QXM").iter().map(|byte| format!("{byte:02x}")).collect();
        database.run(&format!("UPDATE join_code SET hash = '{hash}'")).await;
        clock.advance(1_000);
        assert_eq!(status(&coordinator, join_with("k7f3-9qxm", 'a')).await, StatusCode::OK);
    }
}

#[tokio::test]
async fn those_at_the_door_hold_up_no_result() {
    let Some(database) = Database::postgres().await else { return };
    let (coordinator, _) = closed(&database).await;
    let token = token(&coordinator, "work").await.expect("token");
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    // The first call binds the worker to this token, and makes the token known to the coordinator.
    let request = with_json(bearer(Request::post("/api/v1/sync"), &token), &worker.request(Vec::new(), 1));
    let mut answer: SyncResponse =
        serde_json::from_slice(&content(call(&coordinator, request).await).await).expect("an answer");
    worker.hold(&answer.leases);
    let lease = answer.leases.remove(0);
    let hold = database.lock("token").await;
    let wrong: Vec<_> = (0..50)
        .map(|n| {
            let coordinator = coordinator.clone();
            tokio::spawn(async move { status(&coordinator, read_as(&format!("wrong {n}"))).await })
        })
        .collect();
    // Other tests wait for locks of the same server.
    let waiting = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'token'::regclass \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    database.until(waiting, 1).await;
    let request =
        with_json(bearer(Request::post("/api/v1/sync"), &token), &worker.request(play_all(&lease, 1), 0));
    let answer: SyncResponse =
        serde_json::from_slice(&content(call(&coordinator, request).await).await).expect("an answer");
    assert!(answer.acks.iter().all(|ack| ack.status == AckStatus::Accepted));
    // One router for all: to make 500 of them takes longer than an answer may.
    let routes = app(coordinator.clone());
    let checks = join_all((0..500).map(|n| {
        let request = bare(Request::get(if n % 2 == 0 { "/healthz" } else { "/readyz" }));
        let routes = routes.clone();
        async move { routes.oneshot(request).await.expect("infallible").status() }
    }));
    assert!(checks.await.iter().all(|status| *status == StatusCode::OK));
    hold.release().await;
    for answer in wrong {
        // The status is 503 when the database was blocked for too long.
        let told = [StatusCode::UNAUTHORIZED, StatusCode::SERVICE_UNAVAILABLE];
        assert!(told.contains(&answer.await.expect("no panic")));
    }
}

#[tokio::test]
async fn addresses_are_believed_of_named_proxies_only() {
    let database = Database::sqlite();
    let name = |config: &mut coordinator::Config| {
        config.open_results = OpenResults::ToNobody;
        config.trusted_proxies = vec!["10.0.0.0/24".parse().expect("a network")];
    };
    let (coordinator, _) = open_with(&database, name).await;
    let refused = async |peer: [u8; 4]| {
        let mut refused = 0;
        for n in 0..600_u32 {
            let spoofed = format!("203.0.{}.{}", n / 250, n % 250);
            let request = bare(Request::get("/api/v1/session").header("x-forwarded-for", spoofed));
            refused +=
                u32::from(status(&coordinator, from(request, peer)).await == StatusCode::TOO_MANY_REQUESTS);
        }
        refused
    };
    assert_eq!(refused([127, 0, 0, 1]).await, 100, "one address whatever it says, this machine's too");
    assert_eq!(refused([10, 0, 0, 5]).await, 0, "600 addresses behind a proxy");

    let token = token(&coordinator, "read").await.expect("token");
    for (peer, secure) in [([127, 0, 0, 1], false), ([10, 0, 0, 5], true)] {
        let (mut parts, body) = sign_in(&token).into_parts();
        parts.headers.insert("x-forwarded-proto", "https".parse().expect("a value"));
        let answer = call(&coordinator, from(Request::from_parts(parts, body), peer)).await;
        let cookie = answer.headers()[header::SET_COOKIE].to_str().expect("ASCII");
        assert_eq!(cookie.contains("; Secure"), secure, "{cookie}");
    }
}

#[tokio::test]
async fn who_uses_up_an_address_leaves_the_holders_of_tokens_there_alone() {
    let database = Database::sqlite();
    let (coordinator, _) = closed(&database).await;
    let token = token(&coordinator, "read").await.expect("token");
    for _ in 0..600 {
        status(&coordinator, bare(Request::get("/api/v1/overview"))).await;
    }
    let anonymous = bare(Request::get("/api/v1/overview"));
    assert_eq!(status(&coordinator, anonymous).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(status(&coordinator, read_as(&token)).await, StatusCode::OK);
}

/// A call whose body of 31 MiB does not end. `taken` counts the bytes that were read.
fn endless(request: Builder, taken: &Arc<AtomicUsize>) -> Request<Body> {
    let taken = taken.clone();
    let parts = stream::iter(0..31).map(move |_| {
        taken.fetch_add(1 << 20, Ordering::Relaxed);
        Ok::<_, Infallible>(Bytes::from(vec![b' '; 1 << 20]))
    });
    let body = Body::from_stream(parts.chain(stream::pending()));
    request.header(header::CONTENT_TYPE, "application/json").body(body).expect("a request")
}

#[tokio::test]
async fn bodies_that_do_not_end_take_a_share_of_the_memory_and_results_get_through() {
    let database = Database::sqlite();
    let (coordinator, _) = closed(&database).await;
    let (slow, honest) = (
        token(&coordinator, "work").await.expect("token"),
        token(&coordinator, "work read").await.expect("token"),
    );
    let taken = Arc::<AtomicUsize>::default();
    for unknown in [Request::post("/api/v1/sync"), bearer(Request::post("/api/v1/sync"), "wrong")] {
        assert_eq!(status(&coordinator, endless(unknown, &taken)).await, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(taken.load(Ordering::Relaxed), 0, "who may not send is not listened to");

    // This call makes the token known, so that later calls read their bodies at once.
    assert_eq!(status(&coordinator, sync_as(&slow)).await, StatusCode::OK);
    let mut refused = 0;
    let mut under_way = Vec::new();
    for _ in 0..40 {
        let request = endless(bearer(Request::post("/api/v1/sync"), &slow), &taken);
        let mut calling = Box::pin(call(&coordinator, request));
        match futures_util::poll!(&mut calling) {
            std::task::Poll::Ready(answer) => {
                let error: ErrorBody = serde_json::from_slice(&content(answer).await).expect("the envelope");
                assert_eq!(
                    (error.error.code.as_str(), error.error.retry_after_ms),
                    ("too_many_requests", Some(2_000))
                );
                refused += 1;
            }
            std::task::Poll::Pending => under_way.push(calling),
        }
    }
    assert_eq!((under_way.len(), refused), (2, 38));
    assert_eq!(metric(&coordinator, &honest, "gauntlet_body_bytes").await, 64 << 20);
    assert_eq!(status(&coordinator, sync_as(&honest)).await, StatusCode::OK);
    drop(under_way);
    assert_eq!(metric(&coordinator, &honest, "gauntlet_body_bytes").await, 0);
    assert_eq!(status(&coordinator, sync_as(&slow)).await, StatusCode::OK);
}

#[tokio::test]
async fn one_caller_does_not_take_all_event_streams() {
    let database = Database::sqlite();
    let (coordinator, clock) = open(&database).await;
    let events = || bare(Request::get("/api/v1/events"));
    let mut open = Vec::new();
    for _ in 0..1_000 {
        clock.advance(10);
        let answer = call(&coordinator, events()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        open.push(answer);
    }
    assert_eq!(status(&coordinator, events()).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(status(&coordinator, from(events(), [10, 0, 0, 1])).await, StatusCode::OK, "somebody else");
    open.clear();
    assert_eq!(status(&coordinator, events()).await, StatusCode::OK);
}

/// The status of a served coordinator's answer to a raw request.
async fn raw(address: SocketAddr, request: &str) -> u16 {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connected");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or_else(|| panic!("{request}: {answer}"))
}

#[tokio::test]
async fn only_a_call_that_names_this_machine_once_reads_without_a_token() {
    let database = Database::sqlite();
    let (coordinator, _) =
        open_with(&database, |config| config.open_results = OpenResults::ToThisMachine).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let shutdown = CancellationToken::new();
    let serving = tokio::spawn(coordinator.serve(listener, shutdown.clone()));
    let path = "/api/v1/overview";
    let get = |target: &str, version: &str, headers: &str| {
        format!("{} {target} HTTP/{version}\r\n{headers}Connection: close\r\n\r\n", Method::GET)
    };
    assert_eq!(raw(address, &get(path, "1.1", &format!("Host: {address}\r\n"))).await, 200);
    assert_eq!(raw(address, &get(path, "1.0", "Host: localhost\r\n")).await, 200);
    for request in [
        get(path, "1.1", ""),
        get(path, "1.0", ""),
        get(path, "1.1", "Host: localhost\r\nHost: localhost\r\n"),
        get(path, "1.1", "Host: localhost\r\nhost: evil.example\r\n"),
        get(path, "1.1", "Host: evil.example\r\n"),
        get(path, "1.1", "Host: \r\n"),
        get(path, "1.1", "Host: localhost.\r\n"),
        get(path, "1.1", "Host: localhost@evil.example\r\n"),
        get(path, "1.1", "Host: localhost, evil.example\r\n"),
        get(&format!("http://evil.example{path}"), "1.1", "Host: localhost\r\n"),
        get(path, "1.1", "Host: localhost\r\nX-Real-IP: 127.0.0.1\r\n"),
        get(path, "1.1", "Host: localhost\r\nForwarded: for=127.0.0.1\r\n"),
    ] {
        let status = raw(address, &request).await;
        assert!([400, 401].contains(&status), "{status} to {request}");
    }
    shutdown.cancel();
    serving.await.expect("no panic").expect("served");
    coordinator.close().await;
}

#[tokio::test]
async fn a_coordinator_stops_while_streams_and_idle_connections_are_open() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let shutdown = CancellationToken::new();
    let serving = tokio::spawn(coordinator.serve(listener, shutdown.clone()));
    let mut connections = Vec::new();
    for (path, part) in [("/api/v1/events", "revision"), ("/livez", "200 OK")].repeat(20) {
        let mut stream = tokio::net::TcpStream::connect(address).await.expect("connected");
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        while !answer.contains(part) {
            let mut bytes = [0; 4_096];
            let read = stream.read(&mut bytes).await.expect("an answer");
            assert!(read > 0, "{path}: {answer}");
            answer.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        connections.push(stream);
    }
    shutdown.cancel();
    serving.await.expect("no panic").expect("served");
    for mut stream in connections {
        stream.read_to_end(&mut Vec::new()).await.expect("an orderly end");
    }
    coordinator.close().await;
}

#[tokio::test]
async fn a_list_that_takes_more_memory_than_its_text_is_not_read_to_its_end() {
    let database = Database::sqlite();
    let (coordinator, _) = closed(&database).await;
    let token = token(&coordinator, "work").await.expect("token");
    let mut request = serde_json::to_value(Worker::new().request(Vec::new(), 0)).expect("JSON");
    for (labels, expected) in [(1_000, "invalid"), (1_001, "bad_body")] {
        request["labels"] = json!(vec![""; labels]);
        let sync = with_json(bearer(Request::post("/api/v1/sync"), &token), &request);
        let answer = call(&coordinator, sync).await;
        let error: ErrorBody = serde_json::from_slice(&content(answer).await).expect("the envelope");
        assert_eq!(error.error.code, expected, "{labels} labels: {}", error.error.message);
    }
}
