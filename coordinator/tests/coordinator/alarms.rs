//! Alarms: raised, told of once, and over.

use crate::databases::on_both_databases;
use crate::http;
use crate::play::{Worker, open};
use axum::http::Request;
use coordinator::Coordinator;
use protocol::alarm::{Alarm, AlarmKind, Alarms, Severity};

async fn alarms(coordinator: &Coordinator) -> Vec<Alarm> {
    coordinator.look_for_alarms().await.expect("alarms").alarms
}

/// The answer to a request by HTTP.
async fn get(coordinator: &Coordinator, path: &str) -> Vec<u8> {
    http::content(http::call(coordinator, http::bare(Request::get(path))).await).await
}

/// A worker calls with this drift on all sizes.
async fn call(coordinator: &Coordinator, worker: &mut Worker, drift: f64) {
    for speed in &mut worker.speeds {
        speed.factor *= speed.drift / drift;
        speed.drift = drift;
    }
    worker.sync(coordinator, Vec::new(), 0).await;
}

on_both_databases! {
    async fn a_machine_that_slows_down_is_told_of_once_as_long_as_it_is_there(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let (mut steady, mut slow) = (Worker::new(), Worker::new());
        call(&coordinator, &mut steady, 0.9).await;
        call(&coordinator, &mut slow, 0.9).await;
        assert_eq!(alarms(&coordinator).await, []);
        let since_ms = clock.now_ms();
        call(&coordinator, &mut slow, 0.6).await;
        for _ in 0..2 {
            let found = alarms(&coordinator).await;
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!((found[0].kind, found[0].severity), (AlarmKind::Drift, Severity::Amber));
            assert_eq!((found[0].worker, found[0].since_ms), (Some(slow.id), since_ms));
            assert!(found[0].words.contains("1.67 times slower"), "{}", found[0].words);
            clock.advance(5_000);
        }
        call(&coordinator, &mut slow, 0.4).await;
        assert_eq!(alarms(&coordinator).await[0].severity, Severity::Red);
        let overview = coordinator.overview().await.expect("overview");
        let alone: Alarms = serde_json::from_slice(&get(&coordinator, "/api/v1/alarms").await).expect("alarms");
        assert_eq!((overview.alarms.len(), &overview.alarms), (1, &alone.alarms));
        let metrics = String::from_utf8(get(&coordinator, "/metrics").await).expect("text");
        for line in ["gauntlet_alarms{kind=\"drift\",severity=\"red\"} 1", "gauntlet_alarms{kind=\"drift\",severity=\"amber\"} 0"] {
            assert!(metrics.lines().any(|found| found == line), "{line}");
        }
        let why = coordinator.why(&slow.id.to_string()).await.expect("why").reasons.join("\n");
        assert!(why.contains("2.50 times slower"), "{why}");
        clock.advance(3_600_000);
        assert_eq!(alarms(&coordinator).await, [], "what a machine said before it went is out of date");
        call(&coordinator, &mut slow, 0.4).await;
        assert_eq!(alarms(&coordinator).await[0].since_ms, since_ms, "it is the same alarm");
        let audit = coordinator.audit(None, 100).await.expect("audit").entries;
        let told: Vec<_> = audit.iter().filter(|entry| entry.action == "alarm").collect();
        assert_eq!(told.len(), 2, "once when it was raised, and once when it got worse: {told:?}");
        assert!(told.iter().all(|entry| entry.who == "coordinator: alarms"), "{told:?}");
    }
}
