//! One machine in full: its results, its speeds over time, and what it tells of itself.

use crate::databases::on_both_databases;
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all, speed};
use coordinator::Coordinator;
use protocol::machine::{LONGEST_LINE, MOST_LINES, PastSpeed};
use protocol::result::Speed;
use protocol::sync::MachineState;
use protocol::sync::{SyncRequest, SyncResponse};

const DAY_MS: i64 = 86_400_000;

/// A machine that is so many times as fast as the reference machine on the smallest boards.
fn fast(times: f64) -> Worker {
    let mut worker = Worker::new();
    for known in &mut worker.speeds {
        *known = faster(*known, times);
    }
    worker.speeds.truncate(2);
    worker
}

fn faster(known: Speed, times: f64) -> Speed {
    let plain = speed(known.size);
    Speed { sims_per_s: times * plain.sims_per_s, factor: 1.0 / times, ..plain }
}

async fn tell(coordinator: &Coordinator, worker: &Worker, told: Option<MachineState>) -> SyncResponse {
    let request = SyncRequest { told, ..worker.request(Vec::new(), 0) };
    coordinator.sync(request).await.expect("heard")
}

on_both_databases! {
    async fn a_machine_is_shown_with_its_leases_its_results_and_those_of_others(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let [mut first, mut second] = [fast(2.0), fast(1.0)];
        for worker in [&mut first, &mut second] {
            let lease = worker.take(&coordinator, 1).await.pop().expect("a lease");
            worker.drop_lease(&lease);
            worker.report(&coordinator, play_all(&lease, 7)).await;
        }
        let lease = first.take(&coordinator, 1).await.pop().expect("a lease");
        let id = first.id.to_string();
        let shown = coordinator.machine(&id).await.expect("shown");
        assert_eq!((shown.worker.id, shown.worker.games, shown.share), (first.id, 2, 0.5));
        assert_eq!(shown.in_play.iter().map(|pair| (pair.lease, pair.plies)).collect::<Vec<_>>(), [(lease.id, 0)]);
        assert_eq!(shown.memory_mib, Some(8192));
        assert_eq!(shown.token, None, "it is in this process");
        let fleet: Vec<_> = shown.fleet.iter().map(|of| (of.machines, of.relative)).collect();
        assert_eq!(fleet, [(2, 1.5), (2, 1.5)], "the median of 1 and 2");
        assert_eq!((shown.cells.len(), shown.cells_played), (1, 1));
        let of = &shown.cells[0];
        assert_eq!((of.games, of.others_games, of.case.as_str()), (2, 2, "rave rave_k=500"));
        assert!((0.0..=1.0).contains(&of.rate) && of.others_rate.is_some());
        let why = coordinator.why(&id).await.expect("why").reasons;
        assert_eq!(shown.reasons, why);
        assert_eq!(coordinator.machine(&id[..12]).await.expect("by its first digits").worker.id, first.id);
        assert_eq!(coordinator.machine(&shown.worker.name).await.expect("by name").worker.id, first.id);
        let error = coordinator.machine("nobody").await.expect_err("nobody").to_string();
        assert!(error.contains("nobody"), "{error}");
        assert_verified(&coordinator).await;
    }

    async fn speeds_are_noted_when_they_change_and_dropped_when_they_are_old(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let mut worker = fast(2.0);
        let past = async |worker: &Worker| {
            let history: Vec<PastSpeed> = coordinator.machine(&worker.id.to_string()).await.expect("shown").history;
            let of_first = history.into_iter().filter(|past| past.size == worker.speeds[0].size);
            of_first.map(|past| past.relative).collect::<Vec<_>>()
        };
        tell(&coordinator, &worker, None).await;
        clock.advance(600_000);
        tell(&coordinator, &worker, None).await;
        assert_eq!(past(&worker).await, [2.0], "the same speed is no news");
        for times in [1.5, 1.25] {
            worker.speeds[0] = faster(worker.speeds[0], times);
            tell(&coordinator, &worker, None).await;
        }
        assert_eq!(past(&worker).await, [2.0, 1.25], "one row in five minutes");
        let other = fast(1.0);
        tell(&coordinator, &other, None).await;
        clock.advance(15 * DAY_MS);
        worker.speeds[0] = faster(worker.speeds[0], 1.0);
        worker.speeds.push(worker.speeds[0]);
        tell(&coordinator, &worker, None).await;
        assert_eq!(past(&worker).await, [1.0], "two weeks are kept, and a size that is named twice has one row");
        assert!(past(&other).await.is_empty(), "of everybody");
    }

    async fn a_machine_tells_its_log_while_somebody_looks_at_it(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let (worker, other) = (fast(1.0), fast(1.0));
        assert!(!tell(&coordinator, &worker, None).await.looked_at);
        tell(&coordinator, &other, None).await;
        let id = worker.id.to_string();
        assert_eq!(coordinator.machine(&id).await.expect("shown").told, None);
        let answer = tell(&coordinator, &worker, None).await;
        assert!(answer.looked_at && answer.next_sync_ms <= 2_000, "its next call comes soon");
        assert!(!tell(&coordinator, &other, None).await.looked_at);
        let mut log: Vec<String> = (0..MOST_LINES + 50).map(|line| format!("line {line}")).collect();
        log.push(format!("\u{1b}[2J<script>{}", "x".repeat(100_000)));
        tell(&coordinator, &worker, Some(MachineState { spooled: 4, clock_ms: i64::MIN, log })).await;
        let told = coordinator.machine(&id).await.expect("shown").told.expect("told");
        assert_eq!((told.spooled, told.log.len(), told.log[0].as_str()), (4, MOST_LINES, "line 51"));
        assert!(told.log.iter().all(|line| line.chars().count() <= LONGEST_LINE && !line.contains('\u{1b}')));
        clock.advance(61_000);
        assert!(!tell(&coordinator, &worker, None).await.looked_at, "nobody looked for a minute");
        assert_eq!(coordinator.machine(&id).await.expect("shown").told, None, "and nothing is kept");
    }
}
