//! A study of another program, while the coordinator is killed between and within its calls.

use crate::process::{DEADLINE, Process, output, seed};
use engine::rng::Rng;
use protocol::study::{AskAnswer, PointsPage, StudyStatus, TellAnswer};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};
use tuner::StrategyName;

const KILLS: u32 = 6;
const POINTS: u64 = 300;

/// The program that is tuned: it calls until it is answered.
#[derive(Clone)]
struct Program {
    client: reqwest::Client,
    url: String,
    token: String,
}

impl Program {
    async fn call<T: DeserializeOwned>(&self, path: &str, body: Option<&Value>) -> T {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let url = format!("{}/api/v1/studies{path}", self.url);
            let call = body.map_or(self.client.get(&url), |body| self.client.post(&url).json(body));
            match call.bearer_auth(&self.token).send().await {
                Ok(answer) if answer.status().is_success() => {
                    // The process may die while it answers.
                    if let Ok(answer) = answer.json().await {
                        return answer;
                    }
                }
                Ok(answer) if answer.status().is_client_error() => {
                    panic!("{path}: {} {}", answer.status(), answer.text().await.unwrap_or_default())
                }
                Ok(_) | Err(_) => {}
            }
            assert!(Instant::now() < deadline, "{path} is never answered");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Plays the whole study, and gives the wins by number of the point.
    async fn tune(&self) -> BTreeMap<u64, u64> {
        let mut played = BTreeMap::new();
        for round in 0_u64.. {
            let asked: AskAnswer =
                self.call("/killed/ask", Some(&json!({"count": 7, "key": format!("round {round}")}))).await;
            if asked.points.is_empty() {
                break;
            }
            let mut results = Vec::new();
            for one in &asked.points {
                let tuner::Value::Real(x) = one.point["x"] else { panic!("{one:?}") };
                // Wins near 0.3, and always the same at the same point.
                let wins = u64::from((x - 0.3).abs() < 0.3) + u64::from((x - 0.3).abs() < 0.1);
                assert_eq!(played.insert(one.number, wins), None, "a point is asked for once");
                results.push(json!({"number": one.number, "wins": wins, "losses": 2 - wins}));
            }
            let told: TellAnswer = self.call("/killed/tell", Some(&json!({"results": results}))).await;
            assert_eq!(told.new + told.repeated, asked.points.len() as u64);
        }
        played
    }
}

fn serve(dir: &Path, port: &str) -> (Process, String) {
    let mut serving = Process::start(dir, &["serve", "--port", port, "--database", "study.db"]);
    let url = serving.url();
    (serving, url)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_study_keeps_every_point_and_result_while_the_coordinator_is_killed() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    output(dir, &["db", "create", "--database", "study.db"]);
    let (made, token, stderr) =
        output(dir, &["token", "add", "program", "--scope", "experiment", "--database", "study.db"]);
    assert!(made.success(), "{stderr}");
    let (mut serving, url) = serve(dir, "0");
    let port = url.rsplit(':').next().expect("a port").to_owned();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).timeout(DEADLINE);
    let program = Program { client: client.build().expect("a client"), url, token: token.trim().to_owned() };
    let begin = json!({"name": "killed", "games": 2 * POINTS, "parameters": [{"name": "x", "kind": "real", "low": 0, "high": 1}]});
    let _: Value = program.call("", Some(&begin)).await;

    let mut rng = Rng::new(seed());
    let status = async || program.call::<StudyStatus>("/killed", None).await;
    let playing = tokio::spawn({
        let program = program.clone();
        async move { program.tune().await }
    });
    for kill in 1..=KILLS {
        // At a share of the points, and then at any moment of a call.
        while status().await.summary.told < POINTS * u64::from(kill) / u64::from(KILLS + 1) {}
        tokio::time::sleep(Duration::from_millis(u64::from(rng.below(20)))).await;
        serving.kill();
        serving = serve(dir, &port).0;
    }
    let played = playing.await.expect("the study was played");

    assert_eq!(played.len() as u64, POINTS);
    let page: PointsPage = program.call("/killed/points?from=0&limit=1000", None).await;
    let stored: BTreeMap<u64, u64> = page
        .points
        .iter()
        .map(|one| (one.number, u64::from(one.outcome.as_ref().expect("every point has its result").wins)))
        .collect();
    assert_eq!(stored, played);
    let before = status().await;
    let tuner::Value::Real(x) = before.recommendations[0].point["x"] else { panic!("{before:?}") };
    assert!((x - 0.3).abs() < 0.2, "{x} is recommended");
    serving.kill();
    let (serving, _) = serve(dir, &port);
    assert_eq!(status().await, before, "a replay recommends the same");
    assert!(serving.stop().success());
}

/// Points that are asked for and not told, the results of a round being told in another order.
fn results_of(round: usize, waiting: &mut Vec<Value>) -> Value {
    let mut results: Vec<Value> = Vec::new();
    for place in 0..waiting.len().saturating_sub(5) {
        let number = waiting.swap_remove((round * 5 + place * 3) % waiting.len());
        let draw = number.as_u64().expect("a number").wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let (games, wins) = (2 + draw % 3, draw / 3 % 3);
        results.push(json!({"number": number, "wins": wins, "losses": games - wins}));
    }
    json!({ "results": results })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_that_is_killed_asks_for_the_same_points_as_one_that_lives() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let begun = async || {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path();
        output(dir, &["db", "create", "--database", "study.db"]);
        let (made, token, stderr) =
            output(dir, &["token", "add", "program", "--scope", "experiment", "--database", "study.db"]);
        assert!(made.success(), "{stderr}");
        let (serving, url) = serve(dir, "0");
        let client =
            reqwest::Client::builder().no_proxy().tls_certs_only([]).timeout(Duration::from_secs(10));
        let client = client.build().expect("a client");
        let program = Program { client, url, token: token.trim().to_owned() };
        for strategy in StrategyName::ALL {
            let begin = json!({"name": strategy, "strategy": strategy, "games": 600, "seed": 3, "parameters": [
                {"name": "x", "kind": "real", "low": 0, "high": 1},
                {"name": "n", "kind": "whole", "low": 1, "high": 64, "scale": "log"},
                {"name": "on", "kind": "flag"},
            ]});
            let _: Value = program.call("", Some(&begin)).await;
        }
        (home, serving, program)
    };
    let (_home, living, lives) = begun().await;
    let (home, mut killed, dies) = begun().await;
    let port = dies.url.rsplit(':').next().expect("a port").to_owned();
    let mut waiting: HashMap<StrategyName, Vec<Value>> = HashMap::new();
    for round in 0..9 {
        for strategy in StrategyName::ALL {
            let waiting = waiting.entry(strategy).or_default();
            // Two clients with points that wait for results, one of which asks for many.
            for (client, count) in [("one", 3), ("other", 4 + round)] {
                let ask = json!({"count": count, "key": format!("{client} {round}")});
                let path = format!("/{strategy}/ask");
                let asked: AskAnswer = dies.call(&path, Some(&ask)).await;
                assert_eq!(
                    asked,
                    lives.call::<AskAnswer>(&path, Some(&ask)).await,
                    "{strategy}, round {round}"
                );
                waiting.extend(asked.points.iter().map(|point| json!(point.number)));
            }
            let results = results_of(round, waiting);
            for program in [&lives, &dies] {
                let _: TellAnswer = program.call(&format!("/{strategy}/tell"), Some(&results)).await;
            }
        }
        if round % 2 == 0 {
            killed.kill();
            killed = serve(home.path(), &port).0;
        }
    }
    assert!(living.stop().success() && killed.stop().success());
}
