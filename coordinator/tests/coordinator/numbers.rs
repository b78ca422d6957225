//! Numbers of requests: `5.0` is whole, and a number out of its limits is answered with the limits.

use crate::databases::on_both_databases;
use crate::fuzz::{documents, opened};
use crate::http::{bare, bearer, call, content, with_json};
use axum::http::{Request, StatusCode};
use coordinator::Coordinator;
use serde_json::{Value, json};

/// Every number of a query, with a value that it takes.
const QUERIES: [(&str, &str); 25] = [
    ("/api/v1/workers?offset=", "5"),
    ("/api/v1/workers?limit=", "5"),
    ("/api/v1/experiments/one?best=", "5"),
    ("/api/v1/experiments/one/analysis?size=", "4"),
    ("/api/v1/experiments/one/games?limit=", "5"),
    ("/api/v1/experiments/one/revisions/1/changes?since=", "1"),
    ("/api/v1/compare?left=one&right=one&left_revision=", "1"),
    ("/api/v1/compare?left=one&right=one&right_revision=", "1"),
    ("/api/v1/audit?before=", "5"),
    ("/api/v1/audit?limit=", "5"),
    ("/api/v1/games?min_plies=", "5"),
    ("/api/v1/games?max_plies=", "5"),
    ("/api/v1/games?min_expected=", "80"),
    ("/api/v1/games?since_ms=", "5"),
    ("/api/v1/games?until_ms=", "5"),
    ("/api/v1/games?limit=", "5"),
    ("/api/v1/games/by-move?limit=", "5"),
    ("/api/v1/games?size=", "5"),
    ("/api/v1/experiments/tune/tune/surface?x=rave_k&y=rave_k&size=", "5"),
    ("/api/v1/experiments/tune/tune/trials?from=", "5"),
    ("/api/v1/experiments/tune/tune/trials?limit=", "5"),
    ("/api/v1/studies/chess/points?from=", "5"),
    ("/api/v1/studies/chess/points?limit=", "5"),
    ("/api/v1/studies/chess/surface?x=margin&y=reduction&size=", "5"),
    ("/api/v1/games?limit=5&experiment=5.0&min_plies=", "5"),
];

async fn answer(coordinator: &Coordinator, request: Request<axum::body::Body>) -> (StatusCode, String) {
    let response = call(coordinator, request).await;
    let status = response.status();
    (status, String::from_utf8_lossy(&content(response).await).into_owned())
}

/// Whether a message says what a number may be.
fn says_limits(message: &str) -> bool {
    ["from ", "at most", "between", " to ", "above 0", "or more", "no more than", "only "]
        .iter()
        .any(|words| message.contains(words))
}

/// The places of the numbers of a document.
fn numbers(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(place.to_owned()),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(at, value)| numbers(value, &format!("{place}/{at}"), found));
        }
        Value::Object(values) => {
            values.iter().for_each(|(key, value)| numbers(value, &format!("{place}/{key}"), found));
        }
        _ => {}
    }
}

on_both_databases! {
    async fn every_number_of_a_query_may_be_a_whole_float_and_has_limits(database: Database) {
        let (coordinator, clock, token) = opened(&database).await;
        let get = |path: &str| bare(bearer(Request::get(path), &token));
        for (path, number) in QUERIES {
            clock.advance(10_000);
            let (plain, float) = (
                answer(&coordinator, get(&format!("{path}{number}"))).await,
                answer(&coordinator, get(&format!("{path}{number}.0"))).await,
            );
            assert_eq!(plain.0, float.0, "{path}: {} {}", plain.1, float.1);
            assert!(!float.1.contains("is not what this address takes"), "{path}: {}", float.1);
            let beyond = ["0", "1001"].into_iter().filter(|_| path.ends_with("limit="));
            for wrong in ["x", "", "5.5", "99999999999999999999", "1e300"].into_iter().chain(beyond) {
                let (status, message) = answer(&coordinator, get(&format!("{path}{wrong}"))).await;
                assert!(status.is_client_error() && says_limits(&message), "{path}{wrong}: {status} {message}");
            }
        }
        coordinator.close().await;
    }

    async fn every_number_of_a_body_has_limits_that_the_refusal_says(database: Database) {
        let (coordinator, clock, token) = opened(&database).await;
        let mut requests = documents(&coordinator).await;
        let post = |path: &str, body| (axum::http::Method::POST, path.to_owned(), body);
        requests.extend([
            post("/api/v1/experiments/one/confirm", json!({
                "case": "rave_k=500", "against": "uct", "alpha": 0.05, "beta": 0.05, "most_games": 100, "weight": 1,
                "hypotheses": { "elo": [0, 20] },
            })),
            post("/api/v1/tokens", json!({ "name": "m", "scopes": "work", "expires_in_ms": 100_000, "machines": 2 })),
        ]);
        let (mut tried, mut unclear) = (0, Vec::new());
        for (_, path, document) in requests {
            // Workers and the command line write these, people do not.
            if ["/api/v1/sync", "/api/v1/experiments", "/api/v1/diff"].contains(&path.as_str()) {
                continue;
            }
            let mut places = Vec::new();
            numbers(&document, "", &mut places);
            for place in places {
                for wrong in [json!(-7.5), json!(1e300), json!(-1e300), json!(u64::MAX)] {
                    clock.advance(10_000);
                    let mut body = document.clone();
                    *body.pointer_mut(&place).expect("a place") = wrong.clone();
                    let request = with_json(bearer(Request::post(&path), &token), &body);
                    let (status, message) = answer(&coordinator, request).await;
                    tried += 1;
                    // A conflict is about a name: the number was taken.
                    let is_taken = status.is_success() || status == StatusCode::CONFLICT;
                    if !(is_taken || (status.is_client_error() && says_limits(&message))) {
                        unclear.push(format!("{path} {place} = {wrong}: {status} {message}"));
                    }
                }
            }
        }
        assert!(tried > 60 && unclear.is_empty(), "{tried} tried; without limits:\n{}", unclear.join("\n"));
        coordinator.close().await;
    }
}
