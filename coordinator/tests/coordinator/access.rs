//! Tokens, scopes, join codes and page sessions: which calls are allowed and which are refused.

use crate::databases::{Database, on_both_databases};
use crate::http::{bare, bearer, call, content, status, with_json, with_text};
use crate::play::{Worker, assert_verified, cell, experiment, open, open_with, play_all, token};
use axum::http::{Method, Request, StatusCode, header};
use coordinator::{Coordinator, CoordinatorError, OpenResults};
use protocol::access::{JoinCodeRequest, JoinRequest, Scope, Session, TokenRequest, WithdrawRequest};
use protocol::ids::WorkerId;
use protocol::sync::{Ack, AckStatus, SyncRequest, SyncResponse};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

async fn read_with(coordinator: &Coordinator, token: &str) -> StatusCode {
    status(coordinator, bare(bearer(Request::get("/api/v1/overview"), token))).await
}

fn joining(code: &str, digest: char) -> JoinRequest {
    let token_sha256 = String::from(digest).repeat(64);
    JoinRequest { code: code.into(), worker: WorkerId::random(), name: "node7".into(), token_sha256 }
}

/// The stored digest of a secret.
fn digest(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn id_of(secret: &str) -> String {
    digest(secret)[..12].to_owned()
}

/// A worker's HTTP call with a token.
async fn sync(
    coordinator: &Coordinator,
    token: &str,
    request: SyncRequest,
) -> Result<SyncResponse, StatusCode> {
    let answer = call(coordinator, with_json(bearer(Request::post("/api/v1/sync"), token), &request)).await;
    match answer.status() {
        StatusCode::OK => Ok(serde_json::from_slice(&content(answer).await).expect("an answer")),
        refused => Err(refused),
    }
}

async fn code(coordinator: &Coordinator, machines: u32) -> String {
    let request = JoinCodeRequest { machines, expires_in_ms: 60_000 };
    coordinator.create_join_code(request, "ada").await.expect("a code").code
}

on_both_databases! {
    async fn a_revoked_token_is_worth_nothing_at_once_and_everywhere(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let (other, others_clock) = open(&database).await;
        let (one, two) = (token(&coordinator, "read").await.expect("token"), token(&other, "read").await.expect("token"));
        for coordinator in [&coordinator, &other] {
            assert_eq!(read_with(coordinator, &one).await, StatusCode::OK);
            assert_eq!(read_with(coordinator, &two).await, StatusCode::OK);
        }
        let request = TokenRequest { name: "test".into(), scopes: Scope::Read.into(), expires_in_ms: None, machines: None };
        let error = other.create_token(request, "ada").await.expect_err("a valid token is called so").to_string();
        let lines = coordinator.tokens().await.expect("tokens");
        let first = lines.iter().find(|line| line.name == "test").expect("the first");
        assert!(lines.len() == 2 && error.contains(&first.id), "{error}");
        let second = lines.iter().find(|line| line.id != first.id).expect("the second");
        let gone = other.revoke_token(&second.id, "ada").await.expect("revoked");
        assert!(gone.revoked_ms.is_some());
        let at_once = [read_with(&other, &one).await, read_with(&other, &two).await];
        assert_eq!(at_once.iter().filter(|status| **status == StatusCode::UNAUTHORIZED).count(), 1, "{at_once:?}");
        clock.advance(1_000);
        let answers = [read_with(&coordinator, &one).await, read_with(&coordinator, &two).await];
        assert_eq!(answers.iter().filter(|status| **status == StatusCode::UNAUTHORIZED).count(), 1, "{answers:?}");
        coordinator.revoke_token("test", "ada").await.expect("the one of that name");
        others_clock.advance(1_000);
        for token in [&one, &two] {
            assert_eq!(read_with(&coordinator, token).await, StatusCode::UNAUTHORIZED);
            assert_eq!(read_with(&other, token).await, StatusCode::UNAUTHORIZED);
        }
        for key in ["test", second.id.as_str()] {
            let before = coordinator.revoke_token(key, "ada").await.expect_err("revoked").to_string();
            assert!(before.contains("was revoked before"), "{before}");
        }
        let none = coordinator.revoke_token("nobody", "ada").await.expect_err("none is called so");
        assert!(matches!(none, CoordinatorError::NotFound { .. }), "{none}");
        assert_eq!(coordinator.tokens().await.expect("tokens").len(), 2, "revoked ones stay in the list");
    }

    async fn a_token_ends_at_its_time(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let request =
            TokenRequest { name: "guest".into(), scopes: Scope::Read.into(), expires_in_ms: Some(1_000), machines: None };
        let made = coordinator.create_token(request, "ada").await.expect("token");
        clock.advance(999);
        assert_eq!(read_with(&coordinator, &made.token).await, StatusCode::OK);
        clock.advance(1);
        assert_eq!(read_with(&coordinator, &made.token).await, StatusCode::UNAUTHORIZED);
    }

    async fn a_withdrawn_code_lets_nobody_in_and_those_that_joined_stay(database: Database) {
        let (coordinator, _) = open(&database).await;
        let lost = code(&coordinator, 3).await;
        let own = code(&coordinator, 3).await;
        let first = joining(&lost, 'a');
        coordinator.join(first.clone()).await.expect("joined");
        let withdraw = |code: Option<&str>| {
            coordinator.withdraw_codes(WithdrawRequest { code: code.map(str::to_owned) }, "ada")
        };
        assert_eq!(withdraw(Some(&lost.to_lowercase())).await.expect("withdrawn").codes, 1);
        coordinator.join(joining(&lost, 'b')).await.expect_err("it is withdrawn");
        coordinator.join(first).await.expect("its answer may have been lost");
        coordinator.join(joining(&own, 'c')).await.expect("another code");
        withdraw(Some(&lost)).await.expect_err("it is not valid any more");
        withdraw(Some("K7F3-9QXM-2TBD")).await.expect_err("it never was");
        assert_eq!(withdraw(None).await.expect("withdrawn").codes, 1);
        coordinator.join(joining(&own, 'd')).await.expect_err("all are withdrawn");
        assert_eq!(withdraw(None).await.expect("withdrawn").codes, 0);
    }

    async fn a_code_lets_in_as_many_machines_as_it_is_for_each_as_often_as_it_asks(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let both = code(&coordinator, 2).await;
        let (first, second, third) = (joining(&both, 'a'), joining(&both.to_lowercase(), 'b'), joining(&both, 'c'));
        let joined = coordinator.join(first.clone()).await.expect("joined");
        coordinator.join(second).await.expect("joined");
        coordinator.join(third.clone()).await.expect_err("that was all");
        assert_eq!(coordinator.join(first.clone()).await.expect("again"), joined, "its answer may have been lost");
        let other = code(&coordinator, 1).await;
        coordinator.join(JoinRequest { code: other, ..first.clone() }).await.expect_err("its token came by another");
        let lines = coordinator.tokens().await.expect("tokens");
        assert!(lines.iter().all(|line| line.scopes == Scope::Work.into() && line.name == "node7"), "{lines:?}");
        coordinator.revoke_token(&joined.id, "ada").await.expect("revoked");
        coordinator.join(first).await.expect_err("a revoked machine does not come back by itself");
        let many = code(&coordinator, 5).await;
        let joined = coordinator.join(joining(&many, 'e')).await.expect("joined");
        coordinator.revoke_token(&joined.id, "ada").await.expect("revoked");
        coordinator.join(joining(&many, 'f')).await.expect_err("a revoked machine knows the code, which ends with its token");

        let late = code(&coordinator, 1).await;
        clock.advance(60_001);
        coordinator.join(joining(&late, 'd')).await.expect_err("too late");
        let notes = coordinator.audit(None, 99).await.expect("audit").entries;
        assert_eq!(notes.iter().filter(|entry| entry.action == "join").count(), 3);
    }

    async fn of_many_machines_that_show_one_code_at_once_one_gets_in(database: Database) {
        let (coordinator, _) = open(&database).await;
        let (other, _) = open(&database).await;
        let code = code(&coordinator, 1).await;
        let calls = "0123456789abcdef".chars().enumerate().map(|(index, digest)| {
            let coordinator = if index % 2 == 0 { &coordinator } else { &other };
            coordinator.join(joining(&code, digest))
        });
        let answers = futures_util::future::join_all(calls).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
        assert_eq!(coordinator.tokens().await.expect("tokens").len(), 1);
    }

    async fn the_machines_of_one_token_cannot_take_everything_before_they_deliver(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4_000, 1.0)])).await.expect("apply");
        let one = token(&coordinator, "work").await.expect("token");
        let mut taken = 0;
        for _ in 0..6 {
            let hoarder = Worker { slots: 1024, ..Worker::new() };
            let Ok(answer) = sync(&coordinator, &one, hoarder.request(Vec::new(), 1024)).await else { break };
            taken += answer.leases.len();
        }
        assert!((256..=1024).contains(&taken), "{taken}");
        let other = token(&coordinator, "work").await.expect("token");
        let honest = sync(&coordinator, &other, Worker::new().request(Vec::new(), 100)).await.expect("let in");
        assert_eq!(honest.leases.len(), 100);
    }

    async fn what_workers_hold_is_free_at_once_when_the_token_they_call_with_is_revoked(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let (other, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let (shared, own) = (token(&coordinator, "work").await.expect("token"), token(&coordinator, "work").await.expect("token"));
        let (mut one, mut two, mut three) = (Worker::new(), Worker::new(), Worker::new());
        let mut taken = Vec::new();
        for (worker, token) in [(&mut one, &shared), (&mut two, &shared), (&mut three, &own)] {
            let leases = sync(&coordinator, token, worker.request(Vec::new(), 1)).await.expect("let in").leases;
            worker.hold(&leases);
            taken.extend(leases);
        }
        other.revoke_token(&id_of(&shared), "ada").await.expect("revoked");
        let mut heir = Worker::new();
        let heritage = heir.take(&other, 9).await;
        let pairs: BTreeSet<u32> = heritage.iter().map(|lease| lease.pair).collect();
        assert_eq!(pairs, [taken[0].pair, taken[1].pair, 3].into(), "nobody waits for what they hold");

        // A coordinator may use its knowledge of a token for up to a second.
        clock.advance(1_000);
        let late = play_all(&taken[0], 1);
        let refused = sync(&coordinator, &shared, one.request(late.clone(), 1)).await;
        assert_eq!(refused.expect_err("revoked"), StatusCode::UNAUTHORIZED);
        let kept = sync(&coordinator, &own, three.request(Vec::new(), 0)).await.expect("let in");
        assert_eq!(kept.revoked, [], "its token is another");
        sync(&coordinator, &own, three.request(play_all(&taken[2], 2), 0)).await.expect("let in");
        // With a valid token the late games are stored. They do not count, because the heir holds the pair now.
        let again = token(&coordinator, "work").await.expect("token");
        let welcome = sync(&coordinator, &again, one.request(late, 0)).await.expect("let in");
        assert_eq!(welcome.revoked, [taken[0].id]);
        let counted = |acks: &[Ack]| acks.iter().filter(|ack| ack.status == AckStatus::Accepted).count();
        assert_eq!(counted(&welcome.acks), 0);
        let played = heritage.iter().flat_map(|lease| play_all(lease, 3)).collect();
        let inherited = heir.report(&other, played).await;
        assert_eq!(inherited.iter().filter(|status| **status == AckStatus::Accepted).count(), 6, "none is doubled");
        assert_eq!(coordinator.overview().await.expect("overview").experiments[0].games_done, 8, "none is lost");
        assert_verified(&coordinator).await;
    }

    async fn a_machine_keeps_to_its_token_until_that_is_revoked(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut machine = Worker::new();
        let code = code(&coordinator, 2).await;
        let mut joined = Vec::new();
        for secret in ["first", "second"] {
            let token_sha256 = digest(secret);
            let request = JoinRequest { worker: machine.id, token_sha256, ..joining(&code, 'a') };
            joined.push(coordinator.join(request).await.expect("joined").id);
        }
        let leases = sync(&coordinator, "first", machine.request(Vec::new(), 2)).await.expect("let in").leases;
        assert_eq!(leases.len(), 2);
        machine.hold(&leases);
        let refused = sync(&coordinator, "second", machine.request(Vec::new(), 0)).await;
        assert_eq!(refused.expect_err("it belongs to the first"), StatusCode::FORBIDDEN);
        let kept = sync(&coordinator, "first", machine.request(Vec::new(), 0)).await.expect("let in");
        assert_eq!(kept.revoked, [], "the other call changed nothing");
        coordinator.revoke_token(&joined[0], "ada").await.expect("revoked");
        machine.held.clear();
        let leases = sync(&coordinator, "second", machine.request(Vec::new(), 2)).await.expect("let in").leases;
        assert_eq!(leases.len(), 2);
        coordinator.revoke_token(&joined[1], "ada").await.expect("revoked");
        assert_eq!(Worker::new().take(&coordinator, 9).await.len(), 2, "nobody waits for what it holds");
        assert_verified(&coordinator).await;
    }

}

#[tokio::test]
async fn every_route_needs_its_scope_and_no_other_will_do() {
    let database = Database::sqlite();
    let (coordinator, _) = open_with(&database, |config| config.open_results = OpenResults::ToNobody).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    let mut tokens = Vec::new();
    for scope in Scope::ALL {
        tokens.push((scope, token(&coordinator, &scope.to_string()).await.expect("token")));
    }
    let game = "00000000-0000-4000-8000-000000000000";
    let routes = [
        (Scope::Work, "POST", "/api/v1/sync".to_owned()),
        (Scope::Work, "GET", "/api/v1/self-test".into()),
        (Scope::Read, "GET", "/api/v1/overview".into()),
        (Scope::Read, "GET", "/api/v1/alarms".into()),
        (Scope::Read, "GET", "/api/v1/control".into()),
        (Scope::Read, "GET", "/api/v1/news".into()),
        (Scope::Read, "GET", "/api/v1/workers".into()),
        (Scope::Read, "GET", "/api/v1/workers/one".into()),
        (Scope::Read, "GET", "/api/v1/compare?left=one&right=one".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one.csv".into()),
        (Scope::Read, "GET", "/api/v1/experiments".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/history".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/tune".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/tune/trials".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/tune/surface?x=a&y=b".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/tune/points".into()),
        (Scope::Read, "GET", "/api/v1/studies".into()),
        (Scope::Read, "GET", "/api/v1/studies/one".into()),
        (Scope::Read, "GET", "/api/v1/studies/one/points".into()),
        (Scope::Read, "GET", "/api/v1/studies/one/played".into()),
        (Scope::Read, "GET", "/api/v1/studies/one/surface?x=a&y=b".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/revisions/1".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/revisions/1/changes".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/analysis".into()),
        (Scope::Read, "GET", "/api/v1/experiments/one/games".into()),
        (Scope::Read, "GET", format!("/api/v1/cells/{game}")),
        (Scope::Read, "GET", format!("/api/v1/cells/{game}/running")),
        (Scope::Read, "GET", "/api/v1/experiments/one/bundle".into()),
        (Scope::Read, "GET", "/api/v1/games".to_owned()),
        (Scope::Read, "GET", "/api/v1/games/by-move".to_owned()),
        (Scope::Read, "GET", "/api/v1/games/in-play".to_owned()),
        (Scope::Read, "GET", format!("/api/v1/games/in-play/{game}")),
        (Scope::Read, "GET", format!("/api/v1/games/{game}")),
        (Scope::Read, "GET", format!("/api/v1/games/{game}/view")),
        (Scope::Read, "GET", format!("/api/v1/games/{game}/sgf")),
        (Scope::Read, "GET", "/api/v1/events".into()),
        (Scope::Read, "GET", "/api/v1/why/one".into()),
        (Scope::Read, "GET", "/metrics".into()),
        (Scope::Experiment, "POST", "/api/v1/experiments".into()),
        (Scope::Experiment, "POST", "/api/v1/diff".into()),
        (Scope::Experiment, "POST", "/api/v1/experiments/one/change".into()),
        (Scope::Experiment, "POST", "/api/v1/experiments/one/confirm".into()),
        (Scope::Experiment, "POST", "/api/v1/experiments/one/tune/points".into()),
        (Scope::Experiment, "POST", "/api/v1/experiments/one/tune/import".into()),
        (Scope::Experiment, "POST", "/api/v1/experiments/one/promote".into()),
        (Scope::Experiment, "POST", "/api/v1/studies".into()),
        (Scope::Experiment, "POST", "/api/v1/studies/one/ask".into()),
        (Scope::Experiment, "POST", "/api/v1/studies/one/tell".into()),
        (Scope::Experiment, "POST", "/api/v1/studies/one/change".into()),
        (Scope::Read, "GET", "/api/v1/baselines".into()),
        (Scope::Read, "GET", "/api/v1/baselines/best".into()),
        (Scope::Admin, "POST", "/api/v1/experiments/one/retry".into()),
        (Scope::Admin, "POST", format!("/api/v1/games/{game}/exclude")),
        (Scope::Admin, "POST", format!("/api/v1/games/{game}/restore")),
        (Scope::Admin, "GET", "/api/v1/audit".into()),
        (Scope::Admin, "GET", "/api/v1/tokens".into()),
        (Scope::Admin, "POST", "/api/v1/tokens".into()),
        (Scope::Admin, "POST", "/api/v1/tokens/none/revoke".into()),
        (Scope::Admin, "POST", "/api/v1/join-codes".into()),
        (Scope::Admin, "POST", "/api/v1/join-codes/withdraw".into()),
        (Scope::Admin, "GET", "/api/v1/pages".into()),
        (Scope::Admin, "POST", format!("/api/v1/pages/{game}/end")),
        (Scope::Admin, "POST", "/api/v1/workers/directive".into()),
        (Scope::Admin, "POST", "/api/v1/workers/quarantine".into()),
        (Scope::Admin, "POST", "/api/v1/workers/exclude".into()),
        (Scope::Admin, "POST", "/api/v1/workers/restore".into()),
    ];
    for (needed, method, path) in &routes {
        let request = || Request::builder().method(*method).uri(path);
        assert_eq!(status(&coordinator, bare(request())).await, StatusCode::UNAUTHORIZED, "{path}");
        let wrong = bare(bearer(request(), &"0".repeat(64)));
        assert_eq!(status(&coordinator, wrong).await, StatusCode::UNAUTHORIZED, "{path}");
        for (scope, token) in &tokens {
            let answer = status(&coordinator, bare(bearer(request(), token))).await;
            let contains = [(Scope::Admin, *needed), (*needed, *needed), (Scope::Experiment, Scope::Read)];
            if contains.contains(&(*scope, *needed)) {
                assert!(
                    ![StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&answer),
                    "{scope} at {path}: {answer}"
                );
            } else {
                assert_eq!(answer, StatusCode::FORBIDDEN, "{scope} at {path}");
            }
        }
    }
    // The list above must contain every route of the source.
    let source = include_str!("../../src/http/api.rs").split("mod tests").next().expect("a first part");
    let open = ["/api/v1/join", "/api/v1/session", "/api/{*rest}", "/healthz", "/readyz", "/livez"];
    for route in source.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1)) {
        let fill = route.replace("{key}/revoke", "none/revoke").replace("{key}", "one");
        let fill = fill.replace("{number}", "1").replace("{name}", "best");
        let fill = fill.replace("{id}", game).replace("{lease}", game);
        let is_listed = |path: &String| path.split('?').next() == Some(&fill);
        let listed = routes.iter().any(|(_, _, path)| is_listed(path)) || open.contains(&route);
        assert!(listed, "{route} is in no list");
    }
}

#[tokio::test]
async fn results_are_open_to_this_machine_only_under_its_own_name() {
    let database = Database::sqlite();
    let (coordinator, _) =
        open_with(&database, |config| config.open_results = OpenResults::ToThisMachine).await;
    let read = async |coordinator: &Coordinator, headers: &[(&str, &str)]| {
        let request =
            headers.iter().fold(Request::get("/api/v1/overview"), |r, (name, value)| r.header(*name, *value));
        status(coordinator, bare(request)).await
    };
    assert_eq!(read(&coordinator, &[("host", "127.0.0.1:8437")]).await, StatusCode::OK);
    assert_eq!(read(&coordinator, &[("host", "[::ffff:127.0.0.1]:8437")]).await, StatusCode::OK);
    for headers in [
        &[("host", "evil.example")][..],
        &[],
        &[("host", "localhost"), ("host", "localhost")],
        &[("host", "localhost"), ("x-forwarded-for", "1.2.3.4")],
    ] {
        assert_eq!(read(&coordinator, headers).await, StatusCode::UNAUTHORIZED, "{headers:?}");
    }
    let (open, _) = open_with(&database, |config| config.open_results = OpenResults::ToEverybody).await;
    assert_eq!(read(&open, &[("host", "tune.example")]).await, StatusCode::OK);
    let request = bare(Request::get("/api/v1/audit").header("host", "localhost"));
    assert_eq!(status(&open, request).await, StatusCode::UNAUTHORIZED, "results, and nothing else");
}

#[tokio::test]
async fn a_page_signs_in_with_a_token_and_other_sites_pages_do_nothing_in_its_name() {
    let database = Database::sqlite();
    let (coordinator, _) = open_with(&database, |config| config.open_results = OpenResults::ToNobody).await;
    let token = token(&coordinator, "admin").await.expect("token");
    let sign_in = |site: &str, token: &str| {
        let request = Request::post("/api/v1/session").header("sec-fetch-site", site);
        with_json(request, &serde_json::json!({ "token": token }))
    };
    assert_eq!(status(&coordinator, sign_in("cross-site", &token)).await, StatusCode::FORBIDDEN);
    assert_eq!(status(&coordinator, sign_in("same-origin", "wrong")).await, StatusCode::UNAUTHORIZED);
    let answer = call(&coordinator, sign_in("same-origin", &token)).await;
    let set = answer.headers()[header::SET_COOKIE].to_str().expect("ASCII").to_owned();
    for part in ["HttpOnly", "SameSite=Strict"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Path"), "it goes with calls of this API alone, behind any prefix: {set}");
    let session: Session = serde_json::from_slice(&content(answer).await).expect("a session");
    assert_eq!((session.name.as_deref(), session.scopes), (Some("test"), Scope::Admin.into()));

    let cookie = set.split(';').next().expect("a cookie").to_owned();
    let with_cookie = |method: Method, path: &str, site: Option<&str>| {
        let request = Request::builder().method(method).uri(path).header(header::COOKIE, &cookie);
        let request = site.into_iter().fold(request, |request, site| request.header("sec-fetch-site", site));
        with_json(request, &serde_json::json!({ "machines": 1, "expires_in_ms": 1000 }))
    };
    for (method, path, site, expected) in [
        (Method::GET, "/api/v1/overview", None, StatusCode::OK),
        (Method::POST, "/api/v1/join-codes", Some("same-origin"), StatusCode::OK),
        (Method::POST, "/api/v1/join-codes", Some("cross-site"), StatusCode::FORBIDDEN),
        (Method::POST, "/api/v1/join-codes", Some("same-site"), StatusCode::FORBIDDEN),
        (Method::POST, "/api/v1/join-codes", None, StatusCode::FORBIDDEN),
    ] {
        assert_eq!(status(&coordinator, with_cookie(method, path, site)).await, expected, "{path} {site:?}");
    }
    assert!(!cookie.contains(&token), "it holds no token");
    let secret = cookie.split_once('=').expect("a value").1;
    assert_eq!(read_with(&coordinator, secret).await, StatusCode::UNAUTHORIZED, "it is none");
    let raw = Request::get("/api/v1/overview").header(header::COOKIE, format!("gauntlet_page={token}"));
    assert_eq!(status(&coordinator, bare(raw)).await, StatusCode::UNAUTHORIZED, "and a token is no cookie");
    let out = Request::delete("/api/v1/session").header("sec-fetch-site", "same-origin");
    let answer = call(&coordinator, bare(out)).await;
    for gone in answer.headers().get_all(header::SET_COOKIE) {
        assert!(gone.to_str().expect("ASCII").contains("Max-Age=0"));
    }
    coordinator.revoke_token("test", "ada").await.expect("revoked");
    let after = status(&coordinator, with_cookie(Method::GET, "/api/v1/overview", None)).await;
    assert_eq!(after, StatusCode::UNAUTHORIZED, "a cookie is worth what its token is");
}

#[tokio::test]
async fn people_are_slowed_down_and_workers_are_not() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let token = token(&coordinator, "work").await.expect("token");
    let mut answers = Vec::new();
    for _ in 0..502 {
        answers.push(status(&coordinator, bare(Request::get("/api/v1/session"))).await);
    }
    assert!(answers[..500].iter().all(|status| *status == StatusCode::OK));
    assert_eq!(answers[501], StatusCode::TOO_MANY_REQUESTS);
    let sync =
        with_json(bearer(Request::post("/api/v1/sync"), &token), &Worker::new().request(Vec::new(), 0));
    assert_eq!(status(&coordinator, sync).await, StatusCode::OK);
}

#[tokio::test]
async fn every_answer_forbids_browsers_whatever_it_does_not_need() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    for path in ["/", "/api/v1/overview", "/api/v1/nothing", "/api/v1/audit", "/healthz", "/gone.js"] {
        let answer = call(&coordinator, bare(Request::get(path))).await;
        let header =
            |name: &str| answer.headers().get(name).map(|value| value.to_str().expect("ASCII").to_owned());
        let policy = header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
        assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"), "{path}");
        if path.starts_with("/api") {
            assert_eq!(header("cache-control").as_deref(), Some("no-store"), "{path}");
        }
    }
}

#[tokio::test]
async fn what_is_sent_is_as_small_as_it_should_be() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let token = token(&coordinator, "admin").await.expect("token");
    for (path, most) in [
        ("/api/v1/join", 64 << 10),
        ("/api/v1/session", 64 << 10),
        ("/api/v1/tokens", 64 << 10),
        ("/api/v1/experiments", 16 << 20),
    ] {
        for (length, expected) in [(most, StatusCode::BAD_REQUEST), (most + 1, StatusCode::PAYLOAD_TOO_LARGE)]
        {
            let request = with_text(bearer(Request::post(path), &token), " ".repeat(length));
            assert_eq!(status(&coordinator, request).await, expected, "{path} with {length} bytes");
        }
    }
}

#[tokio::test]
async fn a_token_of_this_process_is_stored_nowhere() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let token = coordinator.token_of_this_process("gauntlet run", Scope::Work);
    let sync = || {
        let request = Worker::new().request(Vec::new(), 0);
        with_json(bearer(Request::post("/api/v1/sync"), token.reveal()), &request)
    };
    assert_eq!(status(&coordinator, sync()).await, StatusCode::OK);
    assert_eq!(read_with(&coordinator, token.reveal()).await, StatusCode::OK, "results are open here");
    assert!(coordinator.tokens().await.expect("tokens").is_empty());
    let (other, _) = open(&database).await;
    assert_eq!(status(&other, sync()).await, StatusCode::UNAUTHORIZED);
}
