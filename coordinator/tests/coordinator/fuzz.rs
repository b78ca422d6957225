//! Malformed bodies, queries, headers and methods: every request gets an answer without a server error, and every total
//! stays right.

use crate::databases::{Database, on_both_databases};
use crate::http::{call, content};
use crate::play::{Worker, assert_verified, cell, experiment, open_with, play_all, token};
use crate::studies::STUDY;
use crate::tunes::file as tuned;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, header};
use coordinator::{Clock, Coordinator, OpenResults};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Map, Value, json};

/// Number of requests per database. The seed is fixed, so that a failure can be repeated.
const REQUESTS: usize = 1_000;

/// Boundary values and hostile values.
fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![Just(0_i64), Just(-1), Just(4_294_967_296), Just(i64::MIN)].prop_map(Value::from),
        prop_oneof![
            Just("\u{0}".to_owned()),
            Just("a1".repeat(5_000)),
            Just("’; DROP TABLE game; --".to_owned()),
            Just("<script>alert(1)</script>".to_owned()),
            Just("00000000-0000-0000-0000-000000000000".to_owned()),
            "\\PC{0,40}",
        ]
        .prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[[[[[[[[[]]]]]]]]]])),
        Just(Value::Array(vec![json!(0); 3_000])),
    ]
}

/// A change to a document. The first field is the number of the changed node.
#[derive(Debug, Clone)]
enum Spoil {
    Replace(usize, Value),
    Remove(usize),
    Repeat(usize),
    Add(usize, String, Value),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    prop_oneof![
        4 => (any::<usize>(), odd_value()).prop_map(|(at, value)| Spoil::Replace(at, value)),
        2 => any::<usize>().prop_map(Spoil::Remove),
        1 => any::<usize>().prop_map(Spoil::Repeat),
        1 => (any::<usize>(), "[a-z_]{0,9}", odd_value()).prop_map(|(at, key, value)| Spoil::Add(at, key, value)),
    ]
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(fields) => fields.values().map(nodes).sum(),
        _ => 0,
    }
}

/// The node with this number; nodes are numbered from 0 in the order of the text.
fn node<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| node(item, number)),
        Value::Object(fields) => fields.values_mut().find_map(|field| node(field, number)),
        _ => None,
    }
}

fn apply(document: &mut Value, spoil: &Spoil) {
    let (Spoil::Replace(at, _) | Spoil::Remove(at) | Spoil::Repeat(at) | Spoil::Add(at, ..)) = spoil;
    let mut number = at % nodes(document);
    let Some(place) = node(document, &mut number) else { return };
    match (spoil, place) {
        (Spoil::Replace(_, value), place) => *place = value.clone(),
        (Spoil::Remove(at), Value::Array(items)) if !items.is_empty() => drop(items.remove(at % items.len())),
        (Spoil::Remove(at), Value::Object(fields)) if !fields.is_empty() => {
            let key = fields.keys().nth(at % fields.len()).expect("in range").clone();
            fields.remove(&key);
        }
        (Spoil::Repeat(_), Value::Array(items)) => items.extend(items.clone()),
        (Spoil::Add(_, key, value), Value::Object(fields)) => drop(fields.insert(key.clone(), value.clone())),
        _ => {}
    }
}

/// A malformed request: a document, its changes, and other oddities.
#[derive(Debug, Clone)]
struct Odd {
    document: usize,
    spoils: Vec<Spoil>,
    /// A body that replaces the document.
    raw: Option<Vec<u8>>,
    query: String,
    header: Option<(usize, Vec<u8>)>,
    method: usize,
}

fn odd() -> impl Strategy<Value = Odd> {
    (
        any::<usize>(),
        proptest::collection::vec(spoil(), 0..4),
        proptest::option::weighted(0.1, proptest::collection::vec(any::<u8>(), 0..300)),
        prop_oneof![6 => Just(String::new()), 1 => "[?][a-z=&%0-9.-]{0,30}"],
        proptest::option::weighted(0.1, (0..6_usize, proptest::collection::vec(any::<u8>(), 0..60))),
        prop_oneof![9 => Just(0_usize), 1 => 1..6_usize],
    )
        .prop_map(|(document, spoils, raw, query, header, method)| Odd {
            document,
            spoils,
            raw,
            query,
            header,
            method,
        })
}

/// A coordinator with an experiment, a tune and a study, its clock, and an administrator's token.
pub(crate) async fn opened(database: &Database) -> (Coordinator, Clock, String) {
    let (coordinator, clock) =
        open_with(database, |config| config.open_results = OpenResults::ToEverybody).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
    let foreign = [("games = 240", "games = 240\nstrategy = \"foreign\"")];
    coordinator.apply(&tuned(&foreign)).await.expect("apply");
    coordinator.begin_study(serde_json::from_str(STUDY).expect("a request"), "ada").await.expect("begun");
    let token = token(&coordinator, "admin").await.expect("token");
    (coordinator, clock, token)
}

/// The well-formed documents that clients send, with their methods and paths.
pub(crate) async fn documents(coordinator: &Coordinator) -> Vec<(Method, String, Value)> {
    let mut worker = Worker::new();
    let lease = worker.take(coordinator, 1).await.remove(0);
    let games = play_all(&lease, 7);
    let game = games[0].game;
    let mut sync = serde_json::to_value(worker.request(games, 2)).expect("JSON");
    sync["failed"] = json!([{ "lease": lease.id, "why": "no engine" }]);
    sync["labels"] = json!(["lab"]);
    let file = experiment("odd", vec![cell(600, 4, 2, 1.0), cell(600, 5, 2, 0.5)]);
    let other = experiment("one", vec![cell(600, 4, 2, 1.0)]);
    let post = |path: &str, value: Value| (Method::POST, path.to_owned(), value);
    let get = |path: &str| (Method::GET, path.to_owned(), Value::Object(Map::new()));
    vec![
        post("/api/v1/sync", sync.clone()),
        post("/api/v1/sync", sync),
        post("/api/v1/experiments", serde_json::to_value(file).expect("JSON")),
        post("/api/v1/experiments/one/retry", Value::Null),
        post(&format!("/api/v1/games/{game}/exclude"), json!({ "why": "hot", "lease": lease.id })),
        post(&format!("/api/v1/games/{game}/restore"), json!({ "lease": lease.id })),
        post("/api/v1/tokens", json!({ "name": "n", "scopes": "work read", "expires_in_ms": 1000 })),
        post("/api/v1/tokens/none/revoke", Value::Null),
        post("/api/v1/workers/directive", json!({ "machines": { "label": "lab" }, "directive": "pause" })),
        post(
            "/api/v1/workers/quarantine",
            json!({ "machines": { "label": "lab" }, "why": "its memory fails" }),
        ),
        post(
            "/api/v1/workers/exclude",
            json!({ "machines": { "named": "worker" }, "since_ms": 1000, "why": "it lies" }),
        ),
        post("/api/v1/workers/restore", json!({ "machines": { "token": "0123456789ab" } })),
        post("/api/v1/join-codes", json!({ "machines": 1, "expires_in_ms": 1000 })),
        post(
            "/api/v1/join",
            json!({ "code": "K7F3-9QXM-2TBD", "worker": lease.id, "name": "n", "token_sha256": "a".repeat(64) }),
        ),
        post("/api/v1/session", json!({ "token": "abc" })),
        post("/api/v1/join-codes/withdraw", json!({ "code": "K7F3-9QXM-2TBD" })),
        post("/api/v1/pages/0123456789ab/end", Value::Null),
        post("/api/v1/diff", serde_json::to_value(other).expect("JSON")),
        post("/api/v1/experiments/one/change", json!({ "weight": 2.5 })),
        post("/api/v1/experiments/one/change", json!({ "tags": { "add": ["lab"], "remove": ["old"] } })),
        post(
            "/api/v1/experiments/one/confirm",
            json!({ "case": "rave_k=500", "against": "uct", "sizes": [4] }),
        ),
        post(
            "/api/v1/experiments/one/promote",
            json!({ "case": "rave_k=500", "name": "best", "unconfirmed": true }),
        ),
        post(
            "/api/v1/experiments/tune/tune/points",
            json!({ "points": [{ "point": { "rave_k": 700, "keep_tree": true }, "size": 3 }] }),
        ),
        post("/api/v1/experiments/tune/tune/import", json!({ "experiment": "one" })),
        post("/api/v1/studies", serde_json::from_str(STUDY).expect("JSON")),
        post("/api/v1/studies/chess/ask", json!({ "count": 2, "key": "first" })),
        post(
            "/api/v1/studies/chess/tell",
            json!({ "results": [{ "number": 0, "wins": 1, "draws": 0, "losses": 1 }] }),
        ),
        post("/api/v1/studies/chess/change", json!({ "archived": true })),
        get("/api/v1/overview"),
        get("/api/v1/experiments/one"),
        get("/api/v1/experiments/one/games"),
        get(&format!("/api/v1/games/{game}")),
        get("/api/v1/audit"),
        get("/api/v1/self-test"),
    ]
}

fn request(
    (method, path, document): &(Method, String, Value),
    odd: &Odd,
    token: &str,
) -> Option<Request<Body>> {
    let mut document = document.clone();
    for spoil in &odd.spoils {
        apply(&mut document, spoil);
    }
    let body = odd.raw.clone().unwrap_or_else(|| serde_json::to_vec(&document).expect("JSON"));
    let methods = [method.clone(), Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS];
    let mut request = Request::builder()
        .method(methods[odd.method].clone())
        .uri(format!("{path}{}", odd.query))
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("sec-fetch-site", "same-origin")
        .body(Body::from(body))
        .ok()?;
    if let Some((which, value)) = &odd.header {
        let names = ["authorization", "content-type", "host", "cookie", "x-forwarded-for", "if-none-match"];
        request
            .headers_mut()
            .insert(HeaderName::from_static(names[*which]), HeaderValue::from_bytes(value).ok()?);
    }
    Some(request)
}

on_both_databases! {
    async fn whatever_is_sent_is_answered_and_nothing_breaks(database: Database) {
        let (coordinator, clock, token) = opened(&database).await;
        let documents = documents(&coordinator).await;
        let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(20_120_803), ..Config::default() });
        let mut answers = std::collections::BTreeMap::<u16, usize>::new();
        for number in 0..REQUESTS {
            let odd = odd().new_tree(&mut runner).expect("a value").current();
            let Some(request) = request(&documents[odd.document % documents.len()], &odd, &token) else { continue };
            // Time passes between requests, so that no rate limit applies.
            clock.advance(1_000);
            let place = format!("request {number}: {} {} {odd:?}", request.method(), request.uri());
            let response = call(&coordinator, request).await;
            let status = response.status();
            *answers.entry(status.as_u16()).or_default() += 1;
            assert!(!status.is_server_error(), "{place} is answered {status}");
            let content = content(response).await;
            if status.is_client_error() {
                let envelope = serde_json::from_slice::<protocol::sync::ErrorBody>(&content);
                assert!(envelope.is_ok(), "{place}: {}", String::from_utf8_lossy(&content));
            }
            if number % 100 == 0 {
                assert_verified(&coordinator).await;
            }
        }
        assert_verified(&coordinator).await;
        for expected in [StatusCode::OK, StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY, StatusCode::CONFLICT] {
            assert!(answers.contains_key(&expected.as_u16()), "the requests are too much alike: {answers:?}");
        }
    }
}
