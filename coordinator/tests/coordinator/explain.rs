//! The answers of `gauntlet why`, and the metrics for Prometheus.

use crate::databases::{Database, on_both_databases};
use crate::http::{bare, bearer, text};
use crate::play::{
    LEASE_AND_A_BIT, Worker, cell, experiment, open, open_with, params, play_all, size, speed, token,
};
use axum::http::{Request, StatusCode};
use coordinator::{Coordinator, CoordinatorError};
use protocol::lease::Budget;
use protocol::memory::Mib;
use protocol::operate::{DirectiveRequest, Machines, WhyKind};
use protocol::sync::{Directive, SyncRequest};

/// All reasons as one text.
async fn why(coordinator: &Coordinator, key: &str) -> String {
    coordinator.why(key).await.expect("an answer").reasons.join("\n")
}

/// Fails unless the reasons contain all these words.
async fn says(coordinator: &Coordinator, key: &str, words: &[&str]) {
    let reasons = why(coordinator, key).await;
    for word in words {
        assert!(reasons.contains(word), "{word} is not among the reasons of {key}:\n{reasons}");
    }
}

on_both_databases! {
    async fn every_idle_worker_is_explained(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0), cell(500, 5, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let key = worker.id.to_string();
        let unknown = coordinator.why(&key).await.expect_err("nobody yet");
        assert!(matches!(unknown, CoordinatorError::NotFound { .. }), "{unknown}");

        worker.speeds = vec![speed(size(4))];
        worker.take(&coordinator, 9).await;
        assert_eq!(coordinator.why(&key).await.expect("known").kind, WhyKind::Worker);
        let misspelt = coordinator.why("oen").await.expect_err("misspelt").to_string();
        assert_eq!(misspelt, "no worker, cell or experiment is called `oen`; did you mean `one`?");
        says(&coordinator, &key, &["holds 1 pair and has 8 slots", "not measured its speed on size 5"]).await;
        let mut other = Worker::new();
        other.take(&coordinator, 1).await;
        other.held.clear();
        worker.speeds.push(speed(size(5)));
        let idle = Worker::new();
        idle.sync(&coordinator, Vec::new(), 1).await;
        let rests = SyncRequest { resting: Some("quiet hours until 18:00".into()), ..idle.request(Vec::new(), 0) };
        coordinator.sync(rests).await.expect("sync");
        says(&coordinator, &idle.id.to_string(), &["wants no work: quiet hours until 18:00"]).await;
        let pause = DirectiveRequest { machines: Machines::All, directive: Directive::Pause };
        coordinator.direct(pause, "ada").await.expect("told");
        says(&coordinator, &idle.id.to_string(), &["told it to pause"]).await;
        assert!(!why(&coordinator, "one").await.contains("stalled"), "the games in hand are finished first");
        for holder in [&mut worker, &mut other] {
            holder.held.clear();
            holder.sync(&coordinator, Vec::new(), 0).await;
        }
        says(&coordinator, "one", &["it is stalled: none of the 3 workers that are there takes work", "3 were told to pause"]).await;
        clock.advance(LEASE_AND_A_BIT);
        says(&coordinator, &key, &["it has not called for 121 s", "120 s without a call"]).await;
        says(&coordinator, "one", &["4 games missing", "no worker is there"]).await;
    }

    async fn every_cell_that_is_not_played_is_explained(database: Database) {
        let (coordinator, clock) = open_with(&database, |config| config.most_failures = 1).await;
        let file = experiment("one", vec![cell(500, 4, 1, 1.0), cell(500, 5, 2, 1.0)]);
        let ids: Vec<String> = file.cells.iter().map(|cell| cell.spec.id().to_string()).collect();
        coordinator.apply(&file).await.expect("apply");
        says(&coordinator, &ids[0], &["`one` plans 1 pair: 0 done", "no worker"]).await;
        let both = [why(&coordinator, &ids[0]).await, why(&coordinator, &ids[1]).await].join("\n");
        assert!(both.contains("the next of this experiment") && both.contains("before it in this experiment: 1 cell"), "{both}");

        let mut worker = Worker::new();
        worker.speeds = vec![speed(size(4))];
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&lease, 7)).await;
        says(&coordinator, &ids[0], &["1 done", "nothing is left to give out"]).await;
        says(&coordinator, &ids[1], &["no worker that is there has measured its speed on size 5"]).await;
        Worker::new().take(&coordinator, 2).await;
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        says(&coordinator, &ids[1], &["2 set aside", "gauntlet retry one"]).await;
        says(&coordinator, "one", &["what is still missing, 4 games, belongs to pairs that were set aside"]).await;
        coordinator.apply(&experiment("one", vec![cell(500, 6, 1, 1.0)])).await.expect("apply");
        says(&coordinator, &ids[1], &["revision 2 of that experiment closed it"]).await;
    }

    async fn a_cell_that_no_workers_memory_is_enough_for_says_so(database: Database) {
        let (coordinator, _) = open(&database).await;
        let mut large = cell(400, 4, 1, 1.0);
        large.spec.budget = Budget::ReferenceSeconds(1e6);
        large.spec.case = params("rave_k=400 memory_mib=3096");
        let key = large.spec.id().to_string();
        coordinator.apply(&experiment("one", vec![large])).await.expect("apply");
        let workers = [1024, 2048, 0].map(|mib| Worker { memory: Mib(mib), ..Worker::new() });
        for worker in &workers {
            worker.sync(&coordinator, Vec::new(), 1).await;
        }
        let nearest = format!("the most is 2 GiB, on worker-{}", &workers[1].id.to_string()[..8]);
        says(&coordinator, &key, &["may need 4 GiB a slot", &nearest]).await;
        says(&coordinator, "one", &["1 of its open cells may need 4 GiB", "the most is 2 GiB"]).await;
        let idle = workers[0].id.to_string();
        says(&coordinator, &idle, &["it has 1 GiB a slot", "1 open cell may need 4 GiB or more", "what is left may need 4 GiB"]).await;
        let overview = coordinator.overview().await.expect("overview");
        assert!(overview.workers.iter().all(|worker| worker.no_work.as_ref().is_some_and(|why| why.contains("4 GiB"))));
        // A worker with enough memory suffices, and there is nothing to explain.
        let able = Worker { memory: Mib(4096), ..Worker::new() };
        able.sync(&coordinator, Vec::new(), 0).await;
        says(&coordinator, &able.id.to_string(), &["it asks for more with its next call", "it has 4 GiB a slot", "enough for every open cell"]).await;
        for key in [key.as_str(), "one"] {
            let reasons = why(&coordinator, key).await;
            assert!(!reasons.contains("GiB"), "{reasons}");
        }
    }

    async fn an_experiment_says_what_share_it_gets_and_who_comes_first(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("old", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        says(&coordinator, "old", &["all the workers' core time", "no other experiment waits", "0.0 core-seconds"]).await;
        let heavy = experiment("new", vec![cell(100, 4, 9, 1.0), cell(50, 4, 9, 1.0)]);
        coordinator.apply(&protocol::experiment::Experiment { weight: 3.0, ..heavy }).await.expect("apply");
        says(&coordinator, "old", &["25.000 % of the workers' core time", "weight 1 of 4", "2 experiments wait"]).await;
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 4).await;
        let of_old = leases.iter().find(|lease| lease.case_label == "rave_k=500").expect("one of four");
        worker.drop_lease(of_old);
        worker.sync(&coordinator, play_all(of_old, 7), 0).await;
        worker.held.clear();
        worker.sync(&coordinator, Vec::new(), 0).await;
        says(&coordinator, "old", &["`new` had less core time for the weight"]).await;
        assert!(!why(&coordinator, "new").await.contains("served first"));
    }
}

#[tokio::test]
async fn numbers_for_prometheus_say_what_happened() {
    let database = Database::sqlite();
    let (coordinator, clock) = open(&database).await;
    coordinator.apply(&experiment("a \"b\"", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
    let token = token(&coordinator, "work").await.expect("token");
    let mut worker = Worker::new();
    let lease = worker.take(&coordinator, 1).await.remove(0);
    let mut games = play_all(&lease, 7);
    worker.report(&coordinator, games.clone()).await;
    games[0].record.sims[0] = 1 << 60;
    worker.report(&coordinator, games).await;
    worker.take(&coordinator, 1).await;
    clock.advance(LEASE_AND_A_BIT);
    Worker::new().sync(&coordinator, Vec::new(), 0).await;
    let call = async |path: &str| text(&coordinator, bare(bearer(Request::get(path), &token))).await;
    assert_eq!(call("/readyz").await, (StatusCode::OK, "ready\n".into()));
    assert_eq!(call("/api/v1/experiments/none").await.0, StatusCode::NOT_FOUND);
    let (status, metrics) = call("/metrics").await;
    assert_eq!(status, StatusCode::OK);
    for line in [
        "gauntlet_games_total{status=\"accepted\"} 2",
        "gauntlet_games_total{status=\"duplicate\"} 1",
        "gauntlet_games_total{status=\"rejected\"} 1",
        "gauntlet_leases_granted_total 2",
        "gauntlet_leases_lapsed_total 1",
        "gauntlet_writer_queue 0",
        "gauntlet_http_requests_total{route=\"/api/v1/experiments/{key}\",status=\"404\"} 1",
        "gauntlet_http_request_seconds_count{route=\"/readyz\"} 1",
        "gauntlet_experiment_games_done{experiment=\"a \\\"b\\\"\"} 2",
        "gauntlet_experiment_games_planned{experiment=\"a \\\"b\\\"\"} 4",
        "gauntlet_workers 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is not in\n{metrics}");
    }
    // Every sample is a number and belongs to a declared metric family.
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').expect("a sample");
        value.parse::<f64>().expect(line);
        let family = name.split('{').next().expect("a name");
        let family =
            ["_bucket", "_sum", "_count"].iter().find_map(|end| family.strip_suffix(end)).unwrap_or(family);
        assert!(metrics.contains(&format!("# TYPE {family} ")), "{line}");
    }
    coordinator.close().await;
    assert_eq!(call("/readyz").await.0, StatusCode::SERVICE_UNAVAILABLE);
}
