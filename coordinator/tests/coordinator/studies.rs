//! Studies: other programs ask for points and tell results. The log is all there is.

use crate::databases::on_both_databases;
use crate::http::{bearer, text, with_text};
use crate::play::{Random, assert_verified, open, token};
use axum::http::{Request, StatusCode};
use coordinator::Coordinator;
use protocol::study::{AskRequest, AskedPoint, StudyRequest, StudyStatus, TellRequest, ToldResult};
use tuner::Value;

pub(crate) const STUDY: &str = r#"{
    "name": "chess",
    "games": 400,
    "parameters": [
        {"name": "null move", "kind": "flag"},
        {"name": "margin", "kind": "real", "low": 1, "high": 1000, "scale": "log"},
        {"name": "reduction", "kind": "whole", "low": 1, "high": 5, "only_if": {"parameter": "null move", "values": [true]}}
    ],
    "sizes": [{"size": 1, "weight": 1}, {"size": 2, "weight": 3}]
}"#;

pub(crate) fn study(changes: &[(&str, &str)]) -> StudyRequest {
    let text = changes.iter().fold(STUDY.to_owned(), |text, (from, to)| text.replacen(from, to, 1));
    serde_json::from_str(&text).expect("a request")
}

pub(crate) async fn ask(coordinator: &Coordinator, count: u32, key: Option<&str>) -> Vec<AskedPoint> {
    let request = AskRequest { count, key: key.map(str::to_owned) };
    coordinator.ask_study("chess", request).await.expect("points").points
}

/// A pair of games of a program that plays best without null moves at a margin of 100.
pub(crate) fn play(point: &AskedPoint, random: &mut Random) -> ToldResult {
    let Value::Real(margin) = point.point["margin"] else { panic!("{point:?}") };
    let null = point.point["null move"] == Value::Flag(true);
    let chance = 0.7 - 0.15 * (margin / 100.0).log10().powi(2) - if null { 0.2 } else { 0.0 };
    let wins = (0..2).filter(|_| (random.below(1000) as f64) < 1000.0 * chance).count() as u32;
    ToldResult { number: point.number, wins, losses: 2 - wins, ..ToldResult::default() }
}

pub(crate) async fn tell(coordinator: &Coordinator, results: &[ToldResult]) -> (u64, u64) {
    let request = TellRequest { results: results.to_vec() };
    let told = coordinator.tell_study("chess", request).await.expect("told");
    (told.new, told.repeated)
}

async fn refused(coordinator: &Coordinator, results: &[ToldResult]) -> String {
    let request = TellRequest { results: results.to_vec() };
    coordinator.tell_study("chess", request).await.expect_err("refused").to_string()
}

pub(crate) async fn status(coordinator: &Coordinator) -> StudyStatus {
    loop {
        let status = coordinator.study_status("chess").await.expect("a study");
        if status.course_is_complete {
            return status;
        }
        tokio::task::yield_now().await;
    }
}

on_both_databases! {
    async fn no_study_takes_what_is_meant_for_the_id_of_another(database: Database) {
        let (coordinator, _) = open(&database).await;
        let id = coordinator.begin_study(study(&[]), "ada").await.expect("begun").id.to_string();
        let named = |name: &str| coordinator.begin_study(study(&[("chess", name)]), "eve");
        for name in [id.clone(), id.replace('-', ""), id.to_uppercase(), format!("{{{id}}}"), format!(" {id}")] {
            let refused = named(&name).await.expect_err("refused").to_string();
            assert!(refused.contains("which is written as ids are"), "{name}: {refused}");
        }
        // The digits that lists show may be meant as the id or as the name, so they mean neither.
        let short = &id[..8];
        assert_eq!(coordinator.study_status(short).await.expect("a study").summary.name, "chess");
        let other = named(short).await.expect("begun").id.to_string();
        let unclear = coordinator.study_status(short).await.map(drop).expect_err("two").to_string();
        assert!(unclear.contains(&id) && unclear.contains(&other), "{unclear}");
        let request = AskRequest { count: 1, key: None };
        coordinator.ask_study(short, request.clone()).await.expect_err("two");
        coordinator.ask_study(&id, request).await.expect("points");
        assert_eq!(coordinator.study_status(&id).await.expect("a study").summary.asked, 1);
        assert_eq!(coordinator.study_status(&other).await.expect("a study").summary.asked, 0);
        // Fewer digits are a name like any other.
        named("1000").await.expect("begun");
        assert_eq!(coordinator.study_status("1000").await.expect("a study").summary.name, "1000");
    }

    async fn a_study_is_tuned_by_results_in_any_order_and_survives_every_restart(database: Database) {
        let (mut coordinator, _) = open(&database).await;
        coordinator.begin_study(study(&[]), "ada").await.expect("begun");
        let (mut random, mut waiting) = (Random(7), Vec::new());
        for round in 0.. {
            let asked = ask(&coordinator, 16, None).await;
            waiting.extend(asked);
            if waiting.is_empty() {
                break;
            }
            let some = 1 + random.below(waiting.len());
            let results: Vec<ToldResult> = (0..some)
                .map(|_| play(&waiting.swap_remove(random.below(waiting.len())), &mut random))
                .collect();
            assert_eq!(tell(&coordinator, &results).await, (some as u64, 0));
            if round % 4 == 1 {
                // Nothing is closed: whatever was answered is in the database.
                let before = status(&coordinator).await;
                coordinator = open(&database).await.0;
                assert_eq!(status(&coordinator).await, before);
                let page = coordinator.study_points("chess", (0, 1000), true).await.expect("points");
                let mut numbers: Vec<u64> = waiting.iter().map(|point| point.number).collect();
                numbers.sort_unstable();
                assert_eq!(page.points.iter().map(|point| point.number).collect::<Vec<_>>(), numbers);
            }
        }
        let done = status(&coordinator).await;
        assert_eq!((done.summary.asked, done.summary.told), (200, 200));
        assert_eq!((done.summary.games_told, done.summary.games_left, done.results_seen), (400, 0, 200));
        let [best] = &done.recommendations[..] else { panic!("{done:?}") };
        assert_eq!(best.point["null move"], Value::Flag(false), "{best:?}");
        let Value::Real(margin) = best.point["margin"] else { panic!("{best:?}") };
        assert!((20.0..500.0).contains(&margin), "{margin}");
        assert_eq!(best.responses.len(), 3);
        assert!(ask(&coordinator, 10, None).await.is_empty(), "an empty list is the end");
        let page = coordinator.study_points("chess", (190, 1000), false).await.expect("points");
        let sizes = page.points.iter().filter(|point| point.size == Some(2)).count();
        assert!((7..=8).contains(&sizes), "three points of four are on size 2");
        assert_verified(&coordinator).await;
    }

    async fn what_is_repeated_is_answered_alike_and_what_contradicts_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        let begun = coordinator.begin_study(study(&[]), "ada").await.expect("begun");
        assert_eq!(coordinator.begin_study(study(&[]), "bob").await.expect("the same"), begun);
        let other = coordinator.begin_study(study(&[("400", "402")]), "ada").await.expect_err("another").to_string();
        assert!(other.contains("another study `chess`"), "{other}");

        let first = ask(&coordinator, 3, Some("one")).await;
        assert_eq!(first.iter().map(|point| point.number).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(ask(&coordinator, 3, Some("one")).await, first, "a call with a name is repeated");
        assert_eq!(ask(&coordinator, 1, Some("two")).await[0].number, 3);
        let again = open(&database).await.0;
        assert_eq!(ask(&again, 3, Some("one")).await, first, "also by another coordinator");

        let result = |number, wins, losses| ToldResult { number, wins, losses, ..ToldResult::default() };
        assert_eq!(tell(&coordinator, &[result(1, 2, 0), result(1, 2, 0)]).await, (1, 1));
        assert_eq!(tell(&again, &[result(1, 2, 0), result(2, 0, 2)]).await, (1, 1));
        let told = refused(&coordinator, &[result(0, 1, 1), result(2, 1, 1)]).await;
        assert_eq!(told, "these points have another result already, which the same result with \"failed\": true takes back: 2 has 0 wins, 0 draws, 2 losses");
        let told = refused(&coordinator, &[result(0, 1, 1), result(0, 2, 0)]).await;
        assert!(told.contains("0 has 1 wins, 0 draws, 1 losses"), "{told}");
        let told = refused(&coordinator, &[result(0, 1, 1), result(7, 1, 1), result(9, 1, 1)]).await;
        assert_eq!(told, "no point has the number 7; 9: `chess` has given 4 points, from number 0 on");
        let told = refused(&coordinator, &[result(0, 0, 0)]).await;
        assert_eq!(told, "a result has games, or \"failed\": true, unlike that of point 0");
        let status = status(&coordinator).await;
        assert_eq!((status.summary.told, status.summary.games_left), (2, 400 - 4 - 2 * 2), "nothing of these was stored");

        coordinator.archive_study("chess", true, "ada").await.expect("archived");
        let request = AskRequest { count: 1, key: None };
        let told = coordinator.ask_study("chess", request.clone()).await.expect_err("archived").to_string();
        assert_eq!(told, "`chess` is archived and gives no more points");
        assert_eq!(tell(&coordinator, &[result(0, 1, 1)]).await, (1, 0), "a result is never lost");
        assert!(coordinator.studies().await.expect("a list")[0].archived);
        coordinator.archive_study("chess", false, "ada").await.expect("restored");
        assert_eq!(ask(&again, 1, None).await[0].number, 4);
        let none = coordinator.study_status("chss").await.expect_err("no such study").to_string();
        assert_eq!(none, "no study is called `chss`; did you mean `chess`?");
        let by_id = coordinator.study_status(&begun.id.to_string()[..8]).await.expect("the first digits");
        assert_eq!(by_id.summary.name, "chess");
    }

    async fn a_point_is_given_back_and_a_wrong_result_is_corrected(database: Database) {
        let (one, _) = open(&database).await;
        let (other, _) = open(&database).await;
        one.begin_study(study(&[]), "ada").await.expect("begun");
        ask(&one, 3, None).await;
        let result = |number, wins, losses| ToldResult { number, wins, losses, ..ToldResult::default() };
        let failed = |number| ToldResult { number, failed: true, ..ToldResult::default() };
        let told = refused(&one, &[result(0, 1, 1), result(1, 100_000, 0)]).await;
        assert_eq!(told, "a point has as many games as the study at most, which are 400: point 1 has 100000");
        let told = refused(&one, &[ToldResult { failed: true, ..result(1, 1, 1) }]).await;
        assert!(told.contains("has games, or"), "{told}");

        // The games of a point that is given back are free again, and it waits no longer.
        assert_eq!(tell(&one, &[failed(2)]).await, (1, 0));
        assert_eq!(tell(&other, &[failed(2), result(0, 1, 1)]).await, (1, 1));
        let now = status(&one).await.summary;
        assert_eq!((now.asked, now.told, now.failed, now.games_told, now.games_left), (3, 1, 1, 2, 400 - 2 - 2));
        let page = one.study_points("chess", (0, 1000), true).await.expect("points");
        assert_eq!(page.points.iter().map(|point| point.number).collect::<Vec<_>>(), [1]);

        // A wrong result is taken back, and the right one told; whoever has read the wrong one learns it.
        assert_eq!(tell(&one, &[result(1, 200, 0)]).await, (1, 0));
        assert_eq!(status(&other).await.summary.games_told, 202);
        let told = refused(&one, &[failed(1)]).await;
        assert!(told.contains("1 has 200 wins, 0 draws, 0 losses"), "a late message takes nothing back: {told}");
        let taken_back = |result: ToldResult| ToldResult { failed: true, ..result };
        assert_eq!(tell(&one, &[taken_back(result(1, 200, 0))]).await, (1, 0));
        assert_eq!(status(&one).await.summary.games_told, 2);
        assert_eq!(tell(&one, &[result(1, 2, 0)]).await, (1, 0));
        assert_eq!(tell(&one, &[result(2, 0, 2)]).await, (1, 0), "a result is never lost");
        let now = status(&one).await;
        assert_eq!((now.summary.told, now.summary.failed, now.summary.games_told, now.results_seen), (3, 0, 6, 3));
        assert_eq!(status(&other).await, now);
        assert_eq!(one.studies().await.expect("a list")[0], now.summary);
        assert_eq!(status(&open(&database).await.0).await, now);
        assert_eq!(tell(&one, &[taken_back(result(2, 0, 2))]).await, (1, 0));
        assert_eq!(one.studies().await.expect("a list")[0], status(&other).await.summary, "in a list, too");
    }

    async fn two_coordinators_give_each_number_once_and_agree(database: Database) {
        let (one, _) = open(&database).await;
        let (other, _) = open(&database).await;
        one.begin_study(study(&[]), "ada").await.expect("begun");
        let (mut random, mut numbers) = (Random(8), Vec::new());
        for _ in 0..8 {
            let (a, b) = tokio::join!(ask(&one, 4, None), ask(&other, 5, None));
            let results = |points: &[AskedPoint], random: &mut Random| -> Vec<ToldResult> {
                points.iter().map(|point| play(point, random)).collect()
            };
            let (to_other, to_one) = (results(&a, &mut random), results(&b, &mut random));
            tokio::join!(tell(&one, &to_one), tell(&other, &to_other));
            numbers.extend(a.iter().chain(&b).map(|point| point.number));
        }
        numbers.sort_unstable();
        assert_eq!(numbers, (0..72).collect::<Vec<u64>>());
        assert_eq!(status(&one).await, status(&other).await);
    }

    async fn thousands_of_points_are_asked_for_and_told_in_batches(database: Database) {
        let (coordinator, _) = open(&database).await;
        for strategy in ["random", "clop"] {
            let name = format!("chess {strategy}");
            let request = study(&[("\"chess\"", &format!("\"{name}\", \"strategy\": \"{strategy}\"")), ("400", "10000")]);
            coordinator.begin_study(request, "ada").await.expect("begun");
            let (mut random, mut points) = (Random(9), 0);
            for _ in 0..4 {
                let asked = coordinator.ask_study(&name, AskRequest { count: 1000, key: None }).await.expect("points");
                let results: Vec<ToldResult> = asked.points.iter().map(|point| play(point, &mut random)).collect();
                points += results.len();
                coordinator.tell_study(&name, TellRequest { results }).await.expect("told");
            }
            assert_eq!(points, 4000, "{name}");
            let told = coordinator.study_status(&name).await.expect("a study").summary.told;
            assert_eq!(told, 4000, "{name}");
        }
    }
}

#[tokio::test]
async fn studies_are_begun_asked_told_and_shown_over_http_with_the_scope_of_experiments() {
    let database = crate::databases::Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let token = token(&coordinator, "experiment").await.expect("a token");
    let work = crate::play::token(&coordinator, "work").await.expect("a token");
    let call = async |method: &str, path: &str, token: &str, body: &str| -> (StatusCode, serde_json::Value) {
        let request = Request::builder().method(method).uri(format!("/api/v1/studies{path}"));
        let (status, body) = text(&coordinator, with_text(bearer(request, token), body.to_owned())).await;
        (status, serde_json::from_str(&body).expect("JSON"))
    };
    let (code, body) = call("POST", "", &work, STUDY).await;
    assert_eq!(code, StatusCode::FORBIDDEN, "{body}");
    let (code, body) = call("POST", "", &token, STUDY).await;
    assert_eq!(
        (code, &body["name"], &body["games_left"]),
        (StatusCode::OK, &"chess".into(), &400.into()),
        "{body}"
    );
    let (code, body) = call("POST", "/chess/ask", &token, r#"{"count": 2, "key": "first"}"#).await;
    assert_eq!(
        (code, &body["points"][1]["number"], &body["games_left"]),
        (StatusCode::OK, &1.into(), &396.into()),
        "{body}"
    );
    let (code, body) =
        call("POST", "/chess/tell", &token, r#"{"results": [{"number": 1, "wins": 1, "losses": 1}]}"#).await;
    assert_eq!((code, &body["new"], &body["games_told"]), (StatusCode::OK, &1.into(), &2.into()), "{body}");
    let (code, body) =
        call("POST", "/chess/tell", &token, r#"{"results": [{"number": 1, "wins": 2}]}"#).await;
    assert_eq!((code, &body["error"]["code"]), (StatusCode::CONFLICT, &"refused".into()), "{body}");
    let (code, body) =
        call("POST", "/chess/tell", &token, r#"{"results": [{"number": 9, "wins": 2}]}"#).await;
    assert_eq!((code, &body["error"]["code"]), (StatusCode::NOT_FOUND, &"not_found".into()), "{body}");
    let (code, body) = call("POST", "/chess/ask", &token, r#"{"count": 0}"#).await;
    assert_eq!(code, StatusCode::CONFLICT, "{body}");
    let (code, body) = call("GET", "/chess/points?waiting=true", &token, "").await;
    assert_eq!((code, body["points"].as_array().map(Vec::len)), (StatusCode::OK, Some(1)), "{body}");
    let (code, body) = call("GET", "/chess", &token, "").await;
    assert_eq!(
        (code, &body["told"], &body["words"][0]),
        (StatusCode::OK, &1.into(), &body["words"][0]),
        "{body}"
    );
    assert!(body["recommendations"][0]["point"]["margin"].is_number(), "{body}");
    let (code, body) = call("POST", "/chess/change", &token, r#"{"archived": true}"#).await;
    assert_eq!((code, &body["archived"]), (StatusCode::OK, &true.into()), "{body}");
    let (code, body) = call("GET", "", &token, "").await;
    assert_eq!((code, &body[0]["told"]), (StatusCode::OK, &1.into()), "{body}");
    let (code, body) = call("POST", "", &token, r#"{"name": "x", "games": 10, "parameters": []}"#).await;
    assert_eq!(
        (code, &body["error"]["message"]),
        (StatusCode::CONFLICT, &"there is no parameter to tune".into())
    );
}
